"""Drawn pictures with what stands in them: what is fitted and measured on."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lifeloom.models.protocol import PictureNotDrawn
from lifeloom.records import DrawnSubject, PicturePlan

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["Example", "draw_examples"]


@dataclass(frozen=True)
class Example:
    """A picture and the truth about it."""

    data: bytes
    """PNG: a thousand decoded pictures would take a gigabyte."""
    place: str
    """Empty for a portrait."""
    time_of_day: str
    """Empty for a portrait."""
    subjects: tuple[DrawnSubject, ...]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels, from the file's header alone."""
        from PIL import Image as PillowImage

        with PillowImage.open(io.BytesIO(self.data)) as picture:
            return picture.size

    def image(self) -> Image:
        """Return the decoded picture."""
        from PIL import Image as PillowImage

        with PillowImage.open(io.BytesIO(self.data)) as picture:
            return picture.convert("RGB")


def draw_examples(plans: Iterable[PicturePlan], workers: int = 1) -> Iterator[Example]:
    """Draw ``plans`` with the built-in painter, in order.

    Raises:
        PictureNotDrawn: the painter cannot draw one of them: the plans or the painter are wrong.
    """
    from lifeloom.models.builtin.painter.pool import DrawingPool

    kept = list(plans)
    with DrawingPool(workers) as pool:
        for plan, drawn in zip(kept, pool.draw_many(kept), strict=True):
            if isinstance(drawn, PictureNotDrawn):
                raise drawn
            scene = plan.kind == "scene"
            yield Example(drawn.data, plan.place, plan.time_of_day if scene else "", drawn.subjects)
