"""Labelled faults in query pictures, on request, and what the filter makes of them (C2)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from lifeloom.models.builtin.painter import distance
from lifeloom.models.builtin.painter.vocabulary import PLACES
from lifeloom.models.protocol import DrawnPicture, PictureNotDrawn
from lifeloom.records import (
    BY_CODE,
    IdentityLook,
    PicturePlan,
    PictureReference,
    PictureSubject,
    SceneImage,
    ScenePlan,
    SceneVerdict,
)
from lifeloom.streams import Streams
from lifeloom.synthesis.illustrating import DrawMany
from lifeloom.synthesis.scenes.filtering import SceneFilter

__all__ = ["SCENE_FAULTS", "FaultFound", "FaultyScene", "FilterQuality", "SceneFault", "faulty_scene", "measure_filter"]

SceneFault = Literal["concept_left_out", "look_alike_instead", "another_place", "stranger_added"]
SCENE_FAULTS: tuple[SceneFault, ...] = get_args(SceneFault)

_MOST_SUBJECTS = 5
"""Of a picture of the built-in image maker."""


@dataclass(frozen=True)
class FaultyScene:
    """A query picture with one fault in it."""

    kind: SceneFault
    plan: ScenePlan
    """As it was meant."""
    picture: PicturePlan
    """As it is drawn."""
    concept: int | None
    """Index of the concept that is not there; None: all are."""


@dataclass(frozen=True)
class FaultFound:
    """How the filter did on one kind of fault."""

    kind: SceneFault
    injected: int
    refused: int
    """Faulty pictures that were not kept."""
    named: int
    """Refused for the very reason: the concept not visible, or the picture not as asked."""


@dataclass(frozen=True)
class FilterQuality:
    """Recall by kind of fault, and false alarms on good pictures of the same scenes."""

    faults: tuple[FaultFound, ...]
    good: int
    good_refused: int
    not_drawn: int = 0
    """Faulty pictures that the image maker could not draw; not counted elsewhere."""

    @property
    def recall(self) -> float:
        """Share of the faulty pictures that were refused, 0..1."""
        return sum(one.refused for one in self.faults) / max(1, sum(one.injected for one in self.faults))

    @property
    def false_alarms(self) -> float:
        """Share of the good pictures that were refused, 0..1."""
        return self.good_refused / max(1, self.good)

    def to_markdown(self) -> str:
        """Return the table for an asset's metadata."""
        lines = ["| fault | pictures | refused | for the right reason |", "|---|---|---|---|"]
        lines += [
            f"| {one.kind.replace('_', ' ')} | {one.injected} | {_share(one.refused, one.injected)} "
            f"| {_share(one.named, one.injected)} |"
            for one in self.faults
        ]
        lines.append(f"| none | {self.good} | {_share(self.good_refused, self.good)} | |")
        left_out = f", {self.not_drawn} faulty pictures could not be drawn" if self.not_drawn else ""
        return "\n".join([*lines, "", f"recall {self.recall:.1%}, false alarms {self.false_alarms:.1%}{left_out}"])


def faulty_scene(
    kind: SceneFault, plan: ScenePlan, looks: Mapping[str, IdentityLook], rng: random.Random
) -> FaultyScene | None:
    """Return ``plan`` with one fault put in, None where it gives no occasion for this kind.

    Args:
        kind: which fault.
        plan: a good scene that the built-in image maker can draw.
        looks: of the whole library; look-alikes and strangers are taken from there.
        rng: which, and how.
    """
    if plan.picture is None:
        return None
    picture, concept = plan.picture, rng.randrange(len(plan.identities))
    own = picture.subjects[concept]
    others = [looks[one].subject for one in sorted(looks) if one not in plan.identities]
    if kind == "concept_left_out":
        rest = (*picture.subjects[:concept], *picture.subjects[concept + 1 :])
        return FaultyScene(kind, plan, picture.model_copy(update={"subjects": rest}), concept) if rest else None
    if kind == "look_alike_instead":
        alike = _look_alike(own, others, picture.subjects)
        if alike is None:
            return None
        swapped = (*picture.subjects[:concept], alike, *picture.subjects[concept + 1 :])
        return FaultyScene(kind, plan, picture.model_copy(update={"subjects": swapped}), concept)
    if kind == "another_place":
        place = rng.choice([one.name for one in PLACES if one.name != plan.place])
        return FaultyScene(kind, plan, picture.model_copy(update={"place": place}), None)
    strangers = [one for one in others if one.kind == "person"]
    if not strangers or len(picture.subjects) >= _MOST_SUBJECTS:
        return None
    subjects = (*picture.subjects, rng.choice(strangers))
    return FaultyScene(kind, plan, picture.model_copy(update={"subjects": subjects}), None)


