"""Looks of people in words, from the vectors of their faces."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import numpy as np
import pytest

from lifeloom.models.builtin.eyes import Eyes, traits
from lifeloom.models.builtin.eyes.traits import PersonTraits, TraitsUnusable, traits_of
from lifeloom.models.builtin.painter import BuiltinPainter
from lifeloom.models.builtin.painter.people import WantedPerson, draw_people
from lifeloom.records import PicturePlan, PictureReference, PictureSubject
from lifeloom.synthesis.vaccounts.looks import beard_of, glasses_of, hair_colour_of, hair_of


def test_portraits_of_people_it_has_never_seen_are_read_as_they_were_drawn() -> None:
    people = draw_people(random.Random(4711), [WantedPerson("grown")] * 12 + [WantedPerson("old")] * 12)
    painter, files, references = BuiltinPainter(), {}, []
    for number, look in enumerate(people):
        subject = PictureSubject(kind="person", name="somebody", identity="p", appearance=look)
        drawn = painter.draw(PicturePlan(picture_id=f"p-{number}", kind="portrait", subjects=(subject,), seed=number))
        name = hashlib.sha256(drawn.data).hexdigest()
        files[name] = drawn.data
        references.append(PictureReference(content_hash=name, width=drawn.width, height=drawn.height))
    sights = Eyes().look(references, lambda one: files[one.content_hash])
    right = {"hair": 0, "hair_colour": 0, "glasses": 0, "beard": 0}
    for look, sight in zip(people, sights, strict=True):
        (seen,) = traits_of(np.array([sight.people[0].face]))
        right["hair"] += seen.hair == hair_of(look)
        right["hair_colour"] += seen.hair_colour == hair_colour_of(look)
        right["glasses"] += (seen.glasses == "glasses") == (glasses_of(look) == "glasses")
        right["beard"] += (seen.beard != "none") == (beard_of(look) != "no beard")
    assert min(right.values()) >= 20, right  # of 24


def test_nobody_has_no_looks() -> None:
    assert traits_of(np.zeros((0, 64), dtype=np.float32)) == ()


@pytest.mark.parametrize("content", [None, b"", b"PK\x03\x04 cut short"])
def test_a_missing_or_damaged_file_says_what_to_do(
    content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "traits.npz"
    if content is not None:
        path.write_bytes(content)
    monkeypatch.setattr(traits, "TRAITS_PATH", path)
    traits._heads.cache_clear()
    try:
        with pytest.raises(TraitsUnusable, match="install Lifeloom again"):
            traits_of(np.zeros((1, 64), dtype=np.float32))
    finally:
        traits._heads.cache_clear()


def test_looks_are_said_in_plain_words() -> None:
    covered = PersonTraits(hair="a hijab", hair_colour="orange", glasses="none", beard="none", skin="light")
    assert covered.phrases() == ("an orange hijab",)
    bearded = PersonTraits(hair="short hair", hair_colour="grey", glasses="glasses", beard="moustache", skin="dark")
    assert bearded.phrases() == ("grey short hair", "glasses", "a moustache")
