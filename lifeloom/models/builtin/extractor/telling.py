"""Which sentences of a message tell something worth keeping, and which of them belong together.

A sentence tells something when it speaks of the user, or of somebody around them, in one of the frames of ``frames``
and names something. Sentences that go on about it ("I decided against it.") join it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from lifeloom.models.builtin.extractor.frames import (
    CIRCLE,
    CONVERSATION,
    FRAMES,
    OWN_ATTRIBUTE,
    REQUEST,
    Frame,
)
from lifeloom.models.builtin.extractor.standing import STANDING, bare_change, bare_remark
from lifeloom.models.builtin.extractor.wording import QUOTED
from lifeloom.models.builtin.reader.english import PEOPLE, STOPWORDS, lexicon
from lifeloom.models.builtin.reader.holders import people_named
from lifeloom.models.builtin.reader.pointing import MARK
from lifeloom.models.builtin.reader.stance import ends_it
from lifeloom.models.builtin.reader.text import Message, Sentence, base, stem
from lifeloom.records import SemanticKind

__all__ = ["Telling", "known_names", "names_in", "tellings", "told_by"]

_ENOUGH: Final = 0.55
"""Strength from which a sentence tells something."""

_NOT_NAMES: Final = lexicon(
    """
    monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays
    sundays january february march april may june july august september october november december christmas easter
    ramadan halloween diwali english french german spanish italian chinese japanese dutch polish russian arabic
    look enough first second third last next many most such
    portuguese turkish greek latin korean hindi swedish danish norwegian finnish god internet ok tv pc dvd usa uk eu
    """
)
_VAGUE: Final = frozenset(
    stem(word)
    for word in lexicon(
        """
    thing time day moment bit way kind sort matter point question idea answer note word line talk hour minute second
    week today tonight morning evening list help advice tip topic mind head end start little good bad nice new old
    small big long short next last first whole half part place stuff people person find found come came take took put
    keep kept feel felt look looked see saw seen give gave try tried use used need call called hope wish mean meant
    say said tell told hear heard read turn right left wrong true sure fine happy glad sorry honest somewhere memory
    remember note thinking typing exactly simply
    """
    )
)
_GOES_ON: Final = re.compile(
    r"^(?:(?:but|and|so|then|well|now|only|at least) ,? ?)*(?:"
    r"(?:that|this|it|which|those|these)(?:'s|'ll|'d)? (?:[\w']+ ){0,4}?(?:my|mine|no longer|over|off|dropped|"
    r"gone|dead|mistake|wrong|slip|called|settled|decided|final|not|never|didn't|don't|doesn't|isn't|wasn't|won't|past|"
    r"name|history|instead|through|nothing|longer|always|now)\b|"
    r"(?:he|she|they)(?:'s|'ll|'d|'ve|'re)? \w+|"
    r"(?:i|we)(?:'ve|'ll|'m|'d)? (?:[\w']+ ){0,5}?(?:decid\w+|dropp\w+|gave|given|abandon\w*|backed|chang\w+|won't|"
    r"let|stopp\w+|thought better|chose|settled|stuck|stick|moved|switch\w*|prefer\w*|said no|went|am sticking|"
    r"never|no longer|love|regret|meant|mean)\b (?:[\w']+ ){0,4}?(?:it|that|this|them|one|against|mind|idea|plan|"
    r"notion|again|so|better|out|on|up)\b|"
    r"(?:i|we)(?:'ve| have)? (?:then |soon |never |simply )?(?:stopped|did not|didn't|quit|gave up|did|don't|won't|"
    r"haven't|declined|"
    r"refused|changed my mind)(?: \w+)? ?[.!]|"
    r"(?:i'm|i am|we're|it's|it is|that's|they're|he's|she's) (?:really |just |definitely )?not ?[.!]|"
    r"goodbye\b[^.?!]*\bhello\b|hello\b[^.?!]*\bgoodbye\b|i'm letting\b|that(?:'s| was| is) my \w+ ?[.!]|"
    r"(?:i|we) (?:spent|passed|used|filled) (?:it|that|them|the time)\b|(?:the two of us|between us|we both)\b|"
    r"(?:nowadays|these days|instead|since then|before that|until then|previously|no longer|not any ?more|not any|"
    r"never again|my mistake|sorry|correction)\b|"
    r"the (?:notion|idea|plan|thought|dream|project|scheme)\b)"
)
_POINTS_BACK: Final = re.compile(
    r"^(?:(?:but|and|so|then|well|now) ,? ?)*(?:that|this|it|he|she|they|those|these|his|her|their)\b"
)
_ALSO_SAID: Final = re.compile(r"\b(?:that|this|those|these|it) [\w-]+|\bit (?:is|was) quite\b")
_PUTS_RIGHT: Final = re.compile(
    r"^(?:(?:no|oh|sorry|wait|well|but|and|actually|oops) ,? ?)*(?:(?:i|i'm|"
    r"i was) (?:[\w']+ ){0,5}?,? ?(?:i )?(?:meant|"
    r"mixed|muddled|confused)\b|correction|my mistake|that was (?:wrong|a slip)|scratch that|strike that|it should)"
)
_OWN: Final = re.compile(r"\b(?:i|me|my|mine|myself|we|us|our|ours|i'm|i've|i'd|i'll|we're|we've|we'll|we'd)\b")
_PASSING: Final = re.compile(
    r"\b(?:right now|this (?:minute|second|very moment)|today|tonight|this (?:morning|afternoon|"
    r"evening)|in my chair|on my (?:screen|desk|bag|keyboard))\b"
)
_TRANSIENT: Final = re.compile(
    r"\b(?:my|our) (?:thoughts?|explanation|fingers?|album|albums|phone|inbox|screen|stomach|side|mouse|message|cursor|"
    r"headache|mood|back|brain|connection|battery|printer|keyboard|browser|app|train|bus|flight|queue|legs?|"
    r"shoulders?|ears?|neck|feet|foot|hands?|heart|eyes?|nose|knees?|keys?|ticket|"
    r"shoelace|pen|pencil|cup|purse|wallet|umbrella|shoes?|socks?|bag|suitcase|glasses|ruler|desk|chair|laptop|"
    r"computer)"
    r"(?= ?[.,;:!?]| (?:is|are|was|were|has|have|had|just|won't|doesn't|don't|keeps?|went|goes|froze|died|and|into|"
    r"in|on|at|with|"
    r"for|until|from|while|today|again|snapped|leaked|broke|fell|clicks?|hurts?|aches?|smells?|full|over|out|up|by)\b)|"
    r"\b(?:my|our) (?:[\w-]+ ){1,2}(?:is|are|was|were|'s) (?:[\w']+ )?(?:in|on|under|behind|inside|up|by|somewhere|"
    r"everywhere)"
    r"(?: (?:the|a|an|one|my|some|every)\b| of\b)|"
    r"\b(?:my|our) (?:[\w-]+ ){1,3}(?:is|are|was|were|'s|has|have|just|still|now|doesn't|"
    r"won't) (?:[\w']+ ){0,2}?(?:full|"
    r"stuck|wet|late|broken|empty|gone|ready|dead|cold|hot|freezing|sore|tired|aching|blinking|ringing|open|closed|"
    r"asleep|"
    r"running|leaking|leaked|stopped|crashed|frozen|cracked|low|out|down|missing|lost|everywhere|rolled|boiling|burnt|"
    r"work|start|load|charge)\b"
)


@dataclass(frozen=True, slots=True)
class Telling:
    """What a run of sentences tells."""

    frame: str
    """Name of the surest frame."""
    kind: SemanticKind
    strength: float
    sentences: tuple[Sentence, ...]
    frames: frozenset[str]
    """Every frame in which one of them speaks."""
    people: tuple[str, ...]
    """Names in them, as written."""

    @property
    def text(self) -> str:
        """The sentences as they were said."""
        return " ".join(sentence.text for sentence in self.sentences)


def known_names(messages: Iterable[Message]) -> frozenset[str]:
    """Return the lower-case names of people in ``messages``: told as people, or beside a word for people."""
    kept = tuple(messages)
    found = set(people_named(kept))
    beside_own: set[str] = set()
    for message in kept:
        for number, sentence in enumerate(message.sentences):
            found |= _names_told(sentence)
            near = message.sentences[max(0, number - 1) : number + 2]
            if any(_OWN.search(" ".join(one.words)) for one in near):
                beside_own.update(base(word) for word in sentence.words)
    # "Mozart's sister was called Nannerl": nobody of the user's.
    found &= beside_own
    return frozenset(found - _NOT_NAMES)


_ACTS_ON_ME: Final = re.compile(
    r"^(?:always |also |just |once )?(?!(?:with|for|to|from|on|by|at|of|in) )[\w']+ (?:me|us|and i|and me|and my)\b|"
    r"^and i\b|^and me\b"
)


_BEFORE_NAMES: Final = lexicon(
    """
    with about called named for meet met asked told name introduced phoned visited like from had write married introduce
    hear heard see saw watch watched found find caught ask tell telling if when whether between it's
    """
)


@functools.lru_cache(maxsize=50_000)
def _names_told(sentence: Sentence) -> frozenset[str]:
    """Return the names that this sentence alone shows to be people's: "Ana and I", "Ana teased me", "met Ana"."""
    found = set()
    words, surface = sentence.words, sentence.surface
    for i, token in enumerate(surface):
        if not _capitalised(token, words[i]):
            continue
        rest = " ".join(words[i + 1 : i + 5])
        before = words[i - 1] if i else ""
        earlier = words[i - 2] if i > 1 else ""
        if (
            _ACTS_ON_ME.match(rest)
            or (before == "and" and earlier in ("i", "me", "us"))
            or (i and before in _BEFORE_NAMES and (surface[i - 1][0].islower() or i == 1))
        ):
            found.add(base(words[i]))
    return frozenset(found)


