"""Seeds: base personas and captions, from the project's own files or from the published dumps."""

import collections
import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import dagster as dg

from assets.publishing import LEFT_OUT, OWNERS, AssetEvents, check_specs, publish, rows_preview, told_plainly
from lifeloom.records import CaptionSeed, PersonaSeed, Rejection, RejectionCount
from lifeloom.store import DatasetReader, DatasetWriter, Recipe
from lifeloom.synthesis.occasion_seeds import account_split
from lifeloom.synthesis.seeds import (
    CC_LICENCES,
    CaptionReader,
    ReadingReport,
    SeedTally,
    builtin_captions_path,
    builtin_personas_path,
    group_captions,
    load_persona_seeds,
    require_enough,
)
from resources.workbench import Workbench

__all__ = ["CAPTIONS", "PERSONAS", "seed_assets"]

PERSONAS = "seeds/personahub_personas"
CAPTIONS = "seeds/yfcc_captions"

FEWEST_PERSONAS = 10
FEWEST_CAPTIONS = 10
"""Usable lines below which a seed file is refused, with the counts by reason and what to do."""

_PERSONA_CHECKS = {
    "ids_unique": "No seed id occurs twice.",
    "both_splits_present": "Train and benchmark both have near-duplicate clusters, and no cluster is in both.",
}
_CAPTION_CHECKS = {
    "ids_unique": "No caption id occurs twice.",
    "both_splits_present": "Accounts for train and for benchmark are there.",
}


def seed_assets() -> list[dg.AssetsDefinition]:
    """Return the seed assets."""
    return [personahub_personas, yfcc_captions]


