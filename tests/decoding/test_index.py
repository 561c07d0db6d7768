"""The index of a regular grammar says what masks say, state by state; its file is used whole or not at all."""

from __future__ import annotations

import base64
import io
import json
import os
import random
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import grammask
from grammask.decoding.index import Index, _driven
from grammask.decoding.index_file import LAYOUT, digest, read_arrays
from grammask.errors import IndexFileError, LimitError, MaskShapeError, StateOutOfRange, TokenOutOfRange, TokenRefused, UnsupportedFeatureError
from grammask.grammar.expression import Token, literal
from grammask.grammar.lower import lower
from grammask.kernel import reference

from .worlds import byte_vocabulary, law, record_grammar, record_vocabulary, texts, verdict_grammar, verdict_vocabulary

WORDS = ["ab", "abc", "ba", "aa", "a" * 5, '":', '", "', '"}', "true", "12", "é", "{"]
RESTRICTED = [
    {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"enum": ["x", 2]}}, "required": ["b"], "additionalProperties": False},
    {"type": "array", "items": {"type": "boolean"}, "maxItems": 3},
    {"type": "string", "pattern": "^(ab|é)+$", "maxLength": 5},
    {"type": "string", "maxLength": 3},
    {"type": "string", "format": "date"},
]  # fmt: skip


def walked(index: Index, matcher: grammask.Matcher, rng: random.Random, most: int = 10**9) -> Iterator[tuple[int, grammask.Matcher]]:
    """(state, a matcher there) for states in breadth-first order, and again for a few tokens of each that lead to states known already."""
    seen = {index.start}
    queue = [(index.start, matcher)]
    yield queue[0]
    for state, here in queue:
        begin, end = index.row_start[state : state + 2].tolist()
        leads = dict(zip(index.next_states[begin:end].tolist(), index.token_ids[begin:end].tolist(), strict=True))
        extra = [rng.randrange(begin, end) for _ in range(min(3, end - begin))]
        for after, token_id in [*leads.items(), *((int(index.next_states[at]), int(index.token_ids[at])) for at in extra)]:
            if after in seen and (after, token_id) in leads.items():
                continue
            there = here.copy()
            there.advance(token_id)
            yield after, there
            if after not in seen and len(seen) < most:
                seen.add(after)
                queue.append((after, there))


def agree(constraint: grammask.Constraint, index: Index, seed: int = 0, most: int = 10**9) -> None:
    """Each state's tokens, mask and finality are those of the lazy matcher, whatever led to the state."""
    row, mask = (np.zeros(constraint.mask_words, dtype=np.uint32) for _ in range(2))
    for state, matcher in walked(index, constraint.matcher(), random.Random(seed), most):
        matcher.fill_mask(mask)
        index.fill_mask(state, row)
        assert row.tobytes() == mask.tobytes(), state
        assert index.is_final(state) == (matcher.is_complete and not matcher.is_finished), state
        assert (state == index.finished) == matcher.is_finished, state


# --- what it says ---------------------------------------------------------------------------------------------------


def test_a_refused_token_is_named_with_its_state() -> None:
    """An index knows states, not positions, and says where to ask for what is allowed."""
    index = grammask.compile(grammask.regex("ab"), grammask.Vocabulary([b"a", b"b"], [])).index()
    with pytest.raises(TokenRefused, match=r"token 1 is not allowed in state 0 of the index; ask index.allowed_tokens\(0\)"):
        index.next_state(0, 1)


def test_states_tokens_and_next_states_of_a_choice():
    """The smallest example, number by number."""
    vocabulary = grammask.Vocabulary([b"a", b"b", b"ab", b"c", b"", b""], eos_ids=[4, 5])
    index = grammask.compile(texts("ab", "ac"), vocabulary).index()
    assert (index.start, index.states, index.finals.tolist(), index.finished) == (0, 4, [2], 3)
    assert [index.allowed_tokens(state).tolist() for state in range(4)] == [[0, 2], [1, 3], [4, 5], []]
    assert (index.next_state(0, 0), index.next_state(0, 2), index.next_state(1, 3), index.next_state(2, 5)) == (1, 2, 2, 3)
    assert [index.is_final(state) for state in range(4)] == [False, False, True, False]
    assert repr(index) == "<Index of 4 states, 6 transitions, 1 final>"


def pieces() -> st.SearchStrategy[str]:
    """Regular expressions over a few characters."""
    leaf = st.sampled_from(["a", "b", "c", "[ab]", "[^a]", "é", ".", "ab", "1"])
    return st.recursive(
        leaf,
        lambda inner: st.one_of(
            st.lists(inner, min_size=1, max_size=3).map("".join),
            st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"({'|'.join(parts)})"),
            st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,3}", "{0,9}"])).map(lambda pair: f"({pair[0]}){pair[1]}"),
        ),
        max_leaves=8,
    )


