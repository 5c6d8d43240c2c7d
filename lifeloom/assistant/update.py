"""The update stage: what is remembered of a turn, and of a session that closed (PersonaVLM Algorithm 1, Appendix A).

After every turn the personality profile moves and semantic memory is added to (lines 17 to 19); when a session closes,
core, procedural and episodic memory are updated (line 2). Each update is a job that waits in the user's memory file, is
put to a model as a question, and is applied in one transaction with being taken off the queue: a job done again, also
after a crash, changes nothing.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from lifeloom.assistant.jobs import JobUnreadable, UpdateJob, closing_jobs, enqueue, turn_jobs
from lifeloom.assistant.pem import NEUTRAL_PROFILE
from lifeloom.assistant.proposing import Asked, Crop, Cutter, Evolution, Proposal, Refused, propose, with_vectors
from lifeloom.assistant.questions import Known, question_of
from lifeloom.assistant.sessions import SESSION_MINUTES, closed_at, session_turns
from lifeloom.assistant.shown import storable
from lifeloom.memory import (
    Change,
    DialogueTurn,
    MediaGone,
    NotRemembered,
    OperationInvalid,
    Origin,
    TextInvalid,
    UserMemory,
)
from lifeloom.models.protocol import Generation, GenerationRejected, LanguageModel, PictureSource, TextEncoder
from lifeloom.records import BigFiveProfile, MemoryOperation, Moment, PersonalityPoint, PictureReference, make_id
from lifeloom.store import StoreError
from lifeloom.store.pictures import PictureRejected
from lifeloom.tasks import TextOutput
from lifeloom.tasks.base import TaskOutput

__all__ = ["Applied", "ConceptKeeper", "UpdateSettings", "UpdateStage", "media_of"]


_LONGEST_DETAIL = 500  # characters of what is kept of a rejection


class ConceptKeeper(Protocol):
    """Cuts visual concepts out of pictures and knows them again; ``lifeloom.assistant.concepts`` has one."""

    def remember(self, memory: UserMemory, data: bytes, description: str) -> Crop | None:
        """Return the part of the picture file ``data`` that ``description`` names; None where it is not there."""
        ...

    def recognise(
        self, memory: UserMemory, pictures: Sequence[bytes], *, as_of: Moment | None = None
    ) -> tuple[str, ...]:
        """Return what the user's concepts say of the picture files, in words; nothing of what is unknown."""
        ...


@dataclass(frozen=True)
class UpdateSettings:
    """How memories are updated."""

    session_minutes: int = SESSION_MINUTES
    """Minutes of silence after which a session is over."""
    count: Literal["turns", "updates"] = "turns"
    """What m of the personality's lambda counts."""
    skip: Literal["all", "trait"] = "all"
    """Whether a turn is skipped when all scores are neutral (the paper), or each trait by itself (the release)."""
    start: BigFiveProfile = NEUTRAL_PROFILE
    """The personality profile before the first turn."""


@dataclass(frozen=True)
class Applied:
    """A proposal that is in the file."""

    proposal: Proposal
    changes: tuple[Change, ...]


