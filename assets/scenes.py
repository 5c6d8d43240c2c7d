"""Query pictures: planned and drawn (C1), then filtered by a critic (C2), for the corpus and for a release."""

import collections
from collections.abc import Iterator, Sequence
from typing import Any

import dagster as dg

from assets.caption_groups import CaptionGroup
from assets.caption_keys import FILTERED_SCENES, IMAGE_LIBRARY, SCENES
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
from evaluation.reports import inlined
from evaluation.scene_reports import failure_figure, failure_table
from lifeloom.models.calls.cost_reports import counted_text
from lifeloom.records import (
    IdentityLook,
    LibraryImage,
    Rejection,
    SceneImage,
    ScenePlan,
    SceneVerdict,
    Split,
)
from lifeloom.scoring.unanswered import require_answers
from lifeloom.store import DatasetReader, DatasetStore, DatasetWriter, Recipe
from lifeloom.synthesis.scenes import SceneFilter, SceneIllustrator, SceneOrder, keep_scenes, plan_scenes
from lifeloom.synthesis.scenes.checks import (
    account_problems,
    file_problems,
    identity_problems,
    near_duplicate_problems,
    same_file_problems,
    verdict_problems,
)
from lifeloom.synthesis.scenes.faults import FilterQuality, measure_filter
from lifeloom.synthesis.scenes.filtering import failure_rates, has_verdict
from lifeloom.synthesis.vaccounts.candidates import PictureShelf
from lifeloom.tasks import SCENE_CHECK
from resources.profile import Profile
from resources.workbench import Workbench

__all__ = ["scene_assets", "scene_order"]

_SCENE_CHECKS = {
    "scenes_accounted": "Every planned scene has a picture, or a reason why it has none.",
    "concepts_of_split": "One to four identities a scene, all of the split that the partition may show: nothing leaks.",
    "pictures_readable": "Every query picture is stored, whole, and can be decoded.",
}
_FILTER_CHECKS = {
    "all_judged": "Every query picture has a verdict, and is taken as it says or left out with a reason.",
    "pictures_new": "No query picture is a file of the other side. Warns of those that only look alike.",
    "enough_scenes": "As many query pictures are taken as are wanted. Warns when they are fewer.",
}


def scene_assets(group: CaptionGroup) -> list[dg.AssetsDefinition]:
    """Return query pictures and those of them that pass the filter, by the partitions of ``group``."""
    return [_scenes(group), _filtered_scenes(group)]


def scene_order(group: CaptionGroup, profile: Profile, partition: str) -> SceneOrder:
    """Return what the query pictures of a partition are to be."""
    return SceneOrder(
        partition=partition,
        edition=group.edition,
        split=group.split,
        wanted=group.wanted(profile, partition),
        spare=profile.captions.spare,
        disjoint=profile.captions.identity_split == "disjoint",
    )


def _other_side(store: DatasetStore, group: CaptionGroup) -> Iterator[SceneImage]:
    """Yield the query pictures of the other side, as far as there are any."""
    for key in store.keys(f"{'release' if group.name == 'corpus' else 'corpus'}/{FILTERED_SCENES}"):
        yield from store.read(key, "images", SceneImage)


def _left_out(reader: DatasetReader) -> str:
    return counted_text(collections.Counter(row.reason for row in reader.read("rejections", Rejection))) or "nothing"


def _strip(workbench: Workbench, shown: Sequence[tuple[SceneImage, str]]) -> dg.MetadataValue:
    pictures = [StripPicture(workbench.picture(image.picture), caption) for image, caption in shown[:8]]
    return dg.MetadataValue.md(picture_strip(pictures))


