"""From a model's text to a task's typed output, with a typed reason when it is none.

The text must be one JSON value that fits the output type strictly (no ``"3"`` for 3). One repair is
tolerated, flagged in the result so that it can be counted: the JSON may stand in a Markdown fence
or in prose that has no braces of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal

import pydantic_core
from pydantic import ValidationError

from lifeloom.tasks.base import OutputT, TextOutput

__all__ = ["Decoded", "Undecodable", "answer_text", "decode"]

_THINKING_ENDS = "</think>"  # reasoning models put drafts before it, which are not the answer
_MOST_PROBLEMS = 5
_LONGEST_DETAIL = 600


@dataclass(frozen=True)
class Decoded(Generic[OutputT]):
    """A valid output."""

    output: OutputT
    repaired: bool
    """The JSON had to be taken out of a fence or out of prose."""


class Undecodable(Exception):
    """The text is not a valid output.

    Attributes:
        reason: ``empty``, ``bad_json`` or ``wrong_schema``.
        detail: What is wrong, for the model to put right and for people; never quotes long input.
    """

    def __init__(self, reason: Literal["empty", "bad_json", "wrong_schema"], detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason: Literal["empty", "bad_json", "wrong_schema"] = reason
        self.detail = detail


def answer_text(text: str, *, keeps_thoughts: bool = False) -> str:
    """Return what of a model's free text is its answer: no blanks around it, and no thoughts before it.

    Args:
        text: As the model gave it.
        keeps_thoughts: Whether they are part of the answer.
    """
    return (text if keeps_thoughts else text.rpartition(_THINKING_ENDS)[2]).strip()


def decode(text: str | None, output_type: type[OutputT], *, keeps_thoughts: bool = False) -> Decoded[OutputT]:
    """Return ``text`` as an ``output_type``.

    Args:
        text: As the model gave it.
        output_type: What it should be.
        keeps_thoughts: As the task has it.

    Raises:
        Undecodable: nothing in it, no JSON (also after the repair), or JSON that does not fit the type.
    """
    if text is None or not text.strip():
        raise Undecodable("empty", "the answer is empty")
    if issubclass(output_type, TextOutput):
        answer = answer_text(text, keeps_thoughts=keeps_thoughts)
        if not answer:
            raise Undecodable("empty", "the answer is empty after the model's thinking")
        return Decoded(output_type(text=answer), repaired=False)
    problem = _json_problem(text)
    if problem is None:
        return Decoded(_fit(text, output_type), repaired=False)
    embedded = _embedded_object(text)
    if embedded is None:
        raise Undecodable("bad_json", problem)
    return Decoded(_fit(embedded, output_type), repaired=True)


def _json_problem(text: str) -> str | None:
    try:
        # Not json.loads: this parser refuses NaN and bounds nesting instead of exhausting the stack.
        pydantic_core.from_json(text, allow_inf_nan=False)
    except ValueError as error:
        return _short(f"the answer is not JSON: {error}")
    return None


def _fit(text: str, output_type: type[OutputT]) -> OutputT:
    try:
        return output_type.model_validate_json(text, strict=True)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_context=False, include_input=False)
        shown = "; ".join(_problem_line(problem["loc"], problem["msg"]) for problem in problems[:_MOST_PROBLEMS])
        more = f"; and {len(problems) - _MOST_PROBLEMS} more" if len(problems) > _MOST_PROBLEMS else ""
        detail = _short(shown, _LONGEST_DETAIL - len(more)) + more
    raise Undecodable("wrong_schema", detail)


def _problem_line(location: tuple[int | str, ...], message: str) -> str:
    place = ".".join(str(part) for part in location)
    return f"{place[:100]}: {message}" if place else message


def _embedded_object(text: str) -> str | None:
    """Return the JSON object with only prose or a fence around it; None when that is not what ``text`` is.

    From the first brace to the last: two objects to choose between, or half of one, are no JSON together.
    """
    answer = text.rpartition(_THINKING_ENDS)[2]
    found = answer[answer.find("{") : answer.rfind("}") + 1]
    return found if found and _json_problem(found) is None else None


def _short(text: str, length: int = _LONGEST_DETAIL) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
