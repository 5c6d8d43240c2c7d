"""Prompts of the captioner, its warm-up, concept samples; and that nothing of a benchmark is among them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Literal

import pytest

from lifeloom.models.protocol import Generation, GenerationRejected, ModelIdentity, Usage
from lifeloom.records import (
    BY_CODE,
    CANNOT_BE_DETERMINED,
    CaptionSample,
    ContextEntry,
    DialogueTurn,
    PictureReference,
    ProbeQuestion,
    Rejection,
    SftExample,
)
from lifeloom.scoring.recognition import parse_boxed_list
from lifeloom.scoring.rewards import visual_reward
from lifeloom.synthesis.supervision import (
    caption_example,
    captioning_prompts,
    presence_examples,
    shared_samples,
    warm_up_example,
)
from lifeloom.tasks import CONCEPT_RECOGNITION, GROUNDED_CAPTION, PERSONAL_CAPTION


def picture(number: int) -> PictureReference:
    return PictureReference(content_hash=f"{number:064x}", width=32, height=24)


def entry(name: str, number: int, *, positive: bool, text: str = "") -> ContextEntry:
    return ContextEntry(
        image_id=f"img-{number}",
        identity=name,
        picture=picture(number),
        dialogue_id=f"s1-c{number}",
        turns=(DialogueTurn(user=text or f"This is {name}, seen at the pier.", assistant="Noted."),),
        positive=positive,
    )


def sample(*entries: ContextEntry, query: int = 100) -> CaptionSample:
    return CaptionSample(
        sample_id="shard-000-s1",
        release_id="shard-000",
        split="train",
        query=picture(query),
        entries=entries,
        made_by=BY_CODE,
    )


SAMPLE = sample(entry("ana", 1, positive=True), entry("ben", 2, positive=False), entry("cleo", 3, positive=True))
QUESTION = ProbeQuestion(
    question_id="s1-c1-q0",
    sample_id="shard-000-s1",
    dialogue_id="s1-c1",
    entry=0,
    positive=True,
    concepts=2,
    fact="place",
    question="Where?",
    options=("the pier", "the mill", "the zoo", CANNOT_BE_DETERMINED),
    answer="A",
    made_by=BY_CODE,
)


class Teacher:
    """Captions with the names that it was told of."""

    identity = ModelIdentity("fake", "teacher-1")
    takes_pictures = True

    def __init__(self, failure: GenerationRejected | None = None) -> None:
        self.failure = failure
        self.asked: list[tuple[Any, tuple[PictureReference, ...]]] = []

    def run(self, task: Any, task_input: Any, images: Sequence[PictureReference] = (), **_: Any) -> Any:
        assert task is GROUNDED_CAPTION
        self.asked.append((task_input, tuple(images)))
        if self.failure:
            raise self.failure
        names = " and ".join(part.turns[0].user.split()[2].strip(",") for part in task_input.parts)
        return Generation(
            task.output_type(text=f"Here are {names}."), Usage(1, 1), self.identity.provenance(GROUNDED_CAPTION)
        )


@pytest.mark.parametrize(("rows", "kinds"), [("combined", ["combined"]), ("separate", ["caption", "recognition"])])
def test_rows_are_the_papers_sum_or_the_releases_two(rows: Literal["combined", "separate"], kinds: list[str]) -> None:
    found = list(captioning_prompts(SAMPLE, [QUESTION], rows))
    assert [one.kind for one in found] == kinds
    for one in found:
        assert one.pictures == (picture(1), picture(2), picture(3), picture(100))
        assert one.positives == (0, 2)
        assert one.questions == (() if one.kind == "recognition" else ("s1-c1-q0",))
        system, user = one.messages
        assert user.text.count("<img>") == 4
        # What is asked is what the policies of the benchmark are asked.
        asked = CONCEPT_RECOGNITION if one.kind == "recognition" else PERSONAL_CAPTION
        assert system.text.startswith(asked.instructions)


def test_a_warm_up_answer_is_read_by_the_reward_of_its_row() -> None:
    for rows in ("combined", "separate"):
        for prompt in captioning_prompts(SAMPLE, [QUESTION], rows):  # type: ignore[arg-type]
            made = warm_up_example(prompt, "Ana and Cleo at the pier.", BY_CODE)
            said = made.messages[-1].text
            assert made.messages[:-1] == prompt.messages
            if prompt.kind == "caption":
                assert said == "Ana and Cleo at the pier."
            else:
                assert parse_boxed_list(said) == {0, 2}
                assert visual_reward(said, prompt.positives) == 1.0
            assert said.startswith("Ana and Cleo") == (prompt.kind != "recognition")


def test_one_concept_that_is_there_and_one_that_is_not_are_asked_about() -> None:
    found = list(presence_examples(SAMPLE, random.Random(2)))
    assert [one.messages[-1].text for one in found] == ["Yes", "No"]
    there, absent = found
    assert there.pictures[0] in (picture(1), picture(3))
    assert absent.pictures == (picture(2), picture(100))
    assert "This is ben" in absent.messages[1].text
    only = sample(entry("ana", 1, positive=True))
    assert [one.messages[-1].text for one in presence_examples(only, random.Random(2))] == ["Yes"]


def test_a_teacher_captions_from_what_is_in_the_picture_alone() -> None:
    teacher = Teacher()
    made = caption_example(SAMPLE, teacher)  # type: ignore[arg-type]
    assert isinstance(made, SftExample)
    ((asked, images),) = teacher.asked
    assert images == (picture(1), picture(3), picture(100))
    assert "ben" not in GROUNDED_CAPTION.render(asked)
    assert made.messages[-1].text == "Here are ana and cleo."
    assert made.made_by.model == "teacher-1"


def test_a_refused_caption_is_left_out_with_its_reason() -> None:
    refusal = GenerationRejected("grounded_caption", "refusal", "I would rather not.", usage=Usage(1, 1))
    made = caption_example(SAMPLE, Teacher(refusal))  # type: ignore[arg-type]
    assert isinstance(made, Rejection)
    assert (made.item, made.reason, made.detail) == ("shard-000-s1", "refusal", "I would rather not.")


OTHER = sample(entry("zoe", 8, positive=True, text="Zoe was at the mill."), query=200)


def test_sides_that_share_nothing_have_no_problem() -> None:
    assert shared_samples([SAMPLE], [OTHER], identities=True) == []


@pytest.mark.parametrize(
    ("others", "said"),
    [
        (sample(entry("ana", 8, positive=True, text="Another story."), query=200), "shows ana"),
        (sample(entry("zoe", 8, positive=True, text="Another story."), query=100), "has the picture"),
        (sample(entry("zoe", 2, positive=True, text="Another story."), query=200), "has the picture"),
        (sample(entry("zoe", 8, positive=True, text="this is Ana,  seen at the pier."), query=200), "word for word"),
    ],
)
def test_an_identity_a_picture_or_a_dialogue_of_a_release_is_found(others: CaptionSample, said: str) -> None:
    (problem,) = shared_samples([SAMPLE], [others], identities=True)
    assert said in problem


def test_where_identities_are_shared_only_their_pictures_and_names_may_be() -> None:
    others = sample(entry("ana", 1, positive=True, text="Another story."), query=200)
    assert shared_samples([SAMPLE], [others], identities=False) == []
    assert shared_samples([SAMPLE], [sample(*others.entries, query=100)], identities=False) != []
