"""How likely each of several texts is as the answer to a prompt."""

from __future__ import annotations

import copy
import inspect
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from lifeloom.models.calls.wire import OptionReply
from lifeloom.models.huggingface.batching import Ticket
from lifeloom.models.huggingface.generation import NoNumbers, free_memory, is_out_of_memory, stacked
from lifeloom.models.huggingface.loading import LoadedModel
from lifeloom.models.huggingface.prompts import EncodedPrompt
from lifeloom.models.protocol import ModelUnavailable

__all__ = ["Normalisation", "OptionScorer", "ScoreJob"]

Normalisation = Literal["bytes", "tokens", "none"]
"""By what the log-likelihood of a text is divided: its length in UTF-8 bytes (in the manner of ``acc_norm`` of
lm-evaluation-harness: independent of how a model cuts a text into tokens), its length in tokens, or nothing (shorter
texts are then likelier)."""


@dataclass(frozen=True)
class ScoreJob:
    """A prompt and the texts that may follow it."""

    prompt: EncodedPrompt
    options: tuple[str, ...]
    tokens: tuple[tuple[int, ...], ...]
    """Of each option, none empty."""

    @property
    def width(self) -> int:
        """Tokens of the prompt with its longest option."""
        return self.prompt.length + max(map(len, self.tokens))


ScoreTicket = Ticket[ScoreJob, OptionReply]


class OptionScorer:
    """Scores the options of a question: the sum of the log-probabilities of a text's tokens, by its length.

    What is scored is the text alone, right after the point where the assistant's answer begins: no quotes, no JSON,
    and not the token that would end the answer.

    A model of text reads the prompt once; its keys and values are then shared by all options, which are read side by
    side. A model that sees, or that remembers in another way, reads prompt and option together for each option.

    Args:
        loaded: The model.
        name: Of the model, for messages.
        batch: Most rows at once.
        normalise: By what to divide.
    """

    def __init__(self, loaded: LoadedModel, *, name: str, batch: int, normalise: Normalisation) -> None:
        self._loaded = loaded
        self._name = name
        self._rows = batch
        self._normalise: Normalisation = normalise
        self._takes = inspect.signature(loaded.model.forward).parameters
        # Models are being moved from one name to the other.
        self._cache_name = "cache" if "cache" in self._takes else "past_key_values"

    def score(self, ticket: ScoreTicket, closed: Callable[[], bool]) -> None:
        """Settle ``ticket``, unless ``closed`` says to stop."""
        import torch

        job = ticket.job
        while True:
            try:
                with torch.inference_mode():
                    sums = self._log_likelihoods(job, lambda: ticket.settled or closed())
                break
            except Exception as error:
                no_room = is_out_of_memory(error)
                problem = f"{type(error).__name__}: {error}"
            if not no_room or self._rows == 1:
                advice = ": use a smaller window, another device or another dtype" if no_room else ""
                ticket.fail(ModelUnavailable(f"{self._name} failed to score options: {problem}{advice}"))
                return
            self._rows //= 2
            free_memory()
        if len(sums) < len(job.options):
            return
        if any(math.isnan(value) or value == math.inf for value in sums):
            ticket.fail(NoNumbers(self._name, self._loaded))
            return
        ticket.answer(
            OptionReply(
                scores=tuple(self._normalised(*one) for one in zip(sums, job.options, job.tokens, strict=True)),
                prompt_tokens=job.prompt.length + sum(map(len, job.tokens)),
                completion_tokens=0,
            )
        )

    def _normalised(self, log_likelihood: float, text: str, tokens: Sequence[int]) -> float:
        length = {"bytes": len(text.encode()), "tokens": len(tokens), "none": 1}[self._normalise]
        return log_likelihood / length

    def _log_likelihoods(self, job: ScoreJob, unwanted: Callable[[], bool]) -> list[float]:
        """Return that of each option; of fewer when they are not wanted any more."""
        every = [job.tokens[start : start + self._rows] for start in range(0, len(job.tokens), self._rows)]
        parts = itertools.takewhile(lambda part: not unwanted(), every)
        if self._loaded.processor is None:
            inputs = stacked([job.prompt], self._loaded)
            read = self._loaded.model(**inputs, use_cache=True, **self._last_logits(1))
            first, cache = read.logits[0, -1].float().log_softmax(-1), read.get(self._cache_name)
            if _can_be_shared(cache):
                kept = [cache, *(copy.deepcopy(cache) for _ in every[1:])]
                return [
                    value for part in parts for value in self._after_prompt(first, kept.pop(), job.prompt.length, part)
                ]
        return [value for part in parts for value in self._with_prompt(job.prompt, part)]

    def _after_prompt(self, first: Any, cache: Any, length: int, options: Sequence[Sequence[int]]) -> list[float]:
        """Return the log-likelihoods of ``options`` after a prompt that was read.

        Args:
            first: Log-probabilities of what comes right after the prompt, shape (vocabulary,).
            cache: Keys and values of the prompt, one row; used up.
            length: Of the prompt, in tokens.
            options: Tokens of each.
        """
        import torch

        beginnings = first[[option[0] for option in options]].tolist()
        longest = max(map(len, options)) - 1
        if longest == 0:
            return [float(value) for value in beginnings]
        ids, mask = self._padded([option[:-1] for option in options], longest)  # (N, longest)
        cache.batch_repeat_interleave(len(options))
        places = torch.arange(length, length + longest, device=ids.device).expand(len(options), -1)
        logits = self._loaded.model(
            input_ids=ids,
            attention_mask=torch.cat([mask.new_ones(len(options), length), mask], dim=1),
            position_ids=places,
            use_cache=True,
            **{self._cache_name: cache},
        ).logits
        return [
            float(beginning) + _sum_of(row[: len(option) - 1], option[1:])
            for beginning, row, option in zip(beginnings, logits, options, strict=True)
        ]

    def _with_prompt(self, prompt: EncodedPrompt, options: Sequence[Sequence[int]]) -> list[float]:
        """Return the log-likelihoods of ``options``, each read with the prompt before it."""
        inputs = stacked([_continued(prompt, option[:-1]) for option in options], self._loaded)
        if self._loaded.processor is None:
            # Models that see count positions by themselves, in several dimensions.
            inputs["position_ids"] = (inputs["attention_mask"].cumsum(-1) - 1).clamp(min=0)
        keep = self._last_logits(max(map(len, options)))
        logits = self._loaded.model(**inputs, use_cache=False, **keep).logits
        # Padded on the left: every row ends with its option, and a token is told by the place before it.
        return [_sum_of(row[-len(option) :], option) for row, option in zip(logits, options, strict=True)]

    def _padded(self, rows: Sequence[Sequence[int]], width: int) -> tuple[Any, Any]:
        """Return tokens and mask of ``rows``, padded on the right, both of shape (rows, width)."""
        import torch

        ids = torch.full((len(rows), width), self._loaded.pad)
        mask = torch.zeros((len(rows), width), dtype=torch.long)
        for number, row in enumerate(rows):
            ids[number, : len(row)] = torch.tensor(row, dtype=torch.long)
            mask[number, : len(row)] = 1
        return ids.to(self._loaded.device), mask.to(self._loaded.device)

    def _last_logits(self, count: int) -> dict[str, int]:
        # A row of logits is as long as the vocabulary: those of a whole prompt can need more memory than the model.
        return {"logits_to_keep": count} if "logits_to_keep" in self._takes else {}


