from __future__ import annotations

import hashlib
import importlib
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from lifeloom.models import InstallationBroken
from lifeloom.models.builtin.painter import BuiltinPainter, figures
from lifeloom.models.builtin.painter.composer import lay_out_scene, ledge_mask, paint
from lifeloom.models.builtin.painter.layout import Placement, drawn_subjects
from lifeloom.models.builtin.painter.light import Light
from lifeloom.models.builtin.painter.scenery import draw_scenery
from lifeloom.models.builtin.painter.things import PAINTS
from lifeloom.models.builtin.painter.vocabulary import COATS, COLOURS, PLACES
from lifeloom.models.protocol import ImageMaker, PictureNotDrawn
from lifeloom.records import DrawnSubject, PicturePlan, PictureSubject
from lifeloom.streams import Streams
from tests.lifeloom.models.builtin.painter.drawing import PEOPLE, item, names, person, pixels, portrait, scene

painter = BuiltinPainter()
CROWD = scene(person(0), person(1), item("dog", count=2), item("umbrella", "red"), item("book"), place="beach")
"""Five subjects, six sprites: busts behind a ledge, things before it."""


def test_the_painter_is_an_image_maker_that_names_its_version() -> None:
    assert isinstance(painter, ImageMaker)
    assert (painter.identity.backend, painter.identity.model) == ("builtin", "lifeloom-painter-1")


def test_pictures_are_512_pixels_unless_the_plan_says_otherwise() -> None:
    plan = PicturePlan(picture_id="p", kind="scene", place="park", subjects=(item("cat"),), seed=1)
    drawn = painter.draw(plan)
    assert pixels(drawn.data).shape == (512, 512, 3)
    assert (drawn.width, drawn.height) == (512, 512)


def test_a_plan_gives_the_same_bytes_whatever_was_drawn_before() -> None:
    first = painter.draw(CROWD)
    painter.draw(scene(person(3), item("cat"), seed=9))
    assert BuiltinPainter().draw(CROWD) == first


