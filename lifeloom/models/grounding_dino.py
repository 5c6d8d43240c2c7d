"""An open-vocabulary detector: Grounding DINO as transformers carries it, cached by picture, weights and question.

Only pictures of one size share a pass, so that none is filled up with a border that the network would see: a picture
gets the same boxes alone and in any company: the same bytes where each has a pass of its own, as on a CPU, else up to
rounding.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from lifeloom.models.byte_cache import ByteCache
from lifeloom.models.checkpoints import NumberType, resolve_device, resolve_number_type
from lifeloom.models.efficientnet import cores
from lifeloom.models.grounding_labels import DEFAULT_LABELS, FoundBoxes, LabelUnusable, Prompt, prompts, read_boxes
from lifeloom.models.grounding_weights import (
    GroundingDinoNetwork,
    GroundingDinoSource,
    GroundingDinoUnusable,
    find_checkpoint,
    load_network,
    package_version,
)
from lifeloom.models.protocol import Detection, ModelIdentity
from lifeloom.records import SubjectKind
from lifeloom.store.pictures import picture_hash

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["DEFAULT_LABELS", "GroundingDinoDetector", "GroundingDinoUnusable", "LabelUnusable"]

_WIDEST = 4
"""Passes side by side on a CPU: each holds some hundred megabytes."""
_NARROWEST = 16
"""Longest side over shortest of what the network is shown."""
_MEAN_COLOUR = (124, 116, 104)
"""Of ImageNet; nothing, to the network."""

_SIDES = ("left", "top", "right", "bottom")
_ROW = np.dtype([("label", "<i4"), ("score", "<f4"), *((side, "<f4") for side in _SIDES)])
_END = b"gd1."
"""Ends a cached value: what was cut has no end, what is empty has one."""


class GroundingDinoDetector:
    """A ``Detector`` that finds what it is asked for in words.

    Weights load at the first picture that no cache holds. Safe to share between threads; two processes may share a
    cache file. What was found is found again by the picture's pixels, the digest of the checkpoint's files, the
    labels and the thresholds. Until it is closed, a detector stays with the weights that it first saw.

    Source: Liu et al., Grounding DINO: Marrying DINO with Grounded Pre-Training for Open-Set Object Detection, 2023.

    Args:
        checkpoint: a folder as transformers saves one, or a hub id (``IDEA-Research/grounding-dino-base``).
        labels: what ``detect`` looks for, and what kind of thing each is. More than fit the model's text window
            (some hundred) are asked for in several passes.
        box_threshold: boxes whose best token scores no higher are not returned, 0..1.
        text_threshold: a box belongs to a label only if a token of it scores higher, 0..1.
        device: ``auto`` (a GPU where there is one), or a name that torch takes.
        dtype: ``auto`` is float32.
        batch: pictures of one size a pass; None: 1 on a CPU and 8 elsewhere.
        cache_path: SQLite file that keeps what was found between runs (None: memory only). Made with its folder.
        memory_items: pictures whose finds are kept in memory, least recently used out first.

    Raises:
        CacheFileUnusable: on first use, when ``cache_path`` is not a usable cache file.
        GroundingDinoUnusable: on first use, when the checkpoint is not one.
        NotOnHub: on first use, when it is neither here nor to be had.
    """

    def __init__(
        self,
        checkpoint: str,
        *,
        labels: Mapping[str, SubjectKind] = DEFAULT_LABELS,
        box_threshold: float = 0.25,
        text_threshold: float = 0.25,
        device: str = "auto",
        dtype: NumberType = "auto",
        batch: int | None = None,
        cache_path: Path | str | None = None,
        memory_items: int = 10_000,
    ) -> None:
        if not checkpoint:
            raise ValueError("checkpoint is a folder or a hub id")
        if not labels:
            raise ValueError("labels says what to look for: at least one")
        if not (0 <= box_threshold <= 1 and 0 <= text_threshold <= 1):
            raise ValueError("box_threshold and text_threshold lie in 0..1")
        if batch is not None and batch < 1:
            raise ValueError("batch is the number of pictures a pass: 1 or more")
        self._checkpoint = checkpoint
        self._labels = dict(labels)
        self._thresholds = (float(box_threshold), float(text_threshold))
        self._device, self._dtype, self._batch = device, resolve_number_type(dtype, "float32"), batch
        self._cache = ByteCache(cache_path, memory_items)
        self._lock = threading.RLock()
        self._known: _Settings | None = None
        self._network: GroundingDinoNetwork | None = None
        self.detected_pictures = 0
        """Pictures that went through the network, not a cache."""
        self.unmapped_boxes = 0
        """Boxes left out because no label's token scored well enough; only of pictures that went through it."""

    @property
    def identity(self) -> ModelIdentity:
        """Backend ``grounding_dino``; the checkpoint with its digest, the package, the labels and how it computes.

        Raises:
            GroundingDinoUnusable: the package or the checkpoint is not there.
            NotOnHub: the checkpoint is neither here nor to be had.
        """
        labels = _short(self._labels)
        return ModelIdentity(backend="grounding_dino", model=f"{self._settings().name}/labels-{labels}")

    def detect(self, pictures: Sequence[Image]) -> list[tuple[Detection, ...]]:
        """Return which of the labels given at the start stand in each of ``pictures`` (RGB, upright), best first.

        Boxes are in pixels of the picture as given and lie within it.

        Raises:
            GroundingDinoUnusable: the checkpoint cannot be used, or the network gives no numbers.
            LabelUnusable: a label has no word that the model knows, or does not fit the window.
        """
        return self.detect_labels(pictures, self._labels)

    def detect_labels(
        self, pictures: Sequence[Image], labels: Sequence[str] | Mapping[str, SubjectKind]
    ) -> list[tuple[Detection, ...]]:
        """Return which of ``labels`` stand in each of ``pictures`` (RGB, upright), best first.

        Where labels do not fit one pass, each pass finds on its own: one thing may then be found as two labels.

        Args:
            pictures: where to look.
            labels: what to look for; without kinds, a label has the kind it was given at the start, else it is an
                object. None find nothing.

        Raises:
            GroundingDinoUnusable: the checkpoint cannot be used, or the network gives no numbers.
            LabelUnusable: a label has no word that the model knows, or does not fit the window.
        """
        names = list(labels)
        kinds: Mapping[str, SubjectKind] = labels if isinstance(labels, Mapping) else self._labels
        if not names:
            return [()] * len(pictures)
        rgb = [picture if picture.mode == "RGB" else picture.convert("RGB") for picture in pictures]
        keys = [bytes.fromhex(picture_hash(picture)) for picture in rgb]
        space = f"grounding_dino/{self._settings().name}/{_short(names)}"
        with self._lock:  # what one thread is looking at, no other looks at as well
            # A torn or foreign value is made again.
            found = {
                key: rows
                for key, value in self._cache.get_many(space, keys).items()
                if (rows := _unpack(value, len(names))) is not None
            }
            missing = {key: picture for key, picture in zip(keys, rgb, strict=True) if key not in found}
            if missing:
                network = self._loaded()
                lines = prompts(names, network.tokenizer, network.window)
                for part in _passes(missing, self._settings().batch):
                    fresh = self._look(network, lines, part)
                    self._cache.put_many(space, {key: rows.tobytes() + _END for key, rows in fresh.items()})
                    found.update(fresh)
        return [
            tuple(
                Detection(kinds.get(names[label], "object"), score, (left, top, right, bottom), names[label])
                for label, score, left, top, right, bottom in found[key].tolist()
            )
            for key in keys
        ]

    def check(self) -> str:
        """Return one line saying that the detector answers, after a picture went through it with all its labels.

        Raises:
            GroundingDinoUnusable: the checkpoint cannot be used, or the network gives no numbers.
            NotOnHub: it is neither here nor to be had.
        """
        from PIL import Image as PillowImage

        with self._lock:
            network = self._loaded()
            lines = prompts(list(self._labels), network.tokenizer, network.window)
            for line in lines:
                self._forward(network, line, [PillowImage.new("RGB", (64, 48), "grey")])
        passes = "one pass" if len(lines) == 1 else f"{len(lines)} passes"
        return f"grounding_dino {self.identity.model}: {len(self._labels)} labels in {passes}, on {network.device}"

    def close(self) -> None:
        """Close the cache file and free the network; the detector may still be used, which opens both again."""
        with self._lock:
            self._cache.close()
            self._known = self._network = None

    def _look(
        self, network: GroundingDinoNetwork, lines: Sequence[Prompt], part: Sequence[Mapping[bytes, Image]]
    ) -> dict[bytes, npt.NDArray[Any]]:
        """Return the rows, best first, of the pictures in ``part``, each mapping a pass; call with the lock."""

        def one_pass(pictures: Mapping[bytes, Image]) -> list[list[FoundBoxes]]:
            return [self._forward(network, line, list(pictures.values())) for line in lines]

        if network.device == "cpu" and len(part) > 1:
            with ThreadPoolExecutor(len(part)) as pool:
                answers = list(pool.map(one_pass, part))
        else:
            answers = [one_pass(pictures) for pictures in part]
        rows: dict[bytes, npt.NDArray[Any]] = {}
        for pictures, of_lines in zip(part, answers, strict=True):
            for key, finds in zip(pictures, zip(*of_lines, strict=True), strict=True):
                rows[key] = _join(finds)
                self.unmapped_boxes += sum(one.unmapped for one in finds)
        self.detected_pictures += len(rows)
        return rows

    def _forward(self, network: GroundingDinoNetwork, line: Prompt, pictures: Sequence[Image]) -> list[FoundBoxes]:
        """One pass over ``pictures`` of one size."""
        import torch

        batch = len(pictures)
        with torch.inference_mode():
            seen = [_filled_up(picture) for picture in pictures]
            pixels = network.images(images=seen, return_tensors="pt")["pixel_values"]  # (B, 3, H, W)
            ids = torch.tensor([line.tokens], device=network.device).expand(batch, -1)  # (B, L)
            out = network.model(
                pixel_values=pixels.to(network.device, network.model.dtype),
                input_ids=ids,
                token_type_ids=torch.zeros_like(ids),
                attention_mask=torch.ones_like(ids),
            )
            logits = out.logits.float().cpu().numpy()  # (B, Q, window)
            centres = out.pred_boxes.float().cpu().numpy()  # (B, Q, 4)
        if np.isnan(logits).any() or not np.isfinite(centres).all():
            raise GroundingDinoUnusable(f"{self._checkpoint}: the network gives no numbers; set dtype to 'float32'")
        return [
            read_boxes(logits[row], centres[row], line, seen[row].size, picture.size, *self._thresholds)
            for row, picture in enumerate(pictures)
        ]

    def _settings(self) -> _Settings:
        with self._lock:
            if self._known is None:
                device = resolve_device(self._device)
                kind = device.partition(":")[0]
                batch = self._batch or (1 if kind == "cpu" else 8)
                source = find_checkpoint(self._checkpoint)
                name = (
                    f"{source.label}@{source.files.digest}+transformers-{package_version()}/{self._dtype}-{kind}-{batch}"
                    f"/box-{self._thresholds[0]:g}-text-{self._thresholds[1]:g}"
                )
                self._known = _Settings(source, device, batch, name)
            return self._known

    def _loaded(self) -> GroundingDinoNetwork:
        if self._network is None:
            settings = self._settings()
            self._network = load_network(settings.source, settings.device, self._dtype)
        return self._network


