"""Query pictures and their filter as assets: made, kept, left out, and what stops them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from assets.caption_groups import CaptionGroup, caption_corpus, caption_release
from assets.caption_keys import IMAGE_LIBRARY
from assets.scenes import scene_assets
from lifeloom.models.builtin.painter import BuiltinPainter
from lifeloom.records import (
    IdentityLook,
    LibraryImage,
    PicturePlan,
    PictureReference,
    Rejection,
    SceneImage,
    ScenePlan,
    SceneVerdict,
)
from lifeloom.store import DatasetWriter, Recipe
from orchestration.profiles import load_profile
from resources.workbench import Workbench
from tests.scenes import small_library

DATE = "2026-01-05"
QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
Change = Callable[[LibraryImage], LibraryImage]


def bench(home: Path, change: Change = lambda image: image, **settings: int) -> Workbench:
    """A home with a small image library."""
    said = {f"LIFELOOM_CAPTIONS__{name.upper()}": str(value) for name, value in settings.items()}
    said |= {"LIFELOOM_PICTURES__PROCESSES": "1", "LIFELOOM_VALIDATION__INJECTED_FAULTS": "1"}
    workbench = Workbench(load_profile("demo", said), home)
    images, looks = small_library(people=4)
    painter = BuiltinPainter()

    def make(writer: DatasetWriter) -> None:
        for number, image in enumerate(images):
            drawn = painter.draw(
                PicturePlan(
                    picture_id=image.image_id,
                    kind="portrait",
                    subjects=(looks[image.identity].subject,),
                    seed=number,
                )
            )
            content = writer.put_media(drawn.data)
            picture = PictureReference(content_hash=content, width=drawn.width, height=drawn.height)
            writer.write("images", LibraryImage, [change(image.model_copy(update={"picture": picture}))])
        writer.write("looks", IdentityLook, looks.values())

    workbench.store.produce(IMAGE_LIBRARY, Recipe(stage=IMAGE_LIBRARY, seed=1), make)
    return workbench


def made(workbench: Workbench, group: CaptionGroup, partition: str, *, stages: int = 2) -> list[Any]:
    """Materialise query pictures, and with two stages their filter; stop after one that fails."""
    results: list[Any] = []
    for asset in scene_assets(group)[:stages]:
        results.append(
            dg.materialize(
                [asset],
                raise_on_error=False,
                partition_key=partition,
                resources={"workbench": workbench},
                run_config=QUIET,
            )
        )
        if not results[-1].success:
            break
    return results


def failure(result: Any) -> str:
    (found,) = [event.step_failure_data for event in result.all_events if event.is_step_failure]
    return str(found.user_failure_data.description)


@pytest.mark.slow
def test_a_release_has_as_many_query_pictures_as_are_wanted_and_every_other_one_has_its_reason(tmp_path: Path) -> None:
    workbench = bench(tmp_path, test_scenes=8, spare=0)
    group = caption_release(workbench.profile)
    scenes, filtered = made(workbench, group, DATE)
    assert scenes.success
    assert filtered.success
    store = workbench.store
    plans = list(store.read(f"release/scenes/{DATE}", "plans", ScenePlan))
    key = f"release/filtered_scenes/{DATE}"
    kept = list(store.read(key, "images", SceneImage))
    verdicts = list(store.read(key, "verdicts", SceneVerdict))
    left_out = list(store.read(key, "rejections", Rejection))
    assert len(plans) == len(verdicts) == len(kept) + len(left_out) == 8
    assert [one.scene_id for one in store.read(key, "plans", ScenePlan)] == [one.scene_id for one in kept]
    splits = {one.identity: one.split for one in store.read(IMAGE_LIBRARY, "images", LibraryImage)}
    assert {splits[one] for plan in plans for one in plan.identities} == {"benchmark"}
    assert all({one.identity for one in plan.drawn} >= set(plan.identities) for plan in plans)
    (event,) = filtered.asset_materializations_for_node("release__filtered_scenes")
    assert "| look alike instead | 1 |" in str(event.metadata["the filter on labelled faults"].value)
    assert "| all | 8 |" in str(event.metadata["refused by number of concepts"].value)


@pytest.mark.parametrize("side", ["release", "corpus"])
def test_where_no_query_picture_is_wanted_the_tables_are_empty_and_the_checks_pass(tmp_path: Path, side: str) -> None:
    workbench = bench(tmp_path, test_scenes=0, train_scenes=0)
    group = caption_release(workbench.profile) if side == "release" else caption_corpus(workbench.profile)
    partition = DATE if side == "release" else "shard-000"
    results = made(workbench, group, partition)
    assert [result.success for result in results] == [True, True]
    assert all(check.passed for result in results for check in result.get_asset_check_evaluations())
    for stage in ("scenes", "filtered_scenes"):
        assert workbench.store.reader(f"{side}/{stage}/{partition}").rows("images") == 0


def test_a_library_without_anybody_of_the_split_fails_in_words_that_say_what_to_do(tmp_path: Path) -> None:
    workbench = bench(tmp_path, lambda image: image.model_copy(update={"split": "train"}), test_scenes=4)
    (result,) = made(workbench, caption_release(workbench.profile), DATE)
    assert not result.success
    assert 'captions.identity_split = "shared"' in failure(result)


def test_an_identity_that_leaks_to_the_other_side_stops_the_scenes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workbench = bench(tmp_path, test_scenes=4)
    # As if scenes were planned from everybody.
    monkeypatch.setattr("lifeloom.synthesis.scenes.planning.pool_of", lambda library, split, *, disjoint: list(library))
    (result,) = made(workbench, caption_release(workbench.profile), DATE)
    assert not result.success
    assert "an identity of the split train, not benchmark" in failure(result)
    failed = [check.check_name for check in result.get_asset_check_evaluations() if not check.passed]
    assert failed == ["concepts_of_split"]
    assert workbench.store.find(f"release/scenes/{DATE}") is None


def test_fewer_query_pictures_than_wanted_are_published_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lifeloom.models.builtin.reader import scene_checking
    from lifeloom.tasks import SceneCheckOutput

    workbench = bench(tmp_path, train_scenes=8, spare=0)

    def strict(asked: Any, looked: Any, threshold: float) -> SceneCheckOutput:
        few = len(asked.concepts) < 3
        return SceneCheckOutput(
            adheres=few, visible=(True,) * len(asked.concepts), problems=() if few else ("crowded",)
        )

    monkeypatch.setattr(scene_checking, "check_scene", strict)
    _, filtered = made(workbench, caption_corpus(workbench.profile), "shard-000")
    assert filtered.success
    (warning,) = [check for check in filtered.get_asset_check_evaluations() if not check.passed]
    assert (warning.check_name, warning.severity) == ("enough_scenes", dg.AssetCheckSeverity.WARN)
    assert "2 of 4 query pictures passed" in str(warning.metadata["undecided"].value)
