"""The built-in judge of MMHal-Bench: answers that hold up are rated 3 and more, others below."""

from __future__ import annotations

import pytest

from lifeloom.models.builtin.backend import BuiltinModel
from lifeloom.tasks import MMHAL_JUDGEMENT, MmhalJudgementInput


def rating(answer: str, *, question: str, standard: str, contents: tuple[str, ...] = ()) -> int:
    asked = MmhalJudgementInput(contents=contents, question=question, standard=standard, answer=answer)
    said = BuiltinModel().run(MMHAL_JUDGEMENT, asked).output.text
    assert said.splitlines()[-1].startswith("Rating: ")
    return int(said.rsplit(maxsplit=1)[-1])


BALLOON = {
    "question": "What colour is the balloon, and who holds it?",
    "standard": "The balloon is red, and a small girl with a hat holds it.",
    "contents": ("Balloon", "Girl", "Hat", "Street"),
}


@pytest.mark.parametrize(
    "answer",
    [
        "The red balloon is held by a small girl in a hat.",
        "It is red.",
        "A girl on the street holds it.",
    ],
)
def test_an_answer_that_is_supported_is_free_of_hallucination(answer: str) -> None:
    assert rating(answer, **BALLOON) >= 3  # type: ignore[arg-type]


def test_the_more_of_the_standard_answer_the_higher() -> None:
    full = rating("The balloon is red and a small girl with a hat holds it.", **BALLOON)  # type: ignore[arg-type]
    part = rating("A girl with a hat.", **BALLOON)  # type: ignore[arg-type]
    assert full > part >= 3


@pytest.mark.parametrize(
    "answer",
    [
        "The balloon is green, and a small girl with a hat holds it.",
        "A clown on a unicycle juggles torches before a castle.",
    ],
)
def test_what_nothing_supports_is_hallucination(answer: str) -> None:
    assert rating(answer, **BALLOON) < 3  # type: ignore[arg-type]


@pytest.mark.parametrize(("answer", "sound"), [("There are 3 dogs.", True), ("There are two dogs.", False)])
def test_numbers_are_compared_in_words_or_digits(answer: str, sound: bool) -> None:
    said = rating(answer, question="How many dogs are there?", standard="There are three dogs in the picture.")
    assert (said >= 3) is sound


def test_yes_is_wrong_where_no_is_right() -> None:
    asked = {"question": "Is the cat on the sofa?", "standard": "No, the cat is not on the sofa."}
    assert rating("Yes, the cat is on the sofa.", **asked) < 3  # type: ignore[arg-type]
    assert rating("No, the cat is not on the sofa.", **asked) >= 3  # type: ignore[arg-type]


def test_who_says_nothing_is_not_informative_and_free_of_hallucination() -> None:
    assert rating("", **BALLOON) == 3  # type: ignore[arg-type]
