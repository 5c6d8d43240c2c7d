"""Life graphs as a data set holds them: one SQLite file a life, by its content."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from lifeloom.records.base import Identifier, Record
from lifeloom.records.provenance import Provenance

__all__ = ["LifeGraphFileRow"]


class LifeGraphFileRow(Record):
    """The graph of one life."""

    KIND: ClassVar[str] = "life_graph_file"

    life_id: Identifier
    content_hash: str = Field(pattern=r"^[0-9a-f]{64}$")
    """SHA-256 of the SQLite file in the media store."""
    entities: int = Field(ge=0)
    facts: int = Field(ge=0)
    rejected: int = Field(ge=0)
    """Candidates and triples that broke the schema; how many for which reason is in the table ``rejection_counts``."""
    prompt_tokens: int = Field(ge=0)
    completion_tokens: int = Field(ge=0)
    made_by: Provenance
