"""How well policies count what was told over time: questions beside the benchmark, scored with intervals."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from evaluation.intervals import estimate, ratio
from evaluation.memory_tables import markdown_table
from lifeloom.models.tokens import count_tokens
from lifeloom.records import COUNTED, LETTERS, CountingQuestion, Record, Turn, local_time
from lifeloom.records.base import Identifier
from lifeloom.scoring.policy import CaseQuestion, History, Policy
from lifeloom.streams import Streams
from lifeloom.tasks import OptionText

__all__ = ["CountingAnswer", "CountingScore", "ask_counting", "counting_table", "score_counting"]

_LATER = dt.timedelta(days=1)


class CountingAnswer(Record):
    """What a policy answered to a counting question."""

    KIND: ClassVar[str] = "counting_answer"

    question_id: Identifier
    policy: Identifier
    policy_fingerprint: str
    counted: str
    answer: str
    """A letter; empty where there is none."""
    correct: bool
    failure: str = ""
    tokens: int
    """Prompt and completion."""


@dataclass(frozen=True)
class CountingScore:
    """Accuracy of a policy on one kind of counting question, or on ``all``."""

    policy: str
    counted: str
    questions: int
    value: float
    """0..1."""
    low: float
    high: float
    """95 % bootstrap interval over questions."""
    tokens: float
    """Of a question, on average."""
    seconds: float | None = None
    """Of any question, on average; None: not measured."""


def ask_counting(
    policy: Policy,
    questions: Sequence[CountingQuestion],
    turns_of: Callable[[str], Iterable[Turn]],
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[list[CountingAnswer], float]:
    """Ask a policy all questions, a day after the conversation; return the answers and the seconds a question.

    Args:
        policy: Who answers.
        questions: Of any users.
        turns_of: Gives the whole conversation of a persona, in order.
        clock: Seconds.

    Raises:
        ValueError: a conversation is shorter than its plan.
        ModelUnavailable: or another error of the model that concerns more than one question.
    """
    histories: dict[str, History] = {}
    answers, seconds = [], 0.0
    for question in questions:
        history = histories.get(question.persona_id)
        if history is None:
            history = histories[question.persona_id] = History(turns_of(question.persona_id))
        view = history.before(question.history_turns)
        options = tuple(
            OptionText(letter=letter, text=text) for letter, text in zip(LETTERS, question.options, strict=True)
        )
        query_tokens = count_tokens(question.query)
        asked = CaseQuestion(
            asked_at=local_time(question.asked_at + _LATER, question.offset_minutes).isoformat(" ", "minutes"),
            query=question.query,
            options=options,
            tokens=query_tokens + count_tokens("\n".join(question.options)),
            query_tokens=query_tokens,
        )
        started = clock()
        answer = policy.choose(asked, view)
        seconds += clock() - started
        answers.append(
            CountingAnswer(
                question_id=question.question_id,
                policy=policy.name,
                policy_fingerprint=policy.fingerprint,
                counted=question.counted,
                answer=answer.text,
                correct=answer.text == question.answer,
                failure=answer.failure,
                tokens=answer.prompt_tokens + answer.completion_tokens,
            )
        )
    return answers, seconds / len(answers) if answers else 0.0


def score_counting(
    answers: Sequence[CountingAnswer],
    seconds: Mapping[str, float] | None = None,
    *,
    seed: int,
    bootstrap_samples: int,
) -> list[CountingScore]:
    """Return accuracies by policy, over all and by what is counted. A question without an answer is wrong.

    Args:
        answers: Of any policies.
        seconds: Of a question on average, by policy, where they were measured.
        seed: Seed of the intervals.
        bootstrap_samples: Resamples behind an interval.
    """
    found = []
    for policy in dict.fromkeys(one.policy for one in answers):
        for counted in ("all", *COUNTED):
            own = [one for one in answers if one.policy == policy and counted in ("all", one.counted)]
            if not own:
                continue
            value = estimate(
                [(one.correct, 1) for one in own],
                lambda sums: ratio(sums[:, 0], sums[:, 1]),
                samples=bootstrap_samples,
                seed=Streams(seed).numpy_seed("counting", counted),
            )
            mean = sum(one.tokens for one in own) / len(own)
            taken = (seconds or {}).get(policy)
            found.append(CountingScore(policy, counted, len(own), value.value, value.low, value.high, mean, taken))
    return found


def counting_table(scores: Sequence[CountingScore]) -> str:
    """Return accuracies by policy and what is counted (per cent), tokens and, where measured, seconds a question."""
    policies = list(dict.fromkeys(one.policy for one in scores))
    found = {(one.policy, one.counted): one for one in scores}
    rows = []
    for policy in policies:
        cells = [
            f"{100 * one.value:.1f} [{100 * one.low:.0f}, {100 * one.high:.0f}] of {one.questions}" if one else "-"
            for one in (found.get((policy, counted)) for counted in (*COUNTED, "all"))
        ]
        whole = found[policy, "all"]
        taken = "-" if whole.seconds is None else f"{whole.seconds:.3f}"
        rows.append((policy, *cells, f"{whole.tokens:,.0f}", taken))
    return markdown_table(("policy", *COUNTED, "all", "tokens", "seconds"), rows)
