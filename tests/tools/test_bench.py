"""The figures of a benchmark run, from raw results to record."""

import json

import pytest

from grammask.tools.bench.__main__ import show
from grammask.tools.bench.record import write_record
from grammask.tools.bench.rows import Result, constrains_text, family, figures, tabulate


def run(first_us: float, tokens_us: list[float], tests: list[tuple[bool, bool]] | None = None) -> dict[str, object]:
    return {"ttfm_ns": first_us * 1e3, "tbm_ns": [us * 1e3 for us in tokens_us], "tests": tests or [(True, True)]}


def test_ratios_are_over_schemas_that_all_engines_compiled() -> None:
    """A schema that one engine refuses counts as refused and adds no time to any engine."""
    results = [
        Result("Github_easy---o1", False, {"a": run(10, [1, 3]), "b": run(20, [4, 4])}),
        Result("Github_hard---o2", False, {"a": run(99, [999]), "b": {"refused": "no"}}),
    ]
    row = figures(results, ["a", "b"])
    assert (row["schemas"], row["compiled_by_all"], row["b"]["refused"]) == (2, 1, 1)
    assert row["a"]["token_avg_us"] == pytest.approx(2)
    assert row["ratios"]["b"]["token_avg_us"] == pytest.approx(0.5)
    assert row["ratios"]["b"]["first_mask_p50_us"] == pytest.approx(0.5)


def test_wrong_verdicts_are_counted_by_schema() -> None:
    """A schema counts once as wrongly rejecting and once as wrongly accepting, and does not pass."""
    row = figures([Result("x", False, {"a": run(1, [1], [(True, False), (True, False), (False, True)])})], ["a"])
    assert [row["a"][key] for key in ("passing", "wrongly_rejects", "wrongly_accepts")] == [0, 1, 1]


def test_memory_is_the_most_of_any_schema(capsys: pytest.CaptureFixture[str]) -> None:
    """Peaks of a process that goes through all schemas only grow; a schema that it did not live to the end of tells none."""
    results = [Result(name, False, {"a": {**run(1, [1]), "rss_kib": peak * 1024}}) for name, peak in (("x", 100), ("y", 250))]
    table = tabulate([*results, Result("z", False, {"a": {"crashed": "signal 9"}})], ["a"])
    assert table["all"]["a"]["peak_rss_mib"] == 250
    show(table, ["a"])
    assert "a: at most 250 MiB" in capsys.readouterr().out


def test_rows_name_families_and_string_constraints() -> None:
    """There is a row for everything, one for schemas that constrain strings, one for the rest, and one for each family."""
    results = [Result(name, text, {"a": run(1, [1])}) for name, text in (("Github_easy---o1", True), ("BFCL_java_1", False), ("BFCL_java_2", False))]
    table = tabulate(results, ["a"])
    assert list(table) == ["all", "strings under pattern, format or length", "other schemas", "BFCL", "Github"]
    assert [row["schemas"] for row in table.values()] == [3, 1, 2, 2, 1]


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string", "maxLength": 3}, True),
        ({"anyOf": [{"items": {"format": "date"}}]}, True),
        ({"properties": {"pattern": {"type": "string"}}}, False),
        (True, False),
    ],
    ids=["length", "nested format", "a property called pattern", "boolean"],
)
def test_constrains_text_looks_at_keywords_at_any_depth(schema: object, expected: bool) -> None:
    """A keyword counts wherever it stands; a property of that name whose value is a schema does not."""
    assert constrains_text(schema) is expected


def test_family_is_the_name_before_the_first_separator() -> None:
    """Subsets of a collection belong to one family."""
    assert [family(name) for name in ("Github_easy---o1", "JsonSchemaStore---x", "BFCL_java_1")] == ["Github", "JsonSchemaStore", "BFCL"]


def test_record_rounds_and_can_be_read_back(tmp_path) -> None:
    """A record is JSON with figures to three decimals."""
    path = write_record(tmp_path / "record", "run", {"rows": {"all": {"x_us": 1.23456}}})
    assert json.loads(path.read_text()) == {"rows": {"all": {"x_us": 1.235}}}


def test_figures_are_shown_for_every_row(capsys: pytest.CaptureFixture[str]) -> None:
    """What is printed names each row, each engine's verdicts, and the ratio of times."""
    table = tabulate([Result("Github_easy---o1", True, {"a": run(10, [1, 3]), "b": run(20, [4, 4])})], ["a", "b"])
    show(table, ["a", "b"])
    printed = capsys.readouterr().out
    assert "Github" in printed
    assert "a / b" in printed
    assert "0.50" in printed
