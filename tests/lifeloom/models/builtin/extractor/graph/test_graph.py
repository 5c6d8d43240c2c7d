from __future__ import annotations

from collections.abc import Sequence

import pytest

from lifeloom.models.builtin.extractor.graph import find_candidates, find_triples
from lifeloom.models.builtin.extractor.graph.words import activity_of, place_in
from lifeloom.models.builtin.eyes.traits import PersonTraits
from lifeloom.models.builtin.reader.looking import LookedAt
from lifeloom.tasks import (
    CandidateLine,
    GraphCandidatesInput,
    GraphSource,
    GraphTriple,
    GraphTriplesInput,
    ScaffoldLine,
)
from tests.lifeloom.models.builtin.extractor.graph.sights import THRESHOLD, person, pet, portrait, sight, thing

SCAFFOLD = (
    ScaffoldLine(name="Ana", role="Account Owner", shown=True),
    ScaffoldLine(name="Ellen", role="Owner's Mother", aliases=("mother", "Mumsy"), shown=True),
    ScaffoldLine(name="Rex", role="Owner's Dog", shown=True),
)
PORTRAITS = (portrait("Ana"), portrait("Ellen"), pet("dog"))
LOOKS = PersonTraits(hair="long hair", hair_colour="red", glasses="glasses", beard="none", skin="light")


def bin_of(*sources: GraphSource, scaffold: Sequence[ScaffoldLine] = SCAFFOLD) -> GraphCandidatesInput:
    return GraphCandidatesInput(step="events", owner="Ana", scaffold=tuple(scaffold), sources=sources)


def source(text: str, *, event: int = 0, number: int = 0, date: str = "2011-04-15", shown: bool = False) -> GraphSource:
    return GraphSource(
        source_id=f"ana-e-{event}-{number}", event_id=f"ana-e-{event}", date=date, text=text, shown=shown
    )


def stated(asked: GraphCandidatesInput, looked: Sequence[LookedAt] = ()) -> list[GraphTriple]:
    """Both turns, with every candidate taken."""
    found = find_candidates(asked, looked, (), THRESHOLD).entities
    lines = tuple(CandidateLine(name=one.name, type=one.type) for one in found)
    triples = find_triples(GraphTriplesInput(turn=asked, candidates=lines), looked, (), THRESHOLD).triples
    names = {(one.type, one.name) for one in found}
    for one in triples:
        assert (one.head_type, one.head) in names
        assert (one.tail_type, one.tail) in names
        assert one.sources
    return list(triples)


def values(triple: GraphTriple) -> dict[str, tuple[str, ...]]:
    return {one.key: one.values for one in triple.attributes}


def tails(triples: Sequence[GraphTriple], relation: str) -> dict[str, dict[str, tuple[str, ...]]]:
    return {one.tail: values(one) for one in triples if one.relation == relation}


def test_an_event_has_its_day_place_activity_people_and_things_each_with_its_pictures() -> None:
    asked = bin_of(source("Ice fishing!", shown=True), source("Ice fishing!", number=1, shown=True))
    first = sight([person("Ana", 50), person("Ellen", 350)], [thing("mug", 380)], "lake", "morning")
    second = sight([person("Ellen", 200)], [thing("mug", 220), thing("dog", 10, kind="animal")], "lake", "day")
    triples = stated(asked, [*PORTRAITS, first, second])
    assert {one.head for one in triples} == {"Ice fishing"}
    assert list(tails(triples, "onDate")) == ["2011-04-15"]
    assert tails(triples, "tookPlaceAt") == {"lake": {"timeOfDay": ("morning", "day")}}
    assert tails(triples, "attendedBy") == {
        "Ana": {"image": ("ana-e-0-0",)},
        "Ellen": {"image": ("ana-e-0-0", "ana-e-0-1")},
        "Rex": {"image": ("ana-e-0-1",)},
    }
    assert tails(triples, "shows") == {
        "mug": {
            "image": ("ana-e-0-0", "ana-e-0-1"),
            "colour": ("red", "red"),
            "count": ("1", "1"),
            "beside": ("Ellen",),
        }
    }
    (doing,) = (one for one in triples if one.relation == "hasActivity")
    assert doing.tail == "ice fishing"
    assert values(doing)["attendee"] == ("Ana", "Ellen", "Rex")
    assert values(doing)["place"] == ("lake",)


