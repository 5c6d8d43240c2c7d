"""Erasure: a turn, a memory or the user, with everything that was derived from it, so that no byte of it is left.

The rows go in one transaction. The file then gives its free pages back and empties its write-ahead log; a process
killed before that leaves a note in the file, and the next opening for writing does it first. So what was to be erased
is there unchanged, or is gone. Other turns stay as they were said, and what follows from these alone, also where they
repeat what was erased.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lifeloom.memory import coding
from lifeloom.memory.errors import NotRemembered
from lifeloom.memory.loading import sweep
from lifeloom.memory.ondisk import LOGS
from lifeloom.memory.profile_curve import recomputed
from lifeloom.memory.vectors import clear_slots
from lifeloom.memory.versions import as_if_never, taken_over
from lifeloom.records import Memory

if TYPE_CHECKING:
    from lifeloom.memory.database import UserMemory

__all__ = ["TURN_EFFECTS", "Erased", "erase_memory", "erase_turn", "erase_user"]

_JOB: Final = re.compile(r"(turn|session)-([0-9]+)/")
_TABLES: Final = (
    "turns",
    "media",
    "memories",
    "personality",
    "jobs",
    "queue",
    "rejections",
    "text_blocks",
    "image_blocks",
)
TURN_EFFECTS: Final = frozenset("pPq")
"""What a job did to the point of a turn; the other effects are by row."""
_GONE: Final = "x"
"""Stands for what a job did and is no longer there."""


@dataclass(frozen=True)
class Erased:
    """What went, or, in a dry run, would go."""

    turns: tuple[int, ...] = ()
    """Their texts and pictures; the numbers of the other turns stay."""
    memories: tuple[str, ...] = ()
    """Ids, with their vectors, keywords and links."""
    changed: tuple[str, ...] = ()
    """Ids of values kept whose links to the versions before or after, or whose end, were mended."""
    restored: tuple[str, ...] = ()
    """Those of them that hold again."""
    personality: tuple[int, ...] = ()
    """Turns whose point left the curve."""
    recomputed: tuple[int, ...] = ()
    """Turns whose point was computed anew from the scores inferred then."""
    pictures: tuple[str, ...] = ()
    """Content hashes of pictures and crops that nothing refers to any more."""
    jobs: tuple[str, ...] = ()
    """Updates taken off the queue."""
    rejections: tuple[str, ...] = ()
    """Rejected updates whose detail was emptied, since it may quote what was erased."""
    file: Path | None = None
    """The file, where the user was erased."""
    scrubbed: bool = field(default=False, compare=False)
    """Whether free pages and the log are clean already; False in a dry run, and where another process was in the way:
    then the next opening does it."""


def erase_turn(memory: UserMemory, index: int, *, dry_run: bool = False) -> Erased:
    """Erase what was said in a turn, and everything that follows from it.

    Memories that cite the turn go, an episode of several turns too, since its summary follows from all of them, and
    later versions of a value that took over the words of one that goes. A core or procedural value that one of them had
    replaced or ended holds again. The point of the turn leaves the personality
    curve, and later points are computed anew. Updates of the turn (jobs named ``turn-<index>/...``) leave the queue and
    count as done, so that nothing brings them back; what is done anew for its session no longer sees the turn. What a
    later turn said again without changing anything is not on record, and does not take its place.

    Args:
        memory: The user's memory.
        index: Number of the turn.
        dry_run: Change nothing; say what would go.

    Returns:
        What went; nothing where the turn was erased before.

    Raises:
        NotRemembered: there is no such turn.
        MemoryFailure: the file cannot be written; then nothing was erased.
    """
    with _erasing(memory, dry_run) as work:
        found = work.sql.execute("SELECT pictures, erased, session FROM turns WHERE turn = ?", (index,)).fetchone()
        if found is None:
            raise NotRemembered(f"there is no turn {index}: {memory.turn_count()} turns are remembered")
        pictures, erased, session = found
        if not erased:
            work.erase_turn(index, session, pictures)
    return work.done()


def erase_memory(memory: UserMemory, memory_id: str, *, dry_run: bool = False) -> Erased:
    """Erase one memory, or one version of a value; the turns that it follows from stay.

    Where it was a version, the one before holds again, or is followed by the one after; later ones that took over its
    words go too. The update that made it counts
    as done, so it is not made again.

    Args:
        memory: The user's memory.
        memory_id: Its id.
        dry_run: Change nothing; say what would go.

    Raises:
        NotRemembered: there is no such memory.
        MemoryFailure: the file cannot be written; then nothing was erased.
    """
    with _erasing(memory, dry_run) as work:
        rows = work.memories("m.name = ?", (coding.stored_id(memory_id),))
        if not rows:
            raise NotRemembered(f"there is no memory {memory_id!r} of {memory.user_id!r}")
        work.erase_memories(rows, (), turn=None)
        sources = rows[0].memory.source_turns
        work.empty_rejections(sources[0] if sources else 0)
    return work.done()


def erase_user(memory: UserMemory, *, dry_run: bool = False) -> Erased:
    """Erase everything of a user, and the file; the handle is closed.

    Other handles of the file find it empty. What a process that was killed while it made the file left beside it goes
    too; exports lie where they were put.

    Args:
        memory: The user's memory.
        dry_run: Change nothing; say what would go.

    Raises:
        MemoryFailure: the file cannot be written; then nothing was erased.
    """
    path = memory.path
    with _erasing(memory, dry_run) as work:
        work.erase_all(path)
    done = work.done()
    if not dry_run:
        memory.close()
        for name in (path.name, *(f"{path.name}{ending}" for ending in LOGS)):
            path.with_name(name).unlink(missing_ok=True)
        sweep(path)
    return done


@contextmanager
def _erasing(memory: UserMemory, dry_run: bool) -> Iterator[_Erasing]:
    with memory.transaction(undo=dry_run) as sql:
        work = _Erasing(memory, sql)
        yield work
        sql.execute("INSERT OR REPLACE INTO meta VALUES ('scrub', '1')")
        memory.rewritten()
    if not dry_run:
        work.scrubbed = memory.compact()


@dataclass(frozen=True)
class _Row:
    row: int
    memory: Memory
    slot: int | None
    crop_slot: int | None


class _Erasing:
    """The statements of one erasure, within its transaction, and what they did."""

    def __init__(self, memory: UserMemory, sql: sqlite3.Connection) -> None:
        self.sql = sql
        self.scrubbed = False
        self._memory = memory
        self._makers = memory.makers
        self._what: dict[str, tuple[str, ...] | tuple[int, ...] | Path] = {}

    def done(self) -> Erased:
        return Erased(**self._what, scrubbed=self.scrubbed)  # type: ignore[arg-type]

    def memories(self, where: str, parameters: Sequence[object] = ()) -> list[_Row]:
        columns = ", ".join(f"m.{name.strip()}" for name in coding.MEMORY_COLUMNS.split(","))
        rows = self.sql.execute(
            f"SELECT {columns}, m.slot, m.crop_slot FROM memories AS m WHERE {where} ORDER BY m.row",  # noqa: S608
            parameters,
        ).fetchall()
        return [
            _Row(values[0], coding.read_memory(values[:-2], self._memory.user_id, self._makers), *values[-2:])
            for values in rows
        ]

    def erase_turn(self, index: int, session: int, pictures: str | None) -> None:
        cited = f" {index} "
        citing = self.memories(
            "instr(' ' || m.sources || ' ', ?) OR instr(' ' || m.ended_by || ' ', ?)", (cited, cited)
        )
        going = [one for one in citing if index in one.memory.source_turns]
        ended = [one for one in citing if index not in one.memory.source_turns]
        self.sql.execute(
            "UPDATE turns SET user = '', assistant = '', pictures = NULL, erased = 1 WHERE turn = ?", (index,)
        )
        self._what["turns"] = (index,)
        self.erase_memories(going, ended, turn=index, pictures=pictures or "")
        self._erase_point(index)
        jobs = [
            job
            for (job,) in self.sql.execute("SELECT job FROM queue ORDER BY place").fetchall()
            if job.startswith(f"turn-{index}/")
        ]
        for job in jobs:
            self.sql.execute("DELETE FROM queue WHERE job = ?", (job,))
            self.sql.execute("INSERT OR IGNORE INTO jobs VALUES (?, '')", (job,))
        self._what["jobs"] = tuple(jobs)
        self.empty_rejections(index, session)

    def erase_memories(
        self, going: Sequence[_Row], ended: Sequence[_Row], *, turn: int | None, pictures: str = ""
    ) -> None:
        """Take memories away and mend the versions around them.

        Args:
            going: What goes.
            ended: What stays, but was ended by the turn.
            turn: The turn that is erased; None where the memories are.
            pictures: Of the turn, as in the file.
        """
        values = {(one.memory.kind, one.memory.label, one.memory.key) for one in (*going, *ended) if one.memory.key}
        versions = {value: self._versions(*value) for value in sorted(values)}
        gone = {one.memory.memory_id for one in going}
        for rows in versions.values():
            repeating = taken_over([one.memory for one in rows], gone, self._said)
            going = [*going, *(one for one in rows if one.memory.memory_id in repeating)]
            gone.update(repeating)
        for one in going:
            self._delete(one)
        before = {one.memory.memory_id: one for rows in versions.values() for one in rows}
        changed: list[str] = []
        restored: list[str] = []
        for rows in versions.values():
            for mended in as_if_never([one.memory for one in rows], gone, turn):
                was = before[mended.memory_id]
                if mended != was.memory:
                    self._mend(was, mended)
                    changed.append(mended.memory_id)
                    if mended.ended_at is None and was.memory.ended_at is not None:
                        restored.append(mended.memory_id)
        self._what.update(
            memories=tuple(one.memory.memory_id for one in going), changed=tuple(changed), restored=tuple(restored)
        )
        unended = {before[name].row for name in changed if turn in before[name].memory.ended_by_turns}
        self._forget_effects({one.row for one in going}, unended, turn)
        crops = (one.memory.crop.content_hash for one in going if one.memory.crop is not None)
        self._drop_pictures((*(part.split("/")[0] for part in pictures.split()), *crops))

    def empty_rejections(self, turn: int, session: int | None = None) -> None:
        """Empty the details of what was rejected from a turn on: a model's answer may quote what came before."""
        if session is None:
            found = self.sql.execute("SELECT session FROM turns WHERE turn = ?", (turn,)).fetchone()
            session = found[0] if found else 0
        from_on = {"turn": turn, "session": session}
        emptied = []
        for (job,) in self.sql.execute("SELECT job FROM rejections WHERE detail != '' ORDER BY place").fetchall():
            named = _JOB.match(job)
            if named is None or int(named[2]) >= from_on[named[1]]:
                self.sql.execute("UPDATE rejections SET detail = '' WHERE job = ?", (job,))
                emptied.append(job)
        self._what["rejections"] = tuple(emptied)

    def erase_all(self, path: Path) -> None:
        sql = self.sql
        self._what.update(
            turns=tuple(n for (n,) in sql.execute("SELECT turn FROM turns WHERE NOT erased ORDER BY turn")),
            memories=tuple(coding.read_id(n) for (n,) in sql.execute("SELECT name FROM memories ORDER BY row")),
            personality=tuple(n for (n,) in sql.execute("SELECT turn FROM personality ORDER BY turn")),
            pictures=tuple(n for (n,) in sql.execute("SELECT content_hash FROM media ORDER BY content_hash")),
            jobs=tuple(n for (n,) in sql.execute("SELECT job FROM queue ORDER BY place")),
            rejections=tuple(n for (n,) in sql.execute("SELECT job FROM rejections ORDER BY place")),
            file=path,
        )
        for table in _TABLES:
            sql.execute(f"DELETE FROM {table}")  # noqa: S608 - names of ours
        sql.execute("DELETE FROM meta WHERE name GLOB 'encoder.*' OR name GLOB 'dimensions.*' OR name GLOB 'slots.*'")

    def _versions(self, kind: str, label: str, key: str) -> list[_Row]:
        rows = self.memories("m.kind = ? AND m.key = ?", (coding.KIND_CODES[kind], key))
        return [one for one in rows if one.memory.label == label]

    def _said(self, memory: Memory) -> str:
        texts = [
            self.sql.execute("SELECT user FROM turns WHERE turn = ?", (turn,)).fetchone()[0]
            for turn in memory.source_turns
        ]
        return "\n".join(texts)

    def _delete(self, one: _Row) -> None:
        self.sql.execute("DELETE FROM memories WHERE row = ?", (one.row,))
        if one.slot is not None:
            clear_slots(self.sql, "text", [one.slot])
        if one.crop_slot is not None:
            clear_slots(self.sql, "image", [one.crop_slot])

    def _mend(self, was: _Row, mended: Memory) -> None:
        ended = mended.ended_at is not None
        self.sql.execute(
            "UPDATE memories SET replaces = ?, replaced_by = ?, ended_at = ?, ended_turns = ?, ended_by = ? "
            "WHERE row = ?",
            (
                coding.stored_id(mended.replaces) if mended.replaces else None,
                coding.stored_id(mended.replaced_by) if mended.replaced_by else None,
                None if mended.ended_at is None else coding.micros(mended.ended_at),
                mended.ended_turns,
                coding.numbers(mended.ended_by_turns) if ended else None,
                was.row,
            ),
        )

    def _erase_point(self, index: int) -> None:
        columns = coding.PERSONALITY_COLUMNS
        rows = self.sql.execute(f"SELECT {columns} FROM personality ORDER BY turn").fetchall()  # noqa: S608
        points = [coding.read_personality(values, self._memory.user_id, self._makers) for values in rows]
        if all(point.turn_index != index for point in points):
            return
        self.sql.execute("DELETE FROM personality WHERE turn = ?", (index,))
        self._what["personality"] = (index,)
        before = {point.turn_index: point for point in points}
        moved = []
        for point in recomputed(points, without=index):
            if point != before[point.turn_index]:
                profile = " ".join(map(repr, point.profile.vector()))
                self.sql.execute("UPDATE personality SET profile = ? WHERE turn = ?", (profile, point.turn_index))
                moved.append(point.turn_index)
        self._what["recomputed"] = tuple(moved)

    def _forget_effects(self, rows: set[int], unended: set[int], turn: int | None) -> None:
        """Take rows and points that are gone out of what jobs did: the numbers of rows are given again."""

        def kept(effect: str) -> str:
            kind, numbers = effect[:1], [int(number) for number in effect[1:].split(",") if number]
            if kind in TURN_EFFECTS:
                return _GONE if turn in numbers else effect
            if kind == "r" and numbers[0] in rows and numbers[1] not in rows:
                return f"a{numbers[1]}"
            gone = rows & set(numbers) or (kind == "e" and unended & set(numbers))
            return _GONE if gone else effect

        for job, effects in self.sql.execute("SELECT name, effects FROM jobs WHERE effects != ''").fetchall():
            left = " ".join(map(kept, effects.split()))
            if left != effects:
                self.sql.execute("UPDATE jobs SET effects = ? WHERE name = ?", (left, job))

    def _drop_pictures(self, hashes: Iterable[str]) -> None:
        dropped = []
        for content_hash in sorted(set(hashes)):
            shown = self.sql.execute(
                "SELECT 1 FROM turns WHERE NOT erased AND instr(pictures, ?) UNION ALL "
                "SELECT 1 FROM memories WHERE instr(crop, ?) LIMIT 1",
                (content_hash, content_hash),
            ).fetchone()
            if shown is None and self.sql.execute("DELETE FROM media WHERE content_hash = ?", (content_hash,)).rowcount:
                dropped.append(content_hash)
        self._what["pictures"] = tuple(dropped)
