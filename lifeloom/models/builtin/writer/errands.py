"""Errands: tasks for the assistant that say nothing personal about the user."""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from lifeloom.models.builtin.writer.editions import for_edition
from lifeloom.models.builtin.writer.exchange import Exchange
from lifeloom.models.builtin.writer.wordings import Piece, compose, fill, fresh, load, note_said, of_area, words
from lifeloom.records import Edition

__all__ = ["errand"]

USER_WORDS = (45, 85)
ASSISTANT_WORDS = (80, 130)

_LONG_USER, _LONG_BODY = 50, 105
"""From these lengths on nothing optional is forced in."""

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = ("March", "April", "May", "June", "September", "October", "November")
_PLACES = (
    "the community hall",
    "the old school",
    "the library",
    "the parish hall",
    "the town hall",
    "the youth centre",
)


@dataclass
class _Job:
    """What an errand is about: texts for its slots."""

    slots: dict[str, str] = field(default_factory=dict)

    def add(self, names: Sequence[str], texts: Sequence[str]) -> None:
        self.slots.update(zip(names, texts, strict=True))


def errand(area: str, edition: Edition, rng: random.Random, used: set[Hashable] | None = None) -> Exchange:
    """Return a task and the assistant's work on it: a draft, a plan, a sum, an explanation, a list.

    Args:
        area: Area of life that the task's objects come from.
        edition: Which kinds of task, objects and wordings may be used.
        rng: The only source of chance.
        used: What was said in this session; no kind of task and no remark comes again as long as there are others,
            and what is said is added.

    Raises:
        UnknownAreaError: if there are no objects for ``area``.
    """
    used = set() if used is None else used
    parts = load("errands")
    kinds = for_edition(parts["kinds"], edition)
    names = [f"errand {index}" for index in range(len(parts["kinds"]))]
    (name,) = fresh(names, 1, edition, rng, used)
    used.add(name)
    kind = kinds[names.index(name)]
    slots = _slots(area, edition, rng, used)
    around = parts["drafts" if kind["draft"] else "workings"]
    (opener,), (tail,) = (fresh(parts[part], 1, edition, rng, used) for part in ("openers", "tails"))
    (beginning,), (closing,) = (fresh(around[part], 1, edition, rng, used) for part in ("beginnings", "closings"))
    wishes, notes = fresh(around["wishes"], 3, edition, rng, used), fresh(around["notes"], 2, edition, rng, used)
    told = fill(rng.choice(kind["user"]), slots)
    user = [
        Piece(opener, needed=words(told) < _LONG_USER and rng.random() < 0.5),
        Piece(told),
        Piece(wishes[0], needed=words(told) < _LONG_USER),
        Piece(wishes[1], needed=False),
        Piece(wishes[2], needed=False),
        Piece(tail, needed=words(told) < _LONG_USER and rng.random() < 0.3),
    ]
    body = [Piece(fill(_one_of(part, rng), slots)) for part in kind["assistant"]]
    roomy = sum(words(piece.text) for piece in body) < _LONG_BODY
    assistant = [
        Piece(beginning, needed=roomy and rng.random() < 0.7),
        *body,
        Piece(notes[0], needed=False),
        Piece(notes[1], needed=False),
        Piece(closing, needed=roomy),
    ]
    exchange = Exchange(compose(user, *USER_WORDS, rng), compose(assistant, *ASSISTANT_WORDS, rng))
    note_said(exchange.user, [opener, *wishes, tail], used)
    note_said(exchange.assistant, [beginning, *notes, closing, *of_area("advice", area)], used)
    return exchange


def _one_of(part: str | list[str], rng: random.Random) -> str:
    return part if isinstance(part, str) else rng.choice(part)


