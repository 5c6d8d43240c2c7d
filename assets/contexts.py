"""Interleaved contexts of query pictures: positives, look-alike negatives, a dialogue about each (C3, C4)."""

import collections
import datetime as dt
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import dagster as dg

from assets.caption_groups import CaptionGroup
from assets.caption_keys import CONTEXTS, FILTERED_SCENES, IMAGE_LIBRARY
from assets.publishing import (
    LEFT_OUT,
    OWNERS,
    AssetEvents,
    check_specs,
    model_name,
    parents,
    publish,
    rows_preview,
    told_plainly,
)
from assets.strips import StripPicture, picture_strip
from lifeloom.models.calls.cost_reports import counted_text
from lifeloom.records import (
    CaptionSample,
    ConceptDialoguePlan,
    LibraryImage,
    Rejection,
    SceneImage,
    ScenePlan,
)
from lifeloom.scoring.unanswered import require_answers
from lifeloom.store import DatasetReader, DatasetWriter, Recipe
from lifeloom.store.pictures import decode_picture
from lifeloom.synthesis.contexts import ContextOrder, NearestPictures, make_contexts
from lifeloom.synthesis.contexts.checks import (
    account_problems,
    dialogue_problems,
    entry_problems,
    handle_problems,
    leak_problems,
    position_shares,
    positive_problems,
)
from lifeloom.synthesis.contexts.planning import TOO_FEW_NEGATIVES
from lifeloom.synthesis.scenes import LibraryUnfit
from lifeloom.synthesis.scenes.planning import pool_of
from lifeloom.tasks import CONCEPT_DIALOGUE_WRITING
from resources.profile import Profile
from resources.workbench import Workbench

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["contexts_asset", "told_until"]

_CHECKS = {
    "entries_sound": "Negatives are of other identities than the query picture's, as many as asked for, none twice.",
    "identities_of_split": "Every identity is of the split that the partition may show: nothing leaks.",
    "handles_unique": "No two pictures of a context are called the same.",
    "facts_said": "Every planned fact is stated in its turn.",
    "all_accounted": "Every query picture has a context, or a reason why it has none.",
}
_AT_ONCE = 64


def told_until(group: CaptionGroup, profile: Profile, partition: str) -> dt.date:
    """Return the last day that dialogues of a partition tell of."""
    if group.name == "corpus":
        return profile.corpus.ends_on
    return dt.date.fromisoformat(partition) - dt.timedelta(days=1)


