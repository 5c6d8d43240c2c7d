"""Where subjects stand: positions by chance, taken when everyone can be seen."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from lifeloom.models.builtin.painter.figures import BUST_UNITS, FACE
from lifeloom.models.builtin.painter.places.art import SIDE
from lifeloom.models.builtin.painter.things import relative_size
from lifeloom.records.pictures import Box, DrawnSubject, PictureSubject

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["LEAST_VISIBLE", "MOST_THINGS", "Placement", "Stage", "arrange", "drawn_subjects", "owners"]

LEAST_VISIBLE = 0.45
"""Least share of its pixels that a subject shows."""
MOST_THINGS = 10
"""Most animals and objects that one picture holds, copies counted."""
_MOST_FACE_HIDDEN = 0.10
_SHRINKS = (1.0, 0.88, 0.76)
"""Sizes of people that are tried, when they cannot all be seen at the usual one."""
_TRIES = 24
_OPAQUE = 127
_NOBODY = -1
_MARGIN = 8
"""Units kept between things and the picture's edges."""

_BUST_SIDES = {1: 316, 2: 276, 3: 240, 4: 208, 5: 184}
"""Side of a bust's square in units, by the number of people."""
_SUNK = 0.13
"""Share of a bust's square that lies below the ledge's height."""
_FLOATING = frozenset({"balloon", "kite", "butterfly"})

Mask = npt.NDArray[np.bool_]
Owners = npt.NDArray[np.int8]
DrawSprite = Callable[[PictureSubject, int], "Image"]
"""Draws a subject: a person's bust in a square of the given side, a thing with the given longer side, in pixels."""


@dataclass(frozen=True)
class Placement:
    """A sprite at its place in the picture, in pixels."""

    subject: PictureSubject
    layer: Literal["behind", "people", "front"]
    sprite: Image
    mask: Mask
    """Where the sprite is opaque, shape (height, width)."""
    left: int
    top: int
    shadow: bool
    face: tuple[int, int, int, int] | None = None
    """People: left, top, right, bottom of the face within the sprite."""


@dataclass(frozen=True)
class Stage:
    """What subjects are placed on."""

    size: int
    """Side of the picture in pixels."""
    ledge_top: float
    """In units of a picture of 512."""
    ledge: Mask | None
    """Where the ledge is opaque, shape (size, size); None without people."""
    outdoor: bool

    @property
    def scale(self) -> float:
        """Pixels a unit."""
        return self.size / SIDE


def arrange(
    stage: Stage, subjects: Sequence[PictureSubject], draw_sprite: DrawSprite, rng: random.Random
) -> list[Placement] | None:
    """Place everyone, from back to front, or return None when they cannot all be seen.

    Every subject shows ``LEAST_VISIBLE`` of its pixels or more, and at most a tenth of a face is hidden.
    """
    people = [subject for subject in subjects if subject.kind == "person"]
    groups = [subject for subject in subjects if subject.kind != "person"]
    rng.shuffle(people)
    rng.shuffle(groups)
    for shrink in _SHRINKS:
        busts = [_bust(stage, person, len(people), shrink, draw_sprite, rng) for person in people]
        placed = _arrange_with(stage, busts, groups, draw_sprite, rng)
        if placed is not None:
            return placed
    return None


def _arrange_with(
    stage: Stage,
    busts: list[Placement],
    groups: Sequence[PictureSubject],
    draw_sprite: DrawSprite,
    rng: random.Random,
) -> list[Placement] | None:
    """Try positions for busts of a given size and for the things, ever more orderly."""
    behind: list[PictureSubject] = []
    in_front: list[PictureSubject] = []
    copies = sum(group.count for group in groups)
    for group in groups:
        roomy = bool(busts) and stage.outdoor and len(busts) <= 3 and len(behind) + group.count <= 2
        crowded = copies - len(behind) > 6
        if group.kind == "animal" and roomy and (crowded or rng.random() < 0.45):
            behind += _copies([group])
        else:
            in_front.append(group)
    for attempt in range(_TRIES):
        ease = attempt / _TRIES
        rng.shuffle(busts)
        people_placed = _line_up(stage, busts, rng, ease)
        placed = [_stand_behind(stage, item, people_placed, draw_sprite, rng) for item in behind]
        placed += people_placed
        if busts:
            placed += _front_row(stage, in_front, len(busts), draw_sprite, rng, ease)
        else:
            placed += _open_ground(stage, in_front, draw_sprite, rng, ease)
        if _everyone_seen(stage, placed):
            return placed
    return None


