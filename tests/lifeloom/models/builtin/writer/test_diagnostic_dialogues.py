"""The built-in writer of diagnostic dialogues: many wordings, a third of them for releases only."""

from __future__ import annotations

import random

from lifeloom.models.builtin.writer.diagnostic_dialogues import write_diagnostic_dialogue
from lifeloom.models.builtin.writer.wordings import load
from lifeloom.records import Edition
from lifeloom.tasks import DiagnosticDialogueInput

KINDS = ("meeting", "action", "instruction")


def dialogue(edition: Edition, seed: int, **changed: str) -> list[str]:
    values = {"action": "buy a rug", "keyword": "QZT", **changed}
    asked = DiagnosticDialogueInput(
        edition=edition,
        person="P",
        location="L",
        met_on="9 September 2025",
        turns=(("meeting",), ("action",), ("instruction",)),
        **values,
    )
    return [one.user for one in write_diagnostic_dialogue(asked, random.Random(seed)).turns]


def shapes(edition: Edition) -> list[set[str]]:
    """What is said in each turn over many dialogues, without the day, whose form changes."""
    said: list[set[str]] = [set(), set(), set()]
    for seed in range(400):
        for turn, text in enumerate(dialogue(edition, seed)):
            said[turn].add(text)
    return said


def test_there_are_many_wordings_of_everything_and_some_for_releases_only() -> None:
    for kind in KINDS:
        assert len(load("diagnostic_dialogues")[kind]) >= 12
    corpus, release = shapes("corpus"), shapes("release")
    for turn in (1, 2):
        assert corpus[turn] < release[turn]
        assert len(corpus[turn]) >= 8
        assert len(release[turn] - corpus[turn]) >= 4


def test_without_an_action_or_a_keyword_something_empty_is_said_and_no_slot_is_left() -> None:
    for seed in range(40):
        turns = dialogue("release", seed, action="", keyword="")
        assert len(turns) == 3
        assert not any("QZT" in one or "rug" in one or "{" in one for one in turns)
        assert all(one.strip() for one in turns)
