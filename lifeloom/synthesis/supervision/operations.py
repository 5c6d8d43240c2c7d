"""Personality inferences and memory operations as examples: what was asked while memories were made (P3, P13)."""

from __future__ import annotations

from pydantic import ValidationError

from lifeloom.assistant import FormRejected
from lifeloom.assistant.forms import parse_core, parse_episodic, parse_procedural, parse_semantic
from lifeloom.assistant.parsing import parse_step
from lifeloom.records import MemoryOperation, Rejection, SftExample, TrainingMessage
from lifeloom.records.base import make_id
from lifeloom.tasks import PersonalityInferenceOutput
from lifeloom.tasks.choice_answer import PICTURE_MARK

__all__ = ["asks_nothing", "operation_example", "reading_problem"]

_STAGE = "sft_examples/operations"


def operation_example(operation: MemoryOperation) -> SftExample | Rejection:
    """Return an operation as an example, or why it is none.

    Reasons: ``reply`` (a step of a reply: trajectories are made whole elsewhere), ``rejected``, ``repaired`` (the
    answer departed from its form), ``unreadable`` (the assistant's own parser does not read it as it stands),
    ``picture_marks`` (a mark in the answer that is no picture of the prompt).
    """
    reason, detail = "", operation.reason
    family = "personality_inference" if operation.kind == "personality" else "memory_operation"
    if operation.kind == "response":
        reason = "reply"
    elif operation.outcome == "rejected":
        reason = "rejected"
    elif operation.reason:
        reason = "repaired"
    elif problem := reading_problem(operation):
        reason, detail = "unreadable", problem
    elif operation.prompt.count(PICTURE_MARK) != len(operation.pictures):
        reason, detail = "picture_marks", f"for {len(operation.pictures)} pictures"
    if reason:
        item = f"{operation.user_id} {operation.operation_id}"[:200]
        return Rejection(stage=_STAGE, item=item, reason=reason, detail=detail[:500])
    return SftExample.model_validate(
        {
            "example_id": make_id("sft", _STAGE, operation.user_id, operation.operation_id),
            "family": family,
            "kind": "inference" if operation.kind == "personality" else operation.kind,
            "user_id": operation.user_id,
            "case_id": operation.operation_id,
            "messages": (
                TrainingMessage(role="system", text=operation.instructions),
                TrainingMessage(role="user", text=operation.prompt),
                TrainingMessage(role="assistant", text=operation.output),
            ),
            "pictures": operation.pictures,
            "made_by": operation.made_by,
        }
    )


def reading_problem(operation: MemoryOperation) -> str:
    """Return why the assistant's own parser does not take the answer as it stands; empty where it does."""
    output, turns = operation.output, operation.last_turn - operation.first_turn + 1
    try:
        match operation.kind:
            case "personality":
                PersonalityInferenceOutput.model_validate_json(output)
                repairs: tuple[str, ...] = ()
            case "semantic":
                repairs = parse_semantic(output, len(operation.pictures)).repairs
            case "core":
                repairs = parse_core(output, turns).repairs
            case "procedural":
                repairs = parse_procedural(output, turns).repairs
            case "episodic":
                repairs = parse_episodic(output, turns).repairs
            case "response":
                repairs = parse_step(output, 0).repairs
    except FormRejected as error:
        return error.reason
    except ValidationError as error:
        return f"{error.error_count()} problems in the scores"
    return ", ".join(repairs)


def asks_nothing(example: SftExample) -> bool:
    """Return whether an operation's answer asks for no change, or a personality inference sees nothing (all 3)."""
    said = example.messages[-1].text
    match example.kind:
        case "inference":
            scores = PersonalityInferenceOutput.model_validate_json(said)
            return set(scores.model_dump().values()) == {3}
        case "semantic":
            return not parse_semantic(said, len(example.pictures)).entries
        case "core":
            return not parse_core(said, _MOST_TURNS).entries
        case "procedural":
            return not parse_procedural(said, _MOST_TURNS).entries
        case _:
            return False


_MOST_TURNS = 10_000
"""More than a session has: the numbers of turns have been read before."""
