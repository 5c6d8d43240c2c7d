from __future__ import annotations

import random
import re

import pytest

from lifeloom.models.builtin.writer.editions import for_edition
from lifeloom.models.builtin.writer.errands import errand
from lifeloom.models.builtin.writer.wordings import UnknownAreaError, load
from lifeloom.records import AREAS


def _exchanges(edition, count=2000, seed=1):
    rng = random.Random(seed)
    return [errand(AREAS[index % len(AREAS)], edition, rng) for index in range(count)]


@pytest.mark.parametrize("edition", ["corpus", "release"])
def test_messages_keep_to_their_lengths_and_leave_no_slot_open(edition):
    for exchange in _exchanges(edition):
        assert 45 <= len(exchange.user.split()) <= 85, exchange.user
        assert 80 <= len(exchange.assistant.split()) <= 130, exchange.assistant
        assert not re.search(r"[{}]", exchange.user + exchange.assistant)


def test_there_are_forty_kinds_and_a_dozen_fillers_of_every_sort_in_each_area():
    assert len({kind["name"] for kind in load("errands")["kinds"]}) >= 40
    for area in AREAS:
        objects = load("errand_objects")[area]
        for sort in ("things", "events", "terms", "choices", "tasks"):
            assert len({str(entry) for entry in objects[sort]}) >= 12, (area, sort)
        assert all(len(entry) == 2 for entry in objects["terms"])
        assert all(len(entry) == 4 for entry in objects["choices"] + objects["tasks"])


def test_sums_are_right():
    checked = 0
    for exchange in _exchanges("corpus", 4000):
        sums = re.search(r"(\d+) × ([\d.]+) = ([\d.]+)\.", exchange.assistant)
        if not sums:
            continue
        checked += 1
        assert float(sums[3]) == pytest.approx(int(sums[1]) * float(sums[2]))
        off, rest = re.search(r"comes to ([\d.]+), so ([\d.]+) remains", exchange.assistant).groups()
        assert float(rest) == pytest.approx(float(sums[3]) - float(off), abs=0.011)
        people, share = re.search(r"Divided by (\d+), that is ([\d.]+) a person", exchange.assistant).groups()
        assert float(share) == pytest.approx(float(rest) / int(people), abs=0.011)
    assert checked > 20


def test_conversions_are_right():
    checked = 0
    for exchange in _exchanges("corpus", 4000):
        inches = re.search(r"(\d+) inches are ([\d.]+) centimetres", exchange.assistant)
        if inches:
            checked += 1
            assert float(inches[2]) == pytest.approx(int(inches[1]) * 2.54, abs=0.06)
            degrees = re.search(r"(\d+) °F is about (-?\d+) °C", exchange.assistant)
            assert int(degrees[2]) == pytest.approx((int(degrees[1]) - 32) / 1.8, abs=0.51)
    assert checked > 20


@pytest.mark.parametrize("edition", ["corpus", "release"])
def test_a_weekday_and_a_date_are_never_said_of_the_same_day(edition):
    # An errand does not know the year, so a weekday beside a date would be false six times out of seven.
    weekday, date = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day", r"\d{1,2} (?:March|April|May|June|[A-Z]\w+ber)\b"
    dated = 0
    for exchange in _exchanges(edition, 4000):
        for text in (exchange.user, exchange.assistant):
            dated += bool(re.search(date, text))
            assert not re.search(rf"{weekday},? (?:\(|the |on )?{date}|{date},? (?:\(|a )?{weekday}", text), text
    assert dated > 100


def test_the_corpus_uses_only_the_first_two_thirds_of_kinds_and_objects():
    objects = [load("errand_objects")[area] for area in AREAS]
    usable = str(
        [{sort: for_edition(own[sort], "corpus") for sort in ("things", "events", "tasks")} for own in objects]
    )
    usable += str([own["choices"] for own in objects])
    kept_back = [
        thing
        for own in objects
        for thing in own["things"][len(for_edition(own["things"], "corpus")) :]
        if thing not in usable
    ]
    assert len(kept_back) > 50
    said = "\n".join(f"{exchange.user}\n{exchange.assistant}" for exchange in _exchanges("corpus", 3000))
    assert not [thing for thing in kept_back if re.search(rf"\b{re.escape(thing)}\b", said)]
    assert "Draw up a loan form" not in said
    assert any(
        "Draw up a loan form" in exchange.user or "agreement" in exchange.user for exchange in _exchanges("release")
    )


def test_the_same_random_stream_gives_the_same_errand():
    assert _exchanges("release", 40, seed=3) == _exchanges("release", 40, seed=3)


def test_an_unknown_area_is_refused():
    with pytest.raises(UnknownAreaError):
        errand("astrology", "corpus", random.Random(0))


@pytest.mark.parametrize("edition", ["corpus", "release"])
def test_no_remark_around_an_errand_and_no_advice_in_it_recurs_in_a_session(edition):
    parts = load("errands")
    remarks = [*parts["openers"], *parts["tails"], *load("advice")["food"]]
    remarks += [text for around in ("drafts", "workings") for name in ("wishes", "notes", "beginnings", "closings")
                for text in parts[around][name]]  # fmt: skip
    rng = random.Random(6)
    for _ in range(30):
        used: set[str] = set()
        exchanges = [errand("food", edition, rng, used) for _ in range(3)]
        assert len({exchange.assistant for exchange in exchanges}) == 3
        said = [f"{exchange.user} {exchange.assistant}" for exchange in exchanges]
        assert not [remark for remark in remarks if sum(remark in text for text in said) > 1]
