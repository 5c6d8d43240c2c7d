"""That Big Five scores show in how the user talks, and only there."""

import itertools
import random

import pytest

from lifeloom.models.builtin.writer.editions import for_edition
from lifeloom.models.builtin.writer.manner import PLACES, POLES, Sentence, devices, speak, talkativeness
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
