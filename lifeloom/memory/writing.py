"""Writing memories: the typed operations of a job, in one transaction, once.

Semantic and episodic memories are only added; of core and procedural values the version before is kept and says what
replaced it, when, and from which turns (PersonaVLM Section 3.1, Appendix A.3).
"""

from __future__ import annotations

import datetime as dt
import sqlite3
from collections.abc import Sequence
from typing import Final, NamedTuple

from lifeloom.memory import coding
from lifeloom.memory.errors import MediaGone, NotRemembered, OperationInvalid, OutOfOrder
from lifeloom.memory.file import MemoryFile
from lifeloom.memory.makers import Makers
from lifeloom.memory.rows import NewRows
from lifeloom.memory.types import (
    Change,
    EpisodeDraft,
    Operation,
    Origin,
    RemoveValue,
    SemanticDraft,
    SetPersonality,
    SetValue,
    Vector,
)
from lifeloom.records import LATEST_ONLY, Memory, MemoryKind, PictureReference

__all__ = ["JobWriter"]

_SEMANTIC: Final = frozenset(("directive", "fact", "preference", "visual_concept"))
_KEYS: Final = 8
"""Keys that are looked up at once, by one statement whatever their number."""
_HELD: Final = (
    f"SELECT {coding.MEMORY_COLUMNS} FROM memories "  # noqa: S608 - names of ours
    f"WHERE kind = ? AND ended_at IS NULL AND key IN ({', '.join('?' * _KEYS)})"
)


class _Sources(NamedTuple):
    """The turns that a memory follows from, and what they say of its times."""

    turns: tuple[int, ...]
    """Ascending."""
    text: str
    first: int
    lasted: int
    known_after: int
    happened_from: dt.datetime
    happened_to: dt.datetime


