"""Built-in dialogues at paper scale, words alone: time, memory and growth. `paper_scale.py` has the pictures.

python perf/dialogues.py                 # 125, 250 and 500 personas of 20-100 turns, each in a fresh process
python perf/dialogues.py --personas 500  # one size, in this process
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime as dt
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SIZES = (125, 250, 500)


def make(personas: int) -> None:
    from lifeloom.models.builtin.backend import BuiltinModel
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

    streams, model = Streams(7), BuiltinModel()
    seeds = load_persona_seeds(builtin_personas_path()).seeds
    captions = load_caption_seeds(builtin_captions_path()).seeds
    sample = sample_personas(seeds, count=personas, split="train", streams=streams, purpose="perf")
    with tempfile.TemporaryDirectory() as folder:
        store = DatasetStore(folder)

        def write_personas(writer: DatasetWriter) -> None:
            make_personas(writer, sample, edition="corpus", model=model, streams=streams)

        def write_dialogues(writer: DatasetWriter) -> None:
            people = list(store.read("corpus/personas", "personas", Persona))
            chosen = assign_captions(lambda: captions, [p.persona_id for p in people], split="train", streams=streams)
            shape = dataclasses.replace(shape_for("train"), picture_share=0.0)
            orders = [ConversationOrder(person, "train", shape, tuple(chosen[person.persona_id])) for person in people]
            with DrawingPool(1) as pool:
                make_dialogues(
                    writer,
                    orders,
                    ends_on=dt.date(2025, 12, 31),
                    model=model,
                    validator=Validator(model, answers=read_answers(Path(folder), "none"), where="perf"),
                    illustrator=Illustrator(BuiltinPainter(), pool.draw_many),
                    streams=streams,
                )

        started = time.perf_counter()
        store.produce("corpus/personas", Recipe(stage="personas", seed=7), write_personas)
        store.produce("corpus/dialogues", Recipe(stage="dialogues", seed=7), write_dialogues)
        seconds = time.perf_counter() - started
        turns = sum(1 for _ in store.read("corpus/dialogues", "turns", Turn))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{personas:8d} {turns:8d} {seconds:9.1f} {turns / seconds:9.0f} {peak:9.0f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--personas", type=int)
    chosen = parser.parse_args().personas
    if chosen:
        make(chosen)
        return
    print("personas    turns   seconds   turns/s  peak MiB   (personas, plans, words, validation, Parquet)", flush=True)
    for size in SIZES:
        subprocess.run([sys.executable, __file__, "--personas", str(size)], check=True)


if __name__ == "__main__":
    main()
