"""The plan is consistent ground truth: who says what when, and what holds in the end."""

from __future__ import annotations

import datetime as dt
import itertools
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifeloom.records import TRAITS, BigFiveProfile, ConversationPlan, Persona
from lifeloom.records.base import local_time
from lifeloom.synthesis.catalogue import attribute, attributes
from lifeloom.synthesis.planning.facts import PROBED_KINDS
from lifeloom.synthesis.planning.occasions import FALLBACK_AREA, area_of_caption, names_a_time
from lifeloom.synthesis.planning.spoken_dates import latest_weekday_before, spoken_dates
from lifeloom.synthesis.plans import (
    SHAPES,
    ConversationShape,
    ShapeError,
    catalogue_id,
    constellations,
    shape_for,
)
from tests.planned import CAPTIONS, CIRCLE, FRIDAY, planned_persona
from tests.planned import planned as _plan
from tests.planned import several_planned as _plans


def _check_consistent(plan: ConversationPlan, persona: Persona, shape: ConversationShape) -> None:
    turns, facts = plan.turns, {fact.fact_id: fact for fact in plan.facts}
    assert len(facts) == len(plan.facts)
    assert shape.min_turns <= len(turns) <= shape.max_turns
    assert [turn.turn_index for turn in turns] == list(range(len(turns)))
    assert all(later.at > turn.at for turn, later in itertools.pairwise(turns))

    # Sessions cover the turns without a gap, and the 60-minute rule finds the very same sessions.
    assert [index for s in plan.sessions for index in range(s.first_turn, s.last_turn + 1)] == list(range(len(turns)))
    found = [0]
    for turn, later in itertools.pairwise(turns):
        found.append(found[-1] + (later.at - turn.at >= dt.timedelta(minutes=60)))
    assert [turn.session_index for turn in turns] == found
    local = [local_time(turn.at, plan.offset_minutes) for turn in turns]
    assert local[-1].date() == FRIDAY
    assert (FRIDAY - local[0].date()).days < shape.max_days
    for session in plan.sessions:
        inside = turns[session.first_turn : session.last_turn + 1]
        assert set(session.topics) == {turn.area for turn in inside}

    # Acts say what they hold.
    for turn in turns:
        assert (turn.act == "statement") == bool(turn.statements)
        assert (turn.act == "occasion") == (turn.occasion is not None)
        assert (turn.act == "picture") == (bool(turn.pictures) and not turn.statements)
        assert len(turn.statements) <= 2
    silent = sum(turn.act in ("small_talk", "errand") for turn in turns)
    assert 5 * silent >= 2 * len(turns)
    assert len(turns) - silent <= shape.personal_share * len(turns)

    # Facts and statements agree to the turn.
    stated: dict[str, list[int]] = {fact_id: [] for fact_id in facts}
    ended: dict[str, list[int]] = {fact_id: [] for fact_id in facts}
    for turn in turns:
        for position, statement in enumerate(turn.statements):
            fact = facts[statement.fact_id]
            stated[fact.fact_id].append(turn.turn_index)
            if statement.kind in ("shift", "correction"):
                previous = facts[statement.previous_fact_id]
                assert fact.replaces == previous.fact_id
                assert previous.status == ("corrected" if statement.kind == "correction" else "replaced")
                assert previous.stated_in[0] < turn.turn_index
                ended[previous.fact_id].append(turn.turn_index)
            else:
                assert statement.previous_fact_id is None
            if statement.kind == "negation":
                assert fact.status in ("replaced", "corrected")
                ended[fact.fact_id].append(turn.turn_index)
            if statement.kind == "given_up":
                ended[fact.fact_id].append(turn.turn_index)
            assert (statement.kind == "given_up") <= (fact.status == "given_up")
            assert (statement.kind == "other_person") == (fact.status == "someone_else")
            if statement.kind in ("direct", "indirect", "mention", "anaphora") and fact.ended_in is not None:
                assert turn.turn_index < fact.ended_in
            if statement.kind == "mention":
                following = turns[turn.turn_index + 1]
                assert len(turn.statements) == len(following.statements) == 1
                assert (following.statements[0].fact_id, following.statements[0].kind) == (fact.fact_id, "anaphora")
                assert following.session_index == turn.session_index
            if statement.kind == "anaphora":
                assert position == 0
                assert turns[turn.turn_index - 1].statements[0].kind == "mention"
                assert turns[turn.turn_index - 1].statements[0].fact_id == fact.fact_id
    people = {(person.name, person.relation) for person in persona.circle}
    for fact_id, fact in facts.items():
        assert list(fact.stated_in) == stated[fact_id]
        assert fact.stated_in
        if fact.status in ("current", "someone_else"):
            assert fact.ended_in is None
        else:
            assert fact.ended_in == ended[fact_id][0]
        assert bool(fact.holder_name) == (fact.status == "someone_else")
        if fact.holder_name:
            assert (fact.holder_name, fact.holder_relation) in people

    # Values come from the catalogue of the edition; exactly one per attribute is the user's in the end.
    allowed = {item.attribute_id for item in attributes(persona.edition)}
    by_attribute: dict[str, list] = {}
    for fact in plan.facts:
        by_attribute.setdefault(fact.attribute, []).append(fact)
        if fact.kind != "relationship":
            known = attribute(catalogue_id(fact.attribute))
            assert known.attribute_id in allowed
            assert (fact.kind, fact.area, fact.pictured) == (known.kind, known.area, bool(known.pictured))
            names = {person.name for person in persona.circle}
            assert fact.value in (names if known.pictured == "person" else known.values)
            if fact.kind == "bond" and not fact.pictured:
                assert fact.phrase in names
            else:
                assert fact.phrase == known.phrase
    for group in by_attribute.values():
        assert len({fact.value for fact in group}) == len(group)
        assert sum(fact.status == "current" for fact in group) == (group[0].status != "someone_else" or len(group) > 1)


