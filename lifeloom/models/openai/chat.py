"""The chat-completions protocol as data: requests as they are sent, replies as they are read.

No network here. ``lifeloom.models.openai.wire`` sends what this module builds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from lifeloom.models.calls.counting import told_tokens
from lifeloom.models.calls.messages import prompt_parts, quoted_answer, reask_note, schema_note
from lifeloom.models.calls.retries import TransientFailure
from lifeloom.models.calls.schemas import schemas_of
from lifeloom.models.calls.sent_pictures import data_url
from lifeloom.models.calls.wire import Finish, Question, Reply, encodable
from lifeloom.tasks.base import TaskOutput

__all__ = [
    "Dialect",
    "ReplyText",
    "TokenUsage",
    "UsageTold",
    "chat_request",
    "fields",
    "messages_of",
    "parse_reply",
    "reply_of",
]

_ABOUT_STREAM = re.compile(r"\bstream(?:ing|_options|ed)?\b", re.IGNORECASE)
_TEXT_PARTS = ("text", "output_text")


@dataclass(frozen=True)
class Dialect:
    """What a server understands of the protocol. Starts with the most and steps down as the server objects."""

    schema: Literal["strict", "plain", "prompt"] = "strict"
    """``strict`` or ``plain``: sent as json_schema, with or without ``strict``; ``prompt``: in the system message."""
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """Name of the limit on the answer's length; hosted reasoning models know only the second."""
    temperature: bool = True
    """Whether a temperature may be set at all."""
    alternatives: Literal[20, 5] = 20
    """Of how many alternatives to the first token the log-probabilities are asked for."""
    stream: Literal["counted", "plain", "none"] = "counted"
    """Of answers that are listened to: ``counted``: streamed, with the tokens they cost at the end; ``plain``:
    without; ``none``: not streamed."""

    def after(self, *, code: str, parameter: str, message: str, streamed: bool = False) -> Dialect | None:
        """Return the dialect to try after a 400; None when the objection is not to the dialect.

        Args:
            code: The error's code, for example ``unsupported_parameter``.
            parameter: The parameter it names, or ``""``.
            message: Its text.
            streamed: Whether the answer was to be streamed.
        """
        if streamed and self.stream != "none" and _ABOUT_STREAM.search(f"{parameter} {message}"):
            return replace(self, stream="plain" if self.stream == "counted" else "none")
        unsupported = code in {"unsupported_parameter", "unsupported_value"}
        if unsupported and parameter == "max_tokens" and self.limit == "max_tokens":
            return replace(self, limit="max_completion_tokens")
        if unsupported and parameter == "temperature" and self.temperature:
            return replace(self, temperature=False)
        if parameter == "top_logprobs" or "top_logprobs" in message:
            # Fewer may do; a model that knows no log-probabilities at all says that it does not support them.
            return replace(self, alternatives=5) if self.alternatives == 20 and not unsupported else None
        about_schema = any(word in f"{parameter} {message}" for word in ("response_format", "json_schema"))
        if about_schema and self.schema == "strict":
            return replace(self, schema="plain")
        if about_schema and self.schema == "plain":
            return replace(self, schema="prompt")
        return None


class TokenUsage(BaseModel):
    """What a server says an answer cost; None where it does not say, or nothing that can be believed."""

    prompt_tokens: Annotated[int | None, BeforeValidator(told_tokens)] = None
    completion_tokens: Annotated[int | None, BeforeValidator(told_tokens)] = None


def _words(value: object) -> str:
    """Return the text of a message: as it is, or joined from its parts, what is no text left out."""
    if not isinstance(value, list):
        return value if isinstance(value, str) else ""
    texts = [part.get("text") for part in value if isinstance(part, dict) and part.get("type", "text") in _TEXT_PARTS]
    return "".join(text for text in texts if isinstance(text, str))


