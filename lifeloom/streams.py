"""Named random streams: all randomness comes from one seed through names, never from global state.

A stream depends on the seed and its name alone, so one shard or one persona can be made again,
byte for byte, without making the others.
"""

from __future__ import annotations

import hashlib
import random

__all__ = ["Streams", "stable_hash"]


def stable_hash(*parts: str | int) -> int:
    """Return a 64-bit hash of ``parts`` that is the same in every process and on every machine."""
    joined = "\x1f".join(str(part) for part in parts).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(joined, digest_size=8).digest(), "big")


class Streams:
    """The family of random streams under one seed.

    ``Streams(7).rng("dialogues", "p-001")`` always starts the same sequence; streams with other
    names are independent of it.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def rng(self, *names: str | int) -> random.Random:
        """Return a fresh generator for the stream called ``names``."""
        return random.Random(stable_hash(self.seed, *names))  # noqa: S311 - not for secrets

    def numpy_seed(self, *names: str | int) -> int:
        """Return a seed in 0..2**32-1 for numpy or torch generators of the stream ``names``."""
        return stable_hash(self.seed, *names) % 2**32
