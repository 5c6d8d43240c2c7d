"""What must hold of memories, whoever made them: turns covered, citations resolve, profile in range, no future."""

from __future__ import annotations

import collections
import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from lifeloom.records import Memory, PersonalityPoint

__all__ = ["SaidTurn", "citation_problems", "coverage_problems", "future_problems", "profile_problems"]

_MOST = 20  # problems told of one check


class SaidTurn(Protocol):
    """A turn of a conversation."""

    @property
    def turn_index(self) -> int:
        """From 0."""
        ...

    @property
    def at(self) -> dt.datetime:
        """When it was said."""
        ...


def coverage_problems(memories: Iterable[Memory], turns_of: Mapping[str, Sequence[SaidTurn]]) -> list[str]:
    """Return the turns that no episode covers (PersonaVLM Appendix A.1: episodes organise the whole raw dialogue)."""
    covered: dict[str, set[int]] = collections.defaultdict(set)
    for memory in memories:
        if memory.kind == "episodic":
            covered[memory.user_id].update(memory.source_turns)
    problems = []
    for user_id, turns in turns_of.items():
        missing = sorted({turn.turn_index for turn in turns} - covered[user_id])
        if missing:
            problems.append(f"{user_id}: no episode covers turns {', '.join(map(str, missing[:10]))}")
    return problems[:_MOST]


def citation_problems(memories: Iterable[Memory], turns_of: Mapping[str, Sequence[SaidTurn]]) -> list[str]:
    """Return the memories that cite no turn, or one that there is not; a core value from the start needs none."""
    known = {user_id: {turn.turn_index for turn in turns} for user_id, turns in turns_of.items()}
    problems = []
    for memory in memories:
        cited = {*memory.source_turns, *memory.ended_by_turns}
        if strange := sorted(cited - known.get(memory.user_id, set())):
            problems.append(f"{memory.memory_id} of {memory.user_id} cites turns {strange} that there are not")
        elif not memory.source_turns and not (memory.kind == "core" and memory.known_turns == 0):
            problems.append(f"{memory.memory_id} of {memory.user_id} cites no turn")
    return problems[:_MOST]


def profile_problems(points: Iterable[PersonalityPoint], turns_of: Mapping[str, Sequence[SaidTurn]]) -> list[str]:
    """Return the points whose scores leave 1..5, and the users who have not one point a turn, in order."""
    problems, seen = [], collections.defaultdict(list)
    for point in points:
        seen[point.user_id].append(point.turn_index)
        scores = (*point.profile.vector(), *point.inferred)
        if any(not 1 <= score <= 5 for score in scores):
            problems.append(f"turn {point.turn_index} of {point.user_id}: a score outside of 1..5")
    for user_id, turns in turns_of.items():
        if seen[user_id] != [turn.turn_index for turn in turns]:
            problems.append(f"{user_id}: {len(seen[user_id])} points for {len(turns)} turns, or not in order")
    return problems[:_MOST]


def future_problems(memories: Iterable[Memory], turns_of: Mapping[str, Sequence[SaidTurn]]) -> list[str]:
    """Return the memories that are known before a turn that they follow from was said."""
    times = {user_id: {turn.turn_index: turn.at for turn in turns} for user_id, turns in turns_of.items()}
    problems = []
    for memory in memories:
        own = times.get(memory.user_id, {})
        said = [own[turn] for turn in memory.source_turns if turn in own]
        if said and (memory.known_at < max(said) or memory.known_turns <= max(memory.source_turns)):
            problems.append(f"{memory.memory_id} of {memory.user_id} is known before turn {max(memory.source_turns)}")
        ended = [own[turn] for turn in memory.ended_by_turns if turn in own]
        if ended and memory.ended_at is not None and memory.ended_at < max(ended):
            problems.append(f"{memory.memory_id} of {memory.user_id} ended before turn {max(memory.ended_by_turns)}")
    return problems[:_MOST]