def fields(value: object) -> object:
    """Return ``value`` where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


# An answer is paid for whatever the shape of what stands beside it, so that only its frame is insisted on.
ReplyText = Annotated[str, BeforeValidator(_words)]
"""Text in a reply; empty where there is none."""
UsageTold = Annotated[TokenUsage, BeforeValidator(fields)]
"""Usage in a reply; empty where there is none."""


class _Message(BaseModel):
    content: ReplyText = ""
    refusal: ReplyText = ""


class _Choice(BaseModel):
    message: _Message
    finish_reason: ReplyText = ""


class _ChatCompletion(BaseModel):
    choices: list[_Choice] = Field(min_length=1)
    usage: UsageTold = TokenUsage()


def parse_reply(body: bytes, blotted: Callable[[str], str]) -> Reply:
    """Return the answer in the body of a 200.

    Args:
        body: As sent by the server.
        blotted: Takes the key out of texts: JSON has spellings of it that cannot be found before they are read.

    Raises:
        TransientFailure: ``bad_body``: empty, HTML, cut short, or not a chat completion. That is not the model's
            answer but the doing of a proxy or of a server that is going down.
    """
    if not body.strip():
        raise TransientFailure("bad_body", "the body is empty")
    problem = "the body is not JSON (is this the address of an OpenAI-compatible server?)"
    try:
        completion = _completion(body)
    except ValidationError:
        data = json.loads(body)
        error = data.get("error") if isinstance(data, dict) else None
        problem = f"the body holds an error: {error}" if error else "the body is not a chat completion"
    except (ValueError, RecursionError):
        pass  # problem says it already
    else:
        choice = completion.choices[0]
        said = choice.message
        return reply_of(said.content, said.refusal, choice.finish_reason, completion.usage, blotted)
    raise TransientFailure("bad_body", blotted(problem)[:300])


def reply_of(content: str, refusal: str, finish_reason: str, usage: TokenUsage, blotted: Callable[[str], str]) -> Reply:
    """Return an answer from what a server says of it.

    Args:
        content: The model's words.
        refusal: Its words where it declines.
        finish_reason: Why it ended, in the protocol's words.
        usage: What it cost.
        blotted: As for ``parse_reply``.
    """
    refusal = blotted(encodable(refusal))
    finish: Finish = "length" if finish_reason == "length" else "stop"
    return Reply(
        content=blotted(encodable(content)),
        finish="refusal" if refusal or finish_reason == "content_filter" else finish,
        refusal=refusal,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
    )


def _completion(body: bytes) -> _ChatCompletion:
    try:
        return _ChatCompletion.model_validate_json(body)
    except ValidationError:  # also for what only this reader minds: an escape that is half a character
        return _ChatCompletion.model_validate(json.loads(body))


def chat_request(model: str, question: Question, dialect: Dialect, *, streamed: bool = False) -> dict[str, Any]:
    """Return the body of one chat completion: system is the task's instructions, user is the prompt.

    With ``question.again`` the conversation goes on: the bad answer, then what was wrong with it and the schema.

    Args:
        model: Name as the server knows it.
        question: What is asked.
        dialect: What the server understands.
        streamed: Whether the answer is listened to.
    """
    task = question.task
    output_type: type[TaskOutput] = task.output_type
    schemas = schemas_of(output_type)
    system = task.instructions
    if dialect.schema == "prompt" and schemas is not None:
        system += f"\n\n{schema_note(output_type)}"
    request: dict[str, Any] = {
        "model": model,
        "messages": messages_of(question, system),
        dialect.limit: task.max_tokens,
    }
    if dialect.temperature:
        request["temperature"] = task.temperature
    if task.stop:
        request["stop"] = list(task.stop)
    if streamed and dialect.stream != "none":
        request["stream"] = True
        if dialect.stream == "counted":
            request["stream_options"] = {"include_usage": True}
    if dialect.schema != "prompt" and schemas is not None:
        strict = schemas.strict if dialect.schema == "strict" else None
        request["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": task.name, "strict": strict is not None, "schema": strict or schemas.plain},
        }
    return request


def messages_of(question: Question, system: str) -> list[dict[str, Any]]:
    """Return the conversation as it is sent.

    Args:
        question: What is asked.
        system: The system message.
    """
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": system},
        {"role": "user", "content": _content(question) if question.pictures else question.prompt},
    ]
    if question.again is not None:
        note, quoted = reask_note(question.again, question.task.output_type), quoted_answer(question.again)
        if quoted:
            messages.append({"role": "assistant", "content": quoted})
            messages.append({"role": "user", "content": note})
        elif question.pictures:  # many chat templates refuse an empty message, and two user messages in a row
            messages[-1]["content"].append(_text_part(note))
        else:
            messages[-1]["content"] += f"\n\n{note}"
    return messages


def _content(question: Question) -> list[dict[str, Any]]:
    """Return the parts of a user message with pictures."""
    return [
        _text_part(part) if isinstance(part, str) else {"type": "image_url", "image_url": {"url": data_url(part)}}
        for part in prompt_parts(question.prompt, question.pictures)
    ]


def _text_part(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
