"""Benchmark cases, predictions and scores."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar, Literal

from pydantic import Field

from lifeloom.records.base import Identifier, Part, Record, UtcTime
from lifeloom.records.plan import Setting
from lifeloom.records.provenance import Provenance

__all__ = [
    "ASPECT_OF",
    "LETTERS",
    "AlignmentPair",
    "Aspect",
    "BenchmarkCase",
    "Letter",
    "Option",
    "Prediction",
    "Question",
    "Score",
    "TaskName",
]

Letter = Literal["a", "b", "c", "d"]
LETTERS: tuple[Letter, ...] = ("a", "b", "c", "d")

TaskName = Literal["VDR", "SIR", "EII", "IIR", "LPR", "IEA", "IPR", "BPR", "LGT", "RR", "RDC", "TED", "GNS", "PA"]
"""Persona-MME's fourteen tasks (PersonaVLM Tables 4 and 5), in the paper's order. PA rides on cases of the others."""

Aspect = Literal["Memory", "Intent", "Preference", "Behavior", "Relationship", "Growth", "Alignment"]

ASPECT_OF: Mapping[TaskName, Aspect] = MappingProxyType(
    {
        "VDR": "Memory",
        "SIR": "Memory",
        "EII": "Intent",
        "IIR": "Intent",
        "LPR": "Preference",
        "IEA": "Preference",
        "IPR": "Preference",
        "BPR": "Behavior",
        "LGT": "Behavior",
        "RR": "Relationship",
        "RDC": "Relationship",
        "TED": "Growth",
        "GNS": "Growth",
        "PA": "Alignment",
    }
)
"""The aspect that a task belongs to (PersonaVLM Tables 4 and 5), in the paper's order."""

Question = Literal["choice", "alignment_chosen", "alignment_rejected"]
"""What is asked of a case: the options, or whether a response suits the user. The alignment pair is
asked twice (chosen: yes is right; rejected: no is right)."""


class Option(Part):
    """One of the four options."""

    letter: Letter
    text: str = Field(min_length=1)
    source: str
    """Where it comes from, for the audit and the reports only, never shown to a policy: ``right``,
    ``outdated``, ``someone_else``, ``given_up``, ``corrected``, ``other_order``, ``other_relation``,
    ``other_picture`` (true of another picture of the same history), ``never_shown`` (a number that no picture of
    the history shows: all four are always offered)."""


class AlignmentPair(Part):
    """Two responses to the query: one suits the user's personality, one does not."""

    chosen: str = Field(min_length=1)
    rejected: str = Field(min_length=1)
    made_by: Provenance


class BenchmarkCase(Record):
    """One in-situ case of Persona-MME: a question asked at a moment of the history."""

    KIND: ClassVar[str] = "benchmark_case"
    FORMAT_VERSION: ClassVar[int] = 2

    case_id: Identifier
    release_id: Identifier
    persona_id: Identifier
    setting: Setting
    task: TaskName
    aspect: Aspect
    asked_at: UtcTime
    offset_minutes: int
    history_turns: int = Field(ge=1)
    """The history of the case is turns 0 .. history_turns - 1 of the persona."""
    query: str = Field(min_length=1)
    options: tuple[Option, ...] = Field(min_length=4, max_length=4)
    answer: Letter
    alignment: AlignmentPair | None = None
    evidence_turns: tuple[int, ...]
    """Turns from which the right answer follows."""
    picture_turns: tuple[int, ...] = ()
    """Those of them whose pictures must be seen; empty where the words suffice."""
    attribute: Identifier
    stem_id: Identifier
    """Which question stem worded it."""

    @property
    def needs_pictures(self) -> bool:
        """Whether the right answer cannot be had from the words alone."""
        return bool(self.picture_turns)


class Prediction(Record):
    """What a policy answered to one question of one case."""

    KIND: ClassVar[str] = "prediction"
    FORMAT_VERSION: ClassVar[int] = 2

    case_id: Identifier
    release_id: Identifier
    policy: Identifier
    policy_fingerprint: str
    question: Question
    answer: str
    """A letter for ``choice``; ``yes`` or ``no`` for alignment; empty when there is none."""
    option_scores: tuple[float, ...] = ()
    """One a option in letter order, rounded to 4 decimals; empty where the model gives none."""
    correct: bool
    failure: str = ""
    """Why there is no answer, for example ``wrong_schema``. A missing answer is wrong, counted apart."""
    prompt_tokens: int = Field(ge=0)
    completion_tokens: int = Field(ge=0)
    made_by: Provenance
    """The model that answered, or that failed to."""


class Score(Record):
    """One accuracy of one policy: over a task, an aspect, a setting, or all of them."""

    KIND: ClassVar[str] = "score"

    benchmark: str
    benchmark_version: str
    release_id: Identifier
    policy: Identifier
    policy_fingerprint: str
    backend: str
    model: str
    setting: str
    """``32k``, ``128k`` or ``all``."""
    aspect: str
    """An aspect or ``all``."""
    task: str
    """A task or ``all``."""
    metric: str = "accuracy"
    higher_is_better: bool = True
    value: float
    """Micro accuracy, 0..1, over questions (PA counts each pair twice)."""
    interval_low: float
    interval_high: float
    """Bootstrap 95 % interval over cases."""
    questions: int = Field(ge=0)
    correct: int = Field(ge=0)
    missing: int = Field(ge=0)
    chance: float
    prompt_tokens_per_case: float
    completion_tokens_per_case: float
    code_revision: str
    seed: int