@law
@given(pieces(), st.integers(0, 1000))
def test_an_index_of_a_regex_has_the_masks_of_its_matchers(pattern, seed):
    """Random regular expressions over bytes and words: equal in every state."""
    constraint = grammask.compile(grammask.regex(pattern), byte_vocabulary(*WORDS))
    index = constraint.index()
    agree(constraint, index, seed, 60)
    forecast = constraint.index_forecast()
    assert (forecast.states, forecast.transitions) == (index.states, len(index.token_ids))
    assert index.n_bytes <= forecast.n_bytes <= index.n_bytes + 4 * index.states + 8


@pytest.mark.parametrize("schema", RESTRICTED, ids=lambda schema: json.dumps(schema)[:40])
def test_an_index_of_a_schema_has_the_masks_of_its_matchers(schema):
    """Objects, arrays, patterns and lengths: equal in every state."""
    constraint = grammask.compile(schema, byte_vocabulary(*WORDS))
    agree(constraint, constraint.index(), most=400)


@pytest.mark.parametrize(
    ("grammar", "vocabulary"), [(record_grammar(), record_vocabulary()), (verdict_grammar(), verdict_vocabulary())], ids=["record", "verdict"]
)
def test_an_index_over_words_has_the_masks_of_its_matchers(grammar, vocabulary):
    """Vocabularies that do not spell every text: what no tokens can complete is in no state."""
    constraint = grammask.compile(grammar, vocabulary)
    agree(constraint, constraint.index())


def test_special_tokens_are_transitions():
    """A special token that the grammar names leads on like any other; a vocabulary without end tokens has no state behind them."""
    vocabulary = grammask.Vocabulary([b"a", b"b", b""], eos_ids=[], specials={"<call>": 2})
    grammar = grammask.Grammar(grammask.seq("a", grammask.Grammar(Token(["<call>"])), grammask.Grammar(literal("b"))).expression)
    constraint = grammask.compile(grammar, vocabulary)
    index = constraint.index()
    assert index.finished is None
    assert [index.allowed_tokens(state).tolist() for state in range(index.states)] == [[0], [2], [1], []]
    agree(constraint, index)


