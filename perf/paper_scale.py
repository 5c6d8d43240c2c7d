"""Corpus and release of the paper's sizes with pictures, on the built-in models: seconds and memory, stage by stage.

500 training personas and 200 benchmark personas (PersonaVLM Appendix C), in the graph as users run it. Memory is
that of this process and those that draw, sampled twice a second; flat: later shards need no more than the first.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import threading
import time
from pathlib import Path

import psutil

BUILTIN = {
    f"LIFELOOM_MODELS__{role}__{key}": value
    for role in ("WRITER", "READER", "CRITIC")
    for key, value in (("BACKEND", "builtin"), ("MODEL", ""), ("BASE_URL", ""))
}
STAGES = ("seeds", "corpus", "reference", "release")


class Memory(threading.Thread):
    """The largest sum of resident sizes of this process and its children since it was last asked."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak = 0.0
        self.done = threading.Event()

    def run(self) -> None:
        """Sample until ``done``."""
        own = psutil.Process()
        while not self.done.wait(0.5):
            total = 0
            for process in (own, *own.children(recursive=True)):
                try:
                    total += process.memory_info().rss
                except psutil.NoSuchProcess:
                    continue  # it ended between the two calls
            self.peak = max(self.peak, total / 2**20)

    def take(self) -> float:
        """Return the peak in MiB and begin anew."""
        peak, self.peak = self.peak, 0.0
        return peak


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="share of the paper's personas, 0..1")
    scale = parser.parse_args().scale
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    from orchestration.instance import open_instance
    from orchestration.lineage import run_steps, steps_for
    from orchestration.profiles import load_profile
    from resources.workbench import Workbench

    sizes = {
        "LIFELOOM_CORPUS__PERSONAS": str(round(500 * scale)),
        "LIFELOOM_CORPUS__SHARDS": str(max(1, round(20 * scale))),
        "LIFELOOM_RELEASE__PERSONAS_32K": str(round(100 * scale)),
        "LIFELOOM_RELEASE__PERSONAS_128K": str(round(100 * scale)),
        "LIFELOOM_VALIDATION__INJECTED_FAULTS": "0",
    }
    profile = load_profile("paper", {**BUILTIN, **sizes})
    memory = Memory()
    memory.start()
    print("stage                          partition     rows   seconds  peak MiB with drawing processes", flush=True)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        workbench = Workbench(profile, Path(folder))
        instance = open_instance(workbench.home)
        for made in run_steps(steps_for(STAGES, profile), workbench, instance):
            row = f"{made.asset:30s} {made.partition or '':12s} {made.rows:7d} {made.seconds:9.1f} {memory.take():9.0f}"
            print(row, flush=True)
        pictures = sum(
            workbench.store.reader(key).rows("pictures")
            for prefix in ("corpus/dialogues", "release/dialogues")
            for key in workbench.store.keys(prefix)
        )
        size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file()) / 2**20
    memory.done.set()
    print(f"in all {time.perf_counter() - began:.0f} s, {pictures} pictures, {size:.0f} MiB on disk", flush=True)


if __name__ == "__main__":
    main()
