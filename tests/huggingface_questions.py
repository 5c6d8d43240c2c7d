"""Questions to checkpoints with random weights, and a checkpoint that says what it is told to say."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from lifeloom.models.calls.sent_pictures import sent_pictures
from lifeloom.models.calls.wire import Question, ReAsk
from lifeloom.models.huggingface import HuggingFaceWire
from lifeloom.records import PictureReference
from lifeloom.tasks import GenerationTask, TaskInput, TaskOutput, TextOutput
from tests.tiny_models import TinyPictures

__all__ = ["Said", "ask", "question", "saying", "task", "together"]

ResultT = TypeVar("ResultT")


class Said(TaskInput):
    """What the user says."""

    text: str


def task(output_type: type[TaskOutput] = TextOutput, **changes: Any) -> GenerationTask[Said, Any]:
    """Return a task that passes on what the user says."""
    changes = {"max_tokens": 12, "instructions": "Answer the user.", **changes}
    return GenerationTask(
        name="talk", version="1", input_type=Said, output_type=output_type, template="{{ input.text }}", **changes
    )


def question(
    text: str,
    asked: GenerationTask[Said, Any] | None = None,
    *,
    pictures: Sequence[PictureReference] = (),
    source: TinyPictures | None = None,
    seed: int = 0,
    again: ReAsk | None = None,
) -> Question:
    """Return what the user says as a wire is asked it."""
    asked = asked or task()
    sent = () if source is None else sent_pictures(pictures, source)
    return Question(asked, asked.render(Said(text=text)), sent, again=again, seed=seed)


def ask(wire: HuggingFaceWire, *args: Any, **keywords: Any) -> str:
    """Return the text of the answer to ``question(*args, **keywords)``."""
    return wire.send(question(*args, **keywords), 60.0).content


def together(calls: Sequence[Callable[[], ResultT]]) -> list[ResultT]:
    """Call all at the same time and return the results in order."""
    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(call) for call in calls]]


@contextlib.contextmanager
def saying(wire: HuggingFaceWire, text: str) -> Iterator[list[int]]:
    """Make the model of ``wire`` find ``text`` likeliest, token by token, and then the end.

    Yields:
        The length of what the model read at each step, padding included.
    """
    import torch

    loaded = wire._ready().loaded
    tokens = [*loaded.tokenizer(text, add_special_tokens=False)["input_ids"], loaded.tokenizer.eos_token_id]
    read: list[int] = []

    def note(module: Any, args: Any, keywords: Any) -> None:
        length = keywords["input_ids"].shape[1]
        steps[0] = 0 if length > 1 else steps[0] + 1  # the first step reads the prompt, every other one a token
        read.append(length)

    def scripted(module: Any, inputs: Any, logits: Any) -> Any:
        wanted = torch.zeros_like(logits)
        wanted[..., tokens[min(steps[0], len(tokens) - 1)]] = 50.0
        return wanted

    steps = [0]
    hooks = [
        loaded.model.register_forward_pre_hook(note, with_kwargs=True),
        loaded.model.get_output_embeddings().register_forward_hook(scripted),
    ]
    try:
        yield read
    finally:
        for hook in hooks:
            hook.remove()
