"""A page of one Vaccount for people: family tree, portraits, timeline, events with their pictures, who is where.

Every page stands alone (no script, no file beside it), so that it opens from MLflow's artifact view, a mail or a disk.
"""

from __future__ import annotations

import datetime as dt
import functools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

from evaluation.family_tree import family_tree
from evaluation.thumbnails import Thumbnail, thumbnail
from lifeloom.models.protocol import PictureSource
from lifeloom.records import Concept, EventStory, Life, LifeEvent, LifeImage, PlannedEvent, VaccountPlan
from lifeloom.tracking import Tracker

if TYPE_CHECKING:
    import jinja2

__all__ = ["life_page", "life_pages_address", "log_life_pages"]

_PORTRAIT = 160
"""Side of a portrait, pixels."""
_SIDES = ((300, 168), (1200, 96))
"""Side of a picture by how many there are at most; beyond that only the first ones of each event are shown."""
_MOST_PICTURES = _SIDES[-1][0]
_QUALITY = 70
_STRIP_WIDTH = 640
_STRIP_LEFT = 92
_STRIP_ROW = 26


@dataclass(frozen=True)
class _Dot:
    """An event on the timeline of somebody."""

    x: float
    event_id: str
    told: str


@dataclass(frozen=True)
class _Track:
    """A row of the timeline."""

    name: str
    y: int
    dots: tuple[_Dot, ...]


@dataclass(frozen=True)
class _Strip:
    """The timeline as a drawing."""

    width: int
    height: int
    tracks: tuple[_Track, ...]
    years: tuple[tuple[float, int], ...]
    """Where a year begins."""


@dataclass(frozen=True)
class _Shown:
    """A picture of an event."""

    image_id: str
    picture: Thumbnail
    who: str
    caption: str


def life_page(
    life: Life,
    source: PictureSource,
    *,
    made_with: str,
    plan: VaccountPlan | None = None,
    stories: Mapping[str, EventStory] | None = None,
    left_out: Mapping[str, str] | None = None,
    life_story: str = "",
) -> str:
    """Return the HTML page of a Vaccount; under 3 MB for the 250 pictures of the paper.

    Args:
        life: concepts and history; an empty one gives a page that says so.
        source: gives the pictures' files; one that is missing or broken is named where it should be.
        made_with: a line that leads back: release, seed, code, models.
        plan: ground truth; without it the page says only what everybody may know.
        stories: narratives and captions by event; without them the page shows descriptions alone.
        left_out: why something that was planned is not there, by the id of the picture or event.
        life_story: the owner's, of the Vaccount's outline.
    """
    portraits = {one.concept_id: _portrait(one, source) for one in life.concepts}
    planned = {} if plan is None else {one.event_id: one for one in plan.events}
    made = {image.image_id for image in life.images}
    why = left_out or {}
    missing = [
        (shot.image_id, why.get(shot.image_id) or why.get(event.event_id, ""))
        for event in planned.values()
        for shot in event.shots
        if shot.image_id not in made
    ]
    owner = life.owner
    return _template().render(
        title=f"{owner.name if owner is not None else life.vaccount_id}: the life of a Vaccount",
        life=life,
        life_story=life_story,
        made_with=made_with,
        tree=family_tree(life.concepts),
        portraits=portraits,
        people=_people(life, plan),
        strip=_strip(life, plan),
        events=_events(life, source, planned, stories or {}),
        missing=missing,
    )


def log_life_pages(
    tracker: Tracker,
    experiment: str,
    release: str,
    content: str,
    make: Callable[[], Iterable[tuple[str, str]]],
    tags: Mapping[str, str],
) -> str:
    """Log the pages of a release's Vaccounts as artifacts of a run of their own and return its id.

    A run that is there with the same content is kept.

    Args:
        tracker: MLflow.
        experiment: where the run belongs.
        release: id of the release.
        content: hash of everything that the pages show; with the release the run's identity.
        make: gives Vaccount ids with their pages, one at a time; not called when they are there.
        tags: back to the Dagster run and asset.

    Raises:
        TrackerUnavailable: MLflow cannot be used.
    """
    identity = {"lifeloom.pages": "lives", "lifeloom.release": release, "lifeloom.content": content}
    done = tracker.find(experiment, identity)
    if done is not None:
        return done
    with tracker.run(experiment, f"lives {release}", {**tags, **identity}) as run:
        shown = 0
        for vaccount_id, html in make():
            run.text(html, f"lives/{vaccount_id}.html")
            shown += 1
        run.parameters({"release": release, "vaccounts": shown})
    return run.run_id


def life_pages_address(tracker: Tracker, run_id: str, server: str, vaccount_id: str) -> str:
    """Return where the MLflow server at ``server`` shows the page of a Vaccount."""
    return f"{tracker.page(run_id, server)}/artifacts/lives/{vaccount_id}.html"


def _portrait(concept: Concept, source: PictureSource) -> Thumbnail:
    if concept.portrait is None:
        return Thumbnail(problem="no portrait")
    return thumbnail(concept.portrait, source, _PORTRAIT, _QUALITY)


def _attended(life: Life, plan: VaccountPlan) -> dict[str, list[PlannedEvent]]:
    """Return by concept the planned events that have a picture of it in the history."""
    made = {image.image_id for image in life.images}
    found: defaultdict[str, list[PlannedEvent]] = defaultdict(list)
    for event in plan.events:
        for who in {who for shot in event.shots if shot.image_id in made for who in shot.who}:
            found[who].append(event)
    return found


