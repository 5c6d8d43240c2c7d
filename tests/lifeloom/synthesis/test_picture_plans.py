"""Planned pictures: how many, of what, and that nothing about them gives an answer away."""

from __future__ import annotations

import dataclasses
from collections import Counter

import pytest

from lifeloom.models.builtin.painter.people import too_alike
from lifeloom.models.builtin.painter.vocabulary import COLOURS, PLACES, THINGS, thing
from lifeloom.records import ConversationPlan, PlannedFact, PlannedPicture
from lifeloom.streams import Streams
from lifeloom.synthesis.catalogue import SIGN_KINDS, attribute, attributes, handles
from lifeloom.synthesis.planning.looks import draw_looks
from lifeloom.synthesis.planning.pictured import PICTURED_KINDS
from lifeloom.synthesis.planning.turns import picture_amounts
from lifeloom.synthesis.plans import ConversationShape, constellations, shape_for
from lifeloom.synthesis.probes.visual import SCENERY, WORN
from tests.planned import planned, planned_persona, several_planned

HUNDRED = ConversationShape(100, 100, 31)
PLACE_NAMES = {place.name for place in PLACES}


def shown(plan: ConversationPlan, role: str = "") -> list[tuple[int, PlannedPicture]]:
    """The pictures of ``plan`` with their turns, all or those of one role."""
    return [
        (turn.turn_index, picture) for turn in plan.turns for picture in turn.pictures if role in ("", picture.role)
    ]


def things_in(picture: PlannedPicture) -> list:
    return [subject for subject in picture.picture.subjects if subject.kind != "person"]


def people_in(picture: PlannedPicture) -> list:
    return [subject for subject in picture.picture.subjects if subject.kind == "person"]


# --- How many -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("setting", "count"), [("train", 60), ("32k", 60), ("128k", 60)])
def test_about_a_sixth_of_the_turns_carry_a_picture_and_forty_percent_say_nothing_personal(setting, count):
    turns, roles = 0, Counter()
    for plan in several_planned(count, setting=setting, edition="corpus" if setting == "train" else "release"):
        own = Counter(picture.role for _, picture in shown(plan))
        assert all(len(turn.pictures) <= 1 for turn in plan.turns)
        assert 5 * sum(turn.act in ("small_talk", "errand") for turn in plan.turns) >= 2 * len(plan.turns)
        assert own["portrait"] <= max(1, own.total() / 3)
        if own.total() >= 8:  # half of them, where values can be told in them; what is left over goes to the album
            assert 3 <= own["statement"] <= 0.5 * own.total()
        else:
            assert own["statement"] == 0
        turns += len(plan.turns)
        roles += own
    assert abs(roles.total() / turns - 1 / 6) < 0.005
    assert roles["album"] > roles["portrait"]


def test_the_amounts_of_a_conversation_of_sixty_turns_are_as_counted_by_hand():
    # 10 of 60 turns: half of them for facts, a third (3) portraits, 2 from albums.
    amounts = picture_amounts(ConversationShape(60, 60, 31), 60, people=6, handles=80)
    assert (amounts.portraits, amounts.albums, amounts.statements, amounts.total) == (3, 2, 5, 10)
    # 17 of 100 turns: 8 for facts, four people to choose among, 5 from albums.
    assert dataclasses.astuple(picture_amounts(HUNDRED, 100, 6, 80)) == (4, 5, 8)
    # 3 of 20 turns are too few to tell a fact; 17 personal turns of 30 % leave 6 to words.
    assert dataclasses.astuple(picture_amounts(ConversationShape(20, 20, 31), 20, 6, 80)) == (1, 2, 0)
    few = ConversationShape(20, 20, 31, personal_share=0.3)
    assert picture_amounts(few, 20, 6, 80).total == 0
    # 200 of 500 turns: one portrait each, as many album pictures as there are names for events.
    many = ConversationShape(500, 500, 90, picture_share=0.4)
    assert dataclasses.astuple(picture_amounts(many, 500, 6, 80)) == (6, 80, 100)


