"""`batch`: checks everything, has actors of Ray Data answer the parts that are not there yet, and says how far it is.

Rule: the driver touches no row; it hands out numbers of parts and counts what comes back. Whatever is wrong with the grammar, the settings, the
data set or the folder is an error before Ray is asked for anything.
Below: data_set, engines, extractor, folder, hosts.
"""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from importlib.util import find_spec
from time import perf_counter
from typing import Any, Final, Unpack

from grammask.arguments import Kind, list_of, number, or_none, path, takes, text, whole
from grammask.errors import ArgumentError, BatchFolderError, EmptyLanguageError, EngineError, GrammarError, NoExitError
from grammask.grammar.grammar import Grammar
from grammask.grammar.lower import lower
from grammask.grammar.table_file import pack_tables
from grammask.integrations.chat_model import OutputSettings
from grammask.integrations.hosts import require_host
from grammask.integrations.llama_cpp import load_model
from grammask.integrations.ray.data_set import DataSet, as_path
from grammask.integrations.ray.engines import options_of
from grammask.integrations.ray.extractor import COLUMNS, Extractor, Job, grammar_made
from grammask.integrations.ray.folder import Folder

__all__ = ["BatchReport", "batch"]

_VERSIONS: Final = ("2.60", "3", "2.60.0")  # oldest, the first that is too new, verified
# Parts that an actor has been sent: the one it works on, and the next, so that it does not wait for it.
_SENT: Final = 2

_function = Kind("a function without arguments", callable)
_places = Kind("the path of a file or folder, or a list of paths", lambda value: path.holds(value) or (bool(value) and list_of(path, "").holds(value)))
_asking = Kind("the name of a column, or a function of a row", lambda value: text.holds(value) or callable(value))
_positive = Kind("a number above 0", lambda value: number.holds(value) and value > 0)  # type: ignore[operator]
_share = Kind("a number from 0 up", lambda value: number.holds(value) and value >= 0)  # type: ignore[operator]


@dataclass(frozen=True, slots=True)
class BatchReport:
    """How far a batch is.

    folder: where its answers are. rows: of the data set; rows_done: that are in the folder; rows_before: of these, that were there when this run began.
    errors: rows of this run with an error in place of an output. parts: files the folder will have. seconds: since this run began.
    """

    folder: str
    rows: int
    rows_done: int
    rows_before: int
    errors: int
    parts: int
    seconds: float

    @property
    def is_complete(self) -> bool:
        """Whether every row is there."""
        return self.rows_done == self.rows


@takes(
    source=_places, target=path, prompt=_asking, model=or_none(_function), keep=list_of(text, "a list of columns"), actors=whole(1), rows_per_part=whole(1),
    cpus=_positive, gpus=_share, attempts=whole(1), on_progress=or_none(Kind("a function of a report", callable)),
)  # fmt: skip
def batch(
    source: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    target: str | os.PathLike[str],
    grammar: object,
    *,
    prompt: str | Callable[[dict[str, Any]], Any] = "text",
    model: Callable[[], object] | None = None,
    keep: Sequence[str] = (),
    actors: int = 2,
    rows_per_part: int = 100,
    cpus: float = 1,
    gpus: float = 0,
    attempts: int = 10,
    on_progress: Callable[[BatchReport], object] | None = None,
    **settings: Unpack[OutputSettings],
) -> BatchReport:
    """Answer every row of a data set under one grammar, in actors of Ray Data, and write the answers to a folder.

    source: a Parquet or JSONL file, a folder of one kind, or a list of files; paths or URIs that pyarrow's file systems know.
    target: a folder. It gets a file of the same kind for each part, with a row for each row, in order: `row` (its number in the data set, from 0),
        the columns in `keep`, `output` (the text; JSON for a schema), `finish_reason`, `tokens`, and `error`, which is null or has type, message and
        fields, where the row could not be answered.
    grammar: a JSON Schema as a dict, a Python type, or a function without arguments that makes a grammar, as grammars do not travel.
    prompt: the column that holds the prompt, a text or messages; or a function from a row, as a dict, to a prompt.
    model: makes the model, once in each actor: what `load_model` or `from_transformers` give, a `vllm.LLM`, or a `LanguageModel`. None is the embedded
        model with as many threads as `cpus`.
    actors, cpus, gpus: how many actors, and what each takes; more actors than there is room for wait. rows_per_part: rows that are answered and written at
        once, and that are answered again if their actor dies, which is then started anew. attempts: how often that may happen to one part.
    on_progress: called with a report after each part, beside Ray's own display. settings: those of `load_model().generate`, such as max_tokens, temperature
        or system; with a seed, row n is drawn with seed + n.

    Run again after a kill, it answers the parts that are not in the folder yet; `BatchReport.rows_before` says how many rows were. One run at a time writes
    to a folder. Uses the Ray that is initialised, or else starts one on this machine.
    Raises before any work GrammarError, ArgumentError, SamplingError, DataSetError, BatchFolderError for a folder of another batch, EngineError without Ray
    or for a model that cannot be loaded, BudgetError; and EngineError if a model fails as such or actors die too often, with what was done kept.
    """
    started = perf_counter()
    made = grammar_made(grammar)
    options_of(settings)
    for name in keep:
        if name in COLUMNS:
            raise ArgumentError("batch", "keep", name, f"columns that are not named as those of the answers ({', '.join(COLUMNS)})")
    identity = {"grammar": _digest(made), "prompt": _named(prompt), "list of kept columns": repr(list(keep)), "set of settings": _stated(settings)}
    _require_ray()
    data_set = DataSet.scan(source, [*([prompt] if isinstance(prompt, str) else []), *keep], rows_per_part)
    folder = Folder.at(target, data_set.kind)
    _check_apart(source, folder)
    folder.claim({**identity, "data set": data_set.digest, "number of rows in a part": str(rows_per_part)})
    factory = model if model is not None else partial(load_model, n_threads=max(1, int(cpus)))
    job = Job(data_set, folder, grammar, prompt, tuple(keep), factory, settings, attempts)
    return _run(job, _Placement(actors, cpus, gpus), on_progress, started)


