"""Captions whose right answers are known, to measure judges: gold ones, and ones with one thing wrong.

They are put together from what dialogues were planned to say, in wordings of their own, so that a judge is measured on
what it is for: to answer from what is there, and to abstain where the evidence is of somebody else, of another day or
number, denied or missing.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from lifeloom.records import (
    CaptionSample,
    ConceptDialoguePlan,
    DialogueFact,
    DialogueFactKind,
    ProbeLetter,
    ProbeQuestion,
)
from lifeloom.streams import Streams

__all__ = ["GATED", "LABELLED_CLASSES", "LabelledCaption", "LabelledClass", "labelled_captions"]

LabelledClass = Literal[
    "gold",
    "absent",
    "wrong_name",
    "wrong_number",
    "wrong_date",
    "negated",
    "other_dialogue",
    "empty",
    "whole_context",
]
LABELLED_CLASSES: tuple[LabelledClass, ...] = get_args(LabelledClass)
GATED: tuple[LabelledClass, ...] = ("gold", "wrong_name", "wrong_number", "wrong_date", "negated", "absent")
"""Classes in each of which a judge must agree before its scores are shown."""

_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "eleven", "twelve")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_STRANGERS = ("Zuzana", "Quentin", "Philippa", "Thaddeus", "Wilhelmina", "Xanthe", "Ottoline", "Lysander")
"""Names that no catalogue has."""


@dataclass(frozen=True)
class LabelledCaption:
    """A question with a caption, and the letter that a sound judge chooses."""

    kind: LabelledClass
    question: ProbeQuestion
    caption: str
    letter: ProbeLetter


def labelled_captions(
    samples: Iterable[CaptionSample],
    plans: Mapping[str, ConceptDialoguePlan],
    questions: Iterable[ProbeQuestion],
    streams: Streams,
    *,
    each: int,
) -> list[LabelledCaption]:
    """Return up to ``each`` captions of every class, fewer where there are not as many fitting questions.

    Args:
        samples: contexts.
        plans: what their dialogues say, by dialogue.
        questions: about them, all of which may be used.
        streams: where all chance comes from.
        each: captions a class.
    """
    by_id = {one.sample_id: one for one in samples}
    asked = [one for one in questions if one.sample_id in by_id and one.dialogue_id in plans and one.fact]
    found: list[LabelledCaption] = []
    for kind in LABELLED_CLASSES:
        rng = streams.rng("labelled_captions", kind)
        fitting = [one for one in asked if _fits(kind, one)]
        for question in rng.sample(fitting, min(each, len(fitting))):
            sample = by_id[question.sample_id]
            caption = _caption(kind, question, sample, plans, rng)
            right: ProbeLetter = question.answer if kind in ("gold", "whole_context") else "D"
            found.append(LabelledCaption(kind, question, caption, right))
    return found


def _fits(kind: LabelledClass, question: ProbeQuestion) -> bool:
    if kind == "wrong_number":
        return question.fact == "object"
    return question.fact == "time" if kind == "wrong_date" else True


def _caption(
    kind: LabelledClass,
    question: ProbeQuestion,
    sample: CaptionSample,
    plans: Mapping[str, ConceptDialoguePlan],
    rng: random.Random,
) -> str:
    if kind == "empty":
        return ""
    if kind == "whole_context":
        return "\n".join(turn.user for entry in sample.entries for turn in entry.turns)
    plan = plans[question.dialogue_id]
    if kind == "other_dialogue":
        others = [one.dialogue_id for one in sample.entries if one.dialogue_id != question.dialogue_id]
        other = plans[rng.choice(others)]
        return _told(other.handle, other.facts, rng)
    facts = list(plan.facts)
    place = next(number for number, one in enumerate(facts) if one.kind == question.fact)
    fact = facts.pop(place)
    if kind == "absent":
        return _told(plan.handle, facts, rng)
    if kind == "wrong_name":
        return _told(_renamed(plan.handle, rng), [*facts, fact], rng)
    if kind == "negated":
        return f"{_told(plan.handle, facts, rng)} {_denied(plan.handle, fact, rng)}"
    if kind in ("wrong_number", "wrong_date"):
        wrong = _other_number(fact, rng) if kind == "wrong_number" else _other_day(fact, rng)
        fact = fact.model_copy(update={"value": wrong})
    return _told(plan.handle, [*facts, fact], rng)


def _told(handle: str, facts: Sequence[DialogueFact], rng: random.Random) -> str:
    """Put facts about one concept into words."""
    said = {one.kind: one.value for one in rng.sample(list(facts), len(facts))}
    return rng.choice(_STYLES)(handle, said, rng)


def _in_one_breath(handle: str, said: Mapping[DialogueFactKind, str], rng: random.Random) -> str:
    who, owner = rng.choice((("you", "your"), ("the user", "the user's")))
    parts = [f"{who} spent time"]
    if "place" in said:
        parts.append(f"at {said['place']}")
    if "time" in said:
        parts.append(f"on {_day(said['time'], rng)}")
    if "event" in said:
        parts.append(f"during {said['event']}")
    if "companion" in said:
        parts.append(f"in the company of {owner} {said['companion']}")
    rest = f", returning with {_number(said['object'], rng)}" if "object" in said else ""
    start = rng.choice(
        (f"The picture shows {handle}, with whom ", f"{_capital(handle)} is to be seen here, with whom ")
    )
    return f"{start}{' '.join(parts)}{rest}."


def _in_sentences(handle: str, said: Mapping[DialogueFactKind, str], rng: random.Random) -> str:
    who, owner = rng.choice((("You", "your"), ("The user", "the user's")))
    sentences = [
        rng.choice((f"In the foreground is {handle}.", f"This picture shows {handle}.", f"{_capital(handle)} is here."))
    ]
    for kind, value in said.items():
        if kind == "place":
            sentences.append(f"{who} and {handle} spent that time at {value}.")
        elif kind == "time":
            sentences.append(f"It dates back to {_day(value, rng)}.")
        elif kind == "event":
            sentences.append(f"At that time {value} was under way.")
        elif kind == "companion":
            sentences.append(f"{_capital(owner)} {value} was present as well.")
        else:
            sentences.append(f"{who} returned with {_number(value, rng)}.")
    return " ".join(sentences)


def _as_notes(handle: str, said: Mapping[DialogueFactKind, str], rng: random.Random) -> str:
    notes = []
    for kind, value in said.items():
        if kind == "place":
            notes.append(f"seen at {value}")
        elif kind == "time":
            notes.append(f"dated {_day(value, rng)}")
        elif kind == "event":
            notes.append(f"for {value}")
        elif kind == "companion":
            notes.append(f"accompanied by your {value}")
        else:
            notes.append(f"{_number(value, rng)} taken home")
    return f"{_capital(handle)} in the picture: {', '.join(notes)}."


_STYLES: tuple[Callable[[str, Mapping[DialogueFactKind, str], random.Random], str], ...] = (
    _in_one_breath,
    _in_sentences,
    _as_notes,
)


def _denied(handle: str, fact: DialogueFact, rng: random.Random) -> str:
    who, owner = rng.choice((("You", "your"), ("The user", "the user's")))
    if fact.kind == "place":
        return f"{who} did not see {handle} at {fact.value}."
    if fact.kind == "time":
        return f"It was not on {_day(fact.value, rng)}."
    if fact.kind == "event":
        return f"{who} never took {handle} to {fact.value}."
    if fact.kind == "companion":
        return f"Neither {owner} {fact.value} nor anybody else was with {handle}."
    return f"{who} returned from {handle} without {_number(fact.value, rng)}."


def _day(value: str, rng: random.Random) -> str:
    """Return a day in another form: ``14 March 2025`` as ``March 14th, 2025`` or ``2025-03-14``."""
    day, _, clock = value.partition(" at ")
    number, month, year = day.split(" ")
    iso = f"{year}-{_MONTHS.index(month) + 1:02d}-{int(number):02d}"
    said = rng.choice((day, f"{month} {number}, {year}", iso))
    return f"{said} at {clock}" if clock else said


def _number(value: str, rng: random.Random) -> str:
    number, _, rest = value.partition(" ")
    digits = {word: str(count) for word, count in zip(_NUMBERS, (2, 3, 4, 5, 6, 7, 8, 9, 11, 12), strict=True)}
    return f"{rng.choice((number, digits.get(number, number)))} {rest}"


def _other_number(fact: DialogueFact, rng: random.Random) -> str:
    number, _, rest = fact.value.partition(" ")
    taken = {number, *(one.partition(" ")[0] for one in fact.options if one.partition(" ")[2] == rest)}
    return f"{rng.choice([one for one in _NUMBERS if one not in taken])} {rest}"


def _other_day(fact: DialogueFact, rng: random.Random) -> str:
    """Return a day that is neither the right one nor a wrong option, of the same shape."""
    day, _, clock = fact.value.partition(" at ")
    number, month, year = day.split(" ")
    taken = {one.partition(" at ")[0] for one in (fact.value, *fact.options)}
    others = [
        f"{other} {name} {year}"
        for other in range(1, 29)
        for name in (month, _MONTHS[(_MONTHS.index(month) + 5) % 12])
        if str(other) != number
    ]
    said = rng.choice([one for one in others if one not in taken])
    return f"{said} at {clock}" if clock else said


def _renamed(handle: str, rng: random.Random) -> str:
    """Return a handle of somebody, or some thing, else."""
    return " ".join([*handle.split()[:-1], rng.choice(_STRANGERS)])


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
