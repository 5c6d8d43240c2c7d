"""Reading a judge's boxed letter, and judging captions with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from lifeloom.models.protocol import Generation, GenerationRejected, ModelIdentity, Usage
from lifeloom.records import (
    BY_CODE,
    CANNOT_BE_DETERMINED,
    Caption,
    PictureReference,
    ProbeLetter,
    ProbeQuestion,
)
from lifeloom.scoring.capeval import by_concepts, count_probes
from lifeloom.scoring.probe_judging import judge_captions, judge_probe, parse_boxed
from lifeloom.tasks import TextOutput
from lifeloom.tasks.probe_judgement import ProbeJudgementInput


class Says:
    """A judge that says one thing, and keeps what it was asked."""

    identity = ModelIdentity("code", "says")
    window_tokens = 1000
    scores_options = False
    takes_pictures = False

    def __init__(self, text: str) -> None:
        self.text = text
        self.asked: list[ProbeJudgementInput] = []

    def run(self, task: Any, task_input: Any, images: Sequence[PictureReference] = (), **_: Any) -> Generation[Any]:
        self.asked.append(task_input)
        if self.text == "reject":
            raise GenerationRejected(task.name, "refusal", "I would rather not.")
        return Generation(TextOutput(text=self.text), Usage(1, 1), BY_CODE)

    def score_options(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    def check(self) -> str:
        return "ok"


def question(number: int, *, positive: bool = True, sample: str = "r-s0", concepts: int = 1) -> ProbeQuestion:
    answer: ProbeLetter = "B"
    return ProbeQuestion(
        question_id=f"{sample}-c{number}-q0",
        sample_id=sample,
        dialogue_id=f"{sample}-c{number}",
        entry=number,
        positive=positive,
        concepts=concepts,
        fact="place",
        question="Where was the user with Ana?",
        options=("Birch Bridge", "Harbour Market", "Quarry Cinema", CANNOT_BE_DETERMINED),
        answer=answer,
        made_by=BY_CODE,
    )


def caption(text: str, sample: str = "r-s0") -> Caption:
    return Caption(
        sample_id=sample,
        policy="p",
        fingerprint="f",
        text=text,
        prompt_tokens=0,
        completion_tokens=0,
        failure="" if text else "refusal",
        made_by=BY_CODE,
    )


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        (r"It says so. Answer: \boxed{B}", "B"),
        (r"\boxed{ (C) }", "C"),
        (r"Answer: \boxed{A}. Once more: \boxed{A}", "A"),
        (r"\boxed {D.}", "D"),
        ("Answer: B", None),  # no box
        (r"\boxed{A} or rather \boxed{B}", None),  # two boxes that differ
        (r"\boxed{A} \boxed{the second}", None),
        (r"\boxed{Harbour Market}", None),  # in words
        (r"\boxed{E}", None),
        (r"\boxed{b}", None),
        (r"\boxed{AB}", None),
        (r"\boxed{}", None),
        ("", None),
    ],
)
def test_exactly_one_boxed_letter_is_an_answer(text: str, letter: str | None) -> None:
    assert parse_boxed(text) == letter


def test_the_judge_sees_caption_question_and_options_and_nothing_else() -> None:
    judge = Says(r"\boxed{B}")
    judge_probe(judge, question(0), "A caption.", policy="p", fingerprint="f")
    (asked,) = judge.asked
    assert asked.model_dump() == {
        "caption": "A caption.",
        "question": "Where was the user with Ana?",
        "options": question(0).options,
    }


@pytest.mark.parametrize(
    ("said", "positive", "letter", "correct", "failure"),
    [
        (r"\boxed{B}", True, "B", True, ""),
        (r"\boxed{D}", True, "D", False, ""),
        (r"\boxed{D}", False, "D", True, ""),
        (r"\boxed{B}", False, "B", False, ""),
        ("no box", False, "", False, "unreadable"),
        ("reject", True, "", False, "refusal"),
    ],
)
def test_a_negative_is_right_with_d_and_an_unreadable_answer_never(
    said: str, positive: bool, letter: str, correct: bool, failure: str
) -> None:
    given = judge_probe(Says(said), question(0, positive=positive), "Text.", policy="p", fingerprint="f")
    assert (given.letter, given.correct, given.failure) == (letter, correct, failure)


def test_the_release_takes_an_unreadable_answer_for_d_and_it_is_counted() -> None:
    one = question(0, positive=False)
    given = judge_probe(Says("no box"), one, "Text.", policy="p", fingerprint="f", unreadable="release")
    assert (given.letter, given.correct, given.failure) == ("D", True, "unreadable")


@pytest.mark.parametrize("captions", [{}, {"r-s0": caption("")}, {"r-s0": caption("   ")}])
def test_a_sample_without_a_caption_is_wrong_throughout_and_nobody_is_asked(captions: dict[str, Caption]) -> None:
    judge = Says(r"\boxed{D}")
    asked = [question(0), question(1, positive=False)]
    given = list(judge_captions(judge, captions, asked, policy="p", fingerprint="f"))
    assert [(one.correct, one.failure) for one in given] == [(False, "no_caption"), (False, "no_caption")]
    assert judge.asked == []


def test_accuracies_are_counted_by_hand() -> None:
    asked = [
        *(question(number) for number in range(3)),
        *(question(number, positive=False) for number in range(3, 7)),
        question(0, sample="r-s1", concepts=2),
    ]
    letters = ["B", "A", "D", "D", "D", "B", "D"]
    given = [
        judge_probe(Says(rf"\boxed{{{letter}}}"), one, "Text.", policy="p", fingerprint="f")
        for letter, one in zip(letters, asked, strict=False)
    ]
    counts = count_probes(asked, given)
    first = counts["r-s0"]
    assert (first.positive_right, first.positive, first.negative_right, first.negative) == (1, 3, 3, 4)
    assert first.positive_accuracy == pytest.approx(1 / 3)
    assert first.negative_accuracy == pytest.approx(3 / 4)
    assert first.committed == pytest.approx(1 / 4)
    assert counts["r-s1"].failures == {"missing": 1}  # no answer: wrong
    assert counts["r-s1"].positive_accuracy == 0
    assert {size: len(own) for size, own in by_concepts(counts).items()} == {1: 1, 2: 1}


def test_two_answers_to_a_question_are_refused() -> None:
    given = judge_probe(Says(r"\boxed{A}"), question(0), "Text.", policy="p", fingerprint="f")
    with pytest.raises(ValueError, match="two answers"):
        count_probes([question(0)], [given, given])
