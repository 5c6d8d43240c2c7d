"""How something was looked up in a life graph: who was considered, why kept, what was fetched, why it stopped."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

__all__ = ["CandidateTrace", "EntityTrace", "ReferenceTrace", "RetrievalTrace", "RoundTrace", "StopReason", "ToolTrace"]

StopReason = Literal["enough", "depth", "nothing_left", "no_start", "empty_graph", "counted"]
"""``counted``: the tools over events answered (beyond the paper)."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class EntityTrace(_Part):
    """An entity that was considered as a start."""

    entity_id: str
    name: str
    type: str
    nearness: float
    """To the question's words; 0: offered for another reason (somebody of the life)."""
    kept: bool


class CandidateTrace(_Part):
    """A fact that was considered in a round."""

    fact_id: str
    fact: str
    """``head -relation-> tail``."""
    start: str
    """Name of the entity on the paths from which it was reached."""
    score: float
    kept: bool
    why: str
    """Why it was kept or not."""


class ReferenceTrace(_Part):
    """A source that the paths cite."""

    source_id: str
    fetched: bool
    note: str = ""


class RoundTrace(_Part):
    """One round of Algorithm 2: search, prune, references, reasoning."""

    number: int
    searched: int
    """Facts at the frontier that were on no path."""
    considered: int
    """Those of them that the model scored."""
    candidates: tuple[CandidateTrace, ...]
    references: tuple[ReferenceTrace, ...]
    sufficient: bool | None
    """None: not asked."""


class ToolTrace(_Part):
    """What was counted or put in order, beside the search (beyond the paper)."""

    plan: dict[str, str]
    """The filters as the model gave them; empty ones are left out."""
    considered: int
    """Events of the graph."""
    matching: tuple[str, ...]
    """Names of the events that fit, by date."""
    notes: tuple[str, ...]


class RetrievalTrace(_Part):
    """The whole lookup."""

    question: str
    depth: int
    width: int
    starts: tuple[EntityTrace, ...] = ()
    tool: ToolTrace | None = None
    rounds: tuple[RoundTrace, ...] = ()
    stopped: StopReason = "depth"
    notes: tuple[str, ...] = ()
    """What was wrong with the graph or with what the model answered, and what was done about it."""

    def as_text(self) -> str:
        """Return it for a reader, a line a step."""
        lines = [f"Question: {self.question}", f"Depth limit {self.depth}, width {self.width}"]
        kept = [f"{one.name} ({one.type})" for one in self.starts if one.kept]
        lines.append(f"Starts, {len(kept)} of {len(self.starts)} considered: {', '.join(kept) or 'none'}")
        if self.tool is not None:
            plan = ", ".join(f"{key} {value}" for key, value in self.tool.plan.items())
            lines.append(f"Events filtered by {plan}: {len(self.tool.matching)} of {self.tool.considered} fit")
            lines += [f"  {note}" for note in self.tool.notes]
        for one in self.rounds:
            lines.append(f"Round {one.number}: {one.searched} facts at the frontier, {one.considered} scored")
            lines += [
                f"  {'kept' if fact.kept else 'dropped'} {fact.score:.3f}  {fact.fact}  from {fact.start}: {fact.why}"
                for fact in one.candidates
            ]
            fetched = [ref.source_id for ref in one.references if ref.fetched]
            lines.append(f"  fetched {len(fetched)} of {len(one.references)} sources: {', '.join(fetched) or 'none'}")
            if one.sufficient is not None:
                lines.append(f"  enough to answer: {'yes' if one.sufficient else 'no'}")
        lines += [f"Note: {note}" for note in self.notes]
        lines.append(f"Stopped: {_WHY[self.stopped]}")
        return "\n".join(lines)


_WHY: dict[StopReason, str] = {
    "enough": "what was found is enough to answer",
    "depth": "the depth limit was reached",
    "nothing_left": "no fact is left that is on no path",
    "no_start": "there is no entity to start from",
    "empty_graph": "the graph has no entities",
    "counted": "counting or ordering the events answered",
}
