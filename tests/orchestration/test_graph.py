"""The whole graph on a tiny profile, in this process, on real stores."""

from __future__ import annotations

import datetime as dt
import hashlib
import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest

from assets.ablations import ABLATIONS
from assets.caption_keys import CAPTION_STAGES
from assets.life_keys import HISTORIES, HISTORY_IMAGES, LIFE_AUDIT, LIFE_GRAPHS, LIFE_SCORES, VACCOUNTS
from assets.memory_quality import MEMORY_QUALITY
from assets.scores import AUDIT, SCORES
from assets.seeds import CAPTIONS, PERSONAS
from assets.training_keys import TRAINING_STAGES
from evaluation.audit import AuditRow
from lifeloom.records import BenchmarkCase, ConversationPlan, Persona, Picture, Prediction, Score, Session, Turn
from orchestration.definitions import all_assets, build_definitions
from orchestration.instance import open_instance
from orchestration.lineage import (
    PID_TAG,
    STAGES,
    StageFailed,
    UnknownStage,
    close_abandoned_runs,
    demo_steps,
    run_steps,
    steps_for,
)
from orchestration.profiles import load_profile
from resources.workbench import Workbench
from tests.tiny import TINY, Made

DATE = "2026-01-05"
WORDS = ("baker", "carpenter", "pilot", "nurse")
_PAGES = ("ablations", "audit", "cases", "memory_quality")
"""Runs in MLflow that are no policy's."""
PLACES = ("Oslo", "Accra", "Lima", "Osaka", "Perth")


def _copied(made: Made, folder: Path) -> Workbench:
    """A copy of the made home, for what adds releases to it: the others count those that are there."""
    return Workbench(made.workbench.profile, shutil.copytree(made.workbench.home.path, folder / "home"))


def test_all_definitions_load_with_placeholder_settings_and_open_nothing(tmp_path: Path) -> None:
    home = tmp_path / "not" / "made"
    definitions = build_definitions(load_profile("paper", {}), home)
    graph = definitions.resolve_asset_graph()
    assert {key.to_user_string() for key in graph.get_all_asset_keys()} == set(STAGES)
    for name in ("demo", "corpus", "nightly_release"):
        assert definitions.resolve_job_def(name).name == name
    assert not home.exists()


def test_loading_the_graph_imports_nothing_heavy(tmp_path: Path) -> None:
    program = (
        "import sys, orchestration.definitions; "
        "heavy = ('torch', 'transformers', 'sentence_transformers', 'mlflow', 'sklearn'); "
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "LIFELOOM_HOME": str(tmp_path)},
    )
    assert done.stdout.strip() == "[]"


def test_every_asset_is_described_grouped_owned_and_has_a_blocking_check() -> None:
    for asset in all_assets(load_profile("demo", {})):
        (key,) = asset.keys
        spec = asset.get_asset_spec(key)
        assert spec.description, key
        assert spec.group_name == key.path[0]
        assert spec.owners, key
        assert spec.kinds, key
        checks = [check for check in asset.check_specs if check.asset_key == key]
        assert checks, key
        assert all(check.blocking and check.description for check in checks), key


def test_edges_go_left_to_right_only() -> None:
    order = {dg.AssetKey(stage.split("/")): number for number, stage in enumerate(STAGES)}
    for asset in all_assets(load_profile("demo", {})):
        for key in asset.keys:
            for dep in asset.asset_deps[key]:
                assert order[dep] < order[key]


@pytest.mark.slow
def test_the_whole_graph_is_made(made: Made) -> None:
    assert {outcome.asset for outcome in made.outcomes} == set(STAGES)
    assert not any(outcome.reused for outcome in made.outcomes)
    assert all(outcome.rows for outcome in made.outcomes)


@pytest.mark.slow
def test_a_second_run_reuses_everything_and_tracks_nothing_twice(made: Made) -> None:
    client = made.workbench.tracker.client()
    experiment = client.get_experiment_by_name("persona_mme")
    assert experiment is not None
    runs = client.search_runs([experiment.experiment_id])
    assert runs
    with open_instance(made.workbench.home) as instance:
        again = list(run_steps(demo_steps(made.workbench.profile), made.workbench, instance))
    assert all(outcome.reused for outcome in again)
    assert len(client.search_runs([experiment.experiment_id])) == len(runs)


