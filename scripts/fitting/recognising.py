"""Fit what recognises on features of drawn examples, cut out as the detector finds them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from fitting.examples import Example
from lifeloom.models.builtin.eyes.detector import overlap
from lifeloom.models.builtin.eyes.features import crop, face_crop, face_features, scene_features, thing_features
from lifeloom.models.builtin.eyes.heads import Head, fit_head
from lifeloom.models.builtin.eyes.recognition import Recogniser, certainty
from lifeloom.models.builtin.eyes.sight import FACE_DIMENSIONS
from lifeloom.models.efficientnet import unit_rows
from lifeloom.models.protocol import Detection, Detector
from lifeloom.records import DrawnSubject, SubjectKind

__all__ = [
    "Heads",
    "Observed",
    "detection_thresholds",
    "fit_heads",
    "observe",
    "open_set_threshold",
    "pairs",
    "thing_threshold",
]

_AT_ONCE = 32
_SAME = 0.5
_GALLERY = 40
"""People known when the open-set threshold is calibrated."""
_SHOTS = 3

Array = npt.NDArray[np.float32]
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Observed:
    """Features of everything in some examples, with the truth."""

    faces: Array
    identities: tuple[str, ...]
    names_from: Array
    colours_from: Array
    names: tuple[str, ...]
    colours: tuple[str, ...]
    """Empty for things that do not come in colours."""
    scenes: Array
    places: tuple[str, ...]
    times: tuple[str, ...]


@dataclass(frozen=True)
class Heads:
    """The fitted heads and the words they answer with."""

    heads: dict[str, Head]
    labels: dict[str, list[str]]


def pairs(finds: Sequence[Detection], truth: Sequence[DrawnSubject]) -> list[tuple[int, int]]:
    """Pair finds with the subjects of their kind that they overlap most, best finds first: indices (find, subject)."""
    taken: set[int] = set()
    found = []
    for number, find in enumerate(finds):
        candidates = [
            (overlap(find.box, box_of(subject)), index)
            for index, subject in enumerate(truth)
            if subject.kind == find.kind and index not in taken
        ]
        best, index = max(candidates, default=(0.0, -1))
        if best >= _SAME:
            taken.add(index)
            found.append((number, index))
    return found


def box_of(subject: DrawnSubject) -> Box:
    """Return the true box of ``subject``."""
    box = subject.box
    return float(box.left), float(box.top), float(box.right), float(box.bottom)


def observe(examples: Sequence[Example], detector: Detector) -> Observed:
    """Return features of all that stands in ``examples``; what the detector misses is cut out by its true box."""
    faces, identities, names_from, colours_from, names, colours, scenes = [], [], [], [], [], [], []
    for start in range(0, len(examples), _AT_ONCE):
        part = examples[start : start + _AT_ONCE]
        images = [one.image() for one in part]
        heads, things = [], []
        for image, example, finds in zip(images, part, detector.detect(images), strict=True):
            loose = [one if one.kind == "person" else replace(one, kind=_THING) for one in finds]
            truth = [one if one.kind == "person" else _as_thing(one) for one in example.subjects]
            found = {subject: finds[find].box for find, subject in pairs(loose, truth)}
            for index, subject in enumerate(example.subjects):
                box = found.get(index, box_of(subject))
                if subject.kind == "person":
                    heads.append(face_crop(image, box))
                    identities.append(subject.identity)
                else:
                    things.append(crop(image, box))
                    names.append(subject.name)
                    colours.append(subject.colour)
        faces.append(face_features(heads))
        for_names, for_colours = thing_features(things)
        names_from.append(for_names)
        colours_from.append(for_colours)
        scenes.append(scene_features(images))
    return Observed(
        faces=np.concatenate(faces),
        identities=tuple(identities),
        names_from=np.concatenate(names_from),
        colours_from=np.concatenate(colours_from),
        names=tuple(names),
        colours=tuple(colours),
        scenes=np.concatenate(scenes),
        places=tuple(one.place for one in examples),
        times=tuple(one.time_of_day for one in examples),
    )


def fit_heads(seen: Observed) -> Heads:
    """Fit faces, names, colours, places and times of day."""
    heads: dict[str, Head] = {}
    labels: dict[str, list[str]] = {}
    people, rows = _numbered(seen.identities, least=3)
    heads["face"] = fit_head(seen.faces[rows], people, FACE_DIMENSIONS, prototypes=False)
    things, rows, labels["name"] = _labelled(seen.names)
    heads["name"] = fit_head(seen.names_from[rows], things, len(labels["name"]), shrinkage=0.1, components=384)
    tints = [f"{name}/{colour}" if colour else "" for name, colour in zip(seen.names, seen.colours, strict=True)]
    tinted = np.array([bool(tint) for tint in tints])
    tones, rows, labels["colour"] = _labelled([tint for tint in tints if tint])
    heads["colour"] = fit_head(
        seen.colours_from[tinted][rows], tones, len(labels["colour"]), shrinkage=0.1, components=384
    )
    for name, answers in (("place", seen.places), ("time", seen.times)):
        classes, rows, labels[name] = _labelled(answers)
        heads[name] = fit_head(seen.scenes[rows], classes, len(labels[name]), shrinkage=0.1, components=384)
    return Heads(heads, labels)


def _labelled(answers: Sequence[str]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], list[str]]:
    """Return the classes as numbers, the rows (all of them), and the words in the order of their numbers."""
    words = sorted(set(answers))
    number = {word: index for index, word in enumerate(words)}
    return np.array([number[answer] for answer in answers]), np.arange(len(answers)), words


def _numbered(identities: Sequence[str], least: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the people as numbers and the rows of those seen ``least`` times or more."""
    counts: dict[str, int] = {}
    for identity in identities:
        counts[identity] = counts.get(identity, 0) + 1
    rows = np.array([row for row, identity in enumerate(identities) if counts[identity] >= least])
    numbers = {identity: index for index, identity in enumerate(sorted({identities[row] for row in rows}))}
    return np.array([numbers[identities[row]] for row in rows]), rows


