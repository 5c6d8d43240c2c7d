"""Reading pictures that somebody else made: every one is decoded to the same kind of pixels, or refused with a reason.

A picture is read in three steps: its name (``read_picture_file``), what its file says of itself
(``lifeloom.store.picture_headers``), its pixels (``decode_picture``). Each step refuses before the next one can be
made to cost anything, so that a hostile file takes no more than the time to look at its own bytes: at most 32 MiB
(``MAX_BYTES``), of at most 24 million pixels (``MAX_PIXELS``, the full frame of a camera).
"""

from __future__ import annotations

import bisect
import errno
import hashlib
import io
import itertools
import os
import re
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from lifeloom.store.picture_headers import (
    EXTENSIONS,
    MAX_BYTES,
    MAX_PIXELS,
    MIN_SIDE,
    REASONS,
    Header,
    PictureRejected,
    Reason,
    check_size,
    read_header,
    sniff,
)

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFile import ImageFile

__all__ = [
    "MAX_BYTES",
    "MAX_PIXELS",
    "MIN_SIDE",
    "REASONS",
    "PictureRejected",
    "Reason",
    "decode_picture",
    "encode_png",
    "picture_extension",
    "picture_hash",
    "read_picture_file",
]

_RESERVED = re.compile(r"(con|prn|aux|nul|clock\$|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)
_LONGEST_NAME = 1024
"""Bytes of a whole name, folders included: what the narrowest of systems takes as a path."""
_COMPRESSION = 4
"""Of PNG files, 0..9. On drawn pictures 6 takes up to twice the time and saves a twentieth of the bytes."""


def decode_picture(data: bytes) -> Image:
    """Return the picture in the file ``data``: mode RGB, 8 bits a channel, upright, no metadata.

    Palettes, grey and CMYK are turned into RGB (colour profiles are not applied), 16 bits a channel are cut to
    their upper 8, transparent parts show white, EXIF orientation is applied. Pillow's global settings are neither
    read for safety nor changed. Missing rows are noticed in PNG and BMP; a JPEG file that was cut and given a new end
    shows grey there, as everywhere.

    Args:
        data: a whole PNG, JPEG, WebP, GIF (one frame) or BMP file, at most ``MAX_BYTES``, ``MAX_PIXELS`` pixels and
            at least ``MIN_SIDE`` pixels a side.

    Raises:
        PictureRejected: the file breaks one of these rules; see ``Reason``.
    """
    header = read_header(data)
    try:
        with _open(header, data) as image:
            check_size(*image.size, len(data))
            image.load()
            check_size(*image.size, len(data))  # a decoder may widen a picture as it goes
            rgb = _to_rgb(image)
    except PictureRejected:
        raise
    except Exception as error:
        # Pillow's decoders raise a dozen types on broken files, SyntaxError and struct.error among them.
        raise PictureRejected("truncated", f"the {header.format} file is cut short or broken ({error})") from error
    return _upright(rgb, header.orientation)


class _Pieces(io.RawIOBase):
    """A file over pieces of another one, so that what is left out of it costs no copy of the rest."""

    def __init__(self, pieces: Sequence[memoryview]) -> None:
        self._pieces = pieces
        self._starts = [0, *itertools.accumulate(map(len, pieces))]
        self._place = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._place

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._place, os.SEEK_END: self._starts[-1]}[whence]
        self._place = max(0, start + offset)
        return self._place

    def read(self, size: int | None = -1) -> bytes:
        end = self._starts[-1] if size is None or size < 0 else min(self._place + size, self._starts[-1])
        parts = []
        number = bisect.bisect_right(self._starts, self._place) - 1
        while self._place < end:
            start = self._starts[number]
            part = self._pieces[number][self._place - start : end - start]
            parts.append(part)
            self._place += len(part)
            number += 1
        return b"".join(parts)


