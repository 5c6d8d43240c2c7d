"""Does a captioner still describe well, and see only what is there: reference metrics, POPE and CHAIR (C11)."""

import collections
import time
from typing import Any

import dagster as dg

from assets.audit import run_tags
from assets.caption_groups import CaptionGroup
from assets.caption_keys import CAPTION_QUALITY, FILTERED_SCENES
from assets.figures import report_metadata
from assets.publishing import (
    LEFT_OUT,
    OWNERS,
    AssetEvents,
    check_specs,
    model_name,
    parents,
    publish,
    told_plainly,
)
from evaluation.caption_quality.contents import KnownPicture, known_picture
from evaluation.caption_quality.hallucination import PopeAnswer, PopeQuestion, PopeSetting, ask_pope, pope_questions
from evaluation.caption_quality.references import meteor_kind
from evaluation.caption_quality.report import CaptionQuality, DescribedPicture, quality_report, quality_scores
from evaluation.report_runs import log_report_run
from lifeloom.models.calls.cost_reports import counted_text
from lifeloom.models.calls.parallel import ordered_map
from lifeloom.records import Record, SceneImage, ScenePlan
from lifeloom.records.base import Identifier
from lifeloom.scoring.caption_policy import CaptionPolicy, ContextView
from lifeloom.scoring.unanswered import require_answers
from lifeloom.store import DatasetReader, DatasetWriter, Recipe
from lifeloom.tasks import OBJECT_QUESTION
from resources.captioners import captioners_of
from resources.workbench import Workbench

__all__ = ["caption_quality_asset"]

_CHECKS = {"all_described": "Every picture has a description of every captioner, or a counted failure."}
_EXPERIMENT = "caption quality"


class PopeRow(Record):
    """A question whether a thing is in a picture, and what the reader said."""

    KIND = "pope_row"

    picture_id: Identifier
    setting: PopeSetting
    thing: str
    there: bool
    answer: str
    """``yes``, ``no``, or empty: neither."""
    failure: str = ""


