"""The frames of English in which people tell of themselves and of those around them.

Ordinary ways to say who one is, what one likes, does, plans, has changed or takes back. A frame works on the words of
one sentence in lower case, with straight apostrophes and single blanks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from lifeloom.models.builtin.reader.english import PEOPLE
from lifeloom.records import SemanticKind

__all__ = ["CIRCLE", "CONVERSATION", "FRAMES", "OWN_ATTRIBUTE", "REQUEST", "Frame"]

_PERSON: Final = "|".join(sorted((re.escape(word) for word in PEOPLE), key=len, reverse=True))
_FILL: Final = r"(?:[\w']+ ){0,3}?"
_I: Final = r"\b(?:i|we)(?: (?:am|have|was|had)|'m|'ve|'d|'re|'ll)?"
_ADV: Final = (
    r"(?:(?:really|absolutely|quite|rather|just|simply|also|still|always|never|truly|actually|only|even|so|"
    r"totally|do|did|don't|do not|didn't|did not|can't|cannot|couldn't|could|would|must|have|always|do|not|"
    r"secretly|usually|often|generally|definitely|honestly|especially|particularly|pretty|very|most|much|"
    r"ever|now|already|already|no longer|long|all|both|too|far|kind of|sort of|a bit|a little|as|\w+ly) )*"
)


@dataclass(frozen=True, slots=True)
class Frame:
    """A way to tell something."""

    name: str
    kind: SemanticKind
    strength: float
    """0..1: how surely a sentence of this form tells something worth keeping."""
    pattern: re.Pattern[str]


def _frame(name: str, kind: SemanticKind, strength: float, *alternatives: str) -> Frame:
    return Frame(name, kind, strength, re.compile("|".join(f"(?:{one})" for one in alternatives)))


OWN_ATTRIBUTE: Final = re.compile(
    rf"\b(?:my|our)(?: (?:own|new|old|current|usual|regular|only|dear|first|latest|former|perfect|ideal))*"
    rf"(?P<noun>(?: (?!(?:{_PERSON})\b)(?:[\w-]+(?:'s)?)){{1,5}}?)"
    r"(?:'s (?:an?|the|in|on|at|not|now|called|from|been|going|always|never|usually|actually|\d+)\b|"
    r" (?:is|are|was|were|'s|isn't|aren't|wasn't|weren't|will be|would be|won't be|used to be|has been|has become|"
    r"became|becomes|remains|stays|"
    r"has changed|changed|turned into|has turned|happens to be|seems to be|switched|moved|means|should be|went|"
    r"has gone|goes|comes|came|used|"
    r"includes?|consists?|starts?|involves?|costs?|lives?|weighs?|needs?|has to|must|never|no longer|always|still|"
    r"just|now|turns|"
    r"doesn't|does not|don't|do not|has|have)\b)"
)
"""``my evening drink is``: the speaker's own, not a person."""

_TOPIC: Final = (
    rf"\b(?:as for|for|as|when it comes to|where|with|regarding|concerning|in terms of|in matters of|"
    rf"by way of|far as|speaking of|take|correct|read|call|called|pick as|becomes|became|is|it's|it is|was|been|"
    rf"without|settled|"
    rf"remains|stays|become|change|changed|changing|give you|tell you) (?:my|our)"
    rf"(?: (?!(?:{_PERSON})\b)[\w'-]+){{1,3}}"
)

