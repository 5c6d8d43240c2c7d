"""The filter of drawn pictures: does a picture show what its plan asks for?

The critic looks with the eyes of the understanding side, so it judges whatever image maker drew the picture. It is
no oracle: what it finds is drawn again with another seed, and what it still finds then waits for a person.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, get_args

import numpy as np
import numpy.typing as npt

from lifeloom.models.protocol import PictureSource
from lifeloom.records import PicturePlan, PictureReference, PictureSubject

if TYPE_CHECKING:
    from lifeloom.models.builtin.eyes import Sight

__all__ = ["PROBLEM_KINDS", "Looker", "PictureCritic", "PictureProblem", "ProblemKind"]

ProblemKind = Literal[
    "wrong_person",
    "missing_person",
    "extra_person",
    "missing_object",
    "wrong_count",
    "wrong_colour",
    "wrong_place",
    "caption_of_another_picture",
]
PROBLEM_KINDS: tuple[ProblemKind, ...] = get_args(ProblemKind)

_OTHER_PICTURE = 0.5
"""From this share of a plan's demands on that are not met, the picture is another one's."""
_FEWEST_DEMANDS = 3
"""With fewer demands a single fault would already pass for another picture."""
_SAME_PLACE = 0.5
"""A place is doubted only when the eyes give another one at least this score."""

Face = npt.NDArray[np.float32]


class Looker(Protocol):
    """The part of ``lifeloom.models.builtin.eyes.Eyes`` that the critic needs."""

    @property
    def person_threshold(self) -> float:
        """Similarity from which on two faces are one person's."""
        ...

    def look(self, pictures: Sequence[PictureReference], source: PictureSource) -> list[Sight]:
        """Return what stands in each picture."""
        ...


@dataclass(frozen=True)
class PictureProblem:
    """One thing that is not as planned."""

    kind: ProblemKind
    detail: str
    """A sentence that names what was asked for and what is seen."""


class PictureCritic:
    """Holds pictures against their plans."""

    def __init__(self, eyes: Looker) -> None:
        """Look with ``eyes``."""
        self._eyes = eyes

    def look_ahead(self, pictures: Sequence[PictureReference], source: PictureSource) -> None:
        """Look at many pictures at once, which is faster than one by one; ``check`` then finds them seen."""
        self._eyes.look(pictures, source)

    def faces(
        self, portraits: Mapping[str, Sequence[PictureReference]], source: PictureSource
    ) -> dict[str, tuple[Face, ...]]:
        """Return the faces of people by identity, from pictures that show each of them alone.

        A portrait on which not exactly one person is found gives no face.
        """
        known = {}
        for identity, pictures in portraits.items():
            sights = self._eyes.look(pictures, source)
            known[identity] = tuple(sight.people[0].face for sight in sights if len(sight.people) == 1)
        return known

    def check(
        self, plan: PicturePlan, picture: PictureReference, source: PictureSource, known: Mapping[str, Sequence[Face]]
    ) -> tuple[PictureProblem, ...]:
        """Return what in ``picture`` is not as ``plan`` asks; empty when all is.

        Args:
            plan: what was asked for.
            picture: what was drawn.
            source: gives the file.
            known: faces of people by identity (``faces``); people without one are only counted.

        Raises:
            PictureRejected, StoreError: the picture cannot be read.
        """
        sight = self._eyes.look([picture], source)[0]
        problems = [*self._people(plan, sight, known), *_things(plan, sight)]
        demands = len(plan.subjects) + sum(subject.colour != "" for subject in plan.subjects)
        if plan.place and sight.place != plan.place and sight.place_score >= _SAME_PLACE:
            problems.append(PictureProblem("wrong_place", f"asked for {plan.place}, it looks like {sight.place}"))
        demands += bool(plan.place)
        if demands >= _FEWEST_DEMANDS and len(problems) >= _OTHER_PICTURE * demands and len(problems) > 1:
            kinds = ", ".join(dict.fromkeys(problem.kind for problem in problems))
            return (
                PictureProblem("caption_of_another_picture", f"{len(problems)} of {demands} demands not met: {kinds}"),
                *problems,
            )
        return tuple(problems)

    def _people(self, plan: PicturePlan, sight: Sight, known: Mapping[str, Sequence[Face]]) -> Sequence[PictureProblem]:
        planned = [subject for subject in plan.subjects if subject.kind == "person"]
        problems = []
        if len(sight.people) < len(planned):
            problems.append(
                PictureProblem("missing_person", f"{len(planned)} people planned, {len(sight.people)} seen")
            )
        elif len(sight.people) > len(planned):
            problems.append(PictureProblem("extra_person", f"{len(planned)} people planned, {len(sight.people)} seen"))
        judged = [subject for subject in planned if known.get(subject.identity)]
        if judged and sight.people:
            problems += self._faces(judged, [person.face for person in sight.people], known)
        return problems

    def _faces(
        self, planned: Sequence[PictureSubject], seen: Sequence[Face], known: Mapping[str, Sequence[Face]]
    ) -> list[PictureProblem]:
        """Give every planned person the face that fits best over all, and doubt those that do not fit."""
        from scipy.optimize import linear_sum_assignment

        likeness = np.array(  # (planned, seen)
            [[_likeness(known[subject.identity], face) for face in seen] for subject in planned]
        )
        rows, columns = linear_sum_assignment(-likeness)
        return [
            PictureProblem("wrong_person", f"{planned[row].name} does not look like in other pictures")
            for row, column in zip(rows, columns, strict=True)
            if likeness[row, column] < self._eyes.person_threshold
        ]


def _likeness(known: Sequence[Face], face: Face) -> float:
    mean = np.mean(np.stack(list(known)), axis=0)
    return float(mean @ face / max(float(np.linalg.norm(mean)), 1e-9))


def _things(plan: PicturePlan, sight: Sight) -> list[PictureProblem]:
    wanted: Counter[str] = Counter()
    for subject in plan.subjects:
        if subject.kind != "person":
            wanted[subject.name] += subject.count
    seen = Counter(thing.name for thing in sight.things)
    problems = []
    for name, count in wanted.items():
        if not seen[name]:
            problems.append(PictureProblem("missing_object", f"{name} is planned and not seen"))
        elif seen[name] != count:
            problems.append(PictureProblem("wrong_count", f"{count} of {name} planned, {seen[name]} seen"))
    for subject in plan.subjects:
        colours = Counter(thing.colour for thing in sight.things if thing.name == subject.name)
        if subject.colour and colours and colours.most_common(1)[0][0] != subject.colour:
            looks = colours.most_common(1)[0][0]
            problems.append(
                PictureProblem("wrong_colour", f"{subject.name} is planned {subject.colour}, looks {looks}")
            )
    return problems
