"""Prompts of RL for the captioner and its warm-up, by shard (C6)."""

import collections
from collections.abc import Iterator
from typing import Any

import dagster as dg

from assets.caption_groups import CaptionGroup
from assets.caption_keys import CONTEXTS, MCQA_PROBES
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
from assets.training_keys import CAPTIONING_PROMPTS
from assets.training_questions import left_out
from lifeloom.models.calls.parallel import ordered_map
from lifeloom.records import CaptioningPrompt, CaptionSample, ProbeQuestion, Rejection, SftExample
from lifeloom.store import DatasetReader, DatasetStore, DatasetWriter, Recipe
from lifeloom.synthesis.supervision import (
    caption_example,
    captioning_prompts,
    repeated_ids,
    shared_samples,
    warm_up_example,
)
from lifeloom.tasks import CONCEPT_RECOGNITION, GROUNDED_CAPTION, PERSONAL_CAPTION
from resources.captioners import caption_teacher
from resources.workbench import Workbench

__all__ = ["captioning_prompts_asset"]

_CHECKS = {
    "ids_unique": "No prompt is there twice.",
    "truth_apart": "The pictures that are to be recognised are of the context, and every caption is asked about.",
    "disjoint_from_releases": "No identity, no picture and no dialogue of a release's contexts is here.",
}


def captioning_prompts_asset(group: CaptionGroup) -> dg.AssetsDefinition:
    """Return the prompts, by shard."""

    @dg.asset(
        key=CAPTIONING_PROMPTS.split("/"),
        deps=[dg.AssetKey(group.key(name).split("/")) for name in (CONTEXTS, MCQA_PROBES)],
        partitions_def=group.partitions,
        group_name=group.name,
        kinds={"parquet"},
        owners=OWNERS,
        pool="reader",
        check_specs=check_specs(CAPTIONING_PROMPTS.split("/"), _CHECKS),
        description="Prompts of RL for the captioner (C6), and a warm-up in the form that its rewards read.",
    )
    @told_plainly
    def captioning_prompts_of_shard(
        context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]
    ) -> AssetEvents:
        """Ask for a caption and for the concepts of every query picture of training identities."""
        partition, store, settings = context.partition_key, workbench.store, workbench.profile.training
        key = f"{CAPTIONING_PROMPTS}/{partition}"
        contexts_key, probes_key = group.key(CONTEXTS, partition), group.key(MCQA_PROBES, partition)
        samples = list(store.read(contexts_key, "samples", CaptionSample))
        teacher = caption_teacher(workbench, CAPTIONING_PROMPTS) if samples else None
        recipe = Recipe(
            stage=CAPTIONING_PROMPTS,
            seed=workbench.profile.seed,
            parameters={"partition": partition, "rows": settings.captioning_rows},
            models=() if teacher is None else (model_name(teacher),),
            prompt_versions=tuple(
                task.prompt_version for task in (PERSONAL_CAPTION, CONCEPT_RECOGNITION, GROUNDED_CAPTION)
            ),
            parents=parents(store, contexts_key, probes_key),
        )

        def make(writer: DatasetWriter) -> None:
            writer.write("prompts", CaptioningPrompt, ())  # there also where no context is
            writer.write("warm_up", SftExample, ())
            writer.write("rejections", Rejection, ())
            if teacher is None:
                return
            questions: dict[str, list[ProbeQuestion]] = {}
            for question in store.read(probes_key, "questions", ProbeQuestion):
                questions.setdefault(question.sample_id, []).append(question)
            asked = [one for one in samples if one.sample_id in questions]
            writer.write(
                "rejections",
                Rejection,
                [
                    Rejection(stage=CAPTIONING_PROMPTS, item=one.sample_id, reason="no_questions")
                    for one in samples
                    if one.sample_id not in questions
                ],
            )
            captions = ordered_map(
                lambda one: caption_example(one, teacher),
                asked,
                workers=workbench.callers("reader", CAPTIONING_PROMPTS),
            )
            for done, (sample, caption) in enumerate(zip(asked, captions, strict=True), start=1):
                workbench.watch(key, done, len(asked))
                if isinstance(caption, Rejection):
                    writer.write("rejections", Rejection, [caption])
                    continue
                prompts = list(captioning_prompts(sample, questions[sample.sample_id], settings.captioning_rows))
                told = caption.messages[-1].text
                writer.write("prompts", CaptioningPrompt, prompts)
                writer.write("warm_up", SftExample, [warm_up_example(one, told, caption.made_by) for one in prompts])

        def read(reader: DatasetReader) -> list[CaptioningPrompt]:
            return list(reader.read("prompts", CaptioningPrompt))

        def truth_apart(reader: DatasetReader) -> list[str]:
            return [
                f"{one.prompt_id} is to recognise {list(one.positives)} of {len(one.pictures) - 1} pictures"
                for one in read(reader)
                if any(index >= len(one.pictures) - 1 for index in one.positives)
            ]

        def disjoint(reader: DatasetReader) -> list[str]:
            kept = {one.sample_id for one in read(reader)}
            return shared_samples(
                [one for one in samples if one.sample_id in kept],
                _released(store),
                identities=workbench.profile.captions.identity_split == "disjoint",
            )

        def describe(reader: DatasetReader) -> dict[str, Any]:
            prompts = read(reader)
            return {
                "prompts by kind": dg.MetadataValue.json(dict(collections.Counter(one.kind for one in prompts))),
                "prompts by concepts": dg.MetadataValue.json(
                    {str(n): c for n, c in sorted(collections.Counter(one.concepts for one in prompts).items())}
                ),
                LEFT_OUT: left_out(reader),
                "preview": rows_preview(
                    [
                        {"prompt": one.case_id, "answer": one.messages[-1].text}
                        for one in list(reader.read("warm_up", SftExample))[:5]
                    ],
                    width=400,
                ),
            }

        checks = {
            "ids_unique": lambda reader: repeated_ids(one.prompt_id for one in read(reader)),
            "truth_apart": truth_apart,
            "disjoint_from_releases": disjoint,
        }
        yield from publish(context, workbench, key, recipe, make, checks, describe, rows_of="prompts")

    return captioning_prompts_of_shard


def _released(store: DatasetStore) -> Iterator[CaptionSample]:
    for key in store.keys("release/contexts"):
        yield from store.read(key, "samples", CaptionSample)
