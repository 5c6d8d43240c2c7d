"""The Personality Evolving Mechanism: a profile that moves with every message (PersonaVLM Section 3.1, Appendix A.1).

The profile p holds five scores in 1..5 and starts neutral. A turn's inferred scores p' move it to
lambda * p + (1 - lambda) * p', with lambda_m = 0.7 - 0.2 cos(pi min(m, 50) / 50): quick at first, steady from the
fiftieth turn on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from lifeloom.records import TRAITS, BigFiveProfile

__all__ = ["NEUTRAL", "NEUTRAL_PROFILE", "STEADY_AFTER", "Evolved", "counted", "describe", "evolve", "smoothing"]

NEUTRAL = 3
"""The score that says nothing."""
NEUTRAL_PROFILE = BigFiveProfile(
    openness=3.0, conscientiousness=3.0, extraversion=3.0, agreeableness=3.0, neuroticism=3.0
)
"""Where the profile of somebody unknown starts."""
STEADY_AFTER = 50
"""Turns after which lambda grows no more."""

_HIGH, _LOW = 3.5, 2.5
_SIGNS: dict[str, tuple[str, str]] = {
    "openness": ("likes ideas and novelty", "likes the familiar and practical"),
    "conscientiousness": ("likes order, plans and detail", "easy-going, spontaneous"),
    "extraversion": ("lively, sociable", "quiet, reserved"),
    "agreeableness": ("warm, tactful", "blunt, critical"),
    "neuroticism": ("worries, needs reassurance", "calm, even"),
}


def smoothing(m: int) -> float:
    """Return lambda_m, 0.5..0.9: the share of the old profile that stays at the ``m``-th turn.

    Raises:
        ValueError: ``m`` is negative.
    """
    if m < 0:
        raise ValueError(f"turns are counted from 1, not {m}")
    return 0.7 - 0.2 * math.cos(math.pi * min(m, STEADY_AFTER) / STEADY_AFTER)


def counted(turn_index: int, applied_before: int, count: Literal["turns", "updates"] = "turns") -> int:
    """Return m for a turn.

    Args:
        turn_index: The turn, from 0: with ``turns``, m is its number from 1, whether earlier turns moved the profile
            or not. The paper does not say; this is the default.
        applied_before: Turns before it that moved the profile: with ``updates``, only they count.
        count: What m counts.
    """
    return (turn_index if count == "turns" else applied_before) + 1


@dataclass(frozen=True)
class Evolved:
    """What a turn did to the profile."""

    profile: BigFiveProfile
    """After the turn."""
    smoothing: float
    """Lambda of the turn."""
    applied: bool
    """Whether the profile moved."""
    skipped: Literal["", "neutral", "rejected"] = ""
    inferred: tuple[int, ...] = ()
    """The scores, in the order of ``TRAITS``; empty where they were rejected."""


def evolve(
    profile: BigFiveProfile, inferred: Sequence[int] | None, m: int, *, skip: Literal["all", "trait"] = "all"
) -> Evolved:
    """Return the profile after a turn.

    A turn whose five scores are all 3 says nothing and is skipped. Scores that are not five whole numbers in 1..5 (or
    None: the model gave none) are rejected for the turn, and the profile stays.

    Args:
        profile: Before the turn.
        inferred: Scores inferred from the turn, in the order of ``TRAITS``.
        m: Number of the turn, from 1 (``counted``).
        skip: ``trait``: skip each trait that is 3 by itself, as PersonaVLM's release does; the paper skips the turn
            only when all are.
    """
    share = smoothing(m)
    scores = () if inferred is None else tuple(inferred)
    if len(scores) != len(TRAITS) or not all(type(score) is int and 1 <= score <= 5 for score in scores):
        return Evolved(profile, share, applied=False, skipped="rejected")
    if all(score == NEUTRAL for score in scores):
        return Evolved(profile, share, applied=False, skipped="neutral", inferred=scores)
    moved = {  # rounding must not carry a score over the edge
        trait: old if skip == "trait" and score == NEUTRAL else min(max(share * old + (1 - share) * score, 1.0), 5.0)
        for trait, old, score in zip(TRAITS, profile.vector(), scores, strict=True)
    }
    return Evolved(BigFiveProfile(**moved), share, applied=True, inferred=scores)


def describe(profile: BigFiveProfile) -> str:
    """Return the profile in words for a prompt: each trait with its score and, away from the middle, what shows it.

    High is 3.5 and more, low 2.5 and less.
    """
    parts = []
    for trait, score in zip(TRAITS, profile.vector(), strict=True):
        level = "high" if score >= _HIGH else "low" if score <= _LOW else "middle"
        sign = "" if level == "middle" else f": {_SIGNS[trait][level == 'low']}"
        parts.append(f"{trait} {score:.1f} ({level}{sign})")
    return "; ".join(parts)
