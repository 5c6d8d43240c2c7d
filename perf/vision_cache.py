"""How fast open_clip and Grounding DINO look on a core, and how fast what they saw is found again.

    taskset -c 0 .venv/bin/python perf/vision_cache.py [--pictures 24] [--detections 3]

Both have the size of a real checkpoint (ViT-B-32; Swin-T with 900 queries) and random weights, written to a temporary
folder of 1.3 GB: speed does not depend on what weights say. Wants 2,000 cached pictures a second. ``CPU`` counts the
seconds that the process worked, whatever else the machine did meanwhile.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

from lifeloom.models.grounding_dino import GroundingDinoDetector
from lifeloom.models.open_clip import OpenClipEncoder

REPEATS = 50


def pictures(count: int, size: tuple[int, int]) -> list[Image.Image]:
    rng = np.random.default_rng(1)
    return [Image.fromarray(rng.integers(0, 256, (size[1], size[0], 3), dtype=np.uint8)) for _ in range(count)]


def write_clip(folder: Path, name: str) -> None:
    import open_clip
    from safetensors.torch import save_file

    folder.mkdir()
    config = {"model_cfg": open_clip.get_model_config(name), "preprocess_cfg": {}}
    (folder / "open_clip_config.json").write_text(json.dumps(config))
    save_file(open_clip.create_model(name).state_dict(), folder / "open_clip_model.safetensors")


def write_grounding_dino(folder: Path) -> None:
    from transformers import (
        AutoTokenizer,
        GroundingDinoConfig,
        GroundingDinoForObjectDetection,
        GroundingDinoImageProcessor,
        GroundingDinoProcessor,
    )

    from lifeloom.models.tokens import model_folder

    GroundingDinoForObjectDetection(GroundingDinoConfig()).save_pretrained(folder)
    tokenizer = AutoTokenizer.from_pretrained(model_folder())  # MiniLM has BERT's vocabulary
    GroundingDinoProcessor(GroundingDinoImageProcessor(), tokenizer).save_pretrained(folder)


def report(what: str, count: int, work: Callable[[], object]) -> None:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"{what}: {count / wall:,.1f} a second, {count / cpu:,.1f} a second of CPU")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=int, default=24)
    parser.add_argument("--detections", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        some = pictures(arguments.pictures, (512, 512))
        many = some * REPEATS

        write_clip(folder / "clip", "ViT-B-32")
        encoder = OpenClipEncoder(str(folder / "clip"), cache_path=folder / "clip.sqlite")
        report("digest of ViT-B-32's weights", 1, lambda: encoder.identity)
        print(encoder.check())
        report("pictures, 512 x 512", len(some), lambda: encoder.encode(some))
        report("the same, cached", len(many), lambda: encoder.encode(many))
        texts = [f"text number {number}" for number in range(len(some))]
        report("texts", len(texts), lambda: encoder.encode_texts(texts))
        report("the same, cached", len(many), lambda: encoder.encode_texts(texts * REPEATS))
        encoder.close()

        write_grounding_dino(folder / "dino")
        detector = GroundingDinoDetector(str(folder / "dino"), cache_path=folder / "dino.sqlite")
        print(detector.check())
        few = some[: arguments.detections]
        report("detection, 512 x 512 shown as 800 x 800", len(few), lambda: detector.detect(few))
        found = sum(map(len, detector.detect(few))) / len(few)
        report(f"the same, cached, {found:.0f} boxes each", len(few) * REPEATS, lambda: detector.detect(few * REPEATS))
        detector.detect(pictures(1, (1600, 20)))  # has fewer places than the network has queries, but for its border
    print(f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:,.1f} GiB")


if __name__ == "__main__":
    main()
