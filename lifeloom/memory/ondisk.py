"""A user's file as it lies on the disk: made whole and put there by one rename, and seen to be whole before it is used.

So an empty file is never one that somebody is making, and a file that lacks pages was cut.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

__all__ = ["LOGS", "MAGIC", "clear_unfinished", "make_database", "missing_pages", "put_in_place"]

MAGIC: Final = b"SQLite format 3\0"
LOGS: Final = ("-wal", "-shm", "-journal")
"""Endings of what SQLite keeps beside a file."""

_UNFINISHED: Final = ".new"
_LOG_MAGIC: Final = (0x377F0682, 0x377F0683)
_LOG_HEADER: Final = 32
_FRAME_HEADER: Final = 24
_LOOKS: Final = 3
"""Another process may write between two looks at a file, hardly between so many."""


def make_database(path: Path, fill: Callable[[sqlite3.Connection], None]) -> None:
    """Make a database in WAL mode, unless there is a file; a failure or a killed process leaves none.

    What a killed process left beside it is replaced by the next call. Processes and threads wait for each other.

    Args:
        path: The file; its folder is there.
        fill: Makes the tables, within one transaction.

    Raises:
        sqlite3.Error, OSError: it cannot be written.
    """
    making = path.with_name(f"{path.name}{_UNFINISHED}")
    with _folder_lock(path.parent) as folder:
        if os.path.lexists(path):
            return
        _remove(making)
        try:
            sql = sqlite3.connect(making, isolation_level=None)
            try:
                sql.execute("PRAGMA journal_mode = MEMORY")  # what fails is thrown away whole
                sql.execute("BEGIN")
                fill(sql)
                sql.execute("COMMIT")
                sql.execute("PRAGMA journal_mode = WAL")
            finally:
                sql.close()
            _rename(making, path, folder)
        finally:
            _remove(making)


def put_in_place(made: Path, path: Path) -> None:
    """Rename a finished and closed database to ``path``, never over a file.

    Raises:
        FileExistsError: there is a file.
        OSError: the folder cannot be written.
    """
    with _folder_lock(path.parent) as folder:
        if os.path.lexists(path):
            raise FileExistsError(str(path))
        _rename(made, path, folder)


def clear_unfinished(path: Path) -> None:
    """Remove what a process that was killed while it made ``path`` left beside it."""
    with _folder_lock(path.parent):
        _remove(path.with_name(f"{path.name}{_UNFINISHED}"))


def missing_pages(path: Path) -> int:
    """Return how many of the pages that a database counts are neither in the file nor in its write-ahead log.

    SQLite takes a page of which a part is missing for one of zeros, and does not say so. A file whose log is still to
    be written back may be short: its last pages are in the log then.

    Raises:
        OSError: it cannot be read.
    """
    real = path.resolve()
    return min(_missing_now(real) for _ in range(_LOOKS))


def _missing_now(path: Path) -> int:
    with path.open("rb") as file:
        header = file.read(100)
        size = os.fstat(file.fileno()).st_size
    page_size = int.from_bytes(header[16:18], "big")
    page_size = 1 << 16 if page_size == 1 else page_size
    counted = int.from_bytes(header[28:32], "big")
    if page_size == 0 or header[24:28] != header[92:96]:  # by the file format, the count does not hold then
        return 0
    there = size // page_size
    if counted <= there:
        return 0
    logged = sum(there < page <= counted for page in _logged_pages(Path(f"{path}-wal"), page_size))
    return counted - there - logged


def _logged_pages(log: Path, page_size: int) -> set[int]:
    """Return the pages that the transactions of a write-ahead log hold; frames of an earlier use do not count."""
    committed: set[int] = set()
    begun: set[int] = set()
    try:
        with log.open("rb") as file:
            header = file.read(_LOG_HEADER)
            if int.from_bytes(header[:4], "big") not in _LOG_MAGIC:
                return committed
            size = os.fstat(file.fileno()).st_size
            for position in range(_LOG_HEADER, size - _FRAME_HEADER - page_size + 1, _FRAME_HEADER + page_size):
                file.seek(position)
                frame = file.read(_FRAME_HEADER)
                if frame[8:16] != header[16:24]:
                    break
                begun.add(int.from_bytes(frame[:4], "big"))
                if any(frame[4:8]):
                    committed |= begun
                    begun.clear()
    except FileNotFoundError:
        pass  # no log, no pages in it
    return committed


def _rename(made: Path, path: Path, folder: int) -> None:
    # A log without its file is what an erasure that was killed left; SQLite would take it for one of the new file.
    _remove(path)
    made.rename(path)
    os.fsync(folder)


def _remove(path: Path) -> None:
    for name in (path.name, *(f"{path.name}{ending}" for ending in LOGS)):
        path.with_name(name).unlink(missing_ok=True)


@contextmanager
def _folder_lock(folder: Path) -> Iterator[int]:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)
