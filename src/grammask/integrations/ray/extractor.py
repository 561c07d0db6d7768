"""The actor: holds a model, answers the rows of one part after the other, and writes each part when it is whole.

Rule: what goes wrong with a row is written in its place; what goes wrong with all of them is handed to the driver as a value, since Ray wraps
what is raised until its type is gone. An actor that dies leaves nothing half-written, and Ray gives its part to another.
Below: data_set, folder, engines.  Above: run.
"""

from __future__ import annotations

import copyreg
import json
import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass
from typing import Any, Final, get_origin

from grammask.api import as_grammar
from grammask.errors import EngineError, GrammarTypeError, GrammaskError
from grammask.grammar.grammar import Grammar
from grammask.integrations.ray.data_set import DataSet, Part, read_part
from grammask.integrations.ray.engines import Answer, Asked, Engine, engine_of
from grammask.integrations.ray.folder import Folder

__all__ = ["COLUMNS", "Extractor", "Job", "grammar_made"]

# What is written for each row, beside the columns that are kept.
COLUMNS: Final = ("row", "output", "finish_reason", "tokens", "error")
LONGEST_FACT: Final = 2_000  # characters of a field of an error

# Ray sends the classes of a program's own file by value, and the mark of a dataclass's field without a default is told by its identity.
copyreg.pickle(type(MISSING), lambda _: "MISSING")  # the name under which its module has it


@dataclass(frozen=True)
class Job:
    """What all actors of a batch are told. grammar and model: what makes them, since neither travels between processes."""

    data_set: DataSet
    folder: Folder
    grammar: object
    prompt: str | Callable[[dict[str, Any]], Any]
    keep: tuple[str, ...]
    model: Callable[[], object]
    settings: Mapping[str, Any]
    attempts: int = 10


def grammar_made(grammar: object) -> Grammar:
    """The grammar that a schema, a type or a function without arguments stands for. Raises GrammarTypeError for another object, GrammarError."""
    if isinstance(grammar, Grammar):
        hint = "grammars do not travel between processes; give a function that makes it, such as functools.partial(grammask.regex, pattern)"
        raise GrammarTypeError("a grammask.Grammar", hint)
    if callable(grammar) and not isinstance(grammar, type) and get_origin(grammar) is None:
        made = grammar()
        if not isinstance(made, Grammar):
            raise GrammarTypeError(type(made).__name__, "the function that makes the grammar gave this in its place")
        return made
    return as_grammar(grammar)


class Extractor:
    """For `map_batches`: takes the number of a part, gives what became of it."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._engine: Engine | None = None
        self._failure: Exception | None = None
        try:
            grammar = grammar_made(job.grammar)
            self._engine = engine_of(_made_model(job.model), grammar, job.grammar, job.settings)
        except Exception as error:  # noqa: BLE001 -- raised where the driver is
            self._failure = error

    def __call__(self, batch: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
        """batch: {"part": [number]}. Gives the part's number, its rows, how many of them are errors, and a failure, pickled, if there was one."""
        part = self._job.data_set.parts[int(batch["part"][0])]
        n_errors, failure = 0, self._failure
        if self._engine is not None:
            try:
                n_errors = self._done(part, self._engine)
            except Exception as error:  # noqa: BLE001 -- the same
                failure = error
        return {"part": [part.number], "rows": [part.n_rows], "errors": [n_errors], "failure": [_packed(failure)]}

    def _done(self, part: Part, engine: Engine) -> int:
        """Answer a part and write it; how many of its rows are errors."""
        if self._job.folder.has(part.number):  # written by an actor that died before it could say so
            return 0
        begun = self._job.folder.begin(part.number)
        if begun >= self._job.attempts:
            rows = f"rows {part.first_row} to {part.first_row + part.n_rows - 1}"
            hint = "look for what ends the process: memory, or one of these rows; a run with fewer rows_per_part, into another folder, narrows it down"
            raise EngineError("ray", f"actors died at {rows} {begun} times", hint)
        columns = None if callable(self._job.prompt) else [*dict.fromkeys([self._job.prompt, *self._job.keep])]
        rows = read_part(self._job.data_set, part, columns)
        listed = rows if isinstance(rows, list) else rows.to_pylist()
        answers = list(engine.answers([self._asked(part.first_row + at, row) for at, row in enumerate(listed)]))
        written = _parquet if self._job.folder.kind == "parquet" else _jsonl
        self._job.folder.write_part(part.number, written(part, rows, self._job.keep, answers))
        return sum(answer.error is not None for answer in answers)

    def _asked(self, number: int, row: dict[str, Any]) -> Asked:
        prompt = self._job.prompt
        if not callable(prompt):
            return Asked(number, row[prompt])
        try:
            return Asked(number, prompt(row))
        except Exception as error:  # noqa: BLE001 -- kept in the row's place
            return Asked(number, error=error)


