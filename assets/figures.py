"""Figures and report pages as an asset's metadata: tables as they are, pictures small enough to be kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import dagster as dg

from evaluation.report_runs import ReportPage
from evaluation.reports import INLINE_BYTES, inlined, inlined_together
from lifeloom.records import TRAITS, PersonalityPoint

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["personality_curve", "report_metadata"]


def report_metadata(page: ReportPage) -> dict[str, Any]:
    """Return the tables and figures of a report; all figures together are at most ``INLINE_BYTES``."""
    figures = inlined_together(page.figures)
    return {
        **{name: dg.MetadataValue.md(table) for name, table in page.tables.items()},
        **{f"figure: {name}": dg.MetadataValue.md(figure) for name, figure in figures.items()},
    }


def personality_curve(points: Sequence[PersonalityPoint]) -> str:
    """Return one user's personality over the turns as an inlined figure (PersonaVLM Fig. 14)."""
    if not points:
        return "no turns"
    return inlined(lambda: _curve(points), "personality over the turns", INLINE_BYTES // 2)


def _curve(points: Sequence[PersonalityPoint]) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 2.6), layout="constrained")
    axes = figure.subplots()
    turns = [point.turn_index + 1 for point in points]
    for trait in TRAITS:
        axes.plot(turns, [getattr(point.profile, trait) for point in points], label=trait, linewidth=1.2)
    axes.set_ylim(1, 5)
    axes.set_xlabel("turn")
    axes.set_ylabel("score")
    axes.set_title(f"personality of {points[0].user_id}", fontsize=9)
    axes.legend(ncols=5, fontsize=7, frameon=False, loc="upper center")
    axes.spines[["top", "right"]].set_visible(False)
    return figure
