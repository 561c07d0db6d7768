"""The SGLang back end against the package's own base classes, without a server: that needs a GPU.

SGLang's wheel installs without its dependencies: `make test-vllm` brings it. Its settings, which a running server publishes, are stand-ins here.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sglang", reason="SGLang is not installed here; `make test-vllm` brings it")

from sglang.srt.constrained import base_grammar_backend as host  # noqa: E402

from grammask.integrations import sglang as ours  # noqa: E402

pytestmark = pytest.mark.vllm
TOKENIZER = Path(__file__).resolve().parents[1] / "data" / "byte-tokenizer.json"


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    from transformers import PreTrainedTokenizerFast

    return PreTrainedTokenizerFast(tokenizer_file=str(TOKENIZER), eos_token="</s>")  # noqa: S106  # a name


@pytest.fixture
def backend(tokenizer: Any) -> Any:
    return ours.GrammaskBackend(tokenizer, 264, {256})


def text(row: Any) -> str:
    ids = np.flatnonzero(np.unpackbits(row.numpy().view(np.uint8), bitorder="little"))
    return "".join(map(chr, ids)).replace("\u0100", "$")


def mask(one: Any) -> str:
    """What may come next."""
    rows = one.allocate_vocab_mask(264, 2, "cpu")
    one.fill_vocab_mask(rows, 1)
    assert (rows[0] == -1).all()
    return text(rows[1])


def ask(backend: Any, *key: str) -> Any:
    """A request's grammar, the way SGLang asks for one: first compiled by a thread, then copied from its cache."""
    value, known = backend.get_cached_or_future_value(key, False)
    if not known:
        value = value.result()
        backend.set_cache(key, value)
        value = value.copy()
    return value


@pytest.mark.parametrize(
    ("kind", "spec", "first"),
    [
        ("json", '{"enum": [12, 15]}', "1"),
        ("regex", "a|b", "ab"),
        ("ebnf", 'root ::= "x" | "y"', "xy"),
        ("full_assistant_ebnf", 'root ::= "x"', "x"),
        ("structural_tag", '{"type": "structural_tag", "format": {"type": "const_string", "value": "q"}}', "q"),
    ],
)
def test_every_kind_of_request_is_answered(backend: Any, kind: str, spec: str, first: str) -> None:
    """SGLang's own dispatch reaches our front ends; no method of its base classes is left that raises."""
    one = ask(backend, kind, spec)
    assert isinstance(one, host.BaseGrammarObject)
    assert mask(one) == first
    assert one.grammar_stats.compilation_time > 0


def test_any_json_and_older_tags(backend: Any) -> None:
    """What SGLang writes for a request of any JSON, and the structural tags of before."""
    assert "{" in mask(ask(backend, "json", "$$ANY$$"))
    older = {"structures": [{"begin": "<f>", "schema": {"const": 1}, "end": "</f>"}], "triggers": ["<f"]}
    one = ask(backend, "structural_tag", json.dumps(older))
    for byte in b"hi <f":
        one.accept_token(byte)
    assert mask(one) == ">"


def test_a_bad_request_is_an_invalid_object_with_the_reason(backend: Any) -> None:
    """SGLang ends such a request with this text, and remembers that it is bad."""
    one = ask_raw(backend, "json", '{"type": "strin"}')
    assert isinstance(one, host.InvalidGrammarObject)
    assert "/type" in one.error_message


def ask_raw(backend: Any, *key: str) -> Any:
    return backend.get_cached_or_future_value(key, False)[0].result()


def test_requests_have_positions_of_their_own(backend: Any) -> None:
    """Copies of what is in the cache do not move it, nor each other."""
    one = ask(backend, "regex", "abc")
    other = ask(backend, "regex", "abc")
    one.accept_token(ord("a"))
    assert (mask(one), mask(other), mask(ask(backend, "regex", "abc"))) == ("b", "a", "a")