def _open(header: Header, data: bytes) -> ImageFile:
    # The decoder itself, not Image.open: that one looks at metadata of its own accord, tries other formats, and
    # warns through the process's global filters.
    # A file of one piece is needed whole.
    file = io.BytesIO(data) if len(header.pieces) == 1 else cast("IO[bytes]", _Pieces(header.pieces))
    if header.format == "PNG":
        from PIL.PngImagePlugin import PngImageFile

        return PngImageFile(file)
    if header.format == "JPEG":
        from PIL.JpegImagePlugin import JpegImageFile

        return JpegImageFile(file)
    if header.format == "WEBP":
        from PIL.WebPImagePlugin import WebPImageFile

        return WebPImageFile(file)
    if header.format == "GIF":
        from PIL.GifImagePlugin import GifImageFile

        return GifImageFile(file)
    from PIL.BmpImagePlugin import BmpImageFile

    return BmpImageFile(file)


def _to_rgb(image: Image) -> Image:
    from PIL.Image import fromarray, new

    if image.mode.startswith("I;16"):
        import numpy as np

        # Pillow's own conversion clips instead of scaling.
        return fromarray((np.asarray(image).astype(np.uint16) >> 8).astype(np.uint8)).convert("RGB")
    if image.has_transparency_data:
        seen = image.convert("RGBA")
        ground = new("RGB", seen.size, (255, 255, 255))
        ground.paste(seen, mask=seen.getchannel("A"))
        return ground
    if image.mode not in ("1", "L", "P", "RGB", "RGBX", "CMYK", "YCbCr"):
        raise PictureRejected("unsupported_mode", f"its pixels are of the mode {image.mode}")
    plain = image.convert("RGB")
    plain.info = {}
    return plain


def _upright(image: Image, orientation: int) -> Image:
    from PIL.Image import Transpose

    turns = {
        2: Transpose.FLIP_LEFT_RIGHT,
        3: Transpose.ROTATE_180,
        4: Transpose.FLIP_TOP_BOTTOM,
        5: Transpose.TRANSPOSE,
        6: Transpose.ROTATE_270,
        7: Transpose.TRANSVERSE,
        8: Transpose.ROTATE_90,
    }
    return image.transpose(turns[orientation]) if orientation in turns else image


def picture_hash(image: Image) -> str:
    """Return the SHA-256, 64 hexadecimal digits, over the size and the RGB pixels of ``image``.

    Files that decode to the same pixels have the same hash, however they are named, packed or annotated.
    """
    rgb = image if image.mode == "RGB" else image.convert("RGB")
    digest = hashlib.sha256(f"{rgb.width}x{rgb.height}\n".encode())
    digest.update(rgb.tobytes())
    return digest.hexdigest()


def encode_png(image: Image) -> bytes:
    """Return ``image`` as a PNG file: its RGB pixels and nothing else, the same bytes for the same pixels."""
    plain = image.convert("RGB") if image.mode != "RGB" else image.copy()
    plain.info = {}
    file = io.BytesIO()
    plain.save(file, "PNG", compress_level=_COMPRESSION)
    return file.getvalue()


def picture_extension(data: bytes) -> str:
    """Return the extension that fits the picture file ``data``: ``.png``, ``.jpg``, ``.webp``, ``.gif`` or ``.bmp``.

    Raises:
        PictureRejected: it is of no known format.
    """
    form = sniff(data)
    if not form:
        raise PictureRejected("unknown_format", f"it starts with {data[:16]!r}: not PNG, JPEG, WebP, GIF or BMP")
    return next(extension for extension, of in EXTENSIONS.items() if of == form)


def read_picture_file(
    path: str | os.PathLike[str], root: str | os.PathLike[str], *, extension_needed: bool = True
) -> bytes:
    """Return the bytes of the picture file ``path`` in the folder ``root``; its pixels are not decoded.

    Names come from data that others wrote, so they are taken in the strictest sense: forward slashes, relative, no
    way out of ``root``, nothing on the way a symbolic link (``root`` itself may be one), a name that every system
    can hold, an extension that fits the content.

    Args:
        path: name of the file relative to ``root``.
        root: the folder.
        extension_needed: False: a name without any extension is taken too, and the content tells the format.

    Raises:
        PictureRejected: the name or the file breaks a rule, or there is no such file.
        OSError: the system cannot read (a disk that fails); not for what a name or file can cause, among that a
            file that may not be read, which counts as missing.
    """
    name = os.fspath(path)
    parts = _name_parts(name)
    extension = Path(parts[-1]).suffix.lower()
    form = EXTENSIONS.get(extension)
    if form is None and (extension or extension_needed):
        raise PictureRejected("unknown_format", f"{_shown(name)} is not named as PNG, JPEG, WebP, GIF or BMP")
    data = _read_inside(name, parts, Path(root))
    if not data:
        raise PictureRejected("truncated", f"{_shown(name)} is empty")
    found = sniff(data)
    if form is None and not found:
        raise PictureRejected(
            "unknown_format", f"{_shown(name)} starts with {data[:16]!r}: not PNG, JPEG, WebP, GIF or BMP"
        )
    if form is not None and found != form:
        found = found or f"a file that starts with {data[:16]!r}"
        raise PictureRejected("wrong_extension", f"{_shown(name)} is named as {form} but is {found}")
    return data


