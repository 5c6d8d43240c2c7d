"""Structure: sessions cover all turns, indices run from 0, times ascend, sittings are an hour apart, pictures fit."""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Iterable, Iterator, Sequence

from lifeloom.records import ConversationPlan, Session, Turn, make_id
from lifeloom.synthesis.dialogues import Conversation
from lifeloom.synthesis.rules.findings import Finding
from lifeloom.synthesis.rules.pictures import MARK

__all__ = ["SESSION_GAP", "compare_with_plan", "structural_problems"]

SESSION_GAP = dt.timedelta(minutes=60)
"""Turns of one session are less than this apart, sessions this or more."""
_MOST_PROBLEMS = 50


def structural_problems(sessions: Iterable[Session], turns: Iterable[Turn]) -> list[str]:
    """Return what is wrong with the structure of a data set's conversations, a sentence each.

    ``turns`` is a stream, conversation after conversation; of ``sessions`` a small record each is held.
    After fifty problems the rest is only counted.
    """
    problems = list(itertools.islice(found := _structural_problems(sessions, turns), _MOST_PROBLEMS))
    more = sum(1 for _ in found)
    return [*problems, f"and {more} more"] if more else problems


def _structural_problems(sessions: Iterable[Session], turns: Iterable[Turn]) -> Iterator[str]:
    planned: dict[str, list[Session]] = {}
    for session in sessions:
        planned.setdefault(session.persona_id, []).append(session)
    done: set[str] = set()
    for persona_id, own in itertools.groupby(turns, key=lambda turn: turn.persona_id):
        if persona_id in done:
            yield f"{persona_id}: its turns do not stand together"
            continue
        done.add(persona_id)
        for problem in _conversation_problems(planned.get(persona_id, []), own):
            yield f"{persona_id}: {problem}"
    for persona_id in planned:
        if persona_id not in done:
            yield f"{persona_id}: its sessions have no turns"


def _conversation_problems(sessions: Sequence[Session], turns: Iterable[Turn]) -> Iterator[str]:
    yield from _session_problems(sessions)
    by_id = {session.session_id: session for session in sessions}
    counts: dict[str, int] = dict.fromkeys(by_id, 0)
    ids: set[str] = set()
    before: Turn | None = None
    for expected, turn in enumerate(turns):
        said = f"turn {turn.turn_index}"
        if turn.turn_index != expected:
            yield f"{said} stands in place {expected}"
        if turn.turn_id in ids:
            yield f"{said} has the id of another turn"
        ids.add(turn.turn_id)
        session = by_id.get(turn.session_id)
        if session is None:
            yield f"{said} is of session {turn.session_id}, which is not there"
        else:
            counts[turn.session_id] += 1
            yield from _membership_problems(turn, session)
        marks = turn.user.count(MARK)
        if marks != len(turn.pictures):
            yield f"{said} has {marks} {MARK} for {len(turn.pictures)} pictures"
        if before is not None:
            yield from _gap_problems(before, turn)
        before = turn
    for session in sessions:
        length = session.last_turn - session.first_turn + 1
        if counts[session.session_id] != length:
            yield f"session {session.session_index} has {counts[session.session_id]} of its {length} turns"


def _session_problems(sessions: Sequence[Session]) -> Iterator[str]:
    next_turn = 0
    if len({session.session_id for session in sessions}) != len(sessions):
        yield "two sessions have one id"
    for expected, session in enumerate(sessions):
        if session.session_index != expected:
            yield f"session {session.session_index} stands in place {expected}"
        if session.first_turn != next_turn or session.last_turn < session.first_turn:
            yield (
                f"session {session.session_index} runs from turn {session.first_turn} to {session.last_turn}, "
                f"turn {next_turn} comes next"
            )
        next_turn = session.last_turn + 1


def _membership_problems(turn: Turn, session: Session) -> Iterator[str]:
    said = f"turn {turn.turn_index}"
    if not session.first_turn <= turn.turn_index <= session.last_turn:
        yield f"{said} is outside of its session {session.session_index}"
    if turn.offset_minutes != session.offset_minutes:
        yield f"{said} is in another zone than its session"
    if turn.turn_index == session.first_turn and turn.at != session.started_at:
        yield f"{said} is not at the start of session {session.session_index}"
    if turn.turn_index == session.last_turn and turn.at != session.ended_at:
        yield f"{said} is not at the end of session {session.session_index}"


