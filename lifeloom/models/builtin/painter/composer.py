"""The built-in image maker: from a plan to a picture whose contents are known to the pixel."""

from __future__ import annotations

import functools
import io
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from lifeloom.models.builtin.painter.figures import MOODS, draw_bust, draw_look, unknown_feature
from lifeloom.models.builtin.painter.layout import (
    MOST_THINGS,
    Mask,
    Placement,
    Stage,
    arrange,
    drawn_subjects,
    place_bust,
)
from lifeloom.models.builtin.painter.light import Light, light_of, lookup_table
from lifeloom.models.builtin.painter.scenery import Scenery, draw_ground, draw_scenery
from lifeloom.models.builtin.painter.things import draw_thing
from lifeloom.models.builtin.painter.vocabulary import COATS, COLOURS, PLACES, THINGS
from lifeloom.models.protocol import DrawnPicture, ModelIdentity, PictureNotDrawn
from lifeloom.records.pictures import PicturePlan, PictureSubject
from lifeloom.streams import Streams

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["PAINTER_VERSION", "BuiltinPainter", "lay_out_scene", "ledge_mask", "paint"]

PAINTER_VERSION = "lifeloom-painter-1"
"""Raised whenever a picture may change: what sees is fitted on these pictures."""

_THINGS = {item.name: item for item in THINGS}
_PLACES = frozenset(item.name for item in PLACES)
_OPAQUE = 127


class BuiltinPainter:
    """An ``ImageMaker`` that draws people, things and places from vector art; the same plan gives the same bytes."""

    @property
    def identity(self) -> ModelIdentity:
        """Backend ``builtin``; the model's name changes whenever pictures may change."""
        return ModelIdentity(backend="builtin", model=PAINTER_VERSION)

    def draw(self, plan: PicturePlan) -> DrawnPicture:
        """Draw ``plan`` as a PNG of ``plan.size`` x ``plan.size`` pixels.

        Chance comes from ``plan.seed`` alone. Boxes and shares of visible pixels are exact.

        Raises:
            PictureNotDrawn: the plan asks for something unknown, or for more than fits.
            InstallationBroken: a package or file that drawing needs is missing.
        """
        if reason := _refusal(plan):
            raise PictureNotDrawn(plan.picture_id, reason)
        picture, placed, ledge = _compose_portrait(plan) if plan.kind == "portrait" else _compose_scene(plan)
        buffer = io.BytesIO()
        picture.convert("RGB").save(buffer, "PNG", compress_level=4)
        return DrawnPicture(
            data=buffer.getvalue(),
            width=plan.size,
            height=plan.size,
            subjects=drawn_subjects(plan.size, placed, ledge),
        )

    def check(self) -> str:
        """Draw a small picture and return one line about it.

        Raises:
            InstallationBroken: a package or file that drawing needs is missing.
        """
        guitar = PictureSubject(kind="object", name="guitar")
        picture = self.draw(PicturePlan(picture_id="check", kind="scene", place="park", subjects=(guitar,), seed=1))
        return f"drew a guitar in the park, {picture.width} x {picture.height} pixels"


def _refusal(plan: PicturePlan) -> str:
    """Return why ``plan`` cannot be drawn, or an empty text."""
    if plan.kind == "portrait":
        if len(plan.subjects) != 1 or plan.subjects[0].count != 1:
            return "a portrait shows exactly one person, animal or object"
        if plan.place:
            return f"a portrait has a plain ground, not a place ({plan.place!r}): leave it empty or plan a scene"
    elif plan.place not in _PLACES:
        return f"the image maker knows no place {plan.place!r}"
    copies = sum(subject.count for subject in plan.subjects if subject.kind != "person")
    if copies > MOST_THINGS:
        return f"{copies} animals and objects are too many for one picture: at most {MOST_THINGS} fit"
    return next((reason for subject in plan.subjects if (reason := _unknown(subject))), "")


def _unknown(subject: PictureSubject) -> str:
    """Return what the image maker cannot draw about ``subject``, or an empty text."""
    if subject.kind == "person":
        if subject.appearance is None:
            return f"{subject.name!r} has no appearance"
        if subject.count != 1:
            return f"{subject.name!r} is one person, not {subject.count}"
        if subject.mood and subject.mood not in MOODS:
            return f"the image maker knows no mood {subject.mood!r}; it knows {', '.join(MOODS)}"
        if feature := unknown_feature(subject.appearance):
            return f"the image maker knows no feature {feature!r} of people"
        return ""
    known = _THINGS.get(subject.name)
    if known is None or known.kind != subject.kind:
        return f"the image maker knows no {subject.kind} {subject.name!r}"
    if subject.kind == "animal" and subject.colour and subject.colour not in COATS.get(known.name, ()):
        coats = ", ".join(COATS.get(known.name, ())) or "none"
        return f"{known.with_article} is not drawn in {subject.colour!r}; its other coats are {coats}"
    if subject.colour and not known.coloured and subject.kind != "animal":
        return f"{known.with_article} is drawn as it comes, not in a colour"
    if subject.colour and subject.kind != "animal" and subject.colour not in COLOURS:
        return f"the image maker knows no colour {subject.colour!r}; it knows {', '.join(COLOURS)}"
    return ""


def _person_sprite(subject: PictureSubject, side: int, rng: random.Random) -> Image:
    """Draw a person with a mood, clothes and a side to look to that are drawn from ``rng``."""
    if subject.appearance is None:
        raise ValueError("a person without appearance was let through")
    bust = draw_bust(subject.appearance, draw_look(rng, subject.appearance, subject.mood), side)
    return _perhaps_flipped(bust, rng)


