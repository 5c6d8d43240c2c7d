"""How long a reply takes apart from the model, and whether the update stage delays it.

    OMP_NUM_THREADS=1 .venv/bin/python perf/response_stage.py [--memories 300] [--replies 300] [--updates 0.2]

A user with 500 turns and 300 memories; vectors of 384 numbers; a model that answers at once: two retrievals, then the
answer. Embeddings are given, since what an encoder takes is its own; with all-MiniLM-L6-v2 it is shown beside. Under
load, 20 users have their updates waiting, and the model of the update worker takes its time over each; every reply
brings it more.
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import numpy.typing as npt

from lifeloom.assistant.assistant import Assistant
from lifeloom.assistant.jobs import enqueue, turn_jobs
from lifeloom.assistant.response import Query, ResponseStage
from lifeloom.assistant.update import UpdateStage
from lifeloom.assistant.worker import UpdateWorker
from lifeloom.memory import DialogueTurn, EpisodeDraft, Operation, Origin, SemanticDraft, SetValue, UserMemory
from lifeloom.models.minilm import MiniLmEncoder
from lifeloom.models.protocol import Generation, ModelIdentity, TextEncoder, Usage
from lifeloom.streams import stable_hash
from lifeloom.tasks import PersonalityInferenceOutput, TextOutput

START = dt.datetime(2025, 1, 6, 9, tzinfo=dt.UTC)
WORDS = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in "aeiou" for c in ("ra", "lin", "to", "mes", "nu")]
STEPS = 3
USERS = 20


class GivenVectors:
    """An encoder that takes no time: a fixed random vector for each text."""

    identity = ModelIdentity("fake", "nobody (given)")
    dimensions = 384

    def __init__(self) -> None:
        pool = np.random.default_rng(1).standard_normal((512, self.dimensions)).astype(np.float32)
        self._pool = pool / np.linalg.norm(pool, axis=1, keepdims=True)

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """A vector for each text."""
        return self._pool[[stable_hash(text) % len(self._pool) for text in texts]]


class AtOnce:
    """A model that answers at once, or after ``seconds``; its own time is kept."""

    identity = ModelIdentity("fake", "at-once")
    window_tokens = 32_768
    scores_options = False
    takes_pictures = False

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.spent = 0.0
        self.calls = 0

    def run(self, task: Any, task_input: Any, images: Any = (), *, sample: int = 0, listener: Any = None) -> Any:
        """Answer."""
        started = time.perf_counter()
        if self.seconds:
            time.sleep(self.seconds)
        self.calls += 1
        usage, made_by = Usage(1500, 60), self.identity.provenance(task)
        if task.name == "personality_inference":
            scores = dict.fromkeys(PersonalityInferenceOutput.model_fields, 4)
            answer: Any = Generation(PersonalityInferenceOutput(**scores), usage, made_by)
        else:
            text = self._text(task.name, task_input)
            if listener is not None:
                for word in text.split(" "):
                    listener.piece(f"{word} ")
            answer = Generation(TextOutput(text=text), usage, made_by)
        self.spent += time.perf_counter() - started
        return answer

    def _text(self, task: str, task_input: Any) -> str:
        if task == "semantic_update":
            return (
                f"reason: told\ndecision: yes\nkind: fact\ncontent: The user said {task_input.user}\nkeywords: said\n"
            )
        if task == "episodic_update":
            return "topic_summary: The user talked.\nkeywords: talk\nsource_dialog_indices: 1\n"
        if task != "response_step":
            return "none\n"
        if len(task_input.rounds) == STEPS - 1:
            return (
                "<think>That is enough to know.</think>\n<answer>" + "You told me so last spring. " * 12 + "</answer>"
            )
        words = [task_input.query.split()[len(task_input.rounds)], WORDS[len(task_input.query) % len(WORDS)]]
        period = '"start_time": "2025-03-01"\n"end_time": "2025-11-30 18:00"'
        return f'<think>I must look.</think>\n<retrieve>\n"keywords": "{", ".join(words)}"\n{period}\n</retrieve>'

    def score_options(self, *args: Any) -> Any:
        """None."""
        raise NotImplementedError

    def check(self) -> str:
        """Say that it answers."""
        return "at once"


class Nothing:
    """A listener that does nothing."""

    def piece(self, text: str) -> None:
        """Pass over it."""

    def restart(self) -> None:
        """Pass over it."""


def words(rng: random.Random, count: int) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(count))


def remembering(path: Path, user: str, turns: int, memories: int, encoder: TextEncoder) -> UserMemory:
    """A user's memory over a year: sessions of five turns, each told and remembered."""
    rng = random.Random(user)
    memory = UserMemory.open(path, user)
    with memory.transaction():
        for index in range(turns):
            at = (
                START
                + dt.timedelta(days=365) * (index // 5) / max(1, turns // 5)
                + dt.timedelta(minutes=3 * (index % 5))
            )
            memory.add_turn(DialogueTurn(index, index // 5, at, 60, words(rng, 25), words(rng, 40)))
    operations: list[Operation] = [SetValue("core", f"key {n}", words(rng, 6), (n,), "human") for n in range(12)]
    contents = [words(rng, 14) for _ in range(memories)]
    for number, (content, vector) in enumerate(zip(contents, encoder.encode(contents), strict=True)):
        first = rng.randrange(turns // 5) * 5
        keywords = tuple(rng.sample(WORDS, 3))
        if number % 20 < 12:
            operations.append(SemanticDraft("fact", content, keywords, (first,), vector))
        elif number % 20 < 17:
            operations.append(EpisodeDraft(content, keywords, tuple(range(first, first + 5)), vector))
        else:
            operations.append(SetValue("procedural", f"goal {number}", content, (first,), None, keywords, vector))
    memory.apply("all", operations, Origin(START + dt.timedelta(days=366), turns))
    return memory


@dataclass(frozen=True)
class Times:
    """Seconds a step of each reply, less the model's own."""

    wall: list[float]
    processor: list[float]
    """Of the thread that replies, the model's few microseconds included."""

    def shown(self, steps: int = 1) -> str:
        """Return the row of a table, in milliseconds of ``steps`` steps."""
        wall, processor = (sorted(1000 * steps * one for one in times) for times in (self.wall, self.processor))
        longest = f"{wall[int(0.95 * len(wall))]:9.2f}{wall[-1]:9.2f}"
        return f"{statistics.median(wall):8.2f}{longest}{statistics.median(processor):11.2f}"


def replies(count: int, model: AtOnce, once: Callable[[int], object]) -> Times:
    """Reply ``count`` times."""
    wall, processor = [], []
    for number in range(-10, count):
        before, started, used = model.spent, time.perf_counter(), time.thread_time()
        once(number)
        processor.append((time.thread_time() - used) / STEPS)
        wall.append((time.perf_counter() - started - (model.spent - before)) / STEPS)
    return Times(wall[10:], processor[10:])  # the first ones fill caches


def measure_steps(memory: UserMemory, encoder: TextEncoder, count: int) -> None:
    model, now = AtOnce(), START + dt.timedelta(days=370)
    stage = ResponseStage(model, encoder)

    def reply(number: int) -> None:
        stage.respond(memory, Query(words(random.Random(number), 15), now, 60), listener=Nothing())

    label = f"a step, vectors by {encoder.identity.model.partition('@')[0]}"
    print(f"{label:52}{replies(count, model, reply).shown()}", flush=True)


def measure_load(folder: Path, encoder: TextEncoder, count: int, seconds: float) -> None:
    """Turns of one user, replied to and remembered: with an update stage that is quick, then with one that is not."""
    memories = [remembering(folder / f"user-{n}", f"user {n}", 100, 60, encoder) for n in range(USERS)]
    for days, pause in ((370, 0.0), (400, seconds)):
        updating, model, now = AtOnce(pause), AtOnce(), START + dt.timedelta(days=days)
        with UpdateWorker(UpdateStage(updating, encoder)) as worker:
            assistant = Assistant(memories[0], ResponseStage(model, encoder), worker)
            if pause:
                for memory in memories[1:]:
                    for turn in memory.turns(0, 49):
                        enqueue(memory, turn_jobs(turn, 5 * (turn.index // 5)))
                    worker.notify(memory)

            def reply(number: int, assistant: Assistant = assistant, now: dt.datetime = now) -> None:
                said_at = now + dt.timedelta(hours=3 * (number // 10), minutes=number % 10)  # ten turns a session
                assistant.say(words(random.Random(number), 15), said_at, 60)

            times = replies(count, model, reply)
            left = sum(len(memory.pending()) for memory in memories)
        label = f"a turn with updates of {pause:.1f} s: {updating.calls} made, {left} wait"
        print(f"{label:52}{times.shown(STEPS)}", flush=True)
    for memory in memories:
        memory.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=300)
    parser.add_argument("--replies", type=int, default=300)
    parser.add_argument("--updates", type=float, default=0.2, metavar="SECONDS")
    options = parser.parse_args()
    print(f"{'ms, apart from the model':52}{'median':>8}{'95 %':>9}{'longest':>9}{'processor':>11}")
    with tempfile.TemporaryDirectory() as folder:
        given = GivenVectors()
        for number, encoder in enumerate((given, MiniLmEncoder())):
            with remembering(Path(folder) / f"one-{number}", "one", 500, options.memories, encoder) as memory:
                measure_steps(memory, encoder, options.replies)
        measure_load(Path(folder), given, options.replies, options.updates)


if __name__ == "__main__":
    main()