def test_without_pictures_nobody_has_a_look_and_as_much_is_personal():
    plan = planned(3, shape=ConversationShape(60, 60, 31, picture_share=0))
    assert shown(plan) == []
    assert plan.looks == ()
    assert not any(fact.pictured for fact in plan.facts)
    assert sum(turn.act in ("statement", "occasion") for turn in plan.turns) == 36


def test_four_tenths_pictures_are_possible():
    for plan in several_planned(5, shape=ConversationShape(100, 100, 31, picture_share=0.4)):
        assert 30 <= len(shown(plan)) <= 40
        assert constellations(plan)


# --- People -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("setting", ["train", "128k"])
def test_everyone_in_a_picture_was_introduced_by_a_portrait_before_and_always_looks_the_same(setting):
    for plan in several_planned(40 if setting == "train" else 6, setting=setting):
        looks = {look.person_id: look for look in plan.looks}
        known: set[str] = set()
        for _, picture in shown(plan):
            for person in people_in(picture):
                assert (person.name, person.appearance) == (
                    looks[person.identity].name,
                    looks[person.identity].appearance,
                )
                if picture.role == "portrait":
                    assert picture.person_id == person.identity
                    assert person.identity not in known
                    known.add(person.identity)
                assert person.identity in known
        assert len(looks) == 6
        assert too_alike([look.appearance for look in plan.looks], 2.0) == []


def test_portraits_show_one_person_and_nothing_else_and_come_before_every_other_picture_of_people():
    for plan in several_planned(30):
        portraits, albums = shown(plan, "portrait"), shown(plan, "album")
        for turn, picture in portraits:
            assert plan.turns[turn].act == "picture"
            assert (picture.picture.kind, picture.picture.place, len(picture.picture.subjects)) == ("portrait", "", 1)
            assert (picture.handle, picture.fact_id) == ("", "")
        assert max(turn for turn, _ in portraits) < min(turn for turn, _ in albums)


def test_those_whose_relation_is_told_are_portrayed_first():
    for plan in several_planned(40, shape=ConversationShape(60, 60, 31)):
        told = {fact.attribute for fact in plan.facts if fact.kind == "relationship"}
        portrayed = [picture.person_id for _, picture in shown(plan, "portrait")]
        assert len(portrayed) == 3
        assert told.issuperset(portrayed)


def test_grandparents_are_old_godchildren_young_and_others_of_any_age():
    circle = ("Nadia grandparent", "Olu godchild", "Petra neighbour", "Ravi sibling", "Sofia cousin")
    ages: dict[str, Counter[str]] = {}
    for number in range(60):
        persona = planned_persona(number, circle=circle)
        looks = draw_looks(Streams(7).rng("looks", persona.persona_id), persona)
        for person, look in zip(persona.circle, looks, strict=True):
            assert look.person_id == person.person_id
            ages.setdefault(person.relation, Counter())[look.appearance.age] += 1
        # Kin by blood share their skin: grandparent, sibling and cousin.
        assert len({looks[index].appearance.skin for index in (0, 3, 4)}) == 1
    assert set(ages["grandparent"]) == {"old"}
    assert set(ages["godchild"]) == {"young"}
    assert all(set(ages[relation]) == {"young", "grown", "old"} for relation in ("neighbour", "sibling", "cousin"))


def test_a_persona_looks_at_the_same_faces_in_every_setting():
    assert planned(4, "train").looks == planned(4, "128k").looks
    assert planned(4, "train").looks != planned(5, "train").looks


