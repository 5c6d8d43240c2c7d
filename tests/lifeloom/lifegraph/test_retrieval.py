"""Algorithm 2 on a small graph by hand, with a model that steers as each test says."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from lifeloom.lifegraph import LifeGraph
from lifeloom.lifegraph.retrieval import GraphRetriever
from lifeloom.lifegraph.retrieval_types import Lookup, RetrievalSettings, Retrieved
from lifeloom.lifegraph.trace import RetrievalTrace
from lifeloom.models.builtin.backend import BuiltinModel
from lifeloom.records import Life
from lifeloom.tasks import GraphFact, GraphPlanOutput
from tests.lifeloom.lifegraph.searching import GraphMaker, Steering, fishing_graph, fishing_life, fishing_maker

WHO = "Who was there on 2024-05-11?"


def _found(
    model: Any, question: str = WHO, graph: LifeGraph | None = None, recognised: Sequence[str] = (), **settings: Any
) -> Retrieved:
    retriever = GraphRetriever(model, RetrievalSettings(**settings))
    return retriever.retrieve(graph or fishing_graph(), fishing_life(), Lookup(question, recognised=tuple(recognised)))


def _start_at(*names: str) -> Any:
    return lambda asked: [number for number, one in enumerate(asked.entities, start=1) if one.name in names]


def _prefer(*words: str) -> Any:
    """Score facts that say one of ``words``, the first words most."""

    def scores(facts: Sequence[GraphFact]) -> list[float]:
        texts = [f"{one.head} {one.relation} {one.tail}" for one in facts]
        raw = [1e-6 + sum((len(words) - n) * (word in text) for n, word in enumerate(words)) for text in texts]
        return [one / sum(raw) for one in raw]

    return scores


def _lines(found: Retrieved) -> list[tuple[str, str, str]]:
    return [(fact.head, fact.relation, fact.tail) for fact in found.facts]


def test_from_a_date_the_event_is_found_in_one_round_and_who_was_there_in_the_next() -> None:
    model = Steering(starts=_start_at("2024-05-11"), scores=_prefer("hasActivity"))
    found = _found(model, depth=2, width=1)
    assert _lines(found) == [
        ("Out fishing", "onDate", "2024-05-11"),
        ("Out fishing", "hasActivity", "fishing"),
    ]
    assert found.rounds == 2
    assert found.facts[1].attributes[0].values == ("Ana", "Rui", "Lia")


def test_the_built_in_model_answers_the_same_question_from_the_graph() -> None:
    found = _found(BuiltinModel(), depth=3, width=3)
    assert ("Out fishing", "hasActivity", "fishing") in _lines(found)
    assert found.trace.stopped == "enough"
    assert {image.event_id for image in found.images} == {"ana-e-2"}
    assert {one.name for one in found.concepts} == {"Ana", "Lia", "Rui"}


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_limit_of_d_means_at_most_d_rounds(depth: int) -> None:
    model = Steering(starts=_start_at("fishing"))
    assert _found(model, "When did they go fishing?", depth=depth, width=2).rounds == depth
    assert len(model.inputs("graph_prune")) == depth


def test_the_search_stops_as_soon_as_the_model_says_it_is_enough_unless_early_stop_is_off() -> None:
    done = Steering(starts=_start_at("2024-05-11"), enough=lambda asked: True)
    found = _found(done, depth=3)
    assert (found.rounds, found.trace.stopped) == (1, "enough")
    kept_on = Steering(starts=_start_at("2024-05-11"), enough=lambda asked: True)
    assert _found(kept_on, depth=3, early_stop=False).rounds == 3
    assert kept_on.inputs("graph_sufficiency") == []


def test_edges_are_followed_in_both_directions() -> None:
    found = _found(Steering(starts=_start_at("lake")), "What happened at the lake?", depth=1, width=5)
    assert {fact.head for fact in found.facts} == {"Out fishing", "Fishing again"}


def test_no_fact_is_on_the_paths_twice_even_where_the_graph_has_cycles() -> None:
    maker = GraphMaker()
    a, b, c = (maker.entity("PersonAnimal", name) for name in ("Ana", "Bo", "Cy"))
    for head, tail in ((a, b), (b, c), (c, a), (b, a)):
        maker.fact(head, "knows", tail)
    model = Steering(starts=_start_at("Ana"))
    found = _found(model, "Who knows whom?", maker.graph(), depth=5, width=5)
    assert len(found.facts) == 4
    assert found.trace.stopped == "nothing_left"
    candidates = [fact for asked in model.inputs("graph_prune") for fact in asked.candidates]
    assert len(candidates) == len({(fact.head, fact.tail) for fact in candidates})


def test_visited_by_edge_finds_a_fact_between_two_entities_on_the_paths_and_by_node_does_not() -> None:
    maker = GraphMaker()
    ana, lia, rui = (maker.entity("PersonAnimal", name) for name in ("Ana", "Lia", "Rui"))
    maker.fact(lia, "motherOf", ana)
    maker.fact(rui, "grandsonOf", ana)
    maker.fact(lia, "greatGrandmotherOf", rui)
    question = "How are they related?"
    start = _start_at("Ana")
    by_edge = _found(Steering(starts=start), question, maker.graph(), depth=2, width=2)
    by_node = _found(Steering(starts=start), question, maker.graph(), depth=2, width=2, visited="node")
    assert ("Lia", "greatGrandmotherOf", "Rui") in _lines(by_edge)
    assert len(by_node.facts) == 2


def test_equal_scores_are_settled_by_the_earlier_date_and_then_by_id() -> None:
    found = _found(Steering(starts=_start_at("fishing")), "When was the fishing?", depth=1, width=1)
    assert _lines(found) == [("Out fishing", "hasActivity", "fishing")]  # 2024, the other one is of 2025
    maker = GraphMaker()
    hub = maker.entity("Object", "kite")
    for name in ("zebra", "apple", "mango"):
        maker.fact(maker.entity("Object", name), "near", hub)
    undated = _found(Steering(starts=_start_at("kite")), "What is near?", maker.graph("nobody"), depth=1, width=2)
    assert [fact.head for fact in undated.facts] == ["zebra", "apple"]  # f-000, f-001


@pytest.mark.parametrize(
    ("given", "note"),
    [
        ([0.5], "1 scores for"),
        ([], "0 scores for"),
        ([float("nan")] * 4, "a score is negative or no number"),
        ([-1.0, 1.0, 0.5, 0.5], "a score is negative or no number"),
        ([0.0] * 4, "all scores are 0"),
        ([float("inf")] * 4, "a score is negative or no number"),
        ([1e308] * 4, "the scores sum to more than a number holds"),
    ],
)
def test_scores_that_cannot_be_used_count_as_uniform_and_are_noted(given: list[float], note: str) -> None:
    maker = fishing_maker()
    event = maker.entity("Event", "Out fishing")
    maker.fact(event, "shows", maker.entity("Object", "hat"))
    model = Steering(starts=lambda asked: _start_at("Out fishing")(asked), scores=lambda facts: given)
    found = _found(model, "Out fishing?", maker.graph(), depth=1, width=2)
    assert any(note in one and "counts the same" in one for one in found.trace.notes)
    assert [one.score for one in found.trace.rounds[0].candidates] == pytest.approx([0.25] * 4)
    assert len(found.facts) == 2


def test_scores_that_do_not_sum_to_one_are_divided_by_their_sum() -> None:
    model = Steering(starts=_start_at("2024-05-11"), scores=lambda facts: [5.0] * len(facts))
    found = _found(model, depth=1)
    assert sum(one.score for one in found.trace.rounds[0].candidates) == pytest.approx(1)
    assert any("summed to 5.000" in note for note in found.trace.notes)


def test_numbers_out_of_range_and_doubled_ones_are_left_out_and_noted() -> None:
    model = Steering(starts=lambda asked: (0, 2, 2, -3, 999), references=lambda asked: (1, 1, 500))
    found = _found(model, depth=1)
    assert sum(one.kept for one in found.trace.starts) == 1
    assert any(note.startswith("top entities: 4 of 5") for note in found.trace.notes)
    assert any(note.startswith("references: 2 of 3") for note in found.trace.notes)


def test_a_model_that_chooses_no_entity_starts_from_the_nearest_by_name() -> None:
    found = _found(Steering(starts=lambda asked: ()), depth=1, width=1)
    assert [one.name for one in found.trace.starts if one.kept] == ["2024-05-11"]
    assert any("no entity was chosen" in note for note in found.trace.notes)


def test_a_model_that_refuses_every_question_still_gives_a_result_and_is_paid_for() -> None:
    tasks = ("graph_top_entities", "graph_prune", "graph_references", "graph_sufficiency", "graph_plan")
    found = _found(Steering(refuses=tasks), depth=2, width=2, tools=True)
    assert found.rounds == 2
    assert found.facts
    assert sum("was not answered (bad_json)" in note for note in found.trace.notes) == 5
    assert (found.prompt_tokens, found.completion_tokens) == (7 * 8, 8)


def test_an_empty_graph_gives_an_empty_result_without_a_question_to_the_model() -> None:
    model = Steering()
    found = _found(model, graph=LifeGraph.of("ana", "", (), ()))
    assert (found.facts, found.rounds, found.trace.stopped) == ((), 0, "empty_graph")
    assert model.asked == []


def test_entities_without_facts_give_no_round() -> None:
    maker = GraphMaker()
    maker.entity("PersonAnimal", "Ana")
    found = _found(Steering(), graph=maker.graph())
    assert (found.rounds, found.trace.stopped) == (0, "nothing_left")


def test_only_wanted_sources_are_fetched_and_those_that_the_life_lacks_are_noted() -> None:
    maker = fishing_maker()
    maker.fact("Event/Out fishing", "shows", maker.entity("Object", "hat"), "ana-e-2-1", "gone-1")
    model = Steering(
        starts=_start_at("Out fishing"),
        references=lambda asked: [n for n, one in enumerate(asked.references, 1) if one.source_id == "ana-e-2-1"],
    )
    found = _found(model, "Out fishing?", maker.graph(), depth=1, width=5)
    assert [one.image_id for one in found.images] == ["ana-e-2-1"]
    assert found.retrieved_ids[0] == "ana-e-2-1"
    references = {one.source_id: one for one in found.trace.rounds[0].references}
    assert references["gone-1"].note == "neither a concept nor a picture of this life"
    assert "gone-1" not in found.retrieved_ids
    assert all(one.source_id != "gone-1" for one in model.inputs("graph_references")[0].references)


def test_without_references_nothing_is_fetched_and_nobody_is_asked_but_what_the_paths_cite_is_still_said() -> None:
    model = Steering(starts=_start_at("2024-05-11"), references=lambda asked: (1,))
    found = _found(model, references=False)
    assert (found.images, found.concepts) == ((), ())
    assert model.inputs("graph_references") == []
    assert "ana-e-2-0" in found.retrieved_ids


def test_who_takes_part_in_an_n_ary_fact_is_cited_too() -> None:
    model = Steering(starts=_start_at("2024-05-11"), scores=_prefer("hasActivity"))
    _found(model, depth=2, width=1)
    cited = {one.source_id for one in model.inputs("graph_references")[-1].references}
    assert {"ana-c-ana", "ana-c-lia", "ana-c-rui"} <= cited


def test_recognised_concepts_are_offered_first_and_named_to_the_model() -> None:
    model = Steering()
    _found(model, "Who is this?", recognised=("ana-c-rui", "ana-c-nobody"))
    asked = model.inputs("graph_top_entities")[0]
    assert asked.recognised == ("Rui",)
    assert asked.entities[0].name == "Rui"


def test_a_hub_is_cut_to_what_a_call_scores_by_the_words_of_the_question_and_said_so() -> None:
    maker = fishing_maker()
    for number in range(300):
        maker.fact(maker.entity("Event", f"Walk {number}"), "attendedBy", "PersonAnimal/Rui")
    model = Steering(starts=_start_at("Rui"))
    question = "What did Rui do on the walk number 287?"
    found = _found(model, question, maker.graph(), depth=1, width=3, most_candidates=20)
    scored = model.inputs("graph_prune")[0].candidates
    assert len(scored) == 20
    assert scored[0].head == "Walk 287"
    assert found.trace.rounds[0].searched == 302  # and two facts about Rui
    assert any("the 20 nearest" in note for note in found.trace.notes)


def test_the_same_lookup_gives_the_same_trace_whatever_the_order_of_the_facts() -> None:
    maker = fishing_maker()
    forwards = maker.graph()
    backwards = LifeGraph.of("ana", forwards.owner_id, forwards.entities.values(), reversed(maker.facts))
    model = BuiltinModel()
    traces = [_found(model, "Where did Rui go fishing with Mom?", graph).trace for graph in (forwards, backwards)]
    assert traces[0].rounds == traces[1].rounds


def test_a_trace_survives_json_and_reads_as_text() -> None:
    trace = _found(Steering(starts=_start_at("2024-05-11")), depth=1).trace
    assert RetrievalTrace.model_validate_json(trace.model_dump_json()) == trace
    assert json.loads(trace.model_dump_json())["rounds"][0]["number"] == 1
    text = trace.as_text()
    assert "Round 1: 1 facts at the frontier, 1 scored" in text
    assert "Out fishing -onDate-> 2024-05-11" in text
    assert text.endswith("Stopped: the depth limit was reached")


def test_settings_that_search_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="depth must be a whole number from 1 on, not 0"):
        RetrievalSettings(depth=0)


def test_with_tools_a_count_needs_no_search_and_says_which_days() -> None:
    plan = GraphPlanOutput(operation="count", what="fishing", who=("Ana",), of="days")
    model = Steering(plan=plan)
    found = _found(model, "On how many days did Ana go fishing?", tools=True)
    assert found.notes == ("3 different days match (fishing; with Ana): 2024-01-06, 2024-05-11, 2025-02-01.",)
    assert (found.rounds, found.trace.stopped) == (0, "counted")
    assert [one for one in found.retrieved_ids if "-e-" in one][:3] == ["ana-e-0-0", "ana-e-2-0", "ana-e-4-0"]
    assert found.trace.tool is not None
    assert "Ice fishing with Rui" in found.trace.tool.matching


def test_with_tools_a_question_about_one_day_is_searched_as_without() -> None:
    plain = _found(BuiltinModel())
    with_tools = _found(BuiltinModel(), tools=True)
    assert with_tools.facts == plain.facts
    assert with_tools.trace.tool is None


def test_what_is_made_of_a_life_is_forgotten_with_it() -> None:
    import gc
    import weakref

    life: Life | None = fishing_life()
    graph: LifeGraph | None = fishing_graph()
    assert life is not None
    assert graph is not None
    GraphRetriever(Steering()).retrieve(graph, life, Lookup(WHO))
    gone = weakref.ref(graph), weakref.ref(life)
    life = graph = None
    gc.collect()
    assert [one() for one in gone] == [None, None]
