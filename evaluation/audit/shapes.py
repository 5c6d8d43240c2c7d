"""What a release's questions look like from outside: letters, lengths of options, near-duplicates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

from evaluation.audit.questions import ChoiceExample
from lifeloom.records import Record
from lifeloom.records.base import Identifier
from lifeloom.synthesis.near_duplicates import near_duplicates

__all__ = ["TaskShape", "task_shapes"]


class TaskShape(Record):
    """Letters, lengths and repetition of one task's questions, or of all (``all``)."""

    KIND: ClassVar[str] = "task_shape"

    release_id: Identifier
    task: str
    cases: int
    right_places: tuple[int, ...]
    """How often the option at each place is right."""
    right_length: float
    """Mean length of right options, in characters."""
    wrong_length: float
    """Mean length of wrong options, in characters."""
    longest: float
    """Share of cases whose right option is longer than every other, 0..1."""
    shortest: float
    """Share of cases whose right option is shorter than every other, 0..1."""
    near_duplicates: int
    """Cases that nearly repeat the question and options of an earlier one of the release."""


def task_shapes(release_id: str, choices: Sequence[ChoiceExample]) -> list[TaskShape]:
    """Return the shape of every task, by name, then of all.

    Raises:
        ValueError: no questions with options.
    """
    if not choices:
        raise ValueError("a release without options has no shape")
    repeated = {later for _, later in near_duplicates([" ".join((c.query, *c.options)) for c in choices])}
    by_task: dict[str, list[int]] = {}
    for number, choice in enumerate(choices):
        by_task.setdefault(choice.task, []).append(number)
    groups = [*sorted(by_task.items()), ("all", list(range(len(choices))))]
    return [
        _shape(release_id, task, [choices[n] for n in own], len(repeated.intersection(own))) for task, own in groups
    ]


def _shape(release_id: str, task: str, own: Sequence[ChoiceExample], repeated: int) -> TaskShape:
    places = Counter(choice.right for choice in own)
    right = [len(choice.options[choice.right]) for choice in own]
    wrong = [[len(text) for place, text in enumerate(choice.options) if place != choice.right] for choice in own]
    several = [(mine, others) for mine, others in zip(right, wrong, strict=True) if others]
    lengths = [length for others in wrong for length in others]
    return TaskShape(
        release_id=release_id,
        task=task,
        cases=len(own),
        right_places=tuple(places[place] for place in range(max(len(choice.options) for choice in own))),
        right_length=sum(right) / len(right),
        wrong_length=sum(lengths) / max(len(lengths), 1),
        longest=sum(mine > max(others) for mine, others in several) / len(own),
        shortest=sum(mine < min(others) for mine, others in several) / len(own),
        near_duplicates=repeated,
    )
