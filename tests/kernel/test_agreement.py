"""The compiled kernel against its twin: the same masks, bit for bit, on random grammars of every family."""

from __future__ import annotations

from random import Random

import pytest

from grammask.errors import LimitError, UnspellableError

from . import random_grammars
from .kernels import Kernel
from .laws import mask_of
from .random_grammars import FAMILIES, VOCABULARIES, Case
from .scale import n_cases

CASES_A_FAMILY = n_cases(300, 2_000) // len(FAMILIES) + 1


def same_walks(case: Case, reference: Kernel, compiled: Kernel, rng: Random, walks: int, steps: int) -> None:
    """Two matchers led over the same tokens: equal masks and equal answers to every question, wherever they come."""
    try:
        bound = reference.bind(case.root, case.tokens, case.eos_ids)
    except UnspellableError:
        with pytest.raises(UnspellableError):
            compiled.bind(case.root, case.tokens, case.eos_ids)
        return
    try:
        other = compiled.bind(case.root, case.tokens, case.eos_ids)
    except (LimitError, UnspellableError) as refusal:
        # What tokens with gaps can spell may be too much to work out; a plain "no tokens spell it" would be wrong here.
        assert not case.spells_all, case
        if isinstance(refusal, LimitError) or "more than" in str(refusal):
            return
        raise
    for _ in range(walks):
        twin, matcher, taken = reference.module.Matcher(bound), compiled.module.Matcher(other), list[int]()
        for _ in range(steps):
            where = f"after {[case.tokens[token_id] for token_id in taken]}\n{case}"
            different = [case.tokens[i] or i for i in set(twin.allowed_tokens().tolist()) ^ set(matcher.allowed_tokens().tolist())]
            assert mask_of(matcher).tobytes() == mask_of(twin).tobytes(), f"{different} {where}"
            assert (matcher.is_complete, matcher.is_stuck) == (twin.is_complete, twin.is_stuck), where
            if case.spells_all:
                assert matcher.forced_bytes() == twin.forced_bytes(), where
                assert is_as_short(matcher.shortest_bytes(), twin.shortest_bytes(), case), f"{matcher.shortest_bytes()} {twin.shortest_bytes()} {where}"
            onward = [token_id for token_id in twin.allowed_tokens().tolist() if token_id not in case.eos_ids]
            if not onward:
                break
            taken.append(rng.choice(onward))
            twin.advance(taken[-1])
            matcher.advance(taken[-1])


def is_as_short(string: bytes | None, shortest: bytes | None, case: Case) -> bool:
    """Whether a completion is a shortest one. In texts the compiled kernel counts characters, so there it may be longer."""
    if string is None or shortest is None:
        return string is shortest
    return len(string) == len(shortest) or ("text" in case.family and len(string) > len(shortest))


@pytest.mark.parametrize("family", FAMILIES)
def test_masks_equal_those_of_the_twin(reference: Kernel, compiled: Kernel, family: str) -> None:
    """Random (grammar, vocabulary, walk) triples of a family: every mask on the way is the twin's."""
    for number, case in enumerate(random_grammars.cases(CASES_A_FAMILY, seed=101, families=(family,))):
        same_walks(case, reference, compiled, Random(number), walks=2, steps=5)


@pytest.mark.parametrize("kind", VOCABULARIES[1:])
def test_masks_equal_those_of_the_twin_where_tokens_have_gaps(reference: Kernel, compiled: Kernel, kind: str) -> None:
    """The same over vocabularies that do not spell everything: gaps in the bytes, or whole words only."""
    for number, case in enumerate(random_grammars.cases(n_cases(24, 1_000), seed=103, kinds=(kind,))):
        same_walks(case, reference, compiled, Random(number), walks=2, steps=5)


def test_masks_do_not_depend_on_what_was_asked_before(compiled: Kernel) -> None:
    """Cold, warm and in another order, with one store for all grammars or one for each: equal masks."""
    cases = [case for case in random_grammars.cases(n_cases(36, 600), seed=107, kinds=("bytes",)) if case.family != "special"]
    tokens = sorted({token for case in cases for token in case.tokens if token})
    tokens += [b""] * 2
    end = [len(tokens) - 1]
    store = compiled.module.Store(tokens, end)

    def masks(case: Case, matcher: object) -> list[bytes]:
        rng, seen = Random(0), []
        for _ in range(5):
            seen.append(mask_of(matcher).tobytes())
            onward = [token_id for token_id in matcher.allowed_tokens().tolist() if token_id not in end]  # type: ignore[attr-defined]
            if not onward:
                break
            matcher.advance(rng.choice(onward))  # type: ignore[attr-defined]
        return seen

    cold = [masks(case, compiled.matcher(case.root, tokens, end)) for case in cases]
    bounds = [compiled.bind(case.root, tokens, end, store=store) for case in cases]
    for order in (range(len(cases)), reversed(range(len(cases))), range(len(cases))):
        for number in order:
            assert masks(cases[number], compiled.module.Matcher(bounds[number])) == cold[number], cases[number]
