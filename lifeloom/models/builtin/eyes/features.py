"""What the recognisers look at: pretrained features on a grid and colour histograms of crops and whole pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from lifeloom.models.efficientnet import feature_maps, grid_pool, unit_rows

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["ThingFeatures", "colour_histograms", "face_crop", "face_features", "scene_features", "thing_features"]

Array = npt.NDArray[np.float32]
Box = tuple[float, float, float, float]
ThingFeatures = tuple[Array, Array]
"""Features for the name, (N, D), and for the colour, (N, E)."""

_FACE_SHARE = 0.7
"""Upper share of a person's box: the head without the clothes, which change from picture to picture."""
_FACE_SIDE = 128
_THING_SIDE = 96
_SCENE_SIDE = 128


def crop(picture: Image, box: Box) -> Image:
    """Cut ``box`` out of ``picture``, at least 2 pixels each way and within it."""
    left = min(max(0, int(box[0])), picture.width - 2)
    top = min(max(0, int(box[1])), picture.height - 2)
    right = max(left + 2, min(picture.width, round(box[2])))
    bottom = max(top + 2, min(picture.height, round(box[3])))
    return picture.crop((left, top, right, bottom))


def face_crop(picture: Image, box: Box) -> Image:
    """Cut the head out of a person's ``box``."""
    left, top, right, bottom = box
    return crop(picture, (left, top, right, top + _FACE_SHARE * (bottom - top)))


def face_features(crops: Sequence[Image]) -> Array:
    """Return features of heads: shapes and colours and where they are, (N, 1470)."""
    maps = feature_maps(crops, _FACE_SIDE, ("fine", "middle"))
    return np.concatenate(
        [
            unit_rows(grid_pool(maps["middle"], (3, 2))),
            0.7 * unit_rows(grid_pool(maps["fine"], (3, 2))),
            0.5 * unit_rows(colour_histograms(crops, (3, 2), 5)),
        ],
        axis=1,
    )


def thing_features(crops: Sequence[Image]) -> ThingFeatures:
    """Return features of things for their names, (N, 1760), and for their colours, (N, 2304)."""
    maps = feature_maps(crops, _THING_SIDE, ("fine", "middle", "last"))
    names = np.concatenate(
        [unit_rows(grid_pool(maps["middle"], (3, 2))), unit_rows(maps["last"].mean(axis=(2, 3)))], axis=1
    )
    colours = np.concatenate(
        [
            unit_rows(colour_histograms(crops, (3, 3), 6)),
            0.5 * unit_rows(grid_pool(maps["fine"], (3, 3))),
        ],
        axis=1,
    )
    return names, colours


def scene_features(pictures: Sequence[Image]) -> Array:
    """Return features of whole pictures for their place and light, (N, 3560)."""
    maps = feature_maps(pictures, _SCENE_SIDE, ("fine", "middle", "last"))
    return np.concatenate(
        [
            unit_rows(grid_pool(maps["middle"], (4, 4))),
            unit_rows(maps["last"].mean(axis=(2, 3))),
            0.5 * unit_rows(colour_histograms(pictures, (4, 2), 5)),
        ],
        axis=1,
    )


def colour_histograms(pictures: Sequence[Image], grid: tuple[int, int], bins: int) -> Array:
    """Return square roots of the shares of ``bins`` ** 3 colours in each cell of ``grid`` (rows, columns).

    Shape (N, rows * columns * bins ** 3). Square roots make the distance of two histograms Hellinger's.
    """
    from PIL import Image as PillowImage

    rows, columns = grid
    side = 60  # divides by the grids in use
    found = np.empty((len(pictures), rows * columns, bins**3), dtype=np.float32)
    for number, picture in enumerate(pictures):
        small = np.asarray(picture.resize((side, side), PillowImage.Resampling.BILINEAR), dtype=np.int64)
        level = small * bins // 256  # (side, side, 3)
        colour = (level[..., 0] * bins + level[..., 1]) * bins + level[..., 2]
        cell = (np.arange(side) * rows // side)[:, None] * columns + (np.arange(side) * columns // side)[None, :]
        counts = np.bincount((cell * bins**3 + colour).ravel(), minlength=rows * columns * bins**3)
        shares = counts.reshape(rows * columns, bins**3).astype(np.float32)
        found[number] = np.sqrt(shares / shares.sum(axis=1, keepdims=True))
    return found.reshape(len(pictures), rows * columns * bins**3)
