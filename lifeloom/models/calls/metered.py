"""A model of this machine whose calls are counted: what every call took, without cache, limits or retries."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from lifeloom.models.calls.metering import LocalMeter
from lifeloom.models.protocol import (
    Generation,
    GenerationRejected,
    LanguageModel,
    ModelIdentity,
    OptionScores,
    TextListener,
)
from lifeloom.records import PictureReference
from lifeloom.tasks.base import GenerationTask, InputT, OutputT

__all__ = ["MeteredModel"]


class MeteredModel:
    """A ``LanguageModel`` that tells a meter of every call and answers as ``model`` does.

    For models that answer in this process at no price (the built-in one). Models behind ``AnsweringModel`` are
    metered there.

    Args:
        model: Who answers.
        meter: Told of every answer and rejection.
    """

    def __init__(self, model: LanguageModel, meter: LocalMeter) -> None:
        self._model = model
        self._meter = meter

    def __repr__(self) -> str:
        return f"MeteredModel({self._model!r})"

    @property
    def identity(self) -> ModelIdentity:
        """Backend and model."""
        return self._model.identity

    @property
    def window_tokens(self) -> int:
        """Context window that the model declares, in tokens of ``lifeloom.models.tokens``."""
        return self._model.window_tokens

    @property
    def scores_options(self) -> bool:
        """Whether ``score_options`` works."""
        return self._model.scores_options

    @property
    def takes_pictures(self) -> bool:
        """Whether ``images`` may be given."""
        return self._model.takes_pictures

    def run(
        self,
        task: GenerationTask[InputT, OutputT],
        task_input: InputT,
        images: Sequence[PictureReference] = (),
        *,
        sample: int = 0,
        listener: TextListener | None = None,
    ) -> Generation[OutputT]:
        """Answer one question, counted.

        Raises:
            ModelError: as the model's own ``run``; a rejection is counted by its reason.
        """
        started = time.perf_counter()
        try:
            generation = self._model.run(task, task_input, images, sample=sample, listener=listener)
        except GenerationRejected as error:
            self._meter.happened(task.prompt_version, f"rejected_{error.reason}")
            if error.usage.calls:
                self._count(task, error.usage.prompt_tokens, error.usage.completion_tokens, started)
            raise
        self._count(task, generation.usage.prompt_tokens, generation.usage.completion_tokens, started)
        return generation

    def score_options(
        self,
        task: GenerationTask[InputT, Any],
        task_input: InputT,
        options: Sequence[str],
        images: Sequence[PictureReference] = (),
    ) -> OptionScores:
        """Return a score for each of ``options`` as the answer, counted.

        Raises:
            ModelError: as the model's own ``score_options``.
        """
        started = time.perf_counter()
        scores = self._model.score_options(task, task_input, options, images)
        self._count(task, scores.usage.prompt_tokens, scores.usage.completion_tokens, started)
        return scores

    def check(self) -> str:
        """Return one line saying that the model answers; not counted."""
        return self._model.check()

    def _count(self, task: GenerationTask[Any, Any], prompt_tokens: int, completion_tokens: int, began: float) -> None:
        self._meter.counted(task.prompt_version, prompt_tokens, completion_tokens, time.perf_counter() - began)
