"""What a retriever found, put together: who is known, what happened when, what each picture shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from lifeloom.models.builtin.eyes.traits import PersonTraits
from lifeloom.models.builtin.reader.activities import family_of, main_activity
from lifeloom.models.builtin.reader.kinship import RELATION_WORDS, Person, mentions
from lifeloom.models.builtin.reader.life.asking import COLOUR_WORDS, things_in
from lifeloom.models.builtin.reader.life.faces import ANYONE, name_faces
from lifeloom.models.builtin.reader.life.words import COLOURED, Thing, place_in
from lifeloom.models.builtin.reader.looking import LookedAt
from lifeloom.tasks.life_answer import GraphFact, LifeAnswerInput

__all__ = ["Event", "Evidence", "KnownPerson", "SeenPicture", "gather"]


@dataclass(frozen=True)
class SeenPicture:
    """A picture as far as it is understood."""

    image_id: str
    people: tuple[str, ...]
    """Names from left to right; empty names: somebody unknown."""
    middles: tuple[float, ...]
    """Of the people, 0..1 across."""
    things: tuple[Thing, ...]
    thing_middles: tuple[tuple[str, float, float], ...]
    """Each single thing: name, middle across and down, 0..1."""
    people_down: tuple[float, ...]
    place: str
    time_of_day: str
    looks: tuple[PersonTraits | None, ...] = ()
    """Of the people, in order; None: an animal, or not known."""
    nearest: tuple[tuple[str, str], ...] = ()
    """Who and the thing nearest to them, where that is stated."""


@dataclass
class KnownPerson:
    """A concept that was retrieved."""

    name: str
    role: str
    texts: list[str] = field(default_factory=list)
    """Persona, looks in words, what facts say."""
    known: dict[str, list[str]] = field(default_factory=dict)
    """What is stated outright: ``hair``, ``hair colour``, ``face``, ``glasses``, ``beard``, ``career``, ``likes``."""
    traits: PersonTraits | None = None

    def state(self, key: str, value: str) -> None:
        """Add what is stated of them."""
        self.known.setdefault(key, []).append(value)


@dataclass
class Event:
    """What is known of an event."""

    key: str
    date: str = ""
    """``YYYY-MM-DD``; empty: not known."""
    description: str = ""
    activity: str = ""
    family: str = ""
    """What the activity is a form of, where that is stated; see ``kind``."""
    people: dict[str, None] = field(default_factory=dict)
    place: str = ""
    pictures: list[SeenPicture] = field(default_factory=list)
    things: list[tuple[Thing, tuple[str, ...], tuple[str, ...]]] = field(default_factory=list)
    """From facts: thing, pictures, who is beside it."""
    person_pictures: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """From facts: pictures that show somebody."""
    nearest: dict[str, str] = field(default_factory=dict)
    """Who is nearest to a thing, where that is stated."""

    @property
    def kind(self) -> str:
        """What the activity is a form of; empty: not known."""
        return self.family or family_of(self.activity or self.description)


@dataclass(frozen=True)
class Evidence:
    """Everything that the prompt shows."""

    people: tuple[KnownPerson, ...]
    events: tuple[Event, ...]
    """By date, those without one last."""
    shown: SeenPicture | None
    """The question's own picture."""
    notes: tuple[str, ...]

    @property
    def persons(self) -> tuple[Person, ...]:
        """Everybody who is known, as phrases are resolved among them."""
        return tuple(Person(one.name, one.role) for one in self.people)

    def person(self, name: str) -> KnownPerson | None:
        """Return somebody by name."""
        return next((one for one in self.people if one.name == name), None)


def gather(
    asked: LifeAnswerInput,
    looked: Sequence[LookedAt],
    traits: Sequence[tuple[PersonTraits, ...]],
    threshold: float,
) -> Evidence:
    """Return what ``asked`` shows, with its pictures in words.

    Args:
        asked: question and context.
        looked: the pictures, in the order of the prompt's marks.
        traits: what the people in them look like.
        threshold: cosine from which two faces are one person's.
    """
    seen = iter([*zip(looked, [*traits, *[()] * len(looked)], strict=False)])
    shown = next(seen, None) if asked.picture_shown else None
    people: dict[str, KnownPerson] = {}
    faces: list[tuple[str, np.ndarray]] = []
    pets: dict[str, str] = {}
    for concept in asked.concepts:
        known = people.setdefault(concept.name, KnownPerson(concept.name, concept.role))
        known.texts += [text for text in (concept.persona, concept.looks) if text]
        portrait = next(seen, None) if concept.shown else None
        if portrait is None:
            continue
        look, looks = portrait
        if len(look.faces) == 1:
            faces.append((concept.name, look.faces[0]))
            known.traits = looks[0] if looks else None
        elif not len(look.faces) and look.sight.things:
            pets.setdefault(look.sight.things[0].name, concept.name)
    for concept in asked.concepts:
        species = concept.role.lower().rpartition(" ")[2]
        if species and species != "owner":
            pets.setdefault(species, concept.name)
    _know(people, asked)
    recognise = _Recogniser(faces, pets, threshold)
    events: dict[str, Event] = {}
    for image in asked.images:
        event = events.setdefault(image.event_id, Event(image.event_id, image.date))
        event.description = event.description or image.description
        picture = next(seen, None) if image.shown else None
        if picture is not None:
            event.pictures.append(recognise.picture(image.image_id, *picture))
        elif image.caption:
            event.pictures.append(_told(image.image_id, image.caption, tuple(people.values()), asked.owner))
    told: dict[str, Event] = {}
    for fact in asked.facts:
        _add_fact(told, people, fact)
    for event in (*events.values(), *told.values()):
        _complete(event, people, asked.owner)
    ordered = sorted(_together(events, told), key=lambda one: (not one.date, one.date))
    own = None if shown is None else recognise.picture("", *shown)
    return Evidence(tuple(people.values()), tuple(ordered), own, asked.notes)


