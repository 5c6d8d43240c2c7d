"""Does a captioner still describe well, and see only what is there: Tables 4 to 6 of the CoViP paper (C11)."""

import collections
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

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
from evaluation.caption_quality.bert_scores import bert_encoder
from evaluation.caption_quality.contents import KnownPicture, known_picture
from evaluation.caption_quality.files import MmhalRow
from evaluation.caption_quality.hallucination import PopeAnswer, PopeQuestion, ask_pope, pope_questions
from evaluation.caption_quality.mmhal import MmhalRating, rate_answers
from evaluation.caption_quality.published import (
    DOCCI_FILE,
    MMHAL_FILE,
    ShownRow,
    digest_of,
    load_docci,
    load_mmhal,
)
from evaluation.caption_quality.references import meteor_kind
from evaluation.caption_quality.report import quality_report, quality_scores
from evaluation.caption_quality.rows import CaptionQuality, DescribedPicture, MmhalAnswer, PopeRow, ShownSet
from evaluation.report_runs import log_report_run
from lifeloom.models.calls.cost_reports import counted_text
from lifeloom.models.calls.parallel import ordered_map
from lifeloom.models.protocol import LanguageModel
from lifeloom.records import PictureReference, Record, Rejection, SceneImage, ScenePlan
from lifeloom.scoring.caption_policy import CaptionPolicy, ContextView, Told
from lifeloom.scoring.unanswered import require_answers
from lifeloom.store import DatasetReader, DatasetWriter, Recipe
from lifeloom.tasks import MMHAL_JUDGEMENT, OBJECT_QUESTION
from resources.captioners import captioners_of
from resources.workbench import Workbench

__all__ = ["caption_quality_asset"]

