"""Writing memories: the typed operations of a job, in one transaction, once.

Semantic and episodic memories are only added; of core and procedural values the version before is kept and says what
replaced it, when, and from which turns (PersonaVLM Section 3.1, Appendix A.3).
"""

from __future__ import annotations

import datetime as dt
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from lifeloom.memory import coding
from lifeloom.memory.errors import MediaGone, NotRemembered, OperationInvalid, OutOfOrder
from lifeloom.memory.file import MemoryFile
from lifeloom.memory.makers import Makers
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
from lifeloom.memory.vectors import append_vectors, next_slot
from lifeloom.records import LATEST_ONLY, Memory, MemoryKind, PictureReference, VectorSpace

__all__ = ["JobWriter", "insert_memories"]

_INSERT: Final = f"INSERT INTO memories VALUES ({', '.join('?' * 21)})"  # noqa: S608 - places alone
_CITE: Final = "INSERT OR IGNORE INTO citations VALUES (?, ?)"
_SEMANTIC: Final = frozenset(("directive", "fact", "preference", "visual_concept"))


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
        self._origin = origin
        self._known_micros = coding.micros(origin.known_at)
        self._known_at = coding.read_time(self._known_micros)
        self._moments: dict[int, dt.datetime] = {}
        self._maker = makers.number(sql, origin.made_by)
        self._times: dict[int, int] = {}
        self._next_row = _next_row(sql)
        self._batch = _Batch(sql)
        self._set_here: dict[tuple[MemoryKind, str, str], tuple[int, Memory]] = {}
        """Values that this job has set and that hold, with their rows."""
        self._ended = False

    def apply(self, operations: Sequence[Operation]) -> tuple[Change, ...]:
        """Write all of it, and that the job is done. Raises as ``UserMemory.apply`` does."""
        self._read_times(operations)
        effects: list[str] = []
        changes: list[Change] = []
        for position, operation in enumerate(operations):
            effect, change = self._one(position, operation)
            effects.append(effect)
            changes.append(change)
        self._batch.write()
        if self._ended:  # tells other handles to look for values that are over
            self._sql.execute("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE name = 'ends'")
        self._sql.execute("INSERT INTO jobs VALUES (?, ?)", (self._job, " ".join(effects)))
        return tuple(changes)

    def _one(self, position: int, operation: Operation) -> tuple[str, Change]:
        match operation:
            case SemanticDraft():
                return self._add_semantic(position, operation)
            case EpisodeDraft():
                row, memory = self._add(
                    position,
                    "episodic",
                    "",
                    operation.summary,
                    operation.keywords,
                    operation.source_turns,
                    text_vector=operation.vector,
                )
                return f"a{row}", Change(operation, "added", after=memory)
            case SetValue():
                return self._set(position, operation)
            case RemoveValue():
                return self._remove(operation)
            case SetPersonality():
                return self._personality(operation)

    def _add_semantic(self, position: int, draft: SemanticDraft) -> tuple[str, Change]:
        if draft.label not in _SEMANTIC:
            raise OperationInvalid(f"semantic knowledge is one of {', '.join(sorted(_SEMANTIC))}, not {draft.label!r}")
        crop = draft.crop
        if (draft.crop_vector is not None or crop is not None) and draft.label != "visual_concept":
            raise OperationInvalid(f"a {draft.label} has no crop; only a visual_concept has")
        if draft.crop_vector is not None and crop is None:
            raise OperationInvalid("there is a vector of a crop, but no crop")
        if (
            crop is not None
            and not self._sql.execute("SELECT 1 FROM media WHERE content_hash = ?", (crop.content_hash,)).fetchone()
        ):
            raise MediaGone(f"the crop {crop.content_hash} is not in the file; put_media it first")
        row, memory = self._add(
            position,
            "semantic",
            draft.label,
            draft.content,
            draft.keywords,
            draft.source_turns,
            crop=crop,
            text_vector=draft.vector,
            crop_vector=draft.crop_vector,
        )
        return f"a{row}", Change(draft, "added", after=memory)

    def _set(self, position: int, operation: SetValue) -> tuple[str, Change]:
        label = _checked_block(operation)
        if operation.kind == "core" and operation.vector is not None:
            raise OperationInvalid("core memory has no vector: it is always in the prompt")
        found = self._current(operation.kind, label, operation.key)
        before_row, before = found or (0, None)
        if before is not None and before.content == operation.content:
            return f"u{before_row}", Change(operation, "unchanged", after=before)
        row, after = self._add(
            position,
            operation.kind,
            label,
            operation.content,
            operation.keywords,
            operation.source_turns,
            key=operation.key,
            replaces="" if before is None else before.memory_id,
            text_vector=operation.vector,
        )
        ended = None if before is None else self._end(before_row, before, after.source_turns, after.memory_id)
        self._set_here[operation.kind, label, operation.key] = row, after
        if ended is None:
            return f"a{row}", Change(operation, "added", after=after)
        return f"r{before_row},{row}", Change(operation, "replaced", ended, after)

    def _remove(self, operation: RemoveValue) -> tuple[str, Change]:
        found = self._current(operation.kind, _checked_block(operation), operation.key)
        if found is None:
            return "u", Change(operation, "unchanged")
        ended = self._end(*found, tuple(sorted(set(operation.source_turns))), "")
        return f"e{found[0]}", Change(operation, "ended", ended)

    def _personality(self, operation: SetPersonality) -> tuple[str, Change]:
        point = operation.point
        if point.user_id != self._user_id:
            raise OperationInvalid(f"the personality is of {point.user_id!r}, the memory of {self._user_id!r}")
        self._time_of(point.turn_index)
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
        kind: MemoryKind,
        label: str,
        content: str,
        keywords: tuple[str, ...],
        source_turns: Iterable[int],
        *,
        key: str = "",
        replaces: str = "",
        crop: PictureReference | None = None,
        text_vector: Vector | None = None,
        crop_vector: Vector | None = None,
    ) -> tuple[int, Memory]:
        sources = tuple(source_turns)
        if len(sources) > 1:
            sources = tuple(sorted(set(sources)))
        if sources:
            first, last = self._times[sources[0]], self._times[sources[-1]]
            happened_from, happened_to = self._moment(first), self._moment(last)
        else:
            first = last = self._known_micros
            happened_from = happened_to = self._known_at
        words = tuple(keywords)
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
        memory_id, name = coding.job_memory_id(self._user_id, self._job, position)
        origin = self._origin
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
                "known_turns": origin.known_turns,
                "replaces": replaces,
                "replaced_by": "",
                "ended_at": None,
                "ended_turns": None,
                "ended_by_turns": (),
                "crop": crop,
                "made_by": origin.made_by,
            }
        )
        row = self._next_row
        self._next_row += 1
        values = (
            row,
            name,
            coding.KIND_CODES[kind],
            coding.label_code(label),
            key or None,
            content,
            filed,
            coding.numbers(sources),
            first,
            last - first,
            self._known_micros - last,
            origin.known_turns,
            coding.stored_id(replaces) if replaces else None,
            None,
            None,
            None,
            None,
            coding.pictures_text((crop,)) if crop else None,
            self._maker,
            self._batch.slot("text", text_vector),
            self._batch.slot("image", crop_vector),
        )
        self._batch.put(row, values, sources)
        return row, memory

    def _moment(self, at: int) -> dt.datetime:
        moment = self._moments.get(at)
        if moment is None:
            moment = self._moments[at] = coding.read_time(at)
        return moment

    def _current(self, kind: MemoryKind, label: str, key: str) -> tuple[int, Memory] | None:
        found = self._set_here.get((kind, label, key))
        if found is not None:
            return found
        rows = self._sql.execute(
            f"SELECT {coding.MEMORY_COLUMNS} FROM memories "  # noqa: S608 - names of ours
            "WHERE kind = ? AND key = ? AND ended_at IS NULL",
            (coding.KIND_CODES[kind], key),
        ).fetchall()
        for row in rows:
            memory = coding.read_memory(row, self._user_id, self._makers)
            if memory.label == label:
                return row[0], memory
        return None

    def _end(self, row: int, memory: Memory, turns: tuple[int, ...], replaced_by: str) -> Memory:
        known_at, known_turns = self._known_at, self._origin.known_turns
        if known_at < memory.known_at or known_turns < memory.known_turns:
            raise OutOfOrder(
                f"{memory.key!r} was set at {memory.known_at.isoformat()} after {memory.known_turns} turns; a change "
                f"at {known_at.isoformat()} after {known_turns} turns comes before it: apply jobs in order"
            )
        for turn in turns:
            self._time_of(turn)
        ended = memory.model_copy(
            update={
                "replaced_by": replaced_by,
                "ended_at": known_at,
                "ended_turns": known_turns,
                "ended_by_turns": turns,
            }
        )
        if self._set_here.pop((memory.kind, memory.label, memory.key), None) is not None:
            self._batch.replace(row, coding.memory_row(row, ended, self._maker), turns)
            return ended
        self._sql.execute(
            "UPDATE memories SET replaced_by = ?, ended_at = ?, ended_turns = ?, ended_by = ? WHERE row = ?",
            (
                coding.stored_id(replaced_by) if replaced_by else None,
                coding.micros(known_at),
                known_turns,
                coding.numbers(turns),
                row,
            ),
        )
        self._sql.executemany(_CITE, [(turn, row) for turn in turns])
        self._ended = True
        return ended

    def _time_of(self, turn: int) -> int:
        try:
            return self._times[turn]
        except KeyError:
            raise NotRemembered(f"turn {turn} is not remembered: it was never said, or was erased") from None

    def _read_times(self, operations: Sequence[Operation]) -> None:
        wanted: set[int] = set()
        for operation in operations:
            if isinstance(operation, SetPersonality):
                wanted.add(operation.point.turn_index)
            else:
                wanted.update(operation.source_turns)
        if wanted:
            self._times = dict(
                self._sql.execute(
                    "SELECT turn, at FROM turns WHERE turn BETWEEN ? AND ? AND NOT erased", (min(wanted), max(wanted))
                ).fetchall()
            )
        for turn in wanted:
            self._time_of(turn)


