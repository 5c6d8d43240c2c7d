"""Attributes with their values, question stems, scenarios and signs, read from TOML files.

What is said outright stands in one file an area. What only signs or pictures show, and how things stand with
somebody, stands in one file a kind; its entries name their area.

The values of an attribute are exchangeable: same type, like length, plausible for anybody. A plan
draws the current, the previous, somebody else's and the given-up value from the same list, so that
nothing about a value says whether it is the right one.
"""

from __future__ import annotations

import functools
import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from typing import Literal, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from lifeloom.models.builtin.painter.vocabulary import COLOURS, OBJECTS, PLACES, THINGS
from lifeloom.records import AREAS, Area, Edition, FactKind

__all__ = [
    "SIGN_KINDS",
    "Attribute",
    "CatalogueError",
    "Pictured",
    "Stem",
    "UnknownAttributeError",
    "attribute",
    "attributes",
    "shared_part",
]

Pictured = Literal["", "thing", "colour", "place", "person"]
"""What a picture shows of a value: nothing, a thing, the colour of a thing, the place, or who is in it."""

SIGN_KINDS: frozenset[FactKind] = frozenset({"hidden_intent", "hidden_taste", "expertise"})
"""Kinds whose value is never named: in words only signs show it."""

_FILES: tuple[str, ...] = (*AREAS, "hidden_intent", "hidden_taste", "expertise", "pattern", "bond", "pictured")
_FEWEST_SIGNS, _FEWEST_VALUES, _LEVELS = 4, 12, 4
_WORDS: dict[str, frozenset[str]] = {
    "thing": frozenset(item.name for item in THINGS),
    "colour": frozenset(COLOURS),
    "place": frozenset(item.name for item in PLACES),
}
_COLOURED = frozenset(item.name for item in OBJECTS if item.coloured)

T = TypeVar("T")


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
    goal, intent: verb phrase that fits 'I want to {value}'. hidden_intent: verb phrase that fits 'to {value}'.
    hidden_taste: what would suit the user, for the carriers of ``scenarios``. expertise: 4 ways to explain, from the
    lowest level to the highest. pattern: gerund phrase. bond: fits '{name} and I are {value}'.
    pictured: words of the painter's vocabulary (8 colours at most), none for persons."""
    release_only: bool
    questions: tuple[Stem, ...]
    """Ask for the value outright, by paraphrase of ``phrase``; they reveal nothing about it."""
    scenarios: tuple[Stem, ...] = ()
    """Tastes only: new situations in which the taste generalises, with a ``carrier`` each."""
    signs: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    """Value -> gerund phrases, each of which points to this value alone without using its words; at least 4 where
    only signs show a value, else empty."""
    pictured: Pictured = ""
    """Pictured attributes: what of a picture is the value. The values are then named in no text."""
    thing: tuple[str, ...] = ()
    """colour: coloured objects of the vocabulary that may show it."""


