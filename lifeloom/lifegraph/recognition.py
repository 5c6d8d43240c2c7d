"""Who of a life is in a picture: portraits are enrolled once, then pictures are held against them."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from lifeloom.models.crops import crops
from lifeloom.models.protocol import Detection, Detector, ImageEncoder, PictureSource
from lifeloom.records import Life, PictureReference
from lifeloom.store import MediaCorrupt, MediaMissing
from lifeloom.store.pictures import PictureRejected, decode_picture

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["ConceptRecogniser", "Recognised"]

_LEAST = 0.6
"""Cosine from which on a part of a picture is taken for a concept, unless told otherwise."""


@dataclass(frozen=True)
class Recognised:
    """A concept that a picture shows."""

    concept_id: str
    score: float
    """Cosine with the portrait, -1..1."""
    box: tuple[float, float, float, float]
    """Pixels."""


@dataclass(frozen=True)
class _Enrolled:
    concept_ids: tuple[str, ...]
    vectors: npt.NDArray[np.float32]
    """(concepts, dimensions); unit rows."""
    missing: tuple[str, ...]
    """Concepts whose portrait is not at hand, or shows nothing that the detector knows."""


class ConceptRecogniser:
    """Names the people and pets of a life in pictures. Safe to share between threads; keeps what it saw.

    Args:
        detector: finds people and animals.
        encoder: turns what was cut out into vectors.
        pictures: gives the files.
        least: cosine from which on somebody is taken for a concept.
    """

    def __init__(
        self, detector: Detector, encoder: ImageEncoder, pictures: PictureSource, least: float = _LEAST
    ) -> None:
        self._detector = detector
        self._encoder = encoder
        self._pictures = pictures
        self._least = least
        self._enrolled: dict[tuple[str, ...], _Enrolled] = {}
        self._seen: dict[str, tuple[tuple[Detection, ...], npt.NDArray[np.float32]]] = {}
        self._lock = threading.Lock()

    @property
    def models(self) -> tuple[str, ...]:
        """``backend/model`` of detector and encoder."""
        return tuple(f"{one.identity.backend}/{one.identity.model}" for one in (self._detector, self._encoder))

    def missing(self, life: Life) -> tuple[str, ...]:
        """Return the concepts of a life that cannot be recognised: no portrait, or nothing found in it."""
        return self._enrol(life).missing

    def recognise(self, picture: PictureReference, life: Life) -> tuple[Recognised, ...]:
        """Return the concepts of ``life`` in a picture, nearest first, each once; none where it is not at hand."""
        enrolled = self._enrol(life)
        seen = self._look(picture)
        if seen is None or not enrolled.concept_ids or not len(seen[1]):
            return ()
        detections, vectors = seen
        cosines = vectors @ enrolled.vectors.T  # (parts, concepts)
        found: dict[str, Recognised] = {}
        taken: set[int] = set()
        for place in np.argsort(-cosines, axis=None, kind="stable"):
            row, column = divmod(int(place), len(enrolled.concept_ids))
            score = float(cosines[row, column])
            if score < self._least:
                break
            concept_id = enrolled.concept_ids[column]
            if row not in taken and concept_id not in found:
                taken.add(row)
                found[concept_id] = Recognised(concept_id, score, detections[row].box)
        return tuple(found.values())

    def _enrol(self, life: Life) -> _Enrolled:
        key = (life.vaccount_id, *(one.portrait.content_hash if one.portrait else "" for one in life.concepts))
        known = self._enrolled.get(key)
        if known is not None:
            return known
        ids, rows, missing = [], [], []
        for concept in life.concepts:
            seen = None if concept.portrait is None else self._look(concept.portrait)
            if seen is None or not len(seen[1]):
                missing.append(concept.concept_id)
                continue
            areas = [(one.box[2] - one.box[0]) * (one.box[3] - one.box[1]) for one in seen[0]]
            ids.append(concept.concept_id)
            rows.append(seen[1][int(np.argmax(areas))])
        vectors = np.array(rows, dtype=np.float32).reshape(len(rows), self._encoder.dimensions)
        enrolled = self._enrolled[key] = _Enrolled(tuple(ids), vectors, tuple(missing))
        return enrolled

    def _look(self, picture: PictureReference) -> tuple[tuple[Detection, ...], npt.NDArray[np.float32]] | None:
        with self._lock:
            if picture.content_hash not in self._seen:
                try:
                    image = decode_picture(self._pictures(picture))
                except (MediaMissing, MediaCorrupt, PictureRejected):
                    return None  # nobody can be recognised in a picture that is gone
                self._seen[picture.content_hash] = self._parts(image)
            return self._seen[picture.content_hash]

    def _parts(self, image: Image) -> tuple[tuple[Detection, ...], npt.NDArray[np.float32]]:
        found: Sequence[Detection] = [one for one in self._detector.detect([image])[0] if one.kind != "object"]
        if not found:
            return (), np.zeros((0, self._encoder.dimensions), dtype=np.float32)
        return tuple(found), self._encoder.encode(crops(image, found))
