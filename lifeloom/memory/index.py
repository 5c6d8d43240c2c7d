"""Exact nearest memories of one kind: sorted by time so that a period is a slice, numpy for few and FAISS for many.

A first pass in 32-bit floats keeps everything that lies within its largest possible error of the k-th best; what is
kept is scored again in 64 bits. So the answer is that of a full search in 64 bits, whoever made the first pass.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["DIGITS", "NEVER", "Found", "IndexSettings", "KindIndex", "Query", "View", "nearest"]

DIGITS: Final = 6
"""Scores that are equal to this many digits are ties."""

NEVER: Final = np.iinfo(np.int64).max
"""The time of an end that has not come."""

_FIELDS: Final = 7
"""Rows, starts, ends, known_at, known_turns, ended_at, ended_turns."""
_MOST: Final = 1024
"""Candidates up to which FAISS is asked for more; beyond them a full pass is cheaper."""
_CHUNK: Final = 4096
_FEW: Final = 200

_Ints = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float32]
_Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class IndexSettings:
    """What searches a user's vectors. The answers are the same."""

    faiss_from: int = 4_000
    """Vectors in the period from which on FAISS makes the first pass; below, numpy does."""
    gpu: bool = True
    """Whether FAISS may use a GPU, where there is one and its build has support for it."""


class Found(NamedTuple):
    """A memory that was found; in this order they sort from best to last."""

    worse: float
    """The score, negative."""
    older: int
    """The end, negative."""
    row: int
    similarity: float
    lexical: float


class Query(NamedTuple):
    """The vector that is searched with."""

    vector: _Floats
    """(dimensions,)."""
    wide: npt.NDArray[np.float64]
    """The same in 64 bits."""
    length: float

    @classmethod
    def of(cls, vector: _Floats) -> Query:
        """Return the query of a vector."""
        wide = vector.astype(np.float64)
        return cls(vector, wide, math.sqrt(wide @ wide))


@dataclass(frozen=True)
class View:
    """The vectors of a kind as they were at one moment of the file. Never changes."""

    vectors: _Floats
    """(n, dimensions), unit, by start, then row."""
    rows: _Ints
    starts: _Ints
    ends: _Ints
    known_at: _Ints
    known_turns: _Ints
    ended_at: _Ints
    """NEVER where it has no end."""
    ended_turns: _Ints
    last_ends: _Ints
    """The latest end up to a position."""
    ends_sorted: bool
    known_at_most: int
    known_turns_most: int
    any_ended: bool
    places: _Ints | None
    """Position by rank of the row; None where positions are in the order of rows."""
    by_row: _Ints
    """Rows, ascending."""
    gpu: _GpuVectors | None

    def span(self, start: int | None, end: int | None) -> tuple[int, int, _Mask | None]:
        """Return the positions ``low..high`` whose times may overlap a period, and which of them do (None: all)."""
        low = 0 if start is None else int(self.last_ends.searchsorted(start))
        high = len(self.rows) if end is None else int(self.starts.searchsorted(end, "right"))
        if start is None or self.ends_sorted or low >= high:
            return low, high, None
        return low, high, self.ends[low:high] >= start

    def within(self, first: int, last: int) -> _Ints:
        """Return the positions of what began and ended between two times, both included."""
        low, high = int(self.starts.searchsorted(first)), int(self.starts.searchsorted(last, "right"))
        return (self.ends[low:high] <= last).nonzero()[0] + low

    def there(self, low: int, high: int, at: int | None, turns: int | None) -> _Mask | None:
        """Return which of ``low..high`` were known and not over at a moment; None: all. ``at`` None: now."""
        if at is None:
            return self.ended_at[low:high] == NEVER if self.any_ended else None
        mask: _Mask | None = None
        if at < self.known_at_most:
            mask = self.known_at[low:high] <= at
        if turns is not None and turns < self.known_turns_most:
            early = self.known_turns[low:high] <= turns
            mask = early if mask is None else mask & early
        if self.any_ended:
            over = self.ended_at[low:high] <= at
            if turns is not None:
                over &= self.ended_turns[low:high] <= turns
            mask = ~over if mask is None else mask & ~over
        return mask

    def positions(self, rows: Sequence[int]) -> _Ints:
        """Return where those of ``rows`` stand that are here."""
        wanted = np.array(sorted(rows), dtype=np.int64)
        ranks = self.by_row.searchsorted(wanted)
        ranks = ranks[ranks < len(self.by_row)]
        ranks = ranks[self.by_row[ranks] == wanted[: len(ranks)]]
        found: _Ints = ranks if self.places is None else self.places[ranks]
        return found


