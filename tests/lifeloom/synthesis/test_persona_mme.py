"""Cases from plans: expected answers are read off plans that are written out here by hand."""

from __future__ import annotations

import datetime as dt
import random
from collections import Counter, defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifeloom.records import TRAITS, BenchmarkCase, BigFiveProfile, StatementKind
from lifeloom.streams import Streams
from lifeloom.synthesis.case_checks import near_duplicate_cases
from lifeloom.synthesis.catalogue import attribute, attributes
from lifeloom.synthesis.persona_mme import make_release_cases
from lifeloom.synthesis.planning.views import catalogue_id
from lifeloom.synthesis.probes.pairs import choose_pairs
from tests.lifeloom.synthesis.plan_books import PlanBook, Writer, make, persona, profile, random_book, release, right

TASKS = {"VDR", "SIR", "EII", "IIR", "LPR", "IEA", "IPR", "BPR", "LGT", "RR", "RDC", "TED", "GNS"}
TEA, COCOA, CIDER, BEER, WINE = "mint tea", "hot cocoa", "cold cider", "pale ale", "red wine"


def shifted_taste(number: int = 1) -> PlanBook:
    """Tea is said in 1, cider dropped in 2, beer is Piotr's in 4, wine Piotr's too in 5, cocoa replaces tea in 10."""
    book = PlanBook(20, number)
    old = book.fact("evening-drink", TEA, "replaced", ended=10)
    new = book.fact("evening-drink", COCOA, "current")
    dropped = book.fact("evening-drink", CIDER, "given_up", ended=2)
    his, his_other = (book.fact("evening-drink", value, "someone_else") for value in (BEER, WINE))
    book.tell(1, old)
    book.tell(2, dropped, "given_up")
    book.tell(4, his, "other_person")
    book.tell(5, his_other, "other_person")
    book.tell(10, new, "shift")
    book.tell(13, old, "negation")
    book.tell(15, new, "indirect")
    return book


def sources(case: BenchmarkCase) -> dict[str, str]:
    values = (TEA, COCOA, CIDER, BEER, WINE)
    return {value: option.source for option in case.options for value in values if value in option.text}


def test_the_right_answer_is_what_holds_at_that_moment() -> None:
    seen = Counter()
    for seed in range(20):
        for case in make(shifted_taste(), seed=seed).cases:
            before = case.history_turns <= 10
            assert (TEA if before else COCOA) in right(case)
            assert case.history_turns >= 6, "before turn 5 only two wrong answers have been said"
            seen[before] += 1
    assert seen[True] > 0
    assert seen[False] > 0


def test_distractors_come_from_what_was_said_before_and_say_where_from() -> None:
    expected = {TEA: "outdated", COCOA: "right", CIDER: "given_up", BEER: "someone_else", WINE: "someone_else"}
    for case in make(shifted_taste(), cases=10).cases:
        told = sources(case)
        assert len(told) == 4
        if case.history_turns <= 10:
            assert told == {TEA: "right", CIDER: "given_up", BEER: "someone_else", WINE: "someone_else"}
        else:
            assert all(expected[value] == source for value, source in told.items())
            assert {"right", "outdated", "given_up", "someone_else"} == set(told.values())


def test_evidence_is_every_shown_turn_that_states_the_right_answer() -> None:
    for case in make(shifted_taste(), cases=10).cases:
        if case.history_turns <= 10:
            assert case.evidence_turns == (1,)
        else:
            assert case.evidence_turns == tuple(turn for turn in (10, 15) if turn < case.history_turns)


def test_nothing_is_asked_while_a_slip_stands_uncorrected() -> None:
    book = PlanBook(30)
    slip = book.fact("local-bakery", "Corner Loaf", "corrected", ended=20)
    true = book.fact("local-bakery", "Golden Crust", "current")
    names = ("Blue Door Bakes", "Sunrise Ovens", "Copper Oven")
    others = [book.fact("local-bakery", value, "someone_else") for value in names]
    for turn, fact in enumerate(others):
        book.tell(turn, fact, "other_person")
    book.tell(4, true)
    book.tell(10, slip)
    book.tell(20, true, "correction")
    moments = set()
    for seed in range(30):
        for case in make(book, cases=3, seed=seed).cases:
            assert "Golden Crust" in right(case)
            moments.add(case.history_turns)
    assert not moments & set(range(11, 21))
    assert moments & set(range(5, 11))
    assert moments & set(range(21, 31))