@pytest.mark.slow
def test_plans_sessions_and_turns_agree(made: Made) -> None:
    store = made.workbench.store
    for key in [*store.keys("corpus/dialogues"), *store.keys("release/dialogues")]:
        plans = {plan.persona_id: plan for plan in store.read(key, "plans", ConversationPlan)}
        turns: dict[str, list[Turn]] = {}
        for turn in store.read(key, "turns", Turn):
            turns.setdefault(turn.persona_id, []).append(turn)
        sessions = list(store.read(key, "sessions", Session))
        assert plans.keys() == turns.keys() == {session.persona_id for session in sessions}
        for persona_id, plan in plans.items():
            assert [turn.at for turn in turns[persona_id]] == [turn.at for turn in plan.turns]


@pytest.mark.slow
def test_the_release_takes_no_persona_of_the_corpus(made: Made) -> None:
    store = made.workbench.store
    corpus = {p.cluster_id for k in store.keys("corpus/personas") for p in store.read(k, "personas", Persona)}
    release = {p.cluster_id for k in store.keys("release/personas") for p in store.read(k, "personas", Persona)}
    assert corpus
    assert release
    assert not corpus & release


@pytest.mark.slow
def test_every_policy_answers_every_question(made: Made) -> None:
    store = made.workbench.store
    cases = list(store.read(f"release/persona_mme/{DATE}", "cases", BenchmarkCase))
    questions = sum(3 if case.alignment else 1 for case in cases)
    keys = store.keys("predictions")
    assert len(keys) == len({"full_context", "rag", *made.workbench.profile.scoring.ablations})
    for key in keys:
        assert len(list(store.read(key, "predictions", Prediction))) == questions
    overall = [
        s for s in store.read(f"{SCORES}/{DATE}", "scores", Score) if (s.setting, s.aspect, s.task) == ("all",) * 3
    ]
    assert {s.policy for s in overall} >= {
        "blind", "full_context", "rag", "memory_agent", "blind_longest", "blind_classifier"
    }  # fmt: skip
    assert all(s.questions == questions for s in overall)


@pytest.mark.slow
def test_a_small_release_is_never_said_to_have_passed_the_audit(made: Made) -> None:
    rows = list(made.workbench.store.read(f"{AUDIT}/{DATE}", "audit", AuditRow))
    assert {row.verdict for row in rows} == {"inconclusive"}
    with open_instance(made.workbench.home) as instance:
        checks = instance.event_log_storage.get_latest_asset_check_execution_by_key(
            [dg.AssetCheckKey(dg.AssetKey(AUDIT.split("/")), "no_shortcut")]
        )
    (record,) = checks.values()
    assert record.event is not None
    evaluation = record.event.asset_check_evaluation
    assert evaluation is not None
    assert not evaluation.passed
    assert evaluation.severity == dg.AssetCheckSeverity.WARN


@pytest.mark.slow
def test_a_case_is_shown_with_what_every_policy_answered(made: Made) -> None:
    from rich.console import Console

    from orchestration.show import render

    case = next(iter(made.workbench.store.read(f"release/persona_mme/{DATE}", "cases", BenchmarkCase)))
    console = Console(width=120, record=True, file=io.StringIO())
    console.print(render(made.workbench.store, "case", case.case_id))
    shown = console.export_text()
    for word in ("full_context: ", "rag: ", "blind_longest: ", "[right]"):
        assert word in shown


@pytest.mark.slow
def test_a_picture_is_shown_with_its_file_and_what_stands_in_it(made: Made) -> None:
    from rich.console import Console

    from orchestration.show import render

    store = made.workbench.store
    picture = next(
        p for p in store.read(f"release/dialogues/{DATE}", "pictures", Picture) if p.plan.kind == "scene" and p.drawn
    )
    console = Console(width=200, record=True, file=io.StringIO())
    console.print(render(store, "picture", picture.content_hash[:12]))
    shown = console.export_text()
    assert picture.drawn[0].name in shown
    assert picture.plan.place in shown
    path = next(word for word in shown.split() if word.endswith(picture.content_hash))
    assert hashlib.sha256(Path(path).read_bytes()).hexdigest() == picture.content_hash


@pytest.mark.slow
def test_a_table_of_a_setting_without_cases_is_left_out(made: Made) -> None:
    from orchestration.tables import comparison_table, score_tables

    rows = list(made.workbench.store.read(f"{SCORES}/{DATE}", "scores", Score))
    short = [row for row in rows if row.setting != "128k"]
    assert len(score_tables(rows, setting="128k")) == 1
    assert score_tables(short, setting="128k") == []
    assert comparison_table(short, {}).row_count == len(made.workbench.profile.scoring.policies)


