"""Folders of published concept sets, read: Yo'LLaVA, MyVLM, DreamBooth, MMPB, RAP (CoViP Tables S.2, S.3; S3).

| layout | what lies where |
|---|---|
| ``yollava`` | ``train/<name>/0.png`` introduces a concept, all in ``test/<name>/`` is asked about |
| ``myvlm`` | ``<name>/<picture>``; the first introduces it, the others are asked about; ``<name>/captions.json`` |
| ``dreambooth`` | ``<name>/00.jpg``; the first introduces it; ``prompts_and_classes.txt`` says what each is |
| ``mmpb`` | ``dataset.csv``, a question a row; the recognition rows show their concept |
| ``rap`` | ``database.json`` (``concept_dict``) and ``test.json`` (picture to the concepts in it) |

Nothing but names and small text files is read here; pictures are read by whoever needs them, with
``lifeloom.store.pictures.read_picture_file``.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from lifeloom.models.builtin.painter.vocabulary import ANIMALS
from lifeloom.records import LibraryCategory, Rejection
from lifeloom.synthesis.image_library.manifest import STAGE, LibraryRow
from lifeloom.synthesis.seeds import SeedError

__all__ = [
    "LAYOUTS",
    "Layout",
    "LayoutConcept",
    "LayoutRead",
    "LayoutTest",
    "LayoutUnusable",
    "category_of",
    "library_rows",
    "read_layout",
]

Layout = Literal["yollava", "myvlm", "dreambooth", "mmpb", "rap"]
LAYOUTS: tuple[Layout, ...] = get_args(Layout)

_PICTURE = re.compile(r"[^.].*\.(?:png|jpe?g|webp|gif|bmp)", re.IGNORECASE | re.DOTALL)
_MOST_TEXT = 64_000_000
"""Bytes of a text file at most."""
_PEOPLE = frozenset(["person", "human", "man", "woman", "boy", "girl", "child", "people", "lady", "gentleman"])
_ANIMALS = frozenset(one.name for one in ANIMALS)
_ATTRIBUTES: Mapping[str, LibraryCategory] = {"human": "human", "animal": "animal", "object": "object"}
_OTHERS = frozenset(("Homo", "Hetro"))
"""Targets of MMPB's recognition rows whose picture shows another concept of the same or of another kind."""


class LayoutUnusable(SeedError):
    """The folder is not of this layout, or nothing in it can be used. The message says what was looked for."""


@dataclass(frozen=True)
class LayoutConcept:
    """A concept and the picture that introduces it."""

    name: str
    """As the set calls it, without angle brackets."""
    file: str
    """Relative to the folder of the set."""
    noun: str = ""
    """What anybody would call it; empty: the set does not say."""
    category: LibraryCategory | Literal[""] = ""
    info: str = ""
    """What the set says of it."""


@dataclass(frozen=True)
class LayoutTest:
    """A picture that is asked about, and the names of the concepts in it."""

    file: str
    shows: tuple[str, ...]
    captions: tuple[str, ...] = ()


@dataclass(frozen=True)
class LayoutRead:
    """What a folder holds."""

    concepts: tuple[LayoutConcept, ...]
    tests: tuple[LayoutTest, ...]
    rejections: tuple[Rejection, ...]


def read_layout(layout: Layout, root: Path) -> LayoutRead:
    """Read the folder of a published set.

    What cannot be used is left out with its reason: a concept without a picture (``no_picture``), a test picture of an
    unknown concept (``unknown_concept``), a text file that cannot be read (``bad_captions``, ``bad_row``), a picture of
    MMPB that is said to show somebody else (``shows_another``) or asks for a preference (``shows_no_concept``).

    Raises:
        LayoutUnusable: there is no such folder, its index cannot be read, or no concept is in it.
    """
    if not root.is_dir():
        raise LayoutUnusable(f"there is no folder {str(root)!r}; a {layout} set was looked for")
    read = _Read(root)
    _READERS[layout](read)
    if not read.concepts:
        told = "; ".join(f"{one.item}: {one.reason}" for one in read.rejections[:3]) or "it holds none"
        raise LayoutUnusable(f"no concept of a {layout} set was found in {str(root)!r} ({told})")
    for test in list(read.tests):
        unknown = [name for name in test.shows if name not in read.concepts]
        if unknown or not test.shows:
            read.tests.remove(test)
            read.reject(test.file, "unknown_concept", ", ".join(unknown) or "it names none")
    return LayoutRead(tuple(read.concepts.values()), tuple(read.tests), tuple(read.rejections))


