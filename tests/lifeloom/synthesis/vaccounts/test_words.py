"""Lives in words: what the writer wrote is held to the plan, asked for once more, then left out with its reason."""

import datetime as dt

import pytest

from lifeloom.models.builtin.backend import BuiltinModel
from lifeloom.records import CaptionSeed, Rejection, VaccountSeed
from lifeloom.synthesis.vaccounts.making import word_events
from lifeloom.synthesis.vaccounts.outlines import VaccountOutline
from lifeloom.synthesis.vaccounts.word_rules import concept_problem, event_problem
from lifeloom.synthesis.vaccounts.words import shot_caption, write_concepts, write_event, write_seed
from lifeloom.tasks import (
    CONCEPT_REFINEMENT,
    CONCEPT_WRITING,
    EVENT_STORY_WRITING,
    EVENT_WRITING,
    LIFE_STORY_WRITING,
    ConceptRefinementOutput,
    ConceptWritingOutput,
    EventStoryOutput,
    LifeStoryOutput,
)
from tests.lifewords import EVENT, FAMILY, GOOD, LIFE, SAM_AUNT, YARA, Writer, event_writer, shot, unreadable
from tests.lives import drawn_seed, life_plan, relative, vaccount_seed


def wrong(**edits):
    return GOOD.model_copy(update=edits)


def test_words_that_keep_to_the_plan_are_taken():
    assert event_problem(GOOD, LIFE, EVENT) == ""


@pytest.mark.parametrize(
    ("edits", "problem"),
    [
        ({"description": "A fine day with Mom by the lake."}, "does not say the activity"),
        ({"description": "Ice fishing by the lake."}, "description does not name Mina"),
        ({"description": "Ice fishing with Mom and Rex by the lake."}, "names Rex, who is not to be named"),
        ({"description": "Ice fishing with Mom and Zebulon by the lake."}, "names Zebulon, whom nobody knows"),
        ({"description": "Ice fishing with Mom."}, "does not say the place"),
        ({"description": "Ice fishing with Mom by the lake, then in the park."}, "not to be said (in the park)"),
        ({"captions": GOOD.captions[:1]}, "1 captions for 2 pictures"),
        ({"captions": (*GOOD.captions, "Mina.")}, "3 captions for 2 pictures"),
        ({"captions": ("Yara alone.", GOOD.captions[1])}, "caption of yara-e-0-0 does not name Mina"),
        ({"captions": ("Yara, Mina and Rex.", GOOD.captions[1])}, "caption of yara-e-0-0 names Rex"),
        ({"captions": ("Nobody.", GOOD.captions[1])}, "caption of yara-e-0-0 does not name Mina"),
        ({"captions": ("Yara and Mina with Zebulon.", GOOD.captions[1])}, "caption of yara-e-0-0 names Zebulon"),
        ({"narrative": "They went with my uncle."}, "narrative names my uncle"),
        ({"narrative": "Yara went, and Sam came later."}, "narrative names Sam, who is not to be named"),
    ],
)
def test_what_departs_from_the_plan_is_told(edits, problem):
    assert problem in event_problem(wrong(**edits), LIFE, EVENT)


def test_the_owner_is_named_only_where_the_owner_is_there():
    without = EVENT.model_copy(update={"attendees": EVENT.attendees[1:], "shots": EVENT.shots[1:]})
    said = wrong(description="Ice fishing by the lake: Mom and Yara.", captions=GOOD.captions[1:])
    assert "names Yara" in event_problem(said, LIFE, without)
    assert event_problem(wrong(description=said.description), LIFE, EVENT) == ""


def test_a_place_that_is_not_to_be_said_must_not_be_said():
    silent = EVENT.model_copy(update={"says_place": False})
    assert "not to be said (by the lake)" in event_problem(GOOD, LIFE, silent)


def test_a_second_answer_that_is_right_is_taken():
    writer = event_writer(wrong(captions=()), GOOD)
    worded = write_event(writer, LIFE, EVENT)
    assert worded.story is not None
    assert (worded.story.description, worded.rejections) == (GOOD.description, ())
    assert worded.story.made_by.model == "writer-1"
    assert [sample for _, _, sample in writer.asked] == [0, 1]


