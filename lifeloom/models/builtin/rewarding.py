"""What the built-in backend answers about an agent's trajectories: the judges of its rewards."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from lifeloom.models.builtin.life import TextAnswer
from lifeloom.tasks import ANSWER_REWARD_JUDGEMENT, CONSISTENCY_JUDGEMENT, TaskOutput

__all__ = ["text_tasks"]


def text_tasks() -> Mapping[str, TextAnswer]:
    """Return by name what answers the tasks that come without pictures."""
    return {ANSWER_REWARD_JUDGEMENT.name: _answer, CONSISTENCY_JUDGEMENT.name: _consistency}


def _answer(task_input: Any, rng: random.Random) -> TaskOutput:
    from lifeloom.models.builtin.reader.answer_judging import judge_open_answer

    return judge_open_answer(task_input)


def _consistency(task_input: Any, rng: random.Random) -> TaskOutput:
    from lifeloom.models.builtin.reader.consistency_judging import judge_consistency

    return judge_consistency(task_input)
