"""Filtering query pictures: a critic looks at each, and those are kept that show what they should (C2, Table S.6)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from lifeloom.models.calls.parallel import ordered_map
from lifeloom.models.protocol import CapabilityMissing, GenerationRejected, LanguageModel
from lifeloom.records import LibraryImage, PictureReference, Rejection, SceneImage, ScenePlan, SceneVerdict
from lifeloom.tasks import SCENE_CHECK, SceneCheckInput

__all__ = ["FilteredScenes", "SceneFilter", "failure_rates", "has_verdict", "keep_scenes"]

_AT_ONCE = 32
"""Pictures looked at together."""
_NO_VERDICT = "no verdict: "
"""How the one problem of a query picture begins of which the critic said nothing that can be read."""


@dataclass(frozen=True)
class FilteredScenes:
    """Which query pictures are taken, and why the others are not."""

    kept: tuple[SceneImage, ...]
    rejections: tuple[Rejection, ...]


class SceneFilter:
    """Asks the critic about query pictures.

    Args:
        critic: a model that takes pictures.
        library: pictures by id.
        callers: questions asked at once.
        look_ahead: looks at many pictures at once, which is faster than one by one; None: not here.

    Raises:
        CapabilityMissing: the critic takes no pictures.
    """

    def __init__(
        self,
        critic: LanguageModel,
        library: Mapping[str, LibraryImage],
        *,
        callers: int = 1,
        look_ahead: Callable[[Sequence[PictureReference]], object] | None = None,
    ) -> None:
        if not critic.takes_pictures:
            raise CapabilityMissing(
                f"the critic {critic.identity.backend}/{critic.identity.model} takes no pictures, so it cannot look at "
                "query pictures: choose one that does"
            )
        self._critic = critic
        self._library = library
        self._callers = callers
        self._look_ahead = look_ahead

    def verdicts(self, scenes: Iterable[tuple[ScenePlan, SceneImage]]) -> Iterator[SceneVerdict]:
        """Yield a verdict on each query picture, in order. A critic that gives no valid answer keeps nothing.

        Raises:
            ModelUnavailable, ModelRefusesKey, BudgetExhausted: the critic stopped answering.
        """
        group: list[tuple[ScenePlan, SceneImage]] = []
        for one in scenes:
            group.append(one)
            if len(group) == _AT_ONCE:
                yield from self._of_group(group)
                group = []
        yield from self._of_group(group)

    def _of_group(self, group: Sequence[tuple[ScenePlan, SceneImage]]) -> Iterator[SceneVerdict]:
        if self._look_ahead is not None and group:
            self._look_ahead([image.picture for _, image in group])
        yield from ordered_map(self._verdict, group, workers=self._callers)

    def _verdict(self, scene: tuple[ScenePlan, SceneImage]) -> SceneVerdict:
        plan, image = scene
        concepts = [self._library[one] for one in plan.image_ids]
        asked = SceneCheckInput(
            instruction=plan.instruction,
            concepts=tuple(one.noun for one in concepts),
            people=sum(one.category == "human" for one in concepts),
            place=plan.place,
            further=plan.further,
        )
        made_by = self._critic.identity.provenance(SCENE_CHECK)
        try:
            answer = self._critic.run(SCENE_CHECK, asked, [*(one.picture for one in concepts), image.picture]).output
        except GenerationRejected as error:
            return self._record(plan, (False,) * len(concepts), (f"{_NO_VERDICT}{error}"[:300],), made_by=made_by)
        if len(answer.visible) != len(concepts):
            told = f"{_NO_VERDICT}{len(answer.visible)} answers about {len(concepts)} concepts"
            return self._record(plan, (False,) * len(concepts), (told,), made_by=made_by)
        return self._record(plan, answer.visible, answer.problems, adheres=answer.adheres, made_by=made_by)

    @staticmethod
    def _record(
        plan: ScenePlan, visible: tuple[bool, ...], problems: tuple[str, ...], *, adheres: bool = False, made_by: object
    ) -> SceneVerdict:
        return SceneVerdict.model_validate(
            {
                "scene_id": plan.scene_id,
                "image_ids": plan.image_ids,
                "adheres": adheres,
                "visible": visible,
                "problems": problems,
                "kept": adheres and all(visible),
                "made_by": made_by,
            }
        )


def keep_scenes(
    images: Sequence[SceneImage], verdicts: Sequence[SceneVerdict], wanted: int, *, stage: str
) -> FilteredScenes:
    """Take ``wanted`` of the query pictures that passed, as evenly over the numbers of concepts as there are.

    What was refused is left out with the critic's reasons, what is beyond those wanted as ``spare``.

    Args:
        images: query pictures, in order.
        verdicts: one on each, in the same order.
        wanted: how many to take at most.
        stage: whose rejections these are.
    """
    passed: dict[int, list[SceneImage]] = defaultdict(list)
    rejections = []
    for image, verdict in zip(images, verdicts, strict=True):
        if verdict.kept:
            passed[len(image.image_ids)].append(image)
            continue
        told = "; ".join(verdict.problems) or "the critic gave no reason"
        reason = "concept_not_visible" if not all(verdict.visible) else "not_as_asked"
        if not has_verdict(verdict):
            reason = "no_verdict"
        rejections.append(Rejection(stage=stage, item=image.scene_id, reason=reason, detail=told[:500]))
    taken: set[str] = set()
    queues = [list(passed[concepts]) for concepts in sorted(passed)]
    while len(taken) < wanted and any(queues):
        for queue in queues:
            if queue and len(taken) < wanted:
                taken.add(queue.pop(0).scene_id)
    rejections += [
        Rejection(stage=stage, item=image.scene_id, reason="spare", detail="more passed than were wanted")
        for own in passed.values()
        for image in own
        if image.scene_id not in taken
    ]
    return FilteredScenes(tuple(one for one in images if one.scene_id in taken), tuple(rejections))


def has_verdict(verdict: SceneVerdict) -> bool:
    """Return whether the critic said anything that could be read."""
    return not any(problem.startswith(_NO_VERDICT) for problem in verdict.problems)


def failure_rates(verdicts: Iterable[SceneVerdict]) -> dict[int, tuple[int, int]]:
    """Return by number of concepts how many query pictures were refused, and of how many (Fig. S.4)."""
    counts: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    for one in verdicts:
        counts[len(one.image_ids)][0] += not one.kept
        counts[len(one.image_ids)][1] += 1
    return {concepts: (refused, of) for concepts, (refused, of) in sorted(counts.items())}
