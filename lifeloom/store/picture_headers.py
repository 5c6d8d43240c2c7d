"""What a picture file says of itself before a pixel is decoded: format, size, stillness, which way is up.

Nothing here allocates by what a file claims, and every walk is bounded by the file's own length. A walk also
gives back the file without what is not needed for its pixels: colour profiles, texts, comments, thumbnails and
EXIF. That is where a small file can make a decoder unpack gigabytes or copy one block a million times.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NoReturn, get_args

from lifeloom.store.errors import StoreError

__all__ = ["EXTENSIONS", "MAX_BYTES", "MAX_PIXELS", "MIN_SIDE", "Header", "PictureRejected", "Reason", "read_header"]

Reason = Literal[
    "too_many_pixels",
    "too_large",
    "truncated",
    "unknown_format",
    "wrong_extension",
    "animated",
    "too_small",
    "symbolic_link",
    "outside_folder",
    "bad_name",
    "missing",
    "unsupported_mode",
]
"""Why a picture is not taken.
too_many_pixels: over ``MAX_PIXELS``, or more pixels than its bytes can honestly hold. too_large: the file, or the
number of its parts. truncated: cut short or broken. unknown_format: none of PNG, JPEG, WebP, GIF, BMP.
wrong_extension: the content is not what the name says. animated: more than one frame. too_small: a side under
``MIN_SIDE``. symbolic_link: a link on the way to it. outside_folder: the name leads out of its folder. bad_name: no
name that every system can have. missing: no such file. unsupported_mode: a way of storing pixels that is not read."""

MAX_BYTES = 64 * 2**20
"""Largest file, in bytes."""
MAX_PIXELS = 50_000_000
"""Most pixels (width times height)."""
MIN_SIDE = 16
"""Least width and height, in pixels: below it there is nothing to see."""

_FREE_PIXELS = 4_000_000
_PIXELS_PER_BYTE = 2_000
"""Above ``_FREE_PIXELS``, more pixels than this for a byte are a bomb: a single colour takes an honest encoder more."""
_MAX_PARTS = 500_000
"""Chunks, segments or blocks of a file; a file of ``MAX_BYTES`` in blocks of 255 bytes has 264,000."""
_MAX_SCANNED = 1_000_000_000
"""Pixels times passes of a progressive JPEG; each pass goes over all pixels again."""
_DEFLATE_LIMIT = 1032
"""Bytes that one byte of deflate can unpack to at most (RFC 1951)."""

EXTENSIONS: dict[str, str] = {
    ".png": "PNG",
    ".jpg": "JPEG",
    ".jpeg": "JPEG",
    ".webp": "WEBP",
    ".gif": "GIF",
    ".bmp": "BMP",
}
"""Extensions that picture files may have, in lower case, with their formats."""


class PictureRejected(StoreError, ValueError):
    """A picture is not taken.

    Attributes:
        reason: Which rule it breaks, for counting.
        detail: What was found, for a person.
    """

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(f"the picture was rejected ({reason}): {detail}")
        self.reason: Reason = reason
        self.detail = detail

    def __reduce__(self) -> tuple[type[PictureRejected], tuple[Reason, str]]:
        """Let it travel between processes."""
        return type(self), (self.reason, self.detail)


@dataclass(frozen=True)
class Header:
    """What a file says before its pixels are decoded."""

    format: str
    """``PNG``, ``JPEG``, ``WEBP``, ``GIF`` or ``BMP``."""
    width: int
    height: int
    """Pixels as stored, before it is turned upright."""
    orientation: int
    """EXIF orientation, 1 (as stored) to 8."""
    data: bytes
    """The file without what its pixels do not need."""


def sniff(data: bytes) -> str:
    """Return the format that the first bytes show; empty when it is none of those that are read."""
    for signature, name in ((b"\x89PNG\r\n\x1a\n", "PNG"), (b"\xff\xd8\xff", "JPEG"), (b"BM", "BMP")):
        if data.startswith(signature):
            return name
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WEBP"
    return "GIF" if data[:6] in (b"GIF87a", b"GIF89a") else ""


def read_header(data: bytes) -> Header:
    """Return what the picture file ``data`` says of itself.

    Raises:
        PictureRejected: it breaks a rule; see ``Reason``.
    """
    if len(data) > MAX_BYTES:
        _reject("too_large", f"the file has {len(data):,} bytes, more than {MAX_BYTES:,}")
    if not data:
        _reject("truncated", "the file is empty")
    form = sniff(data)
    if not form:
        _reject("unknown_format", f"it starts with {data[:16]!r}: not PNG, JPEG, WebP, GIF or BMP")
    try:
        header = _WALKS[form](data)
    except (struct.error, IndexError) as error:
        raise PictureRejected("truncated", f"the {form} file ends within its header") from error
    check_size(header.width, header.height, len(data))
    return header


def check_size(width: int, height: int, file_bytes: int) -> None:
    """Refuse sizes that are too small, too large, or larger than a file of ``file_bytes`` can honestly hold.

    Raises:
        PictureRejected: too_small or too_many_pixels.
    """
    pixels = width * height
    if pixels > MAX_PIXELS:
        _reject("too_many_pixels", f"{width} x {height} pixels are more than {MAX_PIXELS:,}")
    if pixels > max(_FREE_PIXELS, _PIXELS_PER_BYTE * file_bytes):
        _reject("too_many_pixels", f"{width} x {height} pixels in only {file_bytes:,} bytes")
    if min(width, height) < MIN_SIDE:
        _reject("too_small", f"{width} x {height} pixels; each side needs {MIN_SIDE}")


def _reject(reason: Reason, detail: str) -> NoReturn:
    raise PictureRejected(reason, detail)


def _count_part(parts: int) -> int:
    if parts >= _MAX_PARTS:
        _reject("too_large", f"the file has more than {_MAX_PARTS:,} parts")
    return parts + 1


def _png(data: bytes) -> Header:
    kept, place, parts = [data[:8]], 8, 0
    width = height = packed = row_bits = 0
    orientation = 1
    while place < len(data):
        parts = _count_part(parts)
        length, kind = struct.unpack_from(">I4s", data, place)
        end = place + 12 + length
        if end > len(data):
            _reject("truncated", f"the PNG chunk {kind!r} goes on after the end of the file")
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack_from(">IIBB", data, place + 8)
            row_bits = width * depth * {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}.get(colour, 1)
        elif kind == b"acTL" and struct.unpack_from(">I", data, place + 8)[0] > 1:
            _reject("animated", "the PNG file has more than one frame")
        elif kind == b"eXIf":
            orientation = _orientation(data[place + 8 : end - 4])
        elif kind == b"IDAT":
            packed += length
        if kind in (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"):
            kept.append(data[place:end])
        place = end
        if kind == b"IEND":
            break
    if not width or not height or not packed:
        _reject("truncated", "the PNG file has no pixels")
    check_size(width, height, len(data))
    if packed * _DEFLATE_LIMIT < height * row_bits // 8:
        _reject("truncated", f"{packed:,} bytes cannot hold the {width} x {height} pixels that the PNG file claims")
    return Header("PNG", width, height, orientation, b"".join(kept))


def _jpeg(data: bytes) -> Header:
    kept, place, parts = [data[:2]], 2, 0
    width = height = 0
    orientation = 1
    while True:
        parts = _count_part(parts)
        if data[place] != 0xFF:
            _reject("truncated", "the JPEG file has no marker where one belongs")
        marker = data[place + 1]
        if marker == 0xFF:  # padding
            place += 1
            continue
        if marker in (0x00, 0x01, 0xD8, 0xD9) or 0xD0 <= marker <= 0xD7:
            _reject("truncated", f"the JPEG marker {marker:#04x} stands in the header")
        if marker == 0xDA:
            break
        (length,) = struct.unpack_from(">H", data, place + 2)
        end = place + 2 + length
        if length < 2 or end > len(data):
            _reject("truncated", "a JPEG segment goes on after the end of the file")
        body = data[place + 4 : end]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            depth, height, width = struct.unpack_from(">BHH", body)
            if depth != 8:
                _reject("unsupported_mode", f"a JPEG file with {depth} bits a sample")
        if marker == 0xE1 and body.startswith(b"Exif\0\0") and orientation == 1:
            orientation = _orientation(body[6:])
        # Of what applications add, only what says how colours are meant.
        meant = (marker == 0xE0 and body.startswith(b"JFIF\0")) or (marker == 0xEE and body.startswith(b"Adobe"))
        if meant or not (0xE0 <= marker <= 0xEF or marker == 0xFE):
            kept.append(data[place:end])
        place = end
    if not width or not height:
        _reject("truncated", "the JPEG file gives no size before its pixels")
    scans = data.count(b"\xff\xda", place)
    if width * height <= MAX_PIXELS < _MAX_SCANNED < width * height * scans:
        _reject("too_many_pixels", f"{width} x {height} pixels in {scans} passes")
    return Header("JPEG", width, height, orientation, b"".join((*kept, data[place:])))


def _webp(data: bytes) -> Header:
    kind = data[12:16]
    orientation = 1
    if kind == b"VP8X":
        if data[20] & 0x02:
            _reject("animated", "the WebP file is an animation")
        width = 1 + int.from_bytes(data[24:27], "little")
        height = 1 + int.from_bytes(data[27:30], "little")
        if len(data) < 30:
            _reject("truncated", "the WebP file ends within its header")
        if data[20] & 0x08:
            orientation = _orientation(_webp_exif(data))
    elif kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        width, height = 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    elif kind == b"VP8 ":
        width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", data, 26))
    else:
        _reject("truncated", f"the WebP file starts with the part {kind!r}")
    return Header("WEBP", width, height, orientation, data)


def _webp_exif(data: bytes) -> bytes:
    place, parts = 12, 0
    while place + 8 <= len(data):
        parts = _count_part(parts)
        kind, length = struct.unpack_from("<4sI", data, place)
        if kind == b"EXIF":
            return data[place + 8 : place + 8 + length].removeprefix(b"Exif\0\0")
        place += 8 + length + length % 2
    return b""


def _gif(data: bytes) -> Header:
    width, height, flags = struct.unpack_from("<HHB", data, 6)
    place = 13 + (3 << (flags & 7) + 1 if flags & 0x80 else 0)
    kept = [data[:place]]
    frames = parts = 0
    while place < len(data) and data[place] != 0x3B:
        start, introducer = place, data[place]
        if introducer == 0x2C:
            frames += 1
            if frames > 1:
                _reject("animated", "the GIF file has more than one frame")
            left, top, own_width, own_height, flags = struct.unpack_from("<HHHHB", data, place + 1)
            # Decoders widen the screen to hold the frame.
            width, height = max(width, left + own_width), max(height, top + own_height)
            place += 11 + (3 << (flags & 7) + 1 if flags & 0x80 else 0)
            needed = True
        elif introducer == 0x21:
            needed = data[place + 1] == 0xF9  # graphic control: which colour is transparent
            place += 2
        else:
            _reject("truncated", f"the GIF file has no block where one belongs, but {introducer:#04x}")
        while data[place]:
            parts = _count_part(parts)
            place += 1 + data[place]
        place += 1
        if needed:
            kept.append(data[start:place])
    if not frames:
        _reject("truncated", "the GIF file has no frame")
    return Header("GIF", width, height, 1, b"".join((*kept, b"\x3b")))


def _bmp(data: bytes) -> Header:
    start, header_size = struct.unpack_from("<II", data, 10)
    if header_size == 12:
        width, height, _, bits = struct.unpack_from("<HHHH", data, 18)
        packing = 0
    else:
        width, height, _, bits, packing = struct.unpack_from("<iiHHI", data, 18)
    height = abs(height)
    if packing not in (0, 3):
        _reject("unsupported_mode", f"a BMP file with packed pixels (method {packing})")
    if width <= 0 or not height:
        _reject("truncated", "the BMP file gives no size")
    check_size(width, height, len(data))
    if start + (width * bits + 31) // 32 * 4 * height > len(data):
        _reject("truncated", f"the BMP file ends before its {width} x {height} pixels do")
    return Header("BMP", width, height, 1, data)


def _orientation(exif: bytes) -> int:
    """Return the orientation that an EXIF block gives; 1 where it gives none, or is itself broken.

    Only the one entry is looked up: a block may list thousands that all point at the same megabytes.
    """
    order: Literal["<", ">"] = "<" if exif[:2] == b"II" else ">"
    try:
        (directory,) = struct.unpack_from(f"{order}I", exif, 4)
        (entries,) = struct.unpack_from(f"{order}H", exif, directory)
        for entry in range(entries):
            tag, kind, count, value = struct.unpack_from(f"{order}HHIH", exif, directory + 2 + 12 * entry)
            if tag == 0x0112:
                return value if kind == 3 and count == 1 and 1 <= value <= 8 else 1
    except struct.error:
        return 1  # says nothing that can be read: the picture itself may be whole
    return 1


_WALKS: dict[str, Callable[[bytes], Header]] = {"PNG": _png, "JPEG": _jpeg, "WEBP": _webp, "GIF": _gif, "BMP": _bmp}

REASONS: tuple[Reason, ...] = get_args(Reason)
