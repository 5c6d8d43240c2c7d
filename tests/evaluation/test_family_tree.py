"""The drawing of a family: elders above, children below, pets and friends last."""

from __future__ import annotations

from evaluation.family_tree import family_tree
from lifeloom.records import BY_CODE, Concept


def concept(name, role, kind="person"):
    return Concept(
        concept_id=f"ana-c-{name.lower()}", vaccount_id="ana", name=name, role=role, kind=kind, made_by=BY_CODE
    )


OWNER = concept("Ana", "Account Owner")


def test_generations_stand_from_above_to_below_and_pets_and_friends_under_them():
    tree = family_tree(
        [
            OWNER,
            concept("Moss", "Owner's Dog", "animal"),
            concept("Rylen", "Owner's Grandson"),
            concept("Mo", "Owner's Mother"),
            concept("Lu", "Owner's Daughter"),
            concept("Gus", "Owner's Grandfather"),
            concept("Kim", "Owner's Best Friend"),
        ]
    )
    heights = {one.concept.name: one.y for one in tree.nodes}
    assert heights["Gus"] < heights["Mo"] < heights["Ana"] < heights["Lu"] < heights["Rylen"] < heights["Moss"]
    assert heights["Moss"] == heights["Kim"]
    assert {one.concept.name: one.relation for one in tree.nodes}["Rylen"] == "grandson"


def test_lines_go_from_the_owner_to_kin_and_friends_and_pets_stand_under_a_rule():
    tree = family_tree([OWNER, concept("Mo", "Owner's Mother"), concept("Moss", "Owner's Dog", "animal")])
    places = {(one.x, one.y): one.concept.name for one in tree.nodes}
    assert [(places[(line.x1, line.y1)], places[(line.x2, line.y2)]) for line in tree.lines] == [("Ana", "Mo")]
    heights = {one.concept.name: one.y for one in tree.nodes}
    assert heights["Ana"] < tree.rule < heights["Moss"]
    assert family_tree([OWNER]).rule is None


def test_a_large_family_stays_as_narrow_as_a_phone_and_nobody_stands_on_somebody_else():
    tree = family_tree([OWNER, *(concept(f"C{number}", "Owner's Cousin") for number in range(11))])
    assert tree.width == 360
    places = [(one.x, one.y) for one in tree.nodes]
    assert len(set(places)) == 12
    for x, y in places:
        assert 54 <= x <= tree.width - 54
        assert 36 < y < tree.height - 67
        assert all(abs(x - other) >= 120 for other, height in places if height == y and other != x)


def test_without_an_owner_there_are_no_lines_and_without_anybody_there_is_no_tree():
    assert family_tree([concept("Mo", "Owner's Mother")]).lines == ()
    assert family_tree([]).nodes == ()
