"""What the diversity report counts, by hand."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifeloom.models.tokens import count_tokens
from lifeloom.records import LETTERS, BenchmarkCase, Option
from lifeloom.synthesis.diversity import diversity_report, near_duplicates
from lifeloom.synthesis.sketches import DistinctCounter, Sample
from tests.written import conversation, plan

WORDS = [f"word{number}" for number in range(40)]


def sentence(start: int, count: int) -> str:
    return " ".join(WORDS[start : start + count])


def test_distinct_ngrams_are_shares_of_all_ngrams():
    # User: "a b a b" twice. 8 words of 2 kinds; 6 pairs, "a b" and "b a"; 4 triples of 2 kinds; 2 fours of 1.
    turns = [turn.model_copy(update={"user": "A b, a B!", "assistant": "x"}) for turn in conversation().turns[:2]]
    report = diversity_report(turns, seed=1)
    assert report.distinct_user == {1: 2 / 8, 2: 2 / 6, 3: 2 / 4, 4: 1 / 2}
    assert report.distinct_assistant == {1: 1 / 2, 2: 0.0, 3: 0.0, 4: 0.0}
    assert (report.words_user, report.words_assistant) == (8, 2)


def test_near_duplicates_share_four_fifths_of_their_runs_of_three_words():
    # 22 words have 20 runs of three. A changed last word leaves 19 of 21 (0.905); two changed words at one end
    # 18 of 22 (0.818); three 17 of 23 (0.739).
    base = sentence(0, 22)
    texts = [base, sentence(0, 21) + " x", sentence(0, 20) + " x y", sentence(0, 19) + " x y z", sentence(18, 20)]
    assert near_duplicates(texts[:1] + texts[1:2]) == [(0, 1)]
    assert near_duplicates([texts[0], texts[2]]) == [(0, 1)]
    assert near_duplicates([texts[0], texts[3]]) == []
    assert near_duplicates([texts[0], texts[3]], threshold=0.7) == [(0, 1)]
    assert near_duplicates([texts[0], texts[4]]) == []


def test_case_punctuation_and_space_do_not_make_a_text_another_and_short_texts_count_as_a_whole():
    assert near_duplicates(["Well, I see.\n Good", "well i SEE good!"]) == [(0, 1)]
    assert near_duplicates(["hello", "Hello!", "hello there", "hello there", ""]) == [(0, 1), (2, 3)]
    assert near_duplicates([]) == []
    with pytest.raises(ValueError, match="above 0 and at most 1"):
        near_duplicates(["a"], threshold=0)


def test_each_repeating_text_makes_one_pair_even_in_a_crowd():
    pairs = near_duplicates([sentence(0, 12)] * 500 + [sentence(12, 12)] * 2)
    assert len(pairs) == 500
    assert pairs[-1] == (500, 501)
    assert all(earlier < later for earlier, later in pairs)


@settings(deadline=None, max_examples=60, derandomize=True)  # a sketch may miss one pair in ten thousand
@given(st.lists(st.lists(st.sampled_from(WORDS[:6]), min_size=1, max_size=12), max_size=12))
def test_pairs_are_those_that_comparing_everything_finds(texts):
    def runs(words):
        return {tuple(words[i : i + 3]) for i in range(max(1, len(words) - 2))}

    def alike(one, other):
        a, b = runs(one), runs(other)
        return len(a & b) >= 0.8 * len(a | b)

    expected = {later for later in range(len(texts)) for one in range(later) if alike(texts[one], texts[later])}
    assert {later for _, later in near_duplicates(map(" ".join, texts))} == expected


def test_sessions_and_messages_that_repeat_are_counted_apart():
    good = conversation()
    again = [
        turn.model_copy(update={"persona_id": "persona-2", "turn_id": f"turn-{turn.turn_index}"})
        for turn in good.turns[:3]
    ]
    report = diversity_report([*good.turns, *again], seed=1)
    assert (report.conversations, report.sessions, report.turns) == (2, 3, 10)
    by_kind = {row.of: (row.repeated, row.compared, row.seen) for row in report.repetition}
    assert by_kind == {
        "user messages": (3, 10, 10),
        "assistant messages": (9, 10, 10),  # the hand-written answers are all the same
        "sessions": (1, 3, 3),
    }
    assert report.to_metrics()["near_duplicate_user_messages"] == 0.3


def test_coverage_and_personal_turns_come_from_the_plans():
    report = diversity_report(conversation().turns, plans=[plan()], seed=1)
    # Six of the seven turns say something personal: all but the errand.
    assert report.personal_share == pytest.approx(6 / 7)
    assert report.coverage["drink"] == {
        "direct": 2,
        "indirect": 0,
        "mention": 1,
        "anaphora": 1,
        "negation": 0,
        "correction": 0,
        "shift": 1,
        "given_up": 1,
        "other_person": 1,
    }
    assert sum(sum(row.values()) for row in report.coverage.values()) == 7
    assert report.covered == pytest.approx(6 / (18 * 9))
    text = report.to_markdown()
    assert "| drink | 2 | 0 | 1 | 1 | 0 | 0 | 1 | 1 | 1 | 7 |" in text
    assert "85.7% of the turns are personal" in text


def test_tokens_are_those_of_user_and_assistant_together():
    turns = conversation().turns
    report = diversity_report(turns, seed=1)
    expected = sum(count_tokens(turn.user) + count_tokens(turn.assistant) for turn in turns) / len(turns)
    assert report.tokens_per_turn == pytest.approx(expected)
    assert report.tokens_counted == 7


def _case(number: int, query: str) -> BenchmarkCase:
    return BenchmarkCase(
        case_id=f"case-{number}",
        release_id="r",
        persona_id="persona-1",
        setting="32k",
        task="LPR",
        aspect="Preference",
        asked_at=conversation().turns[0].at,
        offset_minutes=0,
        history_turns=3,
        query=query,
        options=tuple(Option(letter=letter, text=f"value {letter}", source="right") for letter in LETTERS),
        answer="a",
        evidence_turns=(0,),
        attribute="evening-drink",
        stem_id="stem-1",
    )


def test_cases_are_compared_by_query_and_options():
    cases = [_case(1, sentence(0, 15)), _case(2, sentence(15, 15)), _case(3, sentence(0, 15))]
    report = diversity_report([], cases=cases, seed=1)
    assert report.to_metrics()["near_duplicate_cases"] == pytest.approx(1 / 3)
    assert "| cases | 33.33% | 1 | 3 | 3 |" in report.to_markdown()


def test_a_report_of_cases_alone_says_nothing_of_turns():
    markdown = diversity_report([], cases=[_case(1, sentence(0, 15))], seed=1).to_markdown()
    assert "conversations" not in markdown
    assert "user messages" not in markdown
    assert "| cases | 0.00% | 0 | 1 | 1 |" in markdown


def test_nothing_at_all_is_a_report_of_zeros():
    report = diversity_report([], seed=1)
    assert report.turns == 0
    assert report.personal_share is None
    assert set(report.to_metrics().values()) == {0.0}


def test_distinct_hashes_are_counted_exactly_while_few_and_within_a_percent_when_many():
    numbers = np.random.default_rng(3).integers(0, 2**64, size=200_000, dtype=np.uint64)
    few, many = DistinctCounter(1 << 14), DistinctCounter(1 << 14)
    for start in range(0, 200_000, 7_001):
        many.add(numbers[start : start + 7_001])
        many.add(numbers[start : start + 7_001])
        few.add(numbers[:5_000])
    assert few.distinct() == 5_000
    assert many.total == 400_000
    # Three standard errors: 3 / sqrt(2**14) = 2.3 %.
    assert many.distinct() == pytest.approx(200_000, rel=0.024)
    assert many.share() == pytest.approx(0.5, rel=0.024)


def test_a_sample_is_everything_while_it_fits_and_evenly_drawn_in_order_afterwards():
    small: Sample[int] = Sample(10, random.Random(1))
    large: Sample[int] = Sample(100, random.Random(1))
    for number in range(1_000):
        if number < 10:
            small.add(number)
        large.add(number)
    assert small.items() == list(range(10))
    drawn = large.items()
    assert (len(drawn), large.seen) == (100, 1_000)
    assert drawn == sorted(set(drawn))
    assert 400 < sum(drawn) / 100 < 600
