"""The picture critic on labelled faults: recall by kind, precision, on pictures of conversations nobody fitted on.

python perf/picture_critic.py [--scenes 200]
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import time


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=200)
    wanted = parser.parse_args().scenes
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    from lifeloom.models.builtin.backend import BuiltinModel
    from lifeloom.models.builtin.eyes import Eyes
    from lifeloom.models.builtin.painter import BuiltinPainter
    from lifeloom.streams import Streams
    from lifeloom.synthesis.dialogues import planned_pictures
    from lifeloom.synthesis.personas import enrich_persona
    from lifeloom.synthesis.picture_faults import measure_picture_critic
    from lifeloom.synthesis.planning.shapes import shape_for
    from lifeloom.synthesis.plans import plan_conversation
    from lifeloom.synthesis.seeds import builtin_personas_path, load_persona_seeds, sample_personas

    streams, model = Streams(2026), BuiltinModel()
    seeds = load_persona_seeds(builtin_personas_path()).seeds
    plans = []
    for seed in sample_personas(seeds, count=60, split="train", streams=streams, purpose="perf/picture_critic"):
        persona = enrich_persona(seed, edition="release", model=model, streams=streams)
        plan = plan_conversation(
            persona,
            setting="128k",
            ends_on=dt.date(2026, 1, 1),
            captions=(),
            shape=shape_for("128k"),
            streams=streams,
        )
        plans += [picture for picture in planned_pictures(plan) if picture.kind == "scene" and picture.subjects]
        if len(plans) >= 3 * wanted:
            break
    began = time.perf_counter()
    quality = measure_picture_critic(plans, maker=BuiltinPainter(), eyes=Eyes(), streams=streams, most=wanted)
    print(quality.to_markdown())
    print(f"\n{time.perf_counter() - began:.0f} s for {quality.good} scenes and their faulty versions")


if __name__ == "__main__":
    main()
