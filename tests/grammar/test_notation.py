"""Grammars written out in GBNF and Lark, and read again."""

from __future__ import annotations

import importlib.util
import itertools
import random

import pytest

import grammask
from grammask.errors import EmptyLanguageError, GrammaskError, LimitError, UnsupportedFeatureError
from grammask.grammar.composing import free_text, token
from grammask.grammar.expression import Alt, And, Automaton, Chars, Expression, Literal, Not, Ref, Repeat, Rule, Seq, Text, Token, Unordered
from grammask.grammar.free_text import FreeText, Stop, marker
from grammask.grammar.grammar import Grammar, either, seq, text
from grammask.grammar.notation import outline as room
from grammask.grammar.notation.characters import character_graph
from grammask.grammar.utf8 import byte_automaton
from grammask.grammar.walk import bottom_up, rules_of

from .brute_force import language_of
from .random_grammars import random_expression, random_network

VOCABULARY = grammask.Vocabulary([*[bytes([byte]) for byte in range(256)], b"", b"", b"the ", b'": ', b"<th"], eos_ids=[256], specials={"<t>": 257})
HAS_LARK = importlib.util.find_spec("lark") is not None

TICKET = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "minLength": 1, "maxLength": 12},
        "code": {"type": "string", "pattern": "^[A-Z]{2}-\\d+$"},
        "n": {"type": "number", "minimum": -3, "exclusiveMaximum": 12.5},
        "tags": {"type": "array", "items": {"enum": ["a", 'é"', 1, None]}, "minItems": 1, "maxItems": 3},
        "more": {"$ref": "#"},
    },
    "required": ["title", "n"],
    "additionalProperties": False,
}  # fmt: skip
GRAMMARS = {
    "choice": grammask.choice(["yes", "no", 'a "quoted" one', "two\nlines", "back\\slash", "[^a-z]", "é\U0001f600\x00\x7f\u2028"]),
    "regex": grammask.regex(r"(?:[a-c]|\d){2,5}[^\s\]\\\"'/^-]*|x{0,3}"),
    "regex with lookahead": grammask.regex(r"(?!if\b|else\b)[a-z]{1,6}"),
    "ticket": grammask.json_schema(TICKET),
    "ticket, spaced": grammask.json_schema(TICKET, grammask.JsonSchemaOptions(whitespace="spaced")),
    "any JSON": grammask.json_schema(schema=True),
    "keys but some": grammask.json_schema({"properties": {"ab": {"type": "null"}}, "additionalProperties": {"type": "boolean"}, "type": "object"}),
    "free text": seq(free_text(until=["</think>", "\n\n"]), "."),
    "free text without": free_text(without=["ab", "é"]),
    "left recursion": grammask.gbnf('root ::= e\ne ::= e "+" t | t\nt ::= [0-9]+ | "(" e ")"'),
    "list": text("a").repeat(1, 4, separator=", "),
    "tokens": grammask.gbnf('root ::= <t> !<t>* (!<t> | "x" <t>)+ <[257]> "y"'),
}
COMMON = {*b'{}[]",:0123tfn abxyT', 257, 258, 259, 260}


def token_texts(vocabulary: grammask.Vocabulary, grammar: Grammar, n: int, seed: int) -> list[list[int]]:
    """Outputs out of random allowed tokens, completed after some."""
    draw = random.Random(seed)
    matcher = grammask.compile(grammar, vocabulary).matcher()
    found = []
    for _ in range(n):
        matcher.reset()
        taken: list[int] = []
        for _ in range(draw.randint(0, 40)):
            allowed = [token_id for token_id in matcher.allowed_tokens().tolist() if token_id != 256]
            if not allowed:
                break
            common = [token_id for token_id in allowed if token_id in COMMON]
            taken.append(draw.choice(common if common and draw.random() < 0.8 else allowed))
            matcher.advance(taken[-1])
        rest = matcher.shortest_completion()
        if rest is not None:
            found.append(taken + rest)
    return found


def refused(grammar: Grammar, outputs: list[list[int]]) -> list[bytes]:
    """The outputs that are not complete texts."""
    matcher = grammask.compile(grammar, VOCABULARY).matcher()
    wrong = []
    for output in outputs:
        matcher.reset()
        if matcher.draft(output) == len(output):
            for token_id in output:
                matcher.advance(token_id)
            if matcher.is_complete:
                continue
        wrong.append(VOCABULARY.decode(output))
    return wrong


