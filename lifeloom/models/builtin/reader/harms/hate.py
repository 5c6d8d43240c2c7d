"""Hate, dehumanising and harassment."""

from __future__ import annotations

from typing import Final

from lifeloom.models.builtin.reader.harms.making import Harm, harm
from lifeloom.models.builtin.reader.harms.words import DEMEANING, FATE, GROUP, PERSON

__all__ = ["HATE"]

_GROUP_STARTS: Final = (
    "jew|jews|jewish|muslim|muslims|christian|christians|catholic|catholics|hindu|hindus|sikh|sikhs|black|blacks|white|"
    "brown|gay|gays|lesbian|lesbians|homosexual|homosexuals|homosexuality|queer|queers|trans|transgender|immigrant|"
    "immigrants|migrant|migrants|foreigner|foreigners|refugee|refugees|asylum|gypsy|gypsies|roma|asian|asians|mexican|"
    "mexicans|arab|arabs|african|africans|chinese|indians|pakistani|pakistanis|turk|turks|polish|russian|russians|"
    "ukrainian|ukrainians|latino|latinos|women|girls|female|females|disabled|autistic|mentally|old|elderly|homeless|"
    "poor|native|natives|indigenous|fat|people|those|these|your|their"
)
"""First words of ``GROUP``."""

