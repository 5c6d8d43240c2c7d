"""Data sets and media on disk or in a bucket: write aside, check, publish by one rename."""

from lifeloom.store.datasets import Check, DatasetReader, DatasetStore, DatasetWriter, Produced
from lifeloom.store.errors import (
    DatasetCheckFailed,
    DatasetCorrupt,
    DatasetMissing,
    HomeBusy,
    HomeUnusable,
    InvalidKey,
    MediaCorrupt,
    MediaMissing,
    StoreError,
    StoreFormatError,
    StoreFull,
)
from lifeloom.store.home import Home
from lifeloom.store.manifest import Manifest, Table
from lifeloom.store.media import MediaStore
from lifeloom.store.recipe import Recipe
from lifeloom.store.revision import code_revision

__all__ = [
    "Check",
    "DatasetCheckFailed",
    "DatasetCorrupt",
    "DatasetMissing",
    "DatasetReader",
    "DatasetStore",
    "DatasetWriter",
    "Home",
    "HomeBusy",
    "HomeUnusable",
    "InvalidKey",
    "Manifest",
    "MediaCorrupt",
    "MediaMissing",
    "MediaStore",
    "Produced",
    "Recipe",
    "StoreError",
    "StoreFormatError",
    "StoreFull",
    "Table",
    "code_revision",
]
