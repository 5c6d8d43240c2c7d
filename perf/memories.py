"""All memories of written conversations on the built-in backend: how long, how much memory, where the time goes.

python perf/memories.py                          # 200 personas of 150 turns, words alone, in three ways
python perf/memories.py --personas 20 --turns 50
python perf/memories.py --pictures               # one turn in six with a picture, every picture looked at before

Making the conversations (a seed of its own) and looking at the pictures is not counted.
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime as dt
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import groupby
from pathlib import Path
from typing import Any

SEED = 20_260_105
KEY = "corpus/dialogues"
HOW = ("one", "threads", "processes")


def make_conversations(folder: Path, personas: int, turns: int, pictures: bool) -> None:
    """Write the conversations into the store ``folder``, and look at their pictures."""
    from lifeloom.models.builtin.backend import BuiltinModel
    from lifeloom.models.builtin.eyes import Eyes
    from lifeloom.models.builtin.painter import BuiltinPainter
    from lifeloom.models.builtin.painter.pool import DrawingPool
    from lifeloom.records import Persona, Turn
    from lifeloom.store import DatasetStore, DatasetWriter, Recipe
    from lifeloom.streams import Streams
    from lifeloom.synthesis.illustrating import Illustrator
    from lifeloom.synthesis.making import ConversationOrder, make_dialogues, make_personas
    from lifeloom.synthesis.occasion_seeds import assign_captions
    from lifeloom.synthesis.planning.shapes import shape_for
    from lifeloom.synthesis.review import read_answers
    from lifeloom.synthesis.seeds import (
        builtin_captions_path,
        builtin_personas_path,
        load_caption_seeds,
        load_persona_seeds,
        sample_personas,
    )
    from lifeloom.synthesis.validation import Validator

    streams, model, store = Streams(SEED), BuiltinModel(), DatasetStore(folder)
    seeds = load_persona_seeds(builtin_personas_path()).seeds
    captions = load_caption_seeds(builtin_captions_path()).seeds
    sample = sample_personas(seeds, count=personas, split="train", streams=streams, purpose="perf")

    def write_personas(writer: DatasetWriter) -> None:
        make_personas(writer, sample, edition="corpus", model=model, streams=streams)

    def write_dialogues(writer: DatasetWriter) -> None:
        people = list(store.read("corpus/personas", "personas", Persona))
        chosen = assign_captions(lambda: captions, [p.persona_id for p in people], split="train", streams=streams)
        shape = dataclasses.replace(shape_for("128k"), min_turns=turns, max_turns=turns)
        if not pictures:
            shape = dataclasses.replace(shape, picture_share=0.0)
        orders = [ConversationOrder(person, "128k", shape, tuple(chosen[person.persona_id])) for person in people]
        with DrawingPool(2 if pictures else 1) as pool:
            make_dialogues(
                writer,
                orders,
                ends_on=dt.date(2025, 12, 31),
                model=model,
                validator=Validator(model, answers=read_answers(folder, "none"), where="perf"),
                illustrator=Illustrator(BuiltinPainter(), pool.draw_many),
                streams=streams,
            )

    store.produce("corpus/personas", Recipe(stage="personas", seed=SEED), write_personas)
    store.produce(KEY, Recipe(stage="dialogues", seed=SEED), write_dialogues)
    if pictures:
        eyes = Eyes(folder / "eyes.sqlite")
        for turn in store.read(KEY, "turns", Turn):
            eyes.look(turn.pictures, lambda picture: store.media.get(picture.content_hash))
        eyes.close()


class Clock:
    """Seconds spent in calls, by name."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()

    def timed(self, call: Callable[..., Any], name: Callable[..., str]) -> Callable[..., Any]:
        """Return ``call`` with its time added up under ``name`` of its arguments."""

        def timed(*given: Any, **named: Any) -> Any:
            started = time.perf_counter()
            try:
                return call(*given, **named)
            finally:
                self.seconds[name(*given)] += time.perf_counter() - started

        return timed


