"""How long the diversity report takes, and what memory, as a corpus grows.

    .venv/bin/python perf/diversity.py [--turns 7500,15000,30000,60000]

Made-up turns of about 170 words (60 by the user, 110 by the assistant) with words as frequent as in real text.
One message in fifty nearly repeats an earlier one; the last column is the share of those that were found.
Each size runs in a process of its own, so that its peak memory is its own; the bare process is shown first.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator

from lifeloom.records import Turn
from lifeloom.synthesis.diversity import diversity_report

_SESSION, _CONVERSATION = 7, 60
_REPEATED = 50
_START = dt.datetime(2025, 3, 1, tzinfo=dt.UTC)


def turns(count: int) -> Iterator[Turn]:
    """Yield made-up turns, none kept."""
    rng = random.Random(7)
    vocabulary = [
        f"{a}{b}{c}" for a in "bdfgklmnprst" for b in ("a", "e", "i", "o", "u", "an", "or", "il") for c in "dkmnprst"
    ]
    rng.shuffle(vocabulary)
    weights = [1 / (rank + 3) for rank in range(len(vocabulary))]
    earlier = ""
    for number in range(count):
        words = rng.choices(vocabulary, weights, k=170)
        user, assistant = " ".join(words[:60]), " ".join(words[60:])
        if number % _REPEATED == 0:
            earlier = user
        elif number % _REPEATED == _REPEATED - 1:
            user = f"{earlier} indeed"
        yield Turn.model_construct(
            turn_id=f"turn-{number}",
            persona_id=f"persona-{number // _CONVERSATION}",
            session_id=f"session-{number // _SESSION}",
            turn_index=number % _CONVERSATION,
            at=_START,
            offset_minutes=0,
            user=user,
            assistant=assistant,
        )


def measure(count: int) -> dict[str, float]:
    """Return seconds without the making of the turns, peak MiB, and the share of repeated messages found."""
    start = time.process_time()
    for _ in turns(count):
        pass
    making = time.process_time() - start
    start = time.process_time()
    report = diversity_report(turns(count), seed=7)
    spent = time.process_time() - start - making
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    planted = count // _REPEATED
    found = report.to_metrics()["near_duplicate_user_messages"] * count / planted if planted else 1.0
    return {"cpu": spent, "peak": peak, "found": found}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", default="0,7500,15000,30000,60000")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one is not None:
        print(json.dumps(measure(options.one)))
        return
    print(f"{'turns':>8}{'cpu s':>8}{'us a turn':>11}{'peak MiB':>10}{'repeats found':>15}")
    for count in map(int, options.turns.split(",")):
        run = subprocess.run(
            [sys.executable, __file__, "--one", str(count)], capture_output=True, text=True, check=True
        )
        row = json.loads(run.stdout)
        each = row["cpu"] / max(count, 1) * 1e6
        print(f"{count:>8,}{row['cpu']:>8.1f}{each:>11.0f}{row['peak']:>10.0f}{row['found']:>15.1%}")


if __name__ == "__main__":
    main()
