"""Every law of `laws` on every kernel, at random positions of random grammars of all families."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest
from hypothesis import HealthCheck, given, note, settings

from grammask.errors import LimitError, UnspellableError

from . import laws, random_grammars
from .kernels import Kernel
from .laws import LAWS, Position
from .random_grammars import VOCABULARIES, Case
from .scale import n_cases


def law_name(law: Callable[[Position, Random], None]) -> str:
    return law.__name__


def positions_of(kernel: Kernel, case: Case, rng: Random, steps: int) -> Iterator[Position]:
    """Positions of a walk over a case; none if its vocabulary spells no string of its language, or if that is too much to work out."""
    try:
        bound = kernel.bind(case.root, case.tokens, case.eos_ids)
    except (LimitError, UnspellableError):
        assert not case.spells_all
        return
    yield from laws.positions(kernel.module.Matcher(bound), lambda: kernel.module.Matcher(bound), case.tokens, case.eos_ids, rng, steps)


@pytest.mark.parametrize("law", LAWS, ids=law_name)
def test_law_holds_on_random_grammars(kernel: Kernel, law: Callable[[Position, Random], None]) -> None:
    """The law holds at the first positions of random walks over grammars of every family and vocabularies of every kind."""
    for number, case in enumerate(random_grammars.cases(n_cases(24, 600), seed=31)):
        rng = Random(number)
        for position in positions_of(kernel, case, rng, steps=3):
            before = laws.snapshot(position.matcher)
            try:
                law(position, rng)
            except AssertionError as broken:
                raise AssertionError(f"{law.__name__} after {position.taken}: {broken}\n{case}") from broken
            assert laws.snapshot(position.matcher) == before


@pytest.mark.parametrize("name", random_grammars.FAMILIES)
def test_laws_hold_on_shrinking_grammars(kernel: Kernel, name: str) -> None:
    """All laws hold on cases that hypothesis draws; it shrinks one on which a law is broken."""

    @settings(max_examples=n_cases(3, 200), deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(random_grammars.strategy((name,), ("bytes", "gaps") if name == "wide text" else VOCABULARIES))
    def holds(case: Case) -> None:
        note(repr(case))
        rng = Random(0)
        for position in positions_of(kernel, case, rng, steps=2):
            for law in LAWS:
                note(f"{law.__name__} after {position.taken}")
                law(position, rng)

    holds()
