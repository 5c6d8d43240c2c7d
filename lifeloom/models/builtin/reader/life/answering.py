"""Answers about a life from what was retrieved, by rules: parse the question, gather evidence, say what it shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from lifeloom.models.builtin.eyes.traits import PersonTraits
from lifeloom.models.builtin.reader.kinship import relation_of
from lifeloom.models.builtin.reader.life.asking import PHOTO, Understood, understand
from lifeloom.models.builtin.reader.life.choices import chosen, likely_answers, tastes_of
from lifeloom.models.builtin.reader.life.events import UNKNOWN, of_event
from lifeloom.models.builtin.reader.life.evidence import Event, Evidence, gather
from lifeloom.models.builtin.reader.life.history import matching, of_history
from lifeloom.models.builtin.reader.life.words import listed
from lifeloom.models.builtin.reader.looking import LookedAt
from lifeloom.models.protocol import TextEncoder
from lifeloom.tasks.life_answer import LifeAnswerInput

__all__ = ["answer_life", "meant", "so"]

_PROFILE = (
    r"for a living|\bprofession\b|\bjob\b|\bwork as\b|kind of work|\bcareer\b"
    r"|\bhair|headwear|head ?cover|\bglasses\b|\bbeard\b|\bfond of\b|\bkeen on\b"
)
_KIN_ASKED = r"^(?:is|was) [\w' -]+ (?:my|our|the (?:account )?owner's|\w+'s) [a-z-]+\W*$"
"""Is Ada my aunt?"""
_SHOWN = (
    rf"^(?:who|whom|is|are|does|do|can|was|were)\b.*\b(?:this|the|that) {PHOTO}(?: show)?\W*$"
    r"|^who(?: is|'s) (?:this|that)\W*$"
)
"""Ways to ask for the people of the picture that comes with the question."""


def answer_life(
    asked: LifeAnswerInput,
    encoder: Callable[[], TextEncoder],
    looked: Sequence[LookedAt],
    traits: Sequence[tuple[PersonTraits, ...]],
    threshold: float,
) -> str:
    """Return a letter where there are options, yes or no for a binary question, else a sentence.

    Args:
        asked: question and everything that was retrieved.
        encoder: gives sentence vectors; asked only where options share no word with what is known.
        looked: the pictures, in the order of the prompt's marks.
        traits: what the people in them look like.
        threshold: cosine from which two faces are one person's.
    """
    known = gather(asked, looked, traits, threshold)
    question = understand(asked.question, known.persons, asked.owner)
    who = question.people[0][0] if question.people else None
    if asked.options:
        best = chosen(question, known, who, [option.text for option in asked.options], encoder)
        return f"({asked.options[best].letter})"
    if asked.binary:
        found = so(question, known, who)
        return UNKNOWN if found is None else "yes" if found else "no"
    told = _of_picture(question, known) or _of_kin(question, known, who) or of_history(question, known, who)
    if told is not None:
        return told
    if (profile := _of_profile(question, known, who)) is not None:
        return profile
    event = meant(question, known)
    return UNKNOWN if event is None else of_event(question, event, who)


def _of_picture(question: Understood, known: Evidence) -> str | None:
    """Return who the question's own picture shows, or whether somebody is in it; None: something else is asked."""
    if known.shown is None or question.dates or not question.has(_SHOWN):
        return None
    there = [name for name in known.shown.people if name]
    if question.people and question.has(r"^(?:is|are|does|do|can|was|were)\b"):
        missing = [names[0] for names in question.people if not set(names) & set(there)]
        return f"No, {listed(missing)} cannot be seen." if missing else "Yes."
    if not question.has(r"^whom?\b"):
        return None
    strangers = len(known.shown.people) - len(there)
    unknown = [] if not strangers else ["somebody unknown" if strangers == 1 else f"{strangers} unknown people"]
    return f"{listed([*there, *unknown])}." if there or unknown else UNKNOWN


def _of_kin(question: Understood, known: Evidence, who: str | None) -> str | None:
    """Return what somebody is called, or what they are to the owner, where that is asked; None: something else is."""
    if who is None or question.dates:
        return None
    if question.has(r"\bwhat(?: is|'s)\b.*\bname\b", r"\bname of\b", r"\bis .* called\b"):
        return f"{who}."
    person = known.person(who)
    if person is None or question.has(r"\b(?:most|often|with|next|near|close|left|right|there|in|at|on|by)\b"):
        return None
    if not question.has(r"^who(?: is|'s) [\w' -]+\?*$", r"\bhow is .* related\b", r"\brelation\b"):
        return None
    relation = relation_of(person.role)
    return f"{who} is the account owner's {relation}." if relation else f"{who} is the account owner."


def _of_profile(question: Understood, known: Evidence, who: str | None) -> str | None:
    """Return age, work, looks or tastes of somebody, where one of them is asked for; None: something else is."""
    person = known.person(who) if who is not None and not question.dates else None
    if person is None or who is None:
        return None
    if question.has(r"\bhow old\b", r"\bwhat age\b", r"\bage of\b"):
        ages = [age for text in person.texts for age in re.findall(r"\b(\d{1,3})\b", text)]
        return f"{who} is {ages[0]}." if ages else UNKNOWN
    if not question.has(_PROFILE):
        return None
    found = likely_answers(question, known, who)
    return f"{who}: {found[0]}." if found else UNKNOWN


def so(question: Understood, known: Evidence, who: str | None) -> bool | None:
    """Whether it is as a question for yes or no says; None: what is known does not tell.

    With a picture it is whether somebody is in it; else kinship, tastes, or who was in the event that is meant.
    """
    if known.shown is not None:
        return who is not None and who in known.shown.people
    if who is None:
        return None
    if question.has(_KIN_ASKED):
        return len(question.people) > 1 and bool(set(question.people[0]) & set(question.people[1]))
    if question.has(r"\b(?:likes?|fond of|keen on|enjoys?|loves?|into)\b"):
        tastes = tastes_of(known.person(who))
        return any(taste.lower() in question.text for taste in tastes) if tastes else None
    if question.dates:
        events = [one for one in known.events if one.date == question.dates[0].isoformat()]
    else:
        events = matching(question, known.events, question.text, ())
    there = [one for one in events if all(set(names) & set(one.people) for names in question.people)]
    if there:
        return True
    return False if len(events) == 1 and not question.has(r"\bever\b") else None


def meant(question: Understood, known: Evidence) -> Event | None:
    """Return the event that a question is about: by its day, else by all that it says of it."""
    if question.dates:
        return next((one for one in known.events if one.date == question.dates[0].isoformat()), None)
    found = matching(question, known.events, question.text, question.people)
    return found[0] if len(found) == 1 else None
