"""How good and how fast life graphs of the built-in builder are, against the plans of lives made for this.

    nice .venv/bin/python perf/life_graphs.py [--lives 4] [--pictures 250] [--growth] [--errors] [--keep FOLDER]

Lives of the corpus edition with a seed of their own: planned, worded and drawn by the built-in models. Attendance,
places, families of activities and things are compared event by event with the plan, which the builder never sees.
``--growth`` also builds a life of twice as many pictures; ``--errors`` prints what is wrong; ``--keep`` keeps what the
eyes saw, so that a second run need not look again.
"""

from __future__ import annotations

import argparse
import datetime as dt
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lifeloom.lifegraph import LifeGraph
from lifeloom.lifegraph.building import BuiltGraph, GraphSettings, build_graph
from lifeloom.lifegraph.file import LifeGraphFile
from lifeloom.models.builtin.backend import BuiltinModel
from lifeloom.models.builtin.eyes import Eyes
from lifeloom.models.builtin.painter import BuiltinPainter, DrawingPool
from lifeloom.models.builtin.reader.activities import family_of
from lifeloom.records import EventStory, Life, LifeImage, PictureReference, PlannedEvent, VaccountPlan
from lifeloom.streams import Streams
from lifeloom.synthesis.vaccounts.caption_seeds import CaptionSplit
from lifeloom.synthesis.vaccounts.drawing import LifeIllustrator, PictureShelf
from lifeloom.synthesis.vaccounts.making import (
    LifeOrder,
    MadeVaccount,
    draw_history,
    draw_portraits,
    make_seeds,
    plan_release,
    word_concepts,
    word_events,
)
from lifeloom.synthesis.vaccounts.shape import LifeShape

SEED = 61_409  # that of no other script
NO_CAPTIONS = CaptionSplit((), (), ())


@dataclass(frozen=True)
class MadeLife:
    """A life with its plan and the files of its pictures."""

    plan: VaccountPlan
    life: Life
    files: Mapping[str, bytes]


