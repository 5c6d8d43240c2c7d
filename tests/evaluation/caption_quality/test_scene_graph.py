"""Tuples of captions, and their F1."""

from __future__ import annotations

import pytest

from evaluation.caption_quality.scene_graph import scene_graph, scene_graph_f1


def test_a_caption_is_its_objects_attributes_and_relations() -> None:
    assert scene_graph("A red cup on the wooden desk.") == {
        ("cup",),
        ("cup", "red"),
        ("desk",),
        ("desk", "wooden"),
        ("cup", "on", "desk"),
    }


def test_what_somebody_is_doing_links_them_to_a_thing() -> None:
    graph = scene_graph("A man pulling a red cart")
    assert ("man", "pull", "cart") in graph
    assert ("cart", "red") in graph


def test_things_of_different_sentences_are_not_related() -> None:
    assert not [one for one in scene_graph("A cup. On the desk is a lamp.") if one[0] == "cup" and len(one) > 1]


def test_f1_is_of_the_tuples_that_caption_and_references_share() -> None:
    # Caption: cup, cup red, desk, cup on desk. References together: cup, cup blue, desk, cup on desk, lamp.
    # 3 shared of 4 and 5.
    references = ["A blue cup on the desk.", "A lamp."]
    assert scene_graph_f1("A red cup on the desk.", references) == pytest.approx(2 * 3 / (4 + 5))


@pytest.mark.parametrize(("caption", "reference"), [("", "A cup."), ("A cup.", "It is."), ("A cup.", "A lamp.")])
def test_nothing_shared_scores_nothing(caption: str, reference: str) -> None:
    assert scene_graph_f1(caption, [reference]) == 0.0


def test_the_same_caption_scores_one() -> None:
    text = "A person with black hair and a dog in the park."
    assert scene_graph_f1(text, [text]) == 1.0
