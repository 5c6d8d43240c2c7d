"""The built-in vote on candidates: by who and what the eyes see in them."""

import numpy as np
import pytest

from lifeloom.models.builtin.eyes.sight import SeenPerson, SeenThing, Sight
from lifeloom.models.builtin.reader.looking import looked_at
from lifeloom.models.builtin.reader.pictured import vote_on
from lifeloom.tasks import CandidateVoteInput

BOX = (0.0, 0.0, 10.0, 10.0)
THRESHOLD = 0.75


def face(number):
    """A face of its own for each number; halves lie between two."""
    low, share = int(number), number % 1
    vector = np.zeros(64, dtype=np.float32)
    vector[low], vector[low + 1] = 1 - share, share
    return vector / np.linalg.norm(vector)


def seen(*people, things=()):
    return looked_at(
        Sight(
            width=512,
            height=512,
            people=tuple(SeenPerson(BOX, 1.0, face(one), 0.1) for one in people),
            things=tuple(
                SeenThing("animal" if one == "dog" else "object", BOX, 1.0, one, 0.9, "red", 0.9) for one in things
            ),
            place="lake",
            place_score=0.9,
            time_of_day="day",
        )
    )


PORTRAITS = (seen(1), seen(5))


def vote(candidates, people=("Yara", "Mina"), portraits=PORTRAITS, strangers=0, things=()):
    asked = CandidateVoteInput(
        caption="a picture",
        people=people,
        strangers=strangers,
        things=things,
        place="by the lake",
        candidates=len(candidates),
    )
    return vote_on(asked, [*portraits, *candidates], THRESHOLD)


def test_the_candidate_with_everybody_in_it_is_the_best_whatever_the_order():
    made = vote([seen(1), seen(5, 1), seen(1, 9)])
    assert made.best == 2
    assert {one.candidate: one.problem for one in made.problems if one.candidate == 1} == {1: "missing person Mina"}


@pytest.mark.parametrize("people", [(1,), (1, 9), (), (1, 5, 9)])
def test_none_is_good_enough_that_lacks_somebody_or_shows_a_stranger(people):
    assert vote([seen(*people)]).best == 0


def test_strangers_that_were_asked_for_belong_there_and_are_missed_otherwise():
    assert vote([seen(1, 5, 9)], strangers=1).best == 1
    assert vote([seen(1, 5)], strangers=1).best == 0
    assert vote([seen(9)], people=(), portraits=(), strangers=1).best == 1


def test_a_pet_that_is_missing_and_a_wrong_number_of_things_are_told_but_do_not_spoil_the_picture():
    portraits = (seen(1), seen(things=("dog",)))
    asked = {"people": ("Yara", "Rex"), "portraits": portraits, "things": ("two red hats",)}
    made = vote([seen(1, things=("hat",))], **asked)
    assert made.best == 1
    assert [one.problem for one in made.problems] == ["missing animal Rex", "1 hat instead of 2"]
    assert vote([seen(1, things=("hat",)), seen(1, things=("dog", "hat", "hat"))], **asked).best == 2


def test_two_people_of_one_name_are_two():
    assert vote([seen(1, 5)], people=("Sam", "Sam")).best == 1
    made = vote([seen(1)], people=("Sam", "Sam"))
    assert (made.best, [one.problem for one in made.problems]) == (0, ["missing person Sam"])


def test_without_candidates_there_is_nothing_to_choose():
    asked = CandidateVoteInput(caption="x", people=(), things=(), place="", candidates=1)
    assert vote_on(asked, [], THRESHOLD).best == 0