class Score:
    """Right, wrong and missing, by what is compared."""

    def __init__(self) -> None:
        self.right: Counter[str] = Counter()
        self.wrong: Counter[str] = Counter()
        self.missing: Counter[str] = Counter()
        self.errors: list[str] = []

    def add(self, what: str, where: str, planned: set[str], found: set[str]) -> None:
        """Count what was found against what was planned."""
        self.right[what] += len(planned & found)
        self.wrong[what] += len(found - planned)
        self.missing[what] += len(planned - found)
        if planned != found:
            self.errors.append(f"{what} of {where}: missing {sorted(planned - found)}, extra {sorted(found - planned)}")

    def rows(self) -> list[str]:
        """Return a line for each thing that is compared."""
        return [
            f"{what:20} precision {self.right[what] / max(1, self.right[what] + self.wrong[what]):6.1%}  recall "
            f"{self.right[what] / max(1, self.right[what] + self.missing[what]):6.1%}  of "
            f"{self.right[what] + self.missing[what]:,}"
            for what in dict.fromkeys((*self.right, *self.wrong, *self.missing))
        ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lives", type=int, default=4)
    parser.add_argument("--pictures", type=int, default=250)
    parser.add_argument("--growth", action="store_true")
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--workers", type=int, default=2, help="processes that draw")
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(options.keep or folder)
        kept.mkdir(parents=True, exist_ok=True)
        score = Score()
        for made in lives(options.lives, options.pictures, options.workers):
            measure(made, Path(folder), kept, score)
        print("\n".join(score.rows()))
        if options.errors:
            print("\n".join(score.errors))
        if options.growth:
            sizes = (options.pictures, 2 * options.pictures)
            seconds = [
                statistics.mean(
                    measure(made, Path(folder), kept, Score()) for made in lives(2, size, options.workers, part=1)
                )
                for size in sizes
            ]
            print(f"{sizes[0]} to {sizes[1]} pictures: {seconds[1] / seconds[0]:.2f} x the time")


def lives(count: int, pictures: int, workers: int, part: int = 0) -> list[MadeLife]:
    """Plan, word and draw lives."""
    streams = Streams(SEED + part)
    writer = BuiltinModel()
    order = LifeOrder(
        release_id="perf",
        edition="corpus",
        split="train",
        ends_on=dt.date(2025, 12, 31),
        vaccounts=count,
        seeds=count,
        shape=LifeShape(pictures=pictures, question_pictures=0),
    )
    seeds, _ = make_seeds(writer, order, streams)
    made = [one for one in plan_release(seeds, NO_CAPTIONS, order, streams) if isinstance(one, MadeVaccount)]
    with DrawingPool(workers) as pool:
        illustrator = LifeIllustrator(BuiltinPainter(), pool.draw_many, None, PictureShelf(_nowhere))
        return [_made(one, writer, illustrator) for one in made]


def _made(made: MadeVaccount, writer: BuiltinModel, illustrator: LifeIllustrator) -> MadeLife:
    plan = made.plan
    files: dict[str, bytes] = {}
    portraits: dict[str, PictureReference] = {}
    for drawn in draw_portraits(plan, illustrator):
        if drawn.picture is not None:
            portraits[drawn.order.image_id] = drawn.picture.picture
            files[drawn.picture.picture.content_hash] = drawn.data
    concepts, _, _ = word_concepts(writer, made, portraits)
    stories = {one.event_id: one for one in word_events(writer, plan, {}) if isinstance(one, EventStory)}
    history: list[LifeImage] = []
    for drawn, image in draw_history(plan, stories, portraits, illustrator):
        if drawn.picture is not None and image is not None:
            files[drawn.picture.picture.content_hash] = drawn.data
            history.append(image)
    return MadeLife(plan, Life.of(plan.vaccount_id, concepts, history), files)


def _nowhere(reference: PictureReference) -> bytes:
    raise KeyError(reference.content_hash)


def measure(made: MadeLife, folder: Path, kept: Path, score: Score) -> float:
    """Build the graph of a life and compare it; return the processor time of building, pictures looked at before."""
    model = BuiltinModel(
        eyes=Eyes(cache_path=kept / "eyes.sqlite"), pictures=lambda reference: made.files[reference.content_hash]
    )
    path = folder / f"{made.plan.vaccount_id}-{len(made.life.images)}.sqlite"
    start = time.perf_counter()
    model.look([one.picture for one in made.life.images if one.picture is not None])
    looked = time.perf_counter() - start
    start = time.process_time()
    built = build_graph(path, made.life, model, GraphSettings())
    seconds = time.process_time() - start
    start = time.perf_counter()
    with LifeGraphFile.open(path) as file:
        opened = file.graph()
    opening = time.perf_counter() - start
    assert opened == built.graph
    _report(made, built, looked, seconds, opening)
    compare(made, built.graph, score)
    return seconds


def _report(made: MadeLife, built: BuiltGraph, looked: float, seconds: float, opening: float) -> None:
    print(
        f"{made.plan.vaccount_id}: {len(made.life.images)} pictures, {len(made.life.events)} events; looked at in "
        f"{looked:.1f} s, built in {seconds:.2f} s, {len(built.bins)} bins; {len(built.graph.entities)} entities, "
        f"{len(built.graph.facts)} facts, {built.rejected} rejected, {len(built.repairs)} repaired; opened in "
        f"{1000 * opening:.1f} ms; {built.prompt_tokens:,} + {built.completion_tokens:,} tokens",
        file=sys.stderr,
    )
    for one in built.rejections:
        print(f"  {one.stage} {one.item}: {one.reason} {one.detail}", file=sys.stderr)


def compare(made: MadeLife, graph: LifeGraph, score: Score) -> None:
    """Compare a graph with the plan, event by event and person by person."""
    life = made.life
    names = {one.concept_id: one.name for one in made.plan.concepts}
    entity_of = {life.event_of(one.sources[0]): one.entity_id for one in graph.of_type("Event")}
    shown = {image.image_id for image in life.images}
    descriptions = {event.event_id: event.description for event in life.events}
    for event in made.plan.events:
        if event.event_id in descriptions:
            where = f"{event.event_id} ({descriptions[event.event_id]!r})"
            _compare_event(event, where, entity_of.get(event.event_id, ""), graph, shown, names, score)
    for concept in made.plan.concepts:
        own = [
            (fact.relation, graph.entities[fact.tail].name)
            for fact in graph.facts.values()
            if graph.entities[fact.head].type == "PersonAnimal" and graph.entities[fact.head].name == concept.name
        ]
        kin = {relation for relation, tail in own if tail == made.plan.concepts[0].name}
        first, *rest = concept.relation.split()
        planned = set() if concept.relation == "owner" else {f"{first}{''.join(one.title() for one in rest)}Of"}
        score.add("kinship", concept.concept_id, planned, kin)
        career = {concept.career.split(" ", 1)[1]} if concept.career else set()
        score.add("careers", concept.concept_id, career, {tail for relation, tail in own if relation == "hasCareer"})
        score.add("tastes", concept.concept_id, set(concept.tastes), {t for relation, t in own if relation == "likes"})


def _compare_event(
    event: PlannedEvent,
    where: str,
    entity_id: str,
    graph: LifeGraph,
    made: set[str],
    names: Mapping[str, str],
    score: Score,
) -> None:
    shots = [shot for shot in event.shots if shot.image_id in made]
    facts = graph.incident(entity_id)
    tails: dict[str, dict[str, Mapping[str, tuple[str, ...]]]] = {
        kind: {} for kind in ("PersonAnimal", "Location", "Activity", "Object", "Date")
    }
    for fact in facts:
        tail = graph.entities[fact.tail]
        tails.setdefault(tail.type, {})[tail.name] = {one.key: one.values for one in fact.attributes}
    there = {who for shot in shots for who in shot.who}
    score.add("attendance", where, {names[one] for one in there}, set(tails["PersonAnimal"]))
    score.add("dates", where, {event.date.isoformat()}, set(tails["Date"]))
    score.add("places", where, {event.place}, set(tails["Location"]))
    families = {(family_of(name) or name).replace(" ", "-") for name in tails["Activity"]}
    score.add("activity families", where, {event.activity_family}, families)
    score.add("things", where, {one.name for shot in shots for one in shot.things}, set(tails["Object"]))
    planned = {f"{shot.image_id} {one.name} {one.count}" for shot in shots for one in shot.things}
    counts: Counter[tuple[str, str]] = Counter()
    for name, attributes in tails["Object"].items():
        for image, count in zip(attributes.get("image", ()), attributes.get("count", ()), strict=True):
            counts[image, name] += int(count)
    found = {f"{image} {name} {count}" for (image, name), count in counts.items()}
    score.add("counts in pictures", where, planned, found)
    score.add(
        "people in pictures",
        where,
        {f"{shot.image_id} {names[one]}" for shot in shots for one in shot.who},
        {f"{image} {name}" for name, own in tails["PersonAnimal"].items() for image in own.get("image", ())},
    )


if __name__ == "__main__":
    main()
