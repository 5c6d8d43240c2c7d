"""Memories of one matter at different times, linked; and what a retrieval brings of them."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from lifeloom.assistant.memory_graph import Thread, ThreadSource, threads_of
from lifeloom.assistant.memory_graph.threads import DEFAULT_THREADS, known_by
from lifeloom.memory import (
    DialogueTurn,
    Origin,
    Period,
    RetrievalRequest,
    SemanticDraft,
    SetValue,
    UserMemory,
    erase_turn,
)
from lifeloom.records import Moment
from tests.remembering import MONDAY, OFFSET

TEA = ("I drink green tea.", "Moved on from green tea, my tea is mint now.", "My tea is black these days.")


def day(number: int) -> dt.datetime:
    return MONDAY + dt.timedelta(days=number)


def tell(memory: UserMemory, text: str, *keywords: str) -> int:
    """Say something, a day after what was said before, and have it remembered."""
    index = memory.turn_count()
    memory.add_turn(DialogueTurn(index, index, day(index), OFFSET, text, "I see."))
    memory.apply(f"turn-{index}", [SemanticDraft("fact", text, keywords, (index,))], Origin(day(index), index + 1))
    return index


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[UserMemory]:
    """Tea on Monday, Wednesday and Friday; a boat on Tuesday; a goal on Thursday that is changed on Saturday."""
    with UserMemory.open(tmp_path / "ines.sqlite", "ines") as opened:
        tell(opened, TEA[0], "tea", "leaf")
        tell(opened, "I have a boat called Gaivota.", "boat", "Gaivota")
        tell(opened, TEA[1], "tea", "leaf")
        tell(opened, "I want to run.", "run")
        run = SetValue("procedural", "run", "The user wants to run 5 km.", (3,))
        opened.apply("session-3", [run], Origin(day(3) + dt.timedelta(hours=1), 4))
        tell(opened, TEA[2], "tea", "leaf")
        tell(opened, "Ten is better.", "ten")
        run = SetValue("procedural", "run", "The user wants to run 10 km.", (5,))
        opened.apply("session-5", [run], Origin(day(5) + dt.timedelta(hours=1), 6))
        yield opened


def told(threads: tuple[Thread, ...]) -> list[list[str]]:
    return [[one.content for one in thread.members] for thread in threads]


def everything(memory: UserMemory, as_of: Moment | None = None) -> tuple[Thread, ...]:
    return threads_of(
        (
            *memory.memories("semantic", as_of=as_of),
            *memory.memories("procedural", as_of=as_of, ended=True),
        )
    )


def test_memories_of_one_matter_become_one_thread_whatever_lies_between(memory: UserMemory) -> None:
    assert told(everything(memory)) == [
        list(TEA),
        ["I have a boat called Gaivota."],
        ["I want to run.", "The user wants to run 5 km.", "The user wants to run 10 km."],
        ["Ten is better."],
    ]
    assert everything(memory)[0].title == "leaf, tea"


def test_the_order_in_which_memories_are_given_changes_nothing(memory: UserMemory) -> None:
    rows = [*memory.memories("semantic"), *memory.memories("procedural", ended=True)]
    shuffled = rows[:]
    random.Random(3).shuffle(shuffled)
    assert threads_of(shuffled) == threads_of(rows)


def test_a_word_of_nearly_every_memory_links_none_of_them(tmp_path: Path) -> None:
    with UserMemory.open(tmp_path / "rui.sqlite", "rui") as memory:
        for number in range(60):
            tell(memory, f"Thing {number}.", "chat", f"thing{number}")
        late = [thread for thread in everything(memory) if thread.members[0].known_turns > DEFAULT_THREADS.settled]
        assert late
        assert all(len(thread.members) == 1 for thread in late)


def test_the_threads_of_a_moment_are_those_of_all_with_later_memories_cut_off(memory: UserMemory) -> None:
    for hours in range(0, 24 * 7, 6):
        for turns in (None, 1, 3, 4, 6):
            moment = Moment(MONDAY + dt.timedelta(hours=hours), turns)
            assert known_by(everything(memory), moment) == everything(memory, moment)


def ask(memory: UserMemory, k: int = 2, **request: object) -> list[list[str]]:
    asked = RetrievalRequest(**{"text": "", "keywords": ("tea",), **request})  # type: ignore[arg-type]
    return [[one.content for one in found.members] for found in ThreadSource(memory).threads_for(asked, k)]


def test_a_request_brings_the_matter_as_a_whole_and_no_single_memory(memory: UserMemory) -> None:
    assert ask(memory) == [list(TEA)]
    assert ask(memory, keywords=("boat",)) == []
    assert ask(memory, keywords=("zebra",)) == []
    assert ask(memory, k=0) == []


def test_the_nearest_threads_come_first(memory: UserMemory) -> None:
    goal = ["I want to run.", "The user wants to run 5 km.", "The user wants to run 10 km."]
    assert ask(memory, keywords=("run", "tea", "leaf")) == [list(TEA), goal]
    assert ask(memory, keywords=("run", "tea", "leaf"), k=1) == [list(TEA)]


def test_a_thread_of_what_was_found_otherwise_comes_without_a_common_word(memory: UserMemory) -> None:
    first = memory.memories("semantic")[0].memory_id
    asked = RetrievalRequest("", keywords=("beverage",))
    (found,) = ThreadSource(memory).threads_for(asked, 2, found={first})
    assert found.members[0].memory_id == first
    assert found.score == pytest.approx(0.5 / 3)


def test_only_what_was_known_at_the_moment_is_in_a_thread(memory: UserMemory) -> None:
    assert ask(memory, as_of=Moment(day(3))) == [list(TEA[:2])]
    assert ask(memory, as_of=Moment(day(9), 4)) == [list(TEA[:2])]
    assert ask(memory, as_of=Moment(day(1))) == []


def test_a_period_an_exclusion_and_the_context_take_memories_out(memory: UserMemory) -> None:
    assert ask(memory, period=Period(day(1), day(4))) == [list(TEA[1:])]
    assert ask(memory, period=Period(day(4), None)) == []
    ids = [one.memory_id for one in memory.memories("semantic")]
    assert ask(memory, exclude=frozenset(ids[:1])) == [list(TEA[1:])]
    assert ask(memory, context_turns=frozenset({4})) == [list(TEA[:2])]
    (thread, *_) = everything(memory)
    assert ask(memory, exclude=frozenset({thread.thread_id})) == []


def test_a_summary_says_how_often_from_when_to_when_and_what_came_first_and_last(memory: UserMemory) -> None:
    (found,) = ThreadSource(memory).threads_for(RetrievalRequest("", keywords=("tea",)), 1)
    assert found.summary(OFFSET) == (
        f"Told 3 times on 3 days, from 2026-01-05 to 2026-01-09. First: {TEA[0]} Last: {TEA[2]}"
    )
    assert [turn.index for turn in found.turns] == [0, 2, 4]


def test_a_summary_puts_no_full_stop_after_one_of_another_script(tmp_path: Path) -> None:
    with UserMemory.open(tmp_path / "lin.sqlite", "lin") as opened:
        for _ in range(2):
            tell(opened, "我的狗喜欢喝茶。", "狗")
        (found,) = ThreadSource(opened).threads_for(RetrievalRequest(text="狗"), 1)
        assert found.summary(OFFSET).endswith("Last: 我的狗喜欢喝茶。")


def test_the_matter_that_is_told_most_is_one_thread(tmp_path: Path) -> None:
    """Its words are common by then: forty memories are settled, and more than a tenth have them."""
    with UserMemory.open(tmp_path / "ines.sqlite", "ines") as opened:
        for number in range(120):
            tell(opened, "I play the cello.", "cello") if number % 2 else tell(
                opened, f"Day {number}.", f"day{number}x"
            )
        (cello,) = [one for one in everything(opened) if "cello" in one.terms]
    assert len(cello.members) == 60


def test_of_a_long_thread_the_first_turn_and_the_latest_five_are_shown(tmp_path: Path) -> None:
    with UserMemory.open(tmp_path / "rui.sqlite", "rui") as memory:
        for number in range(9):
            tell(memory, f"My tea number {number}.", "tea")
        (found,) = ThreadSource(memory).threads_for(RetrievalRequest("", keywords=("tea",)), 1)
        assert [turn.index for turn in found.turns] == [0, 4, 5, 6, 7, 8]
        assert len(found.members) == 9


def test_what_is_added_or_erased_is_in_the_next_answer_of_the_same_source(memory: UserMemory) -> None:
    source = ThreadSource(memory)
    asked = RetrievalRequest("", keywords=("tea",))
    assert len(source.threads_for(asked, 1)[0].members) == 3
    tell(memory, "Tea with milk from now on.", "tea")
    assert len(source.threads_for(asked, 1)[0].members) == 4
    erase_turn(memory, 2)
    assert [one.content for one in source.threads_for(asked, 1)[0].members] == [
        TEA[0],
        TEA[2],
        "Tea with milk from now on.",
    ]


def test_what_another_handle_writes_is_seen(memory: UserMemory) -> None:
    source = ThreadSource(memory)
    asked = RetrievalRequest("", keywords=("tea",))
    source.threads_for(asked, 1)
    with UserMemory.open(memory.path, "ines") as other:
        tell(other, "Tea with milk from now on.", "tea")
    assert len(source.threads_for(asked, 1)[0].members) == 4


def test_kinds_that_are_left_out_are_in_no_thread(memory: UserMemory) -> None:
    asked = RetrievalRequest("", keywords=("run",))
    assert ThreadSource(memory, kinds=frozenset({"semantic"})).threads_for(asked, 2) == ()


def test_an_empty_memory_has_no_threads(tmp_path: Path) -> None:
    with UserMemory.open(tmp_path / "new.sqlite", "new") as memory:
        assert ask(memory) == []
