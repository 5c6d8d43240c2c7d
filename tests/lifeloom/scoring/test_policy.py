"""Histories and what policies see of a case: contiguity, moments, and windows cut at the exact token."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifeloom.models.tokens import count_tokens
from lifeloom.records import PictureReference, Turn
from lifeloom.scoring import CaseQuestion, History, policy_fingerprint
from lifeloom.tasks import CHOICE_ANSWER, ChoiceAnswerInput, OptionText

START = dt.datetime(2026, 1, 5, 22, 30, tzinfo=dt.UTC)


def picture(number: int, width: int = 512, height: int = 512) -> PictureReference:
    return PictureReference(content_hash=f"{number:064x}", width=width, height=height)


def turn(
    index: int,
    user: str = "hello",
    assistant: str = "hi there",
    persona: str = "p-1",
    pictures: tuple[PictureReference, ...] = (),
) -> Turn:
    return Turn(
        turn_id=f"t-{persona}-{index}",
        persona_id=persona,
        session_id="s-1",
        turn_index=index,
        at=START + dt.timedelta(hours=index),
        offset_minutes=120,
        user=user,
        assistant=assistant,
        pictures=pictures,
    )


def test_a_turn_is_two_messages_at_the_users_own_time() -> None:
    # 22:30 UTC is 00:30 of the next day, two hours east.
    user, assistant = History([turn(0)]).messages
    assert (user.at, user.role, user.text) == ("2026-01-06 00:30", "user", "hello")
    assert (assistant.at, assistant.role, assistant.text) == ("2026-01-06 00:30", "assistant", "hi there")


@pytest.mark.parametrize("indices", [(1, 2), (0, 2), (0, 0), (1, 0)])
def test_a_history_with_a_gap_or_out_of_order_is_refused(indices: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"turn \d expected, \d found"):
        History([turn(index) for index in indices])


def test_turns_of_two_people_are_no_history() -> None:
    with pytest.raises(ValueError, match="a turn of p-2 is in it"):
        History([turn(0), turn(1, persona="p-2")])


def test_before_shows_only_what_has_been_said() -> None:
    history = History([turn(index, user=f"message {index}") for index in range(3)])
    assert history.before(0).messages == ()
    assert [message.text for message in history.before(2).messages] == [
        "message 0",
        "hi there",
        "message 1",
        "hi there",
    ]


@pytest.mark.parametrize("turns", [3, -1])
def test_before_refuses_moments_that_the_history_does_not_have(turns: int) -> None:
    with pytest.raises(ValueError, match=f"has 2 turns, {turns} were asked for"):
        History([turn(0), turn(1)]).before(turns)


def test_tokens_are_those_of_the_messages_as_prompts_show_them() -> None:
    # "[2026-01-06 00:30] user: hello": [ 202 ##6 - 01 - 06 00 : 30 ] user : hello = 14 tokens.
    # "[2026-01-06 00:30] assistant: hi there": 13 + 2 = 15.
    view = History([turn(0), turn(1)]).before(1)
    assert view.tokens_of([0]) == 14
    assert view.tokens_of([1]) == 15
    assert view.tokens == 29


def test_the_newest_messages_are_kept_up_to_the_very_token() -> None:
    view = History([turn(0), turn(1), turn(2)]).before(2)  # tokens: 14, 15, 14, 15; turn 2 is not there yet
    assert view.newest(58) == range(0, 4)
    assert view.newest(57) == range(1, 4)
    assert view.newest(44) == range(1, 4)
    assert view.newest(43) == range(2, 4)
    assert [message.text for message in view.messages_of(view.newest(29))] == ["hello", "hi there"]
    assert view.messages_of(view.newest(29))[0].at == "2026-01-06 01:30"  # of turn 1: the newest, oldest first
    assert view.newest(15) == range(3, 4)
    assert len(view.newest(14)) == 0


@pytest.mark.parametrize("tokens", [0, -5])
def test_nothing_fits_into_no_room(tokens: int) -> None:
    assert len(History([turn(0)]).before(1).newest(tokens)) == 0


@given(st.lists(st.text(min_size=1, max_size=30), min_size=1, max_size=8), st.integers(0, 300), st.data())
def test_the_newest_messages_fit_and_one_more_would_not(texts: list[str], room: int, data: st.DataObject) -> None:
    history = History([turn(number, user=text) for number, text in enumerate(texts)])
    view = history.before(data.draw(st.integers(0, len(texts))))
    kept = view.newest(room)
    first = view.count - len(kept)
    assert view.messages_of(kept) == view.messages[first:]
    assert view.tokens_of(range(first, view.count)) == view.tokens_of(list(range(first, view.count))) <= room
    assert first == 0 or view.tokens_of(range(first - 1, view.count)) > room


@given(st.lists(st.text(min_size=1, max_size=30), min_size=1, max_size=6))
def test_messages_add_as_many_tokens_to_a_prompt_as_the_history_says(texts: list[str]) -> None:
    view = History([turn(number, user=text) for number, text in enumerate(texts)]).before(len(texts))
    options = (OptionText(letter="a", text="x"), OptionText(letter="b", text="y"))

    def prompt(count: int) -> int:
        shown = view.messages[view.count - count :]
        return count_tokens(
            CHOICE_ANSWER.render(ChoiceAnswerInput(context=shown, asked_at="now", query="q", options=options))
        )

    assert prompt(view.count) - prompt(1) == view.tokens_of(range(view.count - 1))


def test_pictures_come_with_their_messages_in_order() -> None:
    history = History(
        [
            turn(0, "This <img> and this <img>.", pictures=(picture(1), picture(2))),
            turn(1),
            turn(2, "<img>", pictures=(picture(3),)),
        ]
    )
    view = history.before(3)
    assert view.pictures_of(range(6)) == (picture(1), picture(2), picture(3))
    assert view.pictures_of([0, 1]) == (picture(1), picture(2))
    assert view.pictures_of([1, 2, 4]) == (picture(3),)
    assert history.before(2).pictures_of(range(4)) == (picture(1), picture(2))


def test_a_picture_costs_a_token_for_each_patch_of_28_pixels_begun() -> None:
    # 512 / 28 = 18.3, so 19 x 19 = 361; 56 x 28 is 2; 57 x 1 is 3. "<img>" itself: < im ##g > = 4 tokens.
    view = History(
        [
            turn(0, "<img>", pictures=(picture(1),)),
            turn(1, "<img> <img>", pictures=(picture(2, 56, 28), picture(3, 57, 1))),
        ]
    ).before(2)
    assert view.tokens_of([0], pictures=False) == 13 + 4
    assert view.tokens_of([0]) == 13 + 4 + 361
    assert view.tokens_of([2]) == 13 + 8 + 2 + 3
    assert view.tokens == 2 * 15 + 17 + 361 + 21 + 5
    assert view.tokens_of(range(4)) == view.tokens
    assert view.newest(2 * 15 + 17 + 21, pictures=False) == range(4)
    assert view.newest(2 * 15 + 17 + 21) == range(1, 4)


def test_pictures_without_a_mark_are_not_shown() -> None:
    view = History([turn(0, "Here <img>.", pictures=(picture(1), picture(2)))]).before(1)
    assert view.pictures_of(range(2)) == (picture(1),)
    assert view.messages[0].text == "Here <img>."


def test_marks_without_a_picture_are_no_marks_for_readers() -> None:
    view = History(
        [
            turn(0, "First <img>, then <img> and <img>.", "An <img> tag needs no end.", pictures=(picture(1),)),
            turn(1, "How do I close <img>?"),
        ]
    ).before(2)
    assert [message.text for message in view.messages] == [
        "First <img>, then < img> and < img>.",
        "An < img> tag needs no end.",
        "How do I close < img>?",
        "hi there",
    ]
    assert view.pictures_of(range(4)) == (picture(1),)


@given(st.lists(st.tuples(st.text("<img> a", max_size=20), st.integers(0, 3)), min_size=1, max_size=5))
def test_readers_see_as_many_marks_as_pictures(said: list[tuple[str, int]]) -> None:
    view = History(
        [
            turn(number, text or "x", text or "x", pictures=tuple(picture(i) for i in range(count)))
            for number, (text, count) in enumerate(said)
        ]
    ).before(len(said))
    for index, message in enumerate(view.messages):
        assert message.text.count("<img>") == len(view.pictures_of([index]))


def test_a_question_shows_no_answer_no_id_and_no_source() -> None:
    assert set(CaseQuestion.__dataclass_fields__) == {"asked_at", "query", "options", "tokens", "query_tokens"}
    assert set(OptionText.model_fields) == {"letter", "text"}


def test_a_view_knows_whose_it_is_how_many_turns_and_in_which_zone() -> None:
    moved = turn(1).model_copy(update={"offset_minutes": -300})
    history = History([turn(0), moved])
    assert history.persona_id == "p-1"
    assert [history.before(turns).turns for turns in (0, 1, 2)] == [0, 1, 2]
    assert [history.before(turns).offset_minutes for turns in (0, 1, 2)] == [0, 120, -300]
    assert History([]).persona_id == ""


def test_a_fingerprint_changes_with_everything_that_may_change_an_answer_and_nothing_else() -> None:
    def fingerprint(
        name: str = "rag",
        code: str = "1",
        models: tuple[str, ...] = ("m",),
        prompts: tuple[str, ...] = ("p",),
        **parameters: int,
    ) -> str:
        return policy_fingerprint(name, code=code, models=models, prompts=prompts, parameters=parameters)

    others = {
        fingerprint(name="x"),
        fingerprint(code="2"),
        fingerprint(models=("n",)),
        fingerprint(prompts=("q",)),
        fingerprint(messages=5),
        fingerprint(messages=6),
    }
    assert len(others | {fingerprint()}) == 7
    assert fingerprint(a=1, b=2) == fingerprint(b=2, a=1)
