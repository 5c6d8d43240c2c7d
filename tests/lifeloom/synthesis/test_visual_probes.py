"""What album pictures let one ask: expected answers are read off albums that are written out here by hand."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifeloom.models.builtin.painter.vocabulary import COLOURS, PLACES, THINGS, place, thing
from lifeloom.records import BenchmarkCase, ConversationPlan
from lifeloom.synthesis.probes.truth import NoAnswers
from lifeloom.synthesis.probes.visual import COUNTS, SCENERY, WORN, VisualProbe, visual_probes_of
from lifeloom.synthesis.probes.visual_wording import VISUAL_CARRIERS, VISUAL_STEMS
from tests.lifeloom.synthesis.plan_books import PlanBook, a_person, a_thing, make, random_book, release, right, wrong

REUNION, DAY_OFF, PARTY, WEEKEND = "our reunion", "the day off", "my name day", "the long weekend"
RELATIONS = {"Amina": "cousin", "Bogdan": "mentor", "Chidi": "flatmate", "Davit": "accountant", "Esra": "pen pal"}
IN = {
    REUNION: ("beach", ["red mug", "dog"], ["Amina", "Bogdan"]),
    DAY_OFF: ("kitchen", ["blue umbrella", "3 cats"], ["Chidi"]),
    PARTY: ("forest", ["green kite", "owl"], ["Davit"]),
    WEEKEND: ("museum", ["yellow chair", "2 ducks"], ["Esra"]),
}


def album_book() -> PlanBook:
    """Five people, introduced in 0 to 4 by portraits and in 5 to 9 by words; one album picture each in 10 to 13."""
    book = PlanBook(30)
    for turn, (name, relation) in enumerate(RELATIONS.items()):
        book.portrait(turn, name)
        book.tell(5 + turn, book.fact(name.lower(), relation, "current", kind="relationship"))
    people = {name: a_person(name) for name in RELATIONS}
    book.album(10, REUNION, "beach", people["Amina"], people["Bogdan"], a_thing("mug", "red"), a_thing("dog"))
    book.album(11, DAY_OFF, "kitchen", people["Chidi"], a_thing("umbrella", "blue"), a_thing("cat", count=3))
    book.album(12, PARTY, "forest", people["Davit"], a_thing("kite", "green"), a_thing("owl"))
    book.album(13, WEEKEND, "museum", people["Esra"], a_thing("chair", "yellow"), a_thing("duck", count=2))
    return book


def probes(book: PlanBook, kind: str) -> dict[tuple[str, str], VisualProbe]:
    return {(p.phrase, p.thing or p.value): p for p in visual_probes_of(book.plan()) if p.kind == kind}


def all_answers(probe: VisualProbe, moment: int = 20) -> tuple[str, dict[str, str]]:
    answers = probe.answers(moment)
    assert not isinstance(answers, NoAnswers)
    return answers.right[0], {other.values[0]: other.source for other in answers.others}


def test_things_are_asked_of_the_picture_that_has_them_and_others_show_the_wrong_ones() -> None:
    found = probes(album_book(), "thing")
    assert set(found) == {
        (REUNION, "mug"),
        (REUNION, "dog"),
        (DAY_OFF, "umbrella"),
        (PARTY, "kite"),
        (PARTY, "owl"),
        (WEEKEND, "chair"),
    }
    answer, others = all_answers(found[PARTY, "owl"])
    assert answer == "owl"
    assert set(others) == {"mug", "dog", "umbrella", "chair"}  # of cats and ducks there were several
    assert set(others.values()) == {"other_picture"}


def test_colours_are_asked_with_colours_that_other_pictures_show() -> None:
    found = probes(album_book(), "colour")
    assert {key: probe.value for key, probe in found.items()} == {
        (REUNION, "mug"): "red",
        (DAY_OFF, "umbrella"): "blue",
        (PARTY, "kite"): "green",
        (WEEKEND, "chair"): "yellow",
    }
    answer, others = all_answers(found[REUNION, "mug"])
    assert answer == "red"
    assert others == dict.fromkeys(("blue", "green", "yellow"), "other_picture")
    assert found[REUNION, "mug"].answers(13) == NoAnswers("too_few_distractors")
    for case in visual_cases(album_book(), "vdr-colour"):
        assert set(wrong(case).values()) == {"other_picture"}


def test_numbers_are_offered_all_four_and_counted_in_the_asked_picture() -> None:
    found = probes(album_book(), "count")
    assert found[DAY_OFF, "cat"].value == "three"
    assert found[WEEKEND, "duck"].value == "two"
    assert found[REUNION, "dog"].value == "one"
    # What comes in colours is never there more than once, so that its number would be no question.
    assert set(found) == {(REUNION, "dog"), (DAY_OFF, "cat"), (PARTY, "owl"), (WEEKEND, "duck")}
    answer, others = all_answers(found[DAY_OFF, "cat"])
    assert answer == "three"
    assert others == {"one": "other_picture", "two": "other_picture", "four": "never_shown"}


def test_who_was_there_is_asked_with_people_introduced_before_who_were_not() -> None:
    found = probes(album_book(), "who")
    answer, others = all_answers(found[REUNION, "Amina"])
    assert answer == "Amina"
    assert set(others) == {"Chidi", "Davit", "Esra"}  # Bogdan is in it too
    answers = found[REUNION, "Amina"].answers(20)
    assert not isinstance(answers, NoAnswers)
    assert answers.evidence == answers.pictures == (0, 10)


def test_places_are_those_of_other_pictures() -> None:
    answer, others = all_answers(probes(album_book(), "where")[DAY_OFF, "kitchen"])
    assert answer == "kitchen"
    assert others == dict.fromkeys(("beach", "forest", "museum"), "other_picture")


def test_who_the_only_person_of_a_picture_is_follows_from_picture_portrait_and_words() -> None:
    found = probes(album_book(), "relation")
    assert set(found) == {(DAY_OFF, "Chidi"), (PARTY, "Davit"), (WEEKEND, "Esra")}
    answers = found[PARTY, "Davit"].answers(20)
    assert not isinstance(answers, NoAnswers)
    assert answers.right == ("accountant",)
    assert {other.values[0]: other.source for other in answers.others} == dict.fromkeys(
        ("cousin", "mentor", "flatmate", "pen pal"), "other_relation"
    )
    assert answers.evidence == (3, 8, 12)
    assert answers.pictures == (3, 12)


def test_nothing_is_asked_before_the_picture_nor_while_three_wrong_answers_lack() -> None:
    book = album_book()
    owl = probes(book, "thing")[PARTY, "owl"]
    assert owl.answers(12) == NoAnswers("nothing_holds")
    assert owl.spans(30)[0] == {("owl",): [range(13, 31)]}
    # The first place is known in turn 10; three others only once turn 13 is said.
    assert probes(book, "where")[REUNION, "beach"].spans(30)[0] == {("beach",): [range(14, 31)]}
    lonely = PlanBook(20)
    lonely.album(3, REUNION, "beach", a_thing("dog"), a_thing("owl"))
    lonely.album(5, DAY_OFF, "park", a_thing("cat"))
    assert probes(lonely, "thing")[REUNION, "dog"].spans(20) == ({}, "too_few_distractors")
    made = make(lonely, cases=30)
    assert {case.attribute for case in made.cases} == {"vdr-count"}
    assert Counter(item.reason for item in made.rejections if item.stage == "persona_mme/probes") == {
        "too_few_distractors": 5  # dog, owl, cat and two places
    }


def test_faces_without_a_portrait_are_not_asked_for() -> None:
    book = album_book()
    book.album(14, "our open day", "park", a_person("Farah"))
    assert probes(book, "who")["our open day", "Farah"].spans(30) == ({}, "no_portrait")
    assert probes(book, "relation")["our open day", "Farah"].spans(30) == ({}, "no_portrait")
    book.portrait(18, "Farah")
    # Introduced after the picture, she is the only one: all others could be ruled out by the order of the words.
    assert probes(book, "who")["our open day", "Farah"].spans(30) == ({}, "too_few_distractors")
    assert "Farah" not in all_answers(probes(book, "who")[REUNION, "Amina"])[1]


def test_a_relation_first_told_wrongly_is_not_asked_before_it_is_put_right_and_the_slip_is_no_option() -> None:
    book = album_book()
    slip = book.fact("farah", "landlord", "corrected", ended=20, kind="relationship")
    true = book.fact("farah", "colleague", "current", kind="relationship")
    book.tell(5, slip)
    book.tell(20, true, "correction")
    book.portrait(4, "Farah")
    book.album(14, "our open day", "park", a_person("Farah"))
    probe = probes(book, "relation")["our open day", "Farah"]
    assert probe.spans(30)[0] == {("colleague",): [range(21, 31)]}
    # Beside the right answer its slip would say of whom the words had been corrected.
    assert set(all_answers(probe, 25)[1]) == {*RELATIONS.values()}


def test_what_people_may_wear_is_neither_asked_for_nor_a_wrong_answer() -> None:
    book = album_book()
    book.album(14, "our open day", "park", a_thing("hat", "pink"), a_thing("scarf", "black"), a_thing("goat"))
    named = {name for kind in ("thing", "colour", "count") for _, name in probes(book, kind)}
    assert not named & WORN
    assert not WORN & set(all_answers(probes(book, "thing")[PARTY, "owl"])[1])


def test_what_a_place_is_drawn_with_is_neither_asked_of_its_pictures_nor_a_wrong_answer_there() -> None:
    book = album_book()
    book.album(14, "our open day", "library", a_thing("book"), a_thing("clock"))
    book.album(15, "the fire drill", "park", a_thing("book"), a_thing("key"))
    assert ("our open day", "book") not in probes(book, "thing") | probes(book, "count")
    assert "book" not in all_answers(probes(book, "thing")["our open day", "clock"])[1]
    assert ("the fire drill", "book") in probes(book, "thing")
    assert "book" in all_answers(probes(book, "thing")[PARTY, "owl"])[1]
    assert SCENERY.keys() <= {item.name for item in PLACES}
    assert frozenset().union(*SCENERY.values()) | WORN <= {item.name for item in THINGS}


def visual_cases(book: PlanBook, attribute: str) -> list[BenchmarkCase]:
    cases = [case for seed in range(4) for case in make(book, cases=60, seed=seed).cases]
    return [case for case in cases if case.attribute == attribute]


def holds(plan: ConversationPlan, case: BenchmarkCase, text: str) -> bool:
    """Read the plan anew: whether an option is true of the picture that the question names."""
    shown = [
        picture
        for turn in plan.turns[: case.history_turns]
        for picture in turn.pictures
        if picture.role == "album" and picture.handle in case.query
    ]
    assert len(shown) == 1
    subjects = shown[0].picture.subjects
    people = [subject.name for subject in subjects if subject.kind == "person"]
    words = re.findall(r"[\w ]+", f" {text} ")[0]
    query = case.query.replace(shown[0].handle, "")
    asked = [s for s in subjects if re.search(rf"\b({s.name}|{_plural(s.name)})\b", query)]
    match case.attribute:
        case "vdr-thing":
            return any(re.search(rf"\b(a|an|A|An) {subject.name}\b", words) for subject in subjects)
        case "vdr-colour":
            return any(subject.colour and subject.colour in words.split() for subject in asked)
        case "vdr-count":
            return any(COUNTS[subject.count - 1] in words.split() for subject in asked)
        case "vdr-who":
            return any(name in words for name in people)
        case "vdr-where":
            return place(shown[0].picture.place).phrase in words
        case _:
            relation = {f.phrase: f.value for f in plan.facts if f.kind == "relationship" and f.status == "current"}
            return relation[people[0].lower().title()] in words


def _plural(name: str) -> str:
    return next((item.plural for item in THINGS if item.name == name), name)


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_of_any_album_exactly_the_marked_option_is_true_of_the_asked_picture(seed: int) -> None:
    book = random_book(1, random.Random(seed))
    plan = book.plan()
    cases = [
        case for case in make(book, cases=90, seed=seed).cases if case.task == "VDR" or case.attribute == "rr-picture"
    ]
    assert cases
    for case in cases:
        assert [holds(plan, case, option.text) for option in case.options] == [
            option.letter == case.answer for option in case.options
        ], case
        sources = {option.source for option in case.options}
        assert sources <= {"right", "other_picture", "never_shown", "other_relation"}
        assert case.picture_turns


def test_neither_frequency_nor_recency_nor_introduction_tells_the_right_option() -> None:
    rng = random.Random(21)
    books = [random_book(number, rng) for number in range(40)]
    plans = {book.plan().persona_id: book.plan() for book in books}
    standing: Counter[tuple[str, str]] = Counter()
    for case in make(*books, cases=24, seed=21).cases:
        if case.attribute not in ("vdr-thing", "vdr-who", "vdr-where"):
            continue
        shown = [
            (turn.turn_index, picture)
            for turn in plans[case.persona_id].turns[: case.history_turns]
            for picture in turn.pictures
            if picture.role == "album"
        ]
        values: dict[str, list[int]] = {option.letter: [] for option in case.options}
        for option in case.options:
            for turn, picture in shown:
                named = {f" {s.name} " for s in picture.picture.subjects} | {f" {place(picture.picture.place).phrase} "}
                values[option.letter] += [turn for name in named if name in f" {option.text} "]
        for what, key in (("often", len), ("late", max)):
            best = sorted(values, key=lambda letter: key(values[letter] or [0]))
            top = [letter for letter in best if key(values[letter] or [0]) == key(values[best[-1]] or [0])]
            if len(top) == 1:
                standing[what, "asked"] += 1
                standing[what, "right"] += top[0] == case.answer
    for what, least in (("often", 10), ("late", 30)):
        assert standing[what, "asked"] >= least
        assert standing[what, "right"] <= 0.4 * standing[what, "asked"], (what, standing)


def test_kinds_of_visual_questions_and_their_stems_take_turns() -> None:
    cases = [case for case in release(17, personas=40, cases=13).cases if case.task == "VDR"]
    kinds = Counter(case.attribute for case in cases)
    assert set(kinds) == {"vdr-thing", "vdr-colour", "vdr-count", "vdr-who", "vdr-where"}
    # Few of the pictures show a coloured thing, and four colours must have been seen.
    assert min(kinds.values()) >= max(kinds.values()) / 2
    right_counts = Counter(right(case).split()[-1] for case in cases if case.attribute == "vdr-count")
    assert len(right_counts) >= 3
    stems = {stem.stem_id: stem for kind in VISUAL_STEMS.values() for stem in kind}
    assert any(stems[case.stem_id].release_only for case in cases)


@pytest.mark.parametrize("kind", list(VISUAL_STEMS))
def test_stems_name_the_picture_and_nothing_that_it_shows(kind: str) -> None:
    stems = VISUAL_STEMS[kind]  # type: ignore[index]
    assert len(stems) >= 8
    assert [stem.release_only for stem in stems] == [n >= len(stems) * 2 // 3 for n in range(len(stems))]
    shown = {*(item.name for item in THINGS), *(item.plural for item in THINGS), *COLOURS, *COUNTS}
    shown |= {item.name for item in PLACES}
    for stem in stems:
        assert stem.text.count("{handle}") == 1
        assert ("{thing" in stem.text) == (kind in ("colour", "count"))
        if kind != "relation":
            assert not shown & {*re.findall(r"\w+", stem.text.casefold())} - {"one", "book", "park", "street"}, stem
    for carrier in VISUAL_CARRIERS[kind]:  # type: ignore[index]
        assert carrier.count("{0}") == 1
    assert len({stem.text for stem in stems}) == len(stems)
    assert thing("umbrella").with_article == "an umbrella"


def test_who_was_there_is_asked_so_that_one_or_several_people_fit() -> None:
    # The picture may show up to three people, only one of whom is among the options.
    assert not [stem.text for stem in VISUAL_STEMS["who"] if not re.search(r"[Ww]hich of these", stem.text)]
    assert not [
        carrier for carrier in VISUAL_CARRIERS["who"] if re.search(r"\b(the (face|person|one)|that was)\b", carrier)
    ]
