"""PersonaHub: one JSON object a line, ``{"persona": "<text>"}`` (Ge et al. 2024, arXiv:2406.20094)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lifeloom.synthesis.seeds.files import SeedFileTruncated, SeedLines
from lifeloom.synthesis.seeds.reports import ReadingReport, SeedTally

__all__ = ["MAX_PERSONA_CHARS", "PERSONAS_STAGE", "PersonaLine", "PersonaReader"]

MAX_PERSONA_CHARS = 20_000
"""A longer persona is rejected as ``too_long``."""

PERSONAS_STAGE = "seeds/personahub_personas"

# C0 (tab and line ends become blanks later), DEL, C1, byte-order marks, direction overrides, lone surrogates.
_INVISIBLE = re.compile("[\x00-\x08\x0b\x0e-\x1b\x7f-\x84\x86-\x9f\ufeff\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class PersonaLine:
    """A persona's text and the line it stands on, from 1."""

    line: int
    text: str


class PersonaReader:
    """Reads a PersonaHub file as a stream, plain or gzip.

    Iterating yields the usable personas; ``report`` then accounts for every line. Keys other than
    ``persona`` are allowed. White space is collapsed to single blanks. Control characters, NUL and
    lone surrogates are taken out and the line noted as ``cleaned``. A persona that tries to give
    orders to a model is data like any other: it is kept, and prompts quote it.

    A line is rejected as ``blank_line``, ``not_utf8``, ``bad_json``, ``half_written`` (the last
    line, cut), ``not_an_object``, ``no_persona``, ``not_a_string``, ``empty`` or ``too_long`` (over
    20,000 characters, or a line over 1 MiB). A gzip file that breaks off is used up to the break
    and noted as ``truncated_gzip`` or ``damaged_gzip``.

    Raises (while iterating):
        SeedFileMissing, SeedFileUnreadable, SeedFileEmpty: As ``SeedLines``.
        SeedFileTruncated: A gzip file breaks off before the first usable persona.
    """

    def __init__(self, path: Path | str, *, source: str | None = None) -> None:
        self.path = Path(path)
        self._source = source or self.path.name
        self._tally = SeedTally(PERSONAS_STAGE, self._source)

    @property
    def report(self) -> ReadingReport:
        """The account of the reading so far; complete once the iteration has ended."""
        return self._tally.report()

    def __iter__(self) -> Iterator[PersonaLine]:
        tally = self._tally = SeedTally(PERSONAS_STAGE, self._source)
        lines = SeedLines(self.path)
        for block in lines.blocks():
            for number, raw in enumerate(block.lines, start=block.first):
                tally.read += 1
                if number in block.oversize:
                    tally.reject("too_long", number, "line over 1 MiB")
                    continue
                text = _persona_text(raw, number, tally, unterminated=number == block.unterminated)
                if text is not None:
                    tally.kept += 1
                    yield PersonaLine(number, text)
        if lines.broken:
            if not tally.kept:
                raise SeedFileTruncated(self.path, lines.broken.replace("_", " "))
            tally.note(lines.broken, tally.read, "the file ends early; what came before is used")


def _persona_text(raw: bytes, number: int, tally: SeedTally, *, unterminated: bool) -> str | None:
    """Return the cleaned persona of one line, or None after counting why not."""
    if not raw.strip():
        tally.reject("blank_line", number)
        return None
    try:
        value = json.loads(raw.decode("utf-8"))
    except UnicodeDecodeError:
        tally.reject("half_written" if unterminated else "not_utf8", number, raw)
        return None
    except (ValueError, RecursionError):  # a number of thousands of digits, or nesting without end
        if (cleaned := _without_raw_controls(raw)) is None:
            tally.reject("half_written" if unterminated else "bad_json", number, raw)
            return None
        value = cleaned
    if not isinstance(value, dict):
        tally.reject("not_an_object", number, raw)
        return None
    if "persona" not in value:
        tally.reject("no_persona", number, "keys: " + ", ".join(sorted(value)))
        return None
    text = value["persona"]
    if not isinstance(text, str):
        tally.reject("not_a_string", number, raw)
        return None
    if len(text) > MAX_PERSONA_CHARS:
        tally.reject("too_long", number, f"{len(text)} characters, at most {MAX_PERSONA_CHARS}")
        return None
    cleaned_text = " ".join(_INVISIBLE.sub("", text).split())
    if not cleaned_text:
        tally.reject("empty", number, raw)
        return None
    if _INVISIBLE.search(text) or b"\x00" in raw:
        tally.note("cleaned", number, "control characters taken out")
    return cleaned_text


def _without_raw_controls(raw: bytes) -> object | None:
    """Return the JSON value of a line once raw control bytes (NUL among them) are allowed, or None."""
    try:
        value: object = json.loads(raw.decode("utf-8").replace("\x00", ""), strict=False)
    except (ValueError, RecursionError):
        return None
    return value
