"""Vaccounts of a release: concepts with portraits, histories in words, history pictures (L1-L3)."""

import base64
import collections
import contextlib
import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import dagster as dg

from assets.audit import run_tags
from assets.life_keys import HISTORIES, HISTORY_IMAGES, VACCOUNTS
from assets.life_records import left_out_of, lives_of
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
from assets.seeds import CAPTIONS
from evaluation.contact_sheets import event_sheet, portrait_sheet
from evaluation.life_bench.running import BENCHMARK
from evaluation.life_pages import life_page, life_pages_address, log_life_pages
from lifeloom.models.calls.cost_reports import counted_text
from lifeloom.models.calls.parallel import ordered_map
from lifeloom.records import (
    CandidateVote,
    CaptionSeed,
    Concept,
    ConceptDescription,
    DrawnLifePicture,
    EventStory,
    Life,
    LifeImage,
    Record,
    Rejection,
    VaccountPlan,
    VaccountSeed,
)
from lifeloom.store import DatasetReader, DatasetWriter, Recipe, code_revision
from lifeloom.synthesis.vaccounts.checks import life_problems, plan_problems
from lifeloom.synthesis.vaccounts.drawing import LifeIllustrator, PictureShelf, events_without_pictures
from lifeloom.synthesis.vaccounts.making import (
    LifeOrder,
    MadeVaccount,
    draw_history,
    draw_portraits,
    make_seeds,
    plan_release,
    release_captions,
    word_concepts,
    word_events,
)
from lifeloom.synthesis.vaccounts.shape import LifeShape
from lifeloom.synthesis.vaccounts.similarity import question_problems
from lifeloom.tasks import (
    CANDIDATE_VOTE,
    CONCEPT_REFINEMENT,
    CONCEPT_WRITING,
    EVENT_STORY_WRITING,
    EVENT_WRITING,
    LIFE_STORY_WRITING,
)
from resources.profile import Profile
from resources.workbench import Workbench

__all__ = ["illustrating", "life_order", "vaccount_assets"]

_VACCOUNT_CHECKS = {
    "plans_sound": "Ids are unique, dates ascend, everybody is where the plan says, people can be told apart.",
    "concepts_there": "Every concept has words and a portrait, or a reason why it was left out.",
}
_HISTORY_CHECKS = {"events_accounted": "Every planned event has words, or a reason why it was left out."}
_IMAGE_CHECKS = {
    "pictures_accounted": "Every picture of an event in words is there, or has a reason why it was left out.",
    "questions_new": "No picture of a question is in its history: not by bytes, not by look, not by plan.",
}
_LIFE_TABLES: dict[str, type[Record]] = {
    "plans": VaccountPlan,
    "concepts": Concept,
    "descriptions": ConceptDescription,
    "drawn": DrawnLifePicture,
    "votes": CandidateVote,
}
_IMAGE_TABLES: dict[str, type[Record]] = {"images": LifeImage, "drawn": DrawnLifePicture, "votes": CandidateVote}


def vaccount_assets(dates: dg.PartitionsDefinition[Any]) -> list[dg.AssetsDefinition]:
    """Return the assets of Vaccounts, by release date."""
    return [_vaccounts(dates), _histories(dates), _history_images(dates)]


def life_order(profile: Profile, release: str) -> LifeOrder:
    """Return what the Vaccounts of a release are to be."""
    life = profile.life
    return LifeOrder(
        release_id=release,
        edition="release",
        split="benchmark",
        ends_on=dt.date.fromisoformat(release) - dt.timedelta(days=1),
        vaccounts=life.vaccounts,
        seeds=max(life.vaccounts, life.seeds or 5 * life.vaccounts),
        shape=LifeShape(pictures=life.pictures, question_pictures=life.question_pictures),
    )


@contextlib.contextmanager
def illustrating(workbench: Workbench, stage: str) -> Iterator[LifeIllustrator]:
    """Give what draws lives, with the critic that votes."""
    shelf = PictureShelf(workbench.picture)
    critic = workbench.model("critic", stage, shelf)
    life, generative = workbench.profile.life, workbench.profile.pictures.backend != "builtin"
    builtin_critic = critic.identity.backend == "builtin"
    with workbench.drawing() as draw_many:
        yield LifeIllustrator(
            workbench.image_maker,
            draw_many,
            critic if workbench.profile.pictures.check else None,
            shelf,
            candidates=life.candidates or (3 if generative else 1),
            votes=1 if builtin_critic else life.votes,
            callers=2 * workbench.profile.pictures.concurrency if generative else workbench.callers("critic", stage),
            look_ahead=(lambda pictures: workbench.eyes.look(pictures, shelf)) if builtin_critic else None,
        )


def _write_rejections(writer: DatasetWriter, stage: str, rows: Iterable[Rejection]) -> None:
    writer.write("rejections", Rejection, [row.model_copy(update={"stage": stage}) for row in rows])


