"""What must hold of a whole user's rows before they become a file: what the calls that write them one by one see to."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Sequence
from typing import Final, get_args

from lifeloom.memory.errors import MemoryCorrupt, OtherUser
from lifeloom.memory.types import DialogueTurn
from lifeloom.records import LATEST_ONLY, CoreBlock, Memory, PersonalityPoint, SemanticKind

__all__ = ["check_memories", "check_once", "check_points", "check_turns"]

_DAY: Final = 24 * 60
_LABELS: Final = {"semantic": frozenset(get_args(SemanticKind)), "core": frozenset(get_args(CoreBlock))}


def check_once(what: str, names: Iterable[str]) -> None:
    """Raise MemoryCorrupt where a name stands twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise MemoryCorrupt(f"{what} {name} is there twice; leave one out")
        seen.add(name)


def check_turns(turns: Sequence[DialogueTurn], erased: Collection[int] = frozenset()) -> None:
    """See that turns are numbered from 0 without gaps, that times and sessions do not go back, and zones are zones.

    Args:
        turns: Of the user, in order.
        erased: Numbers of those that were erased: nothing of them may be left.

    Raises:
        MemoryCorrupt: it is otherwise; the message names the turn.
    """
    for number, turn in enumerate(turns):
        if turn.index != number:
            raise MemoryCorrupt(
                f"turn {turn.index} stands where turn {number} should; sort the turns and leave none out"
            )
        if abs(turn.offset_minutes) >= _DAY:
            raise MemoryCorrupt(
                f"turn {number} has an offset of {turn.offset_minutes} minutes, which is no zone; it is less than a day"
            )
        if number in erased and (turn.user or turn.assistant or turn.pictures):
            raise MemoryCorrupt(f"turn {number} was erased, but has a text or a picture; leave these out")
    for before, turn in itertools.pairwise(turns):
        if turn.at < before.at:
            raise MemoryCorrupt(
                f"turn {turn.index} is of {turn.at.isoformat()}, earlier than the turn before it, of "
                f"{before.at.isoformat()}; sort the turns"
            )
        if turn.session < before.session:
            raise MemoryCorrupt(
                f"turn {turn.index} is of session {turn.session}, but session {before.session} had begun already; "
                "number the sessions in order"
            )


def check_points(
    curve: Sequence[PersonalityPoint], user_id: str, turns: int, erased: Collection[int] = frozenset()
) -> None:
    """See that a personality curve is the user's, with at most one point a turn.

    Raises:
        OtherUser, MemoryCorrupt: it is otherwise; the message names the turn.
    """
    check_once("the personality of turn", (str(point.turn_index) for point in curve))
    for point in curve:
        if point.user_id != user_id:
            raise OtherUser(f"the personality of turn {point.turn_index} is of {point.user_id!r}, not {user_id!r}")
        if not point.turn_index < turns:
            raise MemoryCorrupt(f"there is a personality after turn {point.turn_index}, but only {turns} turns")
        if point.turn_index in erased:
            raise MemoryCorrupt(f"there is a personality after turn {point.turn_index}, which was erased")


def check_memories(
    memories: Sequence[Memory], user_id: str, turns: Sequence[DialogueTurn], erased: Collection[int] = frozenset()
) -> None:
    """See that memories are the user's, cite turns that are there, are not known before these, and that versions link.

    Args:
        memories: In the order in which they became known.
        user_id: Whose they are.
        turns: All of the user's, by number.
        erased: Numbers of those that were erased.

    Raises:
        OtherUser, MemoryCorrupt: it is otherwise; the message names the memory.
    """
    check_once("memory", (known.memory_id for known in memories))
    for known in memories:
        if known.user_id != user_id:
            raise OtherUser(f"memory {known.memory_id} is of {known.user_id!r}, not of {user_id!r}")
        if wrong := _form_problem(known) or _cited_problem(known, turns, erased) or _end_problem(known, turns):
            raise MemoryCorrupt(f"memory {known.memory_id} {wrong}")
    _check_versions(memories)


def _form_problem(known: Memory) -> str:
    if known.label not in _LABELS.get(known.kind, {""}):
        return f"is {known.kind} and labelled {known.label!r}, which there is not"
    if bool(known.key) != (known.kind in LATEST_ONLY):
        return f"is {known.kind} and has the key {known.key!r}; core and procedural values have a key, others none"
    if known.crop is not None and known.label != "visual_concept":
        return "has a crop; only a visual_concept has"
    return ""


def _cited_problem(known: Memory, turns: Sequence[DialogueTurn], erased: Collection[int]) -> str:
    sources = known.source_turns
    for cited in (sources, known.ended_by_turns):
        if list(cited) != sorted(set(cited)):
            return "cites turns twice or out of order"
        if cited and not 0 <= cited[0] <= cited[-1] < len(turns):
            return f"cites turns that are not there; there are {len(turns)}"
        if gone := sorted(set(cited) & set(erased)):
            return f"cites turn {gone[0]}, which was erased"
    if not sources:
        if not known.happened_from <= known.happened_to <= known.known_at:
            return "is known before it happened, or ended before it began"
        return ""
    first, last = turns[sources[0]].at, turns[sources[-1]].at
    if known.known_at < last or known.known_turns <= sources[-1]:
        return (
            f"is known at {known.known_at.isoformat()} after {known.known_turns} turns, before turn {sources[-1]} of "
            f"{last.isoformat()} was said"
        )
    if (known.happened_from, known.happened_to) != (first, last):
        return "has other times than its first and last turn"
    return ""


def _end_problem(known: Memory, turns: Sequence[DialogueTurn]) -> str:
    by = known.ended_by_turns
    if known.ended_at is None or known.ended_turns is None:
        if known.ended_at is None and known.ended_turns is None and not known.replaced_by and not by:
            return ""
        return "holds still, and was ended too"
    if known.kind not in LATEST_ONLY:
        return f"is {known.kind} and was ended; only core and procedural values are"
    if known.ended_at < known.known_at or known.ended_turns < known.known_turns:
        return "was ended before it was known"
    if by and (known.ended_at < turns[by[-1]].at or known.ended_turns <= by[-1]):
        return f"was ended before turn {by[-1]}, which ended it, was said"
    return ""


def _check_versions(memories: Sequence[Memory]) -> None:
    held: dict[tuple[str, str, str], Memory] = {}
    before: dict[tuple[str, str, str], str] = {}
    for known in memories:
        if known.kind not in LATEST_ONLY:
            if known.replaces:
                raise MemoryCorrupt(f"memory {known.memory_id} is {known.kind} and replaces another; leave that out")
            continue
        value = known.kind, known.label, known.key
        last = held.get(value)
        if last is not None and last.ended_at is None:
            raise MemoryCorrupt(
                f"memories {last.memory_id} and {known.memory_id} both hold as {known.key!r}; end the earlier one"
            )
        expected = last.memory_id if last is not None and last.replaced_by else ""
        if known.replaces != expected or (expected and before[value] != known.memory_id):
            raise MemoryCorrupt(
                f"memory {known.memory_id} and the version of {known.key!r} before it do not name each other"
            )
        held[value], before[value] = known, known.replaced_by
    for last in held.values():
        if last.replaced_by:
            raise MemoryCorrupt(f"memory {last.memory_id} was replaced by {last.replaced_by}, which is not there")
