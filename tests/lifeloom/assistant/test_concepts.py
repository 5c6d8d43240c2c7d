"""Visual concepts: cut out of one picture, recognised in another, and only what is known."""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from PIL import Image

from lifeloom.assistant import UpdateStage
from lifeloom.assistant.concept_phrases import line_of, read_phrase
from lifeloom.assistant.concepts import ConceptMemory, ConceptSettings
from lifeloom.memory import DialogueTurn, Origin, OtherEncoder, SemanticDraft, UserMemory
from lifeloom.models.builtin import BuiltinModel
from lifeloom.models.builtin.asking import EyesDetector
from lifeloom.models.builtin.eyes import CropEncoder, Eyes
from lifeloom.models.builtin.painter import BuiltinPainter, WantedPerson, draw_people
from lifeloom.models.protocol import Detection, ModelIdentity
from lifeloom.records import Moment, PicturePlan, PictureSubject
from lifeloom.store.pictures import PictureRejected, encode_png
from tests.lifeloom.memory.remembering import HashEncoder

START = dt.datetime(2026, 1, 5, 10, tzinfo=dt.UTC)
COLOURS = {"Ana": (200, 30, 30), "Ben": (30, 200, 30), "Cleo": (30, 30, 200), "Rex": (200, 200, 30), "mug": (90, 0, 90)}


