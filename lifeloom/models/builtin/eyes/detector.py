"""A detector made for drawn pictures: finds people, animals and objects in milliseconds on a CPU."""

from __future__ import annotations

import functools
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
import numpy.typing as npt

from lifeloom.models.builtin.eyes.weights import WEIGHTS_PATH, WEIGHTS_VERSION, EyesWeightsUnusable, load_weights
from lifeloom.models.efficientnet import cores
from lifeloom.models.protocol import Detection, ModelIdentity
from lifeloom.records import SubjectKind

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["DrawnPictureDetector", "overlap"]

_BATCH = 4  # of one size always: the same picture gives the same bits in any company
_SAME = 0.5
"""Two finds whose boxes overlap by more than this share of their union are one thing; the better one stays."""

_KINDS: tuple[SubjectKind, ...] = get_args(SubjectKind)


class DrawnPictureDetector:
    """A ``Detector`` of people, animals and objects, fitted on drawn scenes by ``scripts/fit_eyes.py``.

    Weights load at the first picture. Safe to share between threads.

    Args:
        weights: the weights file.
        lowest: finds scored below this are not returned, 0..1 (None: the fitted threshold of each kind).
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

    def detect(self, pictures: Sequence[Image]) -> list[tuple[Detection, ...]]:
        """Return what stands in each of ``pictures`` (RGB, upright), best first.

        Raises:
            EyesWeightsUnusable: the weights file is missing, damaged or of another version.
        """
        from PIL import Image as PillowImage

        from lifeloom.models.builtin.eyes.network import SIDE

        weights = load_weights(self._path)
        lowest = tuple(weights.threshold(f"detect_{kind}") if self._lowest is None else self._lowest for kind in _KINDS)
        network = _network(self._path, weights.digest)
        pixels = np.zeros((-(-len(pictures) // _BATCH) * _BATCH, SIDE, SIDE, 3), dtype=np.uint8)
        for row, picture in enumerate(pictures):
            pixels[row] = np.asarray(picture.resize((SIDE, SIDE), PillowImage.Resampling.BILINEAR))
        starts = range(0, len(pixels), _BATCH)

        def run(start: int) -> list[tuple[Detection, ...]]:
            return [
                _finds(heat, reach, picture.size, lowest)
                for heat, reach, picture in zip(
                    *_maps(network, pixels[start : start + _BATCH]), pictures[start : start + _BATCH], strict=False
                )
            ]

        if len(starts) < 2 or cores() == 1:
            batches = [run(start) for start in starts]
        else:
            with ThreadPoolExecutor(min(cores(), len(starts))) as pool:
                batches = list(pool.map(run, starts))
        return [found for batch in batches for found in batch]


def _maps(network: Any, pixels: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Return heat with only its peaks left, (N, 3, H, W), 0..1, and reach in cells, (N, 4, H, W)."""
    import torch
    from torch.nn import functional

    from lifeloom.models.builtin.eyes.network import forward

    with torch.inference_mode():
        batch = torch.from_numpy(pixels).permute(0, 3, 1, 2).float().div_(127.5).sub_(1.0)
        heat, reach = forward(network, batch.contiguous(memory_format=torch.channels_last))
        heat = heat.sigmoid()
        peaks = heat * (functional.max_pool2d(heat, 3, 1, 1) == heat)
        return peaks.contiguous().numpy(), reach.exp().contiguous().numpy()


def _finds(
    peaks: npt.NDArray[np.float32],
    reach: npt.NDArray[np.float32],
    size: tuple[int, int],
    lowest: tuple[float, ...],
) -> tuple[Detection, ...]:
    """Read the finds of one picture of ``size`` (width, height) from its maps, best first."""
    from lifeloom.models.builtin.eyes.network import CELL, SIDE

    across, down = size[0] * CELL / SIDE, size[1] * CELL / SIDE  # pixels of the picture a cell
    kinds, rows, columns = np.nonzero(peaks > np.asarray(lowest, dtype=np.float32)[:, None, None])
    found: list[Detection] = []
    for kind, row, column in zip(kinds.tolist(), rows.tolist(), columns.tolist(), strict=True):
        left, top, right, bottom = (float(distance) for distance in reach[:, row, column])
        x, y = column + 0.5, row + 0.5
        box = (
            max(0.0, (x - left) * across),
            max(0.0, (y - top) * down),
            min(float(size[0]), (x + right) * across),
            min(float(size[1]), (y + bottom) * down),
        )
        found.append(Detection(_KINDS[kind], float(peaks[kind, row, column]), box))
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


def _network(path: Path, digest: str) -> Any:
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
