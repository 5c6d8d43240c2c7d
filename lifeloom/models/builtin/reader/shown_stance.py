"""Everyday ways to say of something shown that it is new, over, not one's own taste, or somebody else's.

A sentence that points to a picture is about that one thing, so these are looked for in all of it.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["DENIES", "ENDS", "FROM_OTHERS", "HOLDS_ON", "REPLACES", "WEIGHS"]


def _any(*alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(alternatives)})")


_IT = r"(?:it|this|that|them|these|those|this one|that one)"

REPLACES: Final = _any(
    r"(?:have|has|had|is|got|found|with|a|my) (?:a )?new\b(?! year)",
    r"(?:somebody|someone|something) (?:new|different)\b",
    r"(?:swap|replace|exchang|trad|chang)\w* .*\b(?:for|by|with|to)\b", r"instead\b", r"in place of",
    r"taken over", r"took over", r"takes over", r"(?:taken|took|takes) (?:its|his|her|their|the|over the) place",
    r"(?:used to|former|formerly|previous|previously|old|once|before)\b.*\b(?:now|this|these days|"
    r"today)\b.*\b(?:is|it's|has|have)\b",
    r"(?:used to|there used to).*\bnow\b", r"no longer\b.*\b(?:but|now|this)\b",
    r"(?:have|has|i've|we've|things have) moved on",
    r"(?:this|these|i|it|pick|chose|choose|is)\b.*\bwhere i used to\b", r"a different\b", r"different from",
    r"now it(?:'s| is)",
    r"from now on", r"new chapter", r"as of (?:late|now|today)", r"nowadays", r"(?:made|was|is) a mistake",
    r"(?:mistaken|misspoke|wrong (?:one|picture|photo|shot|file|thing))\b.*\b(?:this|here|right)", r"correction",
    r"(?:put|set|putting|setting) (?:that|this|it|things) right", r"i should have (?:sent|shown|picked)",
    r"(?:meant|wanted) to (?:send|show)",
    r"(?:correct|right|true|real|actual|proper) (?:one|picture|photo|shot)\b", r"this is (?:correct|right|the right)",
    r"(?:have|has|i've|we've) switched", r"switched (?:to|over)", r"turned to this", r"gave way to",
    r"after (?:years|months|weeks) of",
    r"successor", r"since (?:last|this) (?:week|month)",
)  # fmt: skip
"""What is shown takes the place of something before."""

ENDS: Final = _any(
    rf"(?:gave|given|giving|give) (?:up\b|{_IT} up\b)", rf"(?:let|letting|lets) {_IT} (?:go|be|drop)\b",
    r"dropp(?:ed|ing)\b",
    r"decid\w+ (?:against|not)\b", r"nothing (?:came|comes|will come|has come)\b", r"(?:came|come|comes) to nothing",
    r"(?:fell|fallen) through",
    r"thought better", r"chang\w+ my mind", r"back(?:ed|ing) out",
    rf"(?:sent|took|taken|take|brought|gave|given) {_IT} back",
    r"(?:sent|went|going|gone) back\b", r"(?:has |have )?failed\b",
    r"(?:that's|it's|is|was|are|were|that is|it is) (?:off|over|dead|history|past)\b",
    r"(?:was|were|been) (?:going|about|planning|meaning|hoping|thinking|tempted|set|close|ready|due|meant|"
    r"supposed) to\b",
    r"had (?:planned|meant|hoped|intended|wanted)\b",
    r"(?:once|first) (?:meant|planned|wanted|hoped|thought|intended|had)\b",
    r"no longer\b", r"any ?more\b", r"any longer\b", r"used to\b", r"buried\b", r"scrapp?ed\b", r"shelved\b",
    r"abandon\w*",
    r"cancel\w*", r"call\w* off", r"stopped\b(?! dead)", r"quit\b", r"(?:finished|done|through) with\b",
    r"over for good",
    r"in the past\b", r"behind me\b", rf"put {_IT} (?:aside|away|down)\b", r"talk\w* (?:me|myself) out of",
    r"almost\b", r"nearly\b",
    r"came to my senses", r"never (?:happened|came|became)", r"ruled out", r"off the table", r"left behind",
    r"outgr[eo]wn?\b",
    r"grown out", r"gone off", r"went off", r"tired of", r"fed up", r"bored (?:of|with|by)", r"had enough",
    r"retired\b", r"goodbye\b",
    r"farewell\b", r"(?:wasn't|weren't|isn't) (?:to|meant to) be\b",
    r"and (?:won't|will not|it won't|didn't|never did)\b",
    r"(?:was|were) (?:once )?my (?:plan|idea|dream|intention|hope|first)",
    r"for a while\b.*\b(?:but|then|and|until)\b",
    r"let go of\b", r"(?:struck|strike|cross\w*|took|taken) .*\b(?:off|out)\b", r"off (?:my|the) list",
    r"until (?:i|it|we)\b", r"(?:played|toyed|flirted|play|toy) with", r"passing fancy", r"passing phase",
    r"short[- ]lived", r"experiment\b", r"parted with",
    r"threw", r"wash\w* my hands", r"moved away from",
    r"lost (?:interest|the taste|my taste)",
)  # fmt: skip
"""What is shown was so, or was planned, and is no longer."""

DENIES: Final = _any(
    r"(?:it|this|that|here|there|one|which|these|those|he|she)(?:'s| is| was| are| were)? (?:[\w']+ )?(?:not|"
    r"never|isn't|wasn't|aren't|"
    r"weren't)\b(?! (?:just|only|the first|bad|far|much|without))",
    r"(?:simply|really|just|certainly|definitely) (?:isn't|not|doesn't)\b",
    r"not (?:what|where|how|the one|the place|the colou?r|who|my|mine|for me|to my taste)\b",
    r"(?:i|we)(?:'d|'ll)? (?:[\w']+ )?(?:don't|didn't|won't|wouldn't|never|do not|did not|will not|would not|"
    r"can't stand|cannot stand) "
    r"(?:[\w']+ ){0,3}(?:go|come|do|use|want|like|buy|take|wear|choose|pick|keep|need|care|spend|it|this|that|"
    r"here|there|these|those|one)\b"
    r"(?! without)",
    r"you (?:won't|will not|never|don't) (?:[\w']+ )?(?:see|find|meet|catch|spot) me", r"(?:said|say|saying) no\b",
    rf"turn\w* {_IT} down", r"refused?\b", r"declined?\b", r"passing by", r"pass(?:ed)? (?:on|over)\b",
    r"no thanks?\b", r"contrary to\b",
    r"whatever (?:they|people|anyone|anybody)", r"wrongly\b", r"people (?:still )?think", r"tak\w* me for",
    r"misunderst\w*", r"rumou?rs?\b",
    r"not (?:this|these|that|here|there)\b",
    r"not true", r"untrue", r"by mistake", r"isn't me\b", r"not me\b", r"nothing to do with", r"far from\b",
    r"anything but\b",
    r"(?:couldn't|could not) be (?:further|less|more wrong)", r"the opposite of", r"rather not\b",
    r"no (?:wish|desire|interest|need|intention)\b",
)  # fmt: skip
"""What is shown is not so."""

HOLDS_ON: Final = _any(
    r"(?:can't|cannot|can not|couldn't|could not|never) (?:[\w']+ ){0,2}(?:stop|resist|get enough|help|wait|"
    r"tire|take my eyes|get (?:it|this|that) "
    r"out|let go|forget|do without|live without|imagine|part)\b",
    r"(?:don't|do not|wouldn't|won't|never) (?:[\w']+ ){0,2}(?:mind|miss|skip|tire|regret|swap|trade|"
    r"give (?:it|this|that) up|change|need anything else|"
    r"want anything else|get tired|fail)\b",
    r"no (?:wonder|doubt|question|surprise)", r"nobody (?:has|needs|had) to",
    r"nothing (?:but|beats|like|better|compares)", r"not only", r"why not",
)  # fmt: skip
"""A negation that holds on to what is shown."""

WEIGHS: Final = _any(
    r"consider\w*", r"thinking (?:of|about)", r"thought (?:of|about)", r"might\b", r"maybe\b", r"perhaps\b",
    r"wondering (?:about|whether|if)", r"torn\b",
    r"tempt\w*", r"toy\w* with", r"not sure", r"undecided", r"weigh\w* up", r"what about", r"how about",
    r"should i\b", r"could be\b",
)  # fmt: skip
"""What is shown is only considered."""

FROM_OTHERS: Final = _any(
    r"(?:got|received|have|had|comes?|came|sent|borrowed|is|'s) (?:to me |me |one |imgmark |"
    r"picture )*(?:this |it |that |one |these )?(?:picture |photo )?"
    r"(?:by|from) (?!the\b|a\b|our\b|here\b|now\b|my (?:album|phone|trip|room|window|walk|desk|collection))",
    r"(?:sends?|sent|showed|shows|texted|forwarded|gave|gives|lent) (?:me|us)\b", r"belongs? to\b",
    r"(?:found|saw|spotted|seen|met|caught|watched) .*\b(?:of|at|with)\b",
)  # fmt: skip
"""What is shown comes from somebody else, or was met with them."""
