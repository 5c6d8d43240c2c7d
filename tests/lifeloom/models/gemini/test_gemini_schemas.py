"""JSON schemas in the subset that the Gemini API takes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from lifeloom.models.calls.schemas import schemas_of
from lifeloom.models.gemini.dialect import gemini_schema
from lifeloom.tasks import CHOICE_ANSWER, PERSONA_ENRICHMENT, SESSION_CRITIQUE, SESSION_WRITING, GenerationTask
from lifeloom.tasks.base import TaskOutput

TAKEN = {
    *("$id", "$defs", "$ref", "$anchor", "type", "format", "title", "description", "enum", "items", "prefixItems"),
    *("minItems", "maxItems", "minimum", "maximum", "anyOf", "oneOf", "properties", "additionalProperties", "required"),
    "propertyOrdering",
}


def nodes(schema: dict[str, Any]) -> list[dict[str, Any]]:
    found = [schema]
    for name in ("properties", "$defs"):
        found += [node for child in schema.get(name, {}).values() for node in nodes(child)]
    for name in ("anyOf", "oneOf", "prefixItems"):
        found += [node for child in schema.get(name, []) for node in nodes(child)]
    for name in ("items", "additionalProperties"):
        if isinstance(schema.get(name), dict):
            found += nodes(schema[name])
    return found


def of(output_type: type[TaskOutput]) -> dict[str, Any]:
    schemas = schemas_of(output_type)
    assert schemas is not None
    return gemini_schema(schemas.plain)


@pytest.mark.parametrize("task", [CHOICE_ANSWER, PERSONA_ENRICHMENT, SESSION_WRITING, SESSION_CRITIQUE])
def test_every_output_of_a_task_has_a_schema_that_the_api_takes(task: GenerationTask[Any, Any]) -> None:
    before = task.output_type.model_json_schema()
    schema = gemini_schema(before)
    assert before == task.output_type.model_json_schema()  # it was not changed in place
    assert nodes(schema)
    for node in nodes(schema):
        assert node.keys() <= TAKEN
        if "$ref" in node:
            assert all(name.startswith("$") for name in node)
        assert all(isinstance(value, str | int | float) for value in node.get("enum", ()))
        if "properties" in node:
            assert node["propertyOrdering"] == list(node["properties"])
            assert set(node.get("required", ())) <= node["properties"].keys()


class Inner(TaskOutput):
    kind: Literal["inner"]
    title: str = Field(min_length=1, max_length=9, pattern="^x")


class Outer(TaskOutput):
    inner: Inner = Field(description="What is inside.")
    others: tuple[Inner, ...] = Field(max_length=4)
    more: Annotated[int, Field(gt=0, lt=10)]
    share: float = Field(ge=0, le=1, default=0.5)
    maybe: str | None = None
    yes: Literal[True] = True
    table: dict[str, Inner] = Field(default={})
    address: str = Field(json_schema_extra={"format": "email"})
    at: str = Field(json_schema_extra={"format": "date-time"})


def test_what_the_api_does_not_know_is_put_in_words_that_it_knows_or_left_out() -> None:
    schema = of(Outer)
    properties = schema["properties"]
    assert schema["$defs"]["Inner"] == {
        "type": "object",
        "properties": {"kind": {"type": "string", "enum": ["inner"]}, "title": {"type": "string"}},
        "propertyOrdering": ["kind", "title"],
        "required": ["kind", "title"],
        "additionalProperties": False,
    }
    assert properties["inner"] == {"$ref": "#/$defs/Inner"}
    assert properties["others"] == {"type": "array", "items": {"$ref": "#/$defs/Inner"}, "maxItems": 4}
    assert properties["more"] == {"type": "integer", "minimum": 1, "maximum": 9}
    assert properties["share"] == {"type": "number", "minimum": 0, "maximum": 1}
    assert properties["maybe"] == {"anyOf": [{"type": "string"}, {"type": "null"}]}
    assert properties["yes"] == {"type": "boolean"}
    assert properties["table"] == {"type": "object", "additionalProperties": {"$ref": "#/$defs/Inner"}}
    assert properties["address"] == {"type": "string"}
    assert properties["at"] == {"type": "string", "format": "date-time"}
    assert schema["required"] == ["inner", "others", "more", "address", "at"]


def test_a_field_with_the_name_of_a_keyword_stays_a_field() -> None:
    class Named(TaskOutput):
        title: str
        default: str
        const: int

    assert list(of(Named)["properties"]) == ["title", "default", "const"]