@settings(deadline=None, max_examples=60)
@given(
    number=st.integers(0, 10**6),
    setting=st.sampled_from(["train", "32k"]),
    edition=st.sampled_from(["corpus", "release"]),
    offset=st.sampled_from([-210, 0, 345, 720]),
)
def test_every_plan_is_consistent(number, setting, edition, offset):
    plan = _plan(number, setting, edition=edition, offset=offset)
    _check_consistent(plan, planned_persona(number, edition, offset), shape_for(setting))


@settings(deadline=None, max_examples=6)
@given(number=st.integers(0, 10**6))
def test_every_long_plan_is_consistent(number):
    _check_consistent(_plan(number, "128k", edition="release"), planned_persona(number, "release"), shape_for("128k"))


@settings(deadline=None, max_examples=60)
@given(
    number=st.integers(0, 10**6),
    personal=st.floats(0.3, 0.6),
    slips=st.floats(0, 1),
    turns=st.integers(12, 60),
    pictures=st.floats(0, 0.4),
)
def test_the_smallest_shapes_give_consistent_plans(number, personal, slips, turns, pictures):
    shape = ConversationShape(
        12,
        turns,
        31,
        personal_share=personal,
        picture_share=pictures,
        relation_correction=slips,
        preference_shift=1 - slips,
    )
    _check_consistent(_plan(number, shape=shape), planned_persona(number), shape)


def test_every_probed_attribute_has_four_values_all_said_and_one_that_holds():
    for plan in _plans(60):
        complete = constellations(plan)
        assert complete
        for item in complete:
            roles = (item.current, item.previous, item.someone_else, item.given_up)
            assert len({fact.value for fact in roles}) == 4
            assert all(fact.stated_in for fact in roles)
            assert item.current.replaces == item.previous.fact_id
            assert item.current.ended_in is None
            assert all(fact.stated_in[0] <= item.settled_after for fact in roles)
            assert max(item.previous.ended_in, item.given_up.ended_in) <= item.settled_after < len(plan.turns)


