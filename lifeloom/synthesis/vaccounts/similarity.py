"""Are pictures of questions new? Held against the history by bytes, by perceptual hash and by plan."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from lifeloom.models.protocol import PictureSource
from lifeloom.records import DrawnLifePicture, PicturePlan, PictureReference
from lifeloom.store.pictures import decode_picture

__all__ = ["MOST_BITS", "PictureIndex", "perceptual_hash", "question_problems"]

MOST_BITS = 40
"""Bits of 256 in which the hashes of a picture and its copy differ at most.

Measured on 287 scenes of one drawn life: JPEG of quality 40 differs in 4 at most, half the size in 2, a tenth brighter
in 14, a hundredth cut off each side in 32 (two hundredths: 34 in the middle, 58 at most); two different scenes of the
same people and places differ in 50 at least.
"""
_SIDE = 16
_WORDS = _SIDE * _SIDE // 64


def perceptual_hash(data: bytes) -> npt.NDArray[np.uint64]:
    """Return 256 bits, shape (4,), that stay nearly the same when a picture is re-encoded, scaled or cropped a little.

    Raises:
        PictureRejected: the file cannot be decoded.
    """
    import imagehash

    bits = imagehash.phash(decode_picture(data), hash_size=_SIDE).hash
    return np.packbits(bits.flatten()).view(np.uint64)


class PictureIndex:
    """Pictures that must not come again.

    Looking one up compares its hash with all known ones at once, some 10 microseconds for 1,000 of them, far less than
    it takes to decode the picture.
    """

    def __init__(self) -> None:
        self._by_content: dict[str, str] = {}
        self._names: list[str] = []
        self._hashes = np.empty((64, _WORDS), dtype=np.uint64)

    def add(self, name: str, reference: PictureReference, data: bytes) -> None:
        """Remember a picture under ``name``.

        Raises:
            PictureRejected: the file cannot be decoded.
        """
        hashed = perceptual_hash(data)
        self._by_content.setdefault(reference.content_hash, name)
        if len(self._names) == len(self._hashes):
            self._hashes = np.concatenate([self._hashes, np.empty_like(self._hashes)])
        self._hashes[len(self._names)] = hashed
        self._names.append(name)

    def like(self, reference: PictureReference, data: bytes) -> str:
        """Return what is known to be the same picture, in words; empty where it is new.

        Raises:
            PictureRejected: the file cannot be decoded.
        """
        if reference.content_hash in self._by_content:
            return f"the same file as {self._by_content[reference.content_hash]}"
        if not self._names:
            return ""
        apart = np.bitwise_count(self._hashes[: len(self._names)] ^ perceptual_hash(data)).sum(axis=1)
        nearest = int(apart.argmin())
        if apart[nearest] > MOST_BITS:
            return ""
        return f"looks like {self._names[nearest]} ({apart[nearest]} of {_SIDE * _SIDE} bits differ)"


def question_problems(drawn: Iterable[DrawnLifePicture], source: PictureSource) -> list[str]:
    """Return a sentence for each picture of a question that is in the history of its own Vaccount.

    Args:
        drawn: pictures of any use and of any number of Vaccounts.
        source: gives their files.

    Raises:
        PictureRejected: a file cannot be decoded.
    """
    indexes: defaultdict[str, PictureIndex] = defaultdict(PictureIndex)
    plans: dict[tuple[object, ...], str] = {}
    questions: list[DrawnLifePicture] = []
    for one in drawn:
        if one.use == "question":
            questions.append(one)
        elif one.use == "history":
            indexes[one.vaccount_id].add(one.image_id, one.picture, source(one.picture))
            plans.setdefault((one.vaccount_id, *_content(one.plan)), one.image_id)
    problems = []
    for one in questions:
        planned = plans.get((one.vaccount_id, *_content(one.plan)))
        found = f"planned like {planned}" if planned else ""
        found = found or indexes[one.vaccount_id].like(one.picture, source(one.picture))
        if found:
            problems.append(f"{one.image_id} is in the history: {found}")
    return problems


def _content(plan: PicturePlan) -> tuple[object, ...]:
    """Return what a plan must show, whatever its seed, light and weather."""
    shown = Counter((one.kind, one.identity or one.name, one.colour, one.count) for one in plan.subjects)
    return (plan.place, frozenset(shown.items()))