def _know(people: dict[str, KnownPerson], asked: LifeAnswerInput) -> None:
    """Add who is known from facts alone."""
    if asked.owner and asked.owner not in people:
        people[asked.owner] = KnownPerson(asked.owner, "Account Owner")
    for fact in asked.facts:
        for name, kind in ((fact.head, fact.head_type), (fact.tail, fact.tail_type)):
            if kind == "PersonAnimal":
                people.setdefault(name, KnownPerson(name, ""))
        if fact.head_type == fact.tail_type == "PersonAnimal":
            relation = _spaced(fact.relation.removesuffix("Of").removeprefix("has").removeprefix("is"))
            kin, other = (fact.head, fact.tail) if fact.relation.endswith("Of") else (fact.tail, fact.head)
            if other == asked.owner and relation.lower() in RELATION_WORDS:
                people[kin].role = people[kin].role or f"Owner's {relation}"


def _told(image_id: str, caption: str, people: Sequence[KnownPerson], owner: str) -> SeenPicture:
    """Return what words say of a picture that is not shown."""
    known = [Person(one.name, one.role) for one in people]
    names = tuple(dict.fromkeys(names[0] for _, _, names in mentions(caption, known, owner) if len(names) == 1))
    things = tuple(Thing(one.name, one.colour, one.count or 1) for one in things_in(caption))
    return SeenPicture(image_id, names, (), things, (), (), place_in(caption), "")


def _spaced(name: str) -> str:
    """Return ``bestFriend`` as ``Best Friend``."""
    return "".join(f" {c}" if c.isupper() else c for c in name).strip().title()


class _Recogniser:
    """Names people by the portraits that were retrieved, and pets by what they are."""

    def __init__(self, faces: Sequence[tuple[str, np.ndarray]], pets: Mapping[str, str], threshold: float) -> None:
        self._names = [name for name, _ in faces]
        self._faces = np.array([face for _, face in faces], dtype=np.float32)
        self._pets = pets
        self._threshold = threshold

    def picture(self, image_id: str, look: LookedAt, traits: tuple[PersonTraits, ...]) -> SeenPicture:
        sight = look.sight
        width = max(1.0, float(getattr(sight, "width", 512)))
        height = max(1.0, float(getattr(sight, "height", 512)))
        rows: list[tuple[float, float, str, PersonTraits | None]] = []
        named = name_faces(look.faces, self._faces, self._names, self._threshold)
        for number, (one, name) in enumerate(zip(sight.people, named, strict=True)):
            rows.append((*_middle(one.box, width, height), name, traits[number] if number < len(traits) else None))
        counts: dict[tuple[str, str], int] = {}
        middles = []
        for thing in sight.things:
            across, down = _middle(thing.box, width, height)
            if thing.name in self._pets:
                rows.append((across, down, self._pets[thing.name], None))
                continue
            colour = thing.colour if thing.name in COLOURED else ""
            counts[thing.name, colour] = counts.get((thing.name, colour), 0) + 1
            middles.append((thing.name, across, down))
        rows.sort(key=lambda row: row[0])
        return SeenPicture(
            image_id=image_id,
            people=tuple(name for _, _, name, _ in rows),
            middles=tuple(across for across, _, _, _ in rows),
            people_down=tuple(down for _, down, _, _ in rows),
            things=tuple(Thing(name, colour, count) for (name, colour), count in counts.items()),
            thing_middles=tuple(middles),
            place=sight.place,
            time_of_day=sight.time_of_day,
            looks=tuple(look for _, _, _, look in rows),
        )


def _middle(box: Sequence[float], width: float, height: float) -> tuple[float, float]:
    return (box[0] + box[2]) / 2 / width, (box[1] + box[3]) / 2 / height


