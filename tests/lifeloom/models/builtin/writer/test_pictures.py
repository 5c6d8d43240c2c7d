"""Turns with pictures: one mark a picture, in the sentence that points to it, and nothing given away."""

import itertools
import random
import re

import pytest

from lifeloom.models.builtin.painter.vocabulary import COLOURS, PLACES, THINGS
from lifeloom.models.builtin.writer.areas import asks, contexts
from lifeloom.models.builtin.writer.editions import for_edition
from lifeloom.models.builtin.writer.pictures import (
    PicturesUnfit,
    names_what_pictures_show,
    telling_habits,
)
from lifeloom.models.builtin.writer.session import write_session
from lifeloom.models.builtin.writer.statements import PICTURED_KINDS, said_kinds
from lifeloom.models.builtin.writer.wordings import load
from lifeloom.records import AREAS, TRAITS
from lifeloom.tasks import SessionWritingInput, StatementBrief, TraitScores, TurnBrief
from lifeloom.tasks.session_writing import PictureBrief

ALBUM = PictureBrief(role="album", handle="our reunion")
PORTRAIT = PictureBrief(role="portrait", name="Xanthe")
STATEMENT = PictureBrief(role="statement")
KINDS = [(fact_kind, kind) for fact_kind in PICTURED_KINDS for kind in said_kinds(fact_kind)]
PHRASES = {
    "hidden_intent": "next big buy",
    "hidden_taste": "wardrobe colour",
    "pattern": "free Sunday",
    "bond": "weekend company",
}
LISTS = ("album", "portrait", "follow", "beside", "asks")


def turn(position: int, area: str, *pictures: PictureBrief, **changes) -> TurnBrief:
    fields = {"position": position, "local_time": "10:15", "act": "picture", "area": area, "pictures": pictures}
    return TurnBrief(**(fields | changes))


def stating(position: int, area: str, fact_kind: str, statement_kind: str) -> TurnBrief:
    other = statement_kind == "other_person"
    said = StatementBrief(
        fact_kind=fact_kind,
        statement_kind=statement_kind,
        phrase=PHRASES[fact_kind],
        value="",
        holder_name="Mateo" if other else "",
        holder_relation="godparent" if other else "",
        pictured=True,
    )
    return turn(position, area, STATEMENT, act="statement", statements=(said,))


def written(turns: list[TurnBrief], seed: int, edition: str = "release"):
    rng = random.Random(seed)
    session = SessionWritingInput(
        name="Ana Reis",
        role_description="A baker.",
        traits=TraitScores(**{trait: rng.choice([1.0, 2.4, 3.0, 4.1, 5.0]) for trait in TRAITS}),
        edition=edition,
        local_date="Friday 2025-03-14",
        session_number=2,
        turns=tuple(turns),
    )
    return write_session(session, random.Random(seed)).turns


def all_turns(seed: int) -> list[TurnBrief]:
    rng = random.Random(seed)
    turns = [stating(1, rng.choice(AREAS), *kind) for kind in rng.sample(KINDS, 6)]
    turns += [turn(1, rng.choice(AREAS), picture) for picture in (ALBUM, PORTRAIT, ALBUM)]
    turns.append(turn(1, rng.choice(AREAS), PORTRAIT, ALBUM, PORTRAIT))
    rng.shuffle(turns)
    return [one.model_copy(update={"position": number}) for number, one in enumerate(turns, start=1)]


def test_every_message_has_one_mark_a_picture_whatever_the_manner():
    for seed in range(120):
        turns = all_turns(seed)
        for brief, said in zip(turns, written(turns, seed), strict=True):
            assert said.user.count("<img>") == len(brief.pictures), said.user
            assert "<img" not in said.assistant


def test_the_mark_stands_with_the_sentence_that_points_to_it():
    pointing = [
        re.compile(re.sub(r"\\{\w+\\}", ".+", re.escape(source)))
        for name in ("album", "portrait")
        for source in load("pictures")[name]
    ]
    for seed in range(80):
        for picture in (ALBUM, PORTRAIT):
            text = written([turn(1, "home", picture)], seed)[0].user
            assert any(pattern.search(text) for pattern in pointing), text


