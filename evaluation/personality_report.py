"""How well personality is read: recovery over time, lags after shifts, and single traits, as tables and figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evaluation.big_five import AWAY, BigFiveAccuracy, judge_big_five
from evaluation.memory_figures import personality_error_figure, personality_figure
from evaluation.memory_tables import big_five_table, lag_table, personality_error_table
from evaluation.personality_recovery import (
    PersonalityCurve,
    PersonalityError,
    ShiftLag,
    errors_by_turn,
    followed,
    lags_after_shifts,
    middle_lag,
    sampled_curves,
)
from evaluation.report_runs import ReportPage
from lifeloom.records import ConversationPlan, PersonalityPoint

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["FIGURE_CONVERSATIONS", "PersonalityReport", "make_personality_report", "personality_page"]

FIGURE_CONVERSATIONS = 10
"""Conversations in the figure, as in PersonaVLM Fig. 14."""


@dataclass(frozen=True)
class PersonalityReport:
    """What was measured of the personality curves of a data set's users."""

    curves: tuple[PersonalityCurve, ...]
    errors: tuple[PersonalityError, ...]
    lags: tuple[ShiftLag, ...]
    big_five: tuple[BigFiveAccuracy, ...]
    shown: tuple[PersonalityCurve, ...]
    """Drawn at random for the figure."""


def make_personality_report(
    plans: Sequence[ConversationPlan],
    points: Mapping[str, Sequence[PersonalityPoint]],
    *,
    seed: int,
    bootstrap_samples: int,
) -> PersonalityReport:
    """Compare personality curves with the plans of the same conversations.

    Args:
        plans: one a user.
        points: the personality curve of each user, by id.
        seed: seed of the intervals and of the figure's conversations.
        bootstrap_samples: resamples behind an interval.

    Raises:
        CurveMismatch: curves and plans do not belong together.
    """
    curves = followed(plans, points)
    return PersonalityReport(
        curves=tuple(curves),
        errors=tuple(errors_by_turn(curves, seed=seed, bootstrap_samples=bootstrap_samples)),
        lags=tuple(lags_after_shifts(curves)),
        big_five=tuple(judge_big_five(curves, seed=seed, bootstrap_samples=bootstrap_samples)),
        shown=tuple(sampled_curves(curves, FIGURE_CONVERSATIONS, seed=seed)),
    )


def personality_page(report: PersonalityReport, title: str) -> ReportPage:
    """Return the report's tables (at most about 20 rows each), figures and metrics."""
    figures: dict[str, Callable[[], Figure]] = {}
    if report.curves:
        figures["personality over time"] = lambda: personality_figure(report.shown)
        figures["personality error by turn"] = lambda: personality_error_figure(report.errors)
    return ReportPage(
        title=title,
        tables={
            "recovery of the planned personality": personality_error_table(report.errors),
            "lag after a planned shift of personality": lag_table(report.lags),
            f"Big Five, on traits planned {AWAY} or more from 3": big_five_table(report.big_five),
        },
        figures=figures,
        metrics=_metrics(report),
        curves={
            "personality/error_by_turn": [(row.first_turn, row.error) for row in report.errors],
            "personality/constant_3_by_turn": [(row.first_turn, row.neutral_error) for row in report.errors],
        },
    )


def _metrics(report: PersonalityReport) -> dict[str, float]:
    metrics: dict[str, float] = {}
    for row in report.big_five:
        for name, value in (
            ("error", row.error),
            ("constant_3_error", row.neutral_error),
            ("gain", row.gain),
            ("direction", row.direction),
            ("correlation", row.correlation),
        ):
            if value is not None:
                metrics[f"personality/{row.reading}/{row.trait}/{name}"] = value
    if report.lags:
        metrics["personality/shifted_traits"] = len(report.lags)
        metrics["personality/never_followed"] = sum(lag.lag is None for lag in report.lags)
        middle = middle_lag(report.lags)
        if middle is not None:
            metrics["personality/median_lag_turns"] = middle
    return metrics