@pytest.mark.slow
def test_mlflow_has_one_finished_run_a_policy_and_one_for_audit_and_pages_with_tags_back_to_dagster(made: Made) -> None:
    client = made.workbench.tracker.client()
    experiment = client.get_experiment_by_name("persona_mme")
    assert experiment is not None
    runs = client.search_runs([experiment.experiment_id])
    names = sorted(run.info.run_name for run in runs)
    policies = {*made.workbench.profile.scoring.policies, *made.workbench.profile.scoring.ablations}
    assert names == sorted(f"{name} {DATE}" for name in (*_PAGES, *policies))
    with open_instance(made.workbench.home) as instance:
        for run in runs:
            assert run.info.status == "FINISHED"
            assert instance.get_run_by_id(run.data.tags["dagster.run_id"]) is not None
            if "lifeloom.policy" not in run.data.tags:
                continue  # pages
            assert run.inputs.dataset_inputs
            asked = SCORES if run.data.tags["lifeloom.policy"] in made.workbench.profile.scoring.policies else ABLATIONS
            stored = [
                score.value
                for score in made.workbench.store.read(f"{asked}/{DATE}", "scores", Score)
                if (score.policy, score.setting, score.aspect, score.task)
                == (run.data.tags["lifeloom.policy"], "all", "all", "all")
            ]
            assert [run.data.metrics["accuracy/overall"]] == pytest.approx(stored)


@pytest.mark.slow
def test_a_shared_cluster_fails_the_blocking_check_and_publishes_nothing(made: Made, tmp_path: Path) -> None:
    from lifeloom.store import DatasetWriter, Recipe

    bench = Workbench(load_profile("demo", TINY), tmp_path)
    stolen = list(made.workbench.store.read(f"release/personas/{DATE}", "personas", Persona))

    def smuggle(writer: DatasetWriter) -> None:
        writer.write("personas", Persona, stolen)

    bench.store.produce("corpus/personas/shard-000", Recipe(stage="corpus/personas", seed=1), smuggle)
    with open_instance(bench.home) as instance:
        with pytest.raises(StageFailed, match="disjoint_from_other_side"):
            list(run_steps(steps_for(["seeds", "release/personas"], bench.profile), bench, instance))
        key = dg.AssetKey(["release", "personas"])
        check = dg.AssetCheckKey(key, "disjoint_from_other_side")
        (record,) = instance.event_log_storage.get_latest_asset_check_execution_by_key([check]).values()
        assert record.event is not None
        assert record.event.asset_check_evaluation is not None
        assert not record.event.asset_check_evaluation.passed
        assert instance.get_latest_materialization_event(key) is None
    assert bench.store.find(f"release/personas/{DATE}") is None


@pytest.mark.slow
def test_the_nightly_job_makes_and_scores_a_release_of_other_seeds(made: Made, tmp_path: Path) -> None:
    bench = _copied(made, tmp_path)
    tomorrow = (dt.date.fromisoformat(DATE) + dt.timedelta(days=1)).isoformat()
    job = build_definitions(bench.profile, bench.home_path).resolve_job_def("nightly_release")
    with open_instance(bench.home) as instance:
        assert job.execute_in_process(partition_key=tomorrow, instance=instance).success
    first = {p.seed_id for p in bench.store.read(f"release/personas/{DATE}", "personas", Persona)}
    second = {p.seed_id for p in bench.store.read(f"release/personas/{tomorrow}", "personas", Persona)}
    assert len(second) == 4
    assert not first & second
    assert {s.release_id for s in bench.store.read(f"{SCORES}/{tomorrow}", "scores", Score)} == {tomorrow}


@pytest.mark.slow
def test_an_edition_keeps_its_personas_whatever_earlier_ones_are_made_later(made: Made, tmp_path: Path) -> None:
    bench = _copied(made, tmp_path)
    before = bench.store.manifest(f"release/personas/{DATE}").content_hash
    with open_instance(bench.home) as instance:
        list(run_steps(steps_for(["release/personas"], bench.profile, "2026-01-02"), bench, instance))
        (outcome,) = run_steps(steps_for(["release/personas"], bench.profile), bench, instance)
    assert outcome.reused
    assert bench.store.manifest(f"release/personas/{DATE}").content_hash == before
    seeds = [
        persona.seed_id
        for key in bench.store.keys("release/personas")
        for persona in bench.store.read(key, "personas", Persona)
    ]
    assert len(seeds) == len(set(seeds))


@pytest.mark.slow
def test_a_homes_seeds_are_not_swapped_in_silence(made: Made, tmp_path: Path) -> None:
    other = tmp_path / "mine.jsonl"
    other.write_text(
        "".join(f'{{"persona": "A {word} who keeps bees in {place}."}}\n' for word in WORDS for place in PLACES)
    )
    settings = {**TINY, "LIFELOOM_SEEDS__PERSONAHUB": str(other)}
    bench = Workbench(load_profile("demo", settings), made.workbench.home_path)
    with open_instance(bench.home) as instance, pytest.raises(StageFailed, match=r"made from personas\.jsonl.*REPLACE"):
        list(run_steps(steps_for(["seeds"], bench.profile), bench, instance))


