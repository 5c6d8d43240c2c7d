"""What was paid for is kept: valid answers, which are never paid for again, and rejected ones, to be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic

from lifeloom.models.calls.cache import CachedAnswer, RejectedAnswer, Request, ResponseCache
from lifeloom.models.calls.decoding import Decoded, Undecodable, decode
from lifeloom.models.calls.option_scores import kept_scores
from lifeloom.models.calls.sending import Sender
from lifeloom.models.protocol import GenerationRejected, RejectionReason, Usage
from lifeloom.tasks.base import GenerationTask, OutputT

__all__ = ["Answer", "Keeper", "decoded"]


@dataclass(frozen=True)
class Answer(Generic[OutputT]):
    """A valid answer with what was paid for it."""

    text: str
    decoded: Decoded[OutputT]
    usage: Usage


class Keeper:
    """Looks answers up and keeps them, counted.

    Args:
        cache: Where; None: nothing is kept.
        sender: Counts.
    """

    def __init__(self, cache: ResponseCache | None, sender: Sender) -> None:
        self._cache = cache
        self._sender = sender

    def answer(self, task: GenerationTask[Any, OutputT], request: Request) -> Answer[OutputT] | None:
        """Return the answer to a question that was paid for before."""
        kept = self._cache.get(request) if self._cache is not None else None
        if kept is None:
            return None
        try:
            found = decoded(kept.text, task)
        except Undecodable:
            self._count(task, "cache_outdated")  # a validator became stricter without a change of the schema: ask again
            return None
        return Answer(kept.text, found, self._recalled(task, kept))

    def scores(self, task: GenerationTask[Any, Any], request: Request) -> tuple[tuple[float, ...], Usage] | None:
        """Return the scores of options that were paid for before."""
        kept = self._cache.get(request) if self._cache is not None else None
        if kept is None:
            return None
        scores = kept_scores(kept.text)
        if not scores:
            self._count(task, "cache_outdated")
            return None
        return scores, self._recalled(task, kept)

    def keep(self, request: Request, text: str, usage: Usage) -> None:
        """Keep a valid answer, unless it was."""
        if self._cache is not None and not usage.cached:
            self._cache.put(request, CachedAnswer(text, usage.prompt_tokens, usage.completion_tokens))

    def rejection(
        self,
        task: GenerationTask[Any, Any],
        request: Request,
        reason: RejectionReason,
        raw: str,
        detail: str,
        usage: Usage,
    ) -> GenerationRejected:
        """Return what is raised for an answer that is none, kept and counted."""
        self._count(task, f"rejected_{reason}")
        if self._cache is not None:
            self._cache.put_rejected(
                request, RejectedAnswer(reason, raw, detail, usage.prompt_tokens, usage.completion_tokens)
            )
        return GenerationRejected(task.name, reason, raw, detail, usage)

    def _recalled(self, task: GenerationTask[Any, Any], kept: CachedAnswer) -> Usage:
        self._sender.recalled(task.prompt_version, kept.prompt_tokens, kept.completion_tokens)
        return Usage(kept.prompt_tokens, kept.completion_tokens, calls=0, cached=True)

    def _count(self, task: GenerationTask[Any, Any], event: str) -> None:
        self._sender.happened(task.prompt_version, event)


def decoded(text: str, task: GenerationTask[Any, OutputT]) -> Decoded[OutputT]:
    """Return a model's text as the output of ``task``.

    Raises:
        Undecodable: it is none.
    """
    return decode(text, task.output_type, keeps_thoughts=task.keeps_thoughts)
