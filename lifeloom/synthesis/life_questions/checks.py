"""Checks of a release's questions before they are published: form, letters, guessable answers, repetition, accounts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from lifeloom.records import (
    ANSWER_TYPE_OF,
    LETTERS,
    LIFE_TASKS,
    Concept,
    LifeImage,
    LifeQuestion,
    LifeTask,
    Rejection,
)
from lifeloom.synthesis.life_questions.drafts import NOT_IN_IMAGE
from lifeloom.synthesis.life_questions.making import STAGE as MAKING
from lifeloom.synthesis.life_questions.verification import STAGE as VERIFICATION
from lifeloom.synthesis.near_duplicates import near_duplicates

__all__ = [
    "LONGEST_SHARE",
    "MOST_OF_ONE_ANSWER",
    "NEAR_DUPLICATE_SHARE",
    "account_problems",
    "balance_problems",
    "guessable_problems",
    "longest_problems",
    "missing_tasks",
    "picture_problems",
    "reference_problems",
    "repetition_problems",
    "well_formed",
]

LONGEST_SHARE = 0.30
"""Largest share of a task's questions in which the right option may be uniquely the longest."""
NEAR_DUPLICATE_SHARE = 0.01
"""Share of questions that may nearly repeat another."""
MOST_OF_ONE_ANSWER: Mapping[str, float] = {"frequency_and_counting": 0.20}
"""Largest share of an open task's questions that one answer may be right for, where it is not that of the others."""
_MOST_OF_ONE_ANSWER = 0.15
_LETTER_SLACK = 0.05
_YES_TO_NO = 1.2
_FEW = 4
"""So many questions with one answer say nothing, however few there are in all."""
_WITH_PICTURE = ("visual_concept_recognition", "concept_vqa")


def well_formed(questions: Sequence[LifeQuestion]) -> list[str]:
    """Return what is wrong with single questions, and repeated ids."""
    counts = Counter(one.question_id for one in questions)
    problems = [f"{question_id} occurs {count} times" for question_id, count in counts.items() if count > 1]
    for one in questions:
        problems += [f"{one.question_id}: {problem}" for problem in _form(one)]
    return problems


def _form(one: LifeQuestion) -> Iterator[str]:
    if one.answer_type != ANSWER_TYPE_OF[one.task]:
        yield f"{one.task} is answered by {ANSWER_TYPE_OF[one.task]}, not by {one.answer_type}"
    if one.answer_type == "multiple_choice":
        if tuple(option.letter for option in one.options) != LETTERS:
            yield "its options are not lettered a to d"
        if len({option.text.casefold() for option in one.options}) != len(one.options):
            yield "two options say the same"
        if [option.letter for option in one.options if option.source == "right"] != [one.answer]:
            yield "the answer is not the one option marked right"
        if any(option.text == NOT_IN_IMAGE for option in one.options[:-1]):
            yield f'"{NOT_IN_IMAGE}" is not the last option'
    elif one.options:
        yield "it has options but is no choice"
    if one.answer_type == "binary" and one.answer not in ("yes", "no"):
        yield f"its answer is {one.answer!r}, neither yes nor no"
    if one.has_picture != (one.task in _WITH_PICTURE):
        yield "its task comes with a picture" if not one.has_picture else "its task comes without a picture"
    if one.has_picture != bool(one.picture_id):
        yield "its picture has no id" if one.has_picture else "it has the id of a picture but shows none"
    if not set(one.event_ids) <= set(one.reference_ids):
        yield "an event that it follows from is not among its references"
    if not one.reference_ids:
        yield "it follows from nothing"
    if any(mark in one.question + one.answer for mark in ("{", "}")):
        yield "a field of its template was left open"


def balance_problems(questions: Sequence[LifeQuestion], rejections: Iterable[Rejection] = ()) -> list[str]:
    """Return the tasks in which one letter, or yes or no, is right too often.

    Letters come in permuted blocks for each Vaccount and difficulty, so each of these may be off by a block. A letter
    may have a quarter and ``0.05`` of a task beside that, yes 1.2 times as many as no, or the reverse.

    Args:
        questions: of a release.
        rejections: of the same; each question that verification dropped may have left its task further off.
    """
    dropped = Counter(one.item.split(" ", 1)[0] for one in rejections if one.stage == VERIFICATION)
    problems = []
    for task, own in _by_task(questions):
        slack = 2 * len({(one.vaccount_id, one.difficulty) for one in own}) + dropped[task]
        if ANSWER_TYPE_OF[task] == "multiple_choice":
            letters = [sum(one.answer == letter for one in own) for letter in LETTERS]
            if max(letters) > (1 / len(LETTERS) + _LETTER_SLACK) * len(own) + slack:
                problems.append(f"{task}: right letters a to d occur {', '.join(map(str, letters))} times")
        elif ANSWER_TYPE_OF[task] == "binary":
            yes = sum(one.answer == "yes" for one in own)
            if max(yes, len(own) - yes) > _YES_TO_NO * min(yes, len(own) - yes) + slack:
                problems.append(f"{task}: {yes} answers are yes, {len(own) - yes} are no")
    return problems


