"""The detector's network: centre points of people, animals and objects, with the reach to their four sides.

After Zhou et al., Objects as Points (2019): a heat map a kind peaks at the middle of each thing, and four
further maps say how far its sides are from there. Small enough to be fitted from scratch on drawn scenes.

Imports torch: import this module inside functions only.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

__all__ = ["CELL", "KINDS", "SIDE", "build", "forward", "load"]

KINDS = ("person", "animal", "object")
SIDE = 256
"""Pictures are scaled to a square of this many pixels."""
CELL = 8
"""Pixels of the scaled picture a cell of the maps."""

_WIDTH = 48


def build(*, with_norm: bool) -> Any:
    """Return the untrained network.

    Args:
        with_norm: batch normalisation after every convolution, for fitting; without, it is folded into them.
    """

    def convolution(inputs: int, outputs: int, *, size: int = 3, stride: int = 1, spread: int = 1) -> Any:
        padding = spread * (size // 2)
        steps: list[tuple[str, Any]] = [
            ("convolution", nn.Conv2d(inputs, outputs, size, stride, padding, spread, bias=not with_norm))
        ]
        if with_norm:
            steps.append(("norm", nn.BatchNorm2d(outputs)))
        return nn.Sequential(OrderedDict(steps))

    return nn.ModuleDict(
        {
            "by_2": convolution(3, 16, stride=2),
            "by_4": convolution(16, _WIDTH // 2, stride=2),
            "by_8": convolution(_WIDTH // 2, _WIDTH, stride=2),
            "by_16": convolution(_WIDTH, 2 * _WIDTH, stride=2),
            **{
                f"deep{spread}{step}": convolution(2 * _WIDTH, 2 * _WIDTH, spread=spread if step == "b" else 1)
                for spread in (1, 2, 4)
                for step in "ab"
            },
            "up": convolution(2 * _WIDTH, _WIDTH, size=1),
            "join_a": convolution(_WIDTH, _WIDTH),
            "join_b": convolution(_WIDTH, _WIDTH),
            "out": nn.Conv2d(_WIDTH, len(KINDS) + 4, 1),
        }
    )


def forward(network: Any, pixels: Any) -> tuple[Any, Any]:
    """Run the network.

    Args:
        network: from ``build`` or ``load``.
        pixels: (N, 3, SIDE, SIDE), -1..1.

    Returns:
        Heat as logits, (N, 3 kinds, SIDE / CELL, SIDE / CELL); reach as logarithms of cells to the left, top,
        right and bottom side, (N, 4, SIDE / CELL, SIDE / CELL).
    """

    def step(name: str, maps: Any) -> Any:
        return functional.relu(network[name](maps))

    by_8 = step("by_8", step("by_4", step("by_2", pixels)))  # (N, 48, 32, 32)
    deep = step("by_16", by_8)  # (N, 96, 16, 16)
    for spread in (1, 2, 4):
        deep = functional.relu(deep + network[f"deep{spread}b"](step(f"deep{spread}a", deep)))
    joined = by_8 + functional.interpolate(step("up", deep), scale_factor=2)
    joined = functional.relu(joined + network["join_b"](step("join_a", joined)))
    out = network["out"](joined)
    return out[:, : len(KINDS)], out[:, len(KINDS) :]


def load(arrays: Mapping[str, npt.NDArray[np.float32]]) -> Any:
    """Return the network with ``arrays`` in it (names of ``state_dict``, norms folded in), ready to run.

    Raises:
        RuntimeError: arrays are missing, too many, or of another shape.
    """
    network = build(with_norm=False)
    network.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
    return network.eval().to(memory_format=torch.channels_last)
