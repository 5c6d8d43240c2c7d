"""Making one Vaccount again, without the others, to show that it comes out the same byte for byte."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from assets.life_keys import HISTORIES, HISTORY_IMAGES, VACCOUNTS
from assets.seeds import CAPTIONS
from assets.vaccounts import illustrating, life_order
from lifeloom.records import (
    CaptionSeed,
    Concept,
    DrawnLifePicture,
    EventStory,
    LifeImage,
    Record,
    Rejection,
    VaccountPlan,
    VaccountSeed,
)
from lifeloom.synthesis.vaccounts.making import (
    MadeVaccount,
    draw_history,
    draw_portraits,
    plan_release,
    release_captions,
    word_concepts,
    word_events,
)
from orchestration.show import NothingFound
from resources.workbench import Workbench

__all__ = ["Remade", "remake_vaccount"]


@dataclass
class Remade:
    """What is the same, and what is not."""

    vaccount_id: str
    same: dict[str, int] = field(default_factory=dict)
    """How many records and files of each kind are as they were."""
    different: list[str] = field(default_factory=list)
    """Ids of those that are not."""
    _held: set[str] = field(default_factory=set)

    def hold(self, kind: str, item: str, before: str | None, after: str) -> None:
        """Count an item as the same, or as different."""
        self._held.add(f"{kind} {item}")
        if before == after:
            self.same[kind] = self.same.get(kind, 0) + 1
        else:
            self.different.append(f"{kind} {item}")

    def hold_gone(self, kind: str, before: Iterable[str]) -> None:
        """Count as different what is stored and was not made again."""
        self.different += [f"{kind} {item}" for item in before if f"{kind} {item}" not in self._held]

    def text(self) -> str:
        """Return it in words."""
        same = ", ".join(f"{count} {kind}" for kind, count in self.same.items())
        if not self.different:
            return f"{self.vaccount_id}: the same byte for byte: {same}"
        return f"{self.vaccount_id}: {len(self.different)} differ: {', '.join(self.different[:10])}; the same: {same}"


def remake_vaccount(workbench: Workbench, release: str, vaccount_id: str) -> Remade:
    """Make one Vaccount of a release again and hold every record and picture against what is stored.

    Raises:
        NothingFound: the settings in force are others than it was made with, or plan no such Vaccount.
    """
    store, report = workbench.store, Remade(vaccount_id)
    order = life_order(workbench.profile, release)
    made_with = store.manifest(f"{VACCOUNTS}/{release}").recipe
    if (made_with.seed, made_with.parameters["order"]) != (workbench.profile.seed, repr(order)):
        raise NothingFound(
            f"the Vaccounts of {release} were made with seed {made_with.seed} and {made_with.parameters['order']}; the "
            f"settings in force are seed {workbench.profile.seed} and {order!r}: remake with the profile of then"
        )
    seeds = list(store.read(f"{VACCOUNTS}/{release}", "seeds", VaccountSeed))
    captions = list(store.read(CAPTIONS, "captions", CaptionSeed))
    planned = plan_release(seeds, release_captions(captions, order), order, workbench.streams)
    found = (one for one in planned if isinstance(one, MadeVaccount) and one.plan.vaccount_id == vaccount_id)
    made = next(found, None)
    if made is None:
        raise NothingFound(
            f"the settings in force plan no Vaccount {vaccount_id} for {release}: remake it with the profile and the "
            "settings that it was made with"
        )
    plans = {one.vaccount_id: one for one in store.read(f"{VACCOUNTS}/{release}", "plans", VaccountPlan)}
    report.hold("plan", vaccount_id, _text(plans.get(vaccount_id)), _text(made.plan))
    with illustrating(workbench, VACCOUNTS) as illustrator:
        portraits = {}
        drawn = {one.image_id: one for one in store.read(f"{VACCOUNTS}/{release}", "drawn", DrawnLifePicture)}
        for result in draw_portraits(made.plan, illustrator):
            name = result.order.image_id
            before = drawn[name].picture.content_hash if name in drawn else None
            report.hold("portraits", name, before, hashlib.sha256(result.data).hexdigest())
            if result.picture is not None:
                portraits[name] = result.picture.picture
        concepts = {one.concept_id: one for one in store.read(f"{VACCOUNTS}/{release}", "concepts", Concept)}
        for concept in word_concepts(workbench.model("writer", VACCOUNTS), made, portraits)[0]:
            report.hold("concepts", concept.concept_id, _text(concepts.get(concept.concept_id)), _text(concept))
        told = {one.event_id: one for one in store.read(f"{HISTORIES}/{release}", "stories", EventStory)}
        by_id = {one.caption_id: one for one in captions}
        stories: dict[str, EventStory] = {}
        for story in word_events(workbench.model("writer", HISTORIES), made.plan, by_id):
            if not isinstance(story, Rejection):
                stories[story.event_id] = story
                report.hold("stories", story.event_id, _text(told.get(story.event_id)), _text(story))
        images = {one.image_id: one for one in store.read(f"{HISTORY_IMAGES}/{release}", "images", LifeImage)}
        shown = {one.image_id: one for one in store.read(f"{HISTORY_IMAGES}/{release}", "drawn", DrawnLifePicture)}
        for result, image in draw_history(made.plan, stories, portraits, illustrator):
            name = result.order.image_id
            if image is not None:
                report.hold("pictures", name, _text(images.get(name)), _text(image))
            elif result.picture is not None:
                report.hold("question pictures", name, _text(shown.get(name)), _text(result.picture))
            workbench.watch(f"remaking {vaccount_id}", sum(report.same.values()), len(images))
    stored: dict[str, Mapping[str, Concept | EventStory | LifeImage]] = {
        "concepts": concepts,
        "stories": told,
        "pictures": images,
    }
    for kind, rows in stored.items():
        report.hold_gone(kind, [name for name, one in rows.items() if one.vaccount_id == vaccount_id])
    questions = [one for one in shown.values() if one.use == "question" and one.vaccount_id == vaccount_id]
    report.hold_gone("question pictures", [one.image_id for one in questions])
    return report


def _text(record: Record | None) -> str:
    return "" if record is None else record.model_dump_json()