def owners(size: int, placed: Sequence[Placement], ledge: Mask | None) -> Owners:
    """Return, for each pixel, the index of the placement seen there, or -1; shape (size, size)."""
    owner = np.full((size, size), _NOBODY, dtype=np.int8)
    for index, item in enumerate(placed):
        if item.layer != "front":
            _window(owner, item)[_clipped(size, item)] = index
    if ledge is not None:
        owner[ledge] = _NOBODY
    for index, item in enumerate(placed):
        if item.layer == "front":
            _window(owner, item)[_clipped(size, item)] = index
    return owner


def drawn_subjects(size: int, placed: Sequence[Placement], ledge: Mask | None) -> tuple[DrawnSubject, ...]:
    """Return what is to be seen of each placement, from back to front: bounds of visible pixels and their share."""
    owner = owners(size, placed, ledge)
    found = []
    for index, item in enumerate(placed):
        rows, columns = np.nonzero(_window(owner, item) == index)
        left, top = max(0, item.left), max(0, item.top)
        found.append(
            DrawnSubject(
                kind=item.subject.kind,
                name=item.subject.name,
                identity=item.subject.identity,
                colour=item.subject.colour,
                box=Box(
                    left=left + int(columns.min()),
                    top=top + int(rows.min()),
                    right=left + int(columns.max()) + 1,
                    bottom=top + int(rows.max()) + 1,
                ),
                visible=len(rows) / int(item.mask.sum()),
            )
        )
    return tuple(found)


def _window(owner: Owners, item: Placement) -> Owners:
    """Return the part of the picture that a sprite's rectangle covers."""
    height, width = item.mask.shape
    return owner[max(0, item.top) : max(0, item.top + height), max(0, item.left) : max(0, item.left + width)]


def _clipped(size: int, item: Placement) -> Mask:
    """Return the part of a sprite's mask that lies in the picture."""
    above, before = max(0, -item.top), max(0, -item.left)
    return item.mask[above : max(above, size - item.top), before : max(before, size - item.left)]


def _everyone_seen(stage: Stage, placed: Sequence[Placement]) -> bool:
    owner = owners(stage.size, placed, stage.ledge)
    for index, item in enumerate(placed):
        seen = _window(owner, item) == index
        if seen.sum() < LEAST_VISIBLE * item.mask.sum():
            return False
        if item.face is not None:
            left, top, right, bottom = item.face
            above, before = max(0, -item.top), max(0, -item.left)
            shown = seen[max(0, top - above) : bottom - above, max(0, left - before) : right - before].sum()
            if shown < (1 - _MOST_FACE_HIDDEN) * item.mask[top:bottom, left:right].sum():
                return False
    return True


def place_bust(subject: PictureSubject, sprite: Image, left: int, top: int) -> Placement:
    """Return the placement of a bust that fills its square."""
    unit = sprite.width / BUST_UNITS
    return Placement(
        subject=subject,
        layer="people",
        sprite=sprite,
        mask=np.asarray(sprite.getchannel("A")) > _OPAQUE,
        left=left,
        top=top,
        shadow=False,
        face=(round(FACE[0] * unit), round(FACE[1] * unit), round(FACE[2] * unit), round(FACE[3] * unit)),
    )


def _bust(
    stage: Stage, person: PictureSubject, count: int, shrink: float, draw_sprite: DrawSprite, rng: random.Random
) -> Placement:
    age = "" if person.appearance is None else person.appearance.age
    side = _BUST_SIDES[count] * shrink * (0.92 if age == "young" else 1.0) * rng.uniform(0.95, 1.05)
    return place_bust(person, draw_sprite(person, round(side * stage.scale)), 0, 0)


def _line_up(stage: Stage, busts: Sequence[Placement], rng: random.Random, ease: float) -> list[Placement]:
    """Stand people side by side; wide hair goes behind its neighbours."""
    placed = []
    step = SIDE / max(1, len(busts))
    for number, bust in enumerate(busts):
        slack = max(0.0, step - 118) * 0.42 * (1 - ease)
        middle = (number + 0.5) * step + rng.uniform(-slack, slack)
        side = bust.sprite.width / stage.scale
        bottom = stage.ledge_top + side * _SUNK + rng.uniform(-3, 5)
        left, top = round((middle - side / 2) * stage.scale), round((bottom - side) * stage.scale)
        placed.append(replace(bust, left=left, top=top))
    return sorted(placed, key=lambda item: -int(item.mask.any(axis=0).sum()))


def _thing(
    stage: Stage,
    subject: PictureSubject,
    units: float,
    draw_sprite: DrawSprite,
    layer: Literal["behind", "front"],
) -> Placement:
    sprite = draw_sprite(subject, max(8, round(units * stage.scale)))
    mask = np.asarray(sprite.getchannel("A")) > _OPAQUE
    return Placement(subject, layer, sprite, mask, 0, 0, shadow=subject.name not in _FLOATING)


