"""Wording dialogues about a picture: every fact once, in one of several ways, and nothing besides."""

from __future__ import annotations

import datetime as dt
import random
import re
from collections.abc import Hashable

from lifeloom.models.builtin.writer.spin import Wording, parse_wordings, take
from lifeloom.models.builtin.writer.wordings import load
from lifeloom.records import Edition
from lifeloom.tasks.concept_dialogue import (
    ConceptDialogueInput,
    ConceptDialogueOutput,
    DialogueExchange,
    FactBrief,
)

__all__ = ["said_day", "write_dialogue"]

_DATA = "concept_dialogues"
_DAY = re.compile(r"(\d{1,2}) ([A-Z][a-z]+) (\d{4})(?: at (\d{1,2}:\d{2}))?")
_DIGITS = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
    "eleven": "11", "twelve": "12",
}  # fmt: skip
_DIGIT_SHARE = 0.4


def write_dialogue(asked: ConceptDialogueInput, rng: random.Random) -> ConceptDialogueOutput:
    """Return the dialogue."""
    edition = asked.edition
    used: set[Hashable] = set()
    turns = []
    for number, facts in enumerate(asked.turns):
        sentences = []
        if number == 0:
            wording = take(_wordings("introduction", asked.category), edition, rng, used)
            sentences.append(wording.say(rng, {"h": asked.handle, "n": asked.noun}))
        sentences += [_sentence(fact, asked, edition, rng, used) for fact in facts]
        reply = [take(_wordings("reply", "any"), edition, rng, used).say(rng)]
        if number + 1 < len(asked.turns):
            reply.append(take(_wordings("question", "any"), edition, rng, used).say(rng))
        user = " ".join(sentences) or take(_wordings("nothing_new", "any"), edition, rng, used).say(rng)
        turns.append(DialogueExchange(user=user, assistant=" ".join(reply)))
    return ConceptDialogueOutput(turns=tuple(turns))


def said_day(value: str, rng: random.Random) -> str:
    """Return a day in one of the forms in which people write it; what is no day stays as it is."""
    found = _DAY.fullmatch(value)
    if found is None:
        return value
    day, month, year, clock = int(found[1]), found[2], found[3], found[4]
    ordinal = f"{day}{'th' if 10 <= day % 100 <= 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th')}"
    iso = dt.datetime.strptime(f"{day} {month} {year}", "%d %B %Y").date().isoformat()  # noqa: DTZ007 - a day only
    said = rng.choice((f"{day} {month} {year}", f"{month} {day}, {year}", f"the {ordinal} of {month} {year}", iso))
    return f"{said} at {clock}" if clock else said


def _sentence(
    fact: FactBrief, asked: ConceptDialogueInput, edition: Edition, rng: random.Random, used: set[Hashable]
) -> str:
    value = fact.value
    if fact.kind == "time":
        value = said_day(value, rng)
    elif fact.kind == "object" and rng.random() < _DIGIT_SHARE:
        number, _, rest = value.partition(" ")
        value = f"{_DIGITS.get(number, number)} {rest}"
    wording = take(_wordings(fact.kind, asked.category), edition, rng, used)
    said = wording.say(rng, {"h": asked.handle, "n": asked.noun, "v": value, "v_cap": value[:1].upper() + value[1:]})
    return said[:1].upper() + said[1:]


def _wordings(kind: str, category: str) -> tuple[Wording, ...]:
    lists = load(_DATA)[kind]
    return parse_wordings(tuple(lists.get(category) or lists["any"]))
