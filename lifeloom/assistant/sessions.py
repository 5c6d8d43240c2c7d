"""Sessions: when a new one begins, which turns belong to it, and what of it is the context of a turn.

PersonaVLM Algorithm 1, lines 1 and 4: a session is over when an hour has passed since its last turn.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from lifeloom.memory import DialogueTurn, UserMemory

__all__ = [
    "SESSION_MINUTES",
    "closed_at",
    "context_of",
    "is_new_session",
    "last_turn",
    "session_turns",
    "split_sessions",
]

SESSION_MINUTES = 60
"""The paper's threshold t_s."""

_AT_ONCE = 64  # turns read at a time while looking for the beginning of a session


class _Timed(Protocol):
    @property
    def at(self) -> dt.datetime: ...


TimedT = TypeVar("TimedT", bound=_Timed)


def is_new_session(previous_at: dt.datetime | None, at: dt.datetime, minutes: int = SESSION_MINUTES) -> bool:
    """Return whether a turn at ``at`` begins a session, the turn before it being at ``previous_at`` (None: no turn).

    Both with a zone: what counts is the time that passed, whatever clocks were put forward or back meanwhile.
    """
    return previous_at is None or _passed(previous_at, at) >= dt.timedelta(minutes=minutes)


def _passed(since: dt.datetime, until: dt.datetime) -> dt.timedelta:
    # Python subtracts two times of one zone by their clocks, summer time or not; and a time in the first or last hours
    # there are cannot be turned into UTC.
    shift = (until.utcoffset() or dt.timedelta()) - (since.utcoffset() or dt.timedelta())
    return until.replace(tzinfo=None) - since.replace(tzinfo=None) - shift


def closed_at(last_turn_at: dt.datetime, minutes: int = SESSION_MINUTES) -> dt.datetime:
    """Return when a session is over whose last turn was at ``last_turn_at``; the end of time is not exceeded."""
    try:
        return last_turn_at.astimezone(dt.UTC) + dt.timedelta(minutes=minutes)
    except OverflowError:
        return dt.datetime.max.replace(tzinfo=dt.UTC)


def split_sessions(turns: Iterable[TimedT], minutes: int = SESSION_MINUTES) -> Iterator[tuple[TimedT, ...]]:
    """Cut ``turns``, oldest first, into sessions."""
    session: list[TimedT] = []
    for turn in turns:
        if session and is_new_session(session[-1].at, turn.at, minutes):
            yield tuple(session)
            session = []
        session.append(turn)
    if session:
        yield tuple(session)


def context_of(
    turns: Sequence[DialogueTurn], turn: DialogueTurn, minutes: int = SESSION_MINUTES
) -> tuple[DialogueTurn, ...]:
    """Return those of ``turns`` that came before ``turn`` in its session and are not older than ``minutes``."""
    oldest = dt.timedelta(minutes=minutes)
    return tuple(
        other
        for other in turns
        if other.index < turn.index and other.session == turn.session and _passed(other.at, turn.at) <= oldest
    )


def last_turn(memory: UserMemory) -> DialogueTurn | None:
    """Return the latest turn that was not erased; None where there is none."""
    before = memory.turn_count()
    while before > 0:
        found = memory.turns(max(0, before - _AT_ONCE), before - 1)
        if found:
            return found[-1]
        before -= _AT_ONCE
    return None


def session_turns(memory: UserMemory, last: DialogueTurn) -> tuple[DialogueTurn, ...]:
    """Return the turns of the session of ``last``, up to and with ``last``, oldest first."""
    found: tuple[DialogueTurn, ...] = (last,)
    before = last.index
    while before > 0:
        part = memory.turns(max(0, before - _AT_ONCE), before - 1)
        same = tuple(turn for turn in part if turn.session == last.session)
        found = same + found
        if len(same) < len(part):
            break
        before -= _AT_ONCE  # erased turns leave gaps, so an empty part is not the beginning
    return found
