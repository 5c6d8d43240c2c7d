"""Each perturbation: what it changes to the letter, and that nothing else changes."""

from __future__ import annotations

import hashlib
import io
import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from evaluation.audit import PERTURBATIONS, NamesRunOut, Perturbed, Release, no_pictures, trimmed
from evaluation.audit.pictures import reencoded, renamed, shifted
from evaluation.audit_persona_mme import PersonaMmeAudit
from lifeloom.records import BenchmarkCase, PictureReference, Turn
from lifeloom.store.pictures import PictureRejected, decode_picture, picture_hash
from lifeloom.streams import Streams
from tests.evaluation.audit.pictured import FILES, balloons, picture, shown, stored
from tests.evaluation.examples import case, turns

ADAPTER = PersonaMmeAudit()
NAMES = ("Ana", "Priya", "Mary Ann")
SPARE = ("Tom", "Ana", "Mei", "Raj", "Ola", "Ida")


def perturbed(name: str, release: Release[BenchmarkCase], seed: int = 7) -> Perturbed[BenchmarkCase]:
    return next(p for p in PERTURBATIONS if p.name == name).apply(release, ADAPTER, Streams(seed))


def pictured_release() -> Release[BenchmarkCase]:
    cases, histories = balloons(3, each=2)
    return Release(tuple(cases), histories, stored)


def worded_release(
    said: Sequence[tuple[str, str]],
    asked: BenchmarkCase,
    *,
    names: Sequence[str] = NAMES,
    spare: Sequence[str] = SPARE,
) -> Release[BenchmarkCase]:
    history = turns(len(said), say=lambda number: said[number])
    return Release((asked,), {"p-1": history}, no_pictures, {"p-1": tuple(names)}, tuple(spare))


def noise(width: int = 40, height: int = 24) -> bytes:
    pixels = np.random.default_rng(7).integers(0, 256, (height, width, 3), dtype=np.uint8)
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, format="PNG")
    return out.getvalue()


def test_every_perturbation_is_deterministic() -> None:
    cases, histories = balloons(3, each=2)
    release = Release(tuple(cases), histories, stored, dict.fromkeys(histories, ("Ana", "Priya")), SPARE)
    for perturbation in PERTURBATIONS:
        first, again = (perturbation.apply(release, ADAPTER, Streams(7)) for _ in range(2))
        assert first.release.cases == again.release.cases
        assert first.release.turns == again.release.turns
        assert (first.case_ids, first.orders) == (again.case_ids, again.orders)


@pytest.mark.parametrize("name", ["pictures_reencoded", "pictures_shifted", "pictures_renamed"])
def test_perturbed_pictures_have_new_contents_and_can_be_read_under_them(name: str) -> None:
    release = pictured_release()
    changed = perturbed(name, release).release
    assert changed.cases == release.cases
    for persona, own in changed.turns.items():
        for turn, before in zip(own, release.turns[persona], strict=True):
            assert turn.model_copy(update={"pictures": ()}) == before.model_copy(update={"pictures": ()})
            assert len(turn.pictures) == len(before.pictures)
            for new, old in zip(turn.pictures, before.pictures, strict=True):
                assert new.content_hash not in FILES
                assert hashlib.sha256(changed.pictures(new)).hexdigest() == new.content_hash
                assert (new.width, new.height) == (old.width, old.height)
                assert decode_picture(changed.pictures(new)).size == (old.width, old.height)
                assert changed.pictures(old) == stored(old)  # what was not changed is still there


def test_a_picture_that_is_shown_twice_is_changed_alike() -> None:
    cases, histories = balloons(2, each=1)
    same = picture("red", 9)
    histories = {
        persona: [own[0].model_copy(update={"pictures": (same,)}), own[1]] for persona, own in histories.items()
    }
    after = shown(perturbed("pictures_shifted", Release(tuple(cases), histories, stored)).release.turns)
    assert after["p-0"] == after["p-1"]


def test_a_picture_is_stored_as_jpeg_of_quality_85() -> None:
    data = reencoded(noise(), random.Random(7))
    expected = io.BytesIO()
    Image.open(io.BytesIO(noise())).save(expected, format="JPEG", quality=85)
    assert data == expected.getvalue()
    assert Image.open(io.BytesIO(data)).format == "JPEG"


@given(st.integers(0, 200))
def test_a_picture_is_moved_by_three_to_eight_pixels_and_its_edge_is_repeated(seed: int) -> None:
    before = np.asarray(Image.open(io.BytesIO(noise())))
    after = np.asarray(decode_picture(shifted(noise(), random.Random(seed))))
    assert after.shape == before.shape
    height, width = before.shape[:2]
    shifts = [n for size in range(3, 9) for n in (size, -size)]
    fits = [
        (down, right)
        for down in shifts
        for right in shifts
        if np.array_equal(
            after[max(down, 0) : height + min(down, 0), max(right, 0) : width + min(right, 0)],
            before[max(-down, 0) : height + min(-down, 0), max(-right, 0) : width + min(-right, 0)],
        )
    ]
    assert len(fits) == 1
    down, right = fits[0]
    corner = before[0 if down > 0 else -1, 0 if right > 0 else -1]
    assert (after[0 if down > 0 else -1, 0 if right > 0 else -1] == corner).all()


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
def test_a_renamed_picture_has_the_same_pixels_in_another_file(form: str) -> None:
    out = io.BytesIO()
    Image.open(io.BytesIO(noise())).save(out, format=form)
    data = renamed(out.getvalue(), random.Random(7))
    assert data != out.getvalue()
    assert picture_hash(decode_picture(data)) == picture_hash(decode_picture(out.getvalue()))
    assert data != renamed(out.getvalue(), random.Random(8))


