"""One user message with its answer."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Exchange"]


@dataclass(frozen=True)
class Exchange:
    """What the user says and what the assistant answers; neither is empty."""

    user: str
    assistant: str
