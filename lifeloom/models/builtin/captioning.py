"""What the built-in backend answers about personalised captioning: scenes, dialogues, captions, probes, diagnostics."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from lifeloom.models.builtin.life import SeeingAnswer, Senses, TextAnswer
from lifeloom.records import PictureReference
from lifeloom.tasks import (
    ACTION_JUDGEMENT,
    CONCEPT_DIALOGUE_WRITING,
    CONCEPT_RECOGNITION,
    CONTEXT_ANSWER,
    DIAGNOSTIC_DIALOGUE_WRITING,
    GROUNDED_CAPTION,
    MMHAL_JUDGEMENT,
    OBJECT_QUESTION,
    PERSONAL_CAPTION,
    PROBE_JUDGEMENT,
    PROBE_WRITING,
    SCENE_CHECK,
    TaskOutput,
    TextOutput,
)

__all__ = ["seeing_tasks", "text_tasks"]


def text_tasks(senses: Senses) -> Mapping[str, TextAnswer]:
    """Return by name what answers the tasks that come without pictures."""

    def concept_dialogue(task_input: Any, rng: random.Random) -> TaskOutput:
        from lifeloom.models.builtin.writer.concept_dialogues import write_dialogue

        return write_dialogue(task_input, rng)

    def probes(task_input: Any, rng: random.Random) -> TaskOutput:
        from lifeloom.models.builtin.writer.probes import write_probes

        return write_probes(task_input, rng)

    def probe_judgement(task_input: Any, rng: random.Random) -> TaskOutput:
        from lifeloom.models.builtin.reader.probing import judge_probe

        return TextOutput(text=judge_probe(task_input, senses.encoding))

    def mmhal_judgement(task_input: Any, rng: random.Random) -> TaskOutput:
        from lifeloom.models.builtin.reader.mmhal_judging import rate_answer

        return TextOutput(text=rate_answer(task_input))

    def diagnostic_dialogue(task_input: Any, rng: random.Random) -> TaskOutput:
        from lifeloom.models.builtin.writer.diagnostic_dialogues import write_diagnostic_dialogue

        return write_diagnostic_dialogue(task_input, rng)

    def action_judgement(task_input: Any, rng: random.Random) -> TaskOutput:
        from lifeloom.models.builtin.reader.action_judging import judge_action

        return judge_action(task_input, senses.encoding)

    return {
        ACTION_JUDGEMENT.name: action_judgement,
        DIAGNOSTIC_DIALOGUE_WRITING.name: diagnostic_dialogue,
        MMHAL_JUDGEMENT.name: mmhal_judgement,
        CONCEPT_DIALOGUE_WRITING.name: concept_dialogue,
        PROBE_WRITING.name: probes,
        PROBE_JUDGEMENT.name: probe_judgement,
    }


def seeing_tasks(senses: Senses) -> Mapping[str, SeeingAnswer]:
    """Return by name what answers the tasks that may come with pictures."""

    def scene_check(task_input: Any, images: Sequence[PictureReference]) -> TaskOutput:
        from lifeloom.models.builtin.reader.scene_checking import check_scene

        return check_scene(task_input, senses.look(images), senses.person_threshold)

    def personal_caption(task_input: Any, images: Sequence[PictureReference]) -> TaskOutput:
        from lifeloom.models.builtin.reasoner.captioning import zero_shot_caption

        query = images[-1:]
        text = zero_shot_caption(task_input, senses.look(query), senses.traits(query), senses.picture_vectors(images))
        return TextOutput(text=text)

    def grounded(task_input: Any, images: Sequence[PictureReference]) -> TaskOutput:
        from lifeloom.models.builtin.reasoner.captioning import grounded_caption

        query = images[-1:]
        return TextOutput(text=grounded_caption(task_input, senses.look(query), senses.traits(query)))

    def context_answer(task_input: Any, images: Sequence[PictureReference]) -> TaskOutput:
        from lifeloom.models.builtin.reasoner.captioning import answer_in_context

        return TextOutput(text=answer_in_context(task_input, senses.picture_vectors(images)))

    def recognition(task_input: Any, images: Sequence[PictureReference]) -> TaskOutput:
        from lifeloom.models.builtin.reasoner.captioning import recognise

        return TextOutput(text=recognise(senses.picture_vectors(images)))

    def object_question(task_input: Any, images: Sequence[PictureReference]) -> TaskOutput:
        from lifeloom.models.builtin.reader.object_asking import is_there

        return TextOutput(text=is_there(task_input.thing, senses.look(images)))

    return {
        SCENE_CHECK.name: scene_check,
        OBJECT_QUESTION.name: object_question,
        PERSONAL_CAPTION.name: personal_caption,
        GROUNDED_CAPTION.name: grounded,
        CONTEXT_ANSWER.name: context_answer,
        CONCEPT_RECOGNITION.name: recognition,
    }
