"""What a lookup in a life graph is told and what it gives (Life-Bench Algorithm 2)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from lifeloom.lifegraph.trace import RetrievalTrace
from lifeloom.records import Concept, LifeImage
from lifeloom.tasks import GraphFact
from lifeloom.tasks.graph_search import MOST_SCORES

__all__ = ["Lookup", "RetrievalSettings", "Retrieved"]


@dataclass(frozen=True)
class RetrievalSettings:
    """Parameters of Algorithm 2; the defaults are the paper's d = 2, k = 3."""

    depth: int = 2
    """At most so many search rounds."""
    width: int = 3
    """Top entities, and facts that a round keeps."""
    references: bool = True
    """Whether source pictures and portraits may be fetched (Fig. 5: without)."""
    early_stop: bool = True
    """Whether the search ends as soon as the model says that it knows enough."""
    visited: Literal["edge", "node"] = "edge"
    """What no path visits twice. ``edge``: a fact between two entities that are on paths can still be found."""
    tools: bool = False
    """Whether events may be counted and put in order (beyond the paper)."""
    most_candidates: int = 32
    """Facts that a prune call scores; a hub's are ranked by their words first and cut to so many."""
    most_entities: int = 30
    """Entities from which the model chooses where to start."""
    most_references: int = 16
    """Sources that may be fetched: all pictures of an event, about seven, and the portraits of who was there."""

    def __post_init__(self) -> None:
        for name in ("depth", "width", "most_candidates", "most_entities", "most_references"):
            value = getattr(self, name)
            if not isinstance(value, int) or value < 1:
                raise ValueError(f"{name} must be a whole number from 1 on, not {value!r}")
        if self.most_candidates > MOST_SCORES:
            raise ValueError(f"most_candidates is {self.most_candidates}; a model scores {MOST_SCORES} facts at most")
        if self.visited not in ("edge", "node"):
            raise ValueError(f"visited is 'edge' or 'node', not {self.visited!r}")


@dataclass(frozen=True)
class Lookup:
    """What is looked for."""

    question: str
    options: tuple[str, ...] = ()
    recognised: tuple[str, ...] = ()
    """Ids of the concepts that are recognised in the question's picture."""
    has_picture: bool = False


@dataclass(frozen=True)
class Retrieved:
    """C_x of Algorithm 2: paths and references."""

    facts: tuple[GraphFact, ...]
    concepts: tuple[Concept, ...]
    images: tuple[LifeImage, ...]
    notes: tuple[str, ...]
    """What was counted or put in order, a sentence each."""
    retrieved_ids: tuple[str, ...]
    """Ids of concepts and pictures that were fetched or that the paths cite, best first."""
    rounds: int
    prompt_tokens: int
    completion_tokens: int
    trace: RetrievalTrace = field(repr=False)
