"""Hostile sizes and misuse of the compiled kernel: an answer or a typed error, never a crash, and memory that stays flat."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from grammask.errors import DecodingError, LimitError, MaskShapeError, TokenOutOfRange
from grammask.kernel.tables import CALL, EPSILON, LITERAL, LITERALS, RANGE, RuleTable, TextTable

from .kernels import Kernel
from .laws import mask_of
from .random_grammars import network
from .scale import n_cases
from .text_tables import text_of

BYTES = [bytes([byte]) for byte in range(256)]
TOKENS = [*BYTES, b""]
END = [256]
NESTED = [("alt", ("seq", b"[", ("rule", 0), b"]"), b"0")]
PALINDROMES = [("alt", ("seq", b"a", ("rule", 0), b"a"), ("seq", b"b", ("rule", 0), b"b"), b"c")]


def string(text: TextTable) -> RuleTable:
    return RuleTable("root", 3, [(LITERAL, 0, 2, b'"'), (CALL, 2, 1, text)])


def feed(matcher: Any, text: bytes) -> None:
    for byte in text:
        matcher.advance(byte)


def in_a_small_thread(work: Callable[[], None], stack: int = 1 << 20) -> None:
    """Run in a thread whose stack is no larger than the smallest that platforms give to Python's threads."""
    before = threading.stack_size(stack)
    try:
        with ThreadPoolExecutor(1) as threads:
            work_done = threads.submit(work)
    finally:
        threading.stack_size(before)
    work_done.result()


def test_brackets_nest_without_end(compiled: Kernel) -> None:
    """100,000 open brackets of a recursive rule, their shortest completion, and back to the start."""

    def work() -> None:
        matcher = compiled.matcher(network(NESTED), TOKENS, END)
        feed(matcher, b"[" * 100_000)
        assert matcher.shortest_bytes() == b"0" + b"]" * 100_000
        feed(matcher, b"0" + b"]" * 10)
        assert matcher.allowed_tokens().tolist() == [ord("]")]
        matcher.rollback(100_011)
        assert matcher.position == 0

    in_a_small_thread(work)


def test_a_token_may_nest_4096_deep(compiled: Kernel) -> None:
    """The longest token there may be, all of it open brackets: one bit of a mask, whatever the thread's stack."""
    tokens = [*BYTES, b"[" * 4_096, b"[" * 4_095 + b"0", b"[" * 3 + b"]", b""]

    def work() -> None:
        matcher = compiled.matcher(network(NESTED), tokens, [259])
        assert matcher.allowed_tokens().tolist() == [ord("0"), ord("["), 256, 257]
        matcher.advance(256)
        matcher.advance(257)
        assert matcher.allowed_tokens().tolist() == [ord("]")]

    in_a_small_thread(work, 8 << 20)


def test_a_long_palindrome_is_read(compiled: Kernel) -> None:
    """2,000 letters, their middle, and the same backwards."""
    rng = Random(0)
    half = bytes(rng.choice(b"ab") for _ in range(1_000))
    matcher = compiled.matcher(network(PALINDROMES), TOKENS, END)
    feed(matcher, half + b"c" + half[:0:-1])
    assert matcher.shortest_bytes() == half[:1]
    assert matcher.allowed_tokens().tolist() == [half[0]]
    matcher.advance(half[0])
    assert matcher.is_complete


def test_many_words_are_one_set(compiled: Kernel) -> None:
    """10,000 words of a LITERALS edge."""
    words = tuple(f"w{number:05d}".encode() for number in range(0, 20_000, 2))
    matcher = compiled.matcher(RuleTable("root", 2, [(LITERALS, 0, 1, words)]), TOKENS, END)
    feed(matcher, b"w1357")
    assert bytes(matcher.allowed_tokens().tolist()) == b"02468"


