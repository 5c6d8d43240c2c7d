"""Which candidate of a picture is taken: an ensemble's vote, and why the others lost (Life-Bench Section 3.2).

Several answers of one model are the ensemble. A candidate is taken when most of the votes are for some candidate and
not for none; it is the one with the most of them.
"""

from __future__ import annotations

import hashlib
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from lifeloom.models.builtin.painter.vocabulary import PLACES
from lifeloom.models.protocol import (
    DrawnPicture,
    GenerationRejected,
    LanguageModel,
    PictureNotDrawn,
    PictureSource,
    Portrait,
)
from lifeloom.records import BY_CODE, PictureCandidate, PicturePlan, PictureReference, Provenance
from lifeloom.streams import stable_hash
from lifeloom.tasks import CANDIDATE_VOTE, CandidateVoteInput

__all__ = ["Laid", "PictureOrder", "PictureShelf", "Unfit", "Voted", "Voter", "candidate_plan"]

_PLACE = {one.name: one.phrase for one in PLACES}

Unfit = Callable[[PictureReference, bytes], str]
"""Says why a drawn picture must not be taken whatever it shows; empty: it may be."""


@dataclass(frozen=True)
class PictureOrder:
    """A picture to be drawn."""

    image_id: str
    vaccount_id: str
    use: str
    """``portrait``, ``history`` or ``question``."""
    plan: PicturePlan
    caption: str
    """What it shows, in words; names who is in it."""
    people: tuple[Portrait, ...] = ()
    """Concepts in it, persons and pets, with their portraits."""
    strangers: int = 0
    """Persons in it who have no portrait."""
    things: tuple[str, ...] = ()
    """With number and colour: ``two red balloons``."""


def candidate_plan(plan: PicturePlan, number: int) -> PicturePlan:
    """Return the plan of a picture's candidate; the first is the plan itself, the others have other seeds."""
    if number == 0:
        return plan
    return plan.model_copy(update={"seed": stable_hash("candidate", plan.seed, number) % 2**53})


@dataclass
class PictureShelf:
    """Candidates while they are voted on, and what lies elsewhere: a ``PictureSource``. Safe to use from threads."""

    otherwise: PictureSource
    _files: dict[str, bytes] = field(default_factory=dict)
    _holders: Counter[str] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def put(self, drawn: DrawnPicture) -> PictureReference:
        """Lay a candidate down and return what refers to it."""
        content = hashlib.sha256(drawn.data).hexdigest()
        with self._lock:
            self._files[content] = drawn.data
            self._holders[content] += 1
        return PictureReference(content_hash=content, width=drawn.width, height=drawn.height)

    def take(self, reference: PictureReference) -> None:
        """Take away what ``put`` laid down, unless it was laid down several times."""
        with self._lock:
            self._holders[reference.content_hash] -= 1
            if not self._holders[reference.content_hash]:
                del self._holders[reference.content_hash], self._files[reference.content_hash]

    @property
    def held(self) -> int:
        """How many files lie here now."""
        return len(self._files)

    def __call__(self, reference: PictureReference) -> bytes:
        """Return the file of a candidate, or of another picture."""
        found = self._files.get(reference.content_hash)
        return self.otherwise(reference) if found is None else found


@dataclass(frozen=True)
class Laid:
    """A candidate on the shelf, or why it could not be drawn."""

    number: int
    """Among all candidates of its picture, from 0."""
    drawn: DrawnPicture | PictureNotDrawn
    reference: PictureReference | None


@dataclass(frozen=True)
class Voted:
    """The vote on a picture's candidates."""

    candidates: tuple[PictureCandidate, ...]
    best: int | None
    """Index into the candidates; None: none is good enough."""
    made_by: Provenance


class Voter:
    """Puts candidates to the vote.

    Args:
        critic: votes; None, or one that takes no pictures: the first candidate that may be taken is taken.
        votes: on each picture's candidates.
    """

    def __init__(self, critic: LanguageModel | None, votes: int) -> None:
        self._critic = critic if critic is not None and critic.takes_pictures else None
        self._votes = max(1, votes)

    @property
    def looks(self) -> bool:
        """Whether candidates are looked at."""
        return self._critic is not None

    def vote(self, order: PictureOrder, laid: Sequence[Laid], unfit: Unfit | None = None) -> Voted:
        """Return the candidates of ``order`` with their votes and the index of the best.

        Raises:
            ModelError: the critic cannot work at all.
        """
        problems: defaultdict[int, list[str]] = defaultdict(list)
        shown: list[tuple[int, PictureReference]] = []
        for index, one in enumerate(laid):
            if isinstance(one.drawn, PictureNotDrawn) or one.reference is None:
                problems[index].append(str(one.drawn))
                continue
            reason = "" if unfit is None else unfit(one.reference, one.drawn.data)
            if reason:
                problems[index].append(reason)
            else:
                shown.append((index, one.reference))
        counts, made_by = self._counted(order, shown, problems)
        enough = 2 * counts.total() > self._votes
        best = min(counts, key=lambda index: (-counts[index], index)) if enough else None
        candidates = tuple(
            PictureCandidate(
                seed=candidate_plan(order.plan, one.number).seed,
                content_hash="" if one.reference is None else one.reference.content_hash,
                votes=counts[index],
                problems=tuple(dict.fromkeys(problems[index])),
                drawn=one.reference is not None,
            )
            for index, one in enumerate(laid)
        )
        return Voted(candidates, best, made_by)

    def _counted(
        self, order: PictureOrder, shown: Sequence[tuple[int, PictureReference]], problems: dict[int, list[str]]
    ) -> tuple[Counter[int], Provenance]:
        """Return the votes by index, and who voted; problems are added to those known."""
        counts: Counter[int] = Counter()
        if not shown:
            return counts, BY_CODE
        if self._critic is None:
            counts[shown[0][0]] = self._votes
            return counts, BY_CODE
        asked = CandidateVoteInput(
            caption=order.caption,
            people=tuple(person.name for person in order.people),
            strangers=order.strangers,
            things=order.things,
            place=_PLACE.get(order.plan.place, order.plan.place),
            candidates=len(shown),
        )
        images = [*(person.picture for person in order.people), *(reference for _, reference in shown)]
        for sample in range(self._votes):
            try:
                given = self._critic.run(CANDIDATE_VOTE, asked, images, sample=sample).output
            except GenerationRejected as error:  # a vote for none
                for index, _ in shown:
                    problems[index].append(f"vote {sample + 1} could not be read: {error.reason}")
                continue
            if 1 <= given.best <= len(shown):
                counts[shown[given.best - 1][0]] += 1
            for one in given.problems:
                if 1 <= one.candidate <= len(shown):
                    problems[shown[one.candidate - 1][0]].append(one.problem)
        return counts, self._critic.identity.provenance(CANDIDATE_VOTE)