# --- Album pictures -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", ["corpus", "release"])
def test_album_pictures_hold_what_can_be_asked_about_and_can_be_drawn(edition):
    sizes, moments = Counter(), Counter()
    for plan in several_planned(8, setting="128k", edition=edition):
        names = [picture.handle for _, picture in shown(plan, "album")]
        assert len(set(names)) == len(names)
        assert set(names) <= set(handles(edition))
        for turn, picture in shown(plan, "album"):
            assert plan.turns[turn].act == "picture"
            assert (picture.picture.kind, picture.person_id, picture.fact_id) == ("scene", "", "")
            assert picture.picture.place in PLACE_NAMES
            people, things = people_in(picture), things_in(picture)
            assert 1 <= len({person.identity for person in people}) == len(people) <= 3
            assert 1 <= len({item.name for item in things}) == len(things) <= 3
            assert len(picture.picture.subjects) <= 5
            unclear = WORN | SCENERY.get(picture.picture.place, frozenset())
            assert not unclear & {item.name for item in things}
            assert all(bool(item.colour) == thing(item.name).coloured for item in things)
            assert sum(bool(item.colour) for item in things) <= 1
            assert all(item.colour in ("", *COLOURS) for item in things)
            several = [item.count for item in things if item.count > 1]
            assert len(several) <= 1
            assert set(several) <= {2, 3, 4}
            assert sum(item.count for item in picture.picture.subjects) <= 8
            sizes.update(
                [("people", len(people)), ("coloured", any(item.colour for item in things)), ("several", bool(several))]
            )
            moments.update([picture.picture.time_of_day, picture.picture.weather])
    total = sizes["people", 1] + sizes["people", 2] + sizes["people", 3]
    assert 0.45 < sizes["people", 1] / total < 0.75  # weights 6, 3, 1
    assert 0.3 < sizes["coloured", True] / total < 0.7
    assert 0.25 < sizes["several", True] / total < 0.6
    assert len(moments) == 9
    assert min(moments.values()) > total / 15


def test_the_pictures_of_a_conversation_show_different_things_places_colours_and_counts():
    for plan in several_planned(10, shape=ConversationShape(200, 200, 90), setting="128k"):
        albums = [picture for _, picture in shown(plan, "album")]
        assert len(albums) >= 8
        assert len({picture.picture.place for picture in albums}) == len(albums)  # 32 places, dealt before any again
        names = Counter(item.name for picture in albums for item in things_in(picture) if not item.colour)
        assert max(names.values()) == 1  # 51 plain things that nobody wears
        colours = Counter(item.colour for picture in albums for item in things_in(picture) if item.colour)
        assert max(colours.values()) - min(colours.get(colour, 0) for colour in COLOURS) <= 1
        counts = Counter(item.count for picture in albums for item in things_in(picture) if item.count > 1)
        assert max(counts.values()) - min(counts.get(count, 0) for count in (2, 3, 4)) <= 1


def test_no_thing_colour_place_or_person_is_commoner_than_another_over_many_albums():
    things, places, people, pictures = Counter(), Counter(), Counter(), 0
    for plan in several_planned(100, setting="128k", shape=ConversationShape(100, 140, 60)):
        everyone = [picture.person_id for _, picture in shown(plan, "portrait")]
        for _, picture in shown(plan, "album"):
            pictures += 1
            places[picture.picture.place] += 1
            things.update(item.name for item in things_in(picture))
            people.update(everyone.index(person.identity) for person in people_in(picture) if len(everyone) >= 4)
    assert pictures > 400
    assert len(places) == len(PLACE_NAMES)
    assert max(places.values()) < 2.5 * pictures / len(places)
    assert len(things) == len(THINGS) - len(WORN)
    first_four = [people[index] for index in range(4)]
    assert max(first_four) < 1.3 * min(first_four)  # in whatever order they were introduced


# --- Pictured facts -----------------------------------------------------------------------------------------------


