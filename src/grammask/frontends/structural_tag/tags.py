"""The formats with tags in them: one tag, tags that a trigger starts in free text, tags one after another.

Rule: a tag's text markers may be written as special tokens of that name, or with such in them; what a trigger starts must be finished.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grammask.frontends.structural_tag.formats import Reader, Surroundings, any_tokens, excluded_stops, read_format, read_schema
from grammask.frontends.structural_tag.places import Place
from grammask.grammar.expression import EMPTY, Expression, Repeat, Token, either, seq
from grammask.grammar.free_text import FreeText, Marked, Stop, marker

__all__ = [
    "older_form", "read_dispatch", "read_tag", "read_tags_with_separator", "read_token_dispatch", "read_token_triggered_tags", "read_triggered_tags",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag. begin: a text, or the token (in a tuple) that it begins with; rest: its content and end."""

    place: Place
    begin: str | tuple[str | int]
    rest: Expression

    @property
    def whole(self) -> Expression:
        if isinstance(self.begin, tuple):
            return seq(Token(self.begin), self.rest)
        return seq(marker(self.begin), self.rest)


def read_tag(reader: Reader, place: Place, around: Surroundings) -> Expression:
    return _tag(reader, place, around).whole


def _tag(reader: Reader, place: Place, around: Surroundings) -> Tag:
    members = place.members(("begin", "content", "end"), ("type",))
    if "type" in members and members["type"].text() != "tag":
        raise members["type"].wrong("a tag is needed here")
    begin = _mark(members["begin"])
    owner = f"the tag {begin[0] if isinstance(begin, tuple) else begin!r}"
    ends, end_tokens = _ends(members["end"].within(owner))
    inside = Surroundings(ends, end_tokens, around.depth + 1)
    content = read_format(reader, members["content"].within(owner), inside)
    end = either(*([Marked([(text.encode(), EMPTY) for text in ends])] if any(ends) else []), *([Token(end_tokens)] if end_tokens else []))
    if not end_tokens and not all(ends):
        end = either(end, EMPTY) if any(ends) else EMPTY
    return Tag(place.within(owner), begin, seq(content, end))


def _mark(place: Place) -> str | tuple[str | int]:
    """A text, or a token format."""
    if isinstance(place.value, str):
        return place.text()
    if not isinstance(place.value, dict):
        raise place.wrong("a text or a token format is needed")
    members = place.members(("type", "token"))
    if members["type"].text() != "token":
        raise members["type"].wrong("a text or a token format is needed")
    return (members["token"].token(),)


def _ends(place: Place) -> tuple[tuple[str, ...], tuple[str | int, ...]]:
    """The texts and the tokens that end a tag."""
    marks = [_mark(item) for item in place.items()] if isinstance(place.value, list) else [_mark(place)]
    if not marks:
        raise place.wrong("it has no ends")
    texts = tuple(mark for mark in marks if isinstance(mark, str))
    return texts, tuple(mark[0] for mark in marks if isinstance(mark, tuple))


def _tags(reader: Reader, place: Place, around: Surroundings) -> list[Tag]:
    return [_tag(reader, item, around) for item in place.items()]


def _choice(tags: Iterable[Tag]) -> Expression:
    """Any one of the tags. Text markers are one choice, which is read letter by letter."""
    tags = list(tags)
    texts = [(tag.begin.encode(), tag.rest) for tag in tags if isinstance(tag.begin, str)]
    tokens = [tag.whole for tag in tags if isinstance(tag.begin, tuple)]
    return either(*([Marked(texts)] if texts else []), *tokens)


# -- triggers that are texts -------------------------------------------------------------------------------------------


def read_triggered_tags(reader: Reader, place: Place, around: Surroundings) -> Expression:
    members = place.members(("type", "triggers", "tags"), ("at_least_one", "stop_after_first", "excludes"))
    triggers, tags = _texts(members["triggers"]), _tags(reader, members["tags"], around)
    once = _flag(members, "stop_after_first")
    stops = []
    for tag in tags:
        if not isinstance(tag.begin, str):
            raise tag.place.below("begin").wrong("a tag that a text triggers begins with a text", "token_triggered_tags are triggered by tokens")
        trigger = _trigger_of(tag, triggers)
        stops.append(Stop(tag.begin.encode(), len(trigger.encode()), tag.rest, again=not once))
    used = {stop.text[: stop.commit] for stop in stops}
    unused = [trigger for trigger in triggers if trigger.encode() not in used]
    text = _free(members, stops, unused, around)
    if not _flag(members, "at_least_one"):
        return text
    if not tags:
        raise members["tags"].wrong("at least one tag is demanded, and there is none")
    return _choice(tags) if once else seq(_choice(tags), text)


def older_form(reader: Reader, structures: Place, triggers: Place) -> Expression:
    """The older form: structures of begin, schema and end, which triggers start in free text."""
    known = _texts(triggers)
    stops = []
    for place in structures.items():
        members = place.members(("begin", "schema", "end"))
        begin, end = members["begin"].text(may_be_empty=False), members["end"].text(may_be_empty=False)
        tag = place.within(f"the tag {begin!r}")
        content = read_schema(reader, members["schema"].within(tag.owner))
        trigger = _trigger_of(Tag(tag, begin, content), known)
        stops.append(Stop(begin.encode(), len(trigger.encode()), seq(content, marker(end)), again=True))
    used = {stop.text[: stop.commit] for stop in stops}
    return _free({"triggers": triggers}, stops, [trigger for trigger in known if trigger.encode() not in used], Surroundings())


