"""Items and names that are told apart by what has been read: masks, completions, budgets, rollback, threads."""

from __future__ import annotations

import json
import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import numpy as np
import pytest
from jsonschema import Draft202012Validator

import grammask
from grammask import JsonSchemaOptions, json_schema
from grammask.errors import BudgetError, TokenRefused, UnsupportedFeatureError
from grammask.grammar import distinct
from grammask.kernel import KERNEL
from grammask.vocabulary import Vocabulary

pytestmark = pytest.mark.skipif(KERNEL != "compiled", reason="the reference kernel keeps no texts in mind")

YES = {"type": "boolean"}
ITEMS: dict[str, Any] = {
    "strings": {"type": "string"},
    "long strings": {"type": "string", "minLength": 2},
    "short strings": {"type": "string", "maxLength": 2},
    "six strings": {"type": "string", "pattern": "^[ab]{1,2}$"},
    "a's": {"type": "string", "pattern": "^a+$"},
    "integers": {"type": "integer", "minimum": 0, "maximum": 30000},
    "numbers": {"type": "number"},
    "closed objects": {"type": "object", "properties": {"a": {"type": "string"}, "b": YES}, "required": ["a"], "additionalProperties": False},
    "open objects": {"type": "object", "properties": {"a": {"type": "string"}}},
    "objects that may end early": {"type": "object", "properties": {"b": YES, "a": {"type": "string"}}, "additionalProperties": False},
    "objects or others": {"properties": {"a": {"type": "string"}, "b": YES}, "required": ["a"], "additionalProperties": False},
    "objects or few": {"anyOf": [{"type": "object", "properties": {"a": {"type": "string"}}}, {"enum": ["a", "b", [1], [2]]}]},
    "mixed": {"type": ["string", "null", "integer"]},
    "anything": True,
    "sets": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
    "arrays": {"type": "array", "items": YES},
    "dates": {"type": "string", "format": "date"},
}
OBJECTS: dict[str, Any] = {
    "counted": {"type": "object", "additionalProperties": YES, "minProperties": 3},
    "counted beside declared": {"type": "object", "properties": {"a": YES, "b": YES}, "additionalProperties": YES, "minProperties": 3},
    "bounded": {"type": "object", "properties": {"a": YES, "b": YES}, "required": ["b"], "minProperties": 3, "maxProperties": 4},
    "counted by pattern": {"type": "object", "patternProperties": {"^a+$": YES}, "additionalProperties": False, "minProperties": 3},
    "two broken": {"type": "object", "not": {"anyOf": [{"additionalProperties": YES}, {"patternProperties": {"^a": {"type": "null"}}}]}},
    "one broken": {"type": "object", "properties": {"a": YES}, "not": {"additionalProperties": YES}},
}
PIECES = [
    '"',
    ",",
    " ",
    "a",
    "b",
    "1",
    "2",
    "0",
    "{",
    "}",
    "[",
    "]",
    ":",
    "null",
    "true",
    "\\u0061",
    '"a"',
    '"b"',
    '"a":',
    '{"a":"',
    "-",
    ".",
    "e",
    '","',
    '"aa":true',
    '"},{"',
    "},{",
    "],[",
]
MEANT = set(b'"[]{}:,abx102 \\utfl')


def vocabulary(rng: random.Random) -> Vocabulary:
    """All bytes, and tokens that end one item and begin the next."""
    longer = {"".join(rng.choices(PIECES, k=rng.randint(2, 5))).encode() for _ in range(120)}
    tokens = [bytes([byte]) for byte in range(256)] + sorted(token for token in longer if len(token) > 1)
    return Vocabulary([*tokens, b"<eos>"], eos_ids=[len(tokens)])


def takes(matcher: grammask.Matcher, text: bytes) -> bool:
    """Whether a matcher takes a text byte by byte; it is left behind the last byte that was taken."""
    for byte in text:
        if not matcher.accepts(byte):
            return False
        matcher.advance(byte)
    return True


def constraint(schema: Any, words: Vocabulary, order: Literal["schema", "any"] = "schema") -> grammask.Constraint:
    return grammask.compile(json_schema(schema, JsonSchemaOptions(property_order=order)), words)


