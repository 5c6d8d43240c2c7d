"""Answers in the user's own words: what they said about what they ask, and when; or that it is not known.

It makes nothing up: an answer quotes a message or a value that the prompt shows, and what was said last of several that
fit as well is what holds.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from typing import Final

from lifeloom.models.builtin.reader.english import PEOPLE
from lifeloom.models.builtin.reader.text import analyse, base
from lifeloom.models.builtin.reasoner.acknowledging import acknowledged
from lifeloom.models.builtin.reasoner.addressing import to_user
from lifeloom.models.builtin.reasoner.asking import Lookup, clock, keywords_of, next_lookup
from lifeloom.models.builtin.reasoner.counting import asks_how_often, counted_in_words
from lifeloom.models.builtin.reasoner.periods import Span, period_in
from lifeloom.models.builtin.reasoner.profile import from_profile
from lifeloom.models.builtin.reasoner.ranking import (
    Remembered,
    best_answer,
    is_question,
    of_that_time,
    remembered,
    said_by_user,
)
from lifeloom.models.builtin.reasoner.reading import Conversation
from lifeloom.models.builtin.reasoner.relations import Relation, relation_of
from lifeloom.models.protocol import TextEncoder
from lifeloom.tasks.choice_answer import PICTURE_MARK
from lifeloom.tasks.response_step import ResponseStepInput

__all__ = ["reply"]

_MOST: Final = 12
"""Keywords of a retrieval, at most."""
_LONGEST_SMALL_TALK: Final = 200
"""Characters of a greeting, of thanks or of a goodbye."""
_UNKNOWN: Final = "I do not know that yet. If you tell me, I will remember it."

_GREETING: Final = re.compile(r"^(?:hi|hello|hey|good (?:morning|afternoon|evening|day))\b[^?]{0,40}$")
_THANKS: Final = re.compile(
    r"^(?:many |no,? |ok(?:ay)?,? |great,? |perfect,? )*(?:thanks|thank you|thx|cheers)\b[^?]{0,60}$"
)
_BYE: Final = re.compile(r"^(?:ok(?:ay)?,? )?(?:bye|goodbye|good night|see you|take care)\b[^?]{0,40}$")
_TELLS: Final = re.compile(r"\b(?:i|i'm|i've|my|we|we're|our)\b")
_BRIEF: Final = re.compile(r"\b(?:brief|short|concise|few words|one sentence|to the point)\b")


def reply(step: ResponseStepInput, heard: Conversation, encoder: TextEncoder | None) -> tuple[str, str | Lookup]:
    """Return a thought, and the answer to a message without options or what to look up first.

    What holds by now (core memory, the personality) answers where it can, unless the session says otherwise. Else
    memories are looked up, and what answers best is told with its day.
    """
    text = step.query.replace(PICTURE_MARK, " ").replace("’", "'").strip()
    small = _small_talk(step, text)
    if small:
        return "This asks for nothing that I would have to look up.", small
    if step.concepts and (
        PICTURE_MARK in step.query or re.search(r"\b(?:who|what|which|know|recogni[sz]e)\b", text.lower())
    ):
        return "I know somebody or something in the picture.", " ".join(to_user(line) for line in step.concepts)
    if not any(is_question(sentence.text) for sentence in analyse(text).sentences):
        return "The user tells me something and asks nothing.", acknowledged(text)
    if asks_how_often(step.query):
        first = None if step.rounds else _lookup(step, heard, None)
        if first is not None:
            return f"The user asks how often. I look up {first.why}.", first
        told = counted_in_words(step, heard)
        if told is not None:
            return "I count the messages that speak of it.", told
    now = clock(step)
    period = period_in(text, now) if now is not None else None
    if now is not None and period is not None and _is_now(text, period, now.date()):
        period = None
    relation = relation_of(text) if period is None else None
    if period is None:
        said = _in_session(step, relation)
        if said is not None:
            return "The user said so in this session.", _told(step, text, said)
        known = from_profile(step, text, relation)
        if known:
            return "What I keep of the user at all times answers this.", known
    best = best_answer(text, remembered(step, period), relation, encoder, period)
    if best is None and period is not None:
        best = best_answer(text, of_that_time(text, remembered(step, None)), relation, encoder)
    if best is not None and step.retrievals_left and len(step.rounds) == 1 and period is None and _may_change(text):
        return "I have found an answer. I look up whether it still holds.", _whether_so(best, relation)
    lookup = _lookup(step, heard, relation)
    if lookup is not None and (not step.rounds or best is None):
        return (
            f"{'Nothing that I have read answers this' if step.rounds else 'The user asks'}. I look up {lookup.why}.",
            lookup,
        )
    if best is None:
        return "I have found nothing that answers this.", _UNKNOWN
    return "What the user said themselves answers this.", _told(step, text, best)


def _is_now(text: str, period: Span, today: dt.date) -> bool:
    """Whether a question of what holds names the present: "How old am I today?"; what was told then is no answer."""
    if relation_of(text) is None or re.search(r"\b(?:did|was|were|tell|told|say|said|have)\b", text.lower()):
        return False
    return (period.first or today) <= today <= (period.last or today)


def _lookup(step: ResponseStepInput, heard: Conversation, relation: Relation | None) -> Lookup | None:
    """Return what to look up now, with other words for the relation that is asked about."""
    if not step.retrievals_left:
        return None
    lookup = next_lookup(step, heard)
    words = relation.words if relation is not None else ()
    if lookup is None:
        return Lookup(words, "what it speaks of", urgency="needed") if words and not step.rounds else None
    return replace(lookup, keywords=tuple(dict.fromkeys([*lookup.keywords, *words]))[:_MOST])


def _may_change(text: str) -> bool:
    """Whether what ``text`` asks for may have become another since it was told."""
    return not re.search(r"\b(?:did|was|were|who)\b", text.lower())


def _whether_so(best: Remembered, relation: Relation | None) -> Lookup:
    words = relation.words if relation is not None else ()
    return Lookup(tuple(dict.fromkeys([*keywords_of(best.told), *words]))[:_MOST], "whether it still holds")


def _in_session(step: ResponseStepInput, relation: Relation | None) -> Remembered | None:
    """Return what the user said last in this session of the relation; core memory is older than that."""
    if relation is None or relation.name in ("self", "personality"):
        return None
    rows = [one for message in step.context for one in said_by_user(message)]
    told = [one for one in rows if relation.told.search(one.told.lower().replace("’", "'"))]
    own = [
        one
        for one in told
        if _TELLS.search(one.told.lower()) and not any(base(word.lower()) in PEOPLE for word in one.sentence.words[:3])
    ]
    return own[-1] if own else None


def _small_talk(step: ResponseStepInput, text: str) -> str:
    lowered = text.lower()
    if len(lowered) > _LONGEST_SMALL_TALK:
        return ""
    if re.search(r"[.!,;] .*\b(?:i|i'm|i've|my|we)\b", lowered):
        return ""  # a greeting that goes on to tell something
    name = next((line.content for line in step.profile if line.key.lower() == "name" and len(line.content) <= 40), "")
    called = f", {name.rstrip('.')}" if name and " is " not in name else ""
    if _GREETING.match(lowered):
        return f"Hello{called}. What can I do for you?"
    if _THANKS.match(lowered):
        return f"You are welcome{called}."
    return f"Goodbye{called}. Until next time." if _BYE.match(lowered) else ""


def _told(step: ResponseStepInput, text: str, said: Remembered) -> str:
    """Return what was found as an answer: words of the user's are quoted with their day, the rest is told to them."""
    brief = any(line.block == "persona" and _BRIEF.search(line.content.lower()) for line in step.profile)
    plain = _ended(said.to_user)
    related = _relation(text, said.told)
    if brief or not said.at:
        return related or plain
    lead = f"{related} " if related else ""
    if not said.quoted:
        return f"{lead}{plain} You told me on {_day(said.at)}."
    return f"{lead}On {_day(said.at)} you told me: “{_ended(said.told)}”"


def _ended(text: str) -> str:
    return text if text.endswith(("!", "?", "…")) else f"{text}."


def _relation(text: str, said: str) -> str:
    """Return "Ana is your sister." where the question is who Ana is and the sentence says so."""
    asked = re.search(r"\b[Ww]ho(?:'s| is| was) ([A-Z][\w-]*)", text)
    if asked is None:
        return ""
    name = asked[1]
    words = said.replace("’", "'")
    near = re.search(rf"\bmy (?:\w+ ){{0,2}}?(\w+),? {re.escape(name)}\b", words, re.IGNORECASE) or re.search(
        rf"\b{re.escape(name)}(?:,| is| was|'s) (?:my|our) (?:\w+ ){{0,2}}?(\w+)\b", words, re.IGNORECASE
    )
    if near is None or base(near[1].lower()) not in PEOPLE:
        return ""
    return f"{name} is your {near[1]}."


def _day(at: str) -> str:
    try:
        day = dt.date.fromisoformat(at[:10])
    except ValueError:
        return at
    return f"{day.day} {day:%B} {day.year}"
