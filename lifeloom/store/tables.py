"""One table as one Parquet file: written as a stream with a running hash, read as a stream, verified.

The file depends on the records alone: how many calls wrote them, and in which portions, leaves no
trace, and nothing of the machine or the moment goes in.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
from collections.abc import Iterable, Iterator
from typing import IO, Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from lifeloom.records import Record
from lifeloom.records.parquet import (
    RecordConversionError,
    RecordFormatError,
    arrow_schema,
    check_schema,
    schema_digest,
    to_batch,
    to_records,
)
from lifeloom.store.errors import DatasetCorrupt, StoreFormatError
from lifeloom.store.manifest import Table
from lifeloom.store.place import Place

__all__ = ["TableWriter", "read_table", "verify_table"]

RecordT = TypeVar("RecordT", bound=Record)

_GROUP_ROWS = 16_384
_GROUP_BYTES = 16 * 2**20
"""A row group ends at the first of the two: rows of any size leave memory flat."""
_PORTION_BYTES = 2**20
_PORTION_ROWS = 2048
"""Records are turned into columns, and back, in portions of about this size."""


class _HashingSink:
    """A file for Arrow to write to that hashes what goes through. Parquet is written front to back."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._digest = hashlib.sha256()
        self.size = 0
        self.discard = False
        self.closed = False

    def write(self, data: Any) -> int:
        view = memoryview(data)
        if not self.discard:
            self._file.write(view)
            self._digest.update(view)
        self.size += view.nbytes
        return view.nbytes

    def tell(self) -> int:
        return self.size

    def flush(self) -> None:
        """Leave it to the end: Arrow flushes more often than anybody needs."""

    def close(self) -> None:
        self.closed = True

    def hexdigest(self) -> str:
        return self._digest.hexdigest()


class TableWriter:
    """Writes the records of one table to one Parquet file, in as many calls as one likes."""

    def __init__(self, place: Place, folder: str, name: str, record_type: type[Record]) -> None:
        self.name = name
        self.record_type = record_type
        self.rows = 0
        self._place = place
        self._pending: list[Record] = []
        self._portion_rows = 8  # until the records' size is known
        self._batches: list[pa.RecordBatch] = []
        self._batch_rows = 0
        self._batch_bytes = 0
        self._file = place.open_new(f"{folder}/{name}.parquet")
        self._sink = _HashingSink(self._file)
        self._parquet = pq.ParquetWriter(
            pa.PythonFile(self._sink, mode="w"),
            arrow_schema(record_type),
            version="2.6",
            compression="zstd",
            compression_level=1,
            use_dictionary=True,
            write_statistics=True,
            data_page_version="1.0",
            store_schema=True,
        )

    def write(self, records: Iterable[Record]) -> int:
        """Append ``records`` and return how many they were.

        Raises:
            TypeError: One is not a record of the table's type.
            RecordConversionError: A value does not fit its column.
        """
        before = self.rows
        source = iter(records)
        while portion := list(itertools.islice(source, self._portion_rows - len(self._pending))):
            for record in portion:
                if not isinstance(record, self.record_type):
                    raise TypeError(
                        f"the table {self.name!r} holds {self.record_type.__name__} records, "
                        f"not {type(record).__name__}"
                    )
            self._pending += portion
            self.rows += len(portion)
            if len(self._pending) >= self._portion_rows:
                self._convert()
        return self.rows - before

    def _convert(self) -> None:
        if not self._pending:
            return
        batch = to_batch(self.record_type, self._pending)
        self._batches.append(batch)
        self._batch_rows += batch.num_rows
        self._batch_bytes += batch.nbytes
        # From the data alone, so that the same records always fall into the same portions.
        self._portion_rows = _portion_rows(batch.nbytes, batch.num_rows)
        self._pending = []
        if self._batch_rows >= _GROUP_ROWS or self._batch_bytes >= _GROUP_BYTES:
            self._end_group()

    def _end_group(self) -> None:
        if self._batches:
            table = pa.Table.from_batches(self._batches).combine_chunks()
            self._parquet.write_table(table, row_group_size=max(1, table.num_rows))
        self._batches, self._batch_rows, self._batch_bytes = [], 0, 0

    def finish(self) -> Table:
        """Write what is left, close the file and return its entry for the manifest."""
        self._convert()
        self._end_group()
        self._parquet.close()
        self._place.settle(self._file)
        self._file.close()
        return Table(
            name=self.name,
            kind=self.record_type.KIND,
            format_version=self.record_type.FORMAT_VERSION,
            rows=self.rows,
            file=f"{self.name}.parquet",
            bytes=self._sink.size,
            sha256=self._sink.hexdigest(),
            schema_digest=schema_digest(self.record_type),
        )

    def abandon(self) -> None:
        """Let go of a half-written file; the caller removes it."""
        # Closing writes a footer, and Python still holds bytes for the file. What made the writer give
        # up (a full disk, most likely) can refuse both, and must stay the error that is reported.
        self._sink.discard = True
        with contextlib.suppress(OSError, pa.ArrowException):
            self._parquet.close()
        with contextlib.suppress(OSError):
            self._file.close()


