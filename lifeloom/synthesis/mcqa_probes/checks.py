"""Are questions sound: letters balanced, options different, nothing given away by length, all accounted for (C5)."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from lifeloom.records import CaptionSample, ConceptDialoguePlan, ProbeQuestion, Rejection
from lifeloom.synthesis.mcqa_probes.making import QUESTIONS, probe_problem

__all__ = [
    "account_problems",
    "balance_problems",
    "form_problems",
    "length_problems",
    "repeat_problems",
    "truth_problems",
]

_LEAST = 60
"""Questions below which shares say nothing."""
_FAIR = 1 / 3
_MARGIN = 0.08
"""By how much a letter may be right too often, or the longest option too often the right one."""
_ERRORS = 2.5
"""Standard errors of a fair share, where these are more than the margin: few questions are uneven by chance."""


def _limit(questions: int) -> float:
    """Return the share from which on so many questions are clearly off."""
    return _FAIR + max(_MARGIN, _ERRORS * math.sqrt(_FAIR * (1 - _FAIR) / questions))


def form_problems(questions: Iterable[ProbeQuestion]) -> list[str]:
    """Return questions with two equal options, or with an id that is there twice."""
    rows = list(questions)
    problems = [
        f"{one.question_id} has two equal options"
        for one in rows
        if len({option.casefold() for option in one.options}) != len(one.options)
    ]
    counts = Counter(one.question_id for one in rows)
    return problems + [f"{name} occurs {count} times" for name, count in counts.items() if count > 1]


def truth_problems(
    questions: Iterable[ProbeQuestion],
    samples: Mapping[str, CaptionSample],
    plans: Mapping[str, ConceptDialoguePlan],
) -> list[str]:
    """Return questions whose options are not their dialogue's, whose text names one, or that are filed wrongly."""
    problems = []
    for one in questions:
        plan, sample = plans[one.dialogue_id], samples[one.sample_id]
        entry = sample.entries[one.entry]
        if (entry.dialogue_id, entry.positive, sample.concepts) != (one.dialogue_id, one.positive, one.concepts):
            problems.append(f"{one.question_id} is filed under another entry than {entry.dialogue_id}")
        fact = next((fact for fact in plan.facts if fact.kind == one.fact), None)
        right = one.options["ABC".index(one.answer)]
        wrong = {option.casefold() for option in one.options[:3]} - {right.casefold()}
        if fact is None or right.casefold() != fact.value.casefold():
            problems.append(f"{one.question_id} takes {right!r} for right, which {one.dialogue_id} does not say")
        elif not wrong <= {option.casefold() for option in fact.options}:
            problems.append(f"{one.question_id} has a wrong option that was not planned")
        if found := probe_problem(one.question, plan.handle, one.options):
            problems.append(f"{one.question_id}: {found}")
    return problems


def balance_problems(questions: Sequence[ProbeQuestion]) -> list[str]:
    """Return the letters that are right clearly too often."""
    if len(questions) < _LEAST:
        return []
    counts = Counter(one.answer for one in questions)
    return [
        f"{letter} is right in {100 * count / len(questions):.1f} % of the questions"
        for letter, count in sorted(counts.items())
        if count / len(questions) > _limit(len(questions))
    ]


def length_problems(questions: Sequence[ProbeQuestion]) -> list[str]:
    """Return what somebody gains who always takes the longest, or the shortest, of A to C."""
    if len(questions) < _LEAST:
        return []
    problems = []
    for name, best in (("longest", max), ("shortest", min)):
        right = 0.0
        for one in questions:
            lengths = [len(option) for option in one.options[:3]]
            taken = [place for place, length in enumerate(lengths) if length == best(lengths)]
            right += ("ABC".index(one.answer) in taken) / len(taken)
        if right / len(questions) > _limit(len(questions)):
            problems.append(f"the {name} option is right in {100 * right / len(questions):.1f} % of the questions")
    return problems


def repeat_problems(questions: Iterable[ProbeQuestion]) -> list[str]:
    """Return questions that are there twice within a sample, with the same options."""
    counts = Counter((one.sample_id, one.question.casefold(), tuple(sorted(one.options))) for one in questions)
    return [f"{sample}: {text!r} is asked {count} times" for (sample, text, _), count in counts.items() if count > 1]


def account_problems(
    samples: Iterable[CaptionSample], questions: Iterable[ProbeQuestion], rejections: Iterable[Rejection]
) -> list[str]:
    """Return the dialogues that have neither their questions nor a reason why not."""
    asked: dict[str, int] = defaultdict(int)
    for one in questions:
        asked[one.dialogue_id] += 1
    out = {one.item for one in rejections}
    return [
        f"{entry.dialogue_id} has {asked[entry.dialogue_id]} questions"
        for sample in samples
        for entry in sample.entries
        if asked[entry.dialogue_id] != QUESTIONS and entry.dialogue_id not in out
    ]
