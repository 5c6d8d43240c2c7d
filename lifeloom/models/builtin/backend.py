"""The built-in backend: answers every task from its typed input, by rules, without weights to train.

Writing tasks draw their chance from a hash of the rendered prompt, so that two inputs with the same
prompt get the same answer, and nothing that the prompt does not show can change one.
"""

from __future__ import annotations

import random
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from pydantic import ValidationError

from lifeloom.models.builtin import captioning, life, rewarding
from lifeloom.models.protocol import (
    CapabilityMissing,
    Generation,
    GenerationRejected,
    ModelIdentity,
    OptionScores,
    PictureSource,
    TextEncoder,
    TextListener,
    Usage,
)
from lifeloom.models.tokens import count_tokens, picture_tokens
from lifeloom.records import PictureReference
from lifeloom.streams import stable_hash
from lifeloom.tasks import (
    ALIGNMENT_JUDGEMENT,
    ALIGNMENT_WRITING,
    CHOICE_ANSWER,
    CORE_UPDATE,
    EPISODIC_UPDATE,
    PERSONA_ENRICHMENT,
    PERSONALITY_INFERENCE,
    PROCEDURAL_UPDATE,
    RESPONSE_STEP,
    SEMANTIC_UPDATE,
    SESSION_CRITIQUE,
    SESSION_WRITING,
    AlignmentJudgementInput,
    AlignmentWritingInput,
    ChoiceAnswerInput,
    ChoiceAnswerOutput,
    CoreUpdateInput,
    EpisodicUpdateInput,
    GenerationTask,
    PersonaEnrichmentInput,
    PersonalityInferenceInput,
    ProceduralUpdateInput,
    ResponseStepInput,
    SemanticUpdateInput,
    SessionCritiqueInput,
    SessionWritingInput,
    TaskOutput,
    TextOutput,
)
from lifeloom.tasks.base import InputT, OutputT

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from lifeloom.models.builtin.eyes.traits import PersonTraits
    from lifeloom.models.builtin.reader.looking import LookedAt, Looker
    from lifeloom.models.efficientnet import EfficientNetEncoder

__all__ = ["BUILTIN_VERSION", "BuiltinModel"]

BUILTIN_VERSION = "lifeloom-rules-4"
"""Raised whenever an answer may change: wordings and rules are part of every data set's provenance."""

_WORDS = re.compile(r"\s*\S+\s*|\s+")
_MOST_LOOKED = 20_000  # pictures kept in words, a few kilobytes each


