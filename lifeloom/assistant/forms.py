"""The key-value forms in which models answer what to remember, read and written (PersonaVLM Appendix A.1, A.3).

Every ``parse_*`` counts its repairs by name and refuses with ``FormRejected`` what holds nothing readable. Every
``write_*`` is the exact inverse for tidy values (``lifeloom.assistant.lines.tidy``): parsing what it wrote gives the
same values without a repair.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from lifeloom.assistant.lines import key_values, read_keywords, read_numbers, tidy
from lifeloom.models.protocol import ModelError
from lifeloom.records import CoreBlock, SemanticKind
from lifeloom.tasks.choice_answer import PICTURE_MARK

__all__ = [
    "LONGEST_KEY",
    "LONGEST_SUMMARY",
    "LONGEST_VALUE",
    "MOST_BLOCKS",
    "MOST_PROCEDURAL",
    "EpisodicAnswer",
    "FormRejected",
    "SemanticAnswer",
    "SemanticEntry",
    "TopicEntry",
    "ValueEntry",
    "ValuesAnswer",
    "parse_core",
    "parse_episodic",
    "parse_procedural",
    "parse_semantic",
    "write_core",
    "write_episodic",
    "write_procedural",
    "write_semantic",
]

LONGEST_VALUE = 500
"""Characters of a semantic memory, or of a core or procedural value."""
LONGEST_SUMMARY = 800
"""Characters of an episode's summary."""
LONGEST_KEY = 60
"""Characters of the key of a core or procedural value."""
MOST_BLOCKS = 12
"""Things to keep of one turn; more of them are a model that goes on and on."""
MOST_PROCEDURAL = 5
"""Goals and habits that one session may set, as PersonaVLM's release has it."""

_LONGEST_REASON = 300

FormRejection = Literal["empty", "no_form", "no_content"]


class FormRejected(ModelError):
    """A model's answer holds nothing that the form knows; nothing is remembered from it.

    Attributes:
        reason: ``empty``; ``no_form``: no line with a known key; ``no_content``: lines, but none with a value.
        detail: The first words of the answer.
    """

    def __init__(self, reason: FormRejection, detail: str) -> None:
        super().__init__(f"the answer is not in the form asked for ({reason}): {detail!r}")
        self.reason: FormRejection = reason
        self.detail = detail


@dataclass(frozen=True)
class SemanticEntry:
    """Something to keep of a turn."""

    kind: SemanticKind
    content: str
    """visual_concept: ends with `` <img>``."""
    keywords: tuple[str, ...]
    reason: str = ""
    picture: int = 0
    """visual_concept: number of the picture in the message, from 1; 0 for the others."""


@dataclass(frozen=True)
class SemanticAnswer:
    """What to keep of a turn; nothing where there are no entries."""

    entries: tuple[SemanticEntry, ...]
    reason: str = ""
    """Why nothing is kept."""
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True)
class TopicEntry:
    """A topic of a session."""

    summary: str
    keywords: tuple[str, ...]
    numbers: tuple[int, ...]
    """Its turns, counted from 1 within the session, ascending."""


@dataclass(frozen=True)
class EpisodicAnswer:
    """The topics of a session: every turn belongs to exactly one."""

    topics: tuple[TopicEntry, ...]
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True)
class ValueEntry:
    """A core or procedural value that is new or has changed, or is over."""

    key: str
    """Lower case."""
    content: str
    """Empty: the value holds no longer."""
    numbers: tuple[int, ...] = ()
    """Turns that it follows from, counted from 1 within the session, ascending; empty where none was named."""
    block: CoreBlock | None = None
    """core: which block."""


@dataclass(frozen=True)
class ValuesAnswer:
    """The changes of core or procedural memory that a session asks for, each key (and block) once."""

    entries: tuple[ValueEntry, ...]
    repairs: tuple[str, ...] = ()


_SEMANTIC_KEYS = ("reason", "decision", "kind", "content", "keywords", "picture")
_EPISODIC_KEYS = ("topic_summary", "keywords", "source_dialog_indices")
_KINDS: dict[str, SemanticKind] = {
    "directive": "directive",
    "explicit directive": "directive",
    "fact": "fact",
    "core fact": "fact",
    "preference": "preference",
    "preference or habit": "preference",
    "habit": "preference",
    "visual concept": "visual_concept",
}
_YES = ("yes", "true", "keep", "store", "save")
_NO = ("no", "false", "skip", "none")


