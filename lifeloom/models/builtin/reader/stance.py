"""What a sentence says of a thing it names: held, denied, left behind, only considered.

A mention is judged by what stands directly before and after it, within its clause where the cue is a
negation and within the sentence where it is a construction with two sides ("from A to B").
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from lifeloom.models.builtin.reader.text import Sentence

__all__ = ["Stance", "StanceKind", "commitment_to_antecedent", "ends_it", "stance"]

StanceKind = Literal["held", "denied", "left", "tentative"]
"""denied: not the case. left: was the case, or was planned, and is no longer."""


@dataclass(frozen=True, slots=True)
class Stance:
    """Kind and strength (0 to 1) of what is said of a mention."""

    kind: StanceKind
    strength: float


# Filler words: no punctuation, and no start of another statement.
_FILLER = (
    r"(?:(?!(?:i|i'm|i've|i'll|we|he|she|they|but)\b|and (?:now |then )?(?:\w+ed|took|bought|got|went|found|"
    r"began|have|"
    r"am|chose|put|made|built|signed|on|onto|into|in|to)\b)[\w']+ )"
)
_F2, _F4, _F6 = (rf"{_FILLER}{{0,{n}}}" for n in (2, 4, 6))
_G8 = r"(?:\S+ ){0,8}"
_G4 = r"(?:\S+ ){0,4}"  # filler, punctuation too
_WAS = r"(?:was|were|is|'s|has been|had been)"
_DROP = (
    r"(?:binn\w+|bin|axed|junked|nixed|hung up|hang\w* up|packed in|retired from|swor[en]* off|swear\w* off|"
    r"cut\w* out|kick\w* the|gave up|"
    r"give up|given up|giving up|dropp\w+|drop|"
    r"abandon\w*|cancel\w*|scrap\w*|shelv\w+|shelve|call\w* off|"
    r"ditch\w*|quit|quitting|stopp\w+|stop|ceas\w+|let go of|letting go of|put \w+ aside|bail\w* on|back\w* out of|"
    r"pull\w* out of|walk\w* away from|(?:said|say) goodbye to|retir\w+|ruled out|rul\w+ out|decid\w+ against|"
    r"decid\w+ not|opt\w+ not|talk\w+ (?:me|myself) out of|pars?t\w* (?:ways )?with|"
    r"lost (?:all )?(?:my )?(?:interest in|appetite for|love for|enthusiasm for|taste for)|had my fill of|"
    r"had it with|seen enough of|"
    r"lost the taste for|"
    r"chang\w+ my mind (?:about|on)|gone off|went off|going off|grown out of|grew out of|outgr[eo]w\w*|"
    r"mov\w+ on from|"
    r"mov\w+ away from|left behind|over and done with|wash\w* my hands of|think\w* better of|thought better of)"
)


def _cues(*patterns: str, flags: int = 0) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, flags) for pattern in patterns)


# Constructions that name what is new: looked for before the mention.
_NEW_BEFORE: Final = _cues(
    rf"\b(?:switch|swap|chang|mov|convert|shift|graduat|progress|turn|drift|migrat|com|gone|went|gravitat|upgrad|"
    rf"transition)\w* {_F6}(?:to|onto|into|towards|over to|toward) {_F4}$",
    rf"\bfrom (?:\S+ ){{1,10}}to {_F4}$",
    rf"\b(?:swapp|trad|exchang|ditch|dropp|substitut|left|leav|gave up|given up|abandon)\w* (?:\S+ ){{1,8}}"
    rf"(?:for|in favou?r of) {_F4}$",
    rf"\breplac\w* (?:\S+ ){{1,8}}(?:with|by) {_F4}$",
    rf"\bout of (?:\S+ ){{1,8}}(?:into|onto) {_F4}$",
    rf"\b(?:fell|fallen|falling) (?:\S+ ){{0,12}}in(?:to)? love with {_F4}$",
    rf"\b(?:contrary to|despite|whatever|regardless of|forget) (?:what )?i (?:said|told you|"
    rf"wrote) (?:\S+ ){{0,4}}?, {_G4}$",
    rf"\b(?:took up|taken up|taken to|took to|joined|sign\w* up (?:for|to)|enrol\w* (?:in|on|for)|won over by|"
    rf"sold on) {_F4}$",
    rf"\b(?:instead of|rather than) (?:\S+ ){{1,8}}, {_G4}$",
    rf"\b(?:gave way|given way|made way|made room|lost out) to {_F4}$",
    rf"\b(?:not|isn't|wasn't|no longer|never) (?:\S+ ){{1,8}}(?:but|it's|it is|rather|instead) {_F4}$",
    rf"\b(?:i meant|i mean|i should have (?:said|written|put)|should(?:'ve| have)? (?:be|been|read)|make that|"
    rf"in fact|"
    rf"in truth|the truth is|correct\w*|the right \w+|the real \w+|actually) {_G4}$",
    rf"\b(?:settl\w+ on|decid\w+ on|decid\w+ (?:to|for)|commit\w* to|end\w* up (?:with|at|on)|landed on|"
    rf"stuck with|went for|"
    rf"stick\w* with|sticking to|went with|going with|opt\w+ for|chose|chosen|pick\w+|plump\w+ for) {_F4}$",
)
# Constructions that name what is old.
_OLD_BEFORE: Final = _cues(
    rf"\b(?:instead of|rather than|in place of|in lieu of|as opposed to|no more|no longer|away from|tired of|sick of|"
    rf"fed up with|f[ae]ll\w* out of love with|bored (?:of|with|by)|done with|through with|finished with|"
    rf"over with|farewell to|goodbye to|bye to|"
    rf"had enough of|cured of|weaned \w+ off|used to|formerly|previously|old|former|"
    rf"(?:took|taken|taking) over from|the place of|(?:has|have|had) replaced|replaces|replacing|"
    rf"successor to) {_F4}$",
    rf"\b{_DROP} {_F6}$",
    rf"\b(?:i'm|i am|been|went|gone|going|came|come|got) off {_F4}$",
    rf"\b(?:swapp|trad|exchang|replac|substitut)\w* (?:out |in )?{_F4}$",
)
_OLD_AFTER: Final = _cues(
    rf"^{_F2}(?:any ?more|any longer|no longer|no more)\b",
    rf"^{_F4}(?:is|are|was|were|'s|has been|have been|got) {_F2}(?:out|off|over|gone|dropped|history|done|replaced|"
    r"scrapped|shelved|cancelled|canceled|abandoned|dead|finished|behind me|off the table|a thing of the past|"
    r"in the past|"
    r"no more|on ice|ancient history|ruled out|retired|no longer|done with)\b(?! (?:the|my|a|for|to|of)\b)",
    rf"^{_F2}(?:has |have )?(?:turned|become|became|morphed|evolved|grew|grown) (?:into )?(?!my\b|the\b|a\b|"
    rf"an\b|such\b|so\b)\w",
    rf"^{_F2}(?:was|were) (?:last (?:year|month|week|spring|summer|autumn|winter)|(?:\w+ ){{0,2}}ago|back then|"
    rf"before)\b",
    r"^(?:out|gone)(?: ,| and| \.)",
    r"^(?:and|&) (?:i|me) (?:have |are |'ve )?(?:parted|split|through|done|history|finished)\b",
    rf"^{_F4}(?:bored|bores|tired|wore|lost|annoyed) (?:me|us)\b",
    r"^\? (?:never|no|not)\b",
    rf"^{_F4}(?:fell through|didn't work|did not work|didn't last|did not last|didn't stick|came to nothing|fizzled|"
    r"went nowhere|lost its|gave way|given way|made way|used to be|got old|wore off|wore thin|faded)\b",
    rf"^(?:\S+ ){{0,3}}(?:but|and|then|so|until) (?:\S+ ){{0,3}}{_DROP}(?: (?:it|that|the idea|the plan|this)\b|"
    rf" ,| \.)",
    rf"^{_G4}(?:but|and|then|so|until) (?:\S+ ){{0,4}}(?:chang\w+ my mind|let it go|let that go|thought better|"
    r"talked (?:me )?out of|not any ?more|that's over|that is over|it's over|those days are|decided against|"
    r"no longer)\b",
)
# "gave my drone away", "put the plan aside": the verb before, its particle after.
_PARTED_BEFORE: Final = re.compile(
    rf"\b(?:gave|given|give|giving|threw|throw\w*|put|putting|put|leave|left|"
    rf"let) {_F4}$"
)
_PARTED_AFTER: Final = re.compile(rf"^{_F2}(?:away|up|aside|behind|go)\b")
_DENIED_BEFORE: Final = _cues(
    rf"(?:\b(?:not|never|neither|nor|hardly|isn't|wasn't|aren't|weren't|don't|doesn't|didn't|won't|wouldn't|can't|"
    rf"cannot|couldn't|haven't|hasn't|hadn't|shouldn't|ain't|without|unlike|other than|except|avoid\w*|hate|dislike|"
    rf"loathe|detest|refuse\w*|stay\w* (?:away from|off|clear of)|steer\w* clear of|allergic to|intolerant of|"
    rf"anything but|far from|"
    rf"nothing to do with)) {_F6}$",
    rf"^{_F2}(?:no|not) {_F2}$",
    rf"\bno (?:interest in|time for|desire to|wish to|plans? to|plans? for|intention of|appetite for|fan of|"
    rf"use for|love for|"
    rf"patience for|need for|friend of) {_F4}$",
    rf"\b(?:(?:mixed|mixing|muddled) (?:it|that|this|them|him|her)? ?up with|confus\w+ (?:it|that|this|him|"
    rf"her) with|mistook "
    rf"(?:it|that|this) for|mistaking (?:it|that) for) {_F4}$",
    rf"\b(?:scratch|forget|ignore|strike|disregard|cross out) (?:what i (?:said|told you|wrote)|my|that|the) {_F6}$",
    rf"\bprefer\w* (?:\S+ ){{1,6}}(?:to|over) {_F4}$",
    rf"\b(?:choos\w|chose\w*|pick\w*|take|favou?r|rather|sooner) (?:\S+ ){{1,6}}(?:over|than) {_F4}$",
)
_DENIED_AFTER: Final = _cues(
    rf"^(?:{_F2}(?:isn't|wasn't|aren't|weren't|is not|was not|are not|were not|never|doesn't|didn't|does not|did not|"
    r"won't|don't) (?!only|just)\w+)",
    rf"^{_F4}{_WAS} (?:just |only |simply )?(?:a |an |the |my )?(?:slip|mistake|wrong|error|typo|mix|incorrect|"
    rf"untrue|"
    r"not right|nonsense|misremember)",
    r"^\? (?:no|not|never|nope)\b",
    rf"^{_F2}(?:is |are |rather |so |quite |too |very |terribly |deadly )*(?:dull|boring|tedious|overrated|"
    rf"dreadful|unbearable|awful|"
    r"disgusting|horrid|horrible|revolting)\b",
    rf"^{_F2}(?:leaves? me cold|does nothing for me|do nothing for me|bores? me|makes? me (?:ill|sick|sneeze)|"
    rf"gives? me (?:a|the) \w+ache)",
)
# A negation that does not deny: "not only", "can't resist", "don't mind".
_FALSE_NEGATION: Final = re.compile(
    r"\b(?:not (?:only|just|merely|even kidding|to mention|surprisingly|gonna lie|going to lie)|why (?:not|don't)|"
    r"(?:can't|cannot|can not|couldn't|could not|can never|could never) {0}(?:beat|resist|stop|get enough|"
    r"live without|"
    r"imagine|wait|go wrong|do without|recommend|help|say no|go (?:a|one) \w+ without|be without|function|start|"
    r"praise|"
    r"put|tear|shut|top|quit|give up|fault)|"
    r"(?:don't|do not|doesn't|wouldn't|won't|never|not) {0}(?:mind|miss|tire|say no|regret|trade|skip|swap|give up|"
    r"stop|quit|get tired|get bored|run out|leave|part with|change|drop|disappoint\w*|let me down|fail\w*|go without|"
    r"missed|skipped|stopped|forget|be without|want anything (?:but|other)|drink anything (?:but|other)|"
    r"(?:eat|use|watch|play|read|wear|order|need|touch|try|do|have|choose|pick|like|listen to) anything (?:but|else|"
    r"other))|no (?:doubt|question|surprise|wonder|kidding|matter)|nothing (?:but|beats|like|better|compares|comes "
    r"close|quite)|not (?:a day|a week|without)|(?:don't|didn't) (?:know|remember) (?:why|how|when|where)|never "
    r"(?:fails|without|been happier|felt better)|not sure why|isn't (?:it|that)|no one|nobody)\b".replace(
        "{0}", r"(?:[\w']+ ){0,2}"
    )
)
_CHANGES: Final = re.compile(
    r"\b(?:switch|swap|chang|mov|convert|shift|turn|gave up|took up|settl|discover|fell for|back to|back on|"
    r"return)\w*"
)
_SAID_BEFORE: Final = re.compile(
    rf"\b(?:said|told you|mentioned|wrote|typed|claimed|called it|wrote down|put down|misspoke|answered) {_G8}$"
)
_MISTAKE: Final = re.compile(
    r"\b(?:slip|mistake\w*|when (?:of course|really|actually|in fact|in truth)|of course it's|wrong\w*|mixed|"
    r"mixing|misspoke|misremember\w*|meant|correct\w*|should (?:be|have)|"
    r"error|typo|"
    r"muddled|confus\w+|actually|in fact|scratch that|make (?:that|it)|not (?:right|true)|untrue|isn't (?:right|"
    r"true)|"
    r"wasn't (?:right|true)|"
    r"tongue|mishear\w*|autocorrect|strike that|but it's|but it is|it's really)\b"
)
_PLAIN_MISTAKE: Final = re.compile(
    r"(?:no , |sorry , |wait , |well , |oh , )?(?:that|this|it|which)(?:'s| was| is) (?:just |only |simply |"
    r"actually |me )?"
    r"(?:a |an |my |the )?(?:\w+ )?(?:mistake|slip|error|wrong|typo|untrue|incorrect|mix|confus\w+|muddl\w+|"
    r"not (?:right|true|"
    r"correct))\b(?! (?:of|to|that)\b)"
)
_TENTATIVE: Final = re.compile(
    r"\b(?:wonder\w*|close to|on the verge of|whether|i'm told|they say|people say|apparently|supposedly|i hear|"
    r"i gather|rumou?r|"
    r"i should|me to try|"
    r"consider\w*|thinking (?:of|about)|thought (?:of|about)|might|maybe|perhaps|tempt\w*|"
    r"curious|looked at|"
    r"looking at|looking into|looked into|heard (?:of|about|good)|came across|read about|reading about|saw|seen|"
    r"spotted|"
    r"recommend\w*|suggest\w*|mention\w*|option\w*|candidate\w*|could (?:be|try)|toy\w* with|flirt\w* with|torn|"
    r"weigh\w*|browsing|eyeing|eying|on my list|shortlist|ad for|advert|article|leaflet|flyer|poster|brochure|"
    r"what about|how about|if i|talk of|talk\w* about|idea of|somebody|someone)\b"
)
_WAS_PLANNED: Final = re.compile(
    r"\b(?:(?:was|were) (?:going|planning|about|set|hoping|meaning|thinking|due)|had (?:planned|meant|hoped|"
    r"intended|"
    r"wanted|been (?:planning|going|thinking|hoping|meaning))|once|almost|nearly|would have|wanted to|"
    r"at one point|thought i (?:wanted|liked|loved|would|needed)|"
    r"for a while|meant to|planned (?:to|on)|hoped to|intended to|the plan was|the idea was|(?:was|were) (?:the|"
    r"my) (?:\w+ )?(?:plan|idea|dream|goal|intention)|considered|toyed with)\b"
)
_ENDED: Final = re.compile(
    rf"\b(?:{_DROP}|ship has sailed|nothing came of|got in the way|not meant to be|wasn't to be|nothing came of|"
    rf"came to my senses|fell through|"
    rf"came to nothing|no longer|not any ?more|anymore|off the table|changed my mind|"
    rf"against it|"
    r"let (?:it|that) go|isn't happening|not happening|won't happen|not going to happen|didn't happen|never happened|"
    r"(?:is|are|was) (?:off|out|over|dead|gone|history)|it's (?:off|out|over|dead|gone|history)|that's (?:off|"
    r"out|over|dead|gone|"
    r"history)|not for me|wasn't for me|isn't for me|in the bin|behind me|not (?:doing|pursuing|going|"
    r"bothering)|moved on)\b"
)
# The sentence after ends what this one names: "That plan is dead now", "Then I dropped it".
_ENDED_IT: Final = re.compile(
    rf"(?:\S+ ){{0,3}}?(?:(?:that|this|it|the (?:idea|plan|dream|whole thing)|those days|that (?:plan|idea|dream))"
    rf"(?:(?:'s| is| was| are| were| has been) (?:all |now |well and truly |just |simply |firmly |dead )*"
    rf"(?:off|over|dead|gone|history|behind me|in the bin|scrapped|shelved|cancelled|abandoned|off the table|"
    rf"not happening|no longer (?:on|happening|the plan))\b(?! (?:to|at|by|with|the)\b)|"
    rf" (?:[\w']+ ){{0,2}}?(?:fell through|came to nothing|isn't happening|won't happen|never happened|"
    rf"didn't (?:happen|work|last)|fizzled|no longer holds)\b)|"
    rf"(?:i|i've|we|we've) (?:[\w']+ ){{0,3}}?{_DROP} (?:on )?(?:it|that|this|the idea|the plan|that idea|"
    rf"that plan|that one|them)\b|"
    rf"(?:not|no) (?:any ?more|any longer|longer)\b)"
)
_CHOSE_OTHER: Final = re.compile(
    r"\b(?:but|then|until|instead)\b.*\b(?:went (?:for|with)|chose|picked|ended up|settled|bought|got|took|"
    r"came to my senses|"
    r"thought (?:again|better)|backed out|it (?:became|was))\b"
)
_PAST_HABIT: Final = re.compile(
    r"\b(?:used to|was always|were always|back then|in those days|for years|until|before|not long ago|a while ago|"
    r"last year|once|at first|in the beginning|for a (?:time|while)|as a (?:kid|child|student)|when i was|"
    r"at one time)\b"
)
_NOW: Final = re.compile(r"\b(?:now|nowadays|these days|lately|currently|since then|at the moment|for good|today)\b")
_ENTHUSIASM: Final = re.compile(
    r"\b(?:favou?rite|love|adore|prefer|go-to|always|every|best|mine|my|i'm|i've|i am|i have|enjoy|happy|"
    r"settled|really|"
    r"definitely|decided|signed|booked|started|committed|hooked|set on|determined|going to|will|want|plan|mean to)\b"
)


_THAT: Final = r"(?:it|that|this|them|one|the idea|the plan|the thought)"
# Said of one thing in the course of a sentence, however far from it: "half a mind to try X, and I have let that go".
_GIVEN_UP_AFTER: Final = re.compile(
    "|".join(
        (
            rf"\b(?:let|letting) {_THAT} (?:go|be|drop)\b",
            rf"\b(?:gave|given|giving) (?:up\b|{_THAT} up\b)",
            r"\b(?:said|say|saying) no\b",
            r"\b(?:decided|deciding) (?:against|not)\b",
            r"\b(?:dropped|abandoned|scrapped|shelved|buried|cancell?ed|withdrew|withdrawn)\b",
            r"\bthought better\b|\bwent no further\b",
            rf"\bbacked (?:out|off|away)\b|\bchanged my mind\b|\bturned {_THAT} down\b|\bcalled {_THAT} off\b",
            rf"\btalked (?:me|myself) out\b|\bput {_THAT} (?:aside|away)\b|\bstrike it\b|\blost heart\b",
            r"\b(?:never|not) (?:[\w']+ ){0,2}(?:again|after all|any ?more|to be|in the end|got round|came to|go back)"
            r"\b",
            r"\b(?:i|we) (?:never|didn't|did not|do not|don't|won't|will not) (?:did|do|will|go|went|went through)? ?"
            r"(?:\.|,|and|$)",
            r"\b(?:i am|i'm) not going to\b|\bdid(?:n't| not) survive\b|\bbut not (?:as|for) my\b",
            r"\b(?:came|come|comes) to nothing\b|\bnothing (?:came|will come|has come|comes)\b",
            rf"\b(?:{_THAT}|idea|plan|notion|scheme|attempt|thought|project)(?:'s| is| was| has| have| are)? "
            r"(?:[\w']+ )?(?:over|off|dead|buried|gone|history|past|died|ended|failed|lapsed|fizzled|behind me|"
            r"didn't last|did not last|fell|no more)\b",
            r"\bis past\b|\bdidn't (?:last|stick|take|work|suit|happen|come)\b|\bno longer holds\b",
            r"\b(?:i|it) won't\b(?! (?:stop|miss|skip|change|give|let|part))",
            r"\bif i had\b|\bwhich used to be\b|\bfailed\b|\bstopped (?:halfway|after|there|at)\b",
            r"\bbefore (?:giving|dropping|letting|i gave|i dropped|thinking better)\b",
            r"\bnot (?:mine|my|me|any of mine|true of me)\b|\b(?:isn't|is not|not) true\b",
            r"\bby mistake\b|\bplease correct\b|\b(?:is|was) (?:a )?(?:rumou?r|mistake|misunderstanding)\b",
        )
    )
)
_GIVEN_UP_BEFORE: Final = re.compile(
    r"\b(?:said no to|no (?:ambition|wish|interest|desire|intention|plans?|urge|need|longing) (?:[\w']+ )?"
    r"(?:to|in|of|for)|"
    r"anything but|withdrawn from|withdrew from|backed (?:out of|away from)|could have (?:become|been|gone)|"
    r"(?:might|would) have (?:become|been)|was to (?:have|become)|nearly|almost|there was a time when|"
    r"had half a mind to|"
    r"once (?:meant|planned|wanted|hoped|intended|had)|toyed with|flirted with|abandoned|let go of|"
    rf"(?:attempt|plan|idea|notion|scheme) (?:[\w']+ ){{0,3}}(?:failed|died|is dead|came to nothing)|the end of) {_G8}$"
)
_RULED_OUT: Final = re.compile(
    r"\b(?:if you (?:have me down|think|thought|believe|take me)|if any(?:one|body) says|contrary to|"
    r"(?:people|some|they) (?:still )?(?:think|believe|say)|you may think|keep being asked (?:when|whether|if)|"
    r"wrongly|as if i|"
    r"(?:isn't|is not|not) true that|misunderstanding to|nobody will (?:see|catch|find) me|the time when|far from|"
    rf"the opposite of) {_G8}$"
)


def _joined(words: tuple[str, ...]) -> str:
    return " ".join(words) + " " if words else ""


@functools.lru_cache(maxsize=50_000)
def stance(sentence: Sentence, start: int, end: int, following: Sentence | None = None) -> Stance:
    """Return what ``sentence`` says of its tokens start..end-1; ``following`` may take it back ("That was a slip")."""
    clause = sentence.clauses[start]
    first = next(i for i in range(len(sentence.words)) if sentence.clauses[i] == clause)
    last = max(i for i in range(len(sentence.words)) if sentence.clauses[i] == sentence.clauses[end - 1])
    left, right = _joined(sentence.words[:start]), _joined(sentence.words[end:])
    clause_left = _joined(sentence.words[first:start])
    clause_right = _joined(sentence.words[end : last + 1])
    whole = _joined(sentence.words)
    after = _joined(following.words) if following is not None else ""
    decided = _by_construction(left, right, clause_left, clause_right, whole)
    if decided is not None:
        return decided
    return _by_tone(left, right, clause_left, clause_right, whole, after, sentence.is_question)


def _any(patterns: tuple[re.Pattern[str], ...], text: str) -> bool:
    return any(pattern.search(text) for pattern in patterns)


def _by_construction(left: str, right: str, clause_left: str, clause_right: str, whole: str) -> Stance | None:
    if re.search(r"\bfrom (?:(?!to\b|into\b|i\b|we\b|that\b)[\w']+ ){0,4}$", left) and re.search(
        r"^(?:\S+ ){0,6}(?:to|towards|into|onto|over to)\b", right
    ):
        return Stance("left", 0.95)
    if re.search(r"\bbefore i (?:discovered|found|switched|met|moved|took up|came across|got into|turned)\b", right):
        return Stance("left", 0.9)
    if re.search(rf"\bthought i (?:was|liked|loved|preferred|wanted) {_F4}$", left) and "turns out" in right:
        return Stance("denied", 0.85)
    if re.search(rf"\bout of {_F4}$", left) and re.search(r"^(?:\S+ ){0,4}(?:into|onto)\b", right):
        return Stance("left", 0.95)
    if _SAID_BEFORE.search(left) and _MISTAKE.search(right) and not re.search(r"\bnot (?:\S+ ){0,4}$", clause_left):
        return Stance("denied", 0.95)
    if re.search(rf"\b(?:after|following) {_F6}$", left) and _CHANGES.search(right):
        return Stance("left", 0.9)
    if _PARTED_BEFORE.search(clause_left) and _PARTED_AFTER.search(right):
        return Stance("left", 0.95)
    excused = bool(_FALSE_NEGATION.search(clause_left)) or bool(
        re.search(
            rf"\b(?:never|not|nowhere|nothing|can't|cannot|couldn't|don't|won't|"
            rf"wouldn't)\b.* without {_F4}$",
            clause_left,
        )
    )
    denied = _any(_DENIED_BEFORE, clause_left) and not excused
    old = not excused and _any(_OLD_BEFORE, left if "instead" in left or "rather" in left else clause_left)
    new = _any(_NEW_BEFORE, left)
    if old and not denied and not (new and _ends_later(_NEW_BEFORE, _OLD_BEFORE, left)):
        if re.search(r"\b(?:old|former) (?:[\w']+ ){0,4}$", clause_left) and not _WAS_PLANNED.search(whole):
            return Stance("left", 0.6)
        return Stance("left", 0.95)
    if denied and not new:
        if re.search(rf"\b(?:not|never|n't) {_F4}{_DROP} {_F4}$", clause_left):
            return Stance("held", 0.8)
        return Stance("denied", 0.9)
    if _any(_DENIED_AFTER, clause_right) and not _FALSE_NEGATION.search(clause_right):
        return Stance("denied", 0.85)
    if new:
        return Stance("held", 0.95)
    if _any(_OLD_AFTER, right):
        return Stance("left", 0.9)
    if re.search(
        r"^(?:, )?(?:not|rather than|instead of|over|(?:has |have )?(?:replaced|taken over from|"
        r"taken the place of)|took over"
        r" from|took the place of) \w",
        right,
    ):
        return Stance("held", 0.95)
    return None


def _ends_later(first: tuple[re.Pattern[str], ...], second: tuple[re.Pattern[str], ...], text: str) -> bool:
    """Whether the cue of ``first`` stands nearer to the end of ``text`` than that of ``second``."""

    def nearest(patterns: tuple[re.Pattern[str], ...], pick: Callable[[re.Match[str]], int]) -> int:
        return max((pick(match) for pattern in patterns for match in pattern.finditer(text)), default=-1)

    def keyword_end(match: re.Match[str]) -> int:
        # The cue's last fixed word is what matters; fillers at the end are generic, so measure from its start.
        return match.start() if len(match.group().split()) <= 4 else match.start() + 1

    return nearest(first, lambda m: m.end() - len(m.group().split()[-1])) >= nearest(second, keyword_end)


def _by_tone(
    left: str, right: str, clause_left: str, clause_right: str, whole: str, after: str, question: bool
) -> Stance:
    taken_back = re.match(
        r"(?:\S+ ){0,3}?(?:that|this|it|which|the idea|the plan|those|no(?= [,.])|nope|wait|sorry|scratch|wrong|oops|"
        r"correction)\b",
        after,
    )
    said_before = taken_back and _SAID_BEFORE.search(left)
    if said_before and (_MISTAKE.search(after) or re.match(r"(?:no [,.]|wait|sorry|wrong|oops|correction)", after)):
        return Stance("denied", 0.9)
    if _WAS_PLANNED.search(left) and re.match(r"(?:but |well , )?i (?:don't|didn't|won't|do not|was wrong)\b", after):
        return Stance("denied", 0.85)
    if question and re.match(
        r"(?:never|no way|no thank\w*|no more|no [,.]|not (?:any ?more|for me|my|again)|"
        r"nope|nah)",
        after,
    ):
        return Stance("denied", 0.8)
    if taken_back and _PLAIN_MISTAKE.match(after):
        return Stance("denied", 0.85)
    if _WAS_PLANNED.search(left + clause_right) and (_ENDED.search(right) or (taken_back and _ENDED.search(after))):
        return Stance("left", 0.9)
    if _WAS_PLANNED.search(left) and _CHOSE_OTHER.search(right + after):
        return Stance("left", 0.8)
    if _ENDED_IT.match(after):
        return Stance("left", 0.8)
    past = re.search(r"\b(?:was|were|had|used)\b", clause_left + clause_right)
    if past and _PAST_HABIT.search(whole) and _NOW.search(right + after):
        return Stance("left", 0.8)
    if past and re.search(r"^(?:\S+ ){0,8}(?:but|until|now|these days) ", right) and not _NOW.search(clause_left):
        return Stance("left", 0.6)
    if not question and _GIVEN_UP_AFTER.search(right):
        return Stance("left", 0.85)
    if not question and (_GIVEN_UP_BEFORE.search(left) or _RULED_OUT.search(left)):
        return Stance("denied", 0.85)
    if question:
        return Stance("tentative", 0.25)
    if _TENTATIVE.search(clause_left) or (_TENTATIVE.search(clause_right) and not _ENTHUSIASM.search(clause_left)):
        return Stance("tentative", 0.3)
    if _WAS_PLANNED.search(clause_left):
        return Stance("tentative", 0.35)
    strength = 0.6
    if _ENTHUSIASM.search(clause_left) or _ENTHUSIASM.search(clause_right):
        strength += 0.15
    if _NOW.search(clause_left) or _NOW.search(clause_right):
        strength += 0.15
    return Stance("held", strength)


_POINTER: Final = re.compile(
    r"\b(?:that|this|it|the one|one|those|them|what i (?:told|mentioned|described)|the (?:last|first|latter|former)|"
    r"the (?:idea|plan)|the (?:thing|place|option|choice|suggestion) (?:i|from|we))\b"
)
_COMMITS: Final = re.compile(
    r"\b(?:(?:settl\w+|decid\w+|go|going|gone|went|stick\w*|stuck|plump\w+|opt\w+|commit\w*|sold) (?:on|with|"
    r"for|to) (?:it|"
    r"that|this|the one|those|them|what)\b|"
    r"(?:that|this|it)(?:'s| is| was| will be| has become| became|'s become)(?: now| still)? (?:the one|mine|it|"
    r"settled|decided|final|"
    r"what i|my|for me|now my|now mine)\b|"
    r"(?:that|this|the) one(?:'s| is| it is| for me| stays| won)|that one \.|"
    r"(?:i|i've|i'll|i'm|we|we've) (?:[\w']+ ){0,2}?(?:signed up|sign up|committed|said yes|fallen for|fell for|"
    r"bought|booked|"
    r"ordered|chose|chosen|picked|pick|took|taken|taking|take|started|joined|doing|adopted|love|adore|prefer|"
    r"want|tried|have|do|"
    r"drink|eat|use|play|wear) "
    r"(?:for |to |with )?(?:it|that|this|the one|that one|them|those|one)\b(?! (?:when|if|to|wrong|right|with|"
    r"in a|by|so that)\b)|"
    r"(?:i'm|i am|got me) (?:hooked|sold|convinced|all in|set on it|committed|in)\b(?! \w)|"
    r"(?:exactly |just |totally )?my (?:thing|kind of thing|pick|choice|regular|new (?:favou?rite|regular|usual))\b|"
    r"i (?:have )?signed up\b|made up my mind|mind is made up|no going back|count me in|won me over|"
    r"it's a keeper|took the plunge)"
)


@functools.lru_cache(maxsize=50_000)
def commitment_to_antecedent(sentence: Sentence) -> float:
    """Return how far ``sentence`` commits to something named before it and not in it.

    1 is full commitment ("I settled on that one"), -1 that it is given up, 0 that it says nothing of the kind.
    """
    whole = _joined(sentence.words)
    if sentence.is_question or not _POINTER.search(whole):
        return 0.0
    if _ENDED_IT.match(whole) or _NOT_FOR_ME.search(whole):
        return -0.8
    return 0.8 if _COMMITS.search(whole) else 0.0


@functools.lru_cache(maxsize=50_000)
def ends_it(sentence: Sentence) -> bool:
    """Whether ``sentence`` says that something named before it is over: "That plan is dead now"."""
    return bool(_ENDED_IT.match(_joined(sentence.words)))


_NOT_FOR_ME: Final = re.compile(
    r"\b(?:(?:it|that|this|that one|this one)(?:'s| is| was)? (?:[\w']+ )?(?:not|isn't|wasn't|"
    r"never) (?:[\w']+ )?(?:for me|mine|my (?:thing|"
    r"style|taste|cup))|(?:i|i'm|i'll|i've) (?:[\w']+ )?(?:not|won't|don't|didn't|never) (?:[\w']+ ){0,3}(?:it|"
    r"that one|that|this one) "
    r"(?:after all|any ?more|any longer|in the end))\b"
)
