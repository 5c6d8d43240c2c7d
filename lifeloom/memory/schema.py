"""The tables of a user's file, their version, and how an older file is brought up to date.

Times are microseconds since 1970 UTC; lists of turns are numbers with blanks between; ids are as ``coding`` says.
User text lies in ordinary tables only, so that what is erased can be overwritten.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

__all__ = ["APPLICATION_ID", "FORMAT", "MIGRATIONS", "SLOTS", "TABLES"]

APPLICATION_ID: Final = 0x4C6C4D31
"""``LlM1``: tells the file from somebody's other database."""

FORMAT: Final = 1
"""Raised by one whenever the tables change; kept as ``PRAGMA user_version``."""

MIGRATIONS: Mapping[int, Sequence[str]] = {}
"""Statements that turn format ``n`` into ``n + 1``, by ``n``; they keep everything in the file."""

SLOTS: Final = 32
"""Vectors a block: with 384 numbers each a block fills twelve pages but for a tenth of one."""

TABLES: Final = (
    "CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    # erased: the row stays, so that turns keep their numbers; its texts are empty.
    "CREATE TABLE turns(turn INTEGER PRIMARY KEY, session INTEGER NOT NULL, at INTEGER NOT NULL, "
    "offset_minutes INTEGER NOT NULL, user TEXT NOT NULL, assistant TEXT NOT NULL, pictures TEXT, "
    "erased INTEGER NOT NULL DEFAULT 0)",
    "CREATE TABLE media(content_hash TEXT PRIMARY KEY, width INTEGER NOT NULL, height INTEGER NOT NULL, "
    "data BLOB NOT NULL) WITHOUT ROWID",
    "CREATE TABLE makers(maker INTEGER PRIMARY KEY, backend TEXT NOT NULL, model TEXT NOT NULL, "
    "prompt_version TEXT NOT NULL)",
    # name: the memory's id. replaces, replaced_by: names. sources, ended_by: turns. slot, crop_slot: where the vectors
    # lie, NULL without one. key: NULL for additive kinds, which keeps them out of the index by key. lasted: from
    # happened_from to happened_to; known_after: from there to known_at. Mostly 0, which takes no byte.
    "CREATE TABLE memories(row INTEGER PRIMARY KEY, name NOT NULL, kind INTEGER NOT NULL, label NOT NULL, key TEXT, "
    "content TEXT NOT NULL, keywords TEXT, sources TEXT NOT NULL, happened_from INTEGER NOT NULL, "
    "lasted INTEGER NOT NULL, known_after INTEGER NOT NULL, known_turns INTEGER NOT NULL, replaces, replaced_by, "
    "ended_at INTEGER, ended_turns INTEGER, ended_by TEXT, crop TEXT, maker INTEGER NOT NULL, slot INTEGER, "
    "crop_slot INTEGER)",
    "CREATE UNIQUE INDEX memories_by_name ON memories(name)",
    "CREATE INDEX memories_by_key ON memories(kind, key) WHERE key IS NOT NULL",
    "CREATE TABLE personality(turn INTEGER PRIMARY KEY, at INTEGER NOT NULL, inferred TEXT NOT NULL, "
    "applied INTEGER NOT NULL, skipped TEXT NOT NULL, smoothing REAL NOT NULL, profile TEXT NOT NULL, "
    "maker INTEGER NOT NULL)",
    # effects: what was done, by row and turn numbers; no text of the user.
    "CREATE TABLE jobs(name TEXT PRIMARY KEY, effects TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE queue(job TEXT PRIMARY KEY, place INTEGER NOT NULL, payload TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE rejections(job TEXT PRIMARY KEY, place INTEGER NOT NULL, reason TEXT NOT NULL, "
    "detail TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE text_blocks(block INTEGER PRIMARY KEY, data BLOB NOT NULL)",
    "CREATE TABLE image_blocks(block INTEGER PRIMARY KEY, data BLOB NOT NULL)",
)
