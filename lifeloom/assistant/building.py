"""Memories of a conversation that was written already: the update stage run over it, with its own replies.

What comes out is what an assistant would have remembered had it been there and had an hour's silence ended every
session: the same memories with the same ids. But a session goes into the file in one transaction, and its texts through
the encoder in one batch (in more where it brings visual concepts).
"""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from lifeloom.assistant.jobs import UpdateJob, closing_jobs, turn_jobs
from lifeloom.assistant.proposing import Asked, Proposal, with_vectors
from lifeloom.assistant.questions import Known
from lifeloom.assistant.response import Query, ResponseStage
from lifeloom.assistant.sessions import split_sessions
from lifeloom.assistant.update import Applied, UpdateStage, media_of
from lifeloom.memory import DialogueTurn, MediaGone, OtherUser, SetPersonality, UserMemory
from lifeloom.models.protocol import PictureSource
from lifeloom.records import Moment, PictureReference, Turn
from lifeloom.store import StoreError

__all__ = ["BuildCounts", "Supervision", "build_memories"]


@dataclass
class BuildCounts:
    """What happened while memories were built."""

    sessions: int = 0
    turns: int = 0
    kept: int = 0
    """Sessions that were in the file already."""
    outcomes: Counter[str] = field(default_factory=Counter)
    """Updates by kind and outcome: ``semantic/applied``, ``core/nothing``, ``episodic/rejected``."""
    rejected: Counter[str] = field(default_factory=Counter)
    """Updates that could not be made, by kind and reason: ``semantic/no_form``."""
    notes: Counter[str] = field(default_factory=Counter)
    """Repairs, by kind of update and name."""
    operations: Counter[str] = field(default_factory=Counter)
    """Operations on the memory by their type: ``SemanticDraft``..."""
    replies: Counter[str] = field(default_factory=Counter)
    """Replies made for supervision, by why they stopped."""

    def add(self, other: BuildCounts) -> None:
        """Add what happened for another user."""
        self.sessions += other.sessions
        self.turns += other.turns
        self.kept += other.kept
        for name in ("outcomes", "rejected", "notes", "operations", "replies"):
            getattr(self, name).update(getattr(other, name))


@dataclass(frozen=True)
class Supervision:
    """Replies that are made while memories are built, for their trajectories alone (P3)."""

    response: ResponseStage
    rng: random.Random
    """Chooses the turn, and how many memories a retrieval brings (Appendix B.2)."""
    every_sessions: int = 3
    """In every so-manieth session one turn is answered, a question where there is one."""


def build_memories(
    memory: UserMemory,
    turns: Iterable[Turn],
    update: UpdateStage,
    *,
    pictures: PictureSource | None = None,
    keep_pictures: bool = False,
    look: Callable[[Sequence[PictureReference]], object] | None = None,
    at_once: int = 1,
    supervision: Supervision | None = None,
) -> BuildCounts:
    """Build the memories of a conversation, session by session.

    Run again over the same turns, it goes on after the last session in the file.

    Args:
        memory: The user's, empty or begun.
        turns: The whole conversation, oldest first, of this user; its gaps make the sessions.
        update: What is remembered, and how.
        pictures: Gives the pictures of the turns.
        keep_pictures: Whether the pictures themselves are copied into the user's media. Without, only crops of visual
            concepts are, and the turns refer to files kept elsewhere.
        look: Given the pictures of a session before its questions are put: eyes that keep what they saw look at them
            all at once then.
        at_once: Questions of a session that are put to the model at the same time.
        supervision: Also make replies, for their trajectories; the stage's ``record`` is told them.

    Raises:
        OtherUser: a turn is of somebody else.
        OutOfOrder: a turn is earlier than the one before it.
        ModelError: the model is away, or the file cannot be written. Finished sessions are kept.
    """
    builder = _Builder(memory, update, media_of(memory, pictures), keep_pictures, look, at_once, supervision)
    for number, written in enumerate(split_sessions(turns, update.settings.session_minutes)):
        builder.session(number, tuple(_dialogue_turn(memory, number, turn) for turn in written))
    return builder.counts