def _require_ray() -> None:
    """Raises EngineError without Ray, in a version this is not for, or without what Ray Data needs."""
    require_host("ray", *_VERSIONS)
    if find_spec("pyarrow") is None:
        raise EngineError("ray", "it is installed without Ray Data", "`pip install 'grammask[ray]'`")


@dataclass(frozen=True)
class _Placement:
    actors: int
    cpus: float
    gpus: float


def _run(job: Job, placement: _Placement, on_progress: Callable[[BatchReport], object] | None, started: float) -> BatchReport:
    """Have the missing parts answered, and count them."""
    parts, done = job.data_set.parts, job.folder.done()
    missing = [part.number for part in parts if part.number not in done]
    before = job.data_set.n_rows - sum(parts[number].n_rows for number in missing)
    report = BatchReport(job.folder.place, job.data_set.n_rows, before, before, 0, len(parts), perf_counter() - started)
    for outcome in _outcomes(job, missing, placement) if missing else ():
        if outcome["failure"]:
            raise pickle.loads(outcome["failure"])  # noqa: S301 -- written by our own actors
        rows_done, errors = report.rows_done + int(outcome["rows"]), report.errors + int(outcome["errors"])
        report = replace(report, rows_done=rows_done, errors=errors, seconds=perf_counter() - started)
        if on_progress is not None:
            on_progress(report)
    return report


def _outcomes(job: Job, missing: Sequence[int], placement: _Placement) -> Iterator[Mapping[str, Any]]:
    """What became of each part, as they get done. Raises EngineError where Ray gives up."""
    import ray.data
    import ray.exceptions

    blocks = ray.data.from_items([{"part": number} for number in missing], override_num_blocks=len(missing))
    size = min(placement.actors, len(missing))
    outcomes = blocks.map_batches(
        Extractor,
        batch_size=1,
        fn_constructor_args=(job,),
        compute=ray.data.ActorPoolStrategy(size=size, max_tasks_in_flight_per_actor=_SENT),
        num_cpus=placement.cpus,
        num_gpus=placement.gpus,
    )
    try:
        yield from outcomes.iter_rows()
    except ray.exceptions.RayError as error:
        hint = "what was done is kept, and the same call goes on from there"
        raise EngineError("ray", f"{type(error).__name__}: {str(error).strip()[-600:]}", hint) from error


# --- what a folder belongs to ---------------------------------------------------------------------------------------


def _digest(grammar: Grammar) -> str:
    """Equal for grammars of the same tables. Raises EmptyLanguageError, NoExitError, LimitError."""
    try:
        content = pack_tables(lower(grammar.expression))
    except (EmptyLanguageError, NoExitError):
        raise
    except (GrammarError, ValueError):  # it names tokens, and the vocabulary is with the actors; or it tells items apart, which is no data
        content = repr(grammar.source).encode()
    return blake2b(content, digest_size=16).hexdigest()


def _named(prompt: str | Callable[..., Any]) -> str:
    """The column, or what a function is called: what it does cannot be told."""
    return f"column {prompt}" if isinstance(prompt, str) else f"function {getattr(prompt, '__qualname__', type(prompt).__name__)}"


def _stated(settings: Mapping[str, Any]) -> str:
    return json.dumps({name: repr(value) for name, value in sorted(settings.items())})


def _check_apart(source: Any, folder: Folder) -> None:
    """The answers must not become part of the data set. Raises BatchFolderError."""
    places = [source] if isinstance(source, str | os.PathLike) else list(source)
    if folder.place in map(as_path, places):
        raise BatchFolderError(folder.place, "the data set is in it", "give a folder of its own")
