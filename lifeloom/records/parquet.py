"""Records to Arrow and back: the Parquet schema of every record follows from its fields.

A field's type gives its column: ``str``, literals and identifiers become ``string``; ``int`` becomes
``int64``; ``float`` becomes ``double``; ``bool`` stays; ``UtcTime`` becomes ``timestamp[us, UTC]``;
``LocalTime`` becomes ``timestamp[us]``; ``date`` becomes ``date32``; a ``Part`` becomes a struct, a
``tuple`` of one type a list, ``X | None`` a nullable column. Every other column is not null. The
schema carries the record's kind and format version, and reading another one is a typed error.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import functools
import hashlib
import itertools
import operator
import types
import typing
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import pyarrow as pa
from pydantic import AwareDatetime, TypeAdapter, ValidationError

from lifeloom.records.base import Part, Record

__all__ = [
    "RecordConversionError",
    "RecordFormatError",
    "UnsupportedFieldError",
    "arrow_schema",
    "check_schema",
    "describe_schema",
    "iter_records",
    "schema_digest",
    "to_batch",
    "to_records",
    "to_table",
]

RecordT = TypeVar("RecordT", bound=Record)

_KIND = b"lifeloom.kind"
_FORMAT_VERSION = b"lifeloom.format_version"
# The name that Parquet gives list elements; any other would change on the way through a file.
_ELEMENT = "element"

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_SCALARS: dict[Any, tuple[pa.DataType, Any]] = {
    str: (pa.string(), ""),
    bool: (pa.bool_(), False),
    int: (pa.int64(), 0),
    float: (pa.float64(), 0.0),
    AwareDatetime: (pa.timestamp("us", tz="UTC"), _EPOCH),
    dt.date: (pa.date32(), _EPOCH.date()),
}


class UnsupportedFieldError(TypeError):
    """A record has a field that Parquet columns are not defined for."""


class RecordConversionError(ValueError):
    """A value does not fit its column, or a row does not make a valid record."""


class RecordFormatError(ValueError):
    """The data were written with another schema or format version of the record."""


@dataclasses.dataclass(frozen=True)
class _Column:
    """How the values of one field become an Arrow array."""

    type: pa.DataType
    neutral: Any
    """A value that ``build`` takes and nobody sees; None where the column is nullable."""
    build: Callable[[Sequence[Any]], pa.Array]
    nullable: bool = False


def _scalar(data_type: pa.DataType, neutral: Any) -> _Column:
    return _Column(data_type, neutral, lambda values: pa.array(values, data_type))


def _local_times(values: Sequence[Any]) -> pa.Array:
    # Arrow would turn a zoned time into UTC and drop the zone: another wall-clock time without a word.
    if any(value is not None and value.tzinfo is not None for value in values):
        raise ValueError("a local time must not have a zone; store a moment as UtcTime")
    return pa.array(values, pa.timestamp("us"))


def _struct(part: type[Part]) -> _Column:
    names, columns = _columns(part)
    fields = [pa.field(name, column.type, column.nullable) for name, column in zip(names, columns, strict=True)]
    getters = [operator.attrgetter(name) for name in names]
    # Stands in for a missing part: Parquet wants values in columns that are not null, even below a null struct.
    stand_in = types.SimpleNamespace(**{name: column.neutral for name, column in zip(names, columns, strict=True)})

    def build(values: Sequence[Any]) -> pa.Array:
        missing = [value is None for value in values]
        mask = None
        if any(missing):
            mask = pa.array(missing, pa.bool_())
            values = [stand_in if value is None else value for value in values]
        children = [column.build(list(map(get, values))) for get, column in zip(getters, columns, strict=True)]
        return pa.StructArray.from_arrays(children, fields=fields, mask=mask)

    return _Column(pa.struct(fields), stand_in, build)


def _list(element: _Column) -> _Column:
    data_type = pa.list_(pa.field(_ELEMENT, element.type, element.nullable))

    def build(values: Sequence[Any]) -> pa.Array:
        missing = [value is None for value in values]
        filled = [value or () for value in values]
        offsets = pa.array([0, *itertools.accumulate(map(len, filled))], pa.int32())
        items = element.build(list(itertools.chain.from_iterable(filled)))
        mask = pa.array(missing, pa.bool_()) if any(missing) else None
        return pa.ListArray.from_arrays(offsets, items, type=data_type, mask=mask)

    return _Column(data_type, (), build)


def _column(annotation: Any, where: str) -> _Column:
    origin = typing.get_origin(annotation)
    arguments = typing.get_args(annotation)
    if origin is typing.Annotated:
        return _column(arguments[0], where)
    if origin in (typing.Union, types.UnionType) and len(arguments) == 2 and type(None) in arguments:
        inner = next(argument for argument in arguments if argument is not type(None))
        return dataclasses.replace(_column(inner, where), neutral=None, nullable=True)
    if origin is typing.Literal and all(isinstance(argument, str) for argument in arguments):
        return _scalar(*_SCALARS[str])
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return _list(_column(arguments[0], where))
    if annotation is dt.datetime:
        return _Column(pa.timestamp("us"), _EPOCH.replace(tzinfo=None), _local_times)
    if annotation in _SCALARS:
        return _scalar(*_SCALARS[annotation])
    if isinstance(annotation, type) and issubclass(annotation, Part):
        return _struct(annotation)
    raise UnsupportedFieldError(
        f"{where} has the type {annotation!r}, which has no Parquet column; use str, int, float, bool, a literal of "
        "strings, UtcTime, LocalTime, date, a Part, a tuple[X, ...] of these, or X | None"
    )


@functools.cache
def _columns(part: type[Part]) -> tuple[tuple[str, ...], tuple[_Column, ...]]:
    names = tuple(part.model_fields)
    if not names:
        raise UnsupportedFieldError(f"{part.__name__} has no fields, which Parquet cannot store")
    return names, tuple(_column(part.model_fields[name].annotation, f"{part.__name__}.{name}") for name in names)


@functools.cache
def arrow_schema(record_type: type[Record]) -> pa.Schema:
    """Return the Arrow schema of ``record_type``, with its kind and format version as metadata.

    Raises:
        UnsupportedFieldError: A field has a type without a column.
    """
    names, columns = _columns(record_type)
    return pa.schema(
        [pa.field(name, column.type, column.nullable) for name, column in zip(names, columns, strict=True)],
        metadata={_KIND: record_type.KIND, _FORMAT_VERSION: str(record_type.FORMAT_VERSION)},
    )


def to_batch(record_type: type[RecordT], records: Sequence[RecordT]) -> pa.RecordBatch:
    """Return ``records`` as one batch of the schema of ``record_type``.

    Columns are built from the attributes, without a dictionary a row: this is what writing spends
    its time on.

    Raises:
        RecordConversionError: A value does not fit its column (an integer beyond 64 bits, for example).
    """
    names, columns = _columns(record_type)
    arrays = []
    for name, column in zip(names, columns, strict=True):
        try:
            arrays.append(column.build(list(map(operator.attrgetter(name), records))))
        except (ValueError, OverflowError, pa.ArrowException) as error:
            raise RecordConversionError(f"{record_type.KIND}.{name}: {error}") from error
    return pa.RecordBatch.from_arrays(arrays, schema=arrow_schema(record_type))


def to_table(record_type: type[RecordT], records: Sequence[RecordT]) -> pa.Table:
    """Return ``records`` as a table. For data that fit in memory; the store writes in batches."""
    return pa.Table.from_batches([to_batch(record_type, records)])


@functools.cache
def _adapter(record_type: type[RecordT]) -> TypeAdapter[list[RecordT]]:
    return TypeAdapter(list[record_type])  # type: ignore[valid-type]


def to_records(record_type: type[RecordT], batch: pa.RecordBatch) -> list[RecordT]:
    """Return the rows of ``batch`` as validated records. The schema is not checked here.

    Raises:
        RecordConversionError: A row breaks a rule of the record.
    """
    names = batch.schema.names
    rows = [dict(zip(names, row, strict=True)) for row in zip(*map(_values, batch.columns), strict=True)]
    try:
        return _adapter(record_type).validate_python(rows)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"][1:])
        raise RecordConversionError(
            f"{error.error_count()} values of {record_type.KIND} break its rules; first: {place}: {first['msg']}"
        ) from error


def _values(column: pa.Array) -> list[Any]:
    # A zone costs Arrow a look-up a value; moments come out the same from naive UTC with the zone put on.
    if pa.types.is_timestamp(column.type) and column.type.tz == "UTC":
        naive = column.cast(pa.timestamp("us")).to_pylist()
        return [None if value is None else value.replace(tzinfo=dt.UTC) for value in naive]
    return typing.cast("list[Any]", column.to_pylist())


def iter_records(record_type: type[RecordT], table: pa.Table, *, rows_at_once: int = 2048) -> Iterator[RecordT]:
    """Yield the rows of ``table`` as validated records.

    Raises:
        RecordFormatError: The table has another schema or format version.
        RecordConversionError: A row breaks a rule of the record.
    """
    check_schema(record_type, table.schema)
    for batch in table.to_batches(max_chunksize=rows_at_once):
        yield from to_records(record_type, batch)


def check_schema(record_type: type[Record], schema: pa.Schema) -> None:
    """Make sure that ``schema`` is the one that this version of Lifeloom writes for ``record_type``.

    Raises:
        RecordFormatError: It is another; the message says what to do.
    """
    metadata = schema.metadata or {}
    kind = metadata.get(_KIND, b"").decode("utf-8", "replace")
    version = metadata.get(_FORMAT_VERSION, b"").decode("utf-8", "replace")
    if kind != record_type.KIND:
        raise RecordFormatError(
            f"these are {f'records of kind {kind!r}' if kind else 'no Lifeloom records'}, not {record_type.KIND!r}; "
            "read the table with the record type that its manifest names"
        )
    if not version.isdecimal():
        raise RecordFormatError(
            f"the {kind} data name no readable format version ({version!r}); make the data set again"
        )
    if int(version) < record_type.FORMAT_VERSION:
        raise RecordFormatError(
            f"the {kind} data have format version {version}, older than {record_type.FORMAT_VERSION}, which this "
            "version of Lifeloom reads; make the data set again, or read it with the version of Lifeloom that wrote it"
        )
    if int(version) > record_type.FORMAT_VERSION:
        raise RecordFormatError(
            f"the {kind} data have format version {version}, newer than {record_type.FORMAT_VERSION}, which this "
            "version of Lifeloom reads; update Lifeloom"
        )
    expected = arrow_schema(record_type)
    if not schema.equals(expected, check_metadata=False):
        mine = set(describe_schema(expected).splitlines())
        theirs = set(describe_schema(schema).splitlines())
        raise RecordFormatError(
            f"the {kind} data have other columns than format version {version} says (a field was changed and "
            f"FORMAT_VERSION was not raised): only in the data {sorted(theirs - mine)}, only in the record "
            f"{sorted(mine - theirs)}; make the data set again"
        )


def _describe_type(data_type: pa.DataType) -> str:
    if pa.types.is_struct(data_type):
        inner = ", ".join(_describe_field(data_type.field(place)) for place in range(data_type.num_fields))
        return f"struct<{inner}>"
    if pa.types.is_list(data_type):
        element = data_type.value_field
        return f"list<{_describe_type(element.type)}{' or null' if element.nullable else ''}>"
    return str(data_type)


def _describe_field(field: pa.Field) -> str:
    return f"{field.name}: {_describe_type(field.type)}{' or null' if field.nullable else ''}"


def describe_schema(schema: pa.Schema) -> str:
    """Return ``schema`` as text: a line with kind and format version, then a line a column.

    The text is the project's own, so that it stays the same when Arrow prints schemas another way.
    """
    metadata = schema.metadata or {}
    kind = metadata.get(_KIND, b"?").decode("utf-8", "replace")
    version = metadata.get(_FORMAT_VERSION, b"?").decode("utf-8", "replace")
    lines = [f"{kind} (format {version})", *(f"  {_describe_field(field)}" for field in schema)]
    return "\n".join(lines) + "\n"


def schema_digest(record_type: type[Record]) -> str:
    """Return the SHA-256 (64 hexadecimal digits) of the schema's description."""
    return hashlib.sha256(describe_schema(arrow_schema(record_type)).encode()).hexdigest()