def test_an_attribute_of_the_user_is_either_complete_or_a_single_fact():
    for plan in _plans(60):
        complete = {item.attribute for item in constellations(plan)}
        told_in_steps = ("relationship", "interest", "bond")
        sizes = Counter(fact.attribute for fact in plan.facts if fact.kind not in told_in_steps)
        assert all(size == 4 if name in complete else size == 1 for name, size in sizes.items())


@pytest.mark.parametrize("kind", ["interest", "bond"])
def test_interests_and_bonds_form_a_sequence_of_three_told_in_order(kind):
    sequences = 0
    for plan in _plans(60):
        facts = {fact.fact_id: fact for fact in plan.facts}
        for last in plan.facts:
            if last.kind == kind and last.status == "current" and last.replaces:
                middle = facts[last.replaces]
                first = facts[middle.replaces]
                assert first.replaces is None
                assert first.stated_in[0] < first.ended_in == middle.stated_in[0]
                assert middle.stated_in[0] < middle.ended_in == last.stated_in[0]
                sequences += 1
    assert sequences > 30


def test_every_kind_can_be_probed_in_a_conversation_of_a_hundred_turns():
    # 100 turns: twelve attributes (one in eight turns), two of them shown in pictures, ten kinds in turn.
    shape = ConversationShape(100, 100, 31)
    for plan in _plans(20, shape=shape):
        kinds = Counter(fact.kind for fact in plan.facts if fact.status == "current" and fact.replaces)
        assert all(kinds[kind] for kind in PROBED_KINDS)


def test_a_conversation_of_twenty_turns_has_four_people_and_a_complete_constellation():
    for edition in ("corpus", "release"):
        for plan in _plans(100, shape=ConversationShape(20, 20, 31), edition=edition):
            assert constellations(plan)
            people = {fact.phrase for fact in plan.facts if fact.kind == "relationship" and fact.status == "current"}
            assert len(people) >= 4


def test_at_least_four_people_are_introduced_and_about_a_third_of_plans_correct_one():
    plans = _plans(600, shape=ConversationShape(20, 40, 31))
    slips = 0
    for plan in plans:
        people = [fact for fact in plan.facts if fact.kind == "relationship"]
        current = {fact.phrase: fact.value for fact in people if fact.status == "current"}
        assert len(current) >= 4
        assert {f"{name} {relation}" for name, relation in current.items()} <= set(CIRCLE)
        wrong = [fact for fact in people if fact.status == "corrected"]
        assert len(wrong) <= 1
        for fact in wrong:
            assert fact.value != current[fact.phrase]
            # Nobody else's fact gives the right relation away.
            assert all(other.holder_name != fact.phrase for other in plan.facts)
        slips += len(wrong)
    assert abs(slips / len(plans) - 1 / 3) < 0.08  # four standard errors of 600 draws


def test_all_kinds_of_statement_are_used_in_fair_numbers():
    kinds = Counter(s.kind for plan in _plans(100) for turn in plan.turns for s in turn.statements)
    total = sum(kinds.values())
    assert len(kinds) == 9
    # A mention with its anaphora takes two free turns in one sitting, and five of the ten kinds are told so.
    assert min(kinds.values()) > 0.005 * total


def test_nobody_changes_their_mind_within_a_session():
    for plan in _plans(60):
        facts = {fact.fact_id: fact for fact in plan.facts}
        session = [turn.session_index for turn in plan.turns]
        for turn in plan.turns:
            for statement in turn.statements:
                if statement.kind == "shift":
                    earlier = facts[statement.previous_fact_id].stated_in
                    assert all(session[said] < turn.session_index for said in earlier if said < turn.turn_index)


def _namings(plan: ConversationPlan, item) -> list[str]:
    roles = {
        item.current.fact_id: "current",
        item.previous.fact_id: "previous",
        item.someone_else.fact_id: "someone_else",
        item.given_up.fact_id: "given_up",
    }
    named = []
    for turn in plan.turns:
        for statement in turn.statements:
            if statement.previous_fact_id in roles:
                named.append(roles[statement.previous_fact_id])
            if statement.fact_id in roles and statement.kind != "anaphora":
                named.append(roles[statement.fact_id])
    return named