FRAMES: Final[tuple[Frame, ...]] = (
    _frame(
        "directive", "directive", 1.0,
        r"^(?:and |also |oh |so |now |ok |okay |well )?[,]? ?(?:please |do |kindly |can you |could you |would you |"
        r"will you )*(?:please )?(?:remember|memori[sz]e|keep in mind|bear in mind|hold on to (?:this|that|it)|"
        r"don't forget|do not forget|"
        r"never forget|make a note|take note|note down|write down|jot down|save|note)\b(?! (?:to write|to bring)\b)",
        r"\b(?:i(?:'d like| want| would like| need) you to|please|you should|you must|"
        r"could you|can you|would you) (?:always |please |just )*(?:remember|memori[sz]e|note|keep in mind|"
        r"bear in mind|not forget)\b",
        r"\b(?:from now on|in (?:the )?future|going forward|from here on|from today)\b.*\b(?:you|answer\w*|repl\w+|"
        r"call|address|use|speak|write|be|keep|avoid|stop|start|give|talk|send|don't)\b",
        r"\b(?:always|never) (?:answer|reply|respond|call me|address me|speak to me|write to me|use|give me|"
        r"send me|start your|end your|suggest|recommend)\b",
        r"\byour (?:answers?|replies|responses?|tone|style|explanations?|wording|suggestions?)\b(?=[^?]*\b(?:please|"
        r"short\w*|brief|"
        r"simple\w*|less|more|always|never|from now|too|formal|warm\w*|plain\w*)\b)",
        r"^(?:(?:please|and|also|just|oh|so) ,? ?)*(?:be|talk|speak|write|use|keep|stay|answer|reply|treat|explain|"
        r"stop|quit|no|skip|drop|"
        r"don't|do not|always|never|feel free to|go easy)\b[^.?!,]*\b,? ?(?:with me|to me|for me|always|ever|"
        r"every time|from now on|"
        r"in general|all the time|in future)\b",
        r"^(?:(?:please|and|also|just) ,? ?)*(?:no|less|fewer|more|enough with the|skip the|drop the|stop with the|"
        r"cut the)"
        r" (?:more )?(?:emojis?|exclamation|jargon|bullet|flattery|disclaimers?|caveats?|apologi\w+|headings?|fluff|"
        r"compliments?|"
        r"praise|filler|slang|sarcasm|markdown)\b[^.?!]*\b(?:please|ever|thanks|with me|again|from now on)\b",
        r"^(?:(?:please|and|also|just) ,? ?)*(?:short|shorter|brief|briefer|long|longer|detailed|concise|simple|"
        r"simpler|"
        r"plain|formal|informal|honest|direct)(?: and \w+)? (?:answers?|replies|responses?|explanations?)"
        r"(?: ,? ?(?:only|please|always|from now on|thanks|with me))* ?[.!]*$",
        r"\b(?:answer|reply|respond|write|talk|speak)(?: back)?(?: to)? me in [\w]+\b|\bassume (?:that )?i(?:'m| am|"
        r" know| don't)\b|"
        r"\buse (?:metric|imperial|celsius|fahrenheit|british|american|plain|simple|my (?:first )?name)\b",
        r"\byou(?:'re| are) (?:[\w']+ ){0,3}too [\w-]+ for me\b|\btone (?:it|this|that) down\b",
        r"\bi (?:really )?(?:like|love|prefer|hate|dislike|don't like|enjoy|appreciate)(?: it)? (?:when|if|how) you\b|"
        r"\bi (?:would |'d )?(?:prefer|rather) (?:it if )?you (?:\w+ed|didn't|not|to|always|never)\b",
        r"\b(?:call|address) me\b(?! (?:a|an|the|back|when|if|crazy|old|at|on|tomorrow|later)\b)",
        r"\b(?:when|whenever|if) you (?:answer|reply|write|respond|talk|explain|speak|suggest|recommend|give)\b"
        r"(?!.*\?$)",
    ),
    _frame(
        "correction", "fact", 0.95,
        r"\b(?:i|we) (?:should|shouldn't|should not|meant|misspoke|mistyped|misremembered|mixed|muddled|confused|"
        r"must correct|have to correct|need to correct|take (?:it|that) back|was wrong|got (?:it|that|this) wrong|"
        r"stand corrected|only ever meant|mis-?said|don't know why i (?:told|said|wrote))\b",
        r"\b(?:correct|scratch|strike|forget|ignore|disregard|delete|cross out|update|fix) (?:my|that|what i|"
        r"the \w+ i|'|it\b)|\bchange my [\w-]+ [\w-]+ to\b|\bput (?:this|that|it) (?:straight|right)\b|"
        r"\b(?:told|gave|informed) you (?:wrong|the wrong)\b",
        r"\b(?:correction|slip of|my mistake|by mistake|please read|make that|not true|isn't true|wasn't true|"
        r"misunderstanding|if you (?:have|had) me down|that was (?:wrong|a slip|an error)|"
        r"i said (?:[\w']+ ){0,8}(?:but|and meant|meaning|when i meant)|i told you (?:[\w']+ ){0,8}(?:but|"
        r"and meant))\b",
        r"\bfor having (?:said|written|called)\b",
        r"\b(?:it's|it is|that's|it was|she's|he's|they're|is|are) not (?:[\w']+ ){1,6}(?:but|, it's|, it is|, but|"
        r", he|, she)\b",
        r"\b(?:would be|is|are|was|were) (?:wrong|incorrect|off ?:|not correct|mistaken)\b|"
        r"\bput [^.?!]* where i (?:put|wrote)\b|"
        r"\b(?:don't|do not) (?:use|put|take|write|list|count|file|assume|plan|note)\b[^.?!]*\bmy\b|"
        r"\b(?:the wrong (?:thing|picture|one)|picture somebody else|they are mistaken)\b|"
        r"\bcontrary to what i\b|\bactually ,? ?(?:it's|it is|my|i'm|i am|i don't|i do not)\b",
    ),
    _frame(
        "change", "fact", 0.9,
        rf"{_I} {_ADV}(?:used to|switch\w*|swapp\w*|replac\w*|trad\w+ (?:in|my)|gave up|given up|giving up|"
        r"dropp\w+|quit|stopp\w+|"
        r"went from|gone from|moved (?:on|from|to|away|back|out|in)|moving to|came off|gone off|went off|"
        r"grown (?:tired|out)|grew (?:tired|out)|outgr\w+|"
        r"tired of|abandon\w+|cancel\w+|scrapp\w+|shelv\w+|ditch\w+|decided against|decided not|backed out|"
        r"changed my mind|let go|finally gave|started|began|begun|taken up|took up|taken to|took to|picked up|got into|"
        r"converted|turned to|"
        r"moved|gone (?:vegan|vegetarian|gluten|freelance|part)|got promoted|staying put|cut out|cut down|"
        r"lost interest|parted with|retired|done with|finished with|through with|sick of|fed up with|"
        r"renamed|sold|turned my back|gave my|started on|talked (?:out of|myself out)|left behind|no longer|resigned|"
        r"(?:got|get) (?:married|divorced|engaged|promoted|fired)|broke up|split up|had (?:a baby|a daughter|a son|"
        r"twins)|graduated|enrolled|joined|signed up|adopted|lost my (?:job|father|mother|dad|mum|mom|wife|husband|"
        r"dog|cat|licen[cs]e)|became|become|turned (?:\d+|\w+ty))\b",
        r"\b(?:no longer|(?<!find it )any more|anymore|not any longer|these days|nowadays|instead of|rather than|"
        r"in place of|"
        r"once was|until (?:recently|last|now)|since (?:last|then|january|february|march|april|may|june|july|august|"
        r"september|october|november|december)|has taken (?:its|the) place|have taken (?:its|their|the) place|"
        r"took the place|came to nothing|fell through|made way for|gave way to|"
        r"are over|is over|is off|is dead|is history|is gone for good|has given way|decided against|thought better of|"
        r"\b(?:i|we) (?:was|were) (?:going|hoping|planning) to\b|\bwon't be (?:[\w']+ )?\w+ing\b|\bon hold\b|"
        r"\bpostponed\b|"
        r"\b(?:bailed|pulled|backing) (?:out|on)\b|\bturned (?:it|that|them|the \w+|down)\b[^.?!]*\bdown\b|"
        r"\b(?:not|\w+n't)\b[^.?!]* after all\b|(?:isn't|is not|not) happening|was (?:all set|supposed|meant|due|"
        r"about) to|"
        r"made me (?:permanent|redundant|[a-z]+ manager|partner|captain|head)|let it go|let that go|left it at that|"
        r"nothing came of|(?:mine|taste|tastes|things|something|opinion|habits?|"
        r"routine|life) (?:has|have) changed|my (?:[\w-]+ ){1,3}(?:has|have) changed|has been (?:cancelled|dropped|"
        r"scrapped|shelved)|off the table|never happened|went nowhere|"
        r"behind me|first it was|(?:started|took|taken|have|now)\b[^.?!]* in its place|(?:dropped|abandoned|scrapped|"
        r"shelved|called off|given up|cancelled)(?: ,| \\.|$)|"
        r"(?:plans?|mind) (?:have|has) changed|went down the drain|turned out to be)\b",
        r"\b(?:once|for a (?:moment|while|time)|at first|at one (?:time|point)|originally|there was a (?:time|moment))"
        r" (?:[\w']+ ){0,6}(?:i|my|me|i'd|we|i'm)\b",
        rf"{_I} (?:[\w']+ )?(?:tried|experimented with|made an attempt|had a go|gave [^.?!]* a (?:try|go|chance)|"
        rf"toyed with|"
        r"flirted with|dabbled in|looked into|settled on)\b|\bonce\b[^.?!]*\bnow\b|\bas for the [\w-]+ [\w-]+ that\b|"
        rf"{_I} (?:[\w']+ )?(?:once|had) (?:[\w']+ )?(?:thought|meant|planned|considered|pictured|toyed|wanted|"
        r"intended|hoped|a notion|an idea|half a mind)\b",
        r"\bmy (?:old|former|previous|earlier) (?:idea|plan|dream|resolution|intention|wish)\b|\bmy resolution\b",
    ),
    _frame(
        "identity", "fact", 0.95,
        r"\bmy (?:[\w-]+ )?(?:name|surname|nickname|birthday|birth date|age|job|profession|occupation|hometown|"
        r"address|nationality|mother tongue|first language|star sign|blood type|shoe size|degree|major|salary|"
        r"employer|company)(?: is|'s| are| was| used| in| on| falls)\b",
        r"\b(?:i|we)(?:'m| am|'ve been| have been| used to be| was| were|'re| are) (?:not |no longer |originally |"
        r"actually |now |"
        r"also |still |currently |proudly |half |already |only |almost |nearly |about |around )*"
        r"(?:\d{1,3}\b(?! (?:minutes?|hours?|km|miles?|percent|pages?))|"
        r"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|eighteen|nineteen|seventeen|sixteen|fifteen)\b|"
        r"from \w+|born|allergic|intolerant|vegan|vegetarian|pescatarian|left-?handed|left handed|colou?r ?blind|"
        r"married|single|divorced|widowed|engaged|retired|unemployed|self-?employed|pregnant|diabetic|asthmatic|"
        r"dyslexic|autistic|deaf|blind|lactose|coeliac|celiac|gluten|claustrophobic|religious|catholic|muslim|jewish|"
        r"hindu|buddhist|protestant|bilingual|colour|colorblind|teetotal|freelanc\w+|insured|"
        r"afraid of|scared of|terrified of|based in|an only child|the (?:eldest|youngest|oldest|middle)|studying|"
        r"responsible for|in charge of|in my (?:early|mid|late)?)\b",
        r"\b(?:i|we)(?:'m| am|'ve been| have been| used to be| was) (?:not |no longer |originally |actually |now |"
        r"also |still |currently |only )*(?:an?|the) (?!bit\b|little\b|lot\b|mess\b|fan\b|few\b|wreck\b|one\b|"
        r"kind of\b|sort of\b|while\b|moment\b|hurry\b|tad\b|touch\b|wee\b|person who\b)[\w-]+",
        r"\b(?:i|we)(?: have|'ve got|'ve had| suffer from| was diagnosed with| had) (?:[\w-]+ ){0,3}?(?:diabetes|"
        r"asthma|celiac|coeliac|arthritis|"
        r"adhd|autism|epilepsy|migraines?|eczema|insomnia|anxiety|depression|dyslexia|tinnitus|vertigo|hay fever|"
        r"allergies|disease|"
        r"condition|disorder|syndrome)\b",
        r"\b(?:\w+|\d+) years (?:of|as|in|behind|at|on|with)\b[^.?!]*\b(?:i|my|me|i've)\b|\b(?:i|my|me|"
        r"i've)\b[^.?!]*\b(?:\w+|\d+) years "
        r"(?:of|as|in|behind|at|on|with)\b",
        r"\b(?:as|being) an? (?!result|rule|matter|whole|start|treat|gift|present|side|snack|joke|test|last|first|"
        r"favou?r|"
        r"reminder|bonus)(?:[\w-]+ ){1,4}?,? ?(?:i|my|i'm|i've)\b|\b(?:we're|we are) a (?:family|household|"
        r"couple) of\b",
        r"\b(?:i|we) (?:can't|cannot|can not|could never|never learn(?:ed|t) to) (?!stand|bear|abide|resist|stomach|"
        r"tolerate|find|see|remember|decide|wait|"
        r"believe|figure|get|tell|"
        r"stop|help|open|log|seem|understand|think|sleep|be|do|say|imagine|recall|make|even|quite|really|have|go|"
        r"read the)[a-z]+\b",
        r"\b(?:i|we) (?:[\w']+ )?(?:work|worked|live|lived|study|studied|speak|teach|taught|grew up|own|run my|"
        r"drive an?|"
        r"commute|volunteer|majored|graduated|earn|wear (?:glasses|size|contact)|play (?:the|for|in))\b",
        r"\b(?:i|we)(?:'ve| have)?(?: got| never had| always had)? ?(?:have |had )?(?:an?|one|two|three|four|five|six|"
        r"no|several) (?:[\w-]+ ){0,2}(?:allergy|allergies|intolerance|dogs?|cats?|pets?|children|kids?|sons?|"
        r"daughters?|brothers?|sisters?|siblings?|twins?|rabbits?|parrots?|horses?|hamsters?|fish|tortoise|bike|car|"
        r"garden|house|flat|apartment|boat|piano|degree|licen[cs]e|tattoos?|condition|scar|phobia|stepson|stepdaughter|"
        r"grandchildren|grandson|granddaughter|cousins?|nieces?|nephews?|wife|husband|girlfriend|boyfriend|partner)\b",
        r"\b(?:i|we) (?:was|were|am) born\b|\bfear of\b",
        rf"\bmy (?:[\w-]+ ){{0,2}}(?:{_PERSON}) (?:is|was|'s) (?:an?|the|called|named|from|born|\d+)\b|"
        rf"\bmy (?:[\w-]+ ){{0,1}}(?:dog|cat|pet|rabbit|parrot|"
        r"horse|hamster|tortoise|goldfish|kitten|puppy|bird|pony)\b",
    ),
    _frame(
        "taste", "preference", 0.85,
        rf"{_I} {_ADV}(?:love|loved|adore|adored|enjoy|enjoyed|prefer|preferred|like|liked|hate|hated|dislike|disliked|"
        r"detest|loathe|despise|fancy|crave|savour|treasure|cherish|swear by|stand|bear|abide|favou?r|relish|dread|"
        r"appreciate|"
        r"tolerate|stomach|resist|go for|fall for|fell for|lean towards?|tend to|treat myself|care for|"
        r"get (?:nothing|a kick|a lot|joy)|choose|always choose|find myself choosing|pick|opt for|stick (?:to|with)|"
        r"avoid|live for|mind|need my|miss)\b(?! (?:to (?:know|ask|hear|say|tell|thank)|it\b|that\b|this (?:question|"
        r"conversation)|your|the (?:basics|sound of that)|your|you\b|help|some (?:help|advice|ideas)|an? (?:hand|"
        r"fresh|new|second|quick|short|few|word|list|idea|answer|summary|version|tip)))",
        r"\b(?:i'm|i am|i've been|i've always been|i was|we're|we are|i've become|i'd become|i've grown) "
        r"(?:[\w']+ ){0,2}?(?:fan of|fond of|keen on|into|mad about|crazy about|partial to|hooked on|addicted to|"
        r"obsessed with|"
        r"passionate about|sucker for|lover of|big on|interested in|sold on|devoted to|allergic to|not one for|"
        r"more of an?|tired of|bored with|bored of|sick of|fed up with|loyal to|drawn to|picky about|fussy about)\b",
        r"\b(?:favou?rite|favou?rites|go-?to|go to (?:drink|snack|place|dish|song)|guilty pleasure|soft spot|"
        r"weakness for|sweet tooth|taste for|cup of tea|nothing (?:beats|compares)|pet (?:hate|peeve)|"
        r"can't get enough|can't do without|couldn't live without|can't live without|bucket list|comfort food|"
        r"my (?:kind|sort|type|idea|style) of|(?:does nothing|do nothing) for me|leaves? me cold|(?<!which )suits? me|"
        r"appeals? to me|makes? me happy|my thing|for me (?:it|there)|not for me|choice of mine|over and over)\b",
    ),
    _frame(
        "plan", "fact", 0.8,
        rf"{_I} {_ADV}(?:want to|wanted to|hoped to|meant to|intended to|want (?:an?|my) (?!small|short|quick|simple|"
        rf"list|poster|text|letter|email|summary|"
        rf"version|line|few)|plan|planned|planning|hope to|hoping to|aim|aiming|intend|"
        r"intending|mean to|meaning to|"
        r"dream|dreaming|wish to|determined|going to|gonna|saving|training for|working (?:on|towards?)|preparing for|"
        r"learning|studying for|resolved|vowed|promised myself|decided|committed|set on|signed up|booked|"
        r"looking (?:into|for an?|at)|thinking (?:of|about)|considering|would like to (?:become|learn|own|visit|run|"
        r"buy|move|live)|'d like to (?:become|learn|own|visit|run|buy|move|live)|want \w+ to)\b"
        r"(?! (?:know|ask|say|tell|hear|let you|be (?:honest|quick|brief)|see (?:what|how|your)|keep (?:it|this)|"
        r"for you|need|you|your|a second|it|that|this)\b)",
        r"\b(?:i|we)(?:'d| would) (?:love|like) to (?!know|hear|ask|see|read|get|have (?:a|some|your)|tell|"
        r"say)[a-z]+\b",
        r"\bone day (?:i|we|i'll|i'd)\b|\b(?:i'm|i am|we're|we are) (?:getting (?:married|an?|our|my)|expecting|"
        r"starting|moving|"
        r"flying|hosting|applying|enrolling|off to|trying for|retiring|saving|training|learning|emigrating|adopting|"
        r"renovating)\b",
        r"\b(?:next|this coming) (?:week|month|year|spring|summer|autumn|fall|winter|monday|tuesday|wednesday|thursday|"
        r"friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december)"
        r" ,? ?(?:i|we|i'm|we're|i'll|we'll)\b|\b(?:i|we|i'm|we're) [^.?!]*\bby (?:next|the end of|this time)\b",
        r"\bmy (?:[\w-]+ ){0,2}(?:goal|plan|plans|dream|ambition|aim|intention|target|project|resolution|wish|mission)"
        r"(?: for| this| is| was| now| remains| stands| with| to| of|s are|'s|:)",
        rf"{_I} (?:will|'ll|shall) (?:[\w']+ )?(?:be \w+ing|marry|move|retire|study|become|start|begin|travel|learn|"
        r"open|build|"
        r"buy|join|run|visit|adopt|have a|give up|quit|stop|never)\b",
        r"\b(?:is|are|it's|was) (?:settled|decided|fixed|my plan|the plan|the goal|the dream)\b",
    ),
    _frame(
        "habit", "preference", 0.75,
        rf"{_I} (?:[\w']+ ){{0,6}}?(?:every|each|most) (?:single |other |second )?(?:day|days|morning|mornings|evening|"
        r"evenings|night|nights|week|weeks|weekend|weekends|month|year|time|summer|winter|autumn|spring|monday|"
        r"tuesday|wednesday|thursday|friday|saturday|sunday|monday's|lunch|christmas)\b",
        r"\b(?:every|each|most|on) (?:(?!time\b)[\w]+ ){0,2}?(?:day|days|morning|mornings|evening|evenings|night|"
        r"nights|week|weekend|weekends|month|year|summer|winter|autumn|spring|mondays?|tuesdays?|wednesdays?|"
        r"thursdays?|fridays?|saturdays?|sundays?|lunch)\b(?:[^.?!]){0,40}\b(?:i|i'm|i've|my|we)\b",
        rf"{_I} (?:almost |nearly |nearly |just )?(?:always|usually|normally|typically|often|never|rarely|seldom|"
        r"tend to|keep|generally|regularly|religiously|hardly ever|mostly) (?!know|thought|mind|said|forget|"
        r"forgot|understood|understand|seen|got|sure|imagined|expected|write|finding|looking)[\w']+",
        r"\b(?:whenever|any time|anytime|every time|each time|if ever|as soon as|the moment)\b[^.?!,]*,[^.?!]*\b(?:i|"
        r"i'm|me|"
        r"my|we)\b|\b(?:i|i'm|i've|i'd|we)\b[^.?!,]*\b(?:whenever|any time|anytime|every time|each time|as soon as)\b",
        r"\b(?:at|by|around|before|after) (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|"
        r"midnight|half past|"
        r"\d{1,2}(?: : \d\d)?|breakfast|lunch|dinner|work|school|bed)(?: o'clock| past)? ?,? (?:i|i'm|we) (?!was|had|"
        r"went|saw|got|did)[\w']+",
        r"\b(?:another|one more|the next|the last|yet another|again)\b[^.?!]*\b(?:i|i'm|i've|i'd|me|we)\b",
        rf"{_I} (?:[\w']+ ){{0,8}}(?:another|again|once more|as (?:always|usual|ever|often|i do)|a lot|"
        r"as often as|twice a|once a|three times|times a|a (?:day|week|month))\b",
        r"\b(?:my (?:[\w-]+ )?(?:routine|habit|ritual|custom|tradition|practice|workout))\b|"
        r"\b(?:daily|weekly|nightly|monthly)\b[^.?!]*\b(?:i|my|me)\b|\b(?:i|my|me)\b[^.?!]*\b(?:daily|weekly|"
        r"nightly)\b",
    ),
    _frame(
        "behaviour", "preference", 0.6,
        r"\b(?:i|we)(?:'m| am|'ve been| have been| was| were|'d been|'re| are) (?:(?!an? |the |my |no |some |at |in |"
        r"of |for |by |about )[\w']+ ){0,2}?"
        r"(?!taking\b|going to\b|being\b|having\b|getting\b|doing\b|writing\b|typing\b|thinking\b|wondering\b|asking\b|"
        r"sitting\b|standing\b|waiting\b|walking\b|looking\b|trying\b|making\b|saying\b|telling\b|talking\b|feeling\b|"
        r"anything\b|something\b|nothing\b|everything\b|hoping\b|running late\b|dying\b|bouncing\b|printing\b|"
        r"sending\b)[a-z]{2,}ing\b(?! ?[.,;!?]| (?:it|this|that|them|you|and|so|for a)\b)",
        r"\b(?:find|finds|found|caught|catch|catches|saw|see|sees|seen|spot|spotted|heard|hear|watched|had|kept|keeps|"
        r"got) (?:me|myself|us) (?:[\w']+ )?[a-z]{3,}ing\b",
        rf"{_I} (?:[\w']+ ){{0,3}}?(?:spent|spend|spending|ended up|end up|wound up|got round to|find time|found time|"
        r"took time|was busy|am busy|proud|caught myself|find myself|found myself) [^.?!]*[a-z]{2,}ing\b",
        r"\bit (?:took|takes|cost|costs) me\b|"
        r"\b(?:there i was|i was still there|still there) ,? ?[a-z]{3,}ing\b|\b(?:me|"
        r"myself) (?:for )?(?!\w+ing (?:it|that|this)\b)"
        r"[a-z]{3,}ing (?!a\b\W)[\w']|\bhow [a-z]+ it makes me\b|\bmy [\w' ]{2,30} (?:go|goes|went|"
        r"gone) (?:in)?to [a-z]{3,}ing\b|"
        rf"{_I} (?:[\w']+ ){{0,4}}?(?:can't|cannot|can not|never) (?:[\w']+ )?(?:stop|help|"
        rf"quit) [a-z]{{3,}}ing (?!that\b|about\b)|"
        r"\b(?:can't|cannot) (?:seem to )?(?:stop|help) (?!thinking|wondering|laughing|smiling)[a-z]{3,}ing\b|"
        r"\b(?:go on|went on|carry on|all the way through|hours? (?:to|on|of)|happy|proud|smiled|"
        r"reason to be) (?:to be |while |"
        r"of |when )?[a-z]{4,}ing\b|"
        r"\bwhile [a-z]{3,}ing\b|\bhence me\b|\b(?:in the middle of|busy|back to|up late|up early) [a-z]{3,}ing\b",
    ),
    _frame(
        "denial", "fact", 0.7,
        r"\bnothing to do with\b|\byou (?:won't|will not|will never|never) (?:catch|find|see) me\b",
        r"\b(?:not|never|\w+n't|neither|none of) (?:[\w']+ ){0,3}(?:my|mine|for me|me)\b",
        r"\b(?:i|we) (?:have no|never had|never have|don't own|don't have|do not have|don't do|won't have|don't eat|"
        r"don't drink|don't use|don't wear|don't watch|don't play|do not eat|do not drink|can't have|can't eat|"
        r"am not|don't)\b(?! (?:idea|time|clue|question|doubt|hurry|know|mind|think|need|want|understand|"
        r"remember|see|care|feel))",
        r"\bi'm not\b(?! (?:sure|certain|in|here|asking|going to (?:lie|ask)|able|kidding|really sure))",
    ),
    _frame("topic", "fact", 0.7, _TOPIC),
    _frame(
        "own", "fact", 0.6,
        rf"\b(?:my|our) (?!(?:{_PERSON})\b|whole\b|own (?:thing|way)\b|last\b|first\b|left\b|right\b|free\b|poor\b|"
        rf"good\b)"
        rf"[a-z-]+ (?:(?!(?:{_PERSON})\b)[a-z-]+ )?(?!(?:{_PERSON})\b|side\b|way\b|mind\b|first\b|straight\b|last\b|"
        rf"too\b|again\b|today\b|now\b|then\b|here\b|there\b)[a-z-]{{3,}}(?<!ed)(?<!ly)"
        r"(?= ?[.,;:]| (?:is|was|has|did|would|will|and|as|for|to|when|so|since|now|then|went|came|took|goes|without|"
        r"in|on))",
        r"\bof mine\b",
    ),
)  # fmt: skip

