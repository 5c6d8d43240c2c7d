"""Vectors in the file: several a block, by slot, so that a vector costs its own bytes and little more."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from lifeloom.memory.errors import MemoryCorrupt, OperationInvalid, OtherEncoder
from lifeloom.memory.schema import SLOTS
from lifeloom.memory.types import Vector
from lifeloom.records import VectorSpace

__all__ = [
    "append_vectors",
    "check_encoder",
    "clear_slots",
    "dimensions_of",
    "encoder_of",
    "read_vectors",
    "use_encoder",
]

_BLOCKS: Final[dict[VectorSpace, str]] = {"text": "text_blocks", "image": "image_blocks"}
_STORED: Final = np.dtype("<f4")
_TOLERANCE: Final = 1e-3


def encoder_of(sql: sqlite3.Connection, space: VectorSpace) -> str:
    """Return the encoder that the vectors of a space are bound to, empty for none."""
    return _meta(sql, f"encoder.{space}") or ""


def dimensions_of(sql: sqlite3.Connection, space: VectorSpace) -> int:
    """Return the length of the vectors of a space, 0 where there are none."""
    return int(_meta(sql, f"dimensions.{space}") or 0)


def check_encoder(sql: sqlite3.Connection, space: VectorSpace, name: str, dimensions: int) -> bool:
    """Return whether a space is bound to this encoder, False where it is bound to none.

    Raises:
        OtherEncoder: it is bound to another, or has vectors of another length.
    """
    bound, length = encoder_of(sql, space), dimensions_of(sql, space)
    if (bound and bound != name) or (length and length != dimensions):
        raise OtherEncoder(
            f"the {space} vectors in the file are of {bound or 'an unnamed encoder'} with {length} numbers each, these "
            f"are of {name} with {dimensions}; use the encoder of the file, or make its memories anew"
        )
    return bool(bound)


def use_encoder(sql: sqlite3.Connection, space: VectorSpace, name: str, dimensions: int) -> None:
    """Bind a space to an encoder. Raises OtherEncoder as ``check_encoder`` does."""
    if not check_encoder(sql, space, name, dimensions):
        _set_meta(sql, f"encoder.{space}", name)
        _set_meta(sql, f"dimensions.{space}", str(dimensions))


def append_vectors(sql: sqlite3.Connection, space: VectorSpace, vectors: Sequence[Vector], first: int) -> None:
    """Store vectors in the next slots.

    Args:
        sql: The connection, in a transaction.
        space: Of texts or of crops.
        vectors: (dimensions,) each.
        first: The next slot, as ``meta`` has it under ``slots.<space>``.

    Raises:
        OtherEncoder: a length other than that of the vectors in the file.
        OperationInvalid: what is no unit vector.
    """
    together = _checked(vectors)
    count, width = together.shape
    known = dimensions_of(sql, space)
    if not known:
        _set_meta(sql, f"dimensions.{space}", str(width))
    elif known != width:
        raise OtherEncoder(
            f"a {space} vector has {width} numbers, those in the file have {known}; use the encoder that the file is of"
        )
    table = _BLOCKS[space]
    done = 0
    if place := first % SLOTS:
        done = min(SLOTS - place, count)
        with sql.blobopen(table, "data", first // SLOTS) as blob:
            blob.seek(place * width * 4)
            blob.write(together[:done].tobytes())
    blocks = []
    for start in range(done, count, SLOTS):
        some = together[start : start + SLOTS].tobytes()
        if missing := SLOTS * width * 4 - len(some):
            some += bytes(missing)
        blocks.append(((first + start) // SLOTS, some))
    if blocks:
        sql.executemany(f"INSERT INTO {table} VALUES (?, ?)", blocks)  # noqa: S608 - a name of ours
    _set_meta(sql, f"slots.{space}", str(first + count))


def read_vectors(sql: sqlite3.Connection, space: VectorSpace, slots: Sequence[int]) -> npt.NDArray[np.float32]:
    """Return the vectors of ``slots``, shape (len(slots), dimensions), read in the order of the file.

    Raises:
        MemoryCorrupt: the file has no such block.
    """
    width = dimensions_of(sql, space)
    out = np.empty((len(slots), width), dtype=np.float32)
    if not len(slots):
        return out
    wanted = np.asarray(slots, dtype=np.int64)
    order = None if (wanted[:-1] < wanted[1:]).all() else np.argsort(wanted, kind="stable")
    ordered = wanted if order is None else wanted[order]
    # Where in the answer the vectors of each block begin.
    first, last = int(ordered[0]) // SLOTS, int(ordered[-1]) // SLOTS
    bounds = ordered.searchsorted(np.arange(first, last + 2) * SLOTS).tolist()
    whole = order is None and int(ordered[-1] - ordered[0]) == len(ordered) - 1
    done = 0
    for block, data in sql.execute(
        f"SELECT block, data FROM {_BLOCKS[space]} WHERE block BETWEEN ? AND ? ORDER BY block",  # noqa: S608
        (first, last),
    ):
        begin, end = bounds[block - first], bounds[block - first + 1]
        if begin == end:
            continue
        if len(data) != SLOTS * width * 4:
            raise MemoryCorrupt(f"vector block {block} has {len(data)} bytes; the file was overwritten")
        values = np.frombuffer(data, dtype=_STORED).reshape(SLOTS, width)
        if whole:
            place = int(ordered[begin]) - block * SLOTS
            out[begin:end] = values[place : place + end - begin]
        else:
            out[begin:end] = values[ordered[begin:end] - block * SLOTS]
        done += end - begin
    if done != len(ordered):
        raise MemoryCorrupt("vectors are missing in the file; it was overwritten: bring it back from a copy")
    if order is not None:
        out[order] = out.copy()
    return out


def clear_slots(sql: sqlite3.Connection, space: VectorSpace, slots: Iterable[int]) -> None:
    """Overwrite vectors with zeros; their slots are not used again."""
    width = dimensions_of(sql, space)
    for slot in slots:
        with sql.blobopen(_BLOCKS[space], "data", slot // SLOTS) as blob:
            blob.seek(slot % SLOTS * width * 4)
            blob.write(bytes(width * 4))


def _checked(vectors: Sequence[Vector]) -> npt.NDArray[np.float32]:
    shape, *others = {vector.shape for vector in vectors}
    if others:
        raise OperationInvalid(f"the vectors of a job differ in length ({shape}, {others[0]}); use one encoder")
    if len(shape) != 1 or not shape[0]:
        raise OperationInvalid(f"a vector has shape {shape}, it must be (dimensions,)")
    together = np.concatenate(vectors).astype(_STORED, copy=False).reshape(-1, shape[0])
    lengths = np.vecdot(together, together)
    if not (np.abs(lengths - 1) < 2 * _TOLERANCE).all():  # False for NaN too
        raise OperationInvalid("a vector is not of unit length; divide it by its length before it is stored")
    return together


def _meta(sql: sqlite3.Connection, name: str) -> str | None:
    row = sql.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return None if row is None else str(row[0])


def _set_meta(sql: sqlite3.Connection, name: str, value: str) -> None:
    sql.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))
