"""Writing lives and questions in the published format of Life-Bench.

The format puts options into the question's text, and knows no templates and no sources of options: these are not
written. What would not read back the same is refused, with every obstacle named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from evaluation.life_bench_files.lines import to_lines
from evaluation.life_bench_files.shapes import (
    ANSWER_WORDS,
    CONCEPTS,
    EVENTS,
    QUESTIONS,
    joined_options,
    kind_of_role,
    split_options,
    task_name,
    task_of,
)
from evaluation.persona_mme_files import ExportRefused
from evaluation.persona_mme_files.placing import aside_of, free_place, write_file
from evaluation.persona_mme_files.shapes import to_json
from lifeloom.models.protocol import PictureSource
from lifeloom.records import LIFE_TASKS, Concept, Life, LifeImage, LifeQuestion, PictureReference
from lifeloom.store.pictures import picture_extension

__all__ = ["LifeExportReport", "export_lives"]


@dataclass(frozen=True)
class LifeExportReport:
    """What was written."""

    folder: Path
    vaccounts: int
    concepts: int
    images: int
    """Pictures of histories."""
    questions: int
    files: int
    """Picture files, portraits and pictures of questions among them."""
    without_file: int
    """Concepts, pictures and questions whose picture is not at hand: their path is written, no file."""


def export_lives(
    folder: Path, lives: Mapping[str, Life], questions: Sequence[LifeQuestion], source: PictureSource
) -> LifeExportReport:
    """Write a release into ``folder`` in the published format, pictures included.

    Rows keep their order: lives as given, questions within their task. What is read back and exported again gives the
    same files byte for byte. ``persona`` and ``kind`` of a concept are written beyond the format where they would be
    lost; readers of the format leave keys aside that they do not know.

    Args:
        folder: where to write: a new or empty folder, or a link to an empty one.
        lives: by Vaccount.
        questions: about them.
        source: gives the pictures' files.

    Raises:
        ExportRefused: something cannot be told in the format, or the folder is not empty or cannot be written.
        MediaMissing, MediaCorrupt: a picture is gone or damaged.
        PictureRejected: a picture's file is of no known format.
    """
    place = free_place(folder)
    problems = list(_problems(lives, questions))
    if problems:
        raise ExportRefused(problems)
    with aside_of(folder, place) as aside:
        return _Writer(folder, aside, source).write(lives, questions)


class _Writer:
    """Writes the files of one release, each picture once."""

    def __init__(self, folder: Path, aside: Path, source: PictureSource) -> None:
        self._folder = folder
        self._aside = aside
        self._source = source
        self._files: set[str] = set()
        self._without = 0

    def write(self, lives: Mapping[str, Life], questions: Sequence[LifeQuestion]) -> LifeExportReport:
        """Write everything."""
        for name, life in lives.items():
            concepts: list[JsonValue] = [dict(self._concept(one)) for one in life.concepts]
            told: dict[str, JsonValue] = {"vaccount": name, "concepts": concepts}
            write_file(self._folder, self._aside / CONCEPTS / name / "concepts.json", to_json(told))
        images = [self._image(image) for life in lives.values() for image in life.images]
        write_file(self._folder, self._aside / EVENTS, to_lines(images))
        (self._aside / QUESTIONS).mkdir(parents=True, exist_ok=True)
        names = {task_name(one.task, one.difficulty): one.task for one in questions}
        for name in sorted(names, key=lambda one: (LIFE_TASKS.index(names[one]), one)):
            own = [self._question(one) for one in questions if task_name(one.task, one.difficulty) == name]
            write_file(self._folder, self._aside / QUESTIONS / f"{name}.jsonl", to_lines(own))
        return LifeExportReport(
            folder=self._folder,
            vaccounts=len(lives),
            concepts=sum(len(life.concepts) for life in lives.values()),
            images=len(images),
            questions=len(questions),
            files=len(self._files),
            without_file=self._without,
        )

    def _concept(self, concept: Concept) -> dict[str, str]:
        place = f"{CONCEPTS}/{concept.vaccount_id}/portraits/{concept.concept_id}"
        told = {
            "concept_id": concept.concept_id,
            "name": concept.name,
            "role": concept.role,
            "portrait_path": self._picture(concept.portrait, place),
        }
        if concept.persona:
            told["persona"] = concept.persona
        if concept.kind != kind_of_role(concept.role):
            told["kind"] = concept.kind
        return told

    def _image(self, image: LifeImage) -> dict[str, str]:
        return {
            "image_id": image.image_id,
            "image_path": self._picture(image.picture, f"events/images/{image.image_id}"),
            "vaccount": image.vaccount_id,
            "event_id": image.event_id,
            "event_description": image.event_description,
            "event_date": image.event_date.isoformat(),
        }

    def _question(self, question: LifeQuestion) -> dict[str, object]:
        told: dict[str, object] = {
            "sample_id": question.question_id,
            "vaccount": question.vaccount_id,
            "task": task_name(question.task, question.difficulty),
            "question": _text(question),
            "answer": _answer(question),
            "answer_type": question.answer_type,
        }
        if question.has_picture:
            name = question.picture_id or question.question_id
            told["question_image_id"] = name
            told["question_image_path"] = self._picture(question.picture, f"{QUESTIONS}/images/{name}")
        told["reference_ids"] = list(question.reference_ids)
        return told

    def _picture(self, picture: PictureReference | None, place: str) -> str:
        """Write a picture's file and return its path; where the picture is not at hand, the path that it would have."""
        if picture is None:
            self._without += 1
            return f"{place}.png"
        data = self._source(picture)
        path = f"{place}{picture_extension(data)}"
        if path not in self._files:
            write_file(self._folder, self._aside / path, data)
            self._files.add(path)
        return path


