"""A benchmark that is nothing like Persona-MME is audited by the same calls: the audit knows none."""

from __future__ import annotations

import ast
import dataclasses
import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

import evaluation.audit
from evaluation.audit import (
    AuditAnswer,
    AuditedBenchmark,
    AuditQuestion,
    AuditReport,
    ChoiceExample,
    LetterAttack,
    LongestAttack,
    OptionsAttack,
    Reference,
    Release,
    TurnsOf,
    audit,
    audit_page,
    blind_accuracies,
    blind_readers,
    measure_stability,
    task_shapes,
    worst,
)
from lifeloom.scoring import CaseQuestion, History, Policy
from lifeloom.streams import Streams
from lifeloom.tasks import OptionText
from tests.evaluation.audit.pictured import COLOURS, ColourReader, balloons, stored


@dataclass(frozen=True)
class Riddle:
    """Which of three colours, or whether it is one colour: a case of a benchmark of the tests' own."""

    name: str
    user: str
    after: int
    text: str
    options: tuple[str, ...]
    right: int


class Riddles(AuditedBenchmark[Riddle]):
    """The adapter: chance is a third, every question needs a picture."""

    def case_id(self, case: Riddle) -> str:
        return case.name

    def persona_id(self, case: Riddle) -> str:
        return case.user

    def history_turns(self, case: Riddle) -> int:
        return case.after

    def questions(self, case: Riddle) -> tuple[AuditQuestion, ...]:
        return (AuditQuestion(case.name, "riddle", "colour", 1 / 3, needs_pictures=True),)

    def reference(self, cases: Sequence[Riddle]) -> Reference:
        return Reference(tuple(ChoiceExample("colour", case.text, case.options, case.right) for case in cases))

    def texts(self, case: Riddle) -> tuple[str, ...]:
        return (case.text, *case.options)

    def only(self, case: Riddle, kinds: Collection[str]) -> Riddle:
        return case

    def with_history(self, case: Riddle, turns: int) -> Riddle:
        return dataclasses.replace(case, after=turns)

    def with_ids(self, case: Riddle, *, case_id: str, persona_id: str) -> Riddle:
        return dataclasses.replace(case, name=case_id, user=persona_id)

    def with_texts(self, case: Riddle, edit: Callable[[str], str]) -> Riddle:
        return dataclasses.replace(case, text=edit(case.text), options=tuple(map(edit, case.options)))

    def with_options(self, case: Riddle, order: Sequence[int]) -> Riddle:
        options = tuple(case.options[place] for place in order)
        return dataclasses.replace(case, options=options, right=list(order).index(case.right))

    def options(self, case: Riddle) -> int:
        return len(case.options)

    def ask(self, policy: Policy, cases: Sequence[Riddle], turns_of: TurnsOf) -> list[AuditAnswer]:
        answers = []
        for case in cases:
            shown = tuple(
                OptionText(letter=letter, text=text) for letter, text in zip("abc", case.options, strict=True)
            )
            answer = policy.choose(
                CaseQuestion("2026-01-05 09:00", case.text, shown), History(turns_of(case.user)).before(case.after)
            )
            place = "abc".index(answer.text)
            answers.append(
                AuditAnswer(policy.name, case.name, "riddle", answer.text, correct=place == case.right, place=place)
            )
        return answers


def riddles(users: int, *, tell: bool, seed: int) -> tuple[list[Riddle], Release[Riddle]]:
    """Return riddles about the balloons of ``users``; ``tell``: the right colour is written larger."""
    rng = random.Random(seed)
    cases, histories = balloons(users, each=4, seed=seed)
    made: list[Riddle] = []
    for item in cases:
        right = next(option.text for option in item.options if option.letter == item.answer)
        options = [right, *rng.sample(sorted(set(COLOURS) - {right}), 2)]
        rng.shuffle(options)
        put = tuple(f"{text}!!" if tell and text == right else text for text in options)
        made.append(Riddle(item.case_id, item.persona_id, 2, "Which colour was it?", put, options.index(right)))
    names = dict.fromkeys(histories, ("Ana",))
    return made, Release(tuple(made), histories, stored, names, ("Bo",))


def report(*, tell: bool) -> AuditReport:
    adapter, (cases, release) = Riddles(), riddles(100, tell=tell, seed=7)
    reference = adapter.reference(riddles(100, tell=tell, seed=8)[0])
    attackers = (
        LongestAttack(code="c"),
        LetterAttack(reference, code="c"),
        OptionsAttack(reference, code="c", seed=7),
    )
    answers = [a for policy in attackers for a in adapter.ask(policy, cases, release.turns.__getitem__)]
    for test in blind_readers(ColourReader(), adapter, cases, release.turns, Streams(7)):
        answers += adapter.ask(test.policy, test.cases, test.turns_of)
    questions = [question for case in cases for question in adapter.questions(case)]
    sample = dataclasses.replace(release, cases=tuple(cases[:60]))
    return AuditReport(
        "riddles",
        "r-1",
        audit("r-1", questions, answers, margin=0.05, minimum_cases=400),
        blind_accuracies("r-1", questions, answers),
        task_shapes("r-1", reference.choices),
        measure_stability(ColourReader, adapter, sample, "r-1", Streams(7)),
    )


def test_a_benchmark_of_three_options_without_shortcuts_passes() -> None:
    found = report(tell=False)
    assert {(row.view, row.task): row.verdict for row in found.rows} == {
        (view, task): "passed"
        for view in ("question", "options", "text", "shuffled", "other")
        for task in ("colour", "all")
    }
    assert [row.chance for row in found.rows] == pytest.approx([1 / 3] * 10)
    assert {row.accuracy_before for row in found.stability} == {1.0}
    assert worst(row.verdict for row in found.stability) == "passed"
    assert "Audit of riddles, release r-1" in audit_page(found)


def test_its_shortcut_is_found() -> None:
    found = report(tell=True)
    failed = {row.view for row in found.rows if row.verdict == "failed"}
    assert failed == {"question", "options"}
    assert found.verdict == "failed"


def test_no_module_of_the_audit_knows_a_benchmark() -> None:
    for path in sorted(Path(evaluation.audit.__file__).parent.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                names = {alias.name for alias in node.names}
                assert "persona_mme" not in (node.module or ""), path.name
                assert not names & {"BenchmarkCase", "Prediction", "Persona", "TaskName"}, path.name
