"""As many questions as are asked for, balanced, the same every time, and what small lives give."""

from __future__ import annotations

import tomllib
from collections import Counter
from importlib import resources

import pytest

from lifeloom.records import ANSWER_TYPE_OF, LIFE_TASKS, PAPER_COUNTS
from lifeloom.streams import Streams
from lifeloom.synthesis.life_questions import LifeWorld, MadeQuestions, counts_for, make_questions
from lifeloom.synthesis.life_questions.drafts import NOT_IN_IMAGE
from tests.lifeloom.synthesis.life_questions.worlds import Photo, planned, world


def made(life: LifeWorld, total: int = 1631, seed: int = 1, edition="corpus") -> MadeQuestions:
    return make_questions(life, "release-1", counts_for(total), Streams(seed), edition=edition)


@pytest.mark.parametrize("total", [16_315, 1_631, 500, 100])
def test_counts_keep_the_papers_shares(total: int) -> None:
    counts = counts_for(total)
    assert sum(counts.values()) == total
    for place, count in PAPER_COUNTS.items():
        assert abs(counts[place] - total * count / 16_315) < 2
        assert counts[place] >= 1


def test_the_papers_own_total_gives_the_papers_own_counts() -> None:
    assert counts_for(16_315) == PAPER_COUNTS


def test_no_questions_are_none_of_any_task() -> None:
    assert set(counts_for(0).values()) == {0}


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_a_full_life_gives_nearly_as_many_as_the_paper_and_says_what_is_missing(seed: int) -> None:
    out = made(planned(seed))
    assert len(out.questions) + len(out.rejections) == 1631
    assert len(out.questions) >= 0.94 * 1631
    assert {one.question.task for one in out.questions} == set(LIFE_TASKS)
    for rejection in out.rejections:
        assert rejection.reason == "life_too_small"
        assert "are possible in this life" in rejection.detail
    assert len({one.item for one in out.rejections}) == len(out.rejections)


@pytest.mark.parametrize("total", [1631, 6524])
@pytest.mark.parametrize("seed", [11, 12, 13])
def test_no_letter_nor_answer_is_right_more_often_than_its_share(seed: int, total: int) -> None:
    questions = [one.question for one in made(planned(seed), total, edition="release").questions]
    for task in LIFE_TASKS:
        own = [one for one in questions if one.task == task]
        counts = Counter(one.answer for one in own)
        if ANSWER_TYPE_OF[task] == "multiple_choice":
            assert max(counts.values()) <= 0.30 * len(own) + 2
        elif ANSWER_TYPE_OF[task] == "binary":
            assert max(counts.values()) <= 0.55 * len(own) + 1
        else:
            assert max(counts.values()) <= max(4, 0.14 * len(own))
    absent = [one for one in questions if one.task == "concept_vqa" and one.options[3].text == NOT_IN_IMAGE]
    right = sum(one.answer == "d" for one in absent) / len(absent)
    assert 0.2 <= right <= 0.3
    zeros = [one.answer for one in questions if one.task == "frequency_and_counting"]
    assert zeros.count("0") <= 0.1 * len(zeros)


def test_whether_somebody_is_in_a_picture_is_not_told_by_their_name() -> None:
    own = [one.question for one in made(planned(11)).questions if one.question.task == "visual_concept_recognition"]
    for concept in {one.reference_ids[-1] for one in own}:
        answers = [one.answer for one in own if one.reference_ids[-1] == concept]
        assert 0.3 <= answers.count("yes") / len(answers) <= 0.7


def test_the_same_seed_gives_the_same_questions_and_another_seed_others() -> None:
    life = planned(11)
    assert made(life).questions == made(planned(11)).questions
    others = {one.question.question for one in made(life, seed=2).questions}
    assert {one.question.question for one in made(life).questions} != others


