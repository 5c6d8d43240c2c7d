"""Checks of a data set's pictures before it is published: marks, references and files belong together."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lifeloom.records import Turn

__all__ = ["MARK", "picture_problems"]

MARK = "<img>"
"""Stands in a user's text where a picture is shown."""


def picture_problems(turns: Iterable[Turn], stored: Callable[[str], bool]) -> list[str]:
    """Return what is wrong with the pictures of ``turns``; ``stored`` says whether a content hash has its file."""
    problems = []
    for turn in turns:
        marks = turn.user.count(MARK)
        if marks != len(turn.pictures):
            problems.append(f"{turn.turn_id}: {marks} marks for {len(turn.pictures)} pictures")
        if MARK in turn.assistant:
            problems.append(f"{turn.turn_id}: the assistant shows a picture")
        problems += [
            f"{turn.turn_id}: picture {picture.content_hash[:12]} is not stored"
            for picture in turn.pictures
            if not stored(picture.content_hash)
        ]
    return problems
