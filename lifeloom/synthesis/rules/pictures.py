"""Pictures: each is marked once in the user's text, and no text gives away what it shows.

A question about a picture must need the picture. So neither message of a turn names the value that a picture stands
for, a thing or the place in it, or a person other than the one whom it introduces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from lifeloom.models.builtin.painter.vocabulary import COLOURS, place, thing
from lifeloom.records import ConversationPlan, PlannedFact, PlannedPicture, Turn, TurnPlan
from lifeloom.synthesis.rules.findings import Finding, Reason
from lifeloom.synthesis.rules.phrases import Folded, fold, names
from lifeloom.tasks.choice_answer import PICTURE_MARK as MARK

__all__ = ["MARK", "PictureRules"]

_BEFORE_NOUNS = frozenset(
    (
        *("a", "an", "the", "this", "that", "these", "those", "some", "any", "no", "each", "every", "another"),
        *("my", "your", "his", "her", "our", "its", "their"),
        *("one", "two", "three", "four", "five", "six", "several", "few", "many", "both"),
        *COLOURS,
    )
)
_REACH = 2
"""A noun counts as one when such a word is among the two before it: 'the old clock', not 'book a table'."""

_ALSO: Mapping[str, tuple[str, ...]] = {
    "bicycle": ("bike",),
    "cat": ("kitten",),
    "dog": ("puppy",),
    "horse": ("pony",),
    "rabbit": ("bunny",),
    "rooster": ("cockerel",),
    "teddy bear": ("teddy",),
    "telephone": ("phone", "smartphone"),
    "television": ("tv", "telly"),
}
"""Other words for what pictures show."""


@dataclass(frozen=True)
class PictureRules:
    """The rules on pictures for one plan."""

    plan: ConversationPlan
    _facts: Mapping[str, PlannedFact] = field(init=False, repr=False)
    _people: Mapping[str, re.Pattern[str]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Take from the plan what pictures can show."""
        people = {look.name: re.compile(rf"\b{re.escape(look.name)}\b") for look in self.plan.looks}
        object.__setattr__(self, "_facts", {fact.fact_id: fact for fact in self.plan.facts})
        object.__setattr__(self, "_people", people)

    def check(self, turn: Turn) -> Iterator[Finding]:
        """Yield what is wrong about the pictures of ``turn``, which is one of the plan's."""
        planned = self.plan.turns[turn.turn_index]

        def finding(reason: Reason, detail: str) -> Finding:
            return Finding(reason, detail, planned.session_index, planned.turn_index)

        wanted, marks = len(planned.pictures), turn.user.count(MARK)
        if marks != wanted:
            yield finding("picture_marks", f"the user's message has {marks} {MARK}; write {wanted}")
        if MARK in turn.assistant:
            yield finding("picture_marks", f"the assistant's message has {MARK}; only the user shows pictures")
        if len(turn.pictures) != wanted:
            yield finding("picture_marks", f"the turn has {len(turn.pictures)} pictures, planned are {wanted}")
        if planned.pictures:
            for who, text in (("user", turn.user), ("assistant", turn.assistant)):
                told = dict.fromkeys(self._told(planned, text))
                if told:
                    what = ", ".join(f"'{name}'" for name in told)
                    yield finding("picture_described", f"the {who} must not name {what}: the picture shows it")

    def _told(self, planned: TurnPlan, text: str) -> Iterator[str]:
        """Yield what ``text`` names of that which the turn's pictures show."""
        stated = [self._facts[statement.fact_id] for statement in planned.statements]
        left = [self._facts[s.previous_fact_id] for s in planned.statements if s.previous_fact_id is not None]
        said = fold(text)
        # Words that the text is to use may hold a thing by chance.
        for given in (*(shown.handle for shown in planned.pictures), *(fact.phrase for fact in stated)):
            said = said.replace(fold(given), " ") if given else said
        for fact in (*stated, *left):
            # Names are looked for below, by their capitals: people may be called Will or Rose.
            if fact.pictured and fact.value not in self._people and names(said, fold(fact.value)):
                yield fact.value
        for shown in planned.pictures:
            yield from _things_told(shown, said)
        welcome = {shown.picture.subjects[0].name for shown in planned.pictures if shown.role == "portrait"}
        welcome |= {fact.holder_name for fact in stated}
        welcome |= {fact.phrase for fact in stated if fact.kind in ("relationship", "bond")}
        for name, pattern in self._people.items():
            if name not in welcome and pattern.search(text):
                yield name


def _things_told(shown: PlannedPicture, said: Folded) -> Iterator[str]:
    for subject in shown.picture.subjects:
        if subject.kind != "person" and any(_is_named(said, one, several) for one, several in _nouns(subject.name)):
            yield subject.name
    where = shown.picture.place
    if where and (names(said, fold(_place_phrase(where))) or _is_named(said, fold(where), "")):
        yield where


def _nouns(name: str) -> tuple[tuple[Folded, Folded], ...]:
    """Return the words for one and several of a thing; those of other image makers take an s."""
    try:
        plural = thing(name).plural
    except KeyError:
        plural = f"{name}s"
    return ((fold(name), fold(plural)), *((fold(word), fold(f"{word}s")) for word in _ALSO.get(name, ())))


def _place_phrase(name: str) -> str:
    try:
        return place(name).phrase
    except KeyError:
        return name


def _is_named(said: Folded, one: Folded, several: Folded) -> bool:
    """Say whether a thing is named in ``said``: several outright, one as a noun, after an article or the like."""
    if several != one and names(said, several):
        return True
    start = said.find(one)
    while start >= 0:
        if not _BEFORE_NOUNS.isdisjoint(said[: start + 1].split()[-_REACH:]):
            return True
        start = said.find(one, start + 1)
    return False
