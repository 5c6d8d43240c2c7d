"""Strips that Dagster keeps: they must always be small."""

import base64
import io
import random
import re

import pytest
from PIL import Image

from assets.strips import STRIP_BYTES, StripPicture, picture_strip


def noise(seed, side=300):
    image = Image.frombytes("RGB", (side, side), random.Random(seed).randbytes(3 * side * side))
    out = io.BytesIO()
    image.save(out, format="PNG")
    return out.getvalue()


def plain(colour):
    out = io.BytesIO()
    Image.new("RGB", (64, 64), colour).save(out, format="PNG")
    return out.getvalue()


def test_even_pictures_of_pure_noise_fit():
    strip = picture_strip([StripPicture(noise(number), f"noise {number}") for number in range(20)])

    assert len(strip.encode()) <= STRIP_BYTES
    assert "8. noise 7" in strip
    assert "noise 8" not in strip


def test_the_pictures_stand_side_by_side_in_order():
    strip = picture_strip([StripPicture(plain("red"), "one"), StripPicture(plain("blue"), "two")])
    data = re.search(r"base64,([^)]+)", strip).group(1)
    image = Image.open(io.BytesIO(base64.b64decode(data)))
    left, right = image.getpixel((image.width // 4, 20)), image.getpixel((3 * image.width // 4, 20))

    assert left[0] > 200 > left[2]
    assert right[2] > 200 > right[0]


def test_captions_cannot_break_the_markdown():
    strip = picture_strip([StripPicture(plain("red"), "](x) <script> *a*\nb")])

    assert "<script>" not in strip
    assert "](x)" not in strip.split("base64")[1].split(")", 1)[1]


def test_no_pictures_is_said():
    assert picture_strip([]) == "no pictures"


def test_a_limit_that_nothing_meets_is_an_error():
    with pytest.raises(ValueError, match="shorter captions"):
        picture_strip([StripPicture(plain("red"), "x")], limit=50)
