"""Counting what was told: how many times, or on how many days."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from lifeloom.models.builtin.reader.text import content_stems
from lifeloom.models.builtin.reasoner.asking import keywords_of
from lifeloom.models.builtin.reasoner.reading import Conversation
from lifeloom.tasks import ContextMessage, ResponseStepInput, RetrievedMemory

__all__ = ["asks_how_often", "count_scores", "counted_in_words"]

_TIMES: Final = re.compile(r"\bhow\s+(?:many\s+times|often)\b", re.IGNORECASE)
_DAYS: Final = re.compile(r"\b(?:on\s+)?how\s+many\s+(?:different\s+)?days\b", re.IGNORECASE)
_TOLD: Final = re.compile(r"Told (?:once|(?P<times>\d+) times) on (?:(?P<days>\d+) days|\d{4}-\d\d-\d\d)")
_NUMBER: Final = re.compile(r"\s*(?P<number>\d{1,4})\b")
_ABOUT_COUNTING: Final = frozenset(content_stems("times often days day messages message counting come up told tell"))
_TELLING: Final = re.compile(
    r"\b(?:tell|told|mention(?:ed)?|sa(?:y|id)|c[oa]me up|br(?:ing|ought) up|talk(?:ed)?|spoken?|hear|heard)\b",
    re.IGNORECASE,
)
_FAR: Final = 2.0
"""What a difference of one from the count takes from an option's score."""


def count_scores(step: ResponseStepInput, heard: Conversation) -> tuple[float, ...] | None:
    """Return a score for each option of a question that counts; None for any other question.

    The user's messages that speak of the matter are counted, as far as they were found; a thread of the matter that is
    longer than what it shows adds the rest.

    Args:
        step: what may be known; its options are numbers.
        heard: the same as a conversation.
    """
    numbers = [_NUMBER.match(option.text) for option in step.options]
    if not numbers or not all(numbers):
        return None
    count = _count(step, heard)
    return None if count is None else tuple(-_FAR * abs(int(number["number"]) - count) for number in numbers if number)


def asks_how_often(text: str) -> bool:
    """Whether somebody asks how often, or on how many days, they told of something."""
    return bool(_TELLING.search(text) and (_DAYS.search(text) or _TIMES.search(text)))


def counted_in_words(step: ResponseStepInput, heard: Conversation) -> str | None:
    """Return how often or on how many days something was told; None where nothing was found or it asks for no count.

    Args:
        step: what may be known.
        heard: the same as a conversation.
    """
    count = _count(step, heard)
    if not count:
        return None
    if _DAYS.search(step.query):
        return f"You told me of that on {count} {'day' if count == 1 else 'days'}, as far as I remember."
    return f"You told me of that {'once' if count == 1 else f'{count} times'}, as far as I remember."


def _count(step: ResponseStepInput, heard: Conversation) -> int | None:
    """Return how often, or on how many days, the matter of a question that counts was told; None: it does not count."""
    days = _DAYS.search(step.query) is not None
    if not (days or _TIMES.search(step.query)):
        return None
    topic = frozenset(stem for word in keywords_of(step.query) for stem in content_stems(word)) - _ABOUT_COUNTING
    if not topic:
        return None
    messages = [one for one in heard.messages if one.role == "user" and not _TOLD.match(one.text)]
    told = [one for one in messages if _speaks_of(one.text, topic)]
    return len(_moments(told, days)) + _not_shown(step, topic, days)


def _not_shown(step: ResponseStepInput, topic: frozenset[str], days: bool) -> int:
    """Return how much more the thread with most of the topic has than it shows; 0 where none has half of it."""
    best: tuple[int, int] | None = None
    for memory in (memory for found in step.rounds for memory in found.memories if memory.kind == "thread"):
        told = _TOLD.match(memory.content)
        about = len(topic.intersection(content_stems(_text_of(memory))))
        if told and 2 * about >= len(topic) and (best is None or about > best[0]):
            whole = int(told["days"] or 1) if days else int(told["times"] or 1)
            shown = _moments([turn for turn in memory.turns if turn.role == "user"], days)
            best = (about, max(0, whole - len(shown)))
    return 0 if best is None else best[1]


def _moments(told: Sequence[ContextMessage], days: bool) -> set[str]:
    """Return when something was told: to the minute, or the days."""
    return {one.at[:10] if days else one.at for one in told}


def _text_of(memory: RetrievedMemory) -> str:
    return " ".join([memory.key, memory.content, *(turn.text for turn in memory.turns if turn.role == "user")])


def _speaks_of(text: str, topic: frozenset[str]) -> bool:
    return 2 * len(topic.intersection(content_stems(text))) >= len(topic)
