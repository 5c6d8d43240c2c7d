"""Tests of lifeloom.models.builtin.eyes.heads and features."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from lifeloom.models.builtin.eyes.features import colour_histograms, crop, face_crop
from lifeloom.models.builtin.eyes.heads import Head, fit_head
from lifeloom.models.builtin.eyes.weights import EyesWeights, EyesWeightsUnusable, load_weights, save_weights


def noisy_classes(rng, classes=5, each=200, dimensions=20):
    """Classes differ a little in the last axes; the first ones are loud and say nothing."""
    labels = np.repeat(np.arange(classes), each)
    rows = rng.normal(size=(len(labels), dimensions))
    rows[:, :10] *= 20
    rows[:, 10:15] += 3 * np.eye(5)[labels]
    return rows.astype(np.float32), labels


def test_a_head_finds_the_classes_beneath_louder_directions():
    rng = np.random.default_rng(3)
    rows, labels = noisy_classes(rng)
    head = fit_head(rows, labels, 4, shrinkage=0.001, components=20)
    fresh, truth = noisy_classes(rng)
    assert (head.scores(head.embed(fresh)).argmax(axis=1) == truth).mean() > 0.9
    assert head.axes.shape == (20, 4)
    nearest_raw = ((fresh[:, None] - np.stack([rows[labels == k].mean(0) for k in range(5)])) ** 2).sum(2).argmin(1)
    assert (nearest_raw == truth).mean() < 0.7


def test_embedded_rows_and_prototypes_have_unit_length():
    rows, labels = noisy_classes(np.random.default_rng(4))
    head = fit_head(rows, labels, 64, components=20)
    np.testing.assert_allclose(np.linalg.norm(head.embed(rows), axis=1), 1.0, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(head.prototypes, axis=1), 1.0, atol=1e-5)


def test_a_head_comes_back_from_a_file_in_half_precision(tmp_path):
    rows, labels = noisy_classes(np.random.default_rng(5))
    head = fit_head(rows, labels, 4, components=20)
    save_weights(head.arrays("toy"), {"labels": {"toy": list("abcde")}}, tmp_path / "toy.npz")
    weights = load_weights(tmp_path / "toy.npz")
    back = Head.read(weights, "toy")
    assert weights.labels("toy") == ("a", "b", "c", "d", "e")
    np.testing.assert_allclose(back.embed(rows), head.embed(rows), atol=0.02)


def test_a_head_that_the_file_lacks_or_that_disagrees_with_itself_is_refused():
    empty = EyesWeights({}, {}, "0")
    with pytest.raises(EyesWeightsUnusable, match="lack"):
        Head.read(empty, "face")
    odd = {"face/mean": np.zeros(3), "face/axes": np.zeros((4, 2)), "face/prototypes": np.zeros((0, 0))}
    with pytest.raises(EyesWeightsUnusable, match="disagree"):
        Head.read(EyesWeights(odd, {}, "0"), "face")


def test_arrays_too_large_for_half_precision_are_not_written(tmp_path):
    with pytest.raises(ValueError, match="half precision: a"):
        save_weights({"a": np.array([1e9], dtype=np.float32)}, {}, tmp_path / "w.npz")
    assert list(tmp_path.iterdir()) == []


def test_a_histogram_tells_the_colours_of_each_cell():
    image = Image.new("RGB", (40, 40), (255, 0, 0))
    image.paste((0, 0, 255), (20, 0, 40, 40))
    left, right = colour_histograms([image], (1, 2), 4).reshape(2, 64)
    assert left[3 * 16] == pytest.approx(1.0, abs=0.05)
    assert right[3] == pytest.approx(1.0, abs=0.05)


def test_crops_stay_within_the_picture_and_are_never_empty():
    image = Image.new("RGB", (100, 80))
    assert crop(image, (-5.0, 10.0, 20.0, 300.0)).size == (20, 70)
    assert min(crop(image, (99.9, 79.9, 100.0, 80.0)).size) >= 2


def test_a_face_is_the_upper_part_of_a_person():
    assert face_crop(Image.new("RGB", (100, 100)), (10.0, 0.0, 60.0, 100.0)).size == (50, 70)