def contexts_asset(group: CaptionGroup) -> dg.AssetsDefinition:
    """Return the contexts, by the partitions of ``group``."""
    stage = group.key(CONTEXTS)

    @dg.asset(
        key=stage.split("/"),
        deps=[dg.AssetKey(name.split("/")) for name in (IMAGE_LIBRARY, group.key(FILTERED_SCENES))],
        partitions_def=group.partitions,
        group_name=group.name,
        kinds={"parquet"},
        owners=OWNERS,
        pool="writer",
        check_specs=check_specs(stage.split("/"), _CHECKS),
        description="Interleaved contexts: concepts of a query picture and their look-alikes, with dialogues (C3, C4).",
    )
    @told_plainly
    def contexts(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Find look-alikes, plan dialogues and put them into words."""
        partition, store, profile = context.partition_key, workbench.store, workbench.profile
        settings, disjoint = profile.captions, profile.captions.identity_split == "disjoint"
        key, scenes_key = group.key(CONTEXTS, partition), group.key(FILTERED_SCENES, partition)
        writer_model = workbench.model("writer", stage)
        library = list(store.read(IMAGE_LIBRARY, "images", LibraryImage))
        by_id = {one.image_id: one for one in library}
        plans_of = {one.scene_id: one for one in store.read(scenes_key, "plans", ScenePlan)}
        images = list(store.read(scenes_key, "images", SceneImage))
        order = ContextOrder(
            release_id=partition, negatives=settings.negatives, ends_on=told_until(group, profile, partition)
        )
        recipe = Recipe(
            stage=stage,
            seed=profile.seed,
            parameters={
                "partition": partition,
                "negatives": settings.negatives,
                "split": group.split,
                "disjoint": disjoint,
                "until": order.ends_on.isoformat(),
            },
            models=(model_name(writer_model), model_name(workbench.image_encoder)),
            prompt_versions=(CONCEPT_DIALOGUE_WRITING.prompt_version,),
            parents=parents(store, IMAGE_LIBRARY, scenes_key),
        )

        def make(writer: DatasetWriter) -> None:
            for table, kind in (
                ("samples", CaptionSample),
                ("plans", ConceptDialoguePlan),
                ("rejections", Rejection),
            ):
                writer.write(table, kind, ())  # there also where no query picture is
            if not images:
                return
            pool = pool_of(library, group.split, disjoint=disjoint)
            nearest = NearestPictures([one.image_id for one in pool], _vectors(workbench, pool))
            scenes = [(plans_of[one.scene_id], one) for one in images]
            callers = workbench.callers("writer", stage)
            lost: list[str] = []
            made = make_contexts(
                scenes, pool, nearest, writer_model, order, workbench.streams, stage=stage, callers=callers
            )
            for number, one in enumerate(made, start=1):
                if one.sample is not None:
                    writer.write("samples", CaptionSample, [one.sample])
                writer.write("plans", ConceptDialoguePlan, one.plans)
                writer.write("rejections", Rejection, one.rejections)
                lost.append("" if one.sample is not None else one.rejections[-1].reason)
                workbench.watch(key, number, len(images))
            if all(reason == "dialogue_missing" for reason in lost):
                require_answers(f"{stage}: the writer", lost)
            if all(reason == TOO_FEW_NEGATIVES for reason in lost):
                raise LibraryUnfit(
                    f"the image library has {len(pool)} pictures for {group.split}, too few for {settings.negatives} "
                    "look-alikes of each concept, so no query picture has a context: add pictures of others, lower "
                    'captions.negatives, or set captions.identity_split = "shared"'
                )

        def samples_of(reader: DatasetReader) -> list[CaptionSample]:
            return list(reader.read("samples", CaptionSample))

        def plans_in(reader: DatasetReader) -> dict[str, ConceptDialoguePlan]:
            return {one.dialogue_id: one for one in reader.read("plans", ConceptDialoguePlan)}

        def describe(reader: DatasetReader) -> dict[str, Any]:
            samples = samples_of(reader)
            left_out = collections.Counter(row.reason for row in reader.read("rejections", Rejection))
            sizes = collections.Counter(one.concepts for one in samples)
            shares = {name: round(share, 3) for name, share in position_shares(samples).items()}
            return {
                "in": len(images),
                "out": len(samples),
                LEFT_OUT: counted_text(left_out) or "nothing",
                "by number of concepts": dg.MetadataValue.json({str(name): sizes[name] for name in sorted(sizes)}),
                "dialogues": reader.rows("plans"),
                "where positives stand": dg.MetadataValue.json(shares),
                "a context": dg.MetadataValue.md(_strip(workbench, samples)),
                "preview": rows_preview(
                    [
                        {"dialogue": entry.dialogue_id, "positive": entry.positive, "user": turn.user}
                        for one in samples[:1]
                        for entry in one.entries[:3]
                        for turn in entry.turns
                    ]
                ),
            }

        checks = {
            "entries_sound": lambda reader: (
                entry_problems(samples_of(reader), settings.negatives) + positive_problems(samples_of(reader), plans_of)
            ),
            "identities_of_split": lambda reader: leak_problems(
                samples_of(reader), by_id, group.split, disjoint=disjoint
            ),
            "handles_unique": lambda reader: handle_problems(plans_in(reader).values()),
            "facts_said": lambda reader: dialogue_problems(samples_of(reader), plans_in(reader)),
            "all_accounted": lambda reader: account_problems(
                plans_of, samples_of(reader), reader.read("rejections", Rejection)
            ),
        }
        yield from publish(context, workbench, key, recipe, make, checks, describe, rows_of="samples")

    return contexts


def _vectors(workbench: Workbench, pool: Sequence[LibraryImage]) -> "npt.NDArray[np.float32]":
    """Return the library's pictures as vectors, some dozens decoded at a time."""
    import numpy as np

    encoder = workbench.image_encoder
    rows = [
        encoder.encode([decode_picture(workbench.picture(one.picture)) for one in pool[start : start + _AT_ONCE]])
        for start in range(0, len(pool), _AT_ONCE)
    ]
    return np.concatenate(rows) if rows else np.zeros((0, encoder.dimensions), dtype=np.float32)


def _strip(workbench: Workbench, samples: Sequence[CaptionSample]) -> str:
    """Return a strip of the first context that fits one: the query picture, then its entries."""
    sample = next((one for one in samples if one.concepts == 2), samples[0] if samples else None)
    if sample is None:
        return "no contexts"
    shown = [StripPicture(workbench.picture(sample.query), "the query picture")]
    shown += [
        StripPicture(workbench.picture(one.picture), "in the query picture" if one.positive else "look-alike")
        for one in sample.entries
    ]
    return picture_strip(shown)
