"""Prompts of RL for the captioner, and its warm-up (C6, CoViP Section 3.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from lifeloom.records import (
    BY_CODE,
    CaptioningKind,
    CaptioningPrompt,
    CaptionSample,
    ProbeQuestion,
    Provenance,
    SftExample,
    TrainingMessage,
)
from lifeloom.records.base import make_id
from lifeloom.synthesis.supervision.concepts import shown_parts
from lifeloom.tasks import CONCEPT_RECOGNITION, PERSONAL_CAPTION, ConceptRecognitionInput, PersonalCaptionInput

__all__ = ["captioning_prompts", "warm_up_example"]


def captioning_prompts(
    sample: CaptionSample, questions: Sequence[ProbeQuestion], rows: Literal["combined", "separate"]
) -> Iterator[CaptioningPrompt]:
    """Yield the prompts about a sample.

    Args:
        sample: of training identities.
        questions: all of CapEval-QAs about it.
        rows: ``combined``: one prompt whose reward is the paper's sum, r_vis + r_caps: the answer names the concepts
            and captions. ``separate``: one prompt for each reward, as the release has it.
    """
    ids = tuple(one.question_id for one in questions)
    asked = PersonalCaptionInput(parts=shown_parts(sample.entries))
    caption = PERSONAL_CAPTION.render(asked)
    if rows == "combined":
        yield _prompt(sample, "combined", PERSONAL_CAPTION.instructions + _NUMBERS, caption, ids)
        return
    yield _prompt(sample, "caption", PERSONAL_CAPTION.instructions, caption, ids)
    recognition = CONCEPT_RECOGNITION.render(ConceptRecognitionInput(concepts=len(sample.entries)))
    yield _prompt(sample, "recognition", CONCEPT_RECOGNITION.instructions, recognition, ())


_NUMBERS = (
    " End with one line of the form \\boxed{[0,2]}: the numbers, from 0, of the earlier pictures whose people, animals "
    "and things are in the new one, or \\boxed{[]} where none is."
)


def warm_up_example(prompt: CaptioningPrompt, caption: str, made_by: Provenance) -> SftExample:
    """Return a prompt with an answer in the form that its reward reads, so that a captioner starts from the form.

    Args:
        prompt: of training identities.
        caption: a teacher's, of the same query picture; ``recognition`` needs none.
        made_by: the teacher.
    """
    box = f"\\boxed{{[{','.join(map(str, prompt.positives))}]}}"
    answer = {"combined": f"{caption}\n{box}", "caption": caption, "recognition": box}[prompt.kind]
    return SftExample(
        example_id=make_id("sft", "captioning", prompt.prompt_id),
        family="concept",
        kind=prompt.kind,
        user_id=prompt.sample_id,
        case_id=prompt.prompt_id,
        messages=(*prompt.messages, TrainingMessage(role="assistant", text=answer)),
        pictures=prompt.pictures,
        made_by=BY_CODE if prompt.kind == "recognition" else made_by,
    )


def _prompt(
    sample: CaptionSample, kind: CaptioningKind, instructions: str, text: str, questions: tuple[str, ...]
) -> CaptioningPrompt:
    return CaptioningPrompt(
        prompt_id=make_id("prompt", sample.sample_id, kind),
        kind=kind,
        sample_id=sample.sample_id,
        concepts=sample.concepts,
        messages=(TrainingMessage(role="system", text=instructions), TrainingMessage(role="user", text=text)),
        pictures=(*(one.picture for one in sample.entries), sample.query),
        positives=sample.positives,
        questions=questions,
    )
