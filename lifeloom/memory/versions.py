"""The versions of a value when one of them, or what ended one, is taken out of the history."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

from lifeloom.records import Memory

__all__ = ["as_if_never", "taken_over"]


def taken_over(versions: Sequence[Memory], gone: Collection[str], said: Callable[[Memory], str]) -> tuple[str, ...]:
    """Return the ids of later versions that hold the words of one that goes, though their own turns do not say them.

    A model that is shown ``tea`` and hears of cake may write ``tea and cake``: that follows from the version before
    too.

    Args:
        versions: Of one value, oldest first.
        gone: Ids of those that go.
        said: Gives the text of the turns that a version cites.
    """
    words: list[str] = []
    found = []
    for version in versions:
        repeated = [one for one in words if _holds(version.content, one) and not _holds(said(version), one)]
        if version.memory_id in gone:
            words.append(version.content)
        elif repeated:
            found.append(version.memory_id)
            words.append(version.content)
    return tuple(found)


def _holds(text: str, words: str) -> bool:
    within, wanted = (" ".join(re.findall(r"\w+", one.casefold())) for one in (text, words))
    if not wanted:
        return words in text
    return f" {wanted} " in f" {within} " if wanted.isascii() else wanted in within


def as_if_never(versions: Sequence[Memory], gone: Collection[str], turn: int | None = None) -> tuple[Memory, ...]:
    """Return the versions that stay, linked and ended as though what goes had never been.

    A version is ended by the next one that stays, or by what ended the value afterwards without a new one; a version
    before one that goes therefore holds again, or until then.

    Args:
        versions: Of one value, oldest first.
        gone: Ids of those that go.
        turn: The turn that is erased: an end that follows from it goes too. None: no end goes.
    """
    kept: list[Memory] = []
    holds = False  # whether the last of ``kept`` holds
    for version in versions:
        if version.memory_id not in gone:
            before = kept[-1] if holds else None
            if before is not None:
                kept[-1] = _ended(
                    before, version.memory_id, version.known_at, version.known_turns, version.source_turns
                )
            kept.append(
                version.model_copy(
                    update={
                        "replaces": "" if before is None else before.memory_id,
                        "replaced_by": "",
                        "ended_at": None,
                        "ended_turns": None,
                        "ended_by_turns": (),
                    }
                )
            )
            holds = True
        taken_back = version.ended_at is not None and not version.replaced_by
        if taken_back and turn not in version.ended_by_turns:
            if holds:
                kept[-1] = _ended(kept[-1], "", version.ended_at, version.ended_turns, version.ended_by_turns)
            holds = False
    return tuple(kept)


def _ended(memory: Memory, replaced_by: str, at: Any, turns: int | None, by: tuple[int, ...]) -> Memory:
    return memory.model_copy(
        update={"replaced_by": replaced_by, "ended_at": at, "ended_turns": turns, "ended_by_turns": by}
    )
