"""The manifest of a data set: what it holds, what it was made from, and the hashes that prove it."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lifeloom.store.errors import DatasetCorrupt, DatasetMissing, InvalidKey, StoreFormatError
from lifeloom.store.recipe import ContentHash, Recipe, canonical_json

__all__ = ["STORE_FORMAT", "Manifest", "Table", "check_key", "check_name", "content_hash", "parse_manifest"]

STORE_FORMAT = 1
"""Raised by one whenever the layout of the store or the manifest changes."""

_NAME = re.compile(r"[a-z0-9_-]{1,64}")


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Table(_Model):
    """One table of a data set: one Parquet file."""

    name: str
    kind: str
    """Kind of its records."""
    format_version: int
    rows: int = Field(ge=0)
    file: Annotated[str, Field(pattern=r"^[a-z0-9_-]{1,64}\.parquet$")]
    """Name of the file in the version's folder."""
    bytes: int = Field(ge=0)
    sha256: ContentHash
    schema_digest: ContentHash


class Manifest(_Model):
    """What lies in a data set. The same recipe and code give the same manifest, byte for byte."""

    store_format: int
    key: str
    tables: tuple[Table, ...]
    """Sorted by name."""
    media: tuple[ContentHash, ...]
    """Content hashes of the media that the data set brought along, sorted."""
    content_hash: ContentHash
    """Over the tables and media alone: equal for equal contents, whatever they were made from."""
    recipe: Recipe
    recipe_digest: ContentHash
    code_revision: str

    @property
    def version(self) -> str:
        """Name of the folder that holds the tables' files."""
        return f"v.{self.content_hash[:16]}"

    def table(self, name: str) -> Table:
        """Return the table called ``name``.

        Raises:
            DatasetMissing: The data set has no such table; the message names those it has.
        """
        for table in self.tables:
            if table.name == name:
                return table
        there = ", ".join(table.name for table in self.tables) or "none"
        raise DatasetMissing(f"{self.key} has no table {name!r}; its tables: {there}")

    def to_bytes(self) -> bytes:
        """Return the manifest as the file that is stored."""
        return canonical_json(self.model_dump(mode="json")).encode()


def content_hash(tables: tuple[Table, ...], media: tuple[str, ...]) -> str:
    """Return the SHA-256 over the contents of a data set."""
    content = {"tables": [table.model_dump(mode="json") for table in tables], "media": list(media)}
    return hashlib.sha256(canonical_json(content).encode()).hexdigest()


def parse_manifest(key: str, raw: bytes) -> Manifest:
    """Return the manifest in ``raw``.

    Raises:
        StoreFormatError: Its format is older or newer than this version of Lifeloom.
        DatasetCorrupt: It is not a manifest of ``key``.
    """
    what_to_do = "make the data set again"
    try:
        value = json.loads(raw)
        found = value["store_format"]
    except (ValueError, TypeError, KeyError) as error:
        raise DatasetCorrupt(f"the manifest of {key} is not readable ({error!r}); {what_to_do}") from error
    if found != STORE_FORMAT:
        newer = isinstance(found, int) and found > STORE_FORMAT
        advice = (
            "update Lifeloom" if newer else "use the version that made it, or a new LIFELOOM_HOME and make it again"
        )
        raise StoreFormatError(
            f"{key} was stored with store format {found!r}, {'newer' if newer else 'older'} than {STORE_FORMAT}, which "
            f"this version of Lifeloom reads and writes; {advice}. Nothing was touched"
        )
    try:
        manifest = Manifest.model_validate(value)
    except ValidationError as error:
        raise DatasetCorrupt(f"the manifest of {key} breaks its rules; {what_to_do}: {error}") from error
    if manifest.key != key:
        raise DatasetCorrupt(f"the manifest at {key} is that of {manifest.key}; {what_to_do}")
    if manifest.content_hash != content_hash(manifest.tables, manifest.media):
        raise DatasetCorrupt(f"the manifest of {key} was changed after it was written; {what_to_do}")
    return manifest


def check_name(name: str, what: str = "name") -> str:
    """Return ``name`` when it is ``[a-z0-9_-]{1,64}``.

    Raises:
        InvalidKey: It is not.
    """
    if not _NAME.fullmatch(name):
        raise InvalidKey(f"the {what} {name[:200]!r} is not of the form [a-z0-9_-]{{1,64}}")
    return name


def check_key(key: str) -> str:
    """Return ``key`` when it is ``stage/name`` or ``stage/name/partition``.

    Raises:
        InvalidKey: It is not, or a segment is not ``[a-z0-9_-]{1,64}``.
    """
    segments = key.split("/")
    if len(segments) not in (2, 3):
        raise InvalidKey(f"the key {key[:200]!r} is not stage/name or stage/name/partition")
    for segment in segments:
        check_name(segment, f"segment of the key {key[:200]!r}")
    return key
