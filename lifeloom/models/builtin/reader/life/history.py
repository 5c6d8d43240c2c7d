"""Open questions about a whole history: how many days, which first or last, what before or after, what most often."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from lifeloom.models.builtin.reader.activities import activities_in
from lifeloom.models.builtin.reader.life.asking import Understood
from lifeloom.models.builtin.reader.life.choices import tastes_of, work_of
from lifeloom.models.builtin.reader.life.events import UNKNOWN
from lifeloom.models.builtin.reader.life.evidence import Event, Evidence
from lifeloom.models.builtin.reader.life.noted import answer_from_notes
from lifeloom.models.builtin.reader.life.words import at_place, listed, place_in

__all__ = ["matching", "of_history"]

_DAYS: Final = r"(?:\w+ ){0,2}?(?:days|times|dates|occasions|events|outings)\b"
_COUNTS: Final = (
    rf"how many {_DAYS}|\bhow often\b|\bhow frequently\b|\b(?:count|number of|total of) (?:up )?(?:the |all )?{_DAYS}"
)
_LATE: Final = r"\b(?:last|latest|most recent(?:ly)?|final(?:ly)?|newest)\b"
_ENDS: Final = rf"{_LATE}|\b(?:first|earliest|initial(?:ly)?|oldest|originally)\b"
_MOST: Final = (
    r"(?<!at )\bmost\b|\bfavou?rite\b|\busual(?:ly)?\b|\bmainly\b|\bmostly\b|\btop (?:two|three)\b|\branks?\b"
)
_TWO: Final = r"\btwo\b|\border\b|\bfirst\b|\bsecond\b|\brunner"
_LIKES: Final = r"fond of|keen on|\blikes?\b|enjoys?|\bprofile\b|\bloves?\b|\btastes?\b|delights?|soft spot"
_WORK: Final = r"\bwork(?:s)?\b|profession|\bjob\b|career|living|occupation|\btrade\b"


def of_history(question: Understood, known: Evidence, who: str | None) -> str | None:
    """Return the answer to a question about a history; None for a question that is about one event."""
    noted = answer_from_notes(question, known.notes, at_place)
    if noted is not None:
        return _with_work(question, known, who, noted)
    if question.has(_COUNTS):
        return _count(question, known)
    if question.anchor and not question.dates:
        return _step(question, known)
    if not question.dates and question.has(_ENDS) and question.has(r"\bdates?\b|\bwhen\b|\bdays?\b|\btime\b"):
        return _end(question, known)
    if question.has(_MOST):
        return _most(question, known, who)
    if not question.dates and question.has(_LIKES):
        return _likes(question, known, who)
    return None


def _said_of(question: Understood, what: str, place: str, names: Sequence[str], day: str) -> str:
    """Return an event as far as the question asks for it."""
    if question.has(r"\bwhen\b|\b(?:which|what) (?:date|day)\b"):
        return f"On {day}."
    activity = (what.split(", ", maxsplit=1)[0] if what != "not known" else "") or "unclear"
    parts = [activity]
    if question.has(r"\bwhom?\b|\bcompany\b|\bpeople\b"):
        parts.append(f"with {listed(names)}")
    if question.has(r"\bwhere\b|\bplace\b|\blocation\b") or len(parts) == 1:
        parts.append(at_place(place))
    return ", ".join(parts) + "."


def matching(question: Understood, events: Sequence[Event], text: str, people: Sequence[Sequence[str]]) -> list[Event]:
    """Return the events that fit what ``text``, the question or a part of it, says of them.

    Args:
        question: for the year.
        events: all that are known.
        text: activity and place are read from it.
        people: for each mention, the names that it fits.
    """
    family = _kind_in(text, events)
    place = place_in(text)
    return [
        event
        for event in events
        if (not family or event.kind == family)
        and (not place or event.place == place)
        and (question.year is None or event.date.startswith(str(question.year)))
        and all(set(names) & set(event.people) for names in people)
    ]


def _kind_in(text: str, events: Sequence[Event]) -> str:
    """Return the kind of activity that a text speaks of: by its name among those known, else by its words."""
    named = [one.family for one in events if one.family and re.search(rf"\b{re.escape(one.family)}\b", text.lower())]
    mentioned = activities_in(text)
    return max(named, key=len, default=mentioned[0].family if mentioned else "")


def _count(question: Understood, known: Evidence) -> str:
    if not known.events or question.has(r"\bwithout\b"):
        return UNKNOWN
    found = matching(question, known.events, question.text, question.people)
    return str(len({event.date or event.key for event in found}))


def _end(question: Understood, known: Evidence) -> str:
    found = [event for event in matching(question, known.events, question.text, question.people) if event.date]
    if not found:
        return UNKNOWN
    event = found[-1] if question.has(_LATE) else found[0]
    return f"On {event.date}."


def _step(question: Understood, known: Evidence) -> str:
    """Return the event next to the one that the question starts from."""
    backwards = question.backwards
    dated = [event for event in known.events if event.date]
    anchors = matching(question, dated, question.anchor, question.anchor_people)
    if not anchors:
        return UNKNOWN
    named = {name for names in question.anchor_people for name in names}
    at = min(anchors, key=lambda event: (len(set(event.people) ^ named), event.date))
    rest = [event for event in dated if (event.date < at.date if backwards else event.date > at.date)]
    own = list(question.people)
    for names in question.anchor_people:
        own.remove(names)
    rest = [event for event in rest if all(set(names) & set(event.people) for names in own)]
    if not rest:
        return UNKNOWN
    event = rest[-1] if backwards else rest[0]
    return _said_of(question, event.activity, event.place, list(event.people), event.date)


def _most(question: Understood, known: Evidence, who: str | None) -> str:
    own = [event for event in known.events if who is None or who in event.people]
    values: list[str] = []
    if question.has(r"\bplaces?\b|\bwhere\b|\blocations?\b"):
        values = [event.place for event in own]
    elif question.has(r"\bwhom?\b|companions?|\bcompany\b"):
        values = [name for event in own for name in event.people if name != who]
    else:
        values = [event.kind for event in own]
    counts = Counter(value for value in values if value)
    return _ranked(question, known, who, sorted(counts, key=lambda value: (-counts[value], value)))


def _ranked(question: Understood, known: Evidence, who: str | None, ranked: Sequence[str]) -> str:
    """Return the most frequent values, as many as are asked for."""
    if question.has(r"\bplaces?\b|\bwhere\b|\blocations?\b"):
        ranked = [at_place(one) for one in ranked]
    two = question.has(_TWO)
    if not ranked or (two and len(ranked) < 2):
        return UNKNOWN
    told = f"Most often {ranked[0]}, then {ranked[1]}." if two else f"Most often {ranked[0]}."
    return _with_work(question, known, who, told)


def _with_work(question: Understood, known: Evidence, who: str | None, told: str) -> str:
    """Return an answer with the profession before it, where the question asks for that as well."""
    work = work_of(known.person(who) if who else None) if question.has(_WORK) else []
    return f"{who} is {work[0]}; {told[0].lower()}{told[1:]}" if work else told


def _likes(question: Understood, known: Evidence, who: str | None) -> str:
    person = known.person(who) if who else None
    tastes = tastes_of(person)
    work = work_of(person) if question.has(_WORK) else []
    if not tastes:
        return UNKNOWN
    liked = f"likes {listed(list(dict.fromkeys(tastes))[:2])}."
    return f"{who} is {work[0]} and {liked}" if work else f"{who} {liked}"
