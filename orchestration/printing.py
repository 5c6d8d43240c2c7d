"""What is printed on a terminal: text of others shown, never obeyed, and tables whose numbers are never cut."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.cells import cell_len
from rich.console import Console, ConsoleDimensions, ConsoleOptions
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

__all__ = ["Name", "counted", "plain", "print_tables", "printable"]

PIPED_WIDTH = 200
"""Columns where no terminal says how wide it is."""

_PIECE = re.compile(r"[^/_@, -]*[/_@, -]+|[^/_@, -]+")


def printable(text: str) -> str:
    """Return ``text`` without what a terminal would obey: escapes, other control characters, turned directions."""
    return "".join(c if c.isprintable() or c == "\n" else " " for c in text)


def plain(text: str, style: str = "") -> Text:
    """Return ``text`` to be printed as it is: brackets are no markup, control characters are blanks."""
    return Text(printable(text), style=style)


def counted(number: int, what: str) -> str:
    """Return ``1 call``, ``2 calls``."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


class Name:
    """A cell with a name, printed as it is, that goes on in the next line after a ``/``, ``_`` or ``-`` of its own.

    Args:
        text: The name.
        indent: Blanks before every line of it.
        style: As rich names styles.
    """

    def __init__(self, text: str, indent: int = 0, style: str = "") -> None:
        self._pieces = _PIECE.findall(" ".join(printable(text).split())) or [""]
        self._indent = indent
        self._style = style

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """Return the widths of the longest piece, and of the whole."""
        widths = [cell_len(piece) for piece in self._pieces]
        return Measurement(self._indent + max(widths), self._indent + sum(widths)).with_maximum(options.max_width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        """Yield the lines."""
        lines, room = [""], options.max_width - self._indent
        for piece in self._pieces:
            if lines[-1] and cell_len(lines[-1] + piece.rstrip()) > room:
                lines.append("")
            lines[-1] += piece
        yield Text("\n".join(" " * self._indent + line for line in lines), style=self._style, overflow="fold")


def print_tables(*tables: Table) -> None:
    """Print tables on standard output, as wide as their numbers need; a terminal that is narrower wraps the lines."""
    console = Console()
    available = console.width if console.is_terminal else max(console.width, PIPED_WIDTH)
    for table in tables:
        # A width alone is not heeded on a terminal that can do nothing.
        console.size = ConsoleDimensions(max(available, _needed(console, table)), console.height)
        console.print(table)


def _needed(console: Console, table: Table) -> int:
    """Return the width at which ``table`` shows whole pieces of names, and whole cells of columns that never wrap."""
    options = console.options.update(width=10_000)
    needed = Measurement.get(console, options, table).minimum  # of cells with blanks it takes the longest word
    for column in table.columns:
        if column.no_wrap:
            sizes = [Measurement.get(console, options, cell) for cell in (column.header, *column.cells)]
            needed += max(size.maximum for size in sizes) - max(size.minimum for size in sizes)
    return needed
