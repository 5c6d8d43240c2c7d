"""Jobs: which were done and what they did, which wait, and which could not be done."""

from __future__ import annotations

import re
import sqlite3
from typing import Final, cast

from lifeloom.memory import coding, reading
from lifeloom.memory.errors import MemoryCorrupt
from lifeloom.memory.file import MemoryFile
from lifeloom.memory.makers import Makers
from lifeloom.memory.types import (
    Change,
    EpisodeDraft,
    Operation,
    RejectedUpdate,
    RemoveValue,
    SemanticDraft,
    SetPersonality,
    SetValue,
)
from lifeloom.records import CoreBlock, Memory, SemanticKind

__all__ = ["changes_of", "done", "drop", "effects_of", "enqueue", "is_effect", "pending", "reject", "rejections"]

_EFFECT: Final = re.compile(r"(?:(?P<what>[aeupPq])(?P<row>\d+)|r(?P<old>\d+),(?P<new>\d+)|(?P<none>[ux]))")
_ACTIONS: Final = {"a": "added", "e": "ended", "u": "unchanged", "p": "added", "P": "replaced", "q": "unchanged"}


def is_effect(text: str) -> bool:
    """Whether ``text`` says what an operation of a job did, as the file keeps it."""
    return _EFFECT.fullmatch(text) is not None


def effects_of(sql: sqlite3.Connection, job: str) -> str | None:
    """Return what a job did, as the file says it; None where it was not done."""
    row = sql.execute("SELECT effects FROM jobs WHERE name = ?", (job,)).fetchone()
    return None if row is None else str(row[0])


def changes_of(file: MemoryFile, makers: Makers, effects: str) -> tuple[Change, ...]:
    """Return what a job did, read from what is there now.

    What was erased since is left out, and so is what was to be ended and was not there. Operations are those that would
    make the same memories; they carry no vectors.
    """
    changes = []
    for effect in effects.split():
        match = _EFFECT.fullmatch(effect)
        if match is None:
            raise MemoryCorrupt(f"a job in {file.path} did {effect!r}, which is nothing; the file was overwritten")
        change = None
        if match["old"]:
            change = _replaced(file, makers, int(match["old"]), int(match["new"]))
        elif match["what"]:
            change = _changed(file, makers, match["what"], int(match["row"]))
        if change is not None:
            changes.append(change)
    return tuple(changes)


def _replaced(file: MemoryFile, makers: Makers, old: int, new: int) -> Change | None:
    after = reading.memory_of_row(file, makers, new)
    before = reading.memory_of_row(file, makers, old)
    if after is None:
        return None
    return Change(_operation(after), "replaced" if before else "added", before, _begun(after))


def _changed(file: MemoryFile, makers: Makers, what: str, row: int) -> Change | None:
    action = _ACTIONS[what]
    if what in "pPq":
        point = reading.personality_point(file, makers, row)
        return None if point is None else Change(SetPersonality(point), action)
    memory = reading.memory_of_row(file, makers, row)
    if memory is None:
        return None
    if action == "ended":
        operation = RemoveValue(memory.kind, memory.key, memory.ended_by_turns, _block(memory))
        return Change(operation, action, memory)
    return Change(_operation(memory), action, after=_begun(memory))


def _begun(memory: Memory) -> Memory:
    """Return a memory as it was when it was made."""
    return memory.model_copy(update={"replaced_by": "", "ended_at": None, "ended_turns": None, "ended_by_turns": ()})


def _block(memory: Memory) -> CoreBlock | None:
    return cast(CoreBlock, memory.label) if memory.kind == "core" else None


def _operation(memory: Memory) -> Operation:
    if memory.kind == "semantic":
        return SemanticDraft(
            cast(SemanticKind, memory.label), memory.content, memory.keywords, memory.source_turns, crop=memory.crop
        )
    if memory.kind == "episodic":
        return EpisodeDraft(memory.content, memory.keywords, memory.source_turns)
    return SetValue(memory.kind, memory.key, memory.content, memory.source_turns, _block(memory), memory.keywords)


def done(file: MemoryFile, job: str) -> bool:
    """See ``UserMemory.done``."""
    return bool(
        file.query("SELECT 1 FROM jobs WHERE name = ? UNION ALL SELECT 1 FROM rejections WHERE job = ?", (job, job))
    )


def enqueue(sql: sqlite3.Connection, job: str, payload: str) -> None:
    """See ``UserMemory.enqueue``."""
    coding.check_text(job, "the name of the job")
    coding.check_text(payload, "the payload of the job")
    sql.execute(
        "INSERT OR IGNORE INTO queue SELECT ?1, (SELECT coalesce(max(place), 0) + 1 FROM queue), ?2 "
        "WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE name = ?1) "
        "AND NOT EXISTS (SELECT 1 FROM rejections WHERE job = ?1)",
        (job, payload),
    )


def pending(file: MemoryFile, limit: int | None) -> tuple[tuple[str, str], ...]:
    """See ``UserMemory.pending``."""
    rows = file.query("SELECT job, payload FROM queue ORDER BY place LIMIT ?", (-1 if limit is None else limit,))
    return tuple((str(job), str(payload)) for job, payload in rows)


def drop(sql: sqlite3.Connection, job: str) -> None:
    """See ``UserMemory.drop``."""
    sql.execute("DELETE FROM queue WHERE job = ?", (job,))


def reject(sql: sqlite3.Connection, job: str, reason: str, detail: str) -> None:
    """See ``UserMemory.reject``."""
    for text in (job, reason, detail):
        coding.check_text(text, "the rejection")
    drop(sql, job)
    sql.execute(
        "INSERT OR IGNORE INTO rejections SELECT ?, (SELECT coalesce(max(place), 0) + 1 FROM rejections), ?, ?",
        (job, reason, detail),
    )


def rejections(file: MemoryFile) -> tuple[RejectedUpdate, ...]:
    """See ``UserMemory.rejections``."""
    rows = file.query("SELECT job, reason, detail FROM rejections ORDER BY place")
    return tuple(RejectedUpdate(*row) for row in rows)
