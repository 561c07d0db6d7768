"""What type checkers must see of the public names. Never run: `make check` has mypy read it."""

from typing import assert_type

import grammask


def a_step(tokens: list[bytes], logits: list[float]) -> None:
    """Compile, mask, draw, advance."""
    vocabulary = grammask.Vocabulary(tokens, eos_ids=[1])
    constraint = grammask.compile(grammask.regex("a"), vocabulary)
    assert_type(constraint, grammask.Constraint)
    matcher = constraint.matcher(max_tokens=10)
    assert_type(matcher, grammask.Matcher)
    assert_type(matcher.copy(), grammask.Matcher)
    assert_type(matcher.is_complete, bool)
    assert_type(matcher.count(), int)
    assert_type(matcher.forced_bytes(), bytes)
    assert_type(matcher.shortest_completion(), list[int] | None)
    assert_type(constraint.index_forecast(), grammask.IndexForecast)
    assert_type(constraint.index(), grammask.Index)
    assert_type(constraint.index().next_state(0, 0), int)


def compose() -> None:
    """Grammars give grammars."""
    assert_type(grammask.json_schema({"type": "integer"}), grammask.Grammar)
    assert_type(grammask.choice(["a", "b"]), grammask.Grammar)
    assert_type(grammask.seq("a", grammask.regex("b")).repeat(1, 2), grammask.Grammar)
    assert_type(grammask.gbnf('root ::= "a"', options=grammask.GbnfOptions()), grammask.Grammar)
    assert_type(grammask.free_text(until=["</a>", grammask.token(3)]).capture("text"), grammask.Grammar)
    assert_type(grammask.join(", ", ["a", grammask.choice(["b"])]).to_gbnf(), str)
    assert_type(grammask.choice(["a"]).capture("x").captures("a")["x"].span, tuple[int, int])


def ask() -> None:
    """A model answers with a result, at once or piece by piece."""
    with grammask.load_model() as model:
        assert_type(model.generate("hello", grammask.choice(["a"])), grammask.Result)
        for piece in model.stream("hello"):
            assert_type(piece, str)
    chat = grammask.from_transformers(object(), object(), n_ctx=512)
    assert_type(chat.generate("hello", grammask.choice(["a"])), grammask.Result)