def _text(question: LifeQuestion) -> str:
    return joined_options(question.question, question.options) if question.options else question.question


def _answer(question: LifeQuestion) -> str:
    if question.answer_type == "multiple_choice":
        return question.answer.upper()
    return ANSWER_WORDS[question.answer] if question.answer_type == "binary" else question.answer


def _problems(lives: Mapping[str, Life], questions: Sequence[LifeQuestion]) -> Iterable[str]:
    """Give what would not read back the same."""
    for kind, ids in (
        ("concepts", [one.concept_id for life in lives.values() for one in life.concepts]),
        ("pictures", [one.image_id for life in lives.values() for one in life.images]),
        ("questions", [one.question_id for one in questions]),
    ):
        yield from (f"{count} {kind} have the id {name}" for name, count in Counter(ids).items() if count > 1)
    for name, life in lives.items():
        strange = {one.vaccount_id for one in life.concepts} | {one.vaccount_id for one in life.images}
        strange.discard(name)
        if strange:
            yield f"the life of {name} holds concepts or pictures of {', '.join(sorted(strange))}"
        if not life.concepts and not life.images:
            yield f"{name} has no concepts and no pictures"
    pictured: dict[str, PictureReference | None] = {}
    for one in questions:
        if one.vaccount_id not in lives:
            yield f"{one.question_id} is about {one.vaccount_id}, of whom there is no life"
            continue
        yield from _question_problems(one, lives[one.vaccount_id])
        if one.has_picture and pictured.setdefault(one.picture_id, one.picture) != one.picture:
            yield f"{one.question_id} shows another picture under the name {one.picture_id} than questions before it"


def _question_problems(question: LifeQuestion, life: Life) -> Iterable[str]:
    name = question.question_id
    if task_of(task_name(question.task, question.difficulty)) != (question.task, question.difficulty):
        yield f"{name}: the format knows no {question.difficulty} questions of {question.task}"
    if question.answer_type == "multiple_choice":
        parted = split_options(joined_options(question.question, question.options)) if question.options else None
        told = None if parted is None else (parted[0], [one.text for one in parted[1]])
        if told != (question.question, [one.text for one in question.options]):
            yield f"{name}: question and options cannot be told apart in one text"
    elif question.options or question.question != question.question.strip():
        yield f"{name}: an open or yes-no question with options, or with spaces around it"
    if question.answer_type == "binary" and question.answer not in ANSWER_WORDS:
        yield f"{name}: the answer {question.answer!r} is neither yes nor no"
    if question.answer_type == "open_generation" and question.answer != question.answer.strip():
        yield f"{name}: spaces around the answer"
    events = {one.event_id for one in life.events}
    if question.event_ids != tuple(one for one in question.reference_ids if one in events):
        yield f"{name}: its events are not those among its reference ids"
