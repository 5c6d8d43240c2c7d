"""Counting questions of the response stage."""

from __future__ import annotations

import pytest

from lifeloom.models.builtin.reasoner import step_text
from lifeloom.tasks import ContextMessage, OptionText, ResponseStepInput, RetrievedMemory, RetrievedRound

NUMBERS = tuple(OptionText(letter=letter, text=text) for letter, text in zip("abcd", "2345", strict=True))  # type: ignore[arg-type]


def answered(query: str, *memories: RetrievedMemory, options: tuple[OptionText, ...] = NUMBERS) -> str:
    step = ResponseStepInput(
        now="2026-03-09 10:00",
        weekday="Monday",
        profile=(),
        personality="",
        context=(),
        query=query,
        options=options,
        rounds=(RetrievedRound(keywords=("tea",), memories=memories),),
        retrievals_left=0,
    )
    return step_text(step, None, (), 1.0).partition("<answer>")[2][:3]


def thread(key: str, content: str) -> RetrievedMemory:
    return RetrievedMemory(kind="thread", at="2026-01-05 10:00", key=key, content=content)


TEA = thread("tea", "Told 4 times on 3 days, from 2026-01-05 to 2026-01-09. First: I drink tea. Last: My tea is mint.")
BOAT = thread("boat", "Told 5 times on 2 days, from 2026-01-05 to 2026-01-06. First: A boat. Last: The boat sank.")


@pytest.mark.parametrize(
    ("query", "letter"),
    [
        ("How many times have I told you about my tea so far?", "(c)"),
        ("How often has my tea come up with you, counting each message of mine?", "(c)"),
        ("On how many different days have I told you about my tea?", "(b)"),
        ("How many times have I told you about my boat?", "(d)"),
    ],
)
def test_the_thread_of_the_matter_says_how_often(query: str, letter: str) -> None:
    assert answered(query, BOAT, TEA) == letter


def said(*days: int) -> tuple[ContextMessage, ...]:
    return tuple(ContextMessage(at=f"2026-01-{day:02} 10:00", role="user", text="My tea is green.") for day in days)


def test_what_a_thread_does_not_show_is_added_to_the_messages_that_were_found() -> None:
    """Five times in all: three are shown, one of them also as an episode, and two are not shown."""
    shown = said(1, 8, 9)
    long = RetrievedMemory(
        kind="thread",
        at="2026-01-01 10:00",
        key="tea",
        content=TEA.content.replace("4 times on 3", "5 times on 5"),
        turns=shown,
    )
    episode = RetrievedMemory(kind="episodic", at="2026-01-08 10:00", content="Tea.", turns=said(8))
    for query in ("How many times have I told you about my tea?", "On how many days did I tell you about my tea?"):
        assert answered(query, episode, long) == "(d)"


def test_messages_that_a_thread_missed_count_too() -> None:
    short = RetrievedMemory(
        kind="thread",
        at="2026-01-01 10:00",
        key="tea",
        content=TEA.content.replace("4 times on 3", "2 times on 2"),
        turns=said(1, 3),
    )
    episode = RetrievedMemory(kind="episodic", at="2026-01-05 10:00", content="Tea.", turns=said(5))
    assert answered("How many times have I told you about my tea?", episode, short) == "(b)"


def test_without_a_thread_the_messages_that_speak_of_it_are_counted() -> None:
    turns = tuple(
        ContextMessage(at=f"2026-01-0{day} 10:00", role="user", text=text)
        for day, text in enumerate(("My tea is green.", "A boat!", "Tea again.", "My tea is mint."), start=1)
    )
    found = RetrievedMemory(kind="episodic", at="2026-01-01 10:00", content="Tea.", turns=turns)
    assert answered("How many times have I told you about my tea?", found) == "(b)"


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("How often did I tell you about my tea?", "You told me of that 3 times"),
        ("On how many days did I tell you about my tea?", "You told me of that on 2 days"),
        ("How many times have I mentioned my boat to you?", "You told me of that once"),
    ],
)
def test_a_message_without_options_is_answered_in_words(query: str, answer: str) -> None:
    turns = [*said(1, 3), ContextMessage(at="2026-01-03 18:00", role="user", text="More tea."), *_boat()]
    found = RetrievedMemory(kind="episodic", at="2026-01-01 10:00", content="Tea.", turns=tuple(turns))
    assert f"<answer>{answer}" in _stepped(query, found)


def test_it_is_looked_up_before_it_is_counted() -> None:
    assert "<retrieve>" in _stepped("How often did I tell you about my tea?")


def _boat() -> tuple[ContextMessage, ...]:
    return (ContextMessage(at="2026-01-04 10:00", role="user", text="A boat!"),)


def _stepped(query: str, *memories: RetrievedMemory) -> str:
    step = ResponseStepInput(
        now="2026-03-09 10:00",
        weekday="Monday",
        profile=(),
        personality="",
        context=(),
        query=query,
        options=(),
        rounds=(RetrievedRound(keywords=("tea",), memories=memories),) if memories else (),
        retrievals_left=0 if memories else 2,
    )
    return step_text(step, None, (), 1.0)


def test_options_that_are_no_numbers_are_chosen_as_ever() -> None:
    words = tuple(OptionText(letter=letter, text=text) for letter, text in (("a", "the boat"), ("b", "mint tea")))  # type: ignore[arg-type]
    assert answered("How often do I drink what?", TEA, options=words) in ("(a)", "(b)")
