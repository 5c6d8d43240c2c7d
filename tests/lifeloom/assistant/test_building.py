"""Memories of written conversations: the same as an assistant's that was there."""

from __future__ import annotations

import datetime as dt
import hashlib
import io
import random
import threading

import numpy as np
import pytest
from PIL import Image

from lifeloom.assistant.assistant import Assistant
from lifeloom.assistant.building import BuildCounts, Supervision, build_memories
from lifeloom.assistant.jobs import closing_jobs, enqueue, turn_jobs
from lifeloom.assistant.proposing import Crop
from lifeloom.assistant.response import ResponseStage
from lifeloom.assistant.sessions import session_turns
from lifeloom.assistant.update import UpdateStage
from lifeloom.assistant.worker import UpdateWorker
from lifeloom.memory import DialogueTurn, MediaGone, OtherUser, UserMemory, export_user
from lifeloom.models.builtin.backend import BuiltinModel
from lifeloom.models.minilm import MiniLmEncoder
from lifeloom.models.protocol import ModelUnavailable
from lifeloom.records import PictureReference
from tests.remembering import FormModel, WordEncoder, attentive, written

MESSAGES = ("I moved to Porto", "Hello", "I like tea", "My goal is to sail", "I gave up tea", "Well", "I row")
GAPS = (5, 90, 0, 60, 59, 200)


def values(task_input) -> str:
    """Goals and core values that change from session to session, or are over."""
    said = " ".join(turn.user for turn in task_input.turns)
    if "gave up" in said:
        return "human.drink: null [1]\n" if hasattr(task_input, "profile") else "sailing: null [1]\n"
    if hasattr(task_input, "profile"):
        return f"human.name: Ines\nhuman.drink: {said[:40]} [1]\n"
    return f"sailing: The user says {said[:40]} [1]\n"


def model(**answers) -> FormModel:
    told = {
        "personality_inference": lambda asked: (len(asked.user) % 5 + 1, 3, 2, 3, 4),
        "semantic_update": attentive,
        "core_update": values,
        "procedural_update": values,
        "episodic_update": lambda asked: (
            f"topic_summary: The user said {asked.turns[0].user}.\nkeywords: talk\nsource_dialog_indices: 1\n"
        ),
    }
    return FormModel(**{**told, **answers})


def built(path, turns=None, *, answers=None, record=None, **options) -> tuple[UserMemory, BuildCounts]:
    memory = UserMemory.open(path, "persona-1")
    stage = UpdateStage(answers or model(), WordEncoder(), record=record)
    return memory, build_memories(memory, written(*MESSAGES, gaps=GAPS) if turns is None else turns, stage, **options)


def exported(memory: UserMemory, folder) -> bytes:
    folder.mkdir()
    export_user(memory, folder)
    memory.close()
    return b"".join(file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file())


def test_the_memories_of_a_written_conversation_are_those_of_an_assistant_that_was_there(tmp_path):
    memory, _ = built(tmp_path / "built.sqlite")
    live = UserMemory.open(tmp_path / "live.sqlite", "persona-1")
    encoder = WordEncoder()
    with UpdateWorker(UpdateStage(model(), encoder)) as worker:
        assistant = Assistant(live, ResponseStage(model(), encoder), worker)
        for turn in written(*MESSAGES, gaps=GAPS):
            assistant.say(turn.user, turn.at, turn.offset_minutes)
        assert assistant.end_session(turn.at + dt.timedelta(hours=1))
        assert assistant.close(timeout=30).left == 0
    assert exported(memory, tmp_path / "a") == exported(live, tmp_path / "b")


def test_a_session_takes_one_batch_of_the_encoder_and_everything_is_counted(tmp_path):
    memory = UserMemory.open(tmp_path / "user.sqlite", "persona-1")
    encoder = WordEncoder()
    counts = build_memories(memory, written(*MESSAGES, gaps=GAPS), UpdateStage(model(), encoder))
    assert len(encoder.batches) == 4
    assert (counts.sessions, counts.turns, counts.kept) == (4, 7, 0)
    assert counts.outcomes == {
        "personality/applied": 7,
        "semantic/applied": 5,
        "semantic/nothing": 2,
        "core/applied": 4,
        "procedural/applied": 4,
        "episodic/applied": 4,
    }
    assert counts.notes == {"episodic/turn_uncovered": 3}
    assert counts.operations["EpisodeDraft"] == len(memory.memories("episodic")) == 4
    assert not counts.rejected
    memory.close()


