"""How well the eyes see: rates by kind of answer, from sights of examples and the truth about them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fitting.examples import Example
from fitting.recognising import pairs
from lifeloom.models.builtin.eyes.sight import Sight
from lifeloom.models.efficientnet import unit_rows
from lifeloom.models.protocol import Detection

__all__ = [
    "Face",
    "Rate",
    "answer_rates",
    "detection_rates",
    "faces_of",
    "identity_rates",
    "open_set_rates",
    "pair_rate",
]

Array = npt.NDArray[np.float32]


_FEW = 6
"""Subjects of a picture that are no crowd: people and things with all their copies."""


@dataclass(frozen=True)
class Rate:
    """So many of so many."""

    hits: float
    of: int

    @property
    def share(self) -> float:
        """0..1; not a number where nothing was asked."""
        return self.hits / self.of if self.of else float("nan")


@dataclass(frozen=True, eq=False)
class Face:
    """One look at one person; no vector where the detector missed them."""

    identity: str
    vector: Array | None


def finds_of(sight: Sight) -> list[Detection]:
    """Return people and things of ``sight`` as finds, best first, things with the kind of their name."""
    finds = [Detection("person", one.score, one.box) for one in sight.people]
    finds += [Detection(one.kind, one.score, one.box) for one in sight.things]
    return sorted(finds, key=lambda one: -one.score)


def detection_rates(
    examples: Sequence[Example], sights: Sequence[Sight], wanted: Callable[[Example], bool]
) -> dict[str, tuple[float, float, float, int]]:
    """Return precision, recall, F1 and the number of subjects by kind and in all, over the examples ``wanted``.

    A find is right when it has the kind of a subject and covers half of their common area or more.
    """
    right, found, there = Counter[str](), Counter[str](), Counter[str]()
    for example, sight in zip(examples, sights, strict=True):
        if wanted(example):
            finds = finds_of(sight)
            found.update(one.kind for one in finds)
            there.update(one.kind for one in example.subjects)
            right.update(finds[find].kind for find, _ in pairs(finds, example.subjects))
    for counts in (right, found, there):
        counts["all"] = sum(counts.values())
    rates = {}
    for kind in ("person", "animal", "object", "all"):
        precision, recall = right[kind] / max(1, found[kind]), right[kind] / max(1, there[kind])
        rates[kind] = (precision, recall, 2 * right[kind] / max(1, found[kind] + there[kind]), there[kind])
    return rates


def faces_of(examples: Sequence[Example], sights: Sequence[Sight]) -> list[Face]:
    """Return every look at every person, in the order of the pictures."""
    faces = []
    for example, sight in zip(examples, sights, strict=True):
        finds = [Detection("person", one.score, one.box) for one in sight.people]
        seen = {subject: sight.people[find].face for find, subject in pairs(finds, example.subjects)}
        faces += [
            Face(subject.identity, seen.get(index))
            for index, subject in enumerate(example.subjects)
            if subject.kind == "person"
        ]
    return faces


def _split(faces: Sequence[Face], shots: int) -> tuple[dict[str, Array], list[Face]]:
    """Return by identity the mean of the first ``shots`` looks that succeeded, and all later looks."""
    looks: dict[str, list[Array]] = defaultdict(list)
    queries = []
    for face in faces:
        if len(looks[face.identity]) < shots:
            if face.vector is not None:
                looks[face.identity].append(face.vector)
        else:
            queries.append(face)
    gallery = {one: np.mean(vectors, axis=0) for one, vectors in looks.items() if len(vectors) == shots}
    return gallery, [face for face in queries if face.identity in gallery]


def identity_rates(faces: Sequence[Face], shots: int) -> Rate:
    """Return how often the nearest known person is the right one; a person who was not found counts as wrong."""
    gallery, queries = _split(faces, shots)
    names = list(gallery)
    known = unit_rows(np.stack([gallery[one] for one in names]))
    hits = sum(
        face.vector is not None and names[int((known @ face.vector).argmax())] == face.identity for face in queries
    )
    return Rate(hits, len(queries))


def pair_rate(faces: Sequence[Face], shots: int, alike: Sequence[tuple[str, str]]) -> Rate:
    """Return how often one of two look-alikes is taken for the other, when only these two are known."""
    gallery, queries = _split(faces, shots)
    known = {one: vector / np.linalg.norm(vector) for one, vector in gallery.items()}
    others: dict[str, list[str]] = defaultdict(list)
    for one, other in alike:
        others[one].append(other)
        others[other].append(one)
    wrong = asked = 0
    for face in queries:
        for other in others[face.identity]:
            if face.vector is not None and other in known:
                asked += 1
                wrong += float(face.vector @ known[other]) >= float(face.vector @ known[face.identity])
    return Rate(wrong, asked)


def open_set_rates(
    faces: Sequence[Face], shots: int, known_people: int, threshold: float, rng: np.random.Generator, trials: int = 20
) -> tuple[Rate, Rate]:
    """Return how often strangers are taken for one of ``known_people``, and known people for strangers."""
    gallery, queries = _split(faces, shots)
    names = np.array(sorted(gallery))
    seen = [face for face in queries if face.vector is not None]
    vectors = np.stack([face.vector for face in seen if face.vector is not None])
    identities = np.array([face.identity for face in seen])
    accepted = rejected = strangers = own = 0
    for _ in range(trials):
        known = rng.permutation(names)[:known_people]
        cosines = vectors @ unit_rows(np.stack([gallery[str(one)] for one in known])).T
        for row, best in enumerate(cosines.max(axis=1)):
            if identities[row] in known:
                own += 1
                rejected += cosines[row, int(np.flatnonzero(known == identities[row])[0])] < threshold
            else:
                strangers += 1
                accepted += best >= threshold
    return Rate(accepted, strangers), Rate(rejected, own)


def answer_rates(examples: Sequence[Example], sights: Sequence[Sight]) -> dict[str, Rate]:
    """Return how often names, colours, counts, places and times of day are right.

    Names and colours: of things that were found. Counts: of each sort of thing, how often exactly as many are seen as
    were drawn, sorts seen that are not there counting as wrong; of people, how often their number is right.
    """
    hits, asked = Counter[str](), Counter[str]()

    def note(what: str, right: bool) -> None:
        asked[what] += 1
        hits[what] += right

    for example, sight in zip(examples, sights, strict=True):
        finds = [Detection(one.kind, one.score, one.box) for one in sight.things]
        # By place alone: a thing with a wrong name may have a wrong kind too.
        truth = [one.model_copy(update={"kind": "object"}) for one in example.subjects if one.kind != "person"]
        things = [one for one in example.subjects if one.kind != "person"]
        loose = [Detection("object", one.score, one.box) for one in finds]
        for find, subject in pairs(loose, truth):
            note("names", sight.things[find].name == things[subject].name)
            if things[subject].colour:
                note("colours", sight.things[find].colour == things[subject].colour)
        drawn, seen = Counter(one.name for one in things), Counter(one.name for one in sight.things)
        for name in drawn | seen:
            note("counts of things", drawn[name] == seen[name])
            if len(example.subjects) <= _FEW:
                note(f"counts of things, {_FEW} or fewer standing", drawn[name] == seen[name])
        note("counts of people", len(sight.people) == sum(one.kind == "person" for one in example.subjects))
        note("places", sight.place == example.place)
        note("times of day", sight.time_of_day == example.time_of_day)
    return {what: Rate(hits[what], asked[what]) for what in asked}
