"""What people do in lives: activities by family, with words, places and things that fit."""

from __future__ import annotations

import functools
import tomllib
from dataclasses import dataclass
from importlib import resources

from lifeloom.records import Edition

__all__ = ["LifeActivity", "activities_for", "activity"]

_FILES = ("activities.toml", "release_activities.toml")


@dataclass(frozen=True)
class LifeActivity:
    """Something that people do."""

    activity_id: str
    family: str
    """What it is a form of."""
    words: tuple[str, ...]
    """Ways to say it. The last ones are said in releases only."""
    places: tuple[str, ...]
    things: tuple[str, ...]
    months: tuple[int, ...]
    """In which it is done; empty: all the year."""
    release_only: bool

    def words_for(self, edition: Edition) -> tuple[str, ...]:
        """Return the ways to say it in an edition: a release's last third is said nowhere else."""
        kept = len(self.words) - len(self.words) // 3
        return self.words if edition == "release" else self.words[:kept]


@functools.cache
def _all() -> tuple[LifeActivity, ...]:
    found = []
    for name in _FILES:
        text = resources.files("lifeloom.synthesis.catalogue").joinpath(name).read_text("utf-8")
        for row in tomllib.loads(text)["activity"]:
            found.append(
                LifeActivity(
                    activity_id=row["id"],
                    family=row["family"],
                    words=tuple(row["words"]),
                    places=tuple(row["places"]),
                    things=tuple(row["things"]),
                    months=tuple(row.get("months", ())),
                    release_only=name.startswith("release_"),
                )
            )
    return tuple(found)


def activities_for(edition: Edition) -> tuple[LifeActivity, ...]:
    """Return the activities of an edition: some are done in releases only."""
    return tuple(one for one in _all() if edition == "release" or not one.release_only)


def activity(activity_id: str) -> LifeActivity:
    """Return an activity by id.

    Raises:
        KeyError: there is none.
    """
    return _by_id()[activity_id]


@functools.cache
def _by_id() -> dict[str, LifeActivity]:
    return {one.activity_id: one for one in _all()}
