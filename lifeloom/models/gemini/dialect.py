"""Requests of the generateContent protocol, in what a model understands of it."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from lifeloom.models.calls.messages import prompt_parts, quoted_answer, reask_note, schema_note
from lifeloom.models.calls.schemas import schemas_of
from lifeloom.models.calls.wire import Question, SentPicture, encodable
from lifeloom.tasks.base import TaskOutput

if TYPE_CHECKING:
    from google.genai import types

__all__ = [
    "THOUGHT_TOKENS",
    "Dialect",
    "contents_of",
    "gemini_schema",
    "likelihood_settings",
    "picture_settings",
    "settings_of",
]

THOUGHT_TOKENS = 8192
"""Room for a model's thoughts beside its answer, which the limit on the answer's length covers too."""

Thinking = Literal["none", "off", "little", "low", "own", "free"]

_LESS_THINKING: Mapping[Thinking, Thinking] = {"off": "little", "little": "low", "low": "own", "free": "own"}
_ABOUT_THINKING = re.compile(r"thinking|budget", re.IGNORECASE)
_CANNOT_THINK = re.compile(
    r"thinking is not (?:enabled|supported)|(?:does not|doesn't) support thinking(?![_ ]?(?:budget|level))",
    re.IGNORECASE,
)
_ABOUT_SYSTEM = re.compile(r"(?:developer|system)[ _]instruction", re.IGNORECASE)
_ABOUT_SEED = re.compile(r"\bseed\b", re.IGNORECASE)
_ABOUT_JSON = re.compile(r"json mode|response[ _]?mime[ _]?type|application/json", re.IGNORECASE)
_TOO_MANY_ALTERNATIVES = re.compile(r"logprobs.{0,80}(?:range|at most|between|maximum|less than|\[)", re.IGNORECASE)
_ABOUT_SCHEMA = re.compile(r"schema|too many states|controlled generation", re.IGNORECASE)


@dataclass(frozen=True)
class Dialect:
    """What a model understands of the protocol. Starts with the most and steps down as the server objects."""

    schema: Literal["schema", "json", "prompt"] = "schema"
    """``schema``: sent as JSON schema; ``json``: JSON is asked for, the schema stands in the instructions; ``prompt``:
    only that."""
    thinking: Thinking = "off"
    """``off``: a budget of 0; ``little``: the smallest budget; ``low``: the lowest level; ``own``: as the model does
    by itself; ``free``: as much as the model finds right; ``none``: a model that knows no thinking."""
    system: bool = True
    """Whether instructions go into a message of their own."""
    seed: bool = True
    """Whether a seed may be set."""
    alternatives: int = 20
    """How many first tokens the server tells of, with their log-probabilities."""

    @property
    def thought_tokens(self) -> int:
        """Tokens that thoughts may take."""
        return 0 if self.thinking in {"none", "off"} else THOUGHT_TOKENS

    def after(self, message: str) -> Dialect | None:
        """Return the dialect to try after a 400 with ``message``; None when the objection is not to the dialect."""
        if self.thinking != "none" and _CANNOT_THINK.search(message):
            return replace(self, thinking="none")
        if self.thinking in _LESS_THINKING and _ABOUT_THINKING.search(message):
            return replace(self, thinking=_LESS_THINKING[self.thinking])
        if self.system and _ABOUT_SYSTEM.search(message):
            return replace(self, system=False)
        if self.alternatives == 20 and _TOO_MANY_ALTERNATIVES.search(message):
            return replace(self, alternatives=5)
        if self.seed and _ABOUT_SEED.search(message):
            return replace(self, seed=False)
        if self.schema != "prompt" and _ABOUT_JSON.search(message):
            return replace(self, schema="prompt")
        if self.schema != "prompt" and _ABOUT_SCHEMA.search(message):
            return replace(self, schema="json" if self.schema == "schema" else "prompt")
        return None


def contents_of(question: Question, dialect: Dialect) -> list[types.Content]:
    """Return the conversation: the prompt, its pictures at their marks, and a bad answer with what was wrong."""
    from google.genai import types

    task, again = question.task, question.again
    parts = [_part(part) for part in prompt_parts(encodable(question.prompt), question.pictures)]
    if not dialect.system:
        parts.insert(0, types.Part(text=_instructions(question, dialect)))
    quoted = "" if again is None else quoted_answer(again)
    note = [] if again is None else [types.Part(text=encodable(reask_note(again, task.output_type)))]
    if not quoted:
        return [types.Content(role="user", parts=[*parts, *note])]
    return [
        types.Content(role="user", parts=parts),
        types.Content(role="model", parts=[types.Part(text=encodable(quoted))]),
        types.Content(role="user", parts=note),
    ]


def settings_of(question: Question, dialect: Dialect) -> dict[str, Any]:
    """Return what goes with the conversation, as arguments of ``types.GenerateContentConfig``."""
    task = question.task
    settings = _common(question, dialect) | {
        "temperature": task.temperature,
        "max_output_tokens": task.max_tokens + dialect.thought_tokens,
    }
    if task.stop:
        settings["stop_sequences"] = list(task.stop)
    if dialect.seed:
        settings["seed"] = question.seed % 2**31
    output_type: type[TaskOutput] = task.output_type
    schemas = schemas_of(output_type)
    if schemas is not None and dialect.schema != "prompt":
        settings["response_mime_type"] = "application/json"
    if schemas is not None and dialect.schema == "schema":
        settings["response_json_schema"] = gemini_schema(schemas.plain)
    return settings


def likelihood_settings(question: Question, dialect: Dialect) -> dict[str, Any]:
    """Return the arguments of ``types.GenerateContentConfig`` for one token and the log-probabilities of others."""
    return _common(question, dialect) | {
        "temperature": 0.0,
        "max_output_tokens": 1 + dialect.thought_tokens,
        "response_logprobs": True,
        "logprobs": dialect.alternatives,
    }


def picture_settings() -> dict[str, Any]:
    """Return the arguments of ``types.GenerateContentConfig`` for a square picture, with words where there is none."""
    return {"response_modalities": ["TEXT", "IMAGE"], "image_config": {"aspect_ratio": "1:1"}}


_THINKING: Mapping[Thinking, Mapping[str, Any]] = {
    "off": {"thinking_budget": 0},
    "little": {"thinking_budget": 128},  # the smallest that the models which cannot do without take
    "low": {"thinking_level": "LOW"},
    "free": {"thinking_budget": -1},
}


def _common(question: Question, dialect: Dialect) -> dict[str, Any]:
    from google.genai import types

    settings: dict[str, Any] = {}
    if dialect.system:
        settings["system_instruction"] = _instructions(question, dialect)
    if dialect.thinking in _THINKING:
        settings["thinking_config"] = types.ThinkingConfig(**_THINKING[dialect.thinking])
    return settings


def _instructions(question: Question, dialect: Dialect) -> str:
    output_type: type[TaskOutput] = question.task.output_type
    instructions = encodable(question.task.instructions)
    if dialect.schema == "schema" or schemas_of(output_type) is None:
        return instructions
    return f"{instructions}\n\n{schema_note(output_type)}"


def _part(part: str | SentPicture) -> types.Part:
    from google.genai import types

    if isinstance(part, str):
        return types.Part(text=part)
    return types.Part(inline_data=types.Blob(data=part.data, mime_type=part.media_type))


_KEPT = {
    *("$id", "$defs", "$ref", "$anchor", "type", "format", "description", "enum", "items", "prefixItems"),
    *("minItems", "maxItems", "minimum", "maximum", "anyOf", "oneOf", "properties", "additionalProperties", "required"),
}
_FORMATS = {"date-time", "date", "time", "duration", "float", "double", "int32", "int64"}


def gemini_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``schema`` in the subset of JSON schema that the API takes.

    A constant becomes an enumeration of one, an exclusive limit of integers the next integer, and the order of fields
    is said, since some models sort them else. What is left out (lengths and patterns of texts, defaults) is checked
    when the answer is decoded.

    Source: https://ai.google.dev/api/generate-content, ``responseJsonSchema``.
    """
    return _subset(copy.deepcopy(dict(schema)))


