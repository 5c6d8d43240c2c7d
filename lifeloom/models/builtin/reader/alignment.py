"""Alignment judgement: does the manner of a response suit the manner of the person who asks?

Big Five tendencies are read from style alone, with cues that studies of language and personality agree
on (Pennebaker and King 1999; Yarkoni 2010): social and positive words and exclamations with
extraversion, worry and negative emotion with neuroticism, order and duty with conscientiousness,
thanks and warmth against bluntness with agreeableness, imagination and insight with openness. The
response is read with the same measure, turned to how one speaks *to* such a person: a calming answer
suits the worried, steps suit the orderly.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lifeloom.models.builtin.reader.text import words_of
from lifeloom.models.protocol import TextEncoder
from lifeloom.tasks.alignment_judgement import AlignmentJudgementInput, AlignmentJudgementOutput

__all__ = ["Manner", "cue_weights", "judge_alignment", "manner", "score_alignment"]

TRAITS: Final = ("openness", "conscientiousness", "extraversion", "agreeableness", "neuroticism")


@dataclass(frozen=True, slots=True)
class Manner:
    """Signs of each trait in a text, about -1 (low) to 1 (high), 0 when nothing shows."""

    openness: float = 0.0
    conscientiousness: float = 0.0
    extraversion: float = 0.0
    agreeableness: float = 0.0
    neuroticism: float = 0.0

    def vector(self) -> tuple[float, ...]:
        """Return the five values in the order of ``TRAITS``."""
        return tuple(getattr(self, trait) for trait in TRAITS)


@dataclass(frozen=True, slots=True)
class _Cue:
    trait: str
    weight: float
    pattern: re.Pattern[str]


def _cue(trait: str, weight: float, *alternatives: str) -> _Cue:
    return _Cue(trait, weight, re.compile(r"(?<![\w'])(?:" + "|".join(alternatives) + r")(?![\w'])"))


_USER_CUES: Final = (
    _cue("openness", 1, r"imagin\w+", r"curious\w*", r"curiosity", r"wonder(?:ed|ing|s|ful)?",
         r"fascinat\w+", r"poetic\w*",
         r"poet\w*", r"idea\w*", r"what if", r"dream\w*", r"beaut\w+", r"inspir\w+", r"explor\w+", r"novel",
         r"strange\w*",
         r"unusual\w*", r"metaphor\w*", r"philosoph\w+", r"art(?:istic)?", r"creativ\w+", r"experiment\w*", r"as if",
         r"like a \w+", r"reminds me of", r"possibilit\w+", r"magic\w*", r"unexpected\w*", r"invent\w*",
         r"playful\w*",
         r"daydream\w*", r"universe", r"weird\w*", r"surreal"),
    _cue("openness", -1, r"tried and true", r"tried and tested", r"the usual", r"usual way", r"tradition\w*",
         r"practical\w*",
         r"nothing fancy", r"no[- ]nonsense", r"conventional", r"as always", r"stick to what", r"plain\w*",
         r"same as ever",
         r"the normal way", r"old[- ]fashioned", r"down to earth", r"straightforward\w*", r"familiar\w*",
         r"no frills",
         r"the standard", r"what works", r"keep it simple"),
    _cue("conscientiousness", 1, r"plan(?:s|ned|ning)?", r"schedul\w+", r"list\w*", r"organi[sz]\w+", r"deadline\w*",
         r"on time", r"in order", r"careful\w*", r"prepar\w+", r"thorough\w*", r"check(?:ed|ing|list)?",
         r"step by step",
         r"first(?:ly)?", r"second(?:ly)?", r"calendar\w*", r"spreadsheet\w*", r"budget\w*",
         r"detail(?:s|ed)?", r"tidy\w*",
         r"disciplin\w+", r"punctual\w*", r"systematic\w*", r"notes?", r"ahead of time",
         r"double[- ]check\w*", r"routine\w*",
         r"priorit\w+", r"finish\w*", r"precise\w*", r"exact\w*", r"track(?:ed|ing)?", r"label\w*"),
    _cue("conscientiousness", -1, r"whatever", r"last minute", r"last[- ]minute", r"forgot\w*",
         r"lost track", r"mess\w*",
         r"wing it", r"winging it", r"somehow", r"sort of", r"kinda", r"or something", r"no plan",
         r"late again", r"procrastin\w+",
         r"on a whim", r"can't be bothered", r"later maybe", r"some point", r"lazy", r"chaos", r"chaotic",
         r"haphazard\w*",
         r"or so", r"figure it out", r"all over the place", r"half[- ]finished", r"oops", r"never got round"),
    _cue("extraversion", 1, r"everyone", r"everybody", r"party", r"parties", r"friends", r"people",
         r"together", r"amazing",
         r"awesome", r"so excited", r"excit\w+", r"fun", r"can't wait", r"let's", r"great", r"fantastic",
         r"chat\w*", r"talk\w*",
         r"laugh\w*", r"loud\w*", r"crowd\w*", r"energy", r"wow", r"woo\w*", r"hey", r"tell everyone",
         r"love it", r"buzz\w*",
         r"gang", r"thrilled", r"guess what", r"brilliant", r"absolutely", r"totally"),
    _cue("extraversion", -1, r"quiet\w*", r"alone", r"by myself", r"on my own", r"silen\w+", r"solitude",
         r"keep to myself",
         r"in private", r"privately", r"small talk", r"crowds", r"rather not", r"peace", r"low[- ]key",
         r"stay in", r"staying in",
         r"no rush", r"reserved", r"not much to say", r"introvert\w*", r"briefly", r"calm", r"away from people"),
    _cue("agreeableness", 1, r"thank\w*", r"please", r"kind\w*", r"sorry", r"appreciat\w+", r"grateful\w*",
         r"lovely", r"sweet",
         r"hope you", r"no worries", r"if you don't mind", r"would you mind", r"gentle\w*", r"warm\w*",
         r"care", r"caring",
         r"help(?:ed|ing|ful)?", r"bless", r"happy to", r"glad", r"you're right", r"understand\w*",
         r"share\w*", r"generous\w*",
         r"thoughtful\w*", r"dear", r"when you have a moment"),
    _cue("agreeableness", -1, r"stupid\w*", r"idiot\w*", r"nonsense", r"ridiculous\w*", r"waste of time",
         r"don't care",
         r"annoy\w+", r"irritat\w+", r"hurry up", r"just answer", r"just tell me", r"wrong", r"useless",
         r"obviously", r"rubbish",
         r"pointless", r"frankly", r"skip the", r"cut the", r"spare me", r"get on with it",
         r"don't sugarcoat\w*", r"blunt\w*",
         r"not interested in", r"prove it", r"doubt (?:it|that)", r"convince me", r"so what", r"big deal",
         r"straight answer"),
    _cue("neuroticism", 1, r"worr\w+", r"anxious\w*", r"anxiety", r"nervous\w*", r"afraid", r"scared",
         r"stress\w*", r"panic\w*",
         r"overwhelm\w*", r"what if", r"fear\w*", r"dread\w*", r"sad(?:ly|ness)?", r"upset\w*",
         r"terribl\w+", r"awful\w*",
         r"can't sleep", r"lie awake", r"lying awake", r"tense", r"guilt\w*", r"embarrass\w+", r"go wrong",
         r"going wrong",
         r"too much", r"on edge", r"second[- ]guess\w*", r"keep thinking", r"messed up", r"hopeless\w*",
         r"cry\w*", r"doubt\w*",
         r"is that bad", r"am i", r"ugh", r"overthink\w*", r"uneasy", r"restless", r"my stomach"),
    _cue("neuroticism", -1, r"calm\w*", r"relax\w*", r"no worries", r"not worried", r"don't worry",
         r"doesn't bother me",
         r"no big deal", r"fine by me", r"all good", r"easy[- ]going", r"unbothered", r"steady",
         r"no stress", r"take it easy",
         r"it'll be fine", r"it will be fine", r"no problem", r"no drama", r"laid[- ]back", r"at ease",
         r"confident\w*", r"composed",
         r"works out", r"shrug\w*"),
)  # fmt: skip
# How one speaks to a person of each kind.
_RESPONSE_CUES: Final = (
    _cue("neuroticism", 1, r"don't worry", r"no need to worry", r"nothing to worry", r"no pressure",
         r"it's (?:okay|ok|alright|all right)",
         r"take your time", r"you're not alone", r"reassur\w+", r"gently", r"gentle", r"breath\w*",
         r"perfectly (?:normal|fine|okay)",
         r"completely (?:normal|understandable)", r"understandabl\w+", r"safe\w*", r"at your own pace",
         r"nothing (?:bad|terrible)",
         r"one small step", r"small steps?", r"can't go wrong", r"be kind to yourself", r"plan b",
         r"fallback", r"here for you",
         r"if anything goes wrong", r"even if it", r"undo", r"go back", r"calm\w*", r"no harm", r"worry",
         r"rest easy", r"steady"),
    _cue("neuroticism", -1, r"just do it", r"go for it", r"jump in", r"no big deal", r"simple as that",
         r"no fuss", r"dive in",
         r"high stakes", r"risk\w*", r"bold\w*", r"why wait", r"throw yourself", r"push yourself",
         r"challenge yourself"),
    _cue("conscientiousness", 1, r"first", r"second", r"then", r"next", r"finally", r"step \w+", r"steps?",
         r"checklist\w*",
         r"schedul\w+", r"by (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)", r"deadline\w*",
         r"in order",
         r"exact\w*", r"track\w*", r"note (?:down|it)", r"write down", r"calendar\w*", r"review\w*",
         r"minutes", r"set aside",
         r"thorough\w*", r"plan(?:s|ned|ning)?", r"organi[sz]\w*", r"confirm\w*", r"priorit\w*",
         r"precise\w*", r"systematic\w*"),
    _cue("conscientiousness", -1, r"whatever", r"see what happens", r"see how it goes", r"no plan",
         r"wing it", r"go with the flow",
         r"play it by ear", r"spontaneous\w*", r"whim", r"when(?:ever)? you feel like", r"improvis\w*", r"loose\w*",
         r"no need to plan", r"figure it out", r"mood", r"roughly", r"more or less", r"or so",
         r"don't overthink", r"on the fly"),
)  # fmt: skip

_BASELINE: Final = Manner(openness=0.25, conscientiousness=0.45, extraversion=0.35, agreeableness=0.6, neuroticism=0.0)
"""What neutral messages to an assistant show: people plan, say please, and mention friends whoever they are."""
_RESPONSE_BASELINE: Final = Manner(openness=0.1, conscientiousness=0.1, extraversion=0.0, agreeableness=0.25)

_MIN_CUES = 2.0
"""Below this many cues a trait of a text counts as not shown."""


@functools.lru_cache(maxsize=20_000)
def _counts(text: str, response: bool) -> tuple[tuple[float, float], ...]:
    """Return (high, low) cue weight for each trait in ``text``."""
    lowered = text.replace("’", "'").lower()
    totals = {trait: [0.0, 0.0] for trait in TRAITS}
    replaced = {"neuroticism", "conscientiousness"} if response else set()
    cues = [cue for cue in _USER_CUES if cue.trait not in replaced] + (list(_RESPONSE_CUES) if response else [])
    for cue in cues:
        found = len(cue.pattern.findall(lowered))
        totals[cue.trait][0 if cue.weight > 0 else 1] += found * abs(cue.weight)
    exclamations = lowered.count("!")
    words = max(1, len(words_of(text)))
    totals["extraversion"][0] += 1.2 * min(exclamations, 4)
    if not exclamations and words > 25 and not response:
        totals["extraversion"][1] += 0.6
    hedges = len(re.findall(r"(?<!\w)(?:maybe|perhaps|i guess|i suppose|not sure|might|i'm afraid)(?!\w)", lowered))
    if not response:
        totals["neuroticism"][0] += 0.5 * hedges
        totals["neuroticism"][0] += 0.7 * lowered.count("...") + 0.7 * lowered.count("…")
        numbers = len(re.findall(r"\b\d{1,2}(?::\d\d)?\b", lowered))
        totals["conscientiousness"][0] += 0.2 * min(numbers, 4)
    return tuple((high, low) for high, low in (totals[trait] for trait in TRAITS))


def cue_weights(texts: Sequence[str], *, response: bool = False) -> tuple[tuple[float, float], ...]:
    """Return the weight of cues for the high and the low end of each trait in ``texts``, about 1 a cue."""
    counted = [_counts(text, response) for text in texts]
    return tuple(
        (sum(one[trait][0] for one in counted), sum(one[trait][1] for one in counted)) for trait in range(len(TRAITS))
    )


def manner(texts: Sequence[str], *, response: bool = False) -> Manner:
    """Return the signs of each trait in ``texts``: as a person's own words, or as a response to a person.

    A trait is the share of high over low cues beyond what neutral texts show, drawn to 0 when few are seen.
    """
    neutral = (_RESPONSE_BASELINE if response else _BASELINE).vector()
    values = {}
    for trait, usual, (high, low) in zip(TRAITS, neutral, cue_weights(texts, response=response), strict=True):
        values[trait] = (high - low - usual * (high + low)) / (high + low + _MIN_CUES)
    return Manner(**values)


def score_alignment(task_input: AlignmentJudgementInput, encoder: TextEncoder | None = None) -> float:
    """Return the log-odds that the response suits the user; 0 for an empty context, where nothing can be known."""
    said = [message.text for message in task_input.context if message.role == "user"]
    if not said:
        return 0.0
    del encoder  # style lies in function words and punctuation, which sentence vectors of topics do not keep
    recent = said[-max(6, len(said) // 2) :]  # personality may drift: the later half weighs twice
    whole, late = manner(said), manner(recent)
    answer = manner([task_input.response], response=True)
    total = 0.0
    for user_all, user_late, shown in zip(whole.vector(), late.vector(), answer.vector(), strict=True):
        total += math.tanh(3 * (user_all + 2 * user_late) / 3) * math.tanh(2 * shown)
    return 4.0 * total


def judge_alignment(
    task_input: AlignmentJudgementInput, encoder: TextEncoder | None = None
) -> AlignmentJudgementOutput:
    """Say whether the manner of the response suits the user.

    With an empty context the answer is yes, by a stated prior: an assistant that has not heard its
    user yet has no reason to find fault with a manner.
    """
    return AlignmentJudgementOutput(verdict="yes" if score_alignment(task_input, encoder) >= 0 else "no")
