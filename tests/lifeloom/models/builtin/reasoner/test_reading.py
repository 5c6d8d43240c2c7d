"""What a step shows, as one conversation."""

from typing import Any

import numpy as np
import pytest

from lifeloom.models.builtin.reader.looking import LookedAt
from lifeloom.models.builtin.reasoner.reading import first_person, read_all
from lifeloom.tasks import (
    RESPONSE_STEP,
    ContextMessage,
    ProfileLine,
    ResponseStepInput,
    RetrievedMemory,
    RetrievedRound,
)


def said(at: str, text: str, role: Any = "user") -> ContextMessage:
    return ContextMessage(at=at, role=role, text=text)


def step(**given: Any) -> ResponseStepInput:
    plain: dict[str, Any] = {
        "now": "2026-03-09 10:00", "weekday": "Monday", "profile": (), "personality": "", "context": (),
        "query": "What do I drink?", "retrievals_left": 0,
    }  # fmt: skip
    return ResponseStepInput(**{**plain, **given})


def found(*memories: RetrievedMemory) -> RetrievedRound:
    return RetrievedRound(keywords=("drink",), memories=memories)


def a_picture() -> LookedAt:
    return LookedAt(object(), frozenset(), frozenset(), np.zeros((0, 1), dtype=np.float32))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("about", "own"),
    [
        ("The user likes figs.", "I like figs."),
        ("The user no longer drinks coffee.", "I no longer drink coffee."),
        ("The user is a baker.", "I am a baker."),
        ("The user has two cats.", "I have two cats."),
        ("The user tries new recipes and keeps their notes.", "I try new recipes and keeps my notes."),
        ("The user's sister is called Ana.", "My sister is called Ana."),
        ("Ana is the user's sister.", "Ana is my sister."),
        ("The user's colleague Stefan likes their coffee black.", "My colleague Stefan likes their coffee black."),
        ("The user moved to Porto. The user went back.", "I moved to Porto. I went back."),
        ("Nuria told the user that the user washes up.", "Nuria told me that I wash up."),
        ("I like figs.", "I like figs."),
    ],
)
def test_what_is_told_about_the_user_is_turned_into_the_first_person(about, own):
    assert first_person(about) == own


def test_messages_come_in_order_of_time_and_none_twice():
    tea, reply = said("2026-02-01 09:00", "I drink tea."), said("2026-02-01 09:00", "Good.", "assistant")
    cocoa = said("2026-03-01 09:00", "Now I drink cocoa.")
    now = said("2026-03-09 09:50", "Hello.")
    both = RetrievedMemory(kind="episodic", at=cocoa.at, content="Drinks.", turns=(cocoa, tea, reply))
    again = RetrievedMemory(kind="episodic", at=tea.at, content="Tea.", turns=(tea, reply))
    heard = read_all(step(context=(now,), rounds=(found(both), found(again))), ())
    assert [message.text for message in heard.messages] == ["I drink tea.", "Good.", "Now I drink cocoa.", "Hello."]


def test_knowledge_is_read_where_it_was_said_unless_the_turn_itself_is_there():
    tea = said("2026-02-01 09:00", "I drink tea.")
    rounds = (
        found(
            RetrievedMemory(kind="semantic", at="2026-02-01 09:00", content="The user drinks tea."),
            RetrievedMemory(kind="semantic", at="2026-01-01 09:00", content="The user drinks milk."),
            RetrievedMemory(kind="episodic", at=tea.at, content="Tea.", turns=(tea,)),
        ),
    )
    heard = read_all(step(rounds=rounds), ())
    assert [message.text for message in heard.messages] == ["I drink milk.", "I drink tea."]


def test_values_that_hold_stand_behind_what_is_older_and_before_the_session():
    rounds = (
        found(
            RetrievedMemory(kind="procedural", at="2026-01-01 09:00", key="goal", content="The user wants to run."),
            RetrievedMemory(kind="semantic", at="2026-02-01 09:00", content="The user likes figs."),
        ),
    )
    core = (ProfileLine(block="human", key="name", content="Ana"),)
    heard = read_all(step(profile=core, context=(said("2026-03-09 09:50", "Hello."),), rounds=rounds), ())
    assert [message.text for message in heard.messages] == [
        "I like figs.",
        "My name is Ana.",
        "I want to run.",
        "Hello.",
    ]


def test_each_message_keeps_the_pictures_of_its_own_marks():
    pictures = [a_picture() for _ in range(5)]
    task_input = step(
        context=(said("2026-03-09 09:50", "session <img>"),),
        query="query <img>?",
        rounds=(
            found(
                RetrievedMemory(kind="semantic", at="2026-02-02 09:00", content="The user's dog Rex crop <img>"),
                RetrievedMemory(
                    kind="episodic", at="2026-02-01 09:00", content="An album.",
                    turns=(said("2026-02-01 09:00", "first <img> second <img>"),),
                ),
            ),
        ),
    )  # fmt: skip
    prompt = RESPONSE_STEP.render(task_input)
    places = [prompt.index(text) for text in ("session <img>", "query <img>", "crop <img>", "first <img> second <img>")]
    assert places == sorted(places)  # the order of the prompt's marks, in which pictures are given
    heard = read_all(task_input, pictures)
    session, _, crop, first, second = pictures
    assert [message.text.split()[-2] for message in heard.messages] == ["second", "crop.", "session"]
    assert heard.looked == (first, second, crop, session)


def test_a_visual_concept_is_read_as_an_introduction():
    crop = a_picture()
    memory = RetrievedMemory(kind="semantic", at="2026-02-02 09:00", content="Fatou, the user's bandmate <img>")
    heard = read_all(step(rounds=(found(memory),)), [crop])
    assert [message.text for message in heard.messages] == ["This is Fatou, my bandmate. <img>"]
    assert heard.looked == (crop,)


def test_marks_without_a_picture_do_not_shift_the_others():
    task_input = step(
        context=(said("2026-03-09 09:50", "session <img>"),),
        rounds=(
            found(
                RetrievedMemory(
                    kind="episodic", at="2026-02-01 09:00", content="x", turns=(said("2026-02-01 09:00", "lost <img>"),)
                )
            ),
        ),
    )
    only = a_picture()
    heard = read_all(task_input, [only])
    assert [message.text.count("<img>") for message in heard.messages] == [0, 1]
    assert heard.looked == (only,)
