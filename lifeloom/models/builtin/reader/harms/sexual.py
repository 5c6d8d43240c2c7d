"""Sexual content: minors, coercion, secret recording, explicit text."""

from __future__ import annotations

from typing import Final

from lifeloom.models.builtin.reader.harms.making import Harm, harm
from lifeloom.models.builtin.reader.harms.words import PERSON, SEXUAL, YOUNG

__all__ = ["SEXUAL_CONTENT"]


SEXUAL_CONTENT: Final[tuple[Harm, ...]] = (
    harm(
        "sexual content",
        "child|kiddie|kid|underage|minor|teen|preteen",
        r"(?:porn\S*|sex(?! education| change)|erotica|nudes?|sexual(?! (?:health|education|abuse))|bodies naked|"
        r"prostitut\S+)",
        as_is=True,
    ),
    harm(
        "sexual content",
        "sex with|sex involving|nude|nudes|naked|erotic|sexual|sexy|undress|undressing|seduce|seducing|fondle|"
        "fondling|grope|groping|molest|molesting|topless|porn|seductive|sexting|sext|flirt|flirting",
        rf"(?:\S+ ){{0,4}}?(?:of|with|about|from|involving|for|up with|like|featuring|between|by|on)?(?: |"
        rf"(?<=\s))(?:a |the |"
        rf"an |my |your |some |her |his |that )?(?:\S+ )?{YOUNG}",
        as_is=True,
        unless=(
            r"(?:education|of the|abuse|clothing|birthday|play ?dates?|goodnight|good night|books?|hair|party|on "
            r"the (?:cheek|forehead))"
        ),
    ),
    harm(
        "sexual content",
        "touch|groom|date|sleep with|hook up with|lure|entice|caress|make out with",
        rf"(?:a |the |an |my |your |some |that |this |those |these )?(?:\S+ )?{YOUNG}",
        unless=(
            r"(?:play|party|books?|room|birthday|menu|'s|with a (?:book|treat|story)|to (?:the|read|eat|try|"
            r"learn)) ?"
        ),
        intent=True,
    ),
    harm(
        "sexual content",
        "schoolgirl|schoolgirls|schoolboy|schoolboys|teenager|teenagers|minor|minors|child|children|kid|kids|"
        "toddler|girl|boy|girls|boys|pupil|pupils|student|preteen|underage|stepdaughter|daughter|niece|nephew|"
        "twelve|thirteen|fourteen|fifteen|ten|eleven|12|13|14|15|eleven",
        rf"{SEXUAL}",
        gap=6,
        as_is=True,
        unless=(
            r"(?:education|abuse|health|as a fish|on the beach|baby|mole|offenders?|of (?:the|a) (?:baby|child|"
            r"plant)|the (?:bark|wood|tree|bed|paint))"
        ),
    ),
    harm(
        "sexual content",
        "force|coerce|pressure|trick|blackmail|drug|make|persuade|push|bully|threaten|manipulate|lure|get",
        rf"(?:{PERSON}|his wife|her) (?:\S+ ){{0,3}}?(?:into bed|to (?:have )?sex|have sex|into (?:having )?sex|to "
        rf"sleep with|into sleeping with|"
        r"to undress|undress|to strip|to touch (?:me|you|him|her)|into (?:nudes|undressing)|sexual|say yes to sex|"
        r"to send (?:\S+ ){0,2}?(?:nudes?|naked))",
    ),
    harm(
        "sexual content",
        "get|make|keep",
        r"(?:her|him|them|the girl|a girl|girls|someone|that girl|~) (?:so |really |too |very )?(?:drunk|wasted|"
        r"stoned|high|unconscious|tipsy)",
        unless=r"(?:home|on love|with (?:joy|happiness))",
    ),
    harm(
        "sexual content",
        "touch|undress|have sex with|sleep with|kiss|film|photograph|grope|take advantage of|rape|strip|record|use",
        r"(?:her|him|them|a (?:girl|woman|man)|the (?:girl|woman)|someone|~) (?:\S+ ){0,2}?(?:while|when|once|if) "
        r"(?:she|he|they)(?:'s|'re| is| are) (?:\S+ )?(?:asleep|passed out|unconscious|drunk|sleeping|out cold|"
        r"sedated|wasted|naked|undressing|showering|in the shower)",
    ),
    harm(
        "sexual content",
        "sex|touch|kiss|undress|nudes|intimate",
        r"without (?:her|his|their|any) (?:consent|permission|agreement|knowledge)",
        gap=6,
        as_is=True,
    ),
    harm(
        "sexual content",
        "slip|spike|put|drop|mix",
        r"(?:\S+ ){0,4}?(?:in|into|to)?(?: |(?<=\s))(?:her|his|their|a (?:girl|woman|stranger|date)'s|someone's|"
        r"~'s|the "
        r"girl's|that girl's|\S+ date's) (?:drinks?|glass|cocktail|wine|beer)(?: (?:and|so|with|when|while|at|"
        r"before|then)\b.*)?",
        intent=False,
        unless=r"(?:coaster|ice|straw)",
    ),
    harm(
        "sexual content",
        "hide|set up|install|put|place|mount|film|record|secretly film|secretly record|photograph|spy on|watch|"
        "peep at|peek at|secretly photograph|secretly watch|live stream|sneak photos of|take photos of|take "
        "pictures of",
        r"(?:\S+ ){0,6}?(?:in (?:the|a|her|his|their|my|your)(?: \S+)? (?:changing|locker|dressing|fitting) "
        r"?rooms?|in (?:the|a|her|their|his|\S+'s) (?:\S+ )?(?:shower|showers|bathroom|toilets?|bedroom)|"
        r"undress\S*|up (?:her|their|women's|girls'|a \S+'s) skirts?|(?:changing|getting changed|showering|naked))",
        unless=(r"(?:the (?:lamp|nappy|baby)|mirror|cabinet|lamp|shelf|light|tiles?|clothes|colou?rs?|their minds?|a)"),
        intent=False,
    ),
    harm(
        "sexual content",
        "post|share|leak|send|publish|upload|sell|spread|show|threaten to post|release",
        r"(?:\S+ ){0,3}?(?:her|his|their|ex's|girlfriend's|~'s|someone's|the girl's|\S+'s) (?:\S+ )?(?:nudes?|"
        r"naked|intimate|sex tapes?|private (?:photos|pictures|videos)|topless|bedroom|shower)(?: (?:photos?|"
        r"pictures?|pics|videos?|clips?|tapes?))?",
    ),
    harm(
        "sexual content",
        "she|he|they|her",
        r"(?:said|says|say|saying|is saying|'s) (?:no|asleep|not moving|unconscious)(?: \S+){0,4}? (?:keep "
        r"going|go on|doesn't mean|don't mean|can't object|can't say|anyway|means yes|just continue|carry on|won't "
        r"remember|never remember)",
        as_is=True,
    ),
    harm(
        "sexual content",
        "if|when|while|once|because",
        r"(?:she|he)(?:'s| is) (?:\S+ )?(?:asleep|passed out|unconscious|drunk|sedated|sleeping) ,? ?(?:\S+ "
        r"){0,3}?(?:can't (?:object|say no|refuse|resist)|won't (?:remember|notice|resist|object)|doesn't count|"
        r"take off|undress|go ahead)",
        as_is=True,
    ),
    harm(
        "sexual content",
        "pictures|photos|pics|videos|video|clips",
        r"of (?:\S+ ){0,3}?(?:sister|daughter|girls?|boys?|niece|child|children|kids?|pupils?|student|cousin|"
        r"neighbou?r|stepsister|her|roommate|women)(?: \S+){0,3}? (?:in the (?:shower|bath|changing room)|naked|"
        r"undressed|undressing|without clothes|in (?:her|his|their) underwear|nude)",
        as_is=True,
    ),
    harm(
        "sexual content",
        "unless|until|or",
        r"(?:she|he|you|they) (?:\S+ )?(?:sleeps? with|has sex|have sex|undress\S*|sends? (?:\S+ )?nudes|strips?)",
        as_is=True,
    ),
    harm(
        "sexual content",
        "no|she|her",
        r"(?:really |just |always )?(?:means yes|was asking for it|asked for it by|owes (?:you|me|him) sex|'no' "
        r"means)",
        as_is=True,
    ),
    harm(
        "sexual content",
        "wives|wife|women|woman|girlfriend|girls",
        r"(?:\S+ ){0,3}?(?:(?:must|has to|have to|owes?) (?:\S+ ){0,2}?(?:sex|sleep with)|can't (?:refuse|be "
        r"raped)|wants? to be (?:raped|forced|taken)|enjoys? being (?:raped|forced))",
        as_is=True,
    ),
    harm(
        "sexual content",
        "date|upskirt|upskirting|revenge|rape",
        r"(?:rape (?:drugs?|pills?|drops)|porn|photos?|pictures?|fantas\S+|is (?:fine|ok|okay|justified|funny|her)|"
        r"her|him|them)",
        as_is=True,
    ),
    harm(
        "sexual content",
        "explicit|hardcore|graphic|detailed|watch|write|describe|send|show|tell",
        r"(?:\S+ ){0,4}?(?:sex (?:scenes?|acts?|story|stories|chat|tape|with)|porn\S*|sexual (?:acts?|fantas\S+|"
        r"favou?rs?|intercourse|encounter)|sexually explicit|dick pics?|nudes of|nude (?:photos?|pictures?|"
        r"pics)(?: of)? (?:me|you|your\S*|her|him|my)|erotic (?:story|stories|scene|massage))",
        as_is=True,
    ),
    harm(
        "sexual content",
        "masturbate|masturbating|blowjob|orgasm|orgasms|handjob|cum|incest|bestiality|gangbang|deepthroat|"
        "pedophilia|paedophilia",
        as_is=True,
        unless=r"(?:laude|is a crime|is illegal)",
    ),
    harm(
        "sexual content",
        "have|having|had",
        r"(?:rough |wild |hot |real )?sex with (?:me|you|her|him|them|my|your|a|an|the)",
        as_is=True,
    ),
    harm(
        "sexual content",
        "sex|sexual",
        r"(?:with (?:a )?(?:animals?|dogs?|corpse|relatives?|sister|brother)|favou?rs? (?:for|in|from|or)|in "
        r"(?:exchange|return) for)",
        as_is=True,
    ),
    harm(
        "sexual content",
        "thirteen|fourteen|twelve|eleven|fifteen|ten|12|13|14|15|underage|minor",
        r"(?:\S+ ){0,5}?(?:looks (?:great|good|hot|older|mature)|without clothes|sexy|hot body|her body|mature "
        r"for|old enough for|in bed|ready for|attractive|breasts|lingerie|seductive|aroused)",
        as_is=True,
        unless=r"(?:in (?:that|the) (?:dress|picture|hat)) ?",
    ),
    harm(
        "sexual content",
        "wait|until|till|once",
        r"(?:until |till )?(?:she|he|the girl) (?:is|'s|has) (?:\S+ )?(?:drunk|asleep|unconscious|passed out|had "
        r"enough)",
        as_is=True,
        unless=(
            r"(?:before (?:you|we) (?:leave|talk|clean|turn|move)|then (?:turn|close|switch)|and (?:turn|close|"
            r"carry)|in (?:her|his) (?:cot|crib)) ?"
        ),
        intent=True,
    ),
    harm(
        "sexual content",
        "make|force|get|let",
        r"(?:her|him|them|the (?:girl|intern|maid|secretary)|~) (?:\S+ )?(?:sleep with|undress|have sex|strip|"
        r"touch you|kiss you)(?: \S+)*",
    ),
    harm(
        "sexual content",
        "had|having|have|has",
        r"(?:\S+ )?sex(?: (?:on|in the|for|again|with|all)(?: \S+)*)?",
        as_is=True,
        intent=True,
        unless=r"(?:education|change|chromosomes?|appeal) ?",
    ),
)
