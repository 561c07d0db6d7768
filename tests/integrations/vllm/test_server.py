"""vLLM's server with grammask in it, spoken to by clients that know nothing of it: the examples are run as they are."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("vllm", reason="vLLM is not installed here; `make test-vllm` brings it")
pytest.importorskip("openai")

pytestmark = pytest.mark.vllm
ROOT = Path(__file__).resolve().parents[3]
START_SECONDS = 300


@pytest.fixture(scope="module")
def base_url(model_folder: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server's address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("server") / "log"
    command = [sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", model_folder, "--host", "127.0.0.1", "--port", str(port)]
    command += ["--max-model-len", "1024", "--max-num-seqs", "16", "--enforce-eager", "--dtype", "float32"]
    command += ["--enable-auto-tool-choice", "--tool-call-parser", "hermes", "--tool-strict-level", "parameter"]
    environment = os.environ | {"GRAMMASK_VLLM": "1", "GRAMMASK_VLLM_OPTIONS": '{"json": {"whitespace": "compact"}}'}
    with log.open("wb") as out, subprocess.Popen(command, env=environment, stdout=out, stderr=subprocess.STDOUT) as server:
        try:
            _wait(f"http://127.0.0.1:{port}/health", server, log)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()
            try:
                server.wait(30)
            except subprocess.TimeoutExpired:
                server.kill()


def _wait(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(1)
    pytest.fail(f"the server did not start:\n{log.read_text(errors='replace')[-3000:]}")


def post(base_url: str, **body: Any) -> tuple[int, dict[str, Any]]:
    """Status and answer of one request for a chat completion."""
    body = {"model": _model(base_url), "messages": [{"role": "user", "content": "Say something."}], "max_tokens": 60, "temperature": 0} | body
    request = urllib.request.Request(f"{base_url}/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def _model(base_url: str) -> str:
    with urllib.request.urlopen(f"{base_url}/models", timeout=30) as answer:
        return str(json.load(answer)["data"][0]["id"])


def run(example: str, base_url: str) -> str:
    """What an example prints."""
    command = [sys.executable, str(ROOT / "examples" / "vllm" / example), base_url]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_the_openai_sdk(base_url: str) -> None:
    """parse with pydantic, a stream, named and required tools, vLLM's own kinds, one request by extra arguments, and a refusal."""
    printed = run("openai_client.py", base_url)
    assert re.search(r"^parsed: Ticket\(", printed, re.M)
    assert re.search(r"^streamed: \d+ pieces, Ticket\(", printed, re.M)
    assert len(re.findall(r"^tool: page \{'team': '(?:storage|network)', 'minutes': \d+\}", printed, re.M)) == 2
    assert re.search(r"^choice: (yes|no)$", printed, re.M)
    assert re.search(r"^regex: [A-Z]{3}-[0-9]{4}$", printed, re.M)
    assert re.search(r"^grammar: disk (full|empty)$", printed, re.M)
    assert re.search(r"^one request: Ticket\(", printed, re.M)
    assert re.search(r"^refused: 400 .*/type", printed, re.M)


def test_instructor(base_url: str) -> None:
    """Objects of a class from the first answer, by JSON and by a tool call."""
    pytest.importorskip("instructor")
    printed = run("instructor_client.py", base_url)
    assert re.search(r"^JSON_SCHEMA: Reply\(", printed, re.M)
    assert re.search(r"^TOOLS: Reply\(", printed, re.M)


def test_pydantic_ai(base_url: str) -> None:
    """Objects of a class, by JSON and by a tool call."""
    pytest.importorskip("pydantic_ai")
    printed = run("pydantic_ai_client.py", base_url)
    assert re.search(r"^NativeOutput: Order\(", printed, re.M)
    assert re.search(r"^ToolOutput: Order\(", printed, re.M)


BAD: tuple[tuple[dict[str, Any], str], ...] = (
    ({"response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "strin"}}}}, "/type"),
    ({"response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": {"allOf": [{"type": "null"}, {"type": "string"}]}}}}, "match"),
    ({"response_format": {"type": "structural_tag", "format": {"type": "nonsense"}}}, "structural_tag"),
    ({"structured_outputs": {"regex": "(a"}}, "not closed"),
    ({"structured_outputs": {"grammar": "root ::= root"}}, "no way out"),
    ({"structured_outputs": {"json": {"type": "string", "format": "no-such", "minLength": 10**12}}}, ""),
    ({"vllm_xargs": {"grammask": '{"regx": "a"}'}}, "regx"),
    ({"vllm_xargs": {"grammask": "{"}}, "JSON"),
)


def test_bad_requests_are_400_and_harm_nobody(base_url: str) -> None:
    """Among good requests, each bad one is its client's error, with the reason; the good ones are answered."""
    good = {"response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "integer", "minimum": 0, "maximum": 9}}}}
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda body: post(base_url, **body), [each for body, _ in BAD for each in (body, good)]))
    assert [status for status, _ in answers[1::2]] == [200] * len(BAD)
    for (status, answer), (_, said) in zip(answers[::2], BAD, strict=True):
        assert status == 400
        assert said in answer["error"]["message"]


def test_response_formats(base_url: str) -> None:
    """json_object and structural_tag."""
    status, answer = post(base_url, response_format={"type": "json_object"}, max_tokens=300)
    assert status == 200
    if answer["choices"][0]["finish_reason"] == "stop":
        assert isinstance(json.loads(answer["choices"][0]["message"]["content"]), dict)
    tag = {"type": "sequence", "elements": [{"type": "const_string", "value": "<n>"}, {"type": "json_schema", "json_schema": {"enum": ["a", "b"]}}]}
    status, answer = post(base_url, response_format={"type": "structural_tag", "format": tag})
    assert status == 200
    assert answer["choices"][0]["message"]["content"] in ('<n>"a"', '<n>"b"')


def test_a_stop_text_and_several_answers(base_url: str) -> None:
    """n answers of one request each have a position of their own."""
    status, answer = post(base_url, structured_outputs={"regex": "[a-c]{3}"}, n=4, temperature=1.5)
    assert status == 200
    assert all(re.fullmatch("[a-c]{3}", choice["message"]["content"]) for choice in answer["choices"])
