"""The filter of query pictures: what it asks, what it keeps, and what became of the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from lifeloom.models.protocol import CapabilityMissing, Generation, GenerationRejected, ModelIdentity, Usage
from lifeloom.records import BY_CODE, PictureReference, SceneImage, SceneVerdict
from lifeloom.synthesis.scenes import SceneFilter, keep_scenes
from lifeloom.synthesis.scenes.filtering import failure_rates, has_verdict
from lifeloom.tasks import SCENE_CHECK, SceneCheckInput, SceneCheckOutput
from tests.scenes import image_of, scene, small_library

LIBRARY = {one.image_id: one for one in small_library()[0]}
Answer = Callable[[SceneCheckInput], SceneCheckOutput]


class Critic:
    """Says what a test says, and remembers what it was asked."""

    identity = ModelIdentity("test", "critic-1")
    window_tokens = 8192
    takes_pictures = True

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.asked: list[tuple[SceneCheckInput, list[PictureReference]]] = []

    def run(self, task: Any, task_input: Any, images: Sequence[PictureReference] = (), **_: Any) -> Generation[Any]:
        self.asked.append((task_input, list(images)))
        return Generation(self.answer(task_input), Usage(1, 1), BY_CODE)


def answered(**said: Any) -> Answer:
    return lambda asked: SceneCheckOutput(
        **({"adheres": True, "visible": (True,) * len(asked.concepts), "problems": ()} | said)
    )


def judged(answer: Answer, *identities: str, **more: Any) -> SceneVerdict:
    plan = scene("s1", *identities, **more)
    (verdict,) = SceneFilter(Critic(answer), LIBRARY).verdicts([(plan, image_of(plan))])  # type: ignore[arg-type]
    return verdict


def verdict(name: str, concepts: int, *problems: str, visible: bool = True) -> tuple[SceneImage, SceneVerdict]:
    """A query picture with what was said of it; without a problem it passed."""
    image = image_of(scene(name, *(f"p{number}" for number in range(concepts))))
    said = {
        "scene_id": name,
        "image_ids": image.image_ids,
        "adheres": not problems,
        "visible": (visible,) * concepts,
        "problems": problems,
        "kept": visible and not problems,
        "made_by": BY_CODE,
    }
    return image, SceneVerdict.model_validate(said)


def test_the_critic_is_shown_each_concept_and_then_the_query_picture() -> None:
    critic = Critic(answered())
    plan = scene("s1", "animal1", "p1", "object0", further="cake")
    list(SceneFilter(critic, LIBRARY).verdicts([(plan, image_of(plan))]))  # type: ignore[arg-type]
    ((asked, pictures),) = critic.asked
    assert asked == SceneCheckInput(
        instruction=plan.instruction, concepts=("cat", "person", "red mug"), people=1, place="park", further="cake"
    )
    assert pictures == [*(LIBRARY[one].picture for one in plan.image_ids), image_of(plan).picture]
    assert SCENE_CHECK.render(asked).count("<img>") == len(pictures)


def test_a_picture_is_kept_when_it_is_as_asked_and_every_concept_is_seen() -> None:
    assert judged(answered(), "p0", "p1").kept
    assert not judged(answered(adheres=False), "p0", "p1").kept
    assert not judged(answered(visible=(True, False)), "p0", "p1").kept


def test_a_critic_without_a_readable_answer_keeps_nothing() -> None:
    def refuse(asked: SceneCheckInput) -> SceneCheckOutput:
        raise GenerationRejected(SCENE_CHECK.name, "bad_json", "well, well")

    for answer in (refuse, answered(visible=(True,))):
        said = judged(answer, "p0", "p1")
        assert not said.kept
        assert said.visible == (False, False)
        assert not has_verdict(said)
    assert has_verdict(judged(answered(adheres=False, problems=("it is blurred",)), "p0"))


def test_a_critic_that_cannot_see_is_refused_with_words_that_help() -> None:
    critic = Critic(answered())
    critic.takes_pictures = False
    with pytest.raises(CapabilityMissing, match="choose one that does"):
        SceneFilter(critic, LIBRARY)  # type: ignore[arg-type]


def test_pictures_are_looked_at_ahead_of_the_questions_in_groups() -> None:
    looked: list[int] = []
    plans = [scene(f"s{number}", "p0") for number in range(70)]
    judge = SceneFilter(Critic(answered()), LIBRARY, look_ahead=lambda pictures: looked.append(len(pictures)))  # type: ignore[arg-type]
    assert len(list(judge.verdicts((plan, image_of(plan)) for plan in plans))) == 70
    assert looked == [32, 32, 6]


def test_those_wanted_are_taken_evenly_by_number_of_concepts_and_the_rest_is_accounted_for() -> None:
    rows = [verdict(f"s{concepts}{n}", concepts) for concepts in (1, 2, 3, 4) for n in range(5)]
    rows += [verdict(f"bad{n}", 4, "concept 1 is not to be seen", visible=False) for n in range(3)]
    rows += [verdict("odd", 2, "three people instead of two")]
    images, verdicts = [image for image, _ in rows], [said for _, said in rows]
    found = keep_scenes(images, verdicts, 12, stage="release/filtered_scenes")
    assert Counter(len(one.image_ids) for one in found.kept) == {1: 3, 2: 3, 3: 3, 4: 3}
    assert Counter(one.reason for one in found.rejections) == {"spare": 8, "concept_not_visible": 3, "not_as_asked": 1}
    assert len(found.kept) + len(found.rejections) == len(rows)
    assert next(one for one in found.rejections if one.item == "odd").detail == "three people instead of two"


def test_where_too_few_of_a_kind_passed_the_others_make_up_for_them() -> None:
    rows = [verdict(f"one{n}", 1) for n in range(6)] + [verdict("four", 4)]
    found = keep_scenes([image for image, _ in rows], [said for _, said in rows], 5, stage="x")
    assert [one.scene_id for one in found.kept] == ["one0", "one1", "one2", "one3", "four"]
    all_of_them = keep_scenes([image for image, _ in rows], [said for _, said in rows], 50, stage="x")
    assert len(all_of_them.kept) == 7


def test_a_missing_verdict_has_a_reason_of_its_own() -> None:
    image = image_of(scene("s1", "p0", "p1"))
    silent = judged(answered(visible=()), "p0", "p1")
    assert [one.reason for one in keep_scenes([image], [silent], 1, stage="x").rejections] == ["no_verdict"]


def test_failures_are_counted_by_number_of_concepts() -> None:
    rows = [verdict("a", 1), verdict("b", 4), verdict("c", 4, "blurred"), verdict("d", 4, "blurred", visible=False)]
    assert failure_rates(said for _, said in rows) == {1: (0, 1), 4: (2, 3)}
