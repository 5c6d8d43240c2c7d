"""Data sets: made aside, checked, and published by one rename of the manifest.

Layout under the root (see docs/records.md):

    datasets/<key>/manifest.json            what readers see; replaced by one rename, last
    datasets/<key>/manifest.previous.json   the manifest before it
    datasets/<key>/v.<content>/<table>.parquet
    media/<first two digits>/<SHA-256>      media of all data sets, by content
    staging/<owner>/                        half-made data; invisible, removed when its process is gone
    locks/                                  one lock a key: two writers of a key take turns

Scope: local file systems are safe against any number of writers in any number of processes. In a
bucket, writers of one key in different processes do not wait for each other: each publishes a whole
version, and the last one stands.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from lifeloom.records import Record
from lifeloom.store.errors import DatasetCheckFailed, DatasetCorrupt, DatasetMissing, StoreError
from lifeloom.store.manifest import (
    STORE_FORMAT,
    Manifest,
    Table,
    check_key,
    check_name,
    content_hash,
    parse_manifest,
)
from lifeloom.store.media import MediaStore
from lifeloom.store.place import Place
from lifeloom.store.processes import new_owner, owner_is_gone
from lifeloom.store.recipe import Recipe
from lifeloom.store.revision import code_revision
from lifeloom.store.tables import TableWriter, read_table, verify_table

__all__ = ["Check", "DatasetReader", "DatasetStore", "DatasetWriter", "Produced"]

RecordT = TypeVar("RecordT", bound=Record)


class DatasetReader:
    """The tables of one data set, published or staged for its checks."""

    def __init__(self, place: Place, folder: str, manifest: Manifest, media: MediaStore) -> None:
        self.manifest = manifest
        self.media = media
        self._place = place
        self._folder = folder

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the tables, sorted."""
        return tuple(table.name for table in self.manifest.tables)

    def rows(self, table: str) -> int:
        """Return how many records ``table`` holds. Raises ``DatasetMissing`` when there is none."""
        return self.manifest.table(table).rows

    def read(self, table: str, record_type: type[RecordT]) -> Iterator[RecordT]:
        """Yield the validated records of ``table``; the file's hash is checked first.

        Raises:
            DatasetMissing: There is no such table.
            DatasetCorrupt: The file is missing, cut short or changed.
            StoreFormatError: It holds other records than ``record_type``.
        """
        entry = self.manifest.table(table)
        verify_table(self._place, self._folder, entry)
        return read_table(self._place, self._folder, entry, record_type)


Check = Callable[[DatasetReader], list[str]]
"""Looks at staged data and returns the problems it finds, a sentence each; none lets them pass."""


class DatasetWriter:
    """Where ``make`` puts its records. Nothing is visible until all is made and checked."""

    def __init__(self, place: Place, folder: str, media: MediaStore) -> None:
        self._place = place
        self._folder = folder
        self._media = media
        self._tables: dict[str, TableWriter] = {}
        self._hashes: set[str] = set()
        self._broken: BaseException | None = None

    @property
    def rows(self) -> Mapping[str, int]:
        """Records written so far, by table."""
        return {name: table.rows for name, table in self._tables.items()}

    def write(self, table: str, record_type: type[RecordT], records: Iterable[RecordT]) -> int:
        """Append ``records`` to ``table`` and return how many they were.

        Any iterable does; it is taken in portions, so memory stays flat. An empty one makes an empty
        table. How the records are spread over calls does not change the file.

        Raises:
            InvalidKey: The table's name is not ``[a-z0-9_-]{1,64}``.
            TypeError: A record is not of ``record_type``, or the table holds another type.
            RecordConversionError: A value does not fit its column.
            OSError: The file system refuses; ``produce`` turns a full disk into ``StoreFull``.
        """
        check_name(table, "table")
        try:
            writer = self._tables.get(table)
            if writer is None:
                writer = self._tables[table] = TableWriter(self._place, self._folder, table, record_type)
            if writer.record_type is not record_type:
                raise TypeError(
                    f"the table {table!r} holds {writer.record_type.__name__} records, not {record_type.__name__}"
                )
            return writer.write(records)
        except BaseException as error:
            self._broken = error
            raise

    def put_media(self, data: bytes) -> str:
        """Store a media file that belongs to the data set and return its content hash.

        Raises:
            StoreFull: The disk is full.
        """
        content = self._media.put(data)
        self._hashes.add(content)
        return content

    def finish(self) -> tuple[tuple[Table, ...], tuple[str, ...]]:
        """Close all tables; return their entries and the media hashes, both sorted. For the store."""
        if self._broken is not None:
            # make() went on after a failed write: the table lacks records that were meant to be in it.
            raise StoreError(f"a write failed before and was passed over: {self._broken!r}") from self._broken
        tables = tuple(self._tables.pop(name).finish() for name in sorted(self._tables))
        return tables, tuple(sorted(self._hashes))

    def abandon(self) -> None:
        """Let go of half-written files. For the store."""
        while self._tables:
            self._tables.popitem()[1].abandon()