def _put(stage: Stage, item: Placement, middle: float, bottom: float) -> Placement:
    """Place a sprite by the middle of its foot, in units."""
    height, width = item.mask.shape
    lift = 12 if item.subject.name in _FLOATING else 0
    return replace(
        item,
        left=round(middle * stage.scale - width / 2),
        top=round((bottom - lift) * stage.scale) - height,
    )


def _stand_behind(
    stage: Stage, subject: PictureSubject, busts: Sequence[Placement], draw_sprite: DrawSprite, rng: random.Random
) -> Placement:
    """Stand an animal in the middle ground, farther back the smaller."""
    bottom = rng.uniform(352, stage.ledge_top + 2)
    nearness = 0.78 + 0.22 * (bottom - 352) / 60
    item = _thing(stage, subject, 112 * relative_size(subject.name) ** 0.8 * nearness, draw_sprite, "behind")
    middles = [(bust.left + bust.mask.shape[1] / 2) / stage.scale for bust in busts]
    candidates = [rng.uniform(36, SIDE - 36) for _ in range(5)]
    freest = max(candidates, key=lambda x: min(abs(x - middle) for middle in middles))
    return _put(stage, item, freest, bottom)


def _copies(groups: Sequence[PictureSubject]) -> list[PictureSubject]:
    return [group.model_copy(update={"count": 1}) for group in groups for _ in range(group.count)]


def _row(
    stage: Stage,
    items: Sequence[Placement],
    bottoms: tuple[float, float],
    rng: random.Random,
) -> list[Placement]:
    """Spread things over the width, without overlap, at bottoms drawn from a range."""
    widths = [item.mask.shape[1] / stage.scale for item in items]
    free = SIDE - 2 * _MARGIN - sum(widths)
    cuts = sorted(rng.uniform(0, 1) for _ in items)
    placed = []
    used = float(_MARGIN)
    for item, width, cut in zip(items, widths, cuts, strict=True):
        middle = used + cut * max(0.0, free) + width / 2
        placed.append(_put(stage, item, middle, rng.uniform(*bottoms)))
        used += width
    return placed


def _fitting(
    stage: Stage,
    subjects: Sequence[PictureSubject],
    base: float,
    limits: tuple[float, float],
    draw_sprite: DrawSprite,
    rng: random.Random,
) -> list[Placement]:
    """Draw things at sizes within ``limits`` such that they fit side by side."""
    low, high = limits
    sizes = [min(high, max(low, base * relative_size(subject.name) * rng.uniform(0.9, 1.12))) for subject in subjects]
    items = [_thing(stage, subject, size, draw_sprite, "front") for subject, size in zip(subjects, sizes, strict=True)]
    total = sum(item.mask.shape[1] for item in items) / stage.scale
    room = SIDE - 2 * _MARGIN
    if total <= room * 0.97:
        return items
    factor = room * 0.97 / total
    return [
        _thing(stage, subject, size * factor, draw_sprite, "front")
        for subject, size in zip(subjects, sizes, strict=True)
    ]


def _front_row(
    stage: Stage,
    groups: Sequence[PictureSubject],
    people: int,
    draw_sprite: DrawSprite,
    rng: random.Random,
    ease: float,
) -> list[Placement]:
    """Stand things on the strip before the ledge, low enough to leave faces free."""
    if not groups:
        return []
    highest = {1: 150, 2: 146, 3: 138, 4: 128}.get(people, 122) * (1 - 0.3 * ease)
    items = _fitting(stage, _copies(groups), 104 * (1 - 0.25 * ease), (60, highest), draw_sprite, rng)
    return sorted(_row(stage, items, (480, 505), rng), key=lambda item: item.top + item.mask.shape[0])


def _open_ground(
    stage: Stage, groups: Sequence[PictureSubject], draw_sprite: DrawSprite, rng: random.Random, ease: float
) -> list[Placement]:
    """Stand things on the open ground of a place without people: larger, in two rows when they are many."""
    singles = _copies(groups)
    if not singles:
        return []
    base = next(units for most, units in ((2, 168), (4, 138), (7, 122), (MOST_THINGS, 108)) if len(singles) <= most)
    limits = (base * 0.58, base * 1.4)
    if len(singles) <= 4:
        items = _fitting(stage, singles, base * (1 - 0.2 * ease), limits, draw_sprite, rng)
        rows = _row(stage, items, (425, 495), rng)
    else:
        half = len(singles) // 2
        back = _fitting(stage, singles[:half], base * 0.8, (limits[0] * 0.8, limits[1] * 0.8), draw_sprite, rng)
        front = _fitting(stage, singles[half:], base, limits, draw_sprite, rng)
        rows = [*_row(stage, back, (372, 386), rng), *_row(stage, front, (478, 502), rng)]
    return sorted(rows, key=lambda item: item.top + item.mask.shape[0])