def parse_semantic(text: str, pictures: int = 0) -> SemanticAnswer:
    """Read what to keep of a turn.

    Repairs: ``decision_missing``, ``kind_unknown`` (a fact then), ``keywords_missing``, ``content_missing`` (the
    block is dropped), ``mark_dropped``, ``no_picture`` (a visual concept without one is a fact), ``picture_guessed``
    (the first), ``blocks_cut``, ``control_characters``, ``cut``, ``keywords_cut``, ``thought_dropped``.

    Args:
        text: The model's answer.
        pictures: Pictures of the user's message.

    Raises:
        FormRejected: nothing readable.
    """
    repairs: list[str] = []
    blocks = _blocks(_answer(text, repairs), _SEMANTIC_KEYS)
    if not blocks:
        raise FormRejected("no_form", tidy(text, 80))
    entries: list[SemanticEntry] = []
    decided = False
    refusal = ""
    for block in blocks:
        decision = tidy(block.get("decision", ""), 20).casefold().strip(" .!")
        reason = tidy(block.get("reason", ""), _LONGEST_REASON, repairs)
        if decision.startswith(_NO):
            decided, refusal = True, reason
            continue
        entry = _semantic_entry(block, reason, pictures, repairs)
        if entry is None:
            repairs.append("content_missing")
            continue
        if not decision.startswith(_YES):
            repairs.append("decision_missing")
        entries.append(entry)
    if not entries and not decided:
        raise FormRejected("no_content", tidy(text, 80))
    if len(entries) > MOST_BLOCKS:
        repairs.append("blocks_cut")
    return SemanticAnswer(tuple(entries[:MOST_BLOCKS]), "" if entries else refusal, tuple(repairs))


def write_semantic(entries: Sequence[SemanticEntry], reason: str = "") -> str:
    """Return the form that ``parse_semantic`` reads; ``reason``: why nothing is kept, where nothing is."""
    if not entries:
        return f"reason: {reason}\ndecision: no\n"
    blocks = []
    for entry in entries:
        lines = [
            f"reason: {entry.reason}",
            "decision: yes",
            f"kind: {entry.kind}",
            f"content: {entry.content}",
            f"keywords: {', '.join(entry.keywords)}",
        ]
        blocks.append("\n".join([*lines, *([f"picture: {entry.picture}"] if entry.picture else [])]))
    return "\n\n".join(blocks) + "\n"


def parse_episodic(text: str, turns: int) -> EpisodicAnswer:
    """Read the topics of a session of ``turns`` turns.

    Repairs: ``number_out_of_range``, ``number_repeated`` (also in another topic), ``turn_uncovered`` (one each: the
    turn goes to the first topic), ``topic_without_turns`` and ``summary_missing`` (the topic is dropped),
    ``keywords_missing``, ``control_characters``, ``cut``, ``keywords_cut``, ``thought_dropped``.

    Raises:
        FormRejected: no topic.
    """
    repairs: list[str] = []
    topics: list[TopicEntry] = []
    covered: list[int] = []
    blocks = _blocks(_answer(text, repairs), _EPISODIC_KEYS)
    for block in blocks:
        summary = tidy(block.get("topic_summary", "").replace(PICTURE_MARK, " "), LONGEST_SUMMARY, repairs)
        if not summary:
            repairs.append("summary_missing")
            continue
        numbers = read_numbers(block.get("source_dialog_indices", ""), turns, repairs, covered)
        covered.extend(numbers)
        topics.append(TopicEntry(summary, _keywords(block, repairs), numbers))
    if not topics:
        raise FormRejected("no_content" if blocks else "no_form", tidy(text, 80))
    with_turns = [topic for topic in topics if topic.numbers] or topics[:1]
    repairs.extend(["topic_without_turns"] * (len(topics) - len(with_turns)))
    topics = with_turns
    left = sorted(set(range(1, turns + 1)) - set(covered))
    if left:
        repairs.extend(["turn_uncovered"] * len(left))
        first = topics[0]
        topics[0] = TopicEntry(first.summary, first.keywords, tuple(sorted((*first.numbers, *left))))
    return EpisodicAnswer(tuple(topics), tuple(repairs))