@pytest.mark.parametrize("setting", ["train", "128k"])
def test_counting_or_ordering_what_is_named_does_not_find_the_current_value(setting):
    hits: Counter[str] = Counter()
    total, outnamed = 0, 0
    for plan in _plans(150 if setting == "train" else 20, setting=setting):
        for item in constellations(plan):
            named = _namings(plan, item)
            counts = Counter(named)
            total += 1
            for rule, extreme in (("most", max(counts.values())), ("least", min(counts.values()))):
                tied = [role for role, count in counts.items() if count == extreme]
                hits[rule] += ("current" in tied) / len(tied)
            hits["first"] += named[0] == "current"
            hits["last"] += named[-1] == "current"
            outnamed += max(counts["previous"], counts["someone_else"], counts["given_up"]) > counts["current"]
    assert total > 300
    # Chance is a quarter.
    for rule in ("most", "least", "first", "last"):
        assert 0.15 < hits[rule] / total < 0.37, rule
    assert outnamed > 0.3 * total


def test_given_up_values_come_before_and_after_the_current_one():
    before = [item.given_up.stated_in[0] < item.current.stated_in[0] for p in _plans(40) for item in constellations(p)]
    assert 0.2 < sum(before) / len(before) < 0.8


def test_long_conversations_have_many_constellations_but_not_more_than_thirty_five():
    shape = ConversationShape(500, 500, 90)
    for plan in _plans(3, setting="128k", shape=shape, edition="release"):
        sequences = {fact.attribute for fact in plan.facts if fact.kind in ("interest", "bond") and fact.replaces}
        assert 25 <= len(constellations(plan)) + len(sequences) <= 35


def test_the_turn_count_is_spread_over_the_range():
    lengths = [len(plan.turns) for plan in _plans(120, captions=())]
    assert min(lengths) < 30
    assert max(lengths) > 90
    assert 50 < sum(lengths) / len(lengths) < 70


def test_personality_shifts_at_one_session_and_stays_in_range():
    persona = planned_persona()
    shifted = 0
    for plan in _plans(150, shape=ConversationShape(40, 60, 31, personality_shift=0.5)):
        shifts = [shift for shift in plan.shifts if shift.kind == "personality"]
        profiles = [session.big_five for session in plan.sessions]
        if not shifts:
            assert set(map(BigFiveProfile.vector, profiles)) == {persona.big_five.vector()}
            continue
        shifted += 1
        assert len(shifts) == 1
        at = next(s.session_index for s in plan.sessions if s.first_turn == shifts[0].turn_index)
        assert 0 < at < len(plan.sessions)
        assert all(profile == persona.big_five for profile in profiles[:at])
        assert len(set(map(BigFiveProfile.vector, profiles[at:]))) == 1
        moved = [trait for trait in TRAITS if getattr(profiles[-1], trait) != getattr(persona.big_five, trait)]
        assert 1 <= len(moved) <= 2
        assert shifts[0].after == ", ".join(f"{trait} {getattr(profiles[-1], trait):.1f}" for trait in moved)
        assert all(1 <= score <= 5 for score in profiles[-1].vector())
    assert 0.3 < shifted / 150 < 0.7


def test_preference_shifts_are_recorded_where_the_new_value_is_first_said():
    for plan in _plans(30):
        facts = {fact.fact_id: fact for fact in plan.facts}
        expected = Counter(
            (fact.stated_in[0], facts[fact.replaces].value, fact.value)
            for fact in plan.facts
            if fact.replaces
            and fact.kind in ("preference", "hidden_taste", "interest")
            and facts[fact.replaces].status == "replaced"
        )
        recorded = Counter((s.turn_index, s.before, s.after) for s in plan.shifts if s.kind == "preference")
        assert recorded == expected


