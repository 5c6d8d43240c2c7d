"""Whole sessions as the built-in writer words them."""

import itertools
import random
import re
from collections import Counter

import pytest

from lifeloom.models.builtin.writer.areas import asks, closing_ask, context, contexts, links
from lifeloom.models.builtin.writer.editions import for_edition
from lifeloom.models.builtin.writer.manner import PLACES, POLES, devices
from lifeloom.models.builtin.writer.session import OccasionIncomplete, write_session
from lifeloom.models.builtin.writer.statements import FACT_KINDS, STATEMENT_KINDS, said_kinds
from lifeloom.models.builtin.writer.wordings import UnknownAreaError
from lifeloom.models.tokens import count_tokens
from lifeloom.records import AREAS, TRAITS
from lifeloom.tasks import SessionWritingInput, StatementBrief, TraitScores, TurnBrief

VALUES = {
    "preference": ("evening drink", ("peppermint tea", "ginger beer", "malt cocoa")),
    "detail": ("local bakery", ("Golden Crust", "Stone Hearth", "Blue Door Bakes")),
    "interest": ("cooking hobby", ("pickling", "jam making", "bread baking")),
    "goal": ("cooking goal", ("master handmade pasta", "ferment kimchi properly", "roll sushi like a chef")),
    "intent": ("dinner party plan", ("throw a dumpling night", "build a taco bar", "hold a soup swap")),
    "relationship": ("Anouk", ("colleague", "cousin", "accountant")),
    "hidden_intent": ("secret study", ("trying on goggles", "tying bowlines", "feeding carrots to a mare")),
    "hidden_taste": ("sort of meal", ("squinting at noon", "rolling dice for hours", "tapping along to a bass")),
    "pattern": ("rainy afternoon", ("baking cinnamon buns", "oiling squeaky hinges", "folding paper cranes")),
    "bond": ("Anouk", ("thick as thieves", "on frosty terms", "polite strangers")),
    "expertise": ("knitting", ("turning heels from a chart", "dropping stitches", "reading cables off a photo")),
}
KINDS = [(fact_kind, kind) for fact_kind in FACT_KINDS for kind in said_kinds(fact_kind)]


def statement(fact_kind: str, statement_kind: str, rng: random.Random) -> StatementBrief:
    phrase, values = VALUES[fact_kind]
    value, previous = rng.sample(values, 2)
    other = statement_kind == "other_person"
    return StatementBrief(
        fact_kind=fact_kind,
        statement_kind=statement_kind,
        phrase=phrase,
        value=value,
        previous_value=previous if statement_kind in ("correction", "shift") else "",
        holder_name="Mateo" if other else "",
        holder_relation="neighbour" if other else "",
    )


def turn(position: int, act: str, rng: random.Random, statements: int = 1) -> TurnBrief:
    kinds = [rng.choice(KINDS) for _ in range(statements)]
    return TurnBrief(
        position=position,
        local_time=f"{rng.randrange(24):02d}:{rng.randrange(60):02d}",
        act=act,
        area=rng.choice(AREAS),
        statements=tuple(statement(*kind, rng) for kind in kinds) if act == "statement" else (),
        occasion_caption="Max at the lake, first swim" if act == "occasion" else "",
        occasion_when="last Friday" if act == "occasion" else "",
    )


def session(seed: int, acts: list[str], **changes) -> SessionWritingInput:
    rng = random.Random(seed)
    fields = {
        "name": "Ana Reis",
        "role_description": "A baker.",
        "traits": TraitScores(**{trait: round(rng.uniform(1, 5), 1) for trait in TRAITS}),
        "edition": "release",
        "local_date": "Friday 2025-03-14",
        "session_number": 2,
        "turns": tuple(turn(number, act, rng) for number, act in enumerate(acts, start=1)),
    }
    return SessionWritingInput(**(fields | changes))


def users(item: SessionWritingInput, seed: int = 0) -> list[str]:
    return [written.user for written in write_session(item, random.Random(seed)).turns]


def mixed(seed: int, length: int = 8) -> SessionWritingInput:
    rng = random.Random(seed)
    return session(seed, rng.choices(["statement", "occasion", "small_talk", "errand"], [5, 1, 2, 2], k=length))


