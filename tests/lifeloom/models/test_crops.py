"""Tests of lifeloom.models.crops."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from lifeloom.models.crops import crops
from lifeloom.models.protocol import Detection

SIZE = (20, 10)
PIXELS = np.dstack([*np.meshgrid(np.arange(20), np.arange(10)), np.zeros((10, 20))]).astype(np.uint8)
PICTURE = Image.fromarray(PIXELS)


def places(box, margin=0.0):
    """Return the first and last column and row of the crop: the pixels of the picture say where they are."""
    (crop,) = crops(PICTURE, [Detection("object", 1.0, box)], margin)
    pixels = np.asarray(crop)
    return (*pixels[0, 0, :2].tolist(), *pixels[-1, -1, :2].tolist())


def test_a_crop_covers_every_pixel_that_its_box_touches():
    assert places((2.0, 3.0, 6.0, 5.0)) == (2, 3, 5, 4)
    assert places((2.9, 3.9, 6.1, 5.1)) == (2, 3, 6, 5)


def test_a_margin_is_a_share_of_the_box_on_each_side():
    assert places((8.0, 4.0, 12.0, 6.0), 0.5) == (6, 3, 13, 6)


def test_a_crop_stays_within_the_picture_and_has_a_pixel():
    assert places((-5.0, -5.0, 40.0, 40.0), 1.0) == (0, 0, 19, 9)
    assert places((20.0, 10.0, 20.0, 10.0)) == (19, 9, 19, 9)
    assert places((4.0, 4.0, 4.0, 4.0)) == (4, 4, 4, 4)


def test_there_is_one_crop_for_each_detection_in_their_order():
    boxes = [(0.0, 0.0, 3.0, 3.0), (5.0, 5.0, 9.0, 7.0)]
    assert [one.size for one in crops(PICTURE, [Detection("object", 1.0, box) for box in boxes])] == [(3, 3), (4, 2)]
    assert crops(PICTURE, []) == []


def test_a_margin_below_zero_is_refused():
    with pytest.raises(ValueError, match="0 or more"):
        crops(PICTURE, [], -0.1)
