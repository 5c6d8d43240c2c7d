"""Pictures as data URLs: how chat-completions servers take a picture that lies on no server."""

from __future__ import annotations

import base64

from lifeloom.models.protocol import ModelError

__all__ = ["UnknownPictureFormat", "data_url", "media_type"]


class UnknownPictureFormat(ModelError):
    """A picture's file is none of the formats that servers take: store it as PNG or JPEG."""


def media_type(data: bytes) -> str:
    """Return the MIME type of a picture's file by its first bytes; empty for what servers do not take."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return ""


def data_url(data: bytes, name: str) -> str:
    """Return a picture's file as a data URL.

    Args:
        data: the file.
        name: what to call it in a message.

    Raises:
        UnknownPictureFormat: it is no PNG, JPEG, GIF or WebP file.
    """
    kind = media_type(data)
    if not kind:
        raise UnknownPictureFormat(
            f"picture {name} is no PNG, JPEG, GIF or WebP file and cannot be sent: store it as PNG or JPEG"
        )
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"
