"""Parts for composing grammars besides those in `grammar.grammar`: tokens, free text, lists with separators.

Rule: a part is a `Grammar` like any other, so it can stand in any other, be repeated and be captured.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grammask.errors import GrammarError
from grammask.grammar.expression import Expression, Seq, Token, either
from grammask.grammar.free_text import FreeText, Stop
from grammask.grammar.grammar import Grammar, optional, seq

__all__ = ["free_text", "join", "token"]


def token(name: str | int) -> Grammar:
    """One token, by the name of a special token of the vocabulary (`Vocabulary.specials`) or by its id.

    Whether there is such a token turns out when a vocabulary is at hand, in `grammask.compile`. A token that has a text stands for its text.
    Raises GrammarError for what is neither a name nor an id.
    """
    is_id = isinstance(name, int) and not isinstance(name, bool)
    if not (isinstance(name, str) and name) and not (is_id and int(name) >= 0):
        raise GrammarError(f"token({name!r}): give the name of a special token, or an id from 0 up")
    return Grammar(Token((name,)), "token", name)


def free_text(until: str | Grammar | Iterable[str | Grammar] = (), *, without: str | Iterable[str] = ()) -> Grammar:
    """Any text, or any text up to the first stop, with that stop.

    until: a stop, or several of them: texts, and tokens made by `grammask.token`. The text before the stop holds none of them. Where the
        vocabulary has a special token of a stop's name, the token may stand for the text: "</think>" is both.
        Without a stop, the text is any text, and what follows it in a larger grammar may come at any place.
    without: texts that do not occur, the stop included.
    The texts are any characters in UTF-8 and no special tokens. Masks cost next to nothing, whatever the number of stops.
    Raises GrammarError for stops that are neither, that are empty, or that hold what must not occur.

    >>> free_text(until="</think>").kind
    'free_text'
    """
    stops = _listed(until, "until")
    texts = [stop for stop in stops if isinstance(stop, str)]
    tokens = [stop.expression for stop in stops if isinstance(stop, Grammar)]
    barred = [_checked(text, "without") for text in _iterable(without)]
    for text in texts:
        if any(word in text for word in barred):
            raise GrammarError(f"the stop {text!r} holds a text that must not occur; take one of the two out")
    source = {"until": [stop if isinstance(stop, str) else stop.source for stop in stops], "without": barred}
    return Grammar(_expression(texts, tokens, barred), "free_text", source)


def join(separator: Grammar | str, parts: Iterable[Grammar | str]) -> Grammar:
    """The parts one after the other with the separator between neighbours, as `str.join` has it. For repetitions of one part: `Grammar.repeat`.

    Raises GrammarError for a part that is neither a grammar nor a text.
    """
    if isinstance(parts, str) or not isinstance(parts, Iterable):
        raise GrammarError(f"join(separator, parts): parts is a list of grammars and texts, got {type(parts).__name__}")
    optional(separator)  # what is no grammar is refused also where it would stand nowhere
    joined: list[Grammar | str] = []
    for part in parts:
        joined += [separator, part] if joined else [part]
    return seq(*joined)


def _iterable(without: object) -> Iterable[object]:
    if isinstance(without, str):
        return [without]
    if not isinstance(without, Iterable):
        raise GrammarError(f"free_text(without=...): give texts, not {without!r:.60}")
    return without


def _listed(until: object, name: str) -> list[str | Grammar]:
    stops = [until] if isinstance(until, str | Grammar) else list(until) if isinstance(until, Iterable) else [until]
    listed: list[str | Grammar] = []
    for stop in stops:
        if isinstance(stop, Grammar) and stop.kind in ("token", "text"):
            listed.append(stop if stop.kind == "token" else _checked(stop.source, name))
        else:
            listed.append(_checked(stop, name))
    return list(dict.fromkeys(listed))


def _checked(text: object, name: str) -> str:
    if not isinstance(text, str) or not text:
        shown = f"a grammar of kind {text.kind!r}" if isinstance(text, Grammar) else repr(text)
        raise GrammarError(f"free_text({name}=...): give texts that are not empty, or grammask.token(...) for a stop, not {shown}")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise GrammarError(f"{text!r} holds a lone surrogate, which UTF-8 cannot spell; take it out") from None
    return text


def _expression(texts: Sequence[str], tokens: Sequence[Expression], barred: Sequence[str]) -> Expression:
    """The text, and what it ends with."""
    stops = _first_of(texts)
    barring = [Stop(word.encode(), len(word.encode()), None) for word in _first_of(barred) if not any(stop in word[:-1] for stop in stops)]
    ending = [Stop(stop.encode(), len(stop.encode())) for stop in stops]
    endings: list[Expression] = [FreeText([*ending, *barring], ends_anywhere=False)] if ending else []
    if tokens:
        before = FreeText([*[stop._replace(then=None) for stop in ending], *barring])
        endings.append(Seq((before, either(*tokens))))
    return either(*endings) if endings else FreeText(barring)


def _first_of(words: Sequence[str]) -> list[str]:
    """The words that hold no other one: a word that does is never the first to be complete, or not the only one."""
    return [word for word in words if not any(other in word and other != word for other in words)]
