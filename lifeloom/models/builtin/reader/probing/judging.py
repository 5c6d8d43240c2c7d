"""The judge: the option for which the caption has evidence about what is asked, or D."""

from __future__ import annotations

import functools
from collections.abc import Callable

from lifeloom.models.builtin.reader.probing.matching import Value, read_value, said_in
from lifeloom.models.builtin.reader.probing.passages import names_in, passages_about
from lifeloom.models.protocol import TextEncoder
from lifeloom.tasks.probe_judgement import ProbeJudgementInput

__all__ = ["judge_probe"]

_LETTERS = "ABC"
_ALL = 0.999
_PART = 0.5
"""Share of an option's words from which on a paraphrase of it is thought of."""
_ALIKE = 0.55
"""Cosine of an option and a passage from which on a part of its words is enough."""
_LEAD = 0.08
"""By how much the other options must be less alike."""


def judge_probe(asked: ProbeJudgementInput, encoder: Callable[[], TextEncoder]) -> str:
    r"""Return ``Answer: \boxed{X}`` with one sentence before it.

    An option counts where a part of the caption that speaks of what the question names says it and does not deny it.
    Where none is said in full, one whose words are there in part may be a paraphrase, which the text encoder decides.
    """
    options = asked.options[:3]
    passages = passages_about(asked.caption, names_in(asked.question), options)
    if not passages:
        return _boxed("D", "The caption says nothing of what is asked about.")
    values = [_value(one) for one in options]
    said = [max((said_in(one.text, value).strength for one in passages), default=0.0) for value in values]
    full = [number for number, strength in enumerate(said) if strength >= _ALL]
    if len(full) == 1:
        return _boxed(_LETTERS[full[0]], f"The caption says: {options[full[0]]}.")
    if full:
        return _boxed("D", "The caption says more than one of the options.")
    partly = [number for number, strength in enumerate(said) if strength >= _PART and _is_free(values[number])]
    if len(partly) == 1 and _paraphrased(options, partly[0], [one.text for one in passages], encoder()):
        return _boxed(_LETTERS[partly[0]], f"The caption seems to say: {options[partly[0]]}.")
    return _boxed("D", "The caption says none of the options.")


@functools.lru_cache(maxsize=65_536)
def _value(option: str) -> Value:
    return read_value(option)


def _is_free(value: Value) -> bool:
    """Return whether a value may be paraphrased: days and numbers may not."""
    return value.day is None and not value.number and len(value.stems) > 1


def _paraphrased(options: tuple[str, ...], number: int, passages: list[str], encoder: TextEncoder) -> bool:
    vectors = encoder.encode([*options, *passages])
    alike = (vectors[: len(options)] @ vectors[len(options) :].T).max(axis=1)
    others = max((float(one) for at, one in enumerate(alike) if at != number), default=-1.0)
    return bool(alike[number] >= _ALIKE and alike[number] - others >= _LEAD)


def _boxed(letter: str, why: str) -> str:
    return f"{why}\nAnswer: \\boxed{{{letter}}}"