@dg.asset(
    key=PERSONAS.split("/"),
    group_name="seeds",
    kinds={"parquet"},
    owners=OWNERS,
    tags={"source": "personahub"},
    check_specs=check_specs(PERSONAS.split("/"), _PERSONA_CHECKS),
    description="Base personas (PersonaHub's format, S1), near-duplicates clustered; a cluster is train or benchmark.",
)
@told_plainly
def personahub_personas(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
    """Read PersonaHub JSONL, cluster near-duplicates and split them 5:2."""
    path = _seed_path(workbench.profile.seeds.personahub, builtin_personas_path())

    def make(writer: DatasetWriter) -> None:
        reading = load_persona_seeds(path, at_least=FEWEST_PERSONAS)
        writer.write("personas", PersonaSeed, reading.seeds)
        _write_rejections(writer, PERSONAS, reading.report)

    def ids_unique(reader: DatasetReader) -> list[str]:
        return _repeated(seed.seed_id for seed in reader.read("personas", PersonaSeed))

    def both_splits(reader: DatasetReader) -> list[str]:
        splits: dict[str, set[str]] = {"train": set(), "benchmark": set()}
        for seed in reader.read("personas", PersonaSeed):
            splits[seed.split].add(seed.cluster_id)
        problems = [f"no cluster falls to {split}: give more personas" for split, ids in splits.items() if not ids]
        return problems + [
            f"cluster {cluster} is in both splits" for cluster in sorted(set.intersection(*splits.values()))
        ]

    def describe(reader: DatasetReader) -> dict[str, Any]:
        rows = list(reader.read("personas", PersonaSeed))
        return {
            **_counts(reader, "personas"),
            "clusters": len({seed.cluster_id for seed in rows}),
            "train": sum(1 for seed in rows if seed.split == "train"),
            "benchmark": sum(1 for seed in rows if seed.split == "benchmark"),
            "preview": rows_preview([seed.model_dump(include={"seed_id", "split", "text"}) for seed in rows[:8]]),
        }

    _refuse_silent_change(workbench, PERSONAS, path)
    checks = dict(zip(_PERSONA_CHECKS, (ids_unique, both_splits), strict=True))
    yield from publish(
        context, workbench, PERSONAS, _recipe(PERSONAS, path, {}), make, checks, describe, rows_of="personas"
    )


@dg.asset(
    key=CAPTIONS.split("/"),
    group_name="seeds",
    kinds={"parquet"},
    owners=OWNERS,
    tags={"source": "yfcc100m"},
    check_specs=check_specs(CAPTIONS.split("/"), _CAPTION_CHECKS),
    description="Captions of CC-licensed photos (YFCC100M's format, S2), grouped by account and date; text only.",
)
@told_plainly
def yfcc_captions(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
    """Read the YFCC100M dump, keep what is licensed and says something, and group it by account."""
    path = _seed_path(workbench.profile.seeds.yfcc, builtin_captions_path())
    licences = workbench.profile.seeds.licences
    summaries: list[str] = []

    def make(writer: DatasetWriter) -> None:
        captions = CaptionReader(path, licences=licences or CC_LICENCES)
        repeated = SeedTally(CAPTIONS, path.name)
        for account in group_captions(captions, tally=repeated):
            writer.write("captions", CaptionSeed, account.captions)
        report = captions.report.less(repeated.report())
        summaries.append(report.summary())
        require_enough(report, FEWEST_CAPTIONS)
        _write_rejections(writer, CAPTIONS, report)

    def ids_unique(reader: DatasetReader) -> list[str]:
        return _repeated(seed.caption_id for seed in reader.read("captions", CaptionSeed))

    def both_splits(reader: DatasetReader) -> list[str]:
        splits = {account_split(seed.account_id) for seed in reader.read("captions", CaptionSeed)}
        return [
            f"no usable caption of an account that falls to {split}; {summaries[0]}. Give a dump with more "
            "accounts, or leave YFCC out to use the project's own rows"
            for split in ("train", "benchmark")
            if split not in splits
        ]

    def describe(reader: DatasetReader) -> dict[str, Any]:
        accounts: set[str] = set()
        events = 0
        first: list[dict[str, Any]] = []
        for seed in reader.read("captions", CaptionSeed):
            accounts.add(seed.account_id)
            events += seed.use == "event"
            if len(first) < 8:
                first.append(seed.model_dump(include={"account_id", "taken_at", "caption"}))
        return {
            **_counts(reader, "captions"),
            "accounts": len(accounts),
            "event seeds": events,
            "preview": rows_preview(first),
        }

    _refuse_silent_change(workbench, CAPTIONS, path)
    checks = dict(zip(_CAPTION_CHECKS, (ids_unique, both_splits), strict=True))
    recipe = _recipe(CAPTIONS, path, {"licences": licences})
    yield from publish(context, workbench, CAPTIONS, recipe, make, checks, describe, rows_of="captions")


def _seed_path(configured: str, builtin: Path) -> Path:
    return Path(configured) if configured else builtin


def _recipe(stage: str, path: Path, parameters: dict[str, Any]) -> Recipe:
    """Return the recipe of a seed asset: the file counts by its content, wherever it lies."""
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        digest = ""  # the reader says what is wrong with the file, in its own words
    return Recipe(stage=stage, seed=0, parameters={"file": digest, "name": path.name, **parameters})


def _refuse_silent_change(workbench: Workbench, key: str, path: Path) -> None:
    """Stop before seeds of another file replace those that a home was made from: releases would change with them.

    Raises:
        dg.Failure: the home's seeds came from a file of another name, and the profile does not say to replace them.
    """
    made = workbench.store.find(key)
    if made is None or workbench.profile.seeds.replace or made.recipe.parameters["name"] == path.name:
        return
    raise dg.Failure(
        description=(
            f"this home's {key} were made from {made.recipe.parameters['name']}, now {path.name} is asked for, and "
            "everything made from them would change. Name the same file again (--personahub, --yfcc, or "
            "LIFELOOM_SEEDS__PERSONAHUB and LIFELOOM_SEEDS__YFCC), use another LIFELOOM_HOME, or set "
            "LIFELOOM_SEEDS__REPLACE=true to replace them"
        ),
        allow_retries=False,
    )


def _repeated(ids: Iterable[str]) -> list[str]:
    counts = collections.Counter(ids)
    return [f"{item} occurs {count} times" for item, count in counts.items() if count > 1]


def _write_rejections(writer: DatasetWriter, stage: str, report: ReadingReport) -> None:
    """Write sampled rejections and the exact count of each reason."""
    writer.write("rejections", Rejection, report.rejections())
    counts = [RejectionCount(stage=stage, reason=reason.reason, count=reason.count) for reason in report.rejected]
    writer.write("rejection_counts", RejectionCount, counts)


def _counts(reader: DatasetReader, table: str) -> dict[str, Any]:
    """Return what was read, kept and left out, by reason."""
    counts = {row.reason: row.count for row in reader.read("rejection_counts", RejectionCount)}
    kept = reader.rows(table)
    return {
        "file": str(reader.manifest.recipe.parameters["name"]),
        "in": kept + sum(counts.values()),
        "out": kept,
        LEFT_OUT: ", ".join(f"{reason} {count}" for reason, count in counts.items()) or "nothing",
    }
