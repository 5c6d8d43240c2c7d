from __future__ import annotations

import random
import re

import pytest

from lifeloom.models.builtin.writer.editions import for_edition
from lifeloom.models.builtin.writer.small_talk import small_talk
from lifeloom.models.builtin.writer.wordings import UnknownAreaError, load
from lifeloom.records import AREAS


def _exchanges(edition, count=1500, seed=1):
    rng = random.Random(seed)
    return [small_talk(AREAS[index % len(AREAS)], edition, rng) for index in range(count)]


def _grams(text):
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[index : index + 3]) for index in range(len(words) - 2)}


@pytest.mark.parametrize("edition", ["corpus", "release"])
def test_messages_keep_to_their_lengths_and_leave_no_slot_open(edition):
    for exchange in _exchanges(edition):
        assert 45 <= len(exchange.user.split()) <= 85, exchange.user
        assert 80 <= len(exchange.assistant.split()) <= 130, exchange.assistant
        assert "{" not in exchange.user + exchange.assistant


def test_the_same_random_stream_gives_the_same_talk():
    assert _exchanges("corpus", 50, seed=9) == _exchanges("corpus", 50, seed=9)
    assert _exchanges("corpus", 50, seed=9) != _exchanges("corpus", 50, seed=10)


def test_there_are_at_least_240_topics_and_a_dozen_for_each_area():
    topics = load("topics")
    assert set(AREAS) <= set(topics)
    assert all(len(entries) >= 12 for entries in topics.values())
    phrases = [topic[0] for entries in topics.values() for topic in entries]
    assert len(set(phrases)) == len(phrases) >= 240
    assert all(len(topic) == 6 for entries in topics.values() for topic in entries)


def test_the_corpus_never_uses_what_is_for_releases_only():
    parts = load("small_talk")
    kept_back = [
        text
        for name, texts in parts.items()
        if name not in ("asks", "nexts", "joke_asks")
        for text in texts[len(for_edition(texts, "corpus")) :]
    ]
    kept_back += [
        topic[2] for entries in load("topics").values() for topic in entries[len(for_edition(entries, "corpus")) :]
    ]
    said = "\n".join(f"{exchange.user}\n{exchange.assistant}" for exchange in _exchanges("corpus"))
    assert not [text for text in kept_back if text in said]
    released = "\n".join(f"{exchange.user}\n{exchange.assistant}" for exchange in _exchanges("release"))
    assert any(text in released for text in kept_back)


def test_two_exchanges_hardly_ever_look_alike():
    texts = [_grams(f"{exchange.user} {exchange.assistant}") for exchange in _exchanges("corpus", 700)]
    alike = {
        index
        for index, first in enumerate(texts)
        for second in texts[:index]
        if len(first & second) >= 0.8 * len(first | second)
    }
    assert len(alike) < 0.01 * len(texts)


def test_nobody_speaks_of_their_own_life_in_small_talk():
    personal = re.compile(
        r"\b(my (wife|husband|sister|brother|job|favourite|house|dog|cat)|I (love|hate|prefer|live))\b"
    )
    for exchange in _exchanges("release"):
        said = exchange.user.replace("I would love", "")
        assert not personal.search(said), exchange.user


def test_an_unknown_area_is_refused_with_the_known_ones():
    with pytest.raises(UnknownAreaError, match=r"'astrology'.*crafts, drink"):
        small_talk("astrology", "corpus", random.Random(0))


@pytest.mark.parametrize("edition", ["corpus", "release"])
def test_no_remark_topic_or_joke_recurs_in_a_session(edition):
    parts, topics, jokes = load("small_talk"), load("topics"), load("jokes")
    remarks = [text for name in ("openers", "wishes", "tails", "answers", "views", "closings") for text in parts[name]]
    remarks += [topic[2] for area in ("food", "weather", "world") for topic in topics[area]]
    remarks += [*jokes["food"]["jokes"], *parts["joke_openers"]]
    rng = random.Random(6)
    for _ in range(30):
        used: set[str] = set()
        exchanges = [small_talk("food", edition, rng, used) for _ in range(6)]
        said = [f"{exchange.user} {exchange.assistant}" for exchange in exchanges]
        assert not [remark for remark in remarks if sum(remark in text for text in said) > 1]