@pytest.mark.parametrize("name", GRAMMARS)
def test_what_is_written_in_gbnf_is_read_as_the_same(name: str) -> None:
    """Random texts of the grammar are texts of its GBNF, and the other way round."""
    grammar = GRAMMARS[name]
    again = grammask.gbnf(grammar.to_gbnf())
    assert refused(again, token_texts(VOCABULARY, grammar, 40, seed=1)) == []
    assert refused(grammar, token_texts(VOCABULARY, again, 40, seed=2)) == []


@pytest.mark.parametrize("seed", range(120))
def test_random_expressions_are_written_in_gbnf_exactly(seed: int) -> None:
    """All short strings: those of the expression are those of its GBNF; what has no string at all is refused."""
    draw = random.Random(seed)
    expression = random_network(draw) if seed % 3 else random_expression(draw, [], 3)
    language = language_of(expression, 5)
    try:
        written = Grammar(expression).to_gbnf()
    except EmptyLanguageError:
        assert not language_of(expression, 8)
        return
    except UnsupportedFeatureError:
        assert has_counted_members(expression)
        return
    assert language_of(grammask.gbnf(written).expression, 5) == language, written


@pytest.mark.skipif(not HAS_LARK, reason="the package lark is not installed")
@pytest.mark.parametrize("seed", range(45))
def test_random_expressions_are_written_for_lark_exactly(seed: int) -> None:
    """All short strings are judged by Lark's own Earley parser, with the lexer that the text names."""
    import lark

    draw = random.Random(seed)
    expression = random_network(draw) if seed % 3 else random_expression(draw, [], 3)
    language = language_of(expression, 3)
    if not language_of(expression, 7):
        return
    try:
        written = Grammar(expression).to_lark()
    except UnsupportedFeatureError:
        assert has_counted_members(expression)
        return
    parser = lark.Lark(written, parser="earley", lexer="dynamic")
    for word in ("".join(word) for length in range(4) for word in itertools.product("abc", repeat=length)):
        assert lark_accepts(parser, word) == (word.encode() in language), (word, written)


def has_counted_members(root: Expression) -> bool:
    """Whether members in any order are counted beside others, which no notation is given for."""
    bodies = [root, *(rule.body for rule in rules_of(root))]
    return any(isinstance(node, Unordered) and node.rest is not None and (node.minimum > 1 or node.maximum is not None) for node in bottom_up(bodies))


def lark_accepts(parser, word: str) -> bool:  # type: ignore[no-untyped-def]
    import lark

    try:
        parser.parse(word)
    except lark.exceptions.UnexpectedInput:
        return False
    return True


@pytest.mark.skipif(not HAS_LARK, reason="the package lark is not installed")
@pytest.mark.parametrize("name", [name for name in GRAMMARS if name not in ("tokens", "any JSON", "ticket, spaced")])
def test_what_is_written_for_lark_is_parsed_by_lark(name: str) -> None:
    """Random texts of the grammar, with every kind of character, and the same texts with a character taken out."""
    import lark

    grammar = GRAMMARS[name]
    parser = lark.Lark(grammar.to_lark(), parser="earley", lexer="dynamic")
    draw = random.Random(3)
    for output in token_texts(VOCABULARY, grammar, 3 if name == "ticket" else 12, seed=4):
        word = VOCABULARY.decode(output).decode()
        assert lark_accepts(parser, word), word
        at = draw.randrange(len(word) + 1)
        shorter = word[:at] + word[at + 1 :]
        assert lark_accepts(parser, shorter) == (not refused(grammar, [list(shorter.encode())])), shorter


def test_gbnf_is_written_to_be_read() -> None:
    """Names of the author, sets and signs as one writes them, long alternatives over lines that llama.cpp takes too."""
    grammar = grammask.gbnf('root ::= greeting ("," " "? name)* | the_end{2,3}\ngreeting ::= "hello" | "hi"\nname ::= [A-Z] [^"\\n]+\nthe_end ::= "\\t"')
    assert grammar.to_gbnf().splitlines() == [
        'root ::= greeting ("," " "? name)* | the-end{2,3}',
        'greeting ::= "hello" | "hi"',
        'name ::= [A-Z] [^\\n"]+',
        'the-end ::= "\\t"',
    ]  # fmt: skip
    assert grammar.to_lark().splitlines()[1:] == [
        'start: greeting ("," " "? name)* | root_times',
        'greeting: "hello" | "hi"',
        'name: /[A-Z]/ /[^\\n"]/+',
        "root_times: (the_end ~ 2..3)",
        'the_end: "\\t"',
    ]
    wide = grammask.choice([f"alternative number {number}" for number in range(9)]).to_gbnf()
    assert wide.splitlines()[0] == 'root ::= "alternative number 0" |'


