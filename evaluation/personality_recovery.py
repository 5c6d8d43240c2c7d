"""How well the evolving personality follows the planned one over a conversation (PersonaVLM Appendix A.1, Fig. 14).

The plan says which Big Five scores are in force in each session; the personality curve says what the assistant made
of the turns so far. Beside it stands the constant 3, which says nothing of anybody.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.intervals import estimate, ratio
from lifeloom.records import TRAITS, ConversationPlan, PersonalityPoint, Record
from lifeloom.streams import Streams

__all__ = [
    "NEUTRAL",
    "TURN_BINS",
    "PersonalityCurve",
    "PersonalityError",
    "ShiftLag",
    "errors_by_turn",
    "followed",
    "lags_after_shifts",
    "middle_lag",
    "sampled_curves",
]

NEUTRAL = 3.0
"""The score that the constant baseline gives every trait."""

TURN_BINS = (0, 10, 20, 30, 50, 100, 200)
"""First turns of the bins; the last one is open."""


@dataclass(frozen=True)
class PersonalityCurve:
    """Planned and inferred scores of one conversation, turn by turn."""

    user_id: str
    setting: str
    planned: tuple[tuple[float, ...], ...]
    """Scores in force, in the order of ``TRAITS``: (turns, 5)."""
    inferred: tuple[tuple[float, ...], ...]
    """Profile after each turn: (turns, 5)."""
    read: tuple[tuple[int, ...], ...]
    """What was inferred from each turn alone, (turns, 5); empty for a turn whose inference was rejected."""


class PersonalityError(Record):
    """Mean absolute error of the profile over the turns of a bin and the five traits, 0..4."""

    KIND = "personality_error"

    first_turn: int
    """From 0."""
    last_turn: int
    """Inclusive: the last turn of the bin that there is."""
    turns: int
    """Of all conversations that reach the bin."""
    conversations: int
    error: float
    error_low: float
    error_high: float
    """Bootstrap 95 % interval over conversations."""
    neutral_error: float
    """Of the constant 3 on the same turns."""
    gain: float
    """``neutral_error`` minus ``error``: above 0 where the profile is better than saying nothing."""
    gain_low: float
    gain_high: float
    seed: int


class ShiftLag(Record):
    """How soon the profile followed one trait that the plan moved.

    The way is counted from the profile before the shift: half of it is recovered at the first turn after which the
    profile has moved by half the planned step, in its direction. Somebody who is read too mildly throughout thus is not
    taken as never followed. Beside it, the same is looked for in the traits of the conversation that the plan left
    alone: what drifts that far by itself says nothing.
    """

    KIND = "shift_lag"

    user_id: str
    setting: str
    trait: str
    turn_index: int
    """First turn after the shift."""
    before: float
    after: float
    """Planned scores."""
    profile_before: float
    """The profile's score before the shift."""
    turns_after: int
    """Turns from the shift to the trait's next one, or to the end of the conversation."""
    lag: int | None
    """Turns until half of the step was recovered, the first turn after the shift being 1. None: never."""
    still_traits: int
    """Traits that the plan left alone."""
    still_moved: int
    """Those of them that moved as far in the same direction, within as many turns."""


class CurveMismatch(ValueError):
    """A personality curve and a plan do not belong together."""


def followed(
    plans: Sequence[ConversationPlan], points: Mapping[str, Sequence[PersonalityPoint]]
) -> list[PersonalityCurve]:
    """Put plans and personality curves side by side, by user.

    Args:
        plans: one a user.
        points: the personality curve of each user, in the order of its turns. After a turn without a point the
            profile is what it was before, neutral at first.

    Raises:
        CurveMismatch: a user has two plans, no curve, or one of another conversation.
    """
    if len({plan.persona_id for plan in plans}) < len(plans):
        raise CurveMismatch("a user has two plans; give one conversation a user")
    curves = []
    for plan in plans:
        own = {point.turn_index: point for point in points.get(plan.persona_id, ())}
        if not own:
            raise CurveMismatch(f"{plan.persona_id} has no personality curve; make memories of the conversation first")
        if max(own) >= len(plan.turns):
            raise CurveMismatch(
                f"{plan.persona_id} has a point of personality at turn {max(own)}, but the plan has {len(plan.turns)} "
                "turns; take plans and memories of one release"
            )
        inferred = [(NEUTRAL,) * len(TRAITS)]
        for turn in range(len(plan.turns)):
            inferred.append(own[turn].profile.vector() if turn in own else inferred[-1])
        planned = tuple(
            session.big_five.vector()
            for session in plan.sessions
            for _ in range(session.first_turn, session.last_turn + 1)
        )
        curves.append(
            PersonalityCurve(
                user_id=plan.persona_id,
                setting=plan.setting,
                planned=planned,
                inferred=tuple(inferred[1:]),
                read=tuple(own[turn].inferred if turn in own else () for turn in range(len(plan.turns))),
            )
        )
    return curves


