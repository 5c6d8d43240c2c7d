"""The layers of a place: what lies behind the subjects, and the ledge that people stand behind."""

from __future__ import annotations

import functools
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lifeloom.models.builtin.painter.light import Light, light_of
from lifeloom.models.builtin.painter.pen import Pen
from lifeloom.models.builtin.painter.places import PLACE_ART
from lifeloom.models.builtin.painter.places.art import SIDE, STRIP_TOP
from lifeloom.models.builtin.painter.places.sky import draw_sky, draw_weather
from lifeloom.models.builtin.painter.raster import rasterise, svg_document
from lifeloom.models.builtin.painter.vocabulary import place
from lifeloom.records.pictures import PicturePlan

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["Scenery", "draw_ground", "draw_scenery"]

_OVERHANG = 34
"""Units by which a ledge may rise above its height (leaves, ropes, posts)."""
_LAMPLIGHT = "#ffe0ae"
"""Falls on the ground outdoors at night, so that dark things stand out."""
_GROUNDS = ("#cfe2ef", "#f3dfc8", "#dbead2", "#ead6e3", "#e7e2ce", "#d4dcf1", "#f2d9d4", "#d2e8e4")


@dataclass(frozen=True)
class Scenery:
    """The layers of one picture, fresh: they may be drawn onto."""

    light: Light
    backdrop: Image
    """RGBA, the whole picture."""
    ledge: Image | None
    """RGBA, the lower part of the picture; None without people."""
    ledge_offset: int
    """Row of the picture at which ``ledge`` begins."""
    ledge_top: float
    """Height of the ledge in units."""


def draw_scenery(plan: PicturePlan, rng: random.Random, *, with_ledge: bool) -> Scenery:
    """Draw the place of a scene in its light and weather, clutter by ``rng``."""
    outdoor = place(plan.place).outdoor
    light = light_of(plan.time_of_day, plan.weather, indoor=not outdoor)
    art = PLACE_ART[plan.place]
    scale = plan.size / SIDE
    pen = Pen(light, rng)
    if outdoor:
        draw_sky(pen)
    art.backdrop(pen)
    if outdoor and light.dark:
        pen.shade(0, 340, SIDE, SIDE - 340, [(0, _LAMPLIGHT, 0), (1, _LAMPLIGHT, 0.2)])
    if outdoor:
        draw_weather(pen)
    backdrop = rasterise(svg_document(pen.content, SIDE, SIDE), plan.size, plan.size)
    top = float(rng.randint(398, 420))
    if not with_ledge:
        return Scenery(light, backdrop, None, 0, top)
    front = Pen(light, rng)
    art.ledge(front, top)
    front.rect(0, STRIP_TOP, SIDE, SIDE - STRIP_TOP, front.snowy(art.strip))
    front.rect(0, STRIP_TOP, SIDE, 5, "#000000", opacity=0.08)
    if outdoor and light.dark:
        front.rect(0, STRIP_TOP, SIDE, SIDE - STRIP_TOP, _LAMPLIGHT, opacity=0.2, glow=True)
    offset = int((top - _OVERHANG) * scale)
    height = plan.size - offset
    window = svg_document(front.content, SIDE, height / scale, top=offset / scale)
    return Scenery(light, backdrop, rasterise(window, plan.size, height), offset, top)


def draw_ground(size: int, rng: random.Random) -> Image:
    """Draw the plain soft ground of a portrait; it is fresh and may be drawn onto."""
    return _ground(size, rng.choice(_GROUNDS)).copy()


@functools.lru_cache(maxsize=len(_GROUNDS))
def _ground(size: int, colour: str) -> Image:
    pen = Pen(light_of("day", "clear", indoor=True), random.Random(0))  # noqa: S311 - draws nothing by chance
    pen.rect(0, 0, SIDE, SIDE, colour)
    for ring in range(16):
        pen.circle(SIDE / 2, SIDE * 0.44, SIDE * 0.68 * (1 - ring / 16), "#ffffff", opacity=0.075, glow=True)
    return rasterise(svg_document(pen.content, SIDE, SIDE), size, size)