_CHECKS = {
    "all_described": "Every picture has a description of every captioner, or a counted failure.",
    "all_asked": "Every question has an answer, or a counted failure.",
}
_EXPERIMENT = "caption quality"
_TABLES: dict[str, type[Record]] = {
    "scores": CaptionQuality,
    "descriptions": DescribedPicture,
    "pope": PopeRow,
    "mmhal": MmhalAnswer,
    "rejections": Rejection,
}


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
        description="Descriptions without context: BLEU, ROUGE-L, METEOR, BERTScore, scene graphs, POPE and CHAIR; "
        "DOCCI and MMHal-Bench where they are.",
    )
    @told_plainly
    def caption_quality(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Have pictures described whose contents are known, and hold the descriptions against them."""
        partition, store, profile = context.partition_key, workbench.store, workbench.profile
        key, scenes_key = f"{CAPTION_QUALITY}/{partition}", group.key(FILTERED_SCENES, partition)
        settings, reader_model = profile.captions, workbench.model("reader", CAPTION_QUALITY)
        judge = workbench.model("judge", CAPTION_QUALITY) if settings.mmhal else None
        pictures = _known(workbench, scenes_key)
        policies = _policies(workbench) if pictures or settings.docci or settings.mmhal else []
        encoder = bert_encoder(settings.bert_score_encoder, settings.bert_score_layer)
        bootstrap, seed = profile.scoring.bootstrap_samples, profile.seed
        recipe = Recipe(
            stage=CAPTION_QUALITY,
            seed=seed,
            parameters={
                "pictures": settings.quality_pictures,
                "policies": tuple(f"{one.name}-{one.fingerprint}" for one in policies),
                "meteor": meteor_kind(),
                "encoder": f"{encoder} {encoder.digest}",
                "docci": digest_of(Path(settings.docci), DOCCI_FILE) if settings.docci else "",
                "docci_pictures": settings.docci_pictures if settings.docci else 0,
                "mmhal": digest_of(Path(settings.mmhal), MMHAL_FILE) if settings.mmhal else "",
                "bootstrap": bootstrap,
            },
            models=tuple(model_name(one) for one in (reader_model, judge) if one is not None),
            prompt_versions=(OBJECT_QUESTION.prompt_version, MMHAL_JUDGEMENT.prompt_version),
            parents=parents(store, scenes_key),
        )

        def make(writer: DatasetWriter) -> None:
            for table, kind in _TABLES.items():
                writer.write(table, kind, ())  # there also where no picture is known
            shown = [(one.picture_id, one.picture) for one in pictures]
            described = _describe(policies, "query pictures", shown, workbench, writer)
            references = {one.picture_id: one.references for one in pictures}
            known = {one.picture_id: one for one in pictures}
            scores = quality_scores(
                partition,
                "query pictures",
                references,
                described,
                known=known,
                encoder=encoder,
                samples=bootstrap,
                seed=seed,
            )
            writer.write("scores", CaptionQuality, scores)
            questions = pope_questions(pictures, lambda picture_id: workbench.streams.rng("pope", picture_id))
            answers = ask_pope(reader_model, questions, callers=workbench.callers("reader", CAPTION_QUALITY))
            require_answers("POPE", [one.failure for one in answers])
            writer.write("pope", PopeRow, [_pope_row(one) for one in answers])
            if settings.docci:
                rows, rejections = load_docci(Path(settings.docci), writer.put_media, most=settings.docci_pictures)
                writer.write("rejections", Rejection, rejections)
                described = _describe(policies, "DOCCI", [(one.row_id, one.picture) for one in rows], workbench, writer)
                references = {one.row_id: (one.row.description,) for one in rows}
                scores = quality_scores(
                    partition, "DOCCI", references, described, encoder=encoder, samples=bootstrap, seed=seed
                )
                writer.write("scores", CaptionQuality, scores)
            if judge is not None:
                asked, rejections = load_mmhal(Path(settings.mmhal), writer.put_media)
                writer.write("rejections", Rejection, rejections)
                for policy in policies:
                    writer.write("mmhal", MmhalAnswer, _answered(policy, asked, judge, workbench))

        def undescribed(reader: DatasetReader) -> list[str]:
            given = collections.Counter(
                one.policy for one in reader.read("descriptions", DescribedPicture) if one.shown == "query pictures"
            )
            return [
                f"{one.name} described {given[one.name]} of {len(pictures)} pictures"
                for one in policies
                if given[one.name] != len(pictures)
            ]

        def unasked(reader: DatasetReader) -> list[str]:
            asked = {row.picture_id for row in reader.read("pope", PopeRow)}
            missing = [one.picture_id for one in pictures if one.picture_id not in asked]
            given = collections.Counter(row.policy for row in reader.read("mmhal", MmhalAnswer))
            uneven = [
                f"{one} answered {count} questions" for one, count in given.items() if count != max(given.values())
            ]
            return [*(f"no question was asked about {one}" for one in missing), *uneven]

        def describe(reader: DatasetReader) -> dict[str, Any]:
            if not reader.rows("descriptions") and not reader.rows("mmhal"):
                return {"caption quality": "there is no picture whose contents are known"}
            failures = collections.Counter(
                one.failure
                for rows in (
                    reader.read("descriptions", DescribedPicture),
                    reader.read("pope", PopeRow),
                    reader.read("mmhal", MmhalAnswer),
                )
                for one in rows
                if one.failure
            )
            failures.update(one.reason for one in reader.read("rejections", Rejection))
            known = {one.picture_id: one for one in pictures}
            page = quality_report(
                list(reader.read("scores", CaptionQuality)),
                [_pope_answer(row, known) for row in reader.read("pope", PopeRow)],
                list(reader.read("mmhal", MmhalAnswer)),
                reader=model_name(reader_model),
                judge="" if judge is None else model_name(judge),
                samples=bootstrap,
                seed=seed,
            )
            run_id = log_report_run(
                workbench.tracker,
                page,
                experiment=_EXPERIMENT,
                kind="caption_quality",
                release=partition,
                dataset=store.manifest(scenes_key),
                table="images",
                parameters={
                    "pictures": len(pictures),
                    "encoder": str(encoder),
                    "meteor": meteor_kind(),
                    "reader": model_name(reader_model),
                },
                subject=model_name(reader_model),
                tags=run_tags(context, workbench, CAPTION_QUALITY, partition),
                now_ms=int(time.time() * 1000),
            )
            return {
                LEFT_OUT: counted_text(failures) or "nothing",
                **report_metadata(page),
                "MLflow run": dg.MetadataValue.url(workbench.tracker.page(run_id, workbench.mlflow_server)),
            }

        checks = {"all_described": undescribed, "all_asked": unasked}
        yield from publish(context, workbench, key, recipe, make, checks, describe, rows_of="scores")

    return caption_quality


def _policies(workbench: Workbench) -> list[CaptionPolicy]:
    """Return the captioners of the profile; RAP is left out beside zero-shot, as it asks the same without a context."""
    names = workbench.profile.captions.policies
    kept = [one for one in names if not (one.startswith("rap-") and "zero-shot" in names)]
    return captioners_of(workbench, CAPTION_QUALITY, kept)


def _known(workbench: Workbench, scenes_key: str) -> list[KnownPicture]:
    """Return the first pictures whose contents are known."""
    plans = {one.scene_id: one for one in workbench.store.read(scenes_key, "plans", ScenePlan)}
    found = (
        known_picture(plans[one.scene_id], one.picture)
        for one in workbench.store.read(scenes_key, "images", SceneImage)
    )
    return [one for one in found if one is not None][: workbench.profile.captions.quality_pictures]


def _describe(
    policies: Sequence[CaptionPolicy],
    shown: ShownSet,
    pictures: Sequence[tuple[str, PictureReference]],
    workbench: Workbench,
    writer: DatasetWriter,
) -> dict[str, list[DescribedPicture]]:
    """Have every picture described by every captioner, and write down what they said."""
    views, described = [ContextView(one, ()) for _, one in pictures], {}
    for policy in policies:
        policy.prepare(views)
        rows = []
        told = ordered_map(policy.caption, views, workers=workbench.callers("reader", CAPTION_QUALITY))
        for number, ((picture_id, _), given) in enumerate(zip(pictures, told, strict=True), start=1):
            failure = given.failure or ("" if given.text.strip() else "empty")
            rows.append(
                DescribedPicture(
                    picture_id=picture_id, shown=shown, policy=policy.name, text=given.text, failure=failure
                )
            )
            workbench.watch(f"{CAPTION_QUALITY} {policy.name}, {shown}", number, len(pictures))
        require_answers(policy.name, [one.failure for one in rows])
        writer.write("descriptions", DescribedPicture, rows)
        described[policy.name] = rows
    return described


def _answered(
    policy: CaptionPolicy, rows: Sequence[ShownRow[MmhalRow]], judge: LanguageModel, workbench: Workbench
) -> list[MmhalAnswer]:
    """Have a captioner answer the questions of MMHal-Bench, and the judge rate what it says."""

    def answer(one: ShownRow[MmhalRow]) -> Told:
        return policy.answer(ContextView(one.picture, ()), one.row.question)

    policy.prepare([ContextView(one.picture, ()) for one in rows])
    told = list(ordered_map(answer, rows, workers=workbench.callers("reader", CAPTION_QUALITY)))
    failures = [one.failure or ("" if one.text.strip() else "empty") for one in told]
    require_answers(f"{policy.name}: MMHal-Bench", failures)
    said = [
        one.row.model_copy(update={"model_answer": given.text})
        for one, given, failure in zip(rows, told, failures, strict=True)
        if not failure
    ]
    rated = rate_answers(said, judge, callers=workbench.callers("judge", CAPTION_QUALITY))
    require_answers("MMHal-Bench's judge", [one.failure for one in rated])
    ratings = iter(rated)
    found = []
    for one, given, failure in zip(rows, told, failures, strict=True):
        rating = MmhalRating(one.row.question_type, None, failure) if failure else next(ratings)
        found.append(
            MmhalAnswer(
                question_id=one.row_id,
                policy=policy.name,
                question_type=one.row.question_type,
                question=one.row.question,
                answer=given.text,
                rating=rating.rating,
                failure=rating.failure,
            )
        )
    return found


def _pope_row(answer: PopeAnswer) -> PopeRow:
    asked = answer.question
    said: Literal["yes", "no", ""] = "" if answer.yes is None else "yes" if answer.yes else "no"
    return PopeRow(
        picture_id=asked.picture.picture_id,
        setting=asked.setting,
        thing=asked.thing,
        there=asked.there,
        answer=said,
        failure=answer.failure,
    )


def _pope_answer(row: PopeRow, known: dict[str, KnownPicture]) -> PopeAnswer:
    question = PopeQuestion(known[row.picture_id], row.setting, row.thing, row.there)
    return PopeAnswer(question, {"yes": True, "no": False}.get(row.answer), row.failure)
