"""Persona-MME cases: of a dated release, and of the reference on which shortcuts are learnt."""

import collections
from collections.abc import Sequence
from typing import Any

import dagster as dg

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
from assets.seeds import PERSONAS
from lifeloom.models.calls.parallel import ordered_map
from lifeloom.models.protocol import GenerationRejected
from lifeloom.records import BenchmarkCase, ConversationPlan, Persona, PersonaSeed, Rejection, ReviewItem, Turn
from lifeloom.store import DatasetReader, DatasetWriter, Recipe
from lifeloom.synthesis.case_checks import (
    letters_balanced,
    near_duplicate_cases,
    right_option_longest,
    well_formed,
)
from lifeloom.synthesis.diversity import diversity_report
from lifeloom.synthesis.making import CaseReview, make_cases
from lifeloom.synthesis.personas import enrich_persona
from lifeloom.synthesis.planning.shapes import shape_for
from lifeloom.synthesis.plans import plan_conversation
from lifeloom.synthesis.review import queue_path, read_answers, write_queue
from lifeloom.synthesis.seeds import sample_personas
from lifeloom.tasks import ALIGNMENT_WRITING
from resources.workbench import Workbench

__all__ = ["REFERENCE", "RELEASE", "benchmark_assets"]

RELEASE = "release/persona_mme"
REFERENCE = "reference/persona_mme"

_CASE_CHECKS = {
    "cases_there": "There are cases: not everything was left out.",
    "well_formed": "Four different options, evidence before the question, ids unique, histories long enough.",
    "letters_balanced": "Each letter is right in a quarter of a task's cases, as near as the number allows.",
    "right_option_not_longest": "The right option is uniquely the longest in at most 30 % of a task's cases.",
    "near_duplicates": "Fewer than 1 % of the cases are near-duplicates of another.",
}


def benchmark_assets(group: Group) -> list[dg.AssetsDefinition]:
    """Return the cases of ``group`` (a release) and of the audit's reference."""
    return [_release_cases(group), reference_cases]