@pytest.mark.slow
def test_the_demo_job_runs_the_lineage_from_the_ui(made: Made) -> None:
    bench = made.workbench
    job = build_definitions(bench.profile, bench.home_path).resolve_job_def("demo")
    with open_instance(bench.home) as instance:
        assert job.execute_in_process(instance=instance).success


@pytest.mark.slow
def test_too_few_seeds_say_what_is_short(tmp_path: Path) -> None:
    settings = {**TINY, "LIFELOOM_RELEASE__PERSONAS_32K": "5000"}
    bench = Workbench(load_profile("demo", settings), tmp_path)
    with open_instance(bench.home) as instance, pytest.raises(StageFailed, match="5001"):
        list(run_steps(steps_for(["seeds", "release/personas"], bench.profile), bench, instance))


def test_an_unknown_stage_or_shard_lists_what_there_is() -> None:
    profile = load_profile("demo", TINY)
    with pytest.raises(UnknownStage, match="corpus/personas"):
        steps_for(["nothing"], profile)
    with pytest.raises(UnknownStage, match="shard-000, shard-001"):
        steps_for(["corpus"], profile, "shard-007")
    for date in ("2026-13-45", "tomorrow", "2025-12-31", "../x"):
        with pytest.raises(UnknownStage, match="the dates are 2026-01-01 to"):
            steps_for(["release"], profile, date)


@dg.job
def held() -> None:
    """A run that holds a slot."""


def test_pool_slots_of_a_killed_run_are_freed_so_that_the_next_one_goes_on(tmp_path: Path) -> None:
    bench = Workbench(load_profile("demo", TINY), tmp_path)
    dead = subprocess.Popen([sys.executable, "-c", "pass"])
    dead.wait()
    with open_instance(bench.home) as instance:
        storage = instance.event_log_storage
        storage.initialize_concurrency_limit_to_default("writer")
        for _ in range(2):  # both slots of the pool
            run = instance.create_run_for_job(held, tags={PID_TAG: str(dead.pid)})
            assert storage.claim_concurrency_slot("writer", run.run_id, "step").is_claimed
        assert not storage.claim_concurrency_slot("writer", "other", "step").is_claimed
        assert close_abandoned_runs(instance) == 2
        assert storage.claim_concurrency_slot("writer", "other", "step").is_claimed
        assert {run.status for run in instance.get_runs()} == {dg.DagsterRunStatus.FAILURE}


def test_a_group_is_made_in_the_order_of_the_graph() -> None:
    profile = load_profile("demo", TINY)
    steps = steps_for(["scores", "corpus"], profile)
    parts = ("scenes", "filtered_scenes", "contexts", "mcqa_probes")
    assert [(step.stages[0], step.partition) for step in steps] == [
        ("corpus/personas", "shard-000"),
        ("corpus/personas", "shard-001"),
        ("corpus/dialogues", "shard-000"),
        ("corpus/dialogues", "shard-001"),
        ("corpus/memories", "shard-000"),
        ("corpus/memories", "shard-001"),
        (AUDIT, DATE),
        (SCORES, DATE),
        (ABLATIONS, DATE),
        (MEMORY_QUALITY, DATE),
        (LIFE_AUDIT, DATE),
        (LIFE_SCORES, DATE),
        *((f"corpus/{part}", f"shard-00{shard}") for part in parts for shard in (0, 1)),
        *((stage, DATE) for stage in CAPTION_STAGES if stage.startswith("scores/")),
        *((stage, f"shard-00{shard}") for stage in TRAINING_STAGES for shard in (0, 1)),
    ]


def test_upstream_is_what_a_stage_is_made_from_and_nothing_else() -> None:
    profile = load_profile("demo", TINY)
    steps = steps_for([LIFE_GRAPHS], profile, "2026-01-07", upstream=True)
    assert [(step.stages[0], step.partition) for step in steps] == [
        (CAPTIONS, None),
        (VACCOUNTS, "2026-01-07"),
        (HISTORIES, "2026-01-07"),
        (HISTORY_IMAGES, "2026-01-07"),
        (LIFE_GRAPHS, "2026-01-07"),
    ]
    memories = steps_for(["corpus/dialogues"], profile, "shard-001", upstream=True)
    assert [(step.stages[0], step.partition) for step in memories] == [
        (PERSONAS, None),
        (CAPTIONS, None),
        ("corpus/personas", "shard-001"),
        ("corpus/dialogues", "shard-001"),
    ]
