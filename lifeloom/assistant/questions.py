"""What a model is asked when memories are updated: the typed inputs, made from turns and from what is remembered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from lifeloom.assistant.jobs import UpdateJob
from lifeloom.assistant.sessions import context_of
from lifeloom.assistant.shown import clock_text, marked, messages_of, shown_user, weekday_text
from lifeloom.memory import DialogueTurn
from lifeloom.models.tokens import count_tokens, picture_tokens
from lifeloom.records import Memory, PictureReference
from lifeloom.tasks import (
    CORE_UPDATE,
    EPISODIC_UPDATE,
    PERSONALITY_INFERENCE,
    PROCEDURAL_UPDATE,
    SEMANTIC_UPDATE,
    ContextMessage,
    CoreUpdateInput,
    EpisodicUpdateInput,
    GenerationTask,
    PersonalityInferenceInput,
    ProceduralLine,
    ProceduralUpdateInput,
    ProfileLine,
    SemanticUpdateInput,
    SessionTurn,
)
from lifeloom.tasks.base import TaskInput

__all__ = ["Known", "Question", "question_of"]

_LENGTHS = (20_000, 8_000, 3_000, 1_000, 300, 100)
"""Characters of a message that are shown where the whole does not fit: the largest that does is taken."""
_WHOLE = 1 << 62
_CUT = " […] "
_LONGEST_TOKEN = 10
"""Characters of a token at most, on the average of a prompt: the tokens of this machine's tokenizer can be longer (a
word of any length that it does not know is one), those of other models are not."""


@dataclass(frozen=True)
class Known:
    """What an update is made from."""

    turns: tuple[DialogueTurn, ...]
    """The session's, up to the job's last turn."""
    core: tuple[Memory, ...] = ()
    procedural: tuple[Memory, ...] = ()


@dataclass(frozen=True)
class Question:
    """One question of the update stage."""

    task: GenerationTask[Any, Any]
    task_input: TaskInput
    pictures: tuple[PictureReference, ...] = ()
    """One for each mark of the prompt, in order."""
    cut: bool = False
    """Messages were shortened, or context left out, so that the prompt fits the model's window."""


def question_of(job: UpdateJob, known: Known, *, window_tokens: int, pictures: bool) -> Question:
    """Return what to ask for ``job``.

    A prompt that does not fit the window goes without context first; then every message is shown by its beginning and
    its end alone.

    Args:
        job: The update.
        known: What it is made from; its last turn must be the job's.
        window_tokens: The model's window.
        pictures: Whether the turn's pictures are shown.
    """
    build = _BUILDERS[job.kind]
    question = build(known, _WHOLE, True, pictures)
    if _fits(question, window_tokens):
        return question
    for length in (_WHOLE, *_LENGTHS):
        question = build(known, length, False, pictures)
        if _fits(question, window_tokens):
            break
    return Question(question.task, question.task_input, question.pictures, cut=True)


def _fits(question: Question, window_tokens: int) -> bool:
    room = window_tokens - question.task.max_tokens
    room -= sum(picture_tokens(picture.width, picture.height) for picture in question.pictures)
    texts = _texts(question.task_input.model_dump())
    shown = len(question.task.instructions) + sum(map(len, texts))
    # No token is shorter than a character, but a Hangul syllable can be three. As much again for headings.
    if (2 if all(map(str.isascii, texts)) else 6) * shown + 2_000 <= room:
        return True  # counting is spared
    prompt = question.task.render(question.task_input)
    tokens = max(count_tokens(prompt), len(prompt) // _LONGEST_TOKEN)
    return count_tokens(question.task.instructions) + tokens <= room


def _texts(value: Any) -> Sequence[str]:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, dict):
        return [text for one in value.values() for text in _texts(one)]
    if isinstance(value, list | tuple):
        return [text for one in value for text in _texts(one)]
    return ()


def _shortened(text: str, length: int) -> str:
    if len(text) <= length:
        return text
    return text[: length // 2] + _CUT + text[len(text) - length // 2 :]


def _context(known: Known, whole: bool) -> tuple[ContextMessage, ...]:
    return messages_of(context_of(known.turns, known.turns[-1])) if whole else ()


def _personality(known: Known, length: int, whole: bool, pictures: bool) -> Question:
    text = marked(known.turns[-1].user, 0)
    asked = PersonalityInferenceInput(context=_context(known, whole), user=_shortened(text, length))
    return Question(PERSONALITY_INFERENCE, asked)


def _semantic(known: Known, length: int, whole: bool, pictures: bool) -> Question:
    turn = known.turns[-1]
    text, shown = shown_user(turn, pictures=pictures)
    if len(text) > length:  # a cut may go through a mark
        text, shown = _shortened(marked(turn.user, 0), length), ()
    asked = SemanticUpdateInput(
        now=clock_text(turn.at, turn.offset_minutes),
        weekday=weekday_text(turn.at, turn.offset_minutes),
        context=_context(known, whole),
        user=text,
        assistant=_shortened(marked(turn.assistant, 0), length),
    )
    return Question(SEMANTIC_UPDATE, asked, shown)


def _session(known: Known, length: int) -> tuple[SessionTurn, ...]:
    return tuple(
        SessionTurn(
            number=number,
            at=clock_text(turn.at, turn.offset_minutes),
            user=_shortened(marked(turn.user, 0), length),
            assistant=_shortened(marked(turn.assistant, 0), length),
        )
        for number, turn in enumerate(known.turns, 1)
    )


def _core(known: Known, length: int, whole: bool, pictures: bool) -> Question:
    profile = tuple(
        ProfileLine.model_validate({"block": memory.label, "key": memory.key, "content": memory.content})
        for memory in known.core
    )
    return Question(CORE_UPDATE, CoreUpdateInput(profile=profile, turns=_session(known, length)))


def _procedural(known: Known, length: int, whole: bool, pictures: bool) -> Question:
    current = tuple(ProceduralLine(key=memory.key, content=memory.content) for memory in known.procedural)
    return Question(PROCEDURAL_UPDATE, ProceduralUpdateInput(current=current, turns=_session(known, length)))


def _episodic(known: Known, length: int, whole: bool, pictures: bool) -> Question:
    return Question(EPISODIC_UPDATE, EpisodicUpdateInput(turns=_session(known, length)))


_BUILDERS: dict[str, Callable[[Known, int, bool, bool], Question]] = {
    "personality": _personality,
    "semantic": _semantic,
    "core": _core,
    "procedural": _procedural,
    "episodic": _episodic,
}
