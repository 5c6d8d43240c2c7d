"""Goals and habits that a session sets or ends, in the lines of the procedural update (PersonaVLM Appendix A.1)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from lifeloom.models.builtin.extractor.frames import CIRCLE
from lifeloom.models.builtin.extractor.lines import keywords_of
from lifeloom.models.builtin.extractor.semantic import message_of, spoken_of
from lifeloom.models.builtin.extractor.telling import Telling, known_names, tellings
from lifeloom.models.builtin.reader.english import PEOPLE, STOPWORDS, lexicon
from lifeloom.models.builtin.reader.text import base, content_stems
from lifeloom.tasks import ProceduralUpdateInput

__all__ = ["procedural_text"]

_MOST: Final = 5
"""Values that one session may set."""
_LONGEST_KEY: Final = 56
_SAME: Final = 0.5
"""Share of a goal's words that a sentence must name to be about it."""

_PERSON: Final = "|".join(sorted((re.escape(word) for word in PEOPLE), key=len, reverse=True))
_MATTER: Final = re.compile(
    rf"\b(?:my|our)(?: (?:own|new|old|current|only|big|next|latest|great))* "
    rf"(?P<key>(?!(?:{_PERSON})\b)(?:[\w-]+ ){{0,3}}?(?:goal|plan|plans|dream|ambition|aim|intention|target|project|"
    rf"resolution|mission|challenge|routine|habit|ritual|practice|tradition|study|training|secret)"
    r"(?: (?:for|with|at|in) (?!me\b|it\b|this\b|now\b)(?:the |my )?[\w-]+)?)\b"
)
_TO_BE: Final = re.compile(
    rf"\b(?:my|our) (?P<key>(?!(?:{_PERSON})\b)(?:[\w-]+ ){{0,2}}?[\w-]+) (?:is|remains|was|becomes|became|"
    rf"has become) (?:now |still )?"
    r"to (?!be (?:found|seen|honest)\b)[a-z]+"
)
_WANTS: Final = re.compile(
    r"\b(?:i|we)(?:'m| am|'ve| have|'d|'ll)?(?: been| now| still| also| really| just| finally| always| actually| soon| "
    r"firmly| seriously)* (?:want to|plan(?:ning)? (?:to|on)|hop(?:e|ing) to|aim(?:ing)? to|intend(?:ing)? to|"
    r"mean(?:ing)? to|"
    r"dream(?:ing)? of|wish to|determined to|going to|gonna|saving (?:up )?(?:for|to)|training (?:for|to)|"
    r"working (?:on|towards?)|"
    r"preparing for|learning(?: to)?|studying for|resolved to|vowed to|promised myself to|decided to|committed to|"
    r"set on|"
    r"signed up for|would like to|love to one day|will|'ll) "
    r"(?P<what>(?!be (?:brief|quick|short|honest)\b|keep\b|tell\b|judge\b|file\b|leave\b|say\b|ask\b|know\b|hear\b|"
    r"see\b|do that\b|"
    r"it\b|that\b|this\b)[^.,;:!?]{4,80})"
)
_RECURS: Final = re.compile(
    r"\b(?:another|one more|yet another|the latest|the last|the next|every|each|that|this|"
    r"one) (?P<key>(?:[\w'-]+ ?){1,4})"
)
_COMPOUND: Final = re.compile(
    rf"\b(?:my|our)(?: (?:own|new|old|current|only|next))? (?P<key>(?!(?:{_PERSON})\b)[\w-]+ [\w-]+(?: [\w-]+)?)"
)
_ENDS_KEY: Final = lexicon(
    "came comes come went goes gone passed passes ended ends started starts showed shows means meant spent over "
    "flew by hands hand left begins began"
)
_WHENEVER: Final = re.compile(r"\b(?:whenever|every time|each time|any time|when) (?P<key>[^.,;:!?]{4,50})")
_OVER: Final = re.compile(
    r"\b(?:dropp\w+|give up|given up|gave up|giving up|abandon\w*|scrapp\w+|shelv\w+|cancel\w+|call\w* (?:it |that |"
    r"the whole thing )?off|no longer|any ?more|"
    r"decided against|changed my mind|let (?:it|that) go|let go|backed out|won't|will not|is (?:off|over|dead|"
    r"history)|are over|"
    r"buried|came to nothing|fell through|don't want|do not want|not going to|not (?:to|mine)|isn't true|not true|"
    r"forget|wrong|"
    r"let (?:it|that) be|(?:gave|given|give) (?:it|that) up|nothing (?:came|will come)|left it at that|went nowhere|"
    r"made one attempt|"
    r"off the table|thought better|didn't want|wasn't for me|the idea is dead|a rest|slip|mistaken?|quit|quitted|"
    r"stopped|had (?:thought|meant|planned|wanted|half)|once (?:thought|meant|planned|wanted)|never again|for good|"
    r"gone|please correct|have me down|nothing to do with|catch me|(?:am|'m|is|was|were|are) not|isn't|wasn't|never)\b"
)
_DONE: Final = re.compile(
    r"\b(?:finished|achieved|reached|completed|managed|accomplished|made it|succeeded|crossed (?:it|that) off|"
    r"is done)\b"
)
_NEW: Final = re.compile(
    r"\b(?:instead|from now on|nowadays|these days|today|switched|swapped|replaced|moved on to|now (?:i|it|my|the)|"
    r"is now|"
    r"by now|meant|only ever|read|in its place|took its place|make that|rather|but (?:now|it's|it is|i am)|matters?|"
    r"witnesses|on its way|one step closer|look after itself|serious about)\b|"
    r"\b(?:slip|mistake|wrong)[ ,;:]+(?:for|i|it|my)\b|"
    r"(?:not|n't|forget)\b[^.;]*, (?:i|i'm|i'll|it's|it is|my) (?!not\b)"
)


