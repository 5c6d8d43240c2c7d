"""`lifeloom chat USER --like PERSONA`: a user who begins with a persona's memories."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest

from lifeloom.assistant import Assistant, ResponseStage, UpdateWorker
from lifeloom.memory import MemoryExists, UserMemory, export_of
from lifeloom.records import Turn
from orchestration.chat_users import open_user
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
    with open_user(made.workbench, "tom", persona) as memory:
        assert memory.user_id == "tom"
        assert contents(memory) == contents(original)
        assert [turn.user for turn in memory.turns()] == [turn.user for turn in original.turns()]
        assert memory.personality().profile == original.personality().profile


def test_nothing_is_remembered_a_second_time_when_the_talk_goes_on(made: Made, persona: str) -> None:
    with open_user(made.workbench, "tom", persona) as memory:
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
    with open_user(made.workbench, "tom", persona):
        pass
    with pytest.raises(MemoryExists, match="lifeloom memory erase"), open_user(made.workbench, "tom", persona):
        pass


def test_a_persona_must_be_one(made: Made, persona: str) -> None:
    people = {turn.persona_id for turn in made.workbench.store.read("corpus/dialogues/shard-000", "turns", Turn)}
    assert persona in people
    with pytest.raises(NothingFound, match="write more of it"), open_user(made.workbench, "tom", "persona-"):
        pass
    with pytest.raises(NothingFound, match="looked in corpus/memories"), open_user(made.workbench, "tom", "nobody"):
        pass
    assert not made.workbench.home.users.exists() or not list(made.workbench.home.users.iterdir())
