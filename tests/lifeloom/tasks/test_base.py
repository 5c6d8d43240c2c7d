"""A generation task: rendering, the version of its prompt, and text that tries to be a template."""

from __future__ import annotations

import dataclasses
import subprocess
import sys

import jinja2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifeloom.tasks import (
    CHOICE_ANSWER,
    PERSONA_ENRICHMENT,
    ChoiceAnswerInput,
    GenerationTask,
    OptionText,
    PersonaEnrichmentInput,
    TaskInput,
    TaskOutput,
    TraitScores,
)

TRAITS = TraitScores(openness=1, conscientiousness=2, extraversion=3, agreeableness=4, neuroticism=5)


class Word(TaskInput):
    text: str


class Length(TaskOutput):
    letters: int


class LengthAndLanguage(TaskOutput):
    letters: int
    language: str


COUNT = GenerationTask(
    name="count",
    version="1",
    input_type=Word,
    output_type=Length,
    instructions="Count.",
    template="How many letters has {{ input.text }}?",
)


def test_the_input_stands_in_the_prompt() -> None:
    assert COUNT.render(Word(text="tea")) == "How many letters has tea?"


@pytest.mark.parametrize("template", ["{{ input.txet }}", "{{ word }}", "{% for w in words %}{{ w }}{% endfor %}"])
def test_a_field_that_does_not_exist_is_an_error_and_never_an_empty_text(template: str) -> None:
    with pytest.raises(jinja2.UndefinedError):
        dataclasses.replace(COUNT, template=template).render(Word(text="tea"))


@pytest.mark.parametrize(
    "text",
    [
        "{{ 7*7 }}",
        "{% for i in range(9) %}x{% endfor %}",
        "{# gone #}",
        "{{ input.__class__.__mro__ }}",
        "{{ cycler.__init__.__globals__ }}",
        "</script><b>&amp;",
        "${7*7} #{7*7} %(x)s {0}",
    ],
)
def test_a_seed_that_looks_like_a_template_stays_as_it_is(text: str) -> None:
    prompt = PERSONA_ENRICHMENT.render(
        PersonaEnrichmentInput(base_persona=text, name="Ana", people=(text,), traits=TRAITS)
    )
    assert prompt.count(text) == 2
    assert "49" not in prompt.replace(text, "")


@given(st.text())
def test_any_text_is_rendered_unchanged(text: str) -> None:
    assert COUNT.render(Word(text=text)) == f"How many letters has {text}?"


def test_an_option_cannot_be_a_template_either() -> None:
    prompt = CHOICE_ANSWER.render(
        ChoiceAnswerInput(
            context=(),
            asked_at="2026-01-05 10:00",
            query="{{ 7*7 }}",
            options=(OptionText(letter="a", text="{{ 6*7 }}"), OptionText(letter="b", text="no")),
        )
    )
    assert "{{ 7*7 }}" in prompt
    assert "(a) {{ 6*7 }}" in prompt


@pytest.mark.parametrize(
    "template", ["{{ input.__class__.__mro__ }}", "{{ input.model_copy.__func__ }}", "{{ ''.__class__ }}"]
)
def test_a_template_cannot_reach_behind_its_input(template: str) -> None:
    with pytest.raises((jinja2.exceptions.SecurityError, jinja2.UndefinedError)):
        dataclasses.replace(COUNT, template=template).render(Word(text="tea"))


def test_the_prompt_version_is_name_version_and_digest() -> None:
    name, _, rest = COUNT.prompt_version.partition("@")
    version, _, digest = rest.partition("+")
    assert (name, version) == ("count", "1")
    assert len(digest) == 8
    assert set(digest) <= set("0123456789abcdef")


def test_the_prompt_version_changes_with_template_instructions_schema_and_version() -> None:
    versions = [
        COUNT.prompt_version,
        dataclasses.replace(COUNT, template="Letters in {{ input.text }}?").prompt_version,
        dataclasses.replace(COUNT, instructions="Count well.").prompt_version,
        dataclasses.replace(COUNT, output_type=LengthAndLanguage).prompt_version,
        dataclasses.replace(COUNT, version="2").prompt_version,
    ]
    assert len(set(versions)) == len(versions)


def test_the_prompt_version_is_the_same_in_every_process() -> None:
    script = "from lifeloom.tasks import SESSION_WRITING; print(SESSION_WRITING.prompt_version)"
    found = {
        subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(found) == 1
