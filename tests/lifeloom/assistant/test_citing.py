"""A memory cites every turn that its words come from, so that erasing one of them takes it along."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifeloom.assistant.assistant import Assistant
from lifeloom.assistant.building import build_memories
from lifeloom.assistant.citing import cited_turns
from lifeloom.assistant.response import ResponseStage
from lifeloom.assistant.update import UpdateStage
from lifeloom.assistant.worker import UpdateWorker
from lifeloom.memory import DialogueTurn, UserMemory, erase_turn, export_user
from lifeloom.models.builtin.backend import BuiltinModel
from tests.remembering import MONDAY, FormModel, WordEncoder, written


def turns_of(*texts: str, assistant: str = "I see.", minutes: int = 1) -> list[DialogueTurn]:
    return [
        DialogueTurn(index, 0, MONDAY + dt.timedelta(minutes=minutes * index), 0, text, assistant)
        for index, text in enumerate(texts)
    ]


@pytest.mark.parametrize(
    ("said", "texts", "cited"),
    [
        (("My sister is Quillabeth.", "Fine.", "She is a dentist."), ["Quillabeth is a dentist."], (0, 2)),
        (("QUILLABETH came", "Quillabeth's late", "She is a dentist"), ["The dentist is quillabeth."], (1, 2)),
        (("I have been to Lisbon", "I own it with a boat", "I like it"), ["The user likes it a lot"], (2,)),
        (("Two boats lay there", "So it was", "I painted one"), ["The user painted a boat"], (0, 2)),
        (("We saw a café", "Yes", "I liked it"), ["The user liked it", "Cafe"], (0, 2)),
        (("我养了一只猫", "好的", "它很可爱"), ["它可爱", "猫"], (0, 2)),
        (("I saw 🦊 and 🦉", "Ok", "I like it"), ["The user likes 🦉"], (0, 2)),
        (("I am 41", "Ok", "Remember it"), ["The user wants it remembered: 41"], (0, 2)),
        (("Tea, cake", "Cake", "Both"), ["The user wants both: tea and cake"], (0, 1, 2)),
    ],
    ids=["name", "latest", "function words", "endings", "accents", "Han", "emoji", "number", "several"],
)
def test_words_that_the_turn_itself_does_not_say_are_of_the_latest_turn_that_says_them(said, texts, cited):
    turns = turns_of(*said)
    assert cited_turns(turns[2:], turns[:2], texts) == cited


def test_what_the_assistant_says_belongs_to_its_turn():
    told = turns_of("And my boat?", assistant="Zephyr is its name.")
    later = DialogueTurn(1, 0, MONDAY, 0, "I will sell it.", "Really, Zephyr?")
    silent = DialogueTurn(1, 0, MONDAY, 0, "I will sell it.", "Really?")
    assert cited_turns([later], told, ["The user will sell Zephyr"]) == (1,)
    assert cited_turns([silent], told, ["The user will sell Zephyr"]) == (0, 1)


WORDS = st.sampled_from(["tea", "Teas", "the", "Ines", "boat", "boats", "猫", "養猫", "🦊", "7", "<img>", "", "she's"])
TEXTS = st.lists(WORDS, max_size=6).map(" ".join)


@given(st.lists(TEXTS, min_size=1, max_size=6), TEXTS, st.data())
def test_only_turns_that_were_shown_are_cited_and_no_word_of_theirs_outlives_them(said, content, data):
    turns = turns_of(*said, assistant="")
    chosen = data.draw(st.sets(st.sampled_from(range(len(turns))), min_size=1))
    named = [turn for turn in turns if turn.index in chosen]
    others = [turn for turn in turns if turn.index not in chosen]
    cited = cited_turns(named, others, [content])
    assert chosen <= set(cited) <= {turn.index for turn in turns}
    assert list(cited) == sorted(set(cited))
    for word in content.split():
        beginning = {"boats": "boat", "Teas": "tea"}.get(word, word).casefold()
        holding = {turn.index for turn in turns if beginning in turn.user.casefold()}
        if holding and word not in ("the", "she's"):
            assert holding & set(cited)


def test_words_in_which_a_summary_tells_of_anybody_are_nobodys():
    turns = turns_of("They themselves said that I need a request form.", "Cake for me")
    told = ["The user said: cake for themselves.", "Requests: The user wants cake."]
    assert cited_turns(turns[1:], turns[:1], told) == (1,)


def form(content: str) -> str:
    return f"reason: told\ndecision: yes\nkind: fact\ncontent: {content}\nkeywords: work\n"


@pytest.fixture
def memory(tmp_path):
    with UserMemory.open(tmp_path / "user.sqlite", "persona-1") as opened:
        yield opened


def told(memory: UserMemory, *texts: str, minutes: int = 1) -> None:
    for turn in turns_of(*texts, minutes=minutes):
        memory.add_turn(turn)


def test_knowledge_happened_when_the_turns_were_said_that_it_follows_from(memory):
    told(memory, "My sister is Quillabeth.", "Well.", "She is a dentist.")
    stage = UpdateStage(FormModel(semantic_update=form("Quillabeth is a dentist.")), WordEncoder())
    stage.turn_updates(memory, 2)
    (known,) = memory.memories("semantic")
    assert known.source_turns == (0, 2)
    assert (known.happened_from, known.happened_to) == (MONDAY, MONDAY + dt.timedelta(minutes=2))
    assert (known.known_at, known.known_turns) == (MONDAY + dt.timedelta(minutes=2), 3)


def test_a_turn_that_the_question_did_not_show_is_not_cited(memory):
    told(memory, "My sister is Quillabeth.", "Well, " + "a" * 100_000, "She is a dentist.", minutes=35)
    model = FormModel(semantic_update=form("Quillabeth is a dentist."))
    UpdateStage(model, WordEncoder()).turn_updates(memory, 2)
    assert [one.source_turns for one in memory.memories("semantic")] == [(2,)]  # more than an hour before
    assert "Quillabeth" not in str(model.of("semantic_update")[-1])


def test_a_prompt_that_was_cut_cites_none_of_the_context_that_it_leaves_out(memory):
    told(memory, "My sister is Quillabeth. " + "word " * 3_000, "She is a dentist.")
    model = FormModel(semantic_update=form("Quillabeth is a dentist."), window_tokens=2_000)
    UpdateStage(model, WordEncoder()).turn_updates(memory, 1)
    assert [one.source_turns for one in memory.memories("semantic")] == [(1,)]
    assert "Quillabeth" not in str(model.of("semantic_update")[-1])


def test_values_and_episodes_cite_the_turns_of_the_session_that_their_words_come_from(memory):
    told(memory, "I sing Oktavist.", "I moved to Porto.", "I want to learn it there.")
    model = FormModel(
        core_update="human.home: Porto, for singing [3]\nhuman.name: Ines [1]\n",
        procedural_update="Oktavist: The user learns it in Porto [3]\n",
        episodic_update="topic_summary: Learning Oktavist.\nkeywords: learn\nsource_dialog_indices: 3\n"
        "topic_summary: Moving.\nkeywords: moved\nsource_dialog_indices: 1, 2\n",
    )
    UpdateStage(model, WordEncoder()).close_session(memory, 0)
    assert {one.key: one.source_turns for one in memory.core()} == {"home": (0, 1, 2), "name": (0,)}
    assert [one.source_turns for one in memory.procedural()] == [(0, 1, 2)]
    assert [one.source_turns for one in memory.memories("episodic")] == [(0, 2), (0, 1)]
    erase_turn(memory, 0)
    assert [one.content for kind in ("procedural", "episodic") for one in memory.memories(kind)] == []
    assert memory.core() == ()


SAID = (
    "I am looking at a car called Zephyrusque.",
    "I love that one!",
    "My sister is Quillabeth.",
    "She is a dentist.",
    "I want to learn Oktavist singing.",
    "I still want to learn it, every week.",
)


def test_no_byte_is_left_of_what_later_turns_took_up_when_the_turn_that_said_it_is_erased(tmp_path):
    encoder, path = WordEncoder(), tmp_path / "user.sqlite"
    model = BuiltinModel(encoder)
    words = [b"zephyrusque", b"quillabeth", b"oktavist"]
    with UserMemory.open(path, "ines") as memory, UpdateWorker(UpdateStage(model, encoder)) as worker:
        assistant = Assistant(memory, ResponseStage(model, encoder), worker)
        for number, text in enumerate(SAID):
            assistant.say(text, MONDAY + dt.timedelta(minutes=number))
        assistant.end_session()
        assert assistant.flush(60).left == 0
        taken_up = {one.source_turns: one.content for one in memory.memories("semantic") if len(one.source_turns) > 1}
        assert "Zephyrusque" in taken_up[0, 1]
        assert "Quillabeth" in taken_up[2, 3]
        for index in (0, 2, 4):
            assert assistant.forget_turn(index).scrubbed
        assert [turn.index for turn in memory.turns()] == [1, 3, 5]
        assert assistant.close(timeout=60).left == 0
    left = b"".join(file.read_bytes() for file in tmp_path.iterdir()).lower()
    assert b"dentist" in left
    assert [word for word in words if word in left] == []


def test_what_is_taken_up_is_cited_the_same_live_and_built(tmp_path):
    turns, encoder = written(*SAID, gaps=(1,) * 5), WordEncoder()
    stage = UpdateStage(BuiltinModel(encoder), encoder)
    exports = []
    for name in ("built", "live"):
        with UserMemory.open(tmp_path / f"{name}.sqlite", "persona-1") as memory:
            if name == "built":
                build_memories(memory, turns, stage)
            else:
                for turn in turns:
                    memory.add_turn(
                        DialogueTurn(turn.turn_index, 0, turn.at, turn.offset_minutes, turn.user, turn.assistant)
                    )
                    stage.turn_updates(memory, turn.turn_index)
                stage.close_session(memory, 0)
            assert any(len(one.source_turns) > 1 for one in memory.memories("semantic"))
            (tmp_path / name).mkdir()
            export_user(memory, tmp_path / name)
            files = sorted(file for file in (tmp_path / name).rglob("*") if file.is_file())
            exports.append([file.read_bytes() for file in files])
    assert exports[0] == exports[1]
