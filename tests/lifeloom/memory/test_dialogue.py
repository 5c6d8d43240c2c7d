"""What was said is kept as it was said, in order, whatever it holds."""

import datetime as dt
import hashlib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lifeloom.memory import (
    DialogueTurn,
    MediaGone,
    MemoryCorrupt,
    NotRemembered,
    OperationInvalid,
    OutOfOrder,
    TextInvalid,
    TimeInvalid,
    UserMemory,
)
from lifeloom.records import Moment, PictureReference
from tests.lifeloom.memory.remembering import START, add_turns, at, new_memory

MINUTE = dt.timedelta(minutes=1)


@pytest.fixture
def memory(tmp_path):
    with UserMemory.open(tmp_path / "user.sqlite", "ann") as memory:
        yield memory


def said(index, when=START, user="hello", assistant="hi", session=0, offset=60, pictures=()):
    return DialogueTurn(index, session, when, offset, user, assistant, pictures)


TEXTS = [
    "",
    "x" * 100_000,
    "".join(map(chr, range(32))) + "\x7f\x85\u2028",
    "before\0after\0",
    "\u202eright to left\u202c שלום مرحبا",
    "👩‍👩‍👧‍👦🏳️‍🌈",
    "我在北京学了三年中文",
    "e\u0301 is not \u00e9",
    "'; DROP TABLE turns; --",
    "\ufeff\ufffe\uffff",
]


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: f"{len(text)}-{text[:6]!a}")
def test_a_text_comes_back_character_by_character(memory, text):
    memory.add_turn(said(0, user=text, assistant=text))
    memory.close()

    with UserMemory.open(memory.path, "ann") as again:
        (turn,) = again.turns()

    assert (turn.user, turn.assistant) == (text, text)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(codec="utf-8")), reply=st.text(st.characters(codec="utf-8")))
def test_any_text_comes_back(memory, text, reply):
    index = memory.turn_count()
    memory.add_turn(said(index, user=text, assistant=reply))

    assert memory.turns(index) == (said(index, user=text, assistant=reply),)


def test_half_of_a_surrogate_pair_is_refused_with_its_place_and_nothing_is_lost(memory):
    memory.add_turn(said(0))

    with pytest.raises(TextInvalid, match=r"U\+D83D\) at character 4"):
        memory.add_turn(said(1, user="abc\ud83d"))

    assert memory.turns() == (said(0),)


ZONE = dt.timezone(dt.timedelta(hours=14))


@pytest.mark.parametrize(
    "when",
    [
        dt.datetime(1, 1, 1, tzinfo=dt.UTC),
        dt.datetime(1, 1, 2, 3, 4, 5, 678901, tzinfo=ZONE),
        dt.datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=dt.UTC),
        dt.datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=ZONE),
        dt.datetime(2025, 3, 30, 2, 30, tzinfo=dt.timezone(dt.timedelta(seconds=3601, microseconds=7))),
    ],
)
def test_a_time_of_any_year_and_zone_comes_back_to_the_microsecond(memory, when):
    memory.add_turn(said(0, when))

    assert memory.turns()[0].at == when
    assert memory.turns(as_of=Moment(when)) == (said(0, when),)
    if when > dt.datetime(1, 1, 1, tzinfo=dt.UTC):
        assert memory.turns(as_of=Moment(when - dt.timedelta(microseconds=1))) == ()


@pytest.mark.parametrize(
    "when",
    [
        dt.datetime(2025, 1, 1),  # noqa: DTZ001 - the case
        dt.datetime(1, 1, 1, tzinfo=ZONE),
        dt.datetime(9999, 12, 31, 23, tzinfo=dt.timezone(-dt.timedelta(hours=12))),
    ],
)
def test_a_time_without_zone_or_outside_the_years_of_utc_is_refused(memory, when):
    with pytest.raises(TimeInvalid, match=r"has no zone|years 1 to 9999"):
        memory.add_turn(said(0, when))
    assert memory.turn_count() == 0


def test_summer_time_changes_the_offset_and_not_the_order(memory):
    before = dt.datetime(2025, 10, 26, 2, 55, tzinfo=dt.timezone(dt.timedelta(hours=2)))
    after = dt.datetime(2025, 10, 26, 2, 5, tzinfo=dt.timezone(dt.timedelta(hours=1)))  # ten minutes later
    memory.add_turn(said(0, before, offset=120))
    memory.add_turn(said(1, after, offset=60))

    assert [turn.offset_minutes for turn in memory.turns()] == [120, 60]
    assert memory.turns()[1].at - memory.turns()[0].at == 10 * MINUTE


def test_a_turn_that_is_earlier_is_refused_with_both_times(memory):
    memory.add_turn(said(0))

    with pytest.raises(OutOfOrder) as caught:
        memory.add_turn(said(1, START - MINUTE))

    assert START.isoformat() in str(caught.value)
    assert (START - MINUTE).isoformat() in str(caught.value)
    assert memory.turn_count() == 1