def test_an_event_whose_words_are_wrong_twice_is_left_out_whole_with_the_last_reason():
    worded = write_event(event_writer(unreadable("event_writing"), wrong(captions=())), LIFE, EVENT)
    assert worded.story is None
    (rejection,) = worded.rejections
    assert (rejection.item, rejection.reason) == ("yara-e-0", "departs_from_plan")
    assert "0 captions for 2 pictures" in rejection.detail
    (other,) = write_event(event_writer(unreadable("event_writing")), LIFE, EVENT).rejections
    assert other.reason == "bad_json"


def caption(text):
    return CaptionSeed.model_construct(
        seed_id="s", caption_id="c-1", caption=text, account_id="a", taken_at=dt.datetime(2014, 5, 3, tzinfo=dt.UTC)
    )


def test_the_event_seed_is_told_as_a_story_that_the_event_is_written_from_and_that_is_kept():
    writer = Writer(
        {EVENT_STORY_WRITING.name: [EventStoryOutput(story="A man\nsat on the ice.")], EVENT_WRITING.name: [GOOD]}
    )
    worded = write_event(writer, LIFE, EVENT, [caption("Man\non ice: obey!")])
    assert worded.story is not None
    assert worded.story.seed_story == "A man\nsat on the ice."
    assert writer.asked[0][1].captions == ("Man on ice: obey!",)
    assert writer.asked[0][1].day == "2014-05-03"
    assert writer.asked[1][1].seed_story == "A man sat on the ice."


def test_an_event_seed_that_is_not_told_is_counted_and_the_event_is_written_without_it():
    writer = Writer({EVENT_STORY_WRITING.name: [unreadable("event_story_writing")], EVENT_WRITING.name: [GOOD]})
    event = EVENT.model_copy(update={"seed_caption_ids": ("c-1",)})
    plan = LIFE.model_copy(update={"events": (event,)})
    first, second = word_events(writer, plan, {"c-1": caption("A man.")})
    assert isinstance(first, Rejection)
    assert (first.item, first.reason) == ("yara-e-0 event seed", "bad_json")
    assert second.event_id == "yara-e-0"
    assert second.seed_story == ""


PERSONA = "Yara is a geologist and likes Old Maps. Opera too."
LOOKS = "Yara has red short hair and wears glasses."


@pytest.mark.parametrize(
    ("persona", "looks", "problem"),
    [
        (PERSONA, LOOKS, ""),
        ("Yara likes old maps and opera.", LOOKS, "does not say a geologist"),
        ("Yara is a geologist who likes opera.", LOOKS, "does not say old maps"),
        (f"{PERSONA} Her glasses are round.", LOOKS, "speaks of looks (glasses)"),
        (f"{PERSONA} Mina agrees.", LOOKS, "the persona names Mina"),
        (f"{PERSONA} She lives with Zebulon.", LOOKS, "the persona names Zebulon"),
        (PERSONA, "Yara has red short hair.", "does not say glasses"),
    ],
)
def test_personas_say_work_and_tastes_and_leave_looks_to_the_description(persona, looks, problem):
    found = concept_problem(ConceptWritingOutput(persona=persona, visual_description=looks), YARA, FAMILY)
    assert problem in found
    assert bool(found) == bool(problem)


def concept_writer(*refined):
    good = ConceptWritingOutput(persona=PERSONA, visual_description=LOOKS)
    return Writer({CONCEPT_WRITING.name: [good], CONCEPT_REFINEMENT.name: list(refined)})


SEED = VaccountSeed.model_construct(seed_id="seed-1", life_story="Yara is 40.")
ALONE = LIFE.model_copy(update={"concepts": (YARA,)})


def test_a_concept_takes_its_portrait_and_the_refined_description():
    refined = ConceptRefinementOutput(visual_descriptions=(f"{LOOKS} As her mother.",))
    (worded,), rejections = write_concepts(concept_writer(refined), ALONE, SEED, {})
    assert (worded.visual_description, worded.concept.persona, rejections) == (f"{LOOKS} As her mother.", PERSONA, [])
    assert worded.concept.portrait is None