def library_rows(
    read: LayoutRead, *, licence: str, source: str, category: LibraryCategory | Literal[""] = "", noun: str = ""
) -> tuple[tuple[LibraryRow, ...], tuple[Rejection, ...]]:
    """Return the concepts as rows of a library's manifest that lies in the folder of the set: one picture each.

    Args:
        read: the set.
        licence: under which the set may be used; its files do not say.
        source: name or address of the set.
        category: of concepts of which the set does not say it; empty: they are left out (``no_category``).
        noun: of concepts of which the set does not say it; empty: ``person``, ``animal`` or ``thing``.

    Raises:
        ValueError: the licence is empty.
    """
    if not licence.strip():
        raise ValueError("a set that others made needs a licence under which its pictures may be used")
    rows, rejections = [], []
    for one in read.concepts:
        found = one.category or category
        if not found:
            detail = f"{one.name}: say of which category the concepts are: human, animal or object"
            rejections.append(Rejection(stage=STAGE, item=one.file, reason="no_category", detail=detail))
            continue
        usual = {"human": "person", "animal": "animal", "object": "thing"}[found]
        rows.append(
            LibraryRow(
                file=one.file,
                identity=one.name,
                category=found,
                noun=(one.noun or noun or usual)[:60],
                name=one.name,
                licence=licence,
                source=source,
            )
        )
    return tuple(rows), tuple(rejections)


def category_of(noun: str) -> LibraryCategory | Literal[""]:
    """Return the category that a noun stands for; empty where there is no noun."""
    words = noun.lower().replace("_", " ").split()
    if not words:
        return ""
    if words[-1] in _PEOPLE:
        return "human"
    return "animal" if words[-1] in _ANIMALS else "object"


@dataclass
class _Read:
    """The state of reading one set."""

    root: Path
    concepts: dict[str, LayoutConcept] = field(default_factory=dict)
    tests: list[LayoutTest] = field(default_factory=list)
    rejections: list[Rejection] = field(default_factory=list)

    def reject(self, item: str, reason: str, detail: str) -> None:
        self.rejections.append(Rejection(stage=STAGE, item=item[:500], reason=reason, detail=detail[:500]))

    def folders(self, inside: str = "") -> Iterator[str]:
        """Yield the names of the folders in one, in order; none where there is no such folder."""
        place = self.root / inside
        if place.is_dir():
            yield from sorted(one.name for one in place.iterdir() if one.is_dir() and not one.name.startswith("."))

    def pictures(self, inside: str) -> list[str]:
        """Return the pictures of a folder, relative to the set's, 2 before 10."""
        place = self.root / inside
        if not place.is_dir():
            return []
        names = [one.name for one in place.iterdir() if _PICTURE.fullmatch(one.name)]
        return [f"{inside}/{name}" for name in sorted(names, key=_in_order)]

    def add(self, name: str, pictures: list[str], noun: str = "", info: str = "") -> list[str]:
        """Add a concept that the first picture introduces, and return the others."""
        if not pictures:
            self.reject(name, "no_picture", "no picture of it was found")
            return []
        self.concepts[name] = LayoutConcept(name, pictures[0], noun, category_of(noun), info)
        return pictures[1:]

    def text(self, name: str) -> str:
        """Return a text file of the set.

        Raises:
            OSError, ValueError: it cannot be read, is no UTF-8, or is too long.
        """
        path = self.root / name
        if path.stat().st_size > _MOST_TEXT:
            raise ValueError(f"it has more than {_MOST_TEXT:,} bytes")
        return path.read_text(encoding="utf-8-sig")

    def index(self, name: str) -> str:
        """Return a text file that the set cannot do without.

        Raises:
            LayoutUnusable: it cannot be read.
        """
        try:
            return self.text(name)
        except (OSError, ValueError) as error:
            raise LayoutUnusable(f"{name} in {str(self.root)!r} cannot be read: {error}") from error

    def mapping(self, name: str) -> Mapping[str, Any]:
        """Return a JSON object that the set cannot do without.

        Raises:
            LayoutUnusable: it cannot be read, or is something else.
        """
        try:
            found = json.loads(self.index(name))
        except (ValueError, RecursionError) as error:
            raise LayoutUnusable(f"{name} in {str(self.root)!r} is no JSON: {error}") from error
        if not isinstance(found, dict):
            raise LayoutUnusable(f"{name} in {str(self.root)!r} holds no JSON object")
        return found


def _in_order(name: str) -> tuple[list[tuple[int, str]], str]:
    """Return what sorts names with their numbers as numbers."""
    parts = re.findall(r"\d{1,18}|\D+", name.lower())
    return [(int(part), "") if part[0].isdecimal() else (-1, part) for part in parts], name


