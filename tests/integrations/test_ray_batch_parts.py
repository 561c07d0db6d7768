"""What a batch does beside Ray: files cut into parts, folders that hold parts whole, rows that keep their errors. `make test-ray` runs them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import grammask
from grammask.errors import BatchFolderError, BudgetError, DataSetError, EngineError, PromptError, SamplingError

pa = pytest.importorskip("pyarrow", reason="pyarrow, which Ray Data brings, is not installed (make test-ray)")
pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed (make test-ray)")

from grammask.integrations.ray.data_set import DataSet, read_part  # noqa: E402
from grammask.integrations.ray.extractor import Extractor, Job  # noqa: E402
from grammask.integrations.ray.folder import IDENTITY, Folder  # noqa: E402

pytestmark = pytest.mark.ray

DIGITS = partial(grammask.regex, "[0-9]{1,4}")


class RandomModel:
    """A model of random scores over single bytes."""

    def __init__(self) -> None:
        self.vocabulary = grammask.Vocabulary([*(bytes([byte]) for byte in range(256)), b""], [256], encode=lambda text: list(text.encode()))
        self._rng = np.random.default_rng(0)

    def begin(self, prompt_token_ids: Any) -> None: ...

    def logits(self) -> Any:
        return self._rng.standard_normal(257).astype(np.float32)

    def accept(self, token_id: int) -> None: ...

    def rewind(self, n: int) -> None: ...


def jsonl(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def documents(n: int) -> list[dict[str, Any]]:
    return [{"id": f"d{number}", "text": f"document {number}"} for number in range(n)]


def texts_of(data_set: DataSet) -> list[str]:
    """The texts of all parts, read part by part."""
    parts = [read_part(data_set, part, ["text"]) for part in data_set.parts]
    return [row["text"] for rows in parts for row in (rows if isinstance(rows, list) else rows.to_pylist())]


# --- data sets ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows_per_part", [1, 2, 7, 100])
def test_parts_of_jsonl_files_hold_each_row_once(tmp_path: Path, rows_per_part: int) -> None:
    """Over several files, with empty lines, Windows' ends of lines, a mark of byte order, and a last line without an end."""
    (tmp_path / "b.jsonl").write_bytes(b'\xef\xbb\xbf{"text": "0"}\r\n\r\n{"text": "1"}\n\n{"text": "\xc3\xa9"}\n{"text": "3"}')
    jsonl(tmp_path / "c.ndjson", [{"text": str(number)} for number in range(4, 9)])
    (tmp_path / "_notes.jsonl").write_text("not a part of it")
    found = DataSet.scan(str(tmp_path), ["text"], rows_per_part)
    assert texts_of(found) == ["0", "1", "é", "3", "4", "5", "6", "7", "8"]
    assert found.n_rows == 9
    assert [part.first_row for part in found.parts] == list(np.cumsum([0, *(part.n_rows for part in found.parts)])[:-1])


