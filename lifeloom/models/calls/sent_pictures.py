"""Pictures as they are sent to a model: the stored file with its type."""

from __future__ import annotations

import base64
from collections.abc import Sequence

from lifeloom.models.calls.wire import SentPicture
from lifeloom.models.protocol import ModelError, PictureSource
from lifeloom.records import PictureReference

__all__ = ["UnknownPictureFormat", "data_url", "media_type", "sent_pictures"]


class UnknownPictureFormat(ModelError):
    """A picture's file is none of the formats that models take: store it as PNG or JPEG."""


def media_type(data: bytes) -> str:
    """Return the MIME type of a picture's file by its first bytes; empty for what models do not take."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return ""


def data_url(picture: SentPicture) -> str:
    """Return a picture's file as a data URL: how chat-completions servers take one that lies on no server."""
    return f"data:{picture.media_type};base64,{base64.b64encode(picture.data).decode()}"


def sent_pictures(images: Sequence[PictureReference], source: PictureSource) -> tuple[SentPicture, ...]:
    """Return ``images`` with their files, each read once however often it is shown.

    Raises:
        UnknownPictureFormat: a file is no PNG, JPEG, GIF or WebP file.
        Exception: what ``source`` raises for a picture that it does not have.
    """
    known: dict[str, SentPicture] = {}
    for image in images:
        if image.content_hash in known:
            continue
        data = source(image)
        kind = media_type(data)
        if not kind:
            raise UnknownPictureFormat(
                f"picture {image.content_hash} is no PNG, JPEG, GIF or WebP file and cannot be sent: store it as PNG "
                "or JPEG"
            )
        known[image.content_hash] = SentPicture(data, kind, image)
    return tuple(known[image.content_hash] for image in images)
