"""The file of a life graph: SQLite, one a life. It holds the graph of the bins so far, so that building resumes."""

from __future__ import annotations

import contextlib
import datetime as dt
import gc
import json
import os
import sqlite3
import urllib.parse
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final, cast

from lifeloom.lifegraph.graph import LifeGraph
from lifeloom.lifegraph.ondisk import (
    APPLICATION_ID,
    FORMAT,
    LifeGraphFileBroken,
    LifeGraphFileError,
    LifeGraphFileMissing,
    LifeGraphFileOther,
    check_header,
    explained,
    prepare,
)
from lifeloom.lifegraph.types import ENTITY_TYPES, Attribute, Entity, EntityType, Fact

__all__ = [
    "LifeGraphFile",
    "LifeGraphFileBroken",
    "LifeGraphFileError",
    "LifeGraphFileMissing",
    "LifeGraphFileOther",
    "write_graph",
]

_BUSY_SECONDS: Final = 30.0
_TABLES: Final = (
    "CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    # row: the order in which they were added. Lists are JSON; empty where there are none.
    "CREATE TABLE entities(row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, type TEXT NOT NULL, name TEXT NOT NULL, "
    "aliases TEXT NOT NULL, sources TEXT NOT NULL, known_at TEXT, known_turns INTEGER NOT NULL)",
    "CREATE TABLE facts(row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, head INTEGER NOT NULL, "
    "relation TEXT NOT NULL, tail INTEGER NOT NULL, attributes TEXT NOT NULL, sources TEXT NOT NULL, known_at TEXT, "
    "known_turns INTEGER NOT NULL)",
    # what building did, a row a bin
    "CREATE TABLE bins(number INTEGER PRIMARY KEY, report TEXT NOT NULL)",
)


