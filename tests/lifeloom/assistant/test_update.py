"""What the update stage asks, what becomes of the answers, and what it does when there is none."""

from __future__ import annotations

import datetime as dt
import hashlib

import numpy as np
import pytest

from lifeloom.assistant.jobs import UpdateJob, closing_jobs, enqueue, turn_jobs
from lifeloom.assistant.proposing import Crop
from lifeloom.assistant.update import UpdateSettings, UpdateStage, media_of
from lifeloom.memory import DialogueTurn, MediaGone, NotRemembered, UserMemory, erase_turn
from lifeloom.models.protocol import (
    BudgetExhausted,
    GenerationRejected,
    InstallationBroken,
    ModelRefusesKey,
    ModelUnavailable,
)
from lifeloom.records import Moment
from lifeloom.store.pictures import PictureRejected
from tests.remembering import MONDAY, OFFSET, FormModel, WordEncoder, attentive

CORE = "human.name: Ines [1]\npersona.tone: short answers [2]\n"
GOALS = "learn to sail: The user wants to learn to sail. [2]\n"
TOPICS = """\
topic_summary: The user moved to Porto.
keywords: Porto, move
source_dialog_indices: 1

topic_summary: The user wants to sail.
keywords: sailing
source_dialog_indices: 2
"""


@pytest.fixture
def memory(tmp_path):
    with UserMemory.open(tmp_path / "user.sqlite", "ines") as opened:
        yield opened


def told(memory: UserMemory, *texts: str, minutes: int = 5, session: int = 0, pictures=()) -> list[DialogueTurn]:
    """Let the user say ``texts``, each answered, ``minutes`` apart."""
    turns = []
    for text in texts:
        index = memory.turn_count()
        at = MONDAY + dt.timedelta(minutes=minutes * index, days=session)
        shown = tuple(pictures[: text.count("<img>")])
        turns.append(DialogueTurn(index, session, at, OFFSET, text, "I see.", shown))
        memory.add_turn(turns[-1])
    return turns


def contents(memory: UserMemory, kind="semantic", **options) -> list[str]:
    return [one.content for one in memory.memories(kind, **options)]


def test_a_turn_moves_the_personality_and_adds_what_it_says(memory):
    model = FormModel(personality_inference=(5, 3, 3, 3, 1), semantic_update=attentive)
    told(memory, "I moved to Porto")
    UpdateStage(model, WordEncoder()).turn_updates(memory, 0)

    (kept,) = memory.memories("semantic")
    assert (kept.content, kept.label, kept.keywords) == ("The user said: I moved to Porto", "fact", ("Porto",))
    assert (kept.source_turns, kept.known_at, kept.known_turns) == ((0,), MONDAY, 1)
    assert kept.made_by.prompt_version.startswith("semantic_update@")
    point = memory.personality()
    share = 0.7 - 0.2 * 0.9980267284282716  # cos(pi / 50), by hand
    assert point.smoothing == pytest.approx(share)
    assert point.profile.openness == pytest.approx(share * 3 + (1 - share) * 5)
    assert point.profile.neuroticism == pytest.approx(share * 3 + (1 - share) * 1)
    assert memory.pending() == ()


def test_questions_show_the_turn_with_its_session_and_the_users_clock(memory):
    model = FormModel()
    told(memory, "Hello", "I moved to Porto")
    UpdateStage(model, WordEncoder()).turn_updates(memory, 1)
    (asked,) = model.of("semantic_update")
    assert (asked.now, asked.weekday) == ("2026-01-05 10:05", "Monday")
    assert [(one.at, one.role, one.text) for one in asked.context] == [
        ("2026-01-05 10:00", "user", "Hello"),
        ("2026-01-05 10:00", "assistant", "I see."),
    ]
    assert (asked.user, asked.assistant) == ("I moved to Porto", "I see.")
    assert [one.text for one in model.of("personality_inference")[0].context] == ["Hello", "I see."]


