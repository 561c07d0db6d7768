"""A data set of Parquet or JSONL files: looked through once, cut into parts, and read part by part.

Rule: what is wrong with a file is found before any work starts, with its line; a part is read without what stands before it being kept.
Files are those of pyarrow's file systems, so a path may be a URI such as s3://bucket/folder.
Above: folder, extractor, run.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from grammask.errors import DataSetError

__all__ = ["DataSet", "Part", "as_path", "open_place", "read_part"]

KINDS: Final = {".parquet": "parquet", ".pq": "parquet", ".jsonl": "jsonl", ".ndjson": "jsonl"}
_KINDS_HINT: Final = f"files whose names end in {', '.join(KINDS)} are read"
_LINE_HINT: Final = "each line holds one JSON object"


class Part(NamedTuple):
    """Rows that stand together in one file.

    number: counts parts from 0. first_row: the number of its first row in the whole data set; start: in its file.
    span: in JSONL, the bytes of the file that hold it, (from, to).
    """

    number: int
    path: str
    first_row: int
    start: int
    n_rows: int
    span: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class DataSet:
    """What was found. kind: "parquet" or "jsonl". digest: of the rows (JSONL) or of the files' own descriptions of them (Parquet)."""

    kind: str
    files: Any  # pyarrow's file system
    parts: tuple[Part, ...]
    n_rows: int
    digest: str

    @classmethod
    def scan(cls, source: object, columns: Sequence[str], rows_per_part: int) -> DataSet:
        """Look through all files of a data set.

        source: a file, a folder of them, or a list of files. columns: what every row must have. Files are taken in the order of their names.
        Raises DataSetError for what is not there, cannot be read, has no rows, lacks a column, or holds a line that is no JSON object.
        Cost: JSONL is parsed once, at some 50 MB/s; of Parquet only the ends of the files are read.
        """
        files, paths = _listed(source)
        kinds = {KINDS[os.path.splitext(path)[1].lower()] for path in paths}  # noqa: PTH122 -- of a file system that is not the machine's own
        if len(kinds) > 1:
            raise DataSetError(os.path.dirname(paths[0]), "it holds both Parquet and JSONL files", hint="give one kind")  # noqa: PTH120
        kind = kinds.pop()
        scanner = _Scanner(files, tuple(columns), rows_per_part)
        for path in paths:
            with _typed(path):
                scanner.parquet(path) if kind == "parquet" else scanner.jsonl(path)
        if not scanner.n_rows:
            raise DataSetError(paths[0], "there are no rows in it" if len(paths) == 1 else "there are no rows in it and the other files")
        return cls(kind, files, tuple(scanner.parts), scanner.n_rows, scanner.digest.hexdigest())


class _Scanner:
    """Parts of file after file. digest: grows with them."""

    def __init__(self, files: Any, columns: tuple[str, ...], rows_per_part: int) -> None:
        self.files, self.columns, self.rows_per_part = files, columns, rows_per_part
        self.parts: list[Part] = []
        self.n_rows = 0
        self.digest = blake2b(digest_size=16)

    def parquet(self, path: str) -> None:
        import pyarrow.parquet

        with self.files.open_input_file(path) as file:
            footer = pyarrow.parquet.read_metadata(file)
        names = footer.schema.to_arrow_schema().names
        for column in self.columns:
            if column not in names:
                raise DataSetError(path, f"it has no column {column!r}", hint=f"its columns are {', '.join(map(repr, names[:20]))}")
        self.digest.update(repr((footer.to_dict()["row_groups"], names)).encode())
        for start in range(0, footer.num_rows, self.rows_per_part):
            self._add(path, start, min(self.rows_per_part, footer.num_rows - start), (0, 0))

    def jsonl(self, path: str) -> None:
        start = n_rows = begin = end = 0
        with self.files.open_input_stream(path) as stream:
            for number, line in enumerate(_lines(stream), 1):
                end += len(line)
                self.digest.update(line)
                if not line.strip():
                    continue
                self._check(path, number, line)
                n_rows += 1
                if n_rows == self.rows_per_part:
                    self._add(path, start, n_rows, (begin, end))
                    start, n_rows, begin = start + n_rows, 0, end
        if n_rows:
            self._add(path, start, n_rows, (begin, end))

    def _check(self, path: str, number: int, line: bytes) -> None:
        row = _row(path, number, line)
        for column in self.columns:
            if column not in row:
                raise DataSetError(path, f"there is no {column!r}", number, f"it has {', '.join(map(repr, list(row)[:20])) or 'nothing'}")

    def _add(self, path: str, start: int, n_rows: int, span: tuple[int, int]) -> None:
        self.parts.append(Part(len(self.parts), path, self.n_rows, start, n_rows, span))
        self.n_rows += n_rows


# --- reading --------------------------------------------------------------------------------------------------------


