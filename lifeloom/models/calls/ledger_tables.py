"""The tables of the ledger's file, the statements that add to them, and its errors."""

from __future__ import annotations

import functools

from lifeloom.models.calls.sqlite_file import FileKind
from lifeloom.models.protocol import ModelError

__all__ = [
    "ADD_EVENT",
    "ADD_LINE",
    "LEDGER",
    "SUMS",
    "LedgerCorrupt",
    "LedgerError",
    "LedgerUnusable",
    "add_totals",
]

_KEY = "run, stage, role, backend, model, prompt_version"
_KEY_COLUMNS = ", ".join(f"{name} TEXT NOT NULL" for name in _KEY.split(", "))
SUMS = (
    "calls",
    "cached",
    "prompt_tokens",
    "completion_tokens",
    "cached_prompt_tokens",
    "cached_completion_tokens",
    "picodollars",
    "seconds",
)
ADD_LINE = (
    f"INSERT INTO lines ({_KEY}, {', '.join(SUMS)}, first, last) VALUES (?, ?, ?, ?, ?, ?, "  # noqa: S608 - constants
    f"{', '.join('?' for _ in SUMS)}, ?, ?) ON CONFLICT ({_KEY}) DO UPDATE SET "
    f"{', '.join(f'{name} = {name} + excluded.{name}' for name in SUMS)}, "
    "first = min(first, excluded.first), last = max(last, excluded.last)"
)
ADD_EVENT = (
    f"INSERT INTO events ({_KEY}, event, times, first, last) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "  # noqa: S608
    f"ON CONFLICT ({_KEY}, event) DO UPDATE SET times = times + excluded.times, "
    "first = min(first, excluded.first), last = max(last, excluded.last)"
)


@functools.cache
def add_totals(count: int) -> str:
    """Return the statement that adds to ``count`` totals at once."""
    return (
        "INSERT INTO totals (scope, tokens, picodollars) VALUES "  # noqa: S608 - constants
        f"{', '.join(['(?, ?, ?)'] * count)} "
        "ON CONFLICT (scope) DO UPDATE SET "
        "tokens = tokens + excluded.tokens, picodollars = picodollars + excluded.picodollars"
    )


class LedgerError(ModelError):
    """The ledger cannot be used, so what calls cost could not be written down."""


class LedgerCorrupt(LedgerError):
    """The file is damaged, or is no SQLite file. It was not touched."""


class LedgerUnusable(LedgerError):
    """The file cannot be opened or written, or is not a ledger of this version."""


LEDGER = FileKind(
    name="ledger",
    application_id=0x4C464C44,  # "LFLD"
    format=1,
    tables=(
        f"CREATE TABLE lines ({_KEY_COLUMNS}, calls INTEGER NOT NULL, cached INTEGER NOT NULL, "
        "prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, cached_prompt_tokens INTEGER NOT NULL, "
        "cached_completion_tokens INTEGER NOT NULL, picodollars INTEGER NOT NULL, seconds REAL NOT NULL, "
        f"first REAL NOT NULL, last REAL NOT NULL, PRIMARY KEY ({_KEY})) WITHOUT ROWID",
        f"CREATE TABLE events ({_KEY_COLUMNS}, event TEXT NOT NULL, times INTEGER NOT NULL, first REAL NOT NULL, "
        f"last REAL NOT NULL, PRIMARY KEY ({_KEY}, event)) WITHOUT ROWID",
        # What budgets are held against, so that no sum over the lines is needed before a call.
        "CREATE TABLE totals (scope TEXT PRIMARY KEY, tokens INTEGER NOT NULL, picodollars INTEGER NOT NULL) "
        "WITHOUT ROWID",
        "CREATE TABLE reservations (id INTEGER PRIMARY KEY, owner TEXT NOT NULL, run TEXT NOT NULL, "
        "tokens INTEGER NOT NULL, picodollars INTEGER NOT NULL, made_at REAL NOT NULL)",
        "CREATE TABLE estimates (stage TEXT NOT NULL, role TEXT NOT NULL, "
        "task TEXT NOT NULL, made_at REAL NOT NULL, profile TEXT NOT NULL, calls INTEGER NOT NULL, "
        "prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, picodollars INTEGER NOT NULL, "
        "PRIMARY KEY (stage, role, task)) WITHOUT ROWID",
    ),
    if_damaged="move it away, together with its -wal and -shm files, and run again: the record of what calls cost "
    "begins anew, nothing that was made is lost",
    if_other_format="use the version that made it, or move it away: the record of what calls cost begins anew",
    corrupt=LedgerCorrupt,
    unusable=LedgerUnusable,
)
