"""Tokens as servers tell them, as they are counted here, and the most that a question may take."""

from __future__ import annotations

import hashlib
import math
from dataclasses import replace

import pytest

from lifeloom.models.calls.counting import counted, most_tokens_sent, tokens_sent, told_tokens
from lifeloom.models.calls.schemas import output_schema
from lifeloom.models.calls.wire import OptionReply, Question, ReAsk, Reply, SentPicture
from lifeloom.models.tokens import count_tokens
from lifeloom.records import PictureReference
from lifeloom.tasks import ASK, CHOICE_ANSWER, SESSION_WRITING

WORDS = "We walked along the river in the morning and had green tea."


def asked(prompt: str = WORDS, **changes: object) -> Question:
    return replace(Question(ASK, prompt), **changes)  # type: ignore[arg-type]


def picture(width: int, height: int) -> SentPicture:
    digest = hashlib.sha256(b"x").hexdigest()
    return SentPicture(b"x", "image/png", PictureReference(content_hash=digest, width=width, height=height))


@pytest.mark.parametrize("value", [0, 12, 12.0, 100_000_000])
def test_a_count_of_tokens_is_taken_as_told(value: float) -> None:
    assert told_tokens(value) == value
    assert isinstance(told_tokens(value), int)


@pytest.mark.parametrize(
    "value",
    [None, True, False, -1, 1.5, "100", [1], {}, math.nan, math.inf, -math.inf, 1e18, 10**25, 100_000_001],
)
def test_what_is_no_count_of_tokens_is_not_believed(value: object) -> None:
    assert told_tokens(value) is None


@pytest.mark.parametrize("told", [None, 0, -1_000_000, 10**25])
def test_the_prompt_is_counted_here_where_its_count_cannot_be(told: int | None) -> None:
    reply = counted(Reply("Fine.", prompt_tokens=told, completion_tokens=3), asked())
    assert reply.prompt_tokens == count_tokens(ASK.instructions) + count_tokens(WORDS)
    assert reply.completion_tokens == 3


@pytest.mark.parametrize("told", [None, 0, -10, 10**25])
def test_an_answer_in_words_never_counts_as_nothing(told: int | None) -> None:
    reply = counted(Reply(WORDS, prompt_tokens=20, completion_tokens=told), asked())
    assert (reply.prompt_tokens, reply.completion_tokens) == (20, count_tokens(WORDS))
    assert counted(Reply("  ", prompt_tokens=20, completion_tokens=told), asked()).completion_tokens == 1


def test_an_answer_without_words_may_have_taken_no_tokens() -> None:
    assert counted(Reply("", prompt_tokens=20), asked()).completion_tokens == 0
    assert counted(Reply("", prompt_tokens=20, completion_tokens=40), asked()).completion_tokens == 40  # thoughts


def test_a_choice_by_likelihood_takes_one_token_unless_told_otherwise() -> None:
    assert counted(OptionReply((-0.1,)), asked(), ["tea"]).completion_tokens == 1
    assert counted(OptionReply((-0.1,), completion_tokens=0), asked(), ["tea"]).completion_tokens == 0


def test_the_schema_is_part_of_what_is_sent_and_of_the_most() -> None:
    for task in (CHOICE_ANSWER, SESSION_WRITING):
        schema = count_tokens(output_schema(task.output_type))
        words = count_tokens(task.instructions) + count_tokens(WORDS)
        question = Question(task, WORDS)
        assert tokens_sent(question) >= words + schema
        assert most_tokens_sent(question) >= 1.1 * (words + schema) + 64
        # Where likelihoods are asked for, the options are sent and the schema is not.
        assert tokens_sent(question, ["tea"]) == words
        assert most_tokens_sent(question, ["tea"]) < most_tokens_sent(question)
        assert most_tokens_sent(question, [WORDS] * 4) >= most_tokens_sent(question, ["tea"]) + 3 * count_tokens(WORDS)


def test_a_re_ask_counts_the_answer_and_the_schema_once_more() -> None:
    question = Question(CHOICE_ANSWER, WORDS)
    again = replace(question, again=ReAsk(WORDS, "letter: field required"))
    more = count_tokens(WORDS) + count_tokens(output_schema(CHOICE_ANSWER.output_type))
    assert tokens_sent(again) > tokens_sent(question) + more
    assert most_tokens_sent(again) > most_tokens_sent(question) + more


def test_no_more_than_what_is_shown_again_of_an_endless_answer_counts() -> None:
    long, endless = (asked(again=ReAsk("word " * words, "no JSON")) for words in (1_000, 100_000))
    assert tokens_sent(endless) <= tokens_sent(long)


def test_small_pictures_count_at_the_most_what_hosted_models_take_for_them() -> None:
    plain = asked()
    assert tokens_sent(asked(pictures=(picture(56, 28),))) == tokens_sent(plain) + 2
    assert most_tokens_sent(asked(pictures=(picture(56, 28),))) == most_tokens_sent(plain) + 258
    assert most_tokens_sent(asked(pictures=(picture(1120, 1120),) * 2)) == most_tokens_sent(plain) + 2 * 1600


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("2026-01-05 10:00 " * 10, 160),  # a token for every digit and sign
        ("我喜欢喝绿茶" * 10, 180),  # one for every byte
        ("🙂" * 50, 200),
        ("aGVsbG8gd29ybGQ" * 20, 300),  # one for every letter
        ("THE QUICK FOX " * 10, 110),  # one for every capital
        ("a\n" * 50, 100),  # one for every line break
        ("{        }" * 20, 180),  # one for every space of an indentation
    ],
)
def test_the_most_holds_for_tokenizers_that_split_more_finely(text: str, tokens: int) -> None:
    assert most_tokens_sent(asked(text)) - most_tokens_sent(asked("")) >= tokens


def test_the_most_of_ordinary_prose_stays_near_its_count() -> None:
    text = WORDS * 50
    assert most_tokens_sent(asked(text)) <= 1.2 * tokens_sent(asked(text)) + 64