class UpdateStage:
    """Updates memories with a language model. It keeps nothing of a user: one stage serves all, from any thread.

    Args:
        model: Asked what to remember, in the key-value forms of ``lifeloom.assistant.forms``.
        encoder: Makes the vectors of what is remembered.
        settings: How.
        concepts: Cuts visual concepts out of pictures; None: they are remembered as text.
        record: Told of every question with its answer, once what it asked for is in the file.
    """

    def __init__(
        self,
        model: LanguageModel,
        encoder: TextEncoder,
        settings: UpdateSettings | None = None,
        concepts: ConceptKeeper | None = None,
        record: Callable[[MemoryOperation], None] | None = None,
    ) -> None:
        self.model = model
        self.encoder = encoder
        self.settings = settings or UpdateSettings()
        self.concepts = concepts
        self.record = record

    def turn_updates(self, memory: UserMemory, index: int) -> None:
        """Update personality and semantic memory from the turn ``index``, and do whatever else waits before it.

        Raises:
            NotRemembered: there is no such turn.
            ModelError: as ``next_update``.
        """
        turn = _turn(memory, index)
        enqueue(memory, turn_jobs(turn, session_turns(memory, turn)[0].index))
        self.drain(memory)

    def close_session(self, memory: UserMemory, session: int) -> None:
        """Update core, procedural and episodic memory from a session, and do whatever else waits before it.

        Raises:
            NotRemembered: the session has no turns.
            ModelError: as ``next_update``.
        """
        turns = [turn for turn in memory.turns() if turn.session == session]
        if not turns:
            raise NotRemembered(f"there is no session {session} in the memory of {memory.user_id!r}")
        enqueue(memory, closing_jobs(session, turns[0].index, turns[-1].index))
        self.drain(memory)

    def drain(self, memory: UserMemory) -> int:
        """Do what waits in the queue, in order, and return how many updates that were.

        Raises:
            ModelError: as ``next_update``; what waits is kept.
        """
        done = 0
        while self.next_update(memory):
            done += 1
        return done

    def next_update(self, memory: UserMemory) -> bool:
        """Do the update that waits longest, and return whether there was one.

        An answer that is nonsense is kept as a rejection with its reason, and the queue goes on.

        Raises:
            ModelError: the model is away (``ModelUnavailable``, ``BudgetExhausted``, ``ModelRefusesKey``...), or the
                file cannot be written (``MemoryFailure``): the queue stays as it is.
        """
        waiting = memory.pending(limit=1)
        if not waiting:
            return False
        name, payload = waiting[0]
        try:
            job = UpdateJob.read(name, payload)
        except JobUnreadable as error:
            memory.reject(name, "job_unreadable", f"{error}: {payload[:200]}")
            return True
        known = self.known(memory, job)
        if known is None:
            memory.reject(name, "turns_gone", "the turns that it is about were erased")
            return True
        evolution = self.evolution(memory, job)
        proposal = self.propose(memory, self.ask(job, known), evolution, media_of(memory))
        ready = with_vectors([proposal], self.encoder)
        with memory.transaction():
            first = memory.pending(limit=1)
            still = self.known(memory, job)
            if not first or first[0][0] != name or still is None or still.turns != known.turns:
                return True  # done elsewhere, or a turn was erased or answered meanwhile: what waits is looked at anew
            applied = self.apply(memory, ready)
        self.tell(memory, applied)
        return True

    def known(self, memory: UserMemory, job: UpdateJob) -> Known | None:
        """Return what ``job`` is made from; None where its turns were erased."""
        turns = tuple(turn for turn in memory.turns(job.first_turn, job.last_turn) if turn.session == job.session)
        if not turns or (job.of_turn and turns[-1].index != job.last_turn):
            return None
        core = memory.core() if job.kind == "core" else ()
        return Known(turns, core, memory.procedural() if job.kind == "procedural" else ())

    def evolution(self, memory: UserMemory, job: UpdateJob) -> Evolution:
        """Return where the personality stands before ``job``."""
        if job.kind != "personality":
            return self.evolved(None, 0)
        if self.settings.count == "turns":
            return self.evolved(memory.personality(), 0)
        curve = [point for point in memory.personality_curve() if point.turn_index < job.last_turn]
        return self.evolved(curve[-1] if curve else None, sum(point.applied for point in curve))

    def evolved(self, point: PersonalityPoint | None, applied: int) -> Evolution:
        """Return the evolution as far as ``point``, before which ``applied`` turns moved the profile."""
        return Evolution(point, applied, self.settings.start, self.settings.count, self.settings.skip)

    def ask(self, job: UpdateJob, known: Known) -> Asked:
        """Put the question of ``job`` to the model. Reads and writes no memory.

        A picture that is gone, or that the model refuses, is left out and the question put again.

        Raises:
            ModelError: the model is away.
        """
        return self._ask(job, known, pictures=self.model.takes_pictures, notes=())

    def _ask(self, job: UpdateJob, known: Known, *, pictures: bool, notes: tuple[str, ...]) -> Asked:
        question = question_of(job, known, window_tokens=self.model.window_tokens, pictures=pictures)
        noted = (*notes, "prompt_cut") if question.cut else notes
        try:
            generation: Generation[TaskOutput] = self.model.run(question.task, question.task_input, question.pictures)
        except (MediaGone, StoreError) as error:
            if not question.pictures:
                raise
            note = "picture_refused" if isinstance(error, PictureRejected) else "picture_gone"
            return self._ask(job, known, pictures=False, notes=(*notes, note))
        except GenerationRejected as error:
            if question.pictures and error.reason == "picture_refused":
                return self._ask(job, known, pictures=False, notes=(*notes, "picture_refused"))
            made_by = self.model.identity.provenance(question.task)
            return Asked(job, known, question, None, error.raw, made_by, noted, Refused(error.reason, error.detail))
        output = generation.output
        text = output.text if isinstance(output, TextOutput) else output.model_dump_json()
        return Asked(job, known, question, output, text, generation.provenance, noted)

    def propose(self, memory: UserMemory, asked: Asked, evolution: Evolution, pictures: PictureSource) -> Proposal:
        """Return what an answer asks for, without vectors of texts. Writes nothing that was said or shown.

        Args:
            memory: The user's.
            asked: The question with its answer.
            evolution: Where the personality stands before it.
            pictures: Gives the pictures of the turns.
        """
        last = asked.known.turns[-1]
        origin = Origin(self._known_at(asked.job, asked.known), last.index + 1, asked.made_by)
        return propose(asked, origin, evolution, self._cutter(memory, pictures), memory.user_id)

    def _known_at(self, job: UpdateJob, known: Known) -> dt.datetime:
        """Return from when on what ``job`` brings is known.

        A session that was closed by hand is known at once: whoever comes back within the hour is remembered.
        """
        at = known.turns[-1].at
        if job.of_turn:
            return at
        if not job.by_hand:
            at = closed_at(at, self.settings.session_minutes)
        # Not before what it may replace: the session before may have been closed under other settings.
        return max([at, *(value.known_at for value in (*known.core, *known.procedural))])

    def apply(self, memory: UserMemory, proposals: Sequence[Proposal]) -> list[Applied]:
        """Apply ``proposals`` in order and take their jobs off the queue: to be called inside a transaction.

        What contradicts itself is kept as a rejection.

        Raises:
            NotRemembered: a turn was erased meanwhile.
            MemoryFailure: the file cannot be written.
        """
        self._use_encoder(memory)
        applied = []
        for proposal in proposals:
            name, made = proposal.job.name, proposal
            changes: tuple[Change, ...] = ()
            for crop in proposal.crops:
                memory.put_media(crop.data, crop.width, crop.height)
            try:
                changes = memory.apply(name, proposal.operations, proposal.origin)
            except (OperationInvalid, TextInvalid) as error:
                made = dataclasses.replace(proposal, operations=(), refused=Refused("invalid", str(error)))
            if made.refused:
                memory.reject(name, made.refused.reason, storable(made.refused.detail)[:_LONGEST_DETAIL])
            applied.append(Applied(made, changes))
        return applied

    def tell(self, memory: UserMemory, applied: Sequence[Applied]) -> None:
        """Tell ``record`` of what is in the file now: to be called after the transaction."""
        if self.record is not None:
            for one in applied:
                self.record(_operation(memory.user_id, one))

    def _use_encoder(self, memory: UserMemory) -> None:
        identity = self.encoder.identity
        memory.use_encoder(f"{identity.backend}/{identity.model}", self.encoder.dimensions)

    def _cutter(self, memory: UserMemory, pictures: PictureSource) -> Cutter:
        concepts = self.concepts

        def cut(picture: PictureReference, description: str) -> Crop | None:
            if concepts is None:
                return None
            try:
                return concepts.remember(memory, pictures(picture), description)
            except (MediaGone, StoreError):  # noted by the proposal: the concept is remembered as text
                return None

        return cut


