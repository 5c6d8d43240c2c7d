"""Questions about pictures, on conversations and sights written by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from lifeloom.models.builtin.backend import BuiltinModel
from lifeloom.models.minilm import MiniLmEncoder
from lifeloom.tasks import CHOICE_ANSWER, ChoiceAnswerInput, ContextMessage, OptionText
from tests.eyes import ScriptedEyes

Row = str | tuple[str, ...]
"""What the user says, and what each picture shows, as ``tests.eyes.sight`` reads it."""

ENCODER = MiniLmEncoder()


def scores(
    query: str, options: Sequence[str], *rows: Row, encoder: MiniLmEncoder | None = ENCODER
) -> tuple[float, ...]:
    eyes = ScriptedEyes()
    context, images = [], []
    for row in rows:
        text, *pictures = (row,) if isinstance(row, str) else row
        images += [eyes.add(picture) for picture in pictures]
        context.append(ContextMessage(at="2025-03-01 10:00", role="user", text=text))
        reply = "Thanks for telling me. I will keep it in mind for later."
        context.append(ContextMessage(at="2025-03-01 10:00", role="assistant", text=reply))
    letters = tuple(OptionText(letter=letter, text=text) for letter, text in zip("abcd", options, strict=False))
    asked = ChoiceAnswerInput(context=tuple(context), asked_at="2025-06-01 09:00", query=query, options=letters)
    model = BuiltinModel(encoder, eyes=eyes, pictures=lambda picture: b"")
    return model.score_options(CHOICE_ANSWER, asked, list(options), images).scores


def best(query: str, options: Sequence[str], *rows: Row) -> str:
    """Return the option that scores highest, alone."""
    found = scores(query, options, *rows)
    winners = [option for option, score in zip(options, found, strict=True) if score == max(found)]
    assert len(winners) == 1, f"tie: {found}"
    return winners[0]


ALBUM: tuple[Row, ...] = (
    ("This is Priya <img>", "Priya;;cafe"),
    "Could you shorten this sentence for a leaflet? The hall opens at nine.",
    ("Meet my friend Tom: <img>", "Tom;;park"),
    ("<img> That's my cousin Mei, by the way.", "Mei"),
    "Priya is my sister and she is the best.",
    "Tom works with me, he has the desk next to mine.",
    ("Here's one from our reunion. <img>", "Priya, Tom; red backpack, dog, 3 balloon; beach"),
    "The rain has not let up all week and the buses are late again.",
    ("And here is a picture from the day we moved house. <img>", "Mei; blue backpack, cat, 2 balloon; kitchen, night"),
    ("One from the village fete, finally. <img>", "Mei, Priya; green umbrella, owl, apple; market"),
)
QUESTIONS: dict[str, tuple[str, Sequence[str], str]] = {
    "a colour": (
        "In the picture from our reunion, what colour was the backpack?",
        ["blue", "red", "green", "pink"], "red",
    ),
    "a colour of the same thing elsewhere": (
        "What colour is the backpack in the picture from the day we moved house?",
        ["It is blue.", "It is red.", "It is green.", "It is pink."], "It is blue.",
    ),
    "an animal": (
        "In the picture from our reunion, what animal is there?",
        ["a cat", "an owl", "a dog", "a horse"], "a dog",
    ),
    "a thing by another word": (
        "Which of these was in the photo I showed you from the village fete?",
        ["a guitar", "a brolly", "a rucksack", "a telly"], "a brolly",
    ),
    "a count in words": (
        "How many balloons are in the picture from the day we moved house?",
        ["Two", "Three", "Four", "One"], "Two",
    ),
    "a count in digits": (
        "How many balloons were there in my photo from our reunion?",
        ["2", "3", "4", "5"], "3",
    ),
    "who was there": (
        "Who was with me in the photo from the village fete?",
        ["Tom", "Mei", "Ana", "Raj"], "Mei",
    ),
    "who was there in sentences": (
        "You saw the snap from our reunion. Who is standing in it?",
        ["Mei is in it.", "Tom is in it.", "Ana is in it.", "Raj is in it."], "Tom is in it.",
    ),
    "which two were there": (
        "Who can be seen in the picture from our reunion?",
        ["Priya and Mei", "Mei and Tom", "Tom and Priya", "Mei and nobody else"], "Tom and Priya",
    ),
    "a place": (
        "Where was the picture from our reunion taken?",
        ["In the kitchen", "At the market", "At the beach", "In the library"], "At the beach",
    ),
    "the light": (
        "What time of day is it in the picture from the day we moved house?",
        ["morning", "night", "sunset", "the middle of the day"], "night",
    ),
    "what somebody in it is to the user": (
        "The person in the picture from the day we moved house: what are they to me?",
        ["my cousin", "my sister", "my colleague", "my uncle"], "my cousin",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_reader_answers_from_the_picture_that_is_meant(name: str) -> None:
    query, options, right = QUESTIONS[name]
    assert best(query, options, *ALBUM) == right


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_order_of_messages_and_options_does_not_matter(name: str) -> None:
    query, options, right = QUESTIONS[name]
    assert best(query, options[::-1], *ALBUM[:6], *ALBUM[:5:-1]) == right


INTRODUCTIONS = [
    "This is my friend Ines. <img>",
    "My friend Ines, here she is: <img>",
    "<img> Say hello to Ines!",
    "I don't think I have shown you Ines yet. <img>",
    "So that you can put a face to the name: Ines. <img>",
    "Here's a photo of my neighbour Ines <img> so you know whom I mean.",
    "Ines <img>",
    "And that is Ines over there <img>",
    "You keep asking what Ines looks like. <img>",
    "Ines is in this picture. <img>",
]


@pytest.mark.parametrize("text", INTRODUCTIONS)
def test_a_picture_of_one_person_with_a_name_gives_the_face_its_name(text: str) -> None:
    rows: tuple[Row, ...] = (
        ("Here is Tom. <img>", "Tom"),
        (text, "Ines;;park"),
        ("One from the boat trip. <img>", "Ines; dog; lake"),
    )
    assert best("Who is in the picture from the boat trip?", ["Tom", "Ana", "Ines", "Raj"], *rows) == "Ines"


NO_INTRODUCTIONS = [
    ("Tom bought this one. <img>", "stranger; guitar; street"),
    ("This is Tom's usual spot. <img>", "stranger;;park"),
    ("This is where Tom goes on Sundays. <img>", "stranger;;park"),
    ("This is Tom <img>", "stranger, another;;park"),
    ("This is Saturday for you. <img>", "stranger;;park"),
]


@pytest.mark.parametrize("row", NO_INTRODUCTIONS)
def test_other_words_around_a_person_name_nobody(row: Row) -> None:
    from lifeloom.models.builtin.reader.evidence import History
    from lifeloom.models.builtin.reader.looking import looked_at
    from tests.eyes import sight

    text, seen = row
    context = (ContextMessage(at="", role="user", text=text),)
    history = History.of(context, [looked_at(sight(seen))], 0.6)
    assert {name for picture in history.shown_in(0) for name in picture.people} == {""}


def test_a_face_below_the_threshold_has_no_name() -> None:
    rows: tuple[Row, ...] = (("Here is Tom. <img>", "Tom"), ("From the boat trip. <img>", "stranger; dog; lake"))
    found = scores("Who is in the picture from the boat trip?", ["Tom", "Ana"], *rows)
    assert max(found) < 1.5  # nobody is said to be there: all but a guess


def test_a_question_about_a_picture_nobody_showed_is_answered_from_the_words() -> None:
    options = ["a kayak", "a loom"]
    found = scores("What is in the picture above my desk?", options, "The picture above my desk shows a loom.")
    assert found[1] > found[0]
