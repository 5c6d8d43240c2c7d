"""What a picture file says of itself before a pixel is decoded: format, size, stillness, which way is up.

Nothing here allocates by what a file claims, and every walk is bounded by the file's own length and by a number of
parts. A walk also says which pieces of the file its pixels need, all but colour profiles, texts, comments, thumbnails
and EXIF: that is where a small file can make a decoder unpack gigabytes or copy one block a million times. And it
finds out what is cut short before a decoder takes memory for the pixels, where the format lets it: all of PNG and
BMP, the markers of JPEG, the blocks of GIF.
"""

from __future__ import annotations

import re
import struct
import zlib
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

MAX_BYTES = 32 * 2**20
"""Largest file, in bytes: 32 MiB."""
MAX_PIXELS = 24_000_000
"""Most pixels (width times height): 24 million, the full frame of a camera."""
MIN_SIDE = 16
"""Least width and height, in pixels: below it there is nothing to see."""

_FREE_PIXELS = 4_000_000
_PIXELS_PER_BYTE = 2_000
"""Above ``_FREE_PIXELS``, more pixels than this for a byte are a bomb: a single colour takes an honest encoder more."""
_MAX_PARTS = 10_000
"""Chunks, segments or blocks of a file; a PNG file of ``MAX_BYTES`` in the usual chunks of 8 KiB has 4,096."""
_MAX_GIF_PARTS = 200_000
"""Sub-blocks of a GIF file, of at most 255 bytes each; one of ``MAX_BYTES`` has 132,000."""
_MAX_SCANNED = 1_000_000_000
"""Pixels times passes of a progressive JPEG; each pass goes over all pixels again."""
_DEFLATE_LIMIT = 1032
"""Bytes that one byte of deflate can unpack to at most (RFC 1951)."""
_FED, _INFLATED = 2**16, 2**18
"""Bytes that are handed to inflate at once, and that it may give back at once."""
_PALETTE, _TRANSPARENCY = 768, 256
"""Bytes that a palette and its transparency have at most (PNG, 11.2.2 and 11.3.1.1)."""
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""Numbers for a pixel, by the colour type of a PNG file."""
_PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
"""First column and row, steps of columns and rows of each pass of an interlaced PNG file (8.2)."""
_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
"""What ends the packed pixels of a JPEG scan: any marker but padding and restarts."""
_PADDING = b"\xff" * 1_000
"""Honest files have a byte or two of it in front of a marker; decoders read megabytes of it again and again."""

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
    pieces: tuple[memoryview, ...]
    """What the pixels need of the file, one after the other; views, nothing is copied."""


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


def _count_part(parts: int, most: int = _MAX_PARTS) -> int:
    if parts >= most:
        _reject("too_large", f"the file has more than {most:,} parts")
    return parts + 1


def _png(data: bytes) -> Header:
    view = memoryview(data)
    kept: list[memoryview] = [view[:8]]
    packed: list[memoryview] = []
    place, parts, orientation = 8, 0, 0
    width = height = depth = colour = interlaced = 0
    seen: set[bytes] = set()
    while b"IEND" not in seen:
        parts = _count_part(parts)
        length, kind = struct.unpack_from(">I4s", data, place)
        body, end = view[place + 8 : place + 8 + length], place + 12 + length
        if end > len(data):
            _reject("truncated", f"the PNG chunk {kind!r} goes on after the end of the file")
        if (kind == b"IHDR") != (not seen):
            _reject("truncated", f"the PNG chunk {kind!r} stands where it does not belong")
        if kind == b"acTL" and struct.unpack_from(">I", body)[0] > 1:
            _reject("animated", "the PNG file has more than one frame")
        if kind == b"eXIf" and not orientation:
            orientation = _orientation(body)
        if kind in (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"):
            _check_chunk(kind, body, data[end - 4 : end], seen)
            if kind == b"IHDR":
                width, height, depth, colour, interlaced = struct.unpack_from(">IIBB2xB", body)
            if kind == b"IDAT":
                packed.append(body)
            if kind != b"tRNS" or colour not in (4, 6):  # what has transparency of its own needs none
                kept.append(view[place:end])
        seen.add(kind)
        place = end
    if not width or not height or not any(map(len, packed)):
        _reject("truncated", "the PNG file has no pixels")
    check_size(width, height, len(data))
    _check_inflated(packed, _raw_bytes(width, height, depth * _CHANNELS.get(colour, 1), bool(interlaced)))
    return Header("PNG", width, height, orientation or 1, tuple(kept))


def _check_chunk(kind: bytes, body: memoryview, checksum: bytes, seen: set[bytes]) -> None:
    most = {b"IHDR": 13, b"PLTE": _PALETTE, b"tRNS": _TRANSPARENCY, b"IEND": 0}.get(kind, MAX_BYTES)
    if len(body) > most:
        _reject("truncated", f"the PNG chunk {kind!r} has {len(body):,} bytes, more than {most}")
    if kind in (b"PLTE", b"tRNS") and not seen.isdisjoint((kind, b"IDAT")):
        _reject("truncated", f"the PNG chunk {kind!r} stands where it does not belong")
    if zlib.crc32(body, zlib.crc32(kind)).to_bytes(4, "big") != checksum:
        _reject("truncated", f"the PNG chunk {kind!r} does not fit its checksum")


def _raw_bytes(width: int, height: int, pixel_bits: int, interlaced: bool) -> int:
    """Return how many bytes the pixels of a PNG file unpack to, each row with the byte of its filter."""
    total = 0
    for left, top, across, down in _PASSES if interlaced else ((0, 0, 1, 1),):
        columns, rows = -((left - width) // across), -((top - height) // down)
        if columns > 0 < rows:
            total += rows * (1 + (columns * pixel_bits + 7) // 8)
    return total


def _check_inflated(packed: list[memoryview], needed: int) -> None:
    """Refuse pixels that unpack to less than ``needed`` bytes; they are counted, not kept."""
    if sum(map(len, packed)) * _DEFLATE_LIMIT < needed:
        _reject("truncated", f"the packed pixels of the PNG file cannot hold the {needed:,} bytes that it claims")
    inflate, left = zlib.decompressobj(), needed
    try:
        for body in packed:
            for start in range(0, len(body), _FED):
                # In small pieces, since inflate copies what it leaves over.
                waiting: bytes | memoryview = body[start : start + _FED]
                while left > 0 and not inflate.eof:
                    out = inflate.decompress(waiting, _INFLATED)
                    left -= len(out)
                    waiting = inflate.unconsumed_tail
                    if not waiting and len(out) < _INFLATED:
                        break
                if left <= 0:
                    return
    except zlib.error as error:
        raise PictureRejected("truncated", f"the packed pixels of the PNG file are broken ({error})") from error
    _reject("truncated", f"the packed pixels of the PNG file lack {left:,} of {needed:,} bytes")


def _jpeg(data: bytes) -> Header:
    view = memoryview(data)
    kept, place, parts = [view[:2]], 2, 0
    width = height = scans = orientation = 0
    while True:
        parts = _count_part(parts)
        if data[place] != 0xFF:
            _reject("truncated", "the JPEG file has no marker where one belongs")
        marker = data[place + 1]
        if marker == 0xFF:  # padding
            place += 1
            continue
        if marker == 0xD9 and scans:
            kept.append(view[place : place + 2])
            break
        if marker < 0xC0 or marker == 0xC8 or 0xD0 <= marker <= 0xD9 or 0xF0 <= marker <= 0xFD:
            _reject("truncated", f"the JPEG marker {marker:#04x} stands where it does not belong")
        (length,) = struct.unpack_from(">H", data, place + 2)
        end = place + 2 + length
        if length < 2 or end > len(data):
            _reject("truncated", "a JPEG segment goes on after the end of the file")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xCC):
            if width:
                _reject("truncated", "the JPEG file gives its size twice")
            depth, height, width = struct.unpack_from(">BHH", data, place + 4)
            if depth != 8:
                _reject("unsupported_mode", f"a JPEG file with {depth} bits a sample")
            if not width or not height:
                _reject("truncated", "the JPEG file gives no size before its pixels")
            check_size(width, height, len(data))
        if marker == 0xE1 and not orientation and data.startswith(b"Exif\0\0", place + 4):
            orientation = _orientation(view[place + 10 : end])
        if marker == 0xDA:
            if not width:
                _reject("truncated", "the JPEG file gives no size before its pixels")
            scans += 1
            if width * height * scans > _MAX_SCANNED:
                _reject("too_many_pixels", f"{width} x {height} pixels in more than {scans - 1} passes")
            found = _MARKER.search(data, end)
            if found is None:
                _reject("truncated", "the JPEG file ends within its pixels")
            if data.find(_PADDING, end, found.start()) >= 0:
                _reject("truncated", "the JPEG file has padding where its pixels belong")
            end = found.start()
        # Of what applications add, only what says how colours are meant.
        meant = (marker == 0xE0 and data.startswith(b"JFIF\0", place + 4)) or (
            marker == 0xEE and data.startswith(b"Adobe", place + 4)
        )
        if meant or not (0xE0 <= marker <= 0xEF or marker == 0xFE):
            kept.append(view[place:end])
        place = end
    return Header("JPEG", width, height, orientation or 1, tuple(kept))


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
    return Header("WEBP", width, height, orientation, (memoryview(data),))


def _webp_exif(data: bytes) -> memoryview:
    place, parts = 12, 0
    while place + 8 <= len(data):
        parts = _count_part(parts)
        kind, length = struct.unpack_from("<4sI", data, place)
        if kind == b"EXIF":
            start = place + 14 if data.startswith(b"Exif\0\0", place + 8) else place + 8
            return memoryview(data)[start : place + 8 + length]
        place += 8 + length + length % 2
    return memoryview(b"")


def _gif(data: bytes) -> Header:
    width, height, flags = struct.unpack_from("<HHB", data, 6)
    place = 13 + (3 << (flags & 7) + 1 if flags & 0x80 else 0)
    view = memoryview(data)
    kept = [view[:place]]
    frames = blocks = parts = 0
    while place < len(data) and data[place] != 0x3B:
        blocks = _count_part(blocks)
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
            parts = _count_part(parts, _MAX_GIF_PARTS)
            place += 1 + data[place]
        place += 1
        if needed:
            kept.append(view[start:place])
    if not frames:
        _reject("truncated", "the GIF file has no frame")
    return Header("GIF", width, height, 1, (*kept, memoryview(b"\x3b")))


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
    return Header("BMP", width, height, 1, (memoryview(data),))


def _orientation(exif: memoryview) -> int:
    """Return the orientation that an EXIF block gives; 1 where it gives none, or is itself broken.

    Only the one entry is looked up: a block may list thousands that all point at the same megabytes.
    """
    order: Literal["<", ">"] = "<" if bytes(exif[:2]) == b"II" else ">"
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