def test_topic_shifts_fall_on_the_start_of_a_session_and_happen_when_they_are_certain():
    plan = _plan(shape=ConversationShape(60, 60, 31, topic_shift=1.0))
    starts = [session.first_turn for session in plan.sessions]
    assert [shift.turn_index for shift in plan.shifts if shift.kind == "topic"] == starts[1:]
    assert not [s for s in _plan(shape=ConversationShape(60, 60, 31, topic_shift=0.0)).shifts if s.kind == "topic"]


# --- Occasions and days ---------------------------------------------------------------------------------------


def _clock(year: int, month: int, day: int, hour: int = 9, minute: int = 0) -> dt.datetime:
    """A moment on the user's own clock, without a zone."""
    return dt.datetime(year, month, day, hour, minute)  # noqa: DTZ001


def _phrases(said_at: dt.datetime) -> dict[str, dt.date]:
    return {spoken.phrase: spoken.happened_on for spoken in spoken_dates(said_at)}


def test_days_are_spoken_of_as_people_do_on_a_wednesday_evening():
    # Wednesday 12 March 2025, counted on a calendar.
    assert _phrases(_clock(2025, 3, 12, 19, 30)) == {
        "this morning": dt.date(2025, 3, 12),
        "yesterday": dt.date(2025, 3, 11),
        "two days ago": dt.date(2025, 3, 10),
        "on Monday": dt.date(2025, 3, 10),
        "three days ago": dt.date(2025, 3, 9),
        "on Sunday": dt.date(2025, 3, 9),
        "last Sunday": dt.date(2025, 3, 9),
        "four days ago": dt.date(2025, 3, 8),
        "on Saturday": dt.date(2025, 3, 8),
        "last Saturday": dt.date(2025, 3, 8),
        "five days ago": dt.date(2025, 3, 7),
        "on Friday": dt.date(2025, 3, 7),
        "last Friday": dt.date(2025, 3, 7),
        "six days ago": dt.date(2025, 3, 6),
        "on Thursday": dt.date(2025, 3, 6),
        "last Thursday": dt.date(2025, 3, 6),
        "a week ago": dt.date(2025, 3, 5),
        "last Wednesday": dt.date(2025, 3, 5),
        "two weeks ago": dt.date(2025, 2, 26),
        "three weeks ago": dt.date(2025, 2, 19),
    }


def test_last_friday_on_a_friday_is_a_week_back_and_on_a_sunday_is_not_said():
    assert latest_weekday_before(dt.date(2025, 3, 14), 4) == dt.date(2025, 3, 7)
    assert _phrases(_clock(2025, 3, 14, 9, 0))["last Friday"] == dt.date(2025, 3, 7)
    # On Sunday 16 March some mean the 14th and some the 7th by it; "on Friday" is clear.
    sunday = _phrases(_clock(2025, 3, 16, 9, 0))
    assert "last Friday" not in sunday
    assert sunday["on Friday"] == dt.date(2025, 3, 14)
    assert sunday["last Sunday"] == dt.date(2025, 3, 9)


def test_this_morning_is_said_in_the_afternoon_only_and_months_are_crossed():
    assert "this morning" not in _phrases(_clock(2025, 3, 12, 12, 59))
    assert "this morning" in _phrases(_clock(2025, 3, 12, 13, 0))
    assert _phrases(_clock(2024, 3, 1, 8, 0))["yesterday"] == dt.date(2024, 2, 29)


@given(st.datetimes(_clock(2020, 1, 1), _clock(2030, 1, 1)))
def test_both_readings_of_last_weekday_agree_and_nothing_lies_ahead(said_at):
    monday = said_at.date() - dt.timedelta(days=said_at.weekday())
    for phrase, day in _phrases(said_at).items():
        assert day <= said_at.date()
        if phrase.startswith(("last", "on")):
            assert f"{day:%A}" == phrase.split()[1]
            assert 1 <= (said_at.date() - day).days <= 7
        if phrase.startswith("last"):
            assert monday - dt.timedelta(days=7) <= day < monday


