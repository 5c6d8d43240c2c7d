"""What calls to a served model cost beside the model: time, processor, lost answers, answers paid twice.

Run: .venv/bin/python perf/model_calls.py [--calls 2000] [--profile]
Against a server of its own on loopback, in another process, that answers after 200 ms, 64 at once.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LATENCY = 0.2
SLOTS = 64
WORKERS = 128  # more than there are slots: a call that waits to be repeated frees its own
FAULTS = (0.10, 0.02, 0.02)
NO_FAULTS = (0.0, 0.0, 0.0)
ROW = "{:58}{:>16}{:>22}"


@contextlib.contextmanager
def serving(faults: tuple[float, float, float]) -> Iterator[str]:
    """Run the server; give its address."""
    command = [sys.executable, str(Path(__file__).with_name("_loopback_server.py")), str(LATENCY), *map(str, faults)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
        server.kill()


def seen_by(address: str) -> dict[str, Any]:
    """Return what the server counted."""
    import urllib3

    return dict(urllib3.request("GET", address).json())


def client(kind: str, address: str, home: Path, calls: int, *, profile: bool = False) -> subprocess.Popen[str]:
    """Start a client of this file in a process of its own."""
    command = [sys.executable, __file__, "--client", kind, address, str(home), "--calls", str(calls)]
    return subprocess.Popen([*command, *(["--profile"] if profile else [])], stdout=subprocess.PIPE, text=True)


def measured(kind: str, address: str, home: Path, calls: int, *, profile: bool = False) -> dict[str, Any]:
    """Run a client; return what it measured."""
    with client(kind, address, home, calls, profile=profile) as process:
        printed, _ = process.communicate()
        assert process.returncode == 0
    *before, last = printed.splitlines()
    if before:
        print("\n".join(before))
    return dict(json.loads(last))


# --- the clients


def ask_bare(address: str, calls: int) -> dict[str, Any]:
    """The same requests through urllib3 alone, from as many threads."""
    from concurrent.futures import ThreadPoolExecutor

    import urllib3

    from lifeloom.models.calls.wire import Question
    from lifeloom.models.openai.chat import Dialect, chat_request
    from lifeloom.tasks import CHOICE_ANSWER

    pool = urllib3.HTTPConnectionPool("127.0.0.1", urllib3.util.parse_url(address).port, maxsize=SLOTS)
    request = chat_request("m", Question(CHOICE_ANSWER, CHOICE_ANSWER.render(question(10_000))), Dialect())

    def ask(number: int) -> bytes:
        body = json.dumps(request).encode()
        return pool.urlopen("POST", "/v1/chat/completions", body=body, headers={"Content-Type": "a"}, timeout=30).data

    with ThreadPoolExecutor(SLOTS) as threads:
        list(threads.map(ask, range(SLOTS)))
        wall, cpu = time.perf_counter(), time.process_time()
        list(threads.map(ask, range(calls)))
        return {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}


def question(number: int) -> Any:
    from lifeloom.tasks import ChoiceAnswerInput, ContextMessage, OptionText

    return ChoiceAnswerInput(
        context=tuple(
            ContextMessage(at="2026-01-05 10:00", role=("user", "assistant")[turn % 2], text=f"Turn {turn}. " * 10)
            for turn in range(10)
        ),
        asked_at="2026-01-06 10:00",
        query=f"Which tea do I like, number {number}?",
        options=tuple(
            OptionText(letter=letter, text=text)
            for letter, text in zip("abcd", ("green", "black", "mint", "rooibos"), strict=True)
        ),
    )


def ask_ours(address: str, home: Path, calls: int) -> dict[str, Any]:
    """The same through the openai backend, with the cache of answers and the ledger."""
    from lifeloom.models import CallSettings, Gate, GenerationRejected, ModelIdentity, OpenAiModel, ResponseCache
    from lifeloom.models.calls.ledger import Ledger, Price
    from lifeloom.models.calls.parallel import ordered_map
    from lifeloom.tasks import CHOICE_ANSWER

    with ResponseCache(home / "answers.sqlite") as cache, Ledger(home / "ledger.sqlite") as ledger:
        meter = ledger.meter("reader", ModelIdentity("openai", "m"), Price(1.0, 2.0))
        settings = CallSettings(cache=cache, gate=Gate(concurrency=SLOTS), meter=meter)
        with OpenAiModel("m", base_url=address, calls=settings) as model, ledger.account("measuring", "1"):
            questions = [question(number) for number in range(calls)]
            for _ in ordered_map(
                lambda one: model.run(CHOICE_ANSWER, one),
                [question(-number) for number in range(1, SLOTS + 1)],
                workers=SLOTS,
            ):
                pass

            def ask(one: Any) -> str:
                try:
                    return model.run(CHOICE_ANSWER, one).output.letter
                except GenerationRejected as error:
                    return error.reason

            wall, cpu, answered, rejected = time.perf_counter(), time.process_time(), 0, 0
            for said in ordered_map(ask, questions, workers=WORKERS):
                answered += said == "b"
                rejected += said == "bad_json"
            return {
                "wall": time.perf_counter() - wall,
                "cpu": time.process_time() - cpu,
                "lost": calls - answered - rejected,
                "rejected": rejected,
                "events": dict(model.tally.events),
            }


def be_client(kind: str, address: str, home: Path, calls: int, *, profile: bool) -> None:
    if kind == "bare":
        print(json.dumps(ask_bare(address, calls)))
        return
    if not profile:
        print(json.dumps(ask_ours(address, home, calls)))
        return
    import cProfile
    import pstats
    import threading

    # cProfile sees one thread; each gets its own, and they are added up.
    profiles: list[cProfile.Profile] = []
    run = threading.Thread.run

    def profiled(thread: threading.Thread) -> None:
        own = cProfile.Profile(time.thread_time)
        profiles.append(own)
        own.runcall(run, thread)

    threading.Thread.run = profiled  # type: ignore[method-assign]
    result = ask_ours(address, home, calls)
    stats = pstats.Stats(profiles[0])
    for own in profiles[1:]:
        stats.add(own)
    stats.sort_stats("tottime").print_stats(35)
    print(json.dumps(result))


# --- the rows


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--profile", action="store_true", help="print where our own time goes")
    parser.add_argument("--client", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    calls = given.calls
    if given.client:
        kind, address, home = given.client
        be_client(kind, address, Path(home), calls, profile=given.profile)
        return 0
    print(
        ROW.format(
            f"{calls:,} calls of {LATENCY * 1000:.0f} ms, {SLOTS} at once, {WORKERS} callers", "wanted", "measured"
        )
    )
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in ("clean", "faulty", "killed"):
            (root / name).mkdir()
        with serving(NO_FAULTS) as address:
            bare = measured("bare", address, root, calls)
            clean = measured("ours", address, root / "clean", calls, profile=given.profile)
            again = measured("ours", address, root / "clean", calls)
            least = calls / SLOTS * LATENCY
            own = (clean["cpu"] - bare["cpu"]) / calls * 1000
            print(ROW.format("no faults: wall, s", f"{1.05 * least:.2f}", f"{clean['wall']:.2f}"))
            print(ROW.format("  urllib3 alone: wall, s", "", f"{bare['wall']:.2f}"))
            print(ROW.format("  urllib3 alone: processor, ms a call", "", f"{bare['cpu'] / calls * 1000:.2f}"))
            print(ROW.format("  ours on top of it, cache and ledger included, ms", "0.50", f"{own:.2f}"))
            print(ROW.format("  lost", "0", clean["lost"]))
            print(
                ROW.format("again: from the cache", f"{calls:,}", f"{again['events'].get('from_cache', 0) - SLOTS:,}")
            )
            print(ROW.format("  a second", "5,000", f"{calls / again['wall']:,.0f}"))
        with serving(FAULTS) as address:
            faulty = measured("ours", address, root / "faulty", calls)
            seen = seen_by(address)
            print(ROW.format("10 % 429, 2 % 500, 2 % broken JSON: wall, s", "", f"{faulty['wall']:.2f}"))
            print(ROW.format("  lost", "0", faulty["lost"]))
            print(ROW.format("  rejected: broken twice", "", faulty["rejected"]))
            print(ROW.format("  under way at once", SLOTS, seen["most_under_way"]))
            for ours, theirs in (("http_429", "sent_429"), ("http_500", "sent_500"), ("reask_bad_json", "sent_broken")):
                print(ROW.format(f"  {ours}", seen.get(theirs, 0), faulty["events"].get(ours, 0)))
        with serving(NO_FAULTS) as address:
            from lifeloom.models import ResponseCache

            with client("ours", address, root / "killed", calls) as process:
                while seen_by(address).get("requests", 0) < calls // 2:
                    time.sleep(0.05)
                process.kill()
            with ResponseCache(root / "killed" / "answers.sqlite") as cache:
                kept = cache.stats().rows
            before = seen_by(address)["requests"]
            done = measured("ours", address, root / "killed", calls)
            asked = seen_by(address)["requests"] - before
            print(ROW.format("killed half-way: answers kept", "", f"{kept:,}"))
            print(ROW.format("  asked by the second run", f"{calls + SLOTS - kept:,}", f"{asked:,}"))
            print(ROW.format("  lost", "0", done["lost"]))
            # A few were answered, but not yet on disk.
            print(ROW.format("  asked twice: under way when it was killed", f"about {SLOTS}", before - kept))
    return 0


if __name__ == "__main__":
    sys.exit(main())
