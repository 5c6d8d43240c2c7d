"""Who made a record, what was left out and why, and what a person should look at."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from lifeloom.records.base import Identifier, Part, Record

__all__ = ["BY_CODE", "Provenance", "Rejection", "RejectionCount", "ReviewItem"]


class Provenance(Part):
    """What wrote a record: backend, model and prompt version."""

    backend: str
    """``builtin``, ``openai``, ...; ``code`` where no model was asked."""
    model: str
    """Model name with its version, as the backend reports it."""
    prompt_version: str
    """``name@version+digest`` of the generation task; empty where no model was asked."""


BY_CODE = Provenance(backend="code", model="", prompt_version="")
"""No model was asked."""


class Rejection(Record):
    """One item that a step left out. ``in = out + rejected`` holds for every step."""

    KIND: ClassVar[str] = "rejection"

    stage: str
    """The step that rejected it, for example ``seeds/yfcc_captions``."""
    item: str
    """What was rejected: an id, or ``line 17``. Free text, shortened to 200 characters."""
    reason: str
    """A short machine-readable reason, for example ``no_text`` or ``timestamps_not_ordered``."""
    detail: str = ""
    """What a person needs to understand it, at most 500 characters."""


class RejectionCount(Record):
    """How many items of a stage were left out for one reason: exact where single rejections are only sampled."""

    KIND: ClassVar[str] = "rejection_count"

    stage: str
    reason: str
    count: int = Field(ge=1)


class ReviewItem(Record):
    """One entry of the review queue: what, why and where; the answer is a person's."""

    KIND: ClassVar[str] = "review_item"

    item_id: Identifier
    what: str
    """The text in question."""
    why: str
    """The reason it was put in the queue."""
    where: str
    """Data set, id and turn, so that it can be found."""
    answer: Literal["", "accept", "reject"] = ""
    note: str = Field(default="", max_length=2000)
