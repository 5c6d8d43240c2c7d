"""Constellations: one attribute with four values in four roles, told so that only the meaning tells them apart.

Current, previous, somebody else's and given-up value are exchangeable draws. How often each is named is
drawn from one distribution for all four, and the order in which they come up varies by pattern, so that
neither the most named nor the first or the last named value is the right one more often than others.

Patterns of the user's own two values (P previous, C current):

- ``shift``: P is said, later "moved from P to C";
- ``denial``: P is said, later "no longer P", C in the same turn;
- ``looking_back``: C is said, later "P, not any more";
- ``slip``: P is said by mistake, later "I said P but it is C";
- ``known_slip``: C is said, later P by mistake, later "I said P but it is C".

Interests and bonds are a sequence a -> b -> c instead (IEA, RDC), each step told as a shift or a denial.

Pictured values are never named: every statement of one stands alone in its turn, whose picture shows the value.
A change then shows the new value only.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Literal

from lifeloom.records import Acquaintance, FactKind, FactStatus, StatementKind
from lifeloom.records.base import make_id
from lifeloom.synthesis.catalogue import Attribute
from lifeloom.synthesis.planning.board import Board, FactDraft

__all__ = [
    "PAIRED",
    "SEQUENCES",
    "ConstellationDraft",
    "Pattern",
    "draft_constellation",
    "draw_stretch",
    "place_constellation",
]

Pattern = Literal["shift", "denial", "looking_back", "slip", "known_slip", "sequence"]

_TIMES_NAMED = (1, 2, 3)
_TIMES_NAMED_WEIGHTS = (0.35, 0.45, 0.2)
_CLAIMS_BY_PAIR = 0.9
"""Wherever two turns are free; few are."""
_PLAN_SAID_FIRST = 0.5
_ATTEMPTS = 20
_KNOWN_BEFORE, _KNOWN_BEFORE_PICTURED = 0.6, 0.2
_STRETCH = (0.3, 0.8)
SEQUENCES: frozenset[FactKind] = frozenset({"interest", "bond"})
_PLANS: frozenset[FactKind] = frozenset({"goal", "intent", "hidden_intent"})
PAIRED: frozenset[FactKind] = frozenset({"preference", "detail", "interest", "goal", "intent"})
"""Kinds whose value can be mentioned first and claimed by 'that one' afterwards."""


@dataclass(frozen=True)
class _Beat:
    """What is said of the attribute in one turn (a pair of turns for a claim by anaphora)."""

    kind: Literal["claim", "change", "denial_and_claim", "denial", "other_person", "given_up"]
    fact: FactDraft
    previous: FactDraft | None = None


@dataclass
class ConstellationDraft:
    """The facts of one attribute, the beats that must be told, and further ones that may be."""

    attribute: Attribute
    pattern: Pattern
    facts: tuple[FactDraft, ...]
    """previous, current, someone else's, given up; for a sequence the three interests in order, then the rest."""
    beats: tuple[_Beat, ...]
    wishes: tuple[FactDraft, ...]
    """Facts to say once more each, where there is room."""

    @property
    def pictured(self) -> bool:
        """Whether pictures show the values."""
        return bool(self.attribute.pictured)

    def sayable(self, fact: FactDraft, turn: int) -> StatementKind | None:
        """Return how ``fact`` can truly be said again in ``turn``, or None. Claims are returned as ``direct``."""
        if fact.status == "someone_else":
            return "other_person" if turn > fact.stated_in[0] else None
        if fact.status == "given_up":
            return "given_up" if fact.ended_in is not None and turn > fact.ended_in else None
        if fact.ended_in is not None and turn > fact.ended_in:
            return "negation"
        if turn <= fact.stated_in[0] or (fact.ended_in is not None and turn >= fact.ended_in):
            return None
        if fact.status == "corrected" and self.pattern == "known_slip":
            return None
        # A current value is not said while a slip stands against it.
        slips = (other for other in self.facts if other.status == "corrected" and other is not fact)
        if any(slip.stated_in[0] < turn <= (slip.ended_in or turn) for slip in slips):
            return None
        return "direct"