def test_an_album_picture_is_named_by_its_handle_and_a_portrait_by_its_name_once():
    for seed in range(60):
        album, portrait = (written([turn(1, "food", picture)], seed)[0].user for picture in (ALBUM, PORTRAIT))
        assert album.count("our reunion") == 1
        assert portrait.count("Xanthe") == 1


def test_several_pictures_are_told_of_in_their_order():
    for seed in range(40):
        text = written([turn(1, "food", PORTRAIT, ALBUM)], seed)[0].user
        assert text.index("Xanthe") < text.index("our reunion")


def test_no_text_of_a_picture_turn_names_what_a_picture_can_show():
    for seed in range(120):
        turns = all_turns(seed)
        for brief, said in zip(turns, written(turns, seed), strict=True):
            assert not names_what_pictures_show(said.user), said.user
            assert not names_what_pictures_show(said.assistant), said.assistant
            assert brief.pictures


def test_what_happens_elsewhere_is_told_before_a_picture_and_never_of_a_picture():
    scenes = [item.source for area in AREAS for item in contexts(area) if "[" not in item.source]
    found = 0
    for seed in range(60):
        for said in written(all_turns(seed), seed):
            beside = [scene for scene in scenes if scene[:-1] in said.user]
            found += len(beside)
            assert all(said.user.index(scene[:-1]) < said.user.index("<img>") for scene in beside), said.user
            assert not [scene for scene in beside if re.search(r"\b(photo|picture|selfie|portrait)", scene)], said.user
    assert found > 50


def test_messages_and_answers_keep_to_their_length():
    for seed in range(80):
        turns = all_turns(seed)
        for brief, said in zip(turns, written(turns, seed), strict=True):
            assert 40 <= len(said.user.split()) <= 92 + 20 * (len(brief.pictures) - 1), said.user
            assert 80 <= len(said.assistant.split()) <= 130, said.assistant


@pytest.mark.parametrize(("fact_kind", "statement_kind"), KINDS)
def test_a_pictured_statement_stands_in_its_turn_with_its_phrase(fact_kind, statement_kind):
    for seed in range(8):
        text = written([stating(1, "travel", fact_kind, statement_kind)], seed)[0].user
        assert PHRASES[fact_kind] in text
        assert text.count("<img>") == 1
        assert ("Mateo" in text and "godparent" in text) == (statement_kind == "other_person")


@pytest.mark.parametrize("name", LISTS)
def test_there_are_enough_words_around_pictures_and_no_two_are_alike(name):
    sources = load("pictures")[name]
    assert len({source.lower() for source in sources}) == len(sources) >= 24


def test_the_assistant_has_enough_to_say_about_pictures():
    parts = load("pictures")
    assert all(len(set(parts["acknowledgements"][role])) >= 15 for role in ("album", "portrait", "statement"))
    assert len(set(parts["replies"]["remarks"])) >= 36
    assert len(set(parts["replies"]["questions"])) >= 20


def everything() -> list[str]:
    parts = load("pictures")
    listed = [source for name in LISTS for source in parts[name]]
    listed += [text for texts in parts["acknowledgements"].values() for text in texts]
    return listed + parts["replies"]["remarks"] + parts["replies"]["questions"]


def test_no_wording_around_pictures_tells_of_a_thing_a_colour_a_place_or_a_person():
    assert not [text for text in everything() if names_what_pictures_show(text)]
    people = re.compile(
        r"\b(he|she|him|his|her|hers|man|woman|boy|girl|child|old man|smil\w+ (?:face|eyes))\b", re.IGNORECASE
    )
    assert not [text for text in everything() if people.search(text)]
    when = re.compile(
        r"\b(sunset|sunrise|rain\w*|snow\w*|fog\w*|sunny|clouds?|midnight|indoors|outdoors)\b", re.IGNORECASE
    )
    assert not [text for text in everything() if when.search(text)]