def check_walks(schema: Any, order: Literal["schema", "any"], seed: int) -> None:
    """Random outputs whose masks are compared with single bytes, and whose completions are judged by jsonschema."""
    rng = random.Random(seed)
    words = vocabulary(rng)
    bound = constraint(schema, words, order)
    eos = len(words) - 1
    for _ in range(4):
        matcher, text = bound.matcher(), b""
        for _ in range(30):
            allowed = set(matcher.allowed_tokens().tolist())
            assert allowed, text
            for token in range(256, eos):
                assert takes(matcher.copy(), words.tokens[token]) == (token in allowed), (text, words.tokens[token])
            if rng.random() < 0.2:
                check_completion(matcher, text, schema)
            chosen = sorted(token for token in allowed if token != eos and (token >= 256 or token in MEANT)) or sorted(allowed - {eos})
            if not chosen or (matcher.is_complete and rng.random() < 0.3):
                break
            token = rng.choice(chosen)
            matcher.advance(token)
            text += words.tokens[token]
        check_completion(matcher, text, schema)


def check_completion(matcher: grammask.Matcher, text: bytes, schema: Any) -> None:
    end = matcher.shortest_bytes()
    assert end is not None
    trial = matcher.copy()
    assert takes(trial, end), (text, end)
    assert trial.is_complete
    assert Draft202012Validator(schema).is_valid(json.loads(text + end)), text + end


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("items", ITEMS)
def test_masks_of_different_items_are_those_of_single_bytes_and_lead_to_valid_arrays(items: str, seed: int) -> None:
    """A token is allowed if its bytes are, one by one; nothing is stuck; every completion has no item twice."""
    rng = random.Random(f"{items} {seed}")
    schema = {"type": "array", "items": ITEMS[items], "uniqueItems": True}
    if seed:
        schema |= {"minItems": rng.randint(1, 4), "maxItems": rng.randint(4, 6)}
    if seed == 2:
        schema = {"type": "object", "properties": {"x": schema, "y": schema}, "required": ["y"], "additionalProperties": False}
    check_walks(schema, "schema", seed)


@pytest.mark.parametrize("order", ["schema", "any"])
@pytest.mark.parametrize("kind", OBJECTS)
def test_masks_of_different_names_are_those_of_single_bytes_and_lead_to_valid_objects(kind: str, order: Literal["schema", "any"]) -> None:
    """The same of objects whose names are counted, or of which a negation asks for several."""
    check_walks(OBJECTS[kind], order, 1)


BYTES = Vocabulary([*(bytes([byte]) for byte in range(256)), b"<eos>"], eos_ids=[256])


@pytest.mark.parametrize(
    ("items", "text"),
    [
        ({"type": "string"}, '["a","a"'),
        ({"type": "string"}, '["a", "\\u0061"'),
        ({"type": "string"}, '["\\u00e9","é"'),
        ({"type": "string"}, '["a\\\\","a\\\\"'),
        ({"type": "string"}, '["\\"","\\u0022"'),
        ({"type": "number"}, "[1,1.0]"),
        ({"type": "number"}, "[10,1e1]"),
        ({"type": "number"}, "[0,-0]"),
        (True, '[{"a":[1]},{"a":[1.0]}'),
        (True, '[{"a":1,"b":[]},{"b":[],"a":1}'),
        (True, "[[],[]"),
        (True, '[null,"null",null'),
    ],
)
def test_equal_items_are_refused_however_they_are_spelled(items: Any, text: str) -> None:
    """Equality is that of JSON values: escapes, spellings of numbers and the order of members do not matter."""
    schema = {"type": "array", "items": items, "uniqueItems": True}
    matcher = constraint(schema, BYTES).matcher()
    assert not takes(matcher, text.encode())
    end = matcher.shortest_bytes()
    assert end is not None
    assert takes(matcher, end)