CIRCLE: Final = re.compile(
    rf"\b(?:my|our) (?:(?:own|old|new|dear|best|late|big|little|older|younger|elder|eldest|youngest|oldest|little|"
    rf"ex|good|close|former) )*(?:[\w-]+ )?(?P<person>{_PERSON})s?\b|\bone of (?:my|our) \w+\b|"
    rf"\bthe (?:{_PERSON}) (?:i|we|i'm|next door|opposite|upstairs|downstairs|across)\b"
)
"""``my (older) (yoga) teacher``."""

REQUEST: Final = re.compile(
    r"^(?:(?:and|so|now|then|but|also|ok|okay|well|oh|hey|hi|hello|please|just|kindly|maybe|perhaps|first|next) ,? ?)*"
    r"(?:(?:could|can|would|will|won't) you\b|(?:write|give|tell|explain|show|help|make|draft|word|list|suggest|find|"
    r"take me|let me know|let me hear|"
    r"use|put|stick|add|skip|leave|keep it|keep the|keep this|compare|recommend|describe|summari[sz]e|translate|"
    r"calculate|check|plan|"
    r"propose|create|compose|rewrite|prepare|surprise|spare|say|think|imagine|answer|reply|advise|convince|"
    r"look up|pick|name|choose|sort|turn|walk me|teach|send|read|don't|do not|no need|leave out|bonus|feel free|"
    r"go ahead|wish me|thanks|thank you|cheers|sorry|bye|goodbye|good (?:morning|evening|night|day|afternoon))\b|"
    r"(?:any|some) (?:tips?|ideas?|advice|suggestions?|thoughts|hints?|help|chance)\b|i (?:would|'d) (?:love|like|be|"
    r"appreciate|welcome|need)\b(?=.*\b(?:you|your|help|tips?|advice|hear|know|ideas?|list|summary|text|version|"
    r"answer|basics|suggestions?|glad of)\b)|i need (?:you|your|help|some|a pair|a text|a short|an? \w+ (?:text|email|"
    r"letter|message|summary))\b|i'd be (?:glad|grateful|happy)\b|i would be (?:glad|grateful|happy)\b)"
)
"""A request to the assistant."""

