"""However long a message is and whatever it repeats, reading it takes work in proportion to its length."""

import re
import sys
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from lifeloom.models.builtin.extractor import (
    core_text,
    episodic_text,
    infer_personality,
    procedural_text,
    semantic_text,
    telling,
)
from lifeloom.models.builtin.extractor.third_person import third_person
from lifeloom.models.builtin.extractor.wording import sentences_of
from lifeloom.models.builtin.reader.text import analyse, words_of
from lifeloom.models.builtin.reasoner import step_text
from lifeloom.tasks import (
    CoreUpdateInput,
    EpisodicUpdateInput,
    PersonalityInferenceInput,
    ProceduralUpdateInput,
    ResponseStepInput,
)
from tests.lifeloom.models.builtin.extractor.asking import AT, contents, semantic_input, turns_of

LONGEST = 500
UNITS = ("I ", "my brother and my sister and ", "not ", "no, ", '"', "(", "a", "tea? ", "No. ", "I'd like that one. ",
         "I love figs. ", "Ana and I ")  # fmt: skip


def step_of(query: str) -> ResponseStepInput:
    return ResponseStepInput(
        now=AT, weekday="Monday", profile=(), personality="", context=(), query=query, retrievals_left=0
    )


TASKS: dict[str, Callable[[str], object]] = {
    "semantic": lambda text: semantic_text(semantic_input(text)),
    "core": lambda text: core_text(CoreUpdateInput(profile=(), turns=turns_of(text))),
    "procedural": lambda text: procedural_text(ProceduralUpdateInput(current=(), turns=turns_of(text))),
    "episodic": lambda text: episodic_text(EpisodicUpdateInput(turns=turns_of(text))),
    "personality": lambda text: infer_personality(PersonalityInferenceInput(context=(), user=text)),
    "step": lambda text: step_text(step_of(text), None, (), 1.0),
}


def repeated(unit: str, length: int) -> str:
    return unit * (length // len(unit))


def calls_of(work: Callable[[], object]) -> int:
    """How many calls, of Python's own functions too, ``work`` makes."""
    count = 0

    def counted(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("unit", UNITS)
def test_a_sentence_is_bounded_and_no_word_is_lost(unit):
    text = repeated(unit, 20_000)
    sentences = analyse(text).sentences
    assert max(len(sentence.text) for sentence in sentences) <= LONGEST
    if unit.strip() != unit:
        assert [word for sentence in sentences for word in sentence.surface] == words_of(text)
    assert "".join("".join(sentence.surface) for sentence in sentences) == "".join(words_of(text))


def test_a_sentence_of_usual_length_stays_whole():
    text = f"My {'very ' * 90}old clock stands in the hall."
    assert [sentence.text for sentence in analyse(text).sentences] == [text]


@pytest.mark.parametrize("unit", UNITS)
def test_the_frames_read_each_word_once_and_never_much_at_a_time(unit, monkeypatch):
    read: list[int] = []

    class Recorder:
        def search(self, text: str) -> re.Match[str] | None:
            read.append(len(text))
            return None

    telling._frames_of.cache_clear()
    recorder = replace(telling.FRAMES[0], pattern=Recorder())  # type: ignore[arg-type]
    monkeypatch.setattr(telling, "FRAMES", (recorder,))
    text = repeated(unit, 21_000)
    semantic_text(semantic_input(text))
    telling._frames_of.cache_clear()
    # Words stand one blank apart, punctuation too.
    assert read or unit != "I "  # what only remarks is not read at all
    assert max(read, default=0) <= 2 * LONGEST
    assert sum(read) <= 2 * len(text)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("task", TASKS)
def test_four_times_the_message_takes_about_four_times_the_calls(task, unit):
    TASKS[task](repeated(unit, 900))  # what is made at first use
    short = calls_of(lambda: TASKS[task](repeated(unit, 2_000)))
    long = calls_of(lambda: TASKS[task](repeated(unit, 8_000)))
    assert long <= 6 * short + 2_000


@pytest.mark.parametrize("unit", ["I ", "Ana and I ", "I live and eat and ", "I'd never ", "my wife and I "])
def test_the_third_person_takes_calls_in_proportion(unit):
    short = calls_of(lambda: third_person(repeated(unit, 2_000)))
    long = calls_of(lambda: third_person(repeated(unit, 8_000)))
    assert long <= 6 * short


@pytest.mark.parametrize("unit", ["“", "“a ", "'I ", "no, ", "<img>", "No. "])
def test_cutting_a_message_into_sentences_takes_time_in_proportion(unit):
    def seconds(length: int) -> float:
        started = time.process_time()
        sentences_of(repeated(unit, length))
        return time.process_time() - started

    short = max(seconds(4_000), 0.02)
    assert seconds(32_000) <= 24 * short  # in proportion: 8 times; with the square: 64 times


def test_a_long_message_is_no_small_talk():
    assert "You are welcome" in step_text(step_of("No, no, thanks"), None, (), 1.0)
    assert "You are welcome" not in step_text(step_of("no, " * 15_000 + "thanks"), None, (), 1.0)


def test_what_a_long_message_tells_at_its_end_is_still_kept():
    assert contents("well " * 1_000 + ". I am allergic to peanuts.") == ["The user is allergic to peanuts."]
