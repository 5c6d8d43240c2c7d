"""Plans written out by hand, turn by turn, for tests of the cases made from them."""

from __future__ import annotations

import datetime as dt
import random
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from lifeloom.models.builtin.painter.vocabulary import COLOURS, PLACES, THINGS, thing
from lifeloom.models.protocol import Generation, GenerationRejected, ModelIdentity, OptionScores, Usage
from lifeloom.records import (
    TRAITS,
    BenchmarkCase,
    BigFiveProfile,
    ConversationPlan,
    CoreMemory,
    FactKind,
    FactStatus,
    Persona,
    PicturePlan,
    PictureReference,
    PictureRole,
    PictureSubject,
    PlannedFact,
    PlannedPicture,
    Provenance,
    SessionPlan,
    Statement,
    StatementKind,
    TurnPlan,
)
from lifeloom.streams import Streams
from lifeloom.synthesis.catalogue import HANDLES, RELATIONS, Attribute, UnknownAttributeError, attribute, attributes
from lifeloom.synthesis.persona_mme import CaseMaking, make_release_cases
from lifeloom.synthesis.planning.views import bond_id
from lifeloom.tasks import AlignmentWritingInput, AlignmentWritingOutput, GenerationTask

START = dt.datetime(2025, 3, 3, 9, 0, tzinfo=dt.UTC)


class Writer:
    """A model that answers alignment tasks with texts which name their input, or rejects them all."""

    identity = ModelIdentity("code", "test-writer")
    window_tokens = 1000
    scores_options = False

    def __init__(self, rejects: bool = False) -> None:
        self.rejects = rejects
        self.asked: list[AlignmentWritingInput] = []

    def run(
        self, task: GenerationTask[Any, Any], task_input: Any, images: Sequence[PictureReference] = ()
    ) -> Generation[Any]:
        self.asked.append(task_input)
        if self.rejects:
            raise GenerationRejected(task.name, "refusal", "I would rather not.")
        output = AlignmentWritingOutput(chosen=f"suits {task_input.trait}", rejected=f"clashes {task_input.trait}")
        return Generation(output, Usage(1, 1), self.identity.provenance(task))

    def score_options(self, *args: Any, **kwargs: Any) -> OptionScores:
        raise NotImplementedError

    def check(self) -> str:
        return "ok"


def profile(**scores: float) -> BigFiveProfile:
    return BigFiveProfile(**{**dict.fromkeys(TRAITS, 3.0), "openness": 4.5, **scores})


def persona(number: int = 1, big_five: BigFiveProfile | None = None) -> Persona:
    return Persona(
        persona_id=f"persona-{number}",
        seed_id="seed-1",
        cluster_id="seed-1",
        split="benchmark",
        edition="release",
        seed_text="A baker.",
        name="Zofia",
        offset_minutes=60,
        big_five=big_five or profile(),
        circle=(),
        role_description="A baker.",
        core_memory=CoreMemory(name="Zofia"),
        made_by=Provenance(backend="code", model="", prompt_version=""),
    )


