"""Concepts and test pictures written as the folders of published sets, so that others' tools can read ours."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from lifeloom.store.pictures import decode_picture, encode_png, picture_extension

__all__ = ["WritableLayout", "WrittenConcept", "WrittenTest", "can_be_written", "write_layout"]

WritableLayout: TypeAlias = Literal["yollava", "myvlm", "dreambooth", "rap"]
_FOLDER = re.compile(r"\w[\w -]{0,98}\w|\w")


@dataclass(frozen=True)
class WrittenConcept:
    """A concept and the file of the picture that introduces it."""

    name: str
    """Letters, digits, inner blanks and hyphens, at most 100: it becomes the name of a folder."""
    picture: bytes
    noun: str = ""
    info: str = ""


@dataclass(frozen=True)
class WrittenTest:
    """The file of a picture that is asked about, and what is in it."""

    picture: bytes
    shows: tuple[str, ...]
    captions: tuple[str, ...] = ()


def write_layout(
    layout: WritableLayout, root: Path, concepts: Sequence[WrittenConcept], tests: Sequence[WrittenTest]
) -> None:
    """Write a set into an empty folder, as ``read_layout`` reads it.

    Files are taken as they are, with the extension of their content; Yo'LLaVA's are PNG, so others are repacked there.
    What a layout has no place for (nouns in Yo'LLaVA and MyVLM, captions outside MyVLM) is not written.

    Raises:
        ValueError: a name cannot be a folder's or occurs twice, a test picture shows a concept that is not there, or it
            shows several, which only ``rap`` has a place for.
        PictureRejected: a file is no picture.
        FileExistsError: the folder holds something.
    """
    names = [one.name for one in concepts]
    if len({name.lower() for name in names}) < len(names):
        raise ValueError("two concepts have the same name: folders could not tell them apart")
    bad = [name for name in names if not can_be_written(name)]
    if bad:
        raise ValueError(f"{bad[0]!r} cannot be the name of a folder: use letters, digits, blanks and hyphens")
    for test in tests:
        unknown = set(test.shows) - set(names)
        if unknown or not test.shows:
            raise ValueError(
                f"a test picture shows {', '.join(sorted(unknown)) or 'nothing'}, which is no concept here"
            )
        if layout != "rap" and len(test.shows) > 1:
            raise ValueError(f"a {layout} folder has no place for pictures of several concepts: write a rap folder")
    root.mkdir(parents=True, exist_ok=True)
    if any(root.iterdir()):
        raise FileExistsError(f"{str(root)!r} is not empty: name a folder of its own for the set")
    if layout == "rap":
        _write_rap(root, concepts, tests)
    elif layout == "yollava":
        _write_yollava(root, concepts, tests)
    else:
        _write_folders(layout, root, concepts, tests)


def can_be_written(name: str) -> bool:
    """Return whether ``name`` can be the name of a concept's folder."""
    return _FOLDER.fullmatch(name) is not None


def _write_yollava(root: Path, concepts: Sequence[WrittenConcept], tests: Sequence[WrittenTest]) -> None:
    for one in concepts:
        _put(root / "train" / one.name / "0.png", _png(one.picture))
        for number, test in enumerate(_of(one, tests)):
            _put(root / "test" / one.name / f"{number}.png", _png(test.picture))


def _write_folders(
    layout: WritableLayout, root: Path, concepts: Sequence[WrittenConcept], tests: Sequence[WrittenTest]
) -> None:
    """Write the folders of MyVLM and DreamBooth: one a concept, whose first picture introduces it."""
    for one in concepts:
        captions: dict[str, list[str]] = {}
        own = [WrittenTest(one.picture, (one.name,)), *_of(one, tests)]
        for number, test in enumerate(own):
            name = f"{number:02d}{picture_extension(test.picture)}"
            _put(root / one.name / name, test.picture)
            captions[name] = list(test.captions)
        if layout == "myvlm":
            _put(root / one.name / "captions.json", _json(captions))
    if layout == "dreambooth":
        rows = "".join(f"{one.name},{one.noun}\n" for one in concepts)
        _put(root / "prompts_and_classes.txt", f"Classes\n\nsubject_name,class\n{rows}".encode())


def _write_rap(root: Path, concepts: Sequence[WrittenConcept], tests: Sequence[WrittenTest]) -> None:
    described, paths = {}, {}
    for one in concepts:
        file = f"{one.name}{picture_extension(one.picture)}"
        _put(root / file, one.picture)
        paths[file] = f"<{one.name}>"
        described[paths[file]] = {"name": one.name, "image": file, "info": one.info, "category": one.noun}
    shown = {}
    for number, test in enumerate(tests):
        file = f"test/{number:04d}{picture_extension(test.picture)}"
        _put(root / file, test.picture)
        shown[file] = [f"<{name}>" for name in test.shows]
    _put(root / "database.json", _json({"concept_dict": described, "path_to_concept": paths}))
    _put(root / "test.json", _json(shown))


def _of(concept: WrittenConcept, tests: Sequence[WrittenTest]) -> list[WrittenTest]:
    return [test for test in tests if test.shows == (concept.name,)]


def _png(data: bytes) -> bytes:
    return data if picture_extension(data) == ".png" else encode_png(decode_picture(data))


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode()


def _put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
