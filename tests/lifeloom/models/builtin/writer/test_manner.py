"""That Big Five scores show in how the user talks, and only there."""

import itertools
import random

import pytest

from lifeloom.models.builtin.writer.editions import for_edition
from lifeloom.models.builtin.writer.manner import (
    PLACES,
    POLES,
    Sentence,
    clashing_moods,
    devices,
    moods_of,
    speak,
    talkativeness,
)
from lifeloom.models.builtin.writer.wordings import load
from lifeloom.records import TRAITS
from lifeloom.tasks import TraitScores

FACT = "My blood type is O negative, and Zoë knows since 14 March 2025."
SCENE = "The kettle is on."
ASK = "What now?"


def traits(**scores: float) -> TraitScores:
    return TraitScores(**(dict.fromkeys(TRAITS, 3.0) | scores))


def spoken(scores: TraitScores, seed: int, edition: str = "release", **options) -> str:
    message = [Sentence(SCENE), Sentence(FACT, free=False), Sentence(ASK, free=False)]
    return speak(message, scores, edition, random.Random(seed), **({"room": 200, "used": set()} | options))


def sources(trait: str, pole: str, edition: str = "release") -> set[str]:
    return {item.source for place in PLACES for item in for_edition(devices(trait, pole, place), edition)}


def habits(text_used: set[str], trait: str, pole: str) -> int:
    return len(text_used & sources(trait, pole))


def count_habits(trait: str, pole: str, score: float, samples: int = 300) -> int:
    total = 0
    for seed in range(samples):
        used: set[str] = set()
        spoken(traits(**{trait: score}), seed, used=used)
        total += habits(used, trait, pole)
    return total


@pytest.mark.parametrize(("trait", "pole"), list(itertools.product(TRAITS, POLES)))
def test_each_pole_has_at_least_twelve_habits_also_in_the_corpus(trait, pole):
    assert len(sources(trait, pole)) >= 12
    assert len(sources(trait, pole, "corpus")) >= 12


def test_no_habit_belongs_to_two_poles():
    everything = [item for trait, pole in itertools.product(TRAITS, POLES) for item in sources(trait, pole)]
    assert len(everything) == len(set(everything))


def test_a_neutral_user_speaks_plainly():
    assert all(spoken(traits(), seed) == f"{SCENE} {FACT} {ASK}" for seed in range(50))


@pytest.mark.parametrize("trait", TRAITS)
def test_habits_grow_with_the_distance_from_neutral_on_both_sides(trait):
    high = [count_habits(trait, "high", score) for score in (2, 3, 3.5, 4, 5)]
    low = [count_habits(trait, "low", score) for score in (4, 3, 2.5, 2, 1)]
    for counts in (high, low):
        assert counts[:2] == [0, 0]
        assert 0 < counts[2] < counts[3] < counts[4]


def test_exclamations_and_length_rise_with_extraversion():
    marks = [sum(spoken(traits(extraversion=score), seed).count("!") for seed in range(300)) for score in (1, 3, 4, 5)]
    assert marks[0] == marks[1] == 0 < marks[2] < marks[3]
    assert talkativeness(traits(extraversion=1)) < 0 < talkativeness(traits(extraversion=5))
    assert talkativeness(traits()) == 0


@pytest.mark.parametrize("score", [1, 5])
def test_what_is_stated_is_never_touched(score):
    for seed in range(200):
        text = spoken(traits(**dict.fromkeys(TRAITS, score)), seed)
        assert FACT in text
        assert ASK in text
        assert text.count("2025") == 1


def test_habits_keep_within_the_room():
    plain = len(f"{SCENE} {FACT} {ASK}".split())
    for seed in range(200):
        assert len(spoken(traits(**dict.fromkeys(TRAITS, 5)), seed, room=12).split()) <= plain + 12