def read_part(data_set: DataSet, part: Part, columns: Sequence[str] | None) -> Any:
    """The rows of a part: a pyarrow table of these columns (None: of all), or a list of dicts for JSONL.

    Raises DataSetError if the file changed or cannot be read.
    """
    with _typed(part.path):
        rows = _read_parquet(data_set, part, columns) if data_set.kind == "parquet" else _read_jsonl(data_set, part)
    if len(rows) != part.n_rows:
        raise DataSetError(
            part.path, f"it held {part.n_rows} rows from row {part.start} on, and now holds {len(rows)}", hint="leave it until the batch is done"
        )
    return rows


def _read_parquet(data_set: DataSet, part: Part, columns: Sequence[str] | None) -> Any:
    import pyarrow as pa
    import pyarrow.parquet

    wanted = None if columns is None else list(columns)
    with data_set.files.open_input_file(part.path) as file:
        parquet = pyarrow.parquet.ParquetFile(file)
        groups, skipped, seen = [], 0, 0
        for group in range(parquet.num_row_groups):
            size = parquet.metadata.row_group(group).num_rows
            if seen + size <= part.start:
                skipped += size
            elif seen < part.start + part.n_rows:
                groups.append(group)
            seen += size
        pieces, at = [], skipped
        for piece in parquet.iter_batches(batch_size=max(1024, part.n_rows), row_groups=groups, columns=wanted):
            first, last = max(part.start - at, 0), min(part.start + part.n_rows - at, len(piece))
            if first < last:
                pieces.append(piece.slice(first, last - first))
            at += len(piece)
            if at >= part.start + part.n_rows:
                break
    return pa.Table.from_batches(pieces) if pieces else []


def _read_jsonl(data_set: DataSet, part: Part) -> list[dict[str, Any]]:
    begin, end = part.span
    with data_set.files.open_input_file(part.path) as file:
        file.seek(begin)
        lines = file.read(end - begin).split(b"\n")
    return [_row(part.path, None, line) for line in lines if line.strip()]


def _lines(stream: Any) -> Iterator[bytes]:
    """Lines with their ends, whatever their length."""
    rest = b""
    while block := stream.read(1 << 20):
        *lines, rest = (rest + block).split(b"\n") if b"\n" in block else (rest + block,)
        yield from (line + b"\n" for line in lines)
    if rest:
        yield rest


def _row(path: str, number: int | None, line: bytes) -> dict[str, Any]:
    try:
        row = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise DataSetError(path, f"byte {error.start} of it is not UTF-8", number, "write the file in UTF-8") from None
    except json.JSONDecodeError as error:
        raise DataSetError(path, f"it is not JSON: {error.msg} (column {error.colno})", number, _LINE_HINT) from None
    except (ValueError, RecursionError) as error:
        raise DataSetError(path, f"its JSON cannot be read: {error}", number, _LINE_HINT) from None
    if not isinstance(row, dict):
        raise DataSetError(path, f"it is no object but {type(row).__name__}", number, _LINE_HINT)
    return row


# --- places ---------------------------------------------------------------------------------------------------------


def as_path(place: str | os.PathLike[str]) -> str:
    """A path or URI as a text; paths are made absolute, so that actors that run elsewhere in this file system find them."""
    text = os.fspath(place)
    return text if "://" in text else os.path.abspath(text)  # noqa: PTH100 -- a URI is none of the machine's paths


def open_place(place: str) -> tuple[Any, str]:
    """The file system of a path or URI, and the path in it. Raises DataSetError for a URI of an unknown kind."""
    from pyarrow.fs import FileSystem, LocalFileSystem

    if "://" not in place:
        return LocalFileSystem(), place
    with _typed(place):
        files, path = FileSystem.from_uri(place)
    return files, path


def _listed(source: object) -> tuple[Any, list[str]]:
    """The files of a data set, all of one file system."""
    from pyarrow.fs import FileSelector, FileType

    places = [as_path(one) for one in source] if isinstance(source, Sequence) and not isinstance(source, str) else [as_path(source)]  # type: ignore[arg-type]
    files, _ = open_place(places[0])
    paths = []
    for place in places:
        own, path = open_place(place)
        if own != files:
            raise DataSetError(place, "it is in another file system than the first file", hint="give files of one")
        with _typed(place):
            found = own.get_file_info(path)
            if found.type == FileType.NotFound:
                raise DataSetError(place, "there is no such file or folder")
            inside = own.get_file_info(FileSelector(path)) if found.type == FileType.Directory else [found]
        paths += _readable(place, inside, found.type == FileType.Directory)
    return files, paths


def _readable(place: str, found: Sequence[Any], is_folder: bool) -> list[str]:
    paths = sorted(one.path for one in found if one.is_file and one.base_name[0] not in "._")
    known = [path for path in paths if os.path.splitext(path)[1].lower() in KINDS]  # noqa: PTH122
    if not known:
        raise DataSetError(place, "there is no Parquet or JSONL file in it" if is_folder else "it is neither a Parquet nor a JSONL file", hint=_KINDS_HINT)
    return known


class _typed:  # noqa: N801 -- read as a verb: `with _typed(path)`
    """Errors of pyarrow and of files as DataSetError."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        import pyarrow as pa

        if isinstance(error, OSError | pa.ArrowException) and not isinstance(error, DataSetError):
            raise DataSetError(self.path, f"it cannot be read: {' '.join(str(error).split())}") from error