def _made_model(factory: Callable[[], object]) -> object:
    try:
        return factory()
    except GrammaskError:
        raise
    except Exception as error:
        raise EngineError("model", f"its factory raised {type(error).__name__}: {error}") from error


def _packed(failure: Exception | None) -> bytes:
    """An error as bytes; one that does not travel becomes an EngineError that says what it was."""
    if failure is None:
        return b""
    if isinstance(failure, GrammaskError):
        return pickle.dumps(failure)
    return pickle.dumps(EngineError("batch", f"{type(failure).__name__}: {failure}"))


# --- rows as they are written ---------------------------------------------------------------------------------------


def _jsonl(part: Part, rows: Sequence[Mapping[str, Any]], keep: Sequence[str], answers: Sequence[Answer]) -> bytes:
    """A line for each row, in order."""
    lines = []
    for at, (row, answer) in enumerate(zip(rows, answers, strict=True)):
        kept = {name: row[name] for name in keep}
        own = dict(zip(COLUMNS, (part.first_row + at, answer.text, answer.finish_reason, answer.n_tokens, _told(answer.error)), strict=True))
        lines.append(json.dumps({"row": own.pop("row"), **kept, **own}) + "\n")
    return "".join(lines).encode()


def _parquet(part: Part, rows: Any, keep: Sequence[str], answers: Sequence[Answer]) -> bytes:
    """A table of the same, the kept columns of the types they had. An error's fields are JSON text, since each error has others."""
    import pyarrow as pa
    import pyarrow.parquet

    told = [error and {**error, "fields": json.dumps(error["fields"])} for error in (_told(answer.error) for answer in answers)]
    described = pa.struct([("type", pa.string()), ("message", pa.string()), ("fields", pa.string())])
    columns = {
        "row": pa.array(range(part.first_row, part.first_row + part.n_rows), pa.int64()),
        **{name: rows[name] for name in keep},
        "output": pa.array([answer.text for answer in answers], pa.string()),
        "finish_reason": pa.array([answer.finish_reason for answer in answers], pa.string()),
        "tokens": pa.array([answer.n_tokens for answer in answers], pa.int64()),
        "error": pa.array(told, described),
    }
    sink = pa.BufferOutputStream()
    pyarrow.parquet.write_table(pa.table(columns), sink)
    return bytes(sink.getvalue())


def _told(error: Exception | None) -> dict[str, Any] | None:
    """An error as its type, its text and its fields."""
    if error is None:
        return None
    facts = {name: _fact(value) for name, value in vars(error).items() if not name.startswith("_")}
    return {"type": type(error).__name__, "message": _fact(str(error)), "fields": facts}


def _fact(value: object) -> object:
    """A field of an error, as JSON can hold it."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, bytes | bytearray):
        value = bytes(value).decode("utf-8", "backslashreplace")
    if isinstance(value, list | tuple):
        return [_fact(one) for one in value[:100]]
    shown = value if isinstance(value, str) else repr(value)
    return shown[:LONGEST_FACT].encode("utf-8", "backslashreplace").decode()
