from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifeloom.assistant.lines import read_keywords
from lifeloom.assistant.parsing import Answer, ParsedStep, Retrieve, parse_step
from lifeloom.memory.types import Period

PARIS = dt.timezone(dt.timedelta(hours=1))


def _retrieval(start: str = '"null"', end: str = '"null"', keywords: str = '"green tea, drink"') -> str:
    return (
        f'<think>I need the drink.</think>\n<retrieve>\n"keywords": {keywords}\n"start_time": {start}\n'
        f'"end_time": {end}\n</retrieve>'
    )


def _parse(text: str) -> ParsedStep:
    return parse_step(text, 60)


def test_a_thought_and_an_answer_are_taken_as_they_are() -> None:
    step = _parse("<think>Ana drinks tea.</think>\n<answer>(b) green tea</answer>\n")
    assert step == ParsedStep("Ana drinks tea.", Answer("(b) green tea"), True, ())


def test_a_retrieval_names_keywords_and_a_period_on_the_users_clock() -> None:
    step = _parse(_retrieval('"2026-01-02 09:30"', '"2026-01-05 18:00"'))
    period = Period(
        dt.datetime(2026, 1, 2, 9, 30, tzinfo=PARIS), dt.datetime(2026, 1, 5, 18, 0, 59, 999_999, tzinfo=PARIS)
    )
    assert step == ParsedStep("I need the drink.", Retrieve(("green tea", "drink"), period), True, ())


def test_null_leaves_an_end_open_and_two_of_them_ask_for_any_time() -> None:
    assert _parse(_retrieval()).action == Retrieve(("green tea", "drink"), None)
    half = _parse(_retrieval('"2026-01-02 09:30"', "null"))
    assert half.action == Retrieve(("green tea", "drink"), Period(dt.datetime(2026, 1, 2, 9, 30, tzinfo=PARIS), None))
    assert half.well_formed


def test_a_date_alone_is_the_whole_day() -> None:
    step = _parse(_retrieval("2026-01-02", "2026-01-02"))
    assert isinstance(step.action, Retrieve)
    assert step.action.period == Period(
        dt.datetime(2026, 1, 2, tzinfo=PARIS), dt.datetime(2026, 1, 2, 23, 59, 59, 999_999, tzinfo=PARIS)
    )
    assert step.repairs == ("date_only", "date_only")
    assert step.well_formed


def test_a_reversed_period_is_swapped_and_noted() -> None:
    step = _parse(_retrieval("2026-01-05 10:00", "2026-01-02"))
    assert isinstance(step.action, Retrieve)
    assert step.action.period == Period(
        dt.datetime(2026, 1, 2, tzinfo=PARIS), dt.datetime(2026, 1, 5, 10, 0, 59, 999_999, tzinfo=PARIS)
    )
    assert step.repairs == ("date_only", "period_reversed")


@pytest.mark.parametrize(
    "time", ["2026-02-30 10:00", "last week", "2026-01-02 25:00", "0001-01-01", "9999-12-31 23:59"]
)
def test_an_impossible_or_unreadable_time_is_dropped_and_the_keywords_still_serve(time: str) -> None:
    # in a zone east of UTC the first day of year 1, west of it the last of 9999, has no instant in UTC
    step = parse_step(_retrieval(f'"{time}"', '"null"'), -60 if time.startswith("9999") else 60)
    assert step.action == Retrieve(("green tea", "drink"), None)
    assert step.repairs == ("time_unreadable",)
    assert not step.well_formed


def test_of_two_actions_the_first_complete_one_counts() -> None:
    both = _parse(_retrieval() + "\nFound: The user drinks beer.\n<answer>beer</answer>")
    assert both.action == Retrieve(("green tea", "drink"), None)
    assert both.repairs == ("both_actions",)
    assert not both.well_formed
    begun = _parse("<think>x</think><retrieve>\n<answer>tea</answer>")
    assert begun.action == Answer("tea")


def test_made_up_results_behind_a_retrieval_are_text_outside() -> None:
    step = _parse(_retrieval() + "\nMemories, retrieval 1: the user drinks beer.")
    assert isinstance(step.action, Retrieve)
    assert step.repairs == ("text_outside",)


def test_tags_inside_a_thought_are_no_action() -> None:
    step = _parse("<think>Shall I say <answer>beer</answer>? No.</think><answer>tea</answer>")
    assert step.thought == "Shall I say beer? No."
    assert step.action == Answer("tea")
    assert step.repairs == ("nested_tags",)