def _texts(place: Place) -> list[str]:
    texts = list(dict.fromkeys(place.texts()))
    if not texts:
        raise place.wrong("it is empty")
    return texts


def _flag(members: dict[str, Place], name: str) -> bool:
    return name in members and members[name].flag()


def _trigger_of(tag: Tag, triggers: Sequence[str]) -> str:
    fitting = [trigger for trigger in triggers if str(tag.begin).startswith(trigger)]
    if len(fitting) == 1:
        return fitting[0]
    begin = tag.place.below("begin")
    if not fitting:
        raise begin.wrong("no trigger is the beginning of this text", f"the triggers are {', '.join(map(repr, triggers[:5]))}")
    raise begin.wrong(f"several triggers are beginnings of this text: {', '.join(map(repr, fitting))}", "keep the shortest of them")


def _free(members: dict[str, Place], stops: list[Stop], unused: Iterable[str], around: Surroundings) -> Expression:
    """Free text with these stops, without the excluded texts and without the ends of the tag around it."""
    excluded = members["excludes"].texts() if "excludes" in members else []
    binding = {stop.text[: stop.commit] for stop in stops}
    _check_reachable(members, binding, excluded, around)
    more = [stop for stop in excluded_stops(excluded, around.ends, unused) if not any(stop.text.startswith(trigger) for trigger in binding)]
    return FreeText([*stops, *more])


def _check_reachable(members: dict[str, Place], binding: set[bytes], excluded: Sequence[str], around: Surroundings) -> None:
    """Refuse triggers that something else always comes before."""
    place = members.get("triggers") or members["rules"]
    for trigger in sorted(binding):
        rivals = [("another trigger", other) for other in binding] + [("an excluded text", text.encode()) for text in excluded]
        rivals += [("the end of the tag around it", text.encode()) for text in around.ends]
        for what, rival in rivals:
            if rival and trigger.startswith(rival) and not (rival == trigger and what == "another trigger"):
                raise place.wrong(f"the trigger {trigger.decode()!r} can never be reached, because it begins with {what}, {rival.decode()!r}")


def read_dispatch(reader: Reader, place: Place, around: Surroundings) -> Expression:
    members = place.members(("type", "rules"), ("loop", "excludes"))
    again = members["loop"].flag() if "loop" in members else True
    stops = []
    for pattern, content in _rules(members["rules"]):
        text = pattern.text(may_be_empty=False).encode()
        then = read_format(reader, content.within(f"the rule {pattern.value!r}"), around)
        stops.append(Stop(text, len(text), then, again))
    return _free(members, stops, (), around)


def _rules(place: Place) -> list[tuple[Place, Place]]:
    """Pairs of a pattern and a format."""
    rules = []
    for rule in place.items():
        pair = rule.items()
        if len(pair) != 2:
            raise rule.wrong("a rule is a pair of a pattern and a format")
        rules.append((pair[0], pair[1]))
    if not rules:
        raise place.wrong("it is empty")
    return rules


# -- triggers that are tokens ------------------------------------------------------------------------------------------


def read_token_triggered_tags(reader: Reader, place: Place, around: Surroundings) -> Expression:
    members = place.members(("type", "trigger_tokens", "tags"), ("exclude_tokens", "at_least_one", "stop_after_first"))
    triggers, tags = members["trigger_tokens"].tokens(), _tags(reader, members["tags"], around)
    for tag in tags:
        if not isinstance(tag.begin, tuple):
            raise tag.place.below("begin").wrong("a tag that a token triggers begins with a token format")
        if tag.begin[0] not in triggers:
            raise tag.place.below("begin").wrong(f"{tag.begin[0]!r} is none of the trigger_tokens")
    excluded = (*triggers, *(members["exclude_tokens"].tokens() if "exclude_tokens" in members else ()))
    wholes = [tag.whole for tag in tags]
    first = either(*wholes)
    once, demanded = _flag(members, "stop_after_first"), _flag(members, "at_least_one")
    if demanded and not tags:
        raise members["tags"].wrong("at least one tag is demanded, and there is none")
    if once:
        return first if demanded else seq(any_tokens(excluded, around), Repeat(first, 0, 1))
    text = any_tokens(excluded, around, *wholes)
    return seq(first, text) if demanded else text


def read_token_dispatch(reader: Reader, place: Place, around: Surroundings) -> Expression:
    members = place.members(("type", "rules"), ("loop", "exclude_tokens"))
    excluded = members["exclude_tokens"].tokens() if "exclude_tokens" in members else []
    parts: list[Expression] = []
    for token, content in _rules(members["rules"]):
        name = token.token()
        excluded.append(name)
        parts.append(seq(Token((name,)), read_format(reader, content.within(f"the rule {name!r}"), around)))
    if "loop" in members and not members["loop"].flag():
        return seq(any_tokens(excluded, around), Repeat(either(*parts), 0, 1))
    return any_tokens(excluded, around, *parts)


# -- tags and nothing else ---------------------------------------------------------------------------------------------


def read_tags_with_separator(reader: Reader, place: Place, around: Surroundings) -> Expression:
    members = place.members(("type", "tags", "separator"), ("at_least_one", "stop_after_first"))
    tags, separator = _tags(reader, members["tags"], around), marker(members["separator"].text())
    if not tags:
        if _flag(members, "at_least_one"):
            raise members["tags"].wrong("at least one tag is demanded, and there is none")
        return EMPTY
    one = _choice(tags)
    several = one if _flag(members, "stop_after_first") else seq(one, Repeat(seq(separator, one)))
    return several if _flag(members, "at_least_one") else Repeat(several, 0, 1)