def _portion_rows(size: int, rows: int) -> int:
    return max(1, min(_PORTION_ROWS, _PORTION_BYTES * rows // max(1, size)))


def verify_table(place: Place, folder: str, table: Table) -> None:
    """Make sure that the file of ``table`` is the one that was published.

    Raises:
        DatasetCorrupt: It is missing, cut short or changed.
    """
    name = f"{folder}/{table.file}"
    size = place.size(name)
    if size is None:
        raise DatasetCorrupt(f"{place}/{name} is missing; make the data set again")
    if size != table.bytes:
        raise DatasetCorrupt(f"{place}/{name} has {size} bytes instead of {table.bytes}; make the data set again")
    if place.sha256(name) != table.sha256:
        raise DatasetCorrupt(f"{place}/{name} was changed after it was written (SHA-256); make the data set again")


def read_table(place: Place, folder: str, table: Table, record_type: type[RecordT]) -> Iterator[RecordT]:
    """Yield the records of ``table``, validated, in the order they were written.

    The file is opened and its schema checked before the first record is asked for.

    Raises:
        StoreFormatError: The table has another kind, format version or schema than ``record_type``.
        DatasetCorrupt: The file cannot be read, or a row breaks a rule of the record.
    """
    where = f"{place}/{folder}/{table.file}"
    # Open: the file stays readable even when a writer removes its version meanwhile.
    file = place.open(f"{folder}/{table.file}")
    try:
        parquet = pq.ParquetFile(file)
        check_schema(record_type, parquet.schema_arrow)
    except RecordFormatError as error:
        file.close()
        raise StoreFormatError(f"{where}: {error}") from error
    except pa.ArrowInvalid as error:
        file.close()
        raise DatasetCorrupt(f"{where} is not a readable Parquet file ({error}); make the data set again") from error
    return _records(parquet, file, where, record_type)


def _records(parquet: Any, file: IO[bytes], where: str, record_type: type[RecordT]) -> Iterator[RecordT]:
    with file:
        for group in range(parquet.metadata.num_row_groups):
            try:
                table = parquet.read_row_group(group, use_threads=False)
            except (OSError, pa.ArrowException) as error:
                raise DatasetCorrupt(f"{where} cannot be read ({error}); make the data set again") from error
            # By the size in memory: the size in the file says little where values repeat.
            for batch in table.to_batches(max_chunksize=_portion_rows(table.nbytes, table.num_rows)):
                try:
                    records = to_records(record_type, batch)
                except RecordConversionError as error:
                    raise DatasetCorrupt(
                        f"{where}, row group {group}: {error}; the record's rules changed or the file did: make the "
                        "data set again"
                    ) from error
                yield from records
