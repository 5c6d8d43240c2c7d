"""Reading a release of Life-Bench in the published format, whoever wrote it.

Nothing of it is trusted. A row that cannot be read is left out, with file, line and reason, and counted; the rest is
read: ``rows = read + rejections`` for concepts, pictures of histories and questions. A picture's file that is missing
or broken takes nothing away but the picture: the row stays, and the file is counted on its own.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from evaluation.life_bench_files.lines import read_lines, read_object, shaped
from evaluation.life_bench_files.shapes import (
    ANSWER_WORDS,
    CONCEPTS,
    EVENTS,
    PUBLISHED,
    QUESTIONS,
    PublishedConcept,
    PublishedConcepts,
    PublishedImage,
    PublishedQuestion,
    ReleaseUnreadable,
    kind_of_role,
    split_options,
    task_of,
)
from evaluation.persona_mme_files import PublishedPictures
from evaluation.persona_mme_files.finding import Problem
from lifeloom.records import (
    ANSWER_TYPE_OF,
    LETTERS,
    Concept,
    Life,
    LifeImage,
    LifeOption,
    LifeQuestion,
    PictureReference,
    Rejection,
    make_id,
)
from lifeloom.store.pictures import PictureRejected, decode_picture, read_picture_file

__all__ = ["CONCEPTS_STAGE", "IMAGES_STAGE", "PICTURES_STAGE", "QUESTIONS_STAGE", "PublishedLives", "read_lives"]

CONCEPTS_STAGE = "life_bench_files/concepts"
IMAGES_STAGE = "life_bench_files/images"
QUESTIONS_STAGE = "life_bench_files/questions"
PICTURES_STAGE = "life_bench_files/pictures"

_CHOICE = re.compile(r"\s*\(?([A-Da-d])\)?\.?\s*")


@dataclass(frozen=True)
class PublishedLives:
    """A release as read: all that can be asked, and what could not be read.

    The format has no place for templates and for where an option comes from: these are empty.
    """

    release_id: str
    lives: dict[str, Life]
    """By Vaccount."""
    questions: list[LifeQuestion]
    """By file and line."""
    pictures: PublishedPictures
    rejections: list[Rejection]
    listed: dict[str, int]
    """Rows, and files of pictures, that the release names, by stage."""

    def left_out(self) -> dict[str, int]:
        """Return how much was left out, by ``stage: reason``."""
        return dict(Counter(f"{one.stage}: {one.reason}" for one in self.rejections))


def read_lives(folder: Path) -> PublishedLives:
    """Read a release.

    Args:
        folder: holds ``concepts``, ``events`` and ``questions``. Pictures may be missing.

    Raises:
        ReleaseUnreadable: one of the three is not there, or a file cannot be read at all.
        OSError: a disk that fails.
    """
    missing = [name for name in (CONCEPTS, EVENTS, QUESTIONS) if not (folder / name).exists()]
    if missing:
        raise ReleaseUnreadable(f"{folder} holds no {', no '.join(missing)}; name the folder of the release")
    reader = _Reader(folder)
    for file in sorted((folder / CONCEPTS).glob("*/concepts.json")):
        reader.concepts_of(file)
    reader.history(folder / EVENTS)
    names = {one.vaccount_id for one in reader.concepts.values()}
    names |= {one.vaccount_id for one in reader.images.values()}
    lives = {name: Life.of(name, reader.concepts.values(), reader.images.values()) for name in sorted(names)}
    for file in sorted((folder / QUESTIONS).glob("*.jsonl")):
        reader.questions_of(file, lives)
    release_id = make_id("release", *reader.digests)
    return PublishedLives(
        release_id=release_id,
        lives=lives,
        questions=[one.model_copy(update={"release_id": release_id}) for one in reader.questions.values()],
        pictures=PublishedPictures(reader.places),
        rejections=reader.rejections,
        listed=dict(reader.listed),
    )


class _Reader:
    """Reads file after file, each picture once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.concepts: dict[str, Concept] = {}
        self.images: dict[str, LifeImage] = {}
        self.questions: dict[str, LifeQuestion] = {}
        self.rejections: list[Rejection] = []
        self.listed: Counter[str] = Counter()
        self.places: dict[str, tuple[Path, str]] = {}
        self.digests: list[str] = []
        self._pictures: dict[str, PictureReference | None] = {}
        self._events: dict[str, tuple[str, dt.date, str]] = {}

    def concepts_of(self, file: Path) -> None:
        """Read the concepts of one Vaccount."""
        told = shaped(self._hashed(file, read_object(file, self.root)), PublishedConcepts)
        if isinstance(told, Problem):
            self._read(CONCEPTS_STAGE, file, 0, told)
            return
        for number, entry in enumerate(told.concepts, start=1):
            made = self._concept(told.vaccount, shaped(entry, PublishedConcept))
            if self._read(CONCEPTS_STAGE, file, number, made, what="concept") and isinstance(made, Concept):
                self.concepts[made.concept_id] = made

    def history(self, file: Path) -> None:
        """Read the pictures of all histories."""
        for number, value in read_lines(file, self.root):
            made = self._image(shaped(self._hashed(file, value), PublishedImage))
            if self._read(IMAGES_STAGE, file, number, made) and isinstance(made, LifeImage):
                self.images[made.image_id] = made
                self._events[made.event_id] = (made.vaccount_id, made.event_date, made.event_description)

    def questions_of(self, file: Path, lives: dict[str, Life]) -> None:
        """Read the questions of one file."""
        for number, value in read_lines(file, self.root):
            made = self._question(shaped(self._hashed(file, value), PublishedQuestion), lives)
            if self._read(QUESTIONS_STAGE, file, number, made) and isinstance(made, LifeQuestion):
                self.questions[made.question_id] = made

    def _hashed(self, file: Path, value: Any) -> Any:
        self.digests.append(f"{file.relative_to(self.root)}\n{value!r}")
        return value

    def _read(self, stage: str, file: Path, number: int, made: object, what: str = "line") -> bool:
        """Count a row; return whether it was read."""
        self.listed[stage] += 1
        if not isinstance(made, Problem):
            return True
        place = f"{file.relative_to(self.root)}" + (f" {what} {number}" if number else "")
        self._reject(stage, place, made)
        return False

    def _reject(self, stage: str, item: str, problem: Problem) -> None:
        detail = problem.detail.encode("utf-8", "replace").decode()[:500]
        self.rejections.append(Rejection(stage=stage, item=item[:200], reason=problem.reason, detail=detail))

    def _concept(self, vaccount: str, told: PublishedConcept | Problem) -> Concept | Problem:
        if isinstance(told, Problem):
            return told
        if told.concept_id in self.concepts:
            return Problem("duplicate", f"a second concept {told.concept_id}")
        try:
            return Concept(
                concept_id=told.concept_id,
                vaccount_id=vaccount,
                name=told.name,
                role=told.role,
                kind=told.kind or kind_of_role(told.role),
                persona=told.persona or "",
                portrait=self._picture(told.portrait_path),
                made_by=PUBLISHED,
            )
        except ValidationError as error:
            return _unfit(error)

    def _image(self, told: PublishedImage | Problem) -> LifeImage | Problem:
        if isinstance(told, Problem):
            return told
        if told.image_id in self.images:
            return Problem("duplicate", f"a second picture {told.image_id}")
        try:
            date = dt.date.fromisoformat(told.event_date)
        except ValueError:
            return Problem("bad_date", f"{told.event_date[:100]!r} is no date")
        event = (told.vaccount, date, told.event_description or "")
        known = self._events.get(told.event_id, event)
        if known != event:
            return Problem("event_disagrees", f"{told.event_id} was {known[0]}, {known[1]}, {known[2]!r} before")
        try:
            return LifeImage(
                image_id=told.image_id,
                vaccount_id=told.vaccount,
                event_id=told.event_id,
                event_description=told.event_description or "",
                event_date=date,
                picture=self._picture(told.image_path),
            )
        except ValidationError as error:
            return _unfit(error)

    def _question(self, told: PublishedQuestion | Problem, lives: dict[str, Life]) -> LifeQuestion | Problem:
        if isinstance(told, Problem):
            return told
        named = task_of(told.task)
        if named is None:
            return Problem("unknown_task", f"no task is called {told.task[:100]!r}")
        task, difficulty = named
        if told.answer_type != ANSWER_TYPE_OF[task]:
            return Problem("answer_type", f"{task} has {ANSWER_TYPE_OF[task]} answers, not {told.answer_type[:100]!r}")
        if told.vaccount not in lives:
            return Problem("unknown_vaccount", f"there are no concepts and no history of {told.vaccount[:100]!r}")
        if told.sample_id in self.questions:
            return Problem("duplicate", f"a second question {told.sample_id}")
        text = told.question.strip()
        options: tuple[LifeOption, ...] = ()
        if told.answer_type == "multiple_choice":
            parted = split_options(told.question)
            if parted is None:
                return Problem("bad_options", f"no options (A) to (D) in {told.question[:200]!r}")
            text, options = parted
        answer = _answer(told)
        if answer is None:
            return Problem("bad_answer", f"{told.answer[:100]!r} is no {told.answer_type} answer")
        events = {one.event_id for one in lives[told.vaccount].events}
        try:
            return LifeQuestion(
                question_id=told.sample_id,
                release_id="unread",
                vaccount_id=told.vaccount,
                task=task,
                difficulty=difficulty,
                template="",
                question=text,
                options=options,
                answer=answer,
                answer_type=ANSWER_TYPE_OF[task],
                picture_id=told.question_image_id or "",
                picture=self._picture(told.question_image_path),
                has_picture=bool(told.question_image_id or told.question_image_path),
                event_ids=tuple(one for one in told.reference_ids if one in events),
                reference_ids=told.reference_ids,
                made_by=PUBLISHED,
            )
        except ValidationError as error:
            return _unfit(error)

    def _picture(self, path: str | None) -> PictureReference | None:
        """Return a picture by its path; None where there is none or it cannot be read, which is counted once."""
        if not path:
            return None
        if path not in self._pictures:
            self.listed[PICTURES_STAGE] += 1
            try:
                data = read_picture_file(path, self.root)
                image = decode_picture(data)
            except PictureRejected as error:
                self._reject(PICTURES_STAGE, path, Problem(error.reason, error.detail))
                self._pictures[path] = None
            else:
                content = hashlib.sha256(data).hexdigest()
                self.places[content] = (self.root, path)
                self._pictures[path] = PictureReference(content_hash=content, width=image.width, height=image.height)
        return self._pictures[path]


def _answer(told: PublishedQuestion) -> str | None:
    """Return an answer as it is written here; None where it is none of its type."""
    if told.answer_type == "multiple_choice":
        found = _CHOICE.fullmatch(told.answer)
        return next((letter for letter in LETTERS if found is not None and letter == found[1].lower()), None)
    text = told.answer.strip()
    if told.answer_type == "binary":
        return next((word for word in ANSWER_WORDS if word == text.lower().rstrip(".")), None)
    return text or None


def _unfit(error: ValidationError) -> Problem:
    first = error.errors(include_url=False, include_input=False)[0]
    return Problem("wrong_value", f"{'.'.join(map(str, first['loc']))}: {first['msg']}")
