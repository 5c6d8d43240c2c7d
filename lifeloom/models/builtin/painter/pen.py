"""A pen that writes SVG shapes in the light of a picture, with its own chance."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

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
        self._gradients = 0

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
            f' fill="{self._lit(fill, glow)}"{_opacity(opacity)}/>'
        )

    def ellipse(
        self, x: float, y: float, across: float, down: float, fill: str, *, opacity: float = 1, glow: bool = False
    ) -> None:
        """Draw an ellipse by its centre and two radii."""
        self._parts.append(
            f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{across:.1f}" ry="{down:.1f}" fill="{self._lit(fill, glow)}"'
            f"{_opacity(opacity)}/>"
        )

    def circle(self, x: float, y: float, radius: float, fill: str, *, opacity: float = 1, glow: bool = False) -> None:
        """Draw a disc."""
        self.ellipse(x, y, radius, radius, fill, opacity=opacity, glow=glow)

    def polygon(self, points: Sequence[Point], fill: str, *, opacity: float = 1, glow: bool = False) -> None:
        """Draw a polygon."""
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self._parts.append(f'<polygon points="{corners}" fill="{self._lit(fill, glow)}"{_opacity(opacity)}/>')

    def path(self, data: str, fill: str, *, opacity: float = 1, glow: bool = False) -> None:
        """Draw a filled path."""
        self._parts.append(f'<path d="{data}" fill="{self._lit(fill, glow)}"{_opacity(opacity)}/>')

    def stroke(self, data: str, colour: str, width: float, *, opacity: float = 1, glow: bool = False) -> None:
        """Draw a path as a line with round ends."""
        self._parts.append(
            f'<path d="{data}" fill="none" stroke="{self._lit(colour, glow)}" stroke-width="{width:.1f}"'
            f' stroke-linecap="round" stroke-linejoin="round"{_opacity(opacity)}/>'
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

    def gradient(self, stops: Iterable[tuple[float, str, float]], *, radial: bool = False) -> str:
        """Define a gradient, top to bottom or from the centre, of ``(offset, colour, opacity)``; return its fill."""
        self._gradients += 1
        name = f"gradient{self._gradients}"
        inner = "".join(
            f'<stop offset="{offset:.2f}" stop-color="{colour}" stop-opacity="{opacity:.2f}"/>'
            for offset, colour, opacity in stops
        )
        kind = (
            '<radialGradient id="{0}">{1}</radialGradient>'
            if radial
            else ('<linearGradient id="{0}" x1="0" y1="0" x2="0" y2="1">{1}</linearGradient>')
        )
        self._parts.append(f"<defs>{kind.format(name, inner)}</defs>")
        return f"url(#{name})"

    def glow(self, x: float, y: float, radius: float, colour: str, strength: float = 0.6) -> None:
        """Draw the shine of a lamp."""
        fill = self.gradient([(0, colour, strength), (1, colour, 0)], radial=True)
        self.circle(x, y, radius, fill, glow=True)


def _opacity(value: float) -> str:
    return "" if value >= 1 else f' opacity="{value:.2f}"'
