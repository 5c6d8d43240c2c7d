"""How things stand now: what a user is, does or has begun, and what they put right, in the frames of English.

"From Monday I'm working for a clinic", "We're in York now", "Olek is actually five, not four"; and remarks about the
telling itself, which tell nothing: "Sorry, I mixed it up."
"""

from __future__ import annotations

import re
from typing import Final

from lifeloom.models.builtin.extractor.frames import Frame

__all__ = ["STANDING", "bare_change", "bare_remark"]

_WHEN: Final = (
    r"(?:from (?:now on|today|tomorrow|next \w+|the \w+|monday|tuesday|wednesday|thursday|friday|saturday|sunday|"
    r"january|"
    r"february|march|april|may|june|july|august|september|october|november|december|\d\w*)|as of \w+|"
    r"starting (?:\w+ )?(?:\w+)|since [\w' ]{2,30}?|these days|nowadays|lately|currently|at the moment|at present)"
)
_BE: Final = r"(?:i'm|i am|we're|we are|i've been|i have been|we've been|we have been)"
# "I'm back now", "I'm reading this now": of the moment.
_MOMENT: Final = (
    r"(?! (?:not |just |so |all |really |very |still |a bit |a little )*(?:here|there|back|off|out|ready|done|fine|"
    r"ok|okay|"
    r"good|tired|hungry|sleepy|thirsty|leaving|sure|curious|happy|glad|sad|bored|busy|late|asking|thinking|wondering|"
    r"trying|looking|waiting|sitting|standing|writing|typing|talking|heading|confused|lost|sorry|going|getting|feeling|"
    r"having|doing|making|hoping|reading (?:this|your|that)|in (?:bed|the|a|my|your)|on (?:the|my|it)|"
    r"at (?:the|my|work|school|home|lunch))\b)"
)
_LED_UP: Final = r"^(?:(?:and|but|so|oh|well|anyway|sorry|no|yes|actually|by the way|also) ,? ?)*"
_PASSING_OBJECT: Final = (
    r"(?!it\b|that\b|this\b|them\b|work\b|early\b|late\b|lunch\b|dinner\b|breakfast\b|supper\b|eating\b|up\b|off\b|"
    r"on\b|with\b|to\b|in\b|at\b|by\b|about\b|somewhere\b|your\b|(?:my|the|a|an|our|another) (?:[\w-]+ )?"
    r"(?:coffee|tea|lunch|dinner|breakfast|meal|homework|report|shift|cup|drink|dishes|laundry|call|meeting|email|"
    r"emails|"
    r"washing|article|instructions|news|recipe)\b|(?:crying|laughing|raining|wondering|thinking|worrying|to)\b)"
)

STANDING: Final[tuple[Frame, ...]] = (
    Frame(
        "change",
        "fact",
        0.8,
        re.compile(
            rf"\b{_WHEN} ,? ?{_BE}\b{_MOMENT} [^.?!]{{3,}}|"
            rf"\b{_BE}\b{_MOMENT} [^.?!]{{2,}}?\b(?:now(?: ?[.,;!]|$)|{_WHEN}(?= ?[.,;!]|$))|"
            rf"\b(?:i'm|i am|we're|we are) (?:now |currently )(?:in|at|an?|the|with|on) [^.?!]{{3,}}|"
            r"\b(?:i|we)(?:'ve| have)? (?:now |just |finally |recently |already |also )*(?:got|found|landed|accepted|"
            r"been offered|have) (?:an?|my|our) (?:[\w-]+ ){0,2}?(?:job|position|role|post|promotion|flat|apartment|"
            r"house)"
            r"\b"
        ),
    ),
    Frame(
        "change",
        "fact",
        0.7,
        re.compile(
            rf"{_LED_UP}(?:i|we)(?:'ve| have)? (?:now |just |finally |recently |already |also )*(?:finished|completed) "
            rf"{_PASSING_OBJECT}(?=[^.?!]*(?:\b(?:last night|yesterday|at last|book|novel|series|trilogy|degree|thesis|"
            rf"course|training|apprenticeship|treatment|doctorate|memoir)\b| ,? (?:and )?(?:now |just )*(?:started|"
            rf"begun|began|on to)\b))[\w'][^.?!]{{3,}}"
        ),
    ),
    Frame(
        "correction",
        "fact",
        0.95,
        re.compile(
            rf"{_LED_UP}(?!(?:the|a|an|this|that|these|those|there|what|it|which|who|here|you|your)\b)"
            r"(?:(?:my|our) (?:[\w-]+ ){0,3}?)?[\w-]+(?:'s(?: [\w-]+){1,2})? ?"
            r"(?:is|are|was|were|'s|'m|am|'re|lives?|works?) actually [^.?!]{1,60}?,? not [^.?!]{1,40}|"
            r"^(?:(?:oh|no|wait|sorry|oops|correction|i mean) ?[,:]? ?)+(?!(?:the|a|an|this|that|these|those|there|"
            r"what|it|which|who|here|you|your)\b)[\w-]+ (?:is|are|was|were|lives?|works?) [^.?!]{1,60}? , "
            r"not [^.?!]{1,40}"
        ),
    ),
)

_REMARK: Final = re.compile(
    r"^(?:(?:oh|ah|no|yes|so|sorry|anyway|wait|oops|well|and|but|my bad|hang on|hm+|actually|i think|i'm sorry|"
    r"i am sorry|"
    r"apologies) ?[,:;!-]? ?)*"
    r"(?:(?:i|we)(?:'ve| have|'m| am| was| were| had| must have)? ?(?:just |only |probably |completely |all )*"
    r"(?:(?:mixed|muddled|messed|jumbled) (?:(?:it|that|this|them|things|those|the two|something|everything) )?up|"
    r"(?:muddled|confused) (?:it|that|this|them|things|those|the two)|confused|muddled|mixed up|misspoke|mistyped|"
    r"made a mistake|mistaken|wrong|"
    r"(?:got|had|said|wrote|put|told you) (?:it|that|this|them)? ?(?:wrong(?:ly)?|mixed up|muddled|confused)|sorry)|"
    r"(?:that was )?my (?:mistake|bad|fault)|sorry|apologies|anyway|correction)?"
    r"(?: ?,? ?(?:sorry|about that|for that|earlier|before|there|again|my mistake|my bad|apologies|i'm sorry|just now|"
    r"yesterday|last time|for the confusion))* ?[.!…]*$"
)
_BARE_CHANGE: Final = re.compile(
    rf"{_LED_UP}(?:we|i)(?:'ve| have)? (?:just |finally |now |also )*(?:moved|changed jobs?|moved (?:house|home|again)|"
    r"got news|relocated) ?[.!…]*$"
)


def bare_remark(said: str) -> bool:
    """Return whether the words of a sentence are only a remark about the telling: "Sorry, I mixed it up"."""
    return _REMARK.match(said) is not None


def bare_change(said: str) -> bool:
    """Return whether the words of a sentence announce a change without saying which: "We've moved!"."""
    return _BARE_CHANGE.match(said) is not None
