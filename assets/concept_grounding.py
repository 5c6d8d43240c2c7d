"""Do captioners name the concepts that a picture shows, with and without retrieval (Tables S.2, S.3)."""

import collections
import hashlib
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import dagster as dg

from assets.audit import run_tags
from assets.caption_groups import CaptionGroup
from assets.caption_keys import CONCEPT_GROUNDING, FILTERED_SCENES, IMAGE_LIBRARY
from assets.figures import report_metadata
from assets.publishing import (
    LEFT_OUT,
    OWNERS,
    AssetEvents,
    account_of,
    check_specs,
    model_name,
    parents,
    publish,
    rows_preview,
    told_plainly,
)
from evaluation.captioners import ContextRecogniser
from evaluation.concept_grounding import (
    EACH,
    GROUNDING_SETS,
    SETTINGS,
    GroundedCaption,
    GroundingScore,
    GroundingSet,
    ground,
    grounding_report,
    read_set,
    score_grounding,
    write_own_sets,
)
from evaluation.report_runs import log_report_run
from lifeloom.models.calls.cost_reports import counted_text
from lifeloom.records import LibraryImage, Rejection, SceneImage
from lifeloom.scoring.caption_policy import CaptionPolicy
from lifeloom.scoring.unanswered import require_answers
from lifeloom.store import DatasetReader, DatasetWriter, Recipe
from lifeloom.synthesis.image_library import LayoutUnusable
from resources.captioners import captioners_of, recogniser_of
from resources.workbench import Workbench

__all__ = ["concept_grounding_asset"]

_CHECKS = {
    "all_captioned": "Every test picture has a caption of every captioner in both settings, or a counted failure."
}
_EXPERIMENT = "concept grounding"
_SHOWN = 8


