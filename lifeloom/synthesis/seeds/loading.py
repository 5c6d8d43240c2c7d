"""Whole seed files as records, with the account of what was left out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lifeloom.records import CaptionSeed, PersonaSeed
from lifeloom.synthesis.seeds.clusters import cluster_texts, persona_id
from lifeloom.synthesis.seeds.personahub import PERSONAS_STAGE, PersonaReader
from lifeloom.synthesis.seeds.reports import SeedReading, SeedTally, require_enough
from lifeloom.synthesis.seeds.yfcc import CC_LICENCES, CaptionReader

__all__ = ["builtin_captions_path", "builtin_personas_path", "load_caption_seeds", "load_persona_seeds"]

_DATA = Path(__file__).parent / "data"


def builtin_personas_path() -> Path:
    """Return the path of the project's own personas, in the format of PersonaHub."""
    return _DATA / "personas.jsonl"


def builtin_captions_path() -> Path:
    """Return the path of the project's own photo rows, in the 23-column format of YFCC100M."""
    return _DATA / "yfcc_rows.tsv"


def _source(path: Path) -> str:
    return "builtin" if path.parent == _DATA else path.name


def load_persona_seeds(path: Path | str, *, at_least: int = 1) -> SeedReading[PersonaSeed]:
    """Read all personas of a PersonaHub file, clustered and split.

    A text that stands in the file twice is kept once and counted as ``duplicate``. Ids come from the
    text, so a persona keeps its id from file to file.

    Args:
        path: The file, plain or gzip.
        at_least: How many usable personas are needed.

    Raises:
        SeedFileMissing, SeedFileUnreadable, SeedFileEmpty: As ``PersonaReader``.
        TooFewSeeds: Fewer than ``at_least`` usable personas; the message has the counts by reason.
    """
    path = Path(path)
    source = _source(path)
    reader = PersonaReader(path, source=source)
    texts: dict[str, str] = {}
    lines: dict[str, int] = {}
    repeated = SeedTally(PERSONAS_STAGE, source)
    for persona in reader:
        seed_id = persona_id(persona.text)
        if seed_id in texts:
            repeated.reject("duplicate", persona.line, f"same text as line {lines[seed_id]}")
        else:
            texts[seed_id] = persona.text
            lines[seed_id] = persona.line
    report = reader.report.less(repeated.report())
    require_enough(report, at_least)
    belongs = cluster_texts(texts)
    seeds = tuple(
        PersonaSeed(
            seed_id=seed_id,
            text=text,
            source=source,
            line=lines[seed_id],
            cluster_id=belongs[seed_id].cluster_id,
            split=belongs[seed_id].split,
        )
        for seed_id, text in texts.items()
    )
    return SeedReading(seeds, report)


def load_caption_seeds(
    path: Path | str, *, licences: Iterable[str] = CC_LICENCES, at_least: int = 1
) -> SeedReading[CaptionSeed]:
    """Read all captions of a YFCC100M file that fits into memory; for whole dumps see ``group_captions``.

    A photo whose id stands in the file twice is kept once and counted as ``duplicate_photo``.

    Args:
        path: The file, plain or gzip.
        licences: As ``CaptionReader``.
        at_least: How many usable rows are needed.

    Raises:
        SeedFileMissing, SeedFileUnreadable, SeedFileEmpty: As ``CaptionReader``.
        TooFewSeeds: Fewer than ``at_least`` usable rows; the message has the counts by reason.
    """
    path = Path(path)
    source = _source(path)
    reader = CaptionReader(path, licences=licences, source=source)
    seeds: dict[str, CaptionSeed] = {}
    repeated = SeedTally(reader.report.stage, source)
    for seed in reader:
        if seed.caption_id in seeds:
            repeated.reject("duplicate_photo", seed.line, f"same photo as line {seeds[seed.caption_id].line}")
        else:
            seeds[seed.caption_id] = seed
    report = reader.report.less(repeated.report())
    require_enough(report, at_least)
    return SeedReading(tuple(seeds.values()), report)