def _capitalised(token: str, word: str) -> bool:
    plain = base(word)
    return (
        len(token) > 2
        and token[0].isupper()
        and not token.isupper()
        and plain not in STOPWORDS
        and plain not in _NOT_NAMES
        and plain not in PEOPLE
    )


def names_in(sentence: Sentence, names: frozenset[str]) -> tuple[str, ...]:
    """Return the names of people in a sentence as they are written."""
    found = [
        base(token)
        for token, word in zip(sentence.surface, sentence.words, strict=True)
        if base(word) in names and token[0].isupper()
    ]
    return tuple(dict.fromkeys(found))


def _content(sentence: Sentence) -> int:
    return sum(1 for stem in sentence.stem_set if stem not in _VAGUE and stem != MARK)


@functools.lru_cache(maxsize=20_000)
def _frames_of(said: str) -> tuple[Frame, ...]:
    """Return the frames that fit the words of a sentence; words that come again are not searched again."""
    return tuple(frame for frame in (*FRAMES, *STANDING) if frame.pattern.search(said))


@functools.lru_cache(maxsize=20_000)
def told_by(sentence: Sentence, named: bool) -> tuple[tuple[Frame, ...], float]:
    """Return the frames in which a sentence tells something, surest first, and how sure; nothing below 0.55.

    Args:
        sentence: one sentence.
        named: whether it names somebody who is known to be a person.
    """
    if QUOTED in sentence.words:
        return ((), 0.0)
    said = " ".join(sentence.words)
    if bare_remark(said):
        return ((), 0.0)
    own = bool(_OWN.search(said))
    circle = CIRCLE.search(said) is not None
    found = list(_frames_of(said))
    if found and found[0].name == "directive" and (len(sentence.stem_set) > 1 or MARK in sentence.words):
        return (tuple(found), 1.0)
    if sentence.is_question and not re.match(r"(?:did i|have i|do you (?:remember|know) (?:that|my))\b", said):
        return ((), 0.0)
    put_right = any(frame.name == "correction" for frame in found)
    if not put_right and (REQUEST.match(said) or CONVERSATION.match(said)):
        # "Write it in large letters: my goal is to sing."
        _, parted, rest = said.partition(" : ")
        if not (parted and OWN_ATTRIBUTE.search(rest)):
            return ((), 0.0)
    if not (own or named or circle or put_right or _OFF.match(said)):
        return ((), 0.0)
    if _WHAT_IF.match(said) and not (named or put_right):
        return ((), 0.0)
    if named or circle:
        found.append(_OF_OTHERS)
    if OWN_ATTRIBUTE.search(said):
        found.append(_ATTRIBUTE)
    if not found or not _content(sentence):
        return ((), 0.0)
    found.sort(key=lambda frame: -frame.strength)
    strength = found[0].strength + 0.05 * (len(found) - 1)
    passing = _PASSING.search(said) or (
        not named and len(_TRANSIENT.findall(said)) >= max(1, sentence.words.count("my"))
    )
    if found[0].strength < 0.9 and passing and not any(frame.name == "denial" for frame in found):
        strength -= 0.3
    if not own and not named:
        strength -= 0.1
    if (
        _content(sentence) < 3
        and _OF_IT.search(said)
        and not {"attribute", "correction"} & {frame.name for frame in found}
    ):
        strength -= 0.4
    if _content(sentence) < 2 and found[0].strength < 0.65:
        strength -= 0.2
    return (tuple(found), min(1.0, strength)) if strength >= _ENOUGH else ((), 0.0)


