"""Life-Bench: questions about a Vaccount, answers and scores (Life-Bench Section 3.1.1, Tables 2 and 7)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar, Literal, get_args

from pydantic import Field

from lifeloom.records.base import Identifier, Part, Record
from lifeloom.records.benchmark import Letter
from lifeloom.records.conversation import PictureReference
from lifeloom.records.provenance import Provenance

__all__ = [
    "ANSWER_TYPE_OF",
    "DIFFICULTIES",
    "LIFE_TASKS",
    "PAPER_COUNTS",
    "RECALL_TASKS",
    "AnswerType",
    "Difficulty",
    "LifeOption",
    "LifePrediction",
    "LifeQuestion",
    "LifeScore",
    "LifeTask",
]

LifeTask = Literal[
    "text_concept_qa",
    "visual_concept_recognition",
    "concept_vqa",
    "scene_and_activity",
    "direct_person_centric",
    "relational_person_centric",
    "fine_grained_scene",
    "preference_and_persona",
    "relational_temporal_reasoning",
    "frequency_and_counting",
]
LIFE_TASKS: tuple[LifeTask, ...] = get_args(LifeTask)
"""The ten tasks, in the order of the paper's Tables 3 and 4."""

AnswerType = Literal["multiple_choice", "binary", "open_generation"]
Difficulty = Literal["easy", "medium", "hard"]
DIFFICULTIES: tuple[Difficulty, ...] = get_args(Difficulty)

ANSWER_TYPE_OF: Mapping[LifeTask, AnswerType] = MappingProxyType(
    {
        "text_concept_qa": "multiple_choice",
        "visual_concept_recognition": "binary",
        "concept_vqa": "multiple_choice",
        **dict.fromkeys(LIFE_TASKS[3:], "open_generation"),
    }
)

PAPER_COUNTS: Mapping[tuple[LifeTask, Difficulty], int] = MappingProxyType(
    {
        ("text_concept_qa", "easy"): 188,
        ("text_concept_qa", "medium"): 195,
        ("visual_concept_recognition", "easy"): 1214,
        ("visual_concept_recognition", "medium"): 2210,
        ("concept_vqa", "easy"): 1193,
        ("concept_vqa", "medium"): 2136,
        ("scene_and_activity", "medium"): 2265,
        ("direct_person_centric", "medium"): 2245,
        ("relational_person_centric", "medium"): 1812,
        ("fine_grained_scene", "medium"): 1982,
        ("preference_and_persona", "medium"): 294,
        ("frequency_and_counting", "hard"): 294,
        ("relational_temporal_reasoning", "hard"): 287,
    }
)
"""Questions by task and difficulty over the paper's ten Vaccounts (Table 7): 16,315 in all."""

RECALL_TASKS: tuple[LifeTask, ...] = LIFE_TASKS[3:]
"""The seven tasks on which the release measures the recall of events."""


class LifeOption(Part):
    """An option of a multiple-choice question."""

    letter: Letter
    text: str = Field(min_length=1)
    source: str
    """Where it comes from, for audit and reports only: ``right``, ``another_concept``, ``another_event``,
    ``not_in_image``, ``catalogue``; empty where it was imported."""


class LifeQuestion(Record):
    """One question about a Vaccount, with its right answer."""

    KIND: ClassVar[str] = "life_question"

    question_id: Identifier
    release_id: Identifier
    vaccount_id: Identifier
    task: LifeTask
    difficulty: Difficulty
    template: str
    """Id of the template; empty where it was imported."""
    question: str = Field(min_length=1)
    """Without its options."""
    options: tuple[LifeOption, ...] = ()
    """Multiple choice only: four, letters in order."""
    answer: str = Field(min_length=1)
    """A letter, ``yes`` or ``no``, or a text that an answer is held against."""
    answer_type: AnswerType
    picture_id: str = ""
    picture: PictureReference | None = None
    """The question's own picture, in nobody's history."""
    has_picture: bool = False
    """Whether the question shows one; with ``picture`` None it is not at hand."""
    event_ids: tuple[Identifier, ...] = ()
    """Events that the answer follows from; what recall is measured against. Empty: from no event alone."""
    reference_ids: tuple[str, ...] = ()
    """Events and concepts that it follows from, as the public release gives them."""
    made_by: Provenance


class LifePrediction(Record):
    """What a policy answered to one question."""

    KIND: ClassVar[str] = "life_prediction"

    question_id: Identifier
    release_id: Identifier
    policy: Identifier
    policy_fingerprint: str
    answer: str
    """As given; empty: none."""
    correct: bool
    reason: str = ""
    """What the judge, or the rule of the answer type, said."""
    failure: str = ""
    """Why there is no answer, or none that could be read."""
    retrieved_ids: tuple[str, ...] = ()
    """Pictures, events and concepts that were looked up, best first."""
    rounds: int = Field(default=0, ge=0)
    """Search rounds of a graph retriever; 0 for others."""
    prompt_tokens: int = Field(ge=0)
    completion_tokens: int = Field(ge=0)
    made_by: Provenance
    judged_by: Provenance


class LifeScore(Record):
    """Accuracy of one policy on one task and difficulty, or over everything."""

    KIND: ClassVar[str] = "life_score"

    benchmark: str
    benchmark_version: str
    policy: Identifier
    policy_fingerprint: str
    task: str
    """A task; ``all``: over everything."""
    difficulty: str
    """A difficulty; ``all``: over all of the task."""
    value: float
    """Accuracy, 0..1; for ``all`` the macro average over tasks, as the release counts it."""
    low: float
    high: float
    """95 % interval, bootstrap over questions within Vaccounts."""
    questions: int = Field(ge=0)
    correct: int = Field(ge=0)
    missing: int = Field(ge=0)
    """Without a readable answer; counted as wrong."""
    recall_3: float | None = None
    recall_5: float | None = None
    """Share of the right answer's events among the first 3, 5 events looked up; None where it is not measured."""
    mean_rounds: float | None = None
    """Average effective depth of a graph retriever (Table 5)."""
    prompt_tokens: float
    completion_tokens: float
    """A question."""
    higher_is_better: bool = True
    code_revision: str
    seed: int
    backend: str
    model: str