HATE: Final[tuple[Harm, ...]] = (
    harm(
        "hate",
        _GROUP_STARTS,
        who=GROUP,
        what=(
            rf"(?:\S+ ){{0,3}}?(?:are|is|were|aren't|will always be|have always been|'re|all being|count as) (?:\S+ "
            rf"){{0,4}}?{DEMEANING}"
        ),
        as_is=True,
        unless=(
            r"(?:to (?:be|hear|see|meet|me|do)|of (?:the )?(?:same|work)|at (?:me|the)|with|dancers|in (?:the|my|"
            r"our)|for (?:us|me)|about) ?"
        ),
    ),
    harm(
        "hate",
        _GROUP_STARTS,
        who=GROUP,
        what=(
            rf"(?:\S+ ){{0,3}}?(?:should|must|need to|needs to|have to|deserves?|deserve to|ought to|belong|can|had "
            rf"better|could|shouldn't|mustn't) (?:\S+ ){{0,3}}?{FATE}"
        ),
        as_is=True,
        unless=r"(?:to|for (?:the|a)|on|by (?:six|ten|bus)|with|as|in (?:time|june|may)|early|before) ?",
    ),
    harm(
        "hate",
        _GROUP_STARTS,
        who=GROUP,
        what=(
            r"(?:\S+ ){0,3}?(?:shouldn't|don't|can't|cannot|should not|do not|should never|must not|must never|"
            r"mustn't|don't deserve to) (?:\S+ )?(?:be (?:allowed|human|trusted|here|citizens|hired|believed)|"
            r"deserve (?:rights|respect|to (?:live|exist|vote)|mercy|help|equal)|belong (?:here|in (?:this|our))|"
            r"vote|exist|breed|reproduce|have (?:rights|children|kids|the vote|jobs)|think (?:logically|for "
            r"themselves)|feel pain|live (?:here|among|next))"
        ),
        as_is=True,
    ),
    harm(
        "hate",
        "jews|jewish|muslims|immigrants|foreigners|refugees|women|gays|migrants|gypsies|homosexuals|arabs|mexicans|"
        "asians|africans|blacks",
        r"(?:\S+ ){0,2}?(?:control|ruin|destroy|steal|poison|pollute|infest|corrupt|rape|breed like|spread "
        r"(?:disease|crime|filth)|only (?:want|come)|bring (?:crime|disease|filth)|smell|stink|cause all|run the "
        r"(?:banks|media|world)) \S+",
        as_is=True,
        unless=r"(?:a |the )?(?:choir|shop|show|stage|project|bakery)",
    ),
    harm(
        "hate",
        "get rid of|wipe out|exterminate|cleanse|purge|deport|drive out|round up|gas|kill|eradicate|eliminate|"
        "shoot|burn|beat up|attack|hunt|lynch|enslave|sterilise|sterilize|ban|expel|throw out|kick out|spit on|"
        "boycott|keep out|lock up|segregate|chase",
        rf"(?:\S+ ){{0,4}}?(?:all |the |those |these |every |of )?(?:\S+ )?{GROUP}",
        unless=(
            r"(?:clothes|shoes|team|toilet|bikes|novel|food|restaurant|cuisine|poetry|in the (?:film|novel|game)|"
            r"lessons|night|hour|s) ?"
        ),
    ),
    harm(
        "hate",
        "hate|despise|loathe|detest|can't stand|hating|ban|disgusted by|sick of|tired of|blame",
        rf"(?:all |the |those |these |every |all the |all of the |damn |filthy |fucking )(?:\S+ )?{GROUP}",
        as_is=True,
        unless=(
            r"(?:clothes|shoes|toilets?|team|magazines?|noise|buses|food|bathroom|in the (?:film|novel|office)|on|"
            r"who|that) ?"
        ),
    ),
    harm(
        "hate",
        "filthy|dirty|stupid|lazy|inferior|disgusting|fucking|damn|goddamn|bloody|greedy",
        rf"(?:\S+ )?{GROUP}",
        as_is=True,
        unless=r"(?:clothes|hair|socks|shoes|hands|laundry|shirts?|dress\S*) ?",
    ),
    harm(
        "hate",
        "go",
        r"back to (?:where (?:you|they) (?:came|come|belong)|(?:your|their) (?:own )?(?:country|countries|jungle|"
        r"kind)|africa|mexico|the jungle)",
        as_is=True,
        unless=r"(?:cottage|house)",
    ),
    harm(
        "hate",
        "white|aryan|master|racial|ethnic|race|heil|racially|superior|inferior|pure|islam|holocaust",
        r"(?:race|power|supremacy|purity|cleansing|traitors?|hitler|inferior|superior|pure|races|white race|blood "
        r"must|(?:is|was) (?:a|an) (?:hoax|lie|cancer|disease|invention)|never happened)",
        as_is=True,
    ),
    harm(
        "hate",
        "keep|make",
        r"(?:our|the|this) (?:country|race|blood|neighbou?rhood|town|street|school|nation|bloodline)s? (?:white|"
        r"pure|clean of|free of|christian)",
    ),
    harm(
        "hate",
        "hire|serve|rent to|trust|employ|marry|befriend|sit next to|date|let in|help",
        r"(?:\S+ )?(?:blacks|jews|muslims|arabs|gypsies|gays|homosexuals|foreigners|immigrants|women|refugees|"
        r"asians|mexicans|africans|trans people|disabled people|black people|people like (?:them|that))(?: |"
        r"(?<=\s))(?:, "
        r")?(?:because|since|they|as they|at all|ever|,)",
    ),
    harm(
        "hate",
        "faggots|faggot|niggers|nigger|kikes|spics|chinks|pakis|wetbacks|trannies|tranny|subhuman|subhumans|"
        "untermenschen|retards|towelheads|sandniggers|coons|gooks",
        as_is=True,
    ),
    harm(
        "hate",
        "religion|race|faith|ethnicity|nation",
        r"(?:is|are|makes? (?:them|you|him|her)) "
        r"(?:\S+ ){0,2}?(?:inferior|a (?:cancer|disease|plague)|filth\S*|evil|vermin|worth less|less (?:human|"
        r"intelligent|worthy)|subhuman|dangerous animals)",
        as_is=True,
    ),
    harm(
        "hate",
        "women|jews|muslims|immigrants|refugees|foreigners|gypsies|gays|girls|blacks|migrants|homosexuals|people|"
        "wives|they",
        r"(?:\S+ ){0,3}?belongs? (?:in|behind|under|on|at) (?:the |a )?(?:kitchen|camps?|cages?|prison|gutter|"
        r"chains|barbed|bars|zoo|jungle|stake|stove|grave|ghetto|leash|home|trash|ground)",
        as_is=True,
    ),
    harm(
        "hate",
        "every|each|no|any|most",
        rf"(?:\S+ )?{GROUP} (?:is|are|has|have|can|deserves?|should)(?: \S+){{0,3}}? (?:thie(?:f|ves)|terrorists?|"
        rf"criminals?|liars?|dirty|trust\S*|whores?|human|animals?|rights|lazy|stupid|vermin|rapists?|evil|"
        rf"parasites?|deported|die|dead|killed)",
        as_is=True,
    ),
    harm(
        "hate",
        "kind|sort|such|race|breed|scum|tribe",
        r"(?:of )?(?:people|person|humans|creatures) (?:\S+ ){0,3}?(?:wiped|exterminated|removed|eliminated|shot|"
        r"vermin|deported|killed|locked|not (?:be|live|exist|human)|die|gassed|banned|inferior|disgust\S*|animals|"
        r"filth)",
        as_is=True,
    ),
    harm(
        "hate",
        "rent|sell|hire|serve|talk|give",
        r"(?:\S+ ){0,3}?(?:to|for)?(?: |(?<=\s))(?:people like (?:that|them)|their kind|your kind|that kind of "
        r"people|those "
        r"foreigners|such people|(?:blacks|gypsies|jews|muslims|arabs|gays|immigrants|foreigners|refugees))",
        as_is=True,
        intent=True,
        unless=r"(?:in (?:the|our) (?:shop|choir)|who|as well|too|with|for free) ?",
    ),
    harm(
        "harassment",
        "you|you're|he's|she's",
        r"(?:are |'re |is )?(?:just |nothing but |such |really |all |so |still )*(?:an? )?(?:\S+ "
        r"){0,2}?(?:worthless|pathetic|disgusting|useless|stupid|ugly|fat|dumb|filthy|miserable|brainless|vile)(?: "
        r"and \S+)? (?:idiot|loser|pigs?|cow|bitch|whore|slut|moron|cretin|failure|piece|waste|trash|human|excuse|"
        r"creature|freak|animal|bastard|scum|cunt|imbecile|person|parasite|nobody)",
        as_is=True,
    ),
    harm(
        "harassment",
        "you|you're",
        r"(?:are |'re )?(?:\S+ ){0,2}?(?:worthless|a waste of (?:space|oxygen|air|skin|life)|nothing but (?:trash|"
        r"garbage|dirt|scum)|subhuman|a disgusting|better off dead|a mistake|a burden (?:to|on) (?:everyone|your|"
        r"us|all))",
        as_is=True,
    ),
    harm(
        "harassment",
        "nobody|everyone|everybody|no",
        r"(?:one )?(?:will ever |would ever |really |here |ever |could ever )*(?:loves? you|likes you|hates you|"
        r"despises you|wants you (?:here|alive|around)|wishes you (?:were|would))",
        as_is=True,
        unless=r"(?:more|as|but (?:me|us)|for) ",
    ),
    harm(
        "harassment",
        "fuck|fucking|motherfucker|cunt|cunts|bitch|bitches|whore|whores|slut|sluts|dumbass|asshole|retarded|"
        "shithead|dickhead",
        as_is=True,
        unless=r"(?:growth|sours?)",
    ),
    harm(
        "harassment",
        "bully|humiliate|harass|terrorise|terrorize|torment|mob|cyberbully|blackmail|extort|gaslight|isolate|shame|"
        "ridicule|degrade",
        rf"(?:{PERSON}|that \S+|the new \S+)",
        intent=True,
        unless=r"(?:with cake|with (?:biscuits|tuna|chocolate)|from the) ?",
    ),
    harm(
        "harassment",
        "shut|go",
        r"(?:up|to hell|away) ,? ?(?:you )(?:\S+ )?(?:idiot|moron|pig|cow|bitch|whore|loser|freak|trash|scum|"
        r"animal|bastard|piece)",
        as_is=True,
    ),
    harm(
        "harassment",
        "never|not|wish",
        r"(?:you )?(?:have|had|'ve)?(?: |(?<=\s))(?:never )?been born",
        as_is=True,
        unless=r"(?:in|on|at|a|then|yet) ?",
    ),
)
