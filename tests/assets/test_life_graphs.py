"""What stops a release's life graphs from being published."""

from __future__ import annotations

import pytest

from assets.life_graphs import _graph_problems
from lifeloom.lifegraph import Entity, Fact, LifeGraph


@pytest.mark.parametrize("turned", [False, True])
def test_an_event_has_its_date_whichever_way_round_the_builder_says_it(turned: bool) -> None:
    owner, event, day = (
        Entity("o", "PersonAnimal", "Yara"),
        Entity("e", "Event", "Picnic"),
        Entity("d", "Date", "2025-05-01"),
    )
    ends = ("d", "e") if turned else ("e", "d")
    fact = Fact("f", ends[0], "isDateOf" if turned else "onDate", ends[1], sources=("i1",))
    assert _graph_problems(LifeGraph.of("yara", "o", [owner, event, day], [fact])) == []
    assert _graph_problems(LifeGraph.of("yara", "o", [owner, event, day], [])) == [
        "yara: the event 'Picnic' has no date"
    ]
