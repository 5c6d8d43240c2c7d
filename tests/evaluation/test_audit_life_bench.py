"""The shortcut audit: verdicts against the limits, samples, and what the blind policies are kept from."""

from __future__ import annotations

import random

import numpy as np
import pytest

from evaluation.audit_life_bench import BlindLifePolicy, audit_life, audit_markdown, sample_questions
from lifeloom.models.protocol import Generation, ModelIdentity, Usage
from lifeloom.scoring.life_policy import AskedQuestion
from lifeloom.streams import Streams
from lifeloom.tasks import TextOutput
from tests.evaluation.life_bench.asked import life, prediction, question


def verdict(task, right, count, minimum=50):
    questions = [question(f"q{n}", task) for n in range(count)]
    given = [prediction(f"q{n}", right=n < right, policy="blind-x") for n in range(count)]
    (row,) = audit_life("r", questions, given, margin=0.05, minimum=minimum)
    return row


@pytest.mark.parametrize(
    ("task", "right", "count", "expected"),
    [
        ("scene_and_activity", 5, 100, "passed"),
        ("scene_and_activity", 30, 100, "failed"),
        ("scene_and_activity", 10, 100, "passed"),
        ("scene_and_activity", 12, 100, "inconclusive"),  # above 10 %, but not surely so
        ("scene_and_activity", 0, 20, "inconclusive"),
        ("scene_and_activity", 20, 20, "failed"),
        ("concept_vqa", 25, 100, "passed"),
        ("concept_vqa", 33, 100, "inconclusive"),
        ("concept_vqa", 50, 100, "failed"),
        ("visual_concept_recognition", 50, 100, "passed"),
        ("visual_concept_recognition", 80, 100, "failed"),
    ],
)
def test_a_task_fails_where_its_lower_bound_is_above_the_limit(task, right, count, expected):
    assert verdict(task, right, count).verdict == expected


@pytest.mark.parametrize(("answer", "failure"), [("", "bad_request"), ("Tea.", "judge_bad_request")])
def test_a_model_that_says_nothing_or_that_nobody_judged_shows_nothing(answer, failure):
    names = [f"q{number}" for number in range(60)]
    questions = [question(name, "scene_and_activity") for name in names]
    given = [prediction(name, right=False, policy="blind-x", answer=answer, failure=failure) for name in names]
    (row,) = audit_life("r", questions, given, margin=0.05, minimum=50)
    assert row.verdict == "inconclusive"


def test_limits_are_ten_percent_or_chance_and_margin():
    tasks = ("scene_and_activity", "concept_vqa", "visual_concept_recognition")
    assert [verdict(task, 0, 60).limit for task in tasks] == pytest.approx([0.1, 0.3, 0.55])


def test_what_failed_is_marked_in_the_table():
    assert "90.0% of 100 **failed**" in audit_markdown([verdict("scene_and_activity", 90, 100)])


def test_a_sample_takes_tasks_evenly_and_all_where_there_is_no_limit():
    questions = [question(f"s{n}") for n in range(20)] + [question(f"c{n}", "concept_vqa") for n in range(3)]

    chosen = sample_questions(questions, 6, random.Random(1))

    assert [one.task for one in chosen].count("concept_vqa") == 3
    assert len({one.question_id for one in chosen}) == 6
    assert sample_questions(questions, 0, random.Random(1)) == questions


class Asked:
    identity = ModelIdentity("fake", "asked")
    window_tokens = 8192
    takes_pictures = True
    scores_options = False

    def __init__(self):
        self.shown = []

    def run(self, task, task_input, images=(), *, sample=0, listener=None):
        self.shown.append(task_input)
        return Generation(
            TextOutput(text="x"), Usage(prompt_tokens=1, completion_tokens=1), self.identity.provenance(task)
        )


class Numbered:
    """Encodes a text as the number in it."""

    identity = ModelIdentity("fake", "numbered")
    dimensions = 10

    def encode(self, texts):
        rows = np.zeros((len(texts), 10), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[int("".join(filter(str.isdigit, text)) or 9)] = 1
        return rows


@pytest.mark.parametrize("sight", ["question_only", "any_pictures", "nearest_picture", "other_life"])
def test_a_blind_policy_sees_what_its_sight_allows(sight):
    model, own = Asked(), life()
    policy = BlindLifePolicy(
        sight,
        model,
        {"ana": own, "bo": life("bo")},
        Numbered(),
        Numbered(),
        lambda reference: b"",
        Streams(1),
        code="c",
    )

    policy.answer(AskedQuestion(question="What of event 2?", options=(), answer_type="open_generation"), own)

    (shown,) = model.shown
    events = {image.event_id for image in shown.images}
    assert (shown.owner == "Bo") == (sight == "other_life")
    assert bool(shown.concepts) == (sight == "other_life")
    if sight == "question_only":
        assert not events
    elif sight == "nearest_picture":
        assert events == {"ana-e-2"}
    else:
        assert len(shown.images) == 5
        assert {event.split("-")[0] for event in events} == {"bo" if sight == "other_life" else "ana"}