def write_episodic(topics: Sequence[TopicEntry]) -> str:
    """Return the form that ``parse_episodic`` reads."""
    return (
        "\n\n".join(
            f"topic_summary: {topic.summary}\nkeywords: {', '.join(topic.keywords)}\n"
            f"source_dialog_indices: {', '.join(map(str, topic.numbers))}"
            for topic in topics
        )
        + "\n"
    )


_PAIR = re.compile(r'\s*(?:[-*•]\s+)?\*{0,2}("?)([^:：\[\]\n]+?)"?\*{0,2}\s*[:：]\*{0,2}(.*)')
_SOURCES = re.compile(r"\[\s*(?:turns?\s*)?([0-9,;\s–-]*)\]\s*$", re.IGNORECASE)
_NOTHING = re.compile(r"\W*(?:none|nothing|no changes?)\W*", re.IGNORECASE)
_BLOCK = re.compile(r"(human|persona)(?:\s*[./_]\s*|\s+|$)(.*)", re.IGNORECASE)
_PROSE = frozenset(["reason", "reasoning", "decision", "note", "notes", "thought", "explanation"])


def parse_procedural(text: str, turns: int) -> ValuesAnswer:
    """Read the goals and habits that a session of ``turns`` turns sets or ends.

    Repairs: ``line_unreadable``, ``key_repeated`` (the last counts), ``pairs_cut`` (more than five set),
    ``number_out_of_range``, ``number_repeated``, ``control_characters``, ``cut``, ``thought_dropped``.

    Raises:
        FormRejected: no pair, and not the word that nothing changes.
    """
    repairs: list[str] = []
    entries: list[ValueEntry] = []
    lines = _answer(text, repairs).split("\n")
    for line in lines:
        entry = _pair(line, turns, repairs)
        if entry is not None:
            entries.append(entry)
    entries = _each_key_once(entries, repairs)
    _needs_something(entries, lines, text)
    kept: list[ValueEntry] = []
    for entry in entries:
        if entry.content and sum(bool(other.content) for other in kept) == MOST_PROCEDURAL:
            repairs.append("pairs_cut")
        else:
            kept.append(entry)
    return ValuesAnswer(tuple(kept), tuple(repairs))


def write_procedural(entries: Sequence[ValueEntry]) -> str:
    """Return the form that ``parse_procedural`` reads."""
    return "".join(f"{entry.key}: {_value(entry)}\n" for entry in entries) or "none\n"


def parse_core(text: str, turns: int) -> ValuesAnswer:
    """Read the core values that a session of ``turns`` turns sets or ends.

    Repairs: as ``parse_procedural``, and ``block_missing`` (a bare ``name`` is of the human block, another bare key
    is dropped) and ``name_kept`` (the name cannot be ended).

    Raises:
        FormRejected: no pair, and not the word that nothing changes.
    """
    repairs: list[str] = []
    entries: list[ValueEntry] = []
    heading: CoreBlock | None = None
    lines = _answer(text, repairs).split("\n")
    for line in lines:
        title = line.strip(" \t\r*#:[]-").casefold()
        if title in ("human", "persona"):
            heading = "human" if title == "human" else "persona"
            continue
        entry = _pair(line, turns, repairs)
        if entry is None:
            continue
        block, key = _block_of(entry.key, heading)
        if block is None and key == "name":
            block = "human"
            repairs.append("block_missing")
        if block is None or not key:
            repairs.append("block_missing")
        elif (block, key) == ("human", "name") and not entry.content:
            repairs.append("name_kept")
        else:
            entries.append(ValueEntry(key, entry.content, entry.numbers, block))
    entries = _each_key_once(entries, repairs)
    if "name_kept" not in repairs:
        _needs_something(entries, lines, text)
    return ValuesAnswer(tuple(entries), tuple(repairs))


def write_core(entries: Sequence[ValueEntry]) -> str:
    """Return the form that ``parse_core`` reads."""
    return "".join(f"{entry.block}.{entry.key}: {_value(entry)}\n" for entry in entries) or "none\n"


