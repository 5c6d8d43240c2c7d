"""Who made memories: each maker once in the file, by number."""

from __future__ import annotations

import sqlite3

from lifeloom.memory.errors import MemoryCorrupt
from lifeloom.memory.file import MemoryFile
from lifeloom.records import Provenance

__all__ = ["Makers"]


class Makers(dict[int, Provenance]):
    """The makers of a file by number; one that another process added is looked up when it is asked for."""

    def __init__(self, file: MemoryFile) -> None:
        super().__init__()
        self._file = file
        self._numbers: dict[Provenance, int] = {}
        self._generation = file.generation

    def number(self, sql: sqlite3.Connection, maker: Provenance) -> int:
        """Return the number of a maker, who is added within the transaction of ``sql`` where it is new."""
        if self._generation != self._file.generation:  # an undone write may have taken a new one back
            self.clear()
            self._numbers.clear()
            self._generation = self._file.generation
        found = self._numbers.get(maker)
        if found is None:
            row = sql.execute(
                "SELECT maker FROM makers WHERE backend = ? AND model = ? AND prompt_version = ?",
                (maker.backend, maker.model, maker.prompt_version),
            ).fetchone()
            if row is None:
                row = sql.execute(
                    "INSERT INTO makers(backend, model, prompt_version) VALUES (?, ?, ?) RETURNING maker",
                    (maker.backend, maker.model, maker.prompt_version),
                ).fetchone()
            found = self._numbers[maker] = int(row[0])
            self[found] = maker
        return found

    def __missing__(self, number: int) -> Provenance:
        for row in self._file.query("SELECT maker, backend, model, prompt_version FROM makers"):
            self[row[0]] = Provenance(backend=row[1], model=row[2], prompt_version=row[3])
        if number not in self:
            raise MemoryCorrupt(f"{self._file.path} names nobody as maker {number}; it was overwritten")
        return self[number]
