"""The graph's writer behind a real HTTP server: the same stages, records and counts as with the built-in one."""

from __future__ import annotations

import json
import re
from pathlib import Path

import dagster as dg
import pytest

from lifeloom.records import Persona, Rejection
from lifeloom.tasks import PERSONA_ENRICHMENT
from orchestration.instance import open_instance
from orchestration.lineage import StageFailed, run_steps, steps_for
from orchestration.profiles import load_profile
from resources.workbench import Workbench
from tests.servers import ChatServer, Received, Reply, answer, error
from tests.tiny import TINY

PEOPLE = {
    "role_description": "Somebody who likes to talk about the day and asks good questions.",
    "human": ["The user is known by name."],
    "persona": ["A careful asker."],
}


def bench(server: ChatServer, home: Path) -> Workbench:
    settings = {
        **TINY,
        "LIFELOOM_MODELS__WRITER__BACKEND": "openai",
        "LIFELOOM_MODELS__WRITER__MODEL": "test-writer",
        "LIFELOOM_MODELS__WRITER__BASE_URL": server.base_url,
        "LIFELOOM_MODELS__WRITER__CONCURRENCY": "3",
    }
    return Workbench(load_profile("demo", settings), home)


def test_personas_are_made_by_a_served_model_with_rejections_counted_and_paid_once(tmp_path: Path) -> None:
    broken: set[str] = set()

    def reply(received: Received) -> Reply:
        prompt = "\n".join(message["content"] for message in received.json["messages"])
        name = re.search(r"^Name: (.+)$", prompt, re.MULTILINE)
        assert name is not None
        if not broken or name.group(1) in broken:
            broken.add(name.group(1))  # the first persona never gets a good answer
            return answer("not json at all")
        return answer(json.dumps(PEOPLE))

    with ChatServer(decide=reply) as server:
        made = bench(server, tmp_path)
        with open_instance(made.home) as instance:
            outcomes = list(run_steps(steps_for(["seeds", "corpus/personas"], made.profile), made, instance))
            asked = len(server.requests)
            again = list(run_steps(steps_for(["corpus/personas"], made.profile), made, instance))
        assert len(server.requests) == asked  # reused: nothing is asked twice
    assert all(outcome.reused for outcome in again)
    keys = made.store.keys("corpus/personas")
    personas = [persona for key in keys for persona in made.store.read(key, "personas", Persona)]
    rejections = [row for key in keys for row in made.store.read(key, "rejections", Rejection)]
    assert (len(personas), len(rejections)) == (3, 1)
    assert rejections[0].reason == "bad_json"
    assert "not json at all" in rejections[0].detail
    assert asked == 3 + 2  # three good answers, one answer and its re-ask
    assert {persona.made_by.backend for persona in personas} == {"openai"}
    assert {persona.made_by.prompt_version for persona in personas} == {PERSONA_ENRICHMENT.prompt_version}
    assert any(outcome.left_out == "bad_json 1" for outcome in outcomes)


def test_a_refused_key_stops_the_stage_at_once_and_names_the_variable(tmp_path: Path) -> None:
    with ChatServer(decide=lambda received: error(401, "no such key")) as server:
        made = bench(server, tmp_path)
        with open_instance(made.home) as instance, pytest.raises(StageFailed, match="OPENAI_API_KEY"):
            list(run_steps(steps_for(["seeds", "corpus/personas"], made.profile), made, instance))
        assert len(server.requests) <= 3  # no more than were under way
    assert made.store.keys("corpus/personas") == []
    with open_instance(made.home) as instance:
        assert {run.status for run in instance.get_runs()} == {dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE}
