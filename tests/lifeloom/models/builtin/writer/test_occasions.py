from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifeloom.models.builtin.writer.editions import for_edition
from lifeloom.models.builtin.writer.occasions import tell_occasion
from lifeloom.models.builtin.writer.wordings import load
from lifeloom.records import AREAS

CAPTIONS = (
    "Grandma's 80th birthday with all the cousins in the garden",
    "日本の祭り 2010",
    "IMG_0293 {when} sunset, beach",
    "Fête de la musique à Lyon",
    'The sign said "keep out" so we did',
)


@pytest.mark.parametrize("caption", CAPTIONS)
@pytest.mark.parametrize("edition", ["corpus", "release"])
@pytest.mark.parametrize("when", ["last Friday", "yesterday", "on 3 May"])
def test_the_user_says_when_and_in_the_captions_words_what_happened(caption, edition, when):
    rng = random.Random(4)
    for area in AREAS:
        exchange = tell_occasion(caption, when, area, edition, rng)
        assert when in exchange.user
        assert caption.replace('"', "'") in exchange.user
        assert 45 <= len(exchange.user.split()) <= 85
        assert 80 <= len(exchange.assistant.split()) <= 130


def test_a_long_caption_is_cut_after_forty_words():
    caption = " ".join(f"word{number}" for number in range(200))
    for seed in range(60):
        exchange = tell_occasion(caption, "last Friday", "travel", "release", random.Random(seed))
        assert "word39" in exchange.user
        assert "word40" not in exchange.user
        assert len(exchange.user.split()) <= 85


def test_a_caption_without_spaces_is_cut_inside_the_word():
    exchange = tell_occasion("祭" * 5000, "yesterday", "friends", "corpus", random.Random(1))
    assert "祭" * 400 in exchange.user
    assert "祭" * 401 not in exchange.user


@pytest.mark.parametrize("caption", ["", "  \n", "\x00\x07", "..."])
def test_a_caption_that_says_nothing_still_makes_a_turn(caption):
    exchange = tell_occasion(caption, "two days ago", "pets", "corpus", random.Random(2))
    assert "two days ago" in exchange.user
    assert "“”" not in exchange.user


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=300), st.integers(0, 2**32))
def test_any_caption_gives_clean_printable_text(caption, seed):
    exchange = tell_occasion(caption, "last Friday", "family", "release", random.Random(seed))
    for text in (exchange.user, exchange.assistant):
        text.encode("utf-8")
        assert "\x00" not in text
        assert "\n" not in text
        assert len(text) < 6000


def test_the_corpus_never_uses_what_is_for_releases_only():
    kept_back = [
        text
        for name in ("feelings", "wants", "greetings", "ideas", "follow_ups")
        for text in load("occasions")[name][len(for_edition(load("occasions")[name], "corpus")) :]
    ]
    rng = random.Random(6)
    exchanges = [tell_occasion("A feast", "yesterday", area, "corpus", rng) for area in AREAS for _ in range(40)]
    said = "\n".join(f"{exchange.user}\n{exchange.assistant}" for exchange in exchanges)
    assert not [text for text in kept_back if text in said]


def test_the_same_random_stream_tells_it_the_same_way():
    first, second = (tell_occasion("A feast", "yesterday", "food", "corpus", random.Random(8)) for _ in range(2))
    assert first == second


def test_nothing_recurs_when_several_occasions_are_told_in_a_session():
    parts = load("occasions")
    remarks = [text for name in ("greetings", "ideas", "follow_ups", "feelings", "wants") for text in parts[name]]
    rng = random.Random(6)
    for _ in range(30):
        used: set[str] = set()
        exchanges = [tell_occasion("A feast", "yesterday", "food", "corpus", rng, used) for _ in range(3)]
        said = [f"{exchange.user} {exchange.assistant}" for exchange in exchanges]
        assert not [remark for remark in remarks if sum(remark in text for text in said) > 1]
