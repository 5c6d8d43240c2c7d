"""The graph of memories: how long threads and graph take to make, and what they are worth on counting questions.

Run: ``.venv/bin/python perf/memory_graph.py`` makes conversations of its own (another seed and date than any that is
scored), builds the memories of their users, times threads and graph of each, and asks the agent without and with the
graph the benchmark's cases and questions that count. Everybody is asked once beforehand, so that what is cached is
cached for both. ``--home FOLDER --release DATE`` takes a release that is there.
"""

from __future__ import annotations

import argparse
import collections
import functools
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from memory_agent import RELEASE, SEED, WINDOW, Memories, asked, make_release, report

POLICIES = ("memory_agent", "agent_with_graph")


def measure(home: Path, release: str, folder: Path, each: int) -> None:
    """Build the memories of a release, time the graph and ask the policies."""
    from evaluation.memory_agent import MemoryAgentPolicy, variant_settings
    from evaluation.memory_counting import ask_counting, counting_table, score_counting
    from lifeloom.assistant import ResponseSettings
    from lifeloom.assistant.memory_graph import ThreadSource, graph_of_memory
    from lifeloom.memory import RetrievalRequest
    from lifeloom.models.builtin.backend import BuiltinModel
    from lifeloom.models.builtin.eyes import Eyes
    from lifeloom.models.minilm import MiniLmEncoder
    from lifeloom.records import BenchmarkCase, ConversationPlan, Turn
    from lifeloom.store import DatasetStore
    from lifeloom.synthesis.counting_probes import counting_questions

    store = DatasetStore(str(home / "data"))
    cases = list(store.read(f"release/persona_mme/{release}", "cases", BenchmarkCase))
    plans = list(store.read(f"release/dialogues/{release}", "plans", ConversationPlan))
    turns: dict[str, list[Turn]] = collections.defaultdict(list)
    for turn in store.read(f"release/dialogues/{release}", "turns", Turn):
        turns[turn.persona_id].append(turn)
    for said in turns.values():
        said.sort(key=lambda turn: turn.turn_index)
    memories = Memories(store, folder)
    encoder = MiniLmEncoder()
    model = BuiltinModel(encoder, WINDOW, Eyes(), memories.picture)
    folder.mkdir()
    seconds = memories.build(turns, model, encoder)
    print(f"memories of {sum(map(len, turns.values())):,} turns of {len(turns)} users built in {seconds:.0f} s")
    request = RetrievalRequest("", keywords=("evening", "drink"))
    made, again, graphs, counts = [], [], [], []
    for user in turns:
        memory = memories.of(user)
        source = ThreadSource(memory)
        find = functools.partial(source.threads_for, request, 2)
        made.append(_milliseconds(find))
        again.append(_milliseconds(find))
        graphs.append(_milliseconds(functools.partial(graph_of_memory, memory)))
        counts.append(sum(len(memory.memories(kind)) for kind in ("semantic", "procedural", "episodic")))
    for what, spent in (("threads first", made), ("threads again", again), ("the graph", graphs)):
        print(f"{what}: {statistics.median(spent):.2f} ms (most {max(spent):.2f}), {max(counts)} memories at most")
    parts = (model, encoder, memories)
    questions = counting_questions(plans, each=each, seed=SEED)
    answers, taken, runs = [], {}, {}
    for name in POLICIES:
        settings = variant_settings(name, ResponseSettings())
        policy = MemoryAgentPolicy(
            model, encoder, memories.of, settings, name=name, code="perf", pictures=memories.picture
        )
        asked(name, cases, turns, parts)
        runs[name] = asked(name, cases, turns, parts)
        own, taken[name] = ask_counting(policy, questions, turns.__getitem__)
        answers += own
    report(cases, runs)
    print("\n" + counting_table(score_counting(answers, taken, seed=SEED, bootstrap_samples=1000)))


def _milliseconds(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - started)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="a home with the release; else one is made and removed")
    parser.add_argument("--release", default=RELEASE, help="its date")
    parser.add_argument("--personas-32k", type=int, default=40)
    parser.add_argument("--personas-128k", type=int, default=4)
    parser.add_argument("--turns", type=int, default=200, help="longest conversation at 128k")
    parser.add_argument("--counting", type=int, default=12, help="counting questions of a conversation at most")
    options = parser.parse_args()
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    with tempfile.TemporaryDirectory() as folder:
        home = options.home or Path(folder) / "home"
        if options.home is None:
            make_release(home, options)
        measure(home, options.release, Path(folder) / "memories", options.counting)


if __name__ == "__main__":
    main()
