"""Big Five inference on traits planned away from the middle, beside a constant 3.

Of a trait planned near 3 nothing can be read, and a constant 3 looks right. So only traits planned at least
``AWAY`` from 3 are judged. Two readings are judged: the profile at the end of a conversation (what the Personality
Evolving Mechanism made of all turns; PersonaVLM Appendix A.1), and whatever single turns were taken to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from evaluation.intervals import Estimate, Numbers, estimate, pearson, ratio
from evaluation.personality_recovery import NEUTRAL, PersonalityCurve
from lifeloom.records import TRAITS, Record
from lifeloom.streams import Streams

__all__ = ["AWAY", "BigFiveAccuracy", "Reading", "judge_big_five"]

AWAY = 0.5
"""A trait is judged where its planned score is at least this far from 3."""

Reading = Literal["profile", "turn"]
"""profile: after the last turn of a conversation. turn: each score other than 3 that was inferred from one turn; a 3
says that the turn shows nothing of the trait, as most turns do."""


class BigFiveAccuracy(Record):
    """How near inferred scores come to planned ones, for one trait or all five.

    None stands where a number is not defined: nothing was judged, or planned or inferred scores do not vary.
    """

    KIND = "big_five_accuracy"

    reading: Reading
    trait: str
    """A trait or ``all``."""
    judged: int
    """Scores judged."""
    conversations: int
    error: float | None
    """Mean absolute error, 0..4."""
    error_low: float | None
    error_high: float | None
    """Bootstrap 95 % interval over conversations, as all intervals here."""
    neutral_error: float | None
    """Of the constant 3 on the same scores."""
    gain: float | None
    """``neutral_error`` minus ``error``, paired: above 0 where inference is better than saying nothing."""
    gain_low: float | None
    gain_high: float | None
    direction: float | None
    """Share inferred on the planned side of 3, 0..1. A constant 3 has 0, a coin one half."""
    direction_low: float | None
    direction_high: float | None
    undecided: int
    """Profile scores of exactly 3: not on the planned side."""
    correlation: float | None
    """Pearson's, of inferred and planned scores."""
    correlation_low: float | None
    correlation_high: float | None
    seed: int


def judge_big_five(
    curves: Sequence[PersonalityCurve], *, seed: int, bootstrap_samples: int, away: float = AWAY
) -> list[BigFiveAccuracy]:
    """Return error, direction and correlation by reading and trait, all traits first.

    Args:
        curves: planned and inferred scores of each conversation.
        seed: seed of the intervals.
        bootstrap_samples: resamples behind an interval.
        away: how far from 3 a planned score must be to be judged.
    """
    rows: list[BigFiveAccuracy] = []
    for reading in ("profile", "turn"):
        for trait in ("all", *TRAITS):
            numbers = range(len(TRAITS)) if trait == "all" else (TRAITS.index(trait),)
            members = [
                _sums(pairs)
                for curve in curves
                if (pairs := [p for p in _pairs(curve, reading, numbers) if abs(p.planned - NEUTRAL) >= away])
            ]
            rows.append(
                _row(
                    reading,
                    trait,
                    members,
                    Streams(seed).numpy_seed("big_five", reading, trait),
                    bootstrap_samples,
                    seed,
                )
            )
    return rows


@dataclass(frozen=True)
class _Pair:
    planned: float
    inferred: float


def _pairs(curve: PersonalityCurve, reading: Reading, numbers: Sequence[int]) -> Iterator[_Pair]:
    if reading == "profile":
        for number in numbers:
            yield _Pair(curve.planned[-1][number], curve.inferred[-1][number])
        return
    for planned, scores in zip(curve.planned, curve.read, strict=True):
        for number in numbers if scores else ():
            if scores[number] != NEUTRAL:
                yield _Pair(planned[number], float(scores[number]))


def _sums(pairs: Sequence[_Pair]) -> Numbers:
    """Return count, x, y, x², y², xy, |x - y|, |3 - y|, right sides, undecided, of inferred x and planned y."""
    x = np.array([pair.inferred for pair in pairs])
    y = np.array([pair.planned for pair in pairs])
    right = (x - NEUTRAL) * (y - NEUTRAL) > 0
    columns = (
        np.ones(len(pairs)), x, y, x * x, y * y, x * y, np.abs(x - y), np.abs(NEUTRAL - y), right, x == NEUTRAL
    )  # fmt: skip
    return np.array([column.sum() for column in columns], dtype=np.float64)


def _row(
    reading: Reading, trait: str, members: Sequence[Numbers], seeded: int, samples: int, seed: int
) -> BigFiveAccuracy:
    def judged(column: int, minus: int | None = None) -> Estimate:
        if not members:
            return Estimate(float("nan"), float("nan"), float("nan"))
        return estimate(
            np.array(members),
            lambda s: ratio(s[:, column] - (0 if minus is None else s[:, minus]), s[:, 0]),
            samples=samples,
            seed=seeded,
        )

    error, gain, direction = judged(6), judged(7, 6), judged(8)
    nothing = Estimate(float("nan"), float("nan"), float("nan"))
    correlation = (
        estimate(np.array(members), lambda s: pearson(s[:, :6]), samples=samples, seed=seeded) if members else nothing
    )
    total = np.sum(members, axis=0) if members else np.zeros(10)
    return BigFiveAccuracy(
        reading=reading,
        trait=trait,
        judged=int(total[0]),
        conversations=len(members),
        error=_or_none(error.value),
        error_low=_or_none(error.low),
        error_high=_or_none(error.high),
        neutral_error=_or_none(error.value + gain.value),
        gain=_or_none(gain.value),
        gain_low=_or_none(gain.low),
        gain_high=_or_none(gain.high),
        direction=_or_none(direction.value),
        direction_low=_or_none(direction.low),
        direction_high=_or_none(direction.high),
        undecided=int(total[9]),
        correlation=_or_none(correlation.value),
        correlation_low=_or_none(correlation.low),
        correlation_high=_or_none(correlation.high),
        seed=seed,
    )


def _or_none(number: float) -> float | None:
    return number if np.isfinite(number) else None
