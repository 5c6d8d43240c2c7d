"""Known pictures, and a model that says what a test wants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from evaluation.caption_quality.contents import KnownPicture
from lifeloom.models.protocol import Generation, GenerationRejected, LanguageModel, ModelIdentity, Usage
from lifeloom.records import BY_CODE, PictureReference
from lifeloom.tasks import GenerationTask, TextOutput
from tests.scenes import reference

__all__ = ["known", "speaking"]


def known(name: str, *objects: str, unsure: Sequence[str] = (), references: Sequence[str] = ()) -> KnownPicture:
    """A picture that shows one each of ``objects``."""
    return KnownPicture(name, reference(name), dict.fromkeys(objects, 1), frozenset(unsure), tuple(references))


class _Speaking:
    identity = ModelIdentity("code", "speaking")

    def __init__(self, say: Callable[[Any], str]) -> None:
        self._say = say

    def run(self, task: GenerationTask[Any, Any], task_input: Any, images: Sequence[PictureReference] = ()) -> Any:
        said = self._say(task_input)
        if said.startswith("reject:"):
            raise GenerationRejected(task.name, cast("Any", said.removeprefix("reject:")), "raw")
        return Generation(TextOutput(text=said), Usage(0, 1), BY_CODE)


def speaking(say: Callable[[Any], str]) -> LanguageModel:
    """A model that answers by ``say``; ``reject:bad_json`` is an answer that cannot be read."""
    return cast("LanguageModel", _Speaking(say))
