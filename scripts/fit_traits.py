"""Fit what tells hair, glasses, beard and skin from a face vector, on drawn people of its own.

Run: ``.venv/bin/python scripts/fit_traits.py`` (some five minutes on two cores). Writes
``lifeloom/models/builtin/eyes/weights/traits.npz`` and prints accuracy on people who were not fitted on. Run it again
whenever the eyes' weights change: the vectors are theirs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from lifeloom.models.builtin.eyes import Eyes
from lifeloom.models.builtin.eyes.traits import TRAIT_NAMES, TRAITS_PATH, TRAITS_VERSION
from lifeloom.models.builtin.eyes.weights import WEIGHTS_PATH, load_weights
from lifeloom.models.builtin.painter.people import SKINS, WantedPerson, draw_people
from lifeloom.models.builtin.painter.pool import DrawingPool
from lifeloom.models.builtin.painter.vocabulary import PLACES
from lifeloom.models.protocol import PictureNotDrawn
from lifeloom.records import Appearance, PicturePlan, PictureReference, PictureSubject
from lifeloom.streams import Streams
from lifeloom.synthesis.vaccounts.looks import beard_of, glasses_of, hair_colour_of, hair_of

SEED = 909


def labels(look: Appearance) -> dict[str, str]:
    skin = SKINS.index(look.skin)
    return {
        "hair": hair_of(look),
        "hair_colour": hair_colour_of(look),
        "glasses": "none" if glasses_of(look) == "no glasses" else "glasses",
        "beard": {"no beard": "none"}.get(beard_of(look), beard_of(look).split()[-1]),
        "skin": ("light", "light", "medium", "dark", "dark")[skin],
    }


def plans(people: Sequence[Appearance], streams: Streams) -> list[PicturePlan]:
    made = []
    rng = streams.rng("plans")
    for number, look in enumerate(people):
        subject = PictureSubject(kind="person", name="somebody", identity=f"p-{number}", appearance=look)
        made.append(
            PicturePlan(picture_id=f"a-{number}", kind="portrait", subjects=(subject,), seed=rng.randrange(2**53))
        )
    for number in range(len(people)):
        group = rng.sample(range(len(people)), rng.randint(1, 3))
        subjects = tuple(
            PictureSubject(kind="person", name="somebody", identity=f"p-{one}", appearance=people[one]) for one in group
        )
        time = rng.choice(("morning", "day", "sunset", "night"))
        made.append(
            PicturePlan(
                picture_id=f"s-{number}",
                kind="scene",
                place=rng.choice(PLACES).name,
                time_of_day=time,
                subjects=subjects,
                seed=rng.randrange(2**53),
            )
        )
    return made


def vectors(people: Sequence[Appearance], streams: Streams) -> tuple[np.ndarray, dict[str, list[str]], list[str]]:
    files: dict[str, bytes] = {}
    truth = []
    with DrawingPool(2) as pool:
        wanted = plans(people, streams)
        for plan, drawn in zip(wanted, pool.draw_many(wanted), strict=True):
            if isinstance(drawn, PictureNotDrawn):
                continue
            name = hashlib.sha256(drawn.data).hexdigest()
            files[name] = drawn.data
            truth.append((PictureReference(content_hash=name, width=drawn.width, height=drawn.height), plan, drawn))
    faces, found, kinds = [], defaultdict(list), []
    sights = Eyes().look([reference for reference, _, _ in truth], lambda one: files[one.content_hash])
    for (_, plan, drawn), sight in zip(truth, sights, strict=True):
        for seen in sight.people:
            middle = (seen.box[0] + seen.box[2]) / 2
            nearest = min(
                (one for one in drawn.subjects if one.kind == "person"),
                key=lambda one: abs((one.box.left + one.box.right) / 2 - middle),
                default=None,
            )
            if nearest is None or abs((nearest.box.left + nearest.box.right) / 2 - middle) > 30:
                continue
            faces.append(seen.face)
            kinds.append(plan.kind)
            for name, value in labels(people[int(nearest.identity[2:])]).items():
                found[name].append(value)
    return np.array(faces), found, kinds


def of_all_ages(count: int) -> list[WantedPerson]:
    """A third of them old, since only they are grey; a sixth young."""
    ages = ("grown", "old", "grown", "old", "grown", "young")
    return [WantedPerson(ages[number % len(ages)]) for number in range(count)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=900)
    options = parser.parse_args()
    streams = Streams(SEED)
    fitted = draw_people(streams.rng("fit"), of_all_ages(options.people), min_distance=0.5)
    held = draw_people(streams.rng("held"), of_all_ages(200), min_distance=2.0)
    faces, found, _ = vectors(fitted, Streams(SEED + 1))
    unseen, truth, kinds = vectors(held, Streams(SEED + 2))
    arrays: dict[str, np.ndarray] = {}
    for name in TRAIT_NAMES:
        model = LogisticRegression(C=30.0, max_iter=3000, class_weight="balanced").fit(faces, found[name])
        coefficients, intercepts = model.coef_, model.intercept_
        if len(model.classes_) == 2:
            coefficients, intercepts = np.vstack([-coefficients, coefficients]), np.hstack([-intercepts, intercepts])
        arrays[f"{name}/coefficients"] = coefficients.astype(np.float32)
        arrays[f"{name}/intercepts"] = intercepts.astype(np.float32)
        arrays[f"{name}/labels"] = np.frombuffer(json.dumps(list(model.classes_)).encode(), dtype=np.uint8)
        told = np.array(model.predict(unseen)) == np.array(truth[name])
        by = {kind: told[np.array(kinds) == kind].mean() for kind in ("portrait", "scene")}
        print(
            f"{name:12} portrait {by['portrait']:.3f} scene {by['scene']:.3f} ({len(told)} faces of 200 unseen people)"
        )
    arrays["eyes"] = np.frombuffer(load_weights(WEIGHTS_PATH).digest.encode(), dtype=np.uint8)
    arrays["version"] = np.frombuffer(TRAITS_VERSION.encode(), dtype=np.uint8)
    Path(TRAITS_PATH).parent.mkdir(exist_ok=True)
    np.savez_compressed(TRAITS_PATH, **arrays)
    print(f"written {TRAITS_PATH}, {Path(TRAITS_PATH).stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
