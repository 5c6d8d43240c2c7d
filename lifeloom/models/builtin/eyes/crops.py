"""Parts of pictures as vectors, one for whatever was cut out: a person by the face, a thing by name and colour."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from lifeloom.models.builtin.eyes.eyes import recogniser_of
from lifeloom.models.builtin.eyes.recognition import Recogniser
from lifeloom.models.builtin.eyes.weights import WEIGHTS_PATH, load_weights
from lifeloom.models.byte_cache import ByteCache
from lifeloom.models.efficientnet import package_version, unit_rows
from lifeloom.models.protocol import ModelIdentity
from lifeloom.records import SubjectKind
from lifeloom.store.pictures import picture_hash

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["CropEncoder"]

_VERSION = "lifeloom-crops-1"
_AT_ONCE = 32  # bounds memory
_SPACES = {None: "guessed", True: "person", False: "thing"}  # of the cache

_LEAST_OF_A_THING = 0.72
"""Cosine with the nearest name below which a part shows a person, where nobody says. Of 593 people and 932 things that
the detector cut out of drawn pictures, 0.3 % lie on the wrong side: things that somebody half hides."""
_THRESHOLDS: Mapping[SubjectKind, float] = MappingProxyType({"person": 0.76, "animal": 0.55, "object": 0.62})
"""Person: of 20 known concepts, as many strangers are taken for one as known people are missed (1.5 % of 941, 1.6 % of
370). Animal: 3.2 % of two looks at the same are missed, and 0.05 % of two of other names taken for the same. Object: no
coloured one is missed, and 2.4 % of the same name in another colour are taken for the same."""


class CropEncoder:
    """An ``ImageEncoder`` of what a detector cuts out, without any margin.

    Two parts that show the same person, or a thing of the same name and colour, have a high cosine; a person and a
    thing have 0. ``threshold`` says from where on two parts are taken for the same. Drawn animals of one name all look
    the same, and no encoder tells them apart.

    Vectors are cached by pixels. Safe to share between threads; two processes may share a cache file.

    Args:
        cache_path: SQLite file that keeps vectors between runs (None: memory only). Made with its folder when missing.
        memory_items: vectors kept in memory, least recently used out first (some 900 bytes each).
        weights: the weights file of the eyes.

    Raises:
        EyesWeightsUnusable: on first use, when the weights file is missing, damaged or of another version.
        CacheFileUnusable: on first use, when ``cache_path`` is not a usable cache file.
    """

    def __init__(
        self, cache_path: Path | str | None = None, memory_items: int = 20_000, weights: Path = WEIGHTS_PATH
    ) -> None:
        self._cache = ByteCache(cache_path, memory_items)
        self._weights_path = weights
        self._lock = threading.Lock()
        self.encoded_pictures = 0
        """Parts that went through the network, not a cache."""

    @property
    def identity(self) -> ModelIdentity:
        """Backend ``builtin``; the version, the weights' digest, the pretrained network with its package's version.

        Raises:
            EyesWeightsUnusable, ImageWeightsMissing: as ``Eyes.identity``.
        """
        digest = load_weights(self._weights_path).digest
        return ModelIdentity("builtin", f"{_VERSION}+{digest}@efficientnet-lite0-{package_version()}")

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return sum(self._recogniser().widths)

    @staticmethod
    def threshold(kind: SubjectKind) -> float:
        """Return the cosine from which on two parts show the same, for something of ``kind``.

        Calibrated on drawn people, things, places and light of their own (``perf/visual_concepts.py --calibrate``),
        each shown once.
        """
        return _THRESHOLDS[kind]

    def encode(self, pictures: Sequence[Image]) -> npt.NDArray[np.float32]:
        """Return unit vectors, shape (len(pictures), dimensions), of RGB pictures that show one thing each.

        Whether that is a person is guessed.

        Raises:
            EyesWeightsUnusable: the weights file is missing, damaged or of another version.
            ImageWeightsMissing: the package with the pretrained features is not installed.
        """
        return self._kept(pictures, None)

    def encode_as(self, pictures: Sequence[Image], kinds: Sequence[SubjectKind]) -> npt.NDArray[np.float32]:
        """Return unit vectors as ``encode`` does, of pictures of which is known what they show.

        Args:
            pictures: RGB, one thing each.
            kinds: What a detector says each of them is.

        Raises:
            EyesWeightsUnusable, ImageWeightsMissing: as ``encode``.
        """
        vectors = np.zeros((len(pictures), self.dimensions), dtype=np.float32)
        for is_person in (True, False):
            rows = [row for row, kind in enumerate(kinds) if (kind == "person") == is_person]
            if rows:
                vectors[rows] = self._kept([pictures[row] for row in rows], is_person)
        return vectors

    def _kept(self, pictures: Sequence[Image], is_person: bool | None) -> npt.NDArray[np.float32]:
        keys = [bytes.fromhex(picture_hash(picture)) for picture in pictures]
        space, length = f"{self.identity.model}/{_SPACES[is_person]}", self.dimensions * 4
        with self._lock:  # a second thread that wants the same finds it in the cache
            # A torn value is made again.
            found = {key: data for key, data in self._cache.get_many(space, keys).items() if len(data) == length}
            missing = {key: picture for key, picture in zip(keys, pictures, strict=True) if key not in found}
            new = list(missing.items())
            for start in range(0, len(new), _AT_ONCE):
                part = new[start : start + _AT_ONCE]
                vectors = self._encode([picture for _, picture in part], is_person)
                fresh = {key: row.astype("<f4").tobytes() for (key, _), row in zip(part, vectors, strict=True)}
                self._cache.put_many(space, fresh)
                found.update(fresh)
                self.encoded_pictures += len(part)
        rows = [np.frombuffer(found[key], dtype="<f4") for key in keys]
        return np.stack(rows).astype(np.float32) if rows else np.zeros((0, self.dimensions), dtype=np.float32)

    def check(self) -> str:
        """Encode a grey picture and return one line about it.

        Raises:
            EyesWeightsUnusable, ImageWeightsMissing: as ``encode``.
        """
        from PIL import Image as PillowImage

        width = self._encode([PillowImage.new("RGB", (64, 64), "grey")], None).shape[1]
        return f"builtin {self.identity.model}: vectors of {width} numbers for parts of pictures"

    def close(self) -> None:
        """Close the cache file; the encoder may still be used, which opens it again."""
        self._cache.close()

    def _encode(self, pictures: Sequence[Image], is_person: bool | None) -> npt.NDArray[np.float32]:
        recogniser = self._recogniser()
        face_width, name_width, _ = recogniser.widths
        vectors = np.zeros((len(pictures), self.dimensions), dtype=np.float32)
        people = np.full(len(pictures), bool(is_person))
        if not is_person:
            things = recogniser.thing_vectors(pictures)
            if is_person is None:
                people = things.name_scores < _LEAST_OF_A_THING
            vectors[:, face_width : face_width + name_width] = things.names
            vectors[:, face_width + name_width :] = things.colours
        if people.any():
            whole = [pictures[row] for row in np.flatnonzero(people).tolist()]
            boxes = [(0.0, 0.0, float(picture.width), float(picture.height)) for picture in whole]
            vectors[people] = 0
            vectors[people, :face_width] = recogniser.faces(whole, boxes)
        return unit_rows(vectors)

    def _recogniser(self) -> Recogniser:
        return recogniser_of(self._weights_path, load_weights(self._weights_path).digest)
