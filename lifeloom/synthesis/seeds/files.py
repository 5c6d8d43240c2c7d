"""Opening seed files: plain or gzip, with clear errors, as blocks of lines in bounded memory."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

__all__ = [
    "MAX_LINE_BYTES",
    "LineBlock",
    "SeedError",
    "SeedFileEmpty",
    "SeedFileMissing",
    "SeedFileTruncated",
    "SeedFileUnreadable",
    "SeedLines",
]

MAX_LINE_BYTES = 1 << 20
"""A longer line is not held in memory: it is skipped and flagged in its block."""

_CHUNK = 1 << 20
_PROBE = 1 << 16
_BOM = b"\xef\xbb\xbf"
_GZIP = b"\x1f\x8b"
_OTHER_FORMATS = (
    (b"PK\x03\x04", "a zip archive"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstandard"),
    (b"PAR1", "Parquet"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"\xff\xfe", "UTF-16 text"),
    (b"\xfe\xff", "UTF-16 text"),
)
# Control characters that text does not hold: all but tab, line ends, form feed, backspace and escape.
_BINARY_BYTES = bytes(set(range(0x20)) - {0x08, 0x09, 0x0A, 0x0C, 0x0D, 0x1B}) + b"\x7f"


class SeedError(Exception):
    """A seed file, or what it holds, cannot be used. The message says what to do."""


class SeedFileMissing(SeedError):
    """There is no file of that name."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(
            f"Seed file {str(path)!r} does not exist. "
            "Check the path, or leave the setting out to use the built-in seeds."
        )


class SeedFileUnreadable(SeedError):
    """The file is there, but it cannot be read as lines of UTF-8 text."""

    def __init__(self, path: Path, why: str, remedy: str) -> None:
        self.path = path
        self.why = why
        super().__init__(f"Seed file {str(path)!r} cannot be read: {why}. {remedy}")


class SeedFileTruncated(SeedFileUnreadable):
    """A gzip file breaks off, or is damaged, before anything usable."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(path, why, "Nothing before that place is usable. Download or compress the file again.")


class SeedFileEmpty(SeedError):
    """The file holds nothing but white space."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(
            f"Seed file {str(path)!r} is empty. Give a file with rows in it, "
            "or leave the setting out to use the built-in seeds."
        )


@dataclass(frozen=True, slots=True)
class LineBlock:
    """Some consecutive lines of a file, without their line feeds."""

    first: int
    """Number of the first line, from 1."""
    lines: list[bytes]
    oversize: frozenset[int] = frozenset()
    """Numbers of lines above ``MAX_LINE_BYTES``; their entry in ``lines`` is empty."""
    unterminated: int | None = None
    """Number of the last line of the file where it has no line feed: it may be half-written."""


class SeedLines:
    """The lines of a seed file, read in blocks of about a megabyte.

    Gzip is told by its first two bytes, not by the file's name; a UTF-8 byte-order mark is skipped.
    A gzip file that breaks off, or fails its checksum, ends the reading early and sets ``broken``;
    the reader decides whether what came before it will do.

    Raises (from ``blocks``):
        SeedFileMissing: No such file.
        SeedFileUnreadable: A folder, no permission, not text, another compression, a failing disk.
        SeedFileTruncated: A gzip file that breaks off before its first byte of content.
        SeedFileEmpty: Nothing but white space.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self.broken: str | None = None
        """Why a gzip file ended early: ``truncated_gzip`` or ``damaged_gzip``; None when it did not."""

    def blocks(self) -> Iterator[LineBlock]:
        """Yield the file's lines in order."""
        self.broken = None
        with ExitStack() as stack:
            stream = self._open(stack)
            chunk = self._first_chunk(stream)
            yield from self._split(stream, chunk)

    def _open(self, stack: ExitStack) -> BinaryIO:
        try:
            plain = stack.enter_context(self.path.open("rb"))
            magic = plain.peek(len(_GZIP))[: len(_GZIP)]
        except FileNotFoundError:
            raise SeedFileMissing(self.path) from None
        except IsADirectoryError:
            raise SeedFileUnreadable(self.path, "it is a folder", "Give the path of the file itself.") from None
        except PermissionError:
            raise SeedFileUnreadable(
                self.path, "permission denied", "Make it readable for the user who runs this."
            ) from None
        except OSError as error:
            raise SeedFileUnreadable(self.path, error.strerror or type(error).__name__, "Check the disk.") from error
        except ValueError as error:  # a NUL in the path
            raise SeedFileUnreadable(self.path, str(error), "Give a path without that character.") from None
        if magic == _GZIP:
            return cast(BinaryIO, stack.enter_context(gzip.GzipFile(fileobj=plain)))
        return plain

    def _read(self, stream: BinaryIO) -> bytes:
        try:
            return cast(bytes, stream.read1(_CHUNK))  # type: ignore[attr-defined]
        except EOFError:
            self.broken = "truncated_gzip"
        except (gzip.BadGzipFile, zlib.error):
            self.broken = "damaged_gzip"
        except OSError as error:
            raise SeedFileUnreadable(self.path, error.strerror or type(error).__name__, "Check the disk.") from error
        return b""

    def _first_chunk(self, stream: BinaryIO) -> bytes:
        chunk = self._read(stream)
        while len(chunk) < _PROBE:  # gzip hands out small pieces
            more = self._read(stream)
            if not more:
                break
            chunk += more
        if not chunk and self.broken:
            raise SeedFileTruncated(self.path, self.broken.replace("_", " "))
        for magic, name in _OTHER_FORMATS:
            if chunk.startswith(magic):
                raise SeedFileUnreadable(self.path, f"it is {name}", "Give plain UTF-8 text, or the same as gzip.")
        probe = chunk[:_PROBE]
        if len(probe) - len(probe.translate(None, _BINARY_BYTES)) > len(probe) // 20 or _mostly_undecodable(probe):
            raise SeedFileUnreadable(self.path, "it is not UTF-8 text", "Give plain UTF-8 text, or the same as gzip.")
        return chunk.removeprefix(_BOM)

    def _split(self, stream: BinaryIO, chunk: bytes) -> Iterator[LineBlock]:
        tail = b""
        number = 1
        skipping = False  # inside a line that is longer than allowed
        blank = True
        while chunk:
            lines = (tail + chunk).split(b"\n")
            tail = lines.pop()
            oversize: frozenset[int] = frozenset()
            if lines:
                if skipping or len(lines[0]) > MAX_LINE_BYTES:
                    lines[0], oversize, skipping, blank = b"", frozenset({number}), False, False
                blank = blank and not any(line.strip() for line in lines)
                yield LineBlock(number, lines, oversize)
                number += len(lines)
            if skipping or len(tail) > MAX_LINE_BYTES:
                tail, skipping = b"", True
            chunk = self._read(stream)
        if skipping:
            yield LineBlock(number, [b""], frozenset({number}), number)
        elif tail:
            blank = blank and not tail.strip()
            yield LineBlock(number, [tail], unterminated=number)
        if blank and not skipping:
            raise SeedFileEmpty(self.path)


def _mostly_undecodable(probe: bytes) -> bool:
    try:
        probe.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start >= len(probe) - 3:  # a character cut by the end of the probe
            return False
    else:
        return False
    lines = probe.split(b"\n")
    bad = 0
    for line in lines:
        try:
            line.decode("utf-8")
        except UnicodeDecodeError:
            bad += 1
    return bad * 2 > len(lines)
