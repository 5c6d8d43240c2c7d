"""The built-in writer of lives: descriptions that differ, facts that stay, nothing that could be taken for a fact."""

import random
import re
import tomllib
from collections import Counter
from importlib import resources

import pytest

from lifeloom.models.builtin.painter.vocabulary import PLACES, THINGS
from lifeloom.models.builtin.reader.activities import activities_in
from lifeloom.models.builtin.writer.lives import (
    LifeNotWorded,
    refine_concepts,
    write_concept,
    write_event,
    write_event_story,
    write_life_story,
)
from lifeloom.synthesis.catalogue.life_activities import activities_for
from lifeloom.synthesis.catalogue.life_people import CAREERS, TASTES
from lifeloom.tasks import (
    ConceptLook,
    ConceptRefinementInput,
    ConceptWritingInput,
    EventPerson,
    EventStoryInput,
    EventWritingInput,
    LifeStoryInput,
    ShotBrief,
)

OWNER = EventPerson(name="Yara", role="Account Owner", called=("Yara",), named=False)
MINA = EventPerson(name="Mina", role="Owner's Mother", called=("Mina", "Mom", "my mother"), named=True)
REX = EventPerson(name="Rex", role="Owner's Dog", called=("Rex", "my dog"), named=False)
SHOT = ShotBrief(
    who=("Yara", "Mina"),
    things=("two red balloons", "a hat"),
    place="by the lake",
    time_of_day="at sunset",
    weather="in the rain",
)


def event(people=(OWNER, MINA, REX), words=("ice fishing",), owner="Yara", edition="corpus", **more):
    return EventWritingInput(
        owner=owner,
        activity=words[0] if words else "",
        activity_words=words,
        place="by the lake",
        says_place=more.pop("says_place", True),
        title="the ice fishing (lake)",
        date="2024-01-06",
        people=people,
        shots=(SHOT,),
        edition=edition,
        **more,
    )


def many(asked, count=200):
    return [write_event(asked, random.Random(number)).description for number in range(count)]


@pytest.mark.parametrize("words", ["ice fishing", "a long hike", "out on the bikes", "tea and gossip"])
def test_a_description_says_activity_place_and_company_and_nobody_else(words):
    for text in many(event(words=(words,))):
        assert words in text.lower()
        assert "by the lake" in text
        assert len(re.findall(r"\b(?:Mina|Mom|[Mm]y mother)\b", text)) == 1
        assert not re.search(r"Rex|dog|Yara", text)


def test_a_place_that_is_not_to_be_said_is_not_said():
    assert not any("lake" in text for text in many(event(says_place=False)))


def test_who_was_there_alone_says_so_and_speaks_of_nobody():
    for text in many(event(people=(OWNER,))):
        assert not re.search(r"\b(?:we|us|our|nobody|they)\b", text, re.IGNORECASE)
    assert any(re.search(r"all by myself|just me", text, re.IGNORECASE) for text in many(event(people=(OWNER,))))


def test_where_the_owner_was_not_there_no_description_says_that_the_owner_did_it():
    for people in ((MINA, REX), (REX,)):
        for text in many(event(people=people)):
            assert not re.search(r"and I,|and I (?:spent|had)|me and|talked me into|I said yes|myself", text)
            spent = re.search(r"(\w+) spent the day", text)
            assert spent is None or spent.group(1) in ("Mina", "Mom", "mother", "others")
            assert not re.search(r"Would do it all again|Slept like a stone", text)


def test_descriptions_of_many_events_differ_but_for_names():
    texts = Counter()
    for number in range(380):
        rng = random.Random(f"event {number}")
        words = rng.choice(activities_for("corpus")).words_for("corpus")
        people = rng.choice([(OWNER,), (OWNER, MINA), (OWNER, REX), (MINA,)])
        asked = event(people=people, words=words, owner=f"Owner {number // 38}", says_place=rng.random() < 0.5)
        text = write_event(asked, rng).description
        texts[re.sub(r"\b(?:Mina|Mom|[Mm]y mother)\b", "NAME", text)] += 1
    assert sum(count - 1 for count in texts.values()) <= 0.02 * 380


def test_owners_write_in_manners_of_their_own():
    shares = []
    for owner in ("Yara", "Ana", "Tove", "Kofi", "Ines", "Bao"):
        texts = many(event(owner=owner))
        marks = (
            sum("!" in text for text in texts),
            sum("#" in text for text in texts),
            sum(text[0].islower() for text in texts),
        )
        shares.append(tuple(mark > 100 for mark in marks))
    assert len(set(shares)) > 1


def test_the_same_chance_gives_the_same_words():
    assert write_event(event(), random.Random(1)) == write_event(event(), random.Random(1))


def test_captions_name_everybody_and_things_with_number_and_colour():
    for seed in range(30):
        (caption,) = write_event(event(), random.Random(seed)).captions
        for part in ("Yara and Mina", "two red balloons and a hat", "by the lake", "at sunset", "in the rain"):
            assert part.lower() in caption.lower()
    (empty,) = write_event(
        event().model_copy(update={"shots": (SHOT.model_copy(update={"who": ()}),)}), random.Random(1)
    ).captions
    assert "Yara" not in empty


def test_a_narrative_takes_up_the_seed_s_story():
    told = write_event(event(seed_story="A man sits on the ice. Two dogs wait."), random.Random(1)).narrative
    assert "A man sits on the ice. Two dogs wait." in told


