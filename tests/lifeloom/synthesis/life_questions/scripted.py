"""A model of verification that says what a test wants."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lifeloom.models.protocol import Generation, GenerationRejected, ModelIdentity, Usage
from lifeloom.records import BY_CODE, PictureReference
from lifeloom.tasks import (
    LIFE_ANSWER,
    LIFE_JUDGEMENT,
    QUESTION_CRITIQUE,
    GenerationTask,
    LifeJudgementOutput,
    QuestionCritiqueOutput,
    TextOutput,
)

Says = Callable[[Any, int], str]


class Scripted:
    """A model whose verdicts and answers are given by functions of the input and the sample."""

    identity = ModelIdentity("code", "scripted-1")
    window_tokens = 32_768
    scores_options = False
    takes_pictures = False

    def __init__(
        self,
        critic: Says = lambda asked, sample: "good",
        reader: Says = lambda asked, sample: "I do not know.",
        judge: Says = lambda asked, sample: "Wrong",
    ) -> None:
        self._says: Mapping[str, Says] = {
            QUESTION_CRITIQUE.name: critic,
            LIFE_ANSWER.name: reader,
            LIFE_JUDGEMENT.name: judge,
        }
        self._lock = threading.Lock()
        self.asked: list[tuple[str, Any, int]] = []

    def run(
        self,
        task: GenerationTask[Any, Any],
        task_input: Any,
        images: Sequence[PictureReference] = (),
        *,
        sample: int = 0,
        listener: object = None,
    ) -> Generation[Any]:
        with self._lock:
            self.asked.append((task.name, task_input, sample))
        said = self._says[task.name](task_input, sample)
        if said == "nonsense":
            raise GenerationRejected(task.name, "bad_json", "?")
        if task is QUESTION_CRITIQUE:
            output: Any = QuestionCritiqueOutput(verdict=said, reason=f"it is {said}")  # type: ignore[arg-type]
        elif task is LIFE_JUDGEMENT:
            output = LifeJudgementOutput(verdict=said, reason="so it is")  # type: ignore[arg-type]
        else:
            output = TextOutput(text=said)
        return Generation(output, Usage(prompt_tokens=1, completion_tokens=1), BY_CODE)
