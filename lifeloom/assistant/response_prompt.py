"""The prompt of a step of the response stage: what is shown, the pictures beside it, and what a window has no room for.

Pictures stand in the order of their marks: the context's, the query's, then those of what was retrieved, memory by
memory (its crop, then its turns').
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from lifeloom.assistant.memory_graph import FoundThread
from lifeloom.assistant.shown import clock_text, marked, shown_user
from lifeloom.memory import DialogueTurn, Hit, Retrieved
from lifeloom.models.tokens import count_many, count_tokens, picture_tokens
from lifeloom.records import PictureReference
from lifeloom.tasks import (
    RESPONSE_STEP,
    ContextMessage,
    OptionText,
    ProfileLine,
    ResponseStepInput,
    RetrievedMemory,
    RetrievedRound,
)
from lifeloom.tasks.choice_answer import PICTURE_MARK

__all__ = ["Material", "Round", "StepPrompt", "step_prompt"]

_CUT = " […] "
_WORD = re.compile(r"\S+")
_LEAST_QUERY = 200  # characters of the query that are shown whatever the window
_QUERY_CUT = "the middle of the message did not fit the model's window"
_FINE = 40  # tokens set aside for what estimates miss


@dataclass(frozen=True)
class Round:
    """A retrieval and what it found."""

    keywords: tuple[str, ...]
    start_time: str
    end_time: str
    retrieved: Retrieved
    threads: tuple[FoundThread, ...] = ()


@dataclass(frozen=True)
class Material:
    """Everything that a step may be shown."""

    now: str
    weekday: str
    offset_minutes: int
    profile: tuple[ProfileLine, ...]
    personality: str
    concepts: tuple[str, ...]
    context: tuple[DialogueTurn, ...]
    query: str
    query_pictures: tuple[PictureReference, ...]
    options: tuple[OptionText, ...]
    response: str
    rounds: tuple[Round, ...] = ()
    reply_words: int | None = None
    """Words of the assistant's replies that are shown of retrieved turns; None: all."""
    without_dialogue: frozenset[str] = frozenset()
    """Episodes and threads that are shown by their summary alone, by id."""


@dataclass(frozen=True)
class StepPrompt:
    """What a model is asked in a step."""

    task_input: ResponseStepInput
    pictures: tuple[PictureReference, ...]
    """One for each mark of the prompt, in order."""
    text: str
    """The rendered prompt."""
    tokens: int
    """Of the instructions, the prompt and its pictures: counted, or at most so many where that is enough to know."""
    notes: tuple[str, ...] = ()
    """What was left out."""


@dataclass
class _Pictures:
    """Gathers the pictures in the order of their marks."""

    shown: bool
    gone: frozenset[str]
    references: list[PictureReference] = field(default_factory=list)
    lost: int = 0

    def text(self, text: str, pictures: Sequence[PictureReference]) -> str:
        """Return ``text`` with a mark for each of its pictures that is shown; the others cannot be taken for one."""
        if not self.shown:
            return marked(text, 0)
        parts = text.split(PICTURE_MARK)
        shown = [parts[0]]
        for number, part in enumerate(parts[1:]):
            picture = pictures[number] if number < len(pictures) else None
            if picture is not None and picture.content_hash in self.gone:
                self.lost += 1
                picture = None
            if picture is not None:
                self.references.append(picture)
            shown += [marked(PICTURE_MARK, int(picture is not None)), part]
        return "".join(shown)


def step_prompt(
    material: Material,
    retrievals_left: int,
    *,
    window_tokens: int,
    pictures: bool,
    gone: frozenset[str] = frozenset(),
    enough_tokens: int | None = None,
) -> StepPrompt:
    """Return the prompt of a step, cut to the model's window.

    Where there is no room, first the oldest turns of the context go, then the dialogue of episodes and threads (the
    earliest retrieval's first), then the middle of the query. Each is noted.

    Args:
        material: What may be shown.
        retrievals_left: 0: the model must answer.
        window_tokens: The model's window, prompt and answer together.
        pictures: Whether the model takes pictures.
        gone: Content hashes of pictures whose file is gone: their turns are shown without them.
        enough_tokens: It need not be known exactly how many tokens the prompt has, if they are at most so many. None:
            as many as the window has room for.
    """
    room = window_tokens - RESPONSE_STEP.max_tokens
    prompt = _built(material, retrievals_left, pictures, gone)
    if prompt.tokens <= (room if enough_tokens is None else min(room, enough_tokens)):
        return prompt
    prompt = replace(prompt, tokens=_tokens(prompt))
    excess = prompt.tokens - room
    if excess <= 0:
        return prompt
    material, notes = _cut(material, excess + _FINE, pictures)
    length = min(len(material.query), 8 * max(room, 1))  # more characters than that are more tokens than there is room
    while True:
        prompt = _built(material, retrievals_left, pictures, gone)
        prompt = replace(prompt, tokens=_tokens(prompt))
        length //= 2
        if prompt.tokens <= room or length < _LEAST_QUERY:
            return replace(prompt, notes=(*prompt.notes, *dict.fromkeys(notes)))
        material = _shorter(material, length)
        notes = (*notes, _QUERY_CUT)


def _tokens(prompt: StepPrompt) -> int:
    return _instructions() + count_tokens(prompt.text) + _seen(prompt.pictures)


@functools.cache
def _instructions() -> int:
    return count_tokens(RESPONSE_STEP.instructions)


def _most_tokens(text: str) -> int:
    """Return a number that the tokens of ``text`` do not exceed: a token a character, three for a Korean syllable."""
    return len(text) if text.isascii() else 3 * len(text)


