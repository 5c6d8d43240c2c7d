"""Memory operations as examples: what the assistant's own parser reads as it stands, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from lifeloom.records import BY_CODE, MemoryOperation, PictureReference, Rejection, SftExample
from lifeloom.synthesis.supervision import asks_nothing, operation_example

SEMANTIC = "reason: A taste.\ndecision: yes\nkind: preference\ncontent: The user drinks green tea.\nkeywords: tea"
NOTHING = "reason: Small talk.\ndecision: no"
EPISODES = (
    "topic_summary: The user told of tea.\nkeywords: tea\nsource_dialog_indices: 1, 2\n\n"
    "topic_summary: The user told of boats.\nkeywords: boats\nsource_dialog_indices: 3"
)
SCORES = '{"openness":4,"conscientiousness":3,"extraversion":3,"agreeableness":3,"neuroticism":3}'
NEUTRAL = SCORES.replace("4", "3")
GOAL = "sail: The user wants to learn to sail. [1]"


def operation(kind: str, output: str, **changes: Any) -> MemoryOperation:
    values: dict[str, Any] = {
        "user_id": "ines",
        "operation_id": f"{kind}-4",
        "kind": kind,
        "step": 0,
        "first_turn": 4,
        "last_turn": 6,
        "instructions": "Keep what is worth keeping, such as Fatou <img>.",
        "prompt": "Latest message: I drink green tea.",
        "output": output,
        "outcome": "applied",
        "made_by": BY_CODE,
    }
    return MemoryOperation.model_validate({**values, **changes})


@pytest.mark.parametrize(
    ("kind", "output", "family"),
    [
        ("semantic", SEMANTIC, "memory_operation"),
        ("semantic", NOTHING, "memory_operation"),
        ("core", "human.name: Ines [1]", "memory_operation"),
        ("core", "none", "memory_operation"),
        ("procedural", GOAL, "memory_operation"),
        ("episodic", EPISODES, "memory_operation"),
        ("personality", SCORES, "personality_inference"),
    ],
)
def test_a_readable_operation_is_an_example_word_for_word(kind: str, output: str, family: str) -> None:
    asked = operation(kind, output)
    made = operation_example(asked)
    assert isinstance(made, SftExample), made
    assert made.family == family
    assert [one.text for one in made.messages] == [asked.instructions, asked.prompt, output]


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (operation("response", "<answer>Tea.</answer>"), "reply"),
        (operation("semantic", SEMANTIC, outcome="rejected", reason="no_form: ..."), "rejected"),
        (operation("semantic", SEMANTIC, reason="keywords_missing"), "repaired"),
        (operation("semantic", "I would keep the tea."), "unreadable"),
        (operation("semantic", SEMANTIC.replace("keywords: tea", "")), "unreadable"),
        (operation("episodic", EPISODES.replace("1, 2", "1")), "unreadable"),  # turn 2 is in no topic
        (operation("procedural", GOAL.replace("[1]", "[9]")), "unreadable"),  # there are three turns
        (operation("personality", SCORES.replace("4", "6")), "unreadable"),
        (operation("personality", "open-minded"), "unreadable"),
        (operation("semantic", SEMANTIC, prompt="Look: <img>"), "picture_marks"),
    ],
)
def test_what_is_no_example_says_why(made: MemoryOperation, reason: str) -> None:
    found = operation_example(made)
    assert isinstance(found, Rejection), found
    assert (found.reason, found.item) == (reason, f"ines {made.operation_id}")


def test_a_picture_of_the_prompt_goes_along_and_a_mark_in_the_answer_is_a_word() -> None:
    shown = PictureReference(content_hash=f"{1:064x}", width=56, height=56)
    concept = SEMANTIC.replace("kind: preference", "kind: visual_concept").replace(
        "The user drinks green tea.", "Fatou, the user's sister <img>"
    )
    made = operation_example(operation("semantic", concept + "\npicture: 1", prompt="Look: <img>", pictures=(shown,)))
    assert isinstance(made, SftExample), made
    assert made.pictures == (shown,)


@pytest.mark.parametrize(
    ("kind", "output", "nothing"),
    [
        ("semantic", NOTHING, True),
        ("semantic", SEMANTIC, False),
        ("core", "none", True),
        ("core", "human.name: Ines [1]", False),
        ("procedural", "none", True),
        ("procedural", GOAL, False),
        ("episodic", EPISODES, False),
        ("personality", NEUTRAL, True),
        ("personality", SCORES, False),
    ],
)
def test_it_is_told_whether_an_answer_asks_for_anything(kind: str, output: str, nothing: bool) -> None:
    made = operation_example(operation(kind, output))
    assert isinstance(made, SftExample)
    assert asks_nothing(made) is nothing
