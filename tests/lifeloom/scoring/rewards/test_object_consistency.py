"""Whether two pictures show the same object is right or wrong, with nothing in between."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifeloom.scoring.rewards import object_consistency_reward, object_consistency_rewards


@pytest.mark.parametrize(
    ("text", "whole", "release"),
    [
        ("yes", 1, 1),
        (" **Yes.**\n", 1, 1),
        ("no", 0, 0),
        ("Yes, the mug is there.", 0, 1),
        ("yes no", 0, 1),
        ("no, or yes", 0, 0),
        ("The eyes are blue.", 0, 1),
        ("", 0, 0),
        ("perhaps", 0, 0),
    ],
)
def test_an_answer_where_both_pictures_show_it(text: str, whole: int, release: int) -> None:
    assert object_consistency_reward(text, True) == whole
    assert object_consistency_reward(text, True, reading="release") == release


def test_no_is_right_where_they_do_not() -> None:
    assert object_consistency_reward("No.", False) == 1.0
    assert object_consistency_reward("Yes.", False) == 0.0
    assert object_consistency_reward("Nothing of it.", False) == 0.0
    assert object_consistency_reward("Nothing of it.", False, reading="release") == 1.0


@given(st.text(max_size=40), st.sampled_from(["whole", "release"]))
def test_no_text_is_right_for_both(text: str, reading: str) -> None:
    both = [object_consistency_reward(text, same, reading=reading) for same in (True, False)]  # type: ignore[arg-type]
    assert sorted(both) in ([0.0, 0.0], [0.0, 1.0])


def test_a_batch_leaves_out_rows_that_ask_something_else() -> None:
    assert object_consistency_rewards(["yes", "A caption.", "yes"], [True, None, False]) == [1.0, None, 0.0]
    assert object_consistency_rewards(["yes it is"], [True], reading="release") == [1.0]
    with pytest.raises(ValueError, match="zip"):
        object_consistency_rewards(["yes"], [])
