"""Cutting what a detector found out of a picture, for an image encoder to look at."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lifeloom.models.protocol import Detection

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["crops"]


def crops(picture: Image, detections: Sequence[Detection], margin: float = 0.0) -> list[Image]:
    """Return one crop of ``picture`` for each of ``detections``, in their order.

    A crop covers every pixel that its box touches, at least one, and nothing outside the picture.

    Args:
        picture: the picture that the boxes were found in.
        detections: what was found in it.
        margin: how much of the surroundings to keep on each side, as a share of the box's width or height, 0 or more.
    """
    if margin < 0:
        raise ValueError("margin is a share of the box: 0 or more")
    found = []
    for detection in detections:
        left, top, right, bottom = detection.box
        across, down = margin * (right - left), margin * (bottom - top)
        first, last = _pixels(left - across, right + across, picture.width)
        upper, lower = _pixels(top - down, bottom + down, picture.height)
        found.append(picture.crop((first, upper, last, lower)))
    return found


def _pixels(start: float, end: float, length: int) -> tuple[int, int]:
    first = min(max(0, math.floor(start)), length - 1)
    return first, max(first + 1, min(length, math.ceil(end)))