def test_building_again_and_building_several_questions_at_once_changes_nothing(tmp_path):
    memory, _ = built(tmp_path / "a.sqlite")
    again = build_memories(memory, written(*MESSAGES, gaps=GAPS), UpdateStage(model(), WordEncoder()))
    assert again.kept == 4
    assert not again.outcomes
    side_by_side, _ = built(tmp_path / "b.sqlite", at_once=4)
    assert exported(memory, tmp_path / "a") == exported(side_by_side, tmp_path / "b")


def test_questions_at_once_are_put_at_once(tmp_path):
    meet = threading.Barrier(3, timeout=30)

    def together(asked):
        meet.wait()
        return (3, 3, 3, 3, 3)

    memory, _ = built(
        tmp_path / "a.sqlite", written("a", "b", "c"), answers=model(personality_inference=together), at_once=7
    )
    memory.close()


def test_a_model_that_goes_away_leaves_whole_sessions_and_building_goes_on_after_them(tmp_path):
    away = model(semantic_update=lambda asked: ModelUnavailable("gone") if "goal" in asked.user else attentive(asked))
    memory = UserMemory.open(tmp_path / "a.sqlite", "persona-1")
    with pytest.raises(ModelUnavailable):
        build_memories(memory, written(*MESSAGES, gaps=GAPS), UpdateStage(away, WordEncoder()))
    assert memory.turn_count() == 2
    counts = build_memories(memory, written(*MESSAGES, gaps=GAPS), UpdateStage(model(), WordEncoder()))
    assert counts.kept == 1
    whole, _ = built(tmp_path / "b.sqlite")
    assert exported(memory, tmp_path / "a") == exported(whole, tmp_path / "b")


def test_answers_that_are_nonsense_are_counted_by_reason(tmp_path):
    memory, counts = built(tmp_path / "a.sqlite", answers=model(core_update="What a day.", semantic_update="?"))
    assert counts.rejected == {"core/no_form": 4, "semantic/no_form": 7}
    assert len(memory.rejections()) == 11
    assert len(memory.memories("episodic")) == 4
    memory.close()


def test_every_few_sessions_a_question_is_answered_from_what_was_known_then(tmp_path):
    messages = ("I moved to Porto", "I like tea", "Nice", "Where do I live?", "I row", "What?")
    turns = written(*messages, gaps=(5, 90, 1, 90, 1))
    records = []
    replies = model(
        response_step=lambda asked: (
            "<think>Look.</think><answer>You live in Porto.</answer>"
            if asked.rounds
            else "<think>Who?</think><retrieve>\nkeywords: Porto\nstart_time: null\nend_time: null\n</retrieve>"
        )
    )
    supervision = Supervision(ResponseStage(replies, WordEncoder()), random.Random(3), every_sessions=2)
    memory, counts = built(tmp_path / "a.sqlite", turns, record=records.append, supervision=supervision)
    assert counts.replies == {"answered": 1}
    steps = [one for one in records if one.kind == "response"]
    assert [(one.step, one.first_turn, one.last_turn) for one in steps] == [(0, 3, 3), (1, 3, 3)]
    found = {memory.memory(name).content for name in steps[0].memory_ids}
    assert "The user said: I moved to Porto" in found
    assert "The user said: I row" not in found
    memory.close()


def test_turns_of_somebody_else_are_refused(tmp_path):
    with pytest.raises(OtherUser, match="persona-2"):
        built(tmp_path / "a.sqlite", written("Hello", persona="persona-2"))


def test_pictures_are_copied_where_asked_and_one_that_is_gone_stops_nothing(tmp_path):
    files = {"a" * 64: b"file"}

    def source(picture):
        if picture.content_hash not in files:
            raise MediaGone("no such file")
        return files[picture.content_hash]

    there, gone = (PictureReference(content_hash=name * 64, width=4, height=4) for name in "ab")
    turns = written("I <img>", "I <img>")
    turns[0] = turns[0].model_copy(update={"pictures": (there,)})
    turns[1] = turns[1].model_copy(update={"pictures": (gone,)})
    looked = []

    def look(pictures):
        looked.append(list(pictures))
        raise MediaGone("no such file")

    memory, counts = built(tmp_path / "a.sqlite", turns, pictures=source, keep_pictures=True, look=look)
    assert counts.turns == 2
    assert looked == [[there, gone]]
    assert [turn.pictures for turn in memory.turns()] == [(there,), (gone,)]
    memory.close()