def _shows(picture: PlannedPicture, fact: PlannedFact) -> bool:
    """Say whether ``picture`` shows the value of ``fact`` plainly and none of another."""
    known = attribute(fact.attribute)
    things, people = things_in(picture), people_in(picture)
    if known.pictured == "person":
        return [person.name for person in people] == [fact.value] and not things
    if known.pictured == "place":
        return picture.picture.place == fact.value and not things and len(people) <= 1
    if picture.picture.place in SCENERY:
        return False
    if len(things) != 1 or things[0].count != 1 or bool(things[0].colour) != thing(things[0].name).coloured:
        return False
    if known.pictured == "colour":
        return things[0].colour == fact.value and things[0].name in known.thing and not people
    return things[0].name == fact.value and len(people) <= (fact.value not in WORN)


@pytest.mark.parametrize(("setting", "edition", "count"), [("train", "corpus", 60), ("128k", "release", 10)])
def test_every_statement_of_a_pictured_fact_stands_alone_with_one_picture_of_its_value(setting, edition, count):
    ways: Counter[str] = Counter()
    for plan in several_planned(count, setting=setting, edition=edition):
        facts = {fact.fact_id: fact for fact in plan.facts}
        for turn in plan.turns:
            said = [facts[statement.fact_id] for statement in turn.statements]
            if not any(fact.pictured for fact in said):
                assert not (turn.statements and turn.pictures)
                continue
            (statement,), (fact,), (picture,) = turn.statements, said, turn.pictures
            assert (picture.role, picture.fact_id) == ("statement", fact.fact_id)
            assert (picture.handle, picture.person_id) == ("", "")
            assert (statement.sign, statement.previous_sign) == ("", "")
            assert statement.kind not in ("mention", "anaphora")
            assert _shows(picture, fact)
            ways[attribute(fact.attribute).pictured] += 1
    assert set(ways) == {"thing", "colour", "place", "person"}


def test_no_two_pictures_of_a_conversation_are_the_same():
    for plan in several_planned(5, setting="128k"):
        pictures = [picture.picture for _, picture in shown(plan)]
        assert len({picture.picture_id for picture in pictures}) == len(pictures)
        assert len({picture.model_copy(update={"picture_id": "picture"}) for picture in pictures}) == len(pictures)


def test_longer_conversations_tell_the_same_kinds_in_words_and_in_pictures_by_turns():
    told: Counter[tuple[str, bool]] = Counter()
    for plan in several_planned(80, shape=ConversationShape(60, 100, 31)):
        facts = [fact for fact in plan.facts if fact.replaces and fact.status == "current"]
        assert any(fact.pictured for fact in facts)
        told.update((fact.kind, fact.pictured) for fact in facts)
    for kind in PICTURED_KINDS:
        assert told[kind, True] > 5, kind
        assert told[kind, False] > 20, kind


def test_a_conversation_of_three_hundred_turns_has_every_kind_in_both_ways():
    for plan in several_planned(6, setting="128k", shape=ConversationShape(300, 300, 90), edition="release"):
        told = {(fact.kind, fact.pictured) for fact in plan.facts if fact.replaces and fact.status == "current"}
        assert {(kind, way) for kind in PICTURED_KINDS for way in (True, False)} <= told


@pytest.mark.parametrize("pictured", [False, True])
def test_neither_length_nor_order_nor_number_of_pictures_tells_the_current_value(pictured):
    hits: Counter[str] = Counter()
    total = 0
    for plan in several_planned(260, shape=HUNDRED):
        for item in constellations(plan):
            if item.current.pictured != pictured:
                continue
            roles = (item.current, item.previous, item.someone_else, item.given_up)
            values = [fact.value for fact in roles]
            total += 1
            orders = {
                "alphabet": sorted(values),
                "length": sorted(values, key=lambda value: (len(value), value)),
                "catalogue": sorted(values, key=attribute(item.attribute).values.index),
            }
            for rule, order in orders.items():
                hits[rule, order.index(item.current.value)] += 1
            for rule, number in (
                ("most", lambda fact: len(fact.stated_in)),
                ("least", lambda fact: -len(fact.stated_in)),
                ("first", lambda fact: -fact.stated_in[0]),
                ("last", lambda fact: fact.stated_in[-1]),
            ):
                best = max(map(number, roles))
                tied = [fact for fact in roles if number(fact) == best]
                hits[rule] += (item.current in tied) / len(tied)
            assert len(set(values)) == 4
    assert total > 300
    for rule in ("alphabet", "length", "catalogue"):
        expected = total / 4
        chi_square = sum((hits[rule, rank] - expected) ** 2 / expected for rank in range(4))
        assert chi_square < 16.3, rule  # three degrees of freedom, one in a thousand
    for rule in ("most", "least", "first", "last"):
        assert 0.15 < hits[rule] / total < 0.37, rule


