"""Action judgement: does an answer say what the user had to do (LAR; CoViP Appendix D, Table S.15)?"""

from __future__ import annotations

from pydantic import Field

from lifeloom.tasks.base import GenerationTask, TaskInput, TaskOutput

__all__ = ["ACTION_JUDGEMENT", "ActionJudgementInput", "ActionJudgementOutput"]


class ActionJudgementInput(TaskInput):
    """What the user had to do, and the answer to be judged."""

    action: str
    answer: str


class ActionJudgementOutput(TaskOutput):
    """The verdict as the judge wrote it; ``lifeloom.scoring.diagnostic_scoring.parse_verdict`` reads it."""

    verdict: str = Field(max_length=200)


ACTION_JUDGEMENT: GenerationTask[ActionJudgementInput, ActionJudgementOutput] = GenerationTask(
    name="action_judgement",
    version="1",
    input_type=ActionJudgementInput,
    output_type=ActionJudgementOutput,
    instructions=(
        "A user asked: What was I doing the last time I mentioned the person in this image? You judge "
        "the answer against what the user had to do. It is Correct when it names the same action, in whatever words; "
        "whether it was still to be done or being done makes no difference. It is Wrong when it names another action, "
        "or several of which only one is right, when it leaves out what tells the action apart, denies it, or does not "
        "know."
    ),
    template="""\
The user had to: {{ input.action }}
Answer: {{ input.answer }}
Give {"verdict": "Correct"} or {"verdict": "Wrong"}.
""",
    max_tokens=64,
)