def test_a_value_only_mentioned_counts_from_the_turn_that_commits_to_it() -> None:
    book = PlanBook(12)
    mine = book.fact("cooking-goal", "bake wedding cakes", "current")
    for value in ("roll sushi like a chef", "ferment kimchi properly", "preserve summer fruit"):
        book.tell(0, book.fact("cooking-goal", value, "someone_else"), "other_person")
    book.tell(8, mine, "mention")
    book.tell(9, mine, "anaphora")
    made = [case for seed in range(10) for case in make(book, cases=3, seed=seed).cases]
    assert {case.task for case in made} == {"LGT"}
    assert min(case.history_turns for case in made) == 10
    assert {case.evidence_turns for case in made} == {(8, 9)}


def test_an_evolution_is_asked_in_four_orders_once_all_three_steps_are_known() -> None:
    book = PlanBook(16)
    steps = [("pottery", "replaced", 6), ("origami", "replaced", 9), ("linocut", "current", None)]
    first, second, third = (book.fact("craft-hobby", value, status, ended) for value, status, ended in steps)  # type: ignore[arg-type]
    book.tell(2, first)
    book.tell(6, second, "shift")
    book.tell(9, third, "shift")
    made = make(book, cases=3).cases
    assert len(made) == 3
    for case in made:
        assert (case.task, case.aspect) == ("IEA", "Preference")
        assert case.history_turns >= 10
        text = right(case)
        assert text.index("pottery") < text.index("origami") < text.index("linocut")
        assert len({option.text for option in case.options}) == 4
        assert len({len(option.text) for option in case.options}) == 1
        assert case.evidence_turns == (2, 6, 9)


def circle_book(people: int) -> PlanBook:
    book = PlanBook(20)
    relations = ["cousin", "mentor", "flatmate", "accountant"][:people]
    for turn, (name, relation) in enumerate(zip(["amina", "bogdan", "chidi", "davit"], relations, strict=False)):
        book.tell(turn, book.fact(name, relation, "current", kind="relationship"))
    return book


def test_who_somebody_is_is_asked_by_name_with_relations_of_the_circle() -> None:
    made = make(circle_book(4), cases=8)
    assert len(made.cases) == 8
    expected = {"Amina": "cousin", "Bogdan": "mentor", "Chidi": "flatmate", "Davit": "accountant"}
    for case in made.cases:
        name = next(name for name in expected if name in case.query)
        assert expected[name] in right(case)
        assert {option.source for option in case.options} == {"right", "other_relation"}
        assert case.history_turns >= 4


def test_a_corrected_relation_is_always_among_the_options() -> None:
    book = circle_book(4)
    slip = book.fact("esra", "landlord", "corrected", ended=9, kind="relationship")
    true = book.fact("esra", "pen pal", "current", kind="relationship")
    book.tell(5, slip)
    book.tell(9, true, "correction")
    made = [case for seed in range(5) for case in make(book, cases=12, seed=seed).cases if "Esra" in case.query]
    assert made
    for case in made:
        assert case.history_turns >= 10
        assert "pen pal" in right(case)
        assert [option.source for option in case.options if "landlord" in option.text] == ["corrected"]


def test_too_few_wrong_answers_are_a_rejection_with_its_reason() -> None:
    book = PlanBook(12)
    for status, value in (("current", TEA), ("someone_else", BEER), ("someone_else", WINE)):
        book.tell(3, book.fact("evening-drink", value, status))  # type: ignore[arg-type]
    made = make(book, cases=2)
    assert made.cases == ()
    assert Counter((item.stage, item.reason) for item in made.rejections) == {
        ("persona_mme/probes", "too_few_distractors"): 2,
        ("persona_mme/cases", "no_probe_left"): 2,
    }


def test_attributes_that_the_catalogue_lacks_are_rejected() -> None:
    book = shifted_taste()
    for fact in book.facts.values():
        fact["attribute"] = "drink-of-old"
    made = make(book, cases=1)
    assert {item.reason for item in made.rejections} == {"unknown_attribute", "no_probe_left"}


