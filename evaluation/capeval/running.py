"""Captioning all samples with a policy, and having them judged (CoViP Algorithm 1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from lifeloom.models.calls.parallel import ordered_map
from lifeloom.records import Caption, CaptionSample
from lifeloom.scoring.caption_policy import CaptionPolicy, ContextView

__all__ = ["BENCHMARK", "BENCHMARK_VERSION", "caption_samples"]

BENCHMARK = "capeval"
BENCHMARK_VERSION = "1"
_AT_ONCE = 64
"""Samples whose pictures are looked at together."""


def caption_samples(
    policy: CaptionPolicy,
    samples: Sequence[CaptionSample],
    *,
    workers: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> Iterator[Caption]:
    """Yield the policy's caption of each sample, in order; it sees query picture and context, and no truth.

    Args:
        policy: who captions.
        samples: contexts.
        workers: samples captioned at once.
        progress: told how many are done.

    Raises:
        ModelUnavailable, ModelRefusesKey, BudgetExhausted: a model stopped answering.
    """
    fingerprint = policy.fingerprint

    def captioned(sample: CaptionSample) -> Caption:
        told = policy.caption(ContextView.of(sample))
        return Caption(
            sample_id=sample.sample_id,
            policy=policy.name,
            fingerprint=fingerprint,
            text=told.text,
            recognised=told.recognised,
            prompt_tokens=told.prompt_tokens,
            completion_tokens=told.completion_tokens,
            cut=told.cut,
            failure=told.failure,
            made_by=told.made_by,
        )

    done = 0
    for start in range(0, len(samples), _AT_ONCE):
        part = samples[start : start + _AT_ONCE]
        policy.prepare([ContextView.of(one) for one in part])
        for caption in ordered_map(captioned, part, workers=workers):
            done += 1
            progress(done)
            yield caption