def test_parts_used_again_become_rules() -> None:
    """So a text is about as long as the expression is large, whatever it shares."""
    part: Expression = Alt([Literal(b"abcdefghijklmnopqrstuvwxyz"), Chars([(48, 57)])])
    for _ in range(40):
        part = Seq([part, Literal(b"-"), part])
    assert len(Grammar(part).to_gbnf()) < 5_000


def test_depth_is_no_trouble() -> None:
    """Parts within parts by the thousand, and long automata."""
    part: Expression = Literal(b"a")
    for _ in range(5_000):
        part = Alt([Seq([Literal(b"b"), part]), Literal(b"c")])
    written = Grammar(part).to_gbnf()
    assert refused(grammask.gbnf(written), [list(b"b" * 4_999 + b"c"), list(b"c")]) == []
    word = "x" * 3_000
    assert refused(grammask.gbnf(Grammar(And([Literal(word.encode()), Not(Literal(b"y"))])).to_gbnf()), [list(word.encode())]) == []


def test_what_cannot_be_completed_is_left_out() -> None:
    """Rules without an exit that were pruned are not written, for a reader would refuse them."""
    dead = Rule("dead", prunable=True)
    dead.body = Seq([Literal(b"x"), Ref(dead)])
    written = Grammar(Alt([Seq([Literal(b"a"), Repeat(Ref(dead))]), Ref(dead)])).to_gbnf()
    assert written == 'root ::= "a"\n'
    with pytest.raises(EmptyLanguageError):
        Grammar(Ref(dead)).to_gbnf()


@pytest.mark.parametrize(
    ("expression", "in_gbnf", "in_lark"),
    [
        (Literal(b"\xff"), "the bytes b'\\xff'", "the bytes b'\\xff'"),
        (Automaton([(0, 1, 128, 255)], [1]), "a language of bytes", "a language of bytes"),
        (Token(["<t>"]), None, "special tokens in Lark's notation"),
        (Token(["[TOOL]"]), "the special token '[TOOL]' in GBNF", "special tokens"),
        (Token(["<t>"], but=True), "all special tokens but some", "special tokens"),
        (Repeat(Alt([Token(["<t>", "<u>"], but=True), Chars([(0, 0x10FFFF)])])), "all special tokens but some", "special tokens"),
        (FreeText([Stop("é".encode(), 1)]), "the stop b'\\xc3'", "the stop b'\\xc3'"),
    ],
    ids=["bytes", "automaton of bytes", "token", "token without brackets", "tokens but one", "tokens but two", "half a character"],
)
def test_what_a_notation_cannot_say_is_named(expression: Expression, in_gbnf: str | None, in_lark: str | None) -> None:
    """Never a grammar that is silently another one."""
    for write, feature in ((Grammar(expression).to_gbnf, in_gbnf), (Grammar(expression).to_lark, in_lark)):
        if feature is None:
            write()
            continue
        with pytest.raises(UnsupportedFeatureError) as raised:
            write()
        assert feature in raised.value.feature


@pytest.mark.parametrize("seed", range(30))
def test_automata_of_bytes_are_read_as_characters(seed: int) -> None:
    """A set of characters, spelled in UTF-8 and read back, is the set; a loop over it is a loop."""
    draw = random.Random(seed)
    tops = [0x7F, 0x7FF, 0xFFFF, 0x10FFFF]
    chars = Chars(
        [(low, min(low + draw.choice([0, 1, 30, 5_000]), 0x10FFFF)) for low in [draw.randrange(draw.choice(tops)) for _ in range(draw.randint(1, 6))]]
    )
    _, edges = byte_automaton(chars)
    (edge,) = character_graph(Automaton(edges, [1])).edges
    assert edge == (0, 1, chars)
    looped = character_graph(Automaton([*edges, *[(1, target, low, high) for source, target, low, high in edges if source == 0]], [1]))
    assert sorted(looped.edges, key=lambda edge: edge[0]) == [(0, 1, chars), (1, 1, chars)]


@pytest.mark.parametrize(
    "bytes_",
    [(b"\x80",), (b"\xc3",), (b"\xc0\x80",), (b"\xe0\x80\x80",), (b"\xed\xa0\x80",), (b"\xf4\x90\x80\x80",), (b"\xff",), (b"\xc3a",), (b"\xc3\xa9", b"\xc3")],
)
def test_bytes_that_are_no_characters_are_named(bytes_: tuple[bytes, ...]) -> None:
    """Continuations alone, halves, overlong forms, surrogates, what lies beyond Unicode."""
    edges, ends, n_nodes = [], [], 1
    for word in bytes_:
        at = 0
        for byte in word:
            edges.append((at, n_nodes, byte, byte))
            at, n_nodes = n_nodes, n_nodes + 1
        ends.append(at)
    with pytest.raises(UnsupportedFeatureError, match="no text in UTF-8"):
        Grammar(Automaton(edges, ends)).to_gbnf()


