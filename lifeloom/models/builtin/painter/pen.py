"""A pen that writes SVG shapes in the light of a picture, with its own chance."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from typing import Literal

from lifeloom.models.builtin.painter.light import Light, mix, tinted

__all__ = ["Pen"]

Point = tuple[float, float]


class Pen:
    """Collects shapes in the 512 x 512 units of a picture; colours are those of plain daylight.

    Every method that draws takes ``glow``: such a shape keeps its colour in any light (lamps, moon, sky).
    """

    def __init__(self, light: Light, rng: random.Random) -> None:
        self.light = light
        self.rng = rng
        self._parts: list[str] = []

    @property
    def content(self) -> str:
        """All shapes so far, as SVG."""
        return "".join(self._parts)

    def between(self, low: float, high: float) -> float:
        """Draw a number between ``low`` and ``high``."""
        return self.rng.uniform(low, high)

    def pick(self, *colours: str) -> str:
        """Draw one of ``colours``."""
        return self.rng.choice(colours)

    def pick_number(self, *numbers: float) -> float:
        """Draw one of ``numbers``."""
        return self.rng.choice(numbers)

    def chance(self, probability: float) -> bool:
        """Draw whether something is so."""
        return self.rng.random() < probability

    def snowy(self, colour: str, share: float = 0.72) -> str:
        """Return ``colour`` of a ground or a leaf, mixed with white outdoors while it snows."""
        return mix(colour, "#f4f8fc", share) if self.light.weather == "snow" and not self.light.indoor else colour

    def _lit(self, colour: str, glow: bool) -> str:
        return colour if glow or not colour.startswith("#") else tinted(colour, self.light.place)

    def raw(self, svg: str) -> None:
        """Add SVG as it stands."""
        self._parts.append(svg)

    def rect(
        self,
        left: float,
        top: float,
        width: float,
        height: float,
        fill: str,
        *,
        corner: float = 0,
        opacity: float = 1,
        glow: bool = False,
    ) -> None:
        """Draw a rectangle, with rounded corners where ``corner`` is above 0."""
        rounded = f' rx="{corner:.1f}"' if corner else ""
        self._parts.append(
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}"{rounded}'
            f' fill="{self._lit(fill, glow)}"{_opacity("fill", opacity)}/>'
        )

    def ellipse(
        self, x: float, y: float, across: float, down: float, fill: str, *, opacity: float = 1, glow: bool = False
    ) -> None:
        """Draw an ellipse by its centre and two radii."""
        self._parts.append(
            f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{across:.1f}" ry="{down:.1f}" fill="{self._lit(fill, glow)}"'
            f"{_opacity('fill', opacity)}/>"
        )

    def circle(self, x: float, y: float, radius: float, fill: str, *, opacity: float = 1, glow: bool = False) -> None:
        """Draw a disc."""
        self.ellipse(x, y, radius, radius, fill, opacity=opacity, glow=glow)

    def polygon(self, points: Sequence[Point], fill: str, *, opacity: float = 1, glow: bool = False) -> None:
        """Draw a polygon."""
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self._parts.append(f'<polygon points="{corners}" fill="{self._lit(fill, glow)}"{_opacity("fill", opacity)}/>')

    def path(self, data: str, fill: str, *, opacity: float = 1, glow: bool = False) -> None:
        """Draw a filled path."""
        self._parts.append(f'<path d="{data}" fill="{self._lit(fill, glow)}"{_opacity("fill", opacity)}/>')

    def stroke(self, data: str, colour: str, width: float, *, opacity: float = 1, glow: bool = False) -> None:
        """Draw a path as a line with round ends."""
        self._parts.append(
            f'<path d="{data}" fill="none" stroke="{self._lit(colour, glow)}" stroke-width="{width:.1f}"'
            f' stroke-linecap="round" stroke-linejoin="round"{_opacity("stroke", opacity)}/>'
        )

    def line(
        self,
        x: float,
        y: float,
        to_x: float,
        to_y: float,
        colour: str,
        width: float,
        *,
        opacity: float = 1,
        glow: bool = False,
    ) -> None:
        """Draw a straight line with round ends."""
        self.stroke(f"M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}", colour, width, opacity=opacity, glow=glow)

    def shade(
        self, left: float, top: float, width: float, height: float, stops: Sequence[tuple[float, str, float]]
    ) -> None:
        """Fill a rectangle, top to bottom, by ``(offset, colour, opacity)`` at offsets that rise from 0 to 1.

        Fine bands, whose steps nobody sees: a real gradient takes as long as all the rest of a place.
        Like a sky, it keeps its colours in any light.
        """
        count = max(2, round(height / _BAND))
        edges = [round(top + height * number / count) for number in range(count + 1)]
        for number, (start, end) in enumerate(itertools.pairwise(edges)):
            colour, opacity = _between_stops(stops, (number + 0.5) / count)
            self._parts.append(
                f'<rect x="{left:.1f}" y="{start}" width="{width:.1f}" height="{end - start}" fill="{colour}"'
                f'{_opacity("fill", opacity)} shape-rendering="crispEdges"/>'
            )

    def glow(self, x: float, y: float, radius: float, colour: str, strength: float = 0.6) -> None:
        """Draw the shine of a lamp: strongest in the middle, gone at ``radius``."""
        rings = 12
        for ring in range(rings):
            self.circle(x, y, radius * (1 - ring / rings) ** 1.2, colour, opacity=strength / rings * 1.25, glow=True)


_BAND = 6
"""Units a band of a shade is high."""


def _between_stops(stops: Sequence[tuple[float, str, float]], offset: float) -> tuple[str, float]:
    """Return colour and opacity at ``offset`` of a shade."""
    if offset <= stops[0][0]:
        return stops[0][1], stops[0][2]
    for (low, colour, opacity), (high, next_colour, next_opacity) in itertools.pairwise(stops):
        if offset <= high:
            share = (offset - low) / (high - low)
            return mix(colour, next_colour, share), opacity + (next_opacity - opacity) * share
    return stops[-1][1], stops[-1][2]


def _opacity(paint: Literal["fill", "stroke"], value: float) -> str:
    """Return the attribute; a shape's own ``opacity`` would be drawn on a layer of its own, which takes long."""
    return "" if value >= 1 else f' {paint}-opacity="{value:.3f}"'