class BuiltinModel:
    """A ``LanguageModel`` made of wordings (writing) and an extractive reader (understanding).

    Args:
        encoder: Turns texts into vectors for the reader; None loads the packaged MiniLM at the first
            task that needs it.
        window_tokens: The window that the model declares; it reads whatever it is given.
        eyes: Look at pictures for the reader; None: it takes none.
        pictures: Gives the files of pictures; the reader takes pictures where it has both.
    """

    def __init__(
        self,
        encoder: TextEncoder | None = None,
        window_tokens: int = 32_768,
        eyes: Looker | None = None,
        pictures: PictureSource | None = None,
    ) -> None:
        self._encoder = encoder
        self._window_tokens = window_tokens
        self._eyes = eyes if pictures is not None else None
        self._pictures = pictures
        self._looked: OrderedDict[str, LookedAt] = OrderedDict()
        self._vectors: OrderedDict[str, npt.NDArray[np.float32]] = OrderedDict()
        self._encodes_pictures: EfficientNetEncoder | None = None
        self._seeing: Mapping[str, Callable[[Any, Sequence[PictureReference]], TaskOutput]] = {
            CHOICE_ANSWER.name: self._choose,
            SEMANTIC_UPDATE.name: self._update_semantic,
            RESPONSE_STEP.name: self._step,
            **life.seeing_tasks(self),
            **captioning.seeing_tasks(self),
        }
        self._answers: Mapping[str, Callable[[Any, random.Random], TaskOutput]] = {
            SESSION_WRITING.name: _write_session,
            PERSONA_ENRICHMENT.name: _enrich,
            ALIGNMENT_WRITING.name: _write_alignment,
            ALIGNMENT_JUDGEMENT.name: self._judge_alignment,
            SESSION_CRITIQUE.name: self._critique_session,
            PERSONALITY_INFERENCE.name: _infer_personality,
            CORE_UPDATE.name: _update_core,
            PROCEDURAL_UPDATE.name: _update_procedural,
            EPISODIC_UPDATE.name: self._update_episodes,
            **life.text_tasks(self),
            **captioning.text_tasks(self),
            **rewarding.text_tasks(),
        }

    @property
    def identity(self) -> ModelIdentity:
        """Backend and version of the rules, and of the eyes where it has them."""
        if self._eyes is None:
            return ModelIdentity("builtin", BUILTIN_VERSION)
        from lifeloom.models.builtin.eyes.traits import traits_digest

        return ModelIdentity("builtin", f"{BUILTIN_VERSION}+{traits_digest()}+{self._eyes.identity.model}")

    @property
    def window_tokens(self) -> int:
        """Context window that the model declares, in tokens of ``lifeloom.models.tokens``."""
        return self._window_tokens

    @property
    def takes_pictures(self) -> bool:
        """Whether it has eyes and a source of pictures: questions about a user may then come with pictures."""
        return self._eyes is not None

    @property
    def scores_options(self) -> bool:
        """Always: the reader scores options rather than guessing one."""
        return True

    @property
    def tasks(self) -> tuple[str, ...]:
        """Names of the tasks that this backend answers."""
        return (*self._answers, *self._seeing)

    def run(
        self,
        task: GenerationTask[InputT, OutputT],
        task_input: InputT,
        images: Sequence[PictureReference] = (),
        *,
        sample: int = 0,
        listener: TextListener | None = None,
    ) -> Generation[OutputT]:
        """Answer one question; another ``sample`` is worded anew where the task is to word something.

        A ``listener`` is told free text word by word, all at once when it is there.

        Raises:
            GenerationRejected: the plan cannot be put into words (``bad_request``), or what it asks to name
                is too long for a message (``wrong_schema``).
            CapabilityMissing: a task that it does not know, or pictures.
        """
        self._check_pictures(task, images)
        if task.name not in self.tasks:
            raise CapabilityMissing(
                f"the built-in backend does not answer {task.name}; it answers {', '.join(self.tasks)}"
            )
        started = time.perf_counter()
        prompt = task.render(task_input)
        named = ("builtin", task.name, prompt, *([str(sample)] if sample else []))
        rng = random.Random(stable_hash(*named))  # noqa: S311 - not for secrets
        try:
            if task.name in self._seeing:
                output = self._seeing[task.name](task_input, images)
            else:
                output = self._answers[task.name](task_input, rng)
        except ValidationError as error:  # a message longer than the task allows, from very long values
            raise GenerationRejected(task.name, "wrong_schema", "", str(error)) from error
        usage = _usage(task, prompt, output.model_dump_json(), images, started)
        if listener is not None and isinstance(output, TextOutput):
            for word in _WORDS.findall(output.text):
                listener.piece(word)
        return Generation(cast("OutputT", output), usage, self.identity.provenance(task))

    def score_options(
        self,
        task: GenerationTask[InputT, Any],
        task_input: InputT,
        options: Sequence[str],
        images: Sequence[PictureReference] = (),
    ) -> OptionScores:
        """Return a score for each of ``options`` (letters of the input's options, or texts) as the answer.

        Raises:
            CapabilityMissing: the task is not a choice, or pictures are given and it has no eyes.
        """
        self._check_pictures(task, images)
        if not isinstance(task_input, ChoiceAnswerInput):
            raise CapabilityMissing(f"the built-in backend scores options of {CHOICE_ANSWER.name}, not of {task.name}")
        started = time.perf_counter()
        texts = {option.letter: option.text for option in task_input.options}
        scores = self._score(task_input, [texts.get(cast("Any", option), option) for option in options], images)
        usage = _usage(task, task.render(task_input), "", images, started)
        return OptionScores(scores, usage, self.identity.provenance(task))

    def check(self) -> str:
        """Return one line saying that the model answers."""
        return f"builtin {BUILTIN_VERSION} answers {len(self.tasks)} tasks, without weights"

    def encoding(self) -> TextEncoder:
        """Return the text encoder: the one given, else the packaged MiniLM, loaded when first asked for."""
        if self._encoder is None:
            from lifeloom.models.minilm import MiniLmEncoder

            self._encoder = MiniLmEncoder()
        return self._encoder

    def _check_pictures(self, task: GenerationTask[Any, Any], images: Sequence[PictureReference]) -> None:
        if not images:
            return
        if task.name != ALIGNMENT_JUDGEMENT.name and task.name not in self._seeing:
            raise CapabilityMissing(f"the built-in backend takes no pictures for {task.name}")
        if self._eyes is None:
            raise CapabilityMissing(
                "the built-in backend was made without eyes or without a source of pictures: give it both, or text only"
            )

    def look(self, images: Sequence[PictureReference]) -> list[LookedAt]:
        """Return what each picture shows; those seen lately are not looked at again."""
        if self._eyes is None or self._pictures is None or not images:
            return []
        from lifeloom.models.builtin.reader.looking import looked_at

        fresh = {image.content_hash: image for image in images if image.content_hash not in self._looked}
        if fresh:
            sights = self._eyes.look(list(fresh.values()), self._pictures)
            self._looked.update((name, looked_at(sight)) for name, sight in zip(fresh, sights, strict=True))
        found = []
        for image in images:
            self._looked.move_to_end(image.content_hash)
            found.append(self._looked[image.content_hash])
        while len(self._looked) > _MOST_LOOKED:
            self._looked.popitem(last=False)
        return found

    def traits(self, images: Sequence[PictureReference]) -> list[tuple[PersonTraits, ...]]:
        """Return what the people in each picture look like, in the order of ``look``'s people."""
        from lifeloom.models.builtin.eyes.traits import traits_of

        return [traits_of(look.faces) for look in self.look(images)]

    def picture_vectors(self, images: Sequence[PictureReference]) -> npt.NDArray[np.float32]:
        """Return whole pictures as vectors of a network trained on everyday things, shape (len(images), dimensions)."""
        import numpy as np

        from lifeloom.models.efficientnet import EfficientNetEncoder
        from lifeloom.store.pictures import decode_picture

        fresh = {one.content_hash: one for one in images if one.content_hash not in self._vectors}
        if fresh and self._pictures is not None:
            if self._encodes_pictures is None:
                self._encodes_pictures = EfficientNetEncoder()
            decoded = [decode_picture(self._pictures(one)) for one in fresh.values()]
            self._vectors.update(zip(fresh, self._encodes_pictures.encode(decoded), strict=True))
        found = [self._vectors[one.content_hash] for one in images]
        while len(self._vectors) > _MOST_LOOKED:
            self._vectors.popitem(last=False)
        return np.stack(found) if found else np.zeros((0, 1), dtype=np.float32)

    @property
    def person_threshold(self) -> float:
        """Cosine of two faces from which on they are one person's; no two are where it has no eyes."""
        return 1.0 if self._eyes is None else self._eyes.person_threshold

    def _score(
        self, task_input: ChoiceAnswerInput, options: Sequence[str], images: Sequence[PictureReference]
    ) -> tuple[float, ...]:
        from lifeloom.models.builtin.reader.choice import score_choice

        return score_choice(task_input, options, self.encoding(), self.look(images), self.person_threshold)

    def _choose(self, task_input: ChoiceAnswerInput, images: Sequence[PictureReference]) -> ChoiceAnswerOutput:
        scores = self._score(task_input, [option.text for option in task_input.options], images)
        best = max(range(len(scores)), key=scores.__getitem__)
        return ChoiceAnswerOutput(letter=task_input.options[best].letter)

    def _judge_alignment(self, task_input: AlignmentJudgementInput, rng: random.Random) -> TaskOutput:
        from lifeloom.models.builtin.reader.alignment import judge_alignment

        return judge_alignment(task_input, self.encoding())

    def _update_episodes(self, task_input: EpisodicUpdateInput, rng: random.Random) -> TaskOutput:
        from lifeloom.models.builtin.extractor import episodic_text

        return TextOutput(text=episodic_text(task_input))

    def _update_semantic(self, task_input: SemanticUpdateInput, images: Sequence[PictureReference]) -> TaskOutput:
        from lifeloom.models.builtin.extractor import semantic_text

        return TextOutput(text=semantic_text(task_input, self.look(images)))

    def _step(self, task_input: ResponseStepInput, images: Sequence[PictureReference]) -> TaskOutput:
        from lifeloom.models.builtin.reasoner import step_text

        text = step_text(task_input, self.encoding(), self.look(images), self.person_threshold)
        return TextOutput(text=text)

    def _critique_session(self, task_input: SessionCritiqueInput, rng: random.Random) -> TaskOutput:
        from lifeloom.models.builtin.reader.critique import critique_session

        return critique_session(task_input, self.encoding())


