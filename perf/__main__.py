"""Run every program of this folder, one after the other: `python -m perf`, or `python -m perf NAME ...`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main() -> int:
    folder = Path(__file__).parent
    programs = sorted(path for path in folder.glob("*.py") if not path.name.startswith("_"))
    wanted = sys.argv[1:]
    if unknown := set(wanted) - {path.stem for path in programs}:
        print(
            f"there is no {', '.join(sorted(unknown))}; there are {', '.join(p.stem for p in programs)}",
            file=sys.stderr,
        )
        return 2
    failed = []
    for path in programs:
        if wanted and path.stem not in wanted:
            continue
        print(f"\n== {path.stem}", flush=True)
        if subprocess.run([sys.executable, str(path)], cwd=folder.parent, check=False).returncode:
            failed.append(path.stem)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
