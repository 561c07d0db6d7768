"""The official JSON Schema test suite, group by group: exact, or listed with what is missing and why."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Literal

import pytest

from .suite import FOLDERS, Group, groups, verdict

GAPS = Path(__file__).with_name("suite_gaps.jsonl")
Order = Literal["schema", "any"]
ORDERS: tuple[Order, ...] = ("schema", "any")  # of members
PARTS = ("required", "optional", "format")
LEAST_EXACT = {"2020-12": 0.97, "2019-09": 0.93, "7": 0.97, "6": 0.93, "4": 0.93}  # of the required groups of each draft
LEAST_EXACT_OPTIONAL = 0.9  # of the optional groups of draft 2020-12, formats included


@cache
def gaps() -> dict[str, dict[str, str]]:
    """The groups that are known not to be exact, by name."""
    return {gap["group"]: gap for gap in map(json.loads, GAPS.read_text(encoding="utf-8").splitlines())}


@cache
def verdicts(draft: str, part: str, order: Order = "schema") -> dict[str, str]:
    """What each group of a part comes to."""
    found: dict[str, str] = {}
    for group in groups(draft, part):
        assert group.name not in found, f"two groups are called {group.name}"
        found[group.name] = verdict(group, order=order)
    return found


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("draft", FOLDERS)
def test_groups_are_exact_but_for_those_listed(draft: str, part: str, order: Order) -> None:
    """A group that is not exact is in the list of gaps with its verdict and a reason, in both orders; what has become exact leaves the list."""
    found = {name: said for name, said in verdicts(draft, part, order).items() if said != "exact"}
    listed = {name: gap["verdict"] for name, gap in gaps().items() if name.startswith(f"{draft}/{part}/")}
    assert found == listed


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("draft", FOLDERS)
def test_nothing_invalid_is_accepted(draft: str, part: str, order: Order) -> None:
    """What compiles accepts no instance that the suite calls invalid; draft 7 leaves it open whether `content*` assert, and here they do not."""
    accepting = [name for name, said in verdicts(draft, part, order).items() if said.startswith("accepts")]
    assert [name for name in accepting if not name.startswith("7/optional/content:")] == []


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("draft", FOLDERS)
def test_nearly_all_required_groups_are_exact(draft: str, order: Order) -> None:
    """At least 97% of the groups of drafts 2020-12 and 7 are exact, and 93% of the others'."""
    found = verdicts(draft, "required", order).values()
    assert sum(said == "exact" for said in found) >= LEAST_EXACT[draft] * len(found)


def test_most_optional_groups_are_exact() -> None:
    """At least 90% of the optional groups of draft 2020-12 are exact, formats included."""
    found = [said for part in ("optional", "format") for said in verdicts("2020-12", part).values()]
    assert sum(said == "exact" for said in found) >= LEAST_EXACT_OPTIONAL * len(found)


def test_every_gap_has_a_reason() -> None:
    """A gap says what comes of the group and why; groups of that name exist."""
    assert [gap for gap in gaps().values() if not gap["reason"] or set(gap) != {"group", "verdict", "reason"}] == []
    known = {group.name for draft in FOLDERS for part in PARTS for group in groups(draft, part)}
    assert sorted(set(gaps()) - known) == []


@pytest.mark.parametrize("draft", FOLDERS)
def test_tokens_of_a_real_vocabulary_come_to_the_same(draft: str) -> None:
    """With Llama 3's 128,256 tokens, cut as they happen to be, a sample of the groups is judged as it is byte by byte."""
    sample: list[Group] = list(groups(draft, "required"))[::12]
    differing = [group.name for group in sample if verdict(group, by_tokens=True) != verdicts(draft, "required")[group.name]]
    assert differing == []
