"""A generation task: one question put to a model, with typed input, prompt and typed output."""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import jinja2
import jinja2.sandbox
from pydantic import BaseModel, ConfigDict, Field

__all__ = ["GenerationTask", "TaskInput", "TaskOutput", "TextOutput", "render_template"]


class TaskInput(BaseModel):
    """What a task is asked about. Every field that a backend reads must show in the prompt."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class TaskOutput(BaseModel):
    """What a task answers. Its JSON schema is sent to backends that take one."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class TextOutput(TaskOutput):
    """Free text: a task with this output type is answered in the model's own words, without a JSON schema."""

    text: str = Field(min_length=1)


InputT = TypeVar("InputT", bound=TaskInput)
OutputT = TypeVar("OutputT", bound=TaskOutput)


class _Sandbox(jinja2.sandbox.ImmutableSandboxedEnvironment):
    """The sandbox, without its many questions for what is only data: a declared field of an input."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        return getattr(obj, attribute) if attribute in _fields(type(obj)) else super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        if isinstance(argument, str) and argument in _fields(type(obj)):
            return getattr(obj, argument)
        return super().getitem(obj, argument)


_FIELDS: dict[type[Any], frozenset[str]] = {}


def _fields(kind: type[Any]) -> frozenset[str]:
    """Return the declared fields of a type of input; none for other types."""
    known = _FIELDS.get(kind)
    if known is None:
        known = _FIELDS[kind] = frozenset(kind.model_fields) if issubclass(kind, TaskInput) else frozenset()
    return known


@functools.cache
def _environment() -> _Sandbox:
    return _Sandbox(undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False)


@functools.cache
def _template(source: str) -> jinja2.Template:
    return _environment().from_string(source)


def render_template(source: str, task_input: TaskInput) -> str:
    """Return a Jinja2 template, rendered in the sandbox with ``task_input`` as ``input``."""
    return _template(source).render(input=task_input)


@dataclass(frozen=True)
class GenerationTask(Generic[InputT, OutputT]):
    """A named, versioned question with its prompt.

    Text from seeds, memories and models is only ever a value of the template, never a template.
    """

    name: str
    version: str
    """Raised when the prompt or a schema changes its meaning."""
    input_type: type[InputT]
    output_type: type[OutputT]
    instructions: str
    """System message: a constant text."""
    template: str
    """Jinja2 source of the user message, rendered with the input as ``input``."""
    temperature: float = 0.0
    """Decoding temperature unless a profile says otherwise. 0 for judges, critics and readers."""
    max_tokens: int = 2048
    stop: tuple[str, ...] = ()
    """Texts at which the answer ends; they are not part of it."""
    keeps_thoughts: bool = False
    """Free text: what the model thinks before it answers, up to ``</think>``, is part of the answer."""

    def render(self, task_input: InputT) -> str:
        """Return the user message for ``task_input``."""
        return render_template(self.template, task_input)

    @functools.cached_property
    def prompt_version(self) -> str:
        """``name@version+digest``: the digest covers instructions, template and output schema."""
        schema = repr(sorted(self.output_type.model_json_schema().items()))
        digest = hashlib.sha256("\x1f".join([self.instructions, self.template, schema]).encode()).hexdigest()[:8]
        return f"{self.name}@{self.version}+{digest}"
