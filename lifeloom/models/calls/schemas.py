"""The JSON schema of a task's output, as it is, as text, and in the strict form that some servers want."""

from __future__ import annotations

import copy
import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lifeloom.tasks.base import TaskOutput, TextOutput

__all__ = ["OutputSchemas", "output_schema", "schemas_of", "strict_schema"]

_DROPPED = {"default", "minLength", "maxLength", "uniqueItems", "examples", "title"}
_KEPT = {
    *("type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "const", "$ref", "$defs"),
    *("description", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minItems", "maxItems"),
}
_FORMATS = {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}


@dataclass(frozen=True)
class OutputSchemas:
    """The forms of one schema."""

    plain: dict[str, Any]
    text: str
    """``plain`` as JSON."""
    strict: dict[str, Any] | None
    """None where the schema has no strict form."""


@functools.cache
def schemas_of(output_type: type[TaskOutput]) -> OutputSchemas | None:
    """Return the schema of an output type in all its forms; None for free text."""
    if issubclass(output_type, TextOutput):
        return None
    plain = output_type.model_json_schema()
    return OutputSchemas(plain=plain, text=json.dumps(plain, separators=(",", ":")), strict=strict_schema(plain))


def output_schema(output_type: type[TaskOutput]) -> str:
    """Return the JSON schema of an output type, as JSON; empty for free text."""
    schemas = schemas_of(output_type)
    return "" if schemas is None else schemas.text


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