def test_grammars_of_one_language_have_one_index():
    """However a regular language is written, its states, numbers and rows are the same."""
    vocabulary = byte_vocabulary(*WORDS)
    one, other = (grammask.compile(grammask.regex(pattern), vocabulary).index() for pattern in (r"(ab|ac)*a?", r"(?:a[bc])*(?:a|)"))
    for name in ("row_start", "token_ids", "next_states", "finals"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist()


def test_the_twin_makes_an_index_by_driving_matchers():
    """The plain kernel's states are other ones, and their masks the same."""
    grammar, vocabulary = grammask.regex(r"(ab|c){1,3}d?"), byte_vocabulary(*WORDS)
    constraint = grammask.compile(grammar, vocabulary)
    twin = reference.Matcher(reference.Bound(reference.Store(vocabulary.tokens, vocabulary.eos_ids), lower(grammar.expression)))
    measure, rows = _driven(twin, 1000)
    index = Index._of(rows(), vocabulary)
    assert measure(0) == (index.states, len(index.token_ids))
    agree(constraint, index)
    with pytest.raises(LimitError):
        _driven(twin, 3)


def test_under_the_reference_kernel_an_index_is_the_same():
    """The public way works with the plain kernel too."""
    code = (
        "import grammask; v = grammask.Vocabulary([b'a', b'b', b'ab', b''], [3]); "
        "i = grammask.compile(grammask.regex('ab?'), v).index(); print(i.states, i.finals.tolist(), i.finished, i.allowed_tokens(0).tolist())"
    )
    source = str(Path(grammask.__file__).parents[1])
    outputs = [
        subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": source, "GRAMMASK_KERNEL": kernel}, capture_output=True, check=True)
        for kernel in ("reference", "compiled")
    ]
    assert outputs[0].stdout == outputs[1].stdout == b"4 [1, 2] 3 [0, 2]\n"


@cache
def llama3() -> grammask.Vocabulary:
    """Llama 3's 128,256 ids."""
    package = find_spec("llama_models")
    if package is None or not package.submodule_search_locations:
        pytest.skip("the package llama_models is not installed (tests/tokenizers.txt)")
    path = Path(package.submodule_search_locations[0]) / "llama3" / "tokenizer.model"
    tokens = [base64.b64decode(line.split()[0]) for line in path.read_bytes().splitlines() if line]
    return grammask.Vocabulary([*tokens, *([b""] * 256)], eos_ids=[128001, 128009])


@pytest.mark.parametrize(
    "grammar",
    [grammask.regex(r"[a-z]+@[a-z]+\.(com|org)"), grammask.json_schema(RESTRICTED[0]), grammask.json_schema(RESTRICTED[3]), grammask.regex(r".*\d\n?")],
    ids=["email", "object", "string", "free"],
)
def test_an_index_over_llama_3_has_the_masks_of_its_matchers(grammar):
    """Equal masks, to the bit, over a vocabulary of 128,256 ids."""
    constraint = grammask.compile(grammar, llama3())
    agree(constraint, constraint.index(), most=25)


# --- what is refused ------------------------------------------------------------------------------------------------


def test_nesting_rules_are_refused_by_name():
    """A grammar that needs a stack without bound has no index; the error says which rule nests."""
    schema = {"$defs": {"tree": {"type": "array", "items": {"$ref": "#/$defs/tree"}}}, "$ref": "#/$defs/tree"}
    constraint = grammask.compile(schema, byte_vocabulary())
    for call in (constraint.index, constraint.index_forecast):
        with pytest.raises(UnsupportedFeatureError, match=r"/\$defs/tree.*nest") as caught:
            call()
        assert "masks need no index" in caught.value.reason


def test_too_many_states_and_bytes_are_limits():
    """Both limits are typed errors that name a way out, before the arrays are made."""
    constraint = grammask.compile({"type": "string", "maxLength": 500}, byte_vocabulary(*WORDS))
    with pytest.raises(LimitError, match="states") as caught:
        constraint.index(max_states=100)
    assert caught.value.bound == 100
    with pytest.raises(LimitError, match="bytes") as caught:
        constraint.index_forecast(max_bytes=10_000)
    assert (caught.value.value, caught.value.bound) == (None, 10_000)
    forecast = constraint.index_forecast()
    with pytest.raises(LimitError, match="bytes") as caught:
        constraint.index(max_bytes=forecast.n_bytes - 1)
    assert caught.value.value == forecast.n_bytes
    assert constraint.index(max_bytes=forecast.n_bytes).states == forecast.states


def test_what_is_no_state_or_token_is_refused():
    """Typed errors for numbers that are no states, ids that are not there, and tokens that are not allowed."""
    index = grammask.compile(texts("ab"), byte_vocabulary()).index()
    for state in (-1, index.states, "0", 1.5):
        for call in (index.allowed_tokens, index.is_final, lambda state: index.next_state(state, 97)):
            with pytest.raises(StateOutOfRange):
                call(state)
    for token_id in (-1, 257, "a"):
        with pytest.raises(TokenOutOfRange):
            index.next_state(0, token_id)
    with pytest.raises(TokenRefused):
        index.next_state(0, 98)
    with pytest.raises(MaskShapeError):
        index.fill_mask(0, np.zeros(3, dtype=np.uint32))
    with pytest.raises(ValueError, match="read-only"):
        index.allowed_tokens(0)[0] = 5


# --- its file -------------------------------------------------------------------------------------------------------


@pytest.fixture
def saved(tmp_path):
    """(index, vocabulary, file)."""
    vocabulary = byte_vocabulary(*WORDS)
    index = grammask.compile(grammask.regex("(ab|c)*é?"), vocabulary).index()
    index.save(tmp_path / "an index.npz")
    return index, vocabulary, tmp_path / "an index.npz"


def same(one: Index, other: Index) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in Index.__slots__)


def test_an_index_is_loaded_as_it_was_saved(saved):
    """All arrays and facts, read-only again; the file is replaced whole, and nothing else is left beside it."""
    index, vocabulary, path = saved
    index.save(path)
    loaded = Index.load(path, vocabulary)
    assert same(index, loaded)
    assert not loaded.token_ids.flags.writeable
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]
    assert same(index, Index.load(str(path)))


def test_the_file_is_plain_arrays(saved):
    """Any reader of .npz finds the arrays of the reference page, in little-endian order, without pickles."""
    index, _, path = saved
    with np.load(path, allow_pickle=False) as arrays:
        assert set(arrays) == {*LAYOUT, "digest"}
        assert arrays["row_start"].dtype == np.dtype("<i8")
        assert arrays["next_states"].tolist() == index.next_states.tolist()
        assert arrays["vocabulary_fingerprint"].tobytes().hex() == index.fingerprint


def test_another_vocabulary_is_refused(saved):
    """An index of one vocabulary means nothing for another."""
    _, _, path = saved
    with pytest.raises(IndexFileError, match="another vocabulary") as caught:
        Index.load(path, byte_vocabulary("other"))
    assert caught.value.path == str(path)


