"""Turns that do not hold together: answers to another message, and statements that cannot both be true."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lifeloom.models.builtin.reader.holders import SELF, holder, people_named
from lifeloom.models.builtin.reader.stance import stance
from lifeloom.models.builtin.reader.text import Sentence, analyse, content_stems
from lifeloom.models.protocol import TextEncoder
from lifeloom.tasks.session_critique import CritiqueTurn, Problem

__all__ = ["contradictions", "incoherent_turns"]

_FAR_APART = 0.05
"""Cosine. Of answers that share no word with a message, a quarter lie below it when they are another's, hardly any
when they are its own (written by the built-in writer)."""
_LOOSE, _NEARER = 0.25, 0.3
"""An answer less far from its message than that must be this much nearer to another message."""
_ENOUGH_WORDS = 10  # a short message gives too little to share
_ANOTHERS = 5  # content words that an answer shares with the message it was really written for
_ENCODED_TURNS = 4  # in a session: an encoding takes as long as all the rest for ten turns


def incoherent_turns(turns: Sequence[CritiqueTurn], encoder: TextEncoder | None = None) -> list[Problem]:
    """Return a problem for each answer that takes up nothing of its message.

    Good answers may share no word with a message: a joke, a thank-you, advice in general. So two signs are
    needed. The first is in the words: both texts are long, share no content word that the session does not use
    everywhere, and do not both carry on from the turn before. The second is in the meaning: the two are far
    apart, or the answer is much nearer to another message. Without an encoder, which is cruder, the answer must
    share many words with another message instead.

    Args:
        turns: the session.
        encoder: sentence vectors, asked for at most four turns of a session.
    """
    users = [frozenset(content_stems(turn.user)) for turn in turns]
    answers = [frozenset(content_stems(turn.assistant)) for turn in turns]
    common = _common(users + answers)
    problems = []
    doubtful: list[int] = []
    for place, turn in enumerate(turns):
        if not answers[place]:
            problems.append(Problem(turn_index=turn.turn_index, kind="incoherent", reason="the answer says nothing"))
            continue
        shared = (users[place] & answers[place]) - common
        if shared or min(len(users[place]), len(answers[place])) < _ENOUGH_WORDS:
            continue
        before = (users[place - 1] | answers[place - 1]) if place else frozenset()
        if len((before & answers[place]) - common) >= 2 and len((before & users[place]) - common) >= 2:
            continue  # both go on about the turn before
        doubtful.append(place)
    apart = []
    for place in doubtful if encoder is None else doubtful[:_ENCODED_TURNS]:
        counts = [(len((user & answers[place]) - common), -k) for k, user in enumerate(users) if k != place]
        most, other = max(counts, default=(0, -place))  # the first of the likeliest
        if encoder is None:
            belongs_elsewhere = most >= _ANOTHERS
        else:
            belongs_elsewhere = _is_far(turns[place], turns[-other].user if counts else None, encoder)
        if belongs_elsewhere:
            apart.append(place)
    reason = "the answer takes up nothing of the message"
    problems.extend(Problem(turn_index=turns[place].turn_index, kind="incoherent", reason=reason) for place in apart)
    return problems


def _is_far(turn: CritiqueTurn, other: str | None, encoder: TextEncoder) -> bool:
    """Whether an answer is far from its message in meaning, or not near and much nearer to the ``other`` message."""
    message, answer = encoder.encode([turn.user, turn.assistant])
    own = float(message @ answer)
    if own < _FAR_APART:
        return True
    return other is not None and own < _LOOSE and float(encoder.encode([other])[0] @ answer) - own > _NEARER


def _common(texts: Sequence[frozenset[str]]) -> frozenset[str]:
    """Return the stems of more than half of many texts: the session's subject and filler, no sign of an answer."""
    if len(texts) < 6:
        return frozenset()
    counts: dict[str, int] = {}
    for text in texts:
        for word in sorted(text):
            counts[word] = counts.get(word, 0) + 1
    return frozenset(word for word, count in counts.items() if count > len(texts) / 2)