def test_a_fact_told_alone_is_background_and_no_probe() -> None:
    book = shifted_taste()
    book.tell(3, book.fact("coffee-order", "flat white", "current"))
    assert {case.attribute for case in make(book).cases} == {"evening-drink"}
    assert make(book).probes == 2


@pytest.mark.parametrize(("minutes", "soonest", "latest"), [(60, 5, 50), (20, 5, 19), (3, 1.5, 1.5)])
def test_questions_come_shortly_after_the_last_shown_turn(minutes: int, soonest: float, latest: float) -> None:
    book = shifted_taste()
    plan = book.plan(minutes)
    for seed in range(10):
        made = make_release_cases(
            [(persona(), plan)], release_id="rel-1", model=Writer(), cases_per_persona=5, streams=Streams(seed)
        )
        for case in made.cases:
            waited = (case.asked_at - plan.turns[case.history_turns - 1].at) / dt.timedelta(minutes=1)
            if case.history_turns == len(plan.turns):
                assert 5 <= waited <= 50
            else:
                assert soonest <= waited <= latest


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000), personas=st.integers(1, 4), cases=st.integers(0, 40))
def test_every_case_of_any_plan_keeps_its_promises(seed: int, personas: int, cases: int) -> None:
    rng = random.Random(seed)
    books = [random_book(number, rng) for number in range(personas)]
    made = make(*books, cases=cases, seed=seed)
    plans = {book.plan().persona_id: book.plan() for book in books}
    stages = Counter(item.stage for item in made.rejections)
    assert made.requested == personas * cases == len(made.cases) + stages["persona_mme/cases"]
    assert made.probes == made.usable_probes + stages["persona_mme/probes"]
    for case in made.cases:
        plan = plans[case.persona_id]
        assert len({option.text for option in case.options}) == 4
        assert [option.source for option in case.options].count("right") == 1
        assert 1 <= case.history_turns <= len(plan.turns)
        assert case.evidence_turns
        assert max(case.evidence_turns) < case.history_turns
        assert case.asked_at > plan.turns[case.history_turns - 1].at
        if case.history_turns < len(plan.turns):
            assert case.asked_at < plan.turns[case.history_turns].at
        assert set(case.picture_turns) <= set(case.evidence_turns)
        for turn in case.picture_turns:
            assert plan.turns[turn].pictures
        if case.task not in ("IEA", "RDC", "RR", "VDR"):
            facts = {fact.value: fact for fact in plan.facts if fact.attribute == case.attribute}
            for option in case.options:
                fact = max((f for v, f in facts.items() if v in option.text), key=lambda f: len(f.value))
                assert fact.stated_in[0] < case.history_turns
                holds = fact.status in ("current", "replaced") and (
                    fact.ended_in is None or fact.ended_in >= case.history_turns
                )
                assert holds == (option.letter == case.answer)
    asked = [(case.persona_id, case.attribute, right(case), case.query) for case in made.cases]
    assert len(set(asked)) == len(asked)
    assert len({case.case_id for case in made.cases}) == len(made.cases)


def test_tasks_and_letters_are_even_and_the_right_option_is_seldom_the_longest() -> None:
    made = release(3, personas=40, cases=13)
    by_task: defaultdict[str, list[BenchmarkCase]] = defaultdict(list)
    for case in made.cases:
        by_task[case.task].append(case)
    assert set(by_task) == TASKS
    for task, cases in by_task.items():
        assert 39 <= len(cases) <= 41, task  # a case that would tell by its length gives way to another task's
        assert set(Counter(case.answer for case in cases).values()) <= {9, 10, 11}, task
        longest = sum(
            len(right(case)) > max(len(option.text) for option in case.options if option.letter != case.answer)
            for case in cases
        )
        assert longest <= 0.3 * len(cases), task
    assert made.notes == ()


@pytest.mark.parametrize("seed", range(6))
def test_small_releases_keep_the_right_option_from_being_the_longest_too_often(seed: int) -> None:
    made = release(seed, personas=8, cases=13)
    assert len(made.cases) == 104
    for task in {case.task for case in made.cases}:
        cases = [case for case in made.cases if case.task == task]
        lengths = [
            (len(right(case)), max(len(option.text) for option in case.options if option.letter != case.answer))
            for case in cases
        ]
        assert sum(own > other for own, other in lengths) <= 0.3 * len(cases), task


def test_fewer_than_one_case_in_a_hundred_is_a_near_duplicate() -> None:
    assert near_duplicate_cases(release(6, personas=24, cases=14).cases) == []


