"""How well visual concepts are remembered from one picture and recognised in others, among 20 concepts of a user.

    nice .venv/bin/python perf/visual_concepts.py [--users 20] [--pictures 700] [--calibrate] [--workers 1]

A user knows 12 people, 4 animals and 4 coloured things, each shown once and described in words. Then the user shows 40
other pictures, in which known and unknown people and things stand. People, pictures, places and light are drawn for
this alone. ``--calibrate`` prints the thresholds of the built-in encoder instead, on people of their own.
"""

from __future__ import annotations

import argparse
import datetime as dt
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "scripts"))  # shared with what fits the eyes

from fitting.examples import Example, draw_examples
from fitting.plans import library, plan_pictures
from fitting.recognising import pairs

from lifeloom.assistant.concepts import ConceptMemory
from lifeloom.memory import DialogueTurn, Origin, SemanticDraft, UserMemory
from lifeloom.models.builtin.asking import EyesDetector
from lifeloom.models.builtin.eyes import CropEncoder, Eyes
from lifeloom.models.crops import crops
from lifeloom.models.efficientnet import EfficientNetEncoder
from lifeloom.models.protocol import Detection, ImageEncoder
from lifeloom.records import DrawnSubject
from lifeloom.streams import Streams

SEED = 90817  # that of no other script
PEOPLE = 60
KNOWN = {"person": 12, "animal": 4, "object": 4}
ASKED = 40  # pictures shown afterwards
START = dt.datetime(2026, 1, 5, 10, tzinfo=dt.UTC)

What = tuple[str, str]
"""Kind, and what tells one from another: a person's number, a thing's colour and name."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--users", type=int, default=20)
    parser.add_argument("--pictures", type=int, default=700)
    parser.add_argument("--calibrate", action="store_true")
    parser.add_argument("--workers", type=int, default=1, help="processes that draw")
    options = parser.parse_args()
    purpose = "calibrate" if options.calibrate else "measure"
    streams = Streams(SEED)
    people = library(streams, f"concepts-{purpose}", PEOPLE)
    plans = list(plan_pictures(streams, f"concepts-{purpose}", people, options.pictures))
    drawn = list(draw_examples(plans, options.workers))
    detector = EyesDetector(Eyes())
    if options.calibrate:
        encoders: tuple[ImageEncoder, ...] = (CropEncoder(), EfficientNetEncoder())
        for encoder in encoders:
            calibrate(drawn, detector, encoder, options.users, streams)
        return
    measure(drawn, ConceptMemory(detector, CropEncoder()), options.users, streams)


def what(subject: DrawnSubject) -> What:
    """Return what tells a subject from others of its kind."""
    return subject.kind, subject.identity or f"{subject.colour} {subject.name}".strip()


@dataclass
class Shown:
    """One user's concepts, each in the picture that shows it first."""

    concepts: dict[What, tuple[int, str]]
    """Number of the picture, and the description."""
    asked: list[int]
    """Numbers of the pictures shown afterwards."""


