"""Verification of questions (Life-Bench Section 3.2): several rounds of a critic, with and without the ground truth.

With the ground truth the critic says whether a question is right, unambiguous and answerable: found wanting in every
round it is dropped, in some rounds only it is kept and a person is asked. Without it, an open question that is
answered right in every round needs no life to be answered, and is dropped. Of questions with options, or for yes and
no, one answer in four or two is right by chance, so that one question shows nothing; the audit of a release measures
these by task.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from lifeloom.models.calls.parallel import ordered_map
from lifeloom.models.protocol import GenerationRejected, LanguageModel
from lifeloom.records import LifeQuestion, Rejection
from lifeloom.streams import Streams
from lifeloom.synthesis.life_questions.making import MadeQuestion
from lifeloom.synthesis.life_questions.reviewing import REJECTED_BY_REVIEWER, review_id
from lifeloom.synthesis.review import ReviewAnswers
from lifeloom.tasks import (
    LIFE_ANSWER,
    LIFE_JUDGEMENT,
    QUESTION_CRITIQUE,
    LifeAnswerInput,
    LifeJudgementInput,
    OptionText,
    QuestionCritiqueInput,
)

__all__ = ["ANSWERED_ALONE", "STAGE", "Verified", "Verifier", "critique_input"]

STAGE = "life_questions/verification"
ANSWERED_ALONE = "answered_without_context"
_DETAIL = 500

Round = Literal["good", "wrong", "ambiguous", "unanswerable", "no_verdict"]


@dataclass
class Verified:
    """The outcome for several questions: ``in = kept + rejected``."""

    kept: list[MadeQuestion] = field(default_factory=list)
    rejections: list[Rejection] = field(default_factory=list)
    doubts: dict[str, str] = field(default_factory=dict)
    """Question id to why the critic is not sure of it, for those that are kept and that nobody has accepted yet."""
    verdicts: Counter[str] = field(default_factory=Counter)
    """How often the critic said what; ``no_verdict``: nothing that could be read."""
    alone: Counter[str] = field(default_factory=Counter)
    """Answers to open questions without the ground truth: ``right``, ``not_right``, ``no_answer``, ``not_judged``."""


@dataclass(frozen=True)
class _Checked:
    rounds: tuple[tuple[Round, str], ...] = ()
    """Verdict and reason of each round with the ground truth."""
    alone: tuple[str, ...] = ()
    """Outcome of each round without it."""


@dataclass(frozen=True)
class Verifier:
    """Checks questions before they are published. Safe to call from threads when the models are.

    Args:
        critic: reads a question with its ground truth.
        reader: answers a question with nothing but its own words.
        judge: says whether that answer is right.
        streams: the seed's; only streams called ``life verification`` are used.
        rounds: how often each is asked. From the second round on the ground truth comes in another order, so that a
            critic that always says the same to the same prompt is asked anew.
        answers: what people said of earlier questions: who accepts a question overrules the critic.
        workers: questions that are asked about at the same time.

    Raises:
        ValueError: fewer than one round.
    """

    critic: LanguageModel
    reader: LanguageModel
    judge: LanguageModel
    streams: Streams
    rounds: int = 2
    answers: ReviewAnswers = field(default_factory=ReviewAnswers)
    workers: int = 1

    def __post_init__(self) -> None:
        if self.rounds < 1:
            raise ValueError(f"verification takes one round or more, not {self.rounds}")

    def verify(self, made: Sequence[MadeQuestion]) -> Verified:
        """Return which of ``made`` stay, in their order, and why others do not.

        Raises:
            ModelUnavailable, ModelRefusesKey, BudgetExhausted: a model stopped answering.
        """
        verified = Verified()
        for one, checked in zip(made, ordered_map(self._checked, made, workers=self.workers), strict=True):
            verified.verdicts.update(verdict for verdict, _ in checked.rounds)
            verified.alone.update(checked.alone)
            rejection = self._rejection(one.question, checked)
            if rejection is not None:
                verified.rejections.append(rejection)
                continue
            verified.kept.append(one)
            doubt = "; ".join(f"{verdict}: {reason}" for verdict, reason in checked.rounds if verdict != "good")
            if doubt:
                verified.doubts[one.question.question_id] = doubt[:_DETAIL]
        return verified

    def _checked(self, made: MadeQuestion) -> _Checked:
        """Ask the models; nothing where a person has spoken."""
        if self.answers.get(review_id(made.question)) is not None:
            return _Checked()
        rounds = tuple(self._criticised(made, number) for number in range(self.rounds))
        if _dropped(rounds) or made.question.answer_type != "open_generation":
            return _Checked(rounds)
        alone: list[str] = []
        for number in range(self.rounds):
            alone.append(self._alone(made.question, number))
            if alone[-1] != "right":
                break  # once not known is enough to stay
        return _Checked(rounds, tuple(alone))

    def _criticised(self, made: MadeQuestion, number: int) -> tuple[Round, str]:
        question, truth = made.question, list(made.truth)
        if number:
            self.streams.rng("life verification", question.vaccount_id, question.question_id, number).shuffle(truth)
        asked = critique_input(question, [*made.people, *truth])
        try:
            output = self.critic.run(QUESTION_CRITIQUE, asked, sample=number).output
        except GenerationRejected as error:
            return "no_verdict", f"the critic gave no verdict ({error.reason})"
        return output.verdict, output.reason

    def _alone(self, question: LifeQuestion, number: int) -> str:
        """Return whether a question is answered right from its own words alone."""
        asked = LifeAnswerInput(owner="", question=question.question)
        try:
            answer = self.reader.run(LIFE_ANSWER, asked, sample=number).output.text
        except GenerationRejected:
            return "no_answer"
        if _plain(answer) == _plain(question.answer):
            return "right"
        held = LifeJudgementInput(question=question.question, truth=question.answer, answer=answer)
        try:
            verdict = self.judge.run(LIFE_JUDGEMENT, held, sample=number).output.verdict
        except GenerationRejected:
            return "not_judged"
        return "right" if verdict == "Correct" else "not_right"

    def _rejection(self, question: LifeQuestion, checked: _Checked) -> Rejection | None:
        item_id = review_id(question)
        if self.answers.get(item_id) == "reject":
            return _rejected(question, REJECTED_BY_REVIEWER, self.answers.notes.get(item_id, ""))
        if _dropped(checked.rounds):
            verdict = Counter(verdict for verdict, _ in checked.rounds).most_common(1)[0][0]
            return _rejected(question, verdict, "; ".join(dict.fromkeys(reason for _, reason in checked.rounds)))
        if len(checked.alone) == self.rounds and set(checked.alone) == {"right"}:
            return _rejected(question, ANSWERED_ALONE, "the question alone was enough to answer it, in every round")
        return None


def critique_input(question: LifeQuestion, truth: Sequence[str]) -> QuestionCritiqueInput:
    """Return what the critic is shown of a question: who is who, then what holds."""
    return QuestionCritiqueInput(
        question=question.question,
        options=tuple(OptionText(letter=one.letter, text=one.text) for one in question.options),
        answer=question.answer,
        truth=tuple(truth),
    )


def _dropped(rounds: Sequence[tuple[Round, str]]) -> bool:
    """Say whether every round found something wrong; a round without a verdict finds nothing."""
    return bool(rounds) and all(verdict not in ("good", "no_verdict") for verdict, _ in rounds)


def _rejected(question: LifeQuestion, reason: str, detail: str) -> Rejection:
    return Rejection(
        stage=STAGE,
        item=f"{question.task} {question.question_id}",
        reason=reason,
        detail=f"{detail.strip()} [{question.question} -> {question.answer}]".strip()[:_DETAIL],
    )


def _plain(text: str) -> str:
    return " ".join(text.casefold().strip(" .").split())
