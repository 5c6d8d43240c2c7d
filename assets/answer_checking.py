"""Whether a teacher's answer is right, by the planned truth: what decides which trajectories are kept."""

from typing import Literal, cast

from lifeloom.models.protocol import LanguageModel
from lifeloom.records import RlPrompt
from lifeloom.scoring.rewards import binary_accuracy, choice_accuracy, judge_reward
from lifeloom.tasks import AnswerRewardInput

__all__ = ["right_answer"]


def right_answer(prompt: RlPrompt, text: str, judge: LanguageModel) -> bool:
    """Return whether ``text`` is right: by its letter, its yes or no, or, answered openly, by the judge.

    What the judge cannot tell is not right.

    Raises:
        ModelUnavailable: or another error of the judge that concerns more than this answer.
    """
    if prompt.kind == "choice":
        return choice_accuracy(text, prompt.answer, prompt.options) == 1.0
    if prompt.kind == "binary":
        return binary_accuracy(text, cast(Literal["yes", "no"], prompt.answer)) == 1.0
    asked = AnswerRewardInput(question=prompt.query, right=prompt.answer, answer=text)
    return judge_reward(judge, asked).value == 1.0