class JobWriter:
    """Applies the operations of one job within the transaction of ``sql``.

    Args:
        file: The user's file.
        sql: Its connection, in a transaction.
        makers: Of the file.
        job: Name of the job; the ids of memories follow from it and their place.
        origin: Who made the changes, and from when on they are known.
    """

    def __init__(self, file: MemoryFile, sql: sqlite3.Connection, makers: Makers, job: str, origin: Origin) -> None:
        self._sql = sql
        self._user_id = file.user_id
        self._makers = makers
        self._job = job
        self._first_id = coding.first_memory_id(file.user_id, job)
        self._origin = origin
        self._known_micros = coding.micros(origin.known_at)
        self._known_at = coding.read_time(self._known_micros)
        self._maker = makers.number(sql, origin.made_by)
        self._new = NewRows(sql)
        self._times: dict[int, int] = {}
        self._sources: dict[tuple[int, ...], _Sources] = {}
        """By the turns as an operation gives them."""
        self._held: dict[tuple[MemoryKind, str, str], tuple[int, Memory]] = {}
        """Values of the job's keys that hold, with their rows, by kind, label and key."""
        self._set_here: set[int] = set()
        """Rows of values that this job has set."""
        self._ended = False

    def apply(self, operations: Sequence[Operation]) -> tuple[Change, ...]:
        """Write all of it, and that the job is done. Raises as ``UserMemory.apply`` does."""
        self._read_sources(operations)
        self._read_values(operations)
        effects: list[str] = []
        changes: list[Change] = []
        for position, operation in enumerate(operations):
            effect, change = self._one(position, operation)
            effects.append(effect)
            changes.append(change)
        self._new.write()
        if self._ended:  # tells other handles to look for values that are over
            self._sql.execute("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE name = 'ends'")
        self._sql.execute("INSERT INTO jobs VALUES (?, ?)", (self._job, " ".join(effects)))
        return tuple(changes)

    def _one(self, position: int, operation: Operation) -> tuple[str, Change]:
        match operation:
            case SemanticDraft():
                if operation.label not in _SEMANTIC or operation.crop is not None or operation.crop_vector is not None:
                    self._check_semantic(operation)
                row, memory = self._add(
                    position,
                    operation,
                    "semantic",
                    operation.label,
                    operation.content,
                    crop=operation.crop,
                    crop_vector=operation.crop_vector,
                )
                return f"a{row}", Change(operation, "added", None, memory)
            case EpisodeDraft():
                row, memory = self._add(position, operation, "episodic", "", operation.summary)
                return f"a{row}", Change(operation, "added", None, memory)
            case SetValue():
                return self._set(position, operation)
            case RemoveValue():
                return self._remove(operation)
            case SetPersonality():
                return self._personality(operation)

    def _check_semantic(self, draft: SemanticDraft) -> None:
        if draft.label not in _SEMANTIC:
            raise OperationInvalid(f"semantic knowledge is one of {', '.join(sorted(_SEMANTIC))}, not {draft.label!r}")
        crop = draft.crop
        if draft.label != "visual_concept":
            raise OperationInvalid(f"a {draft.label} has no crop; only a visual_concept has")
        if crop is None:
            raise OperationInvalid("there is a vector of a crop, but no crop")
        if not self._sql.execute("SELECT 1 FROM media WHERE content_hash = ?", (crop.content_hash,)).fetchone():
            raise MediaGone(f"the crop {crop.content_hash} is not in the file; put_media it first")

    def _set(self, position: int, operation: SetValue) -> tuple[str, Change]:
        label = _checked_block(operation)
        if operation.kind == "core" and operation.vector is not None:
            raise OperationInvalid("core memory has no vector: it is always in the prompt")
        before_row, before = self._held.get((operation.kind, label, operation.key), (0, None))
        if before is not None and before.content == operation.content:
            return f"u{before_row}", Change(operation, "unchanged", None, before)
        row, after = self._add(
            position,
            operation,
            operation.kind,
            label,
            operation.content,
            operation.key,
            "" if before is None else before.memory_id,
        )
        ended = None if before is None else self._end(before_row, before, after.source_turns, after.memory_id)
        self._held[operation.kind, label, operation.key] = row, after
        self._set_here.add(row)
        if ended is None:
            return f"a{row}", Change(operation, "added", None, after)
        return f"r{before_row},{row}", Change(operation, "replaced", ended, after)

    def _remove(self, operation: RemoveValue) -> tuple[str, Change]:
        found = self._held.pop((operation.kind, _checked_block(operation), operation.key), None)
        if found is None:
            return "u", Change(operation, "unchanged")
        ended = self._end(*found, self._sources[tuple(operation.source_turns)].turns, "")
        return f"e{found[0]}", Change(operation, "ended", ended)

    def _personality(self, operation: SetPersonality) -> tuple[str, Change]:
        point = operation.point
        if point.user_id != self._user_id:
            raise OperationInvalid(f"the personality is of {point.user_id!r}, the memory of {self._user_id!r}")
        values = coding.personality_row(point, self._makers.number(self._sql, point.made_by))
        there = self._sql.execute(
            f"SELECT {coding.PERSONALITY_COLUMNS} FROM personality WHERE turn = ?",  # noqa: S608 - names of ours
            (point.turn_index,),
        ).fetchone()
        if there == values:
            return f"q{point.turn_index}", Change(operation, "unchanged")
        self._sql.execute("INSERT OR REPLACE INTO personality VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
        if there is None:
            return f"p{point.turn_index}", Change(operation, "added")
        return f"P{point.turn_index}", Change(operation, "replaced")

    def _add(
        self,
        position: int,
        operation: SemanticDraft | EpisodeDraft | SetValue,
        kind: MemoryKind,
        label: str,
        content: str,
        key: str = "",
        replaces: str = "",
        crop: PictureReference | None = None,
        crop_vector: Vector | None = None,
    ) -> tuple[int, Memory]:
        sources, cited, first, lasted, known_after, happened_from, happened_to = self._sources[
            tuple(operation.source_turns)
        ]
        words = tuple(operation.keywords)
        try:
            filed = coding.words_text(words)
            plain = content.isascii() and key.isascii() and (filed is None or filed.isascii())
        except (AttributeError, TypeError) as error:
            raise OperationInvalid(f"operation {position} of {self._job!r} holds what is no text ({error})") from error
        if not content:
            raise OperationInvalid(f"operation {position} of {self._job!r} has no content")
        if not plain:
            for text in (key, content, *words):
                coding.check_text(text, f"operation {position} of {self._job!r}")
        memory_id, name = coding.nth_memory_id(self._first_id, position)
        known_turns, new = self._origin.known_turns, self._new
        # All of it was checked above, or comes from checked records: validating it again would take half of the time.
        memory = coding.trusted_memory(
            {
                "user_id": self._user_id,
                "memory_id": memory_id,
                "kind": kind,
                "label": label,
                "key": key,
                "content": content,
                "keywords": words,
                "source_turns": sources,
                "happened_from": happened_from,
                "happened_to": happened_to,
                "known_at": self._known_at,
                "known_turns": known_turns,
                "replaces": replaces,
                "replaced_by": "",
                "ended_at": None,
                "ended_turns": None,
                "ended_by_turns": (),
                "crop": crop,
                "made_by": self._origin.made_by,
            }
        )
        row = new.next_row
        if replaces or crop is not None:
            new.put(
                (
                    *coding.memory_row(row, memory, self._maker),
                    new.slot("text", operation.vector),
                    new.slot("image", crop_vector),
                )
            )
            return row, memory
        new.put(
            (
                row,
                name,
                coding.KIND_CODES[kind],
                coding.label_code(label),
                key or None,
                content,
                filed,
                cited,
                first,
                lasted,
                known_after,
                known_turns,
                self._maker,
                new.slot("text", operation.vector),
            )
        )
        return row, memory

    def _end(self, row: int, memory: Memory, turns: tuple[int, ...], replaced_by: str) -> Memory:
        known_at, known_turns = self._known_at, self._origin.known_turns
        if known_at < memory.known_at or known_turns < memory.known_turns:
            raise OutOfOrder(
                f"{memory.key!r} was set at {memory.known_at.isoformat()} after {memory.known_turns} turns; a change "
                f"at {known_at.isoformat()} after {known_turns} turns comes before it: apply jobs in order"
            )
        ended = memory.model_copy(
            update={
                "replaced_by": replaced_by,
                "ended_at": known_at,
                "ended_turns": known_turns,
                "ended_by_turns": turns,
            }
        )
        if row in self._set_here:
            self._new.replace(row, coding.memory_row(row, ended, self._maker))
            return ended
        self._sql.execute(
            "UPDATE memories SET replaced_by = ?, ended_at = ?, ended_turns = ?, ended_by = ? WHERE row = ?",
            (
                coding.stored_id(replaced_by) if replaced_by else None,
                self._known_micros,
                known_turns,
                coding.numbers(turns),
                row,
            ),
        )
        self._ended = True
        return ended

    def _read_sources(self, operations: Sequence[Operation]) -> None:
        """Read the times of the turns that the operations cite, and see that all of them are there."""
        cited: dict[tuple[int, ...], None] = {}
        wanted: set[int] = set()
        for operation in operations:
            if isinstance(operation, SetPersonality):
                wanted.add(operation.point.turn_index)
            else:
                cited[tuple(operation.source_turns)] = None
        wanted.update(*cited)
        times: dict[int, int] = {}
        if wanted:
            times = dict(
                self._sql.execute(
                    "SELECT turn, at FROM turns WHERE turn BETWEEN ? AND ? AND NOT erased", (min(wanted), max(wanted))
                ).fetchall()
            )
            if missing := wanted.difference(times):
                raise NotRemembered(f"turn {min(missing)} is not remembered: it was never said, or was erased")
        for given in cited:
            turns = given if len(given) < 2 else tuple(sorted(set(given)))
            first, last = (times[turns[0]], times[turns[-1]]) if turns else (self._known_micros, self._known_micros)
            if turns and (self._known_micros < last or self._origin.known_turns <= turns[-1]):
                raise OutOfOrder(
                    f"what {self._job!r} makes is known at {self._known_at.isoformat()} after "
                    f"{self._origin.known_turns} turns, before turn {turns[-1]} of {coding.read_time(last).isoformat()}"
                    ", which it follows from; say a moment after that turn"
                )
            begun = coding.read_time(first)
            over = begun if last == first else coding.read_time(last)
            self._sources[given] = _Sources(
                turns,
                str(turns[0]) if len(turns) == 1 else coding.numbers(turns),
                first,
                last - first,
                self._known_micros - last,
                begun,
                over,
            )

    def _read_values(self, operations: Sequence[Operation]) -> None:
        """Read the values that hold of the keys that the operations set or remove."""
        wanted: dict[MemoryKind, dict[str, None]] = {}
        for operation in operations:
            if isinstance(operation, SetValue | RemoveValue) and operation.kind in LATEST_ONLY:
                wanted.setdefault(operation.kind, {})[operation.key] = None
        for kind, keys in wanted.items():
            asked = [coding.check_text(key, f"a key of {self._job!r}") for key in keys if isinstance(key, str)]
            for begin in range(0, len(asked), _KEYS):
                some = asked[begin : begin + _KEYS]
                some += some[-1:] * (_KEYS - len(some))
                for values in self._sql.execute(_HELD, (coding.KIND_CODES[kind], *some)).fetchall():
                    memory = coding.read_memory(values, self._user_id, self._makers)
                    self._held.setdefault((kind, memory.label, memory.key), (values[0], memory))


def _checked_block(operation: SetValue | RemoveValue) -> str:
    if operation.kind not in LATEST_ONLY:
        raise OperationInvalid(f"{operation.kind} memories are only added; core and procedural values can be set")
    if not operation.key:
        raise OperationInvalid(f"a {operation.kind} value has no key; say what it is of")
    if (operation.block is None) == (operation.kind == "core"):
        raise OperationInvalid("a core value has a block, human or persona, and a procedural one has none")
    return operation.block or ""
