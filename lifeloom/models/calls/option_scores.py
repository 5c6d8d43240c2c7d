"""Scores of options, on their way from a reply to a caller and through the cache."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

from lifeloom.models.calls.wire import OptionReply, ShownOption, encodable
from lifeloom.models.protocol import RejectionReason
from lifeloom.tasks.base import TaskInput

__all__ = ["are_scores", "kept_scores", "objection", "shown_options"]


def are_scores(scores: Sequence[float]) -> bool:
    """Say whether there are scores, and all of them finite: only such can be compared, kept and returned."""
    return bool(scores) and all(map(math.isfinite, scores))


def kept_scores(text: str) -> tuple[float, ...]:
    """Return the scores of a cached answer; none where it holds what are none."""
    scores = tuple(float(score) for score in json.loads(text))
    return scores if are_scores(scores) else ()


def objection(reply: OptionReply) -> tuple[RejectionReason, str, str] | None:
    """Return why a reply is rejected: reason, what was said, detail; None where its scores are good."""
    if reply.refused:
        return "refusal", reply.said, ""
    if not reply.scores:
        return "wrong_schema", reply.said, "the answer begins with the letter of none of the options"
    if not are_scores(reply.scores):
        return "wrong_schema", repr(reply.scores), "the likelihood of an option is no finite number"
    return None


def shown_options(task_input: TaskInput, options: Sequence[str]) -> tuple[ShownOption, ...]:
    """Return ``options`` with the letters under which the prompt of a choice shows them; none where it does not.

    Args:
        task_input: What the prompt is about.
        options: Texts, without lone surrogates.
    """
    letters = {encodable(option.text): option.letter for option in getattr(task_input, "options", ())}
    if len(letters) < len(options) or any(option not in letters for option in options):
        return ()
    return tuple(ShownOption(letters[option], option) for option in options)