def _look_alike(
    own: PictureSubject, others: Sequence[PictureSubject], there: Sequence[PictureSubject]
) -> PictureSubject | None:
    """Return the identity that is most like ``own``: a person by looks, a thing by name, then any of its kind.

    None where nothing else of the kind can be told from what is in the picture anyway.
    """
    kin = [one for one in others if one.kind == own.kind]
    if own.appearance is not None:
        appearance = own.appearance
        people = [(distance(appearance, one.appearance), one) for one in kin if one.appearance is not None]
        return min(people, key=lambda pair: pair[0])[1] if people else None
    shown = {(one.name, one.colour) for one in there}
    fresh = [one for one in kin if (one.name, one.colour) not in shown]
    return next((one for one in fresh if one.name == own.name), fresh[0] if fresh else None)


def measure_filter(
    plans: Sequence[ScenePlan],
    looks: Mapping[str, IdentityLook],
    scene_filter: SceneFilter,
    *,
    draw_many: DrawMany,
    lay: Callable[[DrawnPicture], PictureReference],
    streams: Streams,
    most: int,
) -> FilterQuality:
    """Draw good and faulty pictures of up to ``most`` of ``plans`` and let the filter judge both.

    Every chosen scene is drawn once as it is and once for each fault that it gives occasion for; a faulty picture is
    held against the scene as it was meant.

    Args:
        plans: scenes; those without a picture plan are passed over.
        looks: of the whole library.
        scene_filter: its critic must find what ``lay`` laid down.
        draw_many: the built-in image maker.
        lay: keeps a picture for the critic.
        streams: the profile's; only streams called ``scene_faults`` are used.
        most: scenes at most.

    Raises:
        ModelUnavailable, ModelRefusesKey, BudgetExhausted: the critic stopped answering.
    """
    drawable = [plan for plan in plans if plan.picture is not None]
    rng = streams.rng("scene_faults", "sample")
    chosen = sorted(rng.sample(drawable, min(most, len(drawable))), key=lambda plan: plan.scene_id)
    faulty = [
        found
        for plan in chosen
        for kind in SCENE_FAULTS
        if (found := faulty_scene(kind, plan, looks, streams.rng("scene_faults", plan.scene_id, kind))) is not None
    ]
    good_plans = [(plan, plan.picture) for plan in chosen if plan.picture is not None]
    asked = [*good_plans, *((one.plan, one.picture) for one in faulty)]
    drawn = list(draw_many(picture for _, picture in asked))
    laid = [None if isinstance(one, PictureNotDrawn) else lay(one) for one in drawn]
    judged = scene_filter.verdicts(
        (plan, _image(plan, reference))
        for (plan, _), reference in zip(asked, laid, strict=True)
        if reference is not None
    )
    verdicts = [None if reference is None else next(judged) for reference in laid]
    good = [one for one in verdicts[: len(good_plans)] if one is not None]
    judged_faults = list(zip(faulty, verdicts[len(good_plans) :], strict=True))
    return FilterQuality(
        _counted(judged_faults),
        len(good),
        sum(not one.kept for one in good),
        sum(verdict is None for _, verdict in judged_faults),
    )


def _counted(found: Sequence[tuple[FaultyScene, SceneVerdict | None]]) -> tuple[FaultFound, ...]:
    injected: Counter[SceneFault] = Counter()
    refused: Counter[SceneFault] = Counter()
    named: Counter[SceneFault] = Counter()
    for fault, verdict in found:
        if verdict is None:
            continue
        injected[fault.kind] += 1
        refused[fault.kind] += not verdict.kept
        named[fault.kind] += not (verdict.adheres if fault.concept is None else verdict.visible[fault.concept])
    return tuple(FaultFound(kind, injected[kind], refused[kind], named[kind]) for kind in SCENE_FAULTS)


def _image(plan: ScenePlan, reference: PictureReference) -> SceneImage:
    return SceneImage(
        scene_id=plan.scene_id,
        split=plan.split,
        image_ids=plan.image_ids,
        picture=reference,
        made_by=BY_CODE,
    )


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "none"
