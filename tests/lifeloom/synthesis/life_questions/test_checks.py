"""Checks of a release's questions find what they are there for, and nothing in a good release."""

from __future__ import annotations

import pytest

from lifeloom.records import LifeOption, LifeQuestion, Rejection
from lifeloom.streams import Streams
from lifeloom.synthesis.life_questions import counts_for, make_questions
from lifeloom.synthesis.life_questions.checks import (
    account_problems,
    balance_problems,
    guessable_problems,
    longest_problems,
    missing_tasks,
    picture_problems,
    reference_problems,
    repetition_problems,
    well_formed,
)
from lifeloom.synthesis.life_questions.verification import STAGE
from tests.lifeloom.synthesis.life_questions.worlds import planned

LIVES = [planned(21, number, edition="release") for number in range(2)]
MADE = [make_questions(life, "release-1", counts_for(1631), Streams(1), edition="release") for life in LIVES]
QUESTIONS = [one.question for made in MADE for one in made.questions]
REJECTIONS = [one for made in MADE for one in made.rejections]
CONCEPTS = [one for life in LIVES for one in life.life.concepts]
IMAGES = [one for life in LIVES for one in life.life.images]


def of(task: str) -> list[LifeQuestion]:
    return [one for one in QUESTIONS if one.task == task]


def changed(one: LifeQuestion, **fields: object) -> LifeQuestion:
    return one.model_copy(update=fields)


def test_a_made_release_passes_every_check() -> None:
    assert well_formed(QUESTIONS) == []
    assert balance_problems(QUESTIONS) == []
    assert longest_problems(QUESTIONS) == []
    assert guessable_problems(QUESTIONS) == []
    assert repetition_problems(QUESTIONS) == []
    assert missing_tasks(QUESTIONS) == []
    assert picture_problems(QUESTIONS, IMAGES) == []
    assert reference_problems(QUESTIONS, CONCEPTS, IMAGES) == []
    assert account_problems(2 * 1631, QUESTIONS, REJECTIONS) == []


CHOICE, BINARY, OPEN = (of(task)[0] for task in ("concept_vqa", "visual_concept_recognition", "scene_and_activity"))


@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        (changed(CHOICE, options=CHOICE.options[:3]), "not lettered a to d"),
        (changed(CHOICE, options=(CHOICE.options[0], *CHOICE.options[:3])), "not lettered a to d"),
        (changed(CHOICE, answer="abcd".replace(CHOICE.answer, "")[0]), "not the one option marked right"),
        (
            changed(CHOICE, options=tuple(one.model_copy(update={"text": "the same"}) for one in CHOICE.options)),
            "two options say the same",
        ),
        (changed(BINARY, answer="maybe"), "neither yes nor no"),
        (changed(BINARY, picture_id=""), "its picture has no id"),
        (changed(BINARY, has_picture=False), "comes with a picture"),
        (changed(OPEN, options=CHOICE.options), "is no choice"),
        (changed(OPEN, answer_type="binary", answer="yes"), "open_generation, not by binary"),
        (changed(OPEN, question="What of {name}?"), "left open"),
        (changed(OPEN, reference_ids=("someone",)), "not among its references"),
        (changed(OPEN, reference_ids=(), event_ids=()), "follows from nothing"),
    ],
)
def test_a_question_out_of_form_is_found(broken: LifeQuestion, problem: str) -> None:
    found = well_formed([broken])
    assert any(problem in one for one in found), found
    assert all(one.startswith(broken.question_id) for one in found)


def test_an_id_given_twice_is_found() -> None:
    assert well_formed([OPEN, OPEN]) == [f"{OPEN.question_id} occurs 2 times"]


def test_not_in_image_in_the_middle_is_found() -> None:
    moved = tuple(
        LifeOption(letter=one.letter, text=other.text, source=other.source)
        for one, other in zip(CHOICE.options, reversed(CHOICE.options), strict=True)
    )
    right = next(one.letter for one in moved if one.source == "right")
    assert any("not the last option" in one for one in well_formed([changed(CHOICE, options=moved, answer=right)]))


def test_a_letter_that_is_right_too_often_is_found_unless_questions_were_dropped() -> None:
    own = of("concept_vqa")
    kept = [one for one in own if one.answer != "a"]
    assert balance_problems(kept)[0].startswith("concept_vqa: right letters a to d occur 0, ")
    dropped = [
        Rejection(stage=STAGE, item=f"{one.task} {one.question_id}", reason="wrong") for one in own if one.answer == "a"
    ]
    assert balance_problems(kept, dropped) == []
    elsewhere = [one.model_copy(update={"stage": "elsewhere"}) for one in dropped]
    assert balance_problems(kept, elsewhere) != []