def test_a_plan_gives_the_same_bytes_in_every_process() -> None:
    program = (
        "import sys, hashlib; from lifeloom.records import PicturePlan;"
        "from lifeloom.models.builtin.painter import BuiltinPainter;"
        "drawn = BuiltinPainter().draw(PicturePlan.model_validate_json(sys.stdin.read()));"
        "print(hashlib.sha256(drawn.data).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            input=CROWD.model_dump_json(),
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert digests == {hashlib.sha256(painter.draw(CROWD).data).hexdigest()}


def test_another_seed_gives_another_picture_with_the_same_contents() -> None:
    other = CROWD.model_copy(update={"seed": 4})
    one, two = painter.draw(CROWD), painter.draw(other)
    assert one.data != two.data
    assert sorted(s.name for s in one.subjects) == sorted(s.name for s in two.subjects)


def test_every_planned_copy_is_drawn_and_known() -> None:
    plan = scene(person(2), item("cat", count=3), item("balloon", "blue", count=4), item("key"), item("hat"))
    drawn = painter.draw(plan)
    assert sorted(one.name for one in drawn.subjects) == names(plan.subjects)
    assert {one.colour for one in drawn.subjects if one.name == "balloon"} == {"blue"}
    assert {one.colour for one in drawn.subjects if one.name == "hat"} == {""}
    assert [one.identity for one in drawn.subjects if one.kind == "person"] == ["id-2"]


def test_two_groups_of_the_same_thing_are_both_drawn() -> None:
    plan = scene(item("hat", "red", 2), item("hat", "blue"), person(1), item("dog"), item("dog", count=2))
    found = [(one.name, one.colour) for one in painter.draw(plan).subjects if one.kind != "person"]
    assert sorted(found) == [("dog", "")] * 3 + [("hat", "blue")] + [("hat", "red")] * 2


MARK = (255, 0, 255)


def marked(placed: list[Placement], index: int) -> list[Placement]:
    """The placements without shadows and soft edges, the one at ``index`` in a colour that no picture has."""
    hard = []
    for number, one in enumerate(placed):
        sprite = one.sprite.copy()
        if number == index:
            sprite = Image.new("RGBA", one.sprite.size, MARK)
        sprite.putalpha(Image.fromarray(one.mask.astype(np.uint8) * 255))
        hard.append(replace(one, sprite=sprite, shadow=False))
    return hard


def seen_of(plan: PicturePlan, placed: list[Placement], index: int) -> npt.NDArray[np.bool_]:
    """Where the subject at ``index`` is seen in a picture that is painted anew."""
    with_ledge = any(subject.kind == "person" for subject in plan.subjects)
    scenery = draw_scenery(plan, Streams(plan.seed).rng("place"), with_ledge=with_ledge)
    plain = Light("day", "clear", False, ("#000000",) * 3, (1, 1, 1), (1, 1, 1), (1, 1, 1))
    paint(scenery.backdrop, marked(placed, index), plain, scenery)
    return np.asarray((np.asarray(scenery.backdrop.convert("RGB")) == MARK).all(axis=2))


def check_boxes(plan: PicturePlan) -> tuple[DrawnSubject, ...]:
    scenery, placed = lay_out_scene(plan)
    subjects = drawn_subjects(plan.size, placed, ledge_mask(plan.size, scenery))
    assert subjects == painter.draw(plan).subjects
    for index, subject in enumerate(subjects):
        rows, columns = np.nonzero(seen_of(plan, placed, index))
        seen = np.array([columns.min(), rows.min(), columns.max() + 1, rows.max() + 1])
        box = np.array([subject.box.left, subject.box.top, subject.box.right, subject.box.bottom])
        # the ledge's soft edge blends over a pixel or two of what stands behind it
        assert (np.abs(seen - box) <= (0 if placed[index].layer == "front" else 2)).all(), (subject.name, seen, box)
        assert len(rows) / placed[index].mask.sum() == pytest.approx(subject.visible, abs=0.02)
    return subjects


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_boxes_and_visible_shares_are_those_of_the_painted_pixels(seed: int) -> None:
    crowd = scene(
        *(person(number) for number in range(3)), item("cow", count=2), item("tent", "green"), place="farm", seed=seed
    )
    check_boxes(crowd)
    check_boxes(scene(item("giraffe", count=5), item("car", "pink", count=3), place="museum", seed=seed))


def test_a_bust_is_partly_hidden_and_a_thing_in_front_is_not() -> None:
    subjects = {one.name: one for one in check_boxes(scene(person(0), item("mug", "yellow"), place="kitchen"))}
    assert 0.45 <= subjects["P0"].visible < 0.95  # the ledge hides the flat bottom
    assert subjects["mug"].visible == 1.0


@pytest.mark.parametrize("seed", range(12))
def test_everyone_is_seen_in_full_pictures(seed: int) -> None:
    tall = [item("giraffe", count=2), item("ladder"), item("umbrella", "red"), item("tent", "blue")]
    people = [person((seed + number) % 8) for number in range(1 + seed % 5)]
    plan = scene(*people, *tall[: 5 - len(people)], place=PLACES[seed].name, seed=seed)
    scenery, placed = lay_out_scene(plan)
    subjects = drawn_subjects(plan.size, placed, ledge_mask(plan.size, scenery))
    assert min(one.visible for one in subjects) >= 0.45
    for index, one in enumerate(placed):
        if one.face is None:
            continue
        left, top, right, bottom = one.face
        seen = np.zeros((plan.size + 512, plan.size + 512), dtype=bool)
        seen[256 : 256 + plan.size, 256 : 256 + plan.size] = seen_of(plan, placed, index)
        face = seen[256 + one.top + top : 256 + one.top + bottom, 256 + one.left + left : 256 + one.left + right]
        assert face.sum() >= 0.88 * one.mask[top:bottom, left:right].sum()


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("time_of_day", ["sunset", "night"])
def test_colours_can_be_told_in_every_light(colour: str, time_of_day: str) -> None:
    plan = scene(item("balloon", colour), place="beach", time_of_day=time_of_day)
    drawn = painter.draw(plan)
    box = drawn.subjects[0].box
    shown = pixels(drawn.data)[box.top : box.bottom, box.left : box.right].astype(int)
    height, width = shown.shape[:2]
    body = shown[int(height * 0.2) : int(height * 0.35), int(width * 0.5) : int(width * 0.65)].reshape(-1, 3)
    paints = np.array([[int(PAINTS[one][k : k + 2], 16) for k in (1, 3, 5)] for one in COLOURS])
    nearest = np.linalg.norm(np.median(body, axis=0) - paints, axis=1).argmin()
    assert COLOURS[int(nearest)] == colour


def test_places_times_and_weathers_differ() -> None:
    def digest(**more: str) -> str:
        return hashlib.sha256(painter.draw(scene(item("cat"), size=64, **more)).data).hexdigest()

    assert len({digest(place=place.name) for place in PLACES}) == len(PLACES) == 32
    for place in ("lake", "library"):
        looks = {
            digest(place=place, time_of_day=time, weather=weather)
            for time in ("morning", "day", "sunset", "night")
            for weather in ("clear", "clouds", "rain", "snow", "fog")
        }
        assert len(looks) == 20


def test_a_portrait_is_one_person_before_a_plain_ground() -> None:
    drawn = painter.draw(portrait(person(4)))
    assert [one.identity for one in drawn.subjects] == ["id-4"]
    box = drawn.subjects[0].box
    assert (box.right - box.left) * (box.bottom - box.top) > 0.45 * 256 * 256
    assert box.bottom == 256  # the frame crops the bust
    corner = pixels(drawn.data)[:24, :24].reshape(-1, 3).astype(int)
    assert (corner.max(axis=0) - corner.min(axis=0) < 24).all()


def test_one_person_stays_themselves_while_moods_and_clothes_change() -> None:
    first, second = (painter.draw(portrait(person(4), seed=seed)).data for seed in (1, 2))
    assert first != second
    moods = {painter.draw(portrait(person(4, mood))).data for mood in figures.MOODS}
    assert len(moods) == len(figures.MOODS)


def test_drawing_leaves_no_trace_in_later_pictures() -> None:
    empty = scene(place="office")
    before = painter.draw(empty).data
    painter.draw(scene(item("elephant", count=3), place="office"))
    assert painter.draw(empty).data == before


STRANGER = PictureSubject(kind="person", name="X", identity="x")
PALE = PEOPLE[0].model_copy(update={"skin": "very pale"})
ODD = PEOPLE[0].model_copy(update={"hair": "mohawk"})


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        (scene(item("cat"), place="moon"), "knows no place 'moon'"),
        (scene(PictureSubject(kind="animal", name="unicorn")), "knows no animal 'unicorn'"),
        (scene(PictureSubject(kind="animal", name="guitar")), "knows no animal 'guitar'"),
        (scene(item("cat", "red")), "a cat is not drawn in 'red'; its other coats are black, grey"),
        (scene(item("owl", "grey")), "its other coats are none"),
        (scene(item("guitar", "red")), "a guitar is drawn as it comes"),
        (scene(item("hat", "beige")), "knows no colour 'beige'"),
        (scene(item("cat", count=5), item("dog", count=5), item("hat")), "11 animals and objects are too many"),
        (scene(STRANGER), "'X' has no appearance"),
        (scene(person(0).model_copy(update={"appearance": ODD})), "knows no feature 'mohawk'"),
        (scene(person(0).model_copy(update={"appearance": PALE})), "knows no feature 'very pale'"),
        (scene(person(0).model_copy(update={"count": 2})), "is one person, not 2"),
        (scene(person(0, "furious")), "knows no mood 'furious'"),
        (portrait(), "exactly one person"),
        (portrait(person(0), person(1)), "exactly one person"),
        (portrait(item("cat"), item("dog")), "exactly one person"),
        (portrait(person(0), place="park"), "a portrait has a plain ground"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_the_reason(plan: PicturePlan, reason: str) -> None:
    with pytest.raises(PictureNotDrawn, match=reason) as refused:
        painter.draw(plan)
    assert refused.value.picture_id == "made-up"


@pytest.mark.parametrize(
    ("module", "package"),
    [("resvg_py", "resvg-py"), ("dicebear", "dicebear-core"), ("dicebear_styles", "dicebear-styles")],
)
def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, module: str, package: str) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    figures._style.cache_clear()
    figures.package_text.cache_clear()
    with pytest.raises(InstallationBroken, match=rf"{package}, which is not installed: run `make env`"):
        painter.draw(portrait(person(0)))


def test_a_missing_style_file_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    elsewhere = tmp_path / "dicebear_styles"
    elsewhere.mkdir()
    (elsewhere / "__init__.py").touch()
    importlib.import_module("dicebear_styles")  # so that it is put back afterwards
    monkeypatch.delitem(sys.modules, "dicebear_styles")
    monkeypatch.syspath_prepend(tmp_path)
    figures.package_text.cache_clear()
    figures._style.cache_clear()
    with pytest.raises(InstallationBroken, match=r"lacks its file avataaars\.json"):
        painter.draw(portrait(person(0)))
    figures._style.cache_clear()


def test_a_plan_survives_being_written_and_read() -> None:
    again = PicturePlan.model_validate(json.loads(CROWD.model_dump_json()))
    assert painter.draw(again).data == painter.draw(CROWD).data


@pytest.mark.parametrize("subject", [item("cat"), item("mug", "red"), item("guitar")])
def test_a_portrait_of_a_thing_shows_it_alone_and_whole(subject: PictureSubject) -> None:
    drawn = painter.draw(portrait(subject))
    assert [(one.name, one.colour, one.visible) for one in drawn.subjects] == [(subject.name, subject.colour, 1.0)]
    box = drawn.subjects[0].box
    assert 0 < box.left < box.right < 512
    assert 0 < box.top < box.bottom < 512


def test_an_animal_in_another_coat_has_its_shape_and_not_its_colour() -> None:
    usual, black = painter.draw(portrait(item("dog"))), painter.draw(portrait(item("dog", "black")))
    assert usual.subjects[0].box == black.subjects[0].box
    box = usual.subjects[0].box
    inside = (slice(box.top, box.bottom), slice(box.left, box.right))
    brown, grey = (np.ptp(pixels(one.data)[inside].astype(int), axis=2).mean() for one in (usual, black))
    assert grey < brown - 10  # the usual dog is brown: its channels differ


@pytest.mark.parametrize(("name", "coat"), [(name, coat) for name, coats in COATS.items() for coat in coats])
def test_every_coat_is_drawn_unlike_every_other_of_its_animal(name: str, coat: str) -> None:
    others = [one for one in ("", *COATS[name]) if one != coat]
    own = pixels(painter.draw(portrait(item(name, coat))).data).astype(int)
    assert all(np.abs(own - pixels(painter.draw(portrait(item(name, one))).data)).max() > 40 for one in others)