def detection_thresholds(examples: Sequence[Example], detector: Detector) -> dict[str, float]:
    """Return for people and for things the score at which finds and truth agree best (highest F1)."""
    found = [detector.detect([one.image()])[0] for one in examples]
    thresholds = {}
    for name, kinds in (("person", ("person",)), ("thing", ("animal", "object"))):
        scores, right, there = [], [], 0
        for finds, example in zip(found, examples, strict=True):
            # Whatever a thing's kind: its name will tell.
            truth = [_as_thing(one) for one in example.subjects if one.kind in kinds]
            loose = [replace(one, kind=_THING) for one in finds if one.kind in kinds]
            matched = {find for find, _ in pairs(loose, truth)}
            scores += [one.score for one in loose]
            right += [number in matched for number in range(len(loose))]
            there += len(truth)
        thresholds[f"detect_{name}"], thresholds[f"detect_{name}_f1"] = _best_threshold(scores, right, there)
    return thresholds


def thing_threshold(examples: Sequence[Example], detector: Detector, recogniser: Recogniser) -> dict[str, float]:
    """Return the certainty (see ``certainty``) at which things seen and truth agree best (highest F1).

    Args:
        examples: pictures that neither was fitted on.
        detector: with its threshold far below any that could come out.
        recogniser: says how much a find looks like what it is called.
    """
    scores, right, there = [], [], 0
    for example in examples:
        image = example.image()
        loose = [replace(one, kind=_THING) for one in detector.detect([image])[0] if one.kind != "person"]
        truth = [_as_thing(one) for one in example.subjects if one.kind != "person"]
        matched = {find for find, _ in pairs(loose, truth)}
        named = recogniser.things([image] * len(loose), [one.box for one in loose])
        scores += [certainty(find.score, name.name_score) for find, name in zip(loose, named, strict=True)]
        right += [number in matched for number in range(len(loose))]
        there += len(truth)
    found, measure = _best_threshold(scores, right, there)
    return {"thing": found, "thing_f1": measure}


def _best_threshold(scores: Sequence[float], right: Sequence[bool], there: int) -> tuple[float, float]:
    """Return the score with the highest F1, half-way between the last find kept and the next one, and that F1."""
    order = np.argsort(scores)[::-1]
    ranked, hits = np.array(scores)[order], np.cumsum(np.array(right)[order])
    measure = 2 * hits / (np.arange(1, len(order) + 1) + there)
    best = int(measure.argmax())
    following = ranked[best + 1] if best + 1 < len(ranked) else 0.0
    return float((ranked[best] + following) / 2), float(measure[best])


_THING: SubjectKind = "object"


def _as_thing(subject: DrawnSubject) -> DrawnSubject:
    return subject.model_copy(update={"kind": _THING})


def open_set_threshold(head: Head, seen: Observed, rng: np.random.Generator, trials: int = 40) -> dict[str, float]:
    """Calibrate from which cosine on a face belongs to a known person.

    Trials know 40 people of ``seen``, each by the mean of three faces, and ask who the others' and their own further
    faces are. The threshold is where as many strangers are taken for somebody as known people for strangers.
    """
    embedded = head.embed(seen.faces)
    rows_of: dict[str, list[int]] = {}
    for row, identity in enumerate(seen.identities):
        rows_of.setdefault(identity, []).append(row)
    usable = sorted(identity for identity, rows in rows_of.items() if len(rows) > _SHOTS)
    own, strangers = [], []
    for _ in range(trials):
        known = [str(one) for one in rng.permutation(usable)[: min(_GALLERY, len(usable) // 2)]]
        split = {identity: rng.permutation(rows_of[identity]) for identity in known}
        gallery = unit_rows(np.stack([embedded[split[one][:_SHOTS]].mean(axis=0) for one in known]))
        for index, one in enumerate(known):
            own.extend((embedded[split[one][_SHOTS:]] @ gallery[index]).tolist())
        others = [row for identity, rows in rows_of.items() if identity not in split for row in rows]
        strangers.extend((embedded[others] @ gallery.T).max(axis=1).tolist())
    mine, theirs = np.sort(own), np.sort(strangers)
    candidates = np.linspace(-1, 1, 2001)
    rejected = np.searchsorted(mine, candidates) / len(mine)
    accepted = 1 - np.searchsorted(theirs, candidates) / len(theirs)
    best = int(np.abs(rejected - accepted).argmin())
    return {"person": float(candidates[best]), "person_equal_error": float((rejected[best] + accepted[best]) / 2)}
