"""Random grammars, vocabularies and ways of driving a matcher, all at once; hypothesis shrinks what breaks.

The twin judges masks, and the certificate of cost the number of configurations. GRAMMASK_FUZZ says how many examples each test takes
(25; GRAMMASK_THOROUGH=1: 1,000), so that `GRAMMASK_FUZZ=20000 make test-checked ARGS="-k fuzz"` looks for faults of memory for as long as one likes.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from grammask.decoding.cost import cost_of
from grammask.errors import LimitError, UnspellableError
from grammask.kernel.tables import CALL, LITERAL, RuleTable, TextTable

from . import random_grammars
from .kernels import Kernel
from .laws import mask_of
from .random_grammars import Case
from .scale import THOROUGH
from .text_tables import text_of

EXAMPLES = int(os.environ.get("GRAMMASK_FUZZ", "1000" if THOROUGH else "25"))
ENDLESS = "GRAMMASK_FUZZ" in os.environ  # then each run draws others

CHARACTERS = [
    "a",
    "b",
    "0",
    '"',
    "\\",
    "/",
    "\n",
    "\x00",
    "\x1f",
    "\x7f",
    "é",
    "\u07ff",
    "\u0800",
    "€",
    "\ud7ff",
    "\ue000",
    "\uffff",
    "\U00010000",
    "😀",
    "\U0010ffff",
]
RANGES = [
    (0x61, 0x7A),
    (0x00, 0x1F),
    (0x20, 0x7E),
    (0x22, 0x5C),
    (0x80, 0x7FF),
    (0x7FF, 0x800),
    (0x800, 0xD7FF),
    (0xE000, 0xFFFF),
    (0xFFFF, 0x10000),
    (0x10000, 0x10FFFF),
]
PIECES = [
    b'"', b"\\", b"\\u", b"\\u00", b"\\ud83d", b"\\ud83d\\ude00", b"\\uD8", b"d\\udc", b"\\n", b'\\"', b"\\\\", b"u0061", b"006", b'""', b'"b', b'a"', b'\\""',
    b"\xf0\x9f", b"\x98\x80", b"\xe2\x82", b"\xac", b"\xc3", b"\xa9a", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90", b"\xff", b"\x00", b"\n",
    b"aa", b"aaa", b"ab", b"a" * 12, b"b" * 30,
]  # fmt: skip

setting = settings(max_examples=EXAMPLES, deadline=None, derandomize=not ENDLESS, database=None, suppress_health_check=list(HealthCheck))


# --- what is drawn ------------------------------------------------------------------------------------------------


@st.composite
def texts(draw: st.DrawFn) -> TextTable:
    """A text with a string in it: any automaton of few nodes, odd lengths, excluded strings with all kinds of characters."""
    n_nodes = draw(st.integers(0, 4))
    edges: list[tuple[int, int, int, int]] = []
    for node in range(n_nodes):
        # A chain with loops and jumps, so that every node is reached and the last leads to the end, which is itself.
        low, high = draw(st.sampled_from(RANGES) | st.sampled_from(CHARACTERS).map(lambda c: (ord(c), ord(c))))
        edges.append((node, min(node + 1, n_nodes - 1), low, high))
        if draw(st.booleans()):
            low, high = draw(st.sampled_from(RANGES))
            edges.append((node, draw(st.integers(0, n_nodes - 1)), low, high))
    ends = frozenset([n_nodes - 1, *draw(st.sets(st.integers(0, n_nodes - 1)))]) if n_nodes else frozenset()
    minimum = draw(st.sampled_from([0, 0, 1, 2, 3, 7, 31, 40]))
    maximum = draw(st.sampled_from([None, None, 0, 1, 2, 5, 40, 1_000]).map(lambda more: None if more is None else minimum + more))
    excluded = draw(st.frozensets(st.lists(st.sampled_from(CHARACTERS), max_size=4).map("".join), max_size=4))
    starts = (0,) if n_nodes else ()
    table = text_of("text", b"", n_nodes, sorted(set(edges)), starts, ends, minimum, maximum, excluded)
    # With excluded strings, one can be shut up in few lengths; a loop at the end always leaves a way out if there is no maximum.
    if maximum is not None and (n_nodes or maximum == 0):
        table.excluded = frozenset()
        table.maximum = max(maximum, n_nodes + minimum)
    return random_grammars._keyed(table)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """One or two texts, behind or beside each other, over every byte and pieces of JSON strings; ids that spell nothing at the end."""
    first, second = draw(texts()), draw(texts())
    shape = draw(st.sampled_from(["one", "two", "either", "nested"]))
    rules: dict[str, list[Any]] = {
        "one": [("seq", b'"', ("text", first), b"}")],
        "two": [("seq", b'"', ("text", first), b':"', ("text", second))],
        "either": [("alt", ("seq", b'"', ("text", first), b"a"), ("seq", b'"', ("text", second), b"b"), ("special", 0))],
        "nested": [("alt", ("seq", b'{"', ("text", first), b":", ("rule", 0), b"}"), ("seq", b'"', ("text", second)), ("seq", ("special", 1), ("rule", 0)))],
    }
    longer = draw(st.lists(st.sampled_from(PIECES) | st.binary(min_size=1, max_size=6), min_size=2, max_size=24))
    spelled = sorted({bytes([byte]) for byte in range(256)} | set(longer))
    return Case("text", "bytes", random_grammars.network(rules[shape], specials=len(spelled)), [*spelled, *[b""] * (random_grammars.N_SPECIALS + 2)])


def any_case() -> st.SearchStrategy[Case]:
    return cases() | random_grammars.strategy(tuple(random_grammars.FAMILIES), ("bytes",))


def certified(bound: Any) -> float:
    """The most configurations that the certificate allows; no bound is infinite."""
    from grammask.kernel.local_states import LocalStates

    most = cost_of(LocalStates(bound), nests=True, effort=30_000).configurations
    return float("inf") if most is None else most


def bound_of(kernel: Kernel, case: Case, store: Any = None) -> Any:
    return kernel.bind(case.root, case.tokens, case.eos_ids, store=store)


# --- what must hold -----------------------------------------------------------------------------------------------


class Driven:
    """A matcher of each kernel, driven alike; after each step masks and flags must agree."""

    def __init__(self, reference: Kernel, compiled: Kernel, case: Case) -> None:
        self.case = case
        bound = bound_of(compiled, case)
        self.pairs = [(reference.module.Matcher(bound_of(reference, case)), compiled.module.Matcher(bound))]
        self.most_configurations = certified(bound)
        self.log: list[str] = []

    def step(self, rng: Random) -> None:
        """One random thing done to one random pair."""
        at = rng.randrange(len(self.pairs))
        twin, matcher = self.pairs[at]
        what = rng.choice(["advance"] * 6 + ["byte", "rollback", "copy", "draft", "drop", "reset"])
        self.log.append(f"{what} {at}")
        if what == "advance" and (allowed := [i for i in twin.allowed_tokens().tolist() if i not in self.case.eos_ids] or twin.allowed_tokens().tolist()):
            self.take(twin, matcher, rng.choice(allowed))
        elif what == "byte":
            token_id = rng.randrange(len(self.case.tokens))
            assert twin.accepts(token_id) == matcher.accepts(token_id), (self.log, self.case.tokens[token_id])
            if twin.accepts(token_id):
                self.take(twin, matcher, token_id)
        elif what == "rollback":
            n_tokens = rng.randint(0, twin.position)
            twin.rollback(n_tokens)
            matcher.rollback(n_tokens)
        elif what == "copy" and len(self.pairs) < 4:
            self.pairs.append((twin.copy(), matcher.copy()))
        elif what == "draft":
            token_ids = [rng.randrange(len(self.case.tokens)) for _ in range(3)]
            assert twin.draft(token_ids) == matcher.draft(token_ids), self.log
        elif what == "drop" and len(self.pairs) > 1:
            del self.pairs[at]
        elif what == "reset" and rng.random() < 0.2:
            twin.reset()
            matcher.reset()
        self.compare()

    def take(self, twin: Any, matcher: Any, token_id: int) -> None:
        self.log.append(repr(self.case.tokens[token_id] or token_id))
        twin.advance(token_id)
        matcher.advance(token_id)

    def compare(self) -> None:
        for twin, matcher in self.pairs:
            different = set(twin.allowed_tokens().tolist()) ^ set(matcher.allowed_tokens().tolist())
            assert not different, ([self.case.tokens[i] or i for i in different], self.log)
            assert mask_of(matcher).tobytes() == mask_of(twin).tobytes(), self.log
            assert (matcher.is_complete, matcher.is_finished, matcher.is_stuck, matcher.position) == (
                twin.is_complete, twin.is_finished, twin.is_stuck, twin.position,
            ), self.log  # fmt: skip
            assert matcher.forced_bytes() == twin.forced_bytes(), self.log
            assert matcher._configurations() <= self.most_configurations, self.log


def test_two_kernels_driven_alike_answer_alike(reference: Kernel, compiled: Kernel) -> None:
    """Tokens, refusals, rollbacks, copies, drafts and resets in any order: the same masks and answers at every step."""

    @setting
    @given(any_case(), st.integers(0, 1 << 30))
    def holds(case: Case, seed: int) -> None:
        note(repr(case))
        try:
            driven = Driven(reference, compiled, case)
        except (LimitError, UnspellableError):
            return
        rng = Random(seed)
        for _ in range(12):
            driven.step(rng)

    holds()


def trace(kernel: Kernel, bound: Any, case: Case, seed: int) -> list[bytes]:
    """Masks along a random walk and its rollbacks, with the shortest completion's length at each place."""
    rng, seen = Random(seed), list[bytes]()
    matcher = kernel.module.Matcher(bound)
    for _ in range(10):
        seen.append(mask_of(matcher).tobytes())
        seen.append(matcher.shortest_bytes() or b"")
        allowed = [token_id for token_id in matcher.allowed_tokens().tolist() if token_id not in case.eos_ids]
        if not allowed or rng.random() < 0.1:
            matcher.rollback(rng.randint(0, matcher.position))
        else:
            matcher.advance(rng.choice(allowed))
    return seen


