"""The shortcut audit of CapEval-QAs: what is answered right without the context (N3, CoViP Section 3.2.2).

Questions must be unanswerable from the query picture alone. Four captions are judged that know nothing of the context:
none at all; a plain caption of the query picture; the best captioner's caption of another sample. And two ways to guess
without any caption: always the longest option, always the letter that is right most often. A judge that abstains gets
none right; one that guesses gets a third.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, Literal

from pydantic import Field

from lifeloom.models.calls.parallel import ordered_map
from lifeloom.models.protocol import LanguageModel
from lifeloom.records import CaptionSample, ProbeQuestion, Record
from lifeloom.records.base import Identifier
from lifeloom.scoring.metrics import binomial_lower_bound
from lifeloom.scoring.probe_judging import judge_probe

__all__ = ["BLIND_CAPTIONS", "CHANCE", "CaptionAuditRow", "audit_captions", "audit_markdown", "others_captions"]

BLIND_CAPTIONS = ("no_caption", "plain_caption", "other_sample")
CHANCE = 1 / 3
"""Of a guess among A to C."""
_CONFIDENCE = 0.95


class CaptionAuditRow(Record):
    """What one blind caption, or one way to guess, reaches."""

    KIND: ClassVar[str] = "caption_audit_row"

    release_id: Identifier
    policy: Identifier
    questions: int = Field(ge=0)
    correct: int = Field(ge=0)
    """Questions in which the dialogue's option was chosen, whether about concepts of the query picture or not."""
    abstained: int = Field(ge=0)
    """D."""
    lower_bound: float
    """One-sided 95 %, shared out over the policies (Bonferroni), of the share of the right option among all."""
    limit: float
    """Chance and margin."""
    verdict: Literal["passed", "failed", "inconclusive"]

    @property
    def share(self) -> float:
        """Of questions answered right, 0..1."""
        return self.correct / self.questions if self.questions else 0.0

    def sentence(self) -> str:
        """Return the verdict in words."""
        return (
            f"{self.policy} gets {self.share:.1%} of {self.questions} questions (at least {self.lower_bound:.1%}), "
            f"the limit is {self.limit:.1%}; it abstains in {self.abstained}: {self.verdict}"
        )


def others_captions(samples: Sequence[CaptionSample], captions: Mapping[str, str]) -> dict[str, str]:
    """Return for each sample the caption of the next one, the first one's for the last."""
    ids = [one.sample_id for one in samples]
    return {name: captions.get(ids[(place + 1) % len(ids)], "") for place, name in enumerate(ids)}


def audit_captions(
    release: str,
    questions: Sequence[ProbeQuestion],
    blind: Mapping[str, Mapping[str, str]],
    judge: LanguageModel,
    *,
    margin: float,
    minimum: int,
    callers: int = 1,
) -> list[CaptionAuditRow]:
    """Judge blind captions and guess blindly.

    Args:
        release: date.
        questions: of the release.
        blind: by policy, captions by sample that know nothing of the context.
        judge: the one whose scores are shown.
        margin: above chance, from which on a policy fails when it is surely above.
        minimum: questions below which nothing is decided.
        callers: questions asked at once.

    Raises:
        ModelUnavailable, ModelRefusesKey, BudgetExhausted: the judge stopped answering.
    """
    letters: dict[str, list[str]] = {}
    for name, captions in blind.items():

        def chosen(one: ProbeQuestion, captions: Mapping[str, str] = captions, name: str = name) -> str:
            text = captions.get(one.sample_id, "")
            return judge_probe(judge, one, text, policy=name, fingerprint="").letter

        letters[name] = list(ordered_map(chosen, questions, workers=callers))
    letters["longest_option"] = [_longest(one) for one in questions]
    usual = Counter(one.answer for one in questions).most_common(1)
    letters["usual_letter"] = [usual[0][0] for _ in questions] if usual else []
    return [
        _row(release, name, questions, given, tests=len(letters), margin=margin, minimum=minimum)
        for name, given in letters.items()
    ]


def audit_markdown(rows: Iterable[CaptionAuditRow]) -> str:
    """Return the audit as a table."""
    lines = [
        "| without context | questions | the dialogue's option | surely at least | limit | abstained | verdict |",
        "|---|---|---|---|---|---|---|",
    ]
    for one in rows:
        abstained = one.abstained / one.questions if one.questions else 0.0
        lines.append(
            f"| {one.policy.replace('_', ' ')} | {one.questions} | {one.share:.1%} | {one.lower_bound:.1%} | "
            f"{one.limit:.1%} | {abstained:.1%} | {one.verdict} |"
        )
    return "\n".join(lines)


def _longest(question: ProbeQuestion) -> str:
    return "ABC"[max(range(3), key=lambda place: len(question.options[place]))]


def _row(
    release: str,
    policy: str,
    questions: Sequence[ProbeQuestion],
    letters: Sequence[str],
    *,
    tests: int,
    margin: float,
    minimum: int,
) -> CaptionAuditRow:
    correct = sum(letter == one.answer for letter, one in zip(letters, questions, strict=True))
    limit = CHANCE + margin
    confidence = 1 - (1 - _CONFIDENCE) / max(1, tests)
    lower = binomial_lower_bound(correct, len(questions), confidence=confidence) if questions else 0.0
    verdict: Literal["passed", "failed", "inconclusive"] = "passed"
    if questions and lower > limit:
        verdict = "failed"
    elif len(questions) < minimum or (questions and correct / len(questions) > limit):
        verdict = "inconclusive"
    return CaptionAuditRow(
        release_id=release,
        policy=policy,
        questions=len(questions),
        correct=correct,
        abstained=sum(letter == "D" for letter in letters),
        lower_bound=lower,
        limit=limit,
        verdict=verdict,
    )