def draft_constellation(
    rng: random.Random,
    plan_id: str,
    attribute: Attribute,
    holders: Sequence[Acquaintance],
    *,
    preference_shift: float,
    taken_values: AbstractSet[str],
) -> ConstellationDraft:
    """Draw values, roles, pattern and order of one attribute. Values said of other attributes are avoided."""
    fresh = [value for value in attribute.values if value not in taken_values]
    count = 3 if attribute.kind == "bond" else 4
    values = rng.sample(fresh if len(fresh) >= count else list(attribute.values), count)
    holder = rng.choice(holders)

    def fact(value: str, status: FactStatus, replaces: FactDraft | None = None) -> FactDraft:
        other = status == "someone_else"
        return FactDraft(
            fact_id=make_id("fact", plan_id, attribute.attribute_id, value),
            area=attribute.area,
            kind=attribute.kind,
            attribute=attribute.attribute_id,
            phrase=attribute.phrase,
            value=value,
            status=status,
            holder_name=holder.name if other else "",
            holder_relation=holder.relation if other else "",
            replaces=None if replaces is None else replaces.fact_id,
            pictured=bool(attribute.pictured),
            signs=attribute.signs.get(value, ()),
        )

    named = rng.choices(_TIMES_NAMED, weights=_TIMES_NAMED_WEIGHTS, k=4)
    if attribute.kind in SEQUENCES:
        return _draft_sequence(rng, attribute, values, fact)
    replaced = rng.random() < preference_shift
    previous = fact(values[0], "replaced" if replaced else "corrected")
    return _draft_roles(rng, attribute, previous, values, fact, named)


def _draft_sequence(
    rng: random.Random, attribute: Attribute, values: Sequence[str], fact: Callable[..., FactDraft]
) -> ConstellationDraft:
    first = fact(values[0], "replaced")
    second = fact(values[1], "replaced", first)
    third = fact(values[2], "current", second)
    beats = [_Beat("claim", first)]
    for before, after in ((first, second), (second, third)):
        kind: Literal["change", "denial_and_claim"] = "change" if rng.random() < 0.7 else "denial_and_claim"
        beats.append(_Beat(kind, after, before))
    facts = [first, second, third]
    if attribute.kind == "interest" and rng.random() < 0.5:
        other = fact(values[3], "someone_else")
        facts.append(other)
        beats.insert(rng.randint(0, len(beats)), _Beat("other_person", other))
    wishes = [item for item in facts for _ in range(rng.choice((0, 0, 1)))]
    return ConstellationDraft(attribute, "sequence", tuple(facts), tuple(beats), tuple(wishes))


def _draft_roles(
    rng: random.Random,
    attribute: Attribute,
    previous: FactDraft,
    values: Sequence[str],
    fact: Callable[..., FactDraft],
    named: Sequence[int],
) -> ConstellationDraft:
    current = fact(values[1], "current", previous)
    other = fact(values[2], "someone_else")
    dropped = fact(values[3], "given_up")
    previous_named, current_named, other_named, dropped_named = named
    pattern: Pattern
    if previous.status == "replaced":
        patterns: tuple[Pattern, ...] = ("shift", "shift", "denial", "looking_back")
        if attribute.pictured:
            # Pictures leave little room to show a value again, so the order of the beats alone must not tell: about
            # as often as after the previous value the current one comes before it.
            patterns = ("shift", "looking_back", "looking_back", "looking_back")
        pattern = "looking_back" if previous_named == 1 and not attribute.pictured else rng.choice(patterns)
    else:
        known = _KNOWN_BEFORE_PICTURED if attribute.pictured else _KNOWN_BEFORE
        pattern = "known_slip" if current_named > 1 and rng.random() < known else "slip"
    beats = {
        "shift": [_Beat("claim", previous), _Beat("change", current, previous)],
        "denial": [_Beat("claim", previous), _Beat("denial_and_claim", current, previous)],
        "looking_back": [_Beat("claim", current), _Beat("denial", previous)],
        "slip": [_Beat("claim", previous), _Beat("change", current, previous)],
        "known_slip": [_Beat("claim", current), _Beat("claim", previous), _Beat("change", current, previous)],
    }[pattern]
    # How often the beats name the previous and the current value; a pictured change shows the new one only.
    told = {"looking_back": (1, 1), "known_slip": (2, 2)}.get(pattern, (2, 1))
    if attribute.pictured:
        told = (1, told[1])
    wishes = [previous] * (previous_named - told[0]) + [current] * (current_named - told[1])
    wishes += [other] * (other_named - 1)
    beats.insert(rng.randint(0, len(beats)), _Beat("other_person", other))
    plan_like = attribute.kind in _PLANS and pattern != "looking_back" and pattern != "known_slip"
    if plan_like and not attribute.pictured and dropped_named > 1 and rng.random() < _PLAN_SAID_FIRST:
        # A plan that is said as a plan, then dropped, both before the current one is known: no doubt what holds.
        known = next(index for index, beat in enumerate(beats) if beat.fact is current)
        drop = rng.randint(0, known)
        beats.insert(drop, _Beat("given_up", dropped))
        beats.insert(rng.randint(0, drop), _Beat("claim", dropped))
        wishes += [dropped] * (dropped_named - 2)
    else:
        beats.insert(rng.randint(0, len(beats)), _Beat("given_up", dropped))
        wishes += [dropped] * (dropped_named - 1)
    return ConstellationDraft(attribute, pattern, (previous, current, other, dropped), tuple(beats), tuple(wishes))