_MY_IS: Final = re.compile(
    r"\b(?:my|our) (?P<what>(?:[\w']+ ){0,3}[\w']+) (?:is|are) (?:still |now |just |definitely |always |actually )?"
    r"(?P<value>(?:(?:a|an|the|my|called|named|in|at) )?[\w']+(?: [\w']+){0,3})"
)
_SINGLE: Final = re.compile(
    r"\b(?:favou?rite|name|home ?town|birthday|job|address|eldest|oldest|youngest|first|main|usual)\b"
)
_CHANGE: Final = re.compile(
    r"\b(?:now|changed?|changing|switch\w*|mov\w+|no longer|not any ?more|anymore|used to|instead|actually|"
    r"correct\w*|meant|"
    r"mistake|wrong|slip|sorry|new|since|these days|lately|rather|but|before|earlier|previously|turned|became|"
    r"given up|"
    r"gave up|dropped|stopped|started|until|mind|or|also|too|tied|one of|besides|another|wait|scratch|mixed)\b"
)
_LIKES: Final = re.compile(
    r"\bi (?:really |absolutely |just |truly |do |still |always )?(?P<verb>love|adore|like|enjoy|prefer|hate|"
    r"dislike|loathe|"
    r"detest|despise|can't stand|cannot stand|don't like|do not like|can't bear|never liked?|have never liked)"
    r" (?P<what>(?:[\w']+ ){0,3}[\w']+)"
)
_POSITIVE: Final = frozenset({"love", "adore", "like", "enjoy", "prefer"})
_OPPOSITES: Final = (
    (r"\bvegetarian\b|\bvegan\b|\bdon't eat (?:any )?meat\b",
    r"\bi (?:eat|had|ate|love|cooked) (?:[\w']+ ){0,4}(?:steak|beef|bacon|ham|pork|lamb chops?)\b"),
    (r"\bi(?:'m| am) an only child\b",
    r"\bmy (?:older |younger |little |big |twin )?(?:brother|sister)\b(?!-in-law)(?! in law)"),
    (r"\bi(?:'m| am) (?:single|not married)\b", r"\bmy (?:wife|husband)\b"),
    (r"\bi (?:don't|do not) (?:drink|touch) (?:any )?alcohol\b|\bi(?:'m| am) teetotal\b",
    r"\bi (?:drink|have|love|poured|enjoy) (?:[\w']+ ){0,4}(?:wine|beer|whisky|whiskey|gin)\b(?! bread| sauce)"),
    (r"\bi (?:don't|do not) have (?:any )?(?:pets|a pet)\b", r"\bmy (?:dog|cat|puppy|kitten|parrot|hamster)\b"),
    (r"\bi (?:can't|cannot|never learned to|never learnt to) (?:drive|ride a bike|swim)\b",
    r"\bi (?:drove|drive my|swam)\b"),
    (r"\bi live alone\b", r"\bmy (?:flatmates?|roommates?|housemates?)\b"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Claim:
    turn: int
    what: str
    value: frozenset[str]
    marked: bool


def contradictions(turns: Sequence[CritiqueTurn]) -> list[Problem]:
    """Return a problem for each turn that contradicts the user: in a later message, or in the answer to it."""
    problems: list[Problem] = []
    claims: list[_Claim] = []
    tastes: list[tuple[int, bool, frozenset[str]]] = []
    said_before = ""
    for turn in turns:
        reason = _against_claims(turn, claims) or _against_tastes(turn, tastes)
        for facts, against in _OPPOSITES:
            lowered = turn.user.replace("’", "'").lower()
            both = (re.search(facts, said_before) and re.search(against, lowered)) or (
                re.search(against, said_before) and re.search(facts, lowered)
            )
            if reason is None and both and not _CHANGE.search(lowered):
                reason = "the user says what cannot be true along with an earlier message"
        said_before += " " + turn.user.replace("’", "'").lower()
        reason = reason or _answer_against(turn)
        if reason is not None:
            problems.append(Problem(turn_index=turn.turn_index, kind="contradiction", reason=reason[:500]))
    return problems


def _against_claims(turn: CritiqueTurn, claims: list[_Claim]) -> str | None:
    found: str | None = None
    for sentence in analyse(turn.user).sentences:
        lowered = " ".join(sentence.words)
        for match in _MY_IS.finditer(lowered):
            what = " ".join(content_stems(match["what"]))
            value = frozenset(content_stems(match["value"]))
            if not what or not value or not _SINGLE.search(match["what"]) or sentence.is_question:
                continue
            if re.search(r"\b(?:not|n't|never|no)\b", match["value"]):
                continue
            marked = bool(_CHANGE.search(lowered))
            for claim in claims:
                differs = claim.what == what and not claim.value & value
                if differs and not marked and not claim.marked and found is None:
                    found = f"“{match.group()[:120]}” goes against what was said in turn {claim.turn}"
            claims.append(_Claim(turn.turn_index, what, value, marked))
    return found


def _against_tastes(turn: CritiqueTurn, tastes: list[tuple[int, bool, frozenset[str]]]) -> str | None:
    found: str | None = None
    for sentence in analyse(turn.user).sentences:
        lowered = " ".join(sentence.words)
        marked = bool(_CHANGE.search(lowered)) or sentence.is_question or " if " in f" {lowered} "
        for match in _LIKES.finditer(lowered):
            liked = match["verb"] in _POSITIVE
            what = frozenset(content_stems(match["what"]))
            if not what or marked:
                continue
            for place, other, thing in tastes:
                # Who loves green tea may hate tea with milk, but not tea: what is disliked must be no narrower.
                clash = thing <= what if liked else what <= thing
                if other != liked and clash and found is None:
                    found = f"“{match.group()[:120]}” is the opposite of what was said in turn {place}"
            tastes.append((turn.turn_index, liked, what))
    return found


_YOU: Final = re.compile(
    r"\b(?:since|as|because|given that|knowing that|now that|so|"
    r"remember(?:ing)? that)?\s*you (?P<verb>(?:really |always |"
    r"still |just )?(?:love|adore|like|enjoy|prefer|hate|dislike|don't like|do not like|can't stand|never liked?|"
    r"don't care for|don't enjoy|told me you (?:love|hate|like|dislike|don't like)))"
    r" (?P<what>(?:[\w']+ ){0,3}[\w']+)"
)


def _answer_against(turn: CritiqueTurn) -> str | None:
    """Return how the answer states the opposite of a taste that its message states, or None."""
    own: list[tuple[bool, frozenset[str]]] = []
    message = analyse(turn.user)
    names = people_named([message])
    for sentence in message.sentences:
        for match in _LIKES.finditer(" ".join(sentence.words)):
            own.append((match["verb"] in _POSITIVE, frozenset(content_stems(match["what"]))))
    for sentence in analyse(turn.assistant).sentences:
        lowered = " ".join(sentence.words)
        if sentence.is_question or re.search(r"\b(?:if|whether|may|might|could|some people)\b", lowered):
            continue
        for match in _YOU.finditer(lowered):
            liked = not re.search(r"hate|dislike|n't|not|never|stand", match["verb"])
            what = frozenset(content_stems(match["what"]))
            for user_liked, thing in own:
                if liked != user_liked and what and thing and (what <= thing or thing <= what):
                    return f"the answer says “{match.group().strip()[:120]}”, the user just said the opposite"
        problem = _denies_held(lowered, message.sentences, names) or _reversed_sides(sentence, message.sentences, names)
        if problem is not None:
            return problem
    return None


_DENIES: Final = re.compile(
    r"\byou(?:'ve|'re| have| are|r [\w']+ (?:is|was))? (?:[\w']+ ){0,2}?(?:no longer|never|not|don't|didn't|"
    r"aren't|can't|won't|"
    r"haven't|wouldn't|isn't|gave up|given up|stopped|dropped|quit) (?:(?!mind\b|need\b|have to\b|worry\b|"
    r"want to miss\b|only\b|"
    r"just\b|forget\b|miss\b|be\b|regret\b|sure\b|say\b|tell\b|know\b|alone\b)[\w']+ ){0,3}?"
    r"(?P<what>[\w']+(?: [\w']+){0,3})"
)


def _denies_held(lowered: str, said: Sequence[Sentence], names: frozenset[str]) -> str | None:
    """Return how the answer denies of the user what the message plainly holds, or None."""
    for match in _DENIES.finditer(lowered):
        denied = content_stems(match["what"])
        for place, own in enumerate(said):
            at = [i for i, stem in enumerate(own.stems) if stem and stem in denied]
            # One word in common is chance; a thing of one word must be said in a sentence of taste or fact.
            if len({own.stems[i] for i in at}) < min(2, len(set(denied))) or not at or own.is_question:
                continue
            # "I meant to bake. I stopped.": what is let go there or in the next sentence is not held.
            if any(_LETS_GO.search(" ".join(sentence.words)) for sentence in said[place : place + 2]):
                continue
            claim = re.search(r"\b(?:i|i'm|i've|my)\b", " ".join(own.words[: at[0]]))
            judged = stance(own, at[0], at[-1] + 1)
            held = judged.kind == "held" and judged.strength >= 0.7
            if claim and held and holder(own, at[0], at[-1] + 1, names) == SELF and not _HEDGED.search(lowered):
                return f"the answer denies what the user just said: “{match.group()[:120]}”"
    return None


_HEDGED: Final = re.compile(
    r"\b(?:if|unless|when|until|before|in case|make sure|so that|even when|next time|days|would|should|might|may)\b"
)
_LETS_GO: Final = re.compile(
    r"\b(?:no|not|never|none|nothing|neither|nor|[a-z]+n't|cannot|stop(?:ped|ping)?|quit(?:ting)?|gave|given|giving|"
    r"drop(?:ped|ping)?|let go|letting|cancel\w*|abandon\w*|dead|over|past|former\w*|meant|was|were|had|once|"
    r"used to|instead|against|without|hardly|anymore|decided|longer|behind|rid|ruled|shelved|scrapped|"
    r"thought|considered|almost|nearly)\b"
)
_SWAP: Final = re.compile(
    r"\b(?:from|instead of|rather than|no longer|not) (?P<old>(?:[\w']+ ){0,2}?[\w']+) (?:to|"
    r"but) (?P<new>(?:[\w']+ ){0,2}[\w']+)"
)


def _reversed_sides(sentence: Sentence, said: Sequence[Sentence], names: frozenset[str]) -> str | None:
    """Return how "from A to B" of the user is turned into "from B to A" by the answer, or None."""
    for match in _SWAP.finditer(" ".join(sentence.words)):
        old, new = frozenset(content_stems(match["old"])), frozenset(content_stems(match["new"]))
        if not old or not new or old & new:
            continue
        for own in said:
            kinds = {}
            for side, stems in (("old", old), ("new", new)):
                at = [i for i, stem in enumerate(own.stems) if stem in stems]
                if at and holder(own, at[0], at[0] + 1, names) == SELF:
                    kinds[side] = stance(own, at[0], at[-1] + 1)
            if (
                len(kinds) == 2
                and kinds["new"].kind == "left"
                and kinds["old"].kind == "held"
                and min(kinds["new"].strength, kinds["old"].strength) >= 0.95
            ):
                return f"the answer turns the change around: “{match.group()[:120]}”"
    return None