def test_whoever_the_description_names_was_there_without_any_picture() -> None:
    triples = stated(bin_of(source("Baking with my mother and Rex"), scaffold=_unseen()))
    assert tails(triples, "attendedBy") == {"Ellen": {}, "Rex": {}}
    triples = stated(bin_of(source("Baking with Mom"), scaffold=_unseen()))
    assert list(tails(triples, "attendedBy")) == ["Ellen"]


def test_what_a_description_calls_somebody_is_an_alias_for_the_scaffold() -> None:
    found = find_candidates(bin_of(source("Baking with Mom"), scaffold=_unseen()), (), (), THRESHOLD).entities
    assert next(one.aliases for one in found if one.name == "Ellen") == ("Mom",)


def _unseen() -> list[ScaffoldLine]:
    return [one.model_copy(update={"shown": False}) for one in SCAFFOLD]


def test_a_description_that_names_nobody_brings_nobody() -> None:
    assert not tails(stated(bin_of(source("A long walk. What a day!"), scaffold=_unseen())), "attendedBy")


def test_somebody_unknown_is_named_as_the_description_does() -> None:
    triples = stated(bin_of(source("A picnic with Zora in the park."), scaffold=_unseen()))
    assert list(tails(triples, "attendedBy")) == ["Zora"]
    triples = stated(bin_of(source("Hiking with Ellen What a day."), scaffold=_unseen()))
    assert list(tails(triples, "attendedBy")) == ["Ellen"]


def test_whom_words_fit_twice_is_nobody() -> None:
    twins = [
        *_unseen(),
        ScaffoldLine(name="Berta", role="Owner's Aunt"),
        ScaffoldLine(name="Cora", role="Owner's Aunt"),
    ]
    assert not tails(stated(bin_of(source("Baking with my aunt"), scaffold=twins)), "attendedBy")


def test_strangers_in_pictures_are_nobody() -> None:
    triples = stated(bin_of(source("Baking", shown=True)), [*PORTRAITS, sight([person("Somebody else")])])
    assert not tails(triples, "attendedBy")


def test_a_life_without_pictures_or_words_still_has_its_day() -> None:
    triples = stated(bin_of(source(""), scaffold=()))
    assert [(one.head, one.relation, one.tail) for one in triples] == [("Event of 2011-04-15", "onDate", "2011-04-15")]


def test_events_that_are_called_the_same_have_names_of_their_own() -> None:
    asked = bin_of(
        source("A walk"), source("A walk", event=1, date="2011-05-01"), source("A walk", event=2, date="2011-05-01")
    )
    names = [one.name for one in find_candidates(asked, (), (), THRESHOLD).entities if one.type == "Event"]
    assert names == ["A walk (2011-04-15)", "A walk (ana-e-1)", "A walk (ana-e-2)"]


def test_things_that_come_as_they_are_have_no_colour_and_are_counted_together() -> None:
    two = [thing("ladder", 20, "orange", certain=0.4), thing("ladder", 300, "black", certain=0.3)]
    triples = stated(bin_of(source("Woodworking", shown=True)), [*PORTRAITS, sight(things=two)])
    assert tails(triples, "shows")["ladder"] == {"image": ("ana-e-0-0",), "colour": ("none",), "count": ("2",)}


def test_things_of_two_colours_are_told_apart() -> None:
    two = [thing("mug", 20, "red"), thing("mug", 80, "red"), thing("mug", 300, "blue")]
    triples = stated(bin_of(source("Tea", shown=True)), [*PORTRAITS, sight(things=two)])
    assert tails(triples, "shows")["mug"] == {
        "image": ("ana-e-0-0", "ana-e-0-0"),
        "colour": ("red", "blue"),
        "count": ("2", "1"),
    }


def test_the_place_is_that_of_most_pictures_unless_the_description_says_another() -> None:
    shown = [source("A walk", number=number, shown=True) for number in range(3)]
    looks = [sight(place=place) for place in ("forest", "park", "forest")]
    assert list(tails(stated(bin_of(*shown), [*PORTRAITS, *looks]), "tookPlaceAt")) == ["forest"]
    said = [source("A walk by the lake", number=number, shown=True) for number in range(3)]
    assert list(tails(stated(bin_of(*said), [*PORTRAITS, *looks]), "tookPlaceAt")) == ["lake"]


