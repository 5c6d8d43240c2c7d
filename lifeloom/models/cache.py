"""Answers already paid for: a SQLite file that several threads and processes share.

Only valid answers are kept. A rejected answer is asked for again by the next run, so that a server
that was put right, or a prompt that was unlucky, is not remembered for ever. What is kept is the raw
text, decoded again on every hit, and the tokens it cost; never a key.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import filelock

from lifeloom.models.protocol import ModelError

__all__ = ["CacheCorrupt", "CacheError", "CacheStats", "CacheUnusable", "CachedAnswer", "Request", "ResponseCache"]

_APPLICATION_ID = 0x4C464C4D  # "LFLM": tells this file from somebody's other database
_FORMAT = 1
_BUSY_SECONDS = 60.0
_CORRUPT = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}

_TABLE = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY,
    backend TEXT NOT NULL,
    model TEXT NOT NULL,
    prompt_version TEXT NOT NULL,
    text TEXT NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL
)
"""


class CacheError(ModelError):
    """The response cache cannot be used. Nothing but money is in it: it can always be deleted."""


class CacheCorrupt(CacheError):
    """The file is damaged, or is no SQLite file. It was not touched."""


class CacheUnusable(CacheError):
    """The file cannot be opened or written, or is not a response cache of this version."""


@dataclass(frozen=True)
class Request:
    """All that an answer depends on; two equal requests have the same answer in the cache."""

    backend: str
    base_url: str
    model: str
    prompt_version: str
    instructions: str
    prompt: str
    """As rendered."""
    parameters: Mapping[str, float | int | str]
    """Decoding parameters: temperature, max_tokens."""
    schema: str
    """JSON schema of the output, as JSON."""
    images: tuple[str, ...] = ()
    """Content hashes, in order."""
    sample: int = 0
    """Which of several answers to the same question."""

    @functools.cached_property
    def key(self) -> str:
        """SHA-256 of the whole request, hexadecimal."""
        parts = [
            *(self.backend, self.base_url, self.model, self.prompt_version, self.instructions, self.prompt),
            *(sorted(self.parameters.items()), self.schema, self.images, self.sample),
        ]
        return hashlib.sha256(json.dumps(parts, ensure_ascii=True).encode()).hexdigest()


@dataclass(frozen=True)
class CachedAnswer:
    """One valid answer."""

    text: str
    prompt_tokens: int
    completion_tokens: int
    """What was paid for it, a re-ask included."""


@dataclass(frozen=True)
class CacheStats:
    """How much there is."""

    rows: int
    bytes: int
    """Size of the database, without its write-ahead log."""


class ResponseCache:
    """The cache in one file, made when it is not there. Safe to use from threads and from processes.

    One connection a process, used by one thread at a time: reads and writes take microseconds beside
    a model's seconds, and the number of open files stays one however large the pool of threads.

    Args:
        path: The SQLite file; its folder must exist.

    Raises:
        CacheCorrupt: The file is damaged or no SQLite file.
        CacheUnusable: It cannot be opened or written, or is another program's or version's database.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path).expanduser().absolute()
        self._abandoned: list[sqlite3.Connection] = []
        self._closed = False
        self._open()

    def __repr__(self) -> str:
        return f"ResponseCache({str(self.path)!r})"

    def __enter__(self) -> ResponseCache:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def get(self, request: Request) -> CachedAnswer | None:
        """Return the answer to ``request``; None when it has not been paid for yet."""
        with self._connection() as connection:
            row = connection.execute(
                "SELECT text, prompt_tokens, completion_tokens FROM answers WHERE key = ?", (request.key,)
            ).fetchone()
        return None if row is None else CachedAnswer(*row)

    def put(self, request: Request, answer: CachedAnswer) -> None:
        """Keep a valid answer. It is on disk for other processes when this returns."""
        row = (
            *(request.key, request.backend, request.model, request.prompt_version),
            *(answer.text, answer.prompt_tokens, answer.completion_tokens),
        )
        with self._connection() as connection:
            connection.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def stats(self) -> CacheStats:
        """Return how many answers there are and how large the file is."""
        with self._connection() as connection:
            (rows,) = connection.execute("SELECT count(*) FROM answers").fetchone()
            (pages,) = connection.execute("PRAGMA page_count").fetchone()
            (page_size,) = connection.execute("PRAGMA page_size").fetchone()
        return CacheStats(rows=rows, bytes=pages * page_size)

    def close(self) -> None:
        """Close the file. Closing twice is fine; using it afterwards is not."""
        self._closed = True
        if self._owner == os.getpid():
            with self._lock:
                self._sqlite.close()

    def _open(self) -> None:
        self._owner = os.getpid()
        self._lock = threading.Lock()
        with self._explained():
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

    def _prepare(self) -> None:
        (application,) = self._sqlite.execute("PRAGMA application_id").fetchone()
        (version,) = self._sqlite.execute("PRAGMA user_version").fetchone()
        (tables,) = self._sqlite.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if tables and application != _APPLICATION_ID:
            raise CacheUnusable(f"{self.path} is another program's database; give the response cache its own file")
        if tables and version != _FORMAT:
            raise CacheUnusable(
                f"{self.path} is a response cache of format {version}, this version of Lifeloom knows {_FORMAT}; "
                "delete it (its answers are paid for again) or use the version that made it"
            )
        self._sqlite.execute("PRAGMA journal_mode = WAL")
        # With WAL, NORMAL survives a killed process; only a power cut can lose the last answers.
        self._sqlite.execute("PRAGMA synchronous = NORMAL")
        if not tables:
            self._sqlite.execute("BEGIN IMMEDIATE")
            self._sqlite.execute(_TABLE)
            self._sqlite.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
            self._sqlite.execute(f"PRAGMA user_version = {_FORMAT}")
            self._sqlite.execute("COMMIT")

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        if self._closed:
            raise CacheUnusable(f"the response cache {self.path} was closed already")
        if self._owner != os.getpid():
            # A fork: the parent's connection must be neither used nor closed here, nor its lock waited for.
            self._abandoned.append(self._sqlite)
            self._open()
        with self._lock, self._explained():
            yield self._sqlite

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code in _CORRUPT:
                raise CacheCorrupt(
                    f"the response cache {self.path} is damaged ({error}); move it away or delete it, together with "
                    "its -wal and -shm files, and run again: only the answers in it have to be paid for again"
                ) from error
            raise CacheUnusable(
                f"the response cache {self.path} cannot be used ({error}); check that its folder exists and can be "
                "written, that the disk is not full, and that no other program holds the file"
            ) from error
        except (OSError, filelock.Timeout) as error:
            raise CacheUnusable(f"the response cache {self.path} cannot be opened ({error})") from error