# --- Signs, levels and bonds --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("setting", "edition", "count"), [("train", "corpus", 60), ("128k", "release", 6)])
def test_what_is_never_named_is_said_by_signs_of_its_value_none_twice_before_all(setting, edition, count):
    signed = 0
    for plan in several_planned(count, setting=setting, edition=edition):
        known = {item.attribute_id: item for item in attributes(edition)}
        facts = {fact.fact_id: fact for fact in plan.facts}
        said: dict[str, list[str]] = {}
        for turn in plan.turns:
            for statement in turn.statements:
                fact = facts[statement.fact_id]
                if fact.kind not in SIGN_KINDS or fact.pictured:
                    assert (statement.sign, statement.previous_sign) == ("", "")
                    continue
                assert statement.kind not in ("mention", "anaphora")
                said.setdefault(fact.fact_id, []).append(statement.sign)
                assert bool(statement.previous_sign) == (statement.kind in ("shift", "correction"))
                if statement.previous_sign:
                    said[statement.previous_fact_id].append(statement.previous_sign)
        for fact_id, signs in said.items():
            own = known[facts[fact_id].attribute].signs[facts[fact_id].value]
            assert set(signs) <= set(own)
            assert len(set(signs[: len(own)])) == len(signs[: len(own)])
            signed += 1
    assert signed > 100


def test_the_four_roles_of_an_expertise_are_its_four_levels():
    levels: Counter[int] = Counter()
    for plan in several_planned(120, shape=HUNDRED):
        for item in constellations(plan):
            if item.current.kind == "expertise":
                values = attribute(item.attribute).values
                told = {item.current.value, item.previous.value, item.someone_else.value, item.given_up.value}
                assert told == set(values)
                levels[values.index(item.current.value)] += 1
    assert levels.total() > 80
    assert min(levels[level] for level in range(4)) > 0.12 * levels.total()


def test_bonds_in_words_are_with_different_people_none_of_them_first_introduced_wrongly():
    shape = ConversationShape(300, 300, 90, relation_correction=1.0)
    bonds = 0
    for plan in several_planned(12, setting="128k", shape=shape, edition="release"):
        wrong = {fact.phrase for fact in plan.facts if fact.kind == "relationship" and fact.status == "corrected"}
        assert len(wrong) == 1
        people = {fact.attribute: fact.phrase for fact in plan.facts if fact.kind == "bond" and not fact.pictured}
        assert len(set(people.values())) == len(people)
        assert not wrong & set(people.values())
        assert all(fact.status in ("replaced", "current") for fact in plan.facts if fact.kind == "bond")
        bonds += len(people)
    assert bonds > 20


def test_pictured_company_is_three_people_known_by_their_portraits():
    found = 0
    for plan in several_planned(60, shape=shape_for("128k"), setting="128k", edition="release"):
        portraits = {picture.picture.subjects[0].name: turn for turn, picture in shown(plan, "portrait")}
        by_attribute: dict[str, list[PlannedFact]] = {}
        for fact in plan.facts:
            if fact.kind == "bond" and fact.pictured:
                by_attribute.setdefault(fact.attribute, []).append(fact)
        for facts in by_attribute.values():
            assert len({fact.value for fact in facts}) == 3
            assert all(portraits[fact.value] < fact.stated_in[0] for fact in facts)
            found += 1
    assert found > 50
