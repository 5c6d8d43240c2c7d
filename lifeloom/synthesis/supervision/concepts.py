"""Concept samples in RAP's style: a concept with its picture and what was told of it, and a new picture (P13).

``presence``: is it in the new picture? The truth is that of the scene. ``caption``: the new picture told by a teacher
that was shown the concepts which are in it; no word of the answer comes from a plan.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from lifeloom.models.protocol import GenerationRejected, LanguageModel
from lifeloom.records import BY_CODE, CaptionSample, ContextEntry, Rejection, SftExample, TrainingMessage
from lifeloom.records.base import make_id
from lifeloom.tasks import GROUNDED_CAPTION, ContextTurn, GroundedCaptionInput, ShownPart

__all__ = ["caption_example", "presence_examples", "shown_parts"]

_STAGE = "sft_examples/concept"

_INSTRUCTIONS = (
    "The user shows you one of their concepts, a person, an animal or a thing, with what they told about it, and then "
    "a new picture. Say whether that very concept is in the new picture: answer Yes or No."
)
_ASKED = (
    "Is what I showed you first in the new picture?",
    "Do you see the same one in the second picture?",
    "Does the new picture show it?",
    "Is it there in the picture that I send now?",
    "Can it be found in the second picture?",
    "Have I caught the same one in this picture?",
    "Is this new picture one of it?",
    "Does the same one appear here?",
)


def shown_parts(entries: tuple[ContextEntry, ...]) -> tuple[ShownPart, ...]:
    """Return what prompts show of entries of a context."""
    return tuple(
        ShownPart(turns=tuple(ContextTurn(user=turn.user, assistant=turn.assistant) for turn in one.turns))
        for one in entries
    )


def presence_examples(sample: CaptionSample, rng: random.Random) -> Iterator[SftExample]:
    """Yield two questions about a sample: one concept that its query picture shows, and one that it does not."""
    present = [one for one in sample.entries if one.positive]
    absent = [one for one in sample.entries if not one.positive]
    for entries, answer in ((present, "Yes"), (absent, "No")):
        if not entries:
            continue
        entry = rng.choice(entries)
        told = "\n".join(f"User: {turn.user}\nAssistant: {turn.assistant}" for turn in entry.turns)
        yield SftExample(
            example_id=make_id("sft", _STAGE, sample.sample_id, entry.dialogue_id),
            family="concept",
            kind="presence",
            user_id=sample.release_id,
            case_id=sample.sample_id,
            messages=(
                TrainingMessage(role="system", text=_INSTRUCTIONS),
                TrainingMessage(role="user", text=f"<img>\n{told}\n\nThe new picture: <img>\n{rng.choice(_ASKED)}"),
                TrainingMessage(role="assistant", text=answer),
            ),
            pictures=(entry.picture, sample.query),
            made_by=BY_CODE,
        )


def caption_example(sample: CaptionSample, teacher: LanguageModel) -> SftExample | Rejection:
    """Return the query picture's caption by a teacher that is shown what is in it, or why there is none.

    Raises:
        ModelUnavailable, ModelRefusesKey, BudgetExhausted: the teacher stopped answering.
    """
    present = tuple(one for one in sample.entries if one.positive)
    asked = GroundedCaptionInput(parts=shown_parts(present))
    pictures = (*(one.picture for one in present), sample.query)
    try:
        given = teacher.run(GROUNDED_CAPTION, asked, pictures)
    except GenerationRejected as error:
        return Rejection(stage=_STAGE, item=sample.sample_id, reason=error.reason, detail=error.raw[:500])
    return SftExample(
        example_id=make_id("sft", _STAGE, sample.sample_id, "caption"),
        family="concept",
        kind="caption",
        user_id=sample.release_id,
        case_id=sample.sample_id,
        messages=(
            TrainingMessage(role="system", text=GROUNDED_CAPTION.instructions),
            TrainingMessage(role="user", text=GROUNDED_CAPTION.render(asked)),
            TrainingMessage(role="assistant", text=given.output.text),
        ),
        pictures=pictures,
        made_by=given.provenance,
    )
