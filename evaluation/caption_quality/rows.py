"""Rows of the report of caption quality: descriptions, scores, questions and answers."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from evaluation.caption_quality.hallucination import PopeSetting
from lifeloom.records import Part, Record
from lifeloom.records.base import Identifier

__all__ = ["CaptionQuality", "ChairRow", "DescribedPicture", "MmhalAnswer", "PopeRow", "ShownSet"]

ShownSet = Literal["query pictures", "DOCCI"]


class DescribedPicture(Record):
    """A captioner's description of a picture, given without any context."""

    KIND: ClassVar[str] = "described_picture"

    picture_id: Identifier
    shown: ShownSet
    policy: Identifier
    text: str
    failure: str = ""


class ChairRow(Part):
    """CHAIR of one captioner, all 0..1."""

    chair_s: float
    low: float
    high: float
    """95 % interval of ``chair_s``, bootstrap over pictures."""
    chair_i: float
    coverage: float
    """Share of the objects that are there that descriptions name."""


class CaptionQuality(Record):
    """What one captioner's descriptions of one set are worth."""

    KIND: ClassVar[str] = "caption_quality"

    release_id: str
    shown: ShownSet
    policy: Identifier
    pictures: int = Field(ge=0)
    missing: int = Field(ge=0)
    """Without a description; they have no part in the scores."""
    bleu: float
    """0..100."""
    rouge_l: float
    meteor: float
    meteor_kind: str
    scene_graph: float
    """Not SPICE."""
    bert_score: float
    encoder: str
    chair: ChairRow | None = None
    """None: nobody knows all that the pictures show."""


class PopeRow(Record):
    """A question whether a thing is in a picture, and what the reader said."""

    KIND: ClassVar[str] = "pope_row"

    picture_id: Identifier
    setting: PopeSetting
    thing: str
    there: bool
    answer: Literal["yes", "no", ""]
    """Empty: neither."""
    failure: str = ""


class MmhalAnswer(Record):
    """A captioner's answer to a question of MMHal-Bench, and its rating."""

    KIND: ClassVar[str] = "mmhal_answer"

    question_id: Identifier
    policy: Identifier
    question_type: str
    question: str
    answer: str
    rating: int | None = Field(default=None, ge=0, le=6)
    failure: str = ""
    """Why there is no answer or no rating."""