def test_occasions_come_from_the_captions_and_are_true_on_the_day_they_are_told():
    told = Counter()
    for plan in _plans(60):
        occasions = [turn for turn in plan.turns if turn.occasion]
        assert len({turn.occasion.caption_id for turn in occasions}) == len(occasions)
        for turn in occasions:
            local = local_time(turn.at, plan.offset_minutes)
            assert _phrases(local)[turn.occasion.when_phrase] == turn.occasion.happened_on
            assert turn.area == area_of_caption(turn.occasion.caption)
            told[turn.occasion.caption] += 1
    # "Saturday market" names a day that the plan could contradict.
    assert set(told) == set(CAPTIONS[:5])
    # Events (every second caption) are preferred to concepts.
    assert told[CAPTIONS[0]] > told[CAPTIONS[1]]


def test_with_no_captions_a_plan_has_no_occasions_and_is_as_personal():
    plan = _plan(captions=())
    assert not [turn for turn in plan.turns if turn.act == "occasion"]
    personal = sum(turn.act in ("statement", "picture") for turn in plan.turns)
    assert personal == int(0.6 * len(plan.turns))


@pytest.mark.parametrize(
    ("caption", "area"),
    [
        ("Our dog asleep on the sofa", "pets"),
        ("Grandmother's 90th birthday", "family"),
        ("Half marathon, final mile", "sport"),
        ("The harbour at dusk", "travel"),
        ("Something blue", FALLBACK_AREA),
    ],
)
def test_a_caption_belongs_to_the_area_of_its_words(caption, area):
    assert area_of_caption(caption) == area


@pytest.mark.parametrize("caption", ["Christmas dinner", "Pizza on Friday", "Summer 2008", "Back home last night"])
def test_captions_that_name_a_time_are_found(caption):
    assert names_a_time(caption)


@pytest.mark.parametrize("caption", ["The marching band", "We may go back", "Sunny side of the street"])
def test_captions_that_only_look_like_a_time_are_not(caption):
    assert not names_a_time(caption)


# --- Shapes and determinism -------------------------------------------------------------------------------------


def test_the_presets_have_the_published_sizes():
    sizes = {name: (shape.min_turns, shape.max_turns, shape.max_days) for name, shape in SHAPES.items()}
    assert sizes == {"train": (20, 100, 31), "32k": (20, 100, 90), "128k": (100, 500, 90)}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_turns": 5}, "12 <= min_turns"),
        ({"min_turns": 90, "max_turns": 80}, "12 <= min_turns"),
        ({"max_days": 10}, "6 times max_days"),
        ({"personal_share": 0.61}, "personal_share"),
        ({"picture_share": 0.41}, "picture_share must be in 0..0.4"),
        ({"picture_share": -0.1}, "picture_share must be in 0..0.4"),
        ({"topic_shift": 1.5}, "topic_shift must be in 0..1"),
        ({"relation_correction": -0.1}, "relation_correction must be in 0..1"),
        ({"occasions": -1}, "must not be negative"),
        ({"turns_per_constellation": 1}, "turns_per_constellation"),
    ],
)
def test_a_shape_out_of_range_names_the_field(options, message):
    with pytest.raises(ShapeError, match=message):
        ConversationShape(**({"min_turns": 20, "max_turns": 100, "max_days": 31} | options))


def test_one_plan_made_alone_is_the_one_made_among_others_and_other_seeds_give_others():
    assert _plan(3) == _plans(5)[3]
    assert _plan(3, seed=8) != _plan(3)


def test_plans_do_not_depend_on_the_hash_seed_of_the_process():
    script = (
        "import hashlib, sys; sys.path.insert(0, sys.argv[1]); from tests.planned import planned\n"
        "plans = [planned(n, s) for n, s in ((1, 'train'), (2, '32k'), (3, '128k'))]\n"
        "print(hashlib.sha256(''.join(p.model_dump_json() for p in plans).encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", script, str(Path(__file__).parents[3])],
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "2")
    }
    assert len(digests) == 1
    assert len(digests.pop().strip()) == 64
