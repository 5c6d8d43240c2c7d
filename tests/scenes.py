"""Image libraries and scenes for tests, without a picture drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lifeloom.models.builtin.painter import WantedPerson, draw_people
from lifeloom.records import (
    BY_CODE,
    IdentityLook,
    LibraryCategory,
    LibraryImage,
    PicturePlan,
    PictureReference,
    PictureSubject,
    SceneImage,
    ScenePlan,
    Split,
)
from lifeloom.streams import Streams

__all__ = ["image_of", "library_image", "reference", "scene", "small_library"]

_THINGS: dict[LibraryCategory, Sequence[tuple[str, str]]] = {
    "animal": (("dog", ""), ("cat", ""), ("dog", "black"), ("owl", "")),
    "object": (("mug", "red"), ("mug", "blue"), ("guitar", ""), ("kite", "green")),
}


def reference(name: str) -> PictureReference:
    """A reference of its own for each name; there is no file behind it."""
    return PictureReference(content_hash=name.encode().hex().ljust(64, "0")[-64:], width=512, height=512)


def library_image(image_id: str, /, noun: str = "person", split: Split = "train", **more: Any) -> LibraryImage:
    """A picture of the library; its category follows from the noun."""
    category: LibraryCategory = "human" if noun == "person" else "object"
    if noun.split()[-1] in {name for name, _ in _THINGS["animal"]}:
        category = "animal"
    fields = {
        "image_id": image_id,
        "identity": image_id,
        "category": category,
        "noun": noun,
        "use": "captioning",
        "split": split,
        "picture": reference(image_id),
        "licence": "CC0",
        "source": "test",
        "made_by": BY_CODE,
    }
    return LibraryImage.model_validate(fields | more)


def small_library(people: int = 8) -> tuple[list[LibraryImage], dict[str, IdentityLook]]:
    """People, four animals and four objects, every second one for training, with their looks."""
    faces = draw_people(Streams(3).rng("faces"), [WantedPerson() for _ in range(people)])
    subjects = [
        PictureSubject(kind="person", name="person", identity=f"p{number}", appearance=face)
        for number, face in enumerate(faces)
    ]
    subjects += [
        PictureSubject(kind="animal" if kind == "animal" else "object", name=name, colour=colour, identity=f"{kind}{n}")
        for kind, things in _THINGS.items()
        for n, (name, colour) in enumerate(things)
    ]
    images = [
        library_image(one.identity, f"{one.colour} {one.name}".strip(), "train" if number % 2 else "benchmark")
        for number, one in enumerate(subjects)
    ]
    return images, {one.identity: IdentityLook(identity=one.identity, subject=one) for one in subjects}


def scene(scene_id: str, *identities: str, looks: dict[str, IdentityLook] | None = None, **more: Any) -> ScenePlan:
    """A scene in the park with these identities, drawable where their looks are given."""
    picture = None
    if looks is not None:
        picture = PicturePlan(
            picture_id=scene_id,
            kind="scene",
            place="park",
            subjects=tuple(looks[one].subject for one in identities),
            seed=5,
        )
    fields = {
        "scene_id": scene_id,
        "split": "train",
        "edition": "corpus",
        "scenario": "picnic",
        "instruction": "They are having a picnic in the park.",
        "image_ids": identities,
        "identities": identities,
        "place": "park",
        "picture": picture,
    }
    return ScenePlan.model_validate(fields | more)


def image_of(plan: ScenePlan, **more: Any) -> SceneImage:
    """The query picture of a scene."""
    fields = {
        "scene_id": plan.scene_id,
        "split": plan.split,
        "image_ids": plan.image_ids,
        "picture": reference(plan.scene_id),
        "made_by": BY_CODE,
    }
    return SceneImage.model_validate(fields | more)
