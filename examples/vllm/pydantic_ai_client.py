"""Pydantic AI, unmodified, against vLLM with grammask in it.

GRAMMASK_VLLM=1 vllm serve MODEL --enable-auto-tool-choice --tool-call-parser hermes --tool-strict-level parameter
python examples/vllm/pydantic_ai_client.py http://localhost:8000/v1
"""

from __future__ import annotations

import sys
from typing import Annotated, Literal

from openai import OpenAI
from pydantic import BaseModel, Field
from pydantic_ai import Agent, NativeOutput, ToolOutput
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider


class Order(BaseModel):
    item: Annotated[str, Field(max_length=30)]
    size: Literal["small", "large"]
    number: Annotated[int, Field(ge=1, le=9)]


def main(base_url: str) -> None:
    """Print an object of the class, made from JSON and from a tool call."""
    name = OpenAI(base_url=base_url, api_key="none").models.list().data[0].id
    model = OpenAIChatModel(name, provider=OpenAIProvider(base_url=base_url, api_key="none"))
    for output in (NativeOutput(Order), ToolOutput(Order)):
        agent = Agent(model, output_type=output, model_settings={"max_tokens": 200, "temperature": 0}, retries=0)
        print(f"{type(output).__name__}:", repr(agent.run_sync("Two large pizzas, please.").output))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8000/v1")
