"""Grounding as an asset: on the library and query pictures, on folders given, and where there is nothing to caption."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from assets.caption_groups import caption_release
from assets.caption_keys import IMAGE_LIBRARY
from assets.concept_grounding import concept_grounding_asset
from evaluation.concept_grounding import GroundedCaption, GroundingScore
from lifeloom.models.builtin.painter import BuiltinPainter
from lifeloom.records import LibraryImage, PicturePlan, PictureReference, PictureSubject, Rejection, SceneImage
from lifeloom.store import DatasetWriter, Recipe
from lifeloom.synthesis.image_library import WrittenConcept, WrittenTest, write_layout
from orchestration.profiles import load_profile
from resources.workbench import Workbench
from tests.scenes import image_of, scene, small_library

DATE = "2026-01-05"
KEY = f"scores/concept_grounding/{DATE}"
QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
SHOWN = (("p0",), ("p2",), ("animal0",), ("object1",), ("p0", "animal0"), ("object1", "p2"))


def drawn(name: str, *subjects: PictureSubject) -> tuple[bytes, int, int]:
    kind = "portrait" if len(subjects) == 1 and not name.startswith("s-") else "scene"
    plan = PicturePlan(
        picture_id=name,
        kind=kind,  # type: ignore[arg-type]
        subjects=subjects,
        place="" if kind == "portrait" else "park",
        seed=len(name),
    )
    picture = BuiltinPainter().draw(plan)
    return picture.data, picture.width, picture.height


def bench(home: Path, shown: tuple[tuple[str, ...], ...] = SHOWN, **settings: str) -> Workbench:
    """A home with a small image library and query pictures of it."""
    said = {f"LIFELOOM_CAPTIONS__{name.upper()}": value for name, value in settings.items()}
    workbench = Workbench(load_profile("demo", said), home)
    images, looks = small_library(people=4)

    def put(writer: DatasetWriter, name: str, *identities: str) -> PictureReference:
        data, width, height = drawn(name, *(looks[one].subject for one in identities))
        return PictureReference(content_hash=writer.put_media(data), width=width, height=height)

    def library(writer: DatasetWriter) -> None:
        for one in images:
            picture = put(writer, one.image_id, one.identity)
            writer.write("images", LibraryImage, [one.model_copy(update={"picture": picture, "split": "benchmark"})])

    def scenes(writer: DatasetWriter) -> None:
        writer.write("images", SceneImage, ())
        for number, identities in enumerate(shown):
            name = f"s-{number}"
            picture = put(writer, name, *identities)
            writer.write("images", SceneImage, [image_of(scene(name, *identities, split="benchmark"), picture=picture)])

    workbench.store.produce(IMAGE_LIBRARY, Recipe(stage=IMAGE_LIBRARY, seed=1), library)
    workbench.store.produce(f"release/filtered_scenes/{DATE}", Recipe(stage="filtered_scenes", seed=1), scenes)
    return workbench


def made(workbench: Workbench) -> Any:
    return dg.materialize(
        [concept_grounding_asset(caption_release(workbench.profile))],
        raise_on_error=False,
        partition_key=DATE,
        resources={"workbench": workbench},
        run_config=QUIET,
    )


@pytest.mark.slow
def test_captioners_are_held_against_our_own_library_in_the_published_layouts(tmp_path: Path) -> None:
    workbench = bench(tmp_path, policies="zero-shot,grounded")
    result = made(workbench)
    assert result.success
    assert all(check.passed for check in result.get_asset_check_evaluations())
    rows = list(workbench.store.read(KEY, "captions", GroundedCaption))
    # MyVLM: people and objects, 3 pictures; Yo'LLaVA 4; DreamBooth 2; several concepts 2.
    assert len(rows) == 2 * 2 * (3 + 4 + 2 + 2)
    scores = {
        (one.set_name, one.setting, one.policy): one for one in workbench.store.read(KEY, "scores", GroundingScore)
    }
    assert len(scores) == 4 * 2 * 2
    own = scores["yollava", "skip_retrieval", "grounded"]
    assert (own.pictures, own.precision, own.retrieved) == (4, 1.0, 1.0)
    assert own.recall >= 0.75
    assert scores["rap", "retrieval", "grounded"].precision == 1.0
    (event,) = result.asset_materializations_for_node("scores__concept_grounding")
    page = str(event.metadata["One concept, skip-retrieval (Table S.2)"].value)
    assert "| grounded |" in page
    assert "*paper: CoViP, Qwen-3 VL*" in page


@pytest.mark.parametrize("nothing", ["no pictures wanted", "no query pictures"])
def test_where_there_is_nothing_to_caption_the_tables_are_empty_and_the_checks_pass(
    tmp_path: Path, nothing: str
) -> None:
    wanted = "0" if nothing == "no pictures wanted" else "5"
    workbench = bench(tmp_path, shown=SHOWN[:1] if wanted == "0" else (), grounding_pictures=wanted)
    result = made(workbench)
    assert result.success
    assert all(check.passed for check in result.get_asset_check_evaluations())
    assert workbench.store.reader(KEY).rows("captions") == 0
    assert workbench.store.reader(KEY).rows("scores") == 0


def test_a_folder_with_published_sets_is_used_instead_and_what_is_broken_in_it_is_told(tmp_path: Path) -> None:
    _, looks = small_library(people=4)
    subjects = {name: looks[name].subject for name in ("p0", "p1")}
    concepts = [WrittenConcept(f"Person-{name}", drawn(name, one)[0]) for name, one in subjects.items()]
    tests = [WrittenTest(drawn(f"s-{name}", one)[0], (f"Person-{name}",)) for name, one in subjects.items()]
    write_layout("myvlm", tmp_path / "sets/myvlm", concepts, tests)
    (tmp_path / "sets/myvlm/Person-p1/01.png").write_bytes(b"no picture")
    workbench = bench(tmp_path / "home", shown=(), grounding_sets=str(tmp_path / "sets"), policies="grounded")
    result = made(workbench)
    assert result.success
    rows = list(workbench.store.read(KEY, "captions", GroundedCaption))
    assert [(row.set_name, row.test_id, row.shows) for row in rows] == [
        ("myvlm", "Person-p0/01.png", ("Person-p0",))
    ] * 2
    assert {row.named for row in rows} == {("Person-p0",)}
    left_out = list(workbench.store.read(KEY, "rejections", Rejection))
    assert [(row.item, row.reason) for row in left_out] == [("myvlm/Person-p1/01.png", "wrong_extension")]


def test_a_folder_without_any_of_the_sets_fails_in_words_that_say_what_to_do(tmp_path: Path) -> None:
    result = made(bench(tmp_path / "home", grounding_sets=str(tmp_path / "elsewhere"), shown=()))
    assert not result.success
    (failed,) = [event.step_failure_data for event in result.all_events if event.is_step_failure]
    assert "has none of the folders myvlm, yollava, dreambooth, rap" in str(failed.user_failure_data.description)
