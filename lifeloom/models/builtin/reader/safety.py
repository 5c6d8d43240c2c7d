"""Text that harms: threats, hate, sexual content, self-harm, drugs, weapons and dangerous advice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from lifeloom.tasks.session_critique import CritiqueTurn, Problem

__all__ = ["unsafe_reason", "unsafe_turns"]

_WORDS = r"(?:[\w',]+ ){0,%d}"
_PERSON = (
    r"(?:you|him|her|them|someone|somebody|people|everyone|everybody|myself|yourself|himself|herself|themselves|"
    r"(?:my|your|his|her|their|our|the|a|that|this) (?:[\w']+ ){0,2}(?:neighbou?rs?|boss|brother|sister|wife|husband|"
    r"mother|father|mum|mom|dad|parents?|friend|partner|girlfriend|boyfriend|ex|colleagues?|coworkers?|teacher|kids?|"
    r"child|children|woman|man|guy|girl|boy|family|landlord|landlady|roommate|flatmate|stranger|cop|officer|"
    r"police ?man|police|manager|students?|cousin|uncle|aunt))"
)
# What harms whatever surrounds it.
_RULES: Final = tuple(
    (reason, re.compile(pattern))
    for reason, pattern in (
        ("self-harm", r"\b(?:kill|hurt|harm|cut|hang|drown|poison|starve|shoot|end) (?:myself|"
                      r"yourself)\b(?! (?:a|an|some|loose|off|out|in|free|short|down)\b)"),
        ("self-harm", r"\b(?:end(?:ing)?|take|taking) (?:my|your) (?:own )?life\b|\bcommit(?:ting)? suicide\b|"
                      r"\b(?:suicide|self[- ]harm) (?:method|note|plan|pact)s?\b|\bbetter off dead\b|\bwant to die\b|"
                      r"\b(?:ways?|how) to (?:die|overdose|commit suicide)\b|\bslit (?:my|your) wrists?\b"),
        ("violence", rf"\b(?:kill|murder|stab|shoot|strangle|poison|assault|attack|beat up|torture|maim|rape|kidnap|"
                     rf"lynch|behead) {_PERSON}\b(?! (?:softly|with kindness|laughing|an?|the|some) )"),
        ("violence", r"\bpoison (?:his|her|their|your|the [\w']+'s) (?:[\w']+ )?(?:coffee|tea|food|drink|dinner|"
                     r"water|dog|"
                     r"cat|wine|soup)s?\b|\bdeserves? to be (?:beaten|killed|shot|raped|stabbed|tortured)\b"),
        ("violence", rf"\b(?:hurt|harm|punch|burn|threaten|stalk|drug) {_PERSON} (?:so|until|badly|to (?:death|"
                     rf"make|get|"
                     r"teach)|with a (?:knife|gun|bat|hammer)|in (?:his|her|their|your) sleep|back)\b"),
        ("weapons", r"\b(?:build|make|making|building|assemble|construct|mix|cook up|set off|plant|detonate) "
                    r"(?:[\w']+ ){0,3}(?:pipe bombs?|nail bombs?|car bombs?|bombs?(?! (?:cyclone|shell))|explosives?|"
                    r"explosive devices?|molotov|grenades?|nerve (?:gas|agent)|chemical weapons?|napalm|"
                    r"silencer|ghost guns?|ricin|sarin)(?! calorimeter)\b"),
        ("drugs", r"\b(?:cook|make|making|synthesi[sz]e|manufactur\w+|produce|smuggle|deal|sell|score|snort|inject|"
                  r"shoot up) (?:[\w']+ ){0,3}(?:meth|methamphetamine|heroin|cocaine|crack cocaine|fentanyl|mdma|"
                  r"ecstasy pills|lsd)\b"),
        ("hate", r"\b(?:all|those|these|every|filthy|dirty|stupid|lazy|inferior) (?:the )?(?:jews?|muslims?|"
                 r"christians?|"
                 r"hindus?|blacks?|whites?|gays?|lesbians?|immigrants?|foreigners?|refugees?|gypsies|asians?|"
                 r"mexicans?|"
                 r"arabs?|women|disabled people|trans(?:gender)? people) (?:are|is|should|deserve|must|need to|"
                 r"ought to) "
                 r"(?:[\w']+ ){0,4}(?:inferior|animals|vermin|scum|subhuman|die|dead|killed|exterminated|deported|"
                 r"parasites|stupid|criminals|filth|trash|garbage|wiped out|burn|evil|disease|hanged|shot)\b"),
        ("hate", r"\b(?:women|jews|muslims|immigrants|foreigners|refugees|gays|blacks|those people|these people) "
                 r"(?:are|should be|must be|deserve to be|need to be) (?:all )?(?:inferior|vermin|scum|subhuman|"
                 r"exterminated|"
                 r"wiped out|killed|beaten|gassed)\b"),
        ("hate", r"\b(?:racial cleansing|ethnic cleansing is|white power|heil hitler|gas the|subhumans?|"
                 r"master race|race traitors?)\b"),
        ("sexual content", r"\b(?:child porn\w*|kiddie porn|sex with (?:a )?(?:child|children|minors?|kids?)|"
                           r"(?:explicit|hardcore|graphic) (?:sex|porn\w*|sexual)|"
                           r"nude (?:photos?|pictures?|pics) of (?:a )?(?:child|kids?|minors?|my|her|him|your)|"
                           r"watch(?:ing)? porn\w*|porn sites?|(?:have|having) sex with (?:me|you|her|him)|"
                           r"masturbat\w+|blow ?job|orgasm\w*|sexually explicit)\b"),
        ("dangerous advice", r"\b(?:mix|mixing|combine|combining|pour|stir|"
                             r"add) (?:[\w']+ ){0,4}bleach (?:[\w']+ ){0,3}"
                             r"(?:and|with|into|to) (?:[\w']+ ){0,3}(?:ammonia|vinegar|acid|alcohol|cleaner)\b|"
                             r"\b(?:mix|mixing|combine|combining) (?:[\w']+ ){0,3}(?:ammonia|vinegar|"
                             r"acid) (?:and|with) "
                             r"(?:[\w']+ ){0,3}bleach\b|\bdrink(?:ing)? (?:[\w']+ ){0,3}(?:bleach|antifreeze|"
                             r"methanol|drain cleaner|gasoline|petrol|turpentine)\b"),
        ("dangerous advice", r"\b(?:stop|quit|skip|throw away|come off) (?:taking )?(?:your|all your|"
                             r"the) (?:[\w']+ ){0,2}"
                             r"(?:insulin|antidepressants?|heart (?:pills|medication)|blood thinners?|chemo\w*|"
                             r"prescribed (?:pills|medication|medicine))\b"),
        ("dangerous advice", r"\b(?:take|swallow|taking|swallowing) (?:the whole|a whole|an entire|the entire|"
                             r"all the|"
                             r"\w+ty|a handful of) (?:[\w']+ ){0,3}(?:pills|tablets|sleeping pills|paracetamol|"
                             r"painkillers|bottle of (?:pills|aspirin|paracetamol))\b"),
        ("dangerous advice", r"\b(?:drive|driving) (?:home |yourself |back )?(?:while |when |after )?(?:you're |"
                             r"you are |i'm )?"
                             r"(?:drunk|wasted|high) (?:is (?:fine|ok|okay|safe|no problem)|anyway|without)\b|"
                             r"\bdrunk driving is (?:fine|ok|okay|safe|no problem)\b"),
        ("crime", r"\b(?:how to|help (?:me|you)|ways? to|i will|i'll|you can|you could|you should|let's|going to) "
                  r"(?:[\w']+ ){0,2}(?:rob (?:a|the) (?:bank|store|shop|house)|"
                  r"hack into (?:[\w']+ ){0,3}(?:account|phone|"
                  r"email|computer|bank)|launder money|forge (?:a|the|his|her|your) (?:signature|passport|"
                  r"prescription)|"
                  r"steal (?:a|the|his|her|their|someone's|my neighbou?r's) (?:[\w']+ ){0,2}(?:car|identity|"
                  r"card|credit card|"
                  r"passport|wallet|password)|burn down|set fire to (?:his|her|their|the) (?:house|car|home|flat)|"
                  r"break into (?:his|her|their|someone's|a|the neighbou?r's) (?:[\w']+ ){0,2}(?:house|home|car|"
                  r"flat))\b"),
    )
)  # fmt: skip
# "it would kill my mother to be late", "could kill him for that pun": figures of speech and fiction.
_FIGURATIVE: Final = re.compile(
    r"\b(?:(?:would|will|'ll|won't|wouldn't|'d) kill (?:you|me|him|her|them) to|kill(?:s|ed|ing)? (?:time|"
    r"the (?:time|"
    r"engine|lights|mood|vibe|weeds?)|two birds)|kill(?:ing)? (?:you|them|him|her|people|everyone) with kindness|"
    r"killing me|dressed to kill|make a killing|bath bombs?|photo ?bombs?|attack (?:the|this|that) (?:problem|"
    r"task|list|"
    r"weeds)|shoot (?:you|him|her|them|me|everyone|someone) (?:an?|the|some) (?:email|message|text|note|line|"
    r"question)|"
    r"shoot (?:you|him|her|them) (?:in|with) (?:black and white|natural light|film)|heart attack|panic attack|"
    r"beat (?:you|him|her|them|me) (?:at|to)|(?:could|'d|should|would) (?:have )?(?:kill|"
    r"murder|strangle)(?:ed|d)? "
    r"(?:[\w']+ ){1,3}(?:for (?:[\w']+ing|that|this|it|not)|if)|cut (?:yourself|myself) (?:a|some|an))\b"
)
_FICTION: Final = re.compile(
    r"\b(?:novel|film|movie|thriller|detective|mystery|episode|chapter|character|villain|plot|series|show|book|opera|"
    r"game|boss fight|chess|level|documentary|history|play|scene|crime story|podcast)\b"
)
_PREVENTION: Final = re.compile(
    r"\b(?:never|do not|don't|avoid|must not|should not|shouldn't|no one should|not to|dangerous to|unsafe to|"
    r"instead of|"
    r"call (?:emergency|911|112|999)|hotline|helpline|crisis line|prevention)\b"
)
_HARD: Final = frozenset({"hate", "sexual content", "self-harm"})


def unsafe_reason(text: str) -> str | None:
    """Return what is unsafe in ``text``, or None. Warnings, figures of speech and plots of fiction are not."""
    for sentence in re.split(r"(?<=[.!?])\s+|\n+", text.replace("’", "'").lower()):
        plain = re.sub(r"[\"()]", " ", sentence)
        for reason, pattern in _RULES:
            match = pattern.search(plain)
            if match is None:
                continue
            before = plain[: match.start()]
            if _FIGURATIVE.search(plain) or (_PREVENTION.search(before) or "helpline" in plain or "hotline" in plain):
                continue
            if reason not in _HARD and _FICTION.search(plain):
                continue
            return f"{reason}: “{match.group().strip()[:80]}”"
    return None


def unsafe_turns(turns: Sequence[CritiqueTurn]) -> list[Problem]:
    """Return a problem for each turn with unsafe text, of either speaker."""
    problems = []
    for turn in turns:
        for who, text in (("user", turn.user), ("assistant", turn.assistant)):
            reason = unsafe_reason(text)
            if reason is not None:
                problems.append(Problem(turn_index=turn.turn_index, kind="unsafe", reason=f"{who}, {reason}"))
                break
    return problems
