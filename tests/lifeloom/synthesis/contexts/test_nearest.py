"""The nearest pictures: exact, with exclusions, and in an order that does not depend on how they are stored."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from lifeloom.synthesis.contexts import NearestPictures

ANGLES = {"a": 0, "b": 10, "c": 25, "d": 90, "e": 180}


def at(*degrees: float) -> npt.NDArray[np.float32]:
    """Unit vectors in the plane."""
    radians = np.radians(np.array(degrees))
    return np.stack([np.cos(radians), np.sin(radians)], axis=1).astype(np.float32)


NEAREST = NearestPictures(list(ANGLES), at(*ANGLES.values()))


def test_pictures_come_nearest_first_and_without_the_one_asked_about() -> None:
    assert NEAREST.of("b", 2) == ["a", "c"]
    assert NEAREST.of("b", 10) == ["a", "c", "d", "e"]
    assert NEAREST.of("e", 1) == ["d"]


def test_what_is_excluded_is_never_returned_and_the_next_takes_its_place() -> None:
    assert NEAREST.of("b", 2, excluding=["a"]) == ["c", "d"]
    assert NEAREST.of("b", 2, excluding=["a", "c", "d", "e"]) == []


def test_vectors_of_their_own_are_looked_up_together() -> None:
    assert NEAREST.search(at(26, 170), 2) == [["c", "b"], ["e", "d"]]
    assert NEAREST.search(at(26), 2, excluding=["b"]) == [["c", "a"]]


def test_equally_near_pictures_come_by_their_ids_however_many_there_are() -> None:
    ids = [f"p{number:02}" for number in range(40)]
    order = ["x", *reversed(ids)]
    same = NearestPictures(order, at(0, *[30] * 40))
    assert same.of("x", 3) == ["p00", "p01", "p02"]
    assert same.of("x", 3, excluding=ids[:20]) == ["p20", "p21", "p22"]


def test_nothing_is_approximated() -> None:
    rng = np.random.default_rng(5)
    vectors = rng.standard_normal((400, 16)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    ids = [f"p{number:03}" for number in range(400)]
    nearest = NearestPictures(ids, vectors)
    for row in (0, 77, 399):
        cosines = vectors.astype(np.float64) @ vectors[row].astype(np.float64)
        truth = [ids[other] for other in np.argsort(-cosines) if other != row]
        assert nearest.of(ids[row], 20) == truth[:20]
        assert nearest.search(vectors[row : row + 1], 20, excluding=[ids[row]]) == [truth[:20]]


def test_an_empty_library_finds_nothing_and_an_unknown_picture_is_an_error() -> None:
    empty = NearestPictures([], np.zeros((0, 4), dtype=np.float32))
    assert empty.search(np.ones((1, 4), dtype=np.float32), 3) == [[]]
    assert "a" not in empty
    with pytest.raises(KeyError):
        NEAREST.of("z", 1)


@pytest.mark.parametrize("ids", [["a", "a"], ["a"]])
def test_an_id_for_each_vector_and_each_once(ids: list[str]) -> None:
    with pytest.raises(ValueError, match="2 vectors"):
        NearestPictures(ids, at(0, 90))
