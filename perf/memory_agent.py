"""The memory agent beside full context and RAG on the built-in model: accuracy by task, tokens and seconds a request.

Run: ``.venv/bin/python perf/memory_agent.py`` makes a release of its own (another seed and date than any that is
scored), builds the memories of its users and asks every policy all its cases; ``--home FOLDER --release DATE`` takes a
release that is there. Wants at least 94 % fewer tokens a request than full context at 128k settings. The reader
declares a window of 131,072 tokens, so that full context is not cut. The memories are built beforehand: their time is
told apart.
"""

from __future__ import annotations

import argparse
import collections
import os
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evaluation.persona_mme import PolicyRun
    from lifeloom.memory import UserMemory
    from lifeloom.models.builtin.backend import BuiltinModel
    from lifeloom.models.protocol import TextEncoder
    from lifeloom.records import BenchmarkCase, PictureReference, Turn
    from lifeloom.store import DatasetStore

SEED = 4242
RELEASE = "2026-03-09"
WINDOW = 131_072
POLICIES = ("full_context", "rag", "agent_without_reasoning", "memory_agent")


def make_release(home: Path, options: argparse.Namespace) -> None:
    """Make people, conversations, pictures and cases in ``home``."""
    from orchestration.instance import open_instance
    from orchestration.lineage import run_steps, steps_for
    from orchestration.profiles import load_profile
    from resources.workbench import Workbench

    sizes = {
        "LIFELOOM_SEED": str(SEED),
        "LIFELOOM_RELEASE__DEMO_DATE": options.release,
        "LIFELOOM_RELEASE__PERSONAS_32K": str(options.personas_32k),
        "LIFELOOM_RELEASE__PERSONAS_128K": str(options.personas_128k),
        "LIFELOOM_RELEASE__MAX_TURNS_128K": str(options.turns),
    }
    profile = load_profile("demo", sizes)
    workbench = Workbench(profile, home)
    stages = ("seeds", "release/personas", "release/dialogues", "release/persona_mme")
    for made in run_steps(steps_for(stages, profile), workbench, open_instance(workbench.home)):
        print(f"{made.asset:24} {made.rows:7,} rows {made.seconds:8.1f} s", flush=True)


class Memories:
    """The memories of all users, built once."""

    def __init__(self, store: DatasetStore, folder: Path) -> None:
        self._store = store
        self._folder = folder
        self._open: dict[str, UserMemory] = {}

    def build(self, turns: Mapping[str, Sequence[Turn]], model: BuiltinModel, encoder: TextEncoder) -> float:
        """Build them and return the seconds that it took."""
        from lifeloom.assistant import ConceptMemory, UpdateStage, build_memories
        from lifeloom.memory import UserMemory, user_file
        from lifeloom.models.builtin.eyes import CropEncoder
        from lifeloom.models.builtin.eyes.detector import DrawnPictureDetector

        update = UpdateStage(model, encoder, concepts=ConceptMemory(DrawnPictureDetector(), CropEncoder()))
        started = time.perf_counter()
        for user, said in sorted(turns.items()):
            path = user_file(self._folder, user)
            with UserMemory.open(path, user) as memory:
                build_memories(memory, said, update, pictures=self.picture)
            self._open[user] = UserMemory.open(path, user, create=False, read_only=True)
        return time.perf_counter() - started

    def of(self, user: str) -> UserMemory:
        """Return the memory of ``user``."""
        return self._open[user]

    def picture(self, reference: PictureReference) -> bytes:
        """Return a picture of the conversations, or a crop that a user's memory holds."""
        from lifeloom.memory import MediaGone
        from lifeloom.store import MediaMissing

        try:
            return self._store.media.get(reference.content_hash)
        except MediaMissing:
            for memory in list(self._open.values()):
                try:
                    return memory.media(reference.content_hash)
                except MediaGone:
                    continue
            raise