def _add_fact(events: dict[str, Event], people: dict[str, KnownPerson], fact: GraphFact) -> None:
    """Add what a fact says to its event or person."""
    if fact.head_type == "Event":
        _event_fact(events.setdefault(fact.head, Event(fact.head, description=fact.head)), fact)
    elif fact.tail_type == "Event":
        turned = fact.model_copy(
            update={"head": fact.tail, "tail": fact.head, "head_type": "Event", "tail_type": fact.head_type}
        )
        _event_fact(events.setdefault(fact.tail, Event(fact.tail, description=fact.tail)), turned)
    elif fact.head_type == "PersonAnimal":
        people[fact.head].texts.append(f"{_spaced(fact.relation).lower()} {fact.tail}")
        if fact.tail_type != "PersonAnimal":
            _person_fact(people[fact.head], fact)


def _person_fact(person: KnownPerson, fact: GraphFact) -> None:
    """Add what a fact states of somebody: looks, career, taste."""
    relation, value = fact.relation.lower(), fact.tail
    word = value.split(" ", 1)
    colour = word[0] if word[0] in COLOUR_WORDS and len(word) > 1 else ""
    if re.search(r"hair|hijab|turban|dreadlocks", f"{relation} {value}"):
        person.state("hair", word[1] if colour else value)
        if colour:
            person.state("hair colour", colour)
    elif "glasses" in value:
        person.state("glasses", "glasses")
    elif relation == "hasbeard" or value.endswith(("beard", "moustache")):
        person.state("beard", value.removeprefix("a "))
    elif re.search(r"career|work|job|profession|occupation", relation):
        person.state("career", value)
    elif re.search(r"like|love|enjoy|fond|hobby|interest", relation):
        person.state("likes", value)


def _event_fact(event: Event, fact: GraphFact) -> None:
    values = {one.key.lower(): one.values for one in fact.attributes}
    if fact.tail_type == "Date":
        event.date = fact.tail
    elif fact.tail_type == "Activity":
        event.activity = event.activity or fact.tail
        event.people.update(dict.fromkeys(values.get("attendee", ())))
        event.place = event.place or next(iter(values.get("place", ())), "")
    elif fact.tail_type == "PersonAnimal":
        event.people[fact.tail] = None
        event.person_pictures[fact.tail] = (*event.person_pictures.get(fact.tail, ()), *values.get("image", ()))
    elif fact.tail_type == "Location":
        event.place = event.place or fact.tail
    elif fact.tail_type == "Object":
        for number, image in enumerate(values.get("image", ("",))):
            colours, counts = values.get("colour", ("",)), values.get("count", ("1",))
            colour = colours[min(number, len(colours) - 1)]
            count = counts[min(number, len(counts) - 1)]
            thing = Thing(fact.tail, colour if colour != "none" else "", int(count) if count.isdigit() else 1)
            event.things.append((thing, (image,), values.get("beside", ())))


def _complete(event: Event, people: Mapping[str, KnownPerson], owner: str) -> None:
    """Add what pictures and words of an event say together."""
    known = [Person(one.name, one.role) for one in people.values()]
    for picture in event.pictures:
        event.people.update(dict.fromkeys(name for name in picture.people if name))
    for _, _, names in mentions(event.description, known, owner):
        if len(names) == 1:
            event.people[names[0]] = None
    if not event.activity:
        found = main_activity(event.description)
        event.activity = "" if found is None else found.name
    places = [picture.place for picture in event.pictures if picture.place]
    if not event.place and places:
        event.place = max(sorted(set(places)), key=places.count)
    event.place = event.place or place_in(event.description)


def _named_by_facts(picture: SeenPicture, shows: Mapping[str, tuple[str, ...]]) -> SeenPicture:
    """Return a picture with the name of its one unknown person, where facts say who else it shows."""
    others = [name for name, images in shows.items() if picture.image_id in images and name not in picture.people]
    if picture.people.count(ANYONE) != 1 or len(others) != 1:
        return picture
    return replace(picture, people=tuple(name or others[0] for name in picture.people))


def _together(seen: Mapping[str, Event], told: Mapping[str, Event]) -> Iterator[Event]:
    """Yield all events; what facts tell of a day of which one event is shown is told of that event."""
    by_day: dict[str, list[Event]] = {}
    for event in seen.values():
        by_day.setdefault(event.date, []).append(event)
    for event in told.values():
        same = by_day.get(event.date, []) if event.date else []
        if len(same) != 1:
            yield event
            continue
        known = same[0]
        known.activity = known.activity or event.activity
        known.place = known.place or event.place
        known.people.update(event.people)
        known.things += event.things
        known.person_pictures.update(event.person_pictures)
        known.pictures = [_named_by_facts(picture, event.person_pictures) for picture in known.pictures]
    yield from seen.values()
