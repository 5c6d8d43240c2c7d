"""Interleaved contexts as an asset: made, left out with a reason, and what stops them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from assets.caption_groups import CaptionGroup, caption_corpus, caption_release
from assets.caption_keys import FILTERED_SCENES, IMAGE_LIBRARY
from assets.contexts import contexts_asset, told_until
from lifeloom.models.builtin.writer import concept_dialogues
from lifeloom.records import CaptionSample, ConceptDialoguePlan, LibraryImage, Rejection, SceneImage, ScenePlan
from lifeloom.store import DatasetWriter, Recipe
from lifeloom.tasks import ConceptDialogueOutput
from resources.workbench import Workbench
from tests.assets.test_scenes import DATE, QUIET, bench, failure
from tests.scenes import image_of, scene


def made(workbench: Workbench, group: CaptionGroup, partition: str, scenes: Sequence[ScenePlan]) -> Any:
    """Put query pictures into the store and materialise their contexts."""
    key = group.key(FILTERED_SCENES, partition)
    # Each query picture is, for this test, the library's picture of its first concept under another hash.
    known = {one.image_id: one.picture for one in workbench.store.read(IMAGE_LIBRARY, "images", LibraryImage)}

    def make(writer: DatasetWriter) -> None:
        writer.write("plans", ScenePlan, scenes)
        rows = []
        for plan in scenes:
            picture = known[plan.image_ids[0]]
            content = writer.put_media(workbench.picture(picture) + plan.scene_id.encode())
            rows.append(image_of(plan, picture=picture.model_copy(update={"content_hash": content})))
        writer.write("images", SceneImage, rows)

    workbench.store.produce(key, Recipe(stage=group.key(FILTERED_SCENES), seed=1), make)
    return dg.materialize(
        [contexts_asset(group)],
        raise_on_error=False,
        partition_key=partition,
        resources={"workbench": workbench},
        run_config=QUIET,
    )


def shown(scene_id: str, *identities: str, split: str = "benchmark") -> ScenePlan:
    return scene(scene_id, *identities, split=split, edition="release" if split == "benchmark" else "corpus")


def test_a_release_has_a_context_for_every_query_picture_or_a_reason(tmp_path: Path) -> None:
    workbench = bench(tmp_path)
    scenes = [shown("s0", "p0"), shown("s1", "p0", "animal0"), shown("s2", "p0", "p2", "object0")]
    result = made(workbench, caption_release(workbench.profile), DATE, scenes)
    assert result.success
    assert all(check.passed for check in result.get_asset_check_evaluations())
    key = f"release/contexts/{DATE}"
    samples = list(workbench.store.read(key, "samples", CaptionSample))
    assert [(one.sample_id, one.concepts, len(one.entries)) for one in samples] == [("s0", 1, 3), ("s1", 2, 6)]
    # Six identities are for benchmarks, so three concepts find no six others.
    (lost,) = workbench.store.read(key, "rejections", Rejection)
    assert (lost.item, lost.reason) == ("s2", "too_few_negatives")
    splits = {one.identity: one.split for one in workbench.store.read(IMAGE_LIBRARY, "images", LibraryImage)}
    assert {splits[entry.identity] for one in samples for entry in one.entries} == {"benchmark"}
    plans = list(workbench.store.read(key, "plans", ConceptDialoguePlan))
    assert [one.dialogue_id for one in plans] == [entry.dialogue_id for one in samples for entry in one.entries]
    (event,) = result.asset_materializations_for_node("release__contexts")
    assert event.metadata["in"].value == 3
    assert event.metadata["out"].value == 2
    assert event.metadata["by number of concepts"].value == {"1": 1, "2": 1}
    assert "data:image/" in str(event.metadata["a context"].value)


def test_negatives_are_the_nearest_by_the_whole_picture(tmp_path: Path) -> None:
    workbench = bench(tmp_path, negatives=1)
    group = caption_corpus(workbench.profile)
    result = made(workbench, group, "shard-000", [shown("s0", "p1", split="train"), shown("s1", "p3", split="train")])
    assert result.success
    contexts = list(workbench.store.read("corpus/contexts/shard-000", "samples", CaptionSample))
    # Portraits of people look more like each other than like an animal or a thing on its own.
    assert [{entry.identity for entry in one.entries} for one in contexts] == [{"p1", "p3"}] * 2


@pytest.mark.parametrize("side", ["release", "corpus"])
def test_without_query_pictures_the_tables_are_empty_and_the_checks_pass(tmp_path: Path, side: str) -> None:
    workbench = bench(tmp_path)
    group = caption_release(workbench.profile) if side == "release" else caption_corpus(workbench.profile)
    partition = DATE if side == "release" else "shard-000"
    result = made(workbench, group, partition, [])
    assert result.success
    assert all(check.passed for check in result.get_asset_check_evaluations())
    reader = workbench.store.reader(f"{side}/contexts/{partition}")
    assert [reader.rows(table) for table in ("samples", "plans", "rejections")] == [0, 0, 0]


def test_an_identity_that_leaks_into_a_context_stops_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workbench = bench(tmp_path)
    # As if contexts were filled from everybody.
    monkeypatch.setattr("assets.contexts.pool_of", lambda library, split, *, disjoint: list(library))
    result = made(workbench, caption_release(workbench.profile), DATE, [shown("s0", "p0", "p2", "object0")])
    assert not result.success
    assert "which is for train: it leaks" in failure(result)
    assert workbench.store.find(f"release/contexts/{DATE}") is None


def test_a_library_too_small_for_any_context_fails_in_words_that_say_what_to_do(tmp_path: Path) -> None:
    only = {"p0", "p2"}

    def few(image: LibraryImage) -> LibraryImage:
        return image if image.identity in only else image.model_copy(update={"split": "train"})

    workbench = bench(tmp_path, few)
    result = made(workbench, caption_release(workbench.profile), DATE, [shown("s0", "p0"), shown("s1", "p2")])
    assert not result.success
    said = failure(result)
    assert "the image library has 2 pictures for benchmark, too few for 2 look-alikes" in said
    assert "lower captions.negatives" in said


def test_a_writer_that_keeps_to_no_plan_fails_the_stage_and_nothing_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workbench = bench(tmp_path)
    write = concept_dialogues.write_dialogue

    def forgetful(*args: Any) -> ConceptDialogueOutput:
        turns = tuple(one.model_copy(update={"user": "I forgot."}) for one in write(*args).turns)
        return ConceptDialogueOutput(turns=turns)

    monkeypatch.setattr(concept_dialogues, "write_dialogue", forgetful)
    result = made(workbench, caption_release(workbench.profile), DATE, [shown("s0", "p0")])
    assert not result.success
    assert "dialogue_missing 1" in failure(result)
    assert workbench.store.find(f"release/contexts/{DATE}") is None


def test_dialogues_of_a_release_end_the_day_before_it(tmp_path: Path) -> None:
    workbench = bench(tmp_path)
    profile = workbench.profile
    assert told_until(caption_release(profile), profile, DATE).isoformat() == "2026-01-04"
    assert told_until(caption_corpus(profile), profile, "shard-000") == profile.corpus.ends_on