def _compose_portrait(plan: PicturePlan) -> tuple[Image, list[Placement], None]:
    streams = Streams(plan.seed)
    canvas = draw_ground(plan.size, streams.rng("ground"))
    rng = streams.rng("person")
    if plan.subjects[0].kind != "person":
        placed = [_alone(plan, rng)]
        paint(canvas, placed, light_of(plan.time_of_day, "clear", indoor=True))
        return canvas, placed, None
    side = round(plan.size * rng.uniform(0.94, 1.02))
    sprite = _person_sprite(plan.subjects[0], side, rng)
    left = round((plan.size - side) / 2 + plan.size * rng.uniform(-0.03, 0.03))
    top = plan.size - side + round(plan.size * rng.uniform(0.02, 0.05))
    placed = [place_bust(plan.subjects[0], sprite, left, top)]
    light = light_of(plan.time_of_day, "clear", indoor=True)
    paint(canvas, placed, light)
    return canvas, placed, None


def _alone(plan: PicturePlan, rng: random.Random) -> Placement:
    """Stand an animal or object in the middle of a plain ground, large enough to be known again."""
    subject = plan.subjects[0]
    side = round(plan.size * rng.uniform(0.3, 0.36))
    sprite = _perhaps_flipped(draw_thing(subject.name, subject.colour, side), rng)
    return Placement(
        subject=subject,
        layer="front",
        sprite=sprite,
        mask=np.asarray(sprite.getchannel("A")) > _OPAQUE,
        left=round((plan.size - sprite.width) / 2 + plan.size * rng.uniform(-0.05, 0.05)),
        top=round(plan.size * rng.uniform(0.78, 0.84)) - sprite.height,
        shadow=True,
    )


def _compose_scene(plan: PicturePlan) -> tuple[Image, list[Placement], Mask | None]:
    scenery, placed = lay_out_scene(plan)
    paint(scenery.backdrop, placed, scenery.light, scenery)
    return scenery.backdrop, placed, ledge_mask(plan.size, scenery)


def lay_out_scene(plan: PicturePlan) -> tuple[Scenery, list[Placement]]:
    """Draw the place of a scene and its subjects, and say where they stand, from back to front.

    Raises:
        PictureNotDrawn: they cannot all be seen in one picture.
    """
    streams = Streams(plan.seed)
    with_ledge = any(subject.kind == "person" for subject in plan.subjects)
    scenery = draw_scenery(plan, streams.rng("place"), with_ledge=with_ledge)
    ledge = ledge_mask(plan.size, scenery)
    stage = Stage(plan.size, scenery.ledge_top, ledge, outdoor=not scenery.light.indoor)
    flips = streams.rng("flips")

    def draw_sprite(subject: PictureSubject, side: int) -> Image:
        if subject.kind == "person":
            return _person_sprite(subject, side, streams.rng("person", plan.subjects.index(subject)))
        return _perhaps_flipped(draw_thing(subject.name, subject.colour, side), flips)

    placed = arrange(stage, plan.subjects, draw_sprite, streams.rng("layout"))
    if placed is None:
        raise PictureNotDrawn(plan.picture_id, "so many subjects cannot all be seen in one picture: plan fewer")
    return scenery, placed


def _perhaps_flipped(sprite: Image, rng: random.Random) -> Image:
    from PIL import Image as Images

    return sprite.transpose(Images.Transpose.FLIP_LEFT_RIGHT) if rng.random() < 0.5 else sprite


def ledge_mask(size: int, scenery: Scenery) -> Mask | None:
    """Return where the ledge is opaque, shape (size, size), or None where there is none."""
    if scenery.ledge is None:
        return None
    mask = np.zeros((size, size), dtype=np.bool_)
    mask[scenery.ledge_offset :] = np.asarray(scenery.ledge.getchannel("A")) > _OPAQUE
    return mask


def paint(canvas: Image, placed: Sequence[Placement], light: Light, scenery: Scenery | None = None) -> None:
    """Draw placements onto ``canvas``, which is this picture's own, and the scenery's ledge before those in front."""
    for item in placed:
        if item.layer != "front":
            _paint_one(canvas, item, light)
    if scenery is not None and scenery.ledge is not None:
        canvas.alpha_composite(scenery.ledge, (0, scenery.ledge_offset))
    for item in placed:
        if item.layer == "front":
            _paint_one(canvas, item, light)


def _paint_one(canvas: Image, item: Placement, light: Light) -> None:
    if item.shadow:
        _paint_shadow(canvas, item)
    sprite = item.sprite.point(lookup_table(light.subjects))
    canvas.paste(sprite, (item.left, item.top), sprite)


@functools.lru_cache(maxsize=1)
def _shadow_alpha() -> Image:
    """Return the opacity of a soft ellipse, 128 x 32."""
    from PIL import Image as Images

    rows, columns = np.mgrid[0:32, 0:128]
    distance = ((columns - 63.5) / 64) ** 2 + ((rows - 15.5) / 16) ** 2
    return Images.fromarray((np.clip(1 - distance, 0, 1) ** 0.7 * 88).astype(np.uint8))


def _paint_shadow(canvas: Image, item: Placement) -> None:
    height, width = item.mask.shape
    foot = item.top + height
    shape = (max(4, round(width * 1.02)), max(4, round(width * 0.17)))
    shadow = _shadow_alpha().resize(shape)
    canvas.paste((24, 28, 44), (item.left - (shape[0] - width) // 2, foot - round(shape[1] * 0.58)), shadow)