def media_of(memory: UserMemory, otherwise: PictureSource | None = None) -> PictureSource:
    """Return what gives the pictures in the user's own media; those that are not there are asked of ``otherwise``."""

    def source(picture: PictureReference) -> bytes:
        try:
            return memory.media(picture.content_hash)
        except MediaGone:
            if otherwise is None:
                raise
            return otherwise(picture)

    return source


def _turn(memory: UserMemory, index: int) -> DialogueTurn:
    turns = memory.turns(index, index)
    if not turns:
        raise NotRemembered(f"there is no turn {index} in the memory of {memory.user_id!r}")
    return turns[0]


def _operation(user_id: str, applied: Applied) -> MemoryOperation:
    proposal, asked, job = applied.proposal, applied.proposal.asked, applied.proposal.job
    changed = [change for change in applied.changes if change.action != "unchanged"]
    ids = [one.memory_id for change in changed for one in (change.before, change.after) if one is not None]
    return MemoryOperation(
        user_id=user_id,
        operation_id=make_id("operation", user_id, job.name),
        kind=job.kind,
        step=0,
        first_turn=job.last_turn if job.of_turn else job.first_turn,
        last_turn=job.last_turn,
        instructions=asked.question.task.instructions,
        prompt=asked.question.task.render(asked.question.task_input),
        pictures=asked.question.pictures,
        output=storable(asked.text),
        outcome=proposal.outcome,
        reason=storable(proposal.reason),
        memory_ids=tuple(dict.fromkeys(ids)),
        made_by=asked.made_by,
    )