def _seen(pictures: Sequence[PictureReference]) -> int:
    return sum(picture_tokens(picture.width, picture.height) for picture in pictures)


def _built(material: Material, retrievals_left: int, pictures: bool, gone: frozenset[str]) -> StepPrompt:
    seen = _Pictures(pictures, gone)
    context = _messages(material.context, seen)
    query = seen.text(material.query, material.query_pictures)
    in_context = frozenset(turn.index for turn in material.context)
    rounds = tuple(
        RetrievedRound(
            keywords=tuple(marked(word, 0) for word in round_.keywords),
            start_time=round_.start_time,
            end_time=round_.end_time,
            memories=(
                *(_memory(hit, round_.retrieved, material, seen, in_context) for hit in round_.retrieved.hits),
                *(_thread(found, material, seen, in_context) for found in round_.threads),
            ),
        )
        for round_ in material.rounds
    )
    task_input = ResponseStepInput(
        now=material.now,
        weekday=material.weekday,
        profile=material.profile,
        personality=material.personality,
        concepts=material.concepts,
        context=context,
        query=query,
        options=material.options,
        response=material.response,
        rounds=rounds,
        retrievals_left=retrievals_left,
    )
    notes = (f"{seen.lost} pictures are gone and not shown",) if seen.lost else ()
    text = RESPONSE_STEP.render(task_input)
    most = _instructions() + _most_tokens(text) + _seen(seen.references)
    return StepPrompt(task_input, tuple(seen.references), text, most, notes)


def _messages(
    turns: Sequence[DialogueTurn], seen: _Pictures, reply_words: int | None = None
) -> tuple[ContextMessage, ...]:
    messages = []
    for turn in turns:
        at = clock_text(turn.at, turn.offset_minutes)
        messages.append(ContextMessage(at=at, role="user", text=seen.text(turn.user, turn.pictures)))
        reply = _beginning(turn.assistant, reply_words)
        if reply:
            messages.append(ContextMessage(at=at, role="assistant", text=marked(reply, 0)))
    return tuple(messages)


def _beginning(text: str, words: int | None) -> str:
    """Return the first ``words`` words of ``text`` as they stand, with a mark where more follows."""
    if words is None:
        return text
    ends = [match.end() for match in itertools.islice(_WORD.finditer(text), words + 1)]
    if len(ends) <= words:
        return text
    return f"{text[: ends[words - 1]]} …" if words else ""


def _memory(
    hit: Hit, retrieved: Retrieved, material: Material, seen: _Pictures, in_context: frozenset[int]
) -> RetrievedMemory:
    memory = hit.memory
    crop = () if memory.crop is None else (memory.crop,)
    content = seen.text(memory.content, crop)
    dialogue: Sequence[DialogueTurn] = ()
    if memory.memory_id not in material.without_dialogue:
        dialogue = [turn for turn in retrieved.turns.get(memory.memory_id, ()) if turn.index not in in_context]
    return RetrievedMemory.model_validate(
        {
            "kind": memory.kind,
            "at": clock_text(memory.happened_from, material.offset_minutes),
            "key": marked(memory.key, 0),
            "content": content,
            "turns": _messages(dialogue, seen, material.reply_words),
        }
    )


def _thread(found: FoundThread, material: Material, seen: _Pictures, in_context: frozenset[int]) -> RetrievedMemory:
    dialogue: Sequence[DialogueTurn] = ()
    if found.thread.thread_id not in material.without_dialogue:
        dialogue = [turn for turn in found.turns if turn.index not in in_context]
    return RetrievedMemory(
        kind="thread",
        at=clock_text(found.members[0].happened_from, material.offset_minutes),
        key=marked(found.thread.title, 0),
        content=marked(found.summary(material.offset_minutes), 0),
        turns=_messages(dialogue, seen, 0),
    )


def _cut(material: Material, excess: int, pictures: bool) -> tuple[Material, tuple[str, ...]]:
    """Return the material less at least ``excess`` tokens, as far as there is something to leave out."""
    notes: list[str] = []
    dropped = 0
    for tokens in _turn_tokens(material.context, pictures):
        if excess <= 0:
            break
        excess -= tokens
        dropped += 1
    if dropped:
        material = replace(material, context=material.context[dropped:])
        notes.append(f"{dropped} turns of the session did not fit the model's window")
    without: set[str] = set()
    for round_ in material.rounds:
        for hit in reversed(round_.retrieved.episodic):
            turns = round_.retrieved.turns.get(hit.memory.memory_id, ())
            if excess > 0 and turns:
                excess -= sum(_turn_tokens(turns, pictures))
                without.add(hit.memory.memory_id)
        for found in reversed(round_.threads):
            if excess > 0 and found.turns:
                excess -= sum(_turn_tokens(found.turns, pictures))
                without.add(found.thread.thread_id)
    if without:
        material = replace(material, without_dialogue=frozenset(without))
        notes.append(f"the dialogue of {len(without)} episodes or threads did not fit the model's window")
    return material, tuple(notes)


def _shorter(material: Material, length: int) -> Material:
    """Return the material with ``length`` characters of the query, half from each end, without its pictures."""
    text = marked(material.query, 0)  # a cut may go through a mark
    text = text[: length // 2] + _CUT + text[len(text) - length // 2 :]
    return replace(material, query=text, query_pictures=())


def _turn_tokens(turns: Sequence[DialogueTurn], pictures: bool) -> list[int]:
    heading = 16  # time and role of a message, at most twice
    texts = count_many([f"{turn.user} {turn.assistant}" for turn in turns])
    shown = [shown_user(turn, pictures=pictures)[1] for turn in turns]
    return [text + heading + _seen(seen) for text, seen in zip(texts, shown, strict=True)]
