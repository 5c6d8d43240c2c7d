"""What drifts from session to session: the topics talked about and the Big Five scores."""

from __future__ import annotations

import random
from collections.abc import Sequence

from lifeloom.records import AREAS, TRAITS, Area, BigFiveProfile, Shift

__all__ = ["drift_personality", "drift_topics"]

_POOL = 6
_SESSION_TOPICS = (2, 3)


def drift_topics(
    rng: random.Random, first_turns: Sequence[int], topic_shift: float
) -> tuple[tuple[tuple[Area, ...], ...], tuple[Shift, ...]]:
    """Draw the areas each session's small talk and errands are about, from a pool that shifts now and then.

    Args:
        rng: the stream to draw from.
        first_turns: first turn of each session.
        topic_shift: probability of a shift at each session after the first.

    Returns:
        Areas by session, and the shifts (areas that leave the pool, areas that come).
    """
    pool = rng.sample(AREAS, _POOL)
    topics: list[tuple[Area, ...]] = []
    shifts = []
    for session, first_turn in enumerate(first_turns):
        if session and rng.random() < topic_shift:
            count = rng.randint(2, 3)
            leaving = rng.sample(pool, count)
            coming = rng.sample([area for area in AREAS if area not in pool], count)
            pool = [area for area in pool if area not in leaving] + coming
            shifts.append(
                Shift(kind="topic", turn_index=first_turn, before=", ".join(leaving), after=", ".join(coming))
            )
        topics.append(tuple(rng.sample(pool, rng.randint(*_SESSION_TOPICS))))
    return tuple(topics), tuple(shifts)


def drift_personality(
    rng: random.Random, start: BigFiveProfile, first_turns: Sequence[int], personality_shift: float
) -> tuple[tuple[BigFiveProfile, ...], tuple[Shift, ...]]:
    """Return the scores in force in each session: at most one change, at a session of the middle half.

    One or two traits move by 0.8 to 2.5, to the side where there is room, and stay within 1..5.
    """
    sessions = len(first_turns)
    profiles = [start] * sessions
    if sessions < 2 or rng.random() >= personality_shift:
        return tuple(profiles), ()
    at = rng.randint(max(1, sessions // 4), max(1, 3 * sessions // 4))
    at = min(at, sessions - 1)
    moved: dict[str, float] = {}
    for trait in sorted(rng.sample(TRAITS, rng.randint(1, 2)), key=TRAITS.index):
        score = getattr(start, trait)
        step = rng.randint(8, 25) / 10
        moved[trait] = round(max(1.0, min(5.0, score + step if score < 3 else score - step)), 1)
    after = BigFiveProfile.model_validate(start.model_dump() | moved)
    profiles[at:] = [after] * (sessions - at)
    shift = Shift(
        kind="personality",
        turn_index=first_turns[at],
        before=", ".join(f"{trait} {getattr(start, trait):.1f}" for trait in moved),
        after=", ".join(f"{trait} {score:.1f}" for trait, score in moved.items()),
    )
    return tuple(profiles), (shift,)
