"""Jobs of the update stage: what is to be updated from which turns, as it waits in a user's memory file."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lifeloom.memory import DialogueTurn, UserMemory
from lifeloom.models.protocol import ModelError

__all__ = [
    "SESSION_KINDS",
    "TURN_KINDS",
    "JobKind",
    "JobUnreadable",
    "UpdateJob",
    "closing_jobs",
    "enqueue",
    "is_closed",
    "turn_jobs",
]

JobKind = Literal["personality", "semantic", "core", "procedural", "episodic"]
TURN_KINDS: tuple[JobKind, ...] = ("personality", "semantic")
"""Updated after every turn, in this order (PersonaVLM Algorithm 1, lines 17 to 19)."""
SESSION_KINDS: tuple[JobKind, ...] = ("core", "procedural", "episodic")
"""Updated when a session closes, in this order (line 2)."""


class JobUnreadable(ModelError):
    """A job in a memory file is not one of this version's: it is kept as rejected, with its text."""


class UpdateJob(BaseModel):
    """One update: of a turn, or of a session that closed. It holds no word of the user's."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: JobKind
    session: int = Field(ge=0)
    first_turn: int = Field(ge=0)
    """First turn of the session."""
    last_turn: int = Field(ge=0)
    """The turn, or the last turn of the session."""
    by_hand: bool = False
    """Of a session: somebody closed it, so what it brings is known from its last turn on. False: it was over."""

    @property
    def of_turn(self) -> bool:
        """Whether it is about ``last_turn`` alone."""
        return self.kind in TURN_KINDS

    @property
    def name(self) -> str:
        """``turn-17/semantic``, ``session-3/episodic``: the same update has the same name."""
        return f"turn-{self.last_turn}/{self.kind}" if self.of_turn else f"session-{self.session}/{self.kind}"

    @property
    def payload(self) -> str:
        """As text, for the queue."""
        return self.model_dump_json(exclude_defaults=True)

    @classmethod
    def read(cls, name: str, payload: str) -> UpdateJob:
        """Return the job that waits under ``name``.

        Raises:
            JobUnreadable: the payload is no job, or another than the name says.
        """
        try:
            job = cls.model_validate_json(payload)
        except ValidationError as error:
            raise JobUnreadable(f"the update {name!r} cannot be read ({error.error_count()} faults)") from error
        if job.name != name:
            raise JobUnreadable(f"the update {name!r} says that it is {job.name!r}")
        return job


def turn_jobs(turn: DialogueTurn, session_first: int) -> tuple[UpdateJob, ...]:
    """Return the jobs of ``turn``, whose session begins at the turn ``session_first``."""
    return tuple(
        UpdateJob(kind=kind, session=turn.session, first_turn=session_first, last_turn=turn.index)
        for kind in TURN_KINDS
    )


def closing_jobs(session: int, first_turn: int, last_turn: int, *, by_hand: bool = False) -> tuple[UpdateJob, ...]:
    """Return the jobs that close a session; ``by_hand`` where it is not over by itself."""
    return tuple(
        UpdateJob(kind=kind, session=session, first_turn=first_turn, last_turn=last_turn, by_hand=by_hand)
        for kind in SESSION_KINDS
    )


def enqueue(memory: UserMemory, jobs: tuple[UpdateJob, ...]) -> None:
    """Put ``jobs`` into the queue of ``memory``, all or none; those that were there or were done change nothing."""
    with memory.transaction():
        for job in jobs:
            memory.enqueue(job.name, job.payload)


def is_closed(memory: UserMemory, session: int) -> bool:
    """Return whether a session was closed, or is about to be."""
    names = {job.name for job in closing_jobs(session, 0, 0)}
    return any(memory.done(name) for name in names) or any(name in names for name, _ in memory.pending())
