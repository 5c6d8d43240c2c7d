"""The topics of a session, in the lines of the episodic update (PersonaVLM Appendix A.1, A.3).

Consecutive turns belong to one topic where they speak of the same people or share enough of their words. The turns in
which the user tells nothing of themselves (questions to the assistant, errands, small talk) are one topic together: a
short list of what was asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from lifeloom.models.builtin.extractor.frames import CONVERSATION, REQUEST
from lifeloom.models.builtin.extractor.lines import block, keywords_of
from lifeloom.models.builtin.extractor.semantic import message_of, spoken_of
from lifeloom.models.builtin.extractor.telling import Telling, known_names, names_in, tellings
from lifeloom.models.builtin.extractor.third_person import third_person
from lifeloom.models.builtin.extractor.wording import QUOTED, tidied, whole_sentences_of
from lifeloom.models.builtin.reader.pointing import MARK
from lifeloom.models.builtin.reader.text import Sentence
from lifeloom.tasks import EpisodicUpdateInput

__all__ = ["episodic_text"]

_SHARED: Final = 0.1
"""Share of the words of the shorter turn that the other must have, for both to be of one topic."""
_MOSTLY: Final = 0.5
_MOST_SENTENCES: Final = 3
_LONGEST: Final = 760
"""Characters of a summary."""
_KEYWORDS: Final = 10
_FEW_KEYWORDS: Final = 5
"""Keywords of a topic in which nothing is told: it should not stand before what is."""
_SHORT: Final = 8
"""Words of a turn in the list of what was asked."""
_SHORT_CHARACTERS: Final = 60
"""Characters of them."""


@dataclass(frozen=True, slots=True)
class _Turn:
    number: int
    tellings: tuple[Telling, ...]
    summary: str
    stems: frozenset[str]
    people: frozenset[str]


def episodic_text(task_input: EpisodicUpdateInput) -> str:
    """Return the session's topics in order, each with a summary of what the user said; every turn is in one."""
    messages = [message_of(turn.user) for turn in task_input.turns]
    names = known_names(messages)
    topics: list[list[_Turn]] = []
    asides: list[_Turn] = []
    told_before = False
    for turn, message in zip(task_input.turns, messages, strict=True):
        told = tuple(tellings(message.sentences, names))
        # What is told makes the topic; a turn that tells nothing is about what it asks.
        rest = () if told else _gist(turn.user)
        about = [one for telling in told for one in telling.sentences] or rest
        stems = frozenset().union(*(one.stem_set for one in about)) - {MARK}
        people = frozenset(name for one in about for name in names_in(one, names))
        # A caption or a draft is something of theirs, whatever leads up to it.
        quotes = not told and any(QUOTED in one.words for one in message.sentences)
        if told:
            summary = _joined([spoken_of(telling) for telling in told])
        else:
            summary = _in_full(rest) if quotes else _in_short(rest)
        item = _Turn(turn.number, told, summary, stems, people)
        if topics and told_before and not quotes and _one_topic(topics[-1][-1], item):
            topics[-1].append(item)
            told_before = True
        elif told or quotes:
            topics.append([item])
            told_before = True
        else:
            asides.append(item)
            told_before = False
    blocks = [(topic[0].number, _lines(topic)) for topic in topics]
    if asides:
        blocks.append((asides[0].number, _list_of(asides)))
    return "\n\n".join(text for _, text in sorted(blocks))


def _gist(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a message that tell what it is about: what it asks first, quotations included."""
    sentences = whole_sentences_of(text)
    full = [one for one in sentences if CONVERSATION.match(" ".join(one.words)) is None and len(one.stem_set) > 2]
    asked = [one for one in full if one.is_question or REQUEST.match(" ".join(one.words))]
    kept = (asked or full or list(sentences))[:_MOST_SENTENCES]
    about = frozenset().union(*(one.stem_set for one in kept))
    others = [one for one in full if one not in kept]
    others.sort(key=lambda one: (-len(one.stem_set & about), -len(one.stem_set)))
    chosen = {*kept, *others[: max(0, _MOST_SENTENCES - len(kept))]}
    return tuple(one for one in sentences if one in chosen)


def _in_full(sentences: tuple[Sentence, ...]) -> str:
    return _joined([f"The user said: {' '.join(third_person(tidied(one.text)) for one in sentences)}"])


def _in_short(sentences: tuple[Sentence, ...]) -> str:
    """Return the first eight words of what a turn asks, or else of what it says; empty where it holds no words."""
    asked = [one for one in sentences if one.is_question or REQUEST.match(" ".join(one.words))]
    for sentence in (*asked, *sentences):
        text = third_person(tidied(sentence.text)).rstrip(".!?… ")
        if any(character.isalnum() for character in text):
            short = " ".join(text.split()[:_SHORT])[:_SHORT_CHARACTERS]
            return short if short == text else f"{short} …"
    return ""


def _one_topic(before: _Turn, after: _Turn) -> bool:
    if before.people & after.people:
        return True
    shared = before.stems & after.stems
    least = min(len(before.stems), len(after.stems))
    # What is only asked goes on about what was told where most of it is named again.
    share = _SHARED if before.tellings and after.tellings else _MOSTLY
    return len(shared) >= 2 and len(shared) >= share * least


def _lines(topic: list[_Turn]) -> str:
    summary = _joined(list(dict.fromkeys(turn.summary for turn in topic if turn.tellings or turn is topic[0])))
    people = list(dict.fromkeys(name for turn in topic for telling in turn.tellings for name in telling.people))
    return block(
        topic_summary=summary,
        keywords=", ".join(keywords_of(summary.removeprefix("The user said:"), most=_KEYWORDS, first=people)),
        source_dialog_indices=", ".join(str(turn.number) for turn in topic),
    )


def _list_of(asides: list[_Turn]) -> str:
    """Return the one topic of the turns in which the user tells nothing of themselves."""
    listed = list(dict.fromkeys(turn.summary for turn in asides if turn.summary))
    text = _joined([f"{one};" for one in listed]).removesuffix(";")
    return block(
        topic_summary=f"Requests: {text}" if listed else "The user said something that holds no words.",
        keywords=", ".join(keywords_of(text, most=_FEW_KEYWORDS)),
        source_dialog_indices=", ".join(str(turn.number) for turn in asides),
    )


def _joined(parts: list[str]) -> str:
    text = ""
    for part in parts:
        if text and len(text) + len(part) + 1 > _LONGEST:
            break
        text = f"{text} {part}".strip()
    if len(text) <= _LONGEST:
        return text
    end = text.rfind(" ", 0, _LONGEST)
    return f"{text[: end if end > 0 else _LONGEST]}…"
