"""Picture strips for an asset's metadata: a few thumbnails, small enough to be kept with every materialisation."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass

from lifeloom.store.pictures import decode_picture

__all__ = ["STRIP_BYTES", "StripPicture", "picture_strip"]

STRIP_BYTES = 30_000
"""Largest strip, as the Markdown that holds it; Dagster keeps it in its database."""
_MOST = 8
_GAP = 4


@dataclass(frozen=True)
class StripPicture:
    """A picture of a strip."""

    data: bytes
    """The file."""
    caption: str


def picture_strip(pictures: Sequence[StripPicture], limit: int = STRIP_BYTES) -> str:
    """Return Markdown with up to 8 of ``pictures`` side by side and their captions, at most ``limit`` bytes.

    Thumbnails get smaller, then coarser, until the strip fits.

    Raises:
        PictureRejected: a picture cannot be decoded.
        ValueError: captions alone are longer than ``limit``.
    """
    if not pictures:
        return "no pictures"
    shown = pictures[:_MOST]
    captions = "\n".join(f"{number}. {_plain(item.caption)}" for number, item in enumerate(shown, start=1))
    images = [decode_picture(item.data) for item in shown]
    for side, quality in ((128, 82), (128, 65), (112, 60), (96, 60), (80, 50), (64, 45), (48, 35)):
        strip = f"![pictures](data:image/jpeg;base64,{_jpeg(images, side, quality)})\n\n{captions}"
        if len(strip.encode()) <= limit:
            return strip
    raise ValueError(f"the strip does not fit into {limit} bytes; give shorter captions")


def _plain(caption: str) -> str:
    """Return ``caption`` as one line that Markdown shows as it is."""
    return "".join(c if c.isalnum() or c in " ,.:'-" else " " for c in caption)[:120]


def _jpeg(images: Sequence[object], side: int, quality: int) -> str:
    from PIL import Image, ImageOps

    strip = Image.new("RGB", (len(images) * (side + _GAP) - _GAP, side), "white")
    for number, image in enumerate(images):
        assert isinstance(image, Image.Image)  # noqa: S101 - decode_picture gives nothing else
        strip.paste(ImageOps.fit(image, (side, side)), (number * (side + _GAP), 0))
    out = io.BytesIO()
    strip.save(out, format="JPEG", quality=quality, optimize=True)
    return base64.b64encode(out.getvalue()).decode()