def test_closing_a_session_writes_core_procedural_and_episodes_known_an_hour_after_its_last_turn(memory):
    model = FormModel(core_update=CORE, procedural_update=GOALS, episodic_update=TOPICS)
    told(memory, "My name is Ines, I moved to Porto", "I want to sail")
    UpdateStage(model, WordEncoder()).close_session(memory, 0)

    closed = MONDAY + dt.timedelta(minutes=65)
    assert {(one.label, one.key, one.content) for one in memory.core()} == {
        ("human", "name", "Ines"),
        ("persona", "tone", "short answers"),
    }
    (goal,) = memory.procedural()
    assert (goal.key, goal.source_turns) == ("learn to sail", (1,))
    episodes = memory.memories("episodic")
    assert [(one.content, one.source_turns) for one in episodes] == [
        ("The user moved to Porto.", (0,)),
        ("The user wants to sail.", (1,)),
    ]
    assert {(one.known_at, one.known_turns) for one in (*episodes, goal)} == {(closed, 2)}
    assert memory.core(Moment(closed - dt.timedelta(seconds=1))) == ()


def test_the_next_session_is_shown_what_holds_and_replaces_or_ends_it(memory):
    model = FormModel(core_update=CORE, procedural_update=GOALS)
    stage = UpdateStage(model, WordEncoder())
    told(memory, "My name is Ines", "I want to sail")
    stage.close_session(memory, 0)
    told(memory, "I gave up sailing", "Call me Inesita", session=1)
    model.answers |= {
        "core_update": "human.name: Inesita [2]\n",
        "procedural_update": "learn to sail: null [1]\n",
    }
    stage.close_session(memory, 1)

    assert [(one.block, one.key, one.content) for one in model.of("core_update")[1].profile] == [
        ("human", "name", "Ines"),
        ("persona", "tone", "short answers"),
    ]
    assert [one.key for one in model.of("procedural_update")[1].current] == ["learn to sail"]
    names = memory.history("core", "name", "human")
    assert [one.content for one in names] == ["Ines", "Inesita"]
    assert (names[0].replaced_by, names[0].ended_by_turns) == (names[1].memory_id, (3,))
    assert memory.procedural() == ()
    (goal,) = memory.history("procedural", "learn to sail")
    assert goal.ended_by_turns == (2,)


def test_updates_of_a_user_are_made_in_the_order_in_which_they_were_queued(memory):
    model = FormModel()
    turns = told(memory, "a", "b")
    for turn in turns:
        enqueue(memory, turn_jobs(turn, 0))
    enqueue(memory, closing_jobs(0, 0, 1))
    UpdateStage(model, WordEncoder()).drain(memory)
    names = ["personality_inference", "semantic_update"] * 2 + ["core_update", "procedural_update", "episodic_update"]
    assert [name for name, _ in model.asked] == names


def test_an_update_done_again_asks_nothing_and_changes_nothing(memory):
    model = FormModel(semantic_update=attentive)
    stage = UpdateStage(model, WordEncoder())
    told(memory, "I moved to Porto")
    stage.turn_updates(memory, 0)
    stage.turn_updates(memory, 0)
    assert len(memory.memories("semantic")) == 1
    assert len(model.asked) == 2


def nonsense() -> GenerationRejected:
    return GenerationRejected("personality_inference", "bad_json", "so sorry \ud800, {", "no \ud800 JSON")


