"""The chat-completions protocol as data: requests as they are sent, replies as they are read.

No network here. ``lifeloom.models.openai`` sends what this module builds.
"""

from __future__ import annotations

import copy
import functools
import itertools
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError

from lifeloom.models.retries import TransientFailure
from lifeloom.tasks.base import GenerationTask, TaskOutput
from lifeloom.tasks.choice_answer import PICTURE_MARK

__all__ = [
    "Dialect",
    "ReAsk",
    "Reply",
    "chat_request",
    "encodable",
    "output_schema",
    "parse_reply",
    "refuses_pictures",
    "strict_schema",
    "text_of",
]

_LONGEST_QUOTE = 4000  # characters of a bad answer shown again: enough to correct, not enough to overflow a window
_DROPPED = {"default", "minLength", "maxLength", "uniqueItems", "examples", "title"}
_KEPT = {
    *("type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "const", "$ref", "$defs"),
    *("description", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minItems", "maxItems"),
}
_FORMATS = {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}


@dataclass(frozen=True)
class Dialect:
    """What a server understands of the protocol. Starts with the most and steps down as the server objects."""

    schema: Literal["strict", "plain", "prompt"] = "strict"
    """``strict`` or ``plain``: sent as json_schema, with or without ``strict``; ``prompt``: in the system message."""
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """Name of the limit on the answer's length; hosted reasoning models know only the second."""
    temperature: bool = True
    """Whether a temperature may be set at all."""

    def after(self, *, code: str, parameter: str, message: str) -> Dialect | None:
        """Return the dialect to try after a 400; None when the objection is not to the dialect.

        Args:
            code: The error's code, for example ``unsupported_parameter``.
            parameter: The parameter it names, or ``""``.
            message: Its text.
        """
        unsupported = code in {"unsupported_parameter", "unsupported_value"}
        if unsupported and parameter == "max_tokens" and self.limit == "max_tokens":
            return replace(self, limit="max_completion_tokens")
        if unsupported and parameter == "temperature" and self.temperature:
            return replace(self, temperature=False)
        about_schema = any(word in f"{parameter} {message}" for word in ("response_format", "json_schema"))
        if about_schema and self.schema == "strict":
            return replace(self, schema="plain")
        if about_schema and self.schema == "plain":
            return replace(self, schema="prompt")
        return None


@dataclass(frozen=True)
class ReAsk:
    """What was wrong with the first answer."""

    answer: str
    """As the model gave it; may be empty."""
    problem: str


class _TokenUsage(BaseModel):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _ChatCompletion(BaseModel):
    choices: list[_Choice] = Field(min_length=1)
    usage: _TokenUsage | None = None


@dataclass(frozen=True)
class Reply:
    """One answer of a server."""

    content: str
    """Empty when there is none."""
    refusal: str
    """The model's words when it declines; empty when it does not."""
    finish_reason: str
    prompt_tokens: int | None
    completion_tokens: int | None
    """None when the server does not count."""


def encodable(text: str) -> str:
    """Return ``text`` with lone surrogates (broken escapes) replaced, so that it can be sent and stored."""
    return text.encode("utf-8", "replace").decode()


def parse_reply(body: bytes) -> Reply:
    """Return the answer in the body of a 200.

    Raises:
        TransientFailure: ``bad_body``: empty, HTML, cut short, or not a chat completion. That is not the model's
            answer but the doing of a proxy or of a server that is going down.
    """
    if not body.strip():
        raise TransientFailure("bad_body", "the body is empty")
    problem = "the body is not JSON (is this the address of an OpenAI-compatible server?)"
    try:
        data = json.loads(body)
        completion = _ChatCompletion.model_validate(data)
    except ValidationError:
        error = data.get("error") if isinstance(data, dict) else None
        problem = f"the body holds an error: {error}" if error else "the body is not a chat completion"
    except (ValueError, RecursionError):
        pass  # problem says it already
    else:
        choice, usage = completion.choices[0], completion.usage or _TokenUsage()
        return Reply(
            content=encodable(choice.message.content or ""),
            refusal=encodable(choice.message.refusal or ""),
            finish_reason=choice.finish_reason or "",
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
        )
    raise TransientFailure("bad_body", problem[:300])


def chat_request(
    *,
    model: str,
    task: GenerationTask[Any, Any],
    prompt: str,
    dialect: Dialect,
    again: ReAsk | None = None,
    pictures: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the arguments of one chat completion: system is the task's instructions, user is the prompt.

    With ``again`` the conversation goes on: the bad answer, then what was wrong with it and the schema.

    Args:
        model: Name as the server knows it.
        task: The question.
        prompt: Its user message.
        dialect: What the server understands.
        again: What was wrong with the first answer.
        pictures: Data URLs. Each takes the place of its ``<img>`` in the prompt where there are as many of these;
            else all follow the text.
    """
    output_type: type[TaskOutput] = task.output_type
    schema = _schemas(output_type)
    system = task.instructions
    if dialect.schema == "prompt":
        system += f"\n\nAnswer with one JSON object and nothing else. It must fit this JSON schema:\n{schema.text}"
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": system},
        {"role": "user", "content": _content(prompt, pictures) if pictures else prompt},
    ]
    if again is not None:
        note = (
            f"That was not a valid answer: {again.problem}\n"
            f"Answer again with one JSON object and nothing else. It must fit this JSON schema:\n{schema.text}"
        )
        if again.answer.strip():
            messages.append({"role": "assistant", "content": again.answer[:_LONGEST_QUOTE]})
            messages.append({"role": "user", "content": note})
        else:  # many chat templates refuse an empty message, and two user messages in a row
            if pictures:
                messages[-1]["content"].append(_text_part(note))
            else:
                messages[-1]["content"] += f"\n\n{note}"
    request: dict[str, Any] = {"model": model, "messages": messages, dialect.limit: task.max_tokens}
    if dialect.temperature:
        request["temperature"] = task.temperature
    if dialect.schema != "prompt":
        strict = schema.strict if dialect.schema == "strict" else None
        request["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": task.name, "strict": strict is not None, "schema": strict or schema.plain},
        }
    return request


def _content(prompt: str, pictures: Sequence[str]) -> list[dict[str, Any]]:
    """Return the parts of a user message with pictures."""
    texts = prompt.split(PICTURE_MARK)
    shown = [{"type": "image_url", "image_url": {"url": url}} for url in pictures]
    if len(texts) != len(pictures) + 1:
        return [_text_part(prompt), *shown]
    parts = []
    for text, picture in itertools.zip_longest(texts, shown):
        if text.strip():  # many servers refuse an empty text
            parts.append(_text_part(text))
        if picture is not None:
            parts.append(picture)
    return parts


def _text_part(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def text_of(message: Mapping[str, Any]) -> str:
    """Return the words of a message of a request, without its pictures."""
    content = message["content"]
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


_ABOUT_PICTURES = re.compile(r"image|picture|vision|visual|multi-?modal|mmproj", re.IGNORECASE)
_ONE_PICTURE = re.compile(
    r"(?:could not|cannot|can't|unable to|failed to|error) (?:be )?(?:load|decod|download|fetch|pars|process|read|"
    r"identif)|invalid (?:image|base64|data)|(?:too|larger|bigger|exceed|maximum|minimum|dimension|corrupt|truncat)",
    re.IGNORECASE,
)


def refuses_pictures(code: str, parameter: str, message: str) -> bool:
    """Return whether the error of a request with pictures says that the model takes none, or not as many.

    Servers word this in their own ways ("is not a multimodal model", "image_url is only supported by certain models",
    "unknown variant `image_url`, expected `text`", "At most 1 image(s) may be provided"). An error about one picture's
    data or size is another matter.
    """
    said = f"{code} {parameter} {message}"
    return bool(_ABOUT_PICTURES.search(said)) and not _ONE_PICTURE.search(message)


@dataclass(frozen=True)
class _Schemas:
    plain: dict[str, Any]
    text: str
    strict: dict[str, Any] | None


@functools.cache
def _schemas(output_type: type[TaskOutput]) -> _Schemas:
    plain = output_type.model_json_schema()
    return _Schemas(plain=plain, text=json.dumps(plain, separators=(",", ":")), strict=strict_schema(plain))


def output_schema(output_type: type[TaskOutput]) -> str:
    """Return the JSON schema of an output type, as JSON."""
    return _schemas(output_type).text


def strict_schema(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return ``schema`` in the subset that strict structured output takes; None when it has no such form.

    Every property becomes required, and limits on lengths of texts are left out: decoding checks them.
    Source: https://platform.openai.com/docs/guides/structured-outputs (supported schemas).
    """
    result = copy.deepcopy(dict(schema))
    if result.get("type") != "object" or not _make_strict(result):
        return None
    return result


def _make_strict(node: dict[str, Any]) -> bool:
    """Make a schema strict in place; return whether that is possible."""
    for name in _DROPPED & node.keys():
        del node[name]
    if node.get("format") not in _FORMATS:
        node.pop("format", None)
    if not node.keys() <= _KEPT or not node.keys() & {"type", "$ref", "anyOf", "enum", "const"}:
        return False
    if "$ref" in node:  # nothing may stand beside a reference
        for name in node.keys() - {"$ref", "$defs"}:
            del node[name]
    if node.get("type") == "object":
        if node.get("additionalProperties", False) is not False or "properties" not in node:
            return False
        node["additionalProperties"] = False
        node["required"] = list(node["properties"])
    if node.get("type") == "array" and "items" not in node:
        return False
    children = [*node.get("properties", {}).values(), *node.get("$defs", {}).values(), *node.get("anyOf", [])]
    if "items" in node:
        children.append(node["items"])
    return all(isinstance(child, dict) and _make_strict(child) for child in children)