class _Builder:
    """Builds one user's memories; see ``build_memories``."""

    def __init__(
        self,
        memory: UserMemory,
        update: UpdateStage,
        source: PictureSource,
        keep_pictures: bool,
        look: Callable[[Sequence[PictureReference]], object] | None,
        at_once: int,
        supervision: Supervision | None,
    ) -> None:
        self.counts = BuildCounts()
        self._memory = memory
        self._update = update
        self._source = source
        self._keep_pictures = keep_pictures
        self._look = look
        self._at_once = at_once
        self._supervision = supervision
        self._point = memory.personality()
        self._moved = 0
        """Turns that moved the profile."""
        if update.settings.count == "updates":
            self._moved = sum(point.applied for point in memory.personality_curve())

    def session(self, number: int, turns: tuple[DialogueTurn, ...]) -> None:
        """Build the memories of one session."""
        jobs = [job for job in _jobs(turns) if not self._memory.done(job.name)]
        self.counts.sessions += 1
        self.counts.turns += len(turns)
        if not jobs:
            self.counts.kept += 1
            return
        pictures = [picture for turn in turns for picture in turn.pictures]
        if self._look is not None and pictures:
            with contextlib.suppress(
                MediaGone, StoreError
            ):  # the question that shows the picture notes that it is gone
                self._look(pictures)
        proposals: list[Proposal] = []
        for asked in self._answers(turns, jobs):
            if proposals and self._update.concepts is not None and "visual_concept" in asked.text:
                self._write(turns, proposals)  # who is in a picture also depends on who is known by then
                proposals = []
            proposals.append(self._propose(asked))
        self._write(turns, proposals)
        chosen = self._supervision
        if chosen is not None and number % chosen.every_sessions == chosen.every_sessions - 1:
            self.counts.replies[self._reply(turns, chosen)] += 1

    def _answers(self, turns: tuple[DialogueTurn, ...], jobs: Sequence[UpdateJob]) -> Iterator[Asked]:
        """Put all questions of a session: none of them depends on the answer to another."""
        core, procedural = self._memory.core(), self._memory.procedural()
        first = turns[0].index

        def ask(job: UpdateJob) -> Asked:
            return self._update.ask(job, Known(turns[: job.last_turn - first + 1], core, procedural))

        if self._at_once == 1:
            yield from map(ask, jobs)
            return
        with ThreadPoolExecutor(self._at_once) as pool:
            yield from pool.map(ask, jobs)

    def _propose(self, asked: Asked) -> Proposal:
        evolution = self._update.evolved(self._point, self._moved)
        proposal = self._update.propose(self._memory, asked, evolution, self._source)
        for operation in proposal.operations:
            if isinstance(operation, SetPersonality):
                self._point, self._moved = operation.point, self._moved + operation.point.applied
        return proposal

    def _write(self, turns: Sequence[DialogueTurn], proposals: Sequence[Proposal]) -> None:
        ready = with_vectors(proposals, self._update.encoder)
        with self._memory.transaction():
            for turn in turns:
                if self._keep_pictures:
                    self._keep(turn)
                self._memory.add_turn(turn)
            made = self._update.apply(self._memory, ready)
        self._update.tell(self._memory, made)
        _count(self.counts, made)

    def _keep(self, turn: DialogueTurn) -> None:
        """Copy the pictures of a turn into the user's media; one that is gone stays a reference."""
        for picture in turn.pictures:
            try:
                data = self._source(picture)
            except (MediaGone, StoreError):
                continue
            self._memory.put_media(data, picture.width, picture.height)

    def _reply(self, turns: Sequence[DialogueTurn], supervision: Supervision) -> str:
        """Reply to one turn of the session as at its moment, and return why the trajectory ended."""
        asking = [turn for turn in turns if "?" in turn.user] or list(turns)
        turn = supervision.rng.choice(asking)
        moment = Moment(turn.at, turn.index)
        concepts: tuple[str, ...] = ()
        if self._update.concepts is not None and turn.pictures:
            try:
                files = [self._source(picture) for picture in turn.pictures]
            except (MediaGone, StoreError):  # then nobody is known in it; the prompt notes the picture that is gone
                files = []
            concepts = self._update.concepts.recognise(self._memory, files, as_of=moment) if files else ()
        query = Query(turn.user, turn.at, turn.offset_minutes, turn.pictures, concepts=concepts)
        response = supervision.response.respond(
            self._memory, query, as_of=moment, record=self._update.record, rng=supervision.rng
        )
        return response.stopped


def _dialogue_turn(memory: UserMemory, session: int, turn: Turn) -> DialogueTurn:
    if turn.persona_id != memory.user_id:
        raise OtherUser(
            f"turn {turn.turn_index} is of {turn.persona_id!r}, the memory of {memory.user_id!r}: give each its own"
        )
    return DialogueTurn(
        index=turn.turn_index,
        session=session,
        at=turn.at,
        offset_minutes=turn.offset_minutes,
        user=turn.user,
        assistant=turn.assistant,
        pictures=turn.pictures,
    )


def _jobs(session: Sequence[DialogueTurn]) -> list[UpdateJob]:
    """Return the jobs of a session in the order in which an assistant has them."""
    first = session[0].index
    jobs = [job for turn in session for job in turn_jobs(turn, first)]
    return [*jobs, *closing_jobs(session[0].session, first, session[-1].index)]


def _count(counts: BuildCounts, made: Iterable[Applied]) -> None:
    for one in made:
        proposal = one.proposal
        kind = proposal.job.kind
        counts.outcomes[f"{kind}/{proposal.outcome}"] += 1
        counts.notes.update(f"{kind}/{note}" for note in proposal.notes)
        counts.operations.update(type(operation).__name__ for operation in proposal.operations)
        if proposal.refused:
            counts.rejected[f"{kind}/{proposal.refused.reason}"] += 1
