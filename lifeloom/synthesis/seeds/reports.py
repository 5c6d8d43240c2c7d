"""What a reader of seeds took and left out: exact counts by reason, with the first lines of each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from lifeloom.records import Rejection
from lifeloom.synthesis.seeds.files import SeedError

__all__ = [
    "SAMPLES_PER_REASON",
    "LineSample",
    "ReadingReport",
    "ReasonCount",
    "SeedReading",
    "SeedTally",
    "TooFewSeeds",
    "require_enough",
]

SAMPLES_PER_REASON = 20
"""So many lines of each reason are kept as examples; all are counted."""

_DETAIL = 200
_Seed = TypeVar("_Seed")


@dataclass(frozen=True, slots=True)
class LineSample:
    """One line as an example of a reason."""

    line: int
    detail: str


@dataclass(frozen=True, slots=True)
class ReasonCount:
    """How many lines share a reason, and the first of them (at most ``SAMPLES_PER_REASON``)."""

    reason: str
    count: int
    samples: tuple[LineSample, ...]


@dataclass(frozen=True, slots=True)
class ReadingReport:
    """The account of one reading: ``read = kept + rejected``, exactly, in lines of the file."""

    stage: str
    source: str
    """Name of the file (no folder) or ``builtin``."""
    read: int
    kept: int
    rejected: tuple[ReasonCount, ...]
    """By falling count, then by name."""
    noted: tuple[ReasonCount, ...]
    """Remarks on lines that were kept (cleaned, clipped, impossible date) and on the file (broken gzip)."""

    @property
    def rejected_total(self) -> int:
        """Number of lines left out."""
        return sum(reason.count for reason in self.rejected)

    def count(self, reason: str) -> int:
        """Return how many lines were rejected, or noted, for ``reason``."""
        return sum(entry.count for entry in (*self.rejected, *self.noted) if entry.reason == reason)

    def less(self, later: ReadingReport) -> ReadingReport:
        """Return this account with lines it kept, and that a later step rejected, moved to the rejected ones."""
        rejected = sorted((*self.rejected, *later.rejected), key=lambda entry: (-entry.count, entry.reason))
        return replace(self, kept=self.kept - later.rejected_total, rejected=tuple(rejected))

    def rejections(self) -> tuple[Rejection, ...]:
        """Return records for the store: a bounded number, however large the file.

        The first ``SAMPLES_PER_REASON`` lines of a reason have a record each; the others of that
        reason share one whose item is ``N more lines``. The exact counts are in this report.
        """
        records: list[Rejection] = []
        for entry in self.rejected:
            records += [
                Rejection(
                    stage=self.stage,
                    item=f"{self.source} line {sample.line}",
                    reason=entry.reason,
                    detail=sample.detail,
                )
                for sample in entry.samples
            ]
            if more := entry.count - len(entry.samples):
                records.append(
                    Rejection(
                        stage=self.stage,
                        item=f"{self.source} {more} more lines",
                        reason=entry.reason,
                        detail=f"{entry.count} lines in all",
                    )
                )
        return tuple(records)

    def summary(self) -> str:
        """Return one line for people: ``904 read, 900 kept; left out: bad_json 3 (lines 1, 2, 7)``."""
        text = f"{self.source}: {self.read} read, {self.kept} kept"
        if self.rejected:
            text += "; left out: " + ", ".join(_in_words(entry) for entry in self.rejected)
        if self.noted:
            text += "; noted: " + ", ".join(_in_words(entry) for entry in self.noted)
        return text


def _in_words(entry: ReasonCount) -> str:
    lines = ", ".join(str(sample.line) for sample in entry.samples[:3])
    plural = "line" if entry.count == 1 else "lines"
    return f"{entry.reason} {entry.count} ({plural} {lines}{', …' if entry.count > 3 else ''})"


@dataclass(frozen=True, slots=True)
class SeedReading(Generic[_Seed]):
    """All seeds of a file, in the order of the file, with the account of the reading."""

    seeds: tuple[_Seed, ...]
    report: ReadingReport


class SeedTally:
    """Counts while a reader runs. Memory does not grow with the number of lines."""

    def __init__(self, stage: str, source: str) -> None:
        self.stage = stage
        self.source = source
        self.read = 0
        self.kept = 0
        self._rejected: dict[str, int] = {}
        self._noted: dict[str, int] = {}
        self._samples: dict[str, list[LineSample]] = {}

    def reject(self, reason: str, line: int, detail: bytes | str = "") -> None:
        """Count a line as left out; ``detail`` is kept for the first few of a reason only."""
        count = self._rejected.get(reason, 0)
        self._rejected[reason] = count + 1
        if count < SAMPLES_PER_REASON:
            self._sample(reason, line, detail)

    def note(self, reason: str, line: int, detail: bytes | str = "") -> None:
        """Count a remark on a line that is kept."""
        count = self._noted.get(reason, 0)
        self._noted[reason] = count + 1
        if count < SAMPLES_PER_REASON:
            self._sample(reason, line, detail)

    def report(self) -> ReadingReport:
        """Return the account so far."""
        return ReadingReport(
            stage=self.stage,
            source=self.source,
            read=self.read,
            kept=self.kept,
            rejected=self._counts(self._rejected),
            noted=self._counts(self._noted),
        )

    def _sample(self, reason: str, line: int, detail: bytes | str) -> None:
        if isinstance(detail, bytes):
            detail = detail[: 4 * _DETAIL].decode("utf-8", "replace")
        shown = "".join(char if char.isprintable() else " " for char in detail[: 2 * _DETAIL])[:_DETAIL]
        self._samples.setdefault(reason, []).append(LineSample(line, shown))

    def _counts(self, counts: dict[str, int]) -> tuple[ReasonCount, ...]:
        ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        return tuple(ReasonCount(reason, count, tuple(self._samples[reason])) for reason, count in ordered)


class TooFewSeeds(SeedError):
    """A seed file was read, but holds fewer usable rows than are needed."""

    def __init__(self, report: ReadingReport, at_least: int) -> None:
        self.report = report
        self.at_least = at_least
        super().__init__(
            f"{at_least} usable rows are needed. {report.summary()}. Give a larger file (or a larger part of it), "
            "ask for less in the profile, or leave the setting out to use the built-in seeds."
        )


def require_enough(report: ReadingReport, at_least: int) -> None:
    """Check a finished reading.

    Raises:
        TooFewSeeds: Fewer than ``at_least`` rows were kept; the message has the counts by reason.
    """
    if report.kept < at_least:
        raise TooFewSeeds(report, at_least)
