"""Questions about the corpus's personas: what training asks, never what a benchmark does."""

import collections
from collections.abc import Iterator
from typing import Any

import dagster as dg

from assets.benchmarks import RELEASE
from assets.groups import Group
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
from assets.training_keys import QUESTIONS
from lifeloom.models.calls.cost_reports import counted_text
from lifeloom.records import BenchmarkCase, ConversationPlan, Persona, Rejection
from lifeloom.store import DatasetReader, DatasetStore, DatasetWriter, Recipe
from lifeloom.synthesis.case_checks import letters_balanced, well_formed
from lifeloom.synthesis.disjointness import shared_clusters, shared_personas
from lifeloom.synthesis.making import make_cases
from lifeloom.synthesis.supervision import shared_questions
from lifeloom.tasks import ALIGNMENT_WRITING
from resources.workbench import Workbench

__all__ = ["left_out", "questions_asset", "released_cases"]

_QUESTION_CHECKS = {
    "well_formed": "Four different options, evidence before the question, ids unique, histories long enough.",
    "letters_balanced": "Each letter is right in a quarter of a task's questions, as near as the number allows.",
    "disjoint_from_releases": "No persona of a release, no near-duplicate of one, and no question of one is here.",
}


def questions_asset(group: Group) -> dg.AssetsDefinition:
    """Return the questions, by shard."""

    @dg.asset(
        key=QUESTIONS.split("/"),
        deps=[dg.AssetKey([group.name, name]) for name in ("personas", "dialogues")],
        partitions_def=group.partitions,
        group_name=group.name,
        kinds={"parquet"},
        owners=OWNERS,
        pool="writer",
        check_specs=check_specs(QUESTIONS.split("/"), _QUESTION_CHECKS),
        description="Questions about the corpus's personas, in situ, in the corpus's wordings, for training alone.",
    )
    @told_plainly
    def questions(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Make questions from the plans of the corpus's conversations."""
        partition, store = context.partition_key, workbench.store
        key = f"{QUESTIONS}/{partition}"
        personas_key, dialogues_key = f"{group.name}/personas/{partition}", f"{group.name}/dialogues/{partition}"
        model, wanted = workbench.model("writer", QUESTIONS), workbench.profile.training.questions_per_persona
        recipe = Recipe(
            stage=QUESTIONS,
            seed=workbench.profile.seed,
            parameters={"partition": partition, "questions": wanted},
            models=(model_name(model),),
            prompt_versions=(ALIGNMENT_WRITING.prompt_version,),
            parents=parents(store, personas_key, dialogues_key),
        )

        def people() -> dict[str, Persona]:
            return {one.persona_id: one for one in store.read(personas_key, "personas", Persona)}

        def make(writer: DatasetWriter) -> None:
            personas = people()
            make_cases(
                writer,
                ((personas[one.persona_id], one) for one in store.read(dialogues_key, "plans", ConversationPlan)),
                release_id=partition,
                model=model,
                cases_per_persona=wanted,
                streams=workbench.streams,
                workers=workbench.callers("writer", QUESTIONS),
                progress=lambda done, total: workbench.watch(f"{key} pairs", done, total),
            )

        def disjoint(reader: DatasetReader) -> list[str]:
            own = list(people().values())
            others = [p for k in store.keys(f"{group.other}/personas") for p in store.read(k, "personas", Persona)]
            return [
                *shared_clusters(own, others),
                *shared_personas(own, others),
                *shared_questions(_cases(reader), released_cases(store)),
            ]

        def describe(reader: DatasetReader) -> dict[str, Any]:
            cases = _cases(reader)
            return {
                "questions by task": dg.MetadataValue.json(
                    dict(sorted(collections.Counter(one.task for one in cases).items()))
                ),
                "alignment pairs": sum(one.alignment is not None for one in cases),
                LEFT_OUT: left_out(reader),
                "preview": rows_preview([{"task": one.task, "query": one.query} for one in cases[:8]]),
            }

        checks = {
            "well_formed": lambda reader: well_formed(_cases(reader)),
            "letters_balanced": lambda reader: letters_balanced(_cases(reader), reader.read("rejections", Rejection)),
            "disjoint_from_releases": disjoint,
        }
        yield from publish(context, workbench, key, recipe, make, checks, describe, rows_of="cases")

    return questions


def released_cases(store: DatasetStore) -> Iterator[BenchmarkCase]:
    """Yield the cases of every release that has been made."""
    for key in store.keys(RELEASE):
        yield from store.read(key, "cases", BenchmarkCase)


def left_out(reader: DatasetReader) -> str:
    """Return what was left out, by reason."""
    return counted_text(collections.Counter(row.reason for row in reader.read("rejections", Rejection))) or "nothing"


def _cases(reader: DatasetReader) -> list[BenchmarkCase]:
    return list(reader.read("cases", BenchmarkCase))