def _left_out(reader: DatasetReader) -> str:
    return counted_text(collections.Counter(row.reason for row in reader.read("rejections", Rejection))) or "nothing"


def _vaccounts(dates: dg.PartitionsDefinition[Any]) -> dg.AssetsDefinition:
    @dg.asset(
        key=VACCOUNTS.split("/"),
        deps=[dg.AssetKey(CAPTIONS.split("/"))],
        partitions_def=dates,
        group_name="release",
        kinds={"parquet"},
        owners=OWNERS,
        pool="writer",
        check_specs=check_specs(VACCOUNTS.split("/"), _VACCOUNT_CHECKS),
        description="Vaccounts of a release: seeds, plans with known truth, concepts in words and portraits (L1, L2).",
    )
    @told_plainly
    def vaccounts(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Write seeds, plan lives, draw portraits, describe concepts."""
        partition, store, profile = context.partition_key, workbench.store, workbench.profile
        key, order, model = (
            f"{VACCOUNTS}/{partition}",
            life_order(profile, partition),
            workbench.model("writer", VACCOUNTS),
        )
        recipe = Recipe(
            stage=VACCOUNTS,
            seed=profile.seed,
            parameters={"partition": partition, "order": repr(order), "pictures": profile.pictures.check},
            models=(model_name(model), model_name(workbench.image_maker)),
            prompt_versions=tuple(
                one.prompt_version for one in (LIFE_STORY_WRITING, CONCEPT_WRITING, CONCEPT_REFINEMENT)
            ),
            parents=parents(store, CAPTIONS),
        )

        def make(writer: DatasetWriter) -> None:
            seeds, rejections = make_seeds(model, order, workbench.streams)
            writer.write("seeds", VaccountSeed, seeds)
            for table, kind in _LIFE_TABLES.items():
                writer.write(table, kind, ())  # there also where no Vaccount is
            captions = release_captions(store.read(CAPTIONS, "captions", CaptionSeed), order)
            with illustrating(workbench, VACCOUNTS) as illustrator:
                for number, made in enumerate(plan_release(seeds, captions, order, workbench.streams), start=1):
                    if isinstance(made, Rejection):
                        rejections.append(made)
                        continue
                    rejections += _write_vaccount(writer, workbench, made, illustrator)
                    workbench.watch(key, number, order.vaccounts)
            _write_rejections(writer, VACCOUNTS, rejections)

        def sound(reader: DatasetReader) -> list[str]:
            return [problem for plan in reader.read("plans", VaccountPlan) for problem in plan_problems(plan)]

        def complete(reader: DatasetReader) -> list[str]:
            out = {row.item for row in reader.read("rejections", Rejection)}
            there = {row.concept_id for row in reader.read("concepts", Concept) if row.portrait is not None}
            planned = [one.concept_id for plan in reader.read("plans", VaccountPlan) for one in plan.concepts]
            return [f"{one} has no words or no portrait" for one in planned if one not in there | out]

        def describe(reader: DatasetReader) -> dict[str, Any]:
            concepts = list(reader.read("concepts", Concept))
            return {
                "Vaccounts": len({one.vaccount_id for one in concepts}),
                "concepts": dg.MetadataValue.json(dict(collections.Counter(one.kind for one in concepts))),
                LEFT_OUT: _left_out(reader),
                "portraits": dg.MetadataValue.md(_portraits(reader, concepts)),
                "preview": rows_preview(
                    [one.model_dump(include={"vaccount_id", "name", "role", "persona"}) for one in concepts[:8]]
                ),
            }

        checks = {"plans_sound": sound, "concepts_there": complete}
        yield from publish(context, workbench, key, recipe, make, checks, describe, rows_of="concepts")

    return vaccounts


def _write_vaccount(
    writer: DatasetWriter, workbench: Workbench, made: MadeVaccount, illustrator: LifeIllustrator
) -> list[Rejection]:
    """Draw the portraits of a Vaccount and write it, or say why it is left out whole."""
    results = list(draw_portraits(made.plan, illustrator))
    refused = [one.rejection for one in results if one.rejection is not None]
    if refused:
        return [
            *refused,
            Rejection(stage=VACCOUNTS, item=made.plan.vaccount_id, reason="portrait_not_drawn", detail=""),
        ]
    drawn = [one.picture for one in results if one.picture is not None]
    portraits = {one.image_id: one.picture for one in drawn}
    concepts, descriptions, rejections = word_concepts(workbench.model("writer", VACCOUNTS), made, portraits)
    if len(concepts) < len(made.plan.concepts):
        # Everything after this shows and asks about everybody who is planned.
        detail = f"{len(concepts)} of {len(made.plan.concepts)} concepts have words"
        return [
            *rejections,
            Rejection(stage=VACCOUNTS, item=made.plan.vaccount_id, reason="concept_not_worded", detail=detail),
        ]
    for one in results:
        writer.put_media(one.data)
    writer.write("plans", VaccountPlan, [made.plan])
    writer.write("concepts", Concept, concepts)
    writer.write("descriptions", ConceptDescription, descriptions)
    writer.write("drawn", DrawnLifePicture, drawn)
    writer.write("votes", CandidateVote, [one.vote for one in results])
    return rejections


def _histories(dates: dg.PartitionsDefinition[Any]) -> dg.AssetsDefinition:
    @dg.asset(
        key=HISTORIES.split("/"),
        deps=[dg.AssetKey(VACCOUNTS.split("/")), dg.AssetKey(CAPTIONS.split("/"))],
        partitions_def=dates,
        group_name="release",
        kinds={"parquet"},
        owners=OWNERS,
        pool="writer",
        check_specs=check_specs(HISTORIES.split("/"), _HISTORY_CHECKS),
        description="The events of each Vaccount's history in words: narrative, description, captions (L3).",
    )
    @told_plainly
    def histories(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Put every planned event into words."""
        partition, store = context.partition_key, workbench.store
        key, source_key, model = (
            f"{HISTORIES}/{partition}",
            f"{VACCOUNTS}/{partition}",
            workbench.model("writer", HISTORIES),
        )
        recipe = Recipe(
            stage=HISTORIES,
            seed=workbench.profile.seed,
            parameters={"partition": partition},
            models=(model_name(model),),
            prompt_versions=(EVENT_STORY_WRITING.prompt_version, EVENT_WRITING.prompt_version),
            parents=parents(store, source_key, CAPTIONS),
        )
        plans = list(store.read(source_key, "plans", VaccountPlan))

        def make(writer: DatasetWriter) -> None:
            wanted = {one for plan in plans for event in plan.events for one in event.seed_caption_ids}
            captions = {
                one.caption_id: one for one in store.read(CAPTIONS, "captions", CaptionSeed) if one.caption_id in wanted
            }
            rejections: list[Rejection] = []
            writer.write("stories", EventStory, ())  # there also where no Vaccount is

            def worded(plan: VaccountPlan) -> list[EventStory | Rejection]:
                return list(word_events(model, plan, captions))

            workers = workbench.callers("writer", HISTORIES)
            for number, found in enumerate(ordered_map(worded, plans, workers=workers), start=1):
                writer.write("stories", EventStory, [one for one in found if isinstance(one, EventStory)])
                rejections += [one for one in found if isinstance(one, Rejection)]
                workbench.watch(key, number, len(plans))
            _write_rejections(writer, HISTORIES, rejections)

        def accounted(reader: DatasetReader) -> list[str]:
            told = {row.event_id for row in reader.read("stories", EventStory)}
            told |= {row.item for row in reader.read("rejections", Rejection)}
            return [
                f"{event.event_id} is lost" for plan in plans for event in plan.events if event.event_id not in told
            ]

        def describe(reader: DatasetReader) -> dict[str, Any]:
            rows = list(reader.read("stories", EventStory))
            return {
                "events": len(rows),
                LEFT_OUT: _left_out(reader),
                "different descriptions": len({row.description for row in rows}),
                "preview": rows_preview([row.model_dump(include={"event_id", "description"}) for row in rows[:8]]),
            }

        yield from publish(
            context, workbench, key, recipe, make, {"events_accounted": accounted}, describe, rows_of="stories"
        )

    return histories


def _history_images(dates: dg.PartitionsDefinition[Any]) -> dg.AssetsDefinition:
    @dg.asset(
        key=HISTORY_IMAGES.split("/"),
        deps=[dg.AssetKey(VACCOUNTS.split("/")), dg.AssetKey(HISTORIES.split("/"))],
        partitions_def=dates,
        group_name="release",
        kinds={"parquet", "mlflow"},
        owners=OWNERS,
        pool="writer",
        check_specs=check_specs(HISTORY_IMAGES.split("/"), _IMAGE_CHECKS),
        description="History and question pictures: candidates, votes, losers with reasons (L3), and a page a life.",
    )
    @told_plainly
    def history_images(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Draw every picture and let the critic vote."""
        partition, store, profile = context.partition_key, workbench.store, workbench.profile
        key, lives_key, words_key = (f"{one}/{partition}" for one in (HISTORY_IMAGES, VACCOUNTS, HISTORIES))
        critic = workbench.model("critic", HISTORY_IMAGES)
        recipe = Recipe(
            stage=HISTORY_IMAGES,
            seed=profile.seed,
            parameters={
                "partition": partition,
                "candidates": profile.life.candidates,
                "votes": profile.life.votes,
                "checked": profile.pictures.check,
            },
            models=(model_name(workbench.image_maker), model_name(critic)),
            prompt_versions=(CANDIDATE_VOTE.prompt_version,),
            parents=parents(store, lives_key, words_key),
        )
        plans = list(store.read(lives_key, "plans", VaccountPlan))
        concepts = list(store.read(lives_key, "concepts", Concept))
        stories = {row.event_id: row for row in store.read(words_key, "stories", EventStory)}
        portraits = {one.concept_id: one.portrait for one in concepts if one.portrait is not None}

        def make(writer: DatasetWriter) -> None:
            total = sum(len(event.shots) for plan in plans for event in plan.events) + sum(
                len(plan.question_shots) for plan in plans
            )
            done, rejections = 0, list[Rejection]()
            for table, kind in _IMAGE_TABLES.items():
                writer.write(table, kind, ())  # there also where no picture is
            with illustrating(workbench, HISTORY_IMAGES) as illustrator:
                for plan in plans:
                    there: list[str] = []
                    for result, image in draw_history(plan, stories, portraits, illustrator):
                        done += 1
                        workbench.watch(key, done, total)
                        writer.write("votes", CandidateVote, [result.vote])
                        if result.picture is None:
                            rejections += [result.rejection] if result.rejection is not None else []
                            continue
                        writer.put_media(result.data)
                        writer.write("drawn", DrawnLifePicture, [result.picture])
                        if image is not None:
                            writer.write("images", LifeImage, [image])
                            there.append(image.image_id)
                    rejections += events_without_pictures(plan, stories, there)
            _write_rejections(writer, HISTORY_IMAGES, rejections)

        def accounted(reader: DatasetReader) -> list[str]:
            out = {row.item for row in reader.read("rejections", Rejection)}
            out |= {row.item for row in store.read(words_key, "rejections", Rejection)}
            out |= {row.item for row in store.read(lives_key, "rejections", Rejection)}
            images = list(reader.read("images", LifeImage))
            return [problem for plan in plans for problem in life_problems(plan, concepts, images, left_out=out)]

        def new(reader: DatasetReader) -> list[str]:
            return question_problems(
                reader.read("drawn", DrawnLifePicture), lambda picture: reader.media.get(picture.content_hash)
            )

        def describe(reader: DatasetReader) -> dict[str, Any]:
            images = list(reader.read("images", LifeImage))
            lives, left_out = lives_of(store, partition), left_out_of(store, partition)
            planned = {plan.vaccount_id: plan for plan in plans}
            told = {one.seed_id: one.life_story for one in store.read(lives_key, "seeds", VaccountSeed)}
            made_with = (
                f"release {partition}, seed {profile.seed}, code {code_revision()}, "
                f"image maker {model_name(workbench.image_maker)}"
            )

            def pages() -> Iterator[tuple[str, str]]:
                for name, life in lives.items():
                    yield (
                        name,
                        life_page(
                            life,
                            workbench.picture,
                            made_with=made_with,
                            plan=planned[name],
                            stories=stories,
                            left_out=left_out,
                            life_story=told.get(planned[name].seed_id, ""),
                        ),
                    )

            run_id = log_life_pages(
                workbench.tracker,
                BENCHMARK,
                partition,
                store.manifest(key).content_hash[:16],
                pages,
                run_tags(context, workbench, HISTORY_IMAGES, partition),
            )
            first = next((life for life in lives.values() if life.events), None)
            return {
                "pictures": len(images),
                "pictures of questions": sum(
                    1 for row in reader.read("drawn", DrawnLifePicture) if row.use == "question"
                ),
                LEFT_OUT: _left_out(reader),
                "an event": dg.MetadataValue.md("no pictures" if first is None else _event(reader, first)),
                **{
                    f"page of {name}": dg.MetadataValue.url(
                        life_pages_address(workbench.tracker, run_id, workbench.mlflow_server, name)
                    )
                    for name in list(lives)[:10]
                },
            }

        checks = {"pictures_accounted": accounted, "questions_new": new}
        yield from publish(context, workbench, key, recipe, make, checks, describe, rows_of="images")

    return history_images


def _portraits(reader: DatasetReader, concepts: Sequence[Concept]) -> str:
    lives = [Life.of(name, concepts, ()) for name in dict.fromkeys(one.vaccount_id for one in concepts)]
    if not lives:
        return "no portraits"
    return _inlined(portrait_sheet(lives, lambda picture: reader.media.get(picture.content_hash)), "portraits")


def _event(reader: DatasetReader, life: Life) -> str:
    event = max(life.events, key=lambda one: len(one.images))
    sheet = event_sheet(event, lambda picture: reader.media.get(picture.content_hash))
    return _inlined(sheet, f"pictures of {event.event_id}")


def _inlined(png: bytes, told: str) -> str:
    return f"![{told}](data:image/png;base64,{base64.b64encode(png).decode()})"
