"""An image library of one's own: pictures in a folder, and a manifest that says what each of them shows (S3).

The manifest is JSON Lines, one picture a line:

    {"file": "nadia.jpg", "identity": "nadia", "category": "human", "noun": "person", "licence": "CC BY 4.0",
     "source": "own photo"}

``name``, ``use`` (``captioning``) and ``split`` may be given too. Files lie beside the manifest or in folders below.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lifeloom.records import (
    BY_CODE,
    LibraryCategory,
    LibraryImage,
    LibraryUse,
    PictureReference,
    Rejection,
    Split,
    make_id,
)
from lifeloom.store.pictures import PictureRejected, decode_picture, read_picture_file
from lifeloom.streams import stable_hash
from lifeloom.synthesis.image_library.likeness import KnownPictures, look_of
from lifeloom.synthesis.seeds import SeedError

__all__ = ["STAGE", "LibraryRead", "LibraryRow", "LibraryUnusable", "library_digest", "read_library", "write_manifest"]

STAGE = "seeds/image_library"
_LONGEST_LINE = 20_000
_SHARES = (2, 3)
"""Two of three identities are for training."""


class LibraryUnusable(SeedError):
    """The manifest is missing, or none of its pictures can be used. The message says why."""


class LibraryRow(BaseModel):
    """One line of a manifest."""

    model_config = ConfigDict(frozen=True, extra="ignore", str_strip_whitespace=True)

    file: str = Field(min_length=1, max_length=1000)
    identity: str = Field(min_length=1, max_length=200)
    category: LibraryCategory
    noun: str = Field(min_length=1, max_length=60)
    name: str = Field(default="", max_length=200)
    licence: str = Field(min_length=1, max_length=500)
    source: str = Field(default="own", min_length=1, max_length=1000)
    use: LibraryUse = "captioning"
    split: Literal["", "train", "benchmark"] = ""
    """Of the identity; empty: as its other pictures, else by a stable hash of it, two thirds for training."""


@dataclass(frozen=True)
class LibraryRead:
    """What a manifest gave."""

    images: tuple[LibraryImage, ...]
    """In the order of the lines."""
    rejections: tuple[Rejection, ...]
    """A reason for every line that gave none."""

    @property
    def lines(self) -> int:
        """Lines that said anything."""
        return len(self.images) + len(self.rejections)


def read_library(manifest: Path, put: Callable[[bytes], object] | None = None) -> LibraryRead:
    """Read a manifest and its pictures, one at a time, so that a library may be larger than the memory.

    A picture is left out with its reason where its line is no JSON (``bad_json``) or lacks a field (``no_licence``,
    ``unknown_category``, ``bad_row``), where its file is missing, broken or outside the folder (reasons of
    ``lifeloom.store.pictures``), where it is there twice (``duplicate``) or is nearly the picture of another identity
    (``same_picture_two_identities``), and where it puts an identity into a second split (``two_splits``; diagnostic
    pictures are for benchmarks) or category (``two_categories``).

    Args:
        manifest: the file.
        put: keeps the file of each picture that is taken; called once each, in order.

    Raises:
        LibraryUnusable: there is no such file, or no line of it gives a picture.
    """
    reading = _Reading(manifest.parent, put)
    for number, line in _lines(manifest):
        reading.take(number, line)
    if not reading.images:
        told = "; ".join(f"{one.item}: {one.reason}" for one in reading.rejections[:3]) or "it has no lines"
        raise LibraryUnusable(f"the image library {str(manifest)!r} gives no picture ({told})")
    return LibraryRead(tuple(reading.images), tuple(reading.rejections))


def library_digest(manifest: Path) -> str:
    """Return what a manifest and the files that it names hold, as 64 hexadecimal digits; no picture is decoded.

    It changes whenever ``read_library`` might give something else: also where a missing file has come.

    Raises:
        LibraryUnusable: there is no such file.
    """
    digest = hashlib.sha256()
    for number, line in _lines(manifest):
        digest.update(f"{number} {line}\n".encode())
        try:
            data = read_picture_file(_parsed(line).file, manifest.parent)
        except PictureRejected as error:
            digest.update(error.reason.encode())
        except (ValueError, RecursionError):
            continue  # read_library will say why: such a line gives nothing, whatever lies in the folder
        else:
            digest.update(hashlib.sha256(data).digest())
    return digest.hexdigest()


def write_manifest(rows: Iterable[LibraryRow], manifest: Path) -> int:
    """Write ``rows`` as a manifest and return how many there are."""
    lines = [row.model_dump_json() for row in rows]
    manifest.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(lines)


def _lines(manifest: Path) -> list[tuple[int, str]]:
    """Return the lines that say anything, with their numbers from 1.

    Raises:
        LibraryUnusable: the file cannot be read, or is no UTF-8.
    """
    try:
        # Not splitlines(): a name may hold a separator that JSON takes as it is.
        lines = manifest.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise LibraryUnusable(
            f"the image library {str(manifest)!r} cannot be read: {error}. captions.library names a manifest, JSON "
            "Lines with file, identity, category, noun and licence"
        ) from error
    return [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]


def _parsed(line: str) -> LibraryRow:
    """Return a line as a row.

    Raises:
        ValidationError: it lacks a field, or one is wrong.
        ValueError, RecursionError: it is no JSON, or too long.
    """
    if len(line) > _LONGEST_LINE:
        raise ValueError(f"the line has {len(line):,} characters")
    return LibraryRow.model_validate(json.loads(line))


class _Reading:
    """The state of reading one manifest."""

    def __init__(self, root: Path, put: Callable[[bytes], object] | None) -> None:
        self.images: list[LibraryImage] = []
        self.rejections: list[Rejection] = []
        self._root = root
        self._put = put
        self._ids: dict[str, str] = {}
        """Identity as written to its id."""
        self._taken: set[str] = set()
        self._splits: dict[str, Split] = {}
        self._categories: dict[str, LibraryCategory] = {}
        self._counts: dict[str, int] = {}
        self._known = KnownPictures()
        self._contents: set[tuple[str, str]] = set()

    def take(self, number: int, line: str) -> None:
        """Read one line; it becomes a picture or a rejection."""
        row = self._row(number, line)
        if row is None:
            return
        try:
            data = read_picture_file(row.file, self._root)
            image = decode_picture(data)
        except PictureRejected as error:
            self._reject(number, error.reason, f"{row.file}: {error}")
            return
        identity = self._identity(row.identity)
        reference = PictureReference(
            content_hash=hashlib.sha256(data).hexdigest(), width=image.width, height=image.height
        )
        if (identity, reference.content_hash) in self._contents:
            self._reject(number, "duplicate", f"{row.file} is there already for {row.identity}")
            return
        look = look_of(data, image)
        if like := self._known.of_another(look, identity):
            self._reject(number, "same_picture_two_identities", f"{row.file} of {row.identity} looks like {like}")
            return
        said = row.split or self._splits.get(identity) or self._usual_split(identity)
        split: Split = "benchmark" if row.use == "diagnostic" else said
        if self._splits.setdefault(identity, split) != split:
            self._reject(number, "two_splits", f"{row.identity} is in {self._splits[identity]} already")
            return
        if self._categories.setdefault(identity, row.category) != row.category:
            self._reject(number, "two_categories", f"{row.identity} is {self._categories[identity]} already")
            return
        count = self._counts[identity] = self._counts.get(identity, -1) + 1
        self._contents.add((identity, reference.content_hash))
        self._known.add(look, identity, f"{row.file} of {row.identity}")
        library_image = LibraryImage(
            image_id=f"{identity}-{count}",
            identity=identity,
            category=row.category,
            noun=row.noun,
            name=row.name,
            use=row.use,
            split=split,
            picture=reference,
            licence=row.licence,
            source=row.source,
            made_by=BY_CODE,
        )
        self.images.append(library_image)
        if self._put is not None:
            self._put(data)

    def _row(self, number: int, line: str) -> LibraryRow | None:
        try:
            return _parsed(line)
        except ValidationError as error:
            fields = {str(one["loc"][0]) for one in error.errors() if one["loc"]}
            reason = "no_licence" if fields == {"licence"} else "bad_row"
            reason = "unknown_category" if fields == {"category"} else reason
            told = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()[:3])
            self._reject(number, reason, told)
        except (ValueError, RecursionError) as error:
            self._reject(number, "bad_json", str(error))
        return None

    def _reject(self, number: int, reason: str, detail: str) -> None:
        self.rejections.append(Rejection(stage=STAGE, item=f"line {number}", reason=reason, detail=detail[:500]))

    def _identity(self, text: str) -> str:
        """Return an id of an identity: its letters and digits, or a hash where that is nobody's alone."""
        if text not in self._ids:
            plain = "lib-" + re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:40]
            free = plain != "lib-" and plain not in self._taken
            self._ids[text] = plain if free else make_id("lib", text)
            self._taken.add(self._ids[text])
        return self._ids[text]

    @staticmethod
    def _usual_split(identity: str) -> Split:
        return "train" if stable_hash("image_library", identity) % _SHARES[1] < _SHARES[0] else "benchmark"
