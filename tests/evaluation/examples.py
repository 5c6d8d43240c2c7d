"""Small cases, histories and models for the tests of the benchmark."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from lifeloom.models.protocol import Generation, GenerationRejected, ModelIdentity, OptionScores, Usage
from lifeloom.records import (
    ASPECT_OF,
    LETTERS,
    AlignmentPair,
    BenchmarkCase,
    Letter,
    Option,
    PictureReference,
    Prediction,
    Provenance,
    Question,
    Setting,
    TaskName,
    Turn,
)
from lifeloom.tasks import AlignmentJudgementOutput, ChoiceAnswerOutput, GenerationTask

START = dt.datetime(2026, 1, 5, 8, tzinfo=dt.UTC)
CODE = Provenance(backend="code", model="", prompt_version="")


def case(
    name: str,
    *,
    task: TaskName = "SIR",
    answer: Letter = "a",
    options: Sequence[str] = ("mint tea", "pale ale", "red wine", "hot cocoa"),
    query: str = "What do I drink?",
    pair: tuple[str, str] | None = None,
    setting: Setting = "32k",
    persona: str = "p-1",
    turns: int = 1,
    sources: Sequence[str] = ("right", "outdated", "given_up", "someone_else"),
) -> BenchmarkCase:
    return BenchmarkCase(
        case_id=name,
        release_id="2026-01-05",
        persona_id=persona,
        setting=setting,
        task=task,
        aspect=ASPECT_OF[task],
        asked_at=START + dt.timedelta(days=30),
        offset_minutes=60,
        history_turns=turns,
        query=query,
        options=tuple(
            Option(letter=letter, text=text, source=source)
            for letter, text, source in zip(LETTERS, options, sources, strict=True)
        ),
        answer=answer,
        alignment=None if pair is None else AlignmentPair(chosen=pair[0], rejected=pair[1], made_by=CODE),
        evidence_turns=(0,),
        attribute="drink",
        stem_id="drink-1",
    )


def prediction(
    of: BenchmarkCase,
    question: Question = "choice",
    *,
    correct: bool = True,
    policy: str = "rag",
    failure: str = "",
    prompt_tokens: int = 0,
    completion_tokens: int = 0,
) -> Prediction:
    right = of.answer if question == "choice" else "yes" if question == "alignment_chosen" else "no"
    wrong = next(letter for letter in LETTERS if letter != of.answer) if question == "choice" else "unclear"
    return Prediction(
        case_id=of.case_id,
        release_id=of.release_id,
        policy=policy,
        policy_fingerprint=f"print of {policy}",
        question=question,
        answer="" if failure else right if correct else wrong,
        correct=correct and not failure,
        failure=failure,
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        made_by=CODE,
    )


def picture(number: int, width: int = 512, height: int = 512) -> PictureReference:
    return PictureReference(content_hash=f"{number:064x}", width=width, height=height)


def turns(
    count: int,
    persona: str = "p-1",
    say: Callable[[int], tuple[str, str]] | None = None,
    show: Mapping[int, Sequence[PictureReference]] = {},
) -> list[Turn]:
    made = []
    for number in range(count):
        user, assistant = say(number) if say else (f"I say {number}", f"I answer {number}")
        made.append(
            Turn(
                turn_id=f"t-{persona}-{number}",
                persona_id=persona,
                session_id="s-1",
                turn_index=number,
                at=START + dt.timedelta(hours=number),
                offset_minutes=60,
                user=user,
                assistant=assistant,
                pictures=tuple(show.get(number, ())),
            )
        )
    return made


class ScriptedModel:
    """Answers by a function of the task's name and input, and keeps what it was asked."""

    identity = ModelIdentity("code", "scripted")

    def __init__(
        self,
        answer: Callable[[str, Any], str] = lambda task, task_input: "a" if task == "choice_answer" else "yes",
        *,
        window_tokens: int = 32_768,
        scores: Callable[[Sequence[str]], Sequence[float]] | None = None,
        takes_pictures: bool = False,
    ) -> None:
        self.answer = answer
        self.takes_pictures = takes_pictures
        self.images: list[tuple[PictureReference, ...]] = []
        self.window_tokens = window_tokens
        self.scores_options = scores is not None
        self.scores = scores
        self.asked: list[tuple[GenerationTask[Any, Any], Any]] = []

    def run(
        self, task: GenerationTask[Any, Any], task_input: Any, images: Sequence[PictureReference] = ()
    ) -> Generation[Any]:
        self.asked.append((task, task_input))
        self.images.append(tuple(images))
        answer = self.answer(task.name, task_input)
        if answer.startswith("reject:"):
            raise GenerationRejected(task.name, cast("Any", answer.removeprefix("reject:")), "raw")
        output = (
            ChoiceAnswerOutput(letter=cast("Letter", answer))
            if task.name == "choice_answer"
            else AlignmentJudgementOutput(verdict=cast("Any", answer))
        )
        return Generation(output, Usage(0, 7), CODE)

    def score_options(
        self,
        task: GenerationTask[Any, Any],
        task_input: Any,
        options: Sequence[str],
        images: Sequence[PictureReference] = (),
    ) -> OptionScores:
        assert self.scores is not None
        self.asked.append((task, task_input))
        self.images.append(tuple(images))
        return OptionScores(tuple(self.scores(options)), Usage(0, 0), CODE)

    def check(self) -> str:
        return "ok"


class HandEncoder:
    """Gives each text the vector written for it, made a unit vector; texts without one share a direction."""

    identity = ModelIdentity("code", "by-hand")
    dimensions = 3

    def __init__(self, vectors: dict[str, tuple[float, float, float]]) -> None:
        self.vectors = vectors
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.encoded += texts
        rows = np.array([self.vectors.get(text, (0.0, 0.0, 1.0)) for text in texts], dtype=np.float32)
        return cast("npt.NDArray[np.float32]", rows / np.linalg.norm(rows, axis=1, keepdims=True))