def test_only_what_introduces_a_picture_has_a_mark_and_it_has_one():
    parts = load("pictures")
    assert all(source.count("<img>") == 1 for name in ("album", "portrait") for source in parts[name])
    assert all("{handle}" in source for source in parts["album"])
    assert all("{name}" in source for source in parts["portrait"])
    assert sum("<img>" in text for text in everything()) == len(parts["album"]) + len(parts["portrait"])


def test_words_of_the_vocabulary_are_recognised_and_parts_of_words_are_not():
    names = [*COLOURS, *(item.name for item in PLACES)]
    names += [name for item in THINGS for name in (item.name, item.plural)]
    assert all(names_what_pictures_show(f"So I saw the {name}, twice.") for name in names)
    assert all(names_what_pictures_show(text) for text in ("My phone rang", "A KITTEN!", "two Bikes"))
    assert not any(names_what_pictures_show(text) for text in ("That was because of the card.", "", "He scared me off"))


@pytest.mark.parametrize("area", AREAS)
def test_every_area_leaves_enough_to_say_beside_a_picture(area):
    scenes = [
        item.source for item in for_edition(contexts(area), "corpus") if not names_what_pictures_show(item.source)
    ]
    wishes = [item.source for item in for_edition(asks(area), "corpus") if not names_what_pictures_show(item.source)]
    assert len(scenes) >= 8
    assert len(wishes) >= 4
    assert telling_habits() == tuple(habit.lower() for habit in telling_habits())


def test_the_corpus_never_says_what_is_kept_for_releases():
    parts = load("pictures")
    kept = [source for name in LISTS for source in parts[name][len(for_edition(parts[name], "corpus")) :]]
    kept = [re.sub(r" ?<img> ?", "", source).split("{")[0] for source in kept]
    kept = [text for text in kept if len(text) > 20]
    for seed in range(60):
        turns = [turn(number, "garden", (ALBUM, PORTRAIT)[number % 2]) for number in range(1, 7)]
        text = " ".join(said.user for said in written(turns, seed, "corpus"))
        assert not [source for source in kept if source in text]


def test_a_session_does_not_repeat_how_it_points_to_pictures():
    for seed in range(20):
        turns = [turn(number, "music", ALBUM) for number in range(1, 11)]
        texts = [said.user for said in written(turns, seed)]
        told = [source.split("{")[0] for source in load("pictures")["album"] if len(source.split("{")[0]) > 15]
        assert all(sum(start in text for text in texts) <= 1 for start in told)


@pytest.mark.parametrize(
    "brief",
    [
        turn(1, "home"),
        turn(1, "home", STATEMENT),
        turn(1, "home", ALBUM, STATEMENT),
        turn(1, "home", PictureBrief(role="album")),
        turn(1, "home", PictureBrief(role="portrait", handle="our reunion")),
        turn(1, "home", PictureBrief(role="album", handle="<img>")),
        turn(1, "home", ALBUM, act="small_talk"),
        turn(1, "home", ALBUM, act="errand"),
        turn(1, "home", STATEMENT, act="statement"),
        stating(1, "home", "pattern", "direct").model_copy(update={"pictures": ()}),
        stating(1, "home", "pattern", "direct").model_copy(update={"pictures": (ALBUM,)}),
        stating(1, "home", "pattern", "direct").model_copy(update={"pictures": (STATEMENT, STATEMENT)}),
        stating(1, "home", "pattern", "direct").model_copy(update={"act": "picture", "pictures": (ALBUM,)}),
    ],
)
def test_pictures_that_do_not_suit_their_turn_are_refused(brief):
    with pytest.raises(PicturesUnfit, match="Turn 1"):
        written([brief], 1)


def test_names_and_handles_cannot_bring_marks_of_their_own():
    forged = ["Xan<img>the", "<im<img>g>Xanthe", "Xanthe < img >"]
    for seed, (name, role) in enumerate(itertools.product(forged, ("album", "portrait"))):
        picture = PictureBrief(
            role=role, handle=name if role == "album" else "", name=name if role == "portrait" else ""
        )
        text = written([turn(1, "home", picture)], seed)[0].user
        assert text.lower().replace(" ", "").count("<img>") == 1, text