class PlanBook:
    """Writes a plan turn by turn: ``tell`` adds statements of facts, ``show`` pictures; other turns are small talk."""

    def __init__(self, turns: int, number: int = 1, big_five: BigFiveProfile | None = None) -> None:
        self.number, self.turns, self.big_five = number, turns, big_five or profile()
        self.facts: dict[str, dict[str, Any]] = {}
        self.said: defaultdict[int, list[Statement]] = defaultdict(list)
        self.pictures: defaultdict[int, list[PlannedPicture]] = defaultdict(list)

    def fact(
        self, attribute_id: str, value: str, status: FactStatus, ended: int | None = None, kind: FactKind | None = None
    ) -> str:
        """Add a fact of a catalogue attribute, or of ``kind``, named after its attribute."""
        fact_id = f"f-{len(self.facts)}"
        item = _catalogued(attribute_id) if kind is None else None
        self.facts[fact_id] = {
            "fact_id": fact_id,
            "area": "friends" if item is None else item.area,
            "kind": kind or (item and item.kind),
            "attribute": attribute_id,
            "phrase": attribute_id.title() if item is None else item.phrase,
            "value": value,
            "status": status,
            "holder_name": "Piotr" if status == "someone_else" else "",
            "ended_in": ended,
            "pictured": item is not None and bool(item.pictured),
        }
        return fact_id

    def bond(self, attribute_id: str, person: str, value: str, status: FactStatus, ended: int | None = None) -> str:
        """Add a worded state of a bond; its attribute joins the catalogue's id with the person's."""
        fact_id = self.fact(attribute_id, value, status, ended)
        self.facts[fact_id] |= {"attribute": bond_id(attribute_id, person), "phrase": person.title()}
        return fact_id

    def tell(self, turn: int, fact_id: str, kind: StatementKind = "direct") -> None:
        """State a fact; a pictured one with a picture that shows its value."""
        self.said[turn].append(Statement(fact_id=fact_id, kind=kind))
        fact = self.facts[fact_id]
        if fact["pictured"]:
            subjects, place = [], "park"
            match attribute(fact["attribute"]).pictured:
                case "thing":
                    subjects = [a_thing(fact["value"])]
                case "colour":
                    subjects = [a_thing("mug", fact["value"])]
                case "place":
                    place = fact["value"]
                case "person":
                    subjects = [a_person(fact["value"])]
            self._show(turn, "statement", subjects, place, fact_id=fact_id)

    def portrait(self, turn: int, name: str) -> None:
        """Introduce somebody by a portrait."""
        self._show(turn, "portrait", [a_person(name)], "", person_id=name.lower())

    def album(self, turn: int, handle: str, place: str, *subjects: PictureSubject) -> None:
        """Show a picture of an event."""
        self._show(turn, "album", subjects, place, handle=handle)

    def _show(self, turn: int, role: PictureRole, subjects: Sequence[PictureSubject], place: str, **more: str) -> None:
        picture = PicturePlan(
            picture_id=f"picture-{self.number}-{turn}-{len(self.pictures[turn])}",
            kind="portrait" if role == "portrait" else "scene",
            place=place,
            subjects=tuple(subjects),
            seed=turn,
        )
        self.pictures[turn].append(PlannedPicture(role=role, picture=picture, **more))

    def plan(self, minutes_between: float = 20) -> ConversationPlan:
        """Return the plan as written so far."""
        stated = {
            fact_id: tuple(turn for turn in sorted(self.said) if any(s.fact_id == fact_id for s in self.said[turn]))
            for fact_id in self.facts
        }
        return ConversationPlan(
            plan_id=f"plan-{self.number}",
            persona_id=f"persona-{self.number}",
            setting="32k",
            edition="release",
            offset_minutes=60,
            facts=tuple(PlannedFact(**fact, stated_in=stated[fact_id]) for fact_id, fact in self.facts.items()),
            shifts=(),
            sessions=(
                SessionPlan(
                    session_id="session-1",
                    session_index=0,
                    first_turn=0,
                    last_turn=self.turns - 1,
                    topics=("drink",),
                    big_five=self.big_five,
                ),
            ),
            turns=tuple(
                TurnPlan(
                    turn_index=turn,
                    session_index=0,
                    at=START + dt.timedelta(minutes=minutes_between * turn),
                    act="statement" if self.said[turn] else "picture" if self.pictures[turn] else "small_talk",
                    area="drink",
                    statements=tuple(self.said[turn]),
                    pictures=tuple(self.pictures[turn]),
                )
                for turn in range(self.turns)
            ),
        )


def a_thing(name: str, colour: str = "", count: int = 1) -> PictureSubject:
    return PictureSubject(kind=thing(name).kind, name=name, colour=colour, count=count)


def a_person(name: str) -> PictureSubject:
    return PictureSubject(kind="person", name=name, identity=name.lower())


def _catalogued(attribute_id: str) -> Attribute | None:
    try:
        return attribute(attribute_id)
    except UnknownAttributeError:
        return None


def make(*books: PlanBook, cases: int = 6, seed: int = 7, writer: Writer | None = None) -> CaseMaking:
    pairs = [(persona(book.number, book.big_five), book.plan()) for book in books]
    model = writer or Writer()
    return make_release_cases(pairs, release_id="rel-1", model=model, cases_per_persona=cases, streams=Streams(seed))