def test_nonsense_at_every_step_is_kept_as_rejections_and_nothing_is_lost(memory):
    """The halves of surrogate pairs are what broken JSON escapes decode to."""
    stage = UpdateStage(FormModel(semantic_update=attentive), WordEncoder())
    told(memory, "I moved to Porto", "I like tea")
    stage.turn_updates(memory, 0)
    before = memory.memories("semantic"), memory.personality()

    records = []
    garbage = "Lorem ipsum"
    stage = UpdateStage(FormModel(), WordEncoder(), record=records.append)
    stage.model = FormModel(
        personality_inference=nonsense(),
        semantic_update=garbage,
        core_update=garbage,
        procedural_update=garbage,
        episodic_update=garbage,
    )
    enqueue(memory, (*turn_jobs(memory.turns()[1], 0), *closing_jobs(0, 0, 1)))
    assert stage.drain(memory) == 5
    assert [one.outcome for one in records] == ["rejected"] * 5

    rejected = [(one.job, one.reason) for one in memory.rejections()]
    assert rejected == [
        ("turn-1/personality", "bad_json"),
        ("turn-1/semantic", "no_form"),
        ("session-0/core", "no_form"),
        ("session-0/procedural", "no_form"),
        ("session-0/episodic", "no_form"),
    ]
    assert memory.pending() == ()
    assert memory.memories("semantic") == before[0]
    point = memory.personality()
    assert (point.turn_index, point.skipped, point.profile) == (1, "rejected", before[1].profile)
    assert stage.drain(memory) == 0


@pytest.mark.parametrize("away", [ModelUnavailable, BudgetExhausted, ModelRefusesKey])
def test_a_model_that_is_away_leaves_the_queue_as_it_is_and_is_asked_again_later(memory, away):
    model = FormModel(semantic_update=away("come back later"))
    stage = UpdateStage(model, WordEncoder())
    told(memory, "I moved to Porto")
    with pytest.raises(away, match="come back later"):
        stage.turn_updates(memory, 0)
    assert [job for job, _ in memory.pending()] == ["turn-0/semantic"]
    assert memory.personality() is not None  # what was made before stays
    model.answers["semantic_update"] = attentive
    stage.drain(memory)
    assert len(memory.memories("semantic")) == 1
    assert memory.rejections() == ()


def test_an_encoder_that_is_broken_refuses_no_answer(memory):
    class Broken(WordEncoder):
        def encode(self, texts):
            return np.full((len(texts), self.dimensions), np.nan, dtype=np.float32)

    stage = UpdateStage(FormModel(semantic_update=attentive), Broken())
    told(memory, "I moved to Porto")
    with pytest.raises(InstallationBroken, match="words-1"):
        stage.turn_updates(memory, 0)
    assert [job for job, _ in memory.pending()] == ["turn-0/semantic"]
    UpdateStage(stage.model, WordEncoder()).drain(memory)
    assert len(memory.memories("semantic")) == 1


def test_every_question_is_recorded_with_its_answer_and_what_became_of_it(memory):
    records = []
    model = FormModel(
        personality_inference=(5, 3, 3, 3, 3),
        semantic_update=attentive,
        core_update="What a day.",
        episodic_update=TOPICS.replace("indices: 2", "indices: 9"),
    )
    stage = UpdateStage(model, WordEncoder(), record=records.append)
    told(memory, "I moved to Porto", "And so on")
    for index in (0, 1):
        stage.turn_updates(memory, index)
    stage.close_session(memory, 0)

    assert [(one.kind, one.first_turn, one.last_turn, one.outcome) for one in records] == [
        ("personality", 0, 0, "applied"),
        ("semantic", 0, 0, "applied"),
        ("personality", 1, 1, "applied"),
        ("semantic", 1, 1, "nothing"),
        ("core", 0, 1, "rejected"),
        ("procedural", 0, 1, "nothing"),
        ("episodic", 0, 1, "applied"),
    ]
    semantic, core, episodic = records[1], records[4], records[6]
    assert semantic.memory_ids == (memory.memories("semantic")[0].memory_id,)
    assert "I moved to Porto" in semantic.prompt
    assert semantic.output.startswith("reason: told")
    assert core.output == "What a day."
    assert core.reason.startswith("no_form")
    assert "number_out_of_range" in episodic.reason
    assert len({one.operation_id for one in records}) == len(records)


def test_a_turn_erased_while_the_model_thinks_about_it_leaves_nothing(memory):
    told(memory, "I moved to Porto", "I like tea")

    def erased_meanwhile(task_input):
        if "Porto" in task_input.user:
            erase_turn(memory, 0)
        return attentive(task_input)

    stage = UpdateStage(FormModel(semantic_update=erased_meanwhile), WordEncoder())
    for turn in memory.turns():
        enqueue(memory, turn_jobs(turn, 0))
    stage.drain(memory)
    assert contents(memory) == ["The user said: I like tea"]
    assert memory.pending() == ()


