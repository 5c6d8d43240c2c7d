"""Rating an answer about an image by its words: what of it the standard answer and the contents support."""

from __future__ import annotations

from lifeloom.models.builtin.reader.text import content_stems
from lifeloom.tasks.mmhal_judgement import MmhalJudgementInput

__all__ = ["rate_answer"]

_SUPPORTED = 0.6
"""Share of an answer's content words that must be supported for it to count as free of hallucination."""
_INFORMATIVE, _SOMEWHAT = 0.6, 0.25
"""Shares of the standard answer's content words that an answer says."""


def rate_answer(asked: MmhalJudgementInput) -> str:
    """Return ``Rating: N``, 0 to 6, with a sentence before it.

    Words alone are compared, so a right answer in quite other words is rated too low: a judge to try things with.
    """
    said = set(content_stems(asked.answer))
    wanted = set(content_stems(asked.standard))
    known = (
        wanted | set(content_stems(asked.question)) | {one for text in asked.contents for one in content_stems(text)}
    )
    if not said:
        return "It says nothing.\nRating: 3"
    supported = len(said & known) / len(said)
    told = len(said & wanted) / len(wanted) if wanted else 0.0
    level = 2 if told >= _INFORMATIVE else 1 if told >= _SOMEWHAT else 0
    sound = supported >= _SUPPORTED
    rating = {2: 5, 1: 4, 0: 3}[level] if sound else level
    return f"{supported:.0%} of its words are supported, and it says {told:.0%} of the answer.\nRating: {rating}"
