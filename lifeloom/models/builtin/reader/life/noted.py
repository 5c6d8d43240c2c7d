"""An answer from what was counted or put in order for a question: the notes of a graph's tools."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from lifeloom.models.builtin.reader.activities import family_of
from lifeloom.models.builtin.reader.life.asking import NUMBER_WORDS, Understood

__all__ = ["answer_from_notes"]

_COUNT = re.compile(r"^(\d+) different ([\w ]+?) match\b")
_RANKED = re.compile(r"^Most frequent ([\w ]+?) \(.*\), by days: (.*)\.$")
_VALUE = re.compile(r"([^,()]+) \(\d+ days\)")
_EVENT = re.compile(r"\bis (?:on )?(\d{4}-\d{2}-\d{2}): (.*)\.$")
_FIELD = re.compile(r"; (activity|people|place): ([^;]*)")
_DAYS = re.compile(r"^Days that match \(.*\): (.*)\.$")


def answer_from_notes(question: Understood, notes: Sequence[str], at_place: Callable[[str], str]) -> str | None:
    """Return what ``notes`` say in answer to ``question``; None where they say nothing that it asks.

    Args:
        question: taken apart.
        notes: sentences of counting and ordering.
        at_place: how one says to be at a place.
    """
    for note in notes:
        count = _COUNT.match(note)
        if count:
            return f"{count[1]} different {count[2].removesuffix('s') if count[1] == '1' else count[2]}."
        ranked = _RANKED.match(note)
        if ranked:
            return _most(question, ranked[1], ranked[2], at_place)
        event = _EVENT.search(note)
        if event:
            return _event(question, event[1], dict(_FIELD.findall(f"; {event[2]}")), event[2], at_place)
        days = _DAYS.match(note)
        if days:
            return f"On {days[1]}."
    return None


def _most(question: Understood, kind: str, said: str, at_place: Callable[[str], str]) -> str | None:
    values = [value.strip() for value in _VALUE.findall(said)]
    asked = re.search(r"\b(two|three|four|five|\d)\b (?:\w+ ){0,3}", question.text)
    wanted = NUMBER_WORDS.get(asked[1], 0) or int(asked[1]) if asked and not asked[1].isdigit() else 1
    if question.has(r"\border\b", r"\bsecond\b"):
        wanted = max(wanted, 2)
    words = [at_place(value) if kind == "places" else value for value in values[: max(1, wanted)]]
    return f"Most often {', then '.join(words)}." if words else None


def _event(question: Understood, day: str, fields: dict[str, str], told: str, at_place: Callable[[str], str]) -> str:
    """Return of an event what is asked for; its day where nothing else is."""
    name = told.split(";", maxsplit=1)[0]
    activity = fields.get("activity", "")
    if activity in ("", "not known"):
        activity = family_of(name) or name
    people = fields.get("people", "not known")
    place = fields.get("place", "not known").split(",")[0]
    asks_when = question.has(r"\bwhen\b", r"\b(?:what|which) (?:day|date)\b", r"\bdates? of\b")
    parts = []
    if question.has(r"\bwho(?:m|se)?\b", r"\bcompany\b"):
        parts.append(f"with {people}")
    if question.has(r"\bwhere\b", r"\b(?:what|which) (?:place|location)\b"):
        parts.append(at_place("" if place == "not known" else place))
    asks_what = question.has(
        r"\bwhat (?!place|location|day|date)", r"\bwhich (?!place|location|day|date)", r"\bdo next\b"
    )
    if asks_when and not parts:
        return f"On {day}."
    if asks_what or not parts:
        parts.insert(0, activity)
    return f"{', '.join(parts)}{f', on {day}' if asks_when else ''}."
