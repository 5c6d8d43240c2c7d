"""What building a graph takes and what it tells: sizes of bins, reports of bins, the graph with its rejections."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Literal

from pydantic import Field

from lifeloom.lifegraph.graph import LifeGraph
from lifeloom.records import Part, Rejection, RejectionCount

__all__ = ["BinReport", "BuiltGraph", "GraphSettings", "Repair", "Step"]

Step = Literal["social", "events"]


@dataclass(frozen=True)
class GraphSettings:
    """How much a prompt holds, and how much a model may answer."""

    bin_tokens: int = 6000
    """Tokens of the first turn's prompt, pictures counted: what a model can reason about well, not what fits."""
    bin_pictures: int = 16
    """Pictures of a prompt, portraits included."""
    known_names: int = 60
    """Names of places, activities and things found before that a prompt repeats: the latest ones."""
    most_candidates: int = 400
    """Of one answer; more are rejected."""
    most_triples: int = 2000
    """Of one answer; more are rejected."""

    def __post_init__(self) -> None:
        """Refuse settings with which nothing could be built."""
        for name, value in asdict(self).items():
            if value < (0 if name == "known_names" else 1):
                raise ValueError(f"{name} = {value}: give a positive number")


class Repair(Part):
    """Something that the model forgot and that the life itself says."""

    kind: Literal["person_added", "date_added"]
    item: str
    """Id of the concept or event."""


class BinReport(Part):
    """What building did with one bin."""

    number: int = Field(ge=0)
    """From 0; the scaffold first."""
    step: Step
    sources: tuple[str, ...]
    """Concepts or pictures that were shown."""
    events: tuple[str, ...] = ()
    candidates: int = 0
    candidates_taken: int = 0
    triples: int = 0
    triples_taken: int = 0
    values: int = 0
    """Values of attributes, and cited sources, of what was taken."""
    values_taken: int = 0
    rejected: tuple[RejectionCount, ...] = ()
    """How much was not taken, by kind and reason: exact."""
    samples: tuple[Rejection, ...] = ()
    """The first rejections of each reason."""
    repairs: tuple[Repair, ...] = ()
    failure: str = ""
    """Why the model's answer could not be read, with the turn; empty: both could."""
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True)
class BuiltGraph:
    """A graph with how it came about."""

    graph: LifeGraph
    bins: tuple[BinReport, ...]
    missing_events: tuple[Rejection, ...]
    """Events of the life that are not in the graph: the model did not find them, or its answer could not be read."""

    @property
    def rejections(self) -> tuple[Rejection, ...]:
        """What was not taken, of each bin the first ones of each reason."""
        return (*(one for report in self.bins for one in report.samples), *self.missing_events)

    @property
    def rejected(self) -> int:
        """How many candidates and triples were not taken."""
        stages = ("life_graphs/candidates", "life_graphs/triples")
        return sum(one.count for one in self.rejection_counts if one.stage in stages)

    @property
    def rejection_counts(self) -> tuple[RejectionCount, ...]:
        """How many candidates, triples, and values of attributes were not taken, by kind and reason: exact."""
        counts: Counter[tuple[str, str]] = Counter()
        for one in (one for report in self.bins for one in report.rejected):
            counts[one.stage, one.reason] += one.count
        counts.update(("life_graphs/events", one.reason) for one in self.missing_events)
        return tuple(
            RejectionCount(stage=stage, reason=reason, count=count) for (stage, reason), count in sorted(counts.items())
        )

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """What the life itself had to say because the model forgot it."""
        return tuple(one for report in self.bins for one in report.repairs)

    @property
    def prompt_tokens(self) -> int:
        """Of all calls."""
        return sum(report.prompt_tokens for report in self.bins)

    @property
    def completion_tokens(self) -> int:
        """Of all calls."""
        return sum(report.completion_tokens for report in self.bins)