def caption_quality_asset(group: CaptionGroup) -> dg.AssetsDefinition:
    """Return the scores, by release date."""

    @dg.asset(
        key=CAPTION_QUALITY.split("/"),
        deps=[dg.AssetKey(group.key(FILTERED_SCENES).split("/"))],
        partitions_def=group.partitions,
        group_name="scores",
        kinds={"parquet", "mlflow"},
        owners=OWNERS,
        pool="reader",
        check_specs=check_specs(CAPTION_QUALITY.split("/"), _CHECKS),
        description="Descriptions without context: BLEU, ROUGE-L, METEOR, BERTScore, scene graphs, POPE and CHAIR.",
    )
    @told_plainly
    def caption_quality(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Have pictures described whose contents are known, and hold the descriptions against them."""
        partition, store, profile = context.partition_key, workbench.store, workbench.profile
        key, scenes_key = f"{CAPTION_QUALITY}/{partition}", group.key(FILTERED_SCENES, partition)
        reader_model = workbench.model("reader", CAPTION_QUALITY)
        pictures = _pictures(workbench, scenes_key, profile.captions.quality_pictures)
        policies = captioners_of(workbench, CAPTION_QUALITY) if pictures else []
        recipe = Recipe(
            stage=CAPTION_QUALITY,
            seed=profile.seed,
            parameters={
                "pictures": profile.captions.quality_pictures,
                "policies": tuple(f"{one.name}-{one.fingerprint}" for one in policies),
                "meteor": meteor_kind(),
                "bootstrap": profile.scoring.bootstrap_samples,
            },
            models=(model_name(reader_model),),
            prompt_versions=(OBJECT_QUESTION.prompt_version,),
            parents=parents(store, scenes_key),
        )

        def make(writer: DatasetWriter) -> None:
            writer.write("scores", CaptionQuality, ())  # there also where no picture is known
            writer.write("pope", PopeRow, ())
            described = {}
            for policy in policies:
                described[policy.name] = _described(policy, pictures, workbench)
                writer.write("descriptions", DescribedPicture, described[policy.name])
            by_id = {one.picture_id: one for one in pictures}
            bootstrap = profile.scoring.bootstrap_samples
            scores = quality_scores(partition, by_id, described, samples=bootstrap, seed=profile.seed)
            writer.write("scores", CaptionQuality, scores)
            questions = pope_questions(pictures, workbench.streams.rng("pope", partition))
            callers = workbench.callers("reader", CAPTION_QUALITY)
            answers = ask_pope(reader_model, questions, callers=callers)
            require_answers("POPE", [one.failure for one in answers])
            writer.write("pope", PopeRow, [_row(one) for one in answers])

        def complete(reader: DatasetReader) -> list[str]:
            if not policies:
                return []
            given = collections.Counter(one.policy for one in reader.read("descriptions", DescribedPicture))
            return [
                f"{one.name} described {given[one.name]} of {len(pictures)} pictures"
                for one in policies
                if given[one.name] != len(pictures)
            ]

        def describe(reader: DatasetReader) -> dict[str, Any]:
            if not policies:
                return {"caption quality": "there is no picture whose contents are known"}
            failures = collections.Counter(
                one.failure for one in reader.read("descriptions", DescribedPicture) if one.failure
            )
            known = {one.picture_id: one for one in pictures}
            page = quality_report(
                list(reader.read("scores", CaptionQuality)),
                [_answer(row, known) for row in reader.read("pope", PopeRow)],
                reader=model_name(reader_model),
                samples=profile.scoring.bootstrap_samples,
                seed=profile.seed,
            )
            run_id = log_report_run(
                workbench.tracker,
                page,
                experiment=_EXPERIMENT,
                kind="caption_quality",
                release=partition,
                dataset=store.manifest(scenes_key),
                table="images",
                parameters={"pictures": len(pictures)},
                tags=run_tags(context, workbench, CAPTION_QUALITY, partition),
                now_ms=int(time.time() * 1000),
            )
            return {
                LEFT_OUT: counted_text(failures) or "nothing",
                **report_metadata(page),
                "MLflow run": dg.MetadataValue.url(workbench.tracker.page(run_id, workbench.mlflow_server)),
            }

        yield from publish(
            context, workbench, key, recipe, make, {"all_described": complete}, describe, rows_of="scores"
        )

    return caption_quality


def _pictures(workbench: Workbench, scenes_key: str, most: int) -> list[KnownPicture]:
    """Return the first pictures whose contents are known."""
    plans = {one.scene_id: one for one in workbench.store.read(scenes_key, "plans", ScenePlan)}
    found = (
        known_picture(plans[one.scene_id], one.picture)
        for one in workbench.store.read(scenes_key, "images", SceneImage)
    )
    return [one for one in found if one is not None][:most]


def _described(policy: CaptionPolicy, pictures: list[KnownPicture], workbench: Workbench) -> list[DescribedPicture]:
    views = [ContextView(one.picture, ()) for one in pictures]
    policy.prepare(views)
    rows = []
    told = ordered_map(policy.caption, views, workers=workbench.callers("reader", CAPTION_QUALITY))
    for number, (picture, given) in enumerate(zip(pictures, told, strict=True), start=1):
        rows.append(
            DescribedPicture(picture_id=picture.picture_id, policy=policy.name, text=given.text, failure=given.failure)
        )
        workbench.watch(f"{CAPTION_QUALITY} {policy.name}", number, len(pictures))
    require_answers(policy.name, [one.failure for one in rows])
    return rows


def _row(answer: PopeAnswer) -> PopeRow:
    asked = answer.question
    said = "" if answer.yes is None else "yes" if answer.yes else "no"
    return PopeRow(
        picture_id=asked.picture.picture_id,
        setting=asked.setting,
        thing=asked.thing,
        there=asked.there,
        answer=said,
        failure=answer.failure,
    )


def _answer(row: PopeRow, known: dict[str, KnownPicture]) -> PopeAnswer:
    question = PopeQuestion(known[row.picture_id], row.setting, row.thing, row.there)
    return PopeAnswer(question, {"yes": True, "no": False}.get(row.answer), row.failure)
