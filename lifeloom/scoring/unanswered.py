"""What leaves one question without an answer and concerns no other: it is counted, and the run goes on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from lifeloom.models.protocol import GenerationRejected, ModelError
from lifeloom.store import MediaCorrupt, MediaMissing
from lifeloom.store.pictures import PictureRejected

__all__ = ["UNANSWERED", "NothingAnswered", "failure_of", "require_answers"]

UNANSWERED = (GenerationRejected, MediaMissing, MediaCorrupt, PictureRejected)
"""A model that gave no valid answer; a picture that is gone, was changed, or cannot be read."""


class NothingAnswered(ModelError):
    """Not one answer could be read: that says something of the set-up and nothing of a policy or of questions."""


def require_answers(who: str, failures: Sequence[str]) -> None:
    """See to it that somebody answered at all, so that a mistake in the set-up is never kept as a result.

    Args:
        who: a policy, or what a model was asked to do, for the message.
        failures: by question, why there is no answer; empty: there is one.

    Raises:
        NothingAnswered: something was asked and all of it failed.
    """
    if failures and all(failures):
        reasons = ", ".join(f"{reason} {count}" for reason, count in Counter(failures).most_common(5))
        raise NothingAnswered(
            f"{who}: no answer to {len(failures):,} questions could be read ({reasons}); nothing is kept. `lifeloom "
            "cache rejected` shows what the model said; mend its settings and run again"
        )


def failure_of(error: Exception) -> str:
    """Return the reason why there is no answer, for the prediction: ``bad_json``, ``picture_missing``, ...

    Args:
        error: one of ``UNANSWERED``.
    """
    if isinstance(error, GenerationRejected):
        return error.reason
    if isinstance(error, PictureRejected):
        return f"picture_{error.reason}"
    return "picture_missing" if isinstance(error, MediaMissing) else "picture_corrupt"
