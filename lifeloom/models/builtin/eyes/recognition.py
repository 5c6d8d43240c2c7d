"""Faces, names, colours, places and times of day, by heads on pretrained features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from lifeloom.models.builtin.eyes.features import (
    crop,
    face_crop,
    face_features,
    scene_features,
    thing_features,
)
from lifeloom.models.builtin.eyes.heads import Head
from lifeloom.models.builtin.eyes.weights import EyesWeights
from lifeloom.records import SubjectKind

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["NamedPlace", "NamedThing", "Recogniser", "ThingVectors", "certainty"]

Array = npt.NDArray[np.float32]
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class NamedThing:
    """What a thing is called; scores are cosines, -1..1."""

    name: str
    kind: SubjectKind
    name_score: float
    colour: str
    colour_score: float


@dataclass(frozen=True)
class NamedPlace:
    """Where and when a picture is set; both empty for a plain ground."""

    place: str
    place_score: float
    time_of_day: str


@dataclass(frozen=True, eq=False)
class ThingVectors:
    """What heads make of things: unit rows that lie close where names, or colours, are the same."""

    names: Array
    """(N, names)."""
    colours: Array
    """(N, colours of things)."""
    name_scores: Array
    """(N,): cosine with the nearest name, -1..1."""


def certainty(score: float, name_score: float) -> float:
    """Return how sure it is that a thing is there, 0..1: clutter that looks like no known thing counts for little.

    Args:
        score: the detector's, 0..1.
        name_score: cosine with the nearest name, -1..1.
    """
    return score * max(0.0, name_score) ** 2


class Recogniser:
    """The heads of one weights file.

    Raises:
        EyesWeightsUnusable: the file lacks a head.
    """

    def __init__(self, weights: EyesWeights) -> None:
        self._face = Head.read(weights, "face")
        self._name = Head.read(weights, "name")
        self._colour = Head.read(weights, "colour")
        self._place = Head.read(weights, "place")
        self._time = Head.read(weights, "time")
        self._names = weights.labels("name")
        self._kinds: tuple[SubjectKind, ...] = tuple(weights.about["kinds"])
        self._places = weights.labels("place")
        self._times = weights.labels("time")
        pairs = [label.split("/") for label in weights.labels("colour")]
        self._colours = tuple(dict.fromkeys(colour for _, colour in pairs))
        self._rows_of: dict[str, list[int]] = {}
        """Rows of the colour head by the thing that they stand for, in the order of ``_colours``."""
        for row, (thing, _) in enumerate(pairs):
            self._rows_of.setdefault(thing, []).append(row)

    def faces(self, picture_of: Sequence[Image], boxes: Sequence[Box]) -> Array:
        """Return a unit vector for each person, (N, 64); ``picture_of`` holds the picture of each box."""
        return self._face.embed(
            face_features([face_crop(picture, box) for picture, box in zip(picture_of, boxes, strict=True)])
        )

    @property
    def widths(self) -> tuple[int, int, int]:
        """Lengths of the vectors of a face, of a name and of a colour."""
        return self._face.axes.shape[1], self._name.axes.shape[1], self._colour.axes.shape[1]

    def thing_vectors(self, crops: Sequence[Image]) -> ThingVectors:
        """Return what the heads make of things that were cut out."""
        for_names, for_colours = thing_features(crops)
        names = self._name.embed(for_names)
        best = self._name.scores(names).max(axis=1) if len(crops) else np.zeros(0, dtype=np.float32)
        return ThingVectors(names, self._colour.embed(for_colours), best)

    def things(self, picture_of: Sequence[Image], boxes: Sequence[Box]) -> list[NamedThing]:
        """Return name, kind and colour of each thing; ``picture_of`` holds the picture of each box."""
        crops = [crop(picture, box) for picture, box in zip(picture_of, boxes, strict=True)]
        vectors = self.thing_vectors(crops)
        names, colours = self._name.scores(vectors.names), self._colour.scores(vectors.colours)
        found = []
        for name_scores, pair_scores in zip(names, colours, strict=True):
            best = int(name_scores.argmax())
            by_colour = self._colour_scores(self._names[best], pair_scores)
            colour = int(by_colour.argmax())
            found.append(
                NamedThing(
                    name=self._names[best],
                    kind=self._kinds[best],
                    name_score=float(name_scores[best]),
                    colour=self._colours[colour],
                    colour_score=float(by_colour[colour]),
                )
            )
        return found

    def _colour_scores(self, name: str, pair_scores: Array) -> Array:
        """Score the colours, (colours,): by this thing's own prototypes, or by those of all things together."""
        if name in self._rows_of:
            return pair_scores[self._rows_of[name]]
        return np.asarray(np.mean([pair_scores[rows] for rows in self._rows_of.values()], axis=0), dtype=np.float32)

    def scenes(self, pictures: Sequence[Image]) -> list[NamedPlace]:
        """Return place and time of day of whole pictures."""
        features = scene_features(pictures)
        places = self._place.scores(self._place.embed(features))
        times = self._time.scores(self._time.embed(features))
        found = []
        for place_scores, time_scores in zip(places, times, strict=True):
            best = int(place_scores.argmax())
            place = self._places[best]
            score = float(place_scores[best])
            found.append(NamedPlace(place, score, self._times[int(time_scores.argmax())] if place else ""))
        return found