class _Batch:
    """Rows that are inserted together, and their vectors."""

    def __init__(self, sql: sqlite3.Connection) -> None:
        self._sql = sql
        self._rows: dict[int, tuple[Any, ...]] = {}
        self._citations: list[tuple[int, int]] = []
        self._vectors: dict[VectorSpace, list[Vector]] = {"text": [], "image": []}
        self._first = {space: next_slot(sql, space) for space in self._vectors}

    def slot(self, space: VectorSpace, vector: Vector | None) -> int | None:
        """Take a vector along and return its slot."""
        if vector is None:
            return None
        vectors = self._vectors[space]
        vectors.append(vector)
        return self._first[space] + len(vectors) - 1

    def put(self, row: int, values: tuple[Any, ...], cited: Sequence[int]) -> None:
        """Take a row along: ``MEMORY_COLUMNS`` and two slots."""
        self._rows[row] = values
        for turn in cited:
            self._citations.append((turn, row))

    def replace(self, row: int, values: tuple[Any, ...], cited: Sequence[int]) -> None:
        """Put other values of ``MEMORY_COLUMNS`` in the place of those of a row."""
        self.put(row, (*values, *self._rows[row][-2:]), cited)

    def write(self) -> None:
        for space, vectors in self._vectors.items():
            if vectors:
                append_vectors(self._sql, space, vectors)
        if self._rows:
            self._sql.executemany(_INSERT, self._rows.values())
            self._sql.executemany(_CITE, sorted(self._citations))


