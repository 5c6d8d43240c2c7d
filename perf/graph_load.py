"""How long the graph takes to load, in fresh processes, and that nothing heavy comes with it."""

from __future__ import annotations

import statistics
import subprocess
import sys

PROGRAM = """
import sys, time
started = time.perf_counter()
import orchestration.definitions
seconds = time.perf_counter() - started
heavy = ("torch", "transformers", "sentence_transformers", "mlflow", "sklearn", "matplotlib")
print(seconds, ",".join(name for name in heavy if name in sys.modules) or "none")
"""
RUNS = 7


def main() -> None:
    seconds, heavy = [], set()
    for _ in range(RUNS):
        done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
        taken, modules = done.stdout.split()
        seconds.append(float(taken))
        heavy.add(modules)
    spread = f"min {min(seconds):.2f}, median {statistics.median(seconds):.2f}, max {max(seconds):.2f}"
    print(f"loads: {RUNS}, seconds: {spread}")
    print(f"heavy modules loaded: {', '.join(sorted(heavy))}")


if __name__ == "__main__":
    main()