def test_a_thing_and_an_activity_of_one_name_are_told_apart_by_type() -> None:
    triples = stated(bin_of(source("Playing football", shown=True)), [*PORTRAITS, sight(things=[thing("football")])])
    found = {(one.relation, one.tail, one.tail_type) for one in triples}
    assert ("shows", "football", "Object") in found
    assert ("hasActivity", "football", "Activity") in found


def test_only_facts_among_the_candidates_that_were_taken_are_stated() -> None:
    asked = bin_of(source("Baking with Mom"), scaffold=_unseen())
    lines = (CandidateLine(name="Baking with Mom", type="Event"), CandidateLine(name="baking", type="Activity"))
    triples = find_triples(GraphTriplesInput(turn=asked, candidates=lines), (), (), THRESHOLD).triples
    assert [one.relation for one in triples] == ["hasActivity"]


def _concept(concept_id: str, *lines: str, shown: bool = False) -> GraphSource:
    return GraphSource(source_id=concept_id, text="\n".join(lines), shown=shown)


def test_the_scaffold_has_kinship_careers_tastes_and_looks() -> None:
    asked = GraphCandidatesInput(
        step="social",
        owner="Ana",
        sources=(
            _concept("c-ana", "Name: Ana", "Role: Account Owner", "Persona: Ana works as a bus driver in Porto."),
            _concept(
                "c-ellen",
                "Name: Ellen",
                "Role: Owner's Mother",
                "Persona: Ellen has long been a marine biologist. She loves strong coffee, old maps and opera.",
                shown=True,
            ),
            _concept("c-rex", "Name: Rex", "Role: Owner's Dog", shown=True),
            _concept("c-bo", "Name: Bo", "Role: Owner's Best Friend"),
        ),
    )
    looked, traits = [portrait("Ellen"), pet("dog")], [(LOOKS,), ()]
    found = find_candidates(asked, looked, traits, THRESHOLD).entities
    lines = tuple(CandidateLine(name=one.name, type=one.type) for one in found)
    triples = find_triples(GraphTriplesInput(turn=asked, candidates=lines), looked, traits, THRESHOLD).triples
    assert {(one.head, one.relation, one.tail) for one in triples} == {
        ("Ana", "hasCareer", "bus driver"),
        ("Ellen", "motherOf", "Ana"),
        ("Ellen", "hasCareer", "marine biologist"),
        ("Ellen", "likes", "strong coffee"),
        ("Ellen", "likes", "old maps"),
        ("Ellen", "likes", "opera"),
        ("Ellen", "hasHair", "red long hair"),
        ("Ellen", "wears", "glasses"),
        ("Rex", "dogOf", "Ana"),
        ("Bo", "bestFriendOf", "Ana"),
    }
    assert next(one.aliases for one in found if one.name == "Ellen") == ("mother", "my mother", "Ana's mother")


def test_a_life_without_an_owner_has_people_and_no_kinship() -> None:
    asked = GraphCandidatesInput(step="social", owner="", sources=(_concept("c-bo", "Name: Bo", "Role: Owner's Son"),))
    assert [one.name for one in find_candidates(asked, (), (), THRESHOLD).entities] == ["Bo"]


@pytest.mark.parametrize(
    ("text", "activity"),
    [
        ("Out ice fishing with Dad", "ice fishing"),
        ("Spelunking with Ana", "spelunking"),
        ("A masked ball in the theatre", "masked ball"),
        ("What a day!", ""),
        ("Ana and Ellen", ""),
        ("", ""),
    ],
)
def test_an_activity_is_what_the_text_says_people_did(text: str, activity: str) -> None:
    assert activity_of(text, ["Ana", "Ellen"]) == activity


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("A walk along the pier", "harbour"),
        ("Down at the old lake with the beach ball", "lake"),
        ("We put the garden chair away", ""),
        ("Reading in our living room, then off to the market", "living room"),
        ("", ""),
    ],
)
def test_a_place_is_said_with_a_word_of_place(text: str, place: str) -> None:
    assert place_in(text) == place
