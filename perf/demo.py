"""The whole lineage as `lifeloom demo` runs it, in a fresh home, twice: seconds and peak memory."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "LIFELOOM_HOME": home, "HF_HUB_OFFLINE": "1"}
        print("run      wall s    user s  peak MiB of all so far")
        before = 0.0
        for name in ("first", "second"):
            started = time.perf_counter()
            command = [sys.executable, "-m", "orchestration", "demo"]
            subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds = time.perf_counter() - started
            print(f"{name:6s} {seconds:8.1f} {used.ru_utime - before:9.1f} {used.ru_maxrss / 1024:9.0f}", flush=True)
            before = used.ru_utime


if __name__ == "__main__":
    main()