def _slots(area: str, edition: Edition, rng: random.Random, used: set[Hashable]) -> dict[str, str]:
    objects = of_area("errand_objects", area)
    job = _Job({"area": objects["name"]})
    job.add(("thing", "second_thing", "third_thing", "fourth_thing"), _sample(objects["things"], 4, edition, rng))
    job.add(("event",), _sample(objects["events"], 1, edition, rng))
    job.slots["the_event"] = _definite(job.slots["event"])
    terms = _sample(objects["terms"], 3, edition, rng)
    job.add(("term", "definition"), terms[0])
    job.add(("second_term", "second_definition"), terms[1])
    job.add(("third_term", "third_definition"), terms[2])
    choice = list(rng.choice(for_edition(objects["choices"], edition)))
    if rng.random() < 0.5:
        choice = [choice[1], choice[0], choice[3], choice[2]]
    job.add(("one", "other", "one_merit", "other_merit"), choice)
    job.add(("task", "step", "second_step", "third_step"), rng.choice(for_edition(objects["tasks"], edition)))
    about, _, *facts = rng.choice(for_edition(of_area("topics", area), edition))
    job.add(("about", "fact", "second_fact", "third_fact", "fourth_fact"), (about, *facts))
    job.add(("tip", "second_tip", "third_tip"), fresh(of_area("advice", area), 3, edition, rng, used))
    _add_times(job, rng)
    _add_sums(job, rng)
    job.slots["sorted"] = ", ".join(
        sorted((job.slots[key] for key in ("thing", "second_thing", "third_thing", "fourth_thing")), key=_sort_key)
    )
    return job.slots


def _sample(items: Sequence[str], count: int, edition: Edition, rng: random.Random) -> list[str]:
    return rng.sample(for_edition(items, edition), count)


def _definite(event: str) -> str:
    first, _, rest = event.partition(" ")
    return f"the {rest}" if first in ("a", "an") else event


def _sort_key(thing: str) -> str:
    """Leave out the article, as an index does."""
    first, _, rest = thing.partition(" ")
    return rest if first in ("a", "an") else thing


def _add_times(job: _Job, rng: random.Random) -> None:
    start = rng.randrange(8, 18)
    day = rng.randrange(7)
    job.slots.update(
        day=_DAYS[day],
        next_day=_DAYS[(day + 1) % 7],
        day_before=_DAYS[(day - 1) % 7],
        later_day=_DAYS[(day + rng.randrange(2, 6)) % 7],
        date=f"{rng.randrange(1, 29)} {rng.choice(_MONTHS)}",
        place=rng.choice(_PLACES),
        time=f"{start}:00",
        earlier_time=f"{start - 1}:30",
        middle_time=f"{start + 1}:15",
        late_time=f"{start + 2}:30",
        end_time=f"{start + 3}:00",
        order_number=str(rng.randrange(10_000, 99_999)),
        days=str(rng.randrange(8, 22)),
    )


def _add_sums(job: _Job, rng: random.Random) -> None:
    """Add figures that are worked out, so that the answers are right."""
    count, cents = rng.randrange(6, 60), rng.randrange(5, 90) * 50
    percent = rng.choice((5, 10, 12, 15, 20, 25))
    whole = count * cents
    off = whole * percent / 100
    people = rng.randrange(3, 12)
    inches, miles, pounds, fahrenheit = (
        rng.randrange(6, 90),
        rng.randrange(3, 120),
        rng.randrange(2, 150),
        rng.randrange(30, 450, 5),
    )
    room, food, extras = (rng.randrange(2, 30) * 10 for _ in range(3))
    job.slots.update(
        count=str(count),
        each=f"{cents / 100:.2f}",
        whole=f"{whole / 100:.2f}",
        percent=str(percent),
        off=f"{off / 100:.2f}",
        rest=f"{(whole - off) / 100:.2f}",
        people=str(people),
        share=f"{(whole - off) / 100 / people:.2f}",
        inches=str(inches),
        centimetres=f"{inches * 2.54:.1f}",
        miles=str(miles),
        kilometres=f"{miles * 1.609344:.1f}",
        pounds=str(pounds),
        kilograms=f"{pounds * 0.45359237:.1f}",
        fahrenheit=str(fahrenheit),
        celsius=f"{(fahrenheit - 32) * 5 / 9:.0f}",
        room=str(room),
        food=str(food),
        extras=str(extras),
        sum=str(room + food + extras),
        reserve=f"{(room + food + extras) / 10:.0f}",
        full=f"{room + food + extras + float(f'{(room + food + extras) / 10:.0f}'):.0f}",
    )
