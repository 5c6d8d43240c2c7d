"""Checks of training sets: lengths, repeated ids, questions that a release asks too."""

from __future__ import annotations

from lifeloom.models.tokens import count_tokens
from lifeloom.records import BY_CODE, PictureReference, SftExample, TrainingMessage
from lifeloom.synthesis.supervision import (
    example_tokens,
    length_lines,
    repeated_ids,
    rl_prompts,
    shared_questions,
)
from tests.evaluation.examples import case


def test_an_example_is_as_long_as_its_texts_and_its_pictures() -> None:
    shown = PictureReference(content_hash=f"{1:064x}", width=280, height=56)  # 10 x 2 patches of 28
    messages = (
        TrainingMessage(role="user", text="What is it? <img>"),
        TrainingMessage(role="assistant", text="A boat."),
    )
    example = SftExample(
        example_id="sft-1",
        family="concept",
        kind="presence",
        user_id="u",
        messages=messages,
        pictures=(shown,),
        made_by=BY_CODE,
    )
    assert example_tokens(example) == count_tokens("What is it? <img>") + count_tokens("A boat.") + 20


def test_lengths_are_told_by_family() -> None:
    (row,) = length_lines({"concept": [*range(1, 101)], "empty": []})
    assert row == {"family": "concept", "examples": 100, "median tokens": 51, "95 % below": 96, "longest": 100}


def test_an_id_that_is_there_twice_is_found() -> None:
    assert repeated_ids(["a", "b", "a"]) == ["a is there twice"]
    assert repeated_ids(["a", "b"]) == []


def test_a_question_with_the_same_options_in_any_order_is_a_releases() -> None:
    options = ("mint tea", "pale ale", "red wine", "hot cocoa")
    own = case("own", query="What do I drink?", options=options)
    same = case("theirs", query="what do I  drink?", options=options[::-1])
    assert shared_questions([own], [same]) == ["own asks what theirs of a release asks, with the same options"]
    assert shared_questions([own], [case("theirs", options=(*options[:3], "water"))]) == []
    assert shared_questions([own], [case("theirs", query="What do I eat?", options=options)]) == []


def test_prompts_are_held_against_releases_too() -> None:
    own = case("own", task="GNS")
    prompts = list(rl_prompts([own], memories="m", dialogues="d"))
    assert shared_questions(prompts, [own]) == ["own asks what own of a release asks, with the same options"]