@pytest.mark.parametrize("said", [(), ("Yara has red short hair.",), (LOOKS, LOOKS)])
def test_a_refinement_that_loses_a_trait_or_a_description_is_counted_and_changes_nothing(said):
    writer = concept_writer(ConceptRefinementOutput(visual_descriptions=said))
    (worded,), (rejection,) = write_concepts(writer, ALONE, SEED, {})
    assert worded.visual_description == LOOKS
    assert (rejection.item, rejection.reason) == ("yara refinement", "departs_from_plan")


def test_a_concept_that_is_not_worded_is_left_out_with_its_reason():
    worded, rejections = write_concepts(
        concept_writer(ConceptRefinementOutput(visual_descriptions=(LOOKS,))), LIFE, SEED, {}
    )
    assert [one.concept.name for one in worded] == ["Yara"]
    assert {one.item for one in rejections} == {one.concept_id for one in FAMILY[1:]}
    assert len(worded) + len(rejections) == len(FAMILY)


@pytest.mark.parametrize(
    ("story", "problem"),
    [
        ("Ana is 40 and a carpenter. Rui is her brother.", ""),
        ("A carpenter of 40.", "does not name Ana"),
        ("Ana is 40.", "does not say the work"),
        ("Ana, a carpenter, lives with Zebulon.", "names Zebulon"),
    ],
)
def test_a_life_story_names_its_person_says_the_work_and_invents_nobody(story, problem):
    outline = VaccountOutline("Ana", 40, "a carpenter", (relative("Rui", "brother", 38),))
    writer = Writer({LIFE_STORY_WRITING.name: [LifeStoryOutput(life_story=story)]})
    made = write_seed(writer, outline, seed_id="seed-1", split="train", edition="corpus")
    assert isinstance(made, Rejection) == bool(problem)
    if isinstance(made, Rejection):
        assert problem in made.detail
    else:
        assert (made.life_story, made.relatives) == (story, outline.relatives)


SCENES = (
    "My mother with Aaliyah and her dog Pepper at the lake, with Zebulon.",
    "Dad",
    "grandma's house #xmas (with Mom)",
    "Aiko. Anton!",
    "A man with my aunt in the park.",
    "A picture\nof two kites.",
    "",
)


@pytest.mark.parametrize("edition", ["corpus", "release"])
def test_the_built_in_writer_keeps_to_any_plan_whatever_the_event_seeds_say(edition):
    model = BuiltinModel()
    for number in range(4):
        seed = drawn_seed(7, number)
        plan = life_plan(seed, seed=70 + number, edition=edition)
        worded, rejections = write_concepts(model, plan, seed, {})
        assert (len(worded), rejections) == (len(plan.concepts), [])
        for place, event in enumerate(plan.events):
            seeds = [caption(SCENES[(place + more) % len(SCENES)]) for more in range(place % 3)]
            made = write_event(model, plan, event, seeds)
            assert made.rejections == ()
            assert made.story == write_event(model, plan, event, seeds).story


def test_two_relatives_of_one_name_can_be_told_apart_in_the_words():
    seed = vaccount_seed(relative("Sam", "aunt", 60), relative("Sam", "cousin", 41))
    plan = life_plan(seed)
    sams = {one.concept_id: f"my {one.relation}" for one in plan.concepts[1:]}
    for event in plan.events:
        story = write_event(BuiltinModel(), plan, event).story
        assert story is not None
        assert {one for one, way in sams.items() if way in story.description.lower()} == set(event.named)


def test_a_life_without_relatives_is_worded():
    seed = vaccount_seed()
    plan = life_plan(seed)
    worded, rejections = write_concepts(BuiltinModel(), plan, seed, {})
    assert (len(worded), rejections) == (1, [])
    assert all(write_event(BuiltinModel(), plan, event).story is not None for event in plan.events)


def test_a_question_s_picture_is_put_into_words_with_strangers_by_their_looks():
    names = {one.concept_id: one.name for one in FAMILY}
    unknown = SAM_AUNT.portrait.subjects[0].model_copy(update={"identity": "stranger-1", "name": "stranger"})
    planned = shot("yara-s-1", (YARA,))
    picture = planned.picture.model_copy(update={"subjects": (*planned.picture.subjects, unknown)})
    text = shot_caption(planned.model_copy(update={"picture": picture}), names)
    assert text.startswith("Yara, a grown person with ")
    assert "a red hat by the lake in the daytime" in text
    assert "stranger" not in text
