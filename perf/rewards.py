"""Completions a second through each reward and each reward judge: `python -m perf.rewards [completions]`.

Trajectories have three thoughts of some 40 words and an answer of some 20, captions 100 words; no two are alike, so
that nothing is spared by asking equal questions once. Judges are measured twice: the built-in one, and all that is not
the judge (prompt, parsing, batch) around one that answers at once. Wants 5,000 a second each.
"""

from __future__ import annotations

import itertools
import random
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from lifeloom.models.builtin.backend import BuiltinModel
from lifeloom.models.builtin.reader.answer_judging import judge_open_answer
from lifeloom.models.builtin.reader.consistency_judging import judge_consistency
from lifeloom.models.protocol import Generation, ModelIdentity, OptionScores, Usage
from lifeloom.records import BY_CODE, PictureReference
from lifeloom.scoring.degeneration import degeneration
from lifeloom.scoring.rewards import (
    QuestionCounts,
    Trajectory,
    agent_reward,
    binary_accuracy,
    caption_reward,
    choice_accuracy,
    combined_reward,
    format_reward,
    judge_many,
    object_consistency_reward,
    visual_reward,
)
from lifeloom.tasks import AnswerRewardInput, ConsistencyInput, OptionText, RewardVerdictOutput

_DRINKS = ("peppermint tea", "cocoa", "ginger beer", "oat milk", "black coffee", "lemon water")
_FILL = (
    "the user spoke of it in the kitchen after a long walk",
    "there is a message of the spring that mentions it again",
    "their sister likes something else and that was told too",
    "nothing later says that it has changed since",
    "an earlier message named another drink for the morning",
)
_OPTIONS = tuple(
    OptionText.model_validate({"letter": letter, "text": text}) for letter, text in zip("abcd", _DRINKS, strict=False)
)
_QUESTION = "What do I usually drink in the evening?"


class AnswersAtOnce:
    """A judge that says both words in turn."""

    identity = ModelIdentity("code", "answers-at-once")
    window_tokens = 32_768
    scores_options = False
    takes_pictures = False

    def __init__(self, *words: str) -> None:
        outputs = [RewardVerdictOutput(reason="so it is", verdict=word) for word in words]
        self._given = itertools.cycle([Generation(output, Usage(0, 1), BY_CODE) for output in outputs])

    def run(self, task: Any, task_input: Any, images: Sequence[PictureReference] = (), **_: Any) -> Generation[Any]:
        """Answer without looking; the prompt is rendered, as every server's is."""
        task.render(task_input)
        return next(self._given)

    def score_options(self, *args: Any, **kwargs: Any) -> OptionScores:
        """Never asked."""
        raise NotImplementedError

    def check(self) -> str:
        """Say that it answers."""
        return "ok"


def _outputs(rng: random.Random, number: int) -> list[str]:
    """Return a trajectory of two retrievals and an answer."""

    def thought(end: str) -> str:
        return f"<think>{'. '.join(one.capitalize() for one in rng.sample(_FILL, 4))}. {end}</think>"

    thought_of, drink = rng.choice(_DRINKS), rng.choice(_DRINKS)
    thought_of = drink if number % 4 else thought_of  # one in four may answer something else than was thought
    look = '<retrieve>\n"keywords": "evening, drink"\n"start_time": "2025-03-01"\n"end_time": "null"\n</retrieve>'
    said = (
        f"You told me on 14 March 2025 that you usually drink {drink} in the evening, message {number}, after a walk."
    )
    return [
        thought("I look for what they drink.") + look,
        thought(f"That is message {number}, I look once more.") + look,
        thought(f"On 14 March 2025 it was {thought_of}, message {number}.") + f"<answer>{said}</answer>",
    ]


def _measure(name: str, work: Callable[[], int]) -> None:
    started = time.perf_counter()
    done = work()
    print(f"{name}: {done / (time.perf_counter() - started):,.0f} completions a second")


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    rng = random.Random(1)
    rollouts = [_outputs(rng, number) for number in range(count)]
    words = sum(len(output.split()) for one in rollouts for output in one) / count
    print(f"{count:,} completions of {words:.0f} words on average")
    trajectories: list[Trajectory] = []

    def read() -> int:
        trajectories.extend(Trajectory.of_outputs(one) for one in rollouts)
        return count

    _measure("reading trajectories (tags, repairs)", read)
    answers = [AnswerRewardInput(question=_QUESTION, right=f"{_DRINKS[0]}.", answer=one.answer) for one in trajectories]
    follows = [ConsistencyInput(question=_QUESTION, thoughts=one.thoughts, answer=one.answer) for one in trajectories]
    _measure("format and Eq. 3", lambda: len([agent_reward(1, 1, format_reward(t.well_formed)) for t in trajectories]))
    letters = [f"({'abcd'[n % 4]}) {_DRINKS[n % 4]}" for n in range(count)]
    _measure("multiple choice", lambda: len([choice_accuracy(one, "b", _OPTIONS) for one in letters]))
    _measure(
        "multiple choice as Life-Bench reads it",
        lambda: len([choice_accuracy(one, "b", _OPTIONS, reading="life_bench") for one in letters]),
    )
    _measure("yes or no", lambda: len([binary_accuracy("Yes, it does.", "yes") for _ in range(count)]))
    once = AnswersAtOnce("Correct", "Wrong"), AnswersAtOnce("Consistent", "Inconsistent")
    _measure("open answers, the judge apart", lambda: len(judge_many(once[0], answers)))
    _measure("consistency, the judge apart", lambda: len(judge_many(once[1], follows)))
    _measure("open answers, the built-in rules alone", lambda: len([judge_open_answer(one) for one in answers]))
    _measure("consistency, the built-in rules alone", lambda: len([judge_consistency(one) for one in follows]))
    # Other words at the end, so that no analysis of the measurements before is found again.
    again = [one.model_copy(update={"answer": f"{one.answer} Enjoy!"}) for one in answers]
    thought = [one.model_copy(update={"answer": f"{one.answer} Cheers!"}) for one in follows]
    model = BuiltinModel()
    _measure("open answers, the built-in model", lambda: len(judge_many(model, again)))
    _measure("consistency, the built-in model", lambda: len(judge_many(model, thought)))
    captions = [
        " ".join(f"{rng.choice(_FILL).capitalize()}, caption {number}." for _ in range(8)) for number in range(count)
    ]
    asked = QuestionCounts(6, 4, 12, 9)

    def captioner() -> int:
        for number, text in enumerate(captions):
            seen = visual_reward(f"{text}\nAnswer: \\boxed{{[{number % 6}, 2]}}", {2, 3})
            combined_reward(seen, caption_reward(asked, degeneration(text, tokens=150).degenerate))
        return count

    _measure("captions of 100 words: r_vis, degeneration, r_caps", captioner)
    _measure("object consistency", lambda: len([object_consistency_reward("Yes.", True) for _ in range(count)]))


if __name__ == "__main__":
    main()