def _can_be_shared(cache: Any) -> bool:
    """Return whether a cache holds nothing but keys and values, so that its row can be repeated and goes on."""
    from transformers.cache_utils import DynamicCache, DynamicLayer, DynamicSlidingWindowLayer

    plain = (DynamicLayer, DynamicSlidingWindowLayer)
    return isinstance(cache, DynamicCache) and all(type(layer) in plain for layer in cache.layers)


def _continued(prompt: EncodedPrompt, tokens: Sequence[int]) -> EncodedPrompt:
    """Return ``prompt`` with ``tokens`` of text after it."""
    import torch

    sequences = {}
    for name, value in prompt.sequences.items():
        fill = {"input_ids": list(tokens), "attention_mask": [1] * len(tokens)}.get(name, [0] * len(tokens))
        sequences[name] = torch.cat([value, torch.tensor([fill], dtype=value.dtype)], dim=1)
    return EncodedPrompt(sequences, prompt.pictures, prompt.length + len(tokens))


def _sum_of(logits: Any, tokens: Sequence[int]) -> float:
    """Return the sum of the log-probabilities of ``tokens`` by ``logits``, shape (len(tokens), vocabulary)."""
    import torch

    chosen = torch.tensor(tokens, device=logits.device).unsqueeze(-1)
    return float(logits.float().log_softmax(-1).gather(-1, chosen).sum())