def test_no_language_without_an_item_is_asked_for_while_the_item_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tokens that end an item and open the next are tried at every place in it, each time for another item."""
    asked: list[frozenset[object]] = []
    asked_before = distinct._table_without

    def noted(distinction: Any, settings: Any, values: frozenset[object]) -> Any:
        asked.append(values)
        return asked_before(distinction, settings, values)

    monkeypatch.setattr(distinct, "_table_without", noted)
    ends = [b'"},{"', b'"}, {', b'"},"', b'"}]', b'"},[', b"},\n", b'],["']
    words = Vocabulary([*BYTES.tokens[:256], *ends, b"<eos>"], eos_ids=[256 + len(ends)])
    schema = {"type": "array", "items": ITEMS["objects or others"], "uniqueItems": True}
    matcher = constraint(schema, words).matcher()
    for byte in b'[{"a":"long enough"':
        matcher.allowed_tokens()
        matcher.advance(byte)
    assert not asked
    assert takes(matcher, b"},")
    assert [len(values) for values in asked] == [1]


DIGITS = {"type": "integer", "minimum": 0, "maximum": 9}
LOOSE = {  # items of which it cannot be written out what is left
    "sets of digits, or strings": ({"type": ["array", "string"], "uniqueItems": True, "items": DIGITS}, b'[[],[1,2],"a"'),
    "the same, a digit first": ({"type": ["array", "integer"], "uniqueItems": True, "items": DIGITS}, b"[7,[1,2],[],[3,4]"),
    "sets of strings and null, or null": (
        {"type": ["array", "null"], "uniqueItems": True, "items": {"type": ["string", "null"]}},
        b'[["a",null],[null,"a"],null',
    ),
}


@pytest.mark.parametrize("items", LOOSE)
def test_what_is_left_of_items_need_not_be_written_out_for_exact_masks(items: str) -> None:
    """Then tokens are looked at where they end an item: none is allowed that would be refused, by itself or in a batch."""
    schema, text = LOOSE[items]
    whole = [b",[]", b", []", b"[]", b" []", b",[1,2]", b"],[]", b'],["a",null]', b",null", b"null", b",7", b"7,"]
    words = Vocabulary([*vocabulary(random.Random(items)).tokens[:-1], *whole, b"<eos>"], eos_ids=[len(vocabulary(random.Random(items))) - 1 + len(whole)])
    bound = constraint({"type": "array", "items": schema, "uniqueItems": True}, words)
    matcher = bound.matcher()
    assert takes(matcher, text)
    for more in (
        b"",
        b",",
        b", ",
        b",\n ",
        b",[",
        b",[1",
        b",[1,",
        b",[1,2",
        b",[]",
        b',"',
        b',"a',
        b",nul",
        b",7",
        b",[3,",
        b",[3,4",
        b'],["',
        b',["a"',
        b',["a",',
        b',["a",nul',
    ):
        trial = matcher.copy()
        if not takes(trial, more):
            continue
        rows = np.zeros((2, bound.mask_words), dtype=np.uint32)
        grammask.fill_masks([trial, trial.copy()], rows)
        allowed = set(trial.allowed_tokens().tolist())
        assert allowed == {token for token in range(len(words) - 1) if takes(trial.copy(), words.tokens[token])}, more
        assert rows.tolist() == [np.packbits(np.isin(np.arange(32 * bound.mask_words), list(allowed)), bitorder="little").view("<u4").tolist()] * 2


def test_items_of_inner_arrays_are_told_apart_in_each_array_by_itself() -> None:
    """What one array holds, another may hold too."""
    inner = {"type": "array", "items": {"type": "string"}, "uniqueItems": True}
    matcher = constraint({"type": "array", "items": inner}, BYTES).matcher()
    assert takes(matcher, b'[["a","b"],["b","a"],["a","b"]]')
    assert matcher.is_complete


def test_rollback_forgets_items() -> None:
    """Behind an item that was taken back, that item may come again."""
    matcher = constraint({"type": "array", "items": {"type": "string"}, "uniqueItems": True}, BYTES).matcher()
    assert takes(matcher, b'["a","b"')
    matcher.rollback(4)
    assert takes(matcher, b',"b","c"')
    assert takes(matcher, b',"b')
    with pytest.raises(TokenRefused):
        matcher.advance(ord('"'))


def test_states_are_equal_for_equal_sets_of_items() -> None:
    """The order in which items came is forgotten."""
    bound = constraint({"type": "array", "items": {"type": "string"}, "uniqueItems": True}, BYTES)
    one, other, third = bound.matcher(), bound.matcher(), bound.matcher()
    assert all(takes(matcher, text) for matcher, text in ((one, b'["a","b",'), (other, b'["b","a",'), (third, b'["b","c",')))
    assert one.state_key() == other.state_key() != third.state_key()


def test_states_inside_items_are_equal_only_where_what_follows_is() -> None:
    """Numbers 1 and 2, both of which may go on: what may come behind them differs."""
    bound = constraint({"type": "array", "items": {"type": "integer"}, "uniqueItems": True}, BYTES)
    one, other, again = bound.matcher(), bound.matcher(), bound.matcher()
    assert all(takes(matcher, text) for matcher, text in ((one, b"[1"), (other, b"[2"), (again, b"[1")))
    assert one.state_key() == again.state_key() != other.state_key()


@pytest.mark.parametrize("seed", range(3))
def test_budgets_hold_where_completions_differ_by_the_item_that_is_open(seed: int) -> None:
    """A completion is not taken for that of another item of the same state."""
    rng = random.Random(seed)
    item = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}, "required": ["a", "b"], "additionalProperties": False}
    schema = {"type": "array", "items": item, "uniqueItems": True, "minItems": 3}
    bound = constraint(schema, BYTES)
    with pytest.raises(BudgetError) as refused:
        bound.matcher(max_tokens=1)
    assert refused.value.achievable is not None
    for budget in (0, 1, 7):
        matcher, text = bound.matcher(max_tokens=refused.value.achievable + budget), b""
        while not matcher.is_finished:
            allowed = matcher.allowed_tokens().tolist()
            token = rng.choice([token for token in allowed if token in MEANT] or allowed)
            matcher.advance(token)
            text += b"" if token == 256 else bytes([token])
        assert Draft202012Validator(schema).is_valid(json.loads(text)), text


def test_arrays_hold_no_more_different_items_than_there_are() -> None:
    """Six different strings, and the array must end; seven are none."""
    schema = {"type": "array", "items": {"type": "string", "pattern": "^[ab]{1,2}$"}, "uniqueItems": True, "minItems": 6}
    matcher = constraint(schema, BYTES).matcher()
    assert takes(matcher, b'["a","b","aa","ab","ba","bb"')
    assert not takes(matcher.copy(), b",")
    with pytest.raises(grammask.errors.EmptyLanguageError):
        constraint(schema | {"minItems": 7}, BYTES)


@pytest.mark.parametrize("budget", [0, 1, 5])
def test_budgets_hold_where_items_must_differ(budget: int) -> None:
    """Random outputs under a budget complete in it, with three different items."""
    rng = random.Random(budget)
    schema = {"type": "array", "items": {"type": "string"}, "uniqueItems": True, "minItems": 3}
    bound = constraint(schema, BYTES)
    with pytest.raises(BudgetError) as refused:
        bound.matcher(max_tokens=1)
    assert refused.value.achievable is not None
    least = refused.value.achievable + budget
    for _ in range(8):
        matcher, text = bound.matcher(max_tokens=least), b""
        while not matcher.is_finished:
            token = rng.choice(matcher.allowed_tokens().tolist())
            matcher.advance(token)
            text += b"" if token == 256 else bytes([token])
        assert len(text) <= least
        assert Draft202012Validator(schema).is_valid(json.loads(text)), text


@pytest.mark.parametrize(("items", "least"), [({"type": "string"}, 405), ({"type": "integer"}, 301)])
def test_the_least_budget_of_many_items_is_what_they_take(items: Any, least: int) -> None:
    """A hundred different strings take 4 bytes each, or 5, and integers less."""
    with pytest.raises(BudgetError) as refused:
        constraint({"type": "array", "items": items, "uniqueItems": True, "minItems": 100}, BYTES).matcher(max_tokens=1)
    assert refused.value.achievable is not None
    assert refused.value.achievable <= least


def test_threads_share_what_is_left() -> None:
    """Sixteen threads over one constraint get the masks that each gets alone."""
    bound = constraint({"type": "array", "items": {"type": "string"}, "uniqueItems": True}, BYTES)

    def masks(seed: int) -> list[bytes]:
        rng, matcher, found = random.Random(seed), bound.matcher(), []
        for _ in range(60):
            found.append(matcher.allowed_tokens().tobytes())
            token = rng.choice([token for token in matcher.allowed_tokens().tolist() if token < 256 and chr(token) in '[]",ab'] or [256])
            matcher.advance(token)
            if matcher.is_finished:
                break
        return found

    alone = [masks(seed) for seed in range(16)]
    bound = constraint({"type": "array", "items": {"type": "string"}, "uniqueItems": True}, BYTES)
    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(masks, range(16))) == alone


NODES = {
    "$defs": {"node": {"properties": {"a": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "integer"}]}}, "required": ["a"], "additionalProperties": False}},
    "type": "array",
    "items": {"type": "object", "$ref": "#/$defs/node"},
    "uniqueItems": True,
}


@pytest.mark.parametrize("schema", [{"type": "array", "uniqueItems": True}, NODES])
@pytest.mark.parametrize("levels", [19, 20, 21, 100, 1200])
def test_items_are_told_apart_however_deep_they_are(schema: Any, levels: int) -> None:
    """A deep item does not come twice, and nothing is stuck; deeper than 20 levels, what agrees with it so far is left out, too."""
    one = b'{"a":' * levels + b"1" + b"}" * levels
    matcher = constraint(schema, BYTES).matcher()
    assert takes(matcher, b"[" + one + b",")
    assert takes(matcher.copy(), one.replace(b"1", b"2")) == (levels <= 20)
    assert not takes(matcher, one.replace(b"1", b" 1.0"))
    end = matcher.shortest_bytes()
    assert end is not None
    assert takes(matcher, end)
    assert matcher.is_complete


@pytest.mark.parametrize(("one", "same", "other"), [
    ('{"x":%s}', '{"x":%s}', '{"y":%s}'),
    ('{"x":0,"y":%s}', '{"y": %s ,"x":0.0}', '{"x":1,"y":%s}'),
    ('["[",%s]', '["\\u005b", %s]', '["]",%s]'),
])  # fmt: skip
def test_deep_items_are_equal_however_they_are_spelled(one: str, same: str, other: str) -> None:
    """The order of members, spaces, escapes and spellings of numbers do not matter at any depth."""
    deep = "[" * 30 + "1" + "]" * 30
    matcher = constraint({"type": "array", "uniqueItems": True}, BYTES).matcher()
    assert takes(matcher, f"[{one % deep},".encode())
    assert not takes(matcher.copy(), (same % deep.replace("1", "1.0")).encode())
    assert takes(matcher, (other % deep).encode())


@pytest.mark.parametrize("n", [60, 400])
@pytest.mark.parametrize("kind", [list, dict])
def test_items_are_told_apart_however_many_parts_they_have(n: int, kind: type) -> None:
    """The same with many members, or many items."""
    one = json.dumps(list(range(n)) if kind is list else {f"k{i}": i for i in range(n)}).encode()
    matcher = constraint({"type": "array", "uniqueItems": True}, BYTES).matcher()
    assert takes(matcher, b"[" + one + b",")
    assert takes(matcher.copy(), one.replace(b"5", b"7", 1))
    assert not takes(matcher, one)
    end = matcher.shortest_bytes()
    assert end is not None
    assert takes(matcher, end)


def test_what_is_left_of_items_is_no_rule_of_other_grammars() -> None:
    """Numbers less "a" are numbers, which other grammars over the same vocabulary have as well: they tell nothing apart."""
    words = Vocabulary(BYTES.tokens, eos_ids=[256])
    first = constraint({"type": "array", "prefixItems": [{"enum": ["a", True]}], "items": {"type": "number"}, "uniqueItems": True}, words)
    assert takes(first.matcher(), b'["a",1')
    for name in "abcdefgh":
        numbers = {"type": "array", "items": {"type": "number"}, "minItems": 2}
        schema = {"type": "object", "properties": {name: {"type": "number"}, "z": numbers}, "required": [name, "z"]}
        matcher = constraint(schema, words).matcher()
        assert takes(matcher, b'{"%s":1,"z":[1,1]}' % name.encode())
        assert matcher.is_complete


def test_batches_are_filled_like_single_masks() -> None:
    """fill_masks tries what is in doubt, too."""
    rng = random.Random(5)
    words = vocabulary(rng)
    bound = constraint({"type": "array", "items": {"type": "string"}, "uniqueItems": True}, words)
    matchers = [bound.matcher() for _ in range(4)]
    for matcher, text in zip(matchers, (b'["a', b'["a","', b'["a","b"', b"["), strict=True):
        assert takes(matcher, text)
    rows = np.zeros((4, -(-len(words) // 32)), dtype=np.uint32)
    grammask.fill_masks(matchers, rows, threads=2)
    for matcher, row in zip(matchers, rows, strict=True):
        single = np.zeros(-(-len(words) // 32), dtype=np.uint32)
        matcher.fill_mask(single)
        assert (single == row).all()


def test_an_index_is_refused() -> None:
    """There is no end of states."""
    with pytest.raises(UnsupportedFeatureError, match="differ"):
        constraint({"type": "array", "items": {"type": "string"}, "uniqueItems": True}, BYTES).index()