@pytest.mark.parametrize("rows_per_part", [1, 3, 10, 64])
@pytest.mark.parametrize("group", [1, 4, 50])
def test_parts_of_parquet_files_hold_each_row_once(tmp_path: Path, rows_per_part: int, group: int) -> None:
    """Whatever the row groups are."""
    for name, first in (("a", 0), ("b", 23)):
        texts = [str(number) for number in range(first, first + 23)]
        pq.write_table(pa.table({"other": texts, "text": texts}), tmp_path / f"{name}.parquet", row_group_size=group)
    found = DataSet.scan([str(tmp_path / "a.parquet"), tmp_path / "b.parquet"], ["text"], rows_per_part)
    assert texts_of(found) == [str(number) for number in range(46)]


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        (b'{"text": "a"}\n{"text": \n', 2, "not JSON"),
        (b'{"text": "a"}\n[1]\n', 2, "no object but list"),
        (b'{"text": "a"}\n\n{"txet": "a"}\n', 3, "no 'text'"),
        (b'{"text": "\xff"}\n', 1, "not UTF-8"),
        (b'{"text": ' + b"[" * 100_000 + b"}\n", 1, "cannot be read"),
        (b"\n\n", None, "no rows"),
        (b"", None, "no rows"),
    ],
    ids=["broken", "list", "missing column", "bytes", "deep", "empty lines", "empty"],
)
def test_a_line_that_is_no_row_is_named(tmp_path: Path, content: bytes, line: int | None, reason: str) -> None:
    """File and line are fields of the error."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    with pytest.raises(DataSetError, match=reason) as caught:
        DataSet.scan(path, ["text"], 10)
    assert (caught.value.path, caught.value.line) == (str(path), line)


def test_what_is_no_data_set_is_refused_by_name(tmp_path: Path) -> None:
    """Missing, empty, of another kind, of two kinds, damaged, without the column, of an unknown file system."""
    (tmp_path / "a.csv").write_text("text\na\n")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and so on")
    mixed = tmp_path / "mixed"
    mixed.mkdir()
    jsonl(mixed / "a.jsonl", documents(1))
    pq.write_table(pa.table({"words": ["a"]}), mixed / "b.parquet")
    cases = {
        tmp_path / "none.jsonl": "no such file",
        tmp_path / "a.csv": "neither a Parquet nor a JSONL",
        tmp_path / "broken.parquet": "cannot be read",
        mixed: "both",
        mixed / "b.parquet": "no column 'text'; its columns are 'words'",
        "nowhere://bucket/a.jsonl": "cannot be read",
    }
    for source, reason in cases.items():
        with pytest.raises(DataSetError, match=reason):
            DataSet.scan(source, ["text"], 10)


def test_a_file_that_changes_while_it_is_read_is_noticed(tmp_path: Path) -> None:
    """A part with fewer rows than there were is an error, not a shorter part."""
    path = jsonl(tmp_path / "a.jsonl", documents(10))
    found = DataSet.scan(path, ["text"], 5)
    jsonl(path, documents(7))
    with pytest.raises(DataSetError, match="now holds"):
        read_part(found, found.parts[1], None)


# --- folders --------------------------------------------------------------------------------------------------------


def test_a_folder_takes_one_batch(tmp_path: Path) -> None:
    """The same again goes on; another is refused with what differs; so are files that are no batch's."""
    folder = Folder.at(tmp_path / "out", "jsonl")
    folder.claim({"grammar": "a", "data set": "b"})
    folder.write_part(3, b"x")
    folder.claim({"grammar": "a", "data set": "b"})
    assert folder.done() == {3}
    with pytest.raises(BatchFolderError, match="another grammar"):
        folder.claim({"grammar": "c", "data set": "b"})
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "thesis.txt").write_text("mine")
    with pytest.raises(BatchFolderError, match="no batch's"):
        Folder.at(tmp_path / "own", "jsonl").claim({})
    (tmp_path / "file").write_text("")
    with pytest.raises(BatchFolderError):
        Folder.at(tmp_path / "file", "jsonl").claim({})


def test_a_damaged_identity_is_an_error(tmp_path: Path) -> None:
    """It is not taken for an empty folder."""
    folder = Folder.at(tmp_path / "out", "jsonl")
    folder.claim({"grammar": "a"})
    (tmp_path / "out" / IDENTITY).write_text("[")
    with pytest.raises(BatchFolderError, match="cannot be read"):
        folder.claim({"grammar": "a"})


def test_what_was_not_finished_is_not_there(tmp_path: Path) -> None:
    """Files of writers that died are no parts, are counted as attempts, and go with the next run or with the part."""
    folder = Folder.at(tmp_path / "out", "jsonl")
    folder.claim({})
    (tmp_path / "out" / ".part-000001.jsonl.abc.unfinished").write_bytes(b"half")
    assert [folder.begin(1), folder.begin(1), folder.begin(2)] == [0, 1, 0]
    assert folder.done() == set()
    folder.write_part(1, b"whole")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        ".part-000001.jsonl.abc.unfinished", ".part-000002.0.unfinished", IDENTITY, "part-000001.jsonl",
    ]  # fmt: skip
    folder.claim({})
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [IDENTITY, "part-000001.jsonl"]


# --- rows -----------------------------------------------------------------------------------------------------------