def longest_problems(questions: Sequence[LifeQuestion]) -> list[str]:
    """Return the tasks in which the right option is uniquely the longest more often than chance explains."""
    problems = []
    for task, own in _by_task(questions):
        longest = sum(_longest(one) for one in own if one.options)
        # Two standard deviations beside the share are noise where a task has a few dozen.
        if longest > LONGEST_SHARE * len(own) + 2 * math.sqrt(LONGEST_SHARE * (1 - LONGEST_SHARE) * len(own)):
            problems.append(f"{task}: the right option is uniquely the longest in {longest} of {len(own)} questions")
    return problems


def _longest(one: LifeQuestion) -> bool:
    lengths: dict[str, int] = {option.letter: len(option.text) for option in one.options}
    return all(lengths[one.answer] > length for letter, length in lengths.items() if letter != one.answer)


def guessable_problems(questions: Sequence[LifeQuestion]) -> list[str]:
    """Return open tasks that one answer, said to every question, would get right too often."""
    problems = []
    for task, own in _by_task(questions):
        if ANSWER_TYPE_OF[task] != "open_generation":
            continue
        most = MOST_OF_ONE_ANSWER.get(task, _MOST_OF_ONE_ANSWER)
        answer, count = Counter(one.answer.casefold().strip(" .") for one in own).most_common(1)[0]
        if count > max(_FEW, most * len(own)):
            problems.append(f'{task}: "{answer}" is right in {count} of {len(own)} questions')
    return problems


def repetition_problems(questions: Sequence[LifeQuestion]) -> list[str]:
    """Return near-duplicate pairs when they make up 1 % of the questions or more.

    Two questions are compared when they are about one life and one picture, or none, and have one answer: the same
    words about another photo, or with another answer, ask for something else.
    """
    alike: dict[tuple[str, str, str], list[LifeQuestion]] = {}
    for one in questions:
        right = next((option.text for option in one.options if option.letter == one.answer), one.answer)
        alike.setdefault((one.vaccount_id, one.picture_id, right), []).append(one)
    pairs = [
        (own[earlier], own[later])
        for own in alike.values()
        if len(own) > 1
        for earlier, later in near_duplicates([one.question for one in own])
    ]
    if len({later.question_id for _, later in pairs}) <= NEAR_DUPLICATE_SHARE * len(questions):
        return []
    return [f"{later.question_id} nearly repeats {earlier.question_id}" for earlier, later in pairs]


def missing_tasks(questions: Sequence[LifeQuestion], rejections: Iterable[Rejection] = ()) -> list[str]:
    """Return the tasks of which there is no question and of which no rejection says why."""
    there = {one.task for one in questions}
    said = {word for one in rejections if one.stage in (MAKING, VERIFICATION) for word in one.item.split(" ")}
    return [f"there is no question of {task}" for task in LIFE_TASKS if task not in there | said]


def picture_problems(questions: Sequence[LifeQuestion], images: Iterable[LifeImage]) -> list[str]:
    """Return the questions whose picture, by id or by its bytes, is in a history."""
    ids: set[str] = set()
    hashes: set[str] = set()
    for image in images:
        ids.add(image.image_id)
        if image.picture is not None:
            hashes.add(image.picture.content_hash)
    return [
        f"{one.question_id}: its picture {one.picture_id} is in a history"
        for one in questions
        if one.has_picture
        and (one.picture_id in ids or (one.picture is not None and one.picture.content_hash in hashes))
    ]


def reference_problems(
    questions: Sequence[LifeQuestion], concepts: Iterable[Concept], images: Iterable[LifeImage]
) -> list[str]:
    """Return the questions that follow from a concept or an event that their life does not have."""
    known: dict[str, set[str]] = {}
    for concept in concepts:
        known.setdefault(concept.vaccount_id, set()).add(concept.concept_id)
    for image in images:
        known.setdefault(image.vaccount_id, set()).update((image.event_id, image.image_id))
    problems = []
    for one in questions:
        unknown = sorted(set(one.reference_ids) - known.get(one.vaccount_id, set()))
        if unknown:
            problems.append(f"{one.question_id}: {unknown[0]} is not in the life of {one.vaccount_id}")
    return problems


def account_problems(requested: int, questions: Sequence[LifeQuestion], rejections: Iterable[Rejection]) -> list[str]:
    """Return that ``requested = published + rejected`` does not hold, where it does not."""
    rejected = sum(one.stage in (MAKING, VERIFICATION) for one in rejections)
    if requested == len(questions) + rejected:
        return []
    return [f"{requested} questions were asked for, {len(questions)} are there and {rejected} were left out"]


def _by_task(questions: Sequence[LifeQuestion]) -> Iterator[tuple[LifeTask, list[LifeQuestion]]]:
    for task in LIFE_TASKS:
        own = [one for one in questions if one.task == task]
        if own:
            yield task, own
