"""A detector made for drawn pictures: finds people, animals and objects in milliseconds on a CPU."""

from __future__ import annotations

import functools
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
import numpy.typing as npt

from lifeloom.models.builtin.eyes.weights import WEIGHTS_PATH, WEIGHTS_VERSION, EyesWeightsUnusable, load_weights
from lifeloom.models.efficientnet import feature_maps
from lifeloom.models.protocol import Detection, ModelIdentity
from lifeloom.records import SubjectKind

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["DrawnPictureDetector", "overlap"]

_AT_ONCE = 32  # bounds memory
_SAME = 0.5
"""Two finds whose boxes overlap by more than this share of their union are one thing; the better one stays."""

_KINDS: tuple[SubjectKind, ...] = get_args(SubjectKind)
_PEAKS = ("person", "thing")


class DrawnPictureDetector:
    """A ``Detector`` of people, animals and objects, fitted on drawn scenes by ``scripts/fit_eyes.py``.

    Weights load at the first picture. Safe to share between threads.

    Args:
        weights: the weights file.
        lowest: finds scored below this are not returned, 0..1 (None: the fitted thresholds of people and things).
    """

    def __init__(self, weights: Path = WEIGHTS_PATH, lowest: float | None = None) -> None:
        self._path = weights
        self._lowest = lowest

    @property
    def identity(self) -> ModelIdentity:
        """Backend ``builtin`` and the weights' version with the digest of their file.

        Raises:
            EyesWeightsUnusable: the weights file is missing, damaged or of another version.
        """
        return ModelIdentity(backend="builtin", model=f"{WEIGHTS_VERSION}-detector+{load_weights(self._path).digest}")

    def check(self) -> str:
        """Look at an empty picture and return one line about it.

        Raises:
            EyesWeightsUnusable, ImageWeightsMissing: as ``detect``.
        """
        from PIL import Image as PillowImage

        return f"finds {len(self.detect([PillowImage.new('RGB', (256, 256), 'grey')])[0])} things in an empty picture"

    def detect(self, pictures: Sequence[Image]) -> list[tuple[Detection, ...]]:
        """Return what stands in each of ``pictures`` (RGB, upright), best first.

        Raises:
            EyesWeightsUnusable: the weights file is missing, damaged or of another version.
            ImageWeightsMissing: a package with the pretrained features is not installed.
        """
        weights = load_weights(self._path)
        lowest = tuple(weights.threshold(f"detect_{one}") if self._lowest is None else self._lowest for one in _PEAKS)
        layers = _layers(self._path, weights.digest)
        found: list[tuple[Detection, ...]] = []
        for start in range(0, len(pictures), _AT_ONCE):
            part = pictures[start : start + _AT_ONCE]
            maps = _maps(layers, part)
            found += [_finds(one, picture.size, lowest) for one, picture in zip(maps, part, strict=True)]
        return found


@dataclass(frozen=True, eq=False)
class _Maps:
    """What the layers say of one picture; n cells each way."""

    heat: npt.NDArray[np.float32]
    """(3 kinds, n, n), 0..1."""
    peaks: npt.NDArray[np.float32]
    """(2, n, n): 0 but where the chance of a person, or of a thing whatever its kind, is highest around."""
    reach: npt.NDArray[np.float32]
    """(4, n, n): cells to the left, top, right and bottom side."""


def _maps(layers: Any, pictures: Sequence[Image]) -> list[_Maps]:
    import torch
    from torch.nn import functional

    from lifeloom.models.builtin.eyes.network import SIDE, TAPS, forward

    features = feature_maps(pictures, SIDE, TAPS)
    found = []
    with torch.inference_mode():
        for row in range(len(pictures)):
            # One at a time: in batches of any size the kernels may round differently, see feature_maps.
            taps = [torch.from_numpy(features[tap][row : row + 1]) for tap in TAPS]
            heat, reach = forward(layers, [one.contiguous(memory_format=torch.channels_last) for one in taps])
            heat = heat.sigmoid()
            # A thing that looks half like an animal is still a thing.
            thing = 1 - (1 - heat[:, 1:2]) * (1 - heat[:, 2:3])
            chance = torch.cat([heat[:, :1], thing], dim=1)
            peaks = chance * (functional.max_pool2d(chance, 3, 1, 1) == chance)
            found.append(_Maps(*(part[0].contiguous().numpy() for part in (heat, peaks, reach.exp()))))
    return found


def _finds(maps: _Maps, size: tuple[int, int], lowest: tuple[float, ...]) -> tuple[Detection, ...]:
    """Read the finds of one picture of ``size`` (width, height) from its maps, best first."""
    from lifeloom.models.builtin.eyes.network import CELL, SIDE

    across, down = size[0] * CELL / SIDE, size[1] * CELL / SIDE  # pixels of the picture a cell
    groups, rows, columns = np.nonzero(maps.peaks > np.asarray(lowest, dtype=np.float32)[:, None, None])
    found: list[Detection] = []
    for group, row, column in zip(groups.tolist(), rows.tolist(), columns.tolist(), strict=True):
        left, top, right, bottom = (float(distance) for distance in maps.reach[:, row, column])
        x, y = column + 0.5, row + 0.5
        box = (
            max(0.0, (x - left) * across),
            max(0.0, (y - top) * down),
            min(float(size[0]), (x + right) * across),
            min(float(size[1]), (y + bottom) * down),
        )
        kind = _KINDS[0] if group == 0 else _KINDS[1 + int(maps.heat[1:, row, column].argmax())]
        found.append(Detection(kind, float(maps.peaks[group, row, column]), box))
    found.sort(key=lambda one: (-one.score, one.box))
    kept: list[Detection] = []
    for one in found:
        if all(overlap(one.box, other.box) < _SAME for other in kept):
            kept.append(one)
    return tuple(kept)


def overlap(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> float:
    """Return the share of the union of two boxes that both cover, 0..1."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    both = max(0.0, width) * max(0.0, height)
    areas = (one[2] - one[0]) * (one[3] - one[1]) + (other[2] - other[0]) * (other[3] - other[1])
    return both / max(areas - both, 1e-9)


_loading = threading.Lock()


def _layers(path: Path, digest: str) -> Any:
    with _loading:  # two threads at once would build it twice
        return _build(path, digest)


@functools.lru_cache(maxsize=4)
def _build(path: Path, digest: str) -> Any:
    import torch

    from lifeloom.models.builtin.eyes.network import load

    torch.set_num_threads(1)  # batches run side by side instead, see lifeloom.models.efficientnet
    prefix = "detector/"
    arrays = {
        name.removeprefix(prefix): array for name, array in load_weights(path).arrays.items() if name.startswith(prefix)
    }
    try:
        return load(arrays)
    except RuntimeError as error:
        raise EyesWeightsUnusable(f"{path} holds another detector ({error}): run scripts/fit_eyes.py") from error
