"""The structural tags that vLLM writes for the tools of a request, one for each family of models it knows, are grammars here."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("vllm", reason="vLLM is not installed here; `make test-vllm` brings it")

from vllm.entrypoints.openai.chat_completion.protocol import ChatCompletionToolsParam
from vllm.tool_parsers import structural_tag_registry as registry

from grammask.frontends.structural_tag import StructuralTagOptions
from grammask.integrations.requested import grammar_of

pytestmark = pytest.mark.vllm

PARAMETERS: dict[str, Any] = {
    "type": "object",
    "properties": {"team": {"enum": ["storage", "network"]}, "minutes": {"type": "integer", "minimum": 1}, "note": {"type": "string"}},
    "required": ["team"],
    "additionalProperties": False,
}


@pytest.mark.parametrize("model", sorted(registry.SUPPORTED_STRUCTURAL_TAG_MODELS))
@pytest.mark.parametrize("choice", ["auto", "required"])
@pytest.mark.parametrize("reasoning", [False, True])
def test_tool_tags_of_every_family_are_read(model: str, choice: Any, reasoning: bool) -> None:
    """What vLLM sends to a back end for tools, automatic and required, with reasoning and without, is understood to the last key."""
    tools = [
        ChatCompletionToolsParam(type="function", function={"name": name, "strict": True, "parameters": PARAMETERS})  # type: ignore[arg-type]
        for name in ("page", "call")
    ]
    tag = registry.get_model_structural_tag(model=model, tools=tools, tool_choice=choice, reasoning=reasoning)
    assert grammar_of("structural_tag", tag.model_dump_json(), StructuralTagOptions()).kind == "structural_tag"
