"""A question before it is chosen: what is asked, what is right, and from what it follows."""

from __future__ import annotations

import datetime as dt
import functools
import random
import tomllib
from dataclasses import dataclass
from importlib import resources

from lifeloom.records import Difficulty, Edition, LifeTask, PlannedShot

__all__ = ["NOT_IN_IMAGE", "Draft", "date_phrase", "stem"]

NOT_IN_IMAGE = "Not in image."
"""The option that is right when the one who is asked about is not there, as the public release writes it."""


@dataclass(frozen=True)
class Draft:
    """A question that could be asked."""

    task: LifeTask
    difficulty: Difficulty
    template: str
    question: str
    answer: str
    """A text; for a choice, that of the right option."""
    wrong: tuple[tuple[str, str], ...] = ()
    """Choices: texts of other options with their source, best first."""
    kind: str = ""
    """What is balanced: the answer itself unless something coarser says more."""
    shot: PlannedShot | None = None
    """Of a question picture."""
    event_ids: tuple[str, ...] = ()
    concept_ids: tuple[str, ...] = ()
    truth: tuple[str, ...] = ()
    """Sentences from which the answer follows, for the critic."""

    @property
    def balanced_by(self) -> str:
        """What must not be the same too often."""
        return self.kind or self.answer


@functools.cache
def _stems() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    folder = resources.files("lifeloom.synthesis.life_questions")
    common, release = (
        tomllib.loads(folder.joinpath(name).read_text("utf-8"))["stems"]
        for name in ("life_stems.toml", "release_life_stems.toml")
    )
    return common, release


def stem(template: str, edition: Edition, rng: random.Random, **fields: str) -> str:
    """Return a way to ask; a third of them is a release's alone.

    Raises:
        KeyError: there is no such template, or a field is missing.
    """
    common, release = _stems()
    ways = common[template] + (release[template] if edition == "release" else [])
    text = rng.choice(ways).format(**fields)
    return text[0].upper() + text[1:]


def date_phrase(day: dt.date, rng: random.Random) -> str:
    """Return a day as people write it: ``2011-04-15``, ``April 15, 2011`` or ``15 April 2011``."""
    return rng.choice((day.isoformat(), f"{day:%B} {day.day}, {day.year}", f"{day.day} {day:%B} {day.year}"))
