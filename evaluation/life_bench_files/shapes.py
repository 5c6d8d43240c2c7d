"""Shapes and names of the published files of Life-Bench.

    concepts/<vaccount>/concepts.json    the concepts of a Vaccount
    events/metadata.jsonl                a picture of somebody's history a line
    questions/<task>.jsonl               a question a line; easy ones in ``<task>_easy.jsonl``

Paths of pictures are relative to the folder of the release. Options stand in the question's text.
"""

from __future__ import annotations

import re

from pydantic import BaseModel, ConfigDict, Field

from lifeloom.records import (
    LETTERS,
    LIFE_TASKS,
    PAPER_COUNTS,
    ConceptKind,
    Difficulty,
    LifeOption,
    LifeTask,
    Provenance,
)

__all__ = [
    "ANSWER_WORDS",
    "CONCEPTS",
    "EVENTS",
    "PUBLISHED",
    "QUESTIONS",
    "PublishedConcept",
    "PublishedConcepts",
    "PublishedImage",
    "PublishedJudgement",
    "PublishedPrediction",
    "PublishedQuestion",
    "ReleaseUnreadable",
    "joined_options",
    "kind_of_role",
    "split_options",
    "task_name",
    "task_of",
]

CONCEPTS = "concepts"
EVENTS = "events/metadata.jsonl"
QUESTIONS = "questions"
PUBLISHED = Provenance(backend="published", model="", prompt_version="")
"""Who made what was read from published files."""
ANSWER_WORDS = {"yes": "Yes", "no": "No"}
"""Binary answers here and as they are published."""

_EASY = "_easy"
_PETS = frozenset(
    [
        "dog",
        "puppy",
        "cat",
        "kitten",
        "rabbit",
        "bunny",
        "hamster",
        "parrot",
        "budgie",
        "bird",
        "canary",
        "horse",
        "pony",
        "turtle",
        "tortoise",
        "fish",
        "goldfish",
        "ferret",
        "lizard",
        "snake",
        "mouse",
        "rat",
        "hedgehog",
        "chicken",
        "duck",
        "goat",
        "sheep",
        "donkey",
        "pet",
    ]
)
_MARKS = re.compile(r"(?:^|(?<=\s))\(([A-D])\)\s*")


class ReleaseUnreadable(ValueError):
    """What should be a published file or folder cannot be read at all; the message says which and why."""


class _Shape(BaseModel):
    """A published object. Keys that nobody knows are left aside."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class PublishedConcept(_Shape):
    """A concept. ``persona`` and ``kind`` are ours: written where they would be lost, read where they are there."""

    concept_id: str
    name: str
    role: str
    portrait_path: str | None = None
    persona: str | None = None
    kind: ConceptKind | None = None


class PublishedConcepts(_Shape):
    """The file of one Vaccount."""

    vaccount: str
    concepts: tuple[object, ...]


class PublishedImage(_Shape):
    """A picture of a history."""

    image_id: str
    image_path: str | None = None
    vaccount: str
    event_id: str
    event_description: str | None = None
    event_date: str


class PublishedQuestion(_Shape):
    """A question. Keys about a picture are absent where it has none."""

    sample_id: str
    vaccount: str
    task: str
    question: str
    answer: str
    answer_type: str
    question_image_id: str | None = None
    question_image_path: str | None = None
    reference_ids: tuple[str, ...] = ()


class PublishedPrediction(_Shape):
    """What somebody's system answered."""

    sample_id: str
    prediction: str | None = None
    retrieved_ids: tuple[str, ...] = ()


class PublishedJudgement(_Shape):
    """What a judge said of an open answer."""

    sample_id: str
    result: str = Field(alias="Result")
    reason: str = Field(default="", alias="Reason")


def task_of(name: str) -> tuple[LifeTask, Difficulty] | None:
    """Return task and difficulty of a published task's name; None where nothing is called so.

    The published files tell easy questions apart; the others have the difficulty that the paper gives their task.
    """
    task = next((one for one in LIFE_TASKS if one == name.removesuffix(_EASY)), None)
    levels = [level for (of, level) in PAPER_COUNTS if of == task]
    if task is None or (name.endswith(_EASY) and "easy" not in levels):
        return None
    return task, "easy" if name.endswith(_EASY) else next(level for level in levels if level != "easy")


def task_name(task: LifeTask, difficulty: Difficulty) -> str:
    """Return the name under which a task's questions of a difficulty are published; ``task_of`` reads it."""
    return f"{task}{_EASY}" if difficulty == "easy" else task


def kind_of_role(role: str) -> ConceptKind:
    """Return whether a role, ``Owner's Dog``, is that of an animal."""
    return "animal" if _PETS & set(re.findall(r"[a-z]+", role.lower())) else "person"


def split_options(text: str) -> tuple[str, tuple[LifeOption, ...]] | None:
    """Return question and options out of a published text; None where it does not hold (A) to (D) once, in order.

    Options may be parted by semicolons, spaces or new lines.
    """
    marks = list(_MARKS.finditer(text))
    if [mark[1].lower() for mark in marks] != list(LETTERS):
        return None
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    texts = [text[mark.end() : end].rstrip() for mark, end in zip(marks, ends, strict=True)]
    texts = [one.rstrip("; \n\t\r") if number < len(texts) - 1 else one for number, one in enumerate(texts)]
    question = text[: marks[0].start()].strip()
    if not question or not all(texts):
        return None
    return question, tuple(
        LifeOption(letter=letter, text=one, source="") for letter, one in zip(LETTERS, texts, strict=True)
    )


def joined_options(question: str, options: tuple[LifeOption, ...]) -> str:
    """Return a question with its options in its text, as it is published."""
    return f"{question} " + "; ".join(f"({one.letter.upper()}) {one.text}" for one in options)
