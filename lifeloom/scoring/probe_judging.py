"""Judging captions: the judge answers each question of CapEval-QAs from the caption alone (CoViP Algorithm 1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from lifeloom.models.calls.parallel import ordered_map
from lifeloom.models.protocol import GenerationRejected, LanguageModel
from lifeloom.records import (
    BY_CODE,
    Caption,
    ProbeAnswer,
    ProbeLetter,
    ProbeQuestion,
    Provenance,
)
from lifeloom.scoring.unanswered import UNANSWERED, failure_of
from lifeloom.tasks import PROBE_JUDGEMENT, ProbeJudgementInput

__all__ = ["NO_CAPTION", "UNREADABLE", "Unreadable", "judge_captions", "judge_probe", "parse_boxed"]

_BOX = re.compile(r"\\boxed\s*\{([^{}]*)\}")
_LETTER = re.compile(r"\s*\(?([A-D])[).]?\s*")
_BY_LETTER: Mapping[str, ProbeLetter] = {"A": "A", "B": "B", "C": "C", "D": "D"}

UNREADABLE = "unreadable"
NO_CAPTION = "no_caption"

Unreadable = Literal["wrong", "release"]
"""What an answer without one readable box counts as: wrong, or D as the public release has it."""


def parse_boxed(text: str) -> ProbeLetter | None:
    r"""Return the letter that a judge boxed, ``Answer: \boxed{X}``.

    None where there is no box, where a box holds something else than one letter, or where two boxes differ.
    """
    found = [_LETTER.fullmatch(content) for content in _BOX.findall(text)]
    letters = {_BY_LETTER[one[1]] for one in found if one is not None}
    if len(letters) != 1 or any(one is None for one in found):
        return None
    return letters.pop()


def judge_probe(
    judge: LanguageModel,
    question: ProbeQuestion,
    caption: str,
    *,
    policy: str,
    fingerprint: str,
    unreadable: Unreadable = "wrong",
) -> ProbeAnswer:
    """Ask the judge one question about one caption, which may be empty.

    Raises:
        ModelUnavailable, ModelRefusesKey, BudgetExhausted: the judge stopped answering.
    """
    asked = ProbeJudgementInput(caption=caption, question=question.question, options=question.options)
    letter, failure, made_by = _asked(judge, asked, unreadable)
    return ProbeAnswer(
        question_id=question.question_id,
        policy=policy,
        fingerprint=fingerprint,
        letter=letter or "",
        correct=letter is not None and letter == question.right,
        failure=failure,
        made_by=made_by,
    )


def _asked(
    judge: LanguageModel, asked: ProbeJudgementInput, unreadable: Unreadable
) -> tuple[ProbeLetter | None, str, Provenance]:
    try:
        given = judge.run(PROBE_JUDGEMENT, asked)
    except UNANSWERED as error:
        provenance = judge.identity.provenance(PROBE_JUDGEMENT)
        reason = UNREADABLE if isinstance(error, GenerationRejected) and error.reason == "empty" else failure_of(error)
        return None, reason, provenance
    letter = parse_boxed(given.output.text)
    if letter is not None:
        return letter, "", given.provenance
    return ("D" if unreadable == "release" else None), UNREADABLE, given.provenance


def judge_captions(
    judge: LanguageModel,
    captions: Mapping[str, Caption],
    questions: Iterable[ProbeQuestion],
    *,
    policy: str,
    fingerprint: str,
    unreadable: Unreadable = "wrong",
    callers: int = 1,
) -> Iterator[ProbeAnswer]:
    """Yield the judge's answer to each question, in order.

    A sample without a caption is put to nobody and is wrong throughout, so that silence earns nothing on negatives.

    Args:
        judge: sees captions, questions and options.
        captions: by sample.
        questions: of any samples.
        policy: whose captions.
        fingerprint: of policy and judge.
        unreadable: what an answer without a readable box counts as.
        callers: questions asked at once.

    Raises:
        ModelUnavailable, ModelRefusesKey, BudgetExhausted: the judge stopped answering.
    """

    def answered(question: ProbeQuestion) -> ProbeAnswer:
        given = captions.get(question.sample_id)
        if given is not None and given.text.strip():
            return judge_probe(
                judge, question, given.text, policy=policy, fingerprint=fingerprint, unreadable=unreadable
            )
        return ProbeAnswer(
            question_id=question.question_id,
            policy=policy,
            fingerprint=fingerprint,
            letter="",
            correct=False,
            failure=NO_CAPTION,
            made_by=BY_CODE,
        )

    yield from ordered_map(answered, questions, workers=callers)
