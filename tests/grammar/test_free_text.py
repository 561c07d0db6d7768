"""Free text with stops, and markers: against their definition, on strings of bytes and special tokens."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from itertools import pairwise, product, takewhile

import pytest

import grammask
from grammask.errors import LimitError
from grammask.grammar.expression import EMPTY, Expression, Literal
from grammask.grammar.free_text import FreeText, Marked, Stop, marker

ALPHABET = "abé"
SPECIALS = {"ab": 0, "a": 1, "éb": 2}
TOKENS = [b"", b"", b""] + [bytes([byte]) for byte in sorted(set(ALPHABET.encode()))]
VOCABULARY = grammask.Vocabulary([*TOKENS, b""], eos_ids=[len(TOKENS)], specials=SPECIALS)
PIECES: list[str | int] = [*ALPHABET, *ALPHABET, *SPECIALS.values()]
SEEDS = range(40)

Output = Sequence[str | int]


def ids(output: Output) -> list[int]:
    """Token ids of characters and special tokens (by id)."""
    found: list[int] = []
    for piece in output:
        found += [piece] if isinstance(piece, int) else [TOKENS.index(bytes([byte])) for byte in piece.encode()]
    return found


def taken(expression: Expression, outputs: Iterable[Output]) -> list[bool]:
    """For each output, whether the grammar takes it as complete."""
    matcher = grammask.compile(grammask.Grammar(expression), VOCABULARY).matcher()
    verdicts = []
    for output in outputs:
        matcher.reset()
        tokens = ids(output)
        fits = matcher.draft(tokens) == len(tokens)
        for token in tokens if fits else ():
            matcher.advance(token)
        verdicts.append(fits and matcher.is_complete)
    return verdicts


def some_outputs(chance: random.Random) -> list[Output]:
    """Outputs of up to six characters and special tokens: all of up to three, some longer ones."""
    short = [list(pieces) for length in range(4) for pieces in product(dict.fromkeys(PIECES), repeat=length)]
    return [*short, *([chance.choice(PIECES) for _ in range(chance.randint(4, 6))] for _ in range(300))]


def some_texts(chance: random.Random) -> list[str]:
    return ["".join(chance.choice(ALPHABET) for _ in range(chance.randint(1, 4))) for _ in range(chance.randint(1, 3))]


def after_marker(output: Output, text: str) -> list[Output]:
    """What can be left of an output behind a marker, by every way in which special tokens may spell it."""
    if not text:
        return [output]
    if not output:
        return []
    first = output[0]
    if isinstance(first, str):
        return after_marker(output[1:], text[1:]) if text[0] == first else []
    name = next(name for name, token in SPECIALS.items() if token == first)
    return after_marker(output[1:], text[len(name) :]) if text.startswith(name) else []


def is_free(output: Output, binding: list[str]) -> bool:
    plain = all(isinstance(piece, str) for piece in output)
    return plain and not any(text in "".join(map(str, output)) for text in binding)


def in_free_text(output: Output, stops: list[tuple[str, int, bool]]) -> bool:
    """The definition: free text alone, or up to a stop after which nothing comes; of stops that end together the longest counts.

    A special token in the binding part of a stop begins it for good, so no other stop may stand before it.
    """
    binding = [text[:commit] for text, commit, _ in stops]
    if is_free(output, binding):
        return True
    for text, commit, leads in stops:
        for at in range(len(output)):
            if not leads or not is_free(output[:at], binding) or not any(not rest for rest in after_marker(output[at:], text)):
                continue
            spelled = list(takewhile(lambda piece: isinstance(piece, str), output[: at + commit]))
            if len(spelled) < at + commit:
                if is_free(spelled, binding):
                    return True
            elif is_free(spelled[:-1], binding) and not any("".join(map(str, spelled)).endswith(other) and len(other) > commit for other in binding):
                return True
    return False


def some_stops(chance: random.Random) -> list[tuple[str, int, bool]]:
    """Stops of which none forestalls another."""
    while True:
        stops = [(text, chance.randint(1, len(text)), chance.random() < 0.7) for text in some_texts(chance)]
        binding = sorted({text[:commit] for text, commit, _ in stops})
        if not any(longer.startswith(shorter) for shorter, longer in pairwise(binding)):
            return stops


@pytest.mark.parametrize("seed", SEEDS)
def test_free_text_is_what_its_definition_says(seed: int) -> None:
    """Any output is taken exactly if it is free text, or free text up to a first stop and that stop whole."""
    chance = random.Random(seed)
    stops, outputs = some_stops(chance), some_outputs(chance)
    made = [Stop(text.encode(), len(text[:commit].encode()), EMPTY if leads else None) for text, commit, leads in stops]
    wanted = [in_free_text(output, stops) for output in outputs]
    wrong = [output for output, got, want in zip(outputs, taken(FreeText(made), outputs), wanted, strict=True) if got != want]
    assert not wrong, (stops, wrong)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_marker_is_spelled_by_text_and_special_tokens(seed: int) -> None:
    """One of the texts, in any mixture of bytes and special tokens, then its own rest."""
    chance = random.Random(seed)
    cases, outputs = [(text, chance.choice("ab")) for text in some_texts(chance)], some_outputs(chance)
    wanted = [any(rest == [then] for text, then in cases for rest in after_marker(output, text)) for output in outputs]
    made = Marked([(text.encode(), Literal(then.encode())) for text, then in cases])
    assert taken(made, outputs) == wanted


def test_free_text_goes_on_after_a_stop_that_says_so() -> None:
    """`again` leads back into free text, as often as the stop occurs."""
    loop = FreeText([Stop("é".encode(), 2, Literal(b"a"), again=True)])
    assert taken(loop, ["", "bbébéabéabb", "bbéabéabb", "bébb"]) == [True, False, True, False]


def test_end_tokens_are_no_spelling_of_a_marker() -> None:
    """An end token ends the output wherever that is complete, so a marker of its name is text."""
    vocabulary = grammask.Vocabulary([b"<", b"e", b">", b""], eos_ids=[3], specials={"<e>": 3})
    matcher = grammask.compile(grammask.Grammar(marker("<e>")), vocabulary).matcher()
    assert matcher.allowed_tokens().tolist() == [0]


def test_a_stop_that_another_forestalls_is_refused() -> None:
    """A stop whose binding part begins with another's could never be reached."""
    with pytest.raises(ValueError, match="never be reached"):
        FreeText([Stop(b"<", 1), Stop(b"<tool", 2)])
    with pytest.raises(ValueError, match="at least one byte"):
        FreeText([Stop(b"<", 0)])


def test_equal_nodes_are_one_object() -> None:
    """Free texts and markers are hash-consed like all other nodes."""
    assert FreeText([Stop(b"<", 1)]) is FreeText([Stop(b"<", 1)])
    assert FreeText([Stop(b"<", 1)]) is not FreeText([Stop(b"<", 1, None)])
    assert marker("a") is marker(b"a")
    assert marker("") is EMPTY


def test_a_stop_is_as_long_as_its_limit_at_most() -> None:
    """One of any length would take time and memory that grow with its square."""
    assert FreeText([Stop(b"a" * 4_096, 4_096)]).stops
    assert FreeText([Stop(b"a" * 9_000, 5)]).stops
    with pytest.raises(LimitError, match="4097, over the limit of 4096"):
        FreeText([Stop(b"a" * 4_097, 4_097)])
