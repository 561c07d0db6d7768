"""States that take nearly every character (free text, strings written out as rules) against the twin, over a real vocabulary."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from grammask.grammar.expression import EMPTY, NOTHING, Alt, Chars, Expression, Literal, Ref, Repeat, Rule, Seq, Token, either
from grammask.grammar.free_text import FreeText, Stop, marker
from grammask.grammar.lower import lower

from .kernels import Kernel
from .laws import mask_of
from .scale import n_cases
from .test_real_vocabulary import llama3_tokens

QUOTED = Seq((Literal(b'"'), Repeat(Chars([(0x20, 0x21), (0x23, 0x10FFFF)])), Literal(b'"')))
NOT_LESS = Chars([(0x09, 0x0A), (0x20, 0x3B), (0x3D, 0x10FFFF)])


def until(text: str, then: Expression = EMPTY, *, again: bool = False) -> Stop:
    return Stop(text.encode(), len(text.encode()), then, again)


def calling_itself() -> Expression:
    """Free text in a rule that is its own callee: it completes in the middle of tokens, for its caller."""
    rule = Rule("nested")
    rule.body = Seq((Literal(b"("), FreeText([until(")", NOTHING), until("(", NOTHING)]), Alt((Ref(rule), EMPTY)), Literal(b")")))
    return Seq((Repeat(Ref(rule)), FreeText([until("(", NOTHING)])))


NAMES = [f"{verb}_{noun}{number}" for verb in ("get", "set", "list") for noun in ("user", "item", "order", "note") for number in range(9)]

GRAMMARS: dict[str, Expression] = {
    "any text": FreeText(),
    "a marker in a loop": FreeText([until("<tool_call>", Seq((QUOTED, marker("</tool_call>"))), again=True)]),
    "a marker of letters": FreeText([until("functools[", Literal(b"]"))]),
    "a marker beyond ASCII": FreeText([until("<｜tool▁calls▁begin｜>", Literal(b"x")), until("東京")]),
    "excluded texts": FreeText([until("</think>", NOTHING), Stop(b"\n\n", 2, None), Stop("é".encode(), 2, None)]),
    "a called rule that ends at a mark": Seq((Repeat(Ref(Rule("thought", Seq((FreeText([Stop(b"</t>", 4, None)]), Literal(b"</t>")))))), Literal(b"!"))),
    "a called rule that ends anywhere": Seq((Ref(Rule("words", Repeat(NOT_LESS, 1))), Alt((Literal(b"<"), Literal(b"</end>"))))),
    "a call at any place": Seq((FreeText([Stop(b"<", 1, None)]), Ref(Rule("quoted", QUOTED)), Literal(b";"))),
    "strings written out": Repeat(either(QUOTED, Literal(b","), Literal(b" "))),
    "a rule that calls itself": calling_itself(),
    "many stops": FreeText([until(f"<function={name}>", Literal(b"{}"), again=True) for name in NAMES]),
    "special tokens for text": Repeat(either(FreeText(), Token((len(llama3_tokens()) - 4,)))),
    "bounded text": Seq((Repeat(Chars([(0x20, 0x10FFFF)]), 0, 3), Literal(b"\n"))),
}

TEXTS = [
    'I will <b>look</b> < it up: <tool_call>"a b"</tool_call> and <tool_call>"',
    "call functools functools[]",
    "naïve 東京 <｜tool▁calls▁begin｜>x",
    '(well (so (it))goes)then "quoted";',
    "a thought</t>another</t>!",
    '"one","two" "thr\\ee" </end>',
    "use <function=get_user3>{}<function=set_item0>{} <function=",
    "ab\ncd\n\n",
]


def spelled(tokens: list[bytes], text: bytes, chance: Random) -> list[int]:
    """Ids that spell a text: long tokens mostly, sometimes short ones."""
    ids = {token: number for number, token in enumerate(tokens) if token}
    found, at = [], 0
    while at < len(text):
        lengths = [length for length in range(min(12, len(text) - at), 0, -1) if text[at : at + length] in ids]
        length = lengths[0] if chance.random() < 0.7 else chance.choice(lengths)
        found.append(ids[text[at : at + length]])
        at += length
    return found


@pytest.fixture(scope="module")
def stores() -> tuple[Any, Any]:
    """The real vocabulary in a store of each kernel."""
    tokens = llama3_tokens()
    kernels = Kernel("reference"), Kernel("compiled")
    return kernels[0].module.Store(tokens, [len(tokens) - 2]), kernels[1].module.Store(tokens, [len(tokens) - 2])


@pytest.mark.parametrize("name", GRAMMARS)
def test_masks_of_wide_states_equal_those_of_the_twin(name: str, reference: Kernel, compiled: Kernel, stores: tuple[Any, Any]) -> None:
    """Along texts that meet the markers, in tokens of all lengths, as far as the grammar takes them, then along random tokens."""
    tokens, chance = llama3_tokens(), Random(name)
    end = [len(tokens) - 2]
    root = lower(GRAMMARS[name])
    bounds = reference.bind(root, tokens, end, store=stores[0]), compiled.bind(lower(GRAMMARS[name]), tokens, end, store=stores[1])
    for text in TEXTS[: n_cases(len(TEXTS), len(TEXTS))]:
        twin, matcher = reference.module.Matcher(bounds[0]), compiled.module.Matcher(bounds[1])
        taken: list[bytes] = []
        for token in [*spelled(tokens, text.encode(), chance), -1, -1]:
            different = sorted(set(twin.allowed_tokens().tolist()) ^ set(matcher.allowed_tokens().tolist()))
            assert mask_of(matcher).tobytes() == mask_of(twin).tobytes(), f"{[tokens[i] for i in different[:9]]} after {taken}"
            onward = [token_id for token_id in twin.allowed_tokens().tolist() if token_id not in end]
            if not onward:
                break
            chosen = token if token in onward else chance.choice(onward)
            taken.append(tokens[chosen])
            twin.advance(chosen)
            matcher.advance(chosen)


@pytest.mark.parametrize("name", ["a marker in a loop", "excluded texts", "strings written out"])
def test_masks_of_wide_states_are_right_where_tokens_do_not_spell_everything(name: str, reference: Kernel, compiled: Kernel) -> None:
    """A vocabulary without tokens for some single bytes: a token may not end where no other could go on."""
    tokens = [token for token in llama3_tokens()[:3000] if token not in {b"<", b"t", b'"', b"\xe6"}] + [b""]
    end, chance = [len(tokens) - 1], Random(name)
    bounds = reference.bind(lower(GRAMMARS[name]), tokens, end), compiled.bind(lower(GRAMMARS[name]), tokens, end)
    for _ in range(4):
        twin, matcher = reference.module.Matcher(bounds[0]), compiled.module.Matcher(bounds[1])
        for _ in range(6):
            assert mask_of(matcher).tobytes() == mask_of(twin).tobytes()
            onward = [token_id for token_id in twin.allowed_tokens().tolist() if token_id not in end]
            marked = [token_id for token_id in onward if set(tokens[token_id]) & set(b'<t">')]
            token_id = chance.choice(marked if marked and chance.random() < 0.6 else onward)
            twin.advance(token_id)
            matcher.advance(token_id)
