"""Memories, the memory agent and its ablations, made by the whole graph."""

import io
import json

import pytest
from rich.console import Console

from assets.ablations import ABLATIONS
from assets.memory_quality import MEMORY_QUALITY, MemoryQualityRow
from evaluation.ablations import PolicyDifference
from evaluation.persona_mme import CaseTrace
from lifeloom.assistant import Trace
from lifeloom.memory import NotRemembered
from lifeloom.records import BenchmarkCase, Memory, MemoryOperation, Moment, Prediction, Score, Turn
from orchestration.show import render
from tests.tiny import Made

RELEASE = "2026-01-05"


def printed(made: Made, kind: str, item: str = "") -> str:
    console = Console(file=io.StringIO(), width=160)
    console.print(render(made.workbench.store, kind, item))
    return console.file.getvalue()


def memories(made: Made) -> list[Memory]:
    return list(made.workbench.store.read(f"release/memories/{RELEASE}", "memories", Memory))


def test_a_case_finds_its_users_memories_as_they_were_when_it_was_asked(made: Made) -> None:
    store = made.workbench.store
    library = made.workbench.memories(f"release/memories/{RELEASE}")
    cases = list(store.read(f"release/persona_mme/{RELEASE}", "cases", BenchmarkCase))

    for case in cases:
        memory = library.of(case.persona_id)
        moment = Moment(case.asked_at, case.history_turns)
        seen = memory.memories("episodic", as_of=moment) + memory.memories("semantic", as_of=moment)
        assert memory.turn_count(moment) == case.history_turns
        assert all(max(row.source_turns) < case.history_turns for row in seen)

    assert any(library.of(case.persona_id).memories("semantic") for case in cases)


def test_the_users_of_a_library_are_the_releases(made: Made) -> None:
    turns = made.workbench.store.read(f"release/dialogues/{RELEASE}", "turns", Turn)
    library = made.workbench.memories(f"release/memories/{RELEASE}")

    assert library.users() == sorted({turn.persona_id for turn in turns})


def test_a_user_who_is_not_in_the_library_is_not_made_up(made: Made) -> None:
    library = made.workbench.memories(f"release/memories/{RELEASE}")

    with pytest.raises(NotRemembered, match="nobody"):
        library.of("nobody")


def test_the_name_is_all_that_is_known_before_anything_was_said(made: Made) -> None:
    first = [row for row in memories(made) if row.known_turns == 0]

    assert {(row.kind, row.label, row.key) for row in first} == {("core", "human", "name")}
    assert len(first) == 4


def test_the_corpus_keeps_every_question_with_its_answer_as_supervision(made: Made) -> None:
    store = made.workbench.store
    operations = [
        row for key in store.keys("corpus/memories") for row in store.read(key, "operations", MemoryOperation)
    ]
    turns = sum(store.reader(key).rows("turns") for key in store.keys("corpus/dialogues"))

    kinds = {row.kind for row in operations}
    assert kinds == {"response", "personality", "semantic", "core", "procedural", "episodic"}
    assert sum(row.kind == "semantic" for row in operations) == turns
    assert sum(row.kind == "personality" for row in operations) == turns
    for row in operations:
        assert row.prompt
        assert row.output
        assert row.prompt.count("<img>") == len(row.pictures)


def test_a_release_keeps_no_replies_as_supervision(made: Made) -> None:
    operations = made.workbench.store.read(f"release/memories/{RELEASE}", "operations", MemoryOperation)

    assert "response" not in {row.kind for row in operations}


def test_what_the_agent_found_leads_back_to_memories_and_their_turns(made: Made) -> None:
    store = made.workbench.store
    known = {row.memory_id: row for row in memories(made)}
    cases = {case.case_id: case for case in store.read(f"release/persona_mme/{RELEASE}", "cases", BenchmarkCase)}
    keys = [key for key in store.keys(f"predictions/{RELEASE}") if "/memory_agent-" in key]
    found = 0
    for row in store.read(keys[0], "traces", CaseTrace):
        for step in json.loads(row.trace)["steps"]:
            for hit in step["found"]:
                memory = known[hit["memory_id"]]
                found += 1
                assert memory.user_id == cases[row.case_id].persona_id
                assert all(turn < cases[row.case_id].history_turns for turn in memory.source_turns)
        assert Trace.model_validate_json(row.trace).as_text()
    assert found > len(cases)


def test_a_case_shows_what_the_agent_looked_up(made: Made) -> None:
    case = next(iter(made.workbench.store.read(f"release/persona_mme/{RELEASE}", "cases", BenchmarkCase)))

    assert "What memory_agent looked up:" in printed(made, "case", case.case_id)


def test_a_memory_is_shown_with_the_turns_that_it_cites(made: Made) -> None:
    store = made.workbench.store
    memory = next(row for row in memories(made) if row.kind == "semantic")
    turn = next(
        turn
        for turn in store.read(f"release/dialogues/{RELEASE}", "turns", Turn)
        if turn.persona_id == memory.user_id and turn.turn_index in memory.source_turns
    )

    shown = printed(made, "memory", memory.memory_id)

    assert memory.memory_id in printed(made, "memories", memory.user_id)
    assert turn.user.split()[0] in shown
    assert f"{turn.at:%Y-%m-%d}" in shown


def test_every_variant_is_compared_with_the_whole_agent(made: Made) -> None:
    store = made.workbench.store
    variants = set(made.workbench.profile.scoring.ablations)
    differences = list(store.read(f"{ABLATIONS}/{RELEASE}", "differences", PolicyDifference))
    scores = list(store.read(f"{ABLATIONS}/{RELEASE}", "scores", Score))

    assert {"full_context", "rag"} | variants == {score.policy for score in scores}
    against = {row.policy for row in differences if row.against == "memory_agent"}
    assert against == variants - {"memory_agent"}


def test_the_agent_is_asked_once_for_scores_and_ablations(made: Made) -> None:
    keys = [key for key in made.workbench.store.keys(f"predictions/{RELEASE}") if "/memory_agent-" in key]

    assert len(keys) == 1


def test_variants_answer_every_question(made: Made) -> None:
    store = made.workbench.store
    cases = list(store.read(f"release/persona_mme/{RELEASE}", "cases", BenchmarkCase))
    expected = sum(3 if case.alignment else 1 for case in cases)
    for key in store.keys(f"predictions/{RELEASE}"):
        assert sum(1 for _ in store.read(key, "predictions", Prediction)) == expected, key


def test_memories_are_judged_against_the_plan(made: Made) -> None:
    rows = list(made.workbench.store.read(f"{MEMORY_QUALITY}/{RELEASE}", "memories", MemoryQualityRow))

    whole = {row.measure: row for row in rows if row.by == "all"}
    assert {"recall", "precision"} <= set(whole)
    assert all(0 <= row.right <= row.count for row in rows)
    assert whole["recall"].right > 0
