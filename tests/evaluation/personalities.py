"""Plans and personality curves written by hand."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from lifeloom.assistant.pem import NEUTRAL_PROFILE, evolve
from lifeloom.records import (
    TRAITS,
    BigFiveProfile,
    ConversationPlan,
    PersonalityPoint,
    Provenance,
    SessionPlan,
    Setting,
    TurnPlan,
)

START = dt.datetime(2026, 1, 5, 8, tzinfo=dt.UTC)
Five = tuple[float, float, float, float, float]


def profile(scores: Sequence[float]) -> BigFiveProfile:
    return BigFiveProfile(**dict(zip(TRAITS, scores, strict=True)))


def plan(sessions: Sequence[tuple[int, Five]], *, user: str = "p-1", setting: Setting = "32k") -> ConversationPlan:
    """Return a plan of sessions given as (turns, scores in force)."""
    planned: list[SessionPlan] = []
    first = 0
    for number, (turns, scores) in enumerate(sessions):
        planned.append(
            SessionPlan(
                session_id=f"s-{user}-{number}",
                session_index=number,
                first_turn=first,
                last_turn=first + turns - 1,
                topics=("food",),
                big_five=profile(scores),
            )
        )
        first += turns
    return ConversationPlan(
        plan_id=f"plan-{user}",
        persona_id=user,
        setting=setting,
        edition="release",
        offset_minutes=0,
        facts=(),
        shifts=(),
        sessions=tuple(planned),
        turns=tuple(
            TurnPlan(
                turn_index=turn,
                session_index=session.session_index,
                at=START + dt.timedelta(hours=turn),
                act="small_talk",
                area="food",
            )
            for session in planned
            for turn in range(session.first_turn, session.last_turn + 1)
        ),
    )


def point(turn: int, scores: Sequence[float], read: Sequence[int] = (), *, user: str = "p-1") -> PersonalityPoint:
    return PersonalityPoint(
        user_id=user,
        turn_index=turn,
        at=START + dt.timedelta(hours=turn),
        inferred=tuple(read),
        applied=bool(read) and any(score != 3 for score in read),
        smoothing=0.5,
        profile=profile(scores),
        made_by=Provenance(backend="code", model="", prompt_version=""),
    )


def curve_of(scores: Mapping[int, Sequence[float]], *, user: str = "p-1") -> list[PersonalityPoint]:
    return [point(turn, own, user=user) for turn, own in scores.items()]


BEFORE: Five = (5.0, 3.0, 1.0, 4.0, 2.0)
AFTER: Five = (5.0, 3.0, 4.0, 4.0, 2.0)
PLANS = [plan([(20, BEFORE), (20, AFTER)], user=f"p-{n}") for n in range(12)]


def perfect(of: ConversationPlan) -> list[PersonalityPoint]:
    """Return what the mechanism makes of a reader that sees the planned scores in every turn."""
    profile, points = NEUTRAL_PROFILE, []
    for turn in range(len(of.turns)):
        scores = [int(score) for score in (BEFORE if turn < 20 else AFTER)]
        profile = evolve(profile, scores, turn + 1).profile
        points.append(point(turn, profile.vector(), scores, user=of.persona_id))
    return points
