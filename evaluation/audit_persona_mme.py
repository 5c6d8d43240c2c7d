"""Persona-MME before the audit: what its cases ask, and how they may be changed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import ClassVar

from evaluation.audit import (
    AuditAnswer,
    AuditedBenchmark,
    AuditQuestion,
    ChoiceExample,
    PairExample,
    Reference,
    TurnsOf,
)
from evaluation.persona_mme import CHOICE_CHANCE, PAIR_CHANCE, questions_of, run_policy
from lifeloom.records import LETTERS, AlignmentPair, BenchmarkCase, Option, Prediction
from lifeloom.scoring import Policy

__all__ = ["PersonaMmeAudit", "answers_of"]


def answers_of(predictions: Iterable[Prediction]) -> list[AuditAnswer]:
    """Return predictions as the audit takes them."""
    return [
        AuditAnswer(
            policy=prediction.policy,
            case_id=prediction.case_id,
            kind=prediction.question,
            answer=prediction.answer,
            correct=prediction.correct,
            place=LETTERS.index(prediction.answer)
            if prediction.question == "choice" and prediction.answer in LETTERS
            else None,
        )
        for prediction in predictions
    ]


class PersonaMmeAudit(AuditedBenchmark[BenchmarkCase]):
    """The adapter. Each case has a choice; a case with an alignment pair has two questions of the task PA besides.

    Pairs are never said to need pictures: they are about manner. PA is pooled with no other task.
    """

    pair_task: ClassVar[str] = "PA"

    def __init__(self, workers: int = 1) -> None:
        """Ask ``workers`` cases at once."""
        self._workers = workers

    def case_id(self, case: BenchmarkCase) -> str:
        """Return the case's id."""
        return case.case_id

    def persona_id(self, case: BenchmarkCase) -> str:
        """Return the user's id."""
        return case.persona_id

    def history_turns(self, case: BenchmarkCase) -> int:
        """Return the turns before the case."""
        return case.history_turns

    def questions(self, case: BenchmarkCase) -> tuple[AuditQuestion, ...]:
        """Return the choice and, where there is a pair, its two questions."""
        return tuple(
            AuditQuestion(case.case_id, kind, case.task, CHOICE_CHANCE, needs_pictures=case.needs_pictures)
            if kind == "choice"
            else AuditQuestion(case.case_id, kind, self.pair_task, PAIR_CHANCE, pool="")
            for kind in questions_of(case)
        )

    def reference(self, cases: Sequence[BenchmarkCase]) -> Reference:
        """Return choices and pairs with their answers."""
        choices = tuple(
            ChoiceExample(
                case.task, case.query, tuple(option.text for option in case.options), LETTERS.index(case.answer)
            )
            for case in cases
        )
        pairs = tuple(
            PairExample(case.query, case.alignment.chosen, case.alignment.rejected)
            for case in cases
            if case.alignment is not None
        )
        return Reference(choices, pairs)

    def texts(self, case: BenchmarkCase) -> tuple[str, ...]:
        """Return query, options and responses."""
        pair = () if case.alignment is None else (case.alignment.chosen, case.alignment.rejected)
        return (case.query, *(option.text for option in case.options), *pair)

    def only(self, case: BenchmarkCase, kinds: Collection[str]) -> BenchmarkCase:
        """Return the case without its pair, unless that is asked for; the choice always stays.

        Raises:
            ValueError: the choice is not among ``kinds``: a case without one cannot be asked.
        """
        if "choice" not in kinds:
            raise ValueError(f"{case.case_id} cannot be asked without its choice")
        return case if set(questions_of(case)) <= set(kinds) else case.model_copy(update={"alignment": None})

    def with_history(self, case: BenchmarkCase, turns: int) -> BenchmarkCase:
        """Return the case asked after ``turns`` turns."""
        return case.model_copy(update={"history_turns": turns})

    def with_ids(self, case: BenchmarkCase, *, case_id: str, persona_id: str) -> BenchmarkCase:
        """Return the case under other ids."""
        return case.model_copy(update={"case_id": case_id, "persona_id": persona_id})

    def with_texts(self, case: BenchmarkCase, edit: Callable[[str], str]) -> BenchmarkCase:
        """Return the case with query, options and responses edited."""
        pair = case.alignment
        return case.model_copy(
            update={
                "query": edit(case.query),
                "options": tuple(option.model_copy(update={"text": edit(option.text)}) for option in case.options),
                "alignment": None
                if pair is None
                else AlignmentPair(chosen=edit(pair.chosen), rejected=edit(pair.rejected), made_by=pair.made_by),
            }
        )

    def with_options(self, case: BenchmarkCase, order: Sequence[int]) -> BenchmarkCase:
        """Return the case with its options moved; letters stay in order and the answer follows."""
        options = tuple(
            Option(letter=LETTERS[place], text=case.options[before].text, source=case.options[before].source)
            for place, before in enumerate(order)
        )
        answer = LETTERS[list(order).index(LETTERS.index(case.answer))]
        return case.model_copy(update={"options": options, "answer": answer})

    def options(self, case: BenchmarkCase) -> int:
        """Return the number of options, four."""
        return len(case.options)

    def ask(self, policy: Policy, cases: Sequence[BenchmarkCase], turns_of: TurnsOf) -> list[AuditAnswer]:
        """Ask ``policy`` every question of ``cases``."""
        return answers_of(run_policy(policy, cases, turns_of, workers=self._workers).predictions)
