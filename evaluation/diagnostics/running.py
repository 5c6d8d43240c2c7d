"""Asking a policy the diagnostic questions, directly and with its own caption in the prompt (CoViP Section 4, Eq. 7).

LSD and ITR put the same question, "Where did I last see the person in this image?" (Appendix D): it is asked once, and
the answer is scored for both. A keyword that is due is taken out before the place is compared, since the user asked
for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from evaluation.captioners import CaptionAugmented
from lifeloom.models.calls.parallel import ordered_map
from lifeloom.models.protocol import LanguageModel
from lifeloom.records import DiagnosticAnswer, DiagnosticCase, DiagnosticMode
from lifeloom.scoring.caption_policy import CaptionPolicy, ContextView, Told
from lifeloom.scoring.diagnostic_scoring import judge_action, score_keyword, score_place
from lifeloom.scoring.policy import policy_fingerprint
from lifeloom.tasks import ACTION_JUDGEMENT

__all__ = [
    "ASKED_ACTION",
    "ASKED_PLACE",
    "BENCHMARK",
    "BENCHMARK_VERSION",
    "MODES",
    "diagnostic_fingerprint",
    "run_diagnostics",
]

BENCHMARK = "diagnostics"
BENCHMARK_VERSION = "1"
MODES: tuple[DiagnosticMode, ...] = ("direct", "cag")
ASKED_PLACE = "Where did I last see the person in this image?"
"""Of LSD and ITR (Appendix D)."""
ASKED_ACTION = "What was I doing the last time I mentioned the person in this image?"
"""Of LAR (Appendix D)."""
_AT_ONCE = 64
"""Cases whose pictures are looked at together."""


def diagnostic_fingerprint(policy: CaptionPolicy, judge: LanguageModel) -> str:
    """Return 16 hex digits that change whenever answers or verdicts may change."""
    return policy_fingerprint(
        policy.name,
        code=BENCHMARK_VERSION,
        models=[f"{judge.identity.backend}/{judge.identity.model}"],
        prompts=[ACTION_JUDGEMENT.prompt_version, ASKED_PLACE, ASKED_ACTION],
        parameters={"policy": policy.fingerprint},
    )


def run_diagnostics(
    policy: CaptionPolicy,
    cases: Sequence[DiagnosticCase],
    judge: LanguageModel,
    *,
    modes: Sequence[DiagnosticMode] = MODES,
    workers: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> Iterator[DiagnosticAnswer]:
    """Yield the policy's scored answers, by case, mode and task. It sees pictures and dialogues, and no truth.

    Args:
        policy: who answers.
        cases: of one release.
        judge: of LAR; it sees the action and the answer.
        modes: ``direct``, ``cag``.
        workers: cases asked about at once.
        progress: told how many cases are done.

    Raises:
        ModelUnavailable, ModelRefusesKey, BudgetExhausted: a model stopped answering.
    """
    fingerprint = diagnostic_fingerprint(policy, judge)

    def answered(case: DiagnosticCase) -> list[DiagnosticAnswer]:
        return [answer for mode in modes for answer in _asked(policy, case, judge, mode=mode, fingerprint=fingerprint)]

    done = 0
    for start in range(0, len(cases), _AT_ONCE):
        part = cases[start : start + _AT_ONCE]
        policy.prepare([ContextView.of(one) for one in part])
        for answers in ordered_map(answered, part, workers=workers):
            done += 1
            progress(done)
            yield from answers


def _asked(
    policy: CaptionPolicy, case: DiagnosticCase, judge: LanguageModel, *, mode: DiagnosticMode, fingerprint: str
) -> list[DiagnosticAnswer]:
    """Put both questions and score all three tasks."""
    view = ContextView.of(case)
    asker: CaptionPolicy = policy
    caption = ""
    if mode == "cag":
        asker = CaptionAugmented(policy)  # keeps the caption for the second question
        caption = asker.caption(view).text
    place, action = (asker.answer(view, question) for question in (ASKED_PLACE, ASKED_ACTION))
    where = score_place(_without(place.text, case.keyword), case.location)
    keyword = score_keyword(place.text, case.keyword, case.keywords)
    verdict = None if action.failure else judge_action(judge, case.action, action.text)

    def row(told: Told, **scored: object) -> DiagnosticAnswer:
        values: dict[str, object] = {
            "case_id": case.case_id,
            "mode": mode,
            "policy": policy.name,
            "fingerprint": fingerprint,
            "text": told.text,
            "caption": caption,
            "failure": told.failure,
            "prompt_tokens": told.prompt_tokens,
            "completion_tokens": told.completion_tokens,
            "made_by": told.made_by,
        }
        return DiagnosticAnswer.model_validate({**values, **scored})

    there = not place.failure
    return [
        row(place, task="lsd", score=where.multiset if there else 0.0, set_score=where.distinct if there else 0.0),
        row(
            action,
            task="lar",
            score=float(verdict is not None and verdict.correct is True),
            failure=action.failure if verdict is None else verdict.failure,
        ),
        row(
            place,
            task="itr",
            score=float(there and keyword.correct),
            false_trigger=there and keyword.false_trigger,
        ),
    ]


def _without(text: str, keyword: str) -> str:
    return re.sub(rf"(?<!\w){re.escape(keyword)}(?!\w)", " ", text) if keyword else text
