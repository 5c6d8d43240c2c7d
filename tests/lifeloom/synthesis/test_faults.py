"""Faults are put in as labelled, and the checks' quality on them is counted right."""

from __future__ import annotations

import random

import pytest

from lifeloom.records import ConversationPlan, Session, Turn
from lifeloom.store import DatasetStore, Recipe
from lifeloom.streams import Streams
from lifeloom.synthesis.faults import FAULT_KINDS, KindQuality, inject, measure_checks
from lifeloom.synthesis.making import ConversationOrder
from lifeloom.synthesis.planning.shapes import shape_for
from lifeloom.synthesis.validation import find_problems
from tests.written import Scripted, conversation, persona, plan

SEEDS = range(60)


def injected(kind, seed):
    return inject(conversation(), plan(), (kind,), random.Random(seed))


@pytest.mark.parametrize("kind", FAULT_KINDS)
def test_a_fault_touches_the_turns_of_its_label_and_no_others(kind):
    for seed in SEEDS:
        faulted = injected(kind, seed)
        (label,) = faulted.labels
        assert label.kind == kind
        assert list(label.turns) == sorted(set(label.turns))
        before = {turn.turn_index: turn for turn in conversation().turns}
        after = {turn.turn_index: turn for turn in faulted.conversation.turns}
        changed = {index for index in before if after.get(index) != before[index]}
        assert changed == set(label.turns)
        assert faulted.conversation.sessions == conversation().sessions


def test_each_kind_does_what_its_name_says():
    good = conversation().turns
    for seed in SEEDS:
        swapped = injected("swapped_dates", seed)
        one, other = swapped.labels[0].turns
        assert (swapped.conversation.turns[one].at, swapped.conversation.turns[other].at) == (
            good[other].at,
            good[one].at,
        )
        lost = injected("lost_turns", seed)
        assert len(lost.conversation.turns) == len(good) - len(lost.labels[0].turns)
        for kind in ("contradicted_facts", "unsafe_text"):
            texts = injected(kind, seed).conversation.turns
            assert [turn.at for turn in texts] == [turn.at for turn in good]
            assert sum(a != b for a, b in zip(texts, good, strict=True)) == 1


def test_the_same_stream_makes_the_same_faults_and_all_kinds_go_together():
    first, again = (inject(conversation(), plan(), FAULT_KINDS, random.Random(5)) for _ in range(2))
    assert first == again
    assert sorted(label.kind for label in first.labels) == sorted(FAULT_KINDS)
    indices = {turn.turn_index for turn in first.conversation.turns}
    assert all(set(label.turns) <= indices for label in first.labels if label.kind != "lost_turns")


def test_no_kind_asked_means_no_fault():
    assert inject(conversation(), plan(), (), random.Random(1)).conversation == conversation()


@pytest.mark.parametrize("kind", ["swapped_dates", "lost_turns"])
def test_the_checks_find_every_structural_fault_in_its_place(kind):
    for seed in SEEDS:
        faulted = injected(kind, seed)
        found = {finding.turn_index for finding in find_problems(plan(), faulted.conversation, None)}
        assert found == set(faulted.labels[0].turns)


def test_the_checks_find_most_contradictions_without_a_critic():
    # A single word ("cocoa") in another turn may mean anything, so claims of such values pass.
    hits = 0
    for seed in SEEDS:
        faulted = injected("contradicted_facts", seed)
        found = {finding.turn_index for finding in find_problems(plan(), faulted.conversation, None)}
        assert found <= set(faulted.labels[0].turns)
        hits += bool(found)
    assert hits >= 0.7 * len(SEEDS)


@pytest.fixture
def reader(tmp_path):
    store = DatasetStore(tmp_path)

    def make(writer):
        good = conversation()
        writer.write("plans", ConversationPlan, [plan()])
        writer.write("sessions", Session, good.sessions)
        writer.write("turns", Turn, good.turns)

    store.produce("corpus/dialogues", Recipe(stage="corpus/dialogues", seed=7), make)
    return store.reader("corpus/dialogues")


def order():
    return ConversationOrder(persona(), "train", shape_for("train"), ())


def test_quality_is_counted_against_planned_truth(reader):
    """A critic that calls every turn with "the bus" unsafe: turn 1, in the clean copy and all but lost ones."""
    critic = Scripted(critic={"A bus": ("unsafe", "busses are loud")})
    quality = measure_checks(reader, [order()], critic=critic, conversations=5, streams=Streams(7))
    assert (quality.conversations, quality.sessions) == (1, 2)
    assert dict(quality.clean_findings) == {"unsafe_text": 1}
    by_kind = {kind.kind: kind for kind in quality.kinds}
    for kind in ("swapped_dates", "lost_turns"):
        assert (by_kind[kind].injected, by_kind[kind].recall, by_kind[kind].precision) == (1, 1.0, 1.0)
    unsafe = by_kind["unsafe_text"]
    lost = injected_lost(quality)
    assert unsafe.injected == 1
    assert unsafe.alarms == 5 - lost  # the clean copy and four with faults, as far as turn 1 is there
    assert unsafe.right == unsafe.found  # only if the fault fell on turn 1
    again = measure_checks(reader, [order()], critic=critic, conversations=5, streams=Streams(7))
    assert again == quality


def injected_lost(quality) -> int:
    rng = Streams(7).rng("faults", "plan-1", "lost_turns")
    return int(1 in inject(conversation(), plan(), ("lost_turns",), rng).labels[0].turns)


def test_only_conversations_of_the_orders_are_used_and_none_is_no_error(reader):
    for orders, most in (([], 5), ([order()], 0)):
        quality = measure_checks(reader, orders, critic=None, conversations=most, streams=Streams(7))
        assert quality.conversations == 0
        assert "| swapped dates | 0 | 0 | n/a | 0 | 0 | n/a |" in quality.to_markdown()
        assert quality.to_metrics() == {"clean_findings_per_session": 0.0}


def test_the_critic_is_asked_once_for_sessions_that_copies_share(reader):
    critic = Scripted()
    measure_checks(reader, [order()], critic=critic, conversations=1, streams=Streams(7))
    assert len(critic.criticised) == len(set(critic.criticised))


def test_recall_and_precision_are_shares_of_faults_and_of_alarms():
    quality = KindQuality("unsafe_text", injected=8, found=6, alarms=10, right=6)
    assert (quality.recall, quality.precision) == (0.75, 0.6)
    assert KindQuality("unsafe_text", 0, 0, 0, 0).recall is None
