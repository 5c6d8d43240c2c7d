"""Questions, predictions and a life for tests of Life-Bench, all of one Vaccount unless told."""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import Any

from lifeloom.records import (
    ANSWER_TYPE_OF,
    BY_CODE,
    Concept,
    Life,
    LifeImage,
    LifeOption,
    LifePrediction,
    LifeQuestion,
    LifeScore,
    PictureReference,
)

OPTIONS = ("A black blazer", "A blue jacket", "A dark suit", "Not in image.")


def question(name: str, task: Any = "scene_and_activity", **changes: Any) -> LifeQuestion:
    """A question of a task with an answer of its type."""
    kind = ANSWER_TYPE_OF[task]
    options = tuple(LifeOption(letter=one, text=text, source="") for one, text in zip("abcd", OPTIONS, strict=True))
    told: dict[str, Any] = {
        "question_id": name,
        "release_id": "r",
        "vaccount_id": "ana",
        "task": task,
        "difficulty": "medium",
        "template": "t",
        "question": f"What about {name}?",
        "options": options if kind == "multiple_choice" else (),
        "answer": {"multiple_choice": "b", "binary": "yes", "open_generation": "fishing"}[kind],
        "answer_type": kind,
        "made_by": BY_CODE,
    }
    return LifeQuestion(**{**told, **changes})


def prediction(name: str, *, right: bool, policy: str = "rap-k3", **changes: Any) -> LifePrediction:
    """What a policy answered."""
    told: dict[str, Any] = {
        "question_id": name,
        "release_id": "r",
        "policy": policy,
        "policy_fingerprint": "f",
        "answer": "x",
        "correct": right,
        "prompt_tokens": 10,
        "completion_tokens": 2,
        "made_by": BY_CODE,
        "judged_by": BY_CODE,
    }
    return LifePrediction(**{**told, **changes})


def score(policy: str, value: float, task: str = "all", difficulty: str = "all") -> LifeScore:
    """The score of a policy."""
    return LifeScore(
        benchmark="life_bench",
        benchmark_version="1",
        policy=policy,
        policy_fingerprint="f",
        task=task,
        difficulty=difficulty,
        value=value,
        low=value,
        high=value,
        questions=10,
        correct=5,
        missing=0,
        prompt_tokens=0,
        completion_tokens=0,
        code_revision="c",
        seed=1,
        backend="b",
        model="m",
    )


def life(vaccount: str = "ana", events: int = 4, pictures: int = 2) -> Life:
    """A life with an owner and some events of some pictures each."""
    images = [
        LifeImage(
            image_id=f"{vaccount}-e-{event}-{number}",
            vaccount_id=vaccount,
            event_id=f"{vaccount}-e-{event}",
            event_description=f"event {event}",
            event_date=dt.date(2020, 1, 1 + event),
            picture=PictureReference(
                content_hash=hashlib.sha256(f"{event}-{number}".encode()).hexdigest(), width=64, height=64
            ),
        )
        for event in range(events)
        for number in range(pictures)
    ]
    owner = Concept(
        concept_id=f"{vaccount}-c-{vaccount}",
        vaccount_id=vaccount,
        name=vaccount.title(),
        role="Account Owner",
        kind="person",
        made_by=BY_CODE,
    )
    return Life.of(vaccount, [owner], images)