def extracted(source: Path, target: Path, model: Callable[[], object] = RandomModel, **options: Any) -> tuple[dict[str, list[Any]], Folder]:
    """One part of all rows, answered in this process."""
    settings = options.pop("settings", {})
    found = DataSet.scan(source, [], 1000)
    folder = Folder.at(target, found.kind)
    folder.claim({})
    asked: dict[str, Any] = {"grammar": DIGITS, "prompt": "text", "keep": ("id",), **options}
    return Extractor(Job(found, folder, model=model, settings=settings, **asked))({"part": [0]}), folder


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_a_row_that_cannot_be_answered_is_kept_with_its_error(tmp_path: Path, kind: str) -> None:
    """Type, text and fields; the rows around it are answered."""
    rows = [{"id": 1, "text": "a"}, {"id": 2, "text": None}, {"id": 3, "text": "c"}]
    source = tmp_path / f"a.{kind}"
    if kind == "jsonl":
        jsonl(source, rows)
    else:
        pq.write_table(pa.Table.from_pylist(rows), source)
    outcome, _ = extracted(source, tmp_path / "out")
    assert outcome == {"part": [0], "rows": [3], "errors": [1], "failure": [b""]}
    path = tmp_path / "out" / f"part-000000.{kind}"
    written = [json.loads(line) for line in path.read_text().splitlines()] if kind == "jsonl" else pq.read_table(path).to_pylist()
    assert [(row["row"], row["id"], row["error"] is None) for row in written] == [(0, 1, True), (1, 2, False), (2, 3, True)]
    assert all(row["output"].isdigit() and row["finish_reason"] == "complete" and row["tokens"] > 0 for row in (written[0], written[2]))
    error = written[1]["error"]
    fields = error["fields"] if kind == "jsonl" else json.loads(error["fields"])
    assert (error["type"], written[1]["output"]) == ("PromptError", None)
    assert fields["reason"] in error["message"]


def asked_of(row: dict[str, Any]) -> str:
    """A prompt made of a row; two rows have none."""
    return {"d0": "one", "d2": "three"}[row["id"]]


def test_an_error_of_the_prompt_function_is_its_row_s(tmp_path: Path) -> None:
    """It gets the whole row, and an exception of its own is kept like any other."""
    extracted(jsonl(tmp_path / "a.jsonl", documents(3)), tmp_path / "out", prompt=asked_of)
    written = [json.loads(line) for line in (tmp_path / "out" / "part-000000.jsonl").read_text().splitlines()]
    assert [row["error"] and row["error"]["type"] for row in written] == [None, "KeyError", None]


def test_a_part_that_is_there_is_not_answered_again(tmp_path: Path) -> None:
    """Its actor died between writing and saying so."""
    source = jsonl(tmp_path / "a.jsonl", documents(3))
    extracted(source, tmp_path / "out")
    before = (tmp_path / "out" / "part-000000.jsonl").read_bytes()
    extracted(source, tmp_path / "out")
    assert (tmp_path / "out" / "part-000000.jsonl").read_bytes() == before


def failure_of(outcome: dict[str, list[Any]]) -> BaseException:
    import pickle

    return pickle.loads(outcome["failure"][0])  # type: ignore[no-any-return]  # noqa: S301


def test_what_would_go_wrong_with_every_row_is_handed_to_the_driver(tmp_path: Path) -> None:
    """As the error it is: a factory that fails or gives something else, settings a grammar cannot be held in, a part that actors die of."""
    source = jsonl(tmp_path / "a.jsonl", documents(3))

    def broken() -> object:
        raise OSError("no such file: weights.bin")

    def gone() -> object:
        raise grammask.errors.ModelNotFoundError("weights.gguf")

    assert "weights.bin" in str(failure_of(extracted(source, tmp_path / "1", broken)[0]))
    assert isinstance(failure_of(extracted(source, tmp_path / "2", gone)[0]), grammask.errors.ModelNotFoundError)
    assert "type dict" in str(failure_of(extracted(source, tmp_path / "3", dict)[0]))
    long = partial(grammask.regex, "[0-9]{9}")
    assert isinstance(failure_of(extracted(source, tmp_path / "4", grammar=long, settings={"max_tokens": 3})[0]), BudgetError)
    _, folder = extracted(source, tmp_path / "5", broken)
    assert [folder.begin(0), folder.begin(0)] == [0, 1]
    error = failure_of(extracted_again(source, tmp_path / "5"))
    assert isinstance(error, EngineError)
    assert "rows 0 to 2 2 times" in str(error)


def extracted_again(source: Path, target: Path) -> dict[str, list[Any]]:
    """Without claiming the folder anew, as another actor of the same run."""
    found = DataSet.scan(source, [], 1000)
    return Extractor(Job(found, Folder.at(target, "jsonl"), DIGITS, "text", (), RandomModel, {}, attempts=2))({"part": [0]})


# --- vLLM -----------------------------------------------------------------------------------------------------------


class StandInParams:
    def __init__(self, **given: Any) -> None:
        self.given = given


