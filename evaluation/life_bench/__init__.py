"""Life-Bench: asking, scoring, tables and figures (Life-Bench Section 5)."""

from evaluation.life_bench.report import life_report
from evaluation.life_bench.running import (
    BENCHMARK,
    BENCHMARK_VERSION,
    LifeRun,
    LifeTiming,
    LifeTrace,
    judge_open,
    run_life_policy,
)
from evaluation.life_bench.scoring import event_recall, score_life

__all__ = [
    "BENCHMARK",
    "BENCHMARK_VERSION",
    "LifeRun",
    "LifeTiming",
    "LifeTrace",
    "event_recall",
    "judge_open",
    "life_report",
    "run_life_policy",
    "score_life",
]
