"""One SQLite file that threads and processes share: opening, format, forks, and errors in plain words."""

from __future__ import annotations

import collections
import itertools
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import filelock

from lifeloom.models.protocol import ModelError

__all__ = ["FileKind", "Put", "SqliteFile"]

Put = Callable[[sqlite3.Connection, Sequence[Any]], None]
"""Writes items, in the order given."""

_BUSY_SECONDS = 60.0
_CORRUPT = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


@dataclass(frozen=True)
class FileKind:
    """What a file holds, and how it is told from others."""

    name: str
    """As in messages: ``response cache``."""
    application_id: int
    """Tells the file from somebody's other database; 32 bits."""
    format: int
    """Raised by one whenever the tables change; from 1."""
    tables: Sequence[str]
    """Statements that make the tables of an empty file."""
    if_damaged: str
    """What to do with a damaged file, and what is lost by it."""
    if_other_format: str
    """What to do with a file of a format that cannot be brought up to date."""
    corrupt: type[ModelError]
    """Raised for a damaged file."""
    unusable: type[ModelError]
    """Raised for one that cannot be opened or written, or is of another kind or format."""
    upgrades: Mapping[int, Sequence[str]] = field(default_factory=dict)
    """Statements that turn format ``n`` into ``n + 1``, by ``n``; they keep what is in the file."""


class _Write:
    """Something that a thread wants written."""

    __slots__ = ("done", "item", "put")

    def __init__(self, put: Put, item: Any) -> None:
        self.put = put
        self.item = item
        self.done = False


class SqliteFile:
    """A database file, made when it is not there. Safe to use from threads, processes and after a fork.

    One connection a process, used by one thread at a time: reads and writes take microseconds beside
    a model's seconds, and the number of open files stays one however large the pool of threads.

    Args:
        path: The file; its folder is made when it is missing.
        kind: What it must hold.

    Raises:
        ModelError: ``kind.corrupt`` or ``kind.unusable``. The file was not touched.
    """

    def __init__(self, path: str | os.PathLike[str], kind: FileKind) -> None:
        self.path = Path(path).expanduser().absolute()
        self._kind = kind
        self._abandoned: list[sqlite3.Connection] = []
        self._closed = False
        self._open()

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """Give the connection to one thread; every statement is a transaction of its own."""
        if self._closed:
            raise self._kind.unusable(f"the {self._kind.name} {self.path} was closed already")
        if self._owner != os.getpid():
            # A fork: the parent's connection must be neither used nor closed here, nor its lock waited for.
            self._abandoned.append(self._sqlite)
            self._open()
        with self._lock:
            try:
                yield self._sqlite
            except sqlite3.Error as error:
                raise self._explained(error) from error

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Give the connection for one transaction that no other writer can come between; undone by any exception."""
        with self.connection() as connection:
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def write(self, put: Put, item: Any, *, in_one_statement: bool = False) -> None:
        """Write an item; what other threads write at the same moment goes into the same transaction.

        On disk for other processes when this returns.

        Args:
            put: Writes this item, together with those of other threads that have the same ``put``.
            item: Given to it.
            in_one_statement: One item takes ``put`` one statement, which is a transaction by itself.
        """
        own = _Write(put, item)
        self._writes.append(own)
        with self.connection() as connection:
            if own.done:  # another thread was here before, and took it along
                return
            together: list[_Write] = []
            while self._writes:
                together.append(self._writes.popleft())
            if own not in together:  # a fork: what the parent's threads wanted written is not ours
                together.append(own)
            try:
                if in_one_statement and len(together) == 1:
                    put(connection, [item])
                else:
                    connection.execute("BEGIN IMMEDIATE")
                    for same, those in itertools.groupby(together, key=lambda one: one.put):
                        same(connection, [one.item for one in those])
                    connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                together.remove(own)
                self._writes.extendleft(reversed(together))  # each finds out for itself
                raise
            for one in together:
                one.done = True

    def close(self) -> None:
        """Close the file. Closing twice is fine; using it afterwards is not."""
        self._closed = True
        if self._owner == os.getpid():
            with self._lock:
                self._sqlite.close()

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called."""
        return self._closed

    def size(self) -> int:
        """Return the size of the database in bytes, without its write-ahead log."""
        with self.connection() as connection:
            (pages,) = connection.execute("PRAGMA page_count").fetchone()
            (page_size,) = connection.execute("PRAGMA page_size").fetchone()
        return int(pages * page_size)

    def vacuum(self) -> bool:
        """Give the room of what was removed back to the disk; False when another process was in the way."""
        with self.connection() as connection:
            try:
                connection.execute("VACUUM")
            except sqlite3.OperationalError as error:
                if _code(error) != sqlite3.SQLITE_BUSY:
                    raise
                return False
            (busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    def _open(self) -> None:
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._writes: collections.deque[_Write] = collections.deque()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._sqlite = sqlite3.connect(
                self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            try:
                # SQLite does not wait when two processes switch a new file to WAL at once.
                with filelock.FileLock(f"{self.path}.lock", timeout=_BUSY_SECONDS):
                    self._prepare()
            except BaseException:
                self._sqlite.close()
                raise
        except sqlite3.Error as error:
            raise self._explained(error) from error
        except UnicodeDecodeError as error:  # SQLite cites names that are no text any more
            kind = self._kind
            raise kind.corrupt(f"the {kind.name} {self.path} is damaged ({error}); {kind.if_damaged}") from error
        except (OSError, filelock.Timeout) as error:
            raise self._kind.unusable(f"the {self._kind.name} {self.path} cannot be opened ({error})") from error

    def _prepare(self) -> None:
        kind, sqlite = self._kind, self._sqlite
        (application,) = sqlite.execute("PRAGMA application_id").fetchone()
        (version,) = sqlite.execute("PRAGMA user_version").fetchone()
        (tables,) = sqlite.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if tables and application != kind.application_id:
            raise kind.unusable(f"{self.path} is another program's database; give the {kind.name} its own file")
        steps = [] if tables else [*kind.tables]
        if tables:
            missing = [number for number in range(version, kind.format) if number not in kind.upgrades]
            if missing or version > kind.format:
                raise kind.unusable(
                    f"{self.path} is a {kind.name} of format {version}, this version of Lifeloom knows {kind.format}; "
                    f"{kind.if_other_format}"
                )
            steps = [statement for number in range(version, kind.format) for statement in kind.upgrades[number]]
        sqlite.execute("PRAGMA journal_mode = WAL")
        # With WAL, NORMAL survives a killed process; only a power cut can lose the last transactions.
        sqlite.execute("PRAGMA synchronous = NORMAL")
        if steps:
            sqlite.execute("BEGIN IMMEDIATE")
            for statement in steps:
                sqlite.execute(statement)
            sqlite.execute(f"PRAGMA application_id = {kind.application_id}")
            sqlite.execute(f"PRAGMA user_version = {kind.format}")
            sqlite.execute("COMMIT")

    def _explained(self, error: sqlite3.Error) -> ModelError:
        kind = self._kind
        if _code(error) in _CORRUPT:
            return kind.corrupt(f"the {kind.name} {self.path} is damaged ({error}); {kind.if_damaged}")
        return kind.unusable(
            f"the {kind.name} {self.path} cannot be used ({error}); check that its folder exists and can be "
            "written, that the disk is not full, and that no other program holds the file"
        )


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
