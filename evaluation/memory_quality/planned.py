"""What a planned conversation says turn by turn: the truth that memories are judged by.

The only module beside the makers of conversations that reads plans; policies and models never see what it returns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from lifeloom.records.plan import ConversationPlan, PlannedFact, Statement, TurnPlan

__all__ = ["NEVER_COMMITTED", "Claim", "Truth", "TurnTruth", "truth_of"]

NEVER_COMMITTED: Final = "mention"
"""A value that is named without commitment: nothing to remember yet, and no fault to remember that it came up."""

_SHOWN_BY_SIGNS: Final = frozenset({"hidden_intent", "hidden_taste", "expertise"})
_TIES: Final = frozenset({"relationship", "bond"})


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that a turn says."""

    statement: str
    """Kind of statement."""
    fact: str
    """Kind of fact."""
    value: str
    """What is named: the value, or the sign that stands for it."""
    holds: bool
    holders: frozenset[str]
    """Words for whom it is true of, lower case; empty for the user."""
    beside: str = ""
    """relationship, bond: the name that must stand beside the value."""
    left: str = ""
    """shift, correction: what is left behind."""
    pictured: bool = False


@dataclass(frozen=True, slots=True)
class TurnTruth:
    """What a turn says, and what else may be remembered of it."""

    index: int
    act: str
    area: str
    claims: tuple[Claim, ...]
    shown: tuple[str, ...]
    """Names and handles of its pictures, and the caption of what it tells of."""


@dataclass(frozen=True, slots=True)
class Truth:
    """A planned conversation, for the judge."""

    user_id: str
    turns: tuple[TurnTruth, ...]
    names: frozenset[str]
    """Lower-case names of the people in it."""
    goals: tuple[Claim, ...]
    """Goals, intents and habits of the user that hold at the end."""
    holding: tuple[Claim, ...]
    """Everything that is true of the user at the end."""
    over: tuple[Claim, ...]
    """What was said and does not hold of the user at the end, others' facts included."""
    sessions: tuple[tuple[int, int], ...]
    """First and last turn of each session, inclusive."""


def truth_of(plan: ConversationPlan) -> Truth:
    """Return what ``plan`` says turn by turn."""
    facts = {fact.fact_id: fact for fact in plan.facts}
    looks = {look.person_id: look.name for look in plan.looks}
    aims = [fact for fact in plan.facts if fact.kind in ("goal", "intent", "pattern") and not fact.pictured]
    return Truth(
        plan.persona_id,
        tuple(_turn(turn, facts, looks) for turn in plan.turns),
        frozenset(
            name.split()[0].lower()
            for name in (
                *(fact.holder_name for fact in plan.facts),
                *(fact.phrase for fact in plan.facts if fact.kind in _TIES),
                *looks.values(),
            )
            if name
        ),
        tuple(_aim(fact) for fact in aims if fact.status == "current" and not fact.holder_name),
        tuple(_aim(fact) for fact in plan.facts if fact.status == "current" and not fact.holder_name),
        tuple(_aim(fact) for fact in plan.facts if fact.status != "current" or fact.holder_name),
        tuple((session.first_turn, session.last_turn) for session in plan.sessions),
    )


def _aim(fact: PlannedFact) -> Claim:
    beside = fact.phrase if fact.kind in _TIES else ""
    return Claim("", fact.kind, fact.value, fact.status == "current", _holders(fact), beside)


def _holders(fact: PlannedFact) -> frozenset[str]:
    if not fact.holder_name:
        return frozenset()
    return frozenset(word.lower() for word in (*fact.holder_name.split()[:1], *fact.holder_relation.split()))


def _turn(turn: TurnPlan, facts: dict[str, PlannedFact], looks: dict[str, str]) -> TurnTruth:
    shown: list[str] = []
    for picture in turn.pictures:
        shown.extend(text for text in (picture.handle, looks.get(picture.person_id, "")) if text)
    if turn.occasion is not None:
        shown.extend((turn.occasion.title, turn.occasion.caption))
    claims = tuple(_claim(statement, facts) for statement in turn.statements)
    return TurnTruth(turn.turn_index, turn.act, turn.area, claims, tuple(shown))


def _claim(statement: Statement, facts: dict[str, PlannedFact]) -> Claim:
    fact = facts[statement.fact_id]
    before = facts[statement.previous_fact_id] if statement.previous_fact_id else None
    signs = fact.kind in _SHOWN_BY_SIGNS and not fact.pictured
    return Claim(
        statement.kind,
        fact.kind,
        statement.sign if signs and statement.sign else fact.value,
        statement.kind not in ("negation", "given_up"),
        _holders(fact),
        fact.phrase if fact.kind in _TIES else "",
        (statement.previous_sign or before.value) if before is not None else "",
        fact.pictured,
    )
