"""The benchmarks of budgets, overheads and canonical masks: what they draw, how they judge, and that nothing is lost when they break off."""

from __future__ import annotations

import json
import lzma
import re
from pathlib import Path

import pytest

import grammask
from grammask.tools.bench import budgets, canonical, overheads
from grammask.tools.bench.journal import Journal
from grammask.tools.bench.judge import complaint, python_pattern
from grammask.vocabulary.encoders import MergeEncoder

NAMED = {"type": "object", "properties": {"name": {"type": "string", "maxLength": 4}}, "required": ["name"], "additionalProperties": False}


@pytest.mark.parametrize(
    ("pattern", "matching", "other"),
    [
        (r"^a$", "a", "a\n"),
        (r"^.$", "a", "\u2028"), (r"^\s$", "\ufeff", "\x1c"), (r"^\S$", "\x1c", "\u3000"), (r"^[\s\d]$", "\xa0", "٣"), (r"^\w$", "_", "é"),
        (r"^[$.]$", "$", "a"), (r"^(?<x>a)[[]$", "a[", "a("), (r"^\u{1F600}$", "😀", "u"), (r"^\.\/$", "./", "a/"),
    ],
)  # fmt: skip
def test_patterns_are_read_as_ecmascript_reads_them(pattern: str, matching: str, other: str) -> None:
    """Line ends, blanks, digits and the end of the text, inside classes and outside."""
    assert re.search(python_pattern(pattern), matching)
    assert not re.search(python_pattern(pattern), other)


def test_the_judge_corrects_patterns_and_floats_and_nothing_else() -> None:
    """A pattern is corrected wherever it is one, a value that looks like one is left alone, and what is wrong is said."""
    assert complaint({"type": "string", "pattern": "^a$"}, '"a\\n"') is not None
    assert complaint({"patternProperties": {"^a$": {"type": "null"}}, "additionalProperties": False}, '{"a": null}') is None
    assert complaint({"properties": {"pattern": {"const": {"pattern": "^a$"}}}}, '{"pattern": {"pattern": "^a$"}}') is None
    assert complaint({"multipleOf": 0.01}, "2.3") is None
    assert complaint({"type": "null"}, "1") is not None


def test_a_schema_is_judged_in_four_budgets() -> None:
    """Each output is kept and valid, and a draw that does not keep its budget is a fault."""
    record = {"id": "x", "schema": NAMED}
    entry = budgets.judged(record, budgets.SMALL, budgets._drawn)
    assert (entry["outputs"], entry["kept"], entry["valid"], entry["faults"]) == (4, 4, 4, [])
    broken = budgets.judged(record, budgets.SMALL, lambda *_: [ord("{")])
    assert (broken["kept"], len(broken["faults"])) == (0, 4)


def test_a_run_takes_schemas_until_there_are_enough_and_goes_on_where_it_broke_off(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Refused and too long ones are counted; a second run reads what the first one noted."""
    schemas = [
        NAMED,
        {"uniqueItems": True, "type": "array"},
        {"type": "string", "minLength": 3000},
        {"type": "boolean"},
        {"enum": ["a", "bc"]},
        {"type": "null"},
    ]
    data = tmp_path / "schemas.jsonl.xz"
    with lzma.open(data, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps({"id": str(number), "schema": schema}) + "\n" for number, schema in enumerate(schemas))
    arguments = ["small", "--data", str(data), "--schemas", "4", "--record", str(tmp_path), "--journal", str(tmp_path / "journal.jsonl")]
    assert budgets.main(arguments) == 0
    (record,) = tmp_path.glob("budgets-*-small.json")
    figures = json.loads(record.read_text(encoding="utf-8"))["figures"]
    assert figures["schemas"]["taken"] == figures["schemas"]["judged"] == 4
    assert (figures["outputs"], figures["kept"], figures["valid"]) == (16, 16, 16)
    noted = (tmp_path / "journal.jsonl").read_text(encoding="utf-8")
    assert budgets.main(arguments) == 0
    assert (tmp_path / "journal.jsonl").read_text(encoding="utf-8") == noted
    capsys.readouterr()


def test_a_journal_begins_anew_for_another_run_and_passes_over_a_cut_line(tmp_path: Path) -> None:
    """What depends on something else is not mixed in."""
    path = tmp_path / "journal.jsonl"
    Journal(path, {"commit": "a"}).add({"id": "1"})
    with path.open("a", encoding="utf-8") as file:
        file.write('{"id": "2", "cut')
    assert set(Journal(path, {"commit": "a"}).known) == {"1"}
    assert not Journal(path, {"commit": "b"}).known


def test_overheads_compare_both_matchers_on_the_same_tokens() -> None:
    """Each has a time for masks and steps, and there is a ratio of either."""
    vocabulary = grammask.Vocabulary(budgets.SMALL.tokens, budgets.SMALL.eos_ids, encode=lambda text: list(text.encode()))
    figures = overheads.measure(vocabulary, [(NAMED, {"name": "Ada"}), ({"uniqueItems": True, "type": "array"}, [])], 2)
    assert figures["instances"] >= 1
    assert set(figures["nanoseconds_a_token"]) == {"mask, kernel's", "mask, users'", "step, kernel's", "step, users'"}
    assert set(figures["users_over_kernels"]) == {"mask", "step"}


def test_canonical_masks_are_measured_beside_plain_ones() -> None:
    """All outputs of canonical masks are canonical, and what is taken off is a share of what is allowed."""
    ids = {token: token_id for token_id, token in enumerate([b"a", b"b", b"ab"])}
    vocabulary = grammask.Vocabulary([*ids, b""], eos_ids=[3], encode=MergeEncoder(ids, ranks={b"ab": 0}))
    figures = canonical.measure(grammask.compile(grammask.regex("[ab]{6}"), vocabulary), 8)
    assert figures["canonical_outputs_by_mask"]["canonical"] == 1 > figures["canonical_outputs_by_mask"]["plain"]
    assert 0 < figures["removed_share"] < 1
