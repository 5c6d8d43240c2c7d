"""Fit the built-in eyes: the detector, and the heads for faces, names, colours, places and times of day.

    nice .venv/bin/python scripts/fit_eyes.py [--out FILE] [--scale 1.0] [--workers 1]

Draws people, plans and pictures from streams that nothing else uses, fits on one core in about ten minutes, and
writes the weights file that ``lifeloom.models.builtin.eyes`` reads. The detector never sees the places and the light
that ``perf/seeing.py`` holds out for its measurement; the heads for places and times must know all of them. Raise
``WEIGHTS_VERSION`` when the arrays change their meaning. Run it again whenever the painter draws differently.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from fitting.examples import Example, draw_examples
from fitting.plans import HELD_PLACES, HELD_TIME, Mix, fitted_places, fitted_times, library, plan_pictures
from fitting.recognising import detection_thresholds, fit_heads, observe, open_set_threshold, thing_threshold
from fitting.training import fit_detector

from lifeloom.models.builtin.eyes.detector import DrawnPictureDetector
from lifeloom.models.builtin.eyes.recognition import Recogniser
from lifeloom.models.builtin.eyes.weights import WEIGHTS_PATH, load_weights, save_weights
from lifeloom.models.builtin.painter import BuiltinPainter
from lifeloom.models.builtin.painter.vocabulary import THINGS
from lifeloom.records import PicturePlan
from lifeloom.streams import Streams

SEED = 9041
"""Of everything that is fitted; ``perf/seeing.py`` has its own."""

Array = npt.NDArray[np.float32]

PEOPLE = 300
CALIBRATION_PEOPLE = 80
SCENES, HELD_SCENES, CALIBRATION_SCENES = 1800, 400, 300


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=WEIGHTS_PATH)
    parser.add_argument("--scale", type=float, default=1.0, help="share of the pictures, to try a change quickly")
    parser.add_argument("--passes", type=float, default=8.0, help="how often the detector sees each picture")
    parser.add_argument("--workers", type=int, default=1, help="processes that draw")
    options = parser.parse_args()
    started = time.monotonic()

    def log(line: str) -> None:
        print(f"{time.monotonic() - started:6.0f} s  {line}", flush=True)

    streams = Streams(SEED)
    scenes, held, calibration = plans(streams, options.scale)
    examples = [list(draw_examples(part, options.workers)) for part in (scenes, held, calibration)]
    log(f"{sum(map(len, examples))} pictures drawn")
    fit(examples[0], examples[1], examples[2], options.out, passes=options.passes, log=log)
    log(f"written: {options.out} ({options.out.stat().st_size / 1e6:.2f} MB)")


def plans(streams: Streams, scale: float) -> tuple[list[PicturePlan], list[PicturePlan], list[PicturePlan]]:
    """Return the plans for everything, those for the heads alone, and those for the thresholds."""
    people = library(streams, "fit", PEOPLE)
    others = library(streams, "calibrate", max(20, int(CALIBRATION_PEOPLE * scale)))
    seen = Mix(places=fitted_places(), times=fitted_times())
    half = int(HELD_SCENES * scale / 2)
    return (
        list(plan_pictures(streams, "fit", people, int(SCENES * scale), seen)),
        [
            *plan_pictures(streams, "held-places", people, half, Mix(places=HELD_PLACES, portraits=0.0)),
            *plan_pictures(streams, "held-time", people, half, Mix(times=(HELD_TIME,), portraits=0.0)),
        ],
        list(plan_pictures(streams, "calibrate", others, int(CALIBRATION_SCENES * scale), seen)),
    )


def fit(
    scenes: Sequence[Example],
    held: Sequence[Example],
    calibration: Sequence[Example],
    out: Path,
    *,
    passes: float,
    log: Callable[[str], None],
) -> None:
    """Fit everything and write it to ``out``; the file is written in steps, as each needs those before."""
    detector = {
        f"detector/{name}": array for name, array in fit_detector(scenes, passes=passes, seed=SEED, log=log).items()
    }
    log("detector fitted")
    about: dict[str, Any] = {"seed": SEED, "painter": BuiltinPainter().identity.model, "thresholds": {}}
    partial = out.with_suffix(".detector.npz")
    save_weights(detector, about, partial)
    try:
        about["thresholds"] |= detection_thresholds(calibration, DrawnPictureDetector(partial, lowest=0.05))
        finder = DrawnPictureDetector(partial, lowest=0.3)
        seen = observe([*scenes, *held], finder)
        others = observe(calibration, finder)
    finally:
        partial.unlink()
    log(f"{len(seen.identities)} faces and {len(seen.names)} things seen")
    fitted = fit_heads(seen)
    about["thresholds"] |= open_set_threshold(fitted.heads["face"], others, np.random.default_rng(SEED))
    about["labels"] = fitted.labels
    kinds = {thing.name: thing.kind for thing in THINGS}
    about["kinds"] = [kinds[name] for name in fitted.labels["name"]]
    heads: dict[str, Array] = {}
    for name, head in fitted.heads.items():
        heads |= head.arrays(name)
    save_weights(detector | heads, about, out)
    about["thresholds"] |= thing_threshold(
        calibration, DrawnPictureDetector(out, lowest=0.1), Recogniser(load_weights(out))
    )
    save_weights(detector | heads, about, out)
    log(f"thresholds: {about['thresholds']}")


if __name__ == "__main__":
    main()
