"""Caption quality as an asset: on query pictures, on published sets from folders, on nothing, and what stops it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from assets.caption_groups import caption_release
from assets.caption_keys import CAPTION_QUALITY, FILTERED_SCENES
from assets.caption_quality import caption_quality_asset
from evaluation.caption_quality.rows import CaptionQuality, DescribedPicture, MmhalAnswer, PopeRow
from lifeloom.models.builtin.painter import BuiltinPainter
from lifeloom.records import PictureReference, Rejection, SceneImage, ScenePlan
from lifeloom.store import DatasetWriter, Recipe
from orchestration.profiles import load_profile
from resources.workbench import Workbench
from tests.assets.test_scenes import DATE, QUIET, failure
from tests.scenes import image_of, scene, small_library

KEY = f"{CAPTION_QUALITY}/{DATE}"


def made(home: Path, scenes: list[ScenePlan], **settings: object) -> tuple[Workbench, Any]:
    """Draw query pictures, put them into the store, and materialise the scores."""
    said = {f"LIFELOOM_CAPTIONS__{name.upper()}": str(value) for name, value in settings.items()}
    workbench = Workbench(load_profile("demo", said | {"LIFELOOM_PICTURES__PROCESSES": "1"}), home)
    group, painter = caption_release(workbench.profile), BuiltinPainter()

    def make(writer: DatasetWriter) -> None:
        writer.write("plans", ScenePlan, ())
        writer.write("images", SceneImage, ())
        for plan in scenes:
            assert plan.picture is not None
            drawn = painter.draw(plan.picture)
            content = writer.put_media(drawn.data)
            picture = PictureReference(content_hash=content, width=drawn.width, height=drawn.height)
            writer.write("plans", ScenePlan, [plan.model_copy(update={"drawn": drawn.subjects})])
            writer.write("images", SceneImage, [image_of(plan, picture=picture)])

    stage = group.key(FILTERED_SCENES)
    workbench.store.produce(f"{stage}/{DATE}", Recipe(stage=stage, seed=1), make)
    result = dg.materialize(
        [caption_quality_asset(group)],
        raise_on_error=False,
        partition_key=DATE,
        resources={"workbench": workbench},
        run_config=QUIET,
    )
    return workbench, result


def shown(scene_id: str, *identities: str) -> ScenePlan:
    _, looks = small_library(people=4)
    return scene(scene_id, *identities, looks=looks, split="benchmark", edition="release")


def test_descriptions_of_query_pictures_are_scored_and_things_asked_about(tmp_path: Path) -> None:
    workbench, result = made(tmp_path, [shown("s0", "p0", "animal0"), shown("s1", "object0"), shown("s2", "p2")])
    assert result.success
    assert all(check.passed for check in result.get_asset_check_evaluations())
    store = workbench.store
    described = Counter(one.policy for one in store.read(KEY, "descriptions", DescribedPicture))
    # Without a context RAP asks what zero-shot asks.
    assert described == {"zero-shot": 3, "grounded": 3}
    scores = list(store.read(KEY, "scores", CaptionQuality))
    assert [(one.policy, one.pictures, one.missing) for one in scores] == [("zero-shot", 3, 0), ("grounded", 3, 0)]
    assert all(one.chair is not None and one.encoder == "all-MiniLM-L6-v2, layer 6" for one in scores)
    asked = list(store.read(KEY, "pope", PopeRow))
    # Four objects are there, and as many absent ones are asked about, in three settings.
    assert Counter((one.setting, one.there) for one in asked) == Counter(
        {(setting, there): 4 for setting in ("random", "popular", "adversarial") for there in (True, False)}
    )
    (event,) = result.asset_materializations_for_node("scores__caption_quality")
    assert "| query pictures | zero-shot | 3 of 3 |" in str(event.metadata.values())
    assert "MLflow run" in event.metadata


def test_no_more_pictures_are_described_than_the_profile_says(tmp_path: Path) -> None:
    workbench, result = made(tmp_path, [shown("s0", "p0"), shown("s1", "p2")], quality_pictures=1)
    assert result.success
    rows = workbench.store.read(KEY, "descriptions", DescribedPicture)
    assert {one.picture_id for one in rows} == {"s0"}


@pytest.mark.parametrize(("pictures", "most"), [(0, 200), (1, 0)])
def test_where_no_picture_is_known_or_wanted_the_tables_are_empty_and_the_checks_pass(
    tmp_path: Path, pictures: int, most: int
) -> None:
    workbench, result = made(tmp_path, [shown("s0", "p0")][:pictures], quality_pictures=most)
    assert result.success
    assert all(check.passed for check in result.get_asset_check_evaluations())
    reader = workbench.store.reader(KEY)
    assert [reader.rows(one) for one in ("scores", "descriptions", "pope", "mmhal", "rejections")] == [0] * 5
    (event,) = result.asset_materializations_for_node("scores__caption_quality")
    assert event.metadata["caption quality"].value == "there is no picture whose contents are known"


def published(root: Path) -> Path:
    """DOCCI with two pictures, one of them missing, and MMHal-Bench with two questions about the other."""
    (root / "images").mkdir(parents=True)
    drawn = BuiltinPainter().draw(shown("x", "p0", "object0").picture)  # type: ignore[arg-type]
    (root / "images" / "a.png").write_bytes(drawn.data)
    rows = [
        {"example_id": name, "split": "test", "image_file": f"{name}.png", "description": "A person in a park."}
        for name in ("a", "gone")
    ]
    (root / "docci_descriptions.jsonlines").write_text("\n".join(json.dumps(one) for one in rows))
    asked = {"image_id": "a", "image_src": "https://example.org/a.png", "image_content": ["Person", "Mug", "Park"]}
    questions = [
        asked | {"question_type": "environment", "question": "Where is the mug?", "gt_answer": "It is in the park."},
        asked | {"question_type": "counting", "question": "How many mugs are there?", "gt_answer": "There is one mug."},
    ]
    (root / "response_template.json").write_text(json.dumps(questions))
    return root


def test_published_sets_are_described_answered_and_rated_from_folders(tmp_path: Path) -> None:
    folder = published(tmp_path / "sets")
    workbench, result = made(tmp_path / "home", [], docci=folder, mmhal=folder, policies="zero-shot")
    assert result.success
    (scores,) = workbench.store.read(KEY, "scores", CaptionQuality)
    assert (scores.shown, scores.policy, scores.pictures, scores.chair) == ("DOCCI", "zero-shot", 1, None)
    answers = list(workbench.store.read(KEY, "mmhal", MmhalAnswer))
    assert [one.question_type for one in answers] == ["environment", "counting"]
    assert all(one.answer and one.rating is not None for one in answers)
    (lost,) = workbench.store.read(KEY, "rejections", Rejection)
    assert lost.item == "gone.png"
    (event,) = result.asset_materializations_for_node("scores__caption_quality")
    assert "| zero-shot |" in str(event.metadata["MMHal-Bench (Table 5)"].value)


@pytest.mark.parametrize("name", ["docci", "mmhal", "bert_score_encoder"])
def test_a_folder_that_does_not_hold_what_it_should_fails_in_plain_words(tmp_path: Path, name: str) -> None:
    workbench, result = made(tmp_path, [], **{name: tmp_path / "nowhere"})
    assert not result.success
    assert "nowhere" in failure(result)
    assert workbench.store.find(KEY) is None
