"""Progress of long work: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

__all__ = ["Reporter"]

_LINES = 4
"""Plain lines a stage at most, besides its last."""


class Reporter:
    """Tells a person how far each stage is."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._bars: Progress | None = None
        if console.is_terminal:
            self._bars = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                console=console,
                transient=True,
            )
        self._tasks: dict[str, TaskID] = {}
        self._told: dict[str, int] = {}

    def __enter__(self) -> Reporter:
        if self._bars is not None:
            self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bars is not None:
            self._bars.stop()

    def watch(self, stage: str, done: int, total: int) -> None:
        """Show that ``done`` of ``total`` items of ``stage`` are done."""
        if self._bars is None:
            step = max(1, total // _LINES)
            if done == total or done >= self._told.get(stage, 0) + step:
                self._told[stage] = done
                self.console.print(f"{stage}: {done} of {total}", highlight=False)
            return
        if stage not in self._tasks:
            self._tasks[stage] = self._bars.add_task(stage, total=total)
        self._bars.update(self._tasks[stage], completed=done, total=total)
        if done >= total:
            self._bars.remove_task(self._tasks.pop(stage))

    def say(self, text: str, style: str = "") -> None:
        """Print a line above the bars, in a style as rich names them."""
        self.console.print(text, style=style, highlight=False)
