"""Labelled faults in drawn pictures, on request, and what the critic makes of them (P4, C2)."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from lifeloom.models.protocol import ImageMaker
from lifeloom.records import Appearance, PicturePlan, PictureReference, PictureSubject
from lifeloom.streams import Streams
from lifeloom.synthesis.picture_critic import Looker, PictureCritic, ProblemKind

__all__ = ["PICTURE_FAULTS", "CriticQuality", "FaultQuality", "PictureFault", "faulty_plan", "measure_picture_critic"]

PictureFault = Literal["wrong_person", "missing_object", "wrong_colour", "wrong_count", "caption_of_another_picture"]
PICTURE_FAULTS: tuple[PictureFault, ...] = get_args(PictureFault)


@dataclass(frozen=True)
class FaultQuality:
    """How the critic did on one kind of fault."""

    kind: PictureFault
    injected: int
    doubted: int
    """Faulty pictures in which the critic found anything."""
    named: int
    """Faulty pictures in which it found this very kind."""


@dataclass(frozen=True)
class CriticQuality:
    """Recall by kind of fault, and precision against as many good pictures."""

    faults: tuple[FaultQuality, ...]
    good: int
    """Good pictures looked at."""
    good_doubted: int
    """Good pictures in which the critic found something."""

    @property
    def recall(self) -> float:
        """Share of the faulty pictures that were doubted."""
        return sum(fault.doubted for fault in self.faults) / max(1, sum(fault.injected for fault in self.faults))

    @property
    def precision(self) -> float:
        """Share of the doubted pictures that are faulty, at the shares of faulty and good ones looked at."""
        doubted = sum(fault.doubted for fault in self.faults)
        return doubted / max(1, doubted + self.good_doubted)

    def to_markdown(self) -> str:
        """Return the table for an asset's metadata."""
        lines = ["| fault | injected | found | named rightly |", "|---|---|---|---|"]
        lines += [
            f"| {fault.kind.replace('_', ' ')} | {fault.injected} | {_share(fault.doubted, fault.injected)} "
            f"| {_share(fault.named, fault.injected)} |"
            for fault in self.faults
        ]
        lines.append(f"| none (good pictures) | {self.good} | {_share(self.good_doubted, self.good)} wrongly | |")
        return "\n".join([*lines, "", f"precision {self.precision:.1%}, recall {self.recall:.1%}"])


def measure_picture_critic(
    plans: Sequence[PicturePlan],
    *,
    maker: ImageMaker,
    eyes: Looker,
    streams: Streams,
    most: int,
) -> CriticQuality:
    """Draw good and faulty pictures of up to ``most`` of ``plans`` and let the critic judge both.

    Every chosen plan is drawn once as it is and once for each fault that it gives occasion for; the faulty picture is
    held against the plan as it was meant.

    Args:
        plans: scenes; portraits of the people are drawn anew from their appearances.
        maker: draws.
        eyes: look.
        streams: the seed's; only streams called ``picture-faults`` are used.
        most: scenes at most.

    Raises:
        PictureNotDrawn, ModelError: the image maker cannot draw the plans.
    """
    scenes = [plan for plan in plans if plan.kind == "scene" and plan.subjects]
    rng = streams.rng("picture-faults", "sample")
    chosen = sorted(rng.sample(scenes, min(most, len(scenes))), key=lambda plan: plan.picture_id)
    looks = {
        subject.identity: subject.appearance
        for plan in scenes
        for subject in plan.subjects
        if subject.kind == "person" and subject.appearance is not None
    }
    files: dict[str, bytes] = {}
    critic = PictureCritic(eyes)

    def source(reference: PictureReference) -> bytes:
        return files[reference.content_hash]

    def draw(plan: PicturePlan) -> PictureReference:
        drawn = maker.draw(plan)
        content = hashlib.sha256(drawn.data).hexdigest()
        files[content] = drawn.data
        return PictureReference(content_hash=content, width=drawn.width, height=drawn.height)

    needed = {s.identity for plan in chosen for s in plan.subjects if s.kind == "person"} & set(looks)
    portraits = {
        identity: [draw(plan) for plan in _portraits(identity, looks[identity])] for identity in sorted(needed)
    }
    known = critic.faces(portraits, source)

    counts = {kind: [0, 0, 0] for kind in PICTURE_FAULTS}
    good_doubted = 0
    for plan in chosen:
        good_doubted += bool(critic.check(plan, draw(plan), source, known))
        for kind, faulty in _faulty_plans(plan, scenes, looks, streams):
            kinds: set[ProblemKind] = {problem.kind for problem in critic.check(plan, draw(faulty), source, known)}
            counts[kind][0] += 1
            counts[kind][1] += bool(kinds)
            counts[kind][2] += kind in kinds
        files.clear()
    return CriticQuality(tuple(FaultQuality(kind, *counts[kind]) for kind in PICTURE_FAULTS), len(chosen), good_doubted)


