"""What each task says to a model, pinned as text files under ``prompts/``.

A prompt that changes on purpose: run with ``LIFELOOM_WRITE_SNAPSHOTS=1``, read the difference, and raise the task's
version when the meaning changed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

import lifeloom.tasks
from lifeloom.tasks import (
    ALIGNMENT_JUDGEMENT,
    ALIGNMENT_WRITING,
    CHOICE_ANSWER,
    PERSONA_ENRICHMENT,
    SESSION_CRITIQUE,
    SESSION_WRITING,
    AlignmentJudgementInput,
    AlignmentWritingInput,
    ChoiceAnswerInput,
    ContextMessage,
    CritiqueTurn,
    GenerationTask,
    OptionText,
    PersonaEnrichmentInput,
    PictureBrief,
    SessionCritiqueInput,
    SessionWritingInput,
    StatementBrief,
    TraitScores,
    TurnBrief,
)

PROMPTS = Path(__file__).parent / "prompts"

TRAITS = TraitScores(openness=4.1, conscientiousness=2.2, extraversion=3.3, agreeableness=1.4, neuroticism=4.5)
CONTEXT = (
    ContextMessage(at="2026-01-02 09:05", role="user", text="I switched from coffee to green tea."),
    ContextMessage(at="2026-01-02 09:06", role="assistant", text="Good to know, Ana."),
)
OPTIONS = (
    OptionText(letter="a", text="coffee"),
    OptionText(letter="b", text="green tea"),
    OptionText(letter="c", text="cocoa"),
    OptionText(letter="d", text="mate"),
)

EXAMPLES: dict[str, tuple[GenerationTask[Any, Any], Any]] = {
    "alignment_judgement": (
        ALIGNMENT_JUDGEMENT,
        AlignmentJudgementInput(
            context=CONTEXT, asked_at="2026-01-05 10:00", query="Shall I go?", response="Yes, do go, it will be fun!"
        ),
    ),
    "alignment_writing": (
        ALIGNMENT_WRITING,
        AlignmentWritingInput(
            query="Shall I go?", content="go early, leave early", traits=TRAITS, trait="neuroticism", edition="release"
        ),
    ),
    "choice_answer": (
        CHOICE_ANSWER,
        ChoiceAnswerInput(context=CONTEXT, asked_at="2026-01-05 10:00", query="What do I drink now?", options=OPTIONS),
    ),
    "choice_answer_blind": (
        CHOICE_ANSWER,
        ChoiceAnswerInput(context=(), asked_at="2026-01-05 10:00", query="What do I drink now?", options=OPTIONS),
    ),
    "persona_enrichment": (
        PERSONA_ENRICHMENT,
        PersonaEnrichmentInput(
            base_persona="A baker from Porto who restores radios",
            name="Ana",
            people=("Rui (brother)", "Mei (neighbour)"),
            traits=TRAITS,
        ),
    ),
    "persona_enrichment_alone": (
        PERSONA_ENRICHMENT,
        PersonaEnrichmentInput(base_persona="A hermit", name="Ana", people=(), traits=TRAITS),
    ),
    "session_critique": (
        SESSION_CRITIQUE,
        SessionCritiqueInput(
            turns=(
                CritiqueTurn(turn_index=7, local_time="2026-01-02 09:05", user="I love tea.", assistant="Noted."),
                CritiqueTurn(turn_index=8, local_time="2026-01-02 09:09", user="I never drink tea.", assistant="Ah."),
            )
        ),
    ),
    "session_writing": (
        SESSION_WRITING,
        SessionWritingInput(
            name="Ana",
            role_description="A baker from Porto who talks fast.",
            traits=TRAITS,
            edition="corpus",
            local_date="Friday 2026-01-02",
            session_number=3,
            turns=(
                TurnBrief(position=1, local_time="09:05", act="small_talk", area="weather"),
                TurnBrief(
                    position=2,
                    local_time="09:09",
                    act="statement",
                    area="drink",
                    statements=(
                        StatementBrief(
                            fact_kind="preference",
                            statement_kind="shift",
                            phrase="morning drink",
                            value="green tea",
                            previous_value="coffee",
                        ),
                        StatementBrief(
                            fact_kind="preference",
                            statement_kind="other_person",
                            phrase="morning drink",
                            value="mate",
                            holder_name="Rui",
                            holder_relation="brother",
                        ),
                    ),
                ),
                TurnBrief(
                    position=3,
                    local_time="09:20",
                    act="occasion",
                    area="family",
                    occasion_caption="Cake on the beach",
                    occasion_when="last Sunday",
                ),
                TurnBrief(
                    position=4,
                    local_time="09:26",
                    act="picture",
                    area="friends",
                    pictures=(
                        PictureBrief(role="album", handle="our reunion"),
                        PictureBrief(role="portrait", name="Noor"),
                    ),
                ),
                TurnBrief(
                    position=5,
                    local_time="09:31",
                    act="statement",
                    area="technology",
                    statements=(
                        StatementBrief(
                            fact_kind="hidden_intent",
                            statement_kind="direct",
                            phrase="next big buy",
                            value="",
                            pictured=True,
                        ),
                    ),
                    pictures=(PictureBrief(role="statement"),),
                ),
            ),
        ),
    ),
}

EXAMPLES["session_writing_again"] = (
    SESSION_WRITING,
    EXAMPLES["session_writing"][1].model_copy(
        update={"corrections": ("turn 2 names the wrong drink", "turn 3 has no date")}
    ),
)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_prompt_is_the_one_on_file(name: str) -> None:
    task, task_input = EXAMPLES[name]
    text = f"--- system\n{task.instructions}\n--- user\n{task.render(task_input)}\n"
    path = PROMPTS / f"{name}.txt"
    if os.environ.get("LIFELOOM_WRITE_SNAPSHOTS"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def _tasks() -> list[GenerationTask[Any, Any]]:
    return [value for value in vars(lifeloom.tasks).values() if isinstance(value, GenerationTask)]


def test_every_task_has_a_prompt_on_file_and_every_file_a_task() -> None:
    assert {task.name for task in _tasks()} == {task.name for task, _ in EXAMPLES.values()}
    assert {path.stem for path in PROMPTS.glob("*.txt")} == set(EXAMPLES)


def _leaves(value: object) -> Iterator[str]:
    if isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from _leaves(getattr(value, name))
    elif isinstance(value, tuple):
        for item in value:
            yield from _leaves(item)
    elif not isinstance(value, bool):  # shown by what the prompt says of it, which the files on record hold
        yield str(value)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_prompt_shows_every_field_of_its_input(name: str) -> None:
    task, task_input = EXAMPLES[name]
    prompt = task.render(task_input)
    for leaf in _leaves(task_input):
        assert leaf in prompt


@pytest.mark.parametrize("task", _tasks(), ids=lambda task: task.name)
def test_readers_judges_and_critics_decode_without_chance(task: GenerationTask[Any, Any]) -> None:
    writers = {"alignment_writing", "persona_enrichment", "session_writing"}
    assert (task.temperature > 0) == (task.name in writers)


@pytest.mark.parametrize("task", _tasks(), ids=lambda task: task.name)
def test_inputs_and_outputs_are_frozen_and_take_nothing_extra(task: GenerationTask[Any, Any]) -> None:
    for record in (task.input_type, task.output_type):
        assert record.model_config["frozen"]
        assert record.model_config["extra"] == "forbid"