def test_a_session_is_summed_up_anew_when_one_of_its_turns_is_erased_meanwhile(memory):
    told(memory, "I moved to Porto", "I like tea")
    seen = []

    def summary(task_input):
        said = [turn.user for turn in task_input.turns]
        seen.append(said)
        if len(seen) == 1:
            erase_turn(memory, 0)
        return f"topic_summary: The user said {said}.\nkeywords: talk\nsource_dialog_indices: {len(said)}\n"

    UpdateStage(FormModel(episodic_update=summary), WordEncoder()).close_session(memory, 0)
    assert seen == [["I moved to Porto", "I like tea"], ["I like tea"]]
    assert contents(memory, "episodic") == ["The user said ['I like tea']."]


def test_a_session_closed_by_hand_may_replace_what_is_known_only_after_it(memory):
    """As where the session before was closed after an hour, and sessions were made shorter since."""
    told(memory, "I am Ines")
    memory.add_turn(DialogueTurn(1, 1, MONDAY + dt.timedelta(minutes=20), OFFSET, "Call me Olu", "I see."))
    stage = UpdateStage(
        FormModel(core_update=lambda asked: f"human.name: {asked.turns[0].user.split()[-1]} [1]\n"), WordEncoder()
    )
    enqueue(memory, (*closing_jobs(0, 0, 0), *closing_jobs(1, 1, 1, by_hand=True)))
    stage.drain(memory)
    hour = MONDAY + dt.timedelta(hours=1)
    assert [(one.content, one.known_at) for one in memory.history("core", "name", "human")] == [
        ("Ines", hour),
        ("Olu", hour),
    ]
    assert memory.pending() == ()


def test_a_job_that_no_version_knows_is_kept_as_rejected_and_the_queue_goes_on(memory):
    told(memory, "I moved to Porto")
    memory.enqueue("turn-0/dreams", '{"kind": "dreams"}')
    memory.enqueue("turn-0/semantic", '{"kind": "semantic", "session": 0, "first_turn": 0, "last_turn": 7}')
    UpdateStage(FormModel(semantic_update=attentive), WordEncoder()).drain(memory)
    assert [(one.job, one.reason) for one in memory.rejections()] == [
        ("turn-0/dreams", "job_unreadable"),
        ("turn-0/semantic", "job_unreadable"),
    ]


def test_jobs_are_read_as_they_were_written():
    job = UpdateJob(kind="episodic", session=3, first_turn=10, last_turn=16)
    assert job.name == "session-3/episodic"
    assert UpdateJob.read(job.name, job.payload) == job
    assert "by_hand" not in job.payload  # as every earlier version wrote it
    for ended in closing_jobs(3, 10, 16, by_hand=True):
        assert UpdateJob.read(ended.name, ended.payload) == ended
        assert ended.by_hand
    assert UpdateJob(kind="semantic", session=3, first_turn=10, last_turn=12).name == "turn-12/semantic"


@pytest.mark.parametrize("text", ["", " ", "x" * 100_000, "你好 " * 20_000, "\u202eevil\u0007 🙂\x00"])
def test_odd_messages_are_asked_about_within_the_window_and_kept_as_they_are(memory, text):
    model = FormModel(window_tokens=4_096)
    stage = UpdateStage(model, WordEncoder())
    told(memory, "I moved to Porto", text)
    stage.turn_updates(memory, 1)
    stage.close_session(memory, 0)
    assert memory.turns()[1].user == text
    assert memory.rejections() == ()
    for _, asked in model.asked:
        assert len(asked.model_dump_json()) < 10 * 4_096