def test_four_threads_see_what_one_sees(compiled: Kernel) -> None:
    """Cold and warm: walks of four threads over one store at once are those of a thread alone with a store of its own."""

    @setting
    @given(any_case(), st.integers(0, 1 << 30))
    def holds(case: Case, seed: int) -> None:
        note(repr(case))
        seeds = [seed, seed, seed + 1, seed + 2]
        alone = [trace(compiled, bound_of(compiled, case), case, one) for one in seeds]
        prepared = compiled.prepared(case.root, case.tokens, case.eos_ids)
        store = compiled.module.Store(case.tokens, case.eos_ids)
        with ThreadPoolExecutor(4) as threads:
            for _ in ("cold", "warm"):
                together = threads.map(lambda one: trace(compiled, compiled.module.Bound(store, prepared), case, one), seeds)
                assert list(together) == alone

    holds()


def test_completions_of_texts_close_them(compiled: Kernel) -> None:
    """From wherever random tokens lead, the shortest completion is accepted byte by byte and completes."""

    @setting
    @given(texts(), st.integers(0, 1 << 30))
    def holds(text: TextTable, seed: int) -> None:
        tokens = [*(bytes([byte]) for byte in range(256)), *PIECES, b""]
        root = RuleTable("root", 4, [(LITERAL, 0, 2, b'"'), (CALL, 2, 3, text), (LITERAL, 3, 1, b"}")])
        matcher, rng = compiled.matcher(root, tokens, [len(tokens) - 1]), Random(seed)
        note(repr(Case("text", "bytes", root, [])))
        for _ in range(8):
            end = matcher.copy()
            for byte in matcher.shortest_bytes():
                assert end.accepts(byte), (end.position, matcher.position)
                end.advance(byte)
            assert end.is_complete
            allowed = matcher.allowed_tokens().tolist()
            if allowed == [len(tokens) - 1]:
                break
            matcher.advance(rng.choice([token_id for token_id in allowed if tokens[token_id]]))

    holds()


def test_no_byte_leads_to_more_configurations_than_certified(compiled: Kernel) -> None:
    """Byte by byte along random texts: the certificate's bound holds after each, and many grammars have one."""
    bounds: list[float] = []

    @setting
    @given(any_case(), st.integers(0, 1 << 30))
    def holds(case: Case, seed: int) -> None:
        note(repr(case))
        try:
            bound = bound_of(compiled, case)
        except (LimitError, UnspellableError):
            return
        bounds.append(certified(bound))
        matcher, rng = compiled.module.Matcher(bound), Random(seed)
        single = {token[0]: token_id for token_id, token in enumerate(case.tokens) if len(token) == 1}
        for _ in range(30):
            allowed = [token_id for token_id in matcher.allowed_tokens().tolist() if token_id not in case.eos_ids]
            if not allowed:
                matcher.reset()
                continue
            token_id = rng.choice(allowed)
            for byte in case.tokens[token_id] or [token_id]:
                matcher.advance(single[byte] if case.tokens[token_id] else byte)
                assert matcher._configurations() <= bounds[-1]

    holds()
    assert sum(most < 1 << 30 for most in bounds) > len(bounds) // 3
