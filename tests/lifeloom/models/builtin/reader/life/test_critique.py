"""Questions against the ground truth: what is right passes, planted faults are found and named."""

import random

import pytest

from lifeloom.models.builtin.reader.life import critique_question
from lifeloom.tasks import OptionText, QuestionCritiqueInput

WHO = ("Ana is the account owner.", "Rui is the account owner's brother.", "Rex is the account owner's dog.")
DAY = (
    *WHO,
    "On 2025-03-01: crabbing, in the harbour. There: Ana, Rui and Rex.",
    "Photo 1 of 2025-03-01 shows, from left to right, Rui, Ana, with two red hats and a blue mug.",
    "Photo 2 of 2025-03-01 shows, from left to right, Rui, with a ladder.",
    "Photo 3 of 2025-03-01 shows, from left to right, Rex, Rui, with a blue hat.",
    "The mug in that photo is nearest to Ana.",
)
LIFE = (
    *WHO,
    "Rui likes figs and fado.",
    "Rui is a tailor.",
    "2025-03-01: crabbing (a form of fishing), in the harbour, with Ana, Rui and Rex.",
    "2025-03-09: hiking (a form of hiking), in the forest, with Rui.",
    "2025-04-02: ice fishing (a form of fishing), by the lake, with Rui and Rex.",
    "2025-05-05: having tea (a form of tea and coffee), in a cafe, with Ana.",
)
PICTURE = (
    *WHO,
    "The picture shows, from left to right: Rex, Rui, somebody unknown.",
    "Its objects: a green kite and two tents.",
    "It was taken by the lake.",
    "Rui: hair is short hair.",
    "The object nearest to Rui is the kite.",
)


def verdict(question: str, answer: str, truth: tuple[str, ...], *options: str) -> str:
    lettered = tuple(OptionText(letter="abcd"[number], text=text) for number, text in enumerate(options))
    asked = QuestionCritiqueInput(question=question, options=lettered, answer=answer, truth=truth)
    return critique_question(asked).verdict


OPEN = [
    (
        DAY,
        "Who was with Ana on 2025-03-01, and what was it?",
        "With Ana: Rui and Rex; it was crabbing.",
        [
            "With Ana: Rui; it was crabbing.",
            "With Ana: Rui and Rex; it was hiking.",
            "With Ana: nobody; it was crabbing.",
        ],
    ),
    (
        DAY,
        "How many photos of 1 March 2025 show Ana's brother, and where were they taken?",
        "3 photos, taken in the harbour.",
        ["2 photos, taken in the harbour.", "3 photos, taken by the lake."],
    ),
    (
        DAY,
        "What objects does photo 2 from 2025-03-01 show?",
        "It shows a ladder.",
        ["It shows two ladders.", "It shows a broom."],
    ),
    (
        DAY,
        "In the photo from 2025-03-01 with the blue hat, who stands from left to right?",
        "From left to right: Rex, Rui.",
        ["From left to right: Rui, Rex.", "From left to right: Rex, Ana."],
    ),
    (
        DAY,
        "Who is nearest to the blue mug in the picture of 2025-03-01, and where?",
        "Ana is nearest to it, in the harbour.",
        ["Rui is nearest to it, in the harbour."],
    ),
    (LIFE, "On how many different days did Ana's dog take part in some form of fishing?", "2", ["1", "3"]),
    (LIFE, "On how many different days was Rui by the lake?", "1", ["2", "0"]),
    (
        LIFE,
        "What came right after the day of hiking in the forest with Rui, and who was there?",
        "Ice fishing, with Rui and Rex.",
        ["Ice fishing, with Rui.", "Having tea, with Ana.", "Crabbing, with Ana, Rui and Rex."],
    ),
    (
        LIFE,
        "When did Rex last take part in some form of fishing?",
        "On 2 April 2025.",
        ["On 1 March 2025.", "On 4 February 2025."],
    ),
    (LIFE, "What two things does Ana's brother like?", "Rui likes fado and figs.", ["Rui likes fado and chess."]),
    (
        LIFE,
        "What does Rui work as, and which kind of activity does Rui take part in most often?",
        "Rui is a tailor; most often fishing.",
        ["Rui is a vet; most often fishing.", "Rui is a tailor; most often hiking."],
    ),
]


