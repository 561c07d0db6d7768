"""How many tokens depend on the stack under any JSON, counted on a vocabulary where it can be told by hand."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import grammask
from grammask.tools.bench.stack import DOCUMENTS, dependent_tokens, leaving_tokens, measure, show, steps, texts

LONGER = [b'"}', b'"]', b'",', b'":', b'"x', b'""', b"ab", b'a"', b'a"}', b"}]", b"1]", b",1"]
VOCABULARY = grammask.Vocabulary([*(bytes([byte]) for byte in range(256)), *LONGER, b""], eos_ids=[256 + len(LONGER)])
CONSTRAINT = grammask.compile(grammask.json_schema(schema=True), VOCABULARY)


def test_tokens_that_close_a_string_depend_on_what_it_stands_in() -> None:
    """A quote with a bracket, a comma or a colon behind it is allowed in some strings only; text and the quote alone are in all."""
    places = dependent_tokens(CONSTRAINT)
    assert places["inside a string"]["depends"] == len([b'"}', b'"]', b'",', b'":', b'a"}'])
    # Bytes that begin a character, no control characters; longer tokens that are text, or text and the quote.
    longer = len([b"ab", b'a"', b"}]", b"1]", b",1"])
    assert places["inside a string"]["always"] == (0x80 - 0x20) + (0xF4 - 0xC2 + 1) + longer
    # Behind a backslash a quote is text, so what follows it is too, and a second one closes the string.
    assert places["after a backslash"] == {"always": len(b'"\\/bfnrtu') + len([b'"}', b'"]', b'",', b'":', b'"x', b'""']), "depends": 0}
    assert places["anywhere"]["depends"] >= max(row["depends"] for row in places.values() if "always" in row)


def test_tokens_that_leave_a_string_are_those_with_something_behind_its_quote() -> None:
    """The kernel asks callers only of tokens in which the string ends before they do."""
    found = leaving_tokens(CONSTRAINT)
    assert found["string_body"]["leave"] == len([b'"}', b'"]', b'",', b'":', b'"x', b'""', b'a"}'])
    assert found["string_body"]["in_text"]
    assert found["tokens_that_leave_some_rule"] >= found["most"]["leave"] >= found["string_body"]["leave"]


def test_steps_are_counted_over_the_tokens_of_texts() -> None:
    """One row for each token; a single place is looked at in most steps."""
    found = steps(CONSTRAINT, [json.dumps(document) for document in DOCUMENTS])
    assert found["steps"] > 100
    assert 1 <= found["configurations"]["mean"] <= found["configurations"]["most"] <= CONSTRAINT.report.cost.configurations
    assert steps(CONSTRAINT, [])["steps"] == 0


def test_texts_are_our_own_where_there_is_no_data(tmp_path: Path) -> None:
    """Without the shared data the tool still measures."""
    assert [json.loads(text) for text in texts(tmp_path / "none", 5)] == DOCUMENTS


def test_the_tool_prints_a_table_and_keeps_a_record(tmp_path: Path) -> None:
    """From a tokenizer's file to the record."""
    show(measure(VOCABULARY, ["[1]"]), len(VOCABULARY))
    tokenizer = Path(__file__).parents[1] / "data" / "byte-tokenizer.json"
    command = [sys.executable, "-m", "grammask.tools.bench.stack", str(tokenizer), "--eos-ids", "256", "--texts", "2", "--record", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "inside a string" in done.stdout
    (record,) = tmp_path.glob("stack-*.json")
    assert json.loads(record.read_text("utf-8"))["figures"]["places"]["after true"]["always"] == 0
    assert subprocess.run([*command[:3], str(tmp_path)], capture_output=True, check=False).returncode == 3
