"""Whole releases whose options are exchangeable, or give the right one away."""

from __future__ import annotations

import random
from collections.abc import Sequence

from lifeloom.records import LETTERS, BenchmarkCase, TaskName
from tests.evaluation.examples import case

DRINKS = ("mint tea", "pale ale", "red wine", "hot cocoa", "cold cider", "iced latte", "oat milk", "rose water")


def exchangeable(count: int, *, seed: int, tasks: Sequence[TaskName] = ("SIR",)) -> list[BenchmarkCase]:
    """Return cases whose right option is any of four random drinks; letters are balanced."""
    rng = random.Random(seed)
    return [
        case(
            f"case-{number}",
            task=tasks[number % len(tasks)],
            answer=LETTERS[number // len(tasks) % 4],
            options=rng.sample(DRINKS, 4),
            query=f"What do I drink on day {number % 7}?",
        )
        for number in range(count)
    ]


def with_tell(
    count: int, *, seed: int, share: float = 1.0, tasks: Sequence[TaskName] = ("SIR",)
) -> list[BenchmarkCase]:
    """Return such cases in which a share of the right options says ``now`` and the others ``then``."""
    rng = random.Random(seed)
    cases = []
    for plain in exchangeable(count, seed=seed, tasks=tasks):
        told = rng.random() < share
        options = tuple(
            option.model_copy(
                update={"text": f"{option.text} {'now' if told and option.letter == plain.answer else 'then'}"}
            )
            for option in plain.options
        )
        cases.append(plain.model_copy(update={"options": options}))
    return cases