def test_a_prompt_that_was_cut_is_recorded_as_cut(memory):
    records = []
    stage = UpdateStage(FormModel(window_tokens=4_096), WordEncoder(), record=records.append)
    told(memory, "Hello", "tea and cake " * 8_000)
    stage.turn_updates(memory, 1)
    assert [one.reason for one in records] == ["prompt_cut", "prompt_cut"]
    assert "Earlier in this session" not in records[1].prompt


def test_turns_at_the_same_time_are_told_apart_by_their_number(memory):
    stage = UpdateStage(FormModel(semantic_update=attentive), WordEncoder())
    for index, text in enumerate(["I like tea", "I like cake"]):
        memory.add_turn(DialogueTurn(index, 0, MONDAY, OFFSET, text, "I see."))
        stage.turn_updates(memory, index)
    assert len(contents(memory, as_of=Moment(MONDAY))) == 2
    assert contents(memory, as_of=Moment(MONDAY, 1)) == ["The user said: I like tea"]


def test_pictures_stand_beside_the_prompt_only_where_the_model_takes_them(memory):
    picture = memory.put_media(b"not looked at here", 20, 10)
    told(memory, "My dog <img> and what <img> means", pictures=(picture, picture)[:1])
    for takes, text in ((True, "My dog <img> and what < img> means"), (False, "My dog < img> and what < img> means")):
        model = FormModel(pictures=takes)
        asked = UpdateStage(model, WordEncoder()).ask(
            turn_jobs(memory.turns()[0], 0)[1],
            UpdateStage(model, WordEncoder()).known(memory, turn_jobs(memory.turns()[0], 0)[1]),
        )
        assert model.of("semantic_update")[0].user == text
        assert asked.question.pictures == ((picture,) if takes else ())


@pytest.mark.parametrize(
    ("fault", "note"),
    [
        (MediaGone("erased"), "picture_gone"),
        (PictureRejected("truncated", "cut short"), "picture_refused"),
        (GenerationRejected("semantic_update", "picture_refused", ""), "picture_refused"),
    ],
)
def test_a_picture_that_is_gone_or_refused_is_left_out_and_the_turn_is_still_read(memory, fault, note):
    records = []
    picture = memory.put_media(b"gone soon", 20, 10)
    told(memory, "My dog <img>", pictures=(picture,))
    model = FormModel(pictures=True)
    model.answers["semantic_update"] = lambda asked: fault if "<img>" in asked.user else attentive(asked)
    UpdateStage(model, WordEncoder(), record=records.append).turn_updates(memory, 0)
    assert contents(memory) == ["The user said: My dog < img>"]
    assert records[1].reason == note
    assert records[1].pictures == ()


def test_counting_by_updates_leaves_out_turns_that_moved_nothing(memory):
    model = FormModel()
    stage = UpdateStage(model, WordEncoder(), UpdateSettings(count="updates"))
    told(memory, "a", "b", "c")
    for index, scores in enumerate([(5, 3, 3, 3, 3), (3, 3, 3, 3, 3), (5, 3, 3, 3, 3)]):
        model.answers["personality_inference"] = scores
        stage.turn_updates(memory, index)
    first, second, third = memory.personality_curve()
    assert second.smoothing == third.smoothing > first.smoothing
    assert (second.skipped, second.applied) == ("neutral", False)


def test_what_is_not_there_cannot_be_updated_from(memory):
    stage = UpdateStage(FormModel(), WordEncoder())
    with pytest.raises(NotRemembered, match="no turn 0"):
        stage.turn_updates(memory, 0)
    with pytest.raises(NotRemembered, match="no session 4"):
        stage.close_session(memory, 4)


def test_media_of_another_place_serve_where_the_users_own_have_none(memory):
    picture = memory.put_media(b"mine", 20, 10)
    assert media_of(memory, lambda asked: b"other")(picture) == b"mine"
    gone = picture.model_copy(update={"content_hash": "0" * 64})
    assert media_of(memory, lambda asked: asked.content_hash.encode())(gone) == b"0" * 64
    with pytest.raises(MediaGone):
        media_of(memory)(gone)


