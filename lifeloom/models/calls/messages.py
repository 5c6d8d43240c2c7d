"""The words and the order of a question, the same for every backend that answers from the prompt."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TypeVar

from lifeloom.models.calls.schemas import schemas_of
from lifeloom.models.calls.wire import ReAsk
from lifeloom.tasks.base import TaskOutput
from lifeloom.tasks.choice_answer import PICTURE_MARK

__all__ = ["prompt_parts", "quoted_answer", "reask_note", "schema_note"]

PictureT = TypeVar("PictureT")

_LONGEST_QUOTE = 4000  # characters of a bad answer shown again: enough to correct, not enough to overflow a window


def prompt_parts(prompt: str, pictures: Sequence[PictureT]) -> list[str | PictureT]:
    """Return the user message in parts: each picture in the place of its ``<img>``, no empty texts.

    Where there are not as many marks as pictures, the marks stay and the pictures follow the text.
    """
    if not pictures:
        return [prompt]
    texts = prompt.split(PICTURE_MARK)
    if len(texts) != len(pictures) + 1:
        return [prompt, *pictures]
    parts: list[str | PictureT] = []
    for text, picture in itertools.zip_longest(texts, pictures):
        if text.strip():  # many servers refuse an empty text
            parts.append(text)
        if picture is not None:
            parts.append(picture)
    return parts


def schema_note(output_type: type[TaskOutput]) -> str:
    """Return what tells a model in words to answer in JSON; empty for free text."""
    schemas = schemas_of(output_type)
    if schemas is None:
        return ""
    return f"Answer with one JSON object and nothing else. It must fit this JSON schema:\n{schemas.text}"


def reask_note(again: ReAsk, output_type: type[TaskOutput]) -> str:
    """Return what follows a bad answer."""
    note = f"That was not a valid answer: {again.problem}\n"
    schemas = schemas_of(output_type)
    if schemas is None:
        return f"{note}Answer again."
    return f"{note}Answer again with one JSON object and nothing else. It must fit this JSON schema:\n{schemas.text}"


def quoted_answer(again: ReAsk) -> str:
    """Return the bad answer as it is shown again; empty where there was none."""
    return again.answer[:_LONGEST_QUOTE] if again.answer.strip() else ""