def errors_by_turn(
    curves: Sequence[PersonalityCurve],
    *,
    seed: int,
    bootstrap_samples: int,
    bins: Sequence[int] = TURN_BINS,
) -> list[PersonalityError]:
    """Return the mean absolute error over the five traits by bins of turns, beside the constant 3.

    Args:
        curves: planned and inferred scores.
        seed: seed of the intervals.
        bootstrap_samples: resamples behind an interval.
        bins: first turns of the bins, ascending; a bin that no conversation reaches is left out.
    """
    rows: list[PersonalityError] = []
    for first, after in zip(bins, [*bins[1:], None], strict=True):
        members = []
        last = first
        for curve in curves:
            planned = np.array(curve.planned[first:after])
            if not len(planned):
                continue
            inferred = np.array(curve.inferred[first:after])
            last = max(last, first + len(planned) - 1)
            members.append((np.abs(inferred - planned).sum(), np.abs(NEUTRAL - planned).sum(), planned.size))
        if not members:
            continue
        seeded = Streams(seed).numpy_seed("personality", first)
        error = estimate(members, lambda s: ratio(s[:, 0], s[:, 2]), samples=bootstrap_samples, seed=seeded)
        gain = estimate(members, lambda s: ratio(s[:, 1] - s[:, 0], s[:, 2]), samples=bootstrap_samples, seed=seeded)
        rows.append(
            PersonalityError(
                first_turn=first,
                last_turn=last,
                turns=sum(size for *_, size in members) // len(TRAITS),
                conversations=len(members),
                error=error.value,
                error_low=error.low,
                error_high=error.high,
                neutral_error=error.value + gain.value,
                gain=gain.value,
                gain_low=gain.low,
                gain_high=gain.high,
                seed=seed,
            )
        )
    return rows


def lags_after_shifts(curves: Sequence[PersonalityCurve]) -> list[ShiftLag]:
    """Return how soon the profile followed every trait that a plan moved."""
    return [lag for curve in curves for lag in _lags(curve)]


def middle_lag(lags: Sequence[ShiftLag]) -> float | None:
    """Return the median lag in turns, shifts that were never followed counted as later than all others.

    None: there are no shifts, or half of them or more were never followed.
    """
    waits = sorted(float("inf") if lag.lag is None else float(lag.lag) for lag in lags)
    if not waits:
        return None
    middle = statistics.median(waits)
    return middle if np.isfinite(middle) else None


def sampled_curves(curves: Sequence[PersonalityCurve], count: int, *, seed: int) -> list[PersonalityCurve]:
    """Return ``count`` conversations drawn at random (all where there are fewer), for a figure as Fig. 14."""
    drawn = Streams(seed).rng("personality_curves").sample(range(len(curves)), min(count, len(curves)))
    return [curves[number] for number in sorted(drawn)]


def _lags(curve: PersonalityCurve) -> Iterator[ShiftLag]:
    turns = len(curve.planned)
    for turn in range(1, turns):
        steps = [after - before for before, after in zip(curve.planned[turn - 1], curve.planned[turn], strict=True)]
        start = curve.inferred[turn - 1]
        for number, step in enumerate(steps):
            if not step:
                continue
            planned = curve.planned[turn:]
            stays = next((n for n, scores in enumerate(planned) if scores[number] != planned[0][number]), len(planned))
            after = curve.inferred[turn : turn + stays]
            window = curve.planned[turn - 1 : turn + stays]
            still = [n for n in range(len(steps)) if len({scores[n] for scores in window}) == 1]
            yield ShiftLag(
                user_id=curve.user_id,
                setting=curve.setting,
                trait=TRAITS[number],
                turn_index=turn,
                before=curve.planned[turn - 1][number],
                after=curve.planned[turn][number],
                profile_before=start[number],
                turns_after=len(after),
                lag=_half(start[number], step, [profile[number] for profile in after]),
                still_traits=len(still),
                still_moved=sum(
                    _half(start[other], step, [profile[other] for profile in after]) is not None for other in still
                ),
            )


def _half(start: float, step: float, scores: Sequence[float]) -> int | None:
    """Return after how many turns half of ``step`` lies behind, None: never."""
    for turn, score in enumerate(scores, start=1):
        if (score - start) / step >= 0.5:
            return turn
    return None
