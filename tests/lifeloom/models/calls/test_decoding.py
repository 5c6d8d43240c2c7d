"""From text to typed output, and the reason when there is none."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from lifeloom.models.calls.decoding import Undecodable, decode
from lifeloom.tasks import ChoiceAnswerOutput, SessionCritiqueOutput, SessionWritingOutput, TaskOutput, WrittenTurn

GOOD = '{"letter": "c"}'


def test_json_of_the_right_shape_is_the_output() -> None:
    decoded = decode(GOOD, ChoiceAnswerOutput)
    assert decoded.output == ChoiceAnswerOutput(letter="c")
    assert not decoded.repaired


def test_white_space_around_is_json_too() -> None:
    assert not decode(f"\n  {GOOD}\n", ChoiceAnswerOutput).repaired


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```",
        f"```json\r\n{GOOD}\r\n```\r\n",
        f"Sure! Here is the answer:\n\n```json\n{GOOD}\n```\nAnything else?",
        f"The answer is {GOOD}",
        f"{GOOD} because they like it.",
        f'<think>Perhaps {{"letter": "a"}}? No.</think>\n{GOOD}',
        f"\ufeff{GOOD}",
    ],
)
def test_one_object_in_a_fence_or_in_prose_is_taken_out_and_flagged(text: str) -> None:
    decoded = decode(text, ChoiceAnswerOutput)
    assert decoded.output.letter == "c"
    assert decoded.repaired


@pytest.mark.parametrize(
    "text",
    [
        "c",
        "(c)",
        "The answer is c.",
        '{"letter": "c"',
        "{'letter': 'c'}",
        '{"letter": "c",}',
        '{"letter": NaN}',
        '{"letter": "a"} or rather {"letter": "b"}',  # which one is not ours to choose
        '```json\n{"letter": "a"}\n```\n```json\n{"letter": "b"}\n```',
        '{"letter": "\\ud800"}',
        "}{",
        "{" * 100_000,
        "[" * 100_000,
        '{"a":' * 100_000,
    ],
)
def test_what_is_no_json_is_bad_json(text: str) -> None:
    with pytest.raises(Undecodable) as caught:
        decode(text, ChoiceAnswerOutput)
    assert caught.value.reason == "bad_json"
    assert len(caught.value.detail) <= 600


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"letter": "e"}', "letter: Input should be"),
        ('{"letter": 3}', "letter: Input should be"),
        ('{"letter": "c", "why": "tea"}', "why: Extra inputs"),
        ("{}", "letter: Field required"),
        ('"c"', "Input should be an object"),
        ("null", "Input should be an object"),
        ("[1]", "Input should be an object"),
        (f"[{GOOD}]", "Input should be an object"),
    ],
)
def test_json_of_another_shape_is_wrong_schema_and_says_where(text: str, told: str) -> None:
    with pytest.raises(Undecodable) as caught:
        decode(text, ChoiceAnswerOutput)
    assert caught.value.reason == "wrong_schema"
    assert told in caught.value.detail


@pytest.mark.parametrize("text", [None, "", "  \n\t"])
def test_nothing_is_empty(text: str | None) -> None:
    with pytest.raises(Undecodable) as caught:
        decode(text, ChoiceAnswerOutput)
    assert caught.value.reason == "empty"


def test_types_are_strict_a_number_in_quotes_is_no_number() -> None:
    text = '{"turns": [{"position": "1", "user": "Hello", "assistant": "Hello"}]}'
    with pytest.raises(Undecodable) as caught:
        decode(text, SessionWritingOutput)
    assert caught.value.reason == "wrong_schema"
    assert "turns.0.position" in caught.value.detail


class _Part(TaskOutput):
    position: int
    said: str = Field(min_length=1)
    heard: str


class _Parts(TaskOutput):
    parts: tuple[_Part, ...]


def test_many_problems_are_shown_in_short_and_counted() -> None:
    parts = [{"position": "x", "said": "", "heard": "secret words " * 100} for _ in range(50)]
    with pytest.raises(Undecodable) as caught:
        decode(json.dumps({"parts": parts}), _Parts)
    assert "and 95 more" in caught.value.detail  # 2 problems a turn, 5 shown
    assert len(caught.value.detail) <= 620
    assert "secret words" not in caught.value.detail


def test_half_an_answer_is_not_taken_for_a_smaller_whole_one() -> None:
    # {} alone would be a valid critique without problems.
    with pytest.raises(Undecodable) as caught:
        decode('{"problems": [{}', SessionCritiqueOutput)
    assert caught.value.reason == "bad_json"


@given(st.text(min_size=1, max_size=200), st.text(min_size=1, max_size=200), st.booleans())
def test_any_text_that_json_can_carry_comes_back_whole(user: str, assistant: str, fenced: bool) -> None:
    output = SessionWritingOutput(turns=(WrittenTurn(position=1, user=user, assistant=assistant),))
    text = output.model_dump_json()
    decoded = decode(f"```json\n{text}\n```" if fenced else text, SessionWritingOutput)
    assert decoded.output == output


@given(st.text(max_size=300))
def test_any_text_is_decoded_or_refused_with_a_reason(text: str) -> None:
    reason = "none"
    try:
        decode(text, ChoiceAnswerOutput)
    except Undecodable as problem:
        reason = problem.reason
    assert reason in {"none", "empty", "bad_json", "wrong_schema"}
