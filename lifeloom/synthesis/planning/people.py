"""Relationships: who the people of the circle are, said early, sometimes wrongly at first."""

from __future__ import annotations

import random
from collections.abc import Sequence

from lifeloom.records import Acquaintance, Area, Persona
from lifeloom.records.base import make_id
from lifeloom.synthesis.catalogue import RELATIONS
from lifeloom.synthesis.planning.board import Board, FactDraft

__all__ = ["MIN_INTRODUCED", "PeopleDraft", "area_of_relation", "draft_people", "place_people"]

MIN_INTRODUCED = 4
"""People whose relation is told in every conversation, so that RR has four options."""

_WORK = frozenset({"colleague", "mentor", "manager", "boss", "accountant", "client", "intern", "apprentice"})
_FAMILY = frozenset(
    {
        *("cousin", "sibling", "grandparent", "godparent", "godchild", "sister", "brother", "mother", "father"),
        *("aunt", "uncle", "niece", "nephew", "grandmother", "grandfather", "son", "daughter", "partner"),
    }
)


class PeopleDraft:
    """Relationship facts in order of introduction, and the slip, if there is one."""

    def __init__(self, facts: Sequence[FactDraft], slip: FactDraft | None, corrected: FactDraft | None) -> None:
        self.facts = list(facts)
        self.slip = slip
        self.corrected = corrected

    def sayable(self, fact: FactDraft, turn: int) -> bool:
        """Say whether the relation can be said again in ``turn`` and be true."""
        return fact is not self.slip and bool(fact.stated_in) and turn > fact.stated_in[0]


def area_of_relation(relation: str) -> Area:
    """Return ``family``, ``work`` or ``friends``."""
    if relation in _FAMILY:
        return "family"
    return "work" if relation in _WORK else "friends"


def draft_people(
    rng: random.Random, plan_id: str, persona: Persona, correction: float, most: int
) -> tuple[PeopleDraft, tuple[Acquaintance, ...]]:
    """Choose who is introduced and whether one relation is first said wrongly.

    Args:
        rng: the stream to draw from.
        plan_id: id of the plan, part of the facts' ids.
        persona: the user, with the circle.
        correction: probability of a slip.
        most: people introduced at most; at least four (or the whole circle) always are.

    Returns:
        The relationship facts, and the people that other statements may name with their relation: all but
        the one whose relation was said wrongly, so that nothing gives the right one away beforehand.
    """
    people = list(persona.circle)
    rng.shuffle(people)
    least = min(MIN_INTRODUCED, len(people))
    introduced = people[: rng.randint(least, max(least, min(most, len(people))))]

    def fact(person: Acquaintance, relation: str, replaces: FactDraft | None = None, wrong: bool = False) -> FactDraft:
        return FactDraft(
            fact_id=make_id("fact", plan_id, person.person_id, relation),
            area=area_of_relation(relation),
            kind="relationship",
            attribute=person.person_id,
            phrase=person.name,
            value=relation,
            status="corrected" if wrong else "current",
            replaces=None if replaces is None else replaces.fact_id,
        )

    own = {person.relation for person in persona.circle}
    others = [relation for relation in RELATIONS if relation not in own]
    if others and rng.random() < correction:
        wrong_about = rng.choice(introduced)
        slip = fact(wrong_about, rng.choice(others), wrong=True)
        corrected = fact(wrong_about, wrong_about.relation, slip)
        facts = [corrected if person is wrong_about else fact(person, person.relation) for person in introduced]
        return PeopleDraft(facts, slip, corrected), tuple(person for person in people if person is not wrong_about)
    return PeopleDraft([fact(person, person.relation) for person in introduced], None, None), tuple(people)


def place_people(rng: random.Random, board: Board, draft: PeopleDraft) -> None:
    """Place the introductions in the first half of the open turns and the correction anywhere after its slip."""
    turns = board.turns
    early, end = turns[(len(turns) - 1) // 2] + 1, turns[-1] + 1
    placed = []
    for fact in draft.facts:
        name = fact.attribute
        chosen = board.choose(rng, 1, name, 0, early) or board.choose(rng, 1, name, 0, end)
        if not chosen:
            continue
        slip = draft.slip if fact is draft.corrected else None
        later = board.choose(rng, 1, name, chosen[0] + 1, end) if slip is not None else []
        if slip is not None and later:
            board.put(chosen[0], slip, rng.choice(("direct", "indirect")))
            board.put(later[0], fact, "correction", slip)
            slip.ended_in = later[0]
        else:
            board.put(chosen[0], fact, rng.choice(("direct", "indirect")))
        placed.append(fact)
    if draft.slip is not None and draft.slip.ended_in is None:
        # No turn was left to put it right in, so nothing wrong was said.
        draft.slip = None
        if draft.corrected is not None:
            draft.corrected.replaces = None
    draft.facts = placed
