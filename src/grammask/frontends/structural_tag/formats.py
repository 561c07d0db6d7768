"""From the formats of a structural tag to expressions: texts, schemas, patterns, and how formats are put together.

Rule: each reader takes exactly the keys of its format and builds the format's expression; formats that can go on for ever (free text)
leave out the ends of the tags around them, which `Surroundings` carries down.
Below: places, parameters.  Above: tags, which reads the formats with tags in them; compiler.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from grammask.errors import GrammarError, LimitError
from grammask.frontends.json_schema import JsonSchemaOptions, json_schema_part
from grammask.frontends.regex import regex
from grammask.frontends.structural_tag.encodings import ENCODINGS
from grammask.frontends.structural_tag.options import StructuralTagOptions
from grammask.frontends.structural_tag.parameters import members_expression
from grammask.frontends.structural_tag.places import Place, placed
from grammask.grammar.expression import ANY_CHARACTER, EMPTY, And, Expression, Not, Ref, Repeat, Rule, Seq, Token, either, literal, seq
from grammask.grammar.free_text import FreeText, Stop, marker
from grammask.grammar.grammar import Grammar

if TYPE_CHECKING:
    from grammask.grammar.grammar import ReportEntry

__all__ = ["Reader", "Surroundings", "any_tokens", "excluded_stops", "read_format", "read_schema"]

MAX_NESTING = 60
MAX_COUNT = 100_000

Made = TypeVar("Made")
AnyFormat = Callable[["Reader", Place, "Surroundings"], Expression]


class Surroundings(NamedTuple):
    """What a format has to know of the formats around it.

    ends: texts that end the nearest tag, which no free text in it may hold; end_tokens: special tokens that do; depth: formats around it.
    """

    ends: tuple[str, ...] = ()
    end_tokens: tuple[str | int, ...] = ()
    depth: int = 0


class Reader:
    """One reading. reports: what the parts report, with the pointer of each part."""

    def __init__(self, options: StructuralTagOptions, kinds: Mapping[str, AnyFormat]) -> None:
        self.options, self.kinds = options, kinds
        self.reports: list[tuple[str, Sequence[ReportEntry]]] = []

    def part(self, place: Place, make: Callable[[], Grammar], root: str = "") -> Expression:
        """The expression of a grammar that another front end makes, with its errors and its report placed here."""
        grammar = self._placed(place, make, root)
        self.reports.append((place.pointer, grammar.report))
        return grammar.expression

    def schema(self, place: Place, schema: dict[str, Any] | bool | str, options: JsonSchemaOptions) -> Expression:
        """Likewise of a JSON Schema."""
        expression, report = self._placed(place, lambda: json_schema_part(schema, options))
        self.reports.append((place.pointer, report))
        return expression

    def _placed(self, place: Place, make: Callable[[], Made], root: str = "") -> Made:
        try:
            return make()
        except (GrammarError, LimitError) as error:
            raise placed(error, place, root) from None


def read_format(reader: Reader, place: Place, around: Surroundings) -> Expression:
    """The expression of any format, which may be a `Grammar` too."""
    if isinstance(place.value, Grammar):
        return reader.part(place, lambda: place.value)
    if around.depth >= MAX_NESTING:
        raise LimitError("the nesting of formats in a structural tag", None, MAX_NESTING)
    if not isinstance(place.value, Mapping):
        raise place.wrong('a format is needed: an object with a "type"')
    if "type" not in place.value:
        raise place.wrong("'type' is missing", f"a format is one of {', '.join(reader.kinds)}")
    kind = place.below("type").text()
    if kind not in reader.kinds:
        raise place.below("type").wrong(f"there is no format {kind!r}", f"it is one of {', '.join(reader.kinds)}")
    return reader.kinds[kind](reader, place, Surroundings(around.ends, around.end_tokens, around.depth + 1))


def excluded_stops(*groups: Iterable[str]) -> list[Stop]:
    """Stops that may not occur: of texts that begin alike the shortest is enough. An empty end stops nothing."""
    kept: list[Stop] = []
    for text in sorted({text.encode() for group in groups for text in group if text}):
        if not kept or not text.startswith(kept[-1].text):
            kept.append(Stop(text, len(text), None))
    return kept


# -- one fragment of text ----------------------------------------------------------------------------------------------


def read_const_string(_: Reader, place: Place, _around: Surroundings) -> Expression:
    return marker(place.members(("type", "value"))["value"].text())


def read_json_schema(reader: Reader, place: Place, _around: Surroundings) -> Expression:
    members = place.members(("type", "json_schema"), ("style", "any_order", "max_whitespace_cnt", "excludes"))
    if "excludes" in members and members["excludes"].texts():
        raise members["excludes"].unsupported("excludes of a schema", "texts are kept out of free text only", "put them into the schema, by a pattern")
    options = reader.options.json
    if "any_order" in members and members["any_order"].flag():
        options = replace(options, property_order="any")
    if "max_whitespace_cnt" in members and members["max_whitespace_cnt"].value is not None:
        options = _with_little_whitespace(members["max_whitespace_cnt"], options)
    style = members["style"].text() if "style" in members else "json"
    if style == "json":
        return read_schema(reader, members["json_schema"], options)
    if style not in ENCODINGS:
        raise members["style"].wrong(f"there is no style {style!r}", f"it is one of json, {', '.join(ENCODINGS)}")
    return _members(members["json_schema"], style, options)


def read_schema(reader: Reader, place: Place, options: JsonSchemaOptions | None = None) -> Expression:
    """The JSON that the schema at a place allows."""
    options = options or reader.options.json
    if not isinstance(place.value, Mapping | bool | str):
        raise place.wrong("a JSON Schema is an object or a boolean")
    schema = place.value if isinstance(place.value, dict | bool | str) else dict(place.value)
    return reader.schema(place, schema, options)


def _with_little_whitespace(place: Place, options: JsonSchemaOptions) -> JsonSchemaOptions:
    if place.number() == 0:
        return replace(options, whitespace="compact")
    reason = "runs of whitespace are bounded here by other means"
    raise place.unsupported(f"max_whitespace_cnt {place.value}", reason, "leave it out, or give 0 for none at all")


def _members(place: Place, style: str, options: JsonSchemaOptions) -> Expression:
    return Ref(Rule(f"{place.owner}, {place.pointer}", members_expression(place, ENCODINGS[style], options)))


def read_qwen_xml_parameter(reader: Reader, place: Place, _around: Surroundings) -> Expression:
    """The older name of `json_schema` in the style qwen_xml."""
    return _members(place.members(("type", "json_schema"))["json_schema"], "qwen_xml", reader.options.json)


def read_grammar(reader: Reader, place: Place, _around: Surroundings) -> Expression:
    source = place.members(("type", "grammar"))["grammar"]
    text = source.text()

    def make() -> Grammar:
        from grammask.frontends.gbnf import gbnf

        return gbnf(text)

    return reader.part(source, make)


def read_regex(reader: Reader, place: Place, _around: Surroundings) -> Expression:
    pattern = place.members(("type", "pattern"))["pattern"]
    text = pattern.text()
    return reader.part(pattern, lambda: regex(text, dialect=reader.options.regex_dialect))


def read_any_text(_: Reader, place: Place, around: Surroundings) -> Expression:
    members = place.members(("type",), ("excludes", "max_tokens", "max_chars"))
    excluded = members["excludes"].texts() if "excludes" in members else []
    if (limit := members.get("max_tokens")) is not None and limit.value is not None and limit.number() == 0:
        return EMPTY
    _no_token_count(members)
    if (limit := members.get("max_chars")) is not None and limit.value is not None:
        return _short_text(limit, excluded, around)
    return FreeText(excluded_stops(excluded, around.ends))


def _no_token_count(members: Mapping[str, Place]) -> None:
    if (limit := members.get("max_tokens")) is not None and limit.value is not None and limit.number() >= 0:
        hint = "use max_chars here, or max_tokens of constraint.matcher for the whole output"
        raise limit.unsupported("max_tokens", "a grammar describes texts, however many tokens spell them", hint)


def _short_text(limit: Place, excluded: Iterable[str], around: Surroundings) -> Expression:
    """Free text of at most so many characters."""
    most = limit.number()
    if most > MAX_COUNT:
        raise LimitError(f"{limit.pointer} ({limit.owner})", most, MAX_COUNT)
    stops = excluded_stops(excluded, around.ends)
    short = Repeat(ANY_CHARACTER, 0, most)
    if not stops:
        return short
    anything = Repeat(ANY_CHARACTER)
    return And((short, Not(Seq((anything, either(*[literal(stop.text) for stop in stops]), anything)))))


# -- formats put together ----------------------------------------------------------------------------------------------


def read_sequence(reader: Reader, place: Place, around: Surroundings) -> Expression:
    return seq(*[read_format(reader, item, around) for item in _elements(place)])


def read_or(reader: Reader, place: Place, around: Surroundings) -> Expression:
    return either(*[read_format(reader, item, around) for item in _elements(place)])


def _elements(place: Place) -> list[Place]:
    elements = place.members(("type", "elements"))["elements"]
    items = elements.items()
    if not items:
        raise elements.wrong("it has no elements")
    return items


def _repeated(minimum: int, maximum: int | None) -> AnyFormat:
    def read(reader: Reader, place: Place, around: Surroundings) -> Expression:
        content = place.members(("type", "content"))["content"]
        return Repeat(read_format(reader, content, around), minimum, maximum)

    return read


read_optional, read_star, read_plus = _repeated(0, 1), _repeated(0, None), _repeated(1, None)


def read_repeat(reader: Reader, place: Place, around: Surroundings) -> Expression:
    members = place.members(("type", "content", "min", "max"))
    minimum = members["min"].number()
    maximum = None if members["max"].number(least=-1) == -1 else members["max"].number()
    if maximum is not None and maximum < minimum:
        raise members["max"].wrong(f"{maximum} is less than min, {minimum}", "-1 is no bound")
    return Repeat(read_format(reader, members["content"], around), minimum, maximum)


# -- tokens ------------------------------------------------------------------------------------------------------------


def read_token(_: Reader, place: Place, _around: Surroundings) -> Expression:
    return Token((place.members(("type", "token"))["token"].token(),))


def read_exclude_token(_: Reader, place: Place, _around: Surroundings) -> Expression:
    place.members(("type",), ("exclude_tokens",))
    raise place.unsupported("exactly one token", "a grammar of texts cannot count the tokens of a text", "any_tokens takes any number of them")


def read_any_tokens(_: Reader, place: Place, around: Surroundings) -> Expression:
    members = place.members(("type",), ("exclude_tokens", "max_tokens"))
    if (limit := members.get("max_tokens")) is not None and limit.value is not None and limit.number() == 0:
        return EMPTY
    _no_token_count(members)
    excluded = members["exclude_tokens"].tokens() if "exclude_tokens" in members else []
    return any_tokens(excluded, around)


def any_tokens(excluded: Iterable[str | int], around: Surroundings, *more: Expression) -> Expression:
    """Any number of tokens: text and special tokens but those excluded and those that end the tag around; and whatever else is given."""
    return Repeat(either(FreeText(excluded_stops(around.ends)), Token((*excluded, *around.end_tokens), but=True), *more))