def _answer(text: str, repairs: list[str]) -> str:
    """Return ``text`` without a thought before it.

    Raises:
        FormRejected: nothing is left.
    """
    head, closing, rest = text.partition("</think>")
    if closing and head.lstrip().startswith("<think>"):
        repairs.append("thought_dropped")
        text = rest
    if not text.strip():
        raise FormRejected("empty", "")
    return text


def _blocks(text: str, keys: Sequence[str]) -> list[dict[str, str]]:
    """Return the lines in blocks: a key that comes again begins the next."""
    blocks: list[dict[str, str]] = []
    for key, value in key_values(text, keys):
        if not blocks or key in blocks[-1]:
            blocks.append({})
        blocks[-1][key] = value
    return blocks


def _keywords(block: dict[str, str], repairs: list[str]) -> tuple[str, ...]:
    keywords = read_keywords(block.get("keywords", ""), repairs)
    if "keywords" not in block:
        repairs.append("keywords_missing")
    return keywords


def _semantic_entry(block: dict[str, str], reason: str, pictures: int, repairs: list[str]) -> SemanticEntry | None:
    """Return the entry of a block; None where it has no content."""
    written = block.get("content", "")
    content = tidy(written.replace(PICTURE_MARK, " "), LONGEST_VALUE, repairs)
    if not content:
        return None
    kind = _KINDS.get(tidy(block.get("kind", ""), 40).casefold().replace("_", " ").strip(" ."))
    if kind is None:
        repairs.append("kind_unknown")
        kind = "fact"
    if kind == "visual_concept" and not pictures:
        repairs.append("no_picture")
        kind = "fact"
    if kind != "visual_concept":
        if PICTURE_MARK in written:
            repairs.append("mark_dropped")
        return SemanticEntry(kind, content, _keywords(block, repairs), reason)
    named = read_numbers(block.get("picture", ""), pictures, [])
    if not named and (pictures > 1 or "picture" in block):
        repairs.append("picture_guessed")
    return SemanticEntry(kind, f"{content} {PICTURE_MARK}", _keywords(block, repairs), reason, named[0] if named else 1)


def _pair(line: str, turns: int, repairs: list[str]) -> ValueEntry | None:
    """Return the pair of a line; None where it holds none."""
    if not line.strip() or line.lstrip().startswith("```") or _NOTHING.fullmatch(line):
        return None
    match = _PAIR.match(line)
    key = "" if match is None else tidy(match[2].replace("_", " "), LONGEST_KEY, repairs).strip(" .-*•#'\"").lower()
    if match is None or not key:
        repairs.append("line_unreadable")
        return None
    value = match[3].strip()
    if match[1]:
        value = value.removesuffix(",").rstrip()
    numbers: tuple[int, ...] = ()
    sources = _SOURCES.search(value)
    if sources:
        numbers = read_numbers(sources[1], turns, repairs)
        value = value[: sources.start()]
    content = tidy(value.replace(PICTURE_MARK, " "), LONGEST_VALUE, repairs)
    if key in _PROSE:
        return None
    if not content:
        repairs.append("line_unreadable")
        return None
    return ValueEntry(key, "" if content.casefold().strip(" .") == "null" else content, numbers)


def _block_of(key: str, heading: CoreBlock | None) -> tuple[CoreBlock | None, str]:
    match = _BLOCK.match(key)
    if match is None:
        return heading, key
    return ("human" if match[1].casefold() == "human" else "persona"), match[2].strip(" .-*•#'\"")


def _each_key_once(entries: Sequence[ValueEntry], repairs: list[str]) -> list[ValueEntry]:
    last: dict[tuple[str | None, str], ValueEntry] = {}
    for entry in entries:
        if last.pop((entry.block, entry.key), None) is not None:
            repairs.append("key_repeated")
        last[entry.block, entry.key] = entry
    return list(last.values())


def _needs_something(entries: Sequence[ValueEntry], lines: Sequence[str], text: str) -> None:
    if not entries and not any(_NOTHING.fullmatch(line) for line in lines if line.strip()):
        raise FormRejected("no_form", tidy(text, 80))


def _value(entry: ValueEntry) -> str:
    return f"{entry.content or 'null'} [{', '.join(map(str, entry.numbers))}]"
