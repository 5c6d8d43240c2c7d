"""Labelled faults in questions, on request, and what the critic makes of them: how far verification can be trusted."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from lifeloom.models.protocol import GenerationRejected, LanguageModel
from lifeloom.records import LifeOption, LifeQuestion
from lifeloom.streams import Streams
from lifeloom.synthesis.life_questions.making import MadeQuestion
from lifeloom.synthesis.life_questions.verification import critique_input
from lifeloom.tasks import QUESTION_CRITIQUE

__all__ = [
    "QUESTION_FAULTS",
    "CritiqueQuality",
    "QuestionFault",
    "QuestionFaultQuality",
    "faulty_question",
    "measure_question_critic",
]

QuestionFault = Literal["wrong_option", "wrong_yes_or_no", "wrong_text", "two_right_options", "truth_of_another"]
QUESTION_FAULTS: tuple[QuestionFault, ...] = get_args(QuestionFault)

_NAMED: Mapping[QuestionFault, tuple[str, ...]] = {
    "wrong_option": ("wrong",),
    "wrong_yes_or_no": ("wrong",),
    "wrong_text": ("wrong",),
    "two_right_options": ("ambiguous",),
    "truth_of_another": ("unanswerable", "wrong"),
}
"""Verdicts that say what was done. Whoever reads another's truth may rightly call the answer wrong."""


@dataclass(frozen=True)
class QuestionFaultQuality:
    """How the critic did on one kind of fault."""

    kind: QuestionFault
    injected: int
    doubted: int
    """Faulty questions of which the critic said anything but that they are good."""
    named: int
    """Faulty questions of which it said what is wrong."""


@dataclass(frozen=True)
class CritiqueQuality:
    """Recall by kind of fault, and how many good questions the critic doubts."""

    faults: tuple[QuestionFaultQuality, ...]
    good: int
    """Good questions that were asked about."""
    good_doubted: int
    unread: int
    """Questions, good and faulty, on which the critic gave no verdict; counted as not doubted."""

    @property
    def recall(self) -> float:
        """Share of the faulty questions that were doubted, 0..1."""
        return sum(one.doubted for one in self.faults) / max(1, sum(one.injected for one in self.faults))

    def to_markdown(self) -> str:
        """Return the table for an asset's metadata."""
        lines = ["| fault | injected | found | named rightly |", "|---|---|---|---|"]
        lines += [
            f"| {one.kind.replace('_', ' ')} | {one.injected} | {_share(one.doubted, one.injected)} "
            f"| {_share(one.named, one.injected)} |"
            for one in self.faults
        ]
        lines.append(f"| none (good questions) | {self.good} | {_share(self.good_doubted, self.good)} wrongly | |")
        return "\n".join([*lines, "", f"recall {self.recall:.1%}, no verdict {self.unread} times"])


def measure_question_critic(
    made: Sequence[MadeQuestion], *, critic: LanguageModel, streams: Streams, most: int
) -> CritiqueQuality:
    """Put faults into up to ``most`` questions, one question for each kind that it gives occasion for.

    Args:
        made: good questions with their ground truth.
        critic: says what is wrong with each.
        streams: the seed's; only streams called ``question-faults`` are used.
        most: questions at most, spread over all.

    Raises:
        ModelUnavailable, ModelRefusesKey, BudgetExhausted: the critic stopped answering.
    """
    rng = streams.rng("question-faults", "sample")
    chosen = rng.sample(list(made), min(most, len(made)))
    verdicts: dict[QuestionFault, list[str]] = {kind: [] for kind in QUESTION_FAULTS}
    good = []
    for one in chosen:
        good.append(_verdict(critic, one))
        for kind in QUESTION_FAULTS:
            faulty = faulty_question(
                kind,
                one,
                made,
                streams.rng("question-faults", one.question.vaccount_id, one.question.question_id, kind),
            )
            if faulty is not None:
                verdicts[kind].append(_verdict(critic, faulty))
    faults = tuple(
        QuestionFaultQuality(
            kind=kind,
            injected=len(said),
            doubted=sum(one not in ("good", "") for one in said),
            named=sum(one in _NAMED[kind] for one in said),
        )
        for kind, said in verdicts.items()
    )
    return CritiqueQuality(
        faults=faults,
        good=len(good),
        good_doubted=sum(one not in ("good", "") for one in good),
        unread=sum(said.count("") for said in (good, *verdicts.values())),
    )


def faulty_question(
    kind: QuestionFault, made: MadeQuestion, others: Sequence[MadeQuestion], rng: random.Random
) -> MadeQuestion | None:
    """Return ``made`` with one fault put in, None where it gives no occasion for this kind."""
    question = made.question
    if kind == "truth_of_another":
        foreign = [one.truth for one in others if not set(one.truth) & set(made.truth)]
        return replace(made, truth=rng.choice(foreign)) if foreign else None
    if kind == "two_right_options":
        return replace(made, question=_doubled(question, rng)) if question.options else None
    answer = _wrong_answer(kind, question, [one.question for one in others], rng)
    return None if answer is None else replace(made, question=question.model_copy(update={"answer": answer}))


def _wrong_answer(
    kind: QuestionFault, question: LifeQuestion, others: Sequence[LifeQuestion], rng: random.Random
) -> str | None:
    if kind == "wrong_option" and question.options:
        return rng.choice([one.letter for one in question.options if one.letter != question.answer])
    if kind == "wrong_yes_or_no" and question.answer_type == "binary":
        return "no" if question.answer == "yes" else "yes"
    if kind == "wrong_text" and question.answer_type == "open_generation":
        same = {one.answer for one in others if one.template == question.template and one.answer != question.answer}
        return rng.choice(sorted(same)) if same else None
    return None


def _doubled(question: LifeQuestion, rng: random.Random) -> LifeQuestion:
    """Return a question one of whose other options says what the right one says."""
    right = next(one.text for one in question.options if one.letter == question.answer)
    letter = rng.choice([one.letter for one in question.options if one.letter != question.answer])
    options = tuple(
        LifeOption(letter=one.letter, text=right, source=one.source) if one.letter == letter else one
        for one in question.options
    )
    return question.model_copy(update={"options": options})


def _verdict(critic: LanguageModel, made: MadeQuestion) -> str:
    """Return what the critic says; nothing where that cannot be read."""
    try:
        return critic.run(QUESTION_CRITIQUE, critique_input(made.question, [*made.people, *made.truth])).output.verdict
    except GenerationRejected:
        return ""


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "-"
