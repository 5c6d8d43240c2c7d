"""The pictures of a conversation: which message shows them, what it says of them, and who is in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from lifeloom.models.builtin.reader.looking import LookedAt
from lifeloom.models.builtin.reader.pointing import Pointing, introduced, named_beside, pointing
from lifeloom.models.builtin.reader.text import stem
from lifeloom.tasks.choice_answer import PICTURE_MARK, ContextMessage

__all__ = ["Shown", "shown_pictures", "split_by_message"]

_ROUNDS = 2  # faces told by portraits sharpen a person's mean face, by which the others are told


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A picture as a message shows it. Compared by identity."""

    message: int
    looked: LookedAt
    pointing: Pointing | None
    """What the message says of it; None for pictures of the assistant."""
    introduces: str
    """Lower-case name of whom the message introduces by it; empty for nobody."""
    people: tuple[str, ...]
    """Lower-case name of each person in it, empty where nobody has said who that is."""
    likeness: Mapping[str, float]
    """Highest cosine of a face in it with each person's, by lower-case name."""
    stems: frozenset[str]
    """Stems of all that is in it, people's names included."""


@dataclass(frozen=True, slots=True)
class _Raw:
    message: int
    looked: LookedAt
    pointing: Pointing | None
    introduces: str
    people: list[str] = field(default_factory=list)


def split_by_message(context: Sequence[ContextMessage], count: int) -> list[range]:
    """Return which of ``count`` pictures belong to each message: as many as it has marks, in order.

    Where there are fewer pictures than marks the last marks go without; further pictures belong to nobody.
    """
    ranges = []
    first = 0
    for message in context:
        last = min(count, first + message.text.count(PICTURE_MARK))
        ranges.append(range(first, last))
        first = last
    return ranges


def shown_pictures(
    context: Sequence[ContextMessage], looked: Sequence[LookedAt], names: frozenset[str], threshold: float
) -> tuple[tuple[Shown, ...], ...]:
    """Return the pictures of each message of ``context``.

    Args:
        context: the messages, oldest first.
        looked: all pictures in words, in the order of their marks.
        names: lower-case names of people in the conversation.
        threshold: cosine from which two faces are one person's.
    """
    raws: list[list[_Raw]] = []
    for number, (message, own) in enumerate(zip(context, split_by_message(context, len(looked)), strict=True)):
        row: list[_Raw] = []
        if own:
            user = message.role == "user"
            pointings = pointing(message.text, names) if user else ()
            for place, index in enumerate(own):
                picture = looked[index]
                alone = user and len(own) == 1 and len(picture.faces) == 1
                row.append(
                    _Raw(
                        number,
                        picture,
                        pointings[place] if place < len(pointings) else None,
                        _introduces(message.text, names, picture) if alone else "",
                    )
                )
        raws.append(row)
    known = _tell_people([raw for row in raws for raw in row], threshold)
    return tuple(tuple(_shown(raw, known) for raw in row) for row in raws)


def _introduces(text: str, names: frozenset[str], picture: LookedAt) -> str:
    """Return whom a message introduces by its picture of one person."""
    name = introduced(text, names)
    if not name and not picture.sight.things and not picture.sight.place:
        name = named_beside(text, names)  # nothing but a face: whoever is named beside it
    return name


def _tell_people(raws: Sequence[_Raw], threshold: float) -> dict[str, npt.NDArray[np.float32]]:
    """Give the faces of ``raws`` their names; return the mean face of each person, a unit vector."""
    shots: dict[str, list[npt.NDArray[np.float32]]] = {}
    for raw in raws:
        if raw.introduces:
            shots.setdefault(raw.introduces, []).append(raw.looked.faces[0])
    if not shots:
        for raw in raws:
            raw.people[:] = [""] * len(raw.looked.faces)
        return {}
    names = sorted(shots)
    means = np.stack([_mean(shots[name]) for name in names])  # (people, dimensions)
    for _ in range(_ROUNDS):
        gathered = {name: list(shots[name]) for name in names}
        for raw in raws:
            raw.people[:] = _named(raw, names, means, threshold)
            if not raw.introduces:
                for name, face in zip(raw.people, raw.looked.faces, strict=True):
                    if name:
                        gathered[name].append(face)
        means = np.stack([_mean(gathered[name]) for name in names])
    return {name: means[i] for i, name in enumerate(names)}


def _named(raw: _Raw, names: Sequence[str], means: npt.NDArray[np.float32], threshold: float) -> list[str]:
    """Return the name of each face, likest first; nobody is in a picture twice."""
    people = [""] * len(raw.looked.faces)
    if raw.introduces:
        people[0] = raw.introduces
        return people
    if not people:
        return people
    likeness = raw.looked.faces @ means.T  # (faces, people)
    for flat in np.argsort(-likeness, axis=None, kind="stable"):
        face, person = divmod(int(flat), len(names))
        if likeness[face, person] < threshold:
            break
        if not people[face] and names[person] not in people:
            people[face] = names[person]
    return people


def _mean(faces: Sequence[npt.NDArray[np.float32]]) -> npt.NDArray[np.float32]:
    total = np.sum(faces, axis=0)
    return np.asarray(total / max(float(np.linalg.norm(total)), 1e-9), dtype=np.float32)


def _shown(raw: _Raw, known: Mapping[str, npt.NDArray[np.float32]]) -> Shown:
    faces = raw.looked.faces
    likeness = {name: float((faces @ mean).max()) for name, mean in known.items()} if len(faces) else {}
    return Shown(
        raw.message,
        raw.looked,
        raw.pointing,
        raw.introduces,
        tuple(raw.people),
        likeness,
        raw.looked.stems | {stem(name) for name in raw.people if name},
    )