def test_strings_with_everything_are_written_out() -> None:
    """Pattern, lengths and excluded strings of a JSON string, in every spelling."""
    inside = Text(Repeat(Chars([(97, 99), (0xE9, 0xE9)])), 1, 2, frozenset(["ab", "c"]))
    written = grammask.gbnf(Grammar(inside).to_gbnf())
    good = ["a", "aa", "é", "\\u00e9", "\\u00E9b", "ba", "\\u0061"]
    bad = ["", "ab", "c", "\\u0061b", "\\u0063", "aaa", "d"]
    assert refused(written, [list(f'{word}"'.encode()) for word in good]) == []
    assert len(refused(written, [list(f'{word}"'.encode()) for word in bad])) == len(bad)


def test_markers_are_written_as_texts() -> None:
    """What special tokens a vocabulary has for them is for the reader of the text."""
    assert Grammar(seq(Grammar(marker("<t>")), "a").expression).to_gbnf() == 'root ::= "<t>a"\n'
    again = grammask.gbnf(either(Grammar(FreeText([Stop(b"<a>", 1, Literal(b"x"), again=True)])), "-").to_gbnf())
    texts = [b"ab", b"ab<a>xc", b"<a>x<a>x", b"-", b""]
    assert refused(again, [list(word) for word in texts]) == []
    assert len(refused(again, [list(b"a<"), list(b"<a>"), list(b"<b>x")])) == 3


def test_what_would_be_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a limit on symbols, before they are written."""
    monkeypatch.setattr(room, "MAX_SIZE", 100)
    with pytest.raises(LimitError, match="written out"):
        grammask.json_schema(TICKET).to_gbnf()


def test_tokens_by_name_and_id_are_written() -> None:
    """As llama.cpp writes them."""
    assert seq(token("<t>"), token(3), "x").to_gbnf() == 'root ::= <t> <[3]> "x"\n'


def test_every_error_is_one_of_ours() -> None:
    """Random networks of everything that expressions can be: a text, or a typed error."""
    for seed in range(60):
        draw = random.Random(seed)
        expression = Alt([random_network(draw), Not(Literal(b"a")), And([Repeat(Chars([(97, 98)])), Not(Literal(b"ab"))])])
        try:
            assert Grammar(expression).to_gbnf()
        except GrammaskError:
            continue


def test_members_in_any_order_are_written_out() -> None:
    """Up to eight members, each once and with the required ones, as a rule for each set of them; more are refused by name."""
    schema = {"type": "object", "properties": {"a": {"const": 1}, "b": {"const": 2}, "c": {"const": 3}}, "required": ["b"], "additionalProperties": False}
    options = grammask.JsonSchemaOptions(whitespace="compact", property_order="any")
    again = grammask.gbnf(grammask.json_schema(schema, options).to_gbnf())
    accepted = ['{"b":2}', '{"c":3,"b":2}', '{"b":2,"a":1,"c":3}', '{"c":3,"a":1,"b":2}']
    rejected = ["{}", '{"a":1}', '{"b":2,"b":2}', '{"a":1,"c":3}']
    assert refused(again, [list(text.encode()) for text in accepted]) == []
    assert refused(again, [list(text.encode()) for text in rejected]) == [text.encode() for text in rejected]
    many = {"type": "object", "properties": {f"p{number}": {} for number in range(9)}, "additionalProperties": False}
    with pytest.raises(UnsupportedFeatureError, match="in any order"):
        grammask.json_schema(many, options).to_gbnf()


def test_a_choice_that_stands_in_many_places_is_written_once() -> None:
    """Equal enums, beside each other or in several members, leave no more text than one of them."""
    names = [f"value {number}" for number in range(40)]
    beside = grammask.json_schema({"anyOf": [{"enum": [*names, f"last {number}"]} for number in range(30)]}).to_gbnf()
    assert [beside.count(f'"\\"{name}\\""') for name in names] == [1] * 40
    members = {f"p{number}": {"enum": names} for number in range(20)}
    apart = grammask.json_schema({"type": "object", "properties": members, "additionalProperties": False}).to_gbnf()
    assert max(apart.count(f'"\\"{name}\\""') for name in names) == 1