def _asks_itself(question: Sentence, answer: Sentence, names: frozenset[str]) -> bool:
    """Whether the user answers a question of their own, as in "My favourite tea? Earl Grey"."""
    said = " ".join(question.words)
    about_own = bool(_OWN_QUESTION.search(said)) or (bool(names_in(question, names)) and not _TO_ASSISTANT.search(said))
    return question.is_question and about_own and len(answer.words) <= 14 and not REQUEST.match(" ".join(answer.words))


def _takes_up(before: Sentence, sentence: Sentence, names: frozenset[str]) -> bool:
    """Whether ``sentence`` needs the one before it to be understood."""
    said = " ".join(sentence.words)
    if _asks_itself(before, sentence, names):
        return True
    lead = " ".join(before.words)
    if before.is_question or not _content(before) or REQUEST.match(lead) or CONVERSATION.match(lead):
        return False
    if _POINTS_BACK.match(said):
        stands_alone = bool(names_in(sentence, names)) or OWN_ATTRIBUTE.search(said) is not None
        return not stands_alone and not (said.startswith("it") and _content(sentence) > 3)
    first = before.surface[0]
    # "Sanjay has a sheet on the fridge. My gym buddy is serious about that goal."
    return bool(_ALSO_SAID.search(said)) and CIRCLE.search(said) is not None and _capitalised(first, before.words[0])


