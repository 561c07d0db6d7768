"""instructor, unmodified, against vLLM with grammask in it: no retries are needed, because the first answer obeys the class.

GRAMMASK_VLLM=1 vllm serve MODEL
python examples/vllm/instructor_client.py http://localhost:8000/v1
"""

from __future__ import annotations

import sys
from typing import Annotated, Literal

import instructor
from openai import OpenAI
from pydantic import BaseModel, ConfigDict, Field


class Reply(BaseModel):
    model_config = ConfigDict(extra="forbid")  # or JSON Schema lets the model add members of its own, without end

    mood: Literal["calm", "angry"]
    summary: Annotated[str, Field(max_length=60)]


def main(base_url: str) -> None:
    """Print an object of the class, made from JSON and from a tool call."""
    plain = OpenAI(base_url=base_url, api_key="none", max_retries=0)
    model = plain.models.list().data[0].id
    for mode in (instructor.Mode.JSON_SCHEMA, instructor.Mode.TOOLS):
        client = instructor.from_openai(plain, mode=mode)
        reply = client.chat.completions.create(
            model=model,
            response_model=Reply,
            max_retries=0,
            max_tokens=200,
            temperature=0,
            messages=[{"role": "user", "content": "I have been waiting for three weeks!"}],
        )
        print(f"{mode.name}:", repr(reply))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8000/v1")
