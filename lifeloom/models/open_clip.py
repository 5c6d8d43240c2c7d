"""Picture and text vectors of one space by any model that open_clip knows, cached by content and weights.

Passes have one fixed number of rows, short ones filled up: kernels may round differently for another number, so a
free one would let caches and the order of calls show in a data set.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from lifeloom.models.byte_cache import ByteCache
from lifeloom.models.checkpoints import NumberType, resolve_device, resolve_number_type
from lifeloom.models.efficientnet import cores, unit_rows
from lifeloom.models.open_clip_weights import (
    OpenClipNetwork,
    OpenClipSource,
    OpenClipUnusable,
    find_model,
    load_network,
    load_tokenizer,
    package_version,
)
from lifeloom.models.protocol import ModelIdentity
from lifeloom.store.pictures import picture_hash

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["OpenClipEncoder", "OpenClipTexts", "OpenClipUnusable"]

Array = npt.NDArray[np.float32]
ItemT = TypeVar("ItemT")

_AT_ONCE = 64
"""Items that are computed before they are kept: bounds memory, and what a killed run loses."""
_NARROWEST = 16
"""Longest side over shortest. Beyond it the ends are cut, as the centre crop would after scaling everything up."""


@dataclass(frozen=True)
class _Settings:
    """What the arguments come to on this machine."""

    source: OpenClipSource
    device: str
    dtype: NumberType
    batch: int
    name: str


class OpenClipEncoder:
    """An ``ImageEncoder`` whose ``text_encoder`` gives vectors of the same space; cosine is the dot product.

    Weights load at the first picture or text that no cache holds. Safe to share between threads; two processes may
    share a cache file. A vector is found again by its picture's pixels or its text, and by the model with the digest
    of its weights: a folder that was trained further is another model. Until it is closed, an encoder stays with the
    weights that it first saw; when the files change before they are loaded, it says so.

    Source: Radford et al., Learning Transferable Visual Models From Natural Language Supervision, 2021.

    Args:
        model: a name of ``open_clip.list_models()`` (``ViT-L-14``), ``hf-hub:OWNER/NAME``, or a folder with
            ``open_clip_config.json`` and weights (with or without ``local-dir:`` in front).
        pretrained: with a name, which weights: a tag (``openai``) or a file. Empty with a hub id or a folder, which
            have their own.
        device: ``auto`` (a GPU where there is one), or a name that torch takes.
        dtype: ``auto`` is float32 on a CPU and float16 elsewhere.
        batch: rows a pass, short ones filled up; None: 1 on a CPU, where more gain little (a third for ViT-B-32) and a
            picture alone would pay for all, and 32 elsewhere.
        cache_path: SQLite file that keeps vectors between runs (None: memory only). Made with its folder when missing.
        memory_items: vectors kept in memory, least recently used out first (3,072 bytes each for ViT-L-14).

    Raises:
        CacheFileUnusable: on first use, when ``cache_path`` is not a usable cache file.
        OpenClipUnusable: on first use, when the package, the model or its weights are not there.
    """

    def __init__(
        self,
        model: str,
        pretrained: str = "",
        *,
        device: str = "auto",
        dtype: NumberType = "auto",
        batch: int | None = None,
        cache_path: Path | str | None = None,
        memory_items: int = 10_000,
    ) -> None:
        if not model:
            raise ValueError("model is a name that open_clip knows, hf-hub:OWNER/NAME or a folder")
        if batch is not None and batch < 1:
            raise ValueError("batch is the number of rows a pass: 1 or more")
        resolve_number_type(dtype, "float32")  # refuses what is none
        self._model, self._pretrained = model, pretrained
        self._device, self._dtype, self._batch = device, dtype, batch
        self._cache = ByteCache(cache_path, memory_items)
        self._lock = threading.RLock()
        self._known: _Settings | None = None
        self._network: OpenClipNetwork | None = None
        self._tokenizer: Any = None
        self.encoded_pictures = 0
        """Pictures that went through the network, not a cache."""
        self.encoded_texts = 0
        """Texts that went through the network, not a cache."""

    @property
    def identity(self) -> ModelIdentity:
        """Backend ``open_clip``; the model with the digest of its weights, the package and how it computes.

        Raises:
            OpenClipUnusable: the package, the model or its weights are not there.
        """
        return ModelIdentity(backend="open_clip", model=self._settings().name)

    @property
    def dimensions(self) -> int:
        """Length of a vector, as the model's configuration says."""
        return self._settings().source.dimensions

    @property
    def text_encoder(self) -> OpenClipTexts:
        """A ``TextEncoder`` on the same network and cache."""
        return OpenClipTexts(self)

    def encode(self, pictures: Sequence[Image]) -> Array:
        """Return unit vectors, shape (len(pictures), dimensions), in the order of ``pictures`` (RGB, upright)."""
        rgb = [picture if picture.mode == "RGB" else picture.convert("RGB") for picture in pictures]
        keys = [bytes.fromhex(picture_hash(picture)) for picture in rgb]
        with self._lock:
            vectors, made = self._cached("pictures", keys, rgb, self._picture_vectors)
            self.encoded_pictures += made
        return vectors

    def encode_texts(self, texts: Sequence[str]) -> Array:
        """Return unit vectors, shape (len(texts), dimensions); a text beyond the model's window is cut there."""
        clean = [text.encode("utf-8", "replace").decode() for text in texts]  # half a surrogate pair is no text
        keys = [hashlib.blake2b(text.encode(), digest_size=16).digest() for text in clean]
        with self._lock:
            vectors, made = self._cached("texts", keys, clean, self._text_vectors)
            self.encoded_texts += made
        return vectors

    def check(self) -> str:
        """Return one line saying that the model answers, after a picture and a text went through it.

        Raises:
            OpenClipUnusable: the package, the model or its weights are not there, or it gives no numbers.
        """
        from PIL import Image as PillowImage

        with self._lock:
            settings = self._settings()
            for vectors in (
                self._picture_vectors([PillowImage.new("RGB", (64, 48), "grey")]),
                self._text_vectors(["a grey picture"]),
            ):
                if vectors.shape != (1, settings.source.dimensions):
                    raise OpenClipUnusable(
                        f"{settings.name}: vectors have shape {vectors.shape}, the configuration says "
                        f"{settings.source.dimensions} dimensions; the weights belong to another model"
                    )
        return f"open_clip {settings.name}: {settings.source.dimensions} dimensions, on {settings.device}"

    def close(self) -> None:
        """Close the cache file and free the network; the encoder may still be used, which opens both again."""
        with self._lock:
            self._cache.close()
            self._known = self._network = self._tokenizer = None

    def _cached(
        self, what: str, keys: Sequence[bytes], items: Sequence[ItemT], make: Callable[[Sequence[ItemT]], Array]
    ) -> tuple[Array, int]:
        """Return the vectors of ``items`` and how many of them no cache held; call with the lock."""
        settings = self._settings()
        size, space = 4 * settings.source.dimensions, f"open_clip/{what}/{settings.name}"
        # A torn or foreign value is made again.
        found = {key: value for key, value in self._cache.get_many(space, keys).items() if len(value) == size}
        missing = {key: item for key, item in zip(keys, items, strict=True) if key not in found}
        for part in _parts(list(missing), _AT_ONCE):
            made = make([missing[key] for key in part]).astype("<f4")
            fresh = {key: row.tobytes() for key, row in zip(part, made, strict=True)}
            self._cache.put_many(space, fresh)
            found.update(fresh)
        vectors = np.frombuffer(b"".join(found[key] for key in keys), dtype="<f4").astype(np.float32)
        return vectors.reshape(len(keys), settings.source.dimensions), len(missing)

    def _picture_vectors(self, pictures: Sequence[Image]) -> Array:
        network = self._loaded()

        def prepare(picture: Image) -> Any:
            return network.prepare(_centre(picture) if network.cuts_the_ends else picture)

        with ThreadPoolExecutor(cores()) as pool:
            tensors = list(pool.map(prepare, pictures))
        return self._forward(network.model.encode_image, tensors, network.input_dtype)

    def _text_vectors(self, texts: Sequence[str]) -> Array:
        network = self._loaded()
        if self._tokenizer is None:
            self._tokenizer = load_tokenizer(self._settings().source)
        return self._forward(network.model.encode_text, list(self._tokenizer(texts)), None)

    def _forward(self, encode: Callable[[Any], Any], tensors: Sequence[Any], dtype: Any) -> Array:
        """Return unit vectors, shape (len(tensors), D), in passes of one fixed number of rows."""
        import torch

        settings = self._settings()

        def one_pass(part: Sequence[Any]) -> Array:
            rows = torch.stack([*part, *[part[-1]] * (settings.batch - len(part))])  # (batch, ...)
            with torch.inference_mode():
                out = encode(rows.to(device=settings.device, dtype=dtype))  # (batch, D)
            return np.asarray(out[: len(part)].float().cpu().numpy())

        passes = list(_parts(tensors, settings.batch))
        if settings.device == "cpu":
            with ThreadPoolExecutor(min(cores(), len(passes))) as pool:  # side by side, one core each
                vectors = list(pool.map(one_pass, passes))
        else:
            vectors = [one_pass(part) for part in passes]
        joined = np.concatenate(vectors)
        if not np.isfinite(joined).all():
            raise OpenClipUnusable(f"{settings.name}: the network gives no numbers; set dtype to 'float32'")
        return unit_rows(joined)

    def _settings(self) -> _Settings:
        with self._lock:
            if self._known is None:
                device = resolve_device(self._device)
                kind = device.partition(":")[0]
                dtype = resolve_number_type(self._dtype, "float32" if kind == "cpu" else "float16")
                batch = self._batch or (1 if kind == "cpu" else 32)
                source = find_model(self._model, self._pretrained)
                how = f"open_clip_torch-{package_version()}/{dtype}-{kind}-{batch}"
                self._known = _Settings(source, device, dtype, batch, f"{source.label}@{source.files.digest}+{how}")
            return self._known

    def _loaded(self) -> OpenClipNetwork:
        if self._network is None:
            settings = self._settings()
            self._network = load_network(settings.source, settings.device, settings.dtype)
        return self._network


class OpenClipTexts:
    """The ``TextEncoder`` of an ``OpenClipEncoder``: what it says of a text compares with what it says of a picture."""

    def __init__(self, encoder: OpenClipEncoder) -> None:
        self._encoder = encoder

    @property
    def identity(self) -> ModelIdentity:
        """That of the encoder: one model gives both."""
        return self._encoder.identity

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return self._encoder.dimensions

    def encode(self, texts: Sequence[str]) -> Array:
        """Return unit vectors, shape (len(texts), dimensions)."""
        return self._encoder.encode_texts(texts)


def _centre(picture: Image) -> Image:
    """Cut the ends off a very long ``picture``: the network's square lies far within."""
    width = min(picture.width, _NARROWEST * picture.height)
    height = min(picture.height, _NARROWEST * picture.width)
    if (width, height) == picture.size:
        return picture
    left, top = (picture.width - width) // 2, (picture.height - height) // 2
    return picture.crop((left, top, left + width, top + height))


def _parts(items: Sequence[ItemT], size: int) -> Iterator[Sequence[ItemT]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