_OWN_QUESTION: Final = re.compile(
    r"^(?:and |so |now )?(?:what(?:'s| is| are| about)|which|who|where|how (?:about|old)|do you want to know|guess|my) "
    r".*\b(?:my|our)\b|^my\b|\bam i (?:an?|the)\b"
)
_TO_ASSISTANT: Final = re.compile(r"\b(?:should|could|can|would|how do|how can|advice|tips?|ideas?|you)\b")
_ANSWERED: Final = Frame("answered", "fact", 0.75, re.compile(""))
_OF_IT: Final = re.compile(
    r"\b(?:about|over|of|behind|explain|with|for|in) (?:it|that|this)\b|\b(?:it|that) (?:behind|all|away|down)\b|"
    r"\beverything\b"
)
_ASKED_ME: Final = re.compile(r"\basked (?:me )?(?:where|what|how|who|when|why|which|whether)\b")
_OFF: Final = re.compile(
    r"^(?:well ,? ?|so ,? ?)?(?:the|that) [^.?!]*\b(?:isn't happening|is not happening|is off|fell through|(?:is|was|"
    r"got|has been) "
    r"cancell?ed|didn't happen|won't happen|is on hold|isn't going ahead)\b"
)
_WHAT_IF: Final = re.compile(
    r"^(?:if|unless) (?!you\b|any|some|my\b|people\b)[^.?!]*\b(?:i'm|i am|i'll|i will|i'd|i would)\b(?! (?:not|"
    r"never)\b)"
)
_REMEMBER_THAT: Final = re.compile(
    r"^(?:(?:so|and|please|could you|can you|would you|will you|"
    r"i keep losing track of this) ,? ?)*(?:please )?(?:remember|note|save|"
    r"keep|hold on to|memori[sz]e|don't forget|do not forget|bear|make a note of|write down|jot down) "
    r"(?:it|that|this|them|all of (?:it|that|this))(?: one)?(?: down| somewhere| in (?:your )?mind| for me|"
    r" for later| please| will you| ,)*"
    r" ?[.!?:]*$"
)
_ASKED_FOR: Final = Frame("asked for", "directive", 1.0, re.compile(""))
_OF_OTHERS: Final = Frame("circle", "fact", 0.75, re.compile(""))
_ATTRIBUTE: Final = Frame("attribute", "fact", 0.7, re.compile(""))


