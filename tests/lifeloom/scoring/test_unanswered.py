"""Nothing answered is no result."""

from __future__ import annotations

import pytest

from lifeloom.scoring.unanswered import NothingAnswered, require_answers


def test_a_set_up_in_which_nothing_is_answered_is_named_with_its_reasons() -> None:
    with pytest.raises(NothingAnswered, match=r"rap-k3: no answer to 3 questions .*bad_request 2, bad_json 1"):
        require_answers("rap-k3", ["bad_request", "bad_json", "bad_request"])


@pytest.mark.parametrize("failures", [[], [""], ["bad_request", ""]])
def test_one_answer_is_enough_and_so_is_nothing_asked(failures: list[str]) -> None:
    require_answers("rap-k3", failures)