class _Scenario(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: str
    carrier: str


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: str = Field(pattern=r"^[a-z0-9-]{1,48}$")
    kind: FactKind
    area: Area | None = None
    phrase: str
    release_only: bool = False
    values: list[str] = []
    questions: list[str] = Field(min_length=3)
    scenarios: list[_Scenario] = []
    signs: dict[str, list[str]] = {}
    pictured: Pictured = ""
    thing: list[str] = []

    @model_validator(mode="after")
    def _values_and_signs_suit_the_kind(self) -> _Entry:
        if self.signs and not self.values:
            self.values = list(self.signs)
        if self.pictured:
            self._check_pictured()
        elif self.kind in SIGN_KINDS:
            self._check_signs()
        elif self.signs:
            raise ValueError(f"{self.id}: {self.kind} takes no signs")
        if self.thing and self.pictured != "colour":
            raise ValueError(f"{self.id}: 'thing' says what shows a colour; leave it out")
        if not self.pictured and self.kind != "expertise" and len(self.values) < _FEWEST_VALUES:
            raise ValueError(f"{self.id}: give at least {_FEWEST_VALUES} values, not {len(self.values)}")
        return self

    def _check_signs(self) -> None:
        if list(self.signs) != self.values:
            raise ValueError(f"{self.id}: signs must be given for every value, in the same order")
        few = [value for value, signs in self.signs.items() if len(set(signs)) < max(_FEWEST_SIGNS, len(signs))]
        if few:
            raise ValueError(f"{self.id}: at least {_FEWEST_SIGNS} different signs are needed for {', '.join(few)}")
        if self.kind == "expertise" and len(self.values) != _LEVELS:
            raise ValueError(f"{self.id}: expertise has {_LEVELS} levels, not {len(self.values)}")

    def _check_pictured(self) -> None:
        if self.pictured == "person":
            if self.values or self.signs:
                raise ValueError(f"{self.id}: who is in a picture is drawn from the circle; give no values or signs")
            return
        unknown = [value for value in self.values if value not in _WORDS[self.pictured]]
        if unknown or self.signs:
            raise ValueError(f"{self.id}: no {self.pictured} that can be drawn: {', '.join(unknown) or 'signs'}")
        fewest = len(COLOURS) if self.pictured == "colour" else _FEWEST_VALUES
        if len(set(self.values)) < max(fewest, len(self.values)):
            raise ValueError(f"{self.id}: at least {fewest} different values are needed")
        if self.pictured == "colour" and not (self.thing and _COLOURED.issuperset(self.thing)):
            raise ValueError(f"{self.id}: 'thing' must list objects that come in colours: {', '.join(_COLOURED)}")


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    attribute: list[_Entry]


def shared_part(items: Sequence[T]) -> Sequence[T]:
    """Return what the corpus may use of a list: all but the last third, and at least one item less than all."""
    return items[: min(math.ceil(len(items) * 2 / 3), len(items) - 1)]


def _stems(prefix: str, texts: list[str], carriers: list[str]) -> tuple[Stem, ...]:
    shared = len(shared_part(texts))
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
        signs={value: tuple(signs) for value, signs in entry.signs.items()},
        pictured=entry.pictured,
        thing=tuple(entry.thing),
    )


@functools.cache
def _catalogue() -> dict[str, Attribute]:
    found: dict[str, Attribute] = {}
    folder = resources.files("lifeloom.synthesis.catalogue")
    for file in _FILES:
        name = f"lifeloom/synthesis/catalogue/{file}.toml"
        try:
            text = folder.joinpath(f"{file}.toml").read_text(encoding="utf-8")
            entries = _File.model_validate(tomllib.loads(text)).attribute
        except (OSError, tomllib.TOMLDecodeError, ValidationError) as error:
            raise CatalogueError(f"{name}: {error}") from error
        for entry in entries:
            if entry.id in found:
                raise CatalogueError(f"{name}: id {entry.id} is used twice")
            found[entry.id] = _attribute(_area(name, file, entry), entry)
    return found


def _area(name: str, file: str, entry: _Entry) -> Area:
    of_file = next((area for area in AREAS if area == file), None)
    area = of_file or entry.area
    if area is None or (entry.area or area) != area:
        raise CatalogueError(f"{name}: {entry.id} needs one area: that of its file, or its own in a file by kind")
    return area


@functools.cache
def attributes(edition: Edition, kind: FactKind | None = None, pictured: bool | None = None) -> tuple[Attribute, ...]:
    """Return the attributes that ``edition`` may use, all kinds or one, in the order of the files.

    The corpus gets neither release-only attributes nor release-only stems and signs; a release gets all.

    Args:
        edition: Corpus or release.
        kind: Only this kind; None for all.
        pictured: Only those whose values pictures show (True) or words (False); None for both.

    Raises:
        ValueError: ``edition`` or ``kind`` is not one of the allowed values.
    """
    if edition not in get_args(Edition):
        raise ValueError(f"edition {edition!r}: use one of {', '.join(get_args(Edition))}")
    if kind is not None and kind not in get_args(FactKind):
        raise ValueError(f"kind {kind!r}: use one of {', '.join(get_args(FactKind))}")
    chosen = tuple(
        item
        for item in _catalogue().values()
        if (kind is None or item.kind == kind) and (pictured is None or bool(item.pictured) == pictured)
    )
    if edition == "release":
        return chosen
    return tuple(_without_release_only(item) for item in chosen if not item.release_only)


def _without_release_only(item: Attribute) -> Attribute:
    return replace(
        item,
        questions=tuple(stem for stem in item.questions if not stem.release_only),
        scenarios=tuple(stem for stem in item.scenarios if not stem.release_only),
        signs={value: tuple(shared_part(signs)) for value, signs in item.signs.items()},
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
