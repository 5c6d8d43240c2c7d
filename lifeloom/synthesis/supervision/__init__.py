"""Training sets: supervision for SFT (P13), prompts of RL for the assistant (P14) and for the captioner (C6)."""

from lifeloom.synthesis.supervision.captioning import captioning_prompts, warm_up_example
from lifeloom.synthesis.supervision.checks import (
    example_tokens,
    length_lines,
    repeated_ids,
    shared_questions,
    shared_samples,
    trajectory_problems,
)
from lifeloom.synthesis.supervision.composition import (
    MEMORY_SHARES,
    RL_SHARES,
    SFT_SHARES,
    Composed,
    compose,
    share_problems,
)
from lifeloom.synthesis.supervision.concepts import caption_example, presence_examples
from lifeloom.synthesis.supervision.operations import asks_nothing, operation_example
from lifeloom.synthesis.supervision.prompts import OPEN_TASKS, is_for_rl, rl_prompts
from lifeloom.synthesis.supervision.trajectories import Asked, Teacher, reasoning_example

__all__ = [
    "MEMORY_SHARES",
    "OPEN_TASKS",
    "RL_SHARES",
    "SFT_SHARES",
    "Asked",
    "Composed",
    "Teacher",
    "asks_nothing",
    "caption_example",
    "captioning_prompts",
    "compose",
    "example_tokens",
    "is_for_rl",
    "length_lines",
    "operation_example",
    "presence_examples",
    "reasoning_example",
    "repeated_ids",
    "rl_prompts",
    "share_problems",
    "shared_questions",
    "shared_samples",
    "trajectory_problems",
    "warm_up_example",
]
