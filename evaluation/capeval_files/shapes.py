"""Shapes and names of the published files of personalised captioning.

    meta.jsonl                            a sample a line: its query picture, concept pictures and dialogues
    build/sample_<k>/query.png            the query picture
    build/sample_<k>/concepts/concept_<j>.png
    qa_bank.json                          questions by sample and concept, and which concepts are in the query picture

Samples and concepts are numbered from 0; paths are relative to the folder of the release.
"""

from __future__ import annotations

import re

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "BANK",
    "BUILD",
    "META",
    "PublishedCaption",
    "PublishedDialogueTurn",
    "PublishedMeta",
    "PublishedQuestion",
    "PublishedQuestions",
    "PublishedSample",
    "concept_name",
    "concept_number",
    "sample_name",
]

META = "meta.jsonl"
BUILD = "build"
BANK = "qa_bank.json"

_CONCEPT = re.compile(r"concept_(\d{1,3})")


class _Shape(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class PublishedDialogueTurn(_Shape):
    """One exchange of a dialogue."""

    user: str = Field(min_length=1)
    assistant: str = Field(min_length=1)


class PublishedMeta(_Shape):
    """A sample."""

    sample: str = Field(default="", max_length=64)
    """Beyond the format: its name in the bank; empty: ``sample_<line>``, lines from 0."""
    imgs: str = Field(min_length=1)
    concepts: tuple[str, ...] = Field(min_length=1, max_length=200)
    dialogues: dict[str, tuple[PublishedDialogueTurn, ...]]


class PublishedQuestion(_Shape):
    """One question."""

    id: str | int = ""
    question: str = Field(min_length=1)
    options: dict[str, str]
    correct_answer: str


class PublishedQuestions(_Shape):
    """The questions about one concept; single ones may be broken."""

    qa: tuple[object, ...] = ()


class PublishedSample(_Shape):
    """The questions of a sample and its concepts in the query picture."""

    qas: dict[str, PublishedQuestions]
    gts: tuple[int, ...]


class PublishedCaption(_Shape):
    """Anybody's caption of a sample."""

    sample: str = Field(min_length=1, max_length=64)
    caption: str


def sample_name(number: int) -> str:
    """Return what a sample is called in the files, from 0."""
    return f"sample_{number}"


def concept_name(number: int) -> str:
    """Return what a concept is called in the files, from 0."""
    return f"concept_{number}"


def concept_number(name: str) -> int | None:
    """Return the number of a concept; None where it is not called like one."""
    found = _CONCEPT.fullmatch(name)
    return None if found is None else int(found[1])