_REPLACES: Final = re.compile(
    r"\b(?:instead|no longer|in its place|took its place|rather than|switched|swapped|replaced|changed|make that|"
    r"is now|"
    r"now my|not any ?more)\b|\bnot\b[^.?!]*\bany ?more\b|\b\w+n't\b[^.?!]*\bany ?more\b|\bnot [^.?!,]+, but\b|"
    r", not (?:the |an? )?[\w-]+(?: [\w-]+)? ?[.!]?$|\bforget [^.?!,]+ ?, (?:i'm|i am|i'll|we're|we'll|i|we)\b"
)
"""The message says that something takes the place of something else."""
_NAME: Final = re.compile(r"(?<=[a-z,] )[A-Z][\w'-]+")
"""A name inside a sentence: "the Berlin marathon"."""
_LEADING: Final = lexicon("a an the my our some to for in on at of this that another")
_TRAILING: Final = lexicon(
    "instead now again soon too a an the my our with to for in on at of and or by next this that really before from one"
)


_EMPTY: Final = frozenset(content_stems("user plan goal next year month week day time hope dream want wish"))


@dataclass(frozen=True, slots=True)
class _Value:
    key: str
    content: str
    turns: tuple[int, ...]
    goal: bool
    over: bool = False
    """Whether the content says that it holds no longer."""
    replaces: bool = False
    """Whether it is said to take the place of something."""


def procedural_text(task_input: ProceduralUpdateInput) -> str:
    """Return the goals and habits that the session sets or ends, a line each; ``none`` where nothing changes.

    A goal or habit that holds now keeps its key when the session comes back to it. At most five are set: goals go
    before habits, later ones before earlier ones.
    """
    before = {line.key.lower(): line.content for line in task_input.current}
    known = {key: _Value(key, content, (), goal=True) for key, content in before.items()}
    names = known_names([message_of(turn.user) for turn in task_input.turns])
    ended: dict[str, int] = {}
    for turn in task_input.turns:
        for telling in tellings(message_of(turn.user).sentences, names):
            value = _value(telling, turn.number)
            if value is not None:
                _settle(value, known, ended)
    changed = [value for key, value in known.items() if value.turns and value.content != before.get(key)]
    changed.sort(key=lambda value: (value.goal, value.turns[-1]), reverse=True)
    lines = [(value.turns, value.key, value.content) for value in changed[:_MOST]]
    lines += [((turn,), key, "null") for key, turn in ended.items() if key in before and key not in known]
    return (
        "\n".join(f"{key}: {content} [{', '.join(map(str, turns))}]" for turns, key, content in sorted(lines)) or "none"
    )


