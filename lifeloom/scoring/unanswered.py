"""What leaves one question without an answer and concerns no other: it is counted, and the run goes on."""

from __future__ import annotations

from lifeloom.models.protocol import GenerationRejected
from lifeloom.store import MediaCorrupt, MediaMissing
from lifeloom.store.pictures import PictureRejected

__all__ = ["UNANSWERED", "failure_of"]

UNANSWERED = (GenerationRejected, MediaMissing, MediaCorrupt, PictureRejected)
"""A model that gave no valid answer; a picture that is gone, was changed, or cannot be read."""


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
