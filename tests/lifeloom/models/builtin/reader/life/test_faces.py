"""Whose face it is, by portraits."""

import numpy as np

from lifeloom.models.builtin.reader.life.faces import ANYONE, name_faces

THRESHOLD = 0.8


def unit(*angles: float) -> np.ndarray:
    """Faces on a circle, by angle in degrees: the cosine of two is that of their difference."""
    radians = np.radians(np.array(angles))
    return np.stack([np.cos(radians), np.sin(radians)], axis=1).astype(np.float32)


def test_the_likest_above_the_threshold_is_named() -> None:
    assert name_faces(unit(10, 80), unit(0, 90), ["Ana", "Bo"], THRESHOLD) == ["Ana", "Bo"]


def test_nobody_is_in_a_picture_twice() -> None:
    assert name_faces(unit(5, 20), unit(0), ["Ana"], THRESHOLD) == ["Ana", ANYONE]


def test_somewhat_below_the_threshold_is_enough_for_who_is_like_one_alone() -> None:
    below = np.degrees(np.arccos(0.75))
    assert name_faces(unit(below), unit(0, 180), ["Ana", "Bo"], THRESHOLD) == ["Ana"]
    # a second who is nearly as like leaves it open
    assert name_faces(unit(below), unit(0, 2 * below + 4), ["Ana", "Bo"], THRESHOLD) == [ANYONE]


def test_far_below_the_threshold_it_is_a_stranger() -> None:
    assert name_faces(unit(60), unit(0, 180), ["Ana", "Bo"], THRESHOLD) == [ANYONE]


def test_without_faces_or_portraits_nobody_is_named() -> None:
    nothing = np.zeros((0, 2), dtype=np.float32)
    assert name_faces(nothing, unit(0), ["Ana"], THRESHOLD) == []
    assert name_faces(unit(0), nothing, [], THRESHOLD) == [ANYONE]