def test_the_position_of_a_source_is_left_to_chance() -> None:
    places: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for case in release(5, personas=24, cases=14).cases:
        for option in case.options:
            places[option.source][option.letter] += 1
    for source in ("someone_else", "given_up", "other_relation"):
        total = sum(places[source].values())
        assert all(0.15 < places[source][letter] / total < 0.35 for letter in "abcd"), (source, places[source])


def test_release_only_attributes_and_stems_are_used() -> None:
    made = release(4, personas=24, cases=14)
    own = [case for case in made.cases if case.task not in ("VDR", "RR")]
    stems = {
        stem.stem_id: stem
        for case in own
        for a in [attribute(catalogue_id(case.attribute))]
        for stem in a.questions + a.scenarios
    }
    assert any(attribute(catalogue_id(case.attribute)).release_only for case in own)
    assert any(stems[case.stem_id].release_only for case in own)
    for case in own:
        assert case.query.endswith(stems[case.stem_id].text) or "{name}" in stems[case.stem_id].text


def test_a_third_of_the_cases_needs_pictures_and_of_the_mixed_tasks_two_thirds() -> None:
    cases = release(13, personas=30, cases=13).cases
    share = {task: [case.needs_pictures for case in cases if case.task == task] for task in TASKS}
    assert 0.32 <= sum(case.needs_pictures for case in cases) / len(cases) <= 0.36
    assert all(share["VDR"])
    for task in ("IIR", "IPR", "BPR", "RR", "RDC"):
        assert 0.55 <= sum(share[task]) / len(share[task]) <= 0.8, task
    for task in ("SIR", "EII", "LPR", "IEA", "LGT", "TED", "GNS"):
        assert not any(share[task]), task


def test_what_one_task_lacks_in_pictures_the_others_make_up_for() -> None:
    rng = random.Random(5)
    books = [random_book(number, rng) for number in range(20)]
    for book in books:
        for fact in book.facts.values():
            # No recurring habit is pictured any more.
            if fact["kind"] == "pattern" and fact["pictured"]:
                fact |= {"kind": "detail", "attribute": "an-old-thing"}
    made = make(*books, cases=13)
    pictured = Counter(case.task for case in made.cases if case.needs_pictures)
    assert pictured["BPR"] == 0
    assert 0.32 <= sum(pictured.values()) / len(made.cases) <= 0.36


def test_what_is_short_is_said() -> None:
    notes = make(*(circle_book(4) for _ in range(3)), cases=14).notes
    assert "TED: 0 cases, an even spread would give 3" in notes
    assert "pictures: 0% of the cases need them, 34% are aimed at" in notes
    assert not any(note.startswith("RR") for note in notes)


def test_the_same_seed_makes_the_same_cases_and_another_seed_others() -> None:
    assert release(9, 3, 6) == release(9, 3, 6)
    books = [random_book(number, random.Random(1)) for number in range(3)]
    assert make(*books, seed=1).cases != make(*books, seed=2).cases


def test_pairs_ride_on_a_fifth_of_the_cases_as_often_for_high_as_for_low_scorers() -> None:
    writer = Writer()
    rng = random.Random(11)
    books = [random_book(number, rng) for number in range(30)]
    made = make(*books, cases=10, seed=11, writer=writer)
    paired = [case for case in made.cases if case.alignment is not None]
    assert len(made.cases) == 300
    assert len(paired) == made.pairs_wanted == 60
    poles = Counter((asked.trait, getattr(asked.traits, asked.trait) > 3) for asked in writer.asked)
    for trait in {trait for trait, _ in poles}:
        assert poles[trait, True] == poles[trait, False]
    assert all(case.aspect != "Alignment" and case.task != "PA" for case in paired)
    assert {asked.edition for asked in writer.asked} == {"release"}


def test_a_rejected_pair_drops_the_pair_and_never_the_case() -> None:
    writer = Writer(rejects=True)
    rng = random.Random(2)
    made = make(*(random_book(number, rng) for number in range(6)), cases=10, writer=writer)
    assert len(made.cases) == 60
    assert not any(case.alignment for case in made.cases)
    dropped = [item for item in made.rejections if item.stage == "persona_mme/alignment"]
    assert len(dropped) == made.pairs_wanted == len(writer.asked) > 0
    assert {item.reason for item in dropped} == {"refusal"}
    assert {item.item for item in dropped} <= {case.case_id for case in made.cases}