def asked(name: str, cases: Sequence[BenchmarkCase], turns: Mapping[str, Sequence[Turn]], parts: Any) -> PolicyRun:
    """Ask one policy all cases."""
    from evaluation.baselines import FullContextPolicy, RagPolicy
    from evaluation.memory_agent import MemoryAgentPolicy, variant_settings
    from evaluation.persona_mme import run_policy
    from lifeloom.assistant import ResponseSettings

    model, encoder, memories = parts
    if name == "full_context":
        policy: Any = FullContextPolicy(model, code="perf")
    elif name == "rag":
        policy = RagPolicy(model, encoder, code="perf")
    else:
        settings = variant_settings(name, ResponseSettings())
        policy = MemoryAgentPolicy(
            model, encoder, memories.of, settings, name=name, code="perf", pictures=memories.picture
        )
    return run_policy(policy, cases, lambda user: turns[user])


def report(cases: Sequence[BenchmarkCase], runs: Mapping[str, PolicyRun]) -> None:
    """Print accuracies with 95 % intervals, and what a request takes."""
    from evaluation.persona_mme import score_predictions

    scores = {
        name: score_predictions(
            cases, run.predictions, backend="builtin", model="", code_revision="", seed=SEED, bootstrap_samples=1000
        )
        for name, run in runs.items()
    }
    tasks = sorted({score.task for rows in scores.values() for score in rows})
    print("\n| task | questions | " + " | ".join(runs) + " |\n|---|---|" + "---|" * len(runs))
    for task in tasks:
        rows = {
            name: next(
                row
                for row in given
                if (row.setting, row.task) == ("all", task) and (task != "all" or row.aspect == "all")
            )
            for name, given in scores.items()
        }
        cells = [f"{row.value:.2f} ({row.interval_low:.2f}-{row.interval_high:.2f})" for row in rows.values()]
        print(f"| {task} | {next(iter(rows.values())).questions} | " + " | ".join(cells) + " |")
    setting_of = {case.case_id: case.setting for case in cases}
    print("\n| setting | policy | tokens a choice | of full context | seconds a case | failures |")
    print("|---|---|---|---|---|---|")
    for setting in sorted(set(setting_of.values())):
        full = 0.0
        for name, run in runs.items():
            mine = [one for one in run.predictions if setting_of[one.case_id] == setting]
            choices = [one for one in mine if one.question == "choice"]
            tokens = sum(one.prompt_tokens + one.completion_tokens for one in choices) / len(choices)
            full = full or tokens
            seconds = [one.seconds for one in run.timings if setting_of[one.case_id] == setting]
            failed = sum(bool(one.failure) for one in mine)
            mean = sum(seconds) / len(seconds)
            print(f"| {setting} | {name} | {tokens:,.0f} | {100 * tokens / full:.1f} % | {mean:.2f} | {failed} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="a home with the release; else one is made and removed")
    parser.add_argument("--release", default=RELEASE, help="its date")
    parser.add_argument("--personas-32k", type=int, default=12)
    parser.add_argument("--personas-128k", type=int, default=6)
    parser.add_argument("--turns", type=int, default=500, help="longest conversation at 128k")
    parser.add_argument("--policies", default=",".join(POLICIES))
    options = parser.parse_args()
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    with tempfile.TemporaryDirectory() as folder:
        home = options.home or Path(folder) / "home"
        if options.home is None:
            make_release(home, options)
        measure(home, options.release, Path(folder) / "memories", options.policies.split(","))


def measure(home: Path, release: str, folder: Path, policies: Sequence[str]) -> None:
    """Build the memories of a release and ask the policies."""
    from lifeloom.models.builtin.backend import BuiltinModel
    from lifeloom.models.builtin.eyes import Eyes
    from lifeloom.models.minilm import MiniLmEncoder
    from lifeloom.records import BenchmarkCase, Turn
    from lifeloom.store import DatasetStore

    store = DatasetStore(str(home / "data"))
    cases = list(store.read(f"release/persona_mme/{release}", "cases", BenchmarkCase))
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
    count = sum(len(said) for said in turns.values())
    print(f"memories of {count:,} turns of {len(turns)} users built in {seconds:.0f} s", flush=True)
    runs = {}
    for name in policies:
        started = time.process_time()
        runs[name] = asked(name, cases, turns, (model, encoder, memories))
        print(f"{name}: {len(cases)} cases, {time.process_time() - started:.0f} s of the processor", flush=True)
    report(cases, runs)


if __name__ == "__main__":
    main()