@functools.lru_cache(maxsize=20_000)
def _goes_on(sentence: Sentence) -> bool:
    said = " ".join(sentence.words)
    if sentence.is_question or (_content(sentence) > 3 and re.match(r"(?:and |but )?(?:it|this)\b", said)):
        return False
    return ends_it(sentence) or bool(_GOES_ON.match(said))


def tellings(sentences: Sequence[Sentence], names: frozenset[str]) -> list[Telling]:
    """Return what ``sentences`` of one message tell, in order.

    Args:
        sentences: of the message, as ``sentences_of`` gives them.
        names: lower-case names of people known in the conversation.
    """
    told = [told_by(sentence, bool(names_in(sentence, names))) for sentence in sentences]
    for i in range(1, len(sentences)):
        if not told[i][0] and not sentences[i].is_question and _asks_itself(sentences[i - 1], sentences[i], names):
            told[i] = ((_ANSWERED,), _ANSWERED.strength)
    for i, sentence in enumerate(sentences):
        if _REMEMBER_THAT.match(" ".join(sentence.words)) and not (i and told[i - 1][0]):
            # "Hold on to this for me. The key is under the pot."
            for j in range(i + 1, min(i + 3, len(sentences))):
                if not sentences[j].is_question:
                    told[j] = ((_ASKED_FOR,), 1.0)
    runs: list[list[int]] = []
    for i, sentence in enumerate(sentences):
        adjacent = bool(runs) and runs[-1][-1] == i - 1
        joins = adjacent and _joins(sentences[i - 1], sentence, told[i][0], names)
        if joins:
            runs[-1].append(i)
        elif told[i][0]:
            back = i > 0 and not adjacent and _takes_up(sentences[i - 1], sentence, names)
            runs.append([i - 1, i] if back else [i])
    found = []
    for run in runs:
        frames = sorted((frame for i in run for frame in told[i][0]), key=lambda frame: -frame.strength)
        best = frames[0]
        kept = [i for i in run if not _REMEMBER_THAT.match(" ".join(sentences[i].words))]
        asked = len(kept) < len(run)
        kept = [i for i in kept if not bare_remark(" ".join(sentences[i].words))]
        if not kept:
            continue
        found.append(
            Telling(
                best.name,
                "directive" if asked else best.kind,
                max(told[i][1] for i in kept),
                tuple(sentences[i] for i in kept),
                frozenset(frame.name for frame in frames),
                tuple(dict.fromkeys(name for i in kept for name in names_in(sentences[i], names))),
            )
        )
    return found


def _joins(before: Sentence, sentence: Sentence, frames: tuple[Frame, ...], names: frozenset[str]) -> bool:
    """Whether ``sentence`` goes on about what the one before it tells."""
    said = " ".join(sentence.words)
    if _REMEMBER_THAT.match(said):
        return True
    if frames and _ASKED_ME.search(" ".join(before.words)):
        return True
    if _goes_on(sentence) or (_PUTS_RIGHT.search(said) and not OWN_ATTRIBUTE.search(said)):
        return True
    if not frames:
        return False
    if bare_change(" ".join(before.words)) and _OWN.search(said):
        return True
    shared = set(names_in(before, names)) & set(names_in(sentence, names))
    other = CIRCLE.search(said) is not None or bool(names_in(sentence, names))
    return bool(shared) or (other and bool(_ALSO_SAID.search(said)))
