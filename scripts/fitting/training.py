"""Fit the detector's own layers from scratch on pretrained features of drawn scenes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from PIL import Image
from torch.nn.utils.fusion import fuse_conv_bn_eval

from fitting.examples import Example
from lifeloom.models.builtin.eyes.network import CELL, KINDS, SIDE, TAPS, build, forward
from lifeloom.models.efficientnet import Tap, feature_maps

__all__ = ["fit_detector"]

_CELLS = SIDE // CELL
_SPREAD, _LEAST_SPREAD = 0.12, 0.3  # of a peak, in shares of the box and in cells
_BATCH = 8  # twice the steps of 16 for the same time
_RATE = 2.5e-3
_GAIN, _LIFT = 0.12, 10.0  # of changed light, by channel: a share, and levels of 255
_AT_ONCE = 64

Array = npt.NDArray[np.float32]


def fit_detector(
    examples: Sequence[Example], *, passes: float, seed: int, log: Callable[[str], None] = print
) -> dict[str, Array]:
    """Return the arrays of the fitted layers, norms folded in.

    The pretrained features are computed twice: of each picture as it is, and mirrored in another light.

    Args:
        examples: pictures with boxes.
        passes: how often each picture is used, counting both forms.
        seed: of the first weights, the order of pictures and the changes of light.
        log: gets a line now and then.
    """
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    rng = np.random.default_rng(seed)
    plain, changed = _features(examples, rng)
    log(f"features of {len(examples)} pictures")
    targets = [_target(example) for example in examples]
    heat, reach, mask = (torch.from_numpy(np.stack(part)) for part in zip(*targets, strict=True))
    layers = build(with_norm=True).to(memory_format=torch.channels_last).train()
    torch.nn.init.constant_(layers["out"].bias[: len(KINDS)], -4.0)  # few cells are middles: start from there
    steps = int(passes * len(examples)) // _BATCH
    optimiser = torch.optim.AdamW(layers.parameters(), _RATE, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, _RATE, steps, pct_start=0.15)
    order = np.empty(0, dtype=np.int64)
    for step in range(steps):
        if len(order) < _BATCH:
            order = rng.permutation(len(examples))
        rows, order = order[:_BATCH], order[_BATCH:]
        truth = (heat[rows], reach[rows], mask[rows])
        if rng.random() < 0.5:
            loss_heat, loss_reach = _losses(layers, [part[rows] for part in plain], *truth)
        else:
            loss_heat, loss_reach = _losses(layers, [part[rows] for part in changed], *_mirrored(*truth))
        optimiser.zero_grad()
        (loss_heat + loss_reach).backward()
        optimiser.step()
        schedule.step()
        if step % 200 == 0 or step == steps - 1:
            log(f"step {step} of {steps}: heat {loss_heat.item():.3f}, reach {loss_reach.item():.3f}")
    return _folded(layers.eval())


def _features(examples: Sequence[Example], rng: np.random.Generator) -> tuple[list[Any], list[Any]]:
    """Return the features of ``TAPS`` of the pictures as they are, and mirrored in another light; half precision."""
    forms: tuple[list[dict[Tap, Any]], list[dict[Tap, Any]]] = ([], [])
    for start in range(0, len(examples), _AT_ONCE):
        images = [one.image().resize((SIDE, SIDE), Image.Resampling.BILINEAR) for one in examples[start:][:_AT_ONCE]]
        for form, pictures in zip(forms, (images, [_changed(rng, image) for image in images]), strict=True):
            maps = feature_maps(pictures, SIDE, TAPS)
            form.append({tap: torch.from_numpy(maps[tap].astype(np.float16)) for tap in TAPS})
    plain, changed = ([torch.cat([part[tap] for part in form]) for tap in TAPS] for form in forms)
    return plain, changed


def _changed(rng: np.random.Generator, image: Image.Image) -> Image.Image:
    """Mirror a picture and change its light: light that was never seen looks like that."""
    gain, lift = rng.normal(1.0, _GAIN, 3), rng.normal(0.0, _LIFT, 3)
    pixels = np.asarray(image, dtype=np.float32)[:, ::-1] * gain + lift
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))


def _mirrored(heat: Any, reach: Any, mask: Any) -> tuple[Any, Any, Any]:
    return heat.flip(3), reach.flip(3)[:, [2, 1, 0, 3]], mask.flip(2)


def _target(example: Example) -> tuple[Array, Array, Array]:
    """Return heat (3, n, n), logarithms of cells to each side (4, n, n) and where these count (n, n)."""
    width, height = example.size
    heat = np.zeros((len(KINDS), _CELLS, _CELLS), dtype=np.float32)
    reach = np.zeros((4, _CELLS, _CELLS), dtype=np.float32)
    mask = np.zeros((_CELLS, _CELLS), dtype=np.float32)
    down, across = np.mgrid[:_CELLS, :_CELLS] + 0.5
    # Large ones first: where two cover a cell, the smaller one, which has fewer cells, keeps it.
    boxes = [(one.kind, one.box) for one in example.subjects]
    for kind, box in sorted(boxes, key=lambda one: -(one[1].right - one[1].left) * (one[1].bottom - one[1].top)):
        left, right = (value * _CELLS / width for value in (box.left, box.right))
        top, bottom = (value * _CELLS / height for value in (box.top, box.bottom))
        x, y = (left + right) / 2, (top + bottom) / 2
        far_x = (across - x) / (_SPREAD * (right - left) + _LEAST_SPREAD)
        far_y = (down - y) / (_SPREAD * (bottom - top) + _LEAST_SPREAD)
        peak = np.exp(-(far_x**2 + far_y**2) / 2).astype(np.float32)
        peak[min(_CELLS - 1, int(y)), min(_CELLS - 1, int(x))] = 1.0
        row = KINDS.index(kind)
        heat[row] = np.maximum(heat[row], peak)
        near = (peak > 0.45) & (across > left) & (across < right) & (down > top) & (down < bottom)
        sides = np.stack([across - left, down - top, right - across, bottom - down])
        reach[:, near] = np.log(np.maximum(0.1, sides))[:, near]
        mask[near] = 1.0
    return heat, reach, mask


def _losses(layers: Any, features: Sequence[Any], heat: Any, reach: Any, mask: Any) -> tuple[Any, Any]:
    """Return the focal loss of the heat (Zhou et al. 2019, eq. 1) and the logarithmic loss of the boxes' overlap."""
    maps = [part.float().contiguous(memory_format=torch.channels_last) for part in features]
    logits, found = forward(layers, maps)
    chance = logits.sigmoid().clamp(1e-4, 1 - 1e-4)
    middle = heat == 1.0
    right = (1 - chance) ** 2 * chance.log()
    wrong = (1 - heat) ** 4 * chance**2 * (1 - chance).log()
    loss_heat = -torch.where(middle, right, wrong).sum() / middle.sum().clamp(min=1)
    ours, theirs = found.exp(), reach.exp()
    least = torch.minimum(ours, theirs)
    both = (least[:, 0] + least[:, 2]) * (least[:, 1] + least[:, 3])
    areas = sum((one[:, 0] + one[:, 2]) * (one[:, 1] + one[:, 3]) for one in (ours, theirs))
    overlap = (both / (areas - both)).clamp(min=1e-3)
    return loss_heat, (-overlap.log() * mask).sum() / mask.sum().clamp(min=1)


def _folded(layers: Any) -> dict[str, Array]:
    plain = build(with_norm=False).eval()
    for name, part in layers.items():
        if name == "out":
            plain[name].load_state_dict(part.state_dict())
        else:
            fused = fuse_conv_bn_eval(part.convolution, part.norm)
            plain[name].convolution.load_state_dict(fused.state_dict())
    return {name: array.detach().contiguous().numpy() for name, array in plain.state_dict().items()}
