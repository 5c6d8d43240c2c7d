"""Personas of the corpus and of a release: one function makes both."""

import collections
from typing import Any

import dagster as dg

from assets.groups import Group
from assets.publishing import (
    OWNERS,
    AssetEvents,
    check_specs,
    model_name,
    parents,
    publish,
    rows_preview,
    stage_counts,
    told_plainly,
)
from assets.seeds import PERSONAS
from lifeloom.records import Persona
from lifeloom.store import DatasetReader, DatasetWriter, Recipe
from lifeloom.synthesis.disjointness import shared_clusters, shared_personas
from lifeloom.synthesis.making import make_personas
from lifeloom.tasks import PERSONA_ENRICHMENT
from resources.workbench import Workbench

__all__ = ["personas_asset"]

_PERSONA_CHECKS = {
    "one_persona_a_cluster": "No two personas come from one near-duplicate cluster.",
    "right_split": "All personas come from seeds of the right split.",
    "disjoint_from_other_side": "Training corpus and releases share no cluster and no near-duplicate persona.",
}


def personas_asset(group: Group) -> dg.AssetsDefinition:
    """Return the personas of ``group``."""
    stage = f"{group.name}/personas"

    @dg.asset(
        key=stage.split("/"),
        deps=[dg.AssetKey(PERSONAS.split("/"))],
        partitions_def=group.partitions,
        group_name=group.name,
        kinds={"parquet"},
        owners=OWNERS,
        pool="writer",
        check_specs=check_specs(stage.split("/"), _PERSONA_CHECKS),
        description=f"Personas of the {group.name}: base personas enriched with traits, people and core memory.",
    )
    @told_plainly
    def personas(context: dg.AssetExecutionContext, workbench: dg.ResourceParam[Workbench]) -> AssetEvents:
        """Sample seeds of the partition and enrich them."""
        key = f"{stage}/{context.partition_key}"
        store, model = workbench.store, workbench.model("writer", stage)
        lineage = parents(store, PERSONAS)
        seeds = group.seeds(workbench, context.partition_key)
        recipe = Recipe(
            stage=stage,
            seed=workbench.profile.seed,
            parameters={"partition": context.partition_key, "seeds": tuple(seed.seed_id for seed in seeds)},
            models=(model_name(model),),
            prompt_versions=(PERSONA_ENRICHMENT.prompt_version,),
            parents=lineage,
        )

        def make(writer: DatasetWriter) -> None:
            make_personas(
                writer,
                seeds,
                edition=group.edition,
                model=model,
                streams=workbench.streams,
                workers=workbench.callers("writer", stage),
                progress=lambda done: workbench.watch(key, done, len(seeds)),
            )

        def read(reader: DatasetReader) -> list[Persona]:
            return list(reader.read("personas", Persona))

        def one_a_cluster(reader: DatasetReader) -> list[str]:
            clusters = collections.Counter(persona.cluster_id for persona in read(reader))
            return [f"cluster {cluster} has {count} personas" for cluster, count in clusters.items() if count > 1]

        def right_split(reader: DatasetReader) -> list[str]:
            wrong = [persona.persona_id for persona in read(reader) if persona.split != group.split]
            return [f"{persona_id} is not of the {group.split} split" for persona_id in wrong]

        def disjoint(reader: DatasetReader) -> list[str]:
            others = [p for k in store.keys(f"{group.other}/personas") for p in store.read(k, "personas", Persona)]
            return shared_clusters(read(reader), others) + shared_personas(read(reader), others)

        def describe(reader: DatasetReader) -> dict[str, Any]:
            rows = read(reader)
            return {
                **stage_counts(len(seeds), reader.rows("personas"), reader),
                "preview": rows_preview(
                    [{"name": p.name, "seed": p.seed_text, "role": p.role_description} for p in rows[:6]]
                ),
            }

        checks = dict(zip(_PERSONA_CHECKS, (one_a_cluster, right_split, disjoint), strict=True))
        yield from publish(context, workbench, key, recipe, make, checks, describe, rows_of="personas")

    return personas
