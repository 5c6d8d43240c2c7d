"""The art of all places."""

from __future__ import annotations

from collections.abc import Mapping

from lifeloom.models.builtin.painter.pen import Pen
from lifeloom.models.builtin.painter.places.art import PlaceArt
from lifeloom.models.builtin.painter.vocabulary import PLACES

__all__ = ["PLACE_ART", "PlaceArt"]


def _b(pen: Pen) -> None:
    pen.rect(0, 300, 512, 212, "#88bb77")


def _l(pen: Pen, top: float) -> None:
    pen.rect(0, top, 512, 120, "#995544")


PLACE_ART: Mapping[str, PlaceArt] = {place.name: PlaceArt(_b, _l, "#ccbb99") for place in PLACES}
