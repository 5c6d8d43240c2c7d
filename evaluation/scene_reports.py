"""How many query pictures the filter refused, by number of concepts, as a table and a figure (CoViP Fig. S.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["PAPER_FAILURES", "failure_figure", "failure_table"]

PAPER_FAILURES: Mapping[int, str] = {
    1: "generally well aligned",
    2: "generally well aligned",
    3: "noticeably more",
    4: "nearly 45 %",
}
"""What the paper says of refused query pictures by number of concepts (Appendix D, under Fig. S.4); the figure's own
numbers are not in its text. Its pictures were made by a generative model, and Gemini-2.5 Flash looked at them."""
_PAPER_AT_FOUR = 45.0
"""Per cent."""

Counts = Mapping[int, tuple[int, int]]
"""Number of concepts to how many were refused, and of how many."""


def failure_table(counts: Counts) -> str:
    """Return Markdown with a row for each number of concepts and one for all, with 95 % Wilson intervals."""
    if not counts:
        return "no query pictures"
    lines = ["| concepts | query pictures | refused | share | paper |", "|---|---|---|---|---|"]
    lines += [
        f"| {concepts} | {of} | {refused} | {_share(refused, of)} | {PAPER_FAILURES.get(concepts, '')} |"
        for concepts, (refused, of) in sorted(counts.items())
    ]
    refused, of = (sum(column) for column in zip(*counts.values(), strict=True))
    return "\n".join([*lines, f"| all | {of} | {refused} | {_share(refused, of)} | |"])


def failure_figure(counts: Counts) -> Figure:
    """Draw the share refused by number of concepts, with 95 % Wilson intervals; a line shows the paper's at four.

    Raises:
        ValueError: there are no query pictures.
    """
    from matplotlib.figure import Figure

    shown = {concepts: pair for concepts, pair in sorted(counts.items()) if pair[1]}
    if not shown:
        raise ValueError("there are no query pictures to draw")
    places = list(shown)
    shares = [100 * refused / of for refused, of in shown.values()]
    intervals = [_wilson(refused, of) for refused, of in shown.values()]
    spread = [
        [max(0.0, share - 100 * low) for share, (low, _) in zip(shares, intervals, strict=True)],
        [max(0.0, 100 * high - share) for share, (_, high) in zip(shares, intervals, strict=True)],
    ]
    figure = Figure(figsize=(4.6, 2.4), layout="constrained")
    axes = figure.subplots()
    axes.bar(places, shares, 0.6, color="#3b6fb6", yerr=spread, capsize=2, ecolor="#444444")
    axes.hlines(_PAPER_AT_FOUR, 3.6, 4.4, colors="#d9822b", linestyles="dashed", label="paper, four concepts")
    axes.set_xticks(range(1, 5))
    axes.set_xlim(0.4, 4.6)
    axes.set_ylim(0, 100)
    axes.set_xlabel("concepts in the query picture")
    axes.set_ylabel("refused, %")
    axes.legend(fontsize=8, frameon=False, loc="upper left")
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def _share(part: int, whole: int) -> str:
    if not whole:
        return "none"
    low, high = _wilson(part, whole)
    return f"{part / whole:.1%} ({low:.1%} to {high:.1%})"


def _wilson(part: int, whole: int) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of a share, 0..1."""
    from scipy.stats import binomtest

    found = binomtest(part, whole).proportion_ci(method="wilson")
    return float(found.low), float(found.high)