class Counting:
    """Cuts a part that tells how many concepts were known by then."""

    def remember(self, memory: UserMemory, data: bytes, description: str) -> Crop | None:
        memory.use_encoder("fake/crops-1", 4, space="image")
        known = sum(one.crop is not None for one in memory.memories("semantic"))
        return Crop(f"{description} after {known}".encode(), 8, 8, np.array([1, 0, 0, 0], dtype=np.float32))

    def recognise(self, memory, pictures, *, as_of=None):
        return ()


def shown(asked) -> str:
    if "<img>" not in asked.user:
        return attentive(asked)
    name = asked.user.split()[0]
    return f"decision: yes\nkind: visual_concept\ncontent: {name} <img>\nkeywords: {name}\n"


def test_who_is_in_a_picture_is_decided_by_who_was_known_then_also_within_a_session(tmp_path):
    file = io.BytesIO()
    Image.new("RGB", (64, 48), "red").save(file, "PNG")
    picture = PictureReference(content_hash=hashlib.sha256(file.getvalue()).hexdigest(), width=64, height=48)
    turns = written("Rex <img>", "I like tea", "Fatou <img>", "Olu <img>", gaps=(1, 1, 90))
    turns = [one.model_copy(update={"pictures": (picture,) if "<img>" in one.user else ()}) for one in turns]
    told = model(pictures=True, semantic_update=shown)

    built_file = UserMemory.open(tmp_path / "built.sqlite", "persona-1")
    stage = UpdateStage(told, WordEncoder(), concepts=Counting())
    build_memories(built_file, turns, stage, pictures=lambda _: file.getvalue(), keep_pictures=True)
    kept = [one for one in built_file.memories("semantic") if one.crop]
    assert [built_file.media(one.crop.content_hash) for one in kept] == [
        b"Rex after 0",
        b"Fatou after 1",
        b"Olu after 2",
    ]
    live = UserMemory.open(tmp_path / "live.sqlite", "persona-1")
    with UpdateWorker(stage) as worker:
        assistant = Assistant(live, ResponseStage(told, WordEncoder()), worker)
        for turn in turns:
            assistant.say(turn.user, turn.at, turn.offset_minutes, [file.getvalue()] * len(turn.pictures))
        assistant.end_session(turn.at + dt.timedelta(hours=1))
        assistant.close(timeout=30)
    assert exported(built_file, tmp_path / "a") == exported(live, tmp_path / "b")


@pytest.mark.slow
def test_the_built_in_model_remembers_the_same_live_and_built_and_every_time(tmp_path):
    """With real sentence vectors, which must not depend on what else is in a batch."""
    messages = (
        "My name is Ines and I live in Porto. My evening drink is green tea.",
        "Could you write a short note to the caretaker about the lamp?",
        "My colleague Olu swears by dry cider.",
        "I want to learn how to sail before the summer.",
        "I used to have green tea in the evening, but now it is cocoa.",
        "I have given up on sailing. Remember that my bike is in the cellar!",
    )
    turns, encoder = written(*messages, gaps=(1, 2, 90, 1, 500)), MiniLmEncoder()
    stage = UpdateStage(BuiltinModel(encoder), encoder)
    files = []
    for name in ("a", "b"):
        files.append(UserMemory.open(tmp_path / f"{name}.sqlite", "persona-1"))
        build_memories(files[-1], turns, stage)
    live = UserMemory.open(tmp_path / "live.sqlite", "persona-1")
    with UpdateWorker(stage) as worker:
        for turn in turns:  # with the replies that were written
            index = live.turn_count()
            session = sum(gap >= 60 for gap in (1, 2, 90, 1, 500)[:index])
            said = DialogueTurn(index, session, turn.at, turn.offset_minutes, turn.user, turn.assistant)
            before = live.turns(index - 1)[:1]
            if before and before[0].session < session:
                first = session_turns(live, before[0])[0].index
                enqueue(live, closing_jobs(before[0].session, first, before[0].index))
            live.add_turn(said)
            enqueue(live, turn_jobs(said, session_turns(live, said)[0].index))
        assert worker.flush(live, 60).left == 0
        enqueue(live, closing_jobs(2, 5, 5))
        assert worker.flush(live, 60).left == 0
    said = " ".join(one.content for one in live.memories("semantic"))
    assert "Porto" in said
    assert "cocoa" in said
    exports = [exported(file, tmp_path / f"export-{number}") for number, file in enumerate((*files, live))]
    assert exports[0] == exports[1] == exports[2]
