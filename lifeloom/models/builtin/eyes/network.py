"""The detector's own layers: centre points of people, animals and objects, with the reach to their four sides.

After Zhou et al., Objects as Points (2019): a heat map a kind peaks at the middle of each thing, and four further maps
say how far its sides are from there. The layers stand on pretrained features of three depths, which stay as they are,
joined from coarse to fine (Lin et al., Feature Pyramid Networks, 2017): so they are fitted in minutes on a core, and
places and light that they never saw do not confuse them.

Imports torch: import this module inside functions only.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from lifeloom.models.efficientnet import Tap

__all__ = ["CELL", "KINDS", "SIDE", "TAPS", "build", "forward", "load"]

KINDS = ("person", "animal", "object")
SIDE = 256
"""Pictures are scaled to a square of this many pixels."""
CELL = 8
"""Pixels of the scaled picture a cell of the maps."""
TAPS: tuple[Tap, ...] = ("fine", "wide", "deep")
"""Pretrained features: 40 channels a cell, 112 every second cell, 320 every fourth."""

_CHANNELS = {"fine": 40, "wide": 112, "deep": 320}
_WIDTH = 64


def build(*, with_norm: bool) -> Any:
    """Return the untrained layers.

    Args:
        with_norm: batch normalisation after every convolution, for fitting; without, it is folded into them.
    """

    def convolution(inputs: int, size: int = 3, spread: int = 1) -> Any:
        padding = spread * (size // 2)
        steps: list[tuple[str, Any]] = [
            ("convolution", nn.Conv2d(inputs, _WIDTH, size, 1, padding, spread, bias=not with_norm))
        ]
        if with_norm:
            steps.append(("norm", nn.BatchNorm2d(_WIDTH)))
        return nn.Sequential(OrderedDict(steps))

    layers = {f"{tap}_in": convolution(_CHANNELS[tap], size=1) for tap in TAPS}
    for name, spread in (("deep_1", 1), ("wide_1", 2), ("wide_2", 2), ("fine_1", 1), ("fine_2", 1)):
        layers[f"{name}a"] = convolution(_WIDTH)
        layers[f"{name}b"] = convolution(_WIDTH, spread=spread)
    return nn.ModuleDict({**layers, "out": nn.Conv2d(_WIDTH, len(KINDS) + 4, 1)})


def forward(layers: Any, maps: Sequence[Any]) -> tuple[Any, Any]:
    """Run the layers.

    Args:
        layers: from ``build`` or ``load``.
        maps: the features of ``TAPS``: (N, 40, n, n), (N, 112, n / 2, n / 2), (N, 320, n / 4, n / 4) with
            n = SIDE / CELL.

    Returns:
        Heat as logits, (N, 3 kinds, n, n); reach as logarithms of cells to the left, top, right and bottom side,
        (N, 4, n, n).
    """

    def step(name: str, values: Any) -> Any:
        return functional.relu(layers[name](values))

    def block(name: str, values: Any) -> Any:
        return functional.relu(values + layers[f"{name}b"](step(f"{name}a", values)))

    def join(name: str, values: Any, coarse: Any) -> Any:
        return functional.relu(layers[name](values) + functional.interpolate(coarse, scale_factor=2))

    fine, wide, deep = maps
    joined = block("deep_1", step("deep_in", deep))
    joined = block("wide_2", block("wide_1", join("wide_in", wide, joined)))
    joined = block("fine_2", block("fine_1", join("fine_in", fine, joined)))
    out = layers["out"](joined)
    return out[:, : len(KINDS)], out[:, len(KINDS) :]


def load(arrays: Mapping[str, npt.NDArray[np.float32]]) -> Any:
    """Return the layers with ``arrays`` in them (names of ``state_dict``, norms folded in), ready to run.

    Raises:
        RuntimeError: arrays are missing, too many, or of another shape.
    """
    layers = build(with_norm=False)
    layers.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
    return layers.eval().to(memory_format=torch.channels_last)
