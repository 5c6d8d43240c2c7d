"""What a place is made of, and the measures that all places share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lifeloom.models.builtin.painter.pen import Pen

__all__ = ["HORIZON", "SIDE", "STRIP_TOP", "PlaceArt"]

SIDE = 512
"""Units of a picture's side."""
HORIZON = 300
"""Where the ground begins, roughly."""
STRIP_TOP = 462
"""Where the strip in front of the ledge begins, on which things stand."""


@dataclass(frozen=True)
class PlaceArt:
    """How a place is drawn."""

    backdrop: Callable[[Pen], None]
    """Everything behind the subjects, ground included, over the whole picture. Outdoors the sky is there already."""
    ledge: Callable[[Pen, float], None]
    """What people stand behind, from the given height (about 410) down to ``STRIP_TOP``, as wide as the picture."""
    strip: str
    """Colour of the ground in front of the ledge."""
