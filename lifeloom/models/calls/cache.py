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
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import Connection

from lifeloom.models.calls.sqlite_file import FileKind, SqliteFile
from lifeloom.models.protocol import ModelError

__all__ = [
    "CacheCorrupt",
    "CacheError",
    "CacheStats",
    "CacheUnusable",
    "CachedAnswer",
    "CachedGroup",
    "KeptRejection",
    "Pruned",
    "RejectedAnswer",
    "Request",
    "ResponseCache",
]


class CacheError(ModelError):
    """The response cache cannot be used. Nothing but money is in it: it can always be deleted."""


class CacheCorrupt(CacheError):
    """The file is damaged, or is no SQLite file. It was not touched."""


class CacheUnusable(CacheError):
    """The file cannot be opened or written, or is not a response cache of this version."""


_ROW_BYTES = 200
"""What a row takes beside its texts: its key, twice, and numbers."""
_SIZE = f"length(CAST({{text}} AS BLOB)) + {_ROW_BYTES}"

_CACHE = FileKind(
    name="response cache",
    application_id=0x4C464C4D,  # "LFLM"
    format=2,
    tables=(
        "CREATE TABLE answers (key TEXT PRIMARY KEY, backend TEXT NOT NULL, model TEXT NOT NULL, "
        "prompt_version TEXT NOT NULL, text TEXT NOT NULL, prompt_tokens INTEGER NOT NULL, "
        "completion_tokens INTEGER NOT NULL, made_at REAL NOT NULL DEFAULT 0, size INTEGER NOT NULL DEFAULT 0)",
        "CREATE TABLE rejected (key TEXT PRIMARY KEY, backend TEXT NOT NULL, model TEXT NOT NULL, "
        "prompt_version TEXT NOT NULL, reason TEXT NOT NULL, raw TEXT NOT NULL, detail TEXT NOT NULL, "
        "prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, made_at REAL NOT NULL DEFAULT 0, "
        "size INTEGER NOT NULL DEFAULT 0)",
    ),
    upgrades={
        1: (
            # Format 1 did not say when an answer was made, and at first kept no rejected ones.
            "CREATE TABLE IF NOT EXISTS rejected (key TEXT PRIMARY KEY, backend TEXT NOT NULL, model TEXT NOT NULL, "
            "prompt_version TEXT NOT NULL, reason TEXT NOT NULL, raw TEXT NOT NULL, detail TEXT NOT NULL, "
            "prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL)",
            *(
                f"ALTER TABLE {table} ADD COLUMN {column} NOT NULL DEFAULT 0"
                for table in ("answers", "rejected")
                for column in ("made_at REAL", "size INTEGER")
            ),
            # Rows are in the order in which they were made: a millisecond between them keeps it.
            *(
                f"UPDATE {table} SET made_at = (julianday('now') - 2440587.5) * 86400.0 + "  # noqa: S608 - constants
                f"(rowid - (SELECT max(rowid) FROM {table})) / 1000.0, size = {_SIZE.format(text=text)}"
                for table, text in (("answers", "text"), ("rejected", "raw"))
            ),
        )
    },
    if_damaged="move it away or delete it, together with its -wal and -shm files, and run again: only the answers in "
    "it have to be paid for again",
    if_other_format="delete it (its answers are paid for again) or use the version that made it",
    corrupt=CacheCorrupt,
    unusable=CacheUnusable,
)


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
class RejectedAnswer:
    """An answer that was none. Kept for people to read, never given as an answer."""

    reason: str
    raw: str
    """The model's last words, whole."""
    detail: str
    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True)
class CacheStats:
    """How much there is."""

    rows: int
    rejected: int
    """What was said that was no answer."""
    bytes: int
    """Size of the database, without its write-ahead log."""


@dataclass(frozen=True)
class CachedGroup:
    """The answers of one model to one kind of prompt."""

    backend: str
    model: str
    prompt_version: str
    rows: int
    bytes: int
    """What they take in the file, about."""
    prompt_tokens: int
    completion_tokens: int
    """What was paid for them."""
    oldest: float
    newest: float
    """Seconds since 1970. Answers of a file of format 1 count from when it was brought up to date."""