def concept_grounding_asset(group: CaptionGroup) -> dg.AssetsDefinition:
    """Return the scores, by release date."""

    @dg.asset(
        key=CONCEPT_GROUNDING.split("/"),
        deps=[dg.AssetKey(name.split("/")) for name in (IMAGE_LIBRARY, group.key(FILTERED_SCENES))],
        partitions_def=group.partitions,
        group_name="scores",
        kinds={"parquet", "mlflow"},
        owners=OWNERS,
        pool="reader",
        check_specs=check_specs(CONCEPT_GROUNDING.split("/"), _CHECKS),
        description="Do captions name the concepts that a picture shows: precision, recall, F1 (Tables S.2, S.3).",
    )
    @told_plainly
    def concept_grounding(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Write or read sets in published layouts, have their pictures captioned, and count whom captions name."""
        partition, store, profile = context.partition_key, workbench.store, workbench.profile
        settings, key = profile.captions, f"{CONCEPT_GROUNDING}/{partition}"
        scenes_key = group.key(FILTERED_SCENES, partition)
        given = Path(settings.grounding_sets) if settings.grounding_sets else None
        # Nothing to caption is no reason to load models.
        wanted = settings.grounding_pictures and (
            given is not None or any(store.read(scenes_key, "images", SceneImage))
        )
        policies = captioners_of(workbench, CONCEPT_GROUNDING) if wanted else []
        reader_model = workbench.model("reader", CONCEPT_GROUNDING)
        made_of = (
            f"Concepts are those of the sets in {given.name}."
            if given is not None
            else "Concepts are those of the image library, written and read in the layouts of the published sets."
        )
        recipe = Recipe(
            stage=CONCEPT_GROUNDING,
            seed=profile.seed,
            parameters={
                "pictures": settings.grounding_pictures,
                "sets": "" if given is None else _digest(given),
                "each": EACH,
                "policies": tuple(f"{one.name}-{one.fingerprint}" for one in policies),
                "bootstrap": profile.scoring.bootstrap_samples,
            },
            models=(model_name(reader_model),),
            parents=parents(store, IMAGE_LIBRARY, scenes_key),
        )

        def make(writer: DatasetWriter) -> None:
            writer.write("scores", GroundingScore, ())  # there also where there is nothing to caption
            writer.write("captions", GroundedCaption, ())
            writer.write("rejections", Rejection, ())
            if not policies:
                return
            sets = _sets(workbench, group, partition, given, writer.put_media)
            for one in sets:
                writer.write("rejections", Rejection, one.rejections)
            rows = []
            for policy in policies:
                with workbench.ledger.account(f"{account_of(context)}/{policy.name}", context.run.run_id):
                    rows += _captions(workbench, policy, sets, recogniser_of(workbench))
            writer.write("captions", GroundedCaption, rows)
            bootstrap = profile.scoring.bootstrap_samples
            writer.write("scores", GroundingScore, score_grounding(rows, samples=bootstrap, seed=profile.seed))

        def complete(reader: DatasetReader) -> list[str]:
            captions = collections.Counter((one.set_name, one.setting, one.policy) for one in _rows(reader))
            by_set: dict[str, set[int]] = collections.defaultdict(set)
            for (set_name, _, _), count in captions.items():
                by_set[set_name].add(count)
            expected = len(policies) * len(SETTINGS)
            problems = [
                f"{name}: captioners have {', '.join(map(str, sorted(counts)))} captions, which should be the same"
                for name, counts in by_set.items()
                if len(counts) > 1
            ]
            for name in by_set:
                there = sum(1 for set_name, _, _ in captions if set_name == name)
                if there != expected:
                    problems.append(f"{name}: {there} of {expected} captioners and settings have captions")
            return problems

        def describe(reader: DatasetReader) -> dict[str, Any]:
            scores = list(reader.read("scores", GroundingScore))
            if not scores:
                return {"concept grounding": "there are no test pictures"}
            rows = _rows(reader)
            left_out = collections.Counter(row.reason for row in reader.read("rejections", Rejection))
            left_out.update(row.failure for row in rows if row.failure)
            page = grounding_report(scores, made_of)
            run_id = log_report_run(
                workbench.tracker,
                page,
                experiment=_EXPERIMENT,
                kind="concept_grounding",
                release=partition,
                dataset=store.manifest(scenes_key),
                table="images",
                parameters={
                    "captions": len(rows),
                    "pictures a set at most": settings.grounding_pictures,
                    "reader": model_name(reader_model),
                },
                subject=model_name(reader_model),
                tags=run_tags(context, workbench, CONCEPT_GROUNDING, partition),
                now_ms=int(time.time() * 1000),
            )
            return {
                LEFT_OUT: counted_text(left_out) or "nothing",
                **report_metadata(page),
                "wrong names and missed ones": rows_preview(_mistakes(rows)),
                "MLflow run": dg.MetadataValue.url(workbench.tracker.page(run_id, workbench.mlflow_server)),
            }

        yield from publish(
            context, workbench, key, recipe, make, {"all_captioned": complete}, describe, rows_of="captions"
        )

    return concept_grounding


def _rows(reader: DatasetReader) -> list[GroundedCaption]:
    return list(reader.read("captions", GroundedCaption))


def _sets(
    workbench: Workbench, group: CaptionGroup, partition: str, given: Path | None, put: Callable[[bytes], str]
) -> list[GroundingSet]:
    """Return the sets in the profile's folder, or those that the library and the query pictures are written as.

    Raises:
        LayoutUnusable: the folder has none of the sets, or one of them is not as its layout says.
    """
    most = workbench.profile.captions.grounding_pictures
    if given is not None:
        there = [name for name in GROUNDING_SETS if (given / name).is_dir()]
        if not there:
            raise LayoutUnusable(
                f"captions.grounding_sets is {str(given)!r}, which has none of the folders {', '.join(GROUNDING_SETS)}"
            )
        return [read_set(name, given / name, put, most=most) for name in there]
    library = [one for one in workbench.store.read(IMAGE_LIBRARY, "images", LibraryImage) if one.use == "captioning"]
    scenes = list(workbench.store.read(group.key(FILTERED_SCENES, partition), "images", SceneImage))
    if workbench.profile.captions.identity_split == "disjoint":
        library = [one for one in library if one.split == group.split]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        written = write_own_sets(root, library, scenes, workbench.picture, workbench.streams, most=most)
        return [read_set(name, root / name, put, most=most) for name in written]


def _captions(
    workbench: Workbench, policy: CaptionPolicy, sets: Sequence[GroundingSet], recogniser: ContextRecogniser
) -> list[GroundedCaption]:
    rows: list[GroundedCaption] = []
    total = len(SETTINGS) * sum(len(one.tests) for one in sets)
    callers = workbench.callers("reader", CONCEPT_GROUNDING)
    for one in sets:
        recogniser.look([test.picture for test in one.tests])
        for setting in SETTINGS:
            for row in ground(policy, one, setting, recogniser, workers=callers):
                rows.append(row)
                workbench.watch(f"{CONCEPT_GROUNDING} {policy.name}", len(rows), total)
    require_answers(policy.name, [one.failure for one in rows])
    return rows


def _mistakes(rows: Sequence[GroundedCaption]) -> list[dict[str, str]]:
    """Return some captions that name somebody else or miss somebody."""
    wrong = [row for row in rows if set(row.named) != set(row.shows)]
    return [
        {
            "set": row.set_name,
            "setting": row.setting,
            "captioner": row.policy,
            "shows": ", ".join(row.shows),
            "names": ", ".join(row.named),
            "caption": row.text,
        }
        for row in wrong[:: max(1, len(wrong) // _SHOWN)][:_SHOWN]
    ]


def _digest(folder: Path) -> str:
    """Return a digest of names, sizes and times of the files in a folder: what it holds is not read twice for it."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            told = path.stat()
            digest.update(f"{path.relative_to(folder)}\0{told.st_size}\0{told.st_mtime_ns}\n".encode())
    return digest.hexdigest()