def test_rules_may_begin_with_one_another_a_thousand_deep(compiled: Kernel) -> None:
    """A chain of 1,000 rules, each of which only begins with the next."""
    root = RuleTable("rule 0", 2, [(LITERAL, 0, 1, b"ab")], prepared=True)
    for rank in range(1, 1_000):
        root = RuleTable(f"rule {rank}", 3, [(CALL, 0, 2, root), (LITERAL, 2, 1, b"x")], rank=rank, prepared=True)

    def work() -> None:
        store = compiled.module.Store([*BYTES, b"abxxx", b"bx", b""], [258])
        matcher = compiled.module.Matcher(compiled.module.Bound(store, root))
        assert matcher.allowed_tokens().tolist() == [ord("a"), 256]
        matcher.advance(256)
        feed(matcher, b"x" * 996)
        assert matcher.is_complete

    in_a_small_thread(work)


def test_a_longest_text_of_100_000_characters_ends_there(compiled: Kernel) -> None:
    """maxLength 100,000 is counted, not unrolled: the last character, then only the quote."""
    matcher = compiled.matcher(string(TextTable("text", b"long", maximum=100_000)), [*BYTES, b"a" * 1_000, b""], [257])
    matcher.advance(ord('"'))
    for _ in range(99):
        matcher.advance(256)
    assert matcher.accepts(256)
    feed(matcher, b"b" * 999)
    assert not matcher.accepts(256)
    feed(matcher, b"c")
    assert matcher.allowed_tokens().tolist() == [ord('"')]


def word_text(excluded: frozenset[str], maximum: int | None = None) -> TextTable:
    """a* less some strings."""
    key = repr((len(excluded), max(map(len, excluded)), maximum)).encode()
    return text_of("text", key, 1, [(0, 0, ord("a"), ord("a"))], (0,), frozenset([0]), 0, maximum, excluded)


@pytest.mark.parametrize("maximum", [None, 10_000, 10_001])
def test_an_excluded_string_may_be_long(compiled: Kernel, maximum: int | None) -> None:
    """One excluded string of 10,000 characters under a pattern, on a small stack: only its own end is missing."""

    def work() -> None:
        matcher = compiled.matcher(string(word_text(frozenset(["a" * 10_000]), maximum)), [*BYTES, b"a" * 100, b""], [257])
        matcher.advance(ord('"'))
        for _ in range(99):
            matcher.advance(256)
        assert matcher.accepts(ord('"'))
        feed(matcher, b"a" * 99)
        assert matcher.accepts(ord("a")) == (maximum != 10_000)
        if maximum != 10_000:
            matcher.advance(ord("a"))
            assert not matcher.accepts(ord('"'))
            matcher.advance(ord("a"))
            assert matcher.accepts(ord('"'))

    in_a_small_thread(work)


def test_what_excluded_strings_use_up_is_dead(compiled: Kernel) -> None:
    """a* of at most 3,500 letters without those of 50 to 3,500: the 50th letter is refused, far as the bound is."""
    excluded = frozenset("a" * size for size in range(50, 3_501))
    matcher = compiled.matcher(string(word_text(excluded, 3_500)), TOKENS, END)
    feed(matcher, b'"' + b"a" * 49)
    assert matcher.allowed_tokens().tolist() == [ord('"')]


def test_tokens_that_are_too_long_are_refused(compiled: Kernel) -> None:
    """4,097 bytes are more than a token may have; the error says so."""
    with pytest.raises(LimitError):
        compiled.module.Store([b"a" * 4_097, b""], [1])


# --- broken tables and misuse --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "table",
    [
        RuleTable("root", 2, [(RANGE, 0, 5, 1, 2)]),
        RuleTable("root", 2, [(EPSILON, 7, 1)]),
        RuleTable("root", 2, [(LITERAL, 0, 1, b"")]),
        RuleTable("root", 2, [(LITERALS, 0, 1, (b"a", b""))]),
        string(text_of("text", b"1", 1, [(0, 3, 97, 97)], (0,), frozenset([0]))),
        string(text_of("text", b"2", 1, [(0, 0, 97, 97)], (4,), frozenset([0]))),
        string(text_of("text", b"3", 1, [(0, 0, 97, 97)], (0,), frozenset([9]))),
        string(text_of("text", b"4", 1, [(0, 0, 0, 0x10FFFF)], (0,), frozenset([0]))),
        string(text_of("text", b"5", 1, [(0, 0, 97, 0x110000)], (0,), frozenset([0]))),
        string(TextTable("text", b"6", 1, [(0, 0, 1)], (((97, 97),),), (0,), frozenset([0]))),
        string(TextTable("text", b"7", 1, [(0, 0, -1)], (((97, 97),),), (0,), frozenset([0]))),
    ],
)
def test_broken_tables_are_refused(compiled: Kernel, table: RuleTable) -> None:
    """Nodes that do not exist, literals of nothing and code points that are none are errors, and the store stays good."""
    store = compiled.module.Store(TOKENS, END)
    for _ in range(3):
        with pytest.raises(ValueError, match=r"edge|node|bytes|range"):
            compiled.module.Bound(store, table)
    good = compiled.module.Bound(store, RuleTable("root", 2, [(LITERAL, 0, 1, b"a")]))
    assert compiled.module.Matcher(good).allowed_tokens().tolist() == [ord("a")]


