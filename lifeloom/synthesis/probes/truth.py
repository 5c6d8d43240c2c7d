"""What holds at a moment of a conversation, by its plan alone.

A moment is a number of turns already said: turns ``0 .. moment - 1`` are history. At a moment a value is

- *heard* when a turn of the history states it in any way,
- *the user's* when a turn of the history commits the user to it and none of the history ends it.

Moments at which a slip is not yet put right, or a plan that will be dropped is not yet dropped, are in
doubt: two readers could answer differently, so nothing is asked then.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from lifeloom.records import ConversationPlan, PlannedFact, StatementKind, TaskName

__all__ = [
    "Answers",
    "KnownFact",
    "NoAnswers",
    "Other",
    "Probe",
    "Reason",
    "answers_at",
    "draw_distractors",
    "moments_of_change",
    "probes_of",
]

Reason = Literal["too_few_distractors", "in_doubt", "nothing_holds", "unknown_attribute"]

_COMMITS: frozenset[StatementKind] = frozenset({"direct", "indirect", "anaphora", "correction", "shift"})
_TASKS_BY_KIND: dict[str, tuple[TaskName, ...]] = {
    "detail": ("SIR",),
    "intent": ("EII",),
    "preference": ("LPR", "GNS"),
    "goal": ("LGT",),
    "interest": ("IEA",),
    "relationship": ("RR",),
}
_STEPS = 3
"""Values in an evolution of interests."""


@dataclass(frozen=True)
class KnownFact:
    """A planned fact with the turns that matter for when it holds."""

    value: str
    status: str
    own: bool
    """True of the user (for relationships: always)."""
    stated_in: tuple[int, ...]
    committed_in: int | None
    """First turn that commits the user to it; None when it is only ever denied, dropped or somebody else's."""
    ended_in: int | None

    def heard(self, moment: int) -> bool:
        """Say whether it was stated before ``moment``."""
        return self.stated_in[0] < moment

    def ended(self, moment: int) -> bool:
        """Say whether it was replaced, corrected or given up before ``moment``."""
        return self.ended_in is not None and self.ended_in < moment

    def holds(self, moment: int) -> bool:
        """Say whether the user holds it at ``moment``."""
        committed = self.committed_in is not None and self.committed_in < moment
        return self.own and self.status in ("current", "replaced") and committed and not self.ended(moment)

    def in_doubt(self, moment: int) -> bool:
        """Say whether it has been said and is not yet taken back."""
        return self.own and self.status in ("corrected", "given_up") and self.heard(moment) and not self.ended(moment)


@dataclass(frozen=True)
class Probe:
    """Something a plan lets one ask: a task on an attribute, or on a person (RR)."""

    task: TaskName
    attribute: str
    phrase: str
    facts: tuple[KnownFact, ...]
    circle: tuple[tuple[KnownFact, ...], ...] = ()
    """RR: the relationship facts of each other person."""


@dataclass(frozen=True)
class Other:
    """A wrong answer that the same history offers."""

    values: tuple[str, ...]
    source: str


@dataclass(frozen=True)
class Answers:
    """Right and wrong answers at a moment. ``values`` hold one value, or the three steps of an evolution."""

    right: tuple[str, ...]
    others: tuple[Other, ...]
    """Three or more, distinct, none the right one."""
    evidence: tuple[int, ...]
    """Turns of the history that state the right answer, ascending."""


@dataclass(frozen=True)
class NoAnswers:
    """Why nothing can be asked at a moment."""

    reason: Reason


def probes_of(plan: ConversationPlan) -> tuple[Probe, ...]:
    """Return what ``plan`` lets one ask, in the order in which the attributes come up.

    Attributes of which a single value is ever said are background, not probes: there is nothing to tell apart.
    """
    committed: dict[str, int] = {}
    for turn in plan.turns:
        for statement in turn.statements:
            if statement.kind in _COMMITS:
                committed.setdefault(statement.fact_id, turn.turn_index)
    groups: dict[tuple[str, str], list[PlannedFact]] = {}
    for fact in plan.facts:
        groups.setdefault((fact.attribute, fact.phrase if fact.kind == "relationship" else ""), []).append(fact)
    people = {
        key: tuple(_known(fact, committed) for fact in facts)
        for key, facts in groups.items()
        if facts[0].kind == "relationship"
    }
    found = []
    for key, facts in groups.items():
        kind = facts[0].kind
        if kind != "relationship" and len({fact.value for fact in facts}) < 2:
            continue
        known = people[key] if kind == "relationship" else tuple(_known(fact, committed) for fact in facts)
        circle = tuple(other for name, other in people.items() if name != key) if kind == "relationship" else ()
        found += [Probe(task, key[0], facts[0].phrase, known, circle) for task in _TASKS_BY_KIND[kind]]
    return tuple(found)


