"""CapEval-QAs: three questions about each dialogue of a context (C5)."""

import collections
from typing import Any

import dagster as dg

from assets.caption_groups import CaptionGroup
from assets.caption_keys import CONTEXTS, IMAGE_LIBRARY, MCQA_PROBES
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
from lifeloom.models.calls.cost_reports import counted_text
from lifeloom.records import CaptionSample, ConceptDialoguePlan, LibraryImage, ProbeQuestion, Rejection
from lifeloom.scoring.unanswered import require_answers
from lifeloom.store import DatasetReader, DatasetWriter, Recipe
from lifeloom.synthesis.mcqa_probes import QUESTIONS, make_probes
from lifeloom.synthesis.mcqa_probes.checks import (
    account_problems,
    balance_problems,
    form_problems,
    length_problems,
    repeat_problems,
    truth_problems,
)
from lifeloom.tasks import PROBE_WRITING
from resources.workbench import Workbench

__all__ = ["mcqa_probes_asset"]

_CHECKS = {
    "well_formed": "Ids are unique and options different.",
    "true_to_dialogues": "The right option is what the dialogue says, and no question names an option.",
    "answers_balanced": "No letter is right too often, and neither is the longest nor the shortest option.",
    "no_repeats": "No question is asked twice about one sample.",
    "all_accounted": "Every dialogue has its three questions, or a reason why it has none.",
}


def mcqa_probes_asset(group: CaptionGroup) -> dg.AssetsDefinition:
    """Return the questions, by the partitions of ``group``."""
    stage = group.key(MCQA_PROBES)

    @dg.asset(
        key=stage.split("/"),
        deps=[dg.AssetKey(name.split("/")) for name in (IMAGE_LIBRARY, group.key(CONTEXTS))],
        partitions_def=group.partitions,
        group_name=group.name,
        kinds={"parquet"},
        owners=OWNERS,
        pool="writer",
        check_specs=check_specs(stage.split("/"), _CHECKS),
        description="CapEval-QAs: three questions a dialogue, which only who knows the dialogue can answer (C5).",
    )
    @told_plainly
    def mcqa_probes(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Ask for three facts of each dialogue."""
        partition, store = context.partition_key, workbench.store
        key, contexts_key = group.key(MCQA_PROBES, partition), group.key(CONTEXTS, partition)
        model = workbench.model("writer", stage)
        recipe = Recipe(
            stage=stage,
            seed=workbench.profile.seed,
            parameters={"partition": partition, "questions": QUESTIONS},
            models=(model_name(model),),
            prompt_versions=(PROBE_WRITING.prompt_version,),
            parents=parents(store, IMAGE_LIBRARY, contexts_key),
        )
        samples = list(store.read(contexts_key, "samples", CaptionSample))
        plans = {one.dialogue_id: one for one in store.read(contexts_key, "plans", ConceptDialoguePlan)}

        def make(writer: DatasetWriter) -> None:
            writer.write("questions", ProbeQuestion, ())  # there also where no context is
            writer.write("rejections", Rejection, ())
            categories = {one.image_id: one.category for one in store.read(IMAGE_LIBRARY, "images", LibraryImage)}
            lost: list[str] = []
            made = make_probes(
                samples,
                plans,
                categories,
                model,
                workbench.streams,
                stage=stage,
                callers=workbench.callers("writer", stage),
            )
            for number, one in enumerate(made, start=1):
                writer.write("questions", ProbeQuestion, one.questions)
                writer.write("rejections", Rejection, one.rejections)
                lost.append("" if one.questions else "questions_not_worded")
                workbench.watch(key, number, len(samples))
            require_answers(f"{stage}: the writer", lost)

        def questions_of(reader: DatasetReader) -> list[ProbeQuestion]:
            return list(reader.read("questions", ProbeQuestion))

        def describe(reader: DatasetReader) -> dict[str, Any]:
            rows = questions_of(reader)
            left_out = collections.Counter(row.reason for row in reader.read("rejections", Rejection))
            letters = collections.Counter(one.answer for one in rows)
            return {
                "in": sum(len(one.entries) for one in samples),
                "out": len({one.dialogue_id for one in rows}),
                LEFT_OUT: counted_text(left_out) or "nothing",
                "about concepts of the query picture": sum(one.positive for one in rows),
                "about others": sum(not one.positive for one in rows),
                "right letters": dg.MetadataValue.json(dict(sorted(letters.items()))),
                "by fact": dg.MetadataValue.json(dict(collections.Counter(one.fact for one in rows))),
                "preview": rows_preview(
                    [
                        {"question": one.question, "options": "; ".join(one.options[:3]), "answer": one.answer}
                        for one in rows[:6]
                    ]
                ),
            }

        checks = {
            "well_formed": lambda reader: form_problems(questions_of(reader)),
            "true_to_dialogues": lambda reader: truth_problems(
                questions_of(reader), {one.sample_id: one for one in samples}, plans
            ),
            "answers_balanced": lambda reader: [
                *balance_problems(questions_of(reader)),
                *length_problems(questions_of(reader)),
            ],
            "no_repeats": lambda reader: repeat_problems(questions_of(reader)),
            "all_accounted": lambda reader: account_problems(
                samples, questions_of(reader), reader.read("rejections", Rejection)
            ),
        }
        yield from publish(context, workbench, key, recipe, make, checks, describe, rows_of="questions")

    return mcqa_probes
