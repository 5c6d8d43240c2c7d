"""The page of an audit: what a person finds on it, and that nothing on it is loaded, run or left unescaped."""

from __future__ import annotations

import dataclasses
import re
from html.parser import HTMLParser

import pytest

from evaluation.audit import (
    AuditAnswer,
    AuditQuestion,
    AuditReport,
    ChoiceExample,
    audit,
    audit_page,
    blind_accuracies,
    stability,
    task_shapes,
)

RELEASE = "2026-01-05"


def report(*, seen: int = 100, task: str = "VDR", lost: int = 0, minimum: int = 400) -> AuditReport:
    """Return the audit of 400 pictured questions: ``seen`` are answered from words alone, 100 by the longest option."""
    questions = [AuditQuestion(f"c-{n}", "choice", task, 0.25, needs_pictures=True) for n in range(400)]
    answers = [
        AuditAnswer(policy, f"c-{n}", "choice", "a", correct=n < right)
        for policy, right in (("blind_longest", 100), ("text_only", seen))
        for n in range(400)
    ]
    # The right option is longer by two in every second question, and c in every fourth.
    choices = [
        ChoiceExample(task, f"Question {n}?", ("tea", "ale", "gin", "oat" + "ty" * (n % 2)), 3 if n % 4 else 2)
        for n in range(400)
    ]
    before = [AuditAnswer("full_context", f"c-{n}", "choice", "a", correct=True, place=0) for n in range(50)]
    after = [dataclasses.replace(answer, correct=n >= lost, place=int(n < lost)) for n, answer in enumerate(before)]
    return AuditReport(
        benchmark="persona_mme",
        release_id=RELEASE,
        rows=audit(RELEASE, questions, answers, margin=0.05, minimum_cases=minimum),
        accuracies=blind_accuracies(RELEASE, questions, answers),
        shapes=task_shapes(RELEASE, choices),
        stability=[stability(RELEASE, "names_replaced", before, after)],
        minimum_cases=minimum,
    )


class Reader(HTMLParser):
    """Collects text, tags and attributes, and fails on tags that do not close in order."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in ("meta", "br"):
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] != "style":
            self.words.append(data)

    @property
    def text(self) -> str:
        assert not self._open
        return " ".join(" ".join(self.words).split())


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    return reader


def test_the_page_says_what_was_found_in_plain_words() -> None:
    clean, found = read(audit_page(report())).text, read(audit_page(report(seen=200))).text
    assert "✓ No shortcut found" in clean
    assert "✗ Shortcut found" in found
    # Of 400 200 right: one-sided 95 % lower bound 45.8 %.
    assert (
        "VDR: 50.0% of 400 questions that need pictures are answered right from the history's words without its "
        "pictures (words without pictures). It is above 45.8% with 95 % confidence"
    ) in found


def test_too_few_cases_are_said_to_be_too_few() -> None:
    text = read(audit_page(report(minimum=401))).text
    assert "? No shortcut found, but too few cases to be sure" in text
    assert "3 of 3 verdicts on single tasks are left open, because fewer than 401 cases were asked" in text


def test_views_that_were_not_tried_are_named() -> None:
    text = read(audit_page(report())).text
    assert "Not tried: the history's words with other users' pictures; another user's history." in text


def test_every_blind_policy_has_its_accuracy_with_interval() -> None:
    page = audit_page(report(seen=120))
    # 100 and 120 of 400, exact intervals: 20.8 to 29.5 % and 25.5 to 34.8 %.
    assert re.search(r"the longest option: 25\.0% \[20\.8%, 29\.5%\], 100 of 400", page)
    assert re.search(r"words without pictures: 30\.0% \[25\.5%, 34\.8%\], 120 of 400, with pictures", page)


def test_letters_lengths_and_repetitions_stand_on_the_page() -> None:
    text = read(audit_page(report())).text
    # Three of four times d is right. Of 400 right options 200 are d and longer (every odd n, of which n % 4 is not 0).
    assert "a 0 · b 0 · c 100 · d 300" in text
    assert "VDR 400" in text
    assert "50.0%" in text


def test_perturbations_stand_on_the_page_with_their_verdicts() -> None:
    stable, fallen = read(audit_page(report())).text, read(audit_page(report(lost=20))).text
    assert "Scores stay within 2 points under every perturbation." in stable
    assert "everybody called by another name throughout full_context 100.0% 100.0% +0.0" in stable
    assert "A perturbation moves a score by more than 2 points." in fallen
    assert "full_context 100.0% 60.0% -40.0" in fallen
    assert "20 of 50 20 lost, 0 gained ✗ failed" in fallen


def test_without_perturbations_the_page_says_so() -> None:
    assert "No perturbation was tried." in read(audit_page(dataclasses.replace(report(), stability=()))).text


def test_nothing_is_loaded_and_nothing_runs() -> None:
    page = audit_page(report())
    seen = read(page)
    assert not {"script", "link", "img", "iframe", "object", "image", "use"} & set(seen.tags)
    assert not [name for name, _ in seen.attributes if name.startswith("on") or name in ("src", "href", "style")]
    assert "url(" not in page
    assert "@import" not in page
    assert "prefers-color-scheme: dark" in page


def test_whatever_a_release_is_called_is_escaped() -> None:
    hostile = '<script>alert("x")</script>'
    page = audit_page(dataclasses.replace(report(task=hostile), benchmark=hostile, notes=[hostile]))
    assert "<script" not in page
    assert hostile in read(page).text


def test_the_page_of_a_large_release_stays_small() -> None:
    questions = [
        AuditQuestion(f"{task}-{n}", "choice", f"task {task}", 0.25, needs_pictures=True)
        for task in range(40)
        for n in range(20)
    ]
    policies = ("blind_longest", "blind_outlier", "blind_letter", "blind_classifier", "blind_options", "text_only")
    answers = [
        AuditAnswer(policy, question.case_id, "choice", "a", correct=False)
        for policy in policies
        for question in questions
    ]
    rows = audit(RELEASE, questions, answers, margin=0.05, minimum_cases=400)
    shapes = task_shapes(RELEASE, [ChoiceExample(q.task, q.case_id, tuple("abcd"), 0) for q in questions])
    page = audit_page(AuditReport("x", RELEASE, rows, blind_accuracies(RELEASE, questions, answers), shapes))
    assert len(page.encode()) < 1_000_000


def test_a_page_without_verdicts_is_refused() -> None:
    with pytest.raises(ValueError, match="needs verdicts"):
        audit_page(dataclasses.replace(report(), rows=()))
