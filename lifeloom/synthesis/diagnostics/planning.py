"""Planning diagnostic cases: who is in the query picture, and what the user tells of whom (C10, CoViP Appendix D).

In the paper three of ten dialogues are about the query's person and seven about as many others; only the query's last
dialogue has an action and an instruction. Whoever reads the text alone then knows who is meant: the only one who
recurs, the only action, the only keyword. Here three people recur, with three dialogues each, and a fourth has one.
Which of the three is in the query picture is drawn after all else, so that the text is the same whoever it is: text
alone names the right one in a third of the cases, and nothing does better. Every person's last dialogue has an action,
and so have about half of the earlier ones. One or two of the three have left an instruction, each with a keyword of its
own; over six cases in a row the query's person is one of them in exactly three.
"""

from __future__ import annotations

import datetime as dt
import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lifeloom.models.builtin.writer.editions import for_edition
from lifeloom.records import DiagnosticDialoguePlan, Edition, LibraryImage
from lifeloom.streams import Streams
from lifeloom.synthesis.catalogue import GIVEN_NAMES
from lifeloom.synthesis.catalogue.diagnostic_facts import ACTIONS, KEYWORDS, PAPER_KEYWORD, draw_locations
from lifeloom.synthesis.catalogue.dialogue_facts import free_handles
from lifeloom.synthesis.scenes import LibraryUnfit

__all__ = [
    "DIALOGUES",
    "DIALOGUES_A_PERSON",
    "PICTURES_A_PERSON",
    "DiagnosticOrder",
    "PlannedDiagnostic",
    "PlannedMeeting",
    "people_of",
    "plan_diagnostics",
]

DIALOGUES = 10
"""Of a context."""
DIALOGUES_A_PERSON = 3
"""Of the query's person, and of everybody else who recurs."""
PICTURES_A_PERSON = DIALOGUES_A_PERSON + 1
"""One is asked about, the others are in the context."""
_RECURRING = 3
_DAYS = 730
"""Before the release, over which meetings are spread."""
_EARLIER_ACTION_SHARE = 0.5
_INSTRUCTED: tuple[tuple[int, ...], ...] = ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2))
"""Who of the recurring people has left an instruction; 0 is the query's. Six cases in a row have each once."""


@dataclass(frozen=True)
class DiagnosticOrder:
    """How many cases, and of which kind."""

    release_id: str
    """Date, or a shard; first part of the ids."""
    edition: Edition
    wanted: int
    ends_on: dt.date
    """The last day that dialogues tell of."""
    as_printed: bool = False
    """Contexts as the paper has them: text alone gives the answers away."""


@dataclass(frozen=True)
class PlannedMeeting:
    """A picture of somebody, and what the user tells of a meeting."""

    image: LibraryImage
    plan: DiagnosticDialoguePlan


@dataclass(frozen=True)
class PlannedDiagnostic:
    """A case before its dialogues are worded, shuffled."""

    case_id: str
    query: LibraryImage
    meetings: tuple[PlannedMeeting, ...]

    @property
    def last(self) -> DiagnosticDialoguePlan:
        """The latest dialogue about the query's person: what all three tasks ask for."""
        return max(self.of_query, key=lambda one: one.met_on)

    @property
    def of_query(self) -> tuple[DiagnosticDialoguePlan, ...]:
        """The dialogues about the query's person."""
        return tuple(one.plan for one in self.meetings if one.plan.identity == self.query.identity)

    @property
    def keyword(self) -> str:
        """What is to be said when the query's person shows up; empty: nothing."""
        return next((one.keyword for one in self.of_query if one.keyword), "")

    @property
    def keywords(self) -> tuple[str, ...]:
        """All keywords of the context, in its order."""
        return tuple(one.plan.keyword for one in self.meetings if one.plan.keyword)


def people_of(library: Iterable[LibraryImage]) -> tuple[dict[str, tuple[LibraryImage, ...]], dict[str, int]]:
    """Return the people with enough pictures for diagnostics, and how many pictures each of the others has.

    Args:
        library: all pictures; those for diagnostics that show people count.
    """
    found: Mapping[str, list[LibraryImage]] = defaultdict(list)
    for one in library:
        if one.use == "diagnostic" and one.category == "human" and one.split == "benchmark":
            found[one.identity].append(one)
    enough, few = {}, {}
    for identity in sorted(found):
        own = {one.picture.content_hash: one for one in sorted(found[identity], key=lambda one: one.image_id)}
        if len(own) >= PICTURES_A_PERSON:
            enough[identity] = tuple(own.values())
        else:
            few[identity] = len(own)
    return enough, few


