"""Sets of concepts and test pictures: read from folders in published layouts, or made of an image library of ours."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from lifeloom.models.builtin.painter.vocabulary import COLOURS, THINGS
from lifeloom.records import LibraryCategory, LibraryImage, PictureReference, Rejection, SceneImage
from lifeloom.store.pictures import PictureRejected, decode_picture, read_picture_file
from lifeloom.streams import Streams
from lifeloom.synthesis.catalogue import GIVEN_NAMES
from lifeloom.synthesis.catalogue.dialogue_facts import PET_NAMES
from lifeloom.synthesis.image_library import (
    LayoutConcept,
    LayoutTest,
    WrittenConcept,
    WrittenTest,
    can_be_written,
    read_layout,
    write_layout,
)

__all__ = [
    "GROUNDING_SETS",
    "GroundingConcept",
    "GroundingSet",
    "GroundingTest",
    "SetName",
    "names_of",
    "read_set",
    "write_own_sets",
]

SetName: TypeAlias = Literal["myvlm", "yollava", "dreambooth", "rap"]
GROUNDING_SETS: tuple[SetName, ...] = get_args(SetName)
"""The three of Table S.2, then the one whose pictures show several concepts (Table S.3)."""

_OURS: Mapping[SetName, frozenset[LibraryCategory]] = {
    "myvlm": frozenset(("human", "object")),
    "yollava": frozenset(("human", "animal", "object")),
    "dreambooth": frozenset(("animal", "object")),
    "rap": frozenset(("human", "animal", "object")),
}
"""Of which categories our own library goes into each set: those that the published one has."""
_STAGE = "scores/concept_grounding"


@dataclass(frozen=True)
class GroundingConcept:
    """A concept of a set, as it is shown to a captioner."""

    name: str
    picture: PictureReference
    said: str
    """What the user says of it: its name, what it is where the set has that, and what else the set tells."""


@dataclass(frozen=True)
class GroundingTest:
    """A picture that is captioned, and the concepts in it."""

    test_id: str
    """Its path in the folder."""
    picture: PictureReference
    shows: tuple[str, ...]


@dataclass(frozen=True)
class GroundingSet:
    """Concepts and test pictures of one set."""

    name: SetName
    concepts: tuple[GroundingConcept, ...]
    tests: tuple[GroundingTest, ...]
    rejections: tuple[Rejection, ...]
    """What of the folder could not be used, with reasons."""


def read_set(name: SetName, root: Path, put: Callable[[bytes], str], *, most: int) -> GroundingSet:
    """Read a set from its folder.

    Args:
        name: which one; it says the layout too.
        root: the folder.
        put: keeps a file and returns its content hash.
        most: test pictures, evenly from the whole folder.

    Raises:
        LayoutUnusable: the folder is not of this layout, or holds no concept.
    """
    read = read_layout(name, root)
    rejections = list(read.rejections)

    def picture(file: str) -> PictureReference | None:
        try:
            data = read_picture_file(file, root)
            image = decode_picture(data)
        except PictureRejected as error:
            rejections.append(_left_out(f"{name}/{file}", error.reason, str(error)))
            return None
        return PictureReference(content_hash=put(data), width=image.width, height=image.height)

    concepts = [
        GroundingConcept(one.name, reference, _said(one))
        for one in read.concepts
        if (reference := picture(one.file)) is not None
    ]
    known = {one.name for one in concepts}
    tests = []
    for one in _spread([test for test in read.tests if known.issuperset(test.shows)], most):
        reference = picture(one.file)
        if reference is not None:
            tests.append(GroundingTest(one.file, reference, one.shows))
    rejections += [
        _left_out(f"{name}/{one.file}", "concept_unreadable", ", ".join(one.shows))
        for one in read.tests
        if not known.issuperset(one.shows)
    ]
    return GroundingSet(name, tuple(concepts), tuple(tests), tuple(rejections))


def write_own_sets(
    root: Path,
    library: Sequence[LibraryImage],
    scenes: Sequence[SceneImage],
    source: Callable[[PictureReference], bytes],
    streams: Streams,
    *,
    most: int,
) -> list[SetName]:
    """Write an image library and its query pictures as folders of the published layouts, and return those written.

    The library's pictures introduce the concepts; query pictures of one concept are the test pictures of MyVLM,
    Yo'LLaVA and DreamBooth, those of several go into a folder in RAP's layout. Sets without a test picture are not
    written.

    Args:
        root: each set becomes a folder of it.
        library: of the split that the query pictures are of, a picture an identity.
        scenes: query pictures.
        source: gives files.
        streams: for the names.
        most: test pictures of a set, the first ones.
    """
    captioning = [one for one in library if one.use == "captioning"]
    names = names_of(captioning, streams)
    by_id = {one.image_id: one for one in captioning}
    written: list[SetName] = []
    for name, categories in _OURS.items():
        several = name == "rap"
        tests = [
            one
            for one in scenes
            if (len(one.image_ids) > 1) == several
            and all(image in by_id and by_id[image].category in categories for image in one.image_ids)
        ][:most]
        if not tests:
            continue
        concepts = [
            WrittenConcept(names[one.image_id], source(one.picture), noun=one.noun)
            for one in captioning
            if one.category in categories
        ]
        shown = [WrittenTest(source(one.picture), tuple(names[image] for image in one.image_ids)) for one in tests]
        write_layout(name, root / name, concepts, shown)
        written.append(name)
    return written


def names_of(library: Sequence[LibraryImage], streams: Streams) -> dict[str, str]:
    """Return a name for each picture of a library, by its id: what its files call it, else a name of ours.

    Names that cannot be folders' are not taken from files.

    No name is a word that a caption could hold by itself, such as ``pepper``, where the library or the painter has one;
    where names run out, a number follows.
    """
    words = {word for one in library for word in one.noun.lower().split()}
    words |= {word for thing in THINGS for word in (*thing.name.split(), *thing.plural.split())} | set(COLOURS)
    given = [one for one in GIVEN_NAMES if one.lower() not in words]
    pets = [one for one in PET_NAMES if one.lower() not in words and one not in given]
    rng = streams.rng("grounding_names", "all")
    rng.shuffle(given)
    rng.shuffle(pets)
    taken: set[str] = set()
    found = {}
    for one in library:
        offered = [one.name] if can_be_written(one.name) else []
        offered += given if one.category == "human" else [*pets, *given]
        free = next((name for name in offered if name.lower() not in taken), "")
        number = 2
        while not free:
            free = next((f"{name} {number}" for name in offered if f"{name} {number}".lower() not in taken), "")
            number += 1
        taken.add(free.lower())
        found[one.image_id] = free
    return found


def _left_out(item: str, reason: str, detail: str) -> Rejection:
    return Rejection(stage=_STAGE, item=item[:500], reason=reason, detail=detail[:500])


def _said(concept: LayoutConcept) -> str:
    """Return what the user says of a concept: "This is brown-duck, a plush toy." and what the set tells of it."""
    noun = "" if concept.category == "human" else concept.noun
    what = f", {'an' if noun[0].lower() in 'aeiou' else 'a'} {noun}" if noun else ""
    told = re.sub(r"[<>]", "", concept.info).strip()
    return f"This is {concept.name}{what}. {told}".strip()


def _spread(tests: Sequence[LayoutTest], most: int) -> list[LayoutTest]:
    """Return at most ``most`` of the tests, evenly over the whole: folders come one concept after the other."""
    if len(tests) <= most:
        return list(tests)
    return [tests[place * len(tests) // most] for place in range(most)]
