"""Personalised captioning: query pictures, contexts, captions, CapEval-QAs (CoViP Section 3.2, Appendix B)."""

from __future__ import annotations

from typing import ClassVar, Literal, get_args

from pydantic import Field, model_validator

from lifeloom.records.base import Identifier, Part, Record
from lifeloom.records.conversation import PictureReference
from lifeloom.records.provenance import Provenance
from lifeloom.records.seeds import Split

__all__ = [
    "CANNOT_BE_DETERMINED",
    "DIALOGUE_FACTS",
    "PROBE_LETTERS",
    "Caption",
    "CaptionSample",
    "CaptionScore",
    "ContextEntry",
    "DialogueFactKind",
    "DialogueTurn",
    "ProbeAnswer",
    "ProbeLetter",
    "ProbeQuestion",
    "SceneImage",
    "SceneVerdict",
]

ProbeLetter = Literal["A", "B", "C", "D"]
PROBE_LETTERS: tuple[ProbeLetter, ...] = get_args(ProbeLetter)

CANNOT_BE_DETERMINED = "The answer cannot be determined"
"""Option D of every question, as the public release words it."""


DialogueFactKind = Literal["place", "time", "event", "companion", "object"]
DIALOGUE_FACTS: tuple[DialogueFactKind, ...] = get_args(DialogueFactKind)
"""What a statement of a dialogue can be about (C3)."""


class SceneImage(Record):
    """A query picture as it was drawn."""

    KIND: ClassVar[str] = "scene_image"

    scene_id: Identifier
    split: Split
    image_ids: tuple[Identifier, ...] = Field(min_length=1, max_length=4)
    """Pictures of the library whose concepts it is to show."""
    picture: PictureReference
    made_by: Provenance


class SceneVerdict(Record):
    """What the critic says of a query picture (C2, Table S.6)."""

    KIND: ClassVar[str] = "scene_verdict"

    scene_id: Identifier
    image_ids: tuple[Identifier, ...]
    adheres: bool
    """Whether it shows what it was asked for."""
    visible: tuple[bool, ...]
    """Of each concept, in the order of ``image_ids``: whether it is to be seen."""
    problems: tuple[str, ...] = ()
    kept: bool
    made_by: Provenance


class DialogueTurn(Part):
    """One exchange about a picture."""

    user: str = Field(min_length=1)
    assistant: str = Field(min_length=1)


class ContextEntry(Part):
    """A picture of the context with the dialogue about it, and whether its concept is in the query picture."""

    image_id: Identifier
    identity: Identifier
    picture: PictureReference
    dialogue_id: Identifier
    """``<sample>-c<index>``."""
    turns: tuple[DialogueTurn, ...] = Field(min_length=1)
    positive: bool
    """The truth; never shown to a policy."""


class CaptionSample(Record):
    """A query picture with its interleaved context (C4)."""

    KIND: ClassVar[str] = "caption_sample"

    sample_id: Identifier
    """That of its scene: ``<partition>-s<number>``."""
    release_id: str
    """Partition: date of a release or shard of the corpus."""
    split: Split
    query: PictureReference
    entries: tuple[ContextEntry, ...] = Field(min_length=1)
    """Positives and negatives, shuffled."""
    made_by: Provenance
    """Who worded the dialogues."""

    @property
    def positives(self) -> tuple[int, ...]:
        """Indices of the entries whose concepts are in the query picture."""
        return tuple(index for index, one in enumerate(self.entries) if one.positive)

    @property
    def concepts(self) -> int:
        """Number of concepts in the query picture: the column of the paper's tables."""
        return len(self.positives)


class ProbeQuestion(Record):
    """One question of CapEval-QAs about one dialogue (C5)."""

    KIND: ClassVar[str] = "probe_question"

    question_id: Identifier
    """``<dialogue>-q<number>``, numbers from 0."""
    sample_id: Identifier
    dialogue_id: Identifier
    entry: int = Field(ge=0)
    """Index of the dialogue in its context."""
    positive: bool
    concepts: int = Field(ge=1, le=4)
    """Of the sample."""
    fact: Literal["place", "time", "event", "companion", "object", ""]
    """What is asked for; empty where it was imported."""
    question: str = Field(min_length=1)
    options: tuple[str, ...] = Field(min_length=4, max_length=4)
    """A to D; D is ``CANNOT_BE_DETERMINED``."""
    answer: ProbeLetter
    """The right option among A to C, as the dialogue has it. Of a negative the right choice is D."""
    made_by: Provenance

    @model_validator(mode="after")
    def _sound(self) -> ProbeQuestion:
        if self.answer == "D" or self.options[3] != CANNOT_BE_DETERMINED:
            raise ValueError(f"D must say {CANNOT_BE_DETERMINED!r}, and the answer must be A, B or C")
        return self

    @property
    def right(self) -> ProbeLetter:
        """What a judge that sees only a good caption must choose."""
        return self.answer if self.positive else "D"


class Caption(Record):
    """A policy's caption of a query picture."""

    KIND: ClassVar[str] = "caption"

    sample_id: Identifier
    policy: Identifier
    fingerprint: str
    text: str
    """Empty when there is none."""
    recognised: tuple[int, ...] | None = None
    """Entries that the policy took for the query's concepts; None: it did not say."""
    prompt_tokens: int = Field(ge=0)
    completion_tokens: int = Field(ge=0)
    cut: bool = False
    """It reached the limit of tokens and was cut: too long for the degeneration filter."""
    failure: str = ""
    """Why there is no caption; empty: there is one."""
    made_by: Provenance


class ProbeAnswer(Record):
    """What the judge chose from a caption alone."""

    KIND: ClassVar[str] = "probe_answer"

    question_id: Identifier
    policy: Identifier
    fingerprint: str
    """Of policy and judge."""
    letter: Literal["A", "B", "C", "D", ""]
    """Empty: unreadable, or there was no caption."""
    correct: bool
    failure: str = ""
    """``unreadable``, ``no_caption`` or why the judge did not answer."""
    made_by: Provenance


class CaptionScore(Record):
    """CapEval-QAs of one policy by number of concepts (CoViP Table 2, Eqs. S.1 and S.2)."""

    KIND: ClassVar[str] = "caption_score"

    release_id: str
    policy: Identifier
    fingerprint: str
    judge: str
    """``backend/model``."""
    concepts: int = Field(ge=0, le=4)
    """In the query picture; 0: over all."""
    samples: int = Field(ge=0)
    positive_questions: int = Field(ge=0)
    negative_questions: int = Field(ge=0)
    positive: float
    """Acc+, 0..1, pooled over questions."""
    positive_low: float
    positive_high: float
    """95 % interval, bootstrap over samples."""
    negative: float
    """Acc-."""
    negative_low: float
    negative_high: float
    positive_mean: float
    """Mean of Acc+ over samples, as in Algorithm 1."""
    negative_mean: float
    recognition: float | None = None
    """Mean F1 of the entries that the policy took for the query's concepts (Eq. 5); None: it does not say."""
    recognition_low: float | None = None
    recognition_high: float | None = None
    tokens: float
    """Mean length of a caption by the captioner's own count."""
    words: float
    degenerate: float
    """Share of captions that the degeneration filter refuses."""
    missing: int = Field(ge=0)
    """Samples without a caption; all their questions are wrong."""
    unreadable: int = Field(ge=0)
    """Answers of the judge without one readable box; wrong."""
    backend: str
    model: str
    code_revision: str
    seed: int