def test_kernel_objects_that_were_never_made_are_harmless(compiled: Kernel) -> None:
    """`__new__` alone, and `__init__` twice: errors or empty answers."""
    store, bound, matcher = (kind.__new__(kind) for kind in (compiled.module.Store, compiled.module.Bound, compiled.module.Matcher))
    assert store.statistics()["states"] == 0
    assert bound.statistics()["rules"] == 0
    for make in (lambda: compiled.module.Bound(store, RuleTable("root")), lambda: compiled.module.Matcher(bound), matcher.reset):
        with pytest.raises(TypeError):
            make()
    assert (matcher.is_finished, matcher.position, matcher.copy().is_finished) == (True, 0, True)
    assert matcher.forced_bytes() == matcher.shortest_bytes() == b""
    assert matcher.count() == 0
    matcher.state_key()
    for call in (matcher.advance, matcher.accepts):
        with pytest.raises(TokenOutOfRange):
            call(0)
    made = compiled.matcher(RuleTable("root", 2, [(LITERAL, 0, 1, b"a")]), TOKENS, END)
    bound, store = made.bound, made.bound.store
    for again in (lambda: made.__init__(bound), lambda: bound.__init__(store, RuleTable("x")), lambda: store.__init__([b"a"], [])):
        with pytest.raises(TypeError):
            again()
    assert made.allowed_tokens().tolist() == [ord("a")]


def test_a_matcher_is_not_pickled(compiled: Kernel) -> None:
    """Another process has no use for what a matcher points to, so pickle refuses."""
    with pytest.raises(TypeError):
        pickle.dumps(compiled.matcher(RuleTable("root", 2, [(LITERAL, 0, 1, b"a")]), TOKENS, END))


def test_a_matcher_in_two_threads_is_refused_or_served(compiled: Kernel) -> None:
    """Threads that meet in one matcher against the rules get an error; nothing breaks."""
    matcher = compiled.matcher(network(NESTED), TOKENS, END)

    def hammer() -> None:
        row = np.zeros(9, dtype=np.uint32)
        for _ in range(1_000):
            with suppress(DecodingError):
                matcher.fill_mask(row)
                matcher.draft(b"[[[0]]]")

    with ThreadPoolExecutor(3) as threads:
        for hammering in [threads.submit(hammer) for _ in range(3)]:
            hammering.result()


# --- memory ---------------------------------------------------------------------------------------------------------


