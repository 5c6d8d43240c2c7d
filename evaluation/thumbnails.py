"""Small copies of stored pictures, as text that a page holds in itself."""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass

from lifeloom.models.protocol import PictureSource
from lifeloom.records import PictureReference
from lifeloom.store import StoreError
from lifeloom.store.pictures import PictureRejected, decode_picture

__all__ = ["Thumbnail", "thumbnail"]


@dataclass(frozen=True)
class Thumbnail:
    """A picture as a page shows it: a small JPEG file, or why there is none."""

    data: str = ""
    """Base64."""
    problem: str = ""


def thumbnail(picture: PictureReference, source: PictureSource, side: int, quality: int = 80) -> Thumbnail:
    """Return a picture with its longer side at most ``side`` pixels; one that is missing or broken says so."""
    try:
        image = decode_picture(source(picture))
    except (StoreError, PictureRejected) as error:
        return Thumbnail(problem=f"picture {picture.content_hash[:12]} cannot be shown: {error}")
    image.thumbnail((side, side))
    out = io.BytesIO()
    image.save(out, format="JPEG", quality=quality)
    return Thumbnail(data=base64.b64encode(out.getvalue()).decode())
