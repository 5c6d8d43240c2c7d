"""Captions as seeds: one clear subject for a concept, an account's day for an event, nothing lost."""

from __future__ import annotations

import datetime as dt

import pytest

from lifeloom.records import CaptionSeed
from lifeloom.synthesis.vaccounts.caption_seeds import split_captions


def caption(number, text, account="a-1", day=1):
    taken = None if day is None else dt.datetime(2012, 5, day, 14, 30)  # noqa: DTZ001 - wall clock
    return CaptionSeed(
        caption_id=f"caption-{number}",
        account_id=account,
        title="",
        description="",
        caption=text,
        taken_at=taken,
        licence="CC BY 2.0",
        line=number + 1,
        use="concept" if taken is None else "event",
    )


@pytest.mark.parametrize(
    "text",
    ["An old fisherman mending his nets", "The cat asleep on a red chair", "A woman with an umbrella at the market"],
)
def test_a_caption_of_one_clear_subject_is_a_concept_seed_with_a_date_or_without(text):
    dated, undated = caption(1, text), caption(2, text, day=None)
    split = split_captions([dated, undated])
    assert split.concepts == (dated, undated)
    assert split.events == ()


@pytest.mark.parametrize(
    "text", ["My mother and her dog", "All of us with the baby", "Rainy harbour at dusk", "The family with their dog"]
)
def test_a_caption_of_several_or_of_nobody_belongs_to_its_day(text):
    split = split_captions([caption(1, text)])
    assert split.concepts == ()
    assert [event.captions[0].caption for event in split.events] == [text]


def test_captions_of_one_account_and_day_are_one_event_seed():
    captions = [
        caption(1, "Boats in the harbour"),
        caption(2, "Lunch at the quay"),
        caption(3, "The way home", day=2),
        caption(4, "Boats again", account="a-2"),
    ]
    split = split_captions(reversed(captions))
    assert [
        (event.account_id, event.day.day, [one.caption_id for one in event.captions]) for event in split.events
    ] == [("a-1", 1, ["caption-1", "caption-2"]), ("a-1", 2, ["caption-3"]), ("a-2", 1, ["caption-4"])]
    assert len({event.seed_id for event in split.events}) == 3
    assert split == split_captions(captions)


def test_every_caption_is_in_exactly_one_place_and_what_is_left_out_has_its_reason():
    captions = [
        caption(1, "Boats in the harbour"),
        caption(2, "A harbour in the fog", day=None),
        caption(3, "Taken with my Canon"),
        caption(4, "A farmer on his field"),
    ]
    split = split_captions(captions)
    assert [(one.caption_id, reason) for one, reason in split.left_out] == [
        ("caption-2", "no_date"),
        ("caption-3", "speaks_of_the_photo"),
    ]
    found = [*split.concepts, *(one for event in split.events for one in event.captions)]
    assert sorted(one.caption_id for one in [*found, *(one for one, _ in split.left_out)]) == [
        one.caption_id for one in captions
    ]