class StandInLLM:
    """Answers with the number of messages; refuses prompts that are too long, all at once, as vLLM does."""

    def __init__(self) -> None:
        self.calls: list[tuple[list[Any], list[StandInParams]]] = []

    def chat(self, messages: list[Any], sampling_params: list[StandInParams], use_tqdm: bool) -> list[Any]:
        self.calls.append((messages, sampling_params))
        if any(len(one[-1]["content"]) > 50 for one in messages):
            raise ValueError("the prompt is longer than the context")
        return [SimpleNamespace(outputs=[SimpleNamespace(text=str(len(one)), finish_reason="stop", token_ids=[1, 2])]) for one in messages]


StandInLLM.__module__ = "vllm.entrypoints.llm"


@pytest.fixture
def llm(monkeypatch: pytest.MonkeyPatch) -> StandInLLM:
    """The host by name, with the one class that is asked for."""
    module: Any = ModuleType("vllm")
    module.SamplingParams = StandInParams
    monkeypatch.setitem(sys.modules, "vllm", module)
    return StandInLLM()


def test_vllm_is_given_a_whole_part_at_once_and_each_request_its_grammar(tmp_path: Path, llm: StandInLLM) -> None:
    """With seeds of the rows, an output whole within max_tokens, and the row without a prompt left out."""
    source = jsonl(tmp_path / "a.jsonl", [*documents(2), {"id": "x", "text": 3}, *documents(1)])
    extracted(source, tmp_path / "out", lambda: llm, settings={"system": "Count.", "temperature": 0.5, "seed": 7, "max_tokens": 9})
    ((messages, params),) = llm.calls
    assert [one[-1]["content"] for one in messages] == ["document 0", "document 1", "document 0"]
    assert messages[0][0]["content"].startswith("Count.\n\nAnswer with a text that matches")
    assert [one.given["seed"] for one in params] == [7, 8, 10]
    assert params[0].given["extra_args"]["grammask"]["fit_max_tokens"] is True
    text = params[0].given["extra_args"]["grammask"]["gbnf"]
    assert grammask.gbnf(text).kind == "gbnf"
    written = [json.loads(line) for line in (tmp_path / "out" / "part-000000.jsonl").read_text().splitlines()]
    assert [(row["output"], row["finish_reason"], row["error"] and row["error"]["type"]) for row in written] == [
        ("2", "complete", None), ("2", "complete", None), (None, None, "PromptError"), ("2", "complete", None),
    ]  # fmt: skip


def test_a_prompt_that_vllm_refuses_is_its_row_s_error_alone(tmp_path: Path, llm: StandInLLM) -> None:
    """vLLM refuses all of a call for one prompt; the others are then asked one by one. A schema is handed on as it is."""
    source = jsonl(tmp_path / "a.jsonl", [*documents(1), {"id": "x", "text": "long " * 20}])
    extracted(source, tmp_path / "out", lambda: llm, grammar={"type": "integer"})
    written = [json.loads(line) for line in (tmp_path / "out" / "part-000000.jsonl").read_text().splitlines()]
    assert [row["error"] and row["error"]["message"] for row in written] == [None, "the prompt is longer than the context"]
    assert llm.calls[0][1][0].given["extra_args"]["grammask"]["json_schema"] == {"type": "integer"}


def test_settings_that_vllm_does_not_have_are_refused(tmp_path: Path, llm: StandInLLM) -> None:
    """No wish is dropped in silence; and an engine that is gone is no row's error."""
    source = jsonl(tmp_path / "a.jsonl", documents(1))
    assert isinstance(failure_of(extracted(source, tmp_path / "1", lambda: llm, settings={"canonical": True})[0]), SamplingError)

    def chat(*_: Any, **__: Any) -> Any:
        raise RuntimeError("engine core died")

    llm.chat = chat  # type: ignore[method-assign]
    assert "engine core died" in str(failure_of(extracted(source, tmp_path / "2", lambda: llm)[0]))


def test_prompts_may_be_messages(tmp_path: Path) -> None:
    """A list of messages in a column is a prompt; anything else is a PromptError."""
    rows = [{"id": 1, "text": [{"role": "user", "content": "hi"}]}, {"id": 2, "text": [3]}]
    outcome, _ = extracted(jsonl(tmp_path / "a.jsonl", rows), tmp_path / "out")
    assert outcome["errors"] == [1]
    assert PromptError.__name__ in (tmp_path / "out" / "part-000000.jsonl").read_text()