def _people(life: Life, plan: VaccountPlan | None) -> list[dict[str, object]]:
    """Return each concept with what the plan knows of it."""
    attended = {} if plan is None else _attended(life, plan)
    planned = {} if plan is None else {one.concept_id: one for one in plan.concepts}
    names = {one.concept_id: one.name for one in life.concepts}
    found: list[dict[str, object]] = []
    for one in life.concepts:
        events, truth = attended.get(one.concept_id, []), planned.get(one.concept_id)
        company = Counter(names.get(who, who) for event in events for who in event.attendees if who != one.concept_id)
        facts: list[tuple[str, str]] = []
        if truth is not None:
            facts = [
                ("looks", ", ".join(truth.traits)),
                ("as kin do", ", ".join(truth.kin_traits)),
                ("also called", ", ".join(truth.nicknames)),
                ("likes", ", ".join(truth.tastes)),
                ("from the caption", truth.seed_caption),
                ("events", str(len(events))),
                ("most often", _ranked(Counter(event.activity.replace("-", " ") for event in events))),
                ("at", _ranked(Counter(event.place for event in events))),
                ("with", _ranked(company)),
            ]
        found.append({"concept": one, "facts": [(name, told) for name, told in facts if told]})
    return found


def _ranked(counts: Counter[str]) -> str:
    return ", ".join(f"{name} ({count})" for name, count in counts.most_common(3))


def _strip(life: Life, plan: VaccountPlan | None) -> _Strip:
    """Return the timeline: a row for each concept where the plan is known, else one for all events."""
    events = life.events
    if not events:
        return _Strip(_STRIP_WIDTH, 0, (), ())
    first, last = events[0].date, events[-1].date
    span = max(1, (last - first).days)
    room = _STRIP_WIDTH - _STRIP_LEFT - 16

    def x(day: dt.date) -> float:
        return round(_STRIP_LEFT + room * (day - first).days / span, 1)

    def track(name: str, row: int, own: Iterable[LifeEvent]) -> _Track:
        dots = (_Dot(x(one.date), one.event_id, f"{one.date}: {one.description}") for one in own)
        return _Track(name, 14 + row * _STRIP_ROW, tuple(dots))

    if plan is None:
        tracks = [track("all events", 0, events)]
    else:
        at = {who: {event.event_id for event in own} for who, own in _attended(life, plan).items()}
        tracks = [
            track(one.name, row, [event for event in events if event.event_id in at.get(one.concept_id, ())])
            for row, one in enumerate(life.concepts)
        ]
    years = [(x(dt.date(year, 1, 1)), year) for year in range(first.year + 1, last.year + 1)]
    return _Strip(_STRIP_WIDTH, _STRIP_ROW * len(tracks) + 24, tuple(tracks), tuple(years))


def _events(
    life: Life, source: PictureSource, planned: Mapping[str, PlannedEvent], stories: Mapping[str, EventStory]
) -> list[dict[str, object]]:
    names = {one.concept_id: one.name for one in life.concepts}
    side = next((side for most, side in _SIDES if len(life.images) <= most), _SIDES[-1][1])
    most = max(1, _MOST_PICTURES // max(1, len(life.events)))
    found: list[dict[str, object]] = []
    for event in life.events:
        shown = event.images if len(life.images) <= _MOST_PICTURES else event.images[:most]
        truth, story = planned.get(event.event_id), stories.get(event.event_id)
        who = {} if truth is None else {shot.image_id: shot.who for shot in truth.shots}
        # A story has a caption for every planned picture; those that were not made are skipped.
        captions = (
            {}
            if truth is None or story is None
            else {shot.image_id: text for shot, text in zip(truth.shots, story.captions, strict=False)}
        )
        found.append(
            {
                "event_id": event.event_id,
                "date": f"{event.date:%A, %-d %B %Y}",
                "description": event.description,
                "narrative": "" if story is None else story.narrative,
                "truth": [] if truth is None else _truth(truth, names),
                "pictures": [
                    _picture(image, source, side, _listed(who.get(image.image_id, ()), names), captions)
                    for image in shown
                ],
                "not_shown": len(event.images) - len(shown),
            }
        )
    return found


def _truth(event: PlannedEvent, names: Mapping[str, str]) -> list[tuple[str, str]]:
    found = [
        ("what", f"{event.activity.replace('-', ' ')} ({event.activity_family.replace('-', ' ')})"),
        ("where", event.place + (", said" if event.says_place else ", only in the pictures")),
        ("said to be there", _listed(event.named, names)),
        ("only in the pictures", _listed([one for one in event.attendees if one not in event.named], names)),
        ("seed", event.seed),
    ]
    return [(name, told) for name, told in found if told]


def _picture(image: LifeImage, source: PictureSource, side: int, who: str, captions: Mapping[str, str]) -> _Shown:
    shown = Thumbnail(problem="the picture is not at hand")
    if image.picture is not None:
        shown = thumbnail(image.picture, source, side, _QUALITY)
    return _Shown(image.image_id, shown, who, captions.get(image.image_id, ""))


def _listed(ids: Sequence[str], names: Mapping[str, str]) -> str:
    return ", ".join(names.get(one, one) for one in ids)


@functools.cache
def _template() -> jinja2.Template:
    import jinja2.sandbox

    environment = jinja2.sandbox.ImmutableSandboxedEnvironment(undefined=jinja2.StrictUndefined, autoescape=True)
    return environment.from_string(resources.files("evaluation").joinpath("templates/life.html").read_text("utf-8"))
