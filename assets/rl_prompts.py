"""Prompts of RL for the assistant, by shard (P14)."""

import collections
from typing import Any

import dagster as dg

from assets.groups import Group
from assets.publishing import (
    LEFT_OUT,
    OWNERS,
    AssetEvents,
    check_specs,
    parents,
    publish,
    rows_preview,
    told_plainly,
)
from assets.training_keys import QUESTIONS, RL_PROMPTS
from assets.training_questions import left_out, released_cases
from lifeloom.records import BenchmarkCase, Rejection, RlPrompt
from lifeloom.store import DatasetReader, DatasetWriter, Recipe
from lifeloom.synthesis.supervision import (
    RL_SHARES,
    compose,
    is_for_rl,
    repeated_ids,
    rl_prompts,
    share_problems,
    shared_questions,
)
from resources.workbench import Workbench

__all__ = ["rl_prompts_asset"]

_FEW = 40
"""Of fewer prompts shares cannot be told."""

_CHECKS = {
    "composition": "Open, multiple-choice and binary prompts have the paper's shares.",
    "ids_unique": "No prompt is there twice.",
    "memories_there": "Every prompt's user has memories in the data set that it names.",
    "disjoint_from_releases": "No question of a release is among the prompts.",
}


def rl_prompts_asset(group: Group) -> dg.AssetsDefinition:
    """Return the prompts, by shard."""

    @dg.asset(
        key=RL_PROMPTS.split("/"),
        deps=[dg.AssetKey(name.split("/")) for name in (QUESTIONS, f"{group.name}/memories")],
        partitions_def=group.partitions,
        group_name=group.name,
        kinds={"parquet"},
        owners=OWNERS,
        check_specs=check_specs(RL_PROMPTS.split("/"), _CHECKS),
        description="Prompts of RL (P14): open, choice and binary, each tied to a memory database and a moment.",
    )
    @told_plainly
    def rl_prompts_of_shard(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Turn the questions that SFT does not use into prompts, in the paper's proportions."""
        partition, store, settings = context.partition_key, workbench.store, workbench.profile.training
        key, questions_key = f"{RL_PROMPTS}/{partition}", f"{QUESTIONS}/{partition}"
        memories_key, dialogues_key = (f"{group.name}/{name}/{partition}" for name in ("memories", "dialogues"))
        recipe = Recipe(
            stage=RL_PROMPTS,
            seed=workbench.profile.seed,
            parameters={"partition": partition, "rl_share": settings.rl_share},
            parents=parents(store, questions_key, memories_key),
        )

        def make(writer: DatasetWriter) -> None:
            cases = [
                one for one in store.read(questions_key, "cases", BenchmarkCase) if is_for_rl(one, settings.rl_share)
            ]
            composed = compose(
                list(rl_prompts(cases, memories=memories_key, dialogues=dialogues_key)),
                RL_SHARES,
                part_of=lambda one: one.kind,
                stratum_of=lambda one: one.task,
                id_of=lambda one: one.prompt_id,
                rng=workbench.streams.rng("training", "rl_prompts", partition),
            )
            writer.write("prompts", RlPrompt, composed.kept)
            writer.write("rejections", Rejection, composed.left_out)

        def read(reader: DatasetReader) -> list[RlPrompt]:
            return list(reader.read("prompts", RlPrompt))

        def composition(reader: DatasetReader) -> list[str]:
            kinds = [one.kind for one in read(reader)]
            return share_problems(kinds, RL_SHARES) if len(kinds) >= _FEW else []

        def memories_there(reader: DatasetReader) -> list[str]:
            users = set(workbench.memories(memories_key).users())
            return [
                f"{one.prompt_id} is of {one.user_id}, who has none" for one in read(reader) if one.user_id not in users
            ]

        def describe(reader: DatasetReader) -> dict[str, Any]:
            prompts = read(reader)
            return {
                "prompts by kind": dg.MetadataValue.json(dict(collections.Counter(one.kind for one in prompts))),
                "prompts by task": dg.MetadataValue.json(
                    dict(sorted(collections.Counter(one.task for one in prompts).items()))
                ),
                LEFT_OUT: left_out(reader),
                "preview": rows_preview(
                    [{"kind": one.kind, "query": one.query, "answer": one.answer} for one in prompts[:8]]
                ),
            }

        checks = {
            "composition": composition,
            "ids_unique": lambda reader: repeated_ids(one.prompt_id for one in read(reader)),
            "memories_there": memories_there,
            "disjoint_from_releases": lambda reader: shared_questions(read(reader), released_cases(store)),
        }
        yield from publish(context, workbench, key, recipe, make, checks, describe, rows_of="prompts")

    return rl_prompts_of_shard