@dataclass(frozen=True)
class _Settings:
    """What the arguments come to on this machine."""

    source: GroundingDinoSource
    device: str
    batch: int
    name: str


def _passes(pictures: Mapping[bytes, Image], batch: int) -> Iterator[list[dict[bytes, Image]]]:
    """Yield some passes at a time, each of up to ``batch`` pictures of one size."""
    groups: dict[tuple[int, int], list[bytes]] = {}
    for key, picture in pictures.items():
        groups.setdefault(picture.size, []).append(key)
    passes = [
        {key: pictures[key] for key in keys[start : start + batch]}
        for keys in groups.values()
        for start in range(0, len(keys), batch)
    ]
    at_once = min(cores(), _WIDEST)
    for start in range(0, len(passes), at_once):
        yield passes[start : start + at_once]


def _filled_up(picture: Image) -> Image:
    """Return a very long ``picture`` with a border at its right or bottom: the network needs places for its queries."""
    width = max(picture.width, -(-picture.height // _NARROWEST))
    height = max(picture.height, -(-picture.width // _NARROWEST))
    if (width, height) == picture.size:
        return picture
    from PIL import Image as PillowImage

    canvas = PillowImage.new("RGB", (width, height), _MEAN_COLOUR)
    canvas.paste(picture, (0, 0))
    return canvas


def _join(finds: Sequence[FoundBoxes]) -> npt.NDArray[Any]:
    """Return the rows of all passes over one picture, best first."""
    rows = np.empty(sum(len(one.scores) for one in finds), dtype=_ROW)
    rows["label"] = np.concatenate([one.labels for one in finds])
    rows["score"] = np.concatenate([one.scores for one in finds])
    for side, place in zip(_SIDES, np.concatenate([one.boxes for one in finds]).T, strict=True):
        rows[side] = place
    return rows[np.lexsort((*(rows[side] for side in reversed(_SIDES)), rows["label"], -rows["score"]))]


def _unpack(value: bytes, labels: int) -> npt.NDArray[Any] | None:
    """Return the rows in a cached ``value``; None where it is torn or not of ``labels`` labels."""
    if not value.endswith(_END) or (len(value) - len(_END)) % _ROW.itemsize:
        return None
    rows = np.frombuffer(value[: -len(_END)], dtype=_ROW)
    return rows if np.all((rows["label"] >= 0) & (rows["label"] < labels)) else None


def _short(labels: Sequence[str] | Mapping[str, SubjectKind]) -> str:
    return hashlib.blake2b(json.dumps(labels).encode(), digest_size=6).hexdigest()