@dataclass(frozen=True)
class Produced:
    """The outcome of ``DatasetStore.produce``."""

    manifest: Manifest
    reused: bool
    """True when the data set was there already, made by the same recipe and code."""


class DatasetStore:
    """Data sets under one root, on any file system that fsspec knows.

    Args:
        url: A folder (``.lifeloom/data``) or an fsspec URL (``s3://bucket/lifeloom``).
        filesystem: An fsspec file system to use instead of the one that ``url`` names.
        revision: The code revision to record; None works it out from the sources.
    """

    def __init__(self, url: str | os.PathLike[str], *, filesystem: Any = None, revision: str | None = None) -> None:
        self._place = Place(url, filesystem)
        self._revision = revision
        self.media = MediaStore(self._place)

    def __repr__(self) -> str:
        return f"DatasetStore({str(self._place)!r})"

    def find(self, key: str) -> Manifest | None:
        """Return the manifest of ``key``, None when it has not been made.

        Raises:
            InvalidKey: ``key`` is not of the allowed form.
            StoreFormatError: An older or newer version of the store wrote it.
            DatasetCorrupt: The manifest cannot be read.
        """
        return self._manifest(check_key(key), "manifest.json")

    def manifest(self, key: str) -> Manifest:
        """Return the manifest of ``key``.

        Raises:
            DatasetMissing: It has not been made.
            InvalidKey, StoreFormatError, DatasetCorrupt: As ``find`` says.
        """
        manifest = self.find(key)
        if manifest is None:
            raise DatasetMissing(f"{key} has not been made in {self._place}; materialise it first")
        return manifest

    def keys(self, prefix: str = "") -> list[str]:
        """Return the sorted keys of all data sets, or of those at or under ``prefix`` (whole segments)."""
        found: list[str] = []
        start = tuple(check_name(segment, "prefix") for segment in prefix.split("/")) if prefix else ()
        folders = [start]
        while folders:
            folder = folders.pop()
            for name in self._place.names("/".join(("datasets", *folder))):
                if name == "manifest.json":
                    found.append("/".join(folder))
                elif "." not in name and len(folder) < 3:  # version folders and files have a dot
                    folders.append((*folder, name))
        return sorted(found)

    def reader(self, key: str) -> DatasetReader:
        """Return a reader of ``key`` as it is now. Raises as ``manifest`` does."""
        manifest = self.manifest(key)
        return DatasetReader(self._place, f"{_home(key)}/{manifest.version}", manifest, self.media)

    def read(self, key: str, table: str, record_type: type[RecordT]) -> Iterator[RecordT]:
        """Yield the validated records of a table, as a stream, in the order they were written.

        The hash of the file is checked before the first record. A version that is replaced while it
        is being read is read to its end.

        Raises:
            DatasetMissing: The data set or the table is not there.
            DatasetCorrupt: The file is missing, cut short or changed, or a row breaks a rule.
            StoreFormatError: The data have another format than this version of Lifeloom reads.
        """
        reader = self.reader(key)
        try:
            return reader.read(table, record_type)
        except (DatasetCorrupt, FileNotFoundError):
            # Two quick writers may have replaced and removed this version since its manifest was read.
            newer = self.reader(key)
            if newer.manifest.version == reader.manifest.version:
                raise
            return newer.read(table, record_type)

    def changed_parents(self, key: str) -> list[str]:
        """Return what ``key`` was made from and has been made anew, or is gone, since then: it is out of date.

        Raises:
            DatasetMissing: ``key`` has not been made.
        """
        changed = []
        for parent, content in self.manifest(key).recipe.parents.items():
            current = self.find(parent)
            if current is None or current.content_hash != content:
                changed.append(parent)
        return changed

    def produce(
        self, key: str, recipe: Recipe, make: Callable[[DatasetWriter], None], checks: Sequence[Check] = ()
    ) -> Produced:
        """Make ``key`` unless it is there already, made by the same recipe and code, and whole.

        ``make`` writes to a temporary place; ``checks`` look at what it wrote; then one rename
        publishes it. Whatever goes wrong before that (an error, a kill, a full disk) leaves what was
        published before in force. The version before the new one is kept, older ones are removed.

        Raises:
            DatasetCheckFailed: The checks found problems, or ``make`` wrote nothing.
            StoreFull: The disk is full.
            InvalidKey: ``key`` is not of the allowed form.
            StoreFormatError: An older or newer version of the store wrote what is there.
            Exception: Whatever ``make`` or a check raises.
        """
        check_key(key)
        revision = self._revision or code_revision()
        try:
            with self._place.lock(key.replace("/", ".")):
                current = self._current(key)
                if current is not None and self._is_fresh(current, recipe, revision):
                    return Produced(current, reused=True)
                self.sweep()
                return Produced(self._make(key, recipe, revision, make, checks), reused=False)
        except OSError as error:
            if full := self._place.when_full(error):
                raise full from error
            raise

    def sweep(self) -> list[str]:
        """Remove what killed writers left behind and return the names of the removed folders."""
        gone = [owner for owner in self._place.names("staging") if owner_is_gone(owner)]
        for owner in gone:
            self._place.remove(f"staging/{owner}")
        return gone

    def _manifest(self, key: str, file: str) -> Manifest | None:
        try:
            raw = self._place.read(f"{_home(key)}/{file}")
        except FileNotFoundError:
            return None
        return parse_manifest(key, raw)

    def _current(self, key: str, file: str = "manifest.json") -> Manifest | None:
        try:
            return self._manifest(key, file)
        except DatasetCorrupt:
            # Readers are told; making the data set again is the repair, so the maker goes on.
            return None

    def _is_fresh(self, manifest: Manifest, recipe: Recipe, revision: str) -> bool:
        if manifest.recipe_digest != recipe.digest() or manifest.code_revision != revision:
            return False
        try:
            for table in manifest.tables:
                verify_table(self._place, f"{_home(manifest.key)}/{manifest.version}", table)
        except DatasetCorrupt:
            return False  # made again: that is the repair
        return all(self.media.has(content) for content in manifest.media)

    def _make(
        self,
        key: str,
        recipe: Recipe,
        revision: str,
        make: Callable[[DatasetWriter], None],
        checks: Sequence[Check],
    ) -> Manifest:
        staging = f"staging/{new_owner()}"
        writer = DatasetWriter(self._place, staging, self.media)
        try:
            try:
                make(writer)
                tables, media = writer.finish()
            finally:
                writer.abandon()
            manifest = Manifest(
                store_format=STORE_FORMAT,
                key=key,
                tables=tables,
                media=media,
                content_hash=content_hash(tables, media),
                recipe=recipe,
                recipe_digest=recipe.digest(),
                code_revision=revision,
            )
            problems = [] if tables or media else ["nothing was written"]
            staged = DatasetReader(self._place, staging, manifest, self.media)
            for check in checks:
                problems += check(staged)
            if problems:
                raise DatasetCheckFailed(key, problems)
            self._publish(staging, manifest)
            return manifest
        finally:
            self._place.remove(staging)

    def _publish(self, staging: str, manifest: Manifest) -> None:
        home = _home(manifest.key)
        current = self._current(manifest.key)
        previous = self._current(manifest.key, "manifest.previous.json")
        # All that needs room on the disk is written before anything moves.
        self._place.write(f"{staging}/manifest.json", manifest.to_bytes())
        if current is not None and current.version != manifest.version:
            self._place.write(f"{staging}/manifest.previous.json", current.to_bytes())
        try:
            for table in manifest.tables:
                self._place.move(f"{staging}/{table.file}", f"{home}/{manifest.version}/{table.file}")
            if current is not None and current.version != manifest.version:
                self._place.move(f"{staging}/manifest.previous.json", f"{home}/manifest.previous.json")
            self._place.move(f"{staging}/manifest.json", f"{home}/manifest.json")
        except BaseException:
            # Asked again: the error may have come just after the manifest was in place.
            known = (self._current(manifest.key), self._current(manifest.key, "manifest.previous.json"))
            if all(kept is None or kept.version != manifest.version for kept in known):
                self._place.remove(f"{home}/{manifest.version}")
            raise
        self._remove_old_versions(manifest, current, previous)

    def _remove_old_versions(self, new: Manifest, current: Manifest | None, previous: Manifest | None) -> None:
        home = _home(new.key)
        kept = {new.version}
        if current is not None and current.version != new.version:
            kept.add(current.version)
        elif previous is not None:
            kept.add(previous.version)
        if self._place.local_root is not None:
            # Under the lock nobody else is publishing: versions that no manifest names are leftovers.
            old = {name for name in self._place.names(home) if name.startswith("v.")}
        else:
            old = {previous.version} if previous is not None else set()
        for version in sorted(old - kept):
            self._place.remove(f"{home}/{version}")


def _home(key: str) -> str:
    return f"datasets/{key}"
