"""The topics of a session, in the lines of the episodic update (PersonaVLM Appendix A.1, A.3).

Consecutive turns belong to one topic where they speak of the same people or share enough of their words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from lifeloom.models.builtin.extractor.frames import CONVERSATION, REQUEST
from lifeloom.models.builtin.extractor.lines import block, keywords_of
from lifeloom.models.builtin.extractor.semantic import message_of, spoken_of
from lifeloom.models.builtin.extractor.telling import Telling, known_names, tellings
from lifeloom.models.builtin.extractor.third_person import third_person
from lifeloom.models.builtin.extractor.wording import whole_sentences_of
from lifeloom.models.builtin.reader.pointing import MARK
from lifeloom.models.builtin.reader.text import Sentence
from lifeloom.tasks import EpisodicUpdateInput

__all__ = ["episodic_text"]

_SHARED: Final = 0.1
"""Share of the words of the shorter turn that the other must have, for both to be of one topic."""
_MOST_SENTENCES: Final = 3
_LONGEST: Final = 760
"""Characters of a summary."""
_KEYWORDS: Final = 10


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
    turns = []
    for turn, message in zip(task_input.turns, messages, strict=True):
        told = tuple(tellings(message.sentences, names))
        # What is told makes the topic; a turn that tells nothing is about what it asks.
        rest = () if told else _gist(turn.user)
        about = [one for telling in told for one in telling.sentences] or rest
        stems = frozenset().union(*(one.stem_set for one in about)) - {MARK}
        people = frozenset(name for telling in told for name in telling.people)
        summary = _joined([spoken_of(telling) for telling in told]) if told else _in_short(rest)
        turns.append(_Turn(turn.number, told, summary, stems, people))
    topics: list[list[_Turn]] = []
    for item in turns:
        if topics and _one_topic(topics[-1][-1], item):
            topics[-1].append(item)
        else:
            topics.append([item])
    return "\n\n".join(_lines(topic) for topic in topics)


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


def _in_short(sentences: tuple[Sentence, ...]) -> str:
    asks = any(one.is_question or REQUEST.match(" ".join(one.words)) for one in sentences)
    said = [third_person(" ".join(one.text.replace(MARK, " ").split())) for one in sentences]
    lead = "The user asked:" if asks else "The user said:"
    return _joined([f"{lead} {' '.join(text for text in said if text)}"])


def _one_topic(before: _Turn, after: _Turn) -> bool:
    if bool(before.tellings) != bool(after.tellings):
        return False
    if before.people & after.people:
        return True
    shared = before.stems & after.stems
    least = min(len(before.stems), len(after.stems))
    return len(shared) >= 2 and len(shared) >= _SHARED * least


def _lines(topic: list[_Turn]) -> str:
    summary = _joined(list(dict.fromkeys(turn.summary for turn in topic)))
    people = list(dict.fromkeys(name for turn in topic for telling in turn.tellings for name in telling.people))
    return block(
        topic_summary=summary,
        keywords=", ".join(keywords_of(_LEADS.sub("", summary), most=_KEYWORDS, first=people)),
        source_dialog_indices=", ".join(str(turn.number) for turn in topic),
    )


_LEADS: Final = re.compile(r"The user (?:asked|said):")


def _joined(parts: list[str]) -> str:
    text = ""
    for part in parts:
        if text and len(text) + len(part) + 1 > _LONGEST:
            break
        text = f"{text} {part}".strip()
    text = text if len(text) <= _LONGEST else f"{text[: text.rfind(' ', 0, _LONGEST)]}…"
    return text if _LEADS.sub("", text).strip() else "The user said something that holds no words."