def test_more_yes_than_no_is_found() -> None:
    own = of("visual_concept_recognition")
    lopsided = [one for number, one in enumerate(own) if one.answer == "yes" or number % 3 == 0]
    assert balance_problems(lopsided)[0].startswith("visual_concept_recognition")


def test_a_right_option_that_is_the_longest_is_found() -> None:
    own = [
        changed(
            one,
            options=tuple(
                option.model_copy(update={"text": option.text + ", as far as one can tell"})
                if option.source == "right"
                else option
                for option in one.options
            ),
        )
        for one in of("text_concept_qa")
    ]
    assert longest_problems(own)[0].startswith("text_concept_qa: the right option is uniquely the longest in ")


def test_a_right_option_that_is_the_longest_in_a_third_of_a_few_dozen_questions_is_noise() -> None:
    def lengths(one: LifeQuestion, longest: bool) -> LifeQuestion:
        words = [
            option.model_copy(update={"text": "long" if option.source == "right" and longest else option.letter})
            for option in one.options
        ]
        return changed(one, options=tuple(words))

    one = of("text_concept_qa")[0]
    assert longest_problems([lengths(one, number < 11) for number in range(32)]) == []
    assert longest_problems([lengths(one, number < 110) for number in range(320)]) == []
    assert longest_problems([lengths(one, number < 128) for number in range(320)])


@pytest.mark.parametrize("task", ["fine_grained_scene", "frequency_and_counting", "relational_temporal_reasoning"])
def test_an_answer_that_a_guess_would_get_right_is_found(task: str) -> None:
    own = of(task)
    guessed = [changed(one, answer="Seven.") if number % 4 == 0 else one for number, one in enumerate(own)]
    assert guessable_problems(guessed)[0].startswith(f'{task}: "seven" is right in ')


def test_questions_that_repeat_each_other_are_found_and_other_photos_or_answers_are_no_repetition() -> None:
    own = of("scene_and_activity")[:100]
    again = [changed(one, question_id=f"again-{n}", question=f"{one.question} ") for n, one in enumerate(own[:3])]
    found = repetition_problems([*own, *again])
    assert found[0] == f"again-0 nearly repeats {own[0].question_id}"
    assert len(found) == 3
    assert repetition_problems([*own, *(changed(one, answer=f"Not {one.answer}") for one in again)]) == []
    asked = of("visual_concept_recognition")[:100]
    elsewhere = [changed(one, question_id=f"again-{n}", picture_id=f"other-{n}") for n, one in enumerate(asked[:3])]
    assert repetition_problems([*asked, *elsewhere]) == []


def test_a_task_without_questions_is_found_unless_a_rejection_says_why() -> None:
    rest = [one for one in QUESTIONS if one.task != "frequency_and_counting"]
    assert missing_tasks(rest) == ["there is no question of frequency_and_counting"]
    why = Rejection(stage="life_questions", item="ana frequency_and_counting hard 0", reason="life_too_small")
    assert missing_tasks(rest, [why]) == []


def test_a_picture_of_the_history_is_found_by_its_id_and_by_its_bytes() -> None:
    image = IMAGES[0]
    by_id = changed(BINARY, picture_id=image.image_id)
    by_bytes = changed(BINARY, picture=image.picture)
    assert len(picture_problems([by_id], IMAGES)) == 1
    assert len(picture_problems([by_bytes], IMAGES)) == 1


def test_an_event_of_another_life_is_found() -> None:
    other = IMAGES[-1]
    assert other.vaccount_id != OPEN.vaccount_id
    stray = changed(OPEN, event_ids=(other.event_id,), reference_ids=(other.event_id,))
    assert reference_problems([stray], CONCEPTS, IMAGES) == [
        f"{OPEN.question_id}: {other.event_id} is not in the life of {OPEN.vaccount_id}"
    ]


def test_a_question_lost_without_a_reason_is_found() -> None:
    assert account_problems(2 * 1631, QUESTIONS[1:], REJECTIONS) == [
        f"3262 questions were asked for, {len(QUESTIONS) - 1} are there and {len(REJECTIONS)} were left out"
    ]
