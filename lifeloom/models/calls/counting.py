"""Tokens of questions and answers: as the server tells them where that can be, else as they are counted here."""

from __future__ import annotations

import functools
import json
import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from lifeloom.models.calls.messages import quoted_answer, reask_note, schema_note
from lifeloom.models.calls.schemas import schemas_of
from lifeloom.models.calls.wire import OptionReply, Question, Reply
from lifeloom.models.tokens import count_tokens, picture_tokens
from lifeloom.tasks.base import TaskOutput

__all__ = ["counted", "most_tokens_sent", "tokens_sent", "told_tokens"]

ReplyT = TypeVar("ReplyT", Reply, OptionReply)

_MOST_TOLD = 100_000_000  # a hundred of the widest windows; more is no count, and would not fit the books
_MARGIN = 64  # what a chat template and the note that asks for a letter put around a prompt
_SHARE = 1.1  # how far tokenizers lie apart on ordinary text, beside what ``_most_tokens`` knows of
_LEAST_PICTURE = 258  # what hosted models take for a small picture
# Where WordPiece counts least beside other tokenizers: it counts no line breaks and indentation, several digits as one
# token, capitals as small letters, and one for what it does not know (a long run of letters, a word in a script or with
# signs that it lacks).
_BREAK = re.compile(r"\n|\s{2,}")
_DIGITS_OR_CAPITALS = re.compile(r"[0-9]{2,}|[A-Z]{2,}")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_LONG_RUN = re.compile(r"[A-Za-z0-9]{101,}")


def told_tokens(value: object) -> int | None:
    """Return a count of tokens that a server tells; None where it is none that can be believed.

    A count is a whole number from 0 to 100 million, also where it is written as 12.0.

    Args:
        value: As read from JSON.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not 0 <= value <= _MOST_TOLD or value != int(value):  # the first is also False for no number
        return None
    return int(value)


def tokens_sent(question: Question, options: Sequence[str] = ()) -> int:
    """Return the tokens of a question as they are counted here: its words, its schema, its pictures.

    Args:
        question: What is asked.
        options: Texts of which the likelihood is asked; then no schema is sent.
    """
    words = sum(count_tokens(text) for text in _words(question, options))
    if not options:
        words += count_tokens(schema_note(question.task.output_type))
    return words + sum(_picture_sizes(question))


def most_tokens_sent(question: Question, options: Sequence[str] = ()) -> int:
    """Return what a question takes at most with ordinary tokenizers and chat templates.

    The schema of the answer counts in its longest form, whether it goes beside the question or in words.

    Args:
        question: What is asked.
        options: As for ``tokens_sent``.
    """
    words = sum(_most_tokens(text) for text in _words(question, options))
    words += sum(_most_tokens(option) + 4 for option in options)  # listed with letters where the prompt lacks them
    if not options:
        output_type: type[TaskOutput] = question.task.output_type
        words += _most_schema_tokens(output_type)
    pictures = sum(max(_LEAST_PICTURE, tokens) for tokens in _picture_sizes(question))
    return math.ceil(_SHARE * words) + _MARGIN + pictures


def counted(reply: ReplyT, question: Question, options: Sequence[str] = ()) -> ReplyT:
    """Return ``reply`` with its tokens counted, here where what the backend says cannot be.

    No question takes 0 tokens, and no answer in words does.

    Args:
        reply: To ``question``.
        question: What was asked.
        options: As for ``tokens_sent``.
    """
    sent = told_tokens(reply.prompt_tokens) or tokens_sent(question, options)
    received = told_tokens(reply.completion_tokens)
    if isinstance(reply, OptionReply):
        received = 1 if received is None else received
    elif received is None or (received == 0 and reply.content):
        received = max(1, count_tokens(reply.content)) if reply.content else 0
    return replace(reply, prompt_tokens=sent, completion_tokens=received)


def _words(question: Question, options: Sequence[str]) -> list[str]:
    task, again = question.task, question.again
    words = [task.instructions, question.prompt]
    if again is not None and not options:
        words += [quoted_answer(again), reask_note(again, task.output_type)]
    return words


def _picture_sizes(question: Question) -> list[int]:
    return [picture_tokens(one.reference.width, one.reference.height) for one in question.pictures]


def _most_tokens(text: str) -> int:
    """Return what tokenizers that split more finely than ours make of ``text``."""
    return (
        count_tokens(text)
        + len("".join(_BEYOND_ASCII.findall(text)).encode("utf-8", "replace"))
        + sum(map(len, _BREAK.findall(text)))
        + sum(len(run) - 1 for run in _DIGITS_OR_CAPITALS.findall(text))
        + sum(map(len, _LONG_RUN.findall(text)))
    )


@functools.cache
def _most_schema_tokens(output_type: type[TaskOutput]) -> int:
    schemas = schemas_of(output_type)
    if schemas is None:
        return 0
    forms = [schema_note(output_type), json.dumps(schemas.plain), json.dumps(schemas.strict or {})]
    return max(map(_most_tokens, forms))