def insert_memories(
    file: MemoryFile,
    makers: Makers,
    memories: Sequence[Memory],
    vectors: Mapping[tuple[str, VectorSpace], Vector],
) -> None:
    """Put memories into the file as they are: ids, versions and ends included, in this order.

    Args:
        file: The user's file.
        makers: Of the file.
        memories: In the order in which they became known; their turns and crops are in the file already.
        vectors: By memory id and space.

    Raises:
        OperationInvalid: a memory of another user, or what is no unit vector.
        OtherEncoder: vectors of another length.
        NotRemembered: a memory cites a turn that is not in the file.
    """
    with file.transaction() as sql:
        turns = {turn for (turn,) in sql.execute("SELECT turn FROM turns")}
        row = _next_row(sql)
        batch = _Batch(sql)
        for memory in memories:
            if memory.user_id != file.user_id:
                raise OperationInvalid(f"memory {memory.memory_id} is of {memory.user_id!r}, not of {file.user_id!r}")
            if not turns.issuperset(memory.source_turns):
                raise NotRemembered(f"memory {memory.memory_id} cites turns that are not in the file")
            name = memory.memory_id
            values = (
                *coding.memory_row(row, memory, makers.number(sql, memory.made_by)),
                batch.slot("text", vectors.get((name, "text"))),
                batch.slot("image", vectors.get((name, "image"))),
            )
            batch.put(row, values, (*memory.source_turns, *memory.ended_by_turns))
            row += 1
        batch.write()


def _next_row(sql: sqlite3.Connection) -> int:
    return int(sql.execute("SELECT coalesce(max(row), 0) + 1 FROM memories").fetchone()[0])


def _checked_block(operation: SetValue | RemoveValue) -> str:
    if operation.kind not in LATEST_ONLY:
        raise OperationInvalid(f"{operation.kind} memories are only added; core and procedural values can be set")
    if not operation.key:
        raise OperationInvalid(f"a {operation.kind} value has no key; say what it is of")
    if (operation.block is None) == (operation.kind == "core"):
        raise OperationInvalid("a core value has a block, human or persona, and a procedural one has none")
    return operation.block or ""
