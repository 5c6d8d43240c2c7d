"""The eyes: what a picture shows, computed once however often it is looked at, copied, renamed or packed anew."""

from __future__ import annotations

import functools
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from lifeloom.models.builtin.eyes.detector import DrawnPictureDetector
from lifeloom.models.builtin.eyes.recognition import Recogniser, certainty
from lifeloom.models.builtin.eyes.sight import SeenPerson, SeenThing, Sight, pack, unpack
from lifeloom.models.builtin.eyes.weights import WEIGHTS_PATH, WEIGHTS_VERSION, load_weights
from lifeloom.models.byte_cache import ByteCache
from lifeloom.models.efficientnet import package_version
from lifeloom.models.protocol import Detection, ModelIdentity, PictureSource
from lifeloom.records import PictureReference
from lifeloom.store.pictures import decode_picture, picture_hash

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["Eyes", "recogniser_of"]

_AT_ONCE = 32  # pictures decoded at a time: bounds memory, keeps every core busy
_FILES = "pixels-of-file/1"
"""Space of the cache that leads from a file's hash to that of its decoded pixels; no model has a part in it."""


class Eyes:
    """Find people and things in pictures, and say who, what, where and when.

    Results are cached in two steps: the hash of a file leads to the hash of its decoded pixels, and that to what was
    seen. A picture looked at before is never read again, and a copy of it under another name, or its pixels in
    another container, is decoded at most. Safe to share between threads; two processes may share a cache file.

    Args:
        cache_path: SQLite file that keeps results between runs (None: memory only). Made with its folder when missing.
        memory_items: results kept in memory, least recently used out first (some 2,000 bytes each).
        weights: the weights file.

    Raises:
        EyesWeightsUnusable: on first use, when the weights file is missing, damaged or of another version.
        ImageWeightsMissing: on the first picture that no cache holds, when a package is not installed.
        CacheFileUnusable: on first use, when ``cache_path`` is not a usable cache file.
    """

    def __init__(
        self, cache_path: Path | str | None = None, memory_items: int = 20_000, weights: Path = WEIGHTS_PATH
    ) -> None:
        # Two entries a picture, one a step.
        self._cache = ByteCache(cache_path, 2 * memory_items)
        self._weights_path = weights
        self._looking = threading.Lock()
        self.pictures_read = 0
        """Files that were read and decoded."""
        self.pictures_seen = 0
        """Pictures that went through the networks, not a cache."""

    @property
    def identity(self) -> ModelIdentity:
        """Backend ``builtin``; the weights' version and digest, and the pretrained network with its package's version.

        Raises:
            EyesWeightsUnusable: the weights file is missing, damaged or of another version.
            ImageWeightsMissing: the package with the pretrained network is not installed.
        """
        digest = load_weights(self._weights_path).digest
        return ModelIdentity(
            backend="builtin", model=f"{WEIGHTS_VERSION}+{digest}@efficientnet-lite0-{package_version()}"
        )

    @property
    def person_threshold(self) -> float:
        """Cosine of two faces from which on they are taken to be one person; calibrated on people of its own.

        A pair is one look at a known person (the mean of up to three pictures) and one new face.
        """
        return load_weights(self._weights_path).threshold("person")

    @staticmethod
    def same_person(face_a: npt.NDArray[np.float32], face_b: npt.NDArray[np.float32]) -> float:
        """Return the cosine of two faces, -1..1; means of several looks may be given, of any length."""
        lengths = float(np.linalg.norm(face_a)) * float(np.linalg.norm(face_b))
        return float(face_a @ face_b) / lengths if lengths else 0.0

    def look(self, pictures: Sequence[PictureReference], source: PictureSource) -> list[Sight]:
        """Return what each of ``pictures`` shows, in order; ``source`` is asked only for what no cache knows.

        Raises:
            PictureRejected: a file cannot be decoded, see ``lifeloom.store.pictures``.
            EyesWeightsUnusable: the weights file is missing, damaged or of another version.
            ImageWeightsMissing: a package with pretrained weights is not installed.
            CacheFileUnusable: the cache file is not one.
            Exception: what ``source`` raises for a picture that it does not have.
        """
        files = [bytes.fromhex(picture.content_hash) for picture in pictures]
        sights = self._cached(files)
        first_of = dict(zip(reversed(files), reversed(pictures), strict=True))
        missing = [file for file in dict.fromkeys(files) if file not in sights]
        for start in range(0, len(missing), _AT_ONCE):
            part = missing[start : start + _AT_ONCE]
            images = {file: decode_picture(source(first_of[file])) for file in part}
            self.pictures_read += len(images)
            sights.update(self._look_at(images))
        return [sights[file] for file in files]

    def look_at(self, images: Sequence[Image]) -> list[Sight]:
        """Return what each of ``images`` (RGB, upright) shows, in order; cached by their pixels.

        Raises:
            EyesWeightsUnusable, ImageWeightsMissing, CacheFileUnusable: as ``look``.
        """
        keys = [bytes.fromhex(picture_hash(image)) for image in images]
        sights = self._look_at_pixels(dict(zip(keys, images, strict=True)))
        return [sights[key] for key in keys]

    def see(self, images: Sequence[Image]) -> list[Sight]:
        """Return what each of ``images`` (RGB, upright) shows; nothing is cached."""
        weights = load_weights(self._weights_path)
        recogniser = recogniser_of(self._weights_path, weights.digest)
        surely_person, surely_thing = weights.threshold("detect_person"), weights.threshold("thing")
        # Certainty never exceeds the detector's score, so nothing that would be kept is lost here.
        detector = DrawnPictureDetector(self._weights_path, lowest=min(surely_person, surely_thing))
        finds = [(row, one) for row, found in enumerate(detector.detect(images)) for one in found]
        people = [(row, one) for row, one in finds if one.kind == "person" and one.score > surely_person]
        things = [(row, one) for row, one in finds if one.kind != "person"]
        faces = recogniser.faces([images[row] for row, _ in people], [one.box for _, one in people])
        named = recogniser.things([images[row] for row, _ in things], [one.box for _, one in things])
        scenes = recogniser.scenes(images)
        seen_people: list[list[SeenPerson]] = [[] for _ in images]
        for (row, one), embedded in zip(people, faces, strict=True):
            face = np.array(embedded, dtype=np.float32)  # a copy: never a view that holds a whole batch
            face.flags.writeable = False
            share = _area(one) / (images[row].width * images[row].height)
            seen_people[row].append(SeenPerson(one.box, one.score, face, share))
        seen_things: list[list[SeenThing]] = [[] for _ in images]
        for (row, one), name in zip(things, named, strict=True):
            if certainty(one.score, name.name_score) < surely_thing:
                continue
            seen_things[row].append(
                SeenThing(name.kind, one.box, one.score, name.name, name.name_score, name.colour, name.colour_score)
            )
        return [
            Sight(
                width=image.width,
                height=image.height,
                people=tuple(sorted(seen_people[row], key=lambda one: one.box)),
                things=tuple(sorted(seen_things[row], key=lambda one: one.box)),
                place=scenes[row].place,
                place_score=scenes[row].place_score,
                time_of_day=scenes[row].time_of_day,
            )
            for row, image in enumerate(images)
        ]

    def close(self) -> None:
        """Close the cache file; the eyes may still be used, which opens it again."""
        self._cache.close()

    def _cached(self, files: Sequence[bytes]) -> dict[bytes, Sight]:
        """Return by file hash what the cache holds."""
        pixels_of = self._cache.get_many(_FILES, files)
        known = self._sights_of(list(pixels_of.values()))
        return {file: known[pixels] for file, pixels in pixels_of.items() if pixels in known}

    def _sights_of(self, pixels: Sequence[bytes]) -> dict[bytes, Sight]:
        """Return by pixel hash what the cache holds; torn values count as missing."""
        packed = self._cache.get_many(self.identity.model, pixels)
        unpacked = {key: unpack(value) for key, value in packed.items()}
        return {key: sight for key, sight in unpacked.items() if sight is not None}

    def _look_at(self, images: dict[bytes, Image]) -> dict[bytes, Sight]:
        """Return by file hash what ``images`` show, and keep it."""
        pixels_of = {file: bytes.fromhex(picture_hash(image)) for file, image in images.items()}
        sights = self._look_at_pixels({pixels: images[file] for file, pixels in pixels_of.items()})
        self._cache.put_many(_FILES, pixels_of)
        return {file: sights[pixels] for file, pixels in pixels_of.items()}

    def _look_at_pixels(self, images: dict[bytes, Image]) -> dict[bytes, Sight]:
        """Return by pixel hash what ``images`` show, and keep it."""
        with self._looking:  # a second thread that wants the same pictures finds them in the cache
            sights = self._sights_of(list(images))
            new = {pixels: image for pixels, image in images.items() if pixels not in sights}
            if new:
                fresh = dict(zip(new, self.see(list(new.values())), strict=True))
                self.pictures_seen += len(fresh)
                self._cache.put_many(self.identity.model, {pixels: pack(sight) for pixels, sight in fresh.items()})
                sights.update(fresh)
        return sights


def _area(one: Detection) -> float:
    left, top, right, bottom = one.box
    return (right - left) * (bottom - top)


_loading = threading.Lock()


def recogniser_of(path: Path, digest: str) -> Recogniser:
    """Return the heads of a weights file, read once a process; ``digest`` tells a changed file from the one before."""
    with _loading:
        return _read(path, digest)


@functools.lru_cache(maxsize=4)
def _read(path: Path, digest: str) -> Recogniser:
    return Recogniser(load_weights(path))
