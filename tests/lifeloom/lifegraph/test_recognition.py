"""Who of a life is in a picture."""

from __future__ import annotations

import hashlib
import io

import numpy as np
import pytest
from PIL import Image

from lifeloom.lifegraph.recognition import ConceptRecogniser
from lifeloom.models.protocol import Detection, ModelIdentity
from lifeloom.records import BY_CODE, Concept, Life, PictureReference
from lifeloom.store import MediaMissing

RED, BLUE, GREEN = (250, 0, 0), (0, 0, 250), (0, 250, 0)


class Blocks:
    """Finds every 32-pixel column that is not white, as a person; encodes it by its colour."""

    identity = ModelIdentity("fake", "blocks")
    dimensions = 3

    def __init__(self) -> None:
        self.looked = 0

    def detect(self, pictures):
        self.looked += len(pictures)
        found = []
        for picture in pictures:
            boxes = []
            for left in range(0, picture.width, 32):
                if picture.getpixel((left + 16, 16)) != (255, 255, 255):
                    boxes.append(Detection("person", 0.9, (left, 0, left + 32, 32), "person"))
            found.append(tuple(boxes))
        return found

    def encode(self, pictures):
        rows = np.array([np.asarray(one, dtype=np.float32).mean(axis=(0, 1)) for one in pictures])
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def check(self):
        return "fine"


class Shelf:
    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def put(self, *colours: tuple[int, int, int]) -> PictureReference:
        image = Image.new("RGB", (32 * max(1, len(colours)), 32), "white")
        for number, colour in enumerate(colours):
            image.paste(colour, (32 * number, 0, 32 * number + 32, 32))
        out = io.BytesIO()
        image.save(out, "PNG")
        name = hashlib.sha256(out.getvalue()).hexdigest()
        self.files[name] = out.getvalue()
        return PictureReference(content_hash=name, width=image.width, height=image.height)

    def __call__(self, reference: PictureReference) -> bytes:
        if reference.content_hash not in self.files:
            raise MediaMissing("it is gone")
        return self.files[reference.content_hash]


def _life(**portraits: PictureReference | None) -> Life:
    concepts = tuple(
        Concept(
            concept_id=f"v-c-{name}",
            vaccount_id="v",
            name=name.title(),
            role="Account Owner",
            kind="person",
            portrait=portrait,
            made_by=BY_CODE,
        )
        for name, portrait in portraits.items()
    )
    return Life("v", concepts, ())


def test_people_are_named_by_their_portraits_each_once_and_strangers_not_at_all() -> None:
    shelf, blocks = Shelf(), Blocks()
    life = _life(ana=shelf.put(RED), bo=shelf.put(BLUE))
    recogniser = ConceptRecogniser(blocks, blocks, shelf, least=0.9)
    found = recogniser.recognise(shelf.put(BLUE, RED, RED), life)
    assert {one.concept_id for one in found} == {"v-c-ana", "v-c-bo"}
    assert next(one.box for one in found if one.concept_id == "v-c-bo") == (0, 0, 32, 32)
    assert recogniser.recognise(shelf.put(GREEN), life) == ()


def test_a_picture_is_looked_at_once() -> None:
    shelf, blocks = Shelf(), Blocks()
    life, picture = _life(ana=shelf.put(RED)), shelf.put(RED, BLUE)
    recogniser = ConceptRecogniser(blocks, blocks, shelf, least=0.9)
    for _ in range(3):
        recogniser.recognise(picture, life)
    assert blocks.looked == 2  # the portrait and the picture


def test_missing_portraits_are_named_and_the_others_are_recognised_all_the_same() -> None:
    shelf, blocks = Shelf(), Blocks()
    gone = PictureReference(content_hash="0" * 64, width=32, height=32)
    life = _life(ana=None, bo=gone, cem=shelf.put(GREEN), dee=shelf.put())
    recogniser = ConceptRecogniser(blocks, blocks, shelf, least=0.9)
    assert recogniser.missing(life) == ("v-c-ana", "v-c-bo", "v-c-dee")
    assert [one.concept_id for one in recogniser.recognise(shelf.put(GREEN, RED), life)] == ["v-c-cem"]
    assert recogniser.recognise(gone, life) == ()


@pytest.mark.parametrize("portraits", [{}, {"ana": None}])
def test_a_life_without_portraits_recognises_nobody(portraits: dict[str, None]) -> None:
    shelf, blocks = Shelf(), Blocks()
    assert ConceptRecogniser(blocks, blocks, shelf).recognise(shelf.put(RED), _life(**portraits)) == ()


def test_what_recognises_is_named_for_fingerprints() -> None:
    blocks = Blocks()
    assert ConceptRecogniser(blocks, blocks, Shelf()).models == ("fake/blocks", "fake/blocks")