def draw_stretch(rng: random.Random, turns: int, low: int = 0) -> tuple[int, int]:
    """Draw the part of a conversation in which an attribute is told, three to eight tenths of it, anywhere in it.

    So some attributes are settled early and can be asked about from then on.

    Args:
        rng: the stream to draw from.
        turns: length of the conversation.
        low: first turn that may be used.

    Returns:
        The first turn, and the one after the last.
    """
    length = max(1, round((turns - low) * rng.uniform(*_STRETCH)))
    first = rng.randint(low, max(low, turns - length))
    return first, min(turns, first + length)


def place_constellation(
    rng: random.Random, board: Board, draft: ConstellationDraft, *, low: int, high: int, reserve: int
) -> bool:
    """Place all beats of ``draft`` in order within ``low <= turn < high``; False, and nothing said, if they do not fit.

    Args:
        rng: the stream to draw from.
        board: where to put them.
        draft: what to say.
        low: first turn of the window.
        high: turn after the window.
        reserve: statements that others still need; pairs, which take the room of four, leave that much.
    """
    chosen = _choose_turns(rng, board, draft, low, high)
    if not chosen:
        return False
    for index, (beat, turn) in enumerate(zip(draft.beats, chosen, strict=True)):
        if beat.kind == "claim":
            before = chosen[index - 1] if index else None
            after = chosen[index + 1] if index + 1 < len(chosen) else high
            roomy = board.capacity() - 4 - (len(chosen) - index - 1) >= reserve
            paired = draft.attribute.kind in PAIRED and roomy and rng.random() < _CLAIMS_BY_PAIR
            starts = _pair_starts(board, turn, before, after, low) if paired else ()
            if starts:
                board.put_pair(rng.choice(starts), beat.fact)
            else:
                board.put(turn, beat.fact, rng.choice(("direct", "indirect")))
        elif beat.kind == "other_person":
            board.put(turn, beat.fact, "other_person")
        elif beat.kind == "given_up":
            board.put(turn, beat.fact, "given_up")
            beat.fact.ended_in = turn
        elif beat.kind == "denial":
            board.put(turn, beat.fact, "negation")
            beat.fact.ended_in = turn
        else:
            _place_change(rng, board, beat, turn)
    return True


def _choose_turns(rng: random.Random, board: Board, draft: ConstellationDraft, low: int, high: int) -> list[int]:
    """Draw a turn for every beat so that nobody changes their mind within a session; empty if none is found."""
    name = draft.attribute.attribute_id
    for attempt in range(_ATTEMPTS):
        # Empty turns first; where those few do not do, any with room.
        spread = attempt < _ATTEMPTS // 2
        chosen = board.choose(rng, len(draft.beats), name, low, high, spread=spread, alone=draft.pictured)
        if len(chosen) < len(draft.beats):
            return []
        if all(
            board.session(chosen[earlier]) < board.session(chosen[later]) for earlier, later in _sessions_apart(draft)
        ):
            return chosen
    return []


def _sessions_apart(draft: ConstellationDraft) -> list[tuple[int, int]]:
    """Pairs of beats (earlier, later) that belong to different sessions.

    A real change and a dropped plan come after the session in which the value was claimed; a slip comes after the
    session in which the right value was said, since two values in one sitting would read as a contradiction. The
    correction of a slip may follow at once.
    """
    apart = []
    for later, beat in enumerate(draft.beats):
        left_behind: FactDraft | None = None
        if beat.kind == "given_up":
            left_behind = beat.fact
        elif beat.previous is not None and beat.previous.status == "replaced":
            left_behind = beat.previous
        elif draft.pattern == "known_slip" and beat.kind == "claim" and beat.fact.status == "corrected":
            left_behind = draft.facts[1]
        apart += [(earlier, later) for earlier in range(later) if draft.beats[earlier].fact is left_behind]
    return apart


def _pair_starts(board: Board, turn: int, before: int | None, after: int, low: int) -> tuple[int, ...]:
    """Turns where the claim meant for ``turn`` can be told as a pair, no later session and none of the beat before."""
    return tuple(
        start
        for start in board.pair_starts(low if before is None else before + 1, after)
        if board.session(start) == board.session(turn)
        or (
            board.session(start) < board.session(turn)
            and (before is None or board.session(before) < board.session(start))
        )
    )


def _place_change(rng: random.Random, board: Board, beat: _Beat, turn: int) -> None:
    previous = beat.previous
    assert previous is not None  # noqa: S101 - every change beat is made with one
    if beat.kind == "denial_and_claim" and board.room(turn) == 2 and not beat.fact.pictured:
        board.put(turn, previous, "negation")
        board.put(turn, beat.fact, rng.choice(("direct", "indirect")))
    else:
        board.put(turn, beat.fact, "correction" if previous.status == "corrected" else "shift", previous)
    previous.ended_in = turn
