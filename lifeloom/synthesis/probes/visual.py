"""What album pictures let one ask (VDR), and who the person in one of them is (RR by picture).

An album picture is named in the words by its handle alone (``our reunion``). What is in it, in what colour, how
often, who and where is known from its plan and must be seen. Wrong answers are true of other album pictures of the
same history, shown by then, and never of the asked one. Each answer carries marks (in how many pictures it was
shown, when last, when the person was introduced), so that whoever selects cases can see to it that they do not tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from lifeloom.records import ConversationPlan, PictureSubject, TaskName
from lifeloom.synthesis.probes.truth import (
    Answers,
    KnownFact,
    NoAnswers,
    Other,
    Reason,
    evidence_of,
    held,
    make_answers,
    relationship_facts,
)

__all__ = ["COUNTS", "SCENERY", "WORN", "Album", "ShownPicture", "VisualKind", "VisualProbe", "visual_probes_of"]

VisualKind = Literal["thing", "colour", "count", "who", "where", "relation"]

COUNTS: tuple[str, ...] = ("one", "two", "three", "four")
"""Numbers that count questions offer, all four of them every time."""

_ENOUGH = 3
"""Wrong answers that a question needs."""

WORN: frozenset[str] = frozenset({"hat", "scarf", "teddy bear"})
"""Things that people may have on anyway, as clothes or printed on them: not asked about, and no wrong answers."""

SCENERY: Mapping[str, frozenset[str]] = {
    "library": frozenset({"book"}),
    "market": frozenset({"apple", "banana"}),
    "supermarket": frozenset({"apple", "banana"}),
    "cafe": frozenset({"mug"}),
    "pool": frozenset({"ladder"}),
    "playground": frozenset({"ladder"}),
    "airport": frozenset({"chair"}),
    "theatre": frozenset({"chair"}),
}
"""Things that the image maker draws as part of a place: of pictures set there neither asked about nor wrong answers."""


@dataclass(frozen=True)
class ShownPicture:
    """An album picture as a reader of the history meets it."""

    turn: int
    handle: str
    place: str
    things: tuple[PictureSubject, ...]
    people: tuple[str, ...]
    """Names of those in it."""

    @property
    def unclear(self) -> frozenset[str]:
        """Things of which one cannot say for sure whether and how often they are there."""
        return WORN | SCENERY.get(self.place, frozenset())

    @cached_property
    def thing_names(self) -> frozenset[str]:
        """The animals and objects in it."""
        return frozenset(thing.name for thing in self.things)


@dataclass(frozen=True)
class Album:
    """All album pictures of a conversation, with who can be known by face and what is said of who they are."""

    shown: tuple[ShownPicture, ...]
    """By turn."""
    portraits: Mapping[str, int]
    """Turn that introduces each person by a portrait, by name."""
    relations: Mapping[str, tuple[KnownFact, ...]]
    """What is said of who each person is, by name."""


@dataclass(frozen=True)
class VisualProbe:
    """A question about one album picture: the colour of one thing in it, one of the people in it, ..."""

    task: TaskName
    kind: VisualKind
    asked: ShownPicture
    value: str
    """The right answer: a word of the painter's vocabulary, one of ``COUNTS`` or a name.
    relation: the name of the person whose relation is asked for."""
    album: Album
    thing: str = ""
    """colour, count: the thing that the question names."""
    pictured: bool = True

    @property
    def attribute(self) -> str:
        """Id of what is asked: ``vdr-colour``, ``rr-picture``."""
        return "rr-picture" if self.kind == "relation" else f"vdr-{self.kind}"

    @property
    def phrase(self) -> str:
        """How the question names the picture."""
        return self.asked.handle

    @property
    def subject(self) -> str:
        """What tells it from other probes of the same attribute in a plan."""
        return " ".join([str(self.asked.turn), self.thing or self.value])

    def spans(self, turns: int) -> tuple[dict[tuple[str, ...], list[range]], Reason]:
        """Return the moments up to ``turns`` at which the right answer can be asked for, else why there are none."""
        found: dict[tuple[str, ...], list[range]] = {}
        reason: Reason = "too_few_distractors"
        starts = [moment for moment in self._moments_of_change() if moment <= turns]
        for start, after in zip(starts, [*starts[1:], turns + 1], strict=True):
            answers = self.answers(start)
            if isinstance(answers, NoAnswers):
                reason = answers.reason
            elif self.kind != "relation":
                # A drawn picture stays true and wrong answers only become more: from here on it can be asked.
                return {answers.right: [range(start, turns + 1)]}, reason
            else:
                found.setdefault(answers.right, []).append(range(start, after))
        return found, reason

    def answers(self, moment: int) -> Answers | NoAnswers:
        """Return the right and the wrong answers when ``moment`` turns have been said."""
        if self.asked.turn >= moment:
            return NoAnswers("nothing_holds")
        others = [picture for picture in self.album.shown if picture.turn < moment and picture is not self.asked]
        if self.kind in ("who", "relation"):
            return self._about_a_person(others, moment)
        shown_by: Callable[[ShownPicture], Iterable[str]] = {
            # Single ones as the right one is: things that come in colours are never several.
            "thing": lambda picture: {thing.name for thing in picture.things if thing.count == 1},
            "colour": _colours,
            "count": _counts,
            "where": lambda picture: [picture.place],
        }[self.kind]
        seen = [(picture.turn, value) for picture in others for value in sorted(shown_by(picture))]
        marks = _Marks([*seen, (self.asked.turn, self.value)])
        barred = {self.value} if self.kind == "count" else {self.value, *shown_by(self.asked)}
        if self.kind == "thing":
            barred |= self.asked.thing_names | self.asked.unclear
        wrong = [Other((value,), "other_picture", marks.of(value)) for _, value in seen if value not in barred]
        if self.kind == "count":
            # All four numbers are offered every time: how often each occurs elsewhere is of no use.
            wrong += [Other((value,), "never_shown") for value in COUNTS if value not in barred]
            wrong = [Other(other.values, other.source) for other in wrong]
            return make_answers((self.value,), wrong, (self.asked.turn,), (self.asked.turn,))
        return make_answers((self.value,), wrong, (self.asked.turn,), (self.asked.turn,), marks.of(self.value))

    def _about_a_person(self, others: Sequence[ShownPicture], moment: int) -> Answers | NoAnswers:
        portraits = {name: turn for name, turn in self.album.portraits.items() if turn < moment}
        if self.value not in portraits:
            return NoAnswers("no_portrait")
        known_before = portraits[self.value] < self.asked.turn
        # Who was introduced on the other side of the asked picture could be told apart by that alone.
        alike = [
            name
            for name, turn in portraits.items()
            if name not in self.asked.people and (turn < self.asked.turn) == known_before
        ]
        marks = _Marks(
            [
                *((picture.turn, name) for picture in others for name in picture.people),
                (self.asked.turn, self.value),
            ],
            portraits,
        )
        seen = [name for name in alike if marks.of(name)[0]]
        if len(seen) >= _ENOUGH:
            alike = seen
        pictures = tuple(sorted({self.asked.turn, portraits[self.value]}))
        if self.kind == "who":
            wrong = [Other((name,), "other_picture", marks.of(name)) for name in alike]
            return make_answers((self.value,), wrong, pictures, pictures, marks.of(self.value))
        return self._relation(alike, marks, pictures, moment)

    def _relation(
        self, alike: Sequence[str], marks: _Marks, pictures: tuple[int, ...], moment: int
    ) -> Answers | NoAnswers:
        right = held(self.album.relations.get(self.value, ()), moment)
        if isinstance(right, NoAnswers):
            return right
        # What was first said wrongly of this person is no option: the words would tell whose slip it was.
        wrong = []
        for name in alike:
            relation = held(self.album.relations.get(name, ()), moment)
            if isinstance(relation, KnownFact):
                wrong.append(Other((relation.value,), "other_relation", marks.of(name)))
        evidence = tuple(sorted({*pictures, *evidence_of([right], moment)}))
        return make_answers((right.value,), wrong, evidence, pictures, marks.of(self.value))

    def _moments_of_change(self) -> list[int]:
        turns = {self.asked.turn, *(picture.turn for picture in self.album.shown)}
        if self.kind in ("who", "relation"):
            turns.update(self.album.portraits.values())
        if self.kind == "relation":
            for facts in self.album.relations.values():
                for fact in facts:
                    turns.update(t for t in (fact.stated_in[0], fact.committed_in, fact.ended_in) if t is not None)
        return sorted(turn + 1 for turn in turns if turn >= self.asked.turn)


class _Marks:
    """In how many pictures each answer was shown and when last; for people also when they were introduced."""

    def __init__(self, seen: Sequence[tuple[int, str]], portraits: Mapping[str, int] | None = None) -> None:
        self._portraits = portraits
        self._times = Counter(value for _, value in set(seen))
        self._last: dict[str, int] = {}
        for turn, value in seen:
            self._last[value] = max(turn, self._last.get(value, -1))

    def of(self, value: str) -> tuple[int, ...]:
        own = (self._times[value], self._last.get(value, -1))
        return own if self._portraits is None else (*own, self._portraits[value])


def visual_probes_of(plan: ConversationPlan) -> tuple[VisualProbe, ...]:
    """Return what the album pictures of ``plan`` let one ask, picture by picture."""
    album = _album(plan)
    return tuple(probe for picture in album.shown for probe in _probes_of_picture(picture, album))


def _album(plan: ConversationPlan) -> Album:
    shown = []
    portraits: dict[str, int] = {}
    for turn in plan.turns:
        for planned in turn.pictures:
            people = tuple(subject.name for subject in planned.picture.subjects if subject.kind == "person")
            if planned.role == "portrait":
                portraits.setdefault(people[0], turn.turn_index)
            elif planned.role == "album":
                things = tuple(subject for subject in planned.picture.subjects if subject.kind != "person")
                shown.append(ShownPicture(turn.turn_index, planned.handle, planned.picture.place, things, people))
    return Album(tuple(shown), portraits, relationship_facts(plan))


def _probes_of_picture(picture: ShownPicture, album: Album) -> Iterator[VisualProbe]:
    for thing in picture.things:
        if thing.name in picture.unclear:
            continue
        if thing.count == 1:
            yield VisualProbe("VDR", "thing", picture, thing.name, album)
            if thing.colour:
                yield VisualProbe("VDR", "colour", picture, thing.colour, album, thing.name)
        if thing.count <= len(COUNTS) and not thing.colour:  # coloured things are never several: no question
            yield VisualProbe("VDR", "count", picture, COUNTS[thing.count - 1], album, thing.name)
    for name in picture.people:
        yield VisualProbe("VDR", "who", picture, name, album)
    if picture.place:
        yield VisualProbe("VDR", "where", picture, picture.place, album)
    if len(picture.people) == 1:
        yield VisualProbe("RR", "relation", picture, picture.people[0], album)


def _colours(picture: ShownPicture) -> list[str]:
    return [thing.colour for thing in picture.things if thing.colour]


def _counts(picture: ShownPicture) -> list[str]:
    return [COUNTS[thing.count - 1] for thing in picture.things if thing.count <= len(COUNTS)]
