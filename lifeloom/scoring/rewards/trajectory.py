"""What rewards look at of a trajectory: thoughts, final answer, format and retrievals, from a reply or from outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lifeloom.assistant.parsing import Answer, Retrieve, parse_step
from lifeloom.assistant.response_types import Response

__all__ = ["Trajectory"]


@dataclass(frozen=True)
class Trajectory:
    """A multi-turn trajectory of the agent (PersonaVLM Section 3.2)."""

    thoughts: tuple[str, ...]
    """Of every step, oldest first; empty where a step has none."""
    answer: str
    """Empty where there is none."""
    well_formed: tuple[bool, ...]
    """By step."""
    retrievals: int
    """Steps that looked memories up."""

    @classmethod
    def of_response(cls, response: Response) -> Trajectory:
        """Return the trajectory of a reply of the assistant."""
        steps = response.trace.steps
        return cls(
            thoughts=tuple(step.thought for step in steps),
            answer=response.text,
            well_formed=tuple(step.well_formed for step in steps),
            retrievals=sum(step.retrieved for step in steps) + (response.trace.first is not None),
        )

    @classmethod
    def of_outputs(cls, outputs: Sequence[str], *, offset_minutes: int = 0) -> Trajectory:
        """Return the trajectory of a model's outputs, one a step.

        The answer is that of the last step, or its plain words where it kept no format; an earlier step that answers is
        no end, since whoever rolls out goes by the first answer.

        Args:
            outputs: of the model, oldest first, without what was retrieved in between.
            offset_minutes: the user's zone, minutes east of UTC.
        """
        steps = [parse_step(output, offset_minutes) for output in outputs]
        last = steps[-1] if steps else None
        answer = ""
        if last is not None:
            answer = last.action.text if isinstance(last.action, Answer) else last.plain
        return cls(
            thoughts=tuple(step.thought for step in steps),
            answer=answer,
            well_formed=tuple(step.well_formed for step in steps),
            retrievals=sum(isinstance(step.action, Retrieve) for step in steps[:-1]),
        )