@pytest.mark.parametrize(("truth", "question", "answer", "wrong"), OPEN, ids=[case[1] for case in OPEN])
def test_the_right_answer_passes_and_another_one_does_not(
    truth: tuple[str, ...], question: str, answer: str, wrong: list[str]
) -> None:
    assert verdict(question, answer, truth) == "good"
    assert [verdict(question, other, truth) for other in wrong] == ["wrong"] * len(wrong)


@pytest.mark.parametrize(("truth", "question", "answer", "wrong"), OPEN, ids=[case[1] for case in OPEN])
def test_the_order_of_the_truth_does_not_matter(
    truth: tuple[str, ...], question: str, answer: str, wrong: list[str]
) -> None:
    for seed in range(3):
        lines = list(truth)
        random.Random(seed).shuffle(lines)
        assert verdict(question, answer, tuple(lines)) == "good"


@pytest.mark.parametrize(
    ("question", "right", "options"),
    [
        ("Which object is nearest to Rui in this picture?", "b", ("tent", "kite", "mug", "Not in image.")),
        ("Which objects are with Rui in this picture?", "a", ("two tents and a green kite", "a hat", "a broom")),
        (
            "Where is Ana's brother in this picture?",
            "c",
            ("in the park", "at the beach", "by the lake", "Not in image."),
        ),
        ("Who is to the left of Rui in the photo?", "a", ("Rex", "Ana", "Not in image.")),
        ("What is Rui's hair like in this picture?", "b", ("long hair", "short hair", "Not in image.")),
        ("Where is Ana in this picture?", "c", ("by the lake", "at the beach", "Not in image.")),
    ],
)
def test_of_the_options_one_alone_is_right(question: str, right: str, options: tuple[str, ...]) -> None:
    assert verdict(question, right, PICTURE, *options) == "good"
    others = [letter for letter in "abcd"[: len(options)] if letter != right]
    assert [verdict(question, letter, PICTURE, *options) for letter in others] == ["wrong"] * len(others)


def test_yes_and_no_follow_from_who_is_in_the_picture() -> None:
    for name, answer in (("Rui", "yes"), ("Ana's dog", "yes"), ("Ana", "no")):
        assert verdict(f"Is {name} in this picture?", answer, PICTURE) == "good"
        assert verdict(f"Is {name} in this picture?", "no" if answer == "yes" else "yes", PICTURE) == "wrong"


def test_what_the_truth_does_not_tell_is_unanswerable() -> None:
    assert verdict("Who was with Ana on 2025-03-01?", "Rui.", ()) == "unanswerable"
    assert verdict("Who was with Ana on 2025-07-07?", "Rui.", DAY) == "unanswerable"
    assert verdict("What does Ana do for a living?", "a", WHO, "a vet", "a pilot") == "unanswerable"
    assert verdict("Is Ottokar in this picture?", "no", PICTURE) == "unanswerable"
    assert verdict("What came right after the day of yoga with Rui?", "Hiking.", LIFE) == "unanswerable"


def test_a_question_that_may_mean_two_people_is_ambiguous() -> None:
    truth = (*DAY, "Tom is the account owner's brother.")
    assert verdict("Who was with Ana's brother on 2025-03-01?", "Ana and Rex.", truth) == "ambiguous"


def test_options_that_say_the_same_are_ambiguous() -> None:
    question = "Which objects are with Rui in this picture?"
    assert verdict(question, "a", PICTURE, "a green kite and two tents", "A hat", "a  hat.") == "ambiguous"
    assert verdict(question, "a", PICTURE, "a green kite and two tents", "two tents and a green kite") == "ambiguous"


def test_a_letter_that_is_no_option_is_wrong() -> None:
    assert verdict("Where is Rui in this picture?", "d", PICTURE, "by the lake", "at the beach") == "wrong"


def test_the_reason_says_what_the_truth_leads_to() -> None:
    asked = QuestionCritiqueInput(question="How many days was Rui by the lake?", answer="4", truth=LIFE)
    assert critique_question(asked).reason == "By the ground truth it is: 1"
