"""Vaccounts, pictures, graphs and questions of a release on the built-in backend: time of each stage, memory, scores.

Run: ``.venv/bin/python perf/life_bench.py`` makes ten Vaccounts in the paper's sizes (2,500 history pictures, 370 of
questions, 16,310 questions) in a home of its own. Wants 15 minutes and 4 GiB on two cores, scores not counted.
``--scores`` scores the retrieval methods as well; ``--scored-questions`` asks so many about each Vaccount.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from paper_scale import Memory

MAKING = (
    "seeds",
    "release/vaccounts",
    "release/histories",
    "release/history_images",
    "release/life_graphs",
    "release/life_bench",
)
SCORING = ("scores/life_audit", "scores/life_bench")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vaccounts", type=int, default=10)
    parser.add_argument("--pictures", type=int, default=250)
    parser.add_argument("--question-pictures", type=int, default=37)
    parser.add_argument("--questions", type=int, default=1631, help="about each Vaccount")
    parser.add_argument("--sweep", type=int, default=0, help="questions of the sweep over depth and width")
    parser.add_argument("--audit", type=int, default=0, help="questions of the audit, 0: all")
    parser.add_argument("--seed", type=int, default=4242)
    parser.add_argument("--release", default="2026-03-09")
    parser.add_argument("--home", type=Path, help="a home to keep; else one that is removed")
    parser.add_argument("--scores", action="store_true", help="score the retrieval methods as well")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run(options.home or Path(folder), options)


def run(home: Path, options: argparse.Namespace) -> None:
    from orchestration.instance import open_instance
    from orchestration.lineage import run_steps, steps_for
    from orchestration.profiles import load_profile
    from resources.workbench import Workbench

    profile = load_profile(
        "workstation",
        {
            "LIFELOOM_SEED": str(options.seed),
            "LIFELOOM_RELEASE__DEMO_DATE": options.release,
            "LIFELOOM_LIFE__VACCOUNTS": str(options.vaccounts),
            "LIFELOOM_LIFE__PICTURES": str(options.pictures),
            "LIFELOOM_LIFE__QUESTION_PICTURES": str(options.question_pictures),
            "LIFELOOM_LIFE__QUESTIONS": str(options.questions),
            "LIFELOOM_LIFE__SWEEP_QUESTIONS": str(options.sweep),
            "LIFELOOM_LIFE__AUDIT_QUESTIONS": str(options.audit),
        },
    )
    workbench = Workbench(profile, home)
    watch = Memory()
    watch.start()
    started = time.perf_counter()
    stages = (*MAKING, *(SCORING if options.scores else ()))
    made_seconds, peaks = 0.0, dict.fromkeys(("making", "scoring"), 0.0)
    for made in run_steps(steps_for(stages, profile), workbench, open_instance(workbench.home)):
        peak = watch.take() / 1024
        print(
            f"{made.asset:28} {made.rows:8,} rows {made.seconds:8.1f} s  {peak:5.2f} GiB  {made.left_out}", flush=True
        )
        phase = "scoring" if made.asset in SCORING else "making"
        peaks[phase] = max(peaks[phase], peak)
        if phase == "making":
            made_seconds = time.perf_counter() - started
    watch.done.set()
    print(f"made in {made_seconds:.0f} s, {made_seconds / 60:.1f} minutes; peak memory {peaks['making']:.2f} GiB")
    if options.scores:
        print(f"peak memory while scoring {peaks['scoring']:.2f} GiB")
        from assets.life_keys import LIFE_SCORES
        from evaluation.life_bench.tables import accuracy_table, recall_table
        from lifeloom.records import LifeScore

        scores = list(workbench.store.read(f"{LIFE_SCORES}/{options.release}", "scores", LifeScore))
        print(accuracy_table(scores))
        print(recall_table(scores))


if __name__ == "__main__":
    main()
