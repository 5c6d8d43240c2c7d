"""The file of a life graph on the disk: seen to be ours and whole before it is used, and brought up to date."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

__all__ = [
    "APPLICATION_ID",
    "FORMAT",
    "LifeGraphFileBroken",
    "LifeGraphFileError",
    "LifeGraphFileMissing",
    "LifeGraphFileOther",
    "check_header",
    "explained",
    "prepare",
]

APPLICATION_ID: Final = 0x4C6C4731
"""``LlG1``: tells the file from somebody's other database."""
FORMAT: Final = 1
_MIGRATIONS: Final[Mapping[int, Sequence[str]]] = {}
"""Statements that turn format ``n`` into ``n + 1``, by ``n``; they keep everything in the file."""
_MAGIC: Final = b"SQLite format 3\0"
_HEADER: Final = 100


class LifeGraphFileError(Exception):
    """The file of a life graph cannot be used."""


class LifeGraphFileMissing(LifeGraphFileError):
    """There is no such file: build the graph first."""


class LifeGraphFileBroken(LifeGraphFileError):
    """The file is damaged, cut short, or no life graph: remove it and build the graph anew, or bring back a copy."""


class LifeGraphFileOther(LifeGraphFileError):
    """The file is a graph of another life, or was made in another way: give another path, or remove it."""


def check_header(place: Path) -> None:
    """Refuse what is not ours, or not whole, before SQLite touches it: it takes a missing page for one of zeros.

    Raises:
        LifeGraphFileMissing, LifeGraphFileBroken, LifeGraphFileError: as they say.
    """
    try:
        with place.open("rb") as file:
            header = file.read(_HEADER)
            size = os.fstat(file.fileno()).st_size
    except FileNotFoundError as error:
        raise LifeGraphFileMissing(f"there is no life graph {place}: build it first") from error
    except OSError as error:
        raise LifeGraphFileError(f"{place} cannot be read ({error}): check its rights") from error
    wrong = ""
    if len(header) < _HEADER or not header.startswith(_MAGIC):
        wrong = "it was cut to nothing" if not header else "it does not begin as a database"
    elif int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        wrong = "it is another program's database"
    elif int.from_bytes(header[60:64], "big") == 0:
        wrong = "it was never finished being made"
    elif int.from_bytes(header[60:64], "big") > FORMAT:
        wrong = "a newer version of Lifeloom made it"
    else:
        page = int.from_bytes(header[16:18], "big")
        page = 1 << 16 if page == 1 else page
        counted = int.from_bytes(header[28:32], "big")
        if size < page * counted and header[24:28] == header[92:96]:
            wrong = f"it was cut short: {size:,} bytes of {page * counted:,}"
    if wrong:
        raise LifeGraphFileBroken(
            f"{place} is no life graph that can be used: {wrong}; remove it and build it anew, or bring back a copy"
        )


def prepare(place: Path, sql: sqlite3.Connection, *, read_only: bool) -> None:
    """Check a file that was opened and bring it up to date.

    Raises:
        LifeGraphFileBroken, LifeGraphFileError: as they say.
    """
    try:
        if read_only:
            sql.execute("PRAGMA query_only = ON")
        (version,) = sql.execute("PRAGMA user_version").fetchone()
        (damage,) = sql.execute("PRAGMA quick_check(1)").fetchone()
        if damage != "ok":
            raise LifeGraphFileBroken(f"the life graph {place} is damaged ({damage}); remove it and build it anew")
        if version < FORMAT:
            if read_only:
                raise LifeGraphFileError(f"{place} is of an older format: open it once with read_only=False")
            sql.execute("BEGIN IMMEDIATE")
            for number in range(version, FORMAT):
                for statement in _MIGRATIONS[number]:
                    sql.execute(statement)
            sql.execute(f"PRAGMA user_version = {FORMAT}")
            sql.execute("COMMIT")
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter: SQLite cites names that are no text any more
        raise explained(place, error) from error


def explained(place: Path, error: Exception) -> LifeGraphFileError:
    """Return what an error of SQLite or of the disk means, and what to do."""
    if isinstance(error, UnicodeDecodeError) or "decode to UTF-8" in str(error):
        return LifeGraphFileBroken(f"the life graph {place} is damaged ({error}); remove it and build it anew")
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_CONSTRAINT):
        return LifeGraphFileError(f"another process builds the life graph {place} ({error}): wait for it, or end it")
    if (
        code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR)
        or not code
    ):
        return LifeGraphFileError(f"{place} cannot be read or written ({error}): check its rights and its disk")
    return LifeGraphFileBroken(f"the life graph {place} is damaged ({error}); remove it and build it anew")
