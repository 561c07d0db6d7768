"""The OpenAI SDK, unmodified, against vLLM with grammask in it: a pydantic class, a tool, a stream, and what else vLLM takes.

GRAMMASK_VLLM=1 vllm serve MODEL --enable-auto-tool-choice --tool-call-parser hermes --tool-strict-level parameter
python examples/vllm/openai_client.py http://localhost:8000/v1
"""

from __future__ import annotations

import json
import sys
from typing import Annotated, Literal

from openai import BadRequestError, OpenAI
from pydantic import BaseModel, Field


class Ticket(BaseModel):
    title: Annotated[str, Field(max_length=40)]
    severity: Literal["low", "high"]
    affected: Annotated[int, Field(ge=0, le=99)]


TOOL = {
    "type": "function",
    "function": {
        "name": "page",
        "description": "Call somebody at night.",
        "parameters": {
            "type": "object",
            "properties": {"team": {"enum": ["storage", "network"]}, "minutes": {"type": "integer", "minimum": 1, "maximum": 60}},
            "required": ["team", "minutes"],
            "additionalProperties": False,
        },
    },
}


def main(base_url: str) -> None:
    """Print what comes back; every line of it obeys what was asked for."""
    client = OpenAI(base_url=base_url, api_key="none", max_retries=0)
    model = client.models.list().data[0].id
    messages = [{"role": "user", "content": "The disk of server 7 is full and nobody can log in."}]
    common = {"model": model, "messages": messages, "max_tokens": 200, "temperature": 0}

    parsed = client.chat.completions.parse(response_format=Ticket, **common)
    print("parsed:", repr(parsed.choices[0].message.parsed))

    with client.chat.completions.stream(response_format=Ticket, **common) as stream:
        pieces = [event.delta for event in stream if event.type == "content.delta"]
    print("streamed:", len(pieces), "pieces,", repr(Ticket.model_validate_json("".join(pieces))))

    for choice in ({"type": "function", "function": {"name": "page"}}, "required"):
        called = client.chat.completions.create(tools=[TOOL], tool_choice=choice, **common).choices[0].message.tool_calls[0].function
        print("tool:", called.name, json.loads(called.arguments))

    for wish in ({"choice": ["yes", "no"]}, {"regex": "[A-Z]{3}-[0-9]{4}"}, {"grammar": 'root ::= "disk " ("full" | "empty")'}):
        answer = client.chat.completions.create(extra_body={"structured_outputs": wish}, **common).choices[0].message.content
        print(next(iter(wish)) + ":", answer)

    request = json.dumps({"json_schema": Ticket.model_json_schema(), "fit_max_tokens": True})
    answer = client.chat.completions.create(extra_body={"vllm_xargs": {"grammask": request}}, **common).choices[0].message.content
    print("one request:", repr(Ticket.model_validate_json(answer)))

    try:
        client.chat.completions.create(extra_body={"structured_outputs": {"json": {"type": "strin"}}}, **common)
    except BadRequestError as error:
        print("refused:", error.status_code, error.body["message"])


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8000/v1")