@pytest.mark.parametrize("area", AREAS)
def test_every_area_has_scenes_and_asks_enough(area):
    assert len({item.source for item in contexts(area)}) >= 20
    assert len({item.source for item in asks(area)}) >= 10


def test_there_are_enough_asks_and_links_that_fit_anywhere():
    assert len({item.source for item in asks("general")}) >= 40
    assert len({item.source for item in links()}) >= 14


def test_no_scene_serves_two_areas():
    scenes = [item.source for area in AREAS for item in contexts(area)]
    assert len(scenes) == len(set(scenes))


LASTING = re.compile(
    r"\bI (like|love|prefer|enjoy|want|hate|adore|plan|intend|am going to|used to)\b|\bmy favourite\b"
    r"|\b(mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(winter|summer|autumn|tonight|yesterday|tomorrow)\b"
    r"|\bthis (morning|evening)\b|\blast (week|month|night)\b",
    re.IGNORECASE,
)


def test_nothing_around_statements_sounds_like_a_taste_a_plan_or_a_date():
    around = [item.source for area in AREAS for item in (*contexts(area), *asks(area))]
    around += [item.source for item in (*asks("general"), *links())]
    around += [
        item.source
        for trait, pole, place in itertools.product(TRAITS, POLES, PLACES)
        for item in devices(trait, pole, place)
    ]
    assert [text for text in around if LASTING.search(text)] == []


def test_every_turn_is_written_in_order_with_its_position():
    item = mixed(3, 12)
    written = write_session(item, random.Random(1)).turns
    assert [one.position for one in written] == list(range(1, 13))
    assert all(one.user and one.assistant for one in written)


def test_the_same_chance_gives_the_same_session():
    item = mixed(4)
    assert write_session(item, random.Random(9)) == write_session(item, random.Random(9))
    assert write_session(item, random.Random(9)) != write_session(item, random.Random(10))


@pytest.mark.parametrize(("fact_kind", "statement_kind"), KINDS)
def test_a_message_names_what_its_statement_names_and_once(fact_kind, statement_kind):
    for seed in range(12):
        rng = random.Random(seed)
        brief = statement(fact_kind, statement_kind, rng)
        one = turn(1, "statement", rng).model_copy(update={"statements": (brief,)})
        text = users(session(seed, ["statement"], turns=(one,)), seed)[0]
        assert text.count(brief.value) == (0 if statement_kind == "anaphora" else 1), text
        assert brief.previous_value in text
        assert brief.holder_name in text
        assert brief.holder_relation in text


def test_user_messages_keep_to_their_length():
    for seed in range(60):
        item = mixed(seed)
        for text in users(item, seed):
            assert 40 <= len(text.split()) <= 90, text


def test_many_statements_are_all_said_even_if_that_is_long():
    rng = random.Random(2)
    one = turn(1, "statement", rng, statements=6)
    text = users(session(2, ["statement"], turns=(one,)))[0]
    assert all(brief.value in text for brief in one.statements if brief.statement_kind != "anaphora")


def test_a_turn_has_about_two_hundred_tokens_on_average():
    counts = []
    for seed in range(60):
        for written in write_session(mixed(seed), random.Random(seed)).turns:
            counts.append(count_tokens(written.user) + count_tokens(written.assistant))
    assert 180 <= sum(counts) / len(counts) <= 250


def test_only_the_first_message_greets_and_at_the_right_hour():
    for hour, word in (("08:15", "morning"), ("14:15", "afternoon"), ("20:15", "evening")):
        first = Counter()
        for seed in range(80):
            turns = tuple(
                one.model_copy(
                    update={"local_time": hour, "statements": (statement("detail", "direct", random.Random(seed)),)}
                )
                for one in session(seed, ["statement"] * 3).turns
            )
            texts = [text.lower() for text in users(session(seed, [], turns=turns), seed)]
            first.update(part for part in ("morning", "afternoon", "evening") if texts[0].startswith(f"good {part}"))
            assert not any(text.startswith((f"good {word}", "hello")) for text in texts[1:])
        assert set(first) == {word}