def _scenes(group: CaptionGroup) -> dg.AssetsDefinition:
    stage = group.key(SCENES)

    @dg.asset(
        key=stage.split("/"),
        deps=[dg.AssetKey(IMAGE_LIBRARY.split("/"))],
        partitions_def=group.partitions,
        group_name=group.name,
        kinds={"parquet"},
        owners=OWNERS,
        pool="writer",
        check_specs=check_specs(stage.split("/"), _SCENE_CHECKS),
        description="Query pictures: scenarios with one to four concepts of the image library, planned and drawn (C1).",
    )
    @told_plainly
    def scenes(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Plan scenes and draw them."""
        partition, store, profile = context.partition_key, workbench.store, workbench.profile
        key, order = group.key(SCENES, partition), scene_order(group, profile, partition)
        recipe = Recipe(
            stage=stage,
            seed=profile.seed,
            parameters={"order": repr(order)},
            models=(model_name(workbench.image_maker),),
            parents=parents(store, IMAGE_LIBRARY),
        )
        library = list(store.read(IMAGE_LIBRARY, "images", LibraryImage))
        planned = order.planned if order.wanted else 0

        def make(writer: DatasetWriter) -> None:
            looks = {one.identity: one for one in store.read(IMAGE_LIBRARY, "looks", IdentityLook)}
            for table, kind in (("plans", ScenePlan), ("images", SceneImage), ("rejections", Rejection)):
                writer.write(table, kind, ())  # there also where nothing is wanted
            plans = plan_scenes(order, library, looks, workbench.streams)
            with workbench.drawing() as draw_many:
                illustrator = SceneIllustrator(
                    workbench.image_maker,
                    draw_many,
                    {one.image_id: one for one in library},
                    stage=stage,
                    callers=2 * profile.pictures.concurrency,
                )
                for number, drawn in enumerate(illustrator.draw(plans), start=1):
                    writer.write("plans", ScenePlan, [drawn.plan])
                    if drawn.image is not None:
                        writer.put_media(drawn.data)
                        writer.write("images", SceneImage, [drawn.image])
                    if drawn.rejection is not None:
                        writer.write("rejections", Rejection, [drawn.rejection])
                    workbench.watch(key, number, len(plans))

        def plans_in(reader: DatasetReader) -> list[ScenePlan]:
            return list(reader.read("plans", ScenePlan))

        def images_in(reader: DatasetReader) -> list[SceneImage]:
            return list(reader.read("images", SceneImage))

        def describe(reader: DatasetReader) -> dict[str, Any]:
            plans, images = plans_in(reader), images_in(reader)
            instructions = {plan.scene_id: plan.instruction for plan in plans}
            used = collections.Counter(one for plan in plans for one in plan.identities)
            by_concepts = collections.Counter(len(plan.identities) for plan in plans)
            return {
                "query pictures": len(images),
                "scenes by number of concepts": dg.MetadataValue.json(
                    {str(concepts): count for concepts, count in sorted(by_concepts.items())}
                ),
                "scenarios": len({plan.scenario for plan in plans}),
                "identities": len(used),
                "scenes an identity": f"{min(used.values())} to {max(used.values())}" if used else "none",
                LEFT_OUT: _left_out(reader),
                "some query pictures": _strip(workbench, [(one, instructions[one.scene_id]) for one in images]),
                "preview": rows_preview(
                    [plan.model_dump(include={"scene_id", "scenario", "instruction"}) for plan in plans[:8]]
                ),
            }

        allowed: Split | None = order.split if order.disjoint else None
        checks = {
            "scenes_accounted": lambda reader: account_problems(
                planned, plans_in(reader), images_in(reader), list(reader.read("rejections", Rejection))
            ),
            "concepts_of_split": lambda reader: identity_problems(
                plans_in(reader), images_in(reader), library, allowed
            ),
            "pictures_readable": lambda reader: file_problems(
                images_in(reader), lambda picture: reader.media.get(picture.content_hash)
            ),
        }
        yield from publish(context, workbench, key, recipe, make, checks, describe, rows_of="images")

    return scenes


def _filtered_scenes(group: CaptionGroup) -> dg.AssetsDefinition:
    stage = group.key(FILTERED_SCENES)

    @dg.asset(
        key=stage.split("/"),
        deps=[dg.AssetKey(IMAGE_LIBRARY.split("/")), dg.AssetKey(group.key(SCENES).split("/"))],
        partitions_def=group.partitions,
        group_name=group.name,
        kinds={"parquet"},
        owners=OWNERS,
        pool="writer",
        check_specs=check_specs(stage.split("/"), _FILTER_CHECKS),
        description="Query pictures in which a critic sees every concept and what was asked for (C2).",
    )
    @told_plainly
    def filtered_scenes(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Let the critic look at every query picture, and take as many as are wanted."""
        partition, store, profile = context.partition_key, workbench.store, workbench.profile
        key, scenes_key = group.key(FILTERED_SCENES, partition), group.key(SCENES, partition)
        wanted = group.wanted(profile, partition)
        shelf = PictureShelf(workbench.picture)
        critic = workbench.model("critic", stage, shelf)
        recipe = Recipe(
            stage=stage,
            seed=profile.seed,
            parameters={"wanted": wanted},
            models=(model_name(critic),),
            prompt_versions=(SCENE_CHECK.prompt_version,),
            parents=parents(store, IMAGE_LIBRARY, scenes_key),
        )
        library = {one.image_id: one for one in store.read(IMAGE_LIBRARY, "images", LibraryImage)}
        plans = {one.scene_id: one for one in store.read(scenes_key, "plans", ScenePlan)}
        images = list(store.read(scenes_key, "images", SceneImage))
        scene_filter = SceneFilter(
            critic,
            library,
            callers=workbench.callers("critic", stage),
            look_ahead=(
                (lambda pictures: workbench.eyes.look(pictures, shelf))
                if critic.identity.backend == "builtin"
                else None
            ),
        )
        fresh: list[bool] = []

        def make(writer: DatasetWriter) -> None:
            verdicts = []
            judged = scene_filter.verdicts((plans[one.scene_id], one) for one in images)
            for number, verdict in enumerate(judged, start=1):
                verdicts.append(verdict)
                workbench.watch(key, number, len(images))
            require_answers(
                "the critic of query pictures", ["" if has_verdict(one) else "no_verdict" for one in verdicts]
            )
            found = keep_scenes(images, verdicts, wanted, stage=stage)
            writer.write("images", SceneImage, found.kept)
            writer.write("plans", ScenePlan, [plans[one.scene_id] for one in found.kept])
            writer.write("verdicts", SceneVerdict, verdicts)
            writer.write("rejections", Rejection, found.rejections)
            fresh.append(True)

        def kept_in(reader: DatasetReader) -> list[SceneImage]:
            return list(reader.read("images", SceneImage))

        def verdicts_in(reader: DatasetReader) -> list[SceneVerdict]:
            return list(reader.read("verdicts", SceneVerdict))

        def looked_alike(reader: DatasetReader) -> list[str]:
            total = reader.rows("images") + sum(1 for _ in _other_side(store, group))
            return near_duplicate_problems(
                kept_in(reader),
                _other_side(store, group),
                workbench.picture,
                progress=lambda done: workbench.watch(f"{key}: look-alikes", done, total),
            )

        def too_few(reader: DatasetReader) -> list[str]:
            kept = reader.rows("images")
            if kept >= wanted:
                return []
            return [f"{kept} of {wanted} query pictures passed the filter: raise captions.spare to have more drawn"]

        def describe(reader: DatasetReader) -> dict[str, Any]:
            kept, verdicts = kept_in(reader), verdicts_in(reader)
            rates = failure_rates(verdicts)
            by_id = {one.scene_id: one for one in images}
            refused = [(by_id[one.scene_id], "; ".join(one.problems) or "refused") for one in verdicts if not one.kept]
            metadata: dict[str, Any] = {
                "in": len(images),
                "out": len(kept),
                "wanted": wanted,
                "kept by number of concepts": dg.MetadataValue.json(
                    {
                        str(concepts): count
                        for concepts, count in sorted(collections.Counter(len(one.image_ids) for one in kept).items())
                    }
                ),
                LEFT_OUT: _left_out(reader),
                "refused by number of concepts": dg.MetadataValue.md(failure_table(rates)),
                "taken": _strip(workbench, [(one, plans[one.scene_id].instruction) for one in kept]),
                "refused": _strip(workbench, refused),
            }
            if rates:
                metadata["figure: refused by number of concepts"] = dg.MetadataValue.md(
                    inlined(lambda: failure_figure(rates), "share refused by number of concepts")
                )
            faults = profile.validation.injected_faults
            if faults and fresh and images and profile.pictures.backend == "builtin":  # not again when nothing changed
                metadata["the filter on labelled faults"] = dg.MetadataValue.md(measured(faults).to_markdown())
            return metadata

        def measured(faults: int) -> FilterQuality:
            looks = {one.identity: one for one in store.read(IMAGE_LIBRARY, "looks", IdentityLook)}
            with workbench.drawing() as draw_many:
                return measure_filter(
                    list(plans.values()),
                    looks,
                    scene_filter,
                    draw_many=draw_many,
                    lay=shelf.put,
                    streams=workbench.streams,
                    most=faults,
                )

        checks = {
            "all_judged": lambda reader: verdict_problems(
                images, verdicts_in(reader), kept_in(reader), list(reader.read("rejections", Rejection))
            ),
            "pictures_new": lambda reader: same_file_problems(kept_in(reader), _other_side(store, group)),
            "enough_scenes": lambda reader: [],
        }
        doubts = {"pictures_new": looked_alike, "enough_scenes": too_few}
        yield from publish(context, workbench, key, recipe, make, checks, describe, rows_of="images", doubts=doubts)

    return filtered_scenes
