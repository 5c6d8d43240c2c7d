"""The connection to a user's file: opening, creation, upgrades, forks, transactions, and errors in plain words."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import urllib.parse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from lifeloom.memory import schema
from lifeloom.memory.errors import (
    MemoryBusy,
    MemoryCorrupt,
    MemoryFailure,
    MemoryFormatError,
    MemoryFull,
    MemoryReadOnly,
    NotRemembered,
    OtherUser,
)
from lifeloom.memory.ondisk import MAGIC, make_database, missing_pages

__all__ = ["BUSY_SECONDS", "MemoryFile", "stored_user"]

BUSY_SECONDS: Final = 30.0
"""How long a write waits for another process's."""

_CORRUPT: Final = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT}
_BUSY: Final = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
_UNWRITABLE: Final = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN}


class MemoryFile:
    """One connection a process, used by one thread at a time; a fork opens its own.

    What is committed survives a killed process (WAL, ``synchronous=NORMAL``); a power cut can take the last
    transactions with it, never the file.

    Args:
        path: The file.
        user_id: Whose it is; None: whoever's.
        create: Make it where it is not there.
        read_only: Open it for reading; the file does not change.
        busy_seconds: How long a write waits for another process's.

    Raises:
        NotRemembered: it is not there.
        OtherUser: it is another user's.
        MemoryFormatError: it is no file of Lifeloom's, or of a newer version.
        MemoryReadOnly: it is a link, or cannot be written, and is not opened for reading.
        MemoryCorrupt, MemoryBusy, MemoryFull: as they say.
    """

    _sql: sqlite3.Connection

    def __init__(
        self, path: str | os.PathLike[str], user_id: str | None, *, create: bool, read_only: bool, busy_seconds: float
    ) -> None:
        self.path = Path(path).expanduser().absolute()
        self.user_id = user_id or ""
        self.read_only = read_only
        self.generation = 0
        """Raised by one whenever what a caller keeps of the file's contents may be wrong: a fork, an undone write."""
        self._create = create
        self._busy_seconds = busy_seconds
        self._abandoned: list[sqlite3.Connection] = []
        self._closed = False
        self._open()

    def query(self, statement: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """Return all rows of one statement, which sees one moment of the file."""
        self._ready()
        with self.lock:
            try:
                return self._sql.execute(statement, parameters).fetchall()
            except sqlite3.Error as error:
                raise self._explained(error) from error

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Give the connection for several reads of one moment of the file."""
        self._ready()
        with self.lock:
            try:
                if self._sql.in_transaction:
                    yield self._sql
                    return
                self._sql.execute("BEGIN")
                self._reading = True
                try:
                    yield self._sql
                finally:
                    self._reading = False
                    self._sql.execute("ROLLBACK")
            except sqlite3.Error as error:
                raise self._explained(error) from error

    @contextmanager
    def transaction(self, *, undo: bool = False) -> Iterator[sqlite3.Connection]:
        """Give the connection for one transaction that no other writer can come between; undone by any exception.

        Re-entrant within a thread: a transaction inside another is undone alone, and lasts when the outer one does.

        Args:
            undo: Undo it at the end in any case.

        Raises:
            MemoryReadOnly: the file was opened for reading.
        """
        if self.read_only:
            raise MemoryReadOnly(f"the memory {self.path} was opened for reading; open it without read_only to write")
        self._ready()
        with self.lock:
            if self._reading:
                raise MemoryFailure(f"the memory {self.path} is being read in a snapshot; write after it has ended")
            inner = self._sql.in_transaction
            try:
                self._sql.execute("SAVEPOINT inner_part" if inner else "BEGIN IMMEDIATE")
                yield self._sql
                if undo:
                    self._undo(inner)
                else:
                    self._sql.execute("RELEASE inner_part" if inner else "COMMIT")
            except BaseException as error:
                self._undo(inner)
                if isinstance(error, sqlite3.Error):
                    raise self._explained(error) from error
                raise

    def _undo(self, inner: bool) -> None:
        self.generation += 1
        if self._sql.in_transaction:  # a full disk has undone all of it already
            self._sql.execute("ROLLBACK TO inner_part" if inner else "ROLLBACK")
            if inner:
                self._sql.execute("RELEASE inner_part")

    def version(self) -> int:
        """Return a number that changes when another connection has written."""
        self._ready()
        with self.lock:
            try:
                return int(self._sql.execute("PRAGMA data_version").fetchone()[0])
            except sqlite3.Error as error:
                raise self._explained(error) from error

    def compact(self) -> bool:
        """Give free pages back to the disk and empty the write-ahead log; False where another process was in the way.

        Must not be called inside a transaction.
        """
        self._ready()
        with self.lock:
            try:
                self._sql.execute("VACUUM")
                (busy, _, _) = self._sql.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                if not busy:
                    self._sql.execute("DELETE FROM meta WHERE name = 'scrub'")
                return not busy
            except sqlite3.Error as error:
                if _code(error) in _BUSY:
                    return False
                raise self._explained(error) from error

    def close(self) -> None:
        """Close the file. Closing twice is fine; using it afterwards is not."""
        self._closed = True
        if self._owner == os.getpid():
            with self.lock:
                self._sql.close()

    def _ready(self) -> None:
        if self._closed:
            raise MemoryFailure(f"the memory {self.path} was closed already; open it again")
        if self._owner != os.getpid():
            # A fork: the parent's connection must be neither used nor closed here, nor its lock waited for.
            self._abandoned.append(self._sql)
            self._create = False
            self._open()

    def _open(self) -> None:
        self._owner = os.getpid()
        self.lock = threading.RLock()
        self._reading = False
        self.generation += 1
        try:
            if not self.read_only and self.path.is_symlink():
                raise MemoryReadOnly(
                    f"the memory {self.path} is a link to {os.path.realpath(self.path)}, which an erasure would leave "
                    "behind; put the file itself there"
                )
            if not self.path.exists():
                if not self._create or self.read_only:
                    raise NotRemembered(f"nothing is remembered of {self.user_id!r}: there is no file {self.path}")
                self.path.parent.mkdir(parents=True, exist_ok=True)
                make_database(self.path, self._make_tables)
            self._check_header()
            self._sql = self._connect()
            try:
                self._prepare()
            except BaseException:
                self._sql.close()
                raise
        except sqlite3.Error as error:
            raise self._explained(error) from error
        except UnicodeDecodeError as error:  # SQLite cites names that are no text any more
            raise MemoryCorrupt(
                f"the memory {self.path} is damaged ({error}); bring it back from a copy or an export"
            ) from error
        except OSError as error:
            raise MemoryReadOnly(
                f"the memory {self.path} cannot be opened ({error}); check that its folder exists and can be written"
            ) from error

    def _check_header(self) -> None:
        """Refuse what is not ours before SQLite touches it."""
        try:
            with self.path.open("rb") as file:
                header = file.read(100)
        except FileNotFoundError:
            return
        wrong = ""
        if not header:
            wrong = "it was cut to nothing"
        elif len(header) < 100 or not header.startswith(MAGIC):
            wrong = "it does not begin as a database"
        else:
            self._check_format(int.from_bytes(header[68:72], "big"), int.from_bytes(header[60:64], "big"))
            if missing := missing_pages(self.path):
                wrong = f"it was cut short and lacks its end ({missing} of its pages)"
        if wrong:
            raise MemoryCorrupt(f"the memory {self.path} is damaged: {wrong}; bring it back from a copy or an export")

    def _check_format(self, application: int, version: int) -> None:
        if application not in (0, schema.APPLICATION_ID):
            raise MemoryFormatError(f"{self.path} is another program's database; give the memory its own file")
        if version > schema.FORMAT:
            raise MemoryFormatError(
                f"{self.path} is a memory of format {version}, this version of Lifeloom knows {schema.FORMAT}; it was "
                "not touched: use the newer version"
            )

    def _connect(self) -> sqlite3.Connection:
        place = f"file:{urllib.parse.quote(str(self.path))}"
        mode, real = "rw", self.path.resolve()
        if self.read_only and not os.access(real.parent, os.W_OK):
            # Without a write-ahead log nobody writes; a folder that cannot be written has no room for its index either.
            mode = "ro" if Path(f"{real}-wal").exists() else "ro&immutable=1"
        return sqlite3.connect(
            f"{place}?mode={mode}",
            uri=True,
            timeout=self._busy_seconds,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=256,
        )

    def _prepare(self) -> None:
        sql = self._sql
        if self.read_only:
            sql.execute(
                "PRAGMA query_only = ON"
            )  # a connection that could not write would leave its log's index behind
        else:
            sql.execute("PRAGMA synchronous = NORMAL")
            sql.execute("PRAGMA secure_delete = ON")
        (application,) = sql.execute("PRAGMA application_id").fetchone()
        (version,) = sql.execute("PRAGMA user_version").fetchone()
        if application == 0:
            raise MemoryFormatError(f"{self.path} is another program's database; give the memory its own file")
        self._check_format(application, version)
        if version < schema.FORMAT:
            self._upgrade()
        found = dict(sql.execute("SELECT name, value FROM meta WHERE name IN ('user', 'scrub')").fetchall())
        if not self.user_id:
            self.user_id = found.get("user", "")
        elif found.get("user") != self.user_id:
            raise OtherUser(f"the memory {self.path} is of {found.get('user')!r}, not of {self.user_id!r}")
        if "scrub" in found and not self.read_only:
            self.compact()

    def _make_tables(self, sql: sqlite3.Connection) -> None:
        for statement in schema.TABLES:
            sql.execute(statement)
        sql.executemany("INSERT INTO meta VALUES (?, ?)", [("user", self.user_id), ("epoch", "0"), ("ends", "0")])
        sql.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        sql.execute(f"PRAGMA user_version = {schema.FORMAT}")

    def _upgrade(self) -> None:
        """Bring an older file up to date in one transaction."""
        if self.read_only:
            raise MemoryReadOnly(f"{self.path} is of an older format; open it once without read_only to upgrade it")
        sql = self._sql
        sql.execute("BEGIN IMMEDIATE")
        (version,) = sql.execute("PRAGMA user_version").fetchone()  # another process may have been quicker
        for number in range(version, schema.FORMAT):
            for statement in schema.MIGRATIONS[number]:
                sql.execute(statement)
        sql.execute(f"PRAGMA user_version = {schema.FORMAT}")
        sql.execute("COMMIT")

    def _explained(self, error: sqlite3.Error) -> MemoryFailure:
        code = _code(error)
        if code in _BUSY:
            return MemoryBusy(
                f"another process holds the memory {self.path} for longer than {self._busy_seconds:g} s ({error}); try "
                "again, or end that process"
            )
        if code in _CORRUPT:
            return MemoryCorrupt(f"the memory {self.path} is damaged ({error}); bring it back from a copy or an export")
        if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and self._no_room()):
            return MemoryFull(
                f"no room for the memory {self.path} ({error}); free some and try again: nothing was lost"
            )
        if code in _UNWRITABLE:
            return MemoryReadOnly(
                f"the memory {self.path} cannot be written ({error}); check the rights of the file and its folder"
            )
        if isinstance(error, sqlite3.OperationalError) and code in (0, sqlite3.SQLITE_ERROR):  # 0: text that is no text
            return MemoryCorrupt(f"the memory {self.path} is not as it was made ({error}); bring it back from a copy")
        return MemoryFailure(f"the memory {self.path} cannot be used ({error})")

    def _no_room(self) -> bool:
        with contextlib.suppress(OSError):
            disk = os.statvfs(self.path.parent)
            return disk.f_bavail * disk.f_frsize < 1 << 16
        return False


def stored_user(path: str | os.PathLike[str]) -> str:
    """Return whose memory a file is. Raises as ``MemoryFile`` does."""
    file = MemoryFile(path, None, create=False, read_only=True, busy_seconds=BUSY_SECONDS)
    file.close()
    return file.user_id


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
