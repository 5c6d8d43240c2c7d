"""The review queue for questions about lives: the manual verification of Life-Bench Section 3.2.

A person gets every question that the critic doubts, and a sample of the others. ``accept`` keeps a question whatever a
critic says of it, ``reject`` takes it out; ``Verifier`` honours both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from lifeloom.records import LifeQuestion, ReviewItem, make_id
from lifeloom.streams import stable_hash
from lifeloom.synthesis.life_questions.making import MadeQuestion

__all__ = ["REJECTED_BY_REVIEWER", "question_review_items", "review_id"]

REJECTED_BY_REVIEWER = "rejected_by_reviewer"
_MOST_TRUTH = 60


def review_id(question: LifeQuestion) -> str:
    """Return the id of a question's entry: another one once its words, picture, options or answer change."""
    return make_id(
        "review-life",
        question.vaccount_id,
        question.question,
        "" if question.picture is None else question.picture.content_hash,
        *(option.text for option in question.options),
        question.answer,
    )


def question_review_items(
    made: Sequence[MadeQuestion], doubts: Mapping[str, str], *, key: str, sample: int = 0
) -> list[ReviewItem]:
    """Return the queue entries of one release's questions, in the order of ``made``.

    Args:
        made: questions that are kept.
        doubts: by question id, why the critic is not sure.
        key: of the data set, for ``where``.
        sample: how many of the others are asked about too, spread evenly over the tasks, the same every time.
    """
    drawn = _sample([one.question for one in made if one.question.question_id not in doubts], sample)
    return [
        _item(one, doubts.get(one.question.question_id, ""), key)
        for one in made
        if one.question.question_id in doubts or one.question.question_id in drawn
    ]


def _sample(questions: Sequence[LifeQuestion], most: int) -> set[str]:
    places: Counter[str] = Counter()
    ranked = []
    for one in sorted(questions, key=lambda one: stable_hash("life question review", one.question_id)):
        ranked.append((places[one.task], one.question_id))
        places[one.task] += 1
    return {question_id for _, question_id in sorted(ranked)[:most]}


def _item(made: MadeQuestion, doubt: str, key: str) -> ReviewItem:
    question = made.question
    lines = [
        f"{question.task} ({question.difficulty}), {question.template}",
        f"Question: {question.question}",
        *(
            f"{'->' if option.letter == question.answer else '  '} ({option.letter}) {option.text} [{option.source}]"
            for option in question.options
        ),
        *([] if question.options else [f"Answer: {question.answer}"]),
        "Ground truth:",
        *(f"  {line}" for line in (*made.people, *made.truth[:_MOST_TRUTH])),
    ]
    if len(made.truth) > _MOST_TRUTH:
        lines.append(f"  ... and {len(made.truth) - _MOST_TRUTH} lines more")
    picture = ""
    if question.has_picture:
        content = "not at hand" if question.picture is None else question.picture.content_hash[:12]
        picture = f", picture {question.picture_id} ({content})"
    why = f"The critic is not sure: {doubt}. " if doubt else "Drawn for review. "
    return ReviewItem(
        item_id=review_id(question),
        what="\n".join(lines),
        why=why + "Does the answer, and no other, follow from the ground truth, and can the question be understood?",
        where=f"{key}, {question.question_id}, {question.vaccount_id}{picture}",
    )
