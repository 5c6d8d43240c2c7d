"""The shortcut audit of Life-Bench: what is reached without the right part of the life (N3).

Four policies on the answering model: the question alone; any pictures of this life; the picture of the history nearest
to the question's; the life of somebody else. Open tasks must stay under 10 %, the others near chance.
"""

from __future__ import annotations

import functools
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import numpy as np

from lifeloom.models.protocol import ImageEncoder, LanguageModel, PictureSource, TextEncoder
from lifeloom.records import (
    ANSWER_TYPE_OF,
    LIFE_TASKS,
    Life,
    LifePrediction,
    LifeQuestion,
    LifeTask,
    PictureReference,
    Record,
)
from lifeloom.records.base import Identifier
from lifeloom.scoring.life_policy import AskedQuestion, Found, LifeAnswer, answer_from
from lifeloom.scoring.metrics import binomial_lower_bound
from lifeloom.scoring.policy import policy_fingerprint
from lifeloom.store import MediaCorrupt, MediaMissing
from lifeloom.store.pictures import PictureRejected, decode_picture
from lifeloom.streams import Streams, stable_hash
from lifeloom.tasks import LIFE_ANSWER

__all__ = [
    "BLIND_LIFE_POLICIES",
    "OPEN_LIMIT",
    "BlindLifePolicy",
    "LifeAuditRow",
    "audit_life",
    "audit_markdown",
    "sample_questions",
]

Sight = Literal["question_only", "any_pictures", "nearest_picture", "other_life"]
BLIND_LIFE_POLICIES: tuple[Sight, ...] = ("question_only", "any_pictures", "nearest_picture", "other_life")
OPEN_LIMIT = 0.10
"""Accuracy that no blind policy may reach on an open task."""
_CHANCE = {"multiple_choice": 0.25, "binary": 0.5}
_CONFIDENCE = 0.95
_SHOWN = 5


class LifeAuditRow(Record):
    """A verdict on one task under one blind policy."""

    KIND = "life_audit_row"

    release_id: Identifier
    policy: Identifier
    task: str
    questions: int
    correct: int
    accuracy: float
    lower_bound: float
    """One-sided 95 %, shared out over the tasks (Bonferroni)."""
    limit: float
    """What accuracy and lower bound must not exceed: 10 % for open tasks, chance and margin for the others."""
    verdict: Literal["passed", "failed", "inconclusive"]

    def sentence(self) -> str:
        """Return the verdict in words."""
        return (
            f"{self.policy} gets {self.accuracy:.1%} of {self.task} ({self.correct} of {self.questions}; at least "
            f"{self.lower_bound:.1%}), the limit is {self.limit:.0%}: {self.verdict}"
        )


class BlindLifePolicy:
    """A policy that is kept from what a question is about.

    Args:
        sight: what it sees.
        model: the answering model.
        lives: all lives of the release, by Vaccount.
        encoder: finds the nearest picture of a question without one, by the event's description.
        image_encoder: finds the nearest picture of a question with one.
        pictures: gives the files.
        streams: the seed's random streams.
        code: revision of the code.
    """

    version = 1

    def __init__(
        self,
        sight: Sight,
        model: LanguageModel,
        lives: Mapping[str, Life],
        encoder: TextEncoder,
        image_encoder: ImageEncoder,
        pictures: PictureSource,
        streams: Streams,
        *,
        code: str,
    ) -> None:
        self.sight = sight
        self.model = model
        self._lives = lives
        self._encoder = encoder
        self._image_encoder = image_encoder
        self._pictures = pictures
        self._streams = streams
        self._code = code
        self._vectors: dict[str, np.ndarray] = {}
        self._descriptions: dict[str, np.ndarray] = {}

    @property
    def name(self) -> str:
        """``blind-question_only`` and so on."""
        return f"blind-{self.sight}"

    @functools.cached_property
    def fingerprint(self) -> str:
        """Digest of code, models and parameters."""
        return policy_fingerprint(
            self.name,
            code=f"{self._code}/{self.version}",
            models=self.models(),
            prompts=self.prompts(),
            parameters=self.parameters(),
        )

    def models(self) -> list[str]:
        """Return everything that is asked."""
        asked = [self.model.identity]
        if self.sight == "nearest_picture":
            asked += [self._encoder.identity, self._image_encoder.identity]
        return [f"{one.backend}/{one.model}" for one in asked]

    def prompts(self) -> tuple[str, ...]:
        """Return the version of the answering prompt."""
        return (LIFE_ANSWER.prompt_version,)

    def parameters(self) -> dict[str, str | int | float]:
        """Return what else decides the answers."""
        return {"sight": self.sight, "pictures": _SHOWN, "seed": self._streams.seed}

    def answer(self, asked: AskedQuestion, life: Life) -> LifeAnswer:
        """Answer from what it is allowed to see."""
        if self.sight == "question_only":
            return answer_from(self.model, asked, life, Found())
        if self.sight == "other_life":
            other = self._other(life)
            return answer_from(self.model, asked, other, self._any(asked, other, concepts=True))
        if self.sight == "any_pictures":
            return answer_from(self.model, asked, life, self._any(asked, life, concepts=False))
        return answer_from(self.model, asked, life, self._nearest(asked, life))

    def _other(self, life: Life) -> Life:
        others = [one for name, one in sorted(self._lives.items()) if name != life.vaccount_id]
        return others[stable_hash("other life", life.vaccount_id) % len(others)] if others else Life("", (), ())

    def _any(self, asked: AskedQuestion, life: Life, *, concepts: bool) -> Found:
        rng = random.Random(stable_hash("any pictures", self._streams.seed, asked.question))  # noqa: S311 - no secret
        images = rng.sample(life.images, min(_SHOWN, len(life.images)))
        return Found(
            concepts=life.concepts if concepts else (),
            images=tuple(images),
            retrieved_ids=tuple(image.image_id for image in images),
        )

    def _nearest(self, asked: AskedQuestion, life: Life) -> Found:
        if not life.images:
            return Found()
        if asked.picture is not None:
            cosines = self._image_vectors(life) @ self._vector_of(asked.picture)
        else:
            cosines = self._description_vectors(life) @ self._encoder.encode([asked.question])[0]
        image = life.images[int(np.argmax(cosines))]
        return Found(images=(image,), retrieved_ids=(image.image_id,))

    def _description_vectors(self, life: Life) -> np.ndarray:
        """Return the vectors of the pictures' descriptions, (pictures, dimensions); worked out once a life."""
        if life.vaccount_id not in self._descriptions:
            texts = [image.event_description or "-" for image in life.images]
            self._descriptions[life.vaccount_id] = self._encoder.encode(texts)
        return self._descriptions[life.vaccount_id]

    def _image_vectors(self, life: Life) -> np.ndarray:
        return np.array([self._vector_of(one.picture) for one in life.images])

    def _vector_of(self, picture: PictureReference | None) -> np.ndarray:
        """Return the vector of a picture; a picture that is gone is like none."""
        nothing = np.zeros(self._image_encoder.dimensions, dtype=np.float32)
        if picture is None:
            return nothing
        if picture.content_hash not in self._vectors:
            try:
                image = decode_picture(self._pictures(picture))
            except (MediaMissing, MediaCorrupt, PictureRejected):
                return nothing
            self._vectors[picture.content_hash] = self._image_encoder.encode([image])[0]
        return self._vectors[picture.content_hash]


