"""Counting what was told: how many times, or on how many days."""

from __future__ import annotations

import re
from typing import Final

from lifeloom.models.builtin.reader.text import content_stems
from lifeloom.models.builtin.reasoner.asking import keywords_of
from lifeloom.models.builtin.reasoner.reading import Conversation
from lifeloom.tasks.response_step import ResponseStepInput, RetrievedMemory

__all__ = ["count_scores"]

_TIMES: Final = re.compile(r"\bhow\s+(?:many\s+times|often)\b", re.IGNORECASE)
_DAYS: Final = re.compile(r"\b(?:on\s+)?how\s+many\s+(?:different\s+)?days\b", re.IGNORECASE)
_TOLD: Final = re.compile(r"Told (?:once|(?P<times>\d+) times) on (?:(?P<days>\d+) days|\d{4}-\d\d-\d\d)")
_NUMBER: Final = re.compile(r"\s*(?P<number>\d{1,4})\b")
_ABOUT_COUNTING: Final = frozenset(content_stems("times often days day messages message counting come up told tell"))
_FAR: Final = 2.0
"""What a difference of one from the count takes from an option's score."""


def count_scores(step: ResponseStepInput, heard: Conversation) -> tuple[float, ...] | None:
    """Return a score for each option of a question that counts; None for any other question.

    A thread of the matter says how often and on how many days it was told. Without one, the user's messages that speak
    of the matter are counted, as far as they were found.

    Args:
        step: what may be known; its options are numbers.
        heard: the same as a conversation.
    """
    days = _DAYS.search(step.query) is not None
    numbers = [_NUMBER.match(option.text) for option in step.options]
    if not (days or _TIMES.search(step.query)) or not numbers or not all(numbers):
        return None
    topic = frozenset(stem for word in keywords_of(step.query) for stem in content_stems(word)) - _ABOUT_COUNTING
    if not topic:
        return None
    count = _of_thread(step, topic, days)
    if count is None:
        told = [one for one in heard.messages if one.role == "user" and _speaks_of(one.text, topic)]
        count = len({one.at[:10] for one in told} if days else {one.at for one in told})
    return tuple(-_FAR * abs(int(number["number"]) - count) for number in numbers if number)


def _of_thread(step: ResponseStepInput, topic: frozenset[str], days: bool) -> int | None:
    """Return what the thread says that has most of the topic; None where none has half of it."""
    best: tuple[int, int] | None = None
    for memory in (memory for found in step.rounds for memory in found.memories if memory.kind == "thread"):
        told = _TOLD.match(memory.content)
        about = len(topic.intersection(content_stems(_text_of(memory))))
        if told and 2 * about >= len(topic) and (best is None or about > best[0]):
            best = (about, int(told["days"] or 1) if days else int(told["times"] or 1))
    return None if best is None else best[1]


def _text_of(memory: RetrievedMemory) -> str:
    return " ".join([memory.key, memory.content, *(turn.text for turn in memory.turns if turn.role == "user")])


def _speaks_of(text: str, topic: frozenset[str]) -> bool:
    return 2 * len(topic.intersection(content_stems(text))) >= len(topic)