@dataclass
class Staged:
    """A detector and an encoder of coloured rectangles: whose colour, who it is."""

    labelled: bool = True
    scores: dict[str, float] = field(default_factory=dict)
    twice: bool = False
    """Everything is found twice, as Grounding DINO does."""

    identity = ModelIdentity("test", "colours-1")
    dimensions = 8

    def detect(self, pictures: Sequence[Any]) -> list[tuple[Detection, ...]]:
        return [self._finds(picture) for picture in pictures]

    def encode(self, pictures: Sequence[Any]) -> Any:
        return np.stack([_vector(picture.getpixel((picture.width // 2, picture.height // 2))) for picture in pictures])

    def check(self) -> str:
        return "fine"

    def _finds(self, picture: Any) -> tuple[Detection, ...]:
        pixels, finds = np.asarray(picture), []
        for name, colour in COLOURS.items():
            rows, columns = np.nonzero((pixels == colour).all(axis=2))
            if len(rows):
                box = (float(columns.min()), float(rows.min()), float(columns.max() + 1), float(rows.max() + 1))
                kind: Any = {"Rex": "animal", "mug": "object"}.get(name, "person")
                finds.append(Detection(kind, self.scores.get(name, 0.9), box, kind))
                if self.twice:
                    finds.append(Detection(kind, 0.5, (box[0] + 1, *box[1:]), "man"))
        return tuple(sorted(finds, key=lambda one: -one.score))


class Asked(Staged):
    """A detector that can be asked for ``dog`` and ``mug`` and ``boy`` (Ben)."""

    def detect_labels(self, pictures: Sequence[Any], labels: Sequence[str]) -> list[tuple[Detection, ...]]:
        found = []
        for picture in pictures:
            colour_of = {"dog": "Rex", "mug": "mug", "boy": "Ben"}
            finds = []
            for label in labels:
                for one in self._finds(picture):
                    left, top, _, _ = map(int, one.box)
                    if picture.getpixel((left, top)) == COLOURS.get(colour_of.get(label, "")):
                        finds.append(Detection("object", one.score, one.box, label))
            found.append(tuple(finds))
        return found


def _vector(colour: Any) -> Any:
    names = list(COLOURS)
    known = [name for name in names if COLOURS[name] == tuple(colour)]
    vector = np.zeros(8, dtype=np.float32)
    vector[names.index(known[0]) if known else 7] = 1
    return vector


def staged(*names: str, sizes: Sequence[int] = (), width: int = 300) -> bytes:
    """A picture with rectangles from left to right, 40 pixels high or as ``sizes`` say."""
    picture = Image.new("RGB", (width, 100), "white")
    for number, name in enumerate(names):
        height = sizes[number] if sizes else 40
        left = 10 + 60 * number
        picture.paste(COLOURS[name], (left, 10, left + 40, 10 + height))
    return encode_png(picture)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[UserMemory]:
    with UserMemory.open(tmp_path / "user.sqlite", "user") as opened:
        yield opened


def show(memory: UserMemory, concepts: ConceptMemory, data: bytes, description: str) -> Any:
    """Say a turn with a picture and remember what ``description`` means."""
    index = memory.turn_count()
    at = START + dt.timedelta(hours=index)
    memory.add_turn(DialogueTurn(index, index, at, 0, description, ""))
    crop = concepts.remember(memory, data, description)
    if crop is not None:
        kept = memory.put_media(crop.data, crop.width, crop.height)
        content = f"{description} <img>"
        draft = SemanticDraft("visual_concept", content, (), (index,), crop=kept, crop_vector=crop.vector)
        memory.apply(f"turn {index}", [draft], Origin(at, index + 1))
    return crop


def cut_out(crop: Any) -> Any:
    return Image.open(io.BytesIO(crop.data)).convert("RGB")


def colour_of(crop: Any) -> str:
    image = cut_out(crop)
    return next(name for name, rgb in COLOURS.items() if rgb == image.getpixel((image.width // 2, image.height // 2)))


# --- remembering and recognising


def test_known_ones_are_told_by_name_and_place_and_unknown_ones_are_not(memory: UserMemory) -> None:
    concepts = ConceptMemory(Asked(), Asked())
    show(memory, concepts, staged("Ana"), "Fatou, the user's bandmate")
    show(memory, concepts, staged("Rex"), "Rex, the user's dog")
    assert concepts.recognise(memory, [staged("Ana", "Ben", "Rex")]) == (
        "The person on the left is Fatou, the user's bandmate.",
        "The animal in the picture is Rex, the user's dog.",
    )
    assert concepts.recognise(memory, [staged("Ben", "Cleo"), staged()]) == ()


def test_a_crop_is_a_picture_file_with_a_margin_of_fifteen_per_cent(memory: UserMemory) -> None:
    crop = show(memory, ConceptMemory(Asked(), Asked()), staged("Ana", "Ben"), "Ben on the right")
    image = cut_out(crop)
    assert image.size == (crop.width, crop.height) == (52, 52)  # 40 + 2 x 6
    assert image.getpixel((0, 0)) == (255, 255, 255)
    assert image.getpixel((6, 6)) == COLOURS["Ben"]


def test_several_pictures_are_told_apart_by_number(memory: UserMemory) -> None:
    concepts = ConceptMemory(Asked(), Asked())
    show(memory, concepts, staged("mug"), "the user's mug")
    assert concepts.recognise(memory, [staged("Ana"), staged("mug")]) == ("The thing in picture 2 is the user's mug.",)


def test_nothing_is_remembered_where_nothing_like_it_is_in_the_picture(memory: UserMemory) -> None:
    concepts = ConceptMemory(Asked(), Asked())
    for picture, description in [
        (staged("Ana"), "Rex, the user's dog"),
        (staged("Ana"), "the user's guitar"),
        (staged("mug"), "the user's sister"),
        (staged(), "Fatou, the user's bandmate"),
    ]:
        assert show(memory, concepts, picture, description) is None
    assert concepts.recognise(memory, [staged("Ana", "mug")]) == ()


@pytest.mark.parametrize(
    ("description", "cut"),
    [
        ("Fatou, the user's bandmate", "Cleo"),  # the largest
        ("the woman on the left", "Ana"),
        ("Fatou in the middle", "Ben"),
        ("the user's sister on the right", "Cleo"),
        ("the boy with the kite", "Ben"),  # the detector is asked for it
    ],
)
def test_of_several_the_one_is_cut_out_that_the_description_means(
    memory: UserMemory, description: str, cut: str
) -> None:
    crop = show(memory, ConceptMemory(Asked(), Asked()), staged("Ana", "Ben", "Cleo", sizes=(40, 40, 80)), description)
    assert colour_of(crop) == cut


def test_who_is_known_as_somebody_else_is_not_meant_and_who_is_known_by_the_name_is(memory: UserMemory) -> None:
    concepts = ConceptMemory(Asked(), Asked())
    show(memory, concepts, staged("Cleo"), "Priya, the user's sister")
    both = staged("Ana", "Cleo", sizes=(40, 80))
    assert colour_of(show(memory, concepts, both, "Fatou, the user's bandmate")) == "Ana"
    assert colour_of(show(memory, concepts, both, "Priya, the user's big sister")) == "Cleo"


def test_a_detector_that_only_tells_kinds_cuts_out_a_thing_that_stands_alone(memory: UserMemory) -> None:
    concepts = ConceptMemory(Staged(), Staged())
    assert colour_of(show(memory, concepts, staged("Ana", "mug"), "the user's mug")) == "mug"
    assert show(memory, concepts, staged("Rex", "mug"), "the user's mug") is None
    assert colour_of(show(memory, concepts, staged("Rex", "mug"), "Rex")) == "Rex"  # a name: a pet first


def test_what_is_found_twice_is_told_once(memory: UserMemory) -> None:
    concepts = ConceptMemory(Staged(twice=True), Staged())
    show(memory, concepts, staged("Ana"), "Fatou")
    assert concepts.recognise(memory, [staged("Ana", "Ben")]) == ("The person on the left is Fatou.",)


def test_what_is_asked_for_needs_less_certainty_than_what_is_not(memory: UserMemory) -> None:
    unsure = Asked(scores={"mug": 0.15})
    concepts = ConceptMemory(unsure, unsure)
    assert show(memory, concepts, staged("mug"), "the user's mug") is not None
    assert concepts.recognise(memory, [staged("mug")]) == ()
    very = Asked(scores={"mug": 0.05})
    assert show(memory, ConceptMemory(very, very), staged("mug"), "the user's mug") is None


def test_the_threshold_is_that_of_the_settings_or_half_a_cosine(memory: UserMemory) -> None:
    class Vague(Asked):
        def encode(self, pictures: Sequence[Any]) -> Any:
            vectors = super().encode(pictures)
            vectors[:, 7] = 1.2  # two different ones then have a cosine of 0.59
            return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    show(memory, ConceptMemory(Vague(), Vague()), staged("Ana"), "Fatou")
    assert ConceptMemory(Vague(), Vague()).recognise(memory, [staged("Ben")])
    strict = ConceptMemory(Vague(), Vague(), ConceptSettings(threshold=0.7))
    assert strict.recognise(memory, [staged("Ben")]) == ()
    assert strict.recognise(memory, [staged("Ana", "Ben")]) == ("The person on the left is Fatou.",)  # the surest


def test_the_past_knows_only_what_was_shown_by_then(memory: UserMemory) -> None:
    concepts = ConceptMemory(Asked(), Asked())
    show(memory, concepts, staged("Ana"), "Fatou")
    show(memory, concepts, staged("Ben"), "Tom")
    both = staged("Ana", "Ben")
    assert concepts.recognise(memory, [both], as_of=Moment(START, 1)) == ("The person on the left is Fatou.",)
    assert concepts.recognise(memory, [both], as_of=Moment(START, 0)) == ()
    assert len(concepts.recognise(memory, [both])) == 2


def test_recognising_writes_nothing_and_works_on_a_file_that_cannot_be_written(memory: UserMemory) -> None:
    concepts = ConceptMemory(Asked(), Asked())
    show(memory, concepts, staged("Ana"), "Fatou")
    with UserMemory.open(memory.path, "user", read_only=True) as reader:
        assert concepts.recognise(reader, [staged("Ana")]) == ("The person in the picture is Fatou.",)


def test_crops_of_another_encoder_are_not_compared(memory: UserMemory) -> None:
    class Other(Asked):
        identity = ModelIdentity("test", "colours-2")

    show(memory, ConceptMemory(Asked(), Asked()), staged("Ana"), "Fatou")
    with pytest.raises(OtherEncoder):
        ConceptMemory(Asked(), Other()).recognise(memory, [staged("Ana")])
    with pytest.raises(OtherEncoder):
        ConceptMemory(Asked(), Other()).remember(memory, staged("Ana"), "Fatou")


def test_a_broken_picture_shows_nobody_and_cannot_be_remembered(memory: UserMemory) -> None:
    concepts = ConceptMemory(Asked(), Asked())
    show(memory, concepts, staged("Ana"), "Fatou")
    assert concepts.recognise(memory, [b"no picture", staged("Ana")]) == ("The person in picture 2 is Fatou.",)
    with pytest.raises(PictureRejected):
        concepts.remember(memory, b"no picture", "Tom")


def test_one_serves_several_users_at_once_and_they_know_nothing_of_each_other(tmp_path: Path) -> None:
    concepts = ConceptMemory(Asked(), Asked())

    def use(number: int) -> tuple[str, ...]:
        with UserMemory.open(tmp_path / f"{number}.sqlite", f"user {number}") as own:
            show(own, concepts, staged("Ana"), f"Friend{number}")
            return concepts.recognise(own, [staged("Ana", "Ben")])

    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(use, range(8)))
    assert told == [(f"The person on the left is Friend{number}.",) for number in range(8)]


# --- descriptions


@pytest.mark.parametrize(
    ("description", "noun", "is_person", "side"),
    [
        ("Fatou, the user's bandmate <img>", "bandmate", True, ""),
        ("the boy with the kite", "boy with the kite", True, ""),
        ("Rex, the user's dog", "dog", False, ""),
        ("The user's dog Rex", "dog", False, ""),
        ("the user's best friend's dog", "dog", False, ""),
        ("Ana <img>", "", False, ""),
        ("the user's grandmother's teapot", "teapot", False, ""),
        ("Priya is the user's sister.", "sister", True, ""),
        ("the user's sister Priya in the middle", "sister", True, "middle"),
        ("the girl in the red hat on the right", "girl in the red hat", True, "right"),
        ("the leftmost woman", "woman", True, "left"),
        ("Rex (the user's dog)", "dog", False, ""),
        ("the user’s dog  < img >", "dog", False, ""),
        ("the " + " " * 100_000 + "dog", "dog", False, ""),
        ("dog's " * 20_000, "dog's", False, ""),
        ("<img>", "", False, ""),
        ("", "", False, ""),
    ],
)
def test_a_description_is_read_as_what_a_detector_can_be_asked_for(
    description: str, noun: str, is_person: bool, side: str
) -> None:
    phrase = read_phrase(description)
    assert (phrase.noun, phrase.is_person, phrase.side) == (noun, is_person, side)


def test_a_description_that_is_a_sentence_is_quoted_as_one() -> None:
    line = line_of("The user's sister is Priya", "person", "left", 1, 1)
    assert line == "What is remembered of the person on the left: The user's sister is Priya."


# --- the built-in eyes on drawn pictures

ANA, BEN = draw_people(Random(3071), [WantedPerson(), WantedPerson()], min_distance=3.0)


def drawn(number: int, *subjects: PictureSubject, place: str = "park", time: Any = "day") -> bytes:
    plan = PicturePlan(
        picture_id=f"concept-{number}", kind="scene", place=place, time_of_day=time, subjects=subjects, seed=number
    )
    return BuiltinPainter().draw(plan).data


def person(look: Any) -> PictureSubject:
    return PictureSubject(kind="person", name="somebody", identity="somebody", appearance=look)


def test_drawn_people_pets_and_things_are_recognised_in_another_place_and_light(memory: UserMemory) -> None:
    red, dog = PictureSubject(kind="object", name="mug", colour="red"), PictureSubject(kind="animal", name="dog")
    concepts = ConceptMemory(EyesDetector(Eyes()), CropEncoder())
    assert show(memory, concepts, drawn(1, person(ANA), dog, place="kitchen"), "Ana, the user's sister")
    street = drawn(3, red, dog, place="street")
    assert show(memory, concepts, street, "the user's puppy")
    assert show(memory, concepts, street, "the user's cup")
    assert show(memory, concepts, street, "the user's violin") is None

    lines = concepts.recognise(memory, [drawn(9, person(ANA), person(BEN), dog, red, place="market", time="night")])

    assert sorted(line.partition(" is ")[2] for line in lines) == [
        "Ana, the user's sister.",
        "the user's cup.",
        "the user's puppy.",
    ]
    blue = PictureSubject(kind="object", name="mug", colour="blue")
    cat = PictureSubject(kind="animal", name="cat")
    assert concepts.recognise(memory, [drawn(5, person(BEN), blue, cat, place="forest", time="morning")]) == ()


def test_what_a_user_shows_in_a_turn_is_known_in_a_later_picture(memory: UserMemory) -> None:
    dog, eyes = PictureSubject(kind="animal", name="dog"), Eyes()
    model = BuiltinModel(HashEncoder(), eyes=eyes, pictures=lambda picture: memory.media(picture.content_hash))
    concepts = ConceptMemory(EyesDetector(eyes), CropEncoder())
    shown = memory.put_media(drawn(3, dog, place="street"), 512, 512)
    memory.add_turn(DialogueTurn(0, 0, START, 0, "This is my dog Rex <img>", "What a lovely dog!", (shown,)))

    UpdateStage(model, HashEncoder(), concepts=concepts).turn_updates(memory, 0)

    (concept,) = [one for one in memory.memories("semantic") if one.label == "visual_concept"]
    assert concept.content == "Rex, the user's dog <img>"
    assert concept.crop is not None
    assert memory.media(concept.crop.content_hash).startswith(b"\x89PNG")
    later = drawn(9, person(BEN), dog, place="market", time="night")
    assert concepts.recognise(memory, [later]) == ("The animal in the picture is Rex, the user's dog.",)
