"""Picture files that are wrong on purpose, made byte by byte."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

from PIL import Image


def scene(width: int = 40, height: int = 24) -> Image.Image:
    """A picture whose four corners differ: red, green, blue and white, on grey."""
    image = Image.new("RGB", (width, height), (128, 128, 128))
    corner = (width // 4, height // 4)
    image.paste((255, 0, 0), (0, 0, *corner))
    image.paste((0, 255, 0), (width - corner[0], 0, width, corner[1]))
    image.paste((0, 0, 255), (0, height - corner[1], corner[0], height))
    image.paste((255, 255, 255), (width - corner[0], height - corner[1], width, height))
    return image


def saved(image: Image.Image, form: str = "PNG", **options: Any) -> bytes:
    file = io.BytesIO()
    image.save(file, form, **options)
    return file.getvalue()


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(
    width: int, height: int, pixels: bytes, *, depth: int = 8, colour: int = 2, before: bytes = b"", interlace: int = 0
) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlace)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + before
        + chunk(b"IDAT", zlib.compress(pixels, 9))
        + chunk(b"IEND", b"")
    )


def with_pixels(
    width: int, height: int, packed: bytes, *, depth: int = 8, colour: int = 2, interlace: int = 0
) -> bytes:
    """Return a PNG file whose packed pixels are ``packed``."""
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlace)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")


def with_chunk(data: bytes, kind: bytes, body: bytes) -> bytes:
    """Put a chunk behind the header of a PNG file."""
    return data[:33] + chunk(kind, body) + data[33:]


def with_segment(data: bytes, marker: int, body: bytes) -> bytes:
    """Put a segment in front of all others of a JPEG file."""
    return data[:2] + bytes([0xFF, marker]) + struct.pack(">H", len(body) + 2) + body + data[2:]


def exif(orientation: int) -> bytes:
    return b"II*\0" + struct.pack("<IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0)


def greedy_exif(entries: int, size: int) -> bytes:
    """An EXIF block whose many entries all point at the same bytes."""
    listed = b"".join(struct.pack("<HHII", tag, 7, size, 8) for tag in range(0x9000, 0x9000 + entries))
    return b"II*\0" + struct.pack("<IH", 8, entries) + listed + bytes(size)


def gif(screen: tuple[int, int], frame: tuple[int, int], *, frames: int = 1, extra: bytes = b"") -> bytes:
    descriptor = b"\x2c" + struct.pack("<HHHHB", 0, 0, *frame, 0) + b"\x02\x02\x4c\x01\x00"
    return (
        b"GIF89a"
        + struct.pack("<HHBBB", *screen, 0x80, 0, 0)
        + b"\0\0\0\xff\xff\xff"
        + extra
        + descriptor * frames
        + b"\x3b"
    )


def bmp(width: int, height: int, pixels: bytes, *, bits: int = 24, packing: int = 0) -> bytes:
    body = struct.pack("<IiiHHIIiiII", 40, width, height, 1, bits, packing, len(pixels), 0, 0, 0, 0)
    return b"BM" + struct.pack("<IHHI", 54 + len(pixels), 0, 0, 54) + body + pixels


def webp_header(width: int, height: int, *, flags: int = 0) -> bytes:
    body = b"VP8X" + struct.pack("<IB3x", 10, flags) + (width - 1).to_bytes(3, "little")
    body += (height - 1).to_bytes(3, "little")
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body


def bombs() -> dict[str, tuple[bytes, str]]:
    """Small files that ask for much memory or time, each with the reason it must be refused for."""
    honest = saved(scene())
    return {
        "png of 60000 x 60000": (png(60_000, 60_000, bytes(100)), "too_many_pixels"),
        **costly_pngs(),
        **costly_jpegs(),
        "png that claims 49 million pixels": (png(7_000, 7_000, bytes(100)), "too_many_pixels"),
        "png of one bit that holds 49 million pixels": (
            png(7_000, 7_000, bytes(7_000 * 876), depth=1, colour=0),
            "too_many_pixels",
        ),
        "png that claims more than its bytes can unpack to": (png(1_900, 1_900, bytes(5_000)), "truncated"),
        "png with sides of zero": (png(0, 40, bytes(100)), "truncated"),
        "png of half a million tiny chunks": (honest[:33] + chunk(b"teSt", b"") * 500_001 + honest[33:], "too_large"),
        "gif screen of 65535 x 65535": (gif((65_535, 65_535), (16, 16)), "too_many_pixels"),
        "gif frame of 65535 x 65535": (gif((16, 16), (65_535, 65_535)), "too_many_pixels"),
        "gif of a million empty comments": (
            gif((16, 16), (16, 16), extra=b"\x21\xfe" + b"\x01." * 1_000_000 + b"\0"),
            "too_large",
        ),
        "gif of a million empty blocks": (gif((16, 16), (16, 16), extra=b"\x21\xf9\0" * 1_000_000), "too_large"),
        "webp of 16383 x 16383 in 40 bytes": (saved_lossless_header(16_383, 16_383), "too_many_pixels"),
        "webp of 7000 x 7000, one colour": (
            saved(Image.new("RGB", (7_000, 7_000)), "WEBP", lossless=True, method=0),
            "too_many_pixels",
        ),
        "webp canvas of 16 million x 16 million": (webp_header(2**24, 2**24), "too_many_pixels"),
        "bmp of 2 billion lines": (bmp(20, 2**31 - 1, bytes(2_000)), "too_many_pixels"),
        "bmp packed to jump": (bmp(3_000_000, 16, b"\0\x02\xff\xff" * 100, bits=8, packing=1), "unsupported_mode"),
        "bmp that ends early": (bmp(1_900, 1_900, bytes(2_000)), "truncated"),
        "jpeg of 65500 x 65500": (resized_jpeg(65_500, 65_500), "too_many_pixels"),
        "jpeg of a thousand passes": (many_passes(), "too_many_pixels"),
    }


def costly_pngs() -> dict[str, tuple[bytes, str]]:
    """PNG files within the limits of size that would take their time, or memory for all of their pixels."""
    honest, whole = saved(scene()), zlib.compress(bytes(24_000 * 8_010), 1)
    palette = png(40, 24, bytes(41 * 24), colour=3, before=chunk(b"PLTE", bytes(30_000_000)))
    clear = png(40, 24, bytes(41 * 24), colour=3, before=chunk(b"PLTE", bytes(6)) + chunk(b"tRNS", bytes(30_000_000)))
    header = honest[8:33]
    return {
        "png of 24 million pixels of 16 bits, interlaced, cut": (
            with_pixels(6_000, 4_000, whole[: len(whole) * 9 // 10], depth=16, colour=6, interlace=1),
            "truncated",
        ),
        "png of 24 million pixels that lacks its last rows": (
            png(6_000, 4_000, bytes(18_001 * 3_990)),
            "truncated",
        ),
        "png with a palette of 30 MB": (palette, "truncated"),
        "png with 30 MB of transparency": (clear, "truncated"),
        "png of half a million headers": (honest[:8] + header * 500_000 + honest[33:], "truncated"),
        "png of a hundred thousand pieces of pixels": (honest[:33] + chunk(b"IDAT", b"") * 100_000, "too_large"),
    }


def costly_jpegs() -> dict[str, tuple[bytes, str]]:
    """JPEG files within the limits of size that would take their time, or memory for all of their pixels."""
    honest = saved(scene(), "JPEG")
    start = honest.index(b"\xff\xda")
    large = resized_jpeg(6_000, 4_000)
    garbage = bytes(byte for byte in range(1, 255)) * 120_000
    return {
        "jpeg of 24 million pixels, cut": (large[:-2] + b"\x55" * 3_000_000, "truncated"),
        "jpeg with 30 MB of garbage": (honest[:-2] + garbage, "truncated"),
        "jpeg with 30 MB of markers for pixels": (honest[:-2] + b"\xff\x02" + garbage + honest[-2:], "truncated"),
        "jpeg with 30 MB of padding": (honest[:-2] + b"\xff" * 30_000_000 + honest[-2:], "truncated"),
        "jpeg of half a million tables": (
            honest[:2] + b"\xff\xdb\0\x02" * 500_000 + honest[2:],
            "too_large",
        ),
        "jpeg of half a million passes": (honest[:start] + honest[start : start + 14] * 500_000, "too_large"),
    }


def saved_lossless_header(width: int, height: int) -> bytes:
    body = b"VP8L" + struct.pack("<IBI", 20, 0x2F, width - 1 | height - 1 << 14) + bytes(15)
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body


def resized_jpeg(width: int, height: int) -> bytes:
    """A JPEG file whose header claims another size than its pixels have."""
    data = bytearray(saved(scene(), "JPEG"))
    start = data.index(b"\xff\xc0") + 5
    data[start : start + 4] = struct.pack(">HH", height, width)
    return bytes(data)


def many_passes() -> bytes:
    data = bytearray(saved(scene(), "JPEG", progressive=True))
    start = data.index(b"\xff\xc2") + 5
    data[start : start + 4] = struct.pack(">HH", 1_900, 1_900)
    first = data.index(b"\xff\xda")
    return bytes(data[:first] + data[first:-2] * 1_000 + data[-2:])