class Keeper:
    """Cuts what is named: ``nobody`` is nowhere; every crop is the picture's file with the name."""

    def __init__(self, crop: bytes = b"") -> None:
        self.crop = crop
        self.looked: list[tuple[bytes, str]] = []

    def remember(self, memory: UserMemory, data: bytes, description: str) -> Crop | None:
        self.looked.append((data, description))
        memory.use_encoder("fake/crops-1", 4, space="image")
        if description == "nobody":
            return None
        return Crop(self.crop or data + description.encode(), 8, 8, np.array([0, 1, 0, 0], dtype=np.float32))

    def recognise(self, memory, pictures, *, as_of=None):
        return ()


def concept(*names: str, number: int = 1) -> str:
    return "".join(
        f"decision: yes\nkind: visual_concept\ncontent: {name} <img>\nkeywords: {name}\npicture: {number}\n\n"
        for name in names
    )


def test_a_visual_concept_is_stored_with_its_crop_and_encoded_without_its_mark(memory):
    pictures = tuple(memory.put_media(data, 20, 10) for data in (b"first ", b"second "))
    told(memory, "This <img> is Rex, that <img> is Fatou", pictures=pictures)
    model, encoder, keeper = FormModel(semantic_update=concept("Fatou", number=2)), WordEncoder(), Keeper()
    UpdateStage(model, encoder, concepts=keeper).turn_updates(memory, 0)
    (kept,) = memory.memories("semantic")
    assert (kept.label, kept.content) == ("visual_concept", "Fatou <img>")
    assert memory.media(kept.crop.content_hash) == b"second Fatou"
    assert keeper.looked == [(b"second ", "Fatou")]
    assert encoder.batches == [["Fatou"]]
    (hit,) = memory.search_crops(np.array([0, 1, 0, 0], dtype=np.float32), 1)
    assert hit.memory.memory_id == kept.memory_id


def test_a_concept_that_is_not_in_its_picture_is_remembered_as_text(memory):
    records = []
    told(memory, "This <img> is nobody", pictures=(memory.put_media(b"first", 20, 10),))
    stage = UpdateStage(FormModel(semantic_update=concept("nobody")), WordEncoder(), None, Keeper(), records.append)
    stage.turn_updates(memory, 0)
    (kept,) = memory.memories("semantic")
    assert (kept.label, kept.content, kept.crop) == ("fact", "nobody", None)
    assert records[1].reason == "concept_not_found"


def test_two_names_never_share_one_part_of_a_picture(memory):
    told(memory, "These are Rex and Fatou <img>", pictures=(memory.put_media(b"first", 20, 10),))
    stage = UpdateStage(FormModel(semantic_update=concept("Rex", "Fatou")), WordEncoder(), concepts=Keeper(b"the same"))
    stage.turn_updates(memory, 0)
    assert [(one.label, one.content) for one in memory.memories("semantic")] == [
        ("visual_concept", "Rex <img>"),
        ("fact", "Fatou"),
    ]


def test_no_crop_stays_behind_when_its_turn_is_erased_meanwhile(memory):
    told(memory, "This is Rex <img>", pictures=(memory.put_media(b"first ", 20, 10),))

    class Erasing(Keeper):
        def remember(self, memory, data, description):
            erase_turn(memory, 0)
            return super().remember(memory, data, description)

    keeper = Erasing()
    UpdateStage(FormModel(semantic_update=concept("Rex")), WordEncoder(), concepts=keeper).turn_updates(memory, 0)
    assert len(keeper.looked) == 1
    with pytest.raises(MediaGone):
        memory.media(hashlib.sha256(b"first Rex").hexdigest())
    assert memory.memories("semantic") == ()


def test_without_a_keeper_of_concepts_they_are_remembered_as_text(memory):
    told(memory, "This is Rex <img>", pictures=(memory.put_media(b"first ", 20, 10),))
    UpdateStage(FormModel(semantic_update=concept("Rex")), WordEncoder()).turn_updates(memory, 0)
    assert [(one.label, one.content) for one in memory.memories("semantic")] == [("fact", "Rex")]
