"""Judging open answers (f_acc) and consistency of thoughts and answer (f_cons) with a model (PersonaVLM Section 3.2).

The paper asks an LLM zero-shot; by its rules here a verdict is 1 or 0 and one that cannot be read is 0. The release
asks for 0 to 10, tries three times, and takes 0.5 where nothing could be read. No answer is 0 by both and put to
nobody. Whatever could not be judged carries its reason, and ``count_failures`` counts them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from lifeloom.models.calls.parallel import ordered_map
from lifeloom.models.protocol import Generation, GenerationRejected, LanguageModel
from lifeloom.records import BY_CODE, Provenance
from lifeloom.scoring.rewards.agent import RewardRules
from lifeloom.scoring.unanswered import UNANSWERED, failure_of
from lifeloom.tasks import (
    ANSWER_REWARD_JUDGEMENT,
    CONSISTENCY_JUDGEMENT,
    AnswerRewardInput,
    ConsistencyInput,
    RewardVerdictOutput,
)

__all__ = [
    "NO_ANSWER",
    "NO_THOUGHT",
    "UNREADABLE_REWARD",
    "AskedReward",
    "JudgedReward",
    "count_failures",
    "judge_many",
    "judge_reward",
    "parse_reward_grade",
    "parse_reward_verdict",
]

AskedReward: TypeAlias = AnswerRewardInput | ConsistencyInput

NO_ANSWER: Final = "no_answer"
"""Nothing was answered: 0, and nobody is asked."""
NO_THOUGHT: Final = "no_thought"
"""Nothing was thought before the answer: inconsistent, and nobody is asked."""
UNREADABLE_REWARD: Final = "unreadable"
"""The judge gave neither of the two words, or no grade."""

_VERDICTS: Final[Mapping[type[AskedReward], Mapping[str, float]]] = {
    AnswerRewardInput: {"Correct": 1.0, "Wrong": 0.0},
    ConsistencyInput: {"Consistent": 1.0, "Inconsistent": 0.0},
}
_GRADE: Final = re.compile(r"10|[0-9]")
_HIGHEST: Final = 10
_TRIES: Final[Mapping[RewardRules, int]] = {"paper": 1, "release": 3}
_UNREAD: Final[Mapping[RewardRules, float]] = {"paper": 0.0, "release": 0.5}
_FORMLESS: Final = frozenset({"bad_json", "wrong_schema", "empty"})
"""Why a judge's answer was rejected where it answered, but not in the form asked for."""


@dataclass(frozen=True)
class JudgedReward:
    """What a judge says of a trajectory."""

    value: float
    """0..1."""
    failure: str
    """Why there is no verdict: ``no_answer``, ``no_thought``, ``unreadable``, or the reason of the judge's rejection;
    empty: there is one."""
    tries: int
    """How often the judge was asked; 0: not at all."""
    made_by: Provenance


def parse_reward_verdict(asked: AskedReward, text: str) -> float | None:
    """Return 1 or 0; None where the whole text is neither of the two words: ``Correct.`` and a sentence are none."""
    return _VERDICTS[type(asked)].get(text)


def parse_reward_grade(text: str) -> float | None:
    """Return a grade over 10, 0..1; None where the whole text is no whole number from 0 to 10."""
    return int(text) / _HIGHEST if _GRADE.fullmatch(text) else None


def judge_reward(judge: LanguageModel, asked: AskedReward, *, rules: RewardRules = "paper") -> JudgedReward:
    """Ask the judge about one answer or one consistency.

    Args:
        judge: any language model.
        asked: what about; its ``graded`` is set by the rules.
        rules: ``paper``: two words, one question, unreadable 0. ``release``: 0 to 10, three tries, unreadable 0.5.

    Raises:
        ModelUnavailable, ModelRefusesKey, BudgetExhausted: the judge stopped answering.
    """
    if not asked.answer.strip():
        return JudgedReward(0.0, NO_ANSWER, 0, BY_CODE)
    if isinstance(asked, ConsistencyInput) and not (asked.thoughts and asked.thoughts[-1].strip()):
        return JudgedReward(0.0, NO_THOUGHT, 0, BY_CODE)
    graded = rules == "release"
    question = asked if asked.graded == graded else asked.model_copy(update={"graded": graded})
    failure, made_by = UNREADABLE_REWARD, _provenance(judge, question)
    for sample in range(_TRIES[rules]):
        try:
            given = _ask(judge, question, sample)
        except UNANSWERED as error:
            formless = isinstance(error, GenerationRejected) and error.reason in _FORMLESS
            failure = UNREADABLE_REWARD if formless else failure_of(error)
            continue
        said = given.output.verdict
        value = parse_reward_grade(said) if graded else parse_reward_verdict(question, said)
        if value is not None:
            return JudgedReward(value, "", sample + 1, given.provenance)
        failure, made_by = UNREADABLE_REWARD, given.provenance
    return JudgedReward(_UNREAD[rules], failure, _TRIES[rules], made_by)


def _ask(judge: LanguageModel, question: AskedReward, sample: int) -> Generation[RewardVerdictOutput]:
    if isinstance(question, AnswerRewardInput):
        return judge.run(ANSWER_REWARD_JUDGEMENT, question, sample=sample)
    return judge.run(CONSISTENCY_JUDGEMENT, question, sample=sample)


def _provenance(judge: LanguageModel, question: AskedReward) -> Provenance:
    if isinstance(question, AnswerRewardInput):
        return judge.identity.provenance(ANSWER_REWARD_JUDGEMENT)
    return judge.identity.provenance(CONSISTENCY_JUDGEMENT)


def judge_many(
    judge: LanguageModel, asked: Sequence[AskedReward | None], workers: int = 1, *, rules: RewardRules = "paper"
) -> list[JudgedReward | None]:
    """Judge a batch, (B,); equal questions are put once.

    Args:
        judge: any language model; what it was asked in earlier batches its own cache answers.
        asked: of answers and consistencies in any mix; None: not applicable, and so is the result.
        workers: questions at once.
        rules: as in ``judge_reward``.

    Raises:
        ModelUnavailable, ModelRefusesKey, BudgetExhausted: the judge stopped answering.
    """
    different = list(dict.fromkeys(one for one in asked if one is not None))
    judged = ordered_map(lambda one: judge_reward(judge, one, rules=rules), different, workers=workers)
    found = dict(zip(different, judged, strict=True))
    return [None if one is None else found[one] for one in asked]


def count_failures(judged: Iterable[JudgedReward | None]) -> dict[str, int]:
    """Return how many results have no verdict, by reason."""
    return dict(Counter(one.failure for one in judged if one is not None and one.failure))
