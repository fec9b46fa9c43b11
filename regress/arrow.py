"""Rows written as a file of Arrow or Parquet, batch after batch. It comes with the extra `table`."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
from msgspec.structs import asdict
from pyarrow import ipc, parquet

from recorder.files import writing_whole
from regress.tabling import ARROW, PARQUET, Row, Wanted, columns

BATCH: Final = 16_384
"""How many rows are held before they are written: a batch of Arrow, a group of rows of Parquet."""
ORIGIN: Final = {"shinpan": "1"}
"""What a file says it is, in its metadata: the number grows with every change that a question would notice."""

_TEXTS, _NAMED = pa.list_(pa.string()), pa.list_(pa.struct([("fact", pa.string()), ("clause", pa.string())]))
TYPES: Final[dict[str, pa.DataType]] = {
    "seats": _TEXTS,
    "entry": pa.int32(),
    "at": pa.timestamp("ms", tz="UTC"),
    "turn": pa.int32(),
    "clauses": _TEXTS,
    "facts": pa.int32(),
    "violations": _TEXTS,
    "faces": _TEXTS,
    "left": pa.bool_(),
    "standing": pa.bool_(),
    "flagged": pa.bool_(),
    "undone": pa.bool_(),
    "broken": _TEXTS,
    "missing": _NAMED,
    "extra": _NAMED,
}
"""The type of each column that is no text."""
COUNTED: Final = ("entry", "facts")
"""Numbers that are 0 where there is none of what they count."""


def schema_of(wanted: Wanted) -> pa.Schema:
    """The columns of a table with their types; the file says for whom it was written."""
    named = [(name, TYPES.get(name, pa.string())) for name in columns(wanted)]
    return pa.schema(named, metadata={**ORIGIN, "of": wanted.of, "for": wanted.audience})


def write(wanted: Wanted, rows: Iterable[Row], path: Path) -> int:
    """Write a table, whole or not at all; how many rows it has. Raises OSError and whatever reading the rows does."""
    schema, count = schema_of(wanted), 0
    with writing_whole(path) as half, _WRITERS[path.suffix](half, schema) as writer:
        for batch in _batches(rows, schema):
            writer.write_batch(batch)
            count += batch.num_rows
    return count


def _batches(rows: Iterable[Row], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    coming = iter(rows)
    while chunk := list(islice(coming, BATCH)):
        values = zip(schema, zip(*chunk, strict=True), strict=True)
        yield pa.record_batch([_column(field, column) for field, column in values], schema=schema)


def _column(field: pa.Field, values: Iterable[Any]) -> pa.Array:
    """A column; where a text, a time or a turn is not known, nothing stands."""
    if field.type == _NAMED:
        values = [[asdict(named) for named in each] for each in values]
    elif not (field.name in COUNTED or pa.types.is_list(field.type) or pa.types.is_boolean(field.type)):
        values = [value or None for value in values]
    return pa.array(values, field.type)


def _parquet(path: Path, schema: pa.Schema) -> AbstractContextManager[Any]:
    writer: AbstractContextManager[Any] = parquet.ParquetWriter(path, schema, compression="zstd")
    return writer


def _arrow(path: Path, schema: pa.Schema) -> AbstractContextManager[Any]:
    writer: AbstractContextManager[Any] = ipc.new_file(path, schema, options=ipc.IpcWriteOptions(compression="zstd"))
    return writer


_WRITERS: Final[dict[str, Callable[[Path, pa.Schema], AbstractContextManager[Any]]]] = {
    PARQUET: _parquet,
    ARROW: _arrow,
}
