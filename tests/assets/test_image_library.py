"""The image library as an asset: drawn here or read from a manifest, and what stops it."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from assets.caption_keys import IMAGE_LIBRARY
from assets.image_library import image_library
from lifeloom.models.builtin.painter import BuiltinPainter
from lifeloom.records import IdentityLook, LibraryImage, PicturePlan, Rejection
from lifeloom.synthesis.image_library import plan_library
from orchestration.profiles import load_profile
from resources.workbench import Workbench
from tests.assets.test_scenes import QUIET, failure
from tests.scenes import small_library


def bench(home: Path, **settings: Any) -> Workbench:
    said = {f"LIFELOOM_CAPTIONS__{name.upper()}": str(value) for name, value in settings.items()}
    return Workbench(load_profile("demo", said | {"LIFELOOM_PICTURES__PROCESSES": "1"}), home)


def made(workbench: Workbench) -> Any:
    return dg.materialize([image_library], raise_on_error=False, resources={"workbench": workbench}, run_config=QUIET)


def images(workbench: Workbench) -> list[LibraryImage]:
    return list(workbench.store.read(IMAGE_LIBRARY, "images", LibraryImage))


def metadata(result: Any) -> Any:
    (event,) = result.asset_materializations_for_node("seeds__image_library")
    return event.metadata


def own_library(folder: Path, **changed: dict[str, Any]) -> Path:
    """Drawn pictures as somebody's own files, with what is ``changed`` in the line of an identity."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn, looks = small_library(people=4)
    lines = []
    for number, image in enumerate(drawn):
        plan = PicturePlan(
            picture_id=image.image_id, kind="portrait", subjects=(looks[image.identity].subject,), seed=number
        )
        (folder / f"{image.image_id}.png").write_bytes(BuiltinPainter().draw(plan).data)
        line = {
            "file": f"{image.image_id}.png",
            "identity": image.identity,
            "category": image.category,
            "noun": image.noun,
            "licence": "CC BY 4.0",
            "split": image.split,
        }
        line |= changed.get(image.identity, {})
        lines.append(json.dumps({key: value for key, value in line.items() if value is not None}))
    manifest = folder / "library.jsonl"
    manifest.write_text("\n".join(lines), encoding="utf-8")
    return manifest


def test_the_projects_own_library_is_drawn_in_the_size_of_the_profile(tmp_path: Path) -> None:
    workbench = bench(tmp_path, identities=12, diagnostic_people=1)
    result = made(workbench)
    assert result.success
    assert all(check.passed for check in result.get_asset_check_evaluations())
    rows = images(workbench)
    assert [one.use for one in rows].count("captioning") == 12
    assert [one.use for one in rows].count("diagnostic") == 4
    looks = {one.identity: one for one in workbench.store.read(IMAGE_LIBRARY, "looks", IdentityLook)}
    assert set(looks) == {one.identity for one in rows}
    assert all(workbench.store.media.get(one.picture.content_hash) for one in rows)
    told = metadata(result)
    assert (told["in"].value, told["out"].value, told["diagnostic people"].value) == (16, 16, 1)
    assert sum(told["identities for captioning"].value.values()) == 12
    assert len(str(told["pictures"].value)) < 30_000


def test_nothing_wanted_is_an_empty_library_and_what_cannot_be_made_is_a_warning(tmp_path: Path) -> None:
    workbench = bench(tmp_path, identities=0, diagnostic_people=0)
    result = made(workbench)
    assert result.success
    (warning,) = [check for check in result.get_asset_check_evaluations() if not check.passed]
    assert (warning.check_name, warning.severity) == ("large_enough", dg.AssetCheckSeverity.WARN)
    assert images(workbench) == []


def test_a_library_of_ones_own_is_read_and_every_bad_line_has_its_reason(tmp_path: Path) -> None:
    manifest = own_library(
        tmp_path / "own", p1={"licence": None}, animal0={"file": "gone.png"}, object0={"category": "plant"}
    )
    workbench = bench(tmp_path / "home", library=manifest)
    result = made(workbench)
    assert result.success
    rows = images(workbench)
    assert len(rows) == 9
    assert {one.licence for one in rows} == {"CC BY 4.0"}
    lost = {one.item: one.reason for one in workbench.store.read(IMAGE_LIBRARY, "rejections", Rejection)}
    assert lost["line 2"] == "no_licence"
    assert lost["line 9"] == "unknown_category"
    assert set(lost) == {"line 2", "line 5", "line 9"}
    assert metadata(result)["in"].value == 12
    assert list(workbench.store.read(IMAGE_LIBRARY, "looks", IdentityLook)) == []


def test_a_picture_that_changes_makes_the_library_anew_and_the_same_files_do_not(tmp_path: Path) -> None:
    manifest = own_library(tmp_path / "own")
    workbench = bench(tmp_path / "home", library=manifest)
    made(workbench)
    first = workbench.store.find(IMAGE_LIBRARY)
    made(workbench)
    assert workbench.store.find(IMAGE_LIBRARY) == first
    (tmp_path / "own" / "p2.png").write_bytes((tmp_path / "own" / "p0.png").read_bytes())
    made(workbench)
    assert workbench.store.find(IMAGE_LIBRARY) != first
    (lost,) = workbench.store.read(IMAGE_LIBRARY, "rejections", Rejection)
    assert lost.reason == "same_picture_two_identities"


def test_a_library_of_one_picture_is_published_with_a_warning_that_there_are_no_look_alikes(tmp_path: Path) -> None:
    manifest = own_library(tmp_path / "own")
    manifest.write_text(manifest.read_text(encoding="utf-8").splitlines()[0], encoding="utf-8")
    workbench = bench(tmp_path / "home", library=manifest)
    result = made(workbench)
    assert result.success
    (warning,) = [check for check in result.get_asset_check_evaluations() if not check.passed]
    assert "1 identities, and a query picture needs 2 look-alikes" in str(warning.metadata)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"library": "/nowhere/library.jsonl"}, "captions.library names a manifest"),
        ({"identities": 300, "diagnostic_people": 0}, "lower captions.identities"),
    ],
)
def test_what_cannot_be_read_or_drawn_fails_in_words_that_say_what_to_do(
    tmp_path: Path, settings: dict[str, Any], said: str
) -> None:
    workbench = bench(tmp_path, **settings)
    result = made(workbench)
    assert not result.success
    assert said in failure(result)
    assert workbench.store.find(IMAGE_LIBRARY) is None


def test_an_identity_in_both_splits_stops_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workbench = bench(tmp_path, identities=6, diagnostic_people=0)

    def leaking(*args: Any) -> Any:
        first, second, *rest = plan_library(*args)
        sides = {"train": "benchmark", "benchmark": "train"}
        return (first, dataclasses.replace(second, identity=first.identity, split=sides[first.split]), *rest)

    monkeypatch.setattr("assets.image_library.plan_library", leaking)
    result = made(workbench)
    assert not result.success
    assert "is for training and for benchmarks" in failure(result)
    assert workbench.store.find(IMAGE_LIBRARY) is None