def _settle(value: _Value, known: dict[str, _Value], ended: dict[str, int]) -> None:
    """Put ``value`` among those known: in the place of what it goes on about or replaces, beside it, or ending it.

    A goal of the same kind with another name ("the Vienna marathon" after "the Berlin marathon") stands beside the
    earlier one, unless the message says that it takes its place.
    """
    named = {key: _named(value.content, other) for key, other in known.items()}
    if not (value.over or value.replaces):
        named = {key: share for key, share in named.items() if not _of_other_name(value, known[key])}
    nearest = max(named, key=lambda key: named[key], default="")
    if value.over:
        target = value.key if value.key in known else nearest
        if target and named[target] >= _SAME:
            del known[target]
            ended[target] = value.turns[-1]
        return
    key = value.key
    if key not in named and nearest:
        if named[nearest] >= _SAME:
            key = nearest
        elif value.replaces:
            key = next((other for other in named if _of_a_kind(value, known[other])), key)
    turns = (*known[key].turns, *value.turns) if key in known else value.turns
    known[key] = replace(value, key=key, turns=tuple(sorted(set(turns))))


def _of_other_name(value: _Value, other: _Value) -> bool:
    """Whether both name something and nothing in common, under keys of their own."""
    names, others = set(_NAME.findall(value.content)), set(_NAME.findall(other.content))
    return bool(names and others) and not names & others and value.key != other.key


def _of_a_kind(value: _Value, other: _Value) -> bool:
    """Whether two goals share the last word of a key: both are marathons."""
    return bool(set(content_stems(value.key)[-1:]) & set(content_stems(other.key)) - _EMPTY)


def _named(said: str, other: _Value) -> float:
    """Return which share of what ``other`` holds is named in ``said``, its key aside."""
    wanted = set(content_stems(other.content)) - _EMPTY
    wanted = (wanted - set(content_stems(other.key))) or wanted
    return len(wanted & set(content_stems(said))) / max(1, len(wanted))


def _value(telling: Telling, turn: int) -> _Value | None:
    """Return the goal or habit that a telling speaks of; None where it speaks of none of the user's."""
    said = " ".join(" ".join(sentence.words) for sentence in telling.sentences)
    others = bool(telling.people) or CIRCLE.search(said) is not None
    new = _NEW.search(said.replace(" ,", ",")) is not None
    over = (_OVER.search(said) is not None or "denial" in telling.frames) and not new
    over = over or _DONE.search(said) is not None
    content = spoken_of(telling)
    replaces = _REPLACES.search(said.replace(" ,", ",")) is not None
    matter = _MATTER.search(said) or _TO_BE.search(said)
    if matter is not None:
        return _valued(matter["key"], content, turn, goal=True, over=over, replaces=replaces)
    wants = _WANTS.search(said) if {"plan", "change", "correction"} & telling.frames else None
    if wants is not None:
        compound = _COMPOUND.search(said) if not others else None
        key = _up_to_verb(compound["key"]) if compound else _trimmed(wants["what"])
        return _valued(key, content, turn, goal=True, over=over, replaces=replaces)
    if over and "change" in telling.frames and not others:
        return _Value("", content, (turn,), goal=True, over=True)  # "I've given up on learning Basque."
    if others or not {"habit", "behaviour", "change", "correction"} & telling.frames:
        return None
    recurs = _RECURS.search(said)
    if recurs is not None and _up_to_verb(recurs["key"]).count(" "):
        return _valued(_up_to_verb(recurs["key"]), content, turn, goal=False, over=over)
    if "habit" not in telling.frames:
        return None
    compound = _COMPOUND.search(said)
    whenever = _WHENEVER.search(said)
    named = _up_to_verb(compound["key"]) if compound else " ".join(whenever["key"].split()[:5]) if whenever else ""
    return _valued(named or " ".join(keywords_of(content, most=3)), content, turn, goal=False, over=over)


def _up_to_verb(words: str) -> str:
    """Return the noun phrase that ``words`` begin with: up to the first function word or verb, at most three words."""
    kept: list[str] = []
    for word in words.split()[:3]:
        if base(word) in STOPWORDS or word in _ENDS_KEY:
            break
        kept.append(word)
    return " ".join(kept)


def _trimmed(words: str) -> str:
    """Return the first five words without articles before them and without what leads on after them."""
    kept = words.split()
    while kept and kept[0] in _LEADING:
        kept.pop(0)
    kept = kept[:5]
    while len(kept) > 1 and kept[-1] in _TRAILING:
        kept.pop()
    return " ".join(kept)


def _valued(key: str, content: str, turn: int, *, goal: bool, over: bool, replaces: bool = False) -> _Value | None:
    plain = re.sub(r"[^\w' -]", "", key.lower()).strip(" '-")[:_LONGEST_KEY].strip(" '-")
    return _Value(plain, content, (turn,), goal, over, replaces) if plain and content else None
