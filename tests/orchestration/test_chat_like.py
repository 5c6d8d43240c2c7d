"""`lifeloom chat USER --like PERSONA`: a user who begins with a persona's memories."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Iterator

import pytest

from lifeloom.assistant import Assistant, ResponseStage, UpdateWorker
from lifeloom.memory import MemoryExists, UserMemory, export_of, list_users
from lifeloom.records import Turn
from orchestration.chat_users import TooEarly, begin_like, open_user
from orchestration.show import NothingFound
from tests.tiny import Made

SHARD = "corpus/memories/shard-000"


@pytest.fixture
def persona(made: Made) -> Iterator[str]:
    yield made.workbench.memories(SHARD).users()[0]
    for path in made.workbench.home.users.glob("*.sqlite*"):
        path.unlink()


@contextlib.contextmanager
def assistant(made: Made, memory: UserMemory) -> Iterator[Assistant]:
    workbench = made.workbench
    stage = ResponseStage(workbench.model("assistant"), workbench.encoder, workbench.response_settings)
    with UpdateWorker(workbench.update_stage()) as worker:
        yield Assistant(memory, stage, worker)


def contents(memory: UserMemory) -> list[tuple[str, str, str]]:
    return [(one.kind, one.key, one.content) for one in export_of(memory).memories]


def test_memories_turns_and_personality_are_the_personas(made: Made, persona: str) -> None:
    original = made.workbench.memories(SHARD).of(persona)
    begun = begin_like(made.workbench, "tom", persona)
    with open_user(made.workbench.home, "tom") as memory:
        assert memory.user_id == "tom"
        assert contents(memory) == contents(original)
        assert [turn.user for turn in memory.turns()] == [turn.user for turn in original.turns()]
        assert memory.personality().profile == original.personality().profile
        (name,) = [one.content for one in memory.core() if one.label == "human" and one.key == "name"]
    held = sum(len(original.memories(kind)) for kind in ("core", "procedural", "semantic", "episodic"))
    turns = len(original.turns())
    assert str(begun) == f"tom begins with the memories of {name}, {persona}: {held} memories, {turns} turns"


def test_nothing_is_remembered_a_second_time_when_the_talk_goes_on(made: Made, persona: str) -> None:
    begin_like(made.workbench, "tom", persona)
    with open_user(made.workbench.home, "tom") as memory:
        before = contents(memory)
        last = memory.turns()[-1]
        with assistant(made, memory) as talk:
            assert talk.flush().left == 0
            assert contents(memory) == before
            assert not talk.end_session()
            talk.say("Hello again.", last.at.replace(year=last.at.year + 1), last.offset_minutes)
            assert talk.flush().left == 0
        new = contents(memory)[len(before) :]
        assert contents(memory)[: len(before)] == before
        assert "episodic" not in {kind for kind, _, _ in new}
        assert memory.turns()[-1].session == last.session + 1


def test_a_user_who_is_there_cannot_begin_anew(made: Made, persona: str) -> None:
    begin_like(made.workbench, "tom", persona)
    with pytest.raises(MemoryExists, match="lifeloom memory erase"):
        begin_like(made.workbench, "tom", persona)


def test_who_would_begin_before_the_personas_last_turn_is_refused_and_not_made(made: Made, persona: str) -> None:
    last = made.workbench.memories(SHARD).of(persona).turns()[-1]
    with pytest.raises(TooEarly, match="/as-of"):
        begin_like(made.workbench, "tom", persona, last.at - dt.timedelta(minutes=1))
    assert not list_users(made.workbench.home.users).files
    assert begin_like(made.workbench, "tom", persona, last.at).user_id == "tom"


def test_a_persona_must_be_one(made: Made, persona: str) -> None:
    people = {turn.persona_id for turn in made.workbench.store.read("corpus/dialogues/shard-000", "turns", Turn)}
    assert persona in people
    with pytest.raises(NothingFound, match="write more of it"):
        begin_like(made.workbench, "tom", "persona-")
    with pytest.raises(NothingFound, match="looked in corpus/memories"):
        begin_like(made.workbench, "tom", "nobody")
    assert not made.workbench.home.users.exists() or not list(made.workbench.home.users.iterdir())