def test_turns_of_the_same_time_keep_their_order_and_turns_tell_before_from_after(memory):
    for index in range(3):
        memory.add_turn(said(index, user=f"{index}"))

    assert [turn.user for turn in memory.turns()] == ["0", "1", "2"]
    assert [turn.user for turn in memory.turns(as_of=Moment(START, 2))] == ["0", "1"]
    assert memory.turn_count(Moment(START, 2)) == 2
    assert memory.turn_count(Moment(START - MINUTE)) == 0


def test_the_very_same_turn_again_changes_nothing_also_after_its_reply_came(memory):
    turn = said(0, assistant="")
    memory.add_turn(turn)
    memory.add_turn(turn)
    memory.set_reply(0, "hi")
    memory.add_turn(turn)
    memory.set_reply(0, "hi")

    assert memory.turns() == (said(0),)


@pytest.mark.parametrize(
    "other", [said(0, user="other"), said(0, offset=0), said(0, START + MINUTE), said(0, assistant="other")]
)
def test_another_turn_with_a_number_that_is_taken_is_refused(memory, other):
    memory.add_turn(said(0))

    with pytest.raises(OutOfOrder, match="turn 0 is there already"):
        memory.add_turn(other)
    assert memory.turns() == (said(0),)


def test_gaps_earlier_sessions_and_offsets_of_a_day_are_refused(memory):
    memory.add_turn(said(0, session=1))

    with pytest.raises(OutOfOrder, match="next turn is number 1, not 2"):
        memory.add_turn(said(2, session=1))
    with pytest.raises(OutOfOrder, match="session 1 has begun"):
        memory.add_turn(said(1, session=0))
    with pytest.raises(TimeInvalid, match="1440 minutes"):
        memory.add_turn(said(1, session=1, offset=1440))
    assert memory.turn_count() == 1


def test_a_reply_is_given_once_to_a_turn_that_is_there(memory):
    memory.add_turn(said(0))

    with pytest.raises(OperationInvalid, match="another reply"):
        memory.set_reply(0, "other")
    with pytest.raises(NotRemembered, match="turn 7"):
        memory.set_reply(7, "hi")


def test_a_range_of_turns_includes_its_last(tmp_path):
    with new_memory(tmp_path, turns=8) as memory:
        assert [turn.index for turn in memory.turns(2, 4)] == [2, 3, 4]
        assert [turn.index for turn in memory.turns(6)] == [6, 7]
        assert [turn.index for turn in memory.turns(1, as_of=Moment(at(3)))] == [1, 2, 3]
        assert memory.turns(9) == ()


def test_pictures_come_back_with_their_turn_and_their_bytes_with_their_hash(memory):
    data = bytes(range(256)) * 1000
    picture = memory.put_media(data, 640, 480)
    assert memory.put_media(data, 640, 480) == picture
    memory.add_turn(said(0, user="look <img> <img>", pictures=(picture, picture)))

    assert picture == PictureReference(content_hash=hashlib.sha256(data).hexdigest(), width=640, height=480)
    assert memory.turns()[0].pictures == (picture, picture)
    assert memory.media(picture.content_hash) == data


def test_a_picture_that_is_gone_or_has_other_bytes_is_told(memory):
    picture = memory.put_media(b"a picture", 1, 1)
    with memory.transaction() as sql:
        sql.execute("UPDATE media SET data = ?", (b"something",))

    with pytest.raises(MemoryCorrupt, match="other bytes"):
        memory.media(picture.content_hash)
    with pytest.raises(MediaGone, match="0" * 64):
        memory.media("0" * 64)
    with pytest.raises(OperationInvalid, match="0 × 5"):
        memory.put_media(b"none", 0, 5)


def test_a_turn_and_its_jobs_are_written_together_or_not_at_all(memory):
    memory.add_turn(said(0), [("turn-0/semantic", "{}"), ("turn-0/personality", "{}")])

    with pytest.raises(OutOfOrder):
        memory.add_turn(said(1, START - MINUTE), [("turn-1/semantic", "{}")])
    with pytest.raises(TextInvalid):
        memory.add_turn(said(1), [("turn-1/semantic", "\ud800")])

    assert [job for job, _ in memory.pending()] == ["turn-0/semantic", "turn-0/personality"]
    assert memory.turn_count() == 1


def test_erased_turns_are_counted_and_not_shown(tmp_path):
    with new_memory(tmp_path, turns=0) as memory:
        add_turns(memory, 4)
        with memory.transaction() as sql:
            sql.execute("UPDATE turns SET user = '', assistant = '', erased = 1 WHERE turn = 2")

        assert [turn.index for turn in memory.turns()] == [0, 1, 3]
        assert memory.turn_count() == 4
        with pytest.raises(OutOfOrder, match="was erased"):
            memory.add_turn(DialogueTurn(2, 0, at(2), 60, "turn 2", "reply 2"))
        with pytest.raises(NotRemembered):
            memory.set_reply(2, "hi")