def sample_questions(questions: Sequence[LifeQuestion], most: int, rng: random.Random) -> list[LifeQuestion]:
    """Return at most ``most`` questions, tasks evenly; all of them where ``most`` is 0."""
    if not most or most >= len(questions):
        return list(questions)
    by_task: dict[LifeTask, list[LifeQuestion]] = {task: [] for task in LIFE_TASKS}
    for question in rng.sample(list(questions), len(questions)):
        by_task[question.task].append(question)
    chosen: list[LifeQuestion] = []
    for turn in range(max(len(own) for own in by_task.values())):
        for own in by_task.values():
            if turn < len(own) and len(chosen) < most:
                chosen.append(own[turn])
    return chosen


def audit_life(
    release_id: str,
    questions: Sequence[LifeQuestion],
    predictions: Iterable[LifePrediction],
    *,
    margin: float,
    minimum: int,
) -> list[LifeAuditRow]:
    """Return a verdict for each blind policy and task.

    Failed: the lower bound is above the limit. Inconclusive: it is not, but the accuracy is, or fewer than ``minimum``
    questions were answered and judged, so that a shortcut could hide: a model that says nothing shows nothing.
    """
    task_of = {one.question_id: one.task for one in questions}
    tasks = [task for task in LIFE_TASKS if task in set(task_of.values())]
    given: dict[tuple[str, LifeTask], list[bool]] = {}
    tried: Counter[tuple[str, LifeTask]] = Counter()
    for one in predictions:
        place = (one.policy, task_of[one.question_id])
        given.setdefault(place, []).append(one.correct)
        tried[place] += bool(one.answer.strip()) and not one.failure.startswith("judge_")
    rows = []
    for (policy, task), correct in sorted(given.items()):
        confidence = 1 - (1 - _CONFIDENCE) / max(1, len(tasks))
        bound = binomial_lower_bound(sum(correct), len(correct), confidence=confidence)
        kind = ANSWER_TYPE_OF[task]
        limit = OPEN_LIMIT if kind == "open_generation" else _CHANCE[kind] + margin
        verdict: Literal["passed", "failed", "inconclusive"] = "passed"
        if bound > limit:
            verdict = "failed"
        elif sum(correct) > limit * len(correct) or tried[policy, task] < minimum:
            verdict = "inconclusive"
        rows.append(
            LifeAuditRow(
                release_id=release_id,
                policy=policy,
                task=task,
                questions=len(correct),
                correct=sum(correct),
                accuracy=sum(correct) / len(correct),
                lower_bound=bound,
                limit=limit,
                verdict=verdict,
            )
        )
    return rows


def audit_markdown(rows: Sequence[LifeAuditRow]) -> str:
    """Return the accuracies by task and policy as a table; what failed is marked."""
    policies = sorted({row.policy for row in rows})
    lines = ["| task | limit | " + " | ".join(policies) + " |", "|---" * (2 + len(policies)) + "|"]
    for task in LIFE_TASKS:
        own = {row.policy: row for row in rows if row.task == task}
        if own:
            limit = next(iter(own.values())).limit
            cells = [_cell(own[name]) if name in own else "" for name in policies]
            lines.append(f"| {task} | {limit:.0%} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(row: LifeAuditRow) -> str:
    failed = " **failed**" if row.verdict == "failed" else ""
    return f"{row.accuracy:.1%} of {row.questions}{failed}"