def _release_cases(group: Group) -> dg.AssetsDefinition:
    @dg.asset(
        key=RELEASE.split("/"),
        deps=[dg.AssetKey([group.name, "personas"]), dg.AssetKey([group.name, "dialogues"])],
        partitions_def=group.partitions,
        group_name=group.name,
        kinds={"parquet"},
        owners=OWNERS,
        pool="writer",
        check_specs=check_specs(RELEASE.split("/"), _CASE_CHECKS),
        description="Persona-MME cases of a release: thirteen tasks, and PA on a fifth of the cases.",
    )
    @told_plainly
    def persona_mme(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Make cases from the plans of the release's conversations."""
        partition = context.partition_key
        store, model = workbench.store, workbench.model("writer", RELEASE)
        key = f"{RELEASE}/{partition}"
        personas_key, dialogues_key = f"{group.name}/personas/{partition}", f"{group.name}/dialogues/{partition}"
        answers = read_answers(workbench.home.review, key)
        recipe = Recipe(
            stage=RELEASE,
            seed=workbench.profile.seed,
            parameters={
                "partition": partition,
                "cases": workbench.profile.release.cases_per_persona,
                "answers": answers.digest_with_notes(),
            },
            models=(model_name(model),),
            prompt_versions=(ALIGNMENT_WRITING.prompt_version,),
            parents=parents(store, personas_key, dialogues_key),
        )

        def make(writer: DatasetWriter) -> None:
            personas = {p.persona_id: p for p in store.read(personas_key, "personas", Persona)}
            plans = store.read(dialogues_key, "plans", ConversationPlan)
            turns: dict[str, list[Turn]] = {}
            for turn in store.read(dialogues_key, "turns", Turn):
                turns.setdefault(turn.persona_id, []).append(turn)
            make_cases(
                writer,
                ((personas[plan.persona_id], plan) for plan in plans),
                release_id=partition,
                model=model,
                cases_per_persona=workbench.profile.release.cases_per_persona,
                streams=workbench.streams,
                review=CaseReview(key, answers, turns.__getitem__),
                workers=workbench.callers("writer", RELEASE),
                progress=lambda done, total: workbench.watch(f"{key} pairs", done, total),
            )

        def describe(reader: DatasetReader) -> dict[str, Any]:
            write_queue(workbench.home.review, key, reader.read("review", ReviewItem))
            waiting = sum(1 for item in reader.read("review", ReviewItem) if not answers.get(item.item_id))
            return {
                **_describe(reader),
                "review queue": str(queue_path(workbench.home.review, key)),
                "waiting for review": waiting,
            }

        yield from publish(context, workbench, key, recipe, make, _checks(), describe, rows_of="cases")

    return persona_mme


@dg.asset(
    key=REFERENCE.split("/"),
    deps=[dg.AssetKey(PERSONAS.split("/"))],
    group_name="reference",
    kinds={"parquet"},
    owners=OWNERS,
    pool="writer",
    check_specs=check_specs(REFERENCE.split("/"), {"well_formed": _CASE_CHECKS["well_formed"]}),
    description=(
        "Cases of another release, made of training-side personas with releases' wordings and never scored: blind "
        "classifiers learn on them, so that the audit meets the strongest shortcut."
    ),
)
@told_plainly
def reference_cases(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
    """Plan conversations and make their cases; nothing is worded but the alignment pairs."""
    profile, store, model = workbench.profile, workbench.store, workbench.model("writer", REFERENCE)
    lineage = parents(store, PERSONAS)
    rows = list(store.read(PERSONAS, "personas", PersonaSeed))
    seeds = sample_personas(
        rows,
        count=profile.audit.reference_personas,
        split="train",
        streams=workbench.streams,
        purpose="reference",
    )
    recipe = Recipe(
        stage=REFERENCE,
        seed=profile.seed,
        parameters={"seeds": tuple(seed.seed_id for seed in seeds), "cases": profile.release.cases_per_persona},
        models=(model_name(model),),
        prompt_versions=(ALIGNMENT_WRITING.prompt_version,),
        parents=lineage,
    )

    def make(writer: DatasetWriter) -> None:
        failed: list[Rejection] = []
        make_cases(
            writer,
            _planned(workbench, seeds, failed),
            release_id="reference",
            model=model,
            cases_per_persona=profile.release.cases_per_persona,
            streams=workbench.streams,
            workers=workbench.callers("writer", REFERENCE),
            progress=lambda done, total: workbench.watch(f"{REFERENCE} pairs", done, total),
        )
        writer.write("rejections", Rejection, failed)

    yield from publish(
        context,
        workbench,
        REFERENCE,
        recipe,
        make,
        {"well_formed": lambda r: well_formed(_cases(r))},
        _describe,
        rows_of="cases",
    )


def _planned(
    workbench: Workbench, seeds: Sequence[PersonaSeed], failed: list[Rejection]
) -> list[tuple[Persona, ConversationPlan]]:
    model = workbench.model("writer", REFERENCE)

    def enrich(seed: PersonaSeed) -> Persona | Rejection:
        try:
            return enrich_persona(seed, edition="release", model=model, streams=workbench.streams)
        except GenerationRejected as error:
            return Rejection(stage=REFERENCE, item=seed.seed_id, reason=error.reason, detail=error.raw[:500])

    pairs = []
    personas = ordered_map(enrich, seeds, workers=workbench.callers("writer", REFERENCE))
    for done, persona in enumerate(personas, start=1):
        workbench.watch(REFERENCE, done, len(seeds))
        if isinstance(persona, Rejection):
            failed.append(persona)
            continue
        plan = plan_conversation(
            persona,
            setting="32k",
            ends_on=workbench.profile.release.first_date,
            captions=(),
            shape=shape_for("32k"),
            streams=workbench.streams,
        )
        pairs.append((persona, plan))
    return pairs


def _cases(reader: DatasetReader) -> list[BenchmarkCase]:
    return list(reader.read("cases", BenchmarkCase))


def _cases_there(reader: DatasetReader) -> list[str]:
    if reader.rows("cases"):
        return []
    reasons = collections.Counter(row.reason for row in reader.read("rejections", Rejection))
    left_out = ", ".join(f"{reason} {count}" for reason, count in reasons.most_common(5))
    return [
        f"no case is left ({left_out or 'no conversation was kept'}): the rejections of the dialogues say why; choose "
        "another writer, or more personas"
    ]


def _checks() -> dict[str, Any]:
    return {
        "cases_there": _cases_there,
        "well_formed": lambda reader: well_formed(_cases(reader)),
        "letters_balanced": lambda reader: letters_balanced(_cases(reader), reader.read("rejections", Rejection)),
        "right_option_not_longest": lambda reader: right_option_longest(_cases(reader)),
        "near_duplicates": lambda reader: near_duplicate_cases(_cases(reader)),
    }


def _describe(reader: DatasetReader) -> dict[str, Any]:
    cases = _cases(reader)
    tasks = collections.Counter(case.task for case in cases)
    rejected = collections.Counter(row.reason for row in reader.read("rejections", Rejection))
    return {
        "cases by task": dg.MetadataValue.json(dict(sorted(tasks.items()))),
        "alignment pairs": sum(1 for case in cases if case.alignment),
        "need pictures": f"{sum(case.needs_pictures for case in cases)} of {len(cases)}",
        LEFT_OUT: ", ".join(f"{reason} {count}" for reason, count in sorted(rejected.items())) or "nothing",
        "diversity": dg.MetadataValue.md(diversity_report((), cases=cases, seed=0).to_markdown()),
        "preview": rows_preview(
            [
                {
                    "task": case.task,
                    "asked": f"{case.asked_at:%Y-%m-%d}, after {case.history_turns} turns",
                    "query": case.query,
                    "options": " / ".join(f"({o.letter}) {o.text}" for o in case.options),
                    "answer": case.answer,
                }
                for case in cases[:8]
            ],
            width=260,
        ),
    }
