"""Search of a user's vectors, kept up to date with the file whoever writes to it."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from lifeloom.memory import coding
from lifeloom.memory.errors import OperationInvalid, OtherEncoder
from lifeloom.memory.file import MemoryFile
from lifeloom.memory.index import NEVER, Found, IndexSettings, KindIndex, Query, View, nearest
from lifeloom.memory.lexical import LexicalIndex
from lifeloom.memory.makers import Makers
from lifeloom.memory.types import Hit, Period, Vector
from lifeloom.memory.vectors import read_vectors
from lifeloom.records import Memory, MemoryKind, Moment

__all__ = ["Searcher"]

_MANY: Final = 20_000
"""Memories that are kept as records; the least effort when there are more is to begin anew."""
_AT_ONCE: Final = 64
_SMALL: Final = 1_000
"""Memories up to which all are read as records once a user is searched for the second time: a search is then as fast as
its arithmetic, for about 2 kB a memory."""
_FIRST: Final = 3
"""Searches of a first turn, which reads what it finds alone: opening a file must be quick."""
_NONE: Final = np.empty(0, dtype=np.int64)
_NO_SHARES: Final = np.empty(0, dtype=np.float32)
_ROWS: Final = (
    "SELECT row, happened_from, happened_from + lasted, happened_from + lasted + known_after, known_turns, "  # noqa: S608 - a number of ours
    f"coalesce(ended_at, {NEVER}), coalesce(ended_turns, {NEVER}), kind, coalesce(slot, -1), coalesce(crop_slot, -1) "
    "FROM memories WHERE row > ? AND kind != 0 ORDER BY row"
)
_ENDS: Final = (
    "SELECT row, ended_at, ended_turns FROM memories WHERE kind = ? AND key IS NOT NULL AND ended_at IS NOT NULL"
)


@dataclass
class _Kind:
    """What is kept of the memories of a kind."""

    index: KindIndex
    lexical: LexicalIndex | None = None
    """Filled at the first search with keywords."""
    last_filed: int = 0
    """Row up to which ``lexical`` is filled."""


class Searcher:
    """Searches one user's file.

    Args:
        file: The user's file.
        makers: Of the file.
        settings: What searches.
    """

    def __init__(self, file: MemoryFile, makers: Makers, settings: IndexSettings) -> None:
        self._file = file
        self._makers = makers
        self._settings = settings
        self._writes = 0
        self._stamp: tuple[int, int, int] | None = None
        self._generation = file.generation
        self._epoch = self._ends = ""
        self._forget()

    def written(self) -> None:
        """Say that this connection wrote: the file's own number of changes tells of others only."""
        self._writes += 1

    def stamp(self) -> tuple[int, int, int]:
        """See ``UserMemory.stamp``."""
        return (self._file.version(), self._file.generation, self._writes)

    def search(
        self,
        wanted: Mapping[MemoryKind, int],
        vector: Vector,
        *,
        period: Period | None,
        as_of: Moment | None,
        exclude: Collection[str],
        keywords: Sequence[str],
        context_turns: Collection[int],
        lexical_weight: float,
    ) -> dict[MemoryKind, tuple[Hit, ...]]:
        """See ``UserMemory.search_kinds``."""
        if "core" in wanted:
            raise OperationInvalid("core memory is not searched: it is always in the prompt")
        start = end = None
        if period is not None:
            start = None if period.start is None else coding.micros(period.start)
            end = None if period.end is None else coding.micros(period.end)
        at, turns = (None, None) if as_of is None else (coding.micros(as_of.at), as_of.turns)
        words = keywords if lexical_weight > 0 else ()
        asked: list[tuple[MemoryKind, int, View, int, int, Any, Any, Any, Any]] = []
        with self._file.lock:
            self._refresh()
            if words and any(map(self._unfiled, wanted)):
                with self._file.snapshot():  # vectors and keywords of one moment of the file
                    self._refresh()
                    for kind in wanted:
                        self._file_keywords(kind)
            for kind, k in wanted.items():
                kept = self._kinds.get(kind)
                if kept is None or k < 1:
                    continue
                view = kept.index.view(self._with_gpu(kept.index))
                low, high, mask = view.span(start, end)
                there = view.there(low, high, at, turns)
                mask = there if mask is None else mask if there is None else mask & there
                matched, shares = _NONE, _NO_SHARES
                if words and kept.lexical is not None:
                    matched, shares = _matching(kept.lexical, view, words, at, turns)
                dropped = self._dropped(view, exclude, context_turns) if exclude or context_turns else _NONE
                asked.append((kind, k, view, low, high, mask, dropped, matched, shares))
        hits: dict[MemoryKind, tuple[Hit, ...]] = dict.fromkeys(wanted, ())
        query: Query | None = None
        for kind, k, view, low, high, mask, dropped, matched, shares in asked:
            query = query or Query.of(_checked(vector, view))
            found = nearest(view, query, k, low, high, mask, dropped, matched, shares, lexical_weight, self._settings)
            hits[kind] = self._hits(found, k, as_of)
        return hits

    def search_crops(self, vector: Vector, k: int, *, as_of: Moment | None) -> tuple[Hit, ...]:
        """See ``UserMemory.search_crops``."""
        with self._file.lock:
            self._refresh()
            if self._crops is None or k < 1:
                return ()
            view = self._crops.view(self._with_gpu(self._crops))
        at, turns = (None, None) if as_of is None else (coding.micros(as_of.at), as_of.turns)
        high = len(view.rows)
        found = nearest(
            view,
            Query.of(_checked(vector, view)),
            k,
            0,
            high,
            view.there(0, high, at, turns),
            _NONE,
            _NONE,
            _NO_SHARES,
            0.0,
            self._settings,
        )
        return self._hits(found, k, as_of)

    def _hits(self, found: Sequence[Found], k: int, as_of: Moment | None) -> tuple[Hit, ...]:
        with self._file.lock:
            memories = self._memories([one.row for one in found])
        there = [(one, memories[one.row]) for one in found if one.row in memories]  # not erased yet
        for one, following in itertools.pairwise(found):
            if one[:2] == following[:2]:
                there.sort(key=lambda entry: (*entry[0][:2], entry[1].memory_id))
                break
        return tuple(
            [Hit(coding.as_known(memory, as_of), -one.worse, one.similarity, one.lexical) for one, memory in there[:k]]
        )

    def _memories(self, rows: Sequence[int]) -> dict[int, Memory]:
        """Return memories by row, those that are there."""
        kept = self._kept
        try:
            return {row: kept[row] for row in rows}
        except KeyError:
            missing = [row for row in rows if row not in kept]
        if len(kept) + len(missing) > _MANY:
            kept.clear()
            self._row_of.clear()
            missing = list(rows)
        self._misses += 1
        if self._misses > _FIRST and self._last_row <= _SMALL and 2 * len(kept) < self._last_row:
            self._keep("kind != 0", ())
        else:
            for begin in range(0, len(missing), _AT_ONCE):
                some = missing[begin : begin + _AT_ONCE]
                self._keep(f"row IN ({', '.join('?' * len(some))})", some)
        return {row: kept[row] for row in rows if row in kept}

    def _keep(self, where: str, parameters: Sequence[int]) -> None:
        for values in self._file.query(
            f"SELECT {coding.MEMORY_COLUMNS} FROM memories WHERE {where}",  # noqa: S608 - names of ours
            parameters,
        ):
            memory = coding.read_memory(values, self._file.user_id, self._makers)
            self._kept[values[0]] = memory
            self._row_of[memory.memory_id] = values[0]

    def _dropped(self, view: View, exclude: Iterable[str], context_turns: Collection[int]) -> npt.NDArray[np.int64]:
        rows: set[int] = set()
        for memory_id in exclude:
            row = self._row_of.get(memory_id)
            if row is None:
                found = self._file.query("SELECT row FROM memories WHERE name = ?", (coding.stored_id(memory_id),))
                row = found[0][0] if found else None
            if row is not None:
                rows.add(row)
        if context_turns:
            wanted = frozenset(context_turns)
            ((first, last),) = self._file.query(
                "SELECT min(at), max(at) FROM turns WHERE turn BETWEEN ? AND ?", (min(wanted), max(wanted))
            )
            here = [] if first is None else view.rows[view.within(first, last)].tolist()
            for row, memory in self._memories(here).items():
                if memory.source_turns and wanted.issuperset(memory.source_turns):
                    rows.add(row)
        return view.positions(list(rows)) if rows else _NONE

    def _unfiled(self, kind: MemoryKind) -> bool:
        kept = self._kinds.get(kind)
        return kept is not None and (kept.lexical is None or len(kept.lexical) < len(kept.index))

    def _file_keywords(self, kind: MemoryKind) -> None:
        kept = self._kinds.get(kind)
        if kept is None:
            return
        if kept.lexical is None:
            kept.lexical = LexicalIndex()
        rows = self._file.query(
            "SELECT row, keywords FROM memories WHERE row > ? AND kind = ? AND slot IS NOT NULL ORDER BY row",
            (kept.last_filed, coding.KIND_CODES[kind]),
        )
        for row, words in rows:
            kept.lexical.add(len(kept.lexical), coding.read_words(words))
            kept.last_filed = row

    def _with_gpu(self, index: KindIndex) -> bool:
        if not self._settings.gpu or len(index) < self._settings.faiss_from:
            return False
        import faiss

        return int(faiss.get_num_gpus()) > 0

    def _refresh(self) -> None:
        """Take in what was written since the last search."""
        file = self._file
        stamp = self.stamp()
        if stamp == self._stamp:
            return
        with file.snapshot() as sql:
            meta = dict(sql.execute("SELECT name, value FROM meta WHERE name IN ('epoch', 'ends')").fetchall())
            if meta["epoch"] != self._epoch or file.generation != self._generation:
                self._forget()
            elif meta["ends"] != self._ends:
                self._take_ends(sql)
            self._epoch, self._ends, self._generation = meta["epoch"], meta["ends"], file.generation
            self._take_new(sql)
        self._stamp = stamp

    def _forget(self) -> None:
        self._kinds: dict[MemoryKind, _Kind] = {}
        self._crops: KindIndex | None = None
        self._kept: dict[int, Memory] = {}
        self._row_of: dict[str, int] = {}
        self._last_row = 0
        self._misses = 0

    def _take_ends(self, sql: sqlite3.Connection) -> None:
        for row in [row for row, memory in self._kept.items() if memory.kind == "procedural"]:
            del self._kept[row]
        kind = self._kinds.get("procedural")
        if kind is not None:
            ends = _integers(sql.execute(_ENDS, (coding.KIND_CODES["procedural"],)), 3)
            kind.index.end(ends[0], ends[1], ends[2])

    def _take_new(self, sql: sqlite3.Connection) -> None:
        new = _integers(sql.execute(_ROWS, (self._last_row,)), 10)
        if not new.shape[1]:
            return
        self._last_row = int(new[0, -1])
        texts = new[:, new[8] >= 0]
        vectors = read_vectors(sql, "text", texts[8])
        for kind in ("semantic", "episodic", "procedural"):
            mine = texts[7] == coding.KIND_CODES[kind]
            if mine.any():
                kept = self._kinds.get(kind)
                if kept is None:
                    kept = self._kinds[kind] = _Kind(KindIndex(vectors.shape[1]))
                kept.index.add(texts[:7, mine], vectors[mine])
        crops = new[:, new[9] >= 0]
        if crops.shape[1]:
            vectors = read_vectors(sql, "image", crops[9])
            if self._crops is None:
                self._crops = KindIndex(vectors.shape[1])
            self._crops.add(crops[:7], vectors)


def _integers(rows: Iterable[Sequence[Any]], width: int) -> npt.NDArray[np.int64]:
    """Return rows of integers as an array, shape (width, rows)."""
    return np.fromiter(itertools.chain.from_iterable(rows), dtype=np.int64).reshape(-1, width).T


def _matching(
    index: LexicalIndex, view: View, keywords: Sequence[str], at: int | None, turns: int | None
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
    """Return the positions whose keywords match, ascending, and how well among what was there at the moment."""
    there = view.there(0, len(view.rows), at, turns)
    if there is not None and view.places is not None:
        there = there[view.places]
    ranks, shares = index.match(keywords, there)
    if view.places is None or not len(ranks):
        return ranks, shares
    positions = view.places[ranks]
    order = np.argsort(positions)
    return positions[order], shares[order]


def _checked(vector: Vector, view: View) -> npt.NDArray[np.float32]:
    query = np.ascontiguousarray(vector, dtype=np.float32)
    width = view.vectors.shape[1]
    if query.shape != (width,):
        raise OtherEncoder(
            f"the vector of the query has shape {query.shape}, those in the file ({width},); use the file's encoder"
        )
    return query