def choose(drawn: Sequence[Example], user: int, streams: Streams) -> Shown:
    """Choose what a user knows; a picture shows it so that the description means one thing."""
    rng = streams.rng("concepts", "user", user)
    showing: dict[What, list[tuple[int, str]]] = defaultdict(list)
    for number, example in enumerate(drawn):
        alike = defaultdict(list)
        for subject in example.subjects:
            alike[subject.kind if subject.kind == "person" else subject.name].append(subject)
        for subject in example.subjects:
            if subject.kind == "object" and not subject.colour:
                continue
            there = sorted(
                alike[subject.kind if subject.kind == "person" else subject.name], key=lambda one: one.box.left
            )
            side = (
                "" if len(there) == 1 else "left" if subject is there[0] else "right" if subject is there[-1] else "x"
            )
            if side != "x" and (subject.kind == "person" or len(there) == 1):
                where = f" on the {side}" if side else ""
                showing[what(subject)].append((number, describe(subject) + where))
    concepts: dict[What, tuple[int, str]] = {}
    for kind, count in KNOWN.items():
        usable = sorted(one for one, places in showing.items() if one[0] == kind and len(places) > 1)
        for one in rng.sample(usable, min(count, len(usable))):
            concepts[one] = rng.choice(showing[one])
    used = {number for number, _ in concepts.values()}
    with_known = [n for n, one in enumerate(drawn) if n not in used and any(what(s) in concepts for s in one.subjects)]
    without = [n for n in range(len(drawn)) if n not in used and n not in set(with_known)]
    asked = rng.sample(with_known, min(ASKED // 2, len(with_known))) + rng.sample(
        without, min(ASKED // 2, len(without))
    )
    return Shown(concepts, asked)


def describe(subject: DrawnSubject) -> str:
    """Return how a user names it."""
    if subject.kind == "person":
        return f"Person{subject.identity}, the user's friend"
    return f"the user's {subject.colour} {subject.name}".replace("  ", " ")


def measure(drawn: Sequence[Example], concepts: ConceptMemory, users: int, streams: Streams) -> None:
    """Print how many concepts are cut out, recognised and taken for others."""
    counts, seconds = Counter[str](), defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for user in range(users):
            shown = choose(drawn, user, streams)
            with UserMemory.open(Path(folder) / f"{user}.sqlite", f"user {user}") as memory:
                names = remember(memory, concepts, drawn, shown, counts, seconds)
                for number in shown.asked:
                    began = time.perf_counter()
                    lines = concepts.recognise(memory, [drawn[number].data])
                    seconds["recognise"].append(time.perf_counter() - began)
                    count(drawn[number], lines, names, counts)
    print(f"{users} users, {sum(KNOWN.values())} concepts each, {ASKED} pictures each")
    for kind in KNOWN:
        print(
            f"{kind:7} cut out {share(counts, kind, 'cut', 'shown')}, "
            f"recognised {share(counts, kind, 'right', 'known')}, "
            f"strangers taken for a concept {share(counts, kind, 'false', 'unknown')}"
        )
    for name, values in seconds.items():
        print(f"{name}: {1000 * statistics.median(values):.0f} ms median a picture")


def remember(
    memory: UserMemory,
    concepts: ConceptMemory,
    drawn: Sequence[Example],
    shown: Shown,
    counts: Counter[str],
    seconds: dict[str, list[float]],
) -> dict[str, What]:
    """Show every concept once; return by name those that were found in their picture."""
    names: dict[str, What] = {}
    for index, (one, (number, description)) in enumerate(shown.concepts.items()):
        counts[f"{one[0]} shown"] += 1
        began = time.perf_counter()
        crop = concepts.remember(memory, drawn[number].data, description)
        seconds["remember"].append(time.perf_counter() - began)
        at = START + dt.timedelta(minutes=index)
        memory.add_turn(DialogueTurn(index, 0, at, 0, description, ""))
        if crop is None:
            continue
        counts[f"{one[0]} cut"] += 1
        name = description.partition(" on the ")[0]
        kept = memory.put_media(crop.data, crop.width, crop.height)
        content = f"{name} <img>"
        draft = SemanticDraft("visual_concept", content, (), (index,), crop=kept, crop_vector=crop.vector)
        memory.apply(f"shown {index}", [draft], Origin(at, index + 1))
        names[name] = one
    return names


def count(example: Example, lines: Sequence[str], names: dict[str, What], counts: Counter[str]) -> None:
    """Count what ``lines`` say of a picture; copies of a thing count once."""
    there = {what(subject) for subject in example.subjects}
    said = {one for name, one in names.items() if any(line.endswith(f" is {name}.") for line in lines)}
    for one in there:
        if one in names.values():
            counts[f"{one[0]} known"] += 1
            counts[f"{one[0]} right"] += one in said
        else:
            counts[f"{one[0]} unknown"] += 1
    for one in said - there:
        counts[f"{one[0]} false"] += 1


def share(counts: Counter[str], kind: str, some: str, all_of: str) -> str:
    of = counts[f"{kind} {all_of}"]
    return f"{counts[f'{kind} {some}'] / of:.3f} ({of})" if of else "-"


def calibrate(
    drawn: Sequence[Example], detector: EyesDetector, encoder: ImageEncoder, users: int, streams: Streams
) -> None:
    """Print by kind where as many strangers are taken for a concept as concepts are missed."""
    looks = [seen(example, detector, encoder) for example in drawn]
    own, strangers = defaultdict(list), defaultdict(list)
    for user in range(users):
        shown = choose(drawn, user, streams)
        gallery = {
            one: next((vector for other, vector in looks[number] if other == one), None)
            for one, (number, _) in shown.concepts.items()
        }
        known = {one: vector for one, vector in gallery.items() if vector is not None}
        everything = np.stack(list(known.values()))
        for number in shown.asked:
            for one, vector in looks[number]:
                kind = one[0]
                (own if one in known else strangers)[kind].append(
                    float(vector @ known[one]) if one in known else float((everything @ vector).max())
                )
    print(encoder.identity.model)
    for kind in own:
        mine, theirs = np.sort(own[kind]), np.sort(strangers[kind])
        candidates = np.linspace(0, 1, 1001)
        missed = np.searchsorted(mine, candidates) / len(mine)
        taken = 1 - np.searchsorted(theirs, candidates) / len(theirs)
        best = int(np.abs(missed - taken).argmin())
        print(
            f"  {kind}: threshold {candidates[best]:.3f}, missed {missed[best]:.3f} of {len(mine)}, "
            f"strangers taken {taken[best]:.3f} of {len(theirs)}"
        )


def seen(example: Example, detector: EyesDetector, encoder: ImageEncoder) -> list[tuple[What, npt.NDArray[np.float32]]]:
    """Return what the detector finds in a picture and who or what that is, with its vector."""
    image = example.image()
    finds = list(detector.detect([image])[0])
    if not finds:
        return []
    parts, kinds = crops(image, finds), [one.kind for one in finds]
    vectors = encoder.encode_as(parts, kinds) if isinstance(encoder, CropEncoder) else encoder.encode(parts)
    loose = [Detection(one.kind, one.score, one.box) for one in finds]
    return [(what(example.subjects[subject]), vectors[find]) for find, subject in pairs(loose, example.subjects)]


if __name__ == "__main__":
    main()
