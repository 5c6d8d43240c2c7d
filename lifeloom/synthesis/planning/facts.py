"""All that is said in one conversation: people, constellations, restatements and single facts."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from lifeloom.records import Acquaintance, FactKind, Persona, PlannedFact, Shift
from lifeloom.records.base import make_id
from lifeloom.synthesis.catalogue import Attribute, attributes
from lifeloom.synthesis.planning.board import Board, FactDraft
from lifeloom.synthesis.planning.constellations import (
    PAIRED,
    SEQUENCES,
    ConstellationDraft,
    draft_constellation,
    draw_stretch,
    place_constellation,
)
from lifeloom.synthesis.planning.people import PeopleDraft, draft_people, place_people
from lifeloom.synthesis.planning.pictured import place_pictured
from lifeloom.synthesis.planning.shapes import ConversationShape
from lifeloom.synthesis.planning.turns import ChosenTurns
from lifeloom.synthesis.planning.views import bond_id

__all__ = ["PROBED_KINDS", "FactPlan", "plan_facts"]

PROBED_KINDS: tuple[FactKind, ...] = (
    *("detail", "preference", "intent", "goal", "interest"),
    *("hidden_intent", "hidden_taste", "pattern", "bond", "expertise"),
)
"""Kinds that tasks ask about, taken in turn so that every task can be probed."""

_BEATS_EXPECTED = 5
_SECOND_STATEMENTS = 0.25
_SINGLE_FACTS = 0.4
_SINGLE_BY_PAIR = 0.7
_LATE_DENIALS = 0.8
_DRAFTS = 5
_FIRST_DRAFTS = 40
"""As long as there is no constellation: a short conversation must have one."""
_OPTIONS = 4
_CHANGING: frozenset[FactKind] = frozenset({"preference", "hidden_taste", "interest"})


@dataclass(frozen=True)
class FactPlan:
    """Facts in the order in which they become known, and what follows from them."""

    facts: tuple[PlannedFact, ...]
    shifts: tuple[Shift, ...]
    portrayed: tuple[Acquaintance, ...]
    """Whom the portraits introduce, in order."""
    albums: tuple[int, ...]
    """Turns of album pictures: those chosen, and the ones that pictured statements left over, ascending."""
    pictured: tuple[Attribute, ...]
    """Attributes whose values are shown, as the plan uses them."""


def plan_facts(
    rng: random.Random,
    board: Board,
    plan_id: str,
    persona: Persona,
    shape: ConversationShape,
    turns: int,
    chosen: ChosenTurns,
    handles: int,
) -> FactPlan:
    """Fill ``board``: people first, then what pictures show, then constellations in words.

    Restatements and single facts come where turns are still empty. ``handles`` says how many album pictures there
    can be.
    """
    people, holders = draft_people(rng, plan_id, persona, shape.relation_correction, most=len(board.turns) // 4)
    place_people(rng, board, people)
    portrayed = _portrayed(rng, persona, people, len(chosen.portraits))
    known_from = chosen.portraits[-1] + 1 if chosen.portraits else 0
    wanted = min(shape.max_constellations, max(1, turns // shape.turns_per_constellation))
    shown = place_pictured(
        rng,
        board,
        plan_id,
        persona.edition,
        holders,
        portrayed,
        known_from=known_from,
        pictures=chosen.pictured,
        most=wanted - 1,
        shape=shape,
        turns=turns,
    )
    # What is left over goes to the album until its pictures offer four answers, then to values shown again.
    free = handles - len(chosen.albums)
    albums = board.give_away(rng, min(shown.left, free, max(0, _OPTIONS - len(chosen.albums))), known_from)
    left = _show_again(rng, board, shown.drafts, shown.left - len(albums))
    albums += board.give_away(rng, min(left, free - len(albums)), known_from)
    catalogue = _attributes_in_turn(rng, persona, {draft.attribute.kind for draft in shown.drafts})
    words, unused = _constellations(rng, board, plan_id, catalogue, holders, wanted - len(shown.drafts), shape, turns)
    said = list(people.facts) + ([people.slip] if people.slip is not None else [])
    said += [fact for draft in (*shown.drafts, *words) for fact in draft.facts]
    wishes = [(draft, fact) for draft in words for fact in draft.wishes]
    rng.shuffle(wishes)
    for draft, fact in wishes:
        _restate(rng, board, draft, fact)
    taken = {fact.value for fact in said}
    for turn in board.turns:
        if not board.said(turn) or (board.room(turn) and rng.random() < _SECOND_STATEMENTS):
            single = _fill(rng, board, plan_id, turn, words, people, unused, holders, taken)
            if single is not None:
                said.append(single)
    said.sort(key=lambda fact: (fact.stated_in[0], fact.fact_id))
    shifts = [shift for draft in (*shown.drafts, *words) for shift in _shifts(draft)]
    return FactPlan(
        facts=tuple(_record(fact) for fact in said),
        shifts=tuple(shifts),
        portrayed=portrayed,
        albums=tuple(sorted((*chosen.albums, *albums))),
        pictured=tuple(draft.attribute for draft in shown.drafts),
    )


def _portrayed(rng: random.Random, persona: Persona, people: PeopleDraft, count: int) -> tuple[Acquaintance, ...]:
    """Draw whom portraits introduce: those first of whom it is also said who they are."""
    told = {fact.attribute for fact in people.facts}
    circle = rng.sample(persona.circle, len(persona.circle))
    circle.sort(key=lambda person: person.person_id not in told)
    chosen = circle[:count]
    rng.shuffle(chosen)
    return tuple(chosen)


def _show_again(rng: random.Random, board: Board, drafts: Sequence[ConstellationDraft], pictures: int) -> int:
    """Show values once more as wished, in up to ``pictures`` turns; return how many of these are left."""
    wishes = [(draft, fact) for draft in drafts for fact in draft.wishes]
    rng.shuffle(wishes)
    for draft, fact in wishes:
        if pictures and _restate(rng, board, draft, fact):
            pictures -= 1
    return pictures


def _attributes_in_turn(rng: random.Random, persona: Persona, shown: Collection[FactKind]) -> list[Attribute]:
    """All worded attributes of the edition in random order, kinds taken in turn as long as each lasts.

    Kinds that pictures show already come last, so that a short conversation has as many kinds as it can. The first is
    none told in steps, so that even the shortest has values in all four roles.
    """
    kinds = sorted(rng.sample(PROBED_KINDS, len(PROBED_KINDS)), key=lambda kind: kind in shown)
    first = next(kind for kind in kinds if kind not in SEQUENCES)
    kinds.remove(first)
    kinds.insert(0, first)
    stacks = []
    for kind in kinds:
        stack = list(attributes(persona.edition, kind, pictured=False))
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
    # No two bonds are with the same person, and none with the one whose relation is first said wrongly.
    friends = rng.sample(holders, len(holders))
    chosen: list[Attribute] = []
    for item in catalogue:
        if len(chosen) == wanted:
            break
        if item.kind != "bond":
            chosen.append(item)
        elif friends:
            friend = friends.pop()
            chosen.append(replace(item, attribute_id=bond_id(item.attribute_id, friend.person_id), phrase=friend.name))
    for number, attribute in enumerate(chosen):
        reserve = (len(chosen) - number - 1) * _BEATS_EXPECTED
        # Told over a stretch of the conversation of its own, in a crowded one over all of it.
        window = draw_stretch(rng, turns)
        whole = [(0, turns)] * (_DRAFTS if placed else _FIRST_DRAFTS)
        for low, high in (window, *whole):
            draft = draft_constellation(
                rng, plan_id, attribute, holders, preference_shift=shape.preference_shift, taken_values=taken
            )
            if place_constellation(rng, board, draft, low=low, high=high, reserve=reserve):
                placed.append(draft)
                taken.update(fact.value for fact in draft.facts)
                break
    used = {draft.attribute.attribute_id for draft in placed}
    singles = [item for item in catalogue if item.kind != "bond" and item.attribute_id not in used]
    return placed, singles


def _say_again(rng: random.Random, board: Board, draft: ConstellationDraft, fact: FactDraft, turn: int) -> bool:
    if not board.takes(turn, fact.attribute, alone=fact.pictured) or board.spoken_of_in_session(fact, turn):
        return False
    kind = draft.sayable(fact, turn)
    if kind is None:
        return False
    board.put(turn, fact, rng.choice(("direct", "indirect")) if kind == "direct" else kind)
    return True


def _restate(rng: random.Random, board: Board, draft: ConstellationDraft, fact: FactDraft) -> bool:
    """Say ``fact`` once more in a random turn where it is true; return False where there is no room.

    A value that no longer holds is mostly denied afterwards rather than said again before it ends: else the last
    word on an attribute would nearly always be the current value.
    """
    after = fact.ended_in if fact.ended_in is not None and rng.random() < _LATE_DENIALS else -1
    candidates = [turn for turn in board.turns if turn > after and board.room(turn)]
    rng.shuffle(candidates)
    candidates.sort(key=lambda turn: -board.room(turn))
    return any(_say_again(rng, board, draft, fact, turn) for turn in candidates)


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
        signs=attribute.signs.get(value, ()),
    )
    if holder is not None:
        board.put(turn, single, "other_person")
    elif attribute.kind in PAIRED and rng.random() < _SINGLE_BY_PAIR and board.takes_pair(turn):
        board.put_pair(turn, single)
    else:
        board.put(turn, single, rng.choice(("direct", "indirect")))
    return single


def _shifts(draft: ConstellationDraft) -> list[Shift]:
    """The real changes of a taste or pastime. A change shows from the turn on in which the later value is known."""
    if draft.attribute.kind not in _CHANGING:
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
        pictured=fact.pictured,
    )
