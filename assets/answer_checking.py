"""Whether a teacher's answer is right, by the planned truth: what decides which trajectories are kept."""

from lifeloom.models.protocol import LanguageModel
from lifeloom.records import RlPrompt
from lifeloom.tasks import LIFE_JUDGEMENT, LifeJudgementInput

__all__ = ["right_answer"]


def right_answer(prompt: RlPrompt, text: str, judge: LanguageModel) -> bool:
    """Return whether ``text`` is right: by its letter, its yes or no, or, answered openly, by the judge.

    Raises:
        ModelUnavailable: or another error of the judge that concerns more than this answer.
    """
    if prompt.kind == "choice":
        return text.partition(")")[0].strip().lstrip("(").strip().lower() == prompt.answer
    if prompt.kind == "binary":
        words = text.lower().split(maxsplit=1)
        return bool(words) and words[0].strip("\"'*.,:;!()") == prompt.answer
    asked = LifeJudgementInput(question=prompt.query, truth=prompt.answer, answer=text)
    return judge.run(LIFE_JUDGEMENT, asked).output.verdict == "Correct"
