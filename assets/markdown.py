"""Texts of seeds, people and models in an asset's metadata, which Dagster shows as Markdown."""

from __future__ import annotations

import re

__all__ = ["as_plain"]

_ACTIVE = re.compile(r"[\\`*\[\]<>|~!&#$]|(?<![^\W_])_|_(?![^\W_])")


def as_plain(text: str) -> str:
    """Return ``text`` as one line of Markdown that shows it as it is: no markup and no pictures come of it.

    Control characters, and those that turn the direction of writing, become blanks.
    """
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return _ACTIVE.sub(r"\\\g<0>", line)
