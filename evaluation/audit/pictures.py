"""Pictures stored differently: re-encoded, moved by some pixels, or under another name."""

from __future__ import annotations

import hashlib
import io
import random
import zlib
from collections.abc import Callable

from lifeloom.models.protocol import PictureSource
from lifeloom.records import PictureReference

__all__ = ["Overlay", "reencoded", "renamed", "shifted"]

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_HEADER_END = len(_PNG) + 4 + 4 + 13 + 4
"""After the signature comes the chunk IHDR: length, type, 13 bytes, checksum."""
_JPEG = b"\xff\xd8"
QUALITY = 85
SHIFTS = (3, 8)
"""Smallest and largest shift along an axis, in pixels."""


class Overlay:
    """A picture source with changed pictures beside those of another source. It holds the changed files."""

    def __init__(
        self,
        source: PictureSource,
        rng_of: Callable[[PictureReference], random.Random],
        edit: Callable[[bytes, random.Random], bytes],
    ) -> None:
        """Change pictures of ``source`` by ``edit`` with the generator that ``rng_of`` gives for a picture."""
        self._source = source
        self._rng_of = rng_of
        self._edit = edit
        self._files: dict[str, bytes] = {}
        self._changed: dict[str, str] = {}

    def changed(self, picture: PictureReference) -> PictureReference:
        """Return the changed picture; equal pictures are changed alike.

        Raises:
            PictureRejected: its file is not a picture that can be read.
            MediaMissing, MediaCorrupt: its file is gone or damaged.
        """
        if picture.content_hash not in self._changed:
            data = self._edit(self._source(picture), self._rng_of(picture))
            content = hashlib.sha256(data).hexdigest()
            self._files[content] = data
            self._changed[picture.content_hash] = content
        return picture.model_copy(update={"content_hash": self._changed[picture.content_hash]})

    def __call__(self, reference: PictureReference) -> bytes:
        """Return the file of a changed picture, or of one of the source's own."""
        found = self._files.get(reference.content_hash)
        return self._source(reference) if found is None else found


def reencoded(data: bytes, rng: random.Random) -> bytes:
    """Return the picture as JPEG of quality 85, of the same size."""
    from lifeloom.store.pictures import decode_picture

    out = io.BytesIO()
    decode_picture(data).save(out, format="JPEG", quality=QUALITY)
    return out.getvalue()


def shifted(data: bytes, rng: random.Random) -> bytes:
    """Return the picture moved by 3 to 8 pixels along both axes, as PNG of the same size; edge pixels are repeated."""
    import numpy as np
    from PIL import Image

    from lifeloom.store.pictures import decode_picture, encode_png

    pixels = np.asarray(decode_picture(data))  # (height, width, 3)
    height, width = pixels.shape[:2]
    down, right = (rng.choice((-1, 1)) * rng.randint(*SHIFTS) for _ in range(2))
    rows = np.clip(np.arange(height) - down, 0, height - 1)
    columns = np.clip(np.arange(width) - right, 0, width - 1)
    return encode_png(Image.fromarray(pixels[rows][:, columns]))


def renamed(data: bytes, rng: random.Random) -> bytes:
    """Return a file with the same pixels and another content hash: a comment of chance is added to it."""
    comment = f"Comment\x00{rng.getrandbits(64):016x}".encode()
    if data.startswith(_PNG):
        chunk = b"tEXt" + comment
        added = len(comment).to_bytes(4, "big") + chunk + zlib.crc32(chunk).to_bytes(4, "big")
        return data[:_PNG_HEADER_END] + added + data[_PNG_HEADER_END:]
    if data.startswith(_JPEG):
        return _JPEG + b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + data[len(_JPEG) :]
    from lifeloom.store.pictures import decode_picture, encode_png

    return renamed(encode_png(decode_picture(data)), rng)