def test_questions_of_one_task_stay_when_another_task_is_not_asked_for() -> None:
    life = planned(11)
    counts = {place: count for place, count in counts_for(1631).items() if place[0] == "fine_grained_scene"}
    alone = make_questions(life, "release-1", counts, Streams(1), edition="corpus").questions
    assert alone == [one for one in made(life).questions if one.question.task == "fine_grained_scene"]


def test_questions_are_asked_once_each() -> None:
    questions = [one.question for one in made(planned(11)).questions]
    asked = Counter((one.task, one.question, one.picture_id) for one in questions)
    assert max(asked.values()) == 1
    assert len({one.question_id for one in questions}) == len(questions)


def stems(name: str) -> dict[str, list[str]]:
    folder = resources.files("lifeloom.synthesis.life_questions")
    return tomllib.loads(folder.joinpath(name).read_text("utf-8"))["stems"]


def first_words(stem: str) -> str:
    return stem.split("{")[0]


def test_a_third_of_the_ways_to_ask_appears_in_releases_only() -> None:
    common, release = stems("life_stems.toml"), stems("release_life_stems.toml")
    assert set(common) == set(release)
    for template, ways in common.items():
        assert not set(ways) & set(release[template])
        assert 0.3 <= len(release[template]) / (len(ways) + len(release[template])) <= 0.4
    life = planned(11)
    of_corpus = [one.question for one in made(life).questions]
    of_release = [one.question for one in made(life, edition="release").questions]
    own = {first_words(way): template for template, ways in release.items() for way in ways if first_words(way)}
    own = {
        start: template
        for start, template in own.items()
        if not any(first_words(way).startswith(start) for ways in common.values() for way in ways)
    }
    assert len(own) > 15
    assert not [one for one in of_corpus if any(one.question.startswith(start) for start in own)]
    found = {template for start, template in own.items() for one in of_release if one.question.startswith(start)}
    assert len(found) > 10


def test_every_stem_belongs_to_a_template_that_is_asked() -> None:
    asked = {one.question.template for seed in (11, 12, 13) for one in made(planned(seed)).questions}
    assert asked == set(stems("life_stems.toml"))


def test_a_life_of_one_event_gives_what_it_can() -> None:
    life = world(
        (("Ana", "owner"), ("Rosa", "mother"), ("Ben", "uncle")),
        [("2023-01-10", "hiking", "forest", [Photo("ab", "red mug, hat"), Photo("r", "drum")])],
        [("beach", Photo("ar", "balloon, cake")), ("park", Photo("b", "guitar, clock"))],
    )
    out = made(life, 400)
    assert len(out.questions) + len(out.rejections) == 400
    there = {one.question.task for one in out.questions}
    assert set(LIFE_TASKS) - there == {"relational_temporal_reasoning"}
    missing = [one for one in out.rejections if "relational_temporal_reasoning" in one.item]
    assert len(missing) == counts_for(400)["relational_temporal_reasoning", "hard"]
    assert {one.detail for one in missing} == {f"asked for {len(missing)}, 0 are possible in this life"}


def test_a_life_without_relatives_is_asked_about_its_owner_by_name() -> None:
    life = world(
        (("Ana", "owner"),),
        [
            ("2023-01-10", "hiking", "forest", [Photo("a", "red mug, hat"), Photo("a", "drum")]),
            ("2023-02-10", "baking", "kitchen", [Photo("a", "cake")]),
        ],
        [("beach", Photo("a", "balloon, cake")), ("park", Photo("", "guitar, clock"))],
    )
    out = made(life, 200)
    assert len(out.questions) + len(out.rejections) == 200
    assert out.questions
    assert not [one for one in out.questions if one.question.task == "relational_person_centric"]
    assert {one.question.difficulty for one in out.questions if one.question.task == "text_concept_qa"} == {"easy"}


def test_without_pictures_of_questions_there_are_none_about_pictures() -> None:
    life = world((("Ana", "owner"),), [("2023-01-10", "hiking", "forest", [Photo("a", "red mug, hat")])])
    assert not [one for one in made(life, 200).questions if one.question.has_picture]