def resident() -> int:
    """Bytes of this process in memory. Skips where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
    except OSError:
        pytest.skip("no /proc here")


def growth(work: Callable[[], None], rounds: int) -> int:
    """Bytes that the process grows by over the second half of so many rounds."""
    for _ in range(rounds // 2):
        work()
    before = resident()
    for _ in range(rounds // 2):
        work()
    return resident() - before


def test_dropped_objects_leave_nothing(compiled: Kernel) -> None:
    """Stores, bound grammars and matchers made and dropped, failed ones too: the process does not grow."""
    text = text_of("text", b"t", 1, [(0, 0, 97, 122)], (0,), frozenset([0]), 1, 9, frozenset(["abc", "x"]))
    root = RuleTable("root", 4, [(LITERAL, 0, 2, b'["'), (CALL, 2, 3, text), (LITERAL, 3, 1, b"]")])
    prepared = compiled.prepared(root, TOKENS, END)

    def work() -> None:
        store = compiled.module.Store(TOKENS, END)
        matcher = compiled.module.Matcher(compiled.module.Bound(store, prepared))
        feed(matcher, b'["abc')
        matcher.copy().count()
        with pytest.raises(ValueError, match="node"):
            compiled.module.Bound(store, RuleTable("root", 2, [(RANGE, 0, 5, 1, 2)], key=b"broken"))
        with pytest.raises(MaskShapeError):
            matcher.fill_mask(b"")

    assert growth(work, 2 * n_cases(150, 2_000)) < 2 << 20


def test_drafts_and_rollbacks_leave_nothing(compiled: Kernel) -> None:
    """A matcher that goes on and back a million times keeps only what it stands on, and copies stay where they were."""
    matcher = compiled.matcher(network(NESTED), [*BYTES, b"[[", b""], [257])
    feed(matcher, b"[" * 100)
    far = matcher.copy()
    far.draft([256] * 5_000)
    seen = matcher.state_key(), mask_of(matcher).tobytes()
    draft = [256] * 25 + [ord("0")] + [ord("]")] * 20

    def work() -> None:
        for _ in range(100):
            assert matcher.draft(draft) == 46
        feed(matcher, b"[" * 50)
        matcher.rollback(50)

    assert growth(work, n_cases(200, 4_000)) < 24 << 20
    assert (matcher.state_key(), mask_of(matcher).tobytes(), matcher.position) == (*seen, 100)
    assert (far.state_key(), mask_of(far).tobytes(), far.position) == (*seen, 100)
    far.rollback(100)
    feed(far, b"[0]")
    assert far.is_complete
    feed(matcher, b"0" + b"]" * 100)
    assert matcher.is_complete


def test_a_large_family_of_palindromes_is_left_behind_whole(compiled: Kernel) -> None:
    """Many configurations and shared stacks move over: masks and states along the way are those of a matcher that never moved."""
    root = network([("alt", ("seq", b"a", ("rule", 0), b"a"), b"a")])
    bound = compiled.bind(root, TOKENS, END)
    matcher, fresh = compiled.module.Matcher(bound), compiled.module.Matcher(bound)
    feed(matcher, b"a" * 300)
    for _ in range(12):
        matcher.draft(b"a" * 200)
    feed(fresh, b"a" * 300)
    assert matcher.state_key() == fresh.state_key()
    for _ in range(20):
        matcher.rollback(15)
        fresh.rollback(15)
        assert matcher.state_key() == fresh.state_key()
        assert mask_of(matcher).tobytes() == mask_of(fresh).tobytes()
        assert matcher.shortest_bytes() == fresh.shortest_bytes()


# --- threads --------------------------------------------------------------------------------------------------------


def test_grammars_load_while_masks_are_made(compiled: Kernel) -> None:
    """One thread binds grammars to a store while others fill masks over it, cold: every mask is that of a store of its own."""

    def text(number: int) -> TextTable:
        edges = [(0, 1, 97, 97 + number % 20), (1, 0, 48, 57), (1, 1, 0x80, 0x7FF + number)]
        return text_of("text", b"text %d" % number, 2, edges, (0,), frozenset([1]), number % 3, 40 + number, frozenset(["a", "b1" * (number % 5 + 1)]))

    tokens = [*BYTES, *(bytes([a, b]) for a in b'ab1"\\' for b in b'ab1"u'), "é".encode() * 2, b""]
    end = [len(tokens) - 1]
    roots = [string(text(number)) for number in range(n_cases(24, 200))]
    path = b'"a1c2'

    def masks(bound: Any) -> list[bytes]:
        matcher, seen = compiled.module.Matcher(bound), []
        for byte in path:
            seen.append(mask_of(matcher).tobytes())
            if not matcher.accepts(byte):
                break
            matcher.advance(byte)
        return seen

    alone = [masks(compiled.bind(root, tokens, end)) for root in roots]
    store = compiled.module.Store(tokens, end)
    prepared = [compiled.prepared(root, tokens, end) for root in roots]

    def work() -> list[list[bytes]]:
        return [masks(compiled.module.Bound(store, root)) for root in prepared]

    with ThreadPoolExecutor(4) as threads:
        working = [threads.submit(work) for _ in range(4)]
    assert [done.result() for done in working] == [alone] * 4