def faulty_plan(
    kind: PictureFault,
    plan: PicturePlan,
    others: Sequence[PicturePlan],
    looks: Mapping[str, Appearance],
    rng: random.Random,
) -> PicturePlan | None:
    """Return ``plan`` with one fault put in, None where it gives no occasion for this kind.

    Args:
        kind: which fault.
        plan: a good scene.
        others: scenes whose picture could be taken for it.
        looks: appearances that could be taken for another's, by identity.
        rng: which, and how.
    """
    makers: dict[PictureFault, Callable[[], PicturePlan | None]] = {
        "wrong_person": lambda: _wrong_person(plan, looks, rng),
        "missing_object": lambda: _missing_object(plan, rng),
        "wrong_colour": lambda: _wrong_colour(plan, others, rng),
        "wrong_count": lambda: _wrong_count(plan, rng),
        "caption_of_another_picture": lambda: _other_picture(plan, others, rng),
    }
    return makers[kind]()


def _faulty_plans(
    plan: PicturePlan, others: Sequence[PicturePlan], looks: Mapping[str, Appearance], streams: Streams
) -> Iterator[tuple[PictureFault, PicturePlan]]:
    for kind in PICTURE_FAULTS:
        faulty = faulty_plan(kind, plan, others, looks, streams.rng("picture-faults", plan.picture_id, kind))
        if faulty is not None:
            yield kind, faulty


def _portraits(identity: str, appearance: Appearance | None) -> Iterator[PicturePlan]:
    subject = PictureSubject(kind="person", name=identity, identity=identity, appearance=appearance)
    for number in range(3):
        yield PicturePlan(picture_id=f"reference-{number}", kind="portrait", subjects=(subject,), seed=number)


def _change(plan: PicturePlan, index: int, subject: PictureSubject) -> PicturePlan:
    subjects = (*plan.subjects[:index], subject, *plan.subjects[index + 1 :])
    return plan.model_copy(update={"subjects": subjects})


def _wrong_person(plan: PicturePlan, looks: Mapping[str, Appearance], rng: random.Random) -> PicturePlan | None:
    people = [index for index, subject in enumerate(plan.subjects) if subject.kind == "person"]
    present = {plan.subjects[index].identity for index in people}
    strangers = [identity for identity in sorted(looks) if identity not in present]
    if not people or not strangers:
        return None
    index = rng.choice(people)
    return _change(plan, index, plan.subjects[index].model_copy(update={"appearance": looks[rng.choice(strangers)]}))


def _missing_object(plan: PicturePlan, rng: random.Random) -> PicturePlan | None:
    things = [index for index, subject in enumerate(plan.subjects) if subject.kind != "person"]
    if not things or len(plan.subjects) < 2:
        return None
    index = rng.choice(things)
    return plan.model_copy(update={"subjects": (*plan.subjects[:index], *plan.subjects[index + 1 :])})


def _wrong_colour(plan: PicturePlan, others: Sequence[PicturePlan], rng: random.Random) -> PicturePlan | None:
    coloured = [index for index, subject in enumerate(plan.subjects) if subject.colour]
    colours = sorted({subject.colour for other in others for subject in other.subjects if subject.colour})
    if not coloured:
        return None
    index = rng.choice(coloured)
    left = [colour for colour in colours if colour != plan.subjects[index].colour]
    return _change(plan, index, plan.subjects[index].model_copy(update={"colour": rng.choice(left)})) if left else None


def _wrong_count(plan: PicturePlan, rng: random.Random) -> PicturePlan | None:
    several = [index for index, subject in enumerate(plan.subjects) if subject.count > 1]
    if not several:
        return None
    index = rng.choice(several)
    count = plan.subjects[index].count
    return _change(plan, index, plan.subjects[index].model_copy(update={"count": count - 1}))


def _other_picture(plan: PicturePlan, others: Sequence[PicturePlan], rng: random.Random) -> PicturePlan | None:
    strangers = [other for other in others if other.picture_id != plan.picture_id and other.subjects != plan.subjects]
    return rng.choice(strangers) if strangers else None


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "none"
