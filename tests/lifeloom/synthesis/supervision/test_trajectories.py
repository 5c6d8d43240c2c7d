"""Trajectories as examples: only what is right, well formed and seen; the conversation is what a policy would have."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lifeloom.assistant import ResponseSettings, ResponseStage
from lifeloom.assistant.parsing import parse_step
from lifeloom.memory import EpisodeDraft, UserMemory
from lifeloom.records import PromptOption, Rejection, RlPrompt, SftExample
from lifeloom.synthesis.supervision import Asked, Teacher, reasoning_example, trajectory_problems
from lifeloom.tasks import RESPONSE_STEP
from tests.lifeloom.assistant.test_response import (
    ENCODER,
    OFFSET,
    Scripted,
    at,
    fact,
    keep,
    picture,
    refused,
    retrieve,
    say,
)

RIGHT = "<think>They told me of green tea.</think>\n<answer>(b) green tea</answer>"
WRONG = "<think>They told me of mate.</think>\n<answer>(a) mate</answer>"
OPTIONS = tuple(
    PromptOption(letter=letter, text=text)  # type: ignore[arg-type]
    for letter, text in zip("abcd", ("mate", "green tea", "water", "wine"), strict=True)
)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[UserMemory]:
    """Green tea on Monday (turn 0), mate of the brother (turn 1), an hour later; boats on Thursday (turn 2)."""
    with UserMemory.open(tmp_path / "ines.sqlite", "ines") as opened:
        say(opened, "I drink green tea now. <img>", at(), 0, (picture(1),))
        say(opened, "My brother Rui drinks mate.", at(minutes=5), 0)
        keep(
            opened,
            "session-0",
            fact("The user drinks green tea.", "tea", turn=0),
            fact("The user's brother Rui drinks mate.", "mate", "Rui", turn=1),
            EpisodeDraft("The user told of drinks.", ("drinks",), (0, 1), ENCODER.encode(["drinks"])[0]),
            turns=2,
            when=at(minutes=65),
        )
        say(opened, "I saw a boat. <img>", at(3), 1, (picture(2),))
        yield opened


def prompt(evidence: tuple[int, ...] = (0,), *, minutes: int = 10, turns: int = 3, **changes: Any) -> RlPrompt:
    values: dict[str, Any] = {
        "prompt_id": "prompt-1",
        "kind": "choice",
        "task": "LPR",
        "case_id": "case-1",
        "user_id": "ines",
        "memories": "corpus/memories/shard-000",
        "dialogues": "corpus/dialogues/shard-000",
        "asked_at": at(3, minutes),
        "offset_minutes": OFFSET,
        "history_turns": turns,
        "query": "What do I drink?",
        "options": OPTIONS,
        "answer": "b",
        "evidence_turns": evidence,
    }
    return RlPrompt.model_validate({**values, **changes})


def asked_of(memory: UserMemory, model: Scripted, of: RlPrompt, *, steps: int = 4) -> Asked:
    teacher = Teacher(
        ResponseStage(model, ENCODER, ResponseSettings(steps=steps)),
        ResponseStage(model, ENCODER, ResponseSettings(steps=1)),
    )
    return teacher.asked(of, memory, random.Random(1), right)


def right(text: str) -> bool:
    return text.startswith("(b)")


def example(memory: UserMemory, model: Scripted, of: RlPrompt, **more: Any) -> SftExample:
    made = reasoning_example(asked_of(memory, model, of, **more), right)
    assert isinstance(made, SftExample), made
    return made


def rejected(memory: UserMemory, model: Scripted, of: RlPrompt) -> Rejection:
    made = reasoning_example(asked_of(memory, model, of), right)
    assert isinstance(made, Rejection), made
    return made


def test_a_trajectory_is_a_conversation_whose_memories_answer_the_retrieval(memory: UserMemory) -> None:
    made = example(memory, Scripted(retrieve("tea"), RIGHT), prompt())
    assert [one.role for one in made.messages] == ["system", "user", "assistant", "user", "assistant"]
    system, asked, looked, found, answered = (one.text for one in made.messages)
    assert system == RESPONSE_STEP.instructions
    assert "What do I drink?" in asked
    assert "(b) green tea" in asked
    assert "Retrievals left: 3." in asked
    assert "The user drinks green tea." not in asked
    assert looked == retrieve("tea")
    assert "The user drinks green tea." in found
    assert "Retrievals left: 2." in found
    assert "What do I drink?" not in found
    assert answered == RIGHT
    assert made.retrievals == 1
    assert trajectory_problems([made]) == []


def test_every_message_after_the_first_holds_its_own_retrieval_alone(memory: UserMemory) -> None:
    made = example(memory, Scripted(retrieve("Rui, mate"), retrieve("tea, green"), RIGHT), prompt())
    first, second, third = (one.text for one in made.messages if one.role == "user")
    assert "Memories, retrieval 1 (Rui, mate)" in second
    assert "Memories, retrieval 2 (tea, green)" in third
    assert "retrieval 1" not in third
    assert ("Retrievals left: 2." in second, "Retrievals left: 1." in third) == (True, True)
    assert "Memories" not in first
    # The same words as in the one prompt that a model is asked with otherwise.
    response = asked_of(memory, Scripted(retrieve("Rui, mate"), retrieve("tea, green"), RIGHT), prompt()).response
    assert response.prompt is not None
    for message in (second, third):
        body = message.partition("Retrievals left")[0]
        assert body in response.prompt.text


def test_pictures_stand_in_the_order_of_their_marks(memory: UserMemory) -> None:
    made = example(memory, Scripted(retrieve("tea"), RIGHT, pictures=True), prompt())
    assert [one.text.count("<img>") for one in made.messages if one.role == "user"] == [1, 1]
    assert made.pictures == (picture(2), picture(1))  # of the session, then of the dialogue that was found


def test_what_was_said_in_the_session_is_not_looked_up(memory: UserMemory) -> None:
    told = prompt((2,), query="What did I see?")
    model = Scripted(RIGHT)
    made = example(memory, model, told)
    assert made.retrievals == 0
    assert "Retrievals left: 0. Answer now." in made.messages[1].text
    # An hour later the session is over: the same question has to look.
    later = Scripted(retrieve("boat"), RIGHT)
    assert len(asked_of(memory, later, prompt((2,), minutes=120, query="What did I see?")).response.trace.steps) == 2


def test_where_answering_at_once_is_wrong_the_teacher_may_look(memory: UserMemory) -> None:
    made = asked_of(memory, Scripted(WRONG, retrieve("boat"), RIGHT), prompt((2,)))
    assert len(made.response.trace.steps) == 2
    assert made.retrievals == 3


def test_a_right_answer_from_nothing_seen_is_a_guess(memory: UserMemory) -> None:
    found = rejected(memory, Scripted(retrieve("tea", "2030-01-01 00:00"), RIGHT), prompt((0, 1)))
    assert (found.reason, found.detail) == ("not_grounded", "turns 0, 1 were not seen")


def test_evidence_counts_as_seen_by_the_source_of_a_memory_or_the_session(memory: UserMemory) -> None:
    made = asked_of(memory, Scripted(retrieve("tea"), RIGHT), prompt((0, 2)))
    assert {0, 2} <= made.seen


@pytest.mark.parametrize(
    ("outputs", "reason"),
    [
        ((retrieve("tea"), WRONG), "wrong_answer"),
        ((retrieve("tea"), "It is (b)."), "not_well_formed"),
        (("<answer>(b) green tea</answer>",), "not_well_formed"),
        ((refused("refusal"),), "refusal"),
        ((retrieve("tea"),), "no_answer"),
    ],
)
def test_what_is_not_right_or_not_well_formed_is_left_out_with_its_reason(
    memory: UserMemory, outputs: tuple[Any, ...], reason: str
) -> None:
    found = rejected(memory, Scripted(*outputs), prompt())
    assert (found.reason, found.item) == (reason, "prompt-1")


def test_nothing_of_the_truth_is_in_an_example(memory: UserMemory) -> None:
    secret = prompt(answer="b", case_id="case-secret", query="What do I drink, then?")
    made = example(memory, Scripted(retrieve("tea"), RIGHT), secret)
    told = "\n".join(one.text for one in made.messages)
    assert "case-secret" not in told
    other = example(memory, Scripted(retrieve("tea"), RIGHT), secret.model_copy(update={"evidence_turns": ()}))
    assert other.messages == made.messages


def test_a_step_that_the_parser_would_repair_is_a_problem(memory: UserMemory) -> None:
    made = example(memory, Scripted(retrieve("tea"), RIGHT), prompt())
    *others, last = made.messages
    broken = made.model_copy(update={"messages": (*others, last.model_copy(update={"text": "(b) green tea"}))})
    assert not parse_step("(b) green tea", 0).well_formed
    assert len(trajectory_problems([broken])) == 2  # no answer, and a repair
    assert trajectory_problems([made.model_copy(update={"retrievals": 2})]) != []
