"""Training sets in the graph: made from the corpus, held apart from releases, the same again."""

from __future__ import annotations

import shutil
from pathlib import Path

import dagster as dg
import pytest

from assets.caption_groups import caption_corpus
from assets.groups import corpus_group
from assets.training_keys import CAPTIONING_PROMPTS, QUESTIONS, RL_PROMPTS, SFT_EXAMPLES
from assets.training_sets import training_set_assets
from lifeloom.records import (
    BenchmarkCase,
    CaptioningPrompt,
    CaptionSample,
    MemoryOperation,
    Moment,
    Persona,
    Rejection,
    RlPrompt,
    SftExample,
)
from lifeloom.synthesis.catalogue import RELATION_QUESTIONS, attributes
from lifeloom.synthesis.supervision import RL_SHARES, SFT_SHARES, is_for_rl, share_problems, trajectory_problems
from orchestration.profiles import load_profile
from resources.workbench import Workbench
from tests.tiny import TINY, Made

SHARDS = ("shard-000", "shard-001")
pytestmark = pytest.mark.slow


def examples(made: Made) -> list[SftExample]:
    store = made.workbench.store
    return [one for shard in SHARDS for one in store.read(f"{SFT_EXAMPLES}/{shard}", "examples", SftExample)]


def test_every_family_is_there_in_the_papers_shares(made: Made) -> None:
    families = [one.family for one in examples(made)]
    assert set(families) == {*SFT_SHARES, "concept"}
    assert share_problems(families, SFT_SHARES, tolerance=0.03) == []
    assert trajectory_problems(examples(made)) == []


def test_what_was_taken_is_an_example_or_has_its_reason(made: Made) -> None:
    store, share = made.workbench.store, made.workbench.profile.training.rl_share
    for shard in SHARDS:
        cases = [one for one in store.read(f"{QUESTIONS}/{shard}", "cases", BenchmarkCase) if not is_for_rl(one, share)]
        asked = len(cases) + 2 * sum(one.alignment is not None for one in cases)
        operations = sum(1 for _ in store.read(f"corpus/memories/{shard}", "operations", MemoryOperation))
        kept = [one for one in store.read(f"{SFT_EXAMPLES}/{shard}", "examples", SftExample) if one.family != "concept"]
        rejected = list(store.read(f"{SFT_EXAMPLES}/{shard}", "rejections", Rejection))
        assert asked + operations == len(kept) + sum("concept" not in one.stage for one in rejected)
        assert all(one.reason for one in rejected)


def test_no_question_is_both_an_example_and_a_prompt(made: Made) -> None:
    taught = {one.case_id for one in examples(made) if one.family == "reasoning_qa"}
    store = made.workbench.store
    prompts = [one for shard in SHARDS for one in store.read(f"{RL_PROMPTS}/{shard}", "prompts", RlPrompt)]
    assert prompts
    assert taught.isdisjoint(one.case_id for one in prompts)


def test_every_prompt_can_be_acted_in_the_memory_that_it_names(made: Made) -> None:
    store = made.workbench.store
    for shard in SHARDS:
        for one in store.read(f"{RL_PROMPTS}/{shard}", "prompts", RlPrompt):
            memory = made.workbench.memories(one.memories).of(one.user_id)
            assert memory.turn_count(Moment(one.asked_at, one.history_turns)) == one.history_turns


def test_prompts_of_rl_have_the_papers_shares(made: Made) -> None:
    store = made.workbench.store
    for shard in SHARDS:
        kinds = [one.kind for one in store.read(f"{RL_PROMPTS}/{shard}", "prompts", RlPrompt)]
        assert share_problems(kinds, RL_SHARES) == []


def test_questions_of_the_corpus_have_no_wording_of_releases(made: Made) -> None:
    store = made.workbench.store
    held_out = {stem.stem_id for stem in RELATION_QUESTIONS if stem.release_only}
    for item in attributes("release"):
        held_out |= {stem.stem_id for stem in (*item.questions, *item.scenarios) if stem.release_only}
    asked = {one.stem_id for shard in SHARDS for one in store.read(f"{QUESTIONS}/{shard}", "cases", BenchmarkCase)}
    assert held_out
    assert asked.isdisjoint(held_out)


def test_captioning_prompts_are_of_training_identities(made: Made) -> None:
    store = made.workbench.store
    theirs = {
        entry.identity
        for key in store.keys("release/contexts")
        for sample in store.read(key, "samples", CaptionSample)
        for entry in sample.entries
    }
    found = 0
    for shard in SHARDS:
        samples = {one.sample_id: one for one in store.read(f"corpus/contexts/{shard}", "samples", CaptionSample)}
        for prompt in store.read(f"{CAPTIONING_PROMPTS}/{shard}", "prompts", CaptioningPrompt):
            found += 1
            sample = samples[prompt.sample_id]
            assert prompt.positives == sample.positives
            assert theirs.isdisjoint(entry.identity for entry in sample.entries)
    assert theirs
    assert found


def test_a_persona_of_a_release_among_the_corpus_stops_the_questions(made: Made, tmp_path: Path) -> None:
    home = tmp_path / "home"
    shutil.copytree(made.workbench.home_path, home)
    profile = load_profile("demo", {**TINY, "LIFELOOM_TRAINING__QUESTIONS_PER_PERSONA": "5"})
    workbench = Workbench(profile, home)
    store = workbench.store
    personas = list(store.read("corpus/personas/shard-000", "personas", Persona))
    recipe = store.manifest("corpus/personas/shard-000").recipe.model_copy(update={"stage": "leak"})
    store.produce("release/personas/2026-01-31", recipe, lambda writer: writer.write("personas", Persona, personas))
    told = dg.materialize(
        [training_set_assets(corpus_group(profile), caption_corpus(profile))[0]],
        partition_key="shard-000",
        resources={"workbench": workbench},
        raise_on_error=False,
    )
    assert not told.success
    (failed,) = [one for one in told.get_asset_check_evaluations() if one.check_name == "disjoint_from_releases"]
    assert not failed.passed
    assert "cluster" in str(failed.metadata["first problems"].value)
