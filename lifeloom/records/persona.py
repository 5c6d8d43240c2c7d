"""Personas: the simulated users."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from lifeloom.records.base import Identifier, Part, Record
from lifeloom.records.provenance import Provenance
from lifeloom.records.seeds import Split

__all__ = ["TRAITS", "Acquaintance", "BigFiveProfile", "CoreMemory", "Edition", "Persona"]

TRAITS = ("openness", "conscientiousness", "extraversion", "agreeableness", "neuroticism")

Edition = Literal["corpus", "release"]
"""Training corpus or benchmark release. A third of all wordings appears in releases only."""


class BigFiveProfile(Part):
    """Big Five scores, each 1 (low) to 5 (high), 3 neutral (PersonaVLM Section 3.1)."""

    openness: float = Field(ge=1, le=5)
    conscientiousness: float = Field(ge=1, le=5)
    extraversion: float = Field(ge=1, le=5)
    agreeableness: float = Field(ge=1, le=5)
    neuroticism: float = Field(ge=1, le=5)

    def vector(self) -> tuple[float, ...]:
        """Return the five scores in the order of ``TRAITS``."""
        return tuple(getattr(self, trait) for trait in TRAITS)


class CoreMemory(Part):
    """Human block (name mandatory) and persona block (PersonaVLM Appendix A.1)."""

    name: str = Field(min_length=1)
    human: tuple[str, ...] = ()
    """Factual attributes, a sentence each."""
    persona: tuple[str, ...] = ()
    """Identity, roles and wishes for the assistant's manner, a sentence each."""


class Acquaintance(Part):
    """A person in the user's life."""

    person_id: Identifier
    name: str
    relation: str
    """What they are to the user: ``sister``, ``neighbour``."""


class Persona(Record):
    """A simulated user: a base persona enriched with traits, people and core memory (P1)."""

    KIND: ClassVar[str] = "persona"

    persona_id: Identifier
    seed_id: Identifier
    cluster_id: Identifier
    split: Split
    edition: Edition
    seed_text: str
    name: str
    offset_minutes: int = Field(ge=-12 * 60, le=14 * 60)
    """The user's zone, minutes east of UTC."""
    big_five: BigFiveProfile
    circle: tuple[Acquaintance, ...]
    role_description: str
    core_memory: CoreMemory
    made_by: Provenance
