"""Prompts of RL from cases: three kinds, none of them with its answer in sight."""

from __future__ import annotations

from collections import Counter

import pytest
from pydantic import ValidationError

from lifeloom.records import BenchmarkCase, RlPrompt
from lifeloom.synthesis.supervision import OPEN_TASKS, is_for_rl, rl_prompts
from tests.evaluation.examples import case


def prompts(*cases: BenchmarkCase) -> list[RlPrompt]:
    return list(rl_prompts(cases, memories="corpus/memories/shard-000", dialogues="corpus/dialogues/shard-000"))


def many(task: str = "SIR", count: int = 400) -> list[BenchmarkCase]:
    return [case(f"case-{number}", task=task, answer="c") for number in range(count)]  # type: ignore[arg-type]


def test_a_question_is_asked_in_one_way_about_half_of_them_openly() -> None:
    found = prompts(*many())
    assert len(found) == 400
    kinds = Counter(one.kind for one in found)
    assert 150 < kinds["open"] < 250
    for one in found:
        if one.kind == "open":
            assert (one.options, one.answer) == ((), "red wine")
        else:
            assert one.answer == "c"
            assert [option.text for option in one.options] == ["mint tea", "pale ale", "red wine", "hot cocoa"]


@pytest.mark.parametrize("task", ["IEA", "IPR", "RDC", "TED", "GNS"])
def test_what_has_many_right_answers_is_a_choice(task: str) -> None:
    assert task not in OPEN_TASKS
    assert {one.kind for one in prompts(*many(task, 40))} == {"choice"}


def test_an_alignment_pair_is_asked_twice_and_needs_no_evidence() -> None:
    found = [one for one in prompts(case("c-1", pair=("Gladly!", "Whatever."))) if one.kind == "binary"]
    assert [(one.response, one.answer) for one in found] == [("Gladly!", "yes"), ("Whatever.", "no")]
    assert all(one.evidence_turns == () and one.options == () for one in found)
    assert len({one.prompt_id for one in found}) == 2


def test_a_prompt_is_of_the_moment_of_its_case_and_names_its_memories() -> None:
    asked = case("c-1", task="GNS", turns=7, persona="p-9")
    (one,) = prompts(asked)
    assert (one.user_id, one.history_turns, one.asked_at) == ("p-9", 7, asked.asked_at)
    assert (one.memories, one.dialogues) == ("corpus/memories/shard-000", "corpus/dialogues/shard-000")


def test_no_question_is_of_both_sets_and_the_share_is_kept() -> None:
    cases = many(count=2000)
    chosen = {one.case_id for one in cases if is_for_rl(one, 0.25)}
    assert 400 < len(chosen) < 600
    assert chosen <= {one.case_id for one in cases if is_for_rl(one, 0.5)}  # a larger share only adds
    assert not any(is_for_rl(one, 0.0) for one in cases)
    assert all(is_for_rl(one, 1.0) for one in cases)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"kind": "open"}, "have no options"),
        ({"answer": "maybe", "kind": "binary", "options": (), "response": "Gladly!"}, "yes or no"),
        ({"answer": "red wine"}, "one of their letters"),
        ({"options": ()}, "four options"),
        ({"response": "Gladly!"}, "judged by binary"),
    ],
)
def test_prompts_that_cannot_be_rewarded_are_refused(changes: dict[str, object], said: str) -> None:
    (one,) = prompts(case("c-1", task="GNS"))
    with pytest.raises(ValidationError, match=said):
        RlPrompt.model_validate({**one.model_dump(), **changes})
