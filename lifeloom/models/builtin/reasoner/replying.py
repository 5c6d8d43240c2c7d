"""Answers in the user's own words: what they said about what they ask, and when; or that it is not known.

It makes nothing up: an answer quotes a message or a value that the prompt shows, and what was said last of several that
fit as well is what holds.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from lifeloom.models.builtin.reader.english import PEOPLE
from lifeloom.models.builtin.reader.holders import SELF, holder, people_named
from lifeloom.models.builtin.reader.stance import stance
from lifeloom.models.builtin.reader.text import Sentence, analyse, base, content_stems, words_of
from lifeloom.models.builtin.reasoner.asking import Lookup, clock, keywords_of, next_lookup
from lifeloom.models.builtin.reasoner.periods import Span, period_in
from lifeloom.models.builtin.reasoner.reading import Conversation
from lifeloom.models.protocol import TextEncoder
from lifeloom.tasks.choice_answer import PICTURE_MARK
from lifeloom.tasks.response_step import ResponseStepInput

__all__ = ["reply", "second_person"]

_FITS: Final = 0.7
"""Relevance from which a sentence is taken for an answer."""
_AS_WELL: Final = 0.85
"""Share of the best relevance from which a later sentence wins."""
_HALF: Final = 0.5
"""Below this share of the words, and this cosine, a sentence is about something else."""
_NOT_SO: Final = 0.5
"""Share of the relevance that is left to what is another's or no longer so."""
_LONGEST: Final = 300
_OWN: Final = frozenset({"i", "me", "my", "mine", "we", "us", "our", "ours"})
_UNKNOWN: Final = "I do not know that yet. If you tell me, I will remember it."

_GREETING: Final = re.compile(r"^(?:hi|hello|hey|good (?:morning|afternoon|evening|day))\b[^?]{0,40}$")
_THANKS: Final = re.compile(
    r"^(?:many |no,? |ok(?:ay)?,? |great,? |perfect,? )*(?:thanks|thank you|thx|cheers)\b[^?]{0,60}$"
)
_BYE: Final = re.compile(r"^(?:ok(?:ay)?,? )?(?:bye|goodbye|good night|see you|take care)\b[^?]{0,40}$")
_ASKS: Final = re.compile(
    r"^(?:(?:and|so|but|well|ok(?:ay)?|please|hey|hi|now)\b,? )*(?:what|when|where|who|whom|whose|which|why|how|do|"
    r"does|did|am|is|are|was|were|have|has|had|can|could|will|would|should|may|might|tell me|remind me|show me|name)\b"
)
_REMEMBER: Final = re.compile(
    r"\b(?:remember|don't forget|keep in mind|note|from now on|call me|in future|always|never)\b"
)
_BRIEF: Final = re.compile(r"\b(?:brief|short|concise|few words|one sentence|to the point)\b")


@dataclass(frozen=True)
class _Said:
    """A sentence that the user said."""

    text: str
    at: str
    """Empty for what holds by now."""
    relevance: float


def reply(step: ResponseStepInput, heard: Conversation, encoder: TextEncoder | None) -> tuple[str, str | Lookup]:
    """Return a thought, and the answer to a message without options or what to look up first."""
    text = step.query.replace(PICTURE_MARK, " ").replace("’", "'").strip()
    small = _small_talk(step, text)
    if small:
        return "This asks for nothing that I would have to look up.", small
    if step.concepts and (
        PICTURE_MARK in step.query or re.search(r"\b(?:who|what|which|know|recogni[sz]e)\b", text.lower())
    ):
        return "I know somebody or something in the picture.", " ".join(step.concepts)
    if not _is_question(text):
        return "The user tells me something and asks nothing.", _acknowledged(text)
    best = _best(step, heard, text, encoder)
    lookup = next_lookup(step, heard) if step.retrievals_left else None
    if lookup is not None and (not step.rounds or best is None):
        return (
            f"{'Nothing that I have read answers this' if step.rounds else 'The user asks'}. I look up {lookup.why}.",
            lookup,
        )
    if best is None:
        return "I have found nothing that answers this.", _UNKNOWN
    return "What the user said themselves answers this.", _told(step, text, best)


def _small_talk(step: ResponseStepInput, text: str) -> str:
    lowered = text.lower()
    name = next((line.content for line in step.profile if line.key.lower() == "name" and len(line.content) <= 40), "")
    called = f", {name.rstrip('.')}" if name and " is " not in name else ""
    if _GREETING.match(lowered):
        return f"Hello{called}. What can I do for you?"
    if _THANKS.match(lowered):
        return f"You are welcome{called}."
    return f"Goodbye{called}. Until next time." if _BYE.match(lowered) else ""


def _is_question(text: str) -> bool:
    sentences = [sentence.text for sentence in analyse(text).sentences]
    return any(sentence.rstrip("\"') ").endswith("?") or _ASKS.match(sentence.lower()) for sentence in sentences)


