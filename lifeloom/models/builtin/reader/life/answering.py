"""Answers about a life from what was retrieved, by rules: parse the question, gather evidence, say what it shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lifeloom.models.builtin.eyes.traits import PersonTraits
from lifeloom.models.builtin.reader.life.asking import Understood, understand
from lifeloom.models.builtin.reader.life.choices import chosen
from lifeloom.models.builtin.reader.life.events import UNKNOWN, of_event
from lifeloom.models.builtin.reader.life.evidence import Event, Evidence, gather
from lifeloom.models.builtin.reader.life.history import matching, of_history
from lifeloom.models.builtin.reader.looking import LookedAt
from lifeloom.models.protocol import TextEncoder
from lifeloom.tasks.life_answer import LifeAnswerInput

__all__ = ["answer_life", "meant", "so"]


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
        return "yes" if so(question, known, who) else "no"
    told = of_history(question, known, who)
    if told is not None:
        return told
    event = meant(question, known)
    return UNKNOWN if event is None else of_event(question, event, who)


def so(question: Understood, known: Evidence, who: str | None) -> bool:
    """Whether somebody is in the question's picture; without one, in an event that the question means."""
    if who is None:
        return False
    if known.shown is not None:
        return who in known.shown.people
    event = meant(question, known)
    return event is not None and who in event.people


def meant(question: Understood, known: Evidence) -> Event | None:
    """Return the event that a question is about: by its day, else by all that it says of it."""
    if question.dates:
        return next((one for one in known.events if one.date == question.dates[0].isoformat()), None)
    found = matching(question, known.events, question.text, question.people)
    return found[0] if len(found) == 1 else None
