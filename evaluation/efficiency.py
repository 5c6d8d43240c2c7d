"""What an answer takes: tokens and seconds a request, beside full context (PersonaVLM Table 11, Appendix F).

A request is one question put to a policy: the choice of a case, or one response of its alignment pair. Its tokens are
those of all prompts and completions that the policy needed for it: an agent that retrieves three times pays for four
prompts. Its seconds are those from the question to the whole answer; memories were made before and are not in it.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.ablations import setting_order
from evaluation.intervals import Estimate, Numbers, estimate, ratio
from evaluation.persona_mme import BENCHMARK, BENCHMARK_VERSION, CaseTiming
from lifeloom.records import BenchmarkCase, Prediction, Record
from lifeloom.records.base import Identifier
from lifeloom.streams import Streams

__all__ = ["BASELINE", "Efficiency", "measure_efficiency"]

BASELINE = "full_context"
"""What tokens and seconds are compared with."""


class Efficiency(Record):
    """Tokens and seconds a request of one policy, over all settings or in one."""

    KIND = "efficiency"

    benchmark: str
    benchmark_version: str
    release_id: Identifier
    policy: Identifier
    policy_fingerprint: str
    against: Identifier
    setting: str
    """``32k``, ``128k`` or ``all``."""
    requests: int
    failed: int
    """Requests without an answer; they count with what they took."""
    prompt_tokens: float
    """A request, over all its prompts."""
    completion_tokens: float
    """A request, over all its completions."""
    fewer_tokens: float | None
    """Tokens (of prompts and completions) below those of ``against``, in per cent of them, negative where there are
    more; over the requests that both were asked. None: there are none."""
    fewer_tokens_low: float | None
    fewer_tokens_high: float | None
    """Paired bootstrap 95 % interval over cases."""
    timed_requests: int
    """Requests of the cases whose time was measured."""
    seconds: float | None
    """A request; None: not measured."""
    speed: float | None
    """How many times as fast as ``against``, over the cases timed for both. None: there are none."""
    speed_low: float | None
    speed_high: float | None
    seed: int


def measure_efficiency(
    cases: Sequence[BenchmarkCase],
    predictions: Mapping[str, Sequence[Prediction]],
    timings: Mapping[str, Sequence[CaseTiming]],
    *,
    against: str = BASELINE,
    seed: int,
    bootstrap_samples: int,
) -> list[Efficiency]:
    """Return tokens and seconds a request of every policy, over all settings and in each.

    Seconds compare only where all policies were timed on one machine with as many cases at once. The paper takes 100
    cases drawn at random; here all of the release count.

    Args:
        cases: cases of one release.
        predictions: of each policy, by its name.
        timings: of each policy, by its name; those that were not measured may be left out.
        against: name of the policy to compare with; without predictions of it nothing is compared.
        seed: seed of the intervals.
        bootstrap_samples: resamples behind an interval.

    Raises:
        ValueError: no cases, or predictions or timings of other cases.
    """
    if not cases:
        raise ValueError("tokens a request need cases")
    taken = {name: _taken(cases, rows, timings.get(name, ())) for name, rows in predictions.items() if rows}
    base = taken.get(against, {})
    rows: list[Efficiency] = []
    settings = sorted({"all", *(case.setting for case in cases)}, key=setting_order)
    for name, own in taken.items():
        for setting in settings:
            used = {case.case_id: own[case.case_id] for case in cases if case.setting == setting or setting == "all"}
            used = {case_id: one for case_id, one in used.items() if one.requests}
            if not used:
                continue
            seeds = Streams(seed)
            fewer = _compared(
                [
                    (float(one.shared_tokens(other)), float(other.shared_tokens(one)))
                    for one, other in _pairs(used, base)
                ],
                lambda sums: 100 * (1 - ratio(sums[:, 0], sums[:, 1])),
                seeds.numpy_seed("tokens", setting),
                bootstrap_samples,
            )
            speed = _compared(
                [
                    (one.seconds, other.seconds)
                    for one, other in _pairs(used, base)
                    if one.seconds is not None and other.seconds is not None
                ],
                lambda sums: ratio(sums[:, 1], sums[:, 0]),
                seeds.numpy_seed("seconds", setting),
                bootstrap_samples,
            )
            rows.append(
                _row(
                    cases[0].release_id, predictions[name][0], against, setting, list(used.values()), fewer, speed, seed
                )
            )
    return rows


@dataclass(frozen=True)
class _Taken:
    """What a policy took for one case."""

    tokens: Mapping[str, tuple[int, int]]
    """Prompt and completion tokens by question."""
    failed: int
    seconds: float | None

    @property
    def requests(self) -> int:
        return len(self.tokens)

    def shared_tokens(self, other: _Taken) -> int:
        """Return the tokens of the questions that ``other`` was asked too."""
        return sum(sum(self.tokens[question]) for question in self.tokens.keys() & other.tokens.keys())


def _taken(
    cases: Sequence[BenchmarkCase], predictions: Sequence[Prediction], timings: Sequence[CaseTiming]
) -> dict[str, _Taken]:
    seconds = {timing.case_id: timing.seconds for timing in timings}
    tokens: dict[str, dict[str, tuple[int, int]]] = {case.case_id: {} for case in cases}
    failed: collections.Counter[str] = collections.Counter()
    for row in predictions:
        if row.case_id not in tokens:
            raise ValueError(f"a prediction of {row.policy} is of another case: {row.case_id}")
        tokens[row.case_id][row.question] = (row.prompt_tokens, row.completion_tokens)
        failed[row.case_id] += bool(row.failure or not row.answer)
    if not seconds.keys() <= tokens.keys():
        raise ValueError(f"timings of other cases: {sorted(seconds.keys() - tokens.keys())[:3]}")
    return {case_id: _Taken(own, failed[case_id], seconds.get(case_id)) for case_id, own in tokens.items()}


def _pairs(own: Mapping[str, _Taken], base: Mapping[str, _Taken]) -> Iterator[tuple[_Taken, _Taken]]:
    """Yield what both took for each case that both were asked the same of."""
    for case_id, one in own.items():
        other = base.get(case_id)
        if other is not None and one.tokens.keys() & other.tokens.keys():
            yield one, other


def _compared(
    pairs: Sequence[tuple[float, float]], of: Callable[[Numbers], Numbers], seed: int, samples: int
) -> Estimate | None:
    if not pairs:
        return None
    found = estimate(pairs, of, samples=samples, seed=seed)
    return found if np.isfinite(found.value) else None


def _row(
    release_id: str,
    of: Prediction,
    against: str,
    setting: str,
    used: Sequence[_Taken],
    fewer: Estimate | None,
    speed: Estimate | None,
    seed: int,
) -> Efficiency:
    requests = sum(one.requests for one in used)
    tokens = [pair for one in used for pair in one.tokens.values()]
    timed = [one for one in used if one.seconds is not None]
    timed_requests = sum(one.requests for one in timed)
    return Efficiency(
        benchmark=BENCHMARK,
        benchmark_version=BENCHMARK_VERSION,
        release_id=release_id,
        policy=of.policy,
        policy_fingerprint=of.policy_fingerprint,
        against=against,
        setting=setting,
        requests=requests,
        failed=sum(one.failed for one in used),
        prompt_tokens=sum(prompt for prompt, _ in tokens) / requests,
        completion_tokens=sum(completion for _, completion in tokens) / requests,
        fewer_tokens=None if fewer is None else fewer.value,
        fewer_tokens_low=None if fewer is None else fewer.low,
        fewer_tokens_high=None if fewer is None else fewer.high,
        timed_requests=timed_requests,
        seconds=sum(one.seconds or 0.0 for one in timed) / timed_requests if timed_requests else None,
        speed=None if speed is None else speed.value,
        speed_low=None if speed is None else speed.low,
        speed_high=None if speed is None else speed.high,
        seed=seed,
    )
