"""Text of others on a terminal: shown, never obeyed."""

from __future__ import annotations

from rich.text import Text

__all__ = ["plain", "printable"]


def printable(text: str) -> str:
    """Return ``text`` without what a terminal would obey: escapes, other control characters, turned directions."""
    return "".join(c if c.isprintable() or c == "\n" else " " for c in text)


def plain(text: str, style: str = "") -> Text:
    """Return ``text`` to be printed as it is: brackets are no markup, control characters are blanks."""
    return Text(printable(text), style=style)
