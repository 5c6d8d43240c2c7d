"""For tests of what is remembered: a model that answers in forms as told, an encoder of words, and conversations."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lifeloom.models.protocol import CapabilityMissing, Generation, ModelIdentity, Usage
from lifeloom.records import PictureReference, Turn, make_id
from lifeloom.streams import stable_hash
from lifeloom.tasks import PERSONALITY_INFERENCE, PersonalityInferenceOutput, TextOutput

MONDAY = dt.datetime(2026, 1, 5, 9, 0, tzinfo=dt.UTC)
"""10:00 on the user's clock."""
OFFSET = 60

Answer = str | Sequence[int] | BaseException | Callable[[Any], Any]
"""A text, five scores, an error, or what makes one of them from the input."""

_NOTHING: dict[str, Answer] = {
    "personality_inference": (3, 3, 3, 3, 3),
    "semantic_update": "reason: small talk\ndecision: no\n",
    "core_update": "none\n",
    "procedural_update": "none\n",
    "episodic_update": "topic_summary: The user talked.\nkeywords: talk\nsource_dialog_indices: 1\n",
    "response_step": "<think>That is easy.</think><answer>I see.</answer>",
}


def attentive(task_input: Any) -> str:
    """Keep every message that says something of the user."""
    said = task_input.user
    if not said.startswith(("I ", "My ")):
        return "reason: small talk\ndecision: no\n"
    return f"reason: told\ndecision: yes\nkind: fact\ncontent: The user said: {said}\nkeywords: {said.split()[-1]}\n"


class FormModel:
    """A language model that answers as it is told, by the name of the task; otherwise that there is nothing."""

    identity = ModelIdentity("fake", "forms-1")
    scores_options = False

    def __init__(self, *, pictures: bool = False, window_tokens: int = 32_768, **answers: Answer) -> None:
        self.takes_pictures = pictures
        self.window_tokens = window_tokens
        self.answers: dict[str, Answer] = {**_NOTHING, **answers}
        self.asked: list[tuple[str, Any]] = []
        self.shown: list[tuple[PictureReference, ...]] = []
        self.threads: set[str] = set()

    def of(self, task: str) -> list[Any]:
        """The inputs of the questions of one task, in order."""
        return [task_input for name, task_input in self.asked if name == task]

    def run(self, task, task_input, images=(), *, sample=0, listener=None):
        self.asked.append((task.name, task_input))
        self.shown.append(tuple(images))
        self.threads.add(threading.current_thread().name)
        answer = self.answers[task.name]
        if callable(answer):
            answer = answer(task_input)
        if isinstance(answer, BaseException):
            raise answer
        usage = Usage(prompt_tokens=10, completion_tokens=5)
        if task is PERSONALITY_INFERENCE:
            scores = dict(zip(PersonalityInferenceOutput.model_fields, answer, strict=True))
            return Generation(PersonalityInferenceOutput(**scores), usage, self.identity.provenance(task))
        if listener is not None:
            for word in answer.split(" "):
                listener.piece(word + " ")
        return Generation(TextOutput(text=answer), usage, self.identity.provenance(task))

    def score_options(self, task, task_input, options, images=()):
        raise CapabilityMissing("no scores")

    def check(self) -> str:
        return "told"


class WordEncoder:
    """Unit vectors of 16 numbers: the more words two texts share, the nearer they are."""

    identity = ModelIdentity("fake", "words-1")
    dimensions = 16

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.batches.append(list(texts))
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in (*text.lower().split(), ""):
                vectors[row] += np.random.default_rng(stable_hash(word)).standard_normal(16).astype(np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return (vectors / lengths).astype(np.float32)


def written(
    *messages: str, persona: str = "persona-1", gaps: Sequence[int] = (), pictures: Sequence[PictureReference] = ()
) -> list[Turn]:
    """A conversation: ``gaps`` are the minutes before the second, third... turn, five where none is given."""
    turns, at = [], MONDAY
    for index, message in enumerate(messages):
        if index:
            at += dt.timedelta(minutes=gaps[index - 1] if index <= len(gaps) else 5)
        turns.append(
            Turn(
                turn_id=make_id("turn", persona, index),
                persona_id=persona,
                session_id="session-1",
                turn_index=index,
                at=at,
                offset_minutes=OFFSET,
                user=message,
                assistant="I see.",
                pictures=tuple(pictures[: message.count("<img>")]),
            )
        )
    return turns
