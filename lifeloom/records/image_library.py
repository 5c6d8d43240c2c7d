"""The image library: pictures of concepts that query pictures are made of (CoViP Section 3.2.1, Appendix D)."""

from __future__ import annotations

from typing import ClassVar, Literal, get_args

from pydantic import Field

from lifeloom.records.base import Identifier, Record
from lifeloom.records.conversation import PictureReference
from lifeloom.records.provenance import Provenance
from lifeloom.records.seeds import Split

__all__ = ["LIBRARY_CATEGORIES", "LibraryCategory", "LibraryImage", "LibraryUse"]

LibraryCategory = Literal["human", "object", "animal"]
LIBRARY_CATEGORIES: tuple[LibraryCategory, ...] = get_args(LibraryCategory)

LibraryUse = Literal["captioning", "diagnostic"]
"""``captioning``: one picture an identity, from which query pictures are made. ``diagnostic``: several pictures of one
person, of which one is asked about and the others are in the context."""


class LibraryImage(Record):
    """One picture of one identity."""

    KIND: ClassVar[str] = "library_image"

    image_id: Identifier
    identity: Identifier
    """Who or what it shows; pictures of one identity share it, and nothing else does."""
    category: LibraryCategory
    noun: str = Field(min_length=1)
    """What anybody would call it: ``person``, ``dog``, ``red mug``. Never a name."""
    name: str = ""
    """Name that the library's own files give it; empty: it has none. Dialogues give names of their own."""
    use: LibraryUse
    split: Split
    """Of the identity. Diagnostic pictures are for benchmarks only."""
    picture: PictureReference
    licence: str = Field(min_length=1)
    source: str = Field(min_length=1)
    """Where it comes from: ``builtin``, an address, or the name of a data set."""
    made_by: Provenance
