"""How a judge agrees with labels: values by hand."""

from __future__ import annotations

import math

import pytest

from evaluation.life_bench.agreement import LabelledAnswer, agreement_table, judge_agreement, labelled_answers
from lifeloom.models.protocol import Generation, ModelIdentity, Usage


class Judge:
    """Says what stands in the answer."""

    identity = ModelIdentity("fake", "judge")

    def run(self, task, task_input, images=(), *, sample=0, listener=None):
        output = task.output_type(verdict=task_input.answer, reason="so")
        return Generation(output, Usage(prompt_tokens=1, completion_tokens=1), self.identity.provenance(task))


def labelled(said, label, count, task="scene_and_activity"):
    return [
        LabelledAnswer(
            id=f"{task}-{said}-{label}-{number}",
            part="held",
            task=task,
            kind="exact",
            question="What?",
            truth="x",
            answer=said,
            verdict=label,
        )
        for number in range(count)
    ]


def test_agreement_and_kappa_are_those_of_the_table_of_verdicts():
    answers = [
        *labelled("Correct", "Correct", 20),
        *labelled("Correct", "Wrong", 5),
        *labelled("Wrong", "Correct", 10),
        *labelled("Wrong", "Wrong", 15),
    ]

    row = judge_agreement(answers, Judge())[-1]

    assert row.accuracy.value == pytest.approx(0.7)
    assert row.kappa.value == pytest.approx(0.4)  # by chance: 0.5 * 0.6 + 0.5 * 0.4 = 0.5
    assert (row.too_kind, row.too_strict, row.failures) == (5, 10, 0)
    assert row.kappa.low < 0.4 < row.kappa.high


def test_each_task_has_a_row_and_one_kind_of_verdict_gives_no_kappa():
    answers = labelled("Correct", "Correct", 3) + labelled("Wrong", "Correct", 2, "frequency_and_counting")

    rows = judge_agreement(answers, Judge())

    assert [(row.task, row.answers, row.accuracy.value) for row in rows] == [
        ("scene_and_activity", 3, 1.0),
        ("frequency_and_counting", 2, 0.0),
        ("all", 5, 0.6),
    ]
    assert math.isnan(rows[0].kappa.value)
    assert "| scene and activity | 3 | 1.000 [1.00, 1.00] | - |" in agreement_table(rows)


def test_the_labelled_set_has_two_parts_that_share_nothing():
    tune, held = labelled_answers("tune"), labelled_answers("held")

    assert len(tune) == len(held) == 120
    assert {one.id for one in tune}.isdisjoint(one.id for one in held)
    assert sum(one.verdict == "Correct" for one in held) == 60


def test_no_answers_are_refused():
    with pytest.raises(ValueError, match="labelled answers"):
        judge_agreement([], Judge())