def plan_diagnostics(
    order: DiagnosticOrder, people: Mapping[str, Sequence[LibraryImage]], streams: Streams
) -> list[PlannedDiagnostic]:
    """Plan the cases. Everybody is the query's person equally often; the query picture is not in the context.

    A case depends on the seed, its number and the people alone, not on how many are wanted.

    Args:
        order: how many of which kind.
        people: at least four pictures of each (``people_of``).
        streams: the profile's.

    Raises:
        LibraryUnfit: there are too few people.
    """
    least = DIALOGUES - DIALOGUES_A_PERSON + 1 if order.as_printed else _RECURRING + 1
    if order.wanted and len(people) < least:
        raise LibraryUnfit(
            f"the image library has {len(people)} people with {PICTURES_A_PERSON} pictures each for the diagnostics, "
            f"at least {least} are needed: raise captions.diagnostic_people, add pictures to your own library (use = "
            '"diagnostic", split = "benchmark"), or set captions.diagnostic_contexts = 0'
        )
    return [_case(number, order, people, streams) for number in range(order.wanted)]


def _case(
    number: int, order: DiagnosticOrder, people: Mapping[str, Sequence[LibraryImage]], streams: Streams
) -> PlannedDiagnostic:
    case_id = f"{order.release_id}-d{number:04d}"
    block, place = divmod(number, len(people))
    turns = sorted(people)
    streams.rng("diagnostic_people", block).shuffle(turns)
    query_of = turns[place]
    pictures = people[query_of]
    first = streams.rng("diagnostic_query", query_of).randrange(len(pictures))
    query = pictures[(first + block) % len(pictures)]
    rng = streams.rng("diagnostic_case", case_id)
    own = [one for one in pictures if one.image_id != query.image_id]
    others = rng.sample([one for one in sorted(people) if one != query_of], len(people) - 1)
    if order.as_printed:
        shown = [rng.sample(own, DIALOGUES_A_PERSON)]
        shown += [rng.sample(list(people[one]), 1) for one in others[: DIALOGUES - DIALOGUES_A_PERSON]]
        instructed: Sequence[int] = (0,)
    else:
        shown = [rng.sample(own, DIALOGUES_A_PERSON)]
        shown += [rng.sample(list(people[one]), DIALOGUES_A_PERSON) for one in others[: _RECURRING - 1]]
        shown.append(rng.sample(list(people[others[_RECURRING - 1]]), 1))
        patterns = list(_INSTRUCTED)
        streams.rng("diagnostic_instructions", number // len(patterns)).shuffle(patterns)
        instructed = patterns[number % len(patterns)]
        if rng.random() < 0.5:  # whoever is met once is no query, but may have left an instruction too
            instructed = (*instructed, _RECURRING)
    return PlannedDiagnostic(case_id, query, _meetings(case_id, shown, instructed, order, rng))


def _meetings(
    case_id: str,
    shown: Sequence[Sequence[LibraryImage]],
    instructed: Sequence[int],
    order: DiagnosticOrder,
    rng: random.Random,
) -> tuple[PlannedMeeting, ...]:
    """Plan what is told of each picture.

    Args:
        case_id: of the case.
        shown: pictures of each person; the query's person comes first.
        instructed: numbers of the people who have left an instruction.
        order: what is wanted.
        rng: where all chance comes from.
    """
    count = sum(map(len, shown))
    names = rng.sample(free_handles(GIVEN_NAMES, (), order.edition), len(shown))
    locations = draw_locations(count, order.edition, rng)
    days = [order.ends_on - dt.timedelta(days=one) for one in rng.sample(range(_DAYS), count)]
    actions = rng.sample(list(for_edition(ACTIONS, order.edition)), count)
    keywords = [PAPER_KEYWORD]
    if not order.as_printed:
        keywords = rng.sample(list(for_edition(KEYWORDS, order.edition)), len(shown))
    told = []
    for person, pictures in enumerate(shown):
        own_days = [days.pop() for _ in pictures]
        for image, met_on in zip(pictures, own_days, strict=True):
            last = met_on == max(own_days)
            earlier = not order.as_printed and rng.random() < _EARLIER_ACTION_SHARE
            acts = earlier or (last and not (order.as_printed and person))
            told.append(
                (
                    image,
                    DiagnosticDialoguePlan(
                        dialogue_id=case_id,  # its index in the context follows once it is shuffled
                        case_id=case_id,
                        image_id=image.image_id,
                        identity=image.identity,
                        person=names[person],
                        met_on=met_on,
                        location=locations.pop(),
                        action=actions.pop() if acts else "",
                        keyword=keywords[person] if last and person in instructed else "",
                        edition=order.edition,
                    ),
                )
            )
    rng.shuffle(told)
    return tuple(
        PlannedMeeting(image, plan.model_copy(update={"dialogue_id": f"{case_id}-c{index}"}))
        for index, (image, plan) in enumerate(told)
    )
