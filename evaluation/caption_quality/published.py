"""Pictures of published sets, DOCCI and MMHal-Bench, from folders of one's own (CoViP Tables 4 and 5)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic

from evaluation.caption_quality.errors import FileUnreadable
from evaluation.caption_quality.files import DocciRow, MmhalRow, RowT, read_docci, read_mmhal
from lifeloom.records import PictureReference, Rejection
from lifeloom.store.pictures import PictureRejected, decode_picture, read_picture_file

__all__ = ["DOCCI_FILE", "MMHAL_FILE", "PUBLISHED_PICTURES", "ShownRow", "digest_of", "load_docci", "load_mmhal"]

DOCCI_FILE = "docci_descriptions.jsonlines"
MMHAL_FILE = "response_template.json"
PUBLISHED_PICTURES = "images"
"""Folder of the pictures, beside the file."""

Put = Callable[[bytes], str]
"""Stores a picture and returns its content hash."""


@dataclass(frozen=True)
class ShownRow(Generic[RowT]):
    """A row with its picture, which is in the store."""

    row_id: str
    """``docci-<number>``, ``mmhal-<number>``: its place among the rows that can be used, from 0."""
    row: RowT
    picture: PictureReference


def load_docci(folder: Path, put: Put, *, most: int) -> tuple[list[ShownRow[DocciRow]], list[Rejection]]:
    """Return the first pictures of DOCCI's test split with their descriptions, and what cannot be used.

    Args:
        folder: holds ``docci_descriptions.jsonlines`` and ``images``.
        put: stores pictures.
        most: pictures.

    Raises:
        FileUnreadable: the file, or every picture, is missing or broken.
    """
    read = read_docci(folder / DOCCI_FILE, split="test")
    rows = [(row.image_file, row) for row in read.rows[:most]]
    return _shown(folder, rows, "docci", list(read.rejections), put)


def load_mmhal(folder: Path, put: Put) -> tuple[list[ShownRow[MmhalRow]], list[Rejection]]:
    """Return the questions of MMHal-Bench with their pictures, and what cannot be used.

    Args:
        folder: holds ``response_template.json`` and ``images``, the pictures named as in the rows' ``image_src``.
        put: stores pictures.

    Raises:
        FileUnreadable: the file, or every picture, is missing or broken.
    """
    read = read_mmhal(folder / MMHAL_FILE)
    rows = [(row.image_src.rsplit("/", 1)[-1], row) for row in read.rows]
    return _shown(folder, rows, "mmhal", list(read.rejections), put)


def digest_of(folder: Path, file: str) -> str:
    """Return a digest of a set for recipes: the file's content, and the pictures' names and sizes.

    Raises:
        FileUnreadable: the file cannot be read.
    """
    try:
        content = hashlib.sha256((folder / file).read_bytes())
        pictures = folder / PUBLISHED_PICTURES
        for path in sorted(pictures.iterdir()) if pictures.is_dir() else ():
            content.update(f"{path.name} {path.stat().st_size}\n".encode())
    except OSError as error:
        raise FileUnreadable(f"{folder / file} cannot be read: {error}") from error
    return content.hexdigest()


def _shown(
    folder: Path, rows: list[tuple[str, RowT]], stage: str, rejections: list[Rejection], put: Put
) -> tuple[list[ShownRow[RowT]], list[Rejection]]:
    found: list[ShownRow[RowT]] = []
    for name, row in rows:
        try:
            data = read_picture_file(name, folder / PUBLISHED_PICTURES)
            picture = decode_picture(data)
        except PictureRejected as error:
            rejections.append(Rejection(stage=stage, item=name[:200] or "?", reason=error.reason, detail=str(error)))
            continue
        reference = PictureReference(content_hash=put(data), width=picture.width, height=picture.height)
        found.append(ShownRow(f"{stage}-{len(found):04d}", row, reference))
    if not found:
        told = "; ".join(f"{one.item}: {one.detail or one.reason}" for one in rejections[:3]) or "it has no such rows"
        raise FileUnreadable(
            f"no picture of {folder} can be used ({told}): {stage} needs its pictures in a folder called "
            f"{PUBLISHED_PICTURES} beside the file"
        )
    return found, rejections
