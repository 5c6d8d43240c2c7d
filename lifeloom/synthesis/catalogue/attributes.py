"""Attributes with their values, question stems and scenarios, read from one TOML file an area.

The values of an attribute are exchangeable: same type, like length, plausible for anybody. A plan
draws the current, the previous, somebody else's and the given-up value from the same list, so that
nothing about a value says whether it is the right one.
"""

from __future__ import annotations

import functools
import math
import tomllib
from dataclasses import dataclass, replace
from importlib import resources
from typing import get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lifeloom.records import AREAS, Area, Edition, FactKind

__all__ = ["Attribute", "CatalogueError", "Stem", "UnknownAttributeError", "attribute", "attributes"]


class CatalogueError(Exception):
    """A catalogue file does not have the shape it must have; the message names file and entry."""


class UnknownAttributeError(KeyError):
    """No attribute has this id: the plan was made with another catalogue. Make it again."""


@dataclass(frozen=True)
class Stem:
    """One wording of a question about an attribute, in the user's first person, at that moment."""

    stem_id: str
    text: str
    release_only: bool
    carrier: str = "{value}"
    """How a value is put as an option (scenarios: a suggestion such as ``A place with {value}``)."""


@dataclass(frozen=True)
class Attribute:
    """Something that can be said and asked about a user."""

    attribute_id: str
    area: Area
    kind: FactKind
    phrase: str
    """Noun phrase, fits 'my ...'; unique over the catalogue."""
    values: tuple[str, ...]
    """At least 12. preference, detail: fit 'my {phrase} is {value}'. interest: gerund or noun.
    goal, intent: verb phrase that fits 'I want to {value}'."""
    release_only: bool
    questions: tuple[Stem, ...]
    """Ask for the value outright, by paraphrase of ``phrase``; they reveal nothing about it."""
    scenarios: tuple[Stem, ...] = ()
    """Preferences only: new situations in which the taste generalises, with a ``carrier`` each."""


class _Scenario(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: str
    carrier: str


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: str = Field(pattern=r"^[a-z0-9-]{1,48}$")
    kind: FactKind
    phrase: str
    release_only: bool = False
    values: list[str] = Field(min_length=12)
    questions: list[str] = Field(min_length=3)
    scenarios: list[_Scenario] = []


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    attribute: list[_Entry]


def _stems(prefix: str, texts: list[str], carriers: list[str]) -> tuple[Stem, ...]:
    # The last third of every list, but at least one, is for releases only.
    shared = min(math.ceil(len(texts) * 2 / 3), len(texts) - 1)
    return tuple(
        Stem(f"{prefix}{number}", text, number > shared, carrier)
        for number, (text, carrier) in enumerate(zip(texts, carriers, strict=True), start=1)
    )


def _attribute(area: Area, entry: _Entry) -> Attribute:
    return Attribute(
        attribute_id=entry.id,
        area=area,
        kind=entry.kind,
        phrase=entry.phrase,
        values=tuple(entry.values),
        release_only=entry.release_only,
        questions=_stems(f"{entry.id}-q", entry.questions, ["{value}"] * len(entry.questions)),
        scenarios=_stems(
            f"{entry.id}-s",
            [scenario.text for scenario in entry.scenarios],
            [scenario.carrier for scenario in entry.scenarios],
        ),
    )


@functools.cache
def _catalogue() -> dict[str, Attribute]:
    found: dict[str, Attribute] = {}
    folder = resources.files("lifeloom.synthesis.catalogue")
    for area in AREAS:
        name = f"{area}.toml"
        try:
            entries = _File.model_validate(tomllib.loads(folder.joinpath(name).read_text(encoding="utf-8"))).attribute
        except (OSError, tomllib.TOMLDecodeError, ValidationError) as error:
            raise CatalogueError(f"lifeloom/synthesis/catalogue/{name}: {error}") from error
        for entry in entries:
            if entry.id in found:
                raise CatalogueError(f"lifeloom/synthesis/catalogue/{name}: id {entry.id} is used twice")
            found[entry.id] = _attribute(area, entry)
    return found


@functools.cache
def attributes(edition: Edition, kind: FactKind | None = None) -> tuple[Attribute, ...]:
    """Return the attributes that ``edition`` may use, all kinds or one, in the order of the files.

    The corpus gets neither release-only attributes nor release-only stems; a release gets all.

    Raises:
        ValueError: ``edition`` or ``kind`` is not one of the allowed values.
    """
    if edition not in get_args(Edition):
        raise ValueError(f"edition {edition!r}: use one of {', '.join(get_args(Edition))}")
    if kind is not None and kind not in get_args(FactKind):
        raise ValueError(f"kind {kind!r}: use one of {', '.join(get_args(FactKind))}")
    chosen = tuple(item for item in _catalogue().values() if kind is None or item.kind == kind)
    if edition == "release":
        return chosen
    return tuple(_without_release_only(item) for item in chosen if not item.release_only)


def _without_release_only(item: Attribute) -> Attribute:
    return replace(
        item,
        questions=tuple(stem for stem in item.questions if not stem.release_only),
        scenarios=tuple(stem for stem in item.scenarios if not stem.release_only),
    )


def attribute(attribute_id: str) -> Attribute:
    """Return the attribute with this id, with all its stems.

    Raises:
        UnknownAttributeError: there is none.
    """
    try:
        return _catalogue()[attribute_id]
    except KeyError:
        raise UnknownAttributeError(
            f"no attribute {attribute_id!r} in the catalogue: make the plan again with this version"
        ) from None
