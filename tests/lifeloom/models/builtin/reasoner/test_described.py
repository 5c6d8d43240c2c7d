"""Pictures that memories tell of in words."""

import pytest

from lifeloom.models.builtin.reader.text import stem
from lifeloom.models.builtin.reasoner import step_text
from lifeloom.models.builtin.reasoner.described import described_picture
from lifeloom.models.minilm import MiniLmEncoder
from lifeloom.tasks import OptionText, ResponseStepInput, RetrievedMemory, RetrievedRound


def test_people_things_place_and_light_are_read():
    found = described_picture(
        "From the user's graduation. The picture shows 3 people, a black dog, 2 times red mug, a museum (sunset)."
    )
    assert found is not None
    said, picture = found
    assert said == "From the user's graduation."
    things = [(thing.kind, thing.colour, thing.name) for thing in picture.sight.things]
    assert things == [("animal", "black", "dog"), ("object", "red", "mug"), ("object", "red", "mug")]
    assert (picture.sight.place, picture.sight.time_of_day) == ("museum", "sunset")
    assert {stem("dog"), stem("museum")} <= picture.stems
    assert len(picture.faces) == 0


def test_numbers_may_be_words_and_names_plural():
    found = described_picture("The photo shows two brown bears and an umbrella.")
    assert found is not None
    assert [(thing.colour, thing.name) for thing in found[1].sight.things] == [
        ("brown", "bear"), ("brown", "bear"), ("", "umbrella"),
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["The user likes pictures of dogs.", "", "A picture shows much."])
def test_other_texts_describe_no_picture(text):
    assert described_picture(text) is None


@pytest.mark.parametrize(("count", "letter"), [(2, "a"), (3, "b"), (4, "c")])
def test_what_a_memory_says_that_a_picture_shows_answers_questions_about_it(count, letter):
    memory = RetrievedMemory(
        kind="semantic",
        at="2026-02-01 09:00",
        content=f"Look, this is from the user's graduation. The picture shows a red car, {count} times black snail, a "
        "museum (day).",
    )
    step = ResponseStepInput(
        now="2026-03-09 10:00",
        weekday="Monday",
        profile=(),
        personality="",
        context=(),
        query="How many snails are in the picture from my graduation?",
        options=tuple(
            OptionText(letter=letter, text=text)  # type: ignore[arg-type]
            for letter, text in zip("abcd", ("two", "three", "four", "one"), strict=True)
        ),
        rounds=(RetrievedRound(keywords=("snails", "graduation"), memories=(memory,)),),
        retrievals_left=0,
    )
    assert f"<answer>({letter})" in step_text(step, MiniLmEncoder(), (), 1.0)
