"""Predictions and judgements as published: read, written, and made into predictions that can be scored."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from evaluation.life_bench.matching import match_answer
from evaluation.life_bench.running import Verdict, judge_open
from evaluation.life_bench_files.lines import read_lines, shaped, to_lines
from evaluation.life_bench_files.shapes import PUBLISHED, PublishedJudgement, PublishedPrediction
from evaluation.persona_mme_files.finding import Problem
from lifeloom.models.protocol import LanguageModel
from lifeloom.records import LifePrediction, LifeQuestion, Rejection

__all__ = [
    "ANSWERS_STAGE",
    "JUDGEMENTS_STAGE",
    "PublishedAnswers",
    "PublishedJudgements",
    "judge_published",
    "read_answers",
    "read_judgements",
    "write_answers",
    "write_judgements",
]

ANSWERS_STAGE = "life_bench_files/predictions"
JUDGEMENTS_STAGE = "life_bench_files/judgements"
_VERDICTS = {"correct": True, "wrong": False}
_Row = TypeVar("_Row", PublishedPrediction, PublishedJudgement)


@dataclass(frozen=True)
class PublishedAnswers:
    """A file of predictions: ``listed = answers + rejections``."""

    answers: dict[str, PublishedPrediction]
    """By question."""
    rejections: list[Rejection]
    listed: int
    fingerprint: str
    """Of the answers."""


@dataclass(frozen=True)
class PublishedJudgements:
    """A file of judgements: ``listed = verdicts + rejections``."""

    verdicts: dict[str, PublishedJudgement]
    """By question."""
    rejections: list[Rejection]
    listed: int


def read_answers(file: Path, questions: Collection[str]) -> PublishedAnswers:
    """Read predictions for the questions with these ids; rows about others, and second ones, are rejected.

    Raises:
        ReleaseUnreadable: the file is not there or cannot be read at all.
    """
    answers, rejections, listed = _read(file, questions, PublishedPrediction, ANSWERS_STAGE)
    digest = hashlib.sha256("\n".join(one.model_dump_json() for one in answers.values()).encode()).hexdigest()
    return PublishedAnswers(answers, rejections, listed, digest[:16])


def read_judgements(file: Path, questions: Collection[str]) -> PublishedJudgements:
    """Read judgements (``Correct``, ``Wrong``) of answers to the questions with these ids.

    Raises:
        ReleaseUnreadable: the file is not there or cannot be read at all.
    """
    return PublishedJudgements(*_read(file, questions, PublishedJudgement, JUDGEMENTS_STAGE))


def _read(
    file: Path, questions: Collection[str], shape: type[_Row], stage: str
) -> tuple[dict[str, _Row], list[Rejection], int]:
    found: dict[str, _Row] = {}
    rejections: list[Rejection] = []
    listed = 0
    for number, value in read_lines(file, file.parent):
        listed += 1
        row = shaped(value, shape)
        problem = row if isinstance(row, Problem) else _misfit(row, questions, found)
        if problem is not None:
            item, detail = f"{file.name} line {number}", problem.detail.encode("utf-8", "replace").decode()
            rejections.append(Rejection(stage=stage, item=item[:200], reason=problem.reason, detail=detail[:500]))
        elif not isinstance(row, Problem):
            found[row.sample_id] = row
    return found, rejections, listed


def _misfit(
    row: PublishedPrediction | PublishedJudgement, questions: Collection[str], found: Collection[str]
) -> Problem | None:
    if row.sample_id not in questions:
        return Problem("unknown_question", f"{row.sample_id[:100]!r} is none of the questions")
    if row.sample_id in found:
        return Problem("duplicate", f"a second row for {row.sample_id}")
    if isinstance(row, PublishedJudgement) and row.result.strip().lower() not in _VERDICTS:
        return Problem("bad_verdict", f"{row.result[:100]!r} is neither Correct nor Wrong")
    return None


def judge_published(
    questions: Sequence[LifeQuestion],
    published: PublishedAnswers,
    policy: str,
    *,
    judgements: Mapping[str, PublishedJudgement] | None = None,
    judge: LanguageModel | None = None,
) -> list[LifePrediction]:
    """Return published answers as predictions, in the order of the questions; a question without one has none.

    Choices and yes-no answers are matched. Open answers are decided by ``judgements`` where these name them, else by
    ``judge``; where neither decides, an answer is wrong and counted as a failure, ``not_judged``.

    Args:
        questions: of the release.
        published: what somebody's system answered.
        policy: a short id of that system, ``[a-z0-9_-]{1,64}``.
        judgements: by question.
        judge: decides the open answers that nobody judged.

    Raises:
        ModelUnavailable, ModelRefusesKey, BudgetExhausted: the judge stopped answering.
    """
    made = []
    for question in questions:
        row = published.answers.get(question.question_id)
        if row is None:
            continue
        answer = row.prediction or ""
        verdict = _verdict(question, answer, (judgements or {}).get(question.question_id), judge)
        made.append(
            LifePrediction(
                question_id=question.question_id,
                release_id=question.release_id,
                policy=policy,
                policy_fingerprint=published.fingerprint,
                answer=answer,
                correct=verdict.correct,
                reason=verdict.reason,
                failure=verdict.failure,
                retrieved_ids=row.retrieved_ids,
                prompt_tokens=0,
                completion_tokens=0,
                made_by=PUBLISHED,
                judged_by=verdict.made_by,
            )
        )
    return made


def _verdict(
    question: LifeQuestion, answer: str, judgement: PublishedJudgement | None, judge: LanguageModel | None
) -> Verdict:
    if question.answer_type != "open_generation":
        matched = match_answer(question, answer)
        return Verdict(matched.correct, matched.reason, matched.unreadable)
    if judgement is not None and answer.strip():
        return Verdict(_VERDICTS[judgement.result.strip().lower()], judgement.reason, "", PUBLISHED)
    if judge is None and answer.strip():
        return Verdict(False, "no judgement and no judge", "not_judged")
    return judge_open(question, answer, judge) if judge is not None else Verdict(False, "no answer", "no_answer")


def write_answers(file: Path, predictions: Iterable[LifePrediction]) -> int:
    """Write predictions as published and return how many.

    Raises:
        OSError: the file cannot be written.
    """
    rows = [
        {"sample_id": one.question_id, "prediction": one.answer, "retrieved_ids": list(one.retrieved_ids)}
        for one in predictions
    ]
    file.write_bytes(to_lines(rows))
    return len(rows)


def write_judgements(file: Path, questions: Iterable[LifeQuestion], predictions: Iterable[LifePrediction]) -> int:
    """Write the verdicts on open answers as published and return how many.

    Raises:
        OSError: the file cannot be written.
    """
    is_open = {one.question_id for one in questions if one.answer_type == "open_generation"}
    rows = [
        {"sample_id": one.question_id, "Result": "Correct" if one.correct else "Wrong", "Reason": one.reason}
        for one in predictions
        if one.question_id in is_open
    ]
    file.write_bytes(to_lines(rows))
    return len(rows)