def right(case: BenchmarkCase) -> str:
    return next(option.text for option in case.options if option.letter == case.answer)


def wrong(case: BenchmarkCase) -> dict[str, str]:
    """Return the sources of the wrong options by their text."""
    return {option.text: option.source for option in case.options if option.letter != case.answer}


NAMES = ("Amina", "Bogdan", "Chidi", "Davit", "Esra", "Farah")
_CONSTELLATIONS: tuple[FactKind, ...] = (
    *("preference", "detail", "intent", "goal", "hidden_intent", "hidden_taste", "pattern", "expertise"),
)


def random_book(number: int, rng: random.Random) -> PlanBook:
    """Complete constellations of every kind with random values, roles and turns, a circle of six, an album."""
    book = PlanBook(60, number, profile(openness=rng.choice((1.5, 4.5)), extraversion=rng.choice((1.2, 4.8))))
    for turn, name in enumerate(rng.sample(NAMES, len(NAMES))):
        book.portrait(turn, name)
    for kind in _CONSTELLATIONS:
        for item in (*_some(kind, False, 2, rng), *_some(kind, True, 2, rng)):
            a, b, c, d = rng.sample(item.values, 4)
            # Pictured values are told after the portraits.
            start, shift = rng.randrange(6, 20), rng.randrange(20, 50)
            other, dropped = rng.randrange(6, 50), rng.randrange(6, 50)
            status: FactStatus = rng.choice(("replaced", "corrected"))
            book.tell(start, book.fact(item.attribute_id, a, status, ended=shift))
            change: StatementKind = "shift" if status == "replaced" else "correction"
            book.tell(shift, book.fact(item.attribute_id, b, "current"), change)
            book.tell(other, book.fact(item.attribute_id, c, "someone_else"), "other_person")
            book.tell(dropped, book.fact(item.attribute_id, d, "given_up", ended=dropped), "given_up")
    for item in _some("interest", False, 2, rng):
        _sequence(book, item.attribute_id, rng.sample(item.values, 3), rng)
    for item, name in zip(_some("bond", False, 2, rng), rng.sample(NAMES, 2), strict=False):
        _sequence(book, item.attribute_id, rng.sample(item.values, 3), rng, name.lower())
    for item in _some("bond", True, 2, rng):
        _sequence(book, item.attribute_id, rng.sample(NAMES, 3), rng)
    for name, relation in zip(NAMES, rng.sample(RELATIONS, len(NAMES)), strict=True):
        book.tell(rng.randrange(30), book.fact(name.lower(), relation, "current", kind="relationship"))
    for turn, handle in zip(rng.sample(range(8, 58), 12), rng.sample(HANDLES, 12), strict=True):
        people = [a_person(name) for name in rng.sample(NAMES, rng.choice((1, 1, 2, 3)))]
        things = [
            a_thing(
                item.name,
                rng.choice(COLOURS) if item.coloured else "",
                1 if item.coloured else rng.choice((1, 1, 2, 3, 4)),
            )
            for item in rng.sample(THINGS, rng.choice((1, 2)))
        ]
        book.album(turn, handle, rng.choice(PLACES).name, *people, *things)
    return book


def _some(kind: FactKind, pictured: bool, count: int, rng: random.Random) -> list[Attribute]:
    items = attributes("release", kind, pictured)
    return rng.sample(items, min(count, len(items)))


def _sequence(book: PlanBook, attribute_id: str, values: Sequence[str], rng: random.Random, person: str = "") -> None:
    turns = sorted(rng.sample(range(6, 50), 3))
    for step, (value, turn) in enumerate(zip(values, turns, strict=True)):
        status: FactStatus = "current" if step == 2 else "replaced"
        ended = None if step == 2 else turns[step + 1]
        if person:
            fact = book.bond(attribute_id, person, value, status, ended)
        else:
            fact = book.fact(attribute_id, value, status, ended)
        book.tell(turn, fact, "shift" if step else "direct")


def release(seed: int, personas: int, cases: int) -> CaseMaking:
    rng = random.Random(seed)
    return make(*(random_book(number, rng) for number in range(personas)), cases=cases, seed=seed)
