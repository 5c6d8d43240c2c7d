"""Planned conversations and memories for the tests of the measure, made by hand."""

from __future__ import annotations

import datetime as dt
from typing import Any

from lifeloom.records import (
    BY_CODE,
    BigFiveProfile,
    ConversationPlan,
    Memory,
    PlannedFact,
    SessionPlan,
    Statement,
    TurnPlan,
)

NOON = dt.datetime(2025, 6, 2, 12, tzinfo=dt.UTC)


def a_fact(name: str, value: str, kind: str = "preference", **more: Any) -> PlannedFact:
    values: dict[str, Any] = {
        "fact_id": name,
        "area": "drink",
        "kind": kind,
        "attribute": "evening-drink",
        "phrase": "evening drink",
        "value": value,
        "status": "current",
        "stated_in": (0,),
    }
    return PlannedFact(**(values | more))


def said(fact: str, kind: str = "direct", **more: Any) -> Statement:
    return Statement(fact_id=fact, kind=kind, **more)  # type: ignore[arg-type]


def a_plan(facts: list[PlannedFact], turns: list[tuple[Statement, ...]], user: str = "ines") -> ConversationPlan:
    """One session; a turn without statements is small talk of another area."""
    rows = tuple(
        TurnPlan(
            turn_index=i,
            session_index=0,
            at=NOON + dt.timedelta(minutes=i),
            act="statement" if statements else "small_talk",
            area="drink" if statements else "travel",
            statements=statements,
        )
        for i, statements in enumerate(turns)
    )
    session = SessionPlan(
        session_id="session-0",
        session_index=0,
        first_turn=0,
        last_turn=len(turns) - 1,
        topics=("drink",),
        big_five=BigFiveProfile(openness=3, conscientiousness=3, extraversion=3, agreeableness=3, neuroticism=3),
    )
    return ConversationPlan(
        plan_id=f"plan-{user}",
        persona_id=user,
        setting="train",
        edition="corpus",
        offset_minutes=0,
        facts=tuple(facts),
        shifts=(),
        sessions=(session,),
        turns=rows,
    )


def a_memory(content: str, *turns: int, kind: str = "semantic", user: str = "ines", **more: Any) -> Memory:
    values: dict[str, Any] = {
        "user_id": user,
        "memory_id": f"m-{kind}-{abs(hash((content, turns, user)))}",
        "kind": kind,
        "label": "fact" if kind == "semantic" else "",
        "key": "goal" if kind == "procedural" else "",
        "content": content,
        "source_turns": turns,
        "happened_from": NOON,
        "happened_to": NOON,
        "known_at": NOON,
        "known_turns": turns[-1] + 1,
        "made_by": BY_CODE,
    }
    return Memory(**(values | more))