def build(folder: Path, pictures: bool, share: Sequence[str]) -> tuple[int, int, Counter[str], float]:
    """Build the memories of the personas of ``share``; return turns, memories, seconds by part, peak MiB."""
    from lifeloom.assistant import ConceptMemory, UpdateStage, build_memories
    from lifeloom.memory import UserMemory
    from lifeloom.models.builtin.asking import EyesDetector
    from lifeloom.models.builtin.backend import BuiltinModel
    from lifeloom.models.builtin.eyes import CropEncoder, Eyes
    from lifeloom.models.minilm import MiniLmEncoder
    from lifeloom.records import Turn
    from lifeloom.store import DatasetStore

    store, clock, encoder, wanted = DatasetStore(folder), Clock(), MiniLmEncoder(), set(share)
    source = lambda picture: store.media.get(picture.content_hash)  # noqa: E731 - as short as it gets
    eyes = Eyes(folder / "eyes.sqlite") if pictures else None
    model = BuiltinModel(encoder, eyes=eyes, pictures=source)
    concepts = ConceptMemory(EyesDetector(eyes), CropEncoder(folder / "crops.sqlite")) if eyes is not None else None
    stage = UpdateStage(model, encoder, concepts=concepts)
    encoder.encode(["load the weights first"])
    model.run = clock.timed(model.run, lambda task, *_: task.name)  # type: ignore[method-assign]
    encoder.encode = clock.timed(encoder.encode, lambda *_: "vectors")  # type: ignore[method-assign]
    if concepts is not None:
        concepts.remember = clock.timed(concepts.remember, lambda *_: "crops")  # type: ignore[method-assign]
    stage.apply = clock.timed(stage.apply, lambda *_: "file")  # type: ignore[method-assign]
    turns = memories = 0
    with tempfile.TemporaryDirectory(dir=folder) as place:
        for persona, conversation in groupby(store.read(KEY, "turns", Turn), key=lambda turn: turn.persona_id):
            if persona not in wanted:
                continue
            started = time.perf_counter()
            with UserMemory.open(Path(place) / f"{persona}.sqlite", persona) as memory:
                counts = build_memories(memory, conversation, stage, pictures=source)
                kinds = ("SemanticDraft", "EpisodeDraft", "SetValue")
                memories += sum(counts.operations[kind] for kind in kinds)
            turns += counts.turns
            clock.seconds["all"] += time.perf_counter() - started
    return turns, memories, clock.seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def run(folder: Path, how: str, pictures: bool, workers: int) -> None:
    """Build all memories ``how``, and print a line and where the time went."""
    from lifeloom.records import Persona
    from lifeloom.store import DatasetStore

    people = [person.persona_id for person in DatasetStore(folder).read("corpus/personas", "personas", Persona)]
    shares = [people[start::workers] for start in range(workers)]
    started = time.perf_counter()
    if how == "one":
        results = [build(folder, pictures, people)]
    elif how == "threads":
        with ThreadPoolExecutor(workers) as pool:
            results = list(pool.map(build, [folder] * workers, [pictures] * workers, shares))
    else:
        with ProcessPoolExecutor(workers) as processes:
            results = list(processes.map(build, [folder] * workers, [pictures] * workers, shares))
    seconds = time.perf_counter() - started
    turns, memories = sum(one[0] for one in results), sum(one[1] for one in results)
    peak = sum(one[3] for one in results) if how == "processes" else max(one[3] for one in results)
    used = sum(
        usage.ru_utime + usage.ru_stime
        for usage in (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    )
    print(f"{how:10s} {turns:8d} {memories:9d} {seconds:9.1f} {used:9.1f} {turns / seconds:9.0f} {peak:9.0f}")
    spent: Counter[str] = Counter()
    for one in results:
        spent.update(one[2])
    whole = spent.pop("all")
    parts = [f"{name} {100 * part / whole:.0f} %" for name, part in spent.most_common()]
    print(f"{'':10s} {', '.join(parts)}, other {100 * (whole - sum(spent.values())) / whole:.0f} %", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--personas", type=int, default=200)
    parser.add_argument("--turns", type=int, default=150)
    parser.add_argument("--pictures", action="store_true")
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--folder", type=Path, help="keeps the conversations, or has them from before")
    parser.add_argument("--how", choices=HOW, help="only this way, in this process")
    chosen = parser.parse_args()
    if chosen.how:
        if chosen.folder is None:
            parser.error("--how needs --folder with the conversations: a run without --how makes them")
        run(chosen.folder, chosen.how, chosen.pictures, chosen.workers)
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = (chosen.folder or Path(temporary)).absolute()
        started = time.perf_counter()
        make_conversations(folder, chosen.personas, chosen.turns, chosen.pictures)
        print(f"conversations: {time.perf_counter() - started:.0f} s, not counted")
        print("how           turns  memories   seconds  of cores   turns/s  peak MiB", flush=True)
        given = [sys.executable, __file__, "--folder", str(folder), "--workers", str(chosen.workers)]
        for how in HOW:
            subprocess.run([*given, "--how", how, *(["--pictures"] if chosen.pictures else [])], check=True)


if __name__ == "__main__":
    main()