@dataclass(frozen=True)
class KeptRejection:
    """What a model said that was no answer, as kept."""

    backend: str
    model: str
    prompt_version: str
    reason: str
    raw: str
    """The model's last words, whole."""
    detail: str
    prompt_tokens: int
    completion_tokens: int
    made_at: float
    """Seconds since 1970."""


@dataclass(frozen=True)
class Pruned:
    """What was removed."""

    answers: int
    rejected: int
    bytes: int
    """What they took in the file, about."""
    shrunk: bool
    """Whether the file gave the room back to the disk; not while another process reads or writes it."""


class ResponseCache:
    """The cache in one file, made when it is not there. Safe to use from threads and from processes.

    A file of an older format is brought up to date and keeps its answers.

    Args:
        path: The SQLite file; its folder is made when it is missing.
        now: Seconds since 1970.

    Raises:
        CacheCorrupt: The file is damaged or no SQLite file.
        CacheUnusable: It cannot be opened or written, or is another program's or version's database.
    """

    def __init__(self, path: str | os.PathLike[str], *, now: Callable[[], float] = time.time) -> None:
        self._file = SqliteFile(path, _CACHE)
        self._now = now

    def __repr__(self) -> str:
        return f"ResponseCache({str(self.path)!r})"

    def __enter__(self) -> ResponseCache:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def path(self) -> Path:
        """The file."""
        return self._file.path

    def get(self, request: Request) -> CachedAnswer | None:
        """Return the answer to ``request``; None when it has not been paid for yet."""
        with self._file.connection() as connection:
            row = connection.execute(
                "SELECT text, prompt_tokens, completion_tokens FROM answers WHERE key = ?", (request.key,)
            ).fetchone()
        return None if row is None else CachedAnswer(*row)

    def put(self, request: Request, answer: CachedAnswer) -> None:
        """Keep a valid answer. It is on disk for other processes when this returns."""
        row = (
            *(request.key, request.backend, request.model, request.prompt_version),
            *(answer.text, answer.prompt_tokens, answer.completion_tokens),
            *(self._now(), len(answer.text.encode()) + _ROW_BYTES),
        )
        self._file.write(_put_answers, row, in_one_statement=True)

    def put_rejected(self, request: Request, rejected: RejectedAnswer) -> None:
        """Keep what a model said that was no answer; a later one to the same request replaces it."""
        row = (
            *(request.key, request.backend, request.model, request.prompt_version),
            *(rejected.reason, rejected.raw, rejected.detail, rejected.prompt_tokens, rejected.completion_tokens),
            *(self._now(), len(rejected.raw.encode()) + _ROW_BYTES),
        )
        with self._file.connection() as connection:
            connection.execute("INSERT OR REPLACE INTO rejected VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def stats(self) -> CacheStats:
        """Return how much there is and how large the file is."""
        with self._file.connection() as connection:
            (rows,) = connection.execute("SELECT count(*) FROM answers").fetchone()
            (rejected,) = connection.execute("SELECT count(*) FROM rejected").fetchone()
        return CacheStats(rows=rows, rejected=rejected, bytes=self._file.size())

    def list_answers(self) -> list[CachedGroup]:
        """Return what is kept by backend, model and prompt version."""
        with self._file.connection() as connection:
            rows = connection.execute(
                "SELECT backend, model, prompt_version, count(*), sum(size), sum(prompt_tokens), "
                "sum(completion_tokens), min(made_at), max(made_at) FROM answers "
                "GROUP BY backend, model, prompt_version ORDER BY backend, model, prompt_version"
            ).fetchall()
        return [CachedGroup(*row) for row in rows]

    def rejected(self, prompt_version: str | None = None, most: int = 20) -> list[KeptRejection]:
        """Return what models said that was no answer, newest first.

        Args:
            prompt_version: Only of this one, or of all versions of the task of this name; None: of all.
            most: At most so many.
        """
        where, values = _of_prompt(prompt_version)
        with self._file.connection() as connection:
            rows = connection.execute(
                "SELECT backend, model, prompt_version, reason, raw, detail, prompt_tokens, "  # noqa: S608 - constants
                f"completion_tokens, made_at FROM rejected WHERE {where} ORDER BY made_at DESC, key LIMIT ?",
                (*values, most),
            ).fetchall()
        return [KeptRejection(*row) for row in rows]

    def prune(
        self,
        *,
        older_than: float | None = None,
        model: str | None = None,
        prompt_version: str | None = None,
        most_bytes: int | None = None,
    ) -> Pruned:
        """Remove answers, and rejected ones, and give their room back to the disk. Other processes may go on.

        ``model`` and ``prompt_version`` say which are meant. Of these go: with ``older_than`` those made before,
        with ``most_bytes`` the oldest until the rest takes no more than that; with neither, all.

        Args:
            older_than: Seconds since 1970.
            model: Only of this model.
            prompt_version: Only of this one, or of all versions of the task of this name.
            most_bytes: What may stay.

        Raises:
            ValueError: nothing is said about what is to go, or ``most_bytes`` is negative.
            CacheError: the file cannot be written.
        """
        if older_than is None and model is None and prompt_version is None and most_bytes is None:
            raise ValueError("say what is to go: an age, a model, a prompt version or a size")
        if most_bytes is not None and most_bytes < 0:
            raise ValueError("most_bytes is a size: 0 or more")
        where, values = _of_prompt(prompt_version)
        if model is not None:
            where, values = f"{where} AND model = ?", (*values, model)
        removed = {"answers": (0, 0), "rejected": (0, 0)}
        with self._file.transaction() as connection:
            if older_than is not None or most_bytes is None:
                age = "" if older_than is None else " AND made_at < ?"
                for table in removed:
                    removed[table] = _remove(
                        connection, table, where + age, values if older_than is None else (*values, older_than)
                    )
            if most_bytes is not None:
                limit = _made_at_limit(connection, where, values, most_bytes)
                for table in removed:
                    rows, size = _remove(connection, table, f"{where} AND made_at <= ?", (*values, limit))
                    removed[table] = (removed[table][0] + rows, removed[table][1] + size)
        answers, rejected = removed["answers"], removed["rejected"]
        shrunk = self._file.vacuum() if answers[0] + rejected[0] else True
        return Pruned(answers[0], rejected[0], answers[1] + rejected[1], shrunk)

    def close(self) -> None:
        """Close the file. Closing twice is fine; using it afterwards is not."""
        self._file.close()


def _put_answers(connection: Connection, rows: Sequence[tuple[object, ...]]) -> None:
    connection.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)