def test_the_calls_for_a_tree_of_drafts(backend: Any) -> None:
    """SGLang walks a tree of drafts: accept, fill, go down, roll back one, next sibling; the end counts as a token."""
    one = ask(backend, "regex", "a(b|c)?")
    seen = [mask(one)]
    one.accept_token(ord("a"))
    seen.append(mask(one))
    for child in (ord("b"), ord("c"), 256):
        one.accept_token(child)
        seen.append("ended" if one.is_terminated() else mask(one))
        one.rollback(1)
    seen.append(mask(one))
    one.rollback(1)
    assert seen == ["a", "bc$", "$", "$", "ended", "bc$"]
    assert mask(one) == "a"


def test_a_refused_token_is_a_value_error(backend: Any) -> None:
    """SGLang catches ValueError there and ends that request; tokens behind the end are passed over."""
    one = ask(backend, "regex", "a")
    with pytest.raises(ValueError, match="not allowed"):
        one.accept_token(ord("x"))
    other = ask(backend, "regex", "a")
    for token_id in (ord("a"), 256, ord("z")):
        other.accept_token(token_id)
    assert other.is_terminated()


def test_rows_are_filled_at_once_and_applied(backend: Any) -> None:
    """The batched fill writes the rows it is told, in any order, and leaves the others; masks are applied to scores in place."""
    some, other = ask(backend, "regex", "ab"), ask(backend, "regex", "cd")
    rows = some.allocate_vocab_mask(264, 4, "cpu")
    type(some).fill_vocab_mask_batched([host.GrammarRow(3, some), host.GrammarRow(1, other)], rows)
    assert [text(rows[3]), text(rows[1])] == ["a", "c"]
    assert (rows[[0, 2]] == -1).all()
    scores = torch.randn(4, 264)
    before = scores.clone()
    host.GrammarMask(some, rows).apply(scores)
    assert (scores[[0, 2]] == before[[0, 2]]).all()
    assert torch.isfinite(scores[3]).nonzero().tolist() == [[ord("a")]]
    some.reset_vocab_mask(rows)
    assert (rows == -1).all()


def test_jumping_forward(backend: Any) -> None:
    """Text that must come is offered, and an output that was spelled anew is followed."""
    one = ask(backend, "json", '{"type": "object", "properties": {"name": {"const": 1}}, "required": ["name"], "additionalProperties": false}')
    one.accept_token(ord("{"))
    one.accept_token(ord('"'))
    helper = one.try_jump_forward(None)
    assert helper == ([], 'name"')
    new = list(b'{"name"')
    assert one.jump_forward_str_state(helper) == ('name"', -1)
    one.jump_and_retokenize(new[:2], new, -1)
    assert ":" in mask(one)
    assert ask(backend, "regex", "a|b").try_jump_forward(None) is None


def test_the_plugin_registers_a_choice(monkeypatch: pytest.MonkeyPatch, tokenizer: Any) -> None:
    """After SGLang called the plugin, `--grammar-backend grammask` is a choice, and it makes our back end; twice does no harm."""
    choices: list[str] = ["xgrammar"]
    arguments = SimpleNamespace(GRAMMAR_BACKEND_CHOICES=choices, add_grammar_backend_choices=choices.extend)
    monkeypatch.setitem(__import__("sys").modules, "sglang.srt.server_args", arguments)
    serving = SimpleNamespace(constrained_json_disable_any_whitespace=True, reasoning_parser=None, enable_strict_thinking=False)
    monkeypatch.setattr("sglang.srt.runtime_context.get_serving", lambda: serving)
    monkeypatch.setattr(host, "get_exec", lambda: SimpleNamespace(kernel=SimpleNamespace(grammar_backend="grammask")))
    ours.register()
    ours.register()
    assert choices == ["xgrammar", "grammask"]
    made = host.create_grammar_backend(None, tokenizer, 264, {256}, None)
    assert isinstance(made, ours.GrammaskBackend)
    one = ask(made, "json", '{"type": "array", "items": {"const": 1}}')
    one.accept_token(ord("["))
    assert mask(one) == "1]"
