"""What each captioner shows the model of a context, and what it makes of answers that are missing or cut."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from evaluation.captioners import CaptionAugmented, GroundedCaptioner, RapCaptioner, ZeroShotCaptioner
from lifeloom.models.protocol import CapabilityMissing, GenerationRejected, Usage
from lifeloom.records import DialogueTurn, PictureReference
from lifeloom.scoring.caption_policy import ContextPart, ContextView
from lifeloom.store import MediaMissing
from lifeloom.tasks import CONTEXT_ANSWER, GROUNDED_CAPTION, PERSONAL_CAPTION, TaskOutput, TextOutput
from tests.lifewords import Writer
from tests.scenes import reference

NAMES = ("Nadia", "Omar", "Biscuit")
VIEW = ContextView(
    reference("query"),
    tuple(
        ContextPart(
            reference(name),
            (
                DialogueTurn(user=f"This is {name}.", assistant="Noted."),
                DialogueTurn(user="In Rome.", assistant="Yes."),
            ),
        )
        for name in NAMES
    ),
)


class Knows:
    """A recogniser that has its answers."""

    models = ("fake/eyes",)

    def __init__(
        self, found: tuple[int, ...] = (), nearest: Sequence[int] = (), broken: Exception | None = None
    ) -> None:
        self.found, self.order, self.broken = found, list(nearest), broken
        self.looked: list[PictureReference] = []

    def look(self, pictures: Sequence[PictureReference]) -> None:
        self.looked += pictures
        if self.broken:
            raise self.broken

    def recognise(self, query: PictureReference, context: Sequence[PictureReference]) -> tuple[int, ...]:
        return self._answer(self.found)

    def showing_same(self, query: PictureReference, context: Sequence[PictureReference]) -> tuple[int, ...]:
        return self._answer(self.found)

    def nearest(self, query: PictureReference, context: Sequence[PictureReference], count: int) -> list[int]:
        return list(self._answer(tuple(self.order)))[:count]

    def _answer(self, given: tuple[int, ...]) -> tuple[int, ...]:
        if self.broken:
            raise self.broken
        return given


def model(*captions: TaskOutput | Exception) -> Writer:
    given = captions or (TextOutput(text="A caption."),)
    return Writer(
        {
            PERSONAL_CAPTION.name: given,
            GROUNDED_CAPTION.name: given,
            CONTEXT_ANSWER.name: (TextOutput(text="In Rome."),),
        }
    )


def shown(writer: Writer) -> list[list[str]]:
    """What the user is made to say of each part, call by call."""
    return [[" ".join(turn.user for turn in part.turns) for part in asked.parts] for _, asked, _ in writer.asked]


def test_zero_shot_shows_the_whole_context_in_order_and_the_query_last() -> None:
    writer = model()
    told = ZeroShotCaptioner(writer, tokens=511, code="r1").caption(VIEW)
    assert told.text == "A caption."
    assert told.recognised is None
    assert (told.prompt_tokens, told.completion_tokens) == (1, 1)
    assert shown(writer) == [[f"This is {name}. In Rome." for name in NAMES]]
    assert writer.images == [(*(reference(name) for name in NAMES), reference("query"))]


def test_rap_shows_the_nearest_entries_with_what_was_said_first() -> None:
    writer = model()
    rap = RapCaptioner(writer, Knows(nearest=(2, 0, 1)), 2, tokens=511, code="r1")  # type: ignore[arg-type]
    assert rap.name == "rap-k2"
    rap.caption(VIEW)
    rap.answer(VIEW, "Where?")
    assert shown(writer) == [["This is Biscuit.", "This is Nadia."]] * 2
    assert writer.images[0] == (reference("Biscuit"), reference("Nadia"), reference("query"))


def test_the_grounded_captioner_shows_whom_it_recognised_and_says_whom() -> None:
    writer = model()
    told = GroundedCaptioner(writer, Knows(found=(1,)), tokens=511, code="r1").caption(VIEW)  # type: ignore[arg-type]
    assert told.recognised == (1,)
    assert shown(writer) == [["This is Omar. In Rome."]]
    assert writer.images == [(reference("Omar"), reference("query"))]
    nobody = GroundedCaptioner(writer, Knows(), tokens=511, code="r1").caption(VIEW)  # type: ignore[arg-type]
    assert nobody.recognised == ()
    assert writer.images[1] == (reference("query"),)


def test_a_caption_that_reaches_the_limit_is_kept_and_said_to_be_cut() -> None:
    cut = GenerationRejected(PERSONAL_CAPTION.name, "truncated", "A cat sits on", "too long", usage=Usage(30, 16))
    told = ZeroShotCaptioner(model(cut), tokens=16, code="r1").caption(VIEW)
    assert (told.text, told.cut, told.failure) == ("A cat sits on", True, "")
    assert (told.prompt_tokens, told.completion_tokens) == (30, 16)


def test_a_caption_that_is_missing_has_its_reason() -> None:
    refused = GenerationRejected(PERSONAL_CAPTION.name, "refused", "I would rather not.", "it refused")
    told = ZeroShotCaptioner(model(refused), tokens=16, code="r1").caption(VIEW)
    assert (told.text, told.cut, told.failure) == ("", False, "refused")


def test_a_picture_that_is_gone_costs_its_own_answer_alone() -> None:
    eyes = Knows(broken=MediaMissing("gone"))
    for policy in (
        RapCaptioner(model(), eyes, 3, tokens=511, code="r1"),  # type: ignore[arg-type]
        GroundedCaptioner(model(), eyes, tokens=511, code="r1"),  # type: ignore[arg-type]
    ):
        policy.prepare([VIEW])  # does not stop
        assert policy.caption(VIEW).failure == "picture_missing"
        assert policy.answer(VIEW, "Where?").failure == "picture_missing"


def test_many_views_are_looked_at_together() -> None:
    eyes = Knows()
    GroundedCaptioner(model(), eyes, tokens=511, code="r1").prepare([VIEW, VIEW])  # type: ignore[arg-type]
    assert eyes.looked == [*(reference(name) for name in NAMES), reference("query")] * 2


def test_a_model_that_takes_no_pictures_is_refused() -> None:
    blind = model()
    blind.takes_pictures = False
    with pytest.raises(CapabilityMissing, match="choose a reader that does"):
        ZeroShotCaptioner(blind, tokens=511, code="r1")


def test_whatever_decides_what_is_said_is_in_the_fingerprint() -> None:
    eyes = Knows()
    made = [
        ZeroShotCaptioner(model(), tokens=511, code="r1"),
        ZeroShotCaptioner(model(), tokens=512, code="r1"),
        ZeroShotCaptioner(model(), tokens=511, code="r2"),
        RapCaptioner(model(), eyes, 2, tokens=511, code="r1"),  # type: ignore[arg-type]
        RapCaptioner(model(), eyes, 3, tokens=511, code="r1"),  # type: ignore[arg-type]
        GroundedCaptioner(model(), eyes, tokens=511, code="r1"),  # type: ignore[arg-type]
    ]
    prints = [one.fingerprint for one in (*made, *(CaptionAugmented(one) for one in made))]
    assert len(set(prints)) == len(prints)
    assert ZeroShotCaptioner(model(), tokens=511, code="r1").fingerprint == prints[0]


def test_caption_augmented_generation_captions_once_and_answers_with_it() -> None:
    writer = model()
    augmented = CaptionAugmented(ZeroShotCaptioner(writer, tokens=511, code="r1"))
    assert augmented.name == "zero-shot-cag"
    first = augmented.answer(VIEW, "Where?")
    augmented.answer(VIEW, "When?")
    asked = [(name, getattr(one, "caption", "")) for name, one, _ in writer.asked]
    assert asked == [
        (PERSONAL_CAPTION.name, ""),
        (CONTEXT_ANSWER.name, "A caption."),
        (CONTEXT_ANSWER.name, "A caption."),
    ]
    assert (first.prompt_tokens, first.completion_tokens) == (2, 2)  # both calls
    augmented.answer(VIEW, "Who?", caption="Another caption.")
    assert writer.asked[-1][1].caption == "Another caption."


def test_without_a_caption_there_is_no_augmented_answer() -> None:
    refused = GenerationRejected(PERSONAL_CAPTION.name, "refused", "No.", "it refused")
    told = CaptionAugmented(ZeroShotCaptioner(model(refused), tokens=511, code="r1")).answer(VIEW, "Where?")
    assert (told.text, told.failure) == ("", "refused")
