from __future__ import annotations

import random
import re
import statistics

import pytest

from lifeloom.models.builtin.writer.alignment import write_alignment
from lifeloom.models.builtin.writer.editions import for_edition
from lifeloom.models.builtin.writer.wordings import load
from lifeloom.records import TRAITS
from lifeloom.tasks.alignment_writing import AlignmentWritingInput
from lifeloom.tasks.persona_enrichment import TraitScores


def _task(trait="openness", score=4.4, content="a walk along the canal", edition="release"):
    scores = dict.fromkeys(TRAITS, 3.0) | {trait: score}
    return AlignmentWritingInput(
        query="What should I do tonight?", content=content, traits=TraitScores(**scores), trait=trait, edition=edition
    )


@pytest.mark.parametrize("trait", TRAITS)
def test_a_user_with_the_mirrored_score_gets_the_pair_the_other_way_round(trait):
    for seed in range(50):
        high = write_alignment(_task(trait, 4.4), random.Random(seed))
        low = write_alignment(_task(trait, 1.6), random.Random(seed))
        assert (high.chosen, high.rejected) == (low.rejected, low.chosen)
        assert high.chosen != high.rejected


@pytest.mark.parametrize("trait", TRAITS)
def test_each_side_speaks_in_the_manner_of_its_pole_only(trait):
    manners = load("alignment")[trait]
    for seed in range(50):
        pair = write_alignment(_task(trait, 4.4), random.Random(seed))
        for text, own, other in ((pair.chosen, "high", "low"), (pair.rejected, "low", "high")):
            assert any(text.startswith(sentence) for sentence in manners[own]["before"])
            assert not any(sentence in text for part in manners[other].values() for sentence in part)


@pytest.mark.parametrize("trait", TRAITS)
def test_both_sides_carry_the_same_content_at_the_same_place_and_are_of_like_length(trait):
    for seed in range(200):
        pair = write_alignment(_task(trait), random.Random(seed))
        sides = [pair.chosen, pair.rejected]
        assert all("a walk along the canal." in side for side in sides)
        lengths = [len(side.split()) for side in sides]
        assert all(40 <= length <= 70 for length in lengths), sides
        assert max(lengths) <= 1.15 * min(lengths)
        sentences = [side.split("a walk along the canal.")[0].rsplit(". ", 1)[-1].rsplit("! ", 1)[-1] for side in sides]
        assert sentences[0] == sentences[1]


def test_length_does_not_tell_which_side_is_chosen():
    differences = [
        len(pair.chosen.split()) - len(pair.rejected.split())
        for trait in TRAITS
        for seed in range(200)
        for pair in [write_alignment(_task(trait), random.Random(seed))]
    ]
    assert abs(statistics.mean(differences)) < 0.5


@pytest.mark.parametrize("trait", TRAITS)
def test_there_are_a_dozen_wordings_a_pole(trait):
    for pole in ("high", "low"):
        for part in ("before", "after"):
            assert len(set(load("alignment")[trait][pole][part])) >= 12


def test_long_or_odd_content_is_carried_cleanly():
    pair = write_alignment(_task(content="go\x00 slowly {pole} " + "on " * 500), random.Random(1))
    assert "\x00" not in pair.chosen
    assert "{pole}" in pair.chosen
    assert len(pair.chosen) < 3000


def test_the_corpus_never_uses_what_is_for_releases_only():
    kept_back = [
        sentence
        for trait in TRAITS
        for pole in ("high", "low")
        for texts in load("alignment")[trait][pole].values()
        for sentence in texts[len(for_edition(texts, "corpus")) :]
    ]
    said = ""
    for trait in TRAITS:
        for seed in range(150):
            pair = write_alignment(_task(trait, edition="corpus"), random.Random(seed))
            said += f"{pair.chosen}\n{pair.rejected}\n"
    assert not [sentence for sentence in kept_back if sentence in said]


CONTENTS = ("You told me it is the bay window", "A jar of honey", "Your yoga teacher", "You said you would get a watch")

# What a sentence would say of a thing to do, to buy or to take part in; a recalled fact is none of these.
DOING = re.compile(
    r"\b(guess the|amounts|file the|buy|invite|do it|do the|start with|start anywhere|step one|set a reminder"
    r"|schedule|deadline|decide|improvise|the harder version|skip the dull|last minute|drop it|routine is set|mix in"
    r"|sketch|choose an hour|sit with|crowded|demand|walk off|put your own|the first piece|make it an event|try)\b",
    re.IGNORECASE,
)


def test_no_sentence_around_the_content_says_what_to_do_with_it():
    manners = load("alignment")
    texts = [*manners["content"]["frames"]]
    texts += [text for trait in TRAITS for pole in manners[trait].values() for part in pole.values() for text in part]
    assert not [text for text in texts if DOING.search(text)]
    assert len(set(texts)) == len(texts)
    assert not [frame for frame in manners["content"]["frames"] if re.search(r"pick|choice|suggest|go for", frame)]


@pytest.mark.parametrize("content", CONTENTS)
def test_facts_things_and_suggestions_stand_as_an_answer_of_their_own(content):
    for trait in TRAITS:
        for seed in range(20):
            pair = write_alignment(_task(trait, content=content), random.Random(seed))
            for side in (pair.chosen, pair.rejected):
                assert f": {content}." in side
                assert side.count(content) == 1


def test_the_poles_are_of_like_length():
    for trait in TRAITS:
        for part in ("before", "after"):
            high, low = (load("alignment")[trait][pole][part] for pole in ("high", "low"))
            lengths = [statistics.mean(len(text.split()) for text in texts) for texts in (high, low)]
            assert abs(lengths[0] - lengths[1]) < 2
            assert all(9 <= len(text.split()) <= 18 for text in (*high, *low))
