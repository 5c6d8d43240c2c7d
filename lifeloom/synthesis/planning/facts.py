"""All that is said in one conversation: people, constellations, restatements and single facts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from lifeloom.records import Acquaintance, FactKind, Persona, PlannedFact, Shift
from lifeloom.records.base import make_id
from lifeloom.synthesis.catalogue import Attribute, attributes
from lifeloom.synthesis.planning.board import Board, FactDraft
from lifeloom.synthesis.planning.constellations import ConstellationDraft, draft_constellation, place_constellation
from lifeloom.synthesis.planning.people import PeopleDraft, draft_people, place_people
from lifeloom.synthesis.planning.shapes import ConversationShape

__all__ = ["FactPlan", "plan_facts"]

PROBED_KINDS: tuple[FactKind, ...] = ("detail", "preference", "intent", "goal", "interest")
"""Kinds that tasks ask about, taken in turn so that every task can be probed."""

_BEATS_EXPECTED = 5
_SECOND_STATEMENTS = 0.25
_SINGLE_FACTS = 0.4
_LATE_DENIALS = 0.8
_DRAFTS = 5


@dataclass(frozen=True)
class FactPlan:
    """Facts in the order in which they become known, and the shifts that follow from them."""

    facts: tuple[PlannedFact, ...]
    shifts: tuple[Shift, ...]


def plan_facts(
    rng: random.Random, board: Board, plan_id: str, persona: Persona, shape: ConversationShape, turns: int
) -> FactPlan:
    """Fill ``board``: people first, then constellations, then restatements and single facts where turns are empty."""
    people, holders = draft_people(rng, plan_id, persona, shape.relation_correction, most=len(board.turns) // 4)
    place_people(rng, board, people)
    catalogue = _attributes_in_turn(rng, persona)
    wanted = min(shape.max_constellations, max(1, turns // shape.turns_per_constellation))
    constellations, unused = _constellations(rng, board, plan_id, catalogue, holders, wanted, shape, turns)
    said = list(people.facts) + ([people.slip] if people.slip is not None else [])
    said += [fact for draft in constellations for fact in draft.facts]
    wishes = [(draft, fact) for draft in constellations for fact in draft.wishes]
    rng.shuffle(wishes)
    for draft, fact in wishes:
        _restate(rng, board, draft, fact)
    taken = {fact.value for fact in said}
    for turn in board.turns:
        if not board.said(turn) or (board.room(turn) and rng.random() < _SECOND_STATEMENTS):
            single = _fill(rng, board, plan_id, turn, constellations, people, unused, holders, taken)
            if single is not None:
                said.append(single)
    said.sort(key=lambda fact: (fact.stated_in[0], fact.fact_id))
    shifts = [shift for draft in constellations for shift in _shifts(draft)]
    return FactPlan(tuple(_record(fact) for fact in said), tuple(shifts))


def _attributes_in_turn(rng: random.Random, persona: Persona) -> list[Attribute]:
    """All attributes of the edition in random order, kinds taken in turn as long as each lasts."""
    kinds = list(PROBED_KINDS)
    rng.shuffle(kinds)
    stacks = []
    for kind in kinds:
        stack = list(attributes(persona.edition, kind))
        rng.shuffle(stack)
        stacks.append(stack)
    return [stack[row] for row in range(max(map(len, stacks))) for stack in stacks if row < len(stack)]


def _constellations(
    rng: random.Random,
    board: Board,
    plan_id: str,
    catalogue: Sequence[Attribute],
    holders: Sequence[Acquaintance],
    wanted: int,
    shape: ConversationShape,
    turns: int,
) -> tuple[list[ConstellationDraft], list[Attribute]]:
    """Place up to ``wanted`` constellations; return them and the attributes left for single facts."""
    placed: list[ConstellationDraft] = []
    taken: set[str] = set()
    chosen = list(catalogue[:wanted])
    for number, attribute in enumerate(chosen):
        reserve = (len(chosen) - number - 1) * _BEATS_EXPECTED
        # Told over a stretch of the conversation of its own, in a crowded one over all of it.
        window = (int(turns * rng.uniform(0, 0.35)), int(turns * rng.uniform(0.65, 1)) + 1)
        for low, high in (window, *[(0, turns)] * _DRAFTS):
            draft = draft_constellation(
                rng, plan_id, attribute, holders, preference_shift=shape.preference_shift, taken_values=taken
            )
            if place_constellation(rng, board, draft, low=low, high=high, reserve=reserve):
                placed.append(draft)
                taken.update(fact.value for fact in draft.facts)
                break
    used = {draft.attribute.attribute_id for draft in placed}
    return placed, [attribute for attribute in catalogue if attribute.attribute_id not in used]


def _say_again(rng: random.Random, board: Board, draft: ConstellationDraft, fact: FactDraft, turn: int) -> bool:
    if not board.takes(turn, fact.attribute) or board.spoken_of_in_session(fact, turn):
        return False
    kind = draft.sayable(fact, turn)
    if kind is None:
        return False
    board.put(turn, fact, rng.choice(("direct", "indirect")) if kind == "direct" else kind)
    return True


def _restate(rng: random.Random, board: Board, draft: ConstellationDraft, fact: FactDraft) -> None:
    """Say ``fact`` once more in a random turn where it is true; not at all where there is no room.

    A value that no longer holds is mostly denied afterwards rather than said again before it ends: else the last
    word on an attribute would nearly always be the current value.
    """
    after = fact.ended_in if fact.ended_in is not None and rng.random() < _LATE_DENIALS else -1
    candidates = [turn for turn in board.turns if turn > after and board.room(turn)]
    rng.shuffle(candidates)
    candidates.sort(key=lambda turn: -board.room(turn))
    for turn in candidates:
        if _say_again(rng, board, draft, fact, turn):
            return


def _fill(
    rng: random.Random,
    board: Board,
    plan_id: str,
    turn: int,
    constellations: Sequence[ConstellationDraft],
    people: PeopleDraft,
    unused: list[Attribute],
    holders: Sequence[Acquaintance],
    taken: set[str],
) -> FactDraft | None:
    """Put one statement into ``turn``: a single fact, or something said before. Return the new fact, if any."""
    if constellations and rng.random() >= _SINGLE_FACTS:
        for draft in rng.sample(constellations, min(3, len(constellations))):
            fact = rng.choice(draft.facts)
            if _say_again(rng, board, draft, fact, turn):
                return None
    if rng.random() < 0.2:
        fact = rng.choice(people.facts)
        again = people.sayable(fact, turn) and board.takes(turn, fact.attribute)
        if again and not board.spoken_of_in_session(fact, turn):
            board.put(turn, fact, rng.choice(("direct", "indirect")))
            return None
    if not unused:
        return None
    attribute = unused.pop()
    fresh = [value for value in attribute.values if value not in taken]
    value = rng.choice(fresh or attribute.values)
    taken.add(value)
    holder = rng.choice(holders) if rng.random() < 0.4 else None
    single = FactDraft(
        fact_id=make_id("fact", plan_id, attribute.attribute_id, value),
        area=attribute.area,
        kind=attribute.kind,
        attribute=attribute.attribute_id,
        phrase=attribute.phrase,
        value=value,
        status="current" if holder is None else "someone_else",
        holder_name="" if holder is None else holder.name,
        holder_relation="" if holder is None else holder.relation,
    )
    board.put(turn, single, rng.choice(("direct", "indirect")) if holder is None else "other_person")
    return single


def _shifts(draft: ConstellationDraft) -> list[Shift]:
    """The real changes of a taste or pastime. A change shows from the turn on in which the later value is known."""
    if draft.attribute.kind not in ("preference", "interest"):
        return []
    by_id = {fact.fact_id: fact for fact in draft.facts}
    shifts = []
    for fact in draft.facts:
        before = by_id.get(fact.replaces or "")
        if before is not None and before.status == "replaced":
            shifts.append(Shift(kind="preference", turn_index=fact.stated_in[0], before=before.value, after=fact.value))
    return shifts


def _record(fact: FactDraft) -> PlannedFact:
    return PlannedFact(
        fact_id=fact.fact_id,
        area=fact.area,
        kind=fact.kind,
        attribute=fact.attribute,
        phrase=fact.phrase,
        value=fact.value,
        status=fact.status,
        holder_name=fact.holder_name,
        holder_relation=fact.holder_relation,
        replaces=fact.replaces,
        stated_in=tuple(sorted(fact.stated_in)),
        ended_in=fact.ended_in,
    )