def _acknowledged(text: str) -> str:
    if not text:
        return "I am listening."
    return (
        "I will remember that."
        if _REMEMBER.search(text.lower())
        else "Thank you for telling me. I will keep it in mind."
    )


def _best(step: ResponseStepInput, heard: Conversation, text: str, encoder: TextEncoder | None) -> _Said | None:
    """Return the sentence that answers ``text`` best, the last of those that fit as well; None where none fits.

    Where the question says nothing but a time ("What did I tell you yesterday?"), that is the last thing said then.
    """
    now = clock(step)
    period = period_in(text, now) if now is not None else None
    rows: dict[tuple[str, str], Sentence] = {}
    for message in heard.messages:
        if message.role == "user" and _within(message.at, period):
            for sentence in analyse(message.text.replace(PICTURE_MARK, " ")).sentences:
                if not sentence.is_question:
                    rows.setdefault((sentence.text[:_LONGEST], message.at), sentence)
    if not rows:
        return None
    if not keywords_of(text):
        own = [key for key, sentence in rows.items() if any(base(word) in _OWN for word in sentence.words)]
        return _Said(*own[-1], 1.0) if own and period is not None else None
    names = people_named(analyse(message.text) for message in heard.messages if message.role == "user")
    relevance = _relevance(text, list(rows.values()), names, encoder)
    best = max(relevance)
    if best < _FITS:
        return None
    last = max(i for i, value in enumerate(relevance) if value >= _AS_WELL * best)
    return _Said(*list(rows)[last], relevance[last])


def _within(at: str, period: Span | None) -> bool:
    if period is None or not at:
        return period is None
    return (not period.start or at >= period.start) and (not period.end or at <= period.end)


def _relevance(
    text: str, sentences: Sequence[Sentence], names: frozenset[str], encoder: TextEncoder | None
) -> list[float]:
    """Return how well each sentence fits ``text``, 0 to 2: by shared words, rare ones more, and by meaning.

    What is somebody else's, was left behind or was only weighed fits less where the user asks about themselves.
    """
    wanted = dict.fromkeys(root for word in keywords_of(text) for root in content_stems(word))
    weights = {
        root: math.log(1 + len(sentences) / max(1, sum(root in one.stem_set for one in sentences))) for root in wanted
    }
    total = sum(weights.values()) or 1.0
    fit = [sum(weight for root, weight in weights.items() if root in one.stem_set) / total for one in sentences]
    if encoder is not None:
        vectors = encoder.encode([text, *(one.text[:_LONGEST] for one in sentences)]).astype(np.float64)
        nearness = [max(0.0, float(near)) for near in vectors[1:] @ vectors[0]]
        fit = [words + near if max(words, near) >= _HALF else 0.0 for words, near in zip(fit, nearness, strict=True)]
    asked = [base(word.lower()) for word in words_of(text)]
    if any(word in PEOPLE or word in names for word in asked) or not any(word in _OWN for word in asked):
        return fit
    return [value * _holds(one, weights, names) for value, one in zip(fit, sentences, strict=True)]


def _holds(sentence: Sentence, weights: Mapping[str, float], names: frozenset[str]) -> float:
    """Return 1 where the sentence says of the user, and as something that holds, what weighs most; else less."""
    places = [i for i, root in enumerate(sentence.stems) if root in weights]
    if not places:
        return 1.0
    start = max(places, key=lambda i: (weights[sentence.stems[i]], -i))
    if holder(sentence, start, start + 1, names) != SELF:
        return _NOT_SO
    return 1.0 if stance(sentence, start, start + 1).kind == "held" else _NOT_SO


def _told(step: ResponseStepInput, text: str, said: _Said) -> str:
    quoted = said.text.rstrip(" .")
    brief = any(line.block == "persona" and _BRIEF.search(line.content.lower()) for line in step.profile)
    if not said.at:
        return f"{second_person(quoted)}."
    related = _relation(text, said.text)
    if brief:
        return related or f"{second_person(quoted)}."
    lead = f"{related} " if related else ""
    return f"{lead}On {_day(said.at)} you told me: “{quoted}.”"


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


_YOURS: Final = {
    "i": "you", "my": "your", "me": "you", "mine": "yours", "myself": "yourself", "we": "you", "our": "your",
    "us": "you", "ours": "yours", "i'm": "you are", "i've": "you have", "i'd": "you would", "i'll": "you will",
}  # fmt: skip


def second_person(text: str) -> str:
    """Return what the user says of themselves as said to them: "My dog is old" becomes "Your dog is old"."""
    turned = re.sub(r"\b(I|We|we) (am|was)\b", lambda match: f"you {'are' if match[2] == 'am' else 'were'}", text)
    turned = re.sub(
        r"\b(?:I(?:['’](?:m|ve|d|ll))?|[Mm]y|[Mm]e|[Mm]ine|[Mm]yself|[Ww]e|[Oo]ur|us|[Oo]urs)\b(?!['’])",
        lambda match: _YOURS[match[0].lower().replace("’", "'")],
        turned,
    )
    return turned[:1].upper() + turned[1:]