def _of_prompt(prompt_version: str | None) -> tuple[str, tuple[object, ...]]:
    """Return a condition on the prompt version: the whole, or the task's name before its @."""
    if prompt_version is None:
        return "1", ()
    return (
        "(prompt_version = ? OR substr(prompt_version, 1, length(?) + 1) = ? || '@')",
        (prompt_version,) * 3,
    )


def _remove(connection: Connection, table: str, where: str, values: tuple[object, ...]) -> tuple[int, int]:
    """Delete rows; return how many there were and what they took."""
    rows, size = connection.execute(
        f"SELECT count(*), coalesce(sum(size), 0) FROM {table} WHERE {where}",  # noqa: S608 - constants
        values,
    ).fetchone()
    connection.execute(f"DELETE FROM {table} WHERE {where}", values)  # noqa: S608
    return rows, size


def _made_at_limit(connection: Connection, where: str, values: tuple[object, ...], most_bytes: int) -> float:
    """Return the time up to which rows must go so that the younger ones take at most ``most_bytes``."""
    kept = 0
    rows = connection.execute(
        f"SELECT made_at, sum(size) FROM (SELECT made_at, size FROM answers WHERE {where} UNION ALL "  # noqa: S608
        f"SELECT made_at, size FROM rejected WHERE {where}) GROUP BY made_at ORDER BY made_at DESC",
        (*values, *values),
    )
    for made_at, size in rows:
        kept += size
        if kept > most_bytes:
            return float(made_at)
    return float("-inf")
