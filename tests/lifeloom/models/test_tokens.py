"""Tests of lifeloom.models.tokens."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifeloom.models.tokens import TOKENIZER_NAME, count_many, count_tokens, token_ids


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("   ", 0),
        ("hello world", 2),
        ("Hello, world!", 4),  # lower-cased; punctuation stands alone
        ("don't", 3),  # don ' t
        ("embeddings", 4),  # em ##bed ##ding ##s, the example of the BERT paper's vocabulary
        ("14 March", 2),
    ],
)
def test_counts_are_those_of_the_bert_vocabulary(text, expected):
    assert count_tokens(text) == expected


def test_special_tokens_are_counted_only_when_asked_for():
    assert token_ids(["hello world"]) == [[7592, 2088]]
    assert token_ids(["hello world"], special=True) == [[101, 7592, 2088, 102]]


def test_long_texts_are_counted_whole():
    assert count_tokens("word " * 5000) == 5000


def test_a_lone_surrogate_from_a_broken_escape_is_counted_not_fatal():
    assert count_tokens("a \ud800 b") == 3


@given(st.lists(st.text(max_size=60), max_size=8))
def test_counting_many_agrees_with_counting_one_by_one(texts):
    assert count_many(texts) == [count_tokens(text) for text in texts]


@given(st.text(alphabet=st.sampled_from("aAzß İΣσ\u0301\x1c\t\n\u00a0\u3000你好.-'[]MASK#1"), max_size=40))
def test_counting_by_words_agrees_with_tokenizing_the_whole_text(text):
    # The second count finds its words looked up already.
    assert [count_tokens(text), count_tokens(text)] == [len(token_ids([text])[0])] * 2


@given(st.lists(st.text(max_size=120), max_size=4))
def test_any_text_counts_as_it_tokenizes(texts):
    assert count_many(texts) == [len(ids) for ids in token_ids(texts)]


def test_threads_count_alike():
    texts = [f"number {n} of some texts" for n in range(200)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(count_tokens, texts)) == count_many(texts)


def test_the_name_says_model_and_method():
    assert TOKENIZER_NAME == "all-MiniLM-L6-v2/wordpiece"


def test_counting_does_not_load_torch():
    code = (
        "import sys; from lifeloom.models.tokens import count_tokens; count_tokens('x'); print('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
