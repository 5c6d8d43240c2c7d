"""Near-duplicate personas as clusters, and clusters as train or benchmark.

Candidates come from MinHash signatures in bands (locality-sensitive hashing, Broder 1997 and
Leskovec et al., Mining of Massive Datasets, section 3.4); a candidate pair counts when its texts
are alike word for word. Clusters are the connected components.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from lifeloom.records import Split
from lifeloom.streams import stable_hash

__all__ = ["SIMILARITY", "ClusterMember", "cluster_texts", "persona_id", "split_of"]

SIMILARITY = 75.0
"""Texts are near-duplicates from this share of common words: twice the common ones by all of both, 0 to 100.

Words, not letters: letters find common ground between any two sentences of one build."""

_PERMUTATIONS = 128
_ROWS = 4  # a band; 32 bands find a pair of Jaccard similarity 0.6 with 98.8 %, 0.7 with 99.98 %
_NEIGHBOURS = 16  # pairs tried a member of a crowded bucket: keeps the work linear
_TRAIN, _BENCHMARK = 5, 2  # PersonaVLM, Appendix C: 500 and 200 personas
_MIXER = 0x9E3779B97F4A7C15
_WORD = re.compile(r"\w+")


def persona_id(text: str) -> str:
    """Return the id of a persona, ``persona-<16 hex digits>``: the same text has the same id in every file."""
    return f"persona-{stable_hash('persona', text):016x}"


def split_of(cluster_id: str) -> Split:
    """Return the split of a cluster by a stable hash of its id, five train to two benchmark."""
    return "train" if stable_hash("split", cluster_id) % (_TRAIN + _BENCHMARK) < _TRAIN else "benchmark"


@dataclass(frozen=True, slots=True)
class ClusterMember:
    """Where one text belongs."""

    cluster_id: str
    """The least id of the cluster's members, so that the order of a file does not matter."""
    split: Split


def cluster_texts(texts: Mapping[str, str]) -> Mapping[str, ClusterMember]:
    """Cluster near-duplicates.

    The result depends on the ids and texts alone, not on their order. Time grows linearly with the
    number of texts: a band's bucket compares each member with at most 16 neighbours in the order of
    their words, and longer crowds of duplicates still hang together through these.

    Args:
        texts: Text by id; ids are distinct, and so should be the texts.
    """
    ids = sorted(texts)
    folded = [_folded(texts[one]) for one in ids]
    alike = [tuple(sorted(words)) for words in folded]
    groups = _Components(len(ids))
    for bucket in _buckets(folded):
        _join_alike(bucket, alike, groups)
    return {
        one: ClusterMember(cluster_id := ids[groups.root(index)], split_of(cluster_id)) for index, one in enumerate(ids)
    }


def _folded(text: str) -> tuple[str, ...]:
    """Return the words without case, width variants and punctuation."""
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def _shingles(words: Sequence[str]) -> list[bytes]:
    """Return single words and pairs of neighbours: pairs alone would miss two edits in a short text."""
    pairs = (f"{first} {second}" for first, second in pairwise(words))
    return [shingle.encode("utf-8", "surrogatepass") for shingle in sorted({*words, *pairs})]


def _buckets(folded: Sequence[tuple[str, ...]]) -> Iterator[list[int]]:
    """Yield groups of indices (at least two) whose signatures agree in one band."""
    import numpy as np
    from datasketch import MinHash

    signatures = np.empty((len(folded), _PERMUTATIONS), dtype=np.uint64)
    made = MinHash.generator(map(_shingles, folded), num_perm=_PERMUTATIONS, seed=1, hashfunc=zlib.crc32)
    for index, signature in enumerate(made):
        signatures[index] = signature.hashvalues
    for start in range(0, _PERMUTATIONS, _ROWS):
        keys = signatures[:, start].copy()
        for row in range(start + 1, start + _ROWS):  # two bands with one key by accident only cost a comparison
            keys = keys * np.uint64(_MIXER) + signatures[:, row]
        order = np.argsort(keys, kind="stable")
        edges = np.flatnonzero(np.diff(keys[order])) + 1
        for bucket in np.split(order, edges):
            if len(bucket) > 1:
                yield bucket.tolist()


def _join_alike(bucket: list[int], texts: Sequence[tuple[str, ...]], groups: _Components) -> None:
    from rapidfuzz import fuzz

    first = groups.root(bucket[0])
    if all(groups.root(index) == first for index in bucket):
        return
    ordered = sorted(bucket, key=lambda index: (texts[index], index))
    for place, index in enumerate(ordered):
        for other in ordered[max(0, place - _NEIGHBOURS) : place]:
            if groups.root(index) != groups.root(other) and fuzz.ratio(
                texts[index], texts[other], score_cutoff=SIMILARITY
            ):
                groups.join(index, other)


class _Components:
    """Disjoint sets of 0..n-1; a set's root is its least member."""

    def __init__(self, size: int) -> None:
        self._parent = list(range(size))

    def root(self, one: int) -> int:
        parent = self._parent
        while parent[one] != one:
            parent[one] = parent[parent[one]]
            one = parent[one]
        return one

    def join(self, one: int, other: int) -> None:
        first, second = sorted((self.root(one), self.root(other)))
        self._parent[second] = first
