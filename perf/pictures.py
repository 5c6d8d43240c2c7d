"""How many pictures a second the built-in image maker draws, on one core and with two processes, and its memory.

    .venv/bin/python perf/pictures.py [--pictures 240]

Wants 15 pictures of 512 x 512 a second a core, drawn and written as PNG with their boxes. ``CPU`` counts the seconds
that one core worked, whatever else the machine did meanwhile. Memory is the peak of the process, or of one of two.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import resource
import time
from collections.abc import Callable

from lifeloom.models.builtin.painter import BuiltinPainter, DrawingPool, WantedPerson, draw_people
from lifeloom.models.builtin.painter.vocabulary import COLOURS, PLACES, THINGS
from lifeloom.models.protocol import PictureNotDrawn
from lifeloom.records import PicturePlan, PictureSubject

TIMES = ("morning", "day", "sunset", "night")
WEATHERS = ("clear", "clear", "clouds", "rain", "snow", "fog")
PEOPLE = draw_people(random.Random(1), [WantedPerson() for _ in range(123)])


def people(rng: random.Random, count: int) -> list[PictureSubject]:
    return [
        PictureSubject(kind="person", name=f"P{number}", identity=f"p-{number}", appearance=PEOPLE[number])
        for number in rng.sample(range(len(PEOPLE)), count)
    ]


def things(rng: random.Random, count: int) -> list[PictureSubject]:
    return [
        PictureSubject(
            kind=one.kind,
            name=one.name,
            colour=rng.choice(COLOURS) if one.coloured else "",
            count=rng.choice((1, 1, 1, 2, 3)),
        )
        for one in rng.sample(THINGS, count)
    ]


def portrait(rng: random.Random) -> list[PictureSubject]:
    return people(rng, 1)


def one_thing(rng: random.Random) -> list[PictureSubject]:
    return things(rng, 1)


def album(rng: random.Random) -> list[PictureSubject]:
    return [*people(rng, rng.randint(1, 3)), *things(rng, rng.randint(1, 2))]


def crowd(rng: random.Random) -> list[PictureSubject]:
    return people(rng, 5)


KINDS: dict[str, Callable[[random.Random], list[PictureSubject]]] = {
    "portraits": portrait,
    "scenes of one thing": one_thing,
    "scenes of 1-3 people and 1-2 kinds of things": album,
    "scenes of 5 people": crowd,
}


def plans(kind: str, count: int) -> list[PicturePlan]:
    rng = random.Random(7)
    made = []
    for number in range(count):
        scene = {} if kind == "portraits" else {"place": PLACES[number % len(PLACES)].name}
        if scene:
            scene |= {"time_of_day": rng.choice(TIMES), "weather": rng.choice(WEATHERS)}
        made.append(
            PicturePlan.model_validate(
                {
                    "picture_id": f"p-{number}",
                    "kind": "scene" if scene else "portrait",
                    "subjects": KINDS[kind](rng),
                    "seed": number,
                    **scene,
                }
            )
        )
    return made


def mixed(count: int) -> list[PicturePlan]:
    """A release's mix: a quarter portraits, a third of single things, the rest album scenes."""
    shares = {"portraits": count // 4, "scenes of one thing": count // 3}
    shares["scenes of 1-3 people and 1-2 kinds of things"] = count - sum(shares.values())
    return [plan for kind, share in shares.items() for plan in plans(kind, share)]


def peak_mebibytes(who: int = resource.RUSAGE_SELF) -> float:
    return resource.getrusage(who).ru_maxrss / 1024


def draw_here(kind: str, count: int) -> tuple[float, float, float, float]:
    """Return pictures a second, pictures a second of CPU, kB a picture, and peak memory in MiB."""
    wanted = mixed(count) if kind == "a release's mix" else plans(kind, count)
    painter = BuiltinPainter()
    for plan in wanted[:4]:
        painter.draw(plan)  # style and first icons are read before anything is measured
    wall, cpu = time.perf_counter(), time.process_time()
    size = sum(len(painter.draw(plan).data) for plan in wanted)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return count / wall, count / cpu, size / count / 1000, peak_mebibytes()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=240)
    count = parser.parse_args().pictures
    print(f"{'one core, 512 x 512':48} {'a second':>9} {'CPU':>7} {'kB each':>8} {'MiB':>6}")
    context = multiprocessing.get_context("spawn")
    for kind in (*KINDS, "a release's mix"):
        with context.Pool(1) as pool:
            rate, cpu_rate, size, memory = pool.apply(draw_here, (kind, count))
        print(f"{kind:48} {rate:>9.1f} {cpu_rate:>7.1f} {size:>8.1f} {memory:>6.0f}", flush=True)

    wanted = mixed(count)
    with DrawingPool(2) as drawing:
        list(drawing.draw_many(wanted[:32]))  # both processes have started
        started = time.perf_counter()
        refused = sum(isinstance(one, PictureNotDrawn) for one in drawing.draw_many(wanted))
        rate = count / (time.perf_counter() - started)
    print(
        f"\n{'two processes, a release’s mix':48} {rate:>9.1f} {'':7} {'':8} "
        f"{peak_mebibytes(resource.RUSAGE_CHILDREN):>6.0f}   refused: {refused}"
    )

    started = time.perf_counter()
    library = draw_people(random.Random(3), [WantedPerson() for _ in range(300)])
    print(f"{'a library of 300 people, 2 apart, seconds':48} {time.perf_counter() - started:>9.1f}   ({len(library)})")


if __name__ == "__main__":
    main()