def test_a_missing_file_is_the_system_s_error(tmp_path):
    """Nothing to read, no folder to write to: OSError, as for any file."""
    with pytest.raises(FileNotFoundError):
        Index.load(tmp_path / "none.npz")
    index = grammask.compile(texts("a"), byte_vocabulary()).index()
    with pytest.raises(FileNotFoundError):
        index.save(tmp_path / "none" / "index.npz")


def test_every_damaged_byte_is_noticed_or_harmless(saved):
    """Each byte of the file changed in turn: refused, or (in what the archive says of dates and the like) the same index."""
    index, vocabulary, path = saved
    whole = path.read_bytes()
    refused = 0
    for at in range(0, len(whole), 7):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x11]) + whole[at + 1 :])
        try:
            assert same(index, Index.load(path, vocabulary)), at
        except IndexFileError:
            refused += 1
    assert refused > len(whole) // 7 * 0.6


@pytest.mark.parametrize("size", [0, 1, 100, -1000, -100, -1])
def test_a_file_cut_short_is_refused(saved, size):
    """Any beginning of the file alone."""
    *_, path = saved
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(IndexFileError):
        Index.load(path)


def rewritten(path, **changes):
    """The file with other arrays, and with a digest that fits them."""
    arrays = {**read_arrays(path), **changes}
    arrays["digest"] = np.frombuffer(digest(arrays), dtype=np.uint8)
    np.savez(path, **arrays)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"version": np.int64(2)}, "version 2"),
        ({"row_start": np.array([0], dtype=np.int64)}, "no states"),
        ({"row_start": np.array([], dtype=np.int64)}, "no states"),
        ({"start": np.int64(99)}, "no states"),
        ({"row_start": np.array([0, 5, 3, 9], dtype=np.int64)}, "rows"),
        ({"next_states": np.array([1], dtype=np.int32)}, "rows"),
        ({"finals": np.array([99], dtype=np.int32)}, "states that it does not have"),
        ({"finals": np.array([1, 0], dtype=np.int32)}, "final states"),
        ({"end_ids": np.array([-1], dtype=np.int32)}, "end tokens"),
        ({"vocabulary_size": np.int64(10)}, "ids of the vocabulary"),
        ({"token_ids": np.zeros(3, dtype=np.int64)}, "token_ids"),
        ({"token_ids": np.zeros((3, 1), dtype=np.int32)}, "token_ids"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else None,
)
def test_arrays_that_make_no_index_are_refused(saved, changes, reason):
    """A file that somebody wrote by the rules but with numbers out of place: refused by what is wrong, before anything follows them."""
    *_, path = saved
    rewritten(path, **changes)
    with pytest.raises(IndexFileError, match=reason):
        Index.load(path)


def test_rows_out_of_order_are_refused(saved):
    """Tokens of a state must increase, or looking for one would miss it."""
    index, _, path = saved
    turned = index.token_ids.copy()
    turned[:2] = turned[1::-1]
    rewritten(path, token_ids=turned)
    with pytest.raises(IndexFileError, match="in order"):
        Index.load(path)


def test_pickles_and_compressed_members_are_refused(saved, tmp_path):
    """Nothing in a file is run or unpacked to more than it holds."""
    *_, path = saved
    arrays = read_arrays(path)
    np.savez(tmp_path / "pickled.npz", **{**arrays, "finals": np.array([{}], dtype=object)})
    np.savez_compressed(tmp_path / "small.npz", **arrays)
    with zipfile.ZipFile(tmp_path / "no arrays.npz", "w") as archive:
        for name in (*LAYOUT, "digest"):
            archive.writestr(f"{name}.npy", b"not an array")
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<i4", "fortran_order": False, "shape": (1 << 50,)})  # more than there is, and than there could be
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(tmp_path / "huge.npz", "w") as archive:
        for name in (*LAYOUT, "digest"):
            archive.writestr(f"{name}.npy", header.getvalue() if name == "finals" else old.read(f"{name}.npy"))
    for name in ("pickled", "small", "no arrays", "huge"):
        with pytest.raises(IndexFileError):
            Index.load(tmp_path / f"{name}.npz")


def test_a_reader_that_knows_only_the_page_follows_the_index(saved):
    """The arrays alone, as another language would use them: from the start, token by token, to a final state and behind the end token."""
    _, vocabulary, path = saved
    arrays = dict(np.load(path))
    state = int(arrays["start"])
    for token_id in [vocabulary.tokens.index(b"ab"), 99, *("é".encode()), 256]:
        row = slice(*arrays["row_start"][state : state + 2])
        at = np.flatnonzero(arrays["token_ids"][row] == token_id)
        state = int(arrays["next_states"][row][at[0]])
    assert state == len(arrays["row_start"]) - 2
    assert np.diff(arrays["row_start"])[state] == 0