class LifeGraphFile:
    """A life graph on the disk. Use it as a context manager, or close it.

    Every change is one transaction: a killed process leaves the graph of the last one.
    """

    def __init__(self, path: Path, sql: sqlite3.Connection, *, read_only: bool) -> None:
        self.path = path
        self.read_only = read_only
        self._sql = sql
        with self._explained():
            meta = dict(sql.execute("SELECT name, value FROM meta").fetchall())
            rows = () if read_only else sql.execute("SELECT id, row FROM entities").fetchall()
        self._rows: dict[str, int] = dict(rows)
        self.life_id: str = meta.get("life", "")
        self.owner_id: str = meta.get("owner", "")
        """Entity of the owner; empty: not known."""
        self.made_from: str = meta.get("made_from", "")
        """Digest of what it is built from and by whom; empty where nobody said."""
        self.finished: bool = meta.get("finished", "") == "1"
        """Whether building came to its end."""

    @classmethod
    def create(
        cls, path: str | os.PathLike[str], life_id: str, *, owner_id: str = "", made_from: str = ""
    ) -> LifeGraphFile:
        """Make an empty file and open it.

        Args:
            path: the file; its folder is made where it is missing.
            life_id: whose graph it is.
            owner_id: entity of the owner, where it is known already.
            made_from: digest of what it is to be built from.

        Raises:
            LifeGraphFileOther: there is a file already.
            LifeGraphFileError: it cannot be written.
        """
        place = Path(path).expanduser().absolute()
        making = place.with_name(f"{place.name}.new")
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            if os.path.lexists(place):
                raise LifeGraphFileOther(f"there is a file {place} already: open it, remove it, or give another path")
            making.unlink(missing_ok=True)
            with contextlib.closing(sqlite3.connect(making, isolation_level=None)) as sql:
                sql.execute("BEGIN")
                for statement in _TABLES:
                    sql.execute(statement)
                values = {"life": life_id, "owner": owner_id, "made_from": made_from, "finished": "0"}
                sql.executemany("INSERT INTO meta VALUES (?, ?)", sorted(values.items()))
                sql.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                sql.execute(f"PRAGMA user_version = {FORMAT}")
                sql.execute("COMMIT")
            making.rename(place)
        except (sqlite3.Error, OSError) as error:
            raise LifeGraphFileError(f"{place} cannot be written ({error}): check the folder and its disk") from error
        return cls.open(place, read_only=False)

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, read_only: bool = True) -> LifeGraphFile:
        """Open a file.

        Args:
            path: the file.
            read_only: only read; the file and its folder do not change.

        Raises:
            LifeGraphFileMissing: there is none.
            LifeGraphFileBroken: it is damaged, cut short, of another program, or of a newer version.
            LifeGraphFileError: it cannot be read.
        """
        place = Path(path).expanduser().absolute()
        check_header(place)
        # A journal beside the file is of a killed writer: only a connection that may write can undo what it left.
        killed = Path(f"{place}-journal").exists()
        mode = "ro" if read_only and not killed else "rw"
        try:
            sql = sqlite3.connect(
                f"file:{urllib.parse.quote(str(place))}?mode={mode}",
                uri=True,
                isolation_level=None,
                timeout=_BUSY_SECONDS,
                check_same_thread=False,
            )
        except sqlite3.Error as error:
            raise LifeGraphFileError(f"{place} cannot be opened ({error}): check its rights") from error
        try:
            prepare(place, sql, read_only=read_only)
            return cls(place, sql, read_only=read_only)
        except BaseException:
            sql.close()
            raise

    def __enter__(self) -> LifeGraphFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close it; closing twice is fine."""
        self._sql.close()

    def graph(self) -> LifeGraph:
        """Return what is in the file as a graph.

        Raises:
            LifeGraphFileBroken: it is damaged.
        """
        with self._explained():
            nodes = self._sql.execute(
                "SELECT row, id, type, name, aliases, sources, known_at, known_turns FROM entities ORDER BY row"
            ).fetchall()
            edges = self._sql.execute(
                "SELECT id, head, relation, tail, attributes, sources, known_at, known_turns FROM facts ORDER BY row"
            ).fetchall()
        try:
            with _no_collection():
                return self._made(nodes, edges)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise self._broken(f"a row of it cannot be read ({error})") from error

    def _made(self, nodes: Sequence[Any], edges: Sequence[Any]) -> LifeGraph:
        aliases, cited = _texts([row[4] for row in nodes]), _texts([row[5] for row in nodes])
        entities = [
            Entity(row[1], _type(row[2]), row[3], tuple(also), tuple(sources), _moment(row[6]), row[7])
            for row, also, sources in zip(nodes, aliases, cited, strict=True)
        ]
        ids = {row[0]: row[1] for row in nodes}
        same: dict[tuple[str, tuple[str, ...]], Attribute] = {}  # most occur again and again
        parts, cited = _lists([row[4] for row in edges]), _texts([row[5] for row in edges])
        facts = [
            Fact(
                fact_id,
                ids[head],
                relation,
                ids[tail],
                tuple([_shared(same, key, values) for key, values in attributes]) if attributes else (),
                tuple(sources),
                None if known_at is None else _moment(known_at),
                known_turns,
            )
            for (fact_id, head, relation, tail, _, _, known_at, known_turns), attributes, sources in zip(
                edges, parts, cited, strict=True
            )
        ]
        return LifeGraph.of(self.life_id, self.owner_id, entities, facts)

    def add(self, entities: Iterable[Entity] = (), facts: Iterable[Fact] = ()) -> None:
        """Add entities and facts in one transaction; those that are there (by id) are replaced in their place.

        Raises:
            ValueError: a fact has an end that is no entity.
            LifeGraphFileError: it cannot be written.
        """
        with self._writing():
            self._put(entities, facts)

    def finish_bin(
        self, number: int, report: str, entities: Iterable[Entity], facts: Iterable[Fact], *, owner_id: str
    ) -> None:
        """Add what a bin brought together with its report, in one transaction.

        Args:
            number: of the bin; each is finished once.
            report: what building did, as JSON.
            entities: new and changed ones.
            facts: new and changed ones.
            owner_id: entity of the owner, as far as it is known.

        Raises:
            LifeGraphFileError: it cannot be written, or the bin is finished already: another process builds it too.
        """
        with self._writing() as sql:
            self._put(entities, facts)
            sql.execute("INSERT INTO bins VALUES (?, ?)", (number, report))
            sql.execute("UPDATE meta SET value = ? WHERE name = 'owner'", (owner_id,))
        self.owner_id = owner_id

    def reports(self) -> dict[int, str]:
        """Return the reports of the bins that are finished, by number."""
        with self._explained():
            return dict(self._sql.execute("SELECT number, report FROM bins ORDER BY number").fetchall())

    def finish(self) -> None:
        """Say that building came to its end, and write the file anew without gaps.

        The same content gives the same bytes, however often building was interrupted.

        Raises:
            LifeGraphFileError: it cannot be written.
        """
        with self._writing() as sql:
            sql.execute("UPDATE meta SET value = '1' WHERE name = 'finished'")
        made = self.path.with_name(f"{self.path.name}.new")
        with self._explained():
            made.unlink(missing_ok=True)
            self._sql.execute("VACUUM INTO ?", (str(made),))
            self._sql.close()
            made.replace(self.path)
            self._sql = sqlite3.connect(self.path, isolation_level=None, timeout=_BUSY_SECONDS, check_same_thread=False)
        self.finished = True

    def _put(self, entities: Iterable[Entity], facts: Iterable[Fact]) -> None:
        sql = self._sql
        for one in entities:
            values = (one.type, one.name, _text(one.aliases), _text(one.sources), _stamp(one.known_at), one.known_turns)
            row = self._rows.get(one.entity_id)
            if row is None:
                cursor = sql.execute(
                    "INSERT INTO entities VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)", (one.entity_id, *values)
                )
                self._rows[one.entity_id] = cast("int", cursor.lastrowid)
            else:
                sql.execute(
                    "UPDATE entities SET type = ?, name = ?, aliases = ?, sources = ?, known_at = ?, known_turns = ? "
                    "WHERE row = ?",
                    (*values, row),
                )
        for fact in facts:
            for end in (fact.head, fact.tail):
                if end not in self._rows:
                    raise ValueError(f"fact {fact.fact_id} of {self.life_id} has an end that is no entity: {end}")
            sql.execute(
                "INSERT INTO facts VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(id) DO UPDATE SET "
                "head = excluded.head, relation = excluded.relation, tail = excluded.tail, "
                "attributes = excluded.attributes, sources = excluded.sources, known_at = excluded.known_at, "
                "known_turns = excluded.known_turns",
                (
                    fact.fact_id,
                    self._rows[fact.head],
                    fact.relation,
                    self._rows[fact.tail],
                    _text([(one.key, one.values) for one in fact.attributes]),
                    _text(fact.sources),
                    _stamp(fact.known_at),
                    fact.known_turns,
                ),
            )

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        if self.read_only:
            raise LifeGraphFileError(f"{self.path} was opened for reading: open it with read_only=False to write")
        known = dict(self._rows)
        try:
            with self._explained():
                self._sql.execute("BEGIN IMMEDIATE")
                yield self._sql
                self._sql.execute("COMMIT")
        except BaseException:
            self._rows = known
            if self._sql.in_transaction:
                self._sql.execute("ROLLBACK")
            raise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError, OSError) as error:
            raise explained(self.path, error) from error

    def _broken(self, why: str) -> LifeGraphFileBroken:
        return LifeGraphFileBroken(f"the life graph {self.path} is damaged: {why}; remove it and build it anew")


def write_graph(path: str | os.PathLike[str], graph: LifeGraph) -> None:
    """Write a whole graph to a new file; the same graph gives the same bytes.

    Raises:
        LifeGraphFileOther: there is a file already.
        LifeGraphFileError: it cannot be written.
    """
    with LifeGraphFile.create(path, graph.life_id, owner_id=graph.owner_id) as file:
        file.add(graph.entities.values(), graph.facts.values())
        file.finish()


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keep the garbage collector from going through thousands of new objects of which none is garbage."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _text(values: Sequence[Any]) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")) if values else ""


def _lists(texts: Sequence[str]) -> list[list[Any]]:
    """Read many lists at once, which is several times as fast as one by one."""
    found: list[list[Any]] = json.loads(f"[{','.join([text or '[]' for text in texts])}]")
    if len(found) != len(texts) or not all(isinstance(one, list) for one in found):
        raise TypeError("what should be lists is something else")
    return found


def _texts(texts: Sequence[str]) -> list[list[str]]:
    found = _lists(texts)
    if not all(type(one) is str for own in found for one in own):
        raise TypeError("what should be a text is something else")
    return found


def _shared(same: dict[tuple[str, tuple[str, ...]], Attribute], key: str, listed: list[str]) -> Attribute:
    if type(listed) is not list:
        raise TypeError("the values of an attribute are no list")
    values = tuple(listed)
    found = same.get((key, values))
    if found is None:
        if not all(isinstance(one, str) for one in (key, *values)):
            raise TypeError("an attribute is no text")
        found = same[key, values] = Attribute(key, values)
    return found


def _type(text: str) -> EntityType:
    if text not in ENTITY_TYPES:
        raise ValueError(f"unknown type {text!r}")
    return text


def _stamp(moment: dt.datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def _moment(text: str | None) -> dt.datetime | None:
    return None if text is None else dt.datetime.fromisoformat(text)
