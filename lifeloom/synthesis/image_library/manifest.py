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
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
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
from lifeloom.synthesis.seeds import SeedError
from lifeloom.synthesis.vaccounts.similarity import MOST_BITS, perceptual_hash

if TYPE_CHECKING:
    from PIL.Image import Image as PillowImage

_Look: TypeAlias = tuple[npt.NDArray[np.uint64], npt.NDArray[np.float32]]

__all__ = ["STAGE", "LibraryRead", "LibraryRow", "LibraryUnusable", "read_library", "write_manifest"]

STAGE = "seeds/image_library"
_LONGEST_LINE = 20_000
_CELLS = 8
_MOST_COLOUR = 0.12
"""By how much two files of one picture differ in colour in any of 8 x 8 cells (red less green, green less blue, 0-1).

The perceptual hash sees no colours, and portraits of look-alikes are as near as two scenes never are. Measured on the
188 of the built-in library: JPEG of quality 40 differs in 0.02 at most, a tenth brighter in 0.09, a hundredth cut off
each side in 0.07; the seven pairs of two identities whose hashes are nearest differ in 0.15 at least.
"""
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

    images: tuple[tuple[LibraryImage, bytes], ...]
    """With the file of each."""
    rejections: tuple[Rejection, ...]
    """A reason for every line that gave none."""

    @property
    def lines(self) -> int:
        """Lines that said anything."""
        return len(self.images) + len(self.rejections)


def read_library(manifest: Path) -> LibraryRead:
    """Read a manifest and its pictures.

    A picture is left out with its reason where its line is no JSON (``bad_json``) or lacks a field (``no_licence``,
    ``unknown_category``, ``bad_row``), where its file is missing, broken or outside the folder (reasons of
    ``lifeloom.store.pictures``), where it is there twice (``duplicate``) or is nearly the picture of another identity
    (``same_picture_two_identities``), and where it puts an identity into a second split (``two_splits``; diagnostic
    pictures are for benchmarks) or category (``two_categories``).

    Raises:
        LibraryUnusable: there is no such file, or no line of it gives a picture.
    """
    try:
        lines = manifest.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise LibraryUnusable(
            f"the image library {str(manifest)!r} cannot be read: {error}. captions.library names a manifest, JSON "
            "Lines with file, identity, category, noun and licence"
        ) from error
    reading = _Reading(manifest.parent)
    for number, line in enumerate(lines, start=1):
        if line.strip():
            reading.take(number, line)
    if not reading.images:
        told = "; ".join(f"{one.item}: {one.reason}" for one in reading.rejections[:3]) or "it has no lines"
        raise LibraryUnusable(f"the image library {str(manifest)!r} gives no picture ({told})")
    return LibraryRead(tuple(reading.images), tuple(reading.rejections))


def write_manifest(rows: Iterable[LibraryRow], manifest: Path) -> int:
    """Write ``rows`` as a manifest and return how many there are."""
    lines = [row.model_dump_json() for row in rows]
    manifest.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(lines)


class _KnownPictures:
    """Perceptual hashes and colours of the pictures so far, and whom they show."""

    def __init__(self) -> None:
        self._hashes = np.empty((64, 4), dtype=np.uint64)
        self._colours = np.empty((64, 2 * _CELLS * _CELLS), dtype=np.float32)
        self._whose: list[tuple[str, str]] = []

    def add(self, look: _Look, identity: str, name: str) -> None:
        if len(self._whose) == len(self._hashes):
            self._hashes = np.concatenate([self._hashes, np.empty_like(self._hashes)])
            self._colours = np.concatenate([self._colours, np.empty_like(self._colours)])
        self._hashes[len(self._whose)], self._colours[len(self._whose)] = look
        self._whose.append((identity, name))

    def of_another(self, look: _Look, identity: str) -> str:
        """Return the name of a picture of somebody else that is nearly the same; empty where there is none."""
        hashed, colours = look
        apart = np.bitwise_count(self._hashes[: len(self._whose)] ^ hashed).sum(axis=1)
        for row in np.flatnonzero(apart <= MOST_BITS):
            whose, name = self._whose[row]
            if whose != identity and np.abs(self._colours[row] - colours).max() <= _MOST_COLOUR:
                return name
        return ""


def _look(data: bytes, image: PillowImage) -> _Look:
    """Return the perceptual hash of a picture and its colours, shape (128,)."""
    small = np.asarray(image.convert("RGB").resize((_CELLS, _CELLS)), dtype=np.float32)
    return perceptual_hash(data), np.divide(small[..., :2] - small[..., 1:], 255, dtype=np.float32).ravel()


class _Reading:
    """The state of reading one manifest."""

    def __init__(self, root: Path) -> None:
        self.images: list[tuple[LibraryImage, bytes]] = []
        self.rejections: list[Rejection] = []
        self._root = root
        self._ids: dict[str, str] = {}
        """Identity as written to its id."""
        self._taken: set[str] = set()
        self._splits: dict[str, Split] = {}
        self._categories: dict[str, LibraryCategory] = {}
        self._counts: dict[str, int] = {}
        self._known = _KnownPictures()
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
        look = _look(data, image)
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
        self.images.append((library_image, data))

    def _row(self, number: int, line: str) -> LibraryRow | None:
        try:
            if len(line) > _LONGEST_LINE:
                raise ValueError(f"the line has {len(line):,} characters")
            given = json.loads(line)
            return LibraryRow.model_validate(given)
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