def _yollava(read: _Read) -> None:
    for name in read.folders("train"):
        read.add(name, read.pictures(f"train/{name}")[:1])
    for name in read.folders("test"):
        read.tests += [LayoutTest(file, (name,)) for file in read.pictures(f"test/{name}")]


def _myvlm(read: _Read) -> None:
    for name in read.folders():
        others = read.add(name, read.pictures(name))
        captions = _captions(read, f"{name}/captions.json")
        read.tests += [LayoutTest(file, (name,), captions.get(Path(file).name, ())) for file in others]


def _captions(read: _Read, file: str) -> Mapping[str, tuple[str, ...]]:
    """Return MyVLM's captions by the name of the picture; none where there is no file."""
    if not (read.root / file).exists():
        return {}
    try:
        found = json.loads(read.text(file))
        return {str(name): tuple(map(str, captions)) for name, captions in found.items()}
    except (OSError, ValueError, RecursionError, AttributeError, TypeError) as error:
        read.reject(file, "bad_captions", f"the captions of its pictures cannot be read: {error}")
        return {}


def _dreambooth(read: _Read) -> None:
    classes = {}
    if (read.root / "prompts_and_classes.txt").exists():
        for line in read.index("prompts_and_classes.txt").splitlines():
            name, comma, noun = line.partition(",")
            if comma and name.strip() != "subject_name":
                classes[name.strip()] = noun.strip()
    for name in read.folders():
        others = read.add(name, read.pictures(name), classes.get(name, ""))
        read.tests += [LayoutTest(file, (name,)) for file in others]


def _mmpb(read: _Read) -> None:
    shown: dict[str, list[str]] = {}
    for number, row in enumerate(_rows(read), start=2):
        name, file = (row.get("name") or "").strip(), (row.get("image_path") or "").strip()
        if not name or not file:
            read.reject(f"line {number}", "bad_row", "it has no name or no image_path")
        elif row.get("category") != "recognition":
            read.reject(f"line {number}", "shows_no_concept", f"{file} is of the category {row.get('category')!r}")
        elif row.get("target") in _OTHERS:
            read.reject(f"line {number}", "shows_another", f"{file} does not show {name}")
        elif name not in read.concepts:
            kind = (row.get("attribute") or "").strip().lower()
            category: LibraryCategory | Literal[""] = _ATTRIBUTES.get(kind, "")
            info = (row.get("description_simple") or "").strip()
            read.concepts[name] = LayoutConcept(name, file, "person" if category == "human" else kind, category, info)
            shown[name] = [file]
        elif file not in shown[name]:
            shown[name].append(file)
            read.tests.append(LayoutTest(file, (name,)))


def _rows(read: _Read) -> Iterator[Mapping[str, str | None]]:
    reader = csv.DictReader(io.StringIO(read.index("dataset.csv"), newline=""))
    try:
        if not {"image_path", "name", "category"} <= set(reader.fieldnames or ()):
            raise LayoutUnusable(f"dataset.csv in {str(read.root)!r} lacks image_path, name or category")
        yield from reader
    except csv.Error as error:
        read.reject(f"line {reader.line_num}", "bad_row", f"reading ended here: {error}")


def _rap(read: _Read) -> None:
    concepts = read.mapping("database.json").get("concept_dict")
    if not isinstance(concepts, dict):
        raise LayoutUnusable(f"database.json in {str(read.root)!r} has no concept_dict")
    for key, given in concepts.items():
        if not isinstance(given, dict) or not isinstance(given.get("image"), str):
            read.reject(key, "no_picture", "it names no image")
            continue
        noun = given["category"] if isinstance(given.get("category"), str) else ""
        info = given["info"] if isinstance(given.get("info"), str) else ""
        read.add(key.strip("<>"), [_inside(read, given["image"])], noun.strip(), info)
    if not (read.root / "test.json").exists():
        return
    for file, shows in read.mapping("test.json").items():
        names = [shows] if isinstance(shows, str) else shows if isinstance(shows, list) else []
        read.tests.append(LayoutTest(_inside(read, file), tuple(_names(names))))


def _names(given: Iterable[Any]) -> Iterator[str]:
    return (str(one).strip("<>") for one in given)


def _inside(read: _Read, file: str) -> str:
    """Return a path relative to the set's folder: RAP's own files have that folder's name before it."""
    _, slash, rest = file.partition("/")
    return rest if slash and not (read.root / file).exists() and (read.root / rest).exists() else file


_READERS = {"yollava": _yollava, "myvlm": _myvlm, "dreambooth": _dreambooth, "mmpb": _mmpb, "rap": _rap}
