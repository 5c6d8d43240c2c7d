"""The agent's reward: accuracy times consistency, and half for the format (PersonaVLM Section 3.2, Eq. 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from lifeloom.scoring.answer_reading import Lettered, leading_letter, leading_verdict, read_letter, read_verdict

__all__ = [
    "FORMAT_WEIGHT",
    "AgentReward",
    "AnswerReading",
    "RewardRules",
    "agent_reward",
    "agent_rewards",
    "binary_accuracy",
    "choice_accuracy",
    "format_reward",
]

RewardRules = Literal["paper", "release"]
"""Whose rules hold where the paper and the public release differ."""

AnswerReading = Literal["persona_mme", "life_bench"]
"""Which benchmark's way of reading a letter or a yes or no is rewarded."""

FORMAT_WEIGHT: Final = 0.5


@dataclass(frozen=True)
class AgentReward:
    """The reward of one trajectory, with its parts."""

    accuracy: float
    """f_acc, 0..1."""
    consistency: float
    """f_cons, 0..1."""
    format: float
    """f_format, 0..1."""
    total: float
    """0..1.5."""


def agent_reward(accuracy: float, consistency: float, format: float) -> AgentReward:
    """Return ``accuracy * consistency + 0.5 * format`` (Eq. 3), 0..1.5.

    Raises:
        ValueError: a part is not within 0..1.
    """
    for name, value in (("accuracy", accuracy), ("consistency", consistency), ("format", format)):
        if not 0.0 <= value <= 1.0:  # NaN is not either
            raise ValueError(f"{name} is within 0..1, not {value}")
    return AgentReward(accuracy, consistency, format, accuracy * consistency + FORMAT_WEIGHT * format)


def agent_rewards(
    accuracies: Sequence[float | None], consistencies: Sequence[float | None], formats: Sequence[float | None]
) -> list[float | None]:
    """Return the totals of a batch; None where a part is None.

    Args:
        accuracies: f_acc, (B,).
        consistencies: f_cons, (B,).
        formats: f_format, (B,).

    Raises:
        ValueError: lengths differ, or a part is not within 0..1.
    """
    return [
        None if accuracy is None or consistency is None or format is None
        else agent_reward(accuracy, consistency, format).total
        for accuracy, consistency, format in zip(accuracies, consistencies, formats, strict=True)
    ]  # fmt: skip


def format_reward(well_formed: Sequence[bool], *, per_step_mean: bool = False) -> float:
    """Return f_format, 0..1: 1 where every step of the trajectory is well formed, else 0.

    Args:
        well_formed: by step, whether it kept exactly the format asked for (``lifeloom.assistant.parsing``). Without a
            step it is 0.
        per_step_mean: the share of well-formed steps instead.
    """
    if not well_formed:
        return 0.0
    if per_step_mean:
        return sum(map(bool, well_formed)) / len(well_formed)
    return float(all(well_formed))


def choice_accuracy(
    answer_text: str,
    right_letter: str,
    options: Sequence[Lettered],
    *,
    reading: AnswerReading = "persona_mme",
    rules: RewardRules = "paper",
    retrievals: int | None = None,
) -> float:
    """Return f_acc of a multiple-choice answer, 1 or 0, without a judge.

    Args:
        answer_text: of the trajectory's last step; empty: none, which is 0.
        right_letter: as the options have it; ``B`` and ``(b)`` are read as ``b``.
        options: all of the question.
        reading: ``persona_mme``: the letter before the first ``)``, and nothing else, as that benchmark scores, so that
            no form is rewarded which it counts as wrong. ``life_bench``: letter or text as a person would read it; two
            letters are 0.
        rules: ``release``: an answer before the first retrieval is 0.
        retrievals: how often the trajectory looked memories up; needed by ``release`` alone.

    Raises:
        ValueError: no option has the right letter, or ``release`` is not told ``retrievals``.
    """
    right = right_letter.strip().strip("()").lower()
    if all(option.letter != right for option in options):
        raise ValueError(f"no option has the letter {right_letter!r}")
    if rules == "release":
        if retrievals is None:
            raise ValueError("the release's rule needs the number of retrievals")
        if retrievals < 1:
            return 0.0
    if reading == "persona_mme":
        return float(leading_letter(answer_text, options) == right)
    return float(bool(answer_text.strip()) and read_letter(answer_text, options) == (right,))


def binary_accuracy(answer_text: str, right: Literal["yes", "no"], *, reading: AnswerReading = "persona_mme") -> float:
    """Return f_acc of a yes-or-no answer, 1 or 0, without a judge.

    Args:
        answer_text: of the trajectory's last step; empty: none, which is 0.
        right: what is right.
        reading: ``persona_mme``: the first word. ``life_bench``: as a person would read it; neither and both are 0.

    Raises:
        ValueError: ``right`` is neither.
    """
    if right not in ("yes", "no"):
        raise ValueError(f"right is yes or no, not {right!r}")
    said = leading_verdict(answer_text) if reading == "persona_mme" else read_verdict(answer_text)
    return float(said == right)
