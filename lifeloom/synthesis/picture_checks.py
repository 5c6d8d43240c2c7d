"""Check of a data set's pictures before it is published: what turns refer to is stored.

That marks and references agree is a matter of structure (``lifeloom.synthesis.validation.structural_problems``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lifeloom.records import Turn

__all__ = ["picture_problems"]


def picture_problems(turns: Iterable[Turn], stored: Callable[[str], bool]) -> list[str]:
    """Return which pictures of ``turns`` are missing; ``stored`` says whether a content hash has its file."""
    return [
        f"{turn.turn_id}: picture {picture.content_hash[:12]} is not stored"
        for turn in turns
        for picture in turn.pictures
        if not stored(picture.content_hash)
    ]
