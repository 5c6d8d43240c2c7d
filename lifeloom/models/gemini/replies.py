"""Responses of the generateContent protocol as they are read.

The SDK's own reading leaves out why a model declines, and takes a body of another shape apart without a look at it.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from lifeloom.models.calls.counting import told_tokens
from lifeloom.models.calls.retries import TransientFailure
from lifeloom.models.calls.wire import Finish, encodable

__all__ = ["GeminiResponse", "joined_responses", "read_piece", "read_response"]

_NO_REFUSAL = {
    *("", "STOP", "MAX_TOKENS", "OTHER", "FINISH_REASON_UNSPECIFIED", "CONTINUATION", "MALFORMED_RESPONSE"),
    *("IMAGE_OTHER", "NO_IMAGE", "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS"),
    "MISSING_THOUGHT_SIGNATURE",
}


class _Read(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore")


class _File(_Read):
    data: str = ""


class _Part(_Read):
    text: str | None = None
    thought: bool | None = None
    inline_data: _File | None = None


class _Content(_Read):
    parts: list[_Part] | None = None


class _Alternative(_Read):
    token: str = ""
    log_probability: float | None = None


class _Alternatives(_Read):
    candidates: list[_Alternative] | None = None


class _LogProbabilities(_Read):
    top_candidates: list[_Alternatives] | None = None


class _Candidate(_Read):
    content: _Content | None = None
    finish_reason: str | None = None
    finish_message: str | None = None
    logprobs_result: _LogProbabilities | None = None


class _Feedback(_Read):
    block_reason: str | None = None
    block_reason_message: str | None = None


class _Usage(_Read):
    # Of any type: an answer is paid for whatever is said of its cost.
    prompt_token_count: object = None
    candidates_token_count: object = None
    thoughts_token_count: object = None


def _fields(value: object) -> object:
    return value if isinstance(value, dict | _Usage) else {}


class GeminiResponse(_Read):
    """The body of a 200: the first candidate counts, others are not asked for."""

    candidates: list[_Candidate] | None = None
    prompt_feedback: _Feedback | None = None
    usage_metadata: Annotated[_Usage, BeforeValidator(_fields)] = _Usage()

    @property
    def text(self) -> str:
        """What it says, without its thoughts."""
        return encodable("".join(part.text for part in self._parts if part.text and not part.thought))

    @property
    def picture(self) -> bytes:
        """The file of its last picture, drafts among the thoughts left out; empty where there is none that is one."""
        files = [part.inline_data.data for part in self._parts if part.inline_data is not None and not part.thought]
        data = next((data for data in reversed(files) if data), "")
        try:
            return base64.b64decode(data.translate(str.maketrans("-_", "+/")), validate=True)
        except (binascii.Error, ValueError):
            return b""

    @property
    def finish(self) -> Finish:
        """Why it ended."""
        if self._block_reason:
            return "refusal"
        reason = self._first.finish_reason or ""
        if reason == "MAX_TOKENS":
            return "length"
        return "stop" if reason in _NO_REFUSAL else "refusal"

    @property
    def refusal(self) -> str:
        """The words of a refusal: the filter's reason, its explanation, and what the model said."""
        feedback = self.prompt_feedback or _Feedback()
        reason = self._block_reason or self._first.finish_reason
        explained = feedback.block_reason_message or self._first.finish_message
        return encodable(": ".join(text for text in (reason, explained, self.text) if text))

    @property
    def prompt_tokens(self) -> int | None:
        """Tokens sent; None where the server does not count."""
        return told_tokens(self.usage_metadata.prompt_token_count)

    @property
    def completion_tokens(self) -> int | None:
        """Tokens received, thoughts included, which are paid for as the answer is; None where nothing is counted."""
        usage = self.usage_metadata
        told = [one for one in (usage.candidates_token_count, usage.thoughts_token_count) if one is not None]
        if not told and usage.prompt_token_count is None:
            return None
        counts = [told_tokens(one) for one in told]  # the protocol leaves out counts of 0
        return None if None in counts else sum(count or 0 for count in counts)

    @property
    def first_alternatives(self) -> list[tuple[str, float]]:
        """What the first token might have been, with log-probabilities; empty where they are not told."""
        told = self._first.logprobs_result
        tops = (told.top_candidates if told is not None else None) or []
        alternatives = (tops[0].candidates if tops else None) or []
        return [(one.token, one.log_probability) for one in alternatives if one.log_probability is not None]

    @property
    def says_something(self) -> bool:
        """Whether it holds an answer, or why there is none."""
        return bool(self.candidates) or bool(self._block_reason)

    @property
    def is_finished(self) -> bool:
        """Whether it says why it ended: the last piece of a stream does."""
        return bool(self._first.finish_reason) or bool(self._block_reason)

    @property
    def _first(self) -> _Candidate:
        return self.candidates[0] if self.candidates else _Candidate()

    @property
    def _parts(self) -> list[_Part]:
        return (self._first.content.parts if self._first.content is not None else None) or []

    @property
    def _block_reason(self) -> str:
        return (self.prompt_feedback.block_reason if self.prompt_feedback is not None else None) or ""


def joined_responses(pieces: Sequence[GeminiResponse]) -> GeminiResponse:
    """Return what the pieces of a stream say together; what each says anew of the whole, the last one says."""
    candidate, parts = _Candidate(), list[_Part]()
    usage: dict[str, object] = {}
    feedback = None
    for piece in pieces:
        parts += piece._parts
        told = {name: value for name, value in piece._first if name != "content" and value is not None}
        candidate = candidate.model_copy(update=told)
        feedback = piece.prompt_feedback or feedback
        usage |= {name: value for name, value in piece.usage_metadata if value is not None}
    candidate = candidate.model_copy(update={"content": _Content(parts=parts)})
    return GeminiResponse(candidates=[candidate], prompt_feedback=feedback, usage_metadata=_Usage.model_validate(usage))


def read_piece(data: str) -> GeminiResponse:
    """Return one piece of a stream; it may hold no words.

    Raises:
        TransientFailure: ``bad_body``: it is nothing of the protocol.
    """
    try:
        return GeminiResponse.model_validate_json(data)
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_context=False, include_input=False)[0]["type"]
    problem = "not JSON" if wrong == "json_invalid" else "no piece of a response"
    raise TransientFailure("bad_body", f"an event of the stream is {problem}")


def read_response(body: str) -> GeminiResponse:
    """Return the response in the body of a 200.

    Raises:
        TransientFailure: ``bad_body``: empty, HTML, cut short, or not a response. That is not the model's answer but
            the doing of a proxy or of a server that is going down.
    """
    if not body.strip():
        raise TransientFailure("bad_body", "the body is empty")
    try:
        response = GeminiResponse.model_validate_json(body)
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_context=False, include_input=False)[0]["type"]
    else:
        if response.says_something:
            return response
        wrong = "empty"
    problem = "not JSON (is this the address of a Gemini server?)" if wrong == "json_invalid" else "not a response"
    raise TransientFailure("bad_body", f"the body is {problem}")
