"""A cache of small byte strings in memory and in one SQLite file, for what is costly to compute from content."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path

from lifeloom.models.protocol import ModelError

__all__ = ["ByteCache", "CacheFileUnusable"]

_SQLITE_PARAMETERS = 900  # below the 999 of old SQLite builds


class CacheFileUnusable(ModelError):
    """The cache file cannot be opened or is not one: delete it or name another path."""


class ByteCache:
    """Byte strings by (space, key). Safe to share between threads; several processes may share a file.

    A space names what the values mean and what made them (a model identity, for example), so that a new
    version never reads what an old one wrote.

    Args:
        path: SQLite file that keeps the values between runs (None: memory only). Made with its folder when missing.
        memory_items: values kept in memory, least recently used out first.

    Raises:
        CacheFileUnusable: on first use, when ``path`` is not a usable cache file.
    """

    def __init__(self, path: Path | str | None, memory_items: int) -> None:
        if memory_items < 0:
            raise ValueError("memory_items is the number of values to keep: 0 or more")
        self._path = None if path is None else Path(path)
        self._memory_items = memory_items
        self._memory: OrderedDict[tuple[str, bytes], bytes] = OrderedDict()
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._connection_pid = 0

    def get_many(self, space: str, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the values that are known, by key."""
        found: dict[bytes, bytes] = {}
        with self._lock:
            wanted: list[bytes] = []
            for key in dict.fromkeys(keys):
                known = self._memory.get((space, key))
                if known is None:
                    wanted.append(key)
                else:
                    self._memory.move_to_end((space, key))
                    found[key] = known
            for key, value in self._read_file(space, wanted).items():
                found[key] = value
                self._remember((space, key), value)
        return found

    def put_many(self, space: str, values: Mapping[bytes, bytes]) -> None:
        """Keep ``values``, replacing what was there."""
        if not values:
            return
        with self._lock:
            for key, value in values.items():
                self._remember((space, key), value)
            if self._path is not None:
                connection = self._open(self._path)
                try:
                    with connection:
                        connection.executemany(
                            "INSERT OR REPLACE INTO entries VALUES (?, ?, ?)",
                            [(space, key, value) for key, value in values.items()],
                        )
                except sqlite3.Error as error:
                    raise _unusable(self._path, error) from error

    def close(self) -> None:
        """Close the file; the cache may still be used, which opens it again."""
        with self._lock:
            if self._connection is not None and self._connection_pid == os.getpid():
                self._connection.close()
            self._connection = None

    def _remember(self, key: tuple[str, bytes], value: bytes) -> None:
        self._memory[key] = value
        self._memory.move_to_end(key)
        while len(self._memory) > self._memory_items:
            self._memory.popitem(last=False)

    def _open(self, path: Path) -> sqlite3.Connection:
        # A connection must not cross a fork: each process opens its own.
        if self._connection is None or self._connection_pid != os.getpid():
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                connection = sqlite3.connect(path, timeout=60.0, check_same_thread=False)
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute("PRAGMA synchronous=NORMAL")
                connection.execute(
                    "CREATE TABLE IF NOT EXISTS entries (space TEXT NOT NULL, key BLOB NOT NULL, "
                    "value BLOB NOT NULL, PRIMARY KEY (space, key)) WITHOUT ROWID"
                )
            except (OSError, sqlite3.Error) as error:
                raise _unusable(path, error) from error
            self._connection, self._connection_pid = connection, os.getpid()
        return self._connection

    def _read_file(self, space: str, keys: list[bytes]) -> dict[bytes, bytes]:
        if self._path is None or not keys:
            return {}
        connection = self._open(self._path)
        found: dict[bytes, bytes] = {}
        for start in range(0, len(keys), _SQLITE_PARAMETERS):
            part = keys[start : start + _SQLITE_PARAMETERS]
            marks = ",".join("?" * len(part))
            query = f"SELECT key, value FROM entries WHERE space = ? AND key IN ({marks})"  # noqa: S608 - marks only
            try:
                for key, value in connection.execute(query, [space, *part]):
                    found[bytes(key)] = bytes(value)
            except sqlite3.Error as error:
                raise _unusable(self._path, error) from error
        return found


def _unusable(path: Path, error: Exception) -> CacheFileUnusable:
    return CacheFileUnusable(f"cache file {path} cannot be used ({error}): delete it or name another")
