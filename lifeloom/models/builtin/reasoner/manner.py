"""Does the manner of a response suit the user? Told by the personality in the prompt, else by the user's own words."""

from __future__ import annotations

import math
import re
from typing import Final

from lifeloom.models.builtin.reader.alignment import TRAITS, manner, score_alignment
from lifeloom.models.builtin.reasoner.reading import Conversation
from lifeloom.tasks.alignment_judgement import AlignmentJudgementInput
from lifeloom.tasks.response_step import ResponseStepInput

__all__ = ["personality_of", "suits"]

_SCORE: Final = re.compile(rf"\b({'|'.join(TRAITS)})\W{{0,3}}(\d(?:\.\d+)?)", re.IGNORECASE)
_MIDDLE: Final = 3.0
_SHARP: Final = 1.5
"""A point away from the middle counts as plainly high or low."""


def personality_of(text: str) -> dict[str, float]:
    """Return the scores that a personality in words names, each 1..5, by trait; those it does not name are missing."""
    scores = {match[1].lower(): float(match[2]) for match in _SCORE.finditer(text)}
    return {trait: score for trait, score in scores.items() if 1.0 <= score <= 5.0}


def suits(step: ResponseStepInput, heard: Conversation) -> tuple[float, str]:
    """Return the log-odds that the response suits the user, and what they are told by.

    Args:
        step: with a response.
        heard: what the user was heard to say; it tells where no personality is given.
    """
    known = personality_of(step.personality)
    shown = dict(zip(TRAITS, manner([step.response], response=True).vector(), strict=True))
    parts = {
        trait: math.tanh(_SHARP * (score - _MIDDLE)) * math.tanh(2 * shown[trait]) for trait, score in known.items()
    }
    total = 4.0 * sum(parts.values())
    if known:
        told_by = max(parts, key=lambda trait: abs(parts[trait]))
        return total, f"{told_by} tells most" if parts[told_by] else "the response shows no manner of its own"
    spoken = AlignmentJudgementInput(
        context=heard.messages, asked_at=step.now, query=step.query, response=step.response
    )
    return score_alignment(spoken), "no personality is given, so the user's own words tell"