CONVERSATION: Final = re.compile(
    r"^(?:(?:and|so|but|well|oh|hi|hello|hey|ha|okay|ok|anyway|now|then|yes|no|honestly|frankly|right) ,? ?)*"
    r"(?:let me\b(?! (?:give you|introduce|put (?:this|that|it)|correct|present|set|tell you (?:about|my|that)))|"
    r"let's\b|here goes\b|to be (?:honest|fair|frank)\b|before i (?:forget|go)\b|while i\b(?=.* (?:typing|"
    r"writing|here|at it|remember)\b)|one more thing\b|on (?:a different|another) note\b|by the way \.?$|"
    r"that (?:reminds|brings) me\b|"
    r"speaking of which\b|in (?:short|brief|a word)\b|long story short\b|"
    r"i(?:'ll| will| shall|'d better) (?:just |now |only |try to )?(?:keep|make|leave|put|be|judge|file|tell you|"
    r"let you|go back|clean|"
    r"write (?:it|that) down|have to (?:go|run|say|tell|admit)|"
    r"come back|get (?:to|back)|stick to what i|take (?:it|that|things)|wait|manage|survive|"
    r"see|ask|look)\b(?! (?:my|a|an|two|three|at my) )|i (?:have to (?:go|run|say|tell|admit)|keep (?:it|this|"
    r"things) (?:short|"
    r"brief|simple)|leave it|stick to what i|take (?:it|that|things) as)\b|"
    r"i(?:'m| am| was| have been|'ve been)? (?:[\w']+ )?(?:say|said|saying|hope (?:this|that|it|you|not)|guess|suppose|"
    r"think (?:so|that's|it's)|wonder\w*|wanted to (?:say|ask|tell)|meaning to (?:say|tell|ask)|could go on|"
    r"have to tell|"
    r"dying to|must say|should be doing|know (?:that|it|this)|don't know (?:if|what|how|where)|so glad|not sure|sure|"
    r"fine|okay|sorry|afraid|relaxed|happy to|glad|told half|"
    r"lost (?:the|my) (?:thread|place)|taking it|making this|may well|might|thinking aloud|typing|am here|am back|"
    r"will be brief|won't (?:be|take|keep|tiptoe|write)|appreciate|thank)\b|"
    r"this (?:may|might) (?:come|sound|be)\b|there (?:is|'s) (?:one|something|another|a) (?:more |other )?(?:thing|"
    r"matter)s?\b(?=.*\b(?:say|tell|mention|ask|telling|wanted)\b)|something else\b|a word on\b|here is a thing\b|"
    r"now for something\b)"
)
"""A move in the conversation: it leads up, excuses, closes, and tells nothing."""
