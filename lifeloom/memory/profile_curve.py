"""The personality curve when one of its points is taken out."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from lifeloom.records import TRAITS, BigFiveProfile, PersonalityPoint

__all__ = ["recomputed"]

_NEUTRAL = 3
_DIGITS = 9


def recomputed(points: Sequence[PersonalityPoint], *, without: int) -> tuple[PersonalityPoint, ...]:
    """Return the points left, those after the missing one computed anew from the scores inferred then.

    Each keeps its lambda: turns keep their numbers. Where the curve skips single traits, as PersonaVLM's release does
    (it shows: a trait scored 3 stayed where it was, away from 3), it still does.

    Args:
        points: The whole curve, by turn.
        without: The turn whose point goes.
    """
    by_trait = _skips_traits(points)
    left: list[PersonalityPoint] = []
    profile = _start(points[0]) if points else ()
    for point in points:
        if point.turn_index == without:
            continue
        if point.turn_index < without:
            profile = point.profile.vector()
        elif point.applied:
            share = point.smoothing
            profile = tuple(
                old if by_trait and score == _NEUTRAL else min(max(share * old + (1 - share) * score, 1.0), 5.0)
                for old, score in zip(profile, point.inferred, strict=True)
            )
        moved = BigFiveProfile(**dict(zip(TRAITS, profile, strict=True)))
        left.append(point if moved == point.profile else point.model_copy(update={"profile": moved}))
    return tuple(left)


def _start(first: PersonalityPoint) -> tuple[float, ...]:
    """Return the profile before the first point."""
    profile = first.profile.vector()
    if not first.applied:
        return profile
    share = first.smoothing
    return tuple(
        min(max(round((after - (1 - share) * score) / share, _DIGITS), 1.0), 5.0)
        for after, score in zip(profile, first.inferred, strict=True)
    )


def _skips_traits(points: Sequence[PersonalityPoint]) -> bool:
    for earlier, point in itertools.pairwise(points):
        if point.applied:
            compared = zip(earlier.profile.vector(), point.profile.vector(), point.inferred, strict=True)
            if any(score == _NEUTRAL and old == new != _NEUTRAL for old, new, score in compared):
                return True
    return False