def _gap_problems(before: Turn, turn: Turn) -> Iterator[str]:
    gap = turn.at - before.at
    said = f"turn {turn.turn_index} at {turn.at:%Y-%m-%d %H:%M}"
    if gap <= dt.timedelta(0):
        yield f"{said} is not after turn {before.turn_index} at {before.at:%Y-%m-%d %H:%M}"
    elif turn.session_id == before.session_id and gap >= SESSION_GAP:
        yield f"{said} is {SESSION_GAP.seconds // 60} minutes or more after the turn before, in one session"
    elif turn.session_id != before.session_id and gap < SESSION_GAP:
        yield f"{said} opens a session less than {SESSION_GAP.seconds // 60} minutes after the one before"


def compare_with_plan(plan: ConversationPlan, conversation: Conversation) -> list[Finding]:
    """Return where sessions and turns are not those of ``plan``: lost, added, out of order, at other times."""
    return [*_compare_sessions(plan, conversation.sessions), *_compare_turns(plan, conversation.turns)]


def _compare_sessions(plan: ConversationPlan, sessions: Sequence[Session]) -> Iterator[Finding]:
    planned = {session.session_id: session for session in plan.sessions}
    ids = [session.session_id for session in sessions]
    for session in sessions:
        if session.session_id not in planned or ids.count(session.session_id) > 1:
            yield Finding("sessions_not_of_plan", f"session {session.session_id} is not planned, or there twice")
            continue
        own = planned[session.session_id]
        at = (plan.turns[own.first_turn].at, plan.turns[own.last_turn].at)
        place = (own.session_index, own.first_turn, own.last_turn)
        if (session.session_index, session.first_turn, session.last_turn) != place:
            yield Finding("sessions_not_of_plan", f"session {own.session_index} covers other turns", own.session_index)
        if (session.started_at, session.ended_at) != at:
            yield Finding(
                "times_not_of_plan", f"session {own.session_index} starts or ends at another time", own.session_index
            )
        if session.persona_id != plan.persona_id:
            yield Finding("wrong_ids", f"session {own.session_index} is of {session.persona_id}", own.session_index)
    for own in plan.sessions:
        if own.session_id not in ids:
            yield Finding("turns_lost", f"session {own.session_index} is missing", own.session_index, own.first_turn)
    known = [session_id for session_id in ids if session_id in planned]
    if known != sorted(known, key=lambda session_id: planned[session_id].session_index):
        yield Finding("turns_not_ordered", "the sessions are not in the order of the plan")


def _compare_turns(plan: ConversationPlan, turns: Sequence[Turn]) -> Iterator[Finding]:
    seen: set[int] = set()
    before = -1
    for turn in turns:
        index = turn.turn_index
        if index >= len(plan.turns) or index in seen:
            what = "there twice" if index in seen else "not planned"
            yield Finding("turns_unknown", f"turn {index} is {what}", None, index)
            continue
        seen.add(index)
        planned = plan.turns[index]
        session = planned.session_index
        if index < before:
            yield Finding("turns_not_ordered", f"turn {index} stands after turn {before}", session, index)
        before = max(before, index)
        if turn.at != planned.at:
            yield Finding(
                "times_not_of_plan",
                f"turn {index} is at {turn.at:%Y-%m-%d %H:%M}, planned for {planned.at:%Y-%m-%d %H:%M}",
                session,
                index,
            )
        ids = (turn.persona_id, turn.session_id, turn.turn_id, turn.offset_minutes)
        if ids != (
            plan.persona_id,
            plan.sessions[session].session_id,
            make_id("turn", plan.plan_id, index),
            plan.offset_minutes,
        ):
            yield Finding("wrong_ids", f"turn {index} has ids that are not the plan's", session, index)
    for planned in plan.turns:
        if planned.turn_index not in seen:
            yield Finding(
                "turns_lost", f"turn {planned.turn_index} is missing", planned.session_index, planned.turn_index
            )
