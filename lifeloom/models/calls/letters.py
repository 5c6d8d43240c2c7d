"""Choices by the likelihood of the options' letters as the first token of an answer: the words and the sums."""

from __future__ import annotations

import math
import string
from collections.abc import Mapping, Sequence

from lifeloom.models.calls.wire import ShownOption
from lifeloom.models.protocol import CapabilityMissing

__all__ = ["letter_scores", "letters_of", "letters_prompt"]

_MOST_OPTIONS = 20  # alternatives that servers give for a token
_LEAST_LOGPROB = -9999.0  # servers mark "impossible" by this, or by minus infinity
# What tokenizers and habits put around a letter: spaces and their stand-ins, brackets, quotes, emphasis, full stops.
_AROUND = string.whitespace + "▁Ġ()[]{}<>\"'`*_.:,"


def letters_of(options: Sequence[str], shown: Sequence[ShownOption]) -> tuple[str, ...]:
    """Return the letters under which the model sees ``options``: those of the prompt, or a, b, c... in order.

    Raises:
        CapabilityMissing: there are more options than a server gives alternatives for a token.
    """
    if len(options) > _MOST_OPTIONS:
        raise CapabilityMissing(
            f"the likelihoods of {len(options)} options cannot be had at once from a server, which "
            f"tells {_MOST_OPTIONS} at most: ask about fewer"
        )
    return tuple(one.letter for one in shown) or tuple(string.ascii_lowercase[: len(options)])


def letters_prompt(prompt: str, options: Sequence[str], shown: Sequence[ShownOption]) -> str:
    """Return a prompt that asks for a letter alone.

    Where the prompt does not show the options, a list of them with letters follows it.

    Args:
        prompt: As rendered.
        options: Texts.
        shown: The options with their letters; empty where the prompt does not show them.

    Raises:
        CapabilityMissing: as ``letters_of``.
    """
    lines = [prompt.rstrip()]
    if not shown:
        lines += ["", *(f"({letter}) {text}" for letter, text in zip(letters_of(options, shown), options, strict=True))]
    lines += ["", "Answer with the letter of one option and nothing else."]
    return "\n".join(lines)


def letter_scores(alternatives: Sequence[tuple[str, float]], letters: Sequence[str]) -> tuple[float, ...]:
    """Return a score for each of ``letters``; none where no letter is among the ``alternatives``.

    A letter's score is the natural logarithm of the summed probability of the tokens that say it: ``b``, `` b``,
    ``B``, ``(b``, ``"b"``. Servers tell the likeliest tokens only; a letter that is not among them is less likely than
    all of them, and scores one below the lowest log-probability that was told.

    Args:
        alternatives: First tokens with their log-probabilities; minus infinity is taken as very little. Where one is
            NaN or plus infinity nothing can be made of them, and every score is NaN.
        letters: Lower case, in the order wanted.
    """
    if any(math.isnan(logprob) or logprob == math.inf for _, logprob in alternatives):
        return (math.nan,) * len(letters)
    told = [(token, max(logprob, _LEAST_LOGPROB)) for token, logprob in alternatives]
    found: dict[str, list[float]] = {}
    for token, logprob in told:
        letter = token.strip(_AROUND).lower()
        if letter in letters:
            found.setdefault(letter, []).append(logprob)
    if not found:
        return ()
    lowest = min(logprob for _, logprob in told)
    sums: Mapping[str, float] = {letter: _log_sum(logprobs) for letter, logprobs in found.items()}
    return tuple(sums.get(letter, lowest - 1.0) for letter in letters)


def _log_sum(logprobs: Sequence[float]) -> float:
    highest = max(logprobs)
    return highest + math.log(sum(math.exp(logprob - highest) for logprob in logprobs))