def test_a_picture_that_cannot_be_read_is_a_typed_error() -> None:
    cases, histories = balloons(1, each=1)
    release = Release(tuple(cases), histories, lambda reference: b"<html>")
    with pytest.raises(PictureRejected):
        perturbed("pictures_reencoded", release)


def test_ids_are_all_other_and_what_belongs_together_still_does() -> None:
    release = pictured_release()
    changed = perturbed("ids_shuffled", release)
    put = changed.release
    assert not set(put.turns) & set(release.turns)
    assert {new: old for new, old in changed.case_ids.items() if new == old} == {}
    assert sorted(changed.case_ids.values()) == sorted(item.case_id for item in release.cases)
    for item, before in zip(put.cases, release.cases, strict=True):
        assert changed.case_ids[item.case_id] == before.case_id
        assert ADAPTER.texts(item) == ADAPTER.texts(before)
        own, old = put.turns[item.persona_id], release.turns[before.persona_id]
        assert [(t.user, t.assistant, t.at, t.pictures) for t in own] == [
            (t.user, t.assistant, t.at, t.pictures) for t in old
        ]
        assert {turn.persona_id for turn in own} == {item.persona_id}
        assert len({turn.session_id for turn in own}) == 1
        assert not {turn.turn_id for turn in own} & {turn.turn_id for turn in old}
        assert own[0].session_id != old[0].session_id


def test_options_move_and_the_answer_follows() -> None:
    release = pictured_release()
    changed = perturbed("options_reordered", release)
    for item, before in zip(changed.release.cases, release.cases, strict=True):
        order = changed.orders[before.case_id]
        assert sorted(order) == [0, 1, 2, 3]
        assert list(order) != [0, 1, 2, 3]
        assert [option.letter for option in item.options] == ["a", "b", "c", "d"]
        assert [option.text for option in item.options] == [before.options[place].text for place in order]
        assert [option.source for option in item.options] == [before.options[place].source for place in order]
        right = next(option.text for option in before.options if option.letter == before.answer)
        assert next(option.text for option in item.options if option.letter == item.answer) == right
    assert changed.release.turns == release.turns


def test_names_are_replaced_in_everything_that_is_said_and_asked() -> None:
    asked = case(
        "x",
        query="When does Ana meet Priya?",
        options=("on Ana's day", "with Mary Ann", "never", "at Priya's"),
        pair=("Ask Ana.", "No."),
    )
    changed = perturbed("names_replaced", worded_release([("Ana met Priya.", "Did Mary Ann come?")], asked)).release
    ana, priya, mary = changed.names["p-1"]
    assert len({ana, priya, mary}) == 3
    assert {ana, priya, mary} <= {"Tom", "Mei", "Raj", "Ola", "Ida"}
    (turn,) = changed.turns["p-1"]
    assert (turn.user, turn.assistant) == (f"{ana} met {priya}.", f"Did {mary} come?")
    (item,) = changed.cases
    assert item.query == f"When does {ana} meet {priya}?"
    assert [option.text for option in item.options] == [f"on {ana}'s day", f"with {mary}", "never", f"at {priya}'s"]
    assert item.alignment is not None
    assert (item.alignment.chosen, item.alignment.rejected) == (f"Ask {ana}.", "No.")
    assert item.answer == asked.answer


def test_only_whole_words_are_names_and_possessives_are_kept() -> None:
    said = [("Anabel saw a banana; Ana’s hat, Ana's cat, ANA, ana-logue, Ana-Lena.", "Mary and Ann, Mary Ann, Anas")]
    changed = perturbed("names_replaced", worded_release(said, case("x"))).release
    ana, _, mary = changed.names["p-1"]
    (turn,) = changed.turns["p-1"]
    assert turn.user == f"Anabel saw a banana; {ana}’s hat, {ana}'s cat, ANA, ana-logue, {ana}-Lena."
    assert turn.assistant == f"Mary and Ann, {mary}, Anas"


def test_a_name_that_a_conversation_uses_is_given_to_nobody() -> None:
    said = [("Tom and Mei and Raj", "Ola?")]
    changed = perturbed("names_replaced", worded_release(said, case("x"), names=("Ana",))).release
    assert changed.names["p-1"] == ("Ida",)
    with pytest.raises(NamesRunOut, match="3 people need other names, 1 of 6 are not in use"):
        perturbed("names_replaced", worded_release(said, case("x")))


@given(st.permutations(["Ana", "Bo", "Cy"]), st.integers(0, 50))
def test_names_never_fall_together(order: Sequence[str], seed: int) -> None:
    text = " ".join(order)
    release = worded_release([(text, text)], case("x"), names=order, spare=("Di", "Ed", "Flo"))
    (turn,) = perturbed("names_replaced", release, seed).release.turns["p-1"]
    assert sorted(turn.user.split()) == ["Di", "Ed", "Flo"]


def test_a_release_is_trimmed_to_what_its_cases_may_look_at() -> None:
    cases = [case("c-1", persona="p-a", turns=2), case("c-2", persona="p-a", turns=3)]
    histories = {"p-a": turns(5, "p-a"), "p-b": turns(5, "p-b")}
    part = trimmed(Release(tuple(cases), histories, no_pictures), ADAPTER)
    assert {persona: len(own) for persona, own in part.turns.items()} == {"p-a": 3}


def test_a_release_without_pictures_says_so_when_one_is_asked_for() -> None:
    with pytest.raises(LookupError, match="no pictures"):
        no_pictures(PictureReference(content_hash="0" * 64, width=1, height=1))


def test_turns_without_pictures_are_left_alone() -> None:
    history: list[Turn] = turns(2)
    release = Release((case("x", turns=2),), {"p-1": history}, no_pictures)
    assert list(perturbed("pictures_reencoded", release).release.turns["p-1"]) == history
