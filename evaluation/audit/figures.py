"""Small figures as inline SVG, coloured by the page's style."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["FIGURE_STYLE", "Interval", "difference_figure", "interval_figure", "share_bars"]

_WIDTH, _LEFT, _RIGHT, _ROW, _TOP = 360, 176, 14, 30, 6


@dataclass(frozen=True)
class Interval:
    """One line of a figure. Numbers are 0..1."""

    label: str
    value: float
    low: float
    high: float
    note: str = ""
    """Stands small under the label."""
    chance: float = 0.0


def interval_figure(rows: Sequence[Interval], *, chance: float | None, limit: float | None) -> str:
    """Draw a dot with its whisker for each row, on 0 to 100 %.

    Args:
        rows: from top to bottom.
        chance: where the dotted line stands; None: each row has its own mark.
        limit: where the dashed line stands; None: none.
    """
    bottom = _TOP + _ROW * len(rows)
    parts = [
        f'<line class="grid-line" x1="{_x(share):.1f}" y1="{_TOP}" x2="{_x(share):.1f}" y2="{bottom}"/>'
        f'<text class="tick" x="{_x(share):.1f}" y="{bottom + 14}" text-anchor="middle">{share:.0%}</text>'
        for share in (0, 0.25, 0.5, 0.75, 1)
    ]
    if chance is not None:
        parts.append(_upright("chance", chance, _TOP, bottom))
    if limit is not None:
        parts.append(_upright("limit", limit, _TOP, bottom))
    for number, row in enumerate(rows):
        middle = _TOP + _ROW * number + _ROW / 2
        beyond = " beyond" if limit is not None and row.low > limit else ""
        if chance is None:
            parts.append(_upright("chance", row.chance, middle - 9, middle + 9))
        told = f"{row.label}: {row.value:.1%} [{row.low:.1%}, {row.high:.1%}], {row.note}"
        parts.append(
            f"<g><title>{html.escape(told)}</title>"
            f'<text class="label" x="0" y="{middle - 1:.1f}">{html.escape(row.label)}</text>'
            f'<text class="note" x="0" y="{middle + 10:.1f}">{html.escape(row.note)}</text>'
            f'<line class="whisker{beyond}" x1="{_x(row.low):.1f}" y1="{middle:.1f}" x2="{_x(row.high):.1f}" '
            f'y2="{middle:.1f}"/><circle class="dot{beyond}" cx="{_x(row.value):.1f}" cy="{middle:.1f}" r="4"/></g>'
        )
    return (
        f'<svg viewBox="0 0 {_WIDTH} {bottom + 20}" width="{_WIDTH}" role="img" aria-label="accuracies with intervals">'
        + "".join(parts)
        + "</svg>"
    )


def difference_figure(value: float, low: float, high: float, tolerance: float, widest: float) -> str:
    """Draw a difference with its interval around zero, over the band of what is tolerated. All in points."""
    width, height = 170, 24
    scale = (width / 2 - 8) / max(widest, 1e-9)

    def x(points: float) -> float:
        return width / 2 + points * scale

    told = f"{value:+.1f} points [{low:+.1f}, {high:+.1f}]"
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" role="img" aria-label="{html.escape(told)}">'
        f'<rect class="band" x="{x(-tolerance):.1f}" y="1" width="{2 * tolerance * scale:.1f}" height="{height - 2}"/>'
        f'<line class="grid-line" x1="{x(0):.1f}" y1="1" x2="{x(0):.1f}" y2="{height - 1}"/>'
        f'<line class="whisker" x1="{x(low):.1f}" y1="{height / 2}" x2="{x(high):.1f}" y2="{height / 2}"/>'
        f'<circle class="dot" cx="{x(value):.1f}" cy="{height / 2}" r="4"/></svg>'
    )


def share_bars(counts: Sequence[int], *, labels: Sequence[str]) -> str:
    """Draw a bar for each count beside the others, with a line where all would be equal."""
    width, height, gap = 34 * max(len(counts), 1), 26, 6
    most = max([*counts, 1])
    even = height - height * (sum(counts) / max(len(counts), 1)) / most
    bars = "".join(
        f'<rect class="bar" x="{34 * n + gap / 2}" y="{height - height * count / most:.1f}" width="{34 - gap}" '
        f'height="{height * count / most:.1f}"><title>{html.escape(label)}: {count}</title></rect>'
        for n, (count, label) in enumerate(zip(counts, labels, strict=True))
    )
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" role="img" aria-label="right answers by letter">{bars}'
        f'<line class="chance" x1="0" y1="{even:.1f}" x2="{width}" y2="{even:.1f}"/></svg>'
    )


def _x(share: float) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * share


def _upright(name: str, share: float, top: float, bottom: float) -> str:
    return f'<line class="{name}" x1="{_x(share):.1f}" y1="{top:.1f}" x2="{_x(share):.1f}" y2="{bottom:.1f}"/>'


FIGURE_STYLE = """
svg text { fill: var(--ink); font-size: 11.5px; } svg text.note, svg text.tick { fill: var(--soft); font-size: 9.5px; }
.grid-line { stroke: var(--line); } .whisker { stroke: var(--dot); stroke-width: 2; } .dot { fill: var(--dot); }
.whisker.beyond { stroke: var(--bad); } .dot.beyond { fill: var(--bad); }
line.chance { stroke: var(--ink); stroke-width: 1.3; stroke-dasharray: 1.5 3; }
line.limit { stroke: var(--bad); stroke-width: 1.3; stroke-dasharray: 6 3; }
.band { fill: var(--good); opacity: .18; } .bar { fill: var(--dot); opacity: .75; }
.key.chance { border-bottom: 2px dotted var(--ink); } .key.limit { border-bottom: 2px dashed var(--bad); }
"""
