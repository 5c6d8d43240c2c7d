"""What holds at a moment of a conversation, by its plan alone.

A moment is a number of turns already said: turns ``0 .. moment - 1`` are history. At a moment a value is

- *heard* when a turn of the history states it in any way,
- *the user's* when a turn of the history commits the user to it and none of the history ends it.

Moments at which a slip is not yet put right, or a plan that will be dropped is not yet dropped, are in
doubt: two readers could answer differently, so nothing is asked then.

A fact may be *pictured*: its value is only ever shown. Then the turns that state the right value are the turns whose
pictures must be seen, and, where the values are people known by face, the portraits that give the faces names.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from lifeloom.records import ConversationPlan, FactKind, PlannedFact, StatementKind, TaskName

__all__ = [
    "Answers",
    "KnownFact",
    "NoAnswers",
    "Other",
    "Probe",
    "Reason",
    "committed_turns",
    "draw_distractors",
    "evidence_of",
    "held",
    "known_fact",
    "left_behind",
    "make_answers",
    "probes_of",
    "relationship_facts",
]

Reason = Literal["too_few_distractors", "in_doubt", "nothing_holds", "no_portrait", "unknown_attribute"]

_COMMITS: frozenset[StatementKind] = frozenset({"direct", "indirect", "anaphora", "correction", "shift"})
_TASKS_BY_KIND: dict[FactKind, tuple[TaskName, ...]] = {
    "detail": ("SIR",),
    "intent": ("EII",),
    "hidden_intent": ("IIR",),
    "preference": ("LPR", "GNS"),
    "interest": ("IEA",),
    "hidden_taste": ("IPR",),
    "pattern": ("BPR",),
    "goal": ("LGT",),
    "relationship": ("RR",),
    "bond": ("RDC",),
    "expertise": ("TED",),
}
_IN_ORDER: frozenset[TaskName] = frozenset({"IEA", "RDC"})
"""Tasks that ask in which order three values followed each other."""
_STEPS = 3
"""Values in such an evolution."""


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

    def marks(self, moment: int) -> tuple[int, ...]:
        """Return how often, how late and how early it was stated before ``moment``, for ``Other.marks``."""
        turns = [turn for turn in self.stated_in if turn < moment]
        return (len(turns), max(turns), min(turns))

    def in_doubt(self, moment: int) -> bool:
        """Say whether it has been said and is not yet taken back."""
        return self.own and self.status in ("corrected", "given_up") and self.heard(moment) and not self.ended(moment)


@dataclass(frozen=True)
class Other:
    """A wrong answer that the same history offers."""

    values: tuple[str, ...]
    source: str
    marks: tuple[int, ...] = ()
    """Numbers by which it could stand out from the others, such as how often and how late it was shown."""


@dataclass(frozen=True)
class Answers:
    """Right and wrong answers at a moment. ``values`` hold one value, or the three steps of an evolution."""

    right: tuple[str, ...]
    others: tuple[Other, ...]
    """Three or more, distinct, none the right one."""
    evidence: tuple[int, ...]
    """Turns of the history from which the right answer follows, ascending."""
    pictures: tuple[int, ...] = ()
    """Those of them whose pictures must be seen; empty where words suffice."""
    marks: tuple[int, ...] = ()
    """The marks of the right answer, as many as each wrong one has."""


@dataclass(frozen=True)
class NoAnswers:
    """Why nothing can be asked at a moment."""

    reason: Reason


@dataclass(frozen=True)
class Probe:
    """Something a plan lets one ask by what was stated: a task on an attribute, or on a person (RR)."""

    task: TaskName
    attribute: str
    phrase: str
    facts: tuple[KnownFact, ...]
    circle: tuple[tuple[KnownFact, ...], ...] = ()
    """RR: the relationship facts of each other person."""
    pictured: bool = False
    """Whether its values are shown in pictures and never named."""
    portraits: tuple[tuple[str, int], ...] = ()
    """Where the values are people known by face: the turn that introduces each by a portrait."""

    @property
    def subject(self) -> str:
        """What tells it from other probes of the same attribute in a plan: nothing, there are none."""
        return ""

    def spans(self, turns: int) -> tuple[dict[tuple[str, ...], list[range]], Reason]:
        """Return the moments up to ``turns`` at which each right answer can be asked for.

        The reason says why there are none, where there are none.
        """
        starts = [moment for moment in self._moments_of_change() if moment <= turns]
        spans: dict[tuple[str, ...], list[range]] = {}
        reasons: Counter[Reason] = Counter()
        for start, after in zip(starts, [*starts[1:], turns + 1], strict=True):
            answers = self.answers(start)
            if isinstance(answers, NoAnswers):
                reasons[answers.reason] += 1
            else:
                spans.setdefault(answers.right, []).append(range(start, after))
        order: tuple[Reason, ...] = ("no_portrait", "too_few_distractors", "in_doubt")
        return spans, next((name for name in order if reasons[name]), "nothing_holds")

    def answers(self, moment: int) -> Answers | NoAnswers:
        """Return the right and the wrong answers when ``moment`` turns have been said."""
        if self.task in _IN_ORDER:
            return self._evolution(moment)
        right = held(self.facts, moment)
        if isinstance(right, NoAnswers):
            return right
        others = list(left_behind(self.facts, moment))
        for person in self.circle:
            relation = held(person, moment)
            if isinstance(relation, KnownFact):
                others.append(Other((relation.value,), "other_relation", relation.marks(moment)))
        evidence = evidence_of([right], moment)
        pictures = evidence if self.pictured else ()
        return make_answers((right.value,), others, evidence, pictures, right.marks(moment))

    def _moments_of_change(self) -> list[int]:
        """Return the moments at which the answers can change, ascending."""
        facts = itertools.chain(self.facts, *self.circle)
        turns = {
            turn for fact in facts for turn in (fact.stated_in[0], fact.committed_in, fact.ended_in) if turn is not None
        }
        turns.update(turn for _, turn in self.portraits)
        return sorted(turn + 1 for turn in turns)

    def _evolution(self, moment: int) -> Answers | NoAnswers:
        """Order of the values so far. With any other number of them than three nothing is asked."""
        steps = sorted(
            (
                fact
                for fact in self.facts
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
        if any(fact.in_doubt(moment) for fact in self.facts) or not all(fact.ended(moment) for fact in left):
            return NoAnswers("in_doubt")
        if now.ended(moment):
            return NoAnswers("nothing_holds")
        right = tuple(fact.value for fact in steps)
        if len(right) > _STEPS or len(set(right)) < _STEPS:
            return NoAnswers("in_doubt")
        others = [Other(order, "other_order") for order in itertools.permutations(right)]
        evidence = evidence_of(steps, moment)
        if not self.pictured:
            return make_answers(right, others, evidence)
        known = dict(self.portraits)
        portraits = [known.get(name, moment) for name in right]
        if max(portraits) >= moment:
            return NoAnswers("no_portrait")
        seen = tuple(sorted({*evidence, *portraits}))
        return make_answers(right, others, seen, seen)


def committed_turns(plan: ConversationPlan) -> dict[str, int]:
    """Return for each fact that the user ever commits to the first turn that does."""
    committed: dict[str, int] = {}
    for turn in plan.turns:
        for statement in turn.statements:
            if statement.kind in _COMMITS:
                committed.setdefault(statement.fact_id, turn.turn_index)
    return committed


def relationship_facts(plan: ConversationPlan) -> dict[str, tuple[KnownFact, ...]]:
    """Return what is said of who each person is, by name."""
    committed = committed_turns(plan)
    found: dict[str, list[KnownFact]] = {}
    for fact in plan.facts:
        if fact.kind == "relationship":
            found.setdefault(fact.phrase, []).append(known_fact(fact, committed))
    return {name: tuple(facts) for name, facts in found.items()}


def probes_of(plan: ConversationPlan) -> tuple[Probe, ...]:
    """Return what the statements of ``plan`` let one ask, in the order in which the attributes come up.

    Attributes of which a single value is ever said are background, not probes: there is nothing to tell apart.
    """
    committed = committed_turns(plan)
    portraits = _portraits(plan)
    groups: dict[tuple[str, str], list[PlannedFact]] = {}
    for fact in plan.facts:
        groups.setdefault((fact.attribute, fact.phrase if fact.kind == "relationship" else ""), []).append(fact)
    people = {
        key: tuple(known_fact(fact, committed) for fact in facts)
        for key, facts in groups.items()
        if facts[0].kind == "relationship"
    }
    found = []
    for key, facts in groups.items():
        kind, pictured = facts[0].kind, facts[0].pictured
        if kind != "relationship" and len({fact.value for fact in facts}) < 2:
            continue
        known = people[key] if kind == "relationship" else tuple(known_fact(fact, committed) for fact in facts)
        found += [
            Probe(
                task=task,
                attribute=key[0],
                phrase=facts[0].phrase,
                facts=known,
                circle=tuple(other for name, other in people.items() if name != key) if kind == "relationship" else (),
                pictured=pictured,
                portraits=portraits if kind == "bond" and pictured else (),
            )
            for task in _TASKS_BY_KIND[kind]
        ]
    return tuple(found)


def _portraits(plan: ConversationPlan) -> tuple[tuple[str, int], ...]:
    turns: dict[str, int] = {}
    for turn in plan.turns:
        for shown in turn.pictures:
            if shown.role == "portrait":
                turns.setdefault(shown.picture.subjects[0].name, turn.turn_index)
    return tuple(turns.items())


def known_fact(fact: PlannedFact, committed: Mapping[str, int]) -> KnownFact:
    """Return ``fact`` with the turn that commits the user to it, of ``committed_turns``."""
    return KnownFact(
        value=fact.value,
        status=fact.status,
        own=fact.kind == "relationship" or (fact.status != "someone_else" and not fact.holder_name),
        stated_in=fact.stated_in,
        committed_in=committed.get(fact.fact_id),
        ended_in=fact.ended_in,
    )


def held(facts: Sequence[KnownFact], moment: int) -> KnownFact | NoAnswers:
    """Return the one of ``facts`` that holds at ``moment``, or why none does."""
    if any(fact.in_doubt(moment) for fact in facts):
        return NoAnswers("in_doubt")
    holding = [fact for fact in facts if fact.holds(moment)]
    if len({fact.value for fact in holding}) > 1:
        return NoAnswers("in_doubt")
    return holding[0] if holding else NoAnswers("nothing_holds")


def left_behind(facts: Iterable[KnownFact], moment: int) -> Iterator[Other]:
    """Yield the values that were heard by ``moment`` and are not the user's then."""
    for fact in facts:
        if not fact.heard(moment):
            continue
        if fact.status in ("someone_else", "given_up", "corrected"):
            if not fact.own or fact.ended(moment):
                yield Other((fact.value,), fact.status, fact.marks(moment))
        elif fact.own and fact.ended(moment):
            yield Other((fact.value,), "outdated", fact.marks(moment))


