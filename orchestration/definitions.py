"""The whole graph: assets, checks, jobs and schedules of one profile in one home."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import dagster as dg

from assets.ablations import ablations_asset
from assets.benchmarks import benchmark_assets
from assets.caption_groups import caption_corpus, caption_release
from assets.caption_quality import caption_quality_asset
from assets.caption_scores import caption_score_assets
from assets.concept_grounding import concept_grounding_asset
from assets.contexts import contexts_asset
from assets.diagnostic_scores import diagnostic_scores_asset
from assets.diagnostics import diagnostics_asset
from assets.dialogues import dialogues_asset
from assets.groups import corpus_group, release_group
from assets.image_library import image_library
from assets.life_bench import life_bench_asset
from assets.life_graphs import life_graphs_asset
from assets.life_scores import life_score_assets
from assets.mcqa_probes import mcqa_probes_asset
from assets.memories import memories_asset
from assets.memory_quality import memory_quality_asset
from assets.personas import personas_asset
from assets.scenes import scene_assets
from assets.scores import score_assets
from assets.seeds import seed_assets
from assets.training_sets import training_set_assets
from assets.vaccounts import vaccount_assets
from orchestration.instance import home_path
from orchestration.profiles import load_profile
from resources.profile import Profile
from resources.workbench import Workbench

__all__ = ["all_assets", "build_definitions", "defs"]


def all_assets(profile: Profile) -> list[dg.AssetsDefinition]:
    """Return every asset of the graph, from seeds to scores."""
    corpus, release = corpus_group(profile), release_group(profile)
    captions = (caption_corpus(profile), caption_release(profile))
    return [
        *seed_assets(),
        *(make(group) for group in (corpus, release) for make in (personas_asset, dialogues_asset, memories_asset)),
        *benchmark_assets(release),
        *score_assets(release.partitions),
        ablations_asset(release.partitions),
        memory_quality_asset(release.partitions),
        *vaccount_assets(release.partitions),
        life_graphs_asset(release.partitions),
        life_bench_asset(release.partitions),
        *life_score_assets(release.partitions),
        image_library,
        *(one for group in captions for one in scene_assets(group)),
        *(make(group) for group in captions for make in (contexts_asset, mcqa_probes_asset)),
        *caption_score_assets(captions[1]),
        diagnostics_asset(captions[1]),
        diagnostic_scores_asset(captions[1]),
        concept_grounding_asset(captions[1]),
        caption_quality_asset(captions[1]),
        *training_set_assets(corpus, captions[0]),
    ]


def build_definitions(
    profile: Profile, home: Path, watch: Callable[[str, int, int], None] = lambda stage, done, total: None
) -> dg.Definitions:
    """Return the graph of ``profile`` working in ``home``; nothing is opened before an asset runs."""
    from orchestration.jobs import jobs_and_schedules

    jobs, schedules = jobs_and_schedules()
    return dg.Definitions(
        assets=all_assets(profile),
        jobs=jobs,
        schedules=schedules,
        resources={"workbench": dg.ResourceDefinition.hardcoded_resource(Workbench(profile, home, watch))},
        executor=dg.in_process_executor,
    )


defs = build_definitions(load_profile(), home_path())