@pytest.mark.parametrize(
    "story",
    [
        "A man and Zebulon sit there.",
        "Aiko on the ice.",
        "A picture of my mother.",
        "mom and dad",
        "A man. Mom too.",
        "A McDonald.",
    ],
)
def test_a_seed_s_story_that_may_name_somebody_stays_out_of_the_narrative(story):
    plain = write_event(event(), random.Random(1)).narrative
    assert write_event(event(seed_story=story), random.Random(1)).narrative == plain


def test_an_event_of_nothing_or_nobody_cannot_be_worded():
    with pytest.raises(LifeNotWorded, match="no way to say"):
        write_event(event(words=()), random.Random(1))
    with pytest.raises(LifeNotWorded, match="no way to say"):
        write_event(event(words=("", " ")), random.Random(1))
    with pytest.raises(LifeNotWorded, match="nobody is there"):
        write_event(event(people=()), random.Random(1))


def concept(**more):
    fields = {
        "name": "Yara",
        "role": "Account Owner",
        "kind": "person",
        "age": 40,
        "career": "a geologist",
        "tastes": ("old maps", "opera"),
        "traits": ("red curly hair", "glasses"),
        "edition": "release",
    }
    return ConceptWritingInput(**(fields | more))


def test_a_persona_says_work_and_tastes_and_the_description_every_trait():
    for seed in range(40):
        made = write_concept(concept(), random.Random(seed))
        for part in ("Yara", "a geologist", "old maps", "opera"):
            assert part in made.persona
        assert not re.search("hair|glasses", made.persona)
        assert "red curly hair and glasses" in made.visual_description


def test_children_and_pets_have_personas_too():
    for seed in range(20):
        child = write_concept(concept(career="", age=6), random.Random(seed)).persona
        assert "old maps" in child
        assert "geologist" not in child
        pet = write_concept(
            concept(kind="animal", species="dog", name="Rex", career="", tastes=(), traits=(), age=1),
            random.Random(seed),
        )
        assert "dog" in pet.visual_description
        assert "one year" in pet.persona
        assert "dog" in pet.persona


def test_kin_share_the_words_of_what_they_share():
    looks = [
        ConceptLook(name="Yara", role="Account Owner", visual_description="Yara.", traits=("red hair",), kin_traits=()),
        ConceptLook(
            name="Mina",
            role="Owner's Mother",
            visual_description="Mina has red hair and a beard.",
            traits=("red hair", "a beard"),
            kin_traits=("red hair",),
        ),
    ]
    first, second = refine_concepts(
        ConceptRefinementInput(concepts=tuple(looks), edition="corpus"), random.Random(1)
    ).visual_descriptions
    assert first == "Yara."
    assert second.startswith("Mina has red hair and a beard. ")
    assert "red hair" in second.split(". ", 1)[1].lower()
    assert "Yara" in second


def test_a_life_story_names_the_relatives_or_says_that_there_are_none():
    told = write_life_story(
        LifeStoryInput(name="Yara", age=40, career="a geologist", relatives=("Mina, mother, 66",), edition="corpus"),
        random.Random(1),
    ).life_story
    for part in ("Yara", "a geologist", "Mina (mother, 66)"):
        assert part in told
    alone = LifeStoryInput(name="Yara", age=40, career="a geologist", relatives=(), edition="corpus")
    assert re.search("nobody|alone", write_life_story(alone, random.Random(1)).life_story)


def test_a_day_s_captions_become_one_story_of_whole_sentences():
    told = write_event_story(EventStoryInput(day="", captions=("A dog", "A dog", "Two kites!")), random.Random(1)).story
    assert told == "A dog. Two kites!"
    long = write_event_story(EventStoryInput(day="", captions=tuple(f"Kite {n}" for n in range(900))), random.Random(1))
    assert len(long.story) <= 2800
    assert long.story.endswith(".")


def files():
    folder = resources.files("lifeloom.models.builtin.writer").joinpath("data")
    return [tomllib.loads(folder.joinpath(name).read_text("utf-8")) for name in ("lives.toml", "release_lives.toml")]


def test_nothing_around_the_facts_could_be_taken_for_one():
    names = [word for one in THINGS for word in (one.name, one.plural)] + [one.name for one in PLACES]
    facts = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b", re.IGNORECASE)
    for data in files():
        around = [*data["openings"], *data["closings"], *data["closings_away"], *data["tags"]]
        cores = [
            core.format(a="zzz", n="Xaver", ni="Xaver and I", p="")
            for kind in ("alone", "together", "unnamed", "away", "away_unnamed")
            for forms in data[kind].values()
            for core in forms
        ]
        for text in around + cores:
            assert activities_in(text) == (), text
        for text in around:
            assert facts.search(text) is None, text
        for text in (*data["personas"]["habits"], *data["personas"]["pet_habits"]):
            assert not any(fact.lower() in text.lower() for fact in (*TASTES, *CAREERS)), text


def test_a_third_of_the_wordings_is_a_release_s_alone_and_never_in_the_corpus():
    common, release = files()

    def phrases(data):
        for value in data.values():
            yield from phrases(value) if isinstance(value, dict) else value

    said, kept = list(phrases(common)), list(phrases(release))
    assert not set(said) & set(kept)
    assert 0.28 <= len(kept) / (len(said) + len(kept)) <= 0.4
    corpus = " ".join(text for owner in "ABCDEF" for text in many(event(owner=owner)))
    assert not any(text.rstrip(".") in corpus for text in release["closings"])
    in_release = " ".join(text for owner in "ABCDEF" for text in many(event(owner=owner, edition="release")))
    assert any(text in in_release for text in release["closings"])