def evidence_of(facts: Iterable[KnownFact], moment: int) -> tuple[int, ...]:
    """Return the turns before ``moment`` that state one of ``facts``, ascending."""
    return tuple(sorted({turn for fact in facts for turn in fact.stated_in if turn < moment}))


def make_answers(
    right: tuple[str, ...],
    others: Iterable[Other],
    evidence: tuple[int, ...],
    pictures: tuple[int, ...] = (),
    marks: tuple[int, ...] = (),
) -> Answers | NoAnswers:
    """Return the answers with each wrong value once, or that there are fewer than three."""
    distinct: dict[tuple[str, ...], Other] = {}
    for other in others:
        if other.values != right:
            distinct.setdefault(other.values, other)
    if len(distinct) < 3:
        return NoAnswers("too_few_distractors")
    return Answers(right, tuple(distinct.values()), evidence, pictures, marks)


_FIRST, _LAST = frozenset({"corrected", "other_picture"}), frozenset({"never_shown"})


def draw_distractors(rng: random.Random, others: Sequence[Other], task: TaskName) -> tuple[Other, ...]:
    """Draw three of ``others``, of as many sources as there are.

    For RR what was corrected is always among them. For VDR what other pictures show comes first.
    """
    shuffled = list(others)
    rng.shuffle(shuffled)
    seen: Counter[str] = Counter()
    ranked = []
    for other in shuffled:
        rank = seen[other.source]
        if task in ("RR", "VDR"):
            rank = -1 if other.source in _FIRST else len(others) if other.source in _LAST else rank
        ranked.append((rank, other))
        seen[other.source] += 1
    ranked.sort(key=lambda item: item[0])
    return tuple(other for _, other in ranked[:3])