def _write_session(task_input: SessionWritingInput, rng: random.Random) -> TaskOutput:
    from lifeloom.models.builtin.writer.pictures import PicturesUnfit
    from lifeloom.models.builtin.writer.session import OccasionIncomplete, write_session
    from lifeloom.models.builtin.writer.statements import NoWordings, StatementIncomplete
    from lifeloom.models.builtin.writer.wordings import UnknownAreaError

    try:
        return write_session(task_input, rng)
    except (StatementIncomplete, NoWordings, OccasionIncomplete, PicturesUnfit, UnknownAreaError) as error:
        raise GenerationRejected(SESSION_WRITING.name, "bad_request", "", str(error)) from error


def _enrich(task_input: PersonaEnrichmentInput, rng: random.Random) -> TaskOutput:
    from lifeloom.models.builtin.writer.enrichment import enrich

    return enrich(task_input, rng)


def _write_alignment(task_input: AlignmentWritingInput, rng: random.Random) -> TaskOutput:
    from lifeloom.models.builtin.writer.alignment import write_alignment

    return write_alignment(task_input, rng)


def _infer_personality(task_input: PersonalityInferenceInput, rng: random.Random) -> TaskOutput:
    from lifeloom.models.builtin.extractor import infer_personality

    return infer_personality(task_input)


def _update_core(task_input: CoreUpdateInput, rng: random.Random) -> TaskOutput:
    from lifeloom.models.builtin.extractor import core_text

    return TextOutput(text=core_text(task_input))


def _update_procedural(task_input: ProceduralUpdateInput, rng: random.Random) -> TaskOutput:
    from lifeloom.models.builtin.extractor import procedural_text

    return TextOutput(text=procedural_text(task_input))


def _usage(
    task: GenerationTask[Any, Any], prompt: str, answer: str, images: Sequence[PictureReference], started: float
) -> Usage:
    return Usage(
        prompt_tokens=count_tokens(task.instructions)
        + count_tokens(prompt)
        + sum(picture_tokens(image.width, image.height) for image in images),
        completion_tokens=count_tokens(answer) if answer else 0,
        seconds=time.perf_counter() - started,
    )