class KindIndex:
    """The vectors of one kind, which grow as memories are added. Not locked: its owner is."""

    def __init__(self, dimensions: int) -> None:
        self._vectors = np.empty((0, dimensions), dtype=np.float32)
        self._fields = np.empty((_FIELDS, 0), dtype=np.int64)
        self._count = 0
        self._gpu: _GpuVectors | None = None
        self._view: View | None = None

    def __len__(self) -> int:
        """Return the number of vectors."""
        return self._count

    def add(self, fields: _Ints, vectors: _Floats) -> None:
        """Add memories.

        Args:
            fields: (7, n): rows (ascending, above those before), starts, ends, known_at, known_turns, ended_at,
                ended_turns.
            vectors: (n, dimensions), unit; the index may keep it.
        """
        old, new = self._count, self._count + fields.shape[1]
        if not old:
            self._vectors, self._fields = vectors, np.ascontiguousarray(fields)
        else:
            if new > len(self._vectors):
                room = max(new, old + old // 2 + 16)
                self._vectors = _grown(self._vectors, old, (room, self._vectors.shape[1]))
                self._fields = _grown(self._fields.T, old, (room, _FIELDS)).T.copy()
            self._vectors[old:new] = vectors
            self._fields[:, old:new] = fields
        self._count = new
        starts = self._fields[1, :new]
        if not (starts[max(old, 1) - 1 : new - 1] <= starts[max(old, 1) : new]).all():
            order = np.lexsort((self._fields[0, :new], starts))
            self._vectors = self._vectors[:new][order]
            self._fields = self._fields[:, :new][:, order]
            self._gpu = None
        self._view = None

    def end(self, rows: _Ints, ended_at: _Ints, ended_turns: _Ints) -> None:
        """Say which memories are over since when; all of them, those said before included."""
        positions = self.view().positions(rows.tolist())
        known = np.isin(rows, self._fields[0, : self._count])
        order = np.argsort(rows[known])
        self._fields = self._fields.copy()
        self._fields[5, positions] = ended_at[known][order]
        self._fields[6, positions] = ended_turns[known][order]
        self._view = None

    def view(self, gpu: bool = False) -> View:
        """Return what there is now."""
        if self._view is None:
            n = self._count
            rows, starts, ends, known_at, known_turns, ended_at, ended_turns = self._fields[:, :n]
            last_ends = np.maximum.accumulate(ends)
            sorted_rows = bool((rows[:-1] < rows[1:]).all())
            places = None if sorted_rows else np.argsort(rows)
            if gpu and self._gpu is None:
                self._gpu = _GpuVectors()
            self._view = View(
                vectors=self._vectors[:n],
                rows=rows,
                starts=starts,
                ends=ends,
                known_at=known_at,
                known_turns=known_turns,
                ended_at=ended_at,
                ended_turns=ended_turns,
                last_ends=last_ends,
                ends_sorted=bool((last_ends == ends).all()),
                known_at_most=int(known_at.max(initial=np.iinfo(np.int64).min)),
                known_turns_most=int(known_turns.max(initial=0)),
                any_ended=bool((ended_at != NEVER).any()),
                places=places,
                by_row=rows if places is None else rows[places],
                gpu=self._gpu,
            )
        return self._view


class _GpuVectors:
    """The vectors of a view on a GPU."""

    def __init__(self) -> None:
        self._index: Any = None

    def __len__(self) -> int:
        return 0 if self._index is None else int(self._index.ntotal)

    def nearest(self, vectors: _Floats, query: _Floats, count: int) -> tuple[_Floats, _Ints]:
        import faiss

        if self._index is None:
            flat = faiss.IndexFlatIP(vectors.shape[1])
            self._index = faiss.index_cpu_to_gpu(faiss.StandardGpuResources(), 0, flat)
        if self._index.ntotal < len(vectors):
            self._index.add(vectors[self._index.ntotal :])
        scores, positions = self._index.search(query[None], count)
        return scores[0], positions[0]


def nearest(
    view: View,
    query: Query,
    k: int,
    low: int,
    high: int,
    mask: _Mask | None,
    dropped: _Ints,
    matched: _Ints,
    shares: _Floats,
    weight: float,
    settings: IndexSettings,
) -> list[Found]:
    """Return the best ``k`` of ``low..high``, best first, and those that tie with the last.

    Better is the higher score, then what ended later.

    Args:
        view: The vectors.
        query: What is searched for.
        k: How many, 1 or more.
        low: First position.
        high: Behind the last position.
        mask: Which of these may be returned; None: all.
        dropped: Positions that may not.
        matched: Positions, ascending, whose keywords match.
        shares: How well, 0..1.
        weight: What a full match adds to the cosine.
        settings: Who makes the first pass.
    """
    if mask is not None:
        allowed = mask.nonzero()[0]
        if not len(allowed):
            return []
        if len(allowed) == high - low:
            mask = None
        else:
            first, last = int(allowed[0]), int(allowed[-1]) + 1
            mask = None if len(allowed) == last - first else mask[first:last]
            low, high = low + first, low + last
    if low >= high:
        return []
    if len(matched):
        inside = slice(int(matched.searchsorted(low)), int(matched.searchsorted(high)))
        matched, shares = matched[inside], shares[inside]
    # The error of a sum of n products in 32 bits and of adding the keywords' part, and half a step of the last digit on
    # either side.
    margin = (1.01 * len(query.vector) * max(1.0, query.length) + 4 * weight + 4) * 2.0**-23 + 10.0**-DIGITS
    candidates: _Ints | None = None
    if high - low >= settings.faiss_from:
        candidates = _by_faiss(view, query.vector, k, low, high, mask, dropped, matched, shares, weight, margin)
    if candidates is None:
        candidates = _by_numpy(view, query.vector, k, low, high, mask, dropped, matched, shares, weight, margin)
    return _exact(view, query, k, candidates, matched, shares, weight)


def _by_numpy(
    view: View,
    query: _Floats,
    k: int,
    low: int,
    high: int,
    mask: _Mask | None,
    dropped: _Ints,
    matched: _Ints,
    shares: _Floats,
    weight: float,
    margin: float,
) -> _Ints:
    scores = view.vectors[low:high] @ query
    if len(matched):
        scores[matched - low] += weight * shares
    if mask is not None:
        scores[~mask] = -np.inf
    if len(dropped):
        scores[dropped[(dropped >= low) & (dropped < high)] - low] = -np.inf
    least = -1e30  # below every score but those that were taken out
    if high - low > k:
        ordered = scores.copy()
        ordered.partition(high - low - k)
        least = max(least, ordered[high - low - k] - margin)
    return (scores >= least).nonzero()[0] + low


def _by_faiss(
    view: View,
    query: _Floats,
    k: int,
    low: int,
    high: int,
    mask: _Mask | None,
    dropped: _Ints,
    matched: _Ints,
    shares: _Floats,
    weight: float,
    margin: float,
) -> _Ints | None:
    """Return the candidates, or None where so many would be needed that a full pass is cheaper."""
    if len(matched) > (high - low) // 4:
        return None
    import faiss

    bonus = np.zeros(0, dtype=np.float32)
    if len(matched):
        if len(dropped) or mask is not None:
            allowed = ~np.isin(matched, dropped)
            if mask is not None:
                allowed &= mask[matched - low]
            matched, shares = matched[allowed], shares[allowed]
        bonus = view.vectors[matched] @ query + np.float32(weight) * shares
    total = high - low if view.gpu is None else max(len(view.vectors), len(view.gpu))
    count = min(k + len(dropped) + 16, total)
    while count <= _MOST:
        if view.gpu is not None:
            scores, positions = view.gpu.nearest(view.vectors, query, count)
        else:
            found = faiss.knn(query[None], view.vectors[low:high], count, metric=faiss.METRIC_INNER_PRODUCT)
            scores, positions = found[0][0], found[1][0] + low
        least = float(scores[-1])
        kept = (positions >= low) & (positions < high)
        if mask is not None:
            kept[kept] = mask[positions[kept] - low]
        if len(dropped):
            kept &= ~np.isin(positions, dropped)
        plain = kept & ~np.isin(positions, matched) if len(matched) else kept
        together = np.concatenate((scores[plain], bonus))
        wanted = np.partition(together, len(together) - k)[len(together) - k] - margin if len(together) > k else -np.inf
        if least < wanted or count == total:
            return np.concatenate((positions[plain], matched))[together >= wanted]
        count = min(4 * count, total)
    return None


def _exact(
    view: View, query: Query, k: int, candidates: _Ints, matched: _Ints, shares: _Floats, weight: float
) -> list[Found]:
    similarity = _cosines(view, query, candidates)
    if len(candidates) > max(_FEW, k):  # ties by the hundred: leave out in bulk what cannot be among the best
        scores = similarity
        if len(matched):
            scores = similarity + weight * np.asarray(_shares_of(candidates, matched, shares), dtype=np.float32)
        kept = (scores >= np.partition(scores, len(scores) - k)[len(scores) - k] - 10.0**-DIGITS).nonzero()[0]
        candidates, similarity = candidates[kept], similarity[kept]
    entries = [
        Found(-round(cosine + weight * share, DIGITS), -end, row, cosine, share)
        for row, cosine, share, end in zip(
            view.rows.take(candidates).tolist(),
            similarity.tolist(),
            _shares_of(candidates, matched, shares) if len(matched) else itertools.repeat(0.0),
            view.ends.take(candidates).tolist(),
            strict=False,
        )
    ]
    entries.sort()
    tied = k
    while tied < len(entries) and entries[tied][:2] == entries[k - 1][:2]:
        tied += 1
    return entries[:tied]


def _shares_of(candidates: _Ints, matched: _Ints, shares: _Floats) -> list[float]:
    """Return the share of each candidate, 0 where it does not match."""
    if len(matched) + len(candidates) <= _FEW:
        share_of = dict(zip(matched.tolist(), shares.tolist(), strict=True))
        return [share_of.get(position, 0.0) for position in candidates.tolist()]
    where = matched.searchsorted(candidates)
    where[where == len(matched)] = 0
    each: list[float] = np.where(matched[where] == candidates, shares[where], np.float32(0)).tolist()
    return each


def _cosines(view: View, query: Query, candidates: _Ints) -> npt.NDArray[np.float64]:
    """Return cosines in 64 bits, each from its own row, so that it does not hang on who else is a candidate."""
    if not query.length:
        return np.zeros(len(candidates))
    parts = (candidates[at : at + _CHUNK] for at in range(0, len(candidates), _CHUNK))
    cosines = [np.vecdot(view.vectors.take(part, 0), query.wide) for part in parts]
    return cosines[0] if len(cosines) == 1 else np.concatenate(cosines or [np.zeros(0)])


def _grown(array: npt.NDArray[Any], used: int, shape: tuple[int, int]) -> npt.NDArray[Any]:
    grown = np.empty(shape, dtype=array.dtype)
    grown[:used] = array[:used]
    return grown