@settings(max_examples=30, deadline=None)
@given(
    scores=st.lists(st.lists(st.floats(1, 5), min_size=5, max_size=5), max_size=60),
    seed=st.integers(0, 100),
)
def test_pairs_are_balanced_or_marked_as_not(scores: list[list[float]], seed: int) -> None:
    profiles = [BigFiveProfile(**dict(zip(TRAITS, row, strict=True))) for row in scores]
    choices = choose_pairs(profiles, random.Random(seed))
    assert len(choices) <= 2 * round(len(profiles) / 10)
    assert len({choice.index for choice in choices}) == len(choices)
    poles = Counter(
        (choice.trait, getattr(profiles[choice.index], choice.trait) > 3) for choice in choices if choice.balanced
    )
    for trait in TRAITS:
        assert poles[trait, True] == poles[trait, False]
    for choice in choices:
        assert abs(getattr(profiles[choice.index], choice.trait) - 3) >= 0.5


def test_a_lopsided_release_says_that_its_pairs_are_not_balanced() -> None:
    rng = random.Random(8)
    books = [random_book(number, rng) for number in range(3)]
    for book in books:
        book.big_five = profile(openness=4.9, extraversion=3.0)
    made = make(*books, cases=10)
    assert made.pairs_wanted == 6
    assert made.notes == ("PA: 6 of 6 pairs have no counterpart with the opposite trait score",)


def test_a_negative_number_of_cases_is_refused() -> None:
    with pytest.raises(ValueError, match="0 or more"):
        make(shifted_taste(), cases=-1)


def test_neither_the_last_nor_the_first_nor_the_most_said_value_is_right_more_often_than_a_quarter() -> None:
    rng = random.Random(31)
    books = [told_in_any_order(number, rng) for number in range(40)]
    plans = {book.plan().persona_id: book.plan() for book in books}
    chances: defaultdict[str, list[float]] = defaultdict(list)
    for case in make(*books, cases=8, seed=31).cases:
        stated = {
            fact.value: [turn for turn in fact.stated_in if turn < case.history_turns]
            for fact in plans[case.persona_id].facts
            if fact.attribute == case.attribute and any(fact.value in option.text for option in case.options)
        }
        for what, key in (("last", max), ("first", lambda turns: -min(turns)), ("most", len)):
            shown = {value: key(turns) for value, turns in stated.items() if turns}
            top = [value for value, number in shown.items() if number == max(shown.values())]
            if len(top) < len(shown):
                chances[what].append(sum(value in right(case) for value in top) / len(top))
    for what, found in chances.items():
        assert len(found) >= 50, what
        assert 0.18 <= sum(found) / len(found) <= 0.32, what


def told_in_any_order(number: int, rng: random.Random) -> PlanBook:
    """Three tastes with five values in four roles, said one to three times each, the current one early or late."""
    book = PlanBook(60, number)
    for item in rng.sample(attributes("release", "preference"), 3):
        old, new, his, hers, dropped = rng.sample(item.values, 5)
        start, change = sorted(rng.sample(range(30), 2))
        before = book.fact(item.attribute_id, old, "replaced", ended=change)
        now = book.fact(item.attribute_id, new, "current")
        if rng.random() < 0.5:
            book.tell(start, before)
            book.tell(change, now, "shift")
        else:
            book.tell(start, now)
            book.tell(change, before, "negation")
        others = [book.fact(item.attribute_id, value, "someone_else") for value in (his, hers)]
        given_up = rng.randrange(30)
        others.append(book.fact(item.attribute_id, dropped, "given_up", ended=given_up))
        book.tell(given_up, others[2], "given_up")
        for fact in others[:2]:
            book.tell(rng.randrange(30), fact, "other_person")
        say_again(book, rng, before, "negation")
        say_again(book, rng, now, "indirect")
        say_again(book, rng, others[0], "other_person")
        say_again(book, rng, others[2], "given_up")
    return book


def say_again(book: PlanBook, rng: random.Random, fact: str, kind: StatementKind) -> None:
    for _ in range(rng.choice((0, 1, 2))):
        book.tell(rng.randrange(31, 60), fact, kind)