def test_a_user_introduces_themselves_in_the_first_session_only():
    plain = ["small_talk"]
    first = " ".join(" ".join(users(session(seed, plain, session_number=1), seed)) for seed in range(40))
    later = " ".join(" ".join(users(session(seed, plain, session_number=5), seed)) for seed in range(40))
    assert "Ana Reis" in first
    assert "new to all this" not in later
    assert "first" not in [word for word in later.split() if word == "our first chat"]


def test_what_refers_to_the_turn_before_is_said_first():
    for seed in range(60):
        rng = random.Random(seed)
        briefs = (statement("detail", "direct", rng), statement("preference", "anaphora", rng))
        turns = tuple(
            one.model_copy(update={"statements": said})
            for one, said in zip(session(seed, ["statement"] * 2).turns, (briefs[:1], briefs), strict=True)
        )
        text = users(session(seed, [], turns=turns), seed)[1]
        assert 0 <= text.index("evening drink") < text.index("local bakery")


def test_a_mention_and_its_anaphora_in_one_message_keep_their_order():
    for seed in range(30):
        rng = random.Random(seed)
        one = turn(1, "statement", rng).model_copy(
            update={"statements": (statement("detail", "mention", rng), statement("preference", "anaphora", rng))}
        )
        text = users(session(seed, [], turns=(one,)), seed)[0]
        assert text.index("local bakery") < text.rindex("evening drink")


def test_a_session_repeats_no_sentence_of_its_own():
    for seed in range(30):
        rng = random.Random(seed)
        turns = tuple(
            turn(number, "statement", rng).model_copy(
                update={"area": "food", "statements": (statement("goal", STATEMENT_KINDS[number % 9], rng),)}
            )
            for number in range(1, 9)
        )
        texts = users(session(seed, [], turns=turns), seed)
        scenes = [item.source for item in contexts("food") if "[" not in item.source]
        assert all(sum(scene[:-1] in text for text in texts) <= 1 for scene in scenes)


def test_scenes_and_asks_keep_off_the_values_of_the_turn():
    for seed in range(200):
        rng = random.Random(seed)
        assert "flour" not in context("food", "release", rng, set(), ("flour",))
        assert "kitchen" not in closing_ask("food", "release", rng, set(), ("kitchen",))


def test_the_corpus_never_uses_scenes_and_asks_kept_for_releases():
    lists = [contexts("garden"), asks("garden"), asks("general"), links()]
    kept = {item.source for items in lists for item in items[len(for_edition(items, "corpus")) :]}
    assert kept
    for seed in range(60):
        turns = tuple(one.model_copy(update={"area": "garden"}) for one in session(seed, ["statement"] * 6).turns)
        text = " ".join(users(session(seed, [], turns=turns, edition="corpus"), seed))
        assert not any(source in text for source in kept if "[" not in source)


def test_an_occasion_says_when_it_was_and_what_the_caption_says():
    for seed in range(30):
        text = users(session(seed, ["occasion"]), seed)[0]
        assert "last Friday" in text
        assert "Max at the lake, first swim" in text


@pytest.mark.parametrize("missing", ["occasion_caption", "occasion_when"])
def test_an_occasion_without_caption_or_time_is_refused(missing):
    one = turn(1, "occasion", random.Random(1)).model_copy(update={missing: ""})
    with pytest.raises(OccasionIncomplete, match="Turn 1"):
        write_session(session(1, [], turns=(one,)), random.Random(1))


@pytest.mark.parametrize("act", ["statement", "small_talk", "errand", "occasion"])
def test_an_area_without_texts_is_refused(act):
    one = turn(1, act, random.Random(1)).model_copy(update={"area": "volcanoes"})
    with pytest.raises(UnknownAreaError, match="volcanoes"):
        write_session(session(1, [], turns=(one,)), random.Random(1))


@pytest.mark.parametrize(
    ("date", "time"), [("", ""), ("yesterday", "noon"), ("Freitag 2025-03-14", "9h"), ("x", "99:99")]
)
def test_a_date_or_time_in_another_form_only_costs_the_greeting_its_hint(date, time):
    for seed in range(20):
        turns = tuple(one.model_copy(update={"local_time": time}) for one in session(seed, ["statement"]).turns)
        assert users(session(seed, [], turns=turns, local_date=date), seed)
