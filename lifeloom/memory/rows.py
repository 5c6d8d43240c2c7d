"""Rows of memories that go into the file together, and their vectors."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any, Final

from lifeloom.memory import coding
from lifeloom.memory.errors import NotRemembered, OperationInvalid
from lifeloom.memory.file import MemoryFile
from lifeloom.memory.makers import Makers
from lifeloom.memory.types import Vector
from lifeloom.memory.vectors import append_vectors
from lifeloom.records import Memory, VectorSpace

__all__ = ["NewRows", "insert_memories"]

_SHORT: Final = (
    "row, name, kind, label, key, content, keywords, sources, happened_from, lasted, known_after, known_turns, maker, "
    "slot"
)
"""What nearly every new memory has alone: a NULL that is bound costs a quarter of a microsecond."""
_SHORT_WIDTH: Final = _SHORT.count(",") + 1
_LONG: Final = f"{coding.MEMORY_COLUMNS}, slot, crop_slot"
_LONG_WIDTH: Final = _LONG.count(",") + 1
_NULLS: Final = (None,) * 6
"""Of what stands between the first twelve columns and ``maker``."""
_TOGETHER: Final = 10
"""Rows a statement: starting one costs a third of what the row does."""


def _insertion(columns: str, width: int, count: int) -> str:
    places = ", ".join([f"({', '.join('?' * width)})"] * count)
    return f"INSERT INTO memories({columns}) VALUES {places}"  # noqa: S608 - names of ours


_ONE_SHORT: Final = _insertion(_SHORT, _SHORT_WIDTH, 1)
_SEVERAL_SHORT: Final = _insertion(_SHORT, _SHORT_WIDTH, _TOGETHER)
_ONE_LONG: Final = _insertion(_LONG, _LONG_WIDTH, 1)
_STATE: Final = (
    "SELECT (SELECT coalesce(max(row), 0) + 1 FROM memories), (SELECT value FROM meta WHERE name = 'slots.text'), "
    "(SELECT value FROM meta WHERE name = 'slots.image')"
)


class NewRows:
    """Rows that are inserted together, behind those of the file.

    Args:
        sql: The connection, in a transaction.
    """

    def __init__(self, sql: sqlite3.Connection) -> None:
        self._sql = sql
        row, text, image = sql.execute(_STATE).fetchone()
        self._first = int(row)
        self._slots = {"text": int(text or 0), "image": int(image or 0)}
        self._rows: list[tuple[Any, ...]] = []
        self._vectors: dict[VectorSpace, list[Vector]] = {"text": [], "image": []}

    @property
    def next_row(self) -> int:
        """The number of the row that is put next."""
        return self._first + len(self._rows)

    def slot(self, space: VectorSpace, vector: Vector | None) -> int | None:
        """Take a vector along and return its slot."""
        if vector is None:
            return None
        vectors = self._vectors[space]
        vectors.append(vector)
        return self._slots[space] + len(vectors) - 1

    def put(self, values: tuple[Any, ...]) -> None:
        """Take the next row along.

        Args:
            values: Of all columns, or those of the first twelve, ``maker`` and ``slot``; the others are NULL then.
        """
        self._rows.append(values)

    def replace(self, row: int, values: tuple[Any, ...]) -> None:
        """Put other values of ``MEMORY_COLUMNS`` in the place of those of a row, which keeps its vectors."""
        before = self._rows[row - self._first]
        slots = before[-2:] if len(before) == _LONG_WIDTH else (before[-1], None)
        self._rows[row - self._first] = (*values, *slots)

    def write(self) -> None:
        """Insert all of it. Raises as ``append_vectors`` does."""
        for space, vectors in self._vectors.items():
            if vectors:
                append_vectors(self._sql, space, vectors, self._slots[space])
        for width, alike in itertools.groupby(self._rows, len):
            if width == _LONG_WIDTH:
                self._sql.executemany(_ONE_LONG, alike)
                continue
            rows = list(alike)
            whole = len(rows) - len(rows) % _TOGETHER
            for at in range(0, whole, _TOGETHER):
                self._sql.execute(_SEVERAL_SHORT, list(itertools.chain.from_iterable(rows[at : at + _TOGETHER])))
            for row in rows[whole:]:
                self._sql.execute(_ONE_SHORT, row)


def insert_memories(
    file: MemoryFile,
    makers: Makers,
    memories: Sequence[Memory],
    vectors: Mapping[tuple[str, VectorSpace], Vector],
) -> None:
    """Put memories into the file as they are: ids, versions and ends included, in this order.

    Args:
        file: The user's file.
        makers: Of the file.
        memories: In the order in which they became known; their turns and crops are in the file already.
        vectors: By memory id and space.

    Raises:
        OperationInvalid: a memory of another user, or what is no unit vector.
        OtherEncoder: vectors of another length.
        NotRemembered: a memory cites a turn that is not in the file.
    """
    with file.transaction() as sql:
        turns = {turn for (turn,) in sql.execute("SELECT turn FROM turns")}
        new = NewRows(sql)
        for memory in memories:
            if memory.user_id != file.user_id:
                raise OperationInvalid(f"memory {memory.memory_id} is of {memory.user_id!r}, not of {file.user_id!r}")
            if not turns.issuperset(memory.source_turns):
                raise NotRemembered(f"memory {memory.memory_id} cites turns that are not in the file")
            values = coding.memory_row(new.next_row, memory, makers.number(sql, memory.made_by))
            slot = new.slot("text", vectors.get((memory.memory_id, "text")))
            crop_slot = new.slot("image", vectors.get((memory.memory_id, "image")))
            if crop_slot is None and values[12:18] == _NULLS:
                new.put((*values[:12], values[18], slot))
            else:
                new.put((*values, slot, crop_slot))
        new.write()
