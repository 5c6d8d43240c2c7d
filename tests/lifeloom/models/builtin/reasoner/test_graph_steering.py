"""How the built-in model steers: starts, scores, originals, and when it is enough."""

from __future__ import annotations

import math

import pytest

from lifeloom.models.builtin.reasoner.graph import is_sufficient, prune, top_entities, wanted_references
from lifeloom.tasks import (
    EntityLine,
    FactAttribute,
    GraphFact,
    GraphPruneInput,
    GraphReferencesInput,
    GraphSufficiencyInput,
    GraphTopEntitiesInput,
    ReferenceLine,
    SeenImage,
)

ENTITIES = (
    EntityLine(name="David", type="PersonAnimal"),
    EntityLine(name="Rylen", type="PersonAnimal", aliases=("grandson",)),
    EntityLine(name="Zosime", type="PersonAnimal", aliases=("mother", "Mom")),
    EntityLine(name="2011-04-15", type="Date"),
    EntityLine(name="2011-05-15", type="Date"),
    EntityLine(name="umbrella", type="Object"),
)


def _starts(question: str, k: int = 3, recognised: tuple[str, ...] = ()) -> list[str]:
    asked = GraphTopEntitiesInput(owner="David", question=question, entities=ENTITIES, k=k, recognised=recognised)
    return [ENTITIES[number - 1].name for number in top_entities(asked).entities]


@pytest.mark.parametrize(
    ("question", "starts"),
    [
        ("Who attended the event on April 15, 2011?", ["2011-04-15", "David"]),
        ("Was Rylen's grandfather there on 15 April 2011?", ["2011-04-15", "David", "Rylen"]),
        ("What is my mother's hair like?", ["Zosime"]),
        ("Which object is to the left of the umbrella on 2011-05-15?", ["2011-05-15", "umbrella", "David"]),
    ],
)
def test_starts_are_days_then_who_is_meant_then_words(question: str, starts: list[str]) -> None:
    assert _starts(question)[: len(starts)] == starts


def test_who_is_recognised_in_a_picture_comes_after_who_is_asked_about() -> None:
    assert _starts("Is Rylen in this picture?", recognised=("Zosime",))[:2] == ["Rylen", "Zosime"]
    assert len(_starts("Is Rylen in this picture?", k=1, recognised=("Zosime",))) == 1


EVENT = {"head": "Old places", "head_type": "Event"}
DATE = GraphFact(**EVENT, relation="onDate", tail="2011-04-15", tail_type="Date")
ACTIVITY = GraphFact(
    **EVENT,
    relation="hasActivity",
    tail="sightseeing",
    tail_type="Activity",
    attributes=(FactAttribute(key="attendee", values=("David", "Zosime")),),
)
PLACE = GraphFact(**EVENT, relation="tookPlaceAt", tail="cemetery", tail_type="Location")
THING = GraphFact(**EVENT, relation="shows", tail="flowers", tail_type="Object")
OTHER = GraphFact(head="Fishing", head_type="Event", relation="onDate", tail="2012-01-01", tail_type="Date")
HAIR = GraphFact(
    head="Zosime", head_type="PersonAnimal", relation="hasHair", tail="short grey hair", tail_type="Object"
)
KIN = GraphFact(head="Zosime", head_type="PersonAnimal", relation="motherOf", tail="David", tail_type="PersonAnimal")


def _scores(question: str, *facts: GraphFact, paths: tuple[GraphFact, ...] = ()) -> tuple[float, ...]:
    asked = GraphPruneInput(owner="David", question=question, paths=paths, candidates=facts, k=3)
    return prune(asked).scores


def test_scores_are_one_for_each_candidate_and_sum_to_one() -> None:
    scores = _scores("Who was there on 2011-04-15?", DATE, ACTIVITY, PLACE, THING, OTHER, HAIR, KIN)
    assert len(scores) == 7
    assert math.fsum(scores) == pytest.approx(1)
    assert all(score > 0 for score in scores)


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("Who was there on 2011-04-15?", ACTIVITY),
        ("Where were the photos from 2011-04-15 taken?", PLACE),
        ("Which objects can be seen in the photos from 2011-04-15?", THING),
        ("What is Zosime's hair like?", HAIR),
        ("How old is David's mother?", KIN),
    ],
)
def test_the_fact_that_tells_what_is_asked_scores_best(question: str, best: GraphFact) -> None:
    candidates = (OTHER, THING, PLACE, ACTIVITY, KIN, HAIR) if best is not KIN else (OTHER, THING, KIN, PLACE)
    scores = _scores(question, *candidates, paths=(DATE,))
    assert candidates[scores.index(max(scores))] == best


def test_events_of_other_days_score_below_the_day_that_is_named() -> None:
    scores = _scores("What happened on 2011-04-15?", OTHER, DATE)
    assert scores[1] > 5 * scores[0]


REFERENCES = (
    ReferenceLine(source_id="d-c-zosime", kind="concept", about="Owner's Mother Zosime"),
    ReferenceLine(source_id="d-e-0-0", kind="image", about="2011-04-15 A trip down memory lane."),
    ReferenceLine(source_id="d-e-9-0", kind="image", about="2012-01-01 Fishing."),
)


def _wanted(question: str, k: int = 8) -> list[str]:
    asked = GraphReferencesInput(owner="David", question=question, paths=(DATE,), references=REFERENCES, k=k)
    return [REFERENCES[number - 1].source_id for number in wanted_references(asked).references]


def test_pictures_of_the_day_in_question_and_portraits_are_wanted() -> None:
    assert _wanted("Who was there on 2011-04-15?") == ["d-c-zosime", "d-e-0-0"]
    assert _wanted("What is Zosime's hair like?") == ["d-c-zosime"]
    assert _wanted("Is Zosime in this picture?") == ["d-c-zosime"]
    assert _wanted("On how many days did they go fishing?") == []
    assert len(_wanted("Who was there on 2011-04-15?", k=1)) == 1


def _enough(question: str, *paths: GraphFact, concepts: tuple[str, ...] = (), pictured: bool = False) -> bool:
    image = SeenImage(image_id="d-e-0-0", event_id="d-e-0", date="2011-04-15", description="Trip", shown=True)
    asked = GraphSufficiencyInput(
        owner="David", question=question, paths=paths, concepts=concepts, images=(image,) if pictured else ()
    )
    return is_sufficient(asked).sufficient == "yes"


def test_it_is_enough_when_what_is_asked_is_on_the_paths_or_fetched() -> None:
    who = "Who was there on 2011-04-15?"
    assert not _enough(who, DATE)
    assert _enough(who, DATE, ACTIVITY)
    assert not _enough(who, OTHER, ACTIVITY)
    where = "Where were they on 2011-04-15?"
    assert not _enough(where, DATE)
    assert _enough(where, DATE, PLACE)
    things = "Which objects can be seen in the photos from 2011-04-15?"
    assert not _enough(things, DATE, THING)
    assert _enough(things, DATE, pictured=True)


def test_looks_need_the_portrait_of_the_person_in_question_or_a_fact() -> None:
    question = "What is Zosime's hair like?"
    assert _enough(question, HAIR)
    assert _enough(question, KIN, concepts=("Zosime",))
    assert not _enough(question, KIN, concepts=("David",))


def test_a_whole_history_is_never_enough_on_a_few_paths() -> None:
    assert not _enough("On how many days did they go fishing?", DATE, ACTIVITY, pictured=True)
    assert not _enough("What came after the trip to the cemetery?", DATE, ACTIVITY)
