"""The memory database of one user (PersonaVLM Section 3.1, Appendix A)."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from lifeloom.memory import coding, dialogue, jobs, reading
from lifeloom.memory import vectors as stored_vectors
from lifeloom.memory.file import BUSY_SECONDS, MemoryFile, stored_user
from lifeloom.memory.index import IndexSettings
from lifeloom.memory.makers import Makers
from lifeloom.memory.rows import insert_memories
from lifeloom.memory.search import Searcher
from lifeloom.memory.types import Change, DialogueTurn, Hit, Operation, Origin, Period, RejectedUpdate, Vector
from lifeloom.memory.users import check_user_id
from lifeloom.memory.writing import JobWriter
from lifeloom.records import (
    CoreBlock,
    Memory,
    MemoryKind,
    Moment,
    PersonalityPoint,
    PictureReference,
    VectorSpace,
)

__all__ = ["UserMemory", "read_user_id"]


class UserMemory:
    """Everything remembered of one user, in one file. No call takes another user's.

    Threads and processes may use the same file; a fork may go on with a handle. What a call has written survives a
    killed process. Every read takes ``as_of``: the state at any moment of the past, as it was known then. Calls raise
    ``MemoryFailure`` (see ``lifeloom.memory.errors``); a call that raises has changed nothing.

    Use ``UserMemory.open``.
    """

    def __init__(self, file: MemoryFile, settings: IndexSettings) -> None:
        self._file = file
        self.makers = Makers(file)
        """Who made what is in the file, by number."""
        self._searcher = Searcher(file, self.makers, settings)

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        user_id: str,
        *,
        create: bool = True,
        read_only: bool = False,
        busy_seconds: float = BUSY_SECONDS,
        index: IndexSettings | None = None,
    ) -> Self:
        """Open the memory of a user; an older file is brought up to date, and keeps everything.

        Args:
            path: The file, as ``user_file`` names it.
            user_id: Whose it is: 1 to 200 printable characters.
            create: Make it where it is not there.
            read_only: Open it for reading; the file does not change.
            busy_seconds: How long a write waits for another process's.
            index: What searches the vectors; None: ``IndexSettings()``.

        Raises:
            UserIdInvalid: this is no user's id.
            NotRemembered: there is no such file, and none is to be made.
            OtherUser: the file is another user's.
            MemoryFormatError: it is no file of Lifeloom's, or of a newer version; it was not touched.
            MemoryCorrupt: it is damaged: empty, cut short, or overwritten.
            MemoryReadOnly: it cannot be written, or is a link, and ``read_only`` was not said.
            MemoryBusy: another process holds it for longer.
            MemoryFull: there is no room on the disk.
        """
        file = MemoryFile(path, check_user_id(user_id), create=create, read_only=read_only, busy_seconds=busy_seconds)
        return cls(file, index or IndexSettings())

    @property
    def user_id(self) -> str:
        """Whose memory it is."""
        return self._file.user_id

    @property
    def path(self) -> Path:
        """The file."""
        return self._file.path

    @property
    def read_only(self) -> bool:
        """Whether it was opened for reading."""
        return self._file.read_only

    def close(self) -> None:
        """Close the file. Closing twice is fine; using it afterwards is not."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"UserMemory({str(self.path)!r}, {self.user_id!r})"

    # Transactions

    @contextmanager
    def transaction(self, *, undo: bool = False) -> Iterator[sqlite3.Connection]:
        """Make all writes inside one: on the disk together, or, after an exception, none of them.

        Re-entrant within a thread; no other writer comes between, so ask no model inside. Reads inside see what was
        written so far. An inner one that raises is undone alone where the outer one goes on.

        Args:
            undo: Undo it at the end in any case.

        Raises:
            MemoryReadOnly: it was opened for reading.
            MemoryBusy: another process writes for longer than ``busy_seconds``.
        """
        with self._file.transaction(undo=undo) as sql:
            try:
                yield sql
            finally:
                self._searcher.written()

    def snapshot(self) -> AbstractContextManager[sqlite3.Connection]:
        """Make all reads inside see one moment of the file. Nothing can be written inside."""
        return self._file.snapshot()

    def stamp(self) -> tuple[int, int, int]:
        """Return what changes whenever something was written, by whichever process: for what is kept of reads.

        Take it before the reads that are kept under it.
        """
        return self._searcher.stamp()

    def rewritten(self) -> None:
        """Say, within a transaction, that rows were changed or removed: all handles, also of others, read them anew."""
        with self.transaction() as sql:
            sql.execute("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE name = 'epoch'")

    def compact(self) -> bool:
        """Give free pages back to the disk and empty the write-ahead log; False where another process was in the way.

        Not inside a transaction.
        """
        self._searcher.written()
        return self._file.compact()

    # Raw dialogue and pictures

    def add_turn(self, turn: DialogueTurn, jobs: Sequence[tuple[str, str]] = ()) -> None:
        """Remember a turn, and enqueue what follows from it in the same transaction.

        The very same turn again changes nothing, also where its reply has been given since.

        Args:
            turn: The next one; its ``index`` is the number of turns so far.
            jobs: Names and payloads for ``enqueue``.

        Raises:
            OutOfOrder: it is earlier than the turn before it (equal times are fine), of a session before the last, not
                the next by number, or another one with a number that is taken.
            TimeInvalid: its time has no zone, or lies outside years 1 to 9999 in UTC.
            TextInvalid: a text holds half of a surrogate pair.
        """
        with self.transaction() as sql:
            dialogue.add_turn(sql, turn)
            for job, payload in jobs:
                self.enqueue(job, payload)

    def set_reply(self, index: int, assistant: str) -> None:
        """Give the reply of a turn whose assistant text is empty; the same again changes nothing.

        Raises:
            NotRemembered: there is no such turn.
            OperationInvalid: it has another reply.
            TextInvalid: the reply holds half of a surrogate pair.
        """
        with self.transaction() as sql:
            dialogue.set_reply(sql, index, assistant)

    def turns(
        self, first: int = 0, last: int | None = None, *, as_of: Moment | None = None
    ) -> tuple[DialogueTurn, ...]:
        """Return the turns ``first..last`` (both included; None: to the end), oldest first, times in UTC.

        Erased ones are left out.
        """
        return dialogue.turns(self._file, first, last, as_of)

    def turn_count(self, as_of: Moment | None = None) -> int:
        """Return how many turns had been said, erased ones included: the number of the next one."""
        return dialogue.turn_count(self._file, as_of)

    def put_media(self, data: bytes, width: int, height: int) -> PictureReference:
        """Keep the file of a picture, inside this one, and return what refers to it.

        Args:
            data: The picture's file.
            width: Pixels, upright.
            height: Pixels, upright.

        Raises:
            OperationInvalid: a width or height below 1.
        """
        with self.transaction() as sql:
            return dialogue.put_media(sql, data, width, height)

    def media(self, content_hash: str) -> bytes:
        """Return the file of a picture.

        Raises:
            MediaGone: it is not here.
        """
        return dialogue.media(self._file, content_hash)

    # Changes

    def apply(
        self, job: str, operations: Sequence[Operation], origin: Origin, *, dry_run: bool = False
    ) -> tuple[Change, ...]:
        """Apply the operations of a job in order, all or none, once, and take the job off the queue.

        A job done before changes nothing and returns what it did: without vectors, and without what was erased since.
        Ids of memories follow from the job's name and the place of the operation.

        Args:
            job: Name, unique for the user.
            operations: What to do; may be empty.
            origin: Who made them, and from when on they are known.
            dry_run: Change nothing, say what would be done.

        Raises:
            OperationInvalid: an operation contradicts itself.
            NotRemembered: a source turn is not there.
            OutOfOrder: the change of a value is known before the value, or a memory before its turns.
            OtherEncoder: a vector has another length than those in the file.
            MediaGone: a crop was not put into the media.
        """
        with self.transaction(undo=dry_run) as sql:
            if (effects := jobs.effects_of(sql, job)) is not None:
                jobs.drop(sql, job)
                return jobs.changes_of(self._file, self.makers, effects)
            coding.check_text(job, "the name of the job")
            changes = JobWriter(self._file, sql, self.makers, job, origin).apply(operations)
            jobs.drop(sql, job)
            return changes

    def insert(self, memories: Sequence[Memory], vectors: Mapping[tuple[str, VectorSpace], Vector]) -> None:
        """Put memories of an export in as they are. See ``lifeloom.memory.rows.insert_memories``."""
        with self.transaction():
            insert_memories(self._file, self.makers, memories, vectors)

    def use_encoder(self, name: str, dimensions: int, space: VectorSpace = "text") -> None:
        """Say whose vectors are put in and searched with; the first to say so binds the file.

        Args:
            name: ``backend/model``.
            dimensions: Length of its vectors.
            space: Of texts or of crops.

        Raises:
            OtherEncoder: the file is bound to another encoder, or has vectors of another length.
        """
        with self.snapshot() as sql:
            if stored_vectors.check_encoder(sql, space, name, dimensions) or self.read_only:
                return
        with self.transaction() as sql:
            stored_vectors.use_encoder(sql, space, name, dimensions)

    def encoder(self, space: VectorSpace = "text") -> str:
        """Return the encoder that the vectors are of, ``backend/model``; empty where nobody said so."""
        with self.snapshot() as sql:
            return stored_vectors.encoder_of(sql, space)

    # The queue of the update stage

    def enqueue(self, job: str, payload: str) -> None:
        """Put a job at the end of the queue, unless it is there, was done or was rejected."""
        with self.transaction() as sql:
            jobs.enqueue(sql, job, payload)

    def pending(self, limit: int | None = None) -> tuple[tuple[str, str], ...]:
        """Return the jobs that wait, and their payloads, in the order of enqueueing."""
        return jobs.pending(self._file, limit)

    def drop(self, job: str) -> None:
        """Take a job off the queue undone; one that is not there is fine."""
        with self.transaction() as sql:
            jobs.drop(sql, job)

    def done(self, job: str) -> bool:
        """Whether a job was applied or rejected."""
        return jobs.done(self._file, job)

    def reject(self, job: str, reason: str, detail: str) -> None:
        """Take a job off the queue that could not be done, and keep why; a second reason changes nothing.

        Args:
            job: Its name.
            reason: Short and machine-readable.
            detail: What a person needs to understand it.
        """
        with self.transaction() as sql:
            jobs.reject(sql, job, reason, detail)

    def rejections(self) -> tuple[RejectedUpdate, ...]:
        """Return the jobs that could not be done, in the order of rejection."""
        return jobs.rejections(self._file)

    # Memories

    def core(self, as_of: Moment | None = None) -> tuple[Memory, ...]:
        """Return the core values that held at a moment, in the order of setting."""
        return reading.current_values(self._file, self.makers, "core", as_of)

    def procedural(self, as_of: Moment | None = None) -> tuple[Memory, ...]:
        """Return the goals and habits that held at a moment, in the order of setting."""
        return reading.current_values(self._file, self.makers, "procedural", as_of)

    def history(
        self, kind: MemoryKind, key: str, block: CoreBlock | None = None, *, as_of: Moment | None = None
    ) -> tuple[Memory, ...]:
        """Return all versions of a core or procedural value that were known at a moment, oldest first.

        Args:
            kind: ``core`` or ``procedural``.
            key: What the value is of.
            block: core: which block; None: both.
            as_of: The moment; None: now.

        Raises:
            OperationInvalid: memories of this kind have no versions.
        """
        return reading.history(self._file, self.makers, kind, key, block, as_of)

    def memories(
        self,
        kind: MemoryKind,
        *,
        as_of: Moment | None = None,
        period: Period | None = None,
        ended: bool = False,
    ) -> tuple[Memory, ...]:
        """Return the memories of a kind that were known (core, procedural: that held) at a moment, oldest first.

        Args:
            kind: Which.
            as_of: The moment; None: now.
            period: Only those whose source turns overlap it.
            ended: core, procedural: also those known by then that held no longer.
        """
        return reading.memories(self._file, self.makers, kind, as_of, period, ended=ended)

    def memory(self, memory_id: str) -> Memory:
        """Return a memory, of whatever kind and version.

        Raises:
            NotRemembered: there is none with this id.
        """
        return reading.memory(self._file, self.makers, memory_id)

    def personality(self, as_of: Moment | None = None) -> PersonalityPoint | None:
        """Return the last point of the personality curve at a moment, None before the first."""
        points = reading.personality_points(self._file, self.makers, as_of, last=True)
        return points[0] if points else None

    def personality_curve(self, as_of: Moment | None = None) -> tuple[PersonalityPoint, ...]:
        """Return the personality curve up to a moment, oldest first."""
        return reading.personality_points(self._file, self.makers, as_of)

    # Search

    def search(
        self,
        kind: MemoryKind,
        vector: Vector,
        k: int,
        *,
        period: Period | None = None,
        as_of: Moment | None = None,
        exclude: Collection[str] = frozenset(),
        keywords: Sequence[str] = (),
        context_turns: Collection[int] = frozenset(),
        lexical_weight: float = 0.0,
    ) -> tuple[Hit, ...]:
        """Return the nearest memories of a kind, exactly: the period first, then the best ``k`` in it.

        The score is the cosine plus ``lexical_weight`` times the share of ``keywords`` that a memory is filed under
        (``LexicalIndex``, rarity as at the moment). Scores are compared to six digits; of equal ones the memory that
        happened later comes first, then the smaller id. Memories without a vector are not found.

        Args:
            kind: ``semantic``, ``episodic`` or ``procedural`` (those that hold).
            vector: Of the query, (dimensions,); all zeros: the newest come.
            k: How many at most.
            period: Only memories whose source turns overlap it.
            as_of: Only what was known at this moment.
            exclude: Ids that do not come.
            keywords: What is asked for in words.
            context_turns: A memory that follows from these turns alone does not come.
            lexical_weight: 0 or more.

        Raises:
            OperationInvalid: core memory is never searched.
            OtherEncoder: ``vector`` has another length than those in the file.
            TimeInvalid: a time has no zone.
        """
        return self.search_kinds(
            {kind: k},
            vector,
            period=period,
            as_of=as_of,
            exclude=exclude,
            keywords=keywords,
            context_turns=context_turns,
            lexical_weight=lexical_weight,
        )[kind]

    def search_kinds(
        self,
        wanted: Mapping[MemoryKind, int],
        vector: Vector,
        *,
        period: Period | None = None,
        as_of: Moment | None = None,
        exclude: Collection[str] = frozenset(),
        keywords: Sequence[str] = (),
        context_turns: Collection[int] = frozenset(),
        lexical_weight: float = 0.0,
    ) -> dict[MemoryKind, tuple[Hit, ...]]:
        """Return what ``search`` finds of several kinds, all as the file was at one moment.

        Args:
            wanted: How many at most, by kind.
            vector: Of the query.
            period: As for ``search``, and so are the others.
            as_of: The moment.
            exclude: Ids that do not come.
            keywords: What is asked for in words.
            context_turns: Turns that are known anyway.
            lexical_weight: 0 or more.

        Raises:
            MemoryFailure: as ``search`` does.
        """
        return self._searcher.search(
            wanted,
            vector,
            period=period,
            as_of=as_of,
            exclude=exclude,
            keywords=keywords,
            context_turns=context_turns,
            lexical_weight=lexical_weight,
        )

    def search_crops(self, vector: Vector, k: int, *, as_of: Moment | None = None) -> tuple[Hit, ...]:
        """Return the visual concepts whose crops are nearest to an image vector, exactly; order as in ``search``."""
        return self._searcher.search_crops(vector, k, as_of=as_of)


def read_user_id(path: str | os.PathLike[str]) -> str:
    """Return whose memory a file is.

    Raises:
        NotRemembered: there is no such file.
        MemoryFormatError, MemoryCorrupt: as ``UserMemory.open`` says.
    """
    return stored_user(path)