def test_tags_inside_an_answer_go_and_its_words_stay() -> None:
    step = _parse("<think>x</think><answer>one <answer>two</answer> <retrieve>three</retrieve> four</answer>")
    assert step.action == Answer("one two three four")
    assert not step.well_formed


def test_an_answer_cut_short_is_still_the_answer() -> None:
    step = _parse("<think>x</think><answer>The tea is gree")
    assert step.action == Answer("The tea is gree")
    assert step.repairs == ("answer_not_closed",)


def test_a_thought_that_is_not_closed_ends_where_the_action_begins() -> None:
    step = _parse("<think>x <answer>tea</answer>")
    assert (step.thought, step.action, step.repairs) == ("x", Answer("tea"), ("thought_not_closed",))


def test_a_thought_that_the_chat_template_opened_is_a_thought() -> None:
    step = _parse("Ana drinks tea.\n</think>\n<answer>tea</answer>")
    assert (step.thought, step.action) == ("Ana drinks tea.", Answer("tea"))
    assert step.repairs == ("thought_not_opened",)


def test_text_without_a_known_tag_is_no_action_and_is_kept() -> None:
    step = _parse("<think>x</think>You drink green tea.")
    assert step.action is None
    assert step.plain == "You drink green tea."
    assert step.repairs == ("no_tag",)
    assert not step.well_formed


def test_an_empty_action_is_none() -> None:
    step = _parse("<think>x</think><answer> </answer>")
    assert step.action is None
    assert step.repairs == ("action_empty",)


def test_a_retrieval_as_a_json_object_is_understood() -> None:
    step = _parse(
        '<think>x</think><retrieve>{"keywords": ["tea", "drink"], "start_time": null, '
        '"end_time": "2026-01-05"}</retrieve>'
    )
    assert isinstance(step.action, Retrieve)
    assert step.action.keywords == ("tea", "drink")
    assert step.action.period is not None
    assert "json_form" in step.repairs


def test_a_retrieval_without_keywords_is_told() -> None:
    step = _parse(_retrieval(keywords='""'))
    assert step.action == Retrieve((), None)
    assert step.repairs == ("keywords_missing",)


def test_spelling_of_tags_is_repaired_and_told() -> None:
    step = _parse("<Think>x</Think>< ANSWER >tea</answer>")
    assert (step.thought, step.action, step.repairs) == ("x", Answer("tea"), ("tag_spelling",))


def test_keywords_are_told_apart_whatever_the_comma_and_each_is_taken_once() -> None:
    repairs: list[str] = []
    assert read_keywords("[绿茶，tea、 Tea; 'run' ,, null]", repairs) == ("绿茶", "tea", "run")
    assert repairs == []
    assert len(read_keywords(",".join(map(str, range(50))), repairs)) == 16
    assert repairs == ["keywords_cut"]


_WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=30)
_PIECES = st.lists(
    st.sampled_from(
        [
            "<think>", "</think>", "<answer>", "</answer>", "<retrieve>", "</retrieve>", "< answer >", "<", ">", "\n",
            '"keywords": tea', "start_time: 2026-01-02", "end_time: null", "{", "}", "[[[", "\x00", "\ud800",
        ]
    )
    | _WORDS,
    max_size=30,
)  # fmt: skip


@given(_PIECES, st.integers(-720, 840))
def test_whatever_a_model_writes_is_understood_somehow(pieces: list[str], offset: int) -> None:
    step = parse_step("".join(pieces), offset)
    if isinstance(step.action, Answer):
        assert step.action.text == step.action.text.strip()
        assert step.action.text
    if step.well_formed:
        assert step.thought
        assert step.action is not None


@given(_WORDS.filter(str.strip), _PIECES)
def test_a_complete_answer_is_never_lost(words: str, rest: list[str]) -> None:
    said = words.replace("<", "")
    step = parse_step(f"<think>x</think><answer>{said}.</answer>" + "".join(rest), 0)
    assert isinstance(step.action, Answer)
    assert step.action.text.startswith(f"{said}.".strip())


@given(st.text(max_size=300))
def test_text_without_tags_is_kept_to_the_letter(text: str) -> None:
    plain = text.replace("<", "")
    assert parse_step(plain, 0).plain == plain.strip()


def test_a_hundred_thousand_tags_are_read_at_once() -> None:
    for text in ("<answer>" * 30_000, "<think></think>" * 20_000, "<retrieve>" + "[" * 100_000, "<" * 100_000):
        assert parse_step(text, 0).well_formed is False