def _subset(node: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in node:  # nothing but what starts with $ may stand beside a reference
        kept = {name: value for name, value in node.items() if name in _KEPT and name.startswith("$")}
    else:
        if "const" in node:
            node.setdefault("enum", [node["const"]])
        if node.get("type") == "integer":
            for exclusive, inclusive, step in (("exclusiveMinimum", "minimum", 1), ("exclusiveMaximum", "maximum", -1)):
                if isinstance(node.get(exclusive), int):
                    node.setdefault(inclusive, node[exclusive] + step)
        kept = {name: value for name, value in node.items() if name in _KEPT}
    if not all(isinstance(value, str | int | float) and not isinstance(value, bool) for value in kept.get("enum", ())):
        del kept["enum"]  # the API enumerates strings and numbers only; the type still says what it is
    if kept.get("format") not in _FORMATS:
        kept.pop("format", None)
    if "properties" in kept:
        kept["propertyOrdering"] = list(kept["properties"])
    for name in ("properties", "$defs"):
        if name in kept:
            kept[name] = {key: _subset(child) for key, child in kept[name].items()}
    for name in ("anyOf", "oneOf", "prefixItems"):
        if name in kept:
            kept[name] = [_subset(child) for child in kept[name]]
    for name in ("items", "additionalProperties"):
        if isinstance(kept.get(name), dict):
            kept[name] = _subset(kept[name])
    return kept
