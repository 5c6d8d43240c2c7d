"""Contact sheets: everybody is on them, and they stay small."""

from __future__ import annotations

import io
import random

import numpy as np
import pytest
from PIL import Image

from evaluation.contact_sheets import SHEET_BYTES, event_sheet, portrait_sheet
from lifeloom.records import Life
from lifeloom.store import MediaMissing
from tests.lives import drawn_seed, life_plan, made, relative, vaccount_seed

PLAN = life_plan(vaccount_seed(relative("Bo", "brother", 38), relative("Moss", "dog", 4, "animal")))
LIFE = Life.of("ana", *made(PLAN))
EVENT = max(LIFE.events, key=lambda one: len(one.images))


def png(image):
    out = io.BytesIO()
    image.save(out, format="PNG")
    return out.getvalue()


RED = png(Image.new("RGB", (512, 512), (200, 0, 0)))


def noise(reference):
    rng = random.Random(reference.content_hash)
    return png(Image.frombytes("RGB", (128, 128), rng.randbytes(128 * 128 * 3)))


def opened(data):
    return Image.open(io.BytesIO(data)).convert("RGB")


def red_squares(sheet, side):
    """How many squares of ``side`` pixels the red pixels amount to."""
    pixels = np.asarray(sheet)
    red = (pixels[..., 0] > 150) & (pixels[..., 1] < 60) & (pixels[..., 2] < 60)
    return float(red.sum()) / side**2


def test_every_concept_of_every_vaccount_is_on_the_sheet_of_portraits():
    second = life_plan(vaccount_seed(name="Cem"))
    sheet = opened(portrait_sheet([LIFE, Life.of("cem", *made(second))], lambda reference: RED))
    assert sheet.width == 3 * 112 + 2 * 4
    assert red_squares(sheet, 112) == pytest.approx(4, abs=0.02)


def test_the_sheet_of_an_event_has_all_its_pictures_five_in_a_row():
    sheet = opened(event_sheet(EVENT, lambda reference: RED))
    assert red_squares(sheet, 112) == pytest.approx(len(EVENT.images), abs=0.02)
    assert sheet.width <= 5 * 116


def test_sheets_keep_to_their_size_whatever_is_on_the_pictures():
    lives = [Life.of(plan.vaccount_id, *made(plan)) for plan in (life_plan(drawn_seed(9, n)) for n in range(4))]
    for limit in (SHEET_BYTES, 6_000):
        data = portrait_sheet(lives, noise, limit)
        assert len(data) <= limit
        assert opened(data).height > 40
        assert len(event_sheet(EVENT, noise, limit)) <= limit


def test_a_limit_that_nothing_fits_into_and_a_sheet_of_nobody_are_refused():
    with pytest.raises(ValueError, match="not even one row"):
        event_sheet(EVENT, noise, 100)
    with pytest.raises(ValueError, match="at least one picture"):
        portrait_sheet([], noise)


def test_a_picture_that_is_gone_broken_or_not_at_hand_leaves_its_place_empty():
    first, *others = LIFE.concepts
    life = Life("ana", (first.model_copy(update={"portrait": None}), *others), ())

    def source(reference):
        if reference == others[0].portrait:
            raise MediaMissing("it is not there")
        return RED

    sheet = opened(portrait_sheet([life], source))
    assert sheet.width == 3 * 112 + 2 * 4
    assert red_squares(sheet, 112) == pytest.approx(1, abs=0.02)
    assert red_squares(opened(portrait_sheet([LIFE], lambda reference: b"no picture")), 112) == 0


def test_names_that_no_font_can_write_make_a_sheet():
    concepts = [one.model_copy(update={"name": "李\n\x07" + "é" * 200}) for one in LIFE.concepts]
    assert portrait_sheet([Life("ana", tuple(concepts), ())], lambda reference: RED)