def _known(fact: PlannedFact, committed: dict[str, int]) -> KnownFact:
    return KnownFact(
        value=fact.value,
        status=fact.status,
        own=fact.kind == "relationship" or (fact.status != "someone_else" and not fact.holder_name),
        stated_in=fact.stated_in,
        committed_in=committed.get(fact.fact_id),
        ended_in=fact.ended_in,
    )


def moments_of_change(probe: Probe) -> tuple[int, ...]:
    """Return the moments at which the answers of ``probe`` can change, ascending."""
    facts = itertools.chain(probe.facts, *probe.circle)
    turns = {
        turn for fact in facts for turn in (fact.stated_in[0], fact.committed_in, fact.ended_in) if turn is not None
    }
    return tuple(sorted(turn + 1 for turn in turns))


def answers_at(probe: Probe, moment: int) -> Answers | NoAnswers:
    """Return the right and the wrong answers of ``probe`` when ``moment`` turns have been said."""
    if probe.task == "IEA":
        return _evolution(probe, moment)
    right = _held(probe.facts, moment)
    if isinstance(right, NoAnswers):
        return right
    others = list(_left_behind(probe.facts, moment))
    for person in probe.circle:
        relation = _held(person, moment)
        if isinstance(relation, KnownFact):
            others.append(Other((relation.value,), "other_relation"))
    return _answers((right.value,), others, _evidence([right], moment))


def _held(facts: Sequence[KnownFact], moment: int) -> KnownFact | NoAnswers:
    if any(fact.in_doubt(moment) for fact in facts):
        return NoAnswers("in_doubt")
    holding = [fact for fact in facts if fact.holds(moment)]
    if len({fact.value for fact in holding}) > 1:
        return NoAnswers("in_doubt")
    return holding[0] if holding else NoAnswers("nothing_holds")


def _left_behind(facts: Iterable[KnownFact], moment: int) -> Iterable[Other]:
    for fact in facts:
        if not fact.heard(moment):
            continue
        if fact.status in ("someone_else", "given_up", "corrected"):
            if not fact.own or fact.ended(moment):
                yield Other((fact.value,), fact.status)
        elif fact.own and fact.ended(moment):
            yield Other((fact.value,), "outdated")


def _evolution(probe: Probe, moment: int) -> Answers | NoAnswers:
    """Order of the interests taken up so far. With any other number of them than three nothing is asked."""
    steps = sorted(
        (
            fact
            for fact in probe.facts
            if fact.own
            and fact.status in ("current", "replaced")
            and fact.committed_in is not None
            and fact.committed_in < moment
        ),
        key=lambda fact: fact.committed_in or 0,
    )
    if len(steps) < _STEPS:
        return NoAnswers("too_few_distractors")
    left, now = steps[:-1], steps[-1]
    if any(fact.in_doubt(moment) for fact in probe.facts) or not all(fact.ended(moment) for fact in left):
        return NoAnswers("in_doubt")
    if now.ended(moment):
        return NoAnswers("nothing_holds")
    right = tuple(fact.value for fact in steps)
    if len(right) > _STEPS or len(set(right)) < _STEPS:
        return NoAnswers("in_doubt")
    others = [Other(order, "other_order") for order in itertools.permutations(right)]
    return _answers(right, others, _evidence(steps, moment))


def _evidence(facts: Iterable[KnownFact], moment: int) -> tuple[int, ...]:
    return tuple(sorted({turn for fact in facts for turn in fact.stated_in if turn < moment}))


def _answers(right: tuple[str, ...], others: Iterable[Other], evidence: tuple[int, ...]) -> Answers | NoAnswers:
    distinct: dict[tuple[str, ...], Other] = {}
    for other in others:
        if other.values != right:
            distinct.setdefault(other.values, other)
    if len(distinct) < 3:
        return NoAnswers("too_few_distractors")
    return Answers(right, tuple(distinct.values()), evidence)


def draw_distractors(rng: random.Random, others: Sequence[Other], task: TaskName) -> tuple[Other, ...]:
    """Draw three of ``others``, of as many sources as there are; for RR what was corrected is always among them."""
    shuffled = list(others)
    rng.shuffle(shuffled)
    seen: Counter[str] = Counter()
    ranked = []
    for other in shuffled:
        ranked.append((seen[other.source], other))
        seen[other.source] += 1
    if task == "RR":
        ranked = [(-1 if other.source == "corrected" else rank, other) for rank, other in ranked]
    ranked.sort(key=lambda item: item[0])
    return tuple(other for _, other in ranked[:3])
