"""Which captions are told as occasions: one telling of each, and none that speaks of the photo."""

from __future__ import annotations

import datetime as dt
import itertools
import random
from pathlib import Path

import pytest

import lifeloom.synthesis.seeds as seeds_package
from lifeloom.records import CaptionSeed
from lifeloom.streams import Streams
from lifeloom.synthesis.occasion_seeds import MOST_CAPTIONS, account_split, assign_captions
from lifeloom.synthesis.planning.occasions import choose_captions, same_occasion, speaks_of_the_photo


def _caption(text: str, number: int = 0, title: str = "", day: int | None = None, account: str = "a") -> CaptionSeed:
    return CaptionSeed(
        caption_id=f"caption-{account}-{number}",
        account_id=account,
        title=title,
        description=text,
        caption=text,
        taken_at=None if day is None else dt.datetime(2009, 7, day, 12, 0),  # noqa: DTZ001 - a dump's wall clock
        licence="by",
        line=number + 1,
        use="concept" if day is None else "event",
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The boat comes home", "The boat comes home"),
        ("The boat comes home", "the BOAT comes home!"),
        ("Harbour 3", "Harbour 4"),
        ("Our boat comes home", "Our boat comes home with a hole in the side"),
        ("Two swans on the icy lake", "Two white swans on the lake"),  # 5 of 7 words
        ("Цветы на окне", "Цветы на окне дома"),
    ],
)
def test_captions_that_say_nearly_the_same_are_one_occasion(one, other):
    assert same_occasion(_caption(one, 1, day=1), _caption(other, 2, day=2))
    assert same_occasion(_caption(other, 2, day=2), _caption(one, 1, day=1))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The boat comes home", "The cat sleeps in the boat"),  # 2 of 7 words
        ("Two swans", "Two geese on the lake"),
        ("Цветы на окне", "Снег на крыше"),
        ("夕焼けの港", "朝の市場"),
    ],
)
def test_captions_that_share_a_few_words_are_two_occasions(one, other):
    assert not same_occasion(_caption(one, 1, day=1), _caption(other, 2, day=2))


def test_a_series_of_one_title_and_a_day_of_one_account_are_one_occasion():
    ring, cake = "The ring was lost", "Somebody dropped the cake"
    assert same_occasion(_caption(ring, 1, "Wedding (1)", 1), _caption(cake, 2, "Wedding (2)", 2))
    assert not same_occasion(_caption(ring, 1, "Wedding", 1), _caption(cake, 2, "Housewarming", 2))
    assert same_occasion(_caption(ring, 1, day=3), _caption(cake, 2, day=3))
    assert not same_occasion(_caption(ring, 1, day=3), _caption(cake, 2, day=3, account="b"))
    assert not same_occasion(_caption(ring, 1), _caption(cake, 2))  # no date is not the same date


@pytest.mark.parametrize(
    "caption",
    [
        "See the original photo in 1st comment",
        "Created with fd's toys",
        "Full story: on my blog",
        "Follow me on the usual channels",
        "All rights reserved",
        "Sunset. View on black",
        "Uploaded by my phone",
        "www.example.org",
        "IMG_2041",
        "DSC 00231",
        "12 / 365",
        "!!!",
    ],
)
def test_captions_that_speak_of_the_photo_are_no_occasions(caption):
    assert speaks_of_the_photo(caption)
    assert choose_captions(random.Random(1), [_caption(caption, day=1)], 5) == ()


@pytest.mark.parametrize(
    "caption",
    [
        "Our dog follows me to the lake",
        "A cake created with love",
        "My first photo exhibition at the library",
        "The original recipe",
        "Цветы на окне",
        "夕焼けの港",
        "Three hundred fleeces later",
    ],
)
def test_captions_of_life_are_kept_in_any_script(caption):
    assert not speaks_of_the_photo(caption)
    assert len(choose_captions(random.Random(1), [_caption(caption, day=1)], 5)) == 1


def test_what_is_chosen_has_no_occasion_twice_and_fewer_rather_than_repeats():
    captions = [_caption(f"Harbour {number}", number, day=1 + number % 3) for number in range(9)]
    captions += [
        _caption(text, 20 + n, day=20 + n) for n, text in enumerate(("A goat on the roof", "Snow in the soup"))
    ]
    for seed in range(30):
        chosen = choose_captions(random.Random(seed), captions, 6)
        assert len(chosen) == 3
        assert not [pair for pair in itertools.combinations(chosen, 2) if same_occasion(*pair)]


def test_photo_talk_and_repeats_take_no_place_among_an_accounts_captions():
    account = next(name for name in map(str, range(50)) if account_split(name) == "train")
    dull = [_caption("Follow me on the web", n, account=account) for n in range(MOST_CAPTIONS)]
    same = [_caption("A goat on the roof", 100 + n, account=account) for n in range(MOST_CAPTIONS)]
    last = _caption("Snow in the soup", 300, account=account)
    given = assign_captions(lambda: [*dull, *same, last], ["p"], split="train", streams=Streams(1))
    assert [seed.caption for seed in given["p"]] == ["A goat on the roof", "Snow in the soup"]


def test_the_projects_own_rows_hardly_speak_of_photos():
    rows = (Path(seeds_package.__file__).parent / "data" / "yfcc_rows.tsv").read_text(encoding="utf-8").splitlines()
    texts = [" ".join(row.split("\t")[6:8]).replace("+", " ") for row in rows]
    assert sum(speaks_of_the_photo(text) for text in texts) < 0.05 * len(texts)
