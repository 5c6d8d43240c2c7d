"""Readers without pictures, with others' pictures, with another's history: shortcuts are found where there are any."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.audit import (
    AuditRow,
    Blinding,
    TooFewUsers,
    audit,
    blind_readers,
    donors,
    sample_cases,
    shuffled_pictures,
    with_words_of,
    without_pictures,
)
from evaluation.audit_persona_mme import PersonaMmeAudit, answers_of
from evaluation.persona_mme import run_policy
from lifeloom.records import BenchmarkCase, Turn
from lifeloom.scoring import Policy
from lifeloom.streams import Streams
from tests.evaluation.audit.pictured import ColourReader, WordReader, balloons, picture, shown
from tests.evaluation.examples import case, turns

ADAPTER = PersonaMmeAudit()


def blinded(
    policy: Policy, cases: Sequence[BenchmarkCase], histories: Mapping[str, Sequence[Turn]]
) -> dict[str, Blinding[BenchmarkCase]]:
    return {test.policy.name: test for test in blind_readers(policy, ADAPTER, cases, histories, Streams(7))}


def verdicts(
    policy: Policy, cases: Sequence[BenchmarkCase], histories: Mapping[str, Sequence[Turn]]
) -> dict[str, AuditRow]:
    predictions = [
        prediction
        for test in blinded(policy, cases, histories).values()
        for prediction in run_policy(test.policy, test.cases, test.turns_of).predictions
    ]
    questions = [question for item in cases for question in ADAPTER.questions(item)]
    rows = audit("2026-01-05", questions, answers_of(predictions), margin=0.05, minimum_cases=400)
    return {row.view: row for row in rows if row.task == "VDR"}


def test_pictures_that_must_be_seen_leave_every_blind_reader_at_chance() -> None:
    cases, histories = balloons(100)
    rows = verdicts(ColourReader(), cases, histories)
    assert {view: (row.questions, row.verdict) for view, row in rows.items()} == {
        "text": (400, "passed"),
        "shuffled": (400, "passed"),
        "other": (400, "passed"),
    }


def test_words_that_tell_what_a_picture_shows_are_found() -> None:
    cases, histories = balloons(100, told=True)
    rows = verdicts(WordReader(), cases, histories)
    assert (rows["text"].verdict, rows["text"].accuracy) == ("failed", 1.0)
    assert (rows["shuffled"].verdict, rows["shuffled"].accuracy) == ("failed", 1.0)
    assert rows["other"].verdict == "passed"


def test_an_answer_that_is_the_same_for_everybody_is_found_by_another_users_history() -> None:
    cases, histories = balloons(100)
    blue = picture("blue")
    for own in histories.values():
        own[0] = own[0].model_copy(update={"pictures": (blue,)})
    cases = [
        item.model_copy(update={"answer": next(o.letter for o in item.options if o.text == "blue")}) for item in cases
    ]
    rows = verdicts(ColourReader(), cases, histories)
    assert (rows["other"].verdict, rows["other"].accuracy) == ("failed", 1.0)


def test_readers_without_pictures_are_asked_what_needs_them_and_no_pairs() -> None:
    cases, histories = balloons(2, each=1)
    worded = case("c-worded", persona="p-0", turns=1, pair=("Gladly!", "Noted."))
    paired = case("c-both", persona="p-1", turns=2, pair=("Gladly!", "Noted.")).model_copy(
        update={"picture_turns": (0,)}
    )
    readers = blinded(ColourReader(), [*cases, worded, paired], histories)
    for name in ("text_only", "shuffled_pictures"):
        asked = readers[name].cases
        assert [item.case_id for item in asked] == ["c-0-0", "c-1-0", "c-both"]
        assert all(item.alignment is None for item in asked)
    other = readers["other_history"].cases
    assert [item.case_id for item in other] == ["c-0-0", "c-1-0", "c-worded", "c-both"]
    assert [item.alignment is not None for item in other] == [False, False, True, True]


def test_a_release_without_pictures_is_asked_with_another_users_history_only() -> None:
    cases, histories = balloons(2)
    plain = [item.model_copy(update={"picture_turns": ()}) for item in cases]
    assert list(blinded(ColourReader(), plain, histories)) == ["other_history"]


def test_a_single_user_leaves_nobody_to_exchange_with() -> None:
    cases, histories = balloons(1)
    assert list(blinded(ColourReader(), cases, histories)) == ["text_only"]


def test_the_policy_is_asked_as_it_is_under_other_names_and_fingerprints() -> None:
    cases, histories = balloons(3)
    reader = ColourReader()
    readers = blinded(reader, cases, histories)
    prints = {test.policy.fingerprint for test in readers.values()}
    assert len(prints | {reader.fingerprint}) == 4
    run_policy(readers["text_only"].policy, cases[:1], readers["text_only"].turns_of)
    assert len(reader.seen) == 1
    again = blinded(ColourReader(), cases, histories)
    assert {name: test.policy.fingerprint for name, test in again.items()} == {
        name: test.policy.fingerprint for name, test in readers.items()
    }


def test_without_pictures_the_words_stay_as_they_are() -> None:
    _, histories = balloons(1)
    bare = without_pictures(histories["p-0"])
    assert [turn.user for turn in bare] == ["Look at my balloon <img>", "Bye"]
    assert shown({"p-0": bare}) == {"p-0": []}


def every(contents: Mapping[str, list[str]]) -> list[str]:
    return [content for own in contents.values() for content in own]


def conversations(counts: Sequence[int]) -> dict[str, list[Turn]]:
    """Return conversations with so many pictures each, two a turn where they suffice; no picture occurs twice."""
    made: dict[str, list[Turn]] = {}
    number = 0
    for user, count in enumerate(counts):
        persona = f"p-{user}"
        own = turns((count + 1) // 2 + 1, persona)
        for index in range(len(own)):
            few = min(2, count - 2 * index)
            if few > 0:
                pictures = tuple(picture("red", number + n, size=16) for n in range(few))
                own[index] = own[index].model_copy(update={"pictures": pictures})
                number += few
        made[persona] = own
    return made


@given(st.lists(st.integers(0, 9), min_size=2, max_size=6), st.integers(0, 3))
def test_nobody_keeps_an_own_picture_and_no_place_stays_empty(counts: list[int], seed: int) -> None:
    histories = conversations(counts)
    if sum(count > 0 for count in counts) == 1:
        with pytest.raises(TooFewUsers, match="one user"):
            shuffled_pictures(histories, random.Random(seed))
        return
    mixed = shuffled_pictures(histories, random.Random(seed))
    before, after = shown(histories), shown(mixed)
    for persona in histories:
        assert not set(before[persona]) & set(after[persona])
        assert [len(turn.pictures) for turn in mixed[persona]] == [len(turn.pictures) for turn in histories[persona]]
        assert [(t.user, t.assistant, t.at) for t in mixed[persona]] == [
            (t.user, t.assistant, t.at) for t in histories[persona]
        ]
    if 2 * max(counts) <= sum(counts):  # a permutation: every picture is shown once
        assert Counter(every(after)) == Counter(every(before))


def test_pictures_of_one_user_go_to_several_others() -> None:
    histories = conversations([20, 20, 20, 20])
    after = shown(shuffled_pictures(histories, random.Random(7)))
    owner = {content: persona for persona, own in shown(histories).items() for content in own}
    assert all(len({owner[content] for content in own}) == 3 for own in after.values())


def test_the_shuffle_is_the_same_for_the_same_seed() -> None:
    histories = conversations([4, 5, 6])
    first, again, other = (shown(shuffled_pictures(histories, random.Random(seed))) for seed in (7, 7, 8))
    assert first == again != other


def test_each_user_gets_the_next_longer_history_and_the_longest_the_next_shorter() -> None:
    assert donors({"p-a": 30, "p-b": 20, "p-c": 25, "p-d": 20}) == {
        "p-b": "p-d",
        "p-d": "p-c",
        "p-c": "p-a",
        "p-a": "p-c",
    }
    with pytest.raises(TooFewUsers, match="two users"):
        donors({"p-a": 3})


def test_another_users_words_and_pictures_are_put_at_the_users_own_moments() -> None:
    own, other = turns(3, "p-own"), conversations([3])["p-0"]
    given_to = with_words_of(other, own)
    assert len(given_to) == 3
    assert [turn.user for turn in given_to] == [turn.user for turn in other]
    assert [turn.at for turn in given_to] == [turn.at for turn in own]
    assert shown({"x": given_to}) == shown({"x": other})
    assert len(with_words_of(other, turns(1, "p-own"))) == 1


def test_a_case_of_the_longest_history_is_asked_after_as_much_as_the_other_has() -> None:
    histories = {"p-long": turns(9, "p-long"), "p-short": turns(4, "p-short")}
    cases = [case("c-1", persona="p-long", turns=8), case("c-2", persona="p-short", turns=3)]
    (reader,) = blinded(ColourReader(), cases, histories).values()
    assert [(item.persona_id, item.history_turns) for item in reader.cases] == [("p-long", 4), ("p-short", 3)]
    assert len(run_policy(reader.policy, reader.cases, reader.turns_of).predictions) == 2


def test_a_sample_is_of_few_users_and_keeps_the_order() -> None:
    cases = [case(f"c-{n}", persona=f"p-{n % 5}") for n in range(50)]
    rng = random.Random
    taken = sample_cases(cases, 20, ADAPTER.persona_id, rng(7))
    assert len(taken) == 20
    assert len({item.persona_id for item in taken}) == 2
    assert [item for item in cases if item in taken] == list(taken)
    assert sample_cases(cases, 20, ADAPTER.persona_id, rng(7)) == taken
    assert sample_cases(cases, 0, ADAPTER.persona_id, rng(7)) == ()
    assert sample_cases(cases, 51, ADAPTER.persona_id, rng(7)) == tuple(cases)
    assert len({item.persona_id for item in sample_cases(cases, 15, ADAPTER.persona_id, rng(7))}) == 2
