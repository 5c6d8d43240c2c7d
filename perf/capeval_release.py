"""A release of query pictures with contexts, dialogues and questions on the built-in backend: time, memory, scores.

Run: ``.venv/bin/python perf/capeval_release.py`` makes 1,300 query pictures of the paper's library (188 identities, 50
diagnostic people) with their contexts and questions in a home of its own. Wants 6 minutes and 4 GiB on two cores.
``--scores`` judges, audits and scores the captioners as well, diagnostics, grounding and caption quality too.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from paper_scale import Memory

MAKING = (
    "seeds/image_library",
    "release/scenes",
    "release/filtered_scenes",
    "release/contexts",
    "release/mcqa_probes",
)
SCORING = (
    "release/diagnostics",
    "scores/caption_audit",
    "scores/mcqa_probes",
    "scores/diagnostics",
    "scores/concept_grounding",
    "scores/caption_quality",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=1300)
    parser.add_argument("--identities", type=int, default=188)
    parser.add_argument("--diagnostics", type=int, default=500, help="contexts of the diagnostics")
    parser.add_argument("--seed", type=int, default=4242)
    parser.add_argument("--release", default="2026-03-09")
    parser.add_argument("--home", type=Path, help="a home to keep; else one that is removed")
    parser.add_argument("--scores", action="store_true", help="score the captioners as well")
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
            "LIFELOOM_CAPTIONS__IDENTITIES": str(options.identities),
            "LIFELOOM_CAPTIONS__DIAGNOSTIC_PEOPLE": "50",
            "LIFELOOM_CAPTIONS__TEST_SCENES": str(options.scenes),
            "LIFELOOM_CAPTIONS__DIAGNOSTIC_CONTEXTS": str(options.diagnostics),
            "LIFELOOM_CAPTIONS__QUALITY_PICTURES": "500",
            "LIFELOOM_CAPTIONS__JUDGED_CAPTIONS": "200",
            "LIFELOOM_VALIDATION__INJECTED_FAULTS": "0",
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
        phase = "making" if made.asset in MAKING else "scoring"
        peaks[phase] = max(peaks[phase], peak)
        if phase == "making":
            made_seconds = time.perf_counter() - started
    watch.done.set()
    print(f"made in {made_seconds:.0f} s, {made_seconds / 60:.1f} minutes; peak memory {peaks['making']:.2f} GiB")
    if options.scores:
        from evaluation.capeval.tables import accuracy_table, recognition_table
        from lifeloom.records import CaptionScore

        print(f"peak memory while scoring {peaks['scoring']:.2f} GiB")
        scores = list(workbench.store.read(f"scores/mcqa_probes/{options.release}", "scores", CaptionScore))
        print(accuracy_table(scores))
        print(recognition_table(scores))


if __name__ == "__main__":
    main()
