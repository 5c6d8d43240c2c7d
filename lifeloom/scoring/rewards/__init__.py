"""Rewards of reinforcement learning: of the agent (PersonaVLM Eq. 3) and of the captioner (CoViP Eqs. 4 to 6).

Functions of one completion return a number; their plural forms take a batch and return ``list[float | None]``, where
None means that the reward does not apply to that completion. docs/rewards.md tells formulas, ranges and options.
"""

from lifeloom.scoring.rewards.agent import (
    AgentReward,
    RewardRules,
    agent_reward,
    agent_rewards,
    binary_accuracy,
    choice_accuracy,
    format_reward,
)
from lifeloom.scoring.rewards.captioner import (
    CaptionForm,
    QuestionCounts,
    caption_reward,
    caption_rewards,
    combined_reward,
    combined_rewards,
    visual_reward,
    visual_rewards,
)
from lifeloom.scoring.rewards.judging import (
    NO_ANSWER,
    NO_THOUGHT,
    UNREADABLE_REWARD,
    JudgedReward,
    count_failures,
    judge_many,
    judge_reward,
    parse_reward_grade,
    parse_reward_verdict,
)
from lifeloom.scoring.rewards.object_consistency import object_consistency_reward, object_consistency_rewards
from lifeloom.scoring.rewards.trajectory import Trajectory

__all__ = [
    "NO_ANSWER",
    "NO_THOUGHT",
    "UNREADABLE_REWARD",
    "AgentReward",
    "CaptionForm",
    "JudgedReward",
    "QuestionCounts",
    "RewardRules",
    "Trajectory",
    "agent_reward",
    "agent_rewards",
    "binary_accuracy",
    "caption_reward",
    "caption_rewards",
    "choice_accuracy",
    "combined_reward",
    "combined_rewards",
    "count_failures",
    "format_reward",
    "judge_many",
    "judge_reward",
    "object_consistency_reward",
    "object_consistency_rewards",
    "parse_reward_grade",
    "parse_reward_verdict",
    "visual_reward",
    "visual_rewards",
]