def test_nothing_is_put_in_front_of_what_refers_to_the_message_before():
    message = [Sentence("That one it is.", free=False, bound=True), Sentence(ASK, free=False)]
    for seed in range(200):
        text = speak(message, traits(**dict.fromkeys(TRAITS, 5)), "release", random.Random(seed), room=99, used=set())
        assert text.startswith("That one it is.")


def test_a_greeting_comes_first():
    assert all(
        spoken(traits(**dict.fromkeys(TRAITS, 1)), seed, greeting="Hello.").startswith("Hello. ") for seed in range(50)
    )


def test_habits_avoid_the_values_of_the_turn():
    for seed in range(300):
        text = spoken(traits(openness=5), seed, avoid=("poem", "moon", "painting"))
        assert not any(word in text.replace(FACT, "") for word in ("poem", "moon", "painting"))


def test_the_corpus_never_uses_habits_kept_for_releases():
    for seed in range(300):
        used: set[str] = set()
        spoken(traits(**dict.fromkeys(TRAITS, 1 if seed % 2 else 5)), seed, edition="corpus", used=used)
        allowed = {item for trait, pole in itertools.product(TRAITS, POLES) for item in sources(trait, pole, "corpus")}
        assert used <= allowed


def test_the_same_seed_says_the_same():
    scores = traits(openness=4.4, neuroticism=1.3)
    assert [spoken(scores, seed) for seed in range(20)] == [spoken(scores, seed) for seed in range(20)]


EXTREMES = list(itertools.product((1, 5), repeat=5))


def habits_said(scores: TraitScores, seed: int) -> list[tuple[str, str, str]]:
    used: set[str] = set()
    spoken(scores, seed, used=used)
    every = ((trait, pole, source) for trait in TRAITS for pole in POLES for source in sorted(sources(trait, pole)))
    return [item for item in every if item[2] in used]


def test_a_message_has_at_most_three_habits_and_none_whose_moods_clash():
    seen = 0
    for scores in EXTREMES:
        for seed in range(25):
            said = habits_said(traits(**dict(zip(TRAITS, scores, strict=True))), seed)
            assert len(said) <= 3
            for one, other in itertools.combinations(said, 2):
                seen += 1
                assert not moods_of(*one) & clashing_moods(moods_of(*other)), (one, other)
    assert seen > 500


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("agreeableness", "low"), ("neuroticism", "high")),
        (("agreeableness", "low"), ("neuroticism", "low")),
        (("agreeableness", "low"), ("extraversion", "high")),
        (("extraversion", "high"), ("neuroticism", "high")),
        (("extraversion", "high"), ("neuroticism", "low")),
    ],
)
def test_bluntness_exuberance_calm_and_worry_do_not_meet_in_one_message_though_each_shows(one, other):
    scores = traits(**{trait: 5 if pole == "high" else 1 for trait, pole in (one, other)})
    met = [{(trait, pole) for trait, pole, _ in habits_said(scores, seed)} for seed in range(150)]
    assert not [poles for poles in met if len(poles) > 1]
    assert sum(one in poles for poles in met) > 30
    assert sum(other in poles for poles in met) > 30


def test_every_habit_with_a_mood_of_its_own_exists():
    everything = {item for trait, pole in itertools.product(TRAITS, POLES) for item in sources(trait, pole)}
    assert not [
        habit for habits in load("manner")["moods"]["habits"].values() for habit in habits if habit not in everything
    ]
    named = {mood for pair in load("manner")["moods"]["clashes"] for mood in pair}
    assert named <= {*load("manner")["moods"]["habits"], *load("manner")["moods"]["poles"].values()}


def test_habits_also_grow_with_the_distance_when_all_other_traits_are_marked():
    for trait in TRAITS:
        counts = []
        for score in (3, 4, 5):
            others = dict.fromkeys(TRAITS, 4.5) | {trait: score}
            counts.append(sum(item[0] == trait for seed in range(400) for item in habits_said(traits(**others), seed)))
        assert counts[0] == 0 < counts[1] < counts[2]