def _shown(name: str) -> str:
    return repr(name if len(name) <= 120 else f"{name[:117]}...")


def _name_parts(name: str) -> list[str]:
    """Return the folders and the file of a relative name.

    Raises:
        PictureRejected: outside_folder or bad_name.
    """
    if not name:
        raise PictureRejected("bad_name", "the name is empty")
    if name.startswith(("/", "\\")) or re.match(r"[A-Za-z]:", name):
        raise PictureRejected("outside_folder", f"{_shown(name)} is an absolute path")
    if ".." in re.split(r"[/\\]", name):
        raise PictureRejected("outside_folder", f"{_shown(name)} leads out of its folder")
    if not name.isprintable() or set('\\:*?"<>|') & set(name):
        raise PictureRejected("bad_name", f"{_shown(name)} holds characters that names cannot have everywhere")
    if len(name.encode("utf-8", "surrogatepass")) > _LONGEST_NAME:
        raise PictureRejected("bad_name", f"{_shown(name)} is longer than {_LONGEST_NAME:,} bytes")
    parts = [part for part in name.split("/") if part != "."]
    for part in parts:
        if not part or part != part.rstrip(". ") or part != part.lstrip(" ") or _RESERVED.fullmatch(part):
            raise PictureRejected("bad_name", f"{part!r} in {_shown(name)} cannot be a name everywhere")
        if len(part.encode("utf-8", "surrogatepass")) > 255:
            raise PictureRejected("bad_name", f"{_shown(name)} holds a name longer than 255 bytes")
    if not parts:
        raise PictureRejected("bad_name", f"{_shown(name)} names no file")
    return parts


def _read_inside(name: str, parts: list[str], root: Path) -> bytes:
    """Read a file, going down folder by folder so that no link is followed, also not one made meanwhile."""
    folder = -1
    try:
        folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        for part in parts[:-1]:
            inner = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
            os.close(folder)
            folder = inner
        # Not blocking: a named pipe would let the reader wait for ever.
        file = os.open(parts[-1], os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
        try:
            found = os.fstat(file)
            if not stat.S_ISREG(found.st_mode):
                raise PictureRejected("missing", f"{_shown(name)} is not a file")
            if found.st_size > MAX_BYTES:
                raise PictureRejected(
                    "too_large", f"{_shown(name)} has {found.st_size:,} bytes, more than {MAX_BYTES:,}"
                )
            with os.fdopen(file, "rb", closefd=False) as stream:
                data = stream.read(MAX_BYTES + 1)
        finally:
            os.close(file)
    except OSError as error:
        raise _refusal(error, name, parts, root) from error
    finally:
        if folder >= 0:
            os.close(folder)
    if len(data) > MAX_BYTES:
        raise PictureRejected("too_large", f"{_shown(name)} has more than {MAX_BYTES:,} bytes")
    return data


def _refusal(error: OSError, name: str, parts: list[str], root: Path) -> Exception:
    place = root
    for part in parts:
        place = place / part
        try:
            link = place.is_symlink()
        except OSError:
            break  # what cannot be looked at says no more than the error does
        if link:
            return PictureRejected("symbolic_link", f"{_shown(name)} lies behind a symbolic link, {part!r}")
    if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ENXIO):
        return PictureRejected("missing", f"there is no file {_shown(name)}")
    if error.errno in (errno.EACCES, errno.EPERM):
        return PictureRejected("missing", f"there is no file {_shown(name)} that may be read ({error.strerror})")
    if error.errno in (errno.ENAMETOOLONG, errno.EILSEQ, errno.EINVAL):
        return PictureRejected("bad_name", f"{_shown(name)} cannot be a file's name here ({error.strerror})")
    return error
