"""Checks of a release's cases before they are published: form, letters, lengths, near-duplicates."""

from __future__ import annotations

import collections
from collections.abc import Iterable, Iterator, Sequence

from lifeloom.records import LETTERS, BenchmarkCase, Rejection
from lifeloom.synthesis.case_review import taken_out_by_task
from lifeloom.synthesis.diversity import near_duplicates

__all__ = [
    "LONGEST_SHARE",
    "NEAR_DUPLICATE_SHARE",
    "letters_balanced",
    "near_duplicate_cases",
    "right_option_longest",
    "well_formed",
]

LONGEST_SHARE = 0.30
"""Largest share of a task's cases in which the right option may be uniquely the longest."""
NEAR_DUPLICATE_SHARE = 0.01
"""Share of cases that may be near-duplicates of another."""


def well_formed(cases: Sequence[BenchmarkCase]) -> list[str]:
    """Return what is wrong with single cases, and repeated ids."""
    problems = [f"{case_id} occurs {n} times" for case_id, n in _counts(c.case_id for c in cases).items() if n > 1]
    for case in cases:
        if tuple(option.letter for option in case.options) != LETTERS:
            problems.append(f"{case.case_id}: options are not lettered a to d")
        if len({option.text.casefold() for option in case.options}) != len(case.options):
            problems.append(f"{case.case_id}: two options say the same")
        right = [option for option in case.options if option.source == "right"]
        if [option.letter for option in right] != [case.answer]:
            problems.append(f"{case.case_id}: the answer is not the one option marked right")
        if not case.evidence_turns or max(case.evidence_turns) >= case.history_turns:
            problems.append(f"{case.case_id}: its evidence is not within its history")
        if not set(case.picture_turns) <= set(case.evidence_turns):
            problems.append(f"{case.case_id}: pictures that must be seen are not among its evidence")
        if case.alignment is not None and case.alignment.chosen == case.alignment.rejected:
            problems.append(f"{case.case_id}: chosen and rejected responses are the same")
    return problems


def letters_balanced(cases: Sequence[BenchmarkCase], rejections: Iterable[Rejection] = ()) -> list[str]:
    """Return the tasks in which one letter is right more often than another by more than one block of four.

    Args:
        cases: of a release.
        rejections: of the same; each case that a reviewer took out may have left its task one letter further off.
    """
    taken_out = taken_out_by_task(rejections)
    problems = []
    for task, own in _by_task(cases):
        counts = [sum(1 for case in own if case.answer == letter) for letter in LETTERS]
        if max(counts) - min(counts) > 1 + taken_out[task]:
            problems.append(f"{task}: right letters a to d occur {', '.join(map(str, counts))} times")
    return problems


def right_option_longest(cases: Sequence[BenchmarkCase]) -> list[str]:
    """Return the tasks in which the right option is uniquely the longest too often."""
    problems = []
    for task, own in _by_task(cases):
        share = sum(1 for case in own if _longest(case)) / len(own)
        # One case more than the share allows is noise where a task has a handful of cases.
        if share > LONGEST_SHARE and sum(1 for case in own if _longest(case)) > LONGEST_SHARE * len(own) + 1:
            problems.append(f"{task}: the right option is uniquely the longest in {share:.0%} of {len(own)} cases")
    return problems


def near_duplicate_cases(cases: Sequence[BenchmarkCase]) -> list[str]:
    """Return near-duplicate pairs when they make up 1 % of the cases or more."""
    texts = [" ".join([case.query, *(option.text for option in case.options)]) for case in cases]
    pairs = near_duplicates(texts)
    repeated = {later for _, later in pairs}
    if len(repeated) < NEAR_DUPLICATE_SHARE * len(cases):
        return []
    return [f"{cases[later].case_id} nearly repeats {cases[earlier].case_id}" for earlier, later in pairs]


def _longest(case: BenchmarkCase) -> bool:
    lengths = {option.letter: len(option.text) for option in case.options}
    return all(lengths[case.answer] > length for letter, length in lengths.items() if letter != case.answer)


def _by_task(cases: Sequence[BenchmarkCase]) -> Iterator[tuple[str, list[BenchmarkCase]]]:
    for task in sorted({case.task for case in cases}):
        yield task, [case for case in cases if case.task == task]


def _counts(ids: Iterator[str]) -> collections.Counter[str]:
    return collections.Counter(ids)
