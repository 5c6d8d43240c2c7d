"""What the built-in backend answers about lives: their words, their graphs, and questions about them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from lifeloom.models.protocol import GenerationRejected, TextEncoder
from lifeloom.records import PictureReference
from lifeloom.tasks import (
    CANDIDATE_VOTE,
    CONCEPT_FINGERPRINT,
    CONCEPT_REFINEMENT,
    CONCEPT_WRITING,
    EVENT_STORY_WRITING,
    EVENT_WRITING,
    GRAPH_CANDIDATES,
    GRAPH_PLAN,
    GRAPH_PRUNE,
    GRAPH_REFERENCES,
    GRAPH_SUFFICIENCY,
    GRAPH_TOP_ENTITIES,
    GRAPH_TRIPLES,
    LIFE_ANSWER,
    LIFE_JUDGEMENT,
    LIFE_STORY_WRITING,
    PICTURE_CAPTION,
    QUESTION_CRITIQUE,
    TaskOutput,
    TextOutput,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from lifeloom.models.builtin.eyes.traits import PersonTraits
    from lifeloom.models.builtin.reader.looking import LookedAt

__all__ = ["Senses", "seeing_tasks", "text_tasks"]


class Senses(Protocol):
    """What the backend lends to the tasks that read and look."""

    def encoding(self) -> TextEncoder:
        """Return the text encoder."""
        ...

    def look(self, images: Sequence[PictureReference]) -> list[LookedAt]:
        """Return what each picture shows."""
        ...

    def traits(self, images: Sequence[PictureReference]) -> list[tuple[PersonTraits, ...]]:
        """Return what the people in each picture look like, in the order of ``look``'s people."""
        ...

    def picture_vectors(self, images: Sequence[PictureReference]) -> npt.NDArray[np.float32]:
        """Return whole pictures as vectors, shape (len(images), dimensions), unit rows."""
        ...

    @property
    def person_threshold(self) -> float:
        """Cosine of two faces from which on they are one person's."""
        ...


SeeingAnswer = Callable[[Any, Sequence[PictureReference]], TaskOutput]
TextAnswer = Callable[[Any, random.Random], TaskOutput]


def text_tasks(senses: Senses) -> Mapping[str, TextAnswer]:
    """Return by name what answers the tasks that come without pictures."""

    def writing(name: str, write: Callable[[Any, random.Random], TaskOutput]) -> TextAnswer:
        def answer(task_input: Any, rng: random.Random) -> TaskOutput:
            from lifeloom.models.builtin.writer.lives import LifeNotWorded

            try:
                return write(task_input, rng)
            except LifeNotWorded as error:
                raise GenerationRejected(name, "bad_request", "", str(error)) from error

        return answer

    def life_story(task_input: Any, rng: random.Random) -> TaskOutput:
        from lifeloom.models.builtin.writer.lives import write_life_story

        return write_life_story(task_input, rng)

    def concept(task_input: Any, rng: random.Random) -> TaskOutput:
        from lifeloom.models.builtin.writer.lives import write_concept

        return write_concept(task_input, rng)

    def refinement(task_input: Any, rng: random.Random) -> TaskOutput:
        from lifeloom.models.builtin.writer.lives import refine_concepts

        return refine_concepts(task_input, rng)

    def event_story(task_input: Any, rng: random.Random) -> TaskOutput:
        from lifeloom.models.builtin.writer.lives import write_event_story

        return write_event_story(task_input, rng)

    def event(task_input: Any, rng: random.Random) -> TaskOutput:
        from lifeloom.models.builtin.writer.lives import write_event

        return write_event(task_input, rng)

    def judgement(task_input: Any, rng: random.Random) -> TaskOutput:
        from lifeloom.models.builtin.reader.life import judge_answer

        return judge_answer(task_input)

    def critique(task_input: Any, rng: random.Random) -> TaskOutput:
        from lifeloom.models.builtin.reader.life import critique_question

        return critique_question(task_input)

    def top_entities(task_input: Any, rng: random.Random) -> TaskOutput:
        from lifeloom.models.builtin.reasoner.graph import top_entities

        return top_entities(task_input)

    def prune(task_input: Any, rng: random.Random) -> TaskOutput:
        from lifeloom.models.builtin.reasoner.graph import prune

        return prune(task_input)

    def references(task_input: Any, rng: random.Random) -> TaskOutput:
        from lifeloom.models.builtin.reasoner.graph import wanted_references

        return wanted_references(task_input)

    def sufficiency(task_input: Any, rng: random.Random) -> TaskOutput:
        from lifeloom.models.builtin.reasoner.graph import is_sufficient

        return is_sufficient(task_input)

    def plan(task_input: Any, rng: random.Random) -> TaskOutput:
        from lifeloom.models.builtin.reasoner.graph import plan_of

        return plan_of(task_input)

    return {
        LIFE_STORY_WRITING.name: writing(LIFE_STORY_WRITING.name, life_story),
        CONCEPT_WRITING.name: writing(CONCEPT_WRITING.name, concept),
        CONCEPT_REFINEMENT.name: writing(CONCEPT_REFINEMENT.name, refinement),
        EVENT_STORY_WRITING.name: writing(EVENT_STORY_WRITING.name, event_story),
        EVENT_WRITING.name: writing(EVENT_WRITING.name, event),
        LIFE_JUDGEMENT.name: judgement,
        QUESTION_CRITIQUE.name: critique,
        GRAPH_TOP_ENTITIES.name: top_entities,
        GRAPH_PRUNE.name: prune,
        GRAPH_REFERENCES.name: references,
        GRAPH_SUFFICIENCY.name: sufficiency,
        GRAPH_PLAN.name: plan,
    }


def seeing_tasks(senses: Senses) -> Mapping[str, SeeingAnswer]:
    """Return by name what answers the tasks that may come with pictures."""

    def answer(task_input: Any, images: Sequence[PictureReference]) -> TaskOutput:
        from lifeloom.models.builtin.reader.life import answer_life

        text = answer_life(
            task_input, senses.encoding, senses.look(images), senses.traits(images), senses.person_threshold
        )
        return TextOutput(text=text)

    def candidates(task_input: Any, images: Sequence[PictureReference]) -> TaskOutput:
        from lifeloom.models.builtin.extractor.graph import find_candidates

        return find_candidates(task_input, senses.look(images), senses.traits(images), senses.person_threshold)

    def triples(task_input: Any, images: Sequence[PictureReference]) -> TaskOutput:
        from lifeloom.models.builtin.extractor.graph import find_triples

        return find_triples(task_input, senses.look(images), senses.traits(images), senses.person_threshold)

    def vote(task_input: Any, images: Sequence[PictureReference]) -> TaskOutput:
        from lifeloom.models.builtin.reader.pictured import vote_on

        return vote_on(task_input, senses.look(images), senses.person_threshold)

    def caption(task_input: Any, images: Sequence[PictureReference]) -> TaskOutput:
        from lifeloom.models.builtin.reader.pictured import caption_of

        return TextOutput(text=caption_of(senses.look(images), senses.traits(images)))

    def fingerprint(task_input: Any, images: Sequence[PictureReference]) -> TaskOutput:
        from lifeloom.models.builtin.reader.pictured import fingerprint_of

        return fingerprint_of(senses.look(images), senses.traits(images))

    return {
        LIFE_ANSWER.name: answer,
        GRAPH_CANDIDATES.name: candidates,
        GRAPH_TRIPLES.name: triples,
        CANDIDATE_VOTE.name: vote,
        PICTURE_CAPTION.name: caption,
        CONCEPT_FINGERPRINT.name: fingerprint,
    }
