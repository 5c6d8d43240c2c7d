"""Violence, threats, cruelty and confinement."""

from __future__ import annotations

from typing import Final

from lifeloom.models.builtin.reader.harms.making import Harm, harm
from lifeloom.models.builtin.reader.harms.words import ANYBODY, OTHER, PERSON, YOUNG

__all__ = ["VIOLENCE"]


VIOLENCE: Final[tuple[Harm, ...]] = (
    harm(
        "violence",
        "kill|murder|stab|strangle|assault|beat up|torture|maim|rape|kidnap|abduct|lynch|behead|execute|suffocate|"
        "smother|assassinate|slaughter|massacre|bludgeon|mutilate|disfigure|waterboard|gas",
        ANYBODY,
        unless=(
            r"(?:in the (?:team|office)|softly|with (?:kindness|love|kisses|questions|cheese|butter|cream|hugs|"
            r"gifts)|laughing|an?|the|some|at|for (?:that|this|it|eating|a)) "
        ),
    ),
    harm(
        "violence",
        "attack|shoot|poison|drown|choke|ambush",
        ANYBODY,
        unless=(r"(?:an?|the|some|out|up|with|in (?:black|natural|the)|on film|at (?:the|their|her|his) wedding|for) "),
        intent=True,
    ),
    harm(
        "violence",
        "shoot|attack|choke|drown|ambush|kill|beat|threaten|hit|strike",
        rf"{PERSON} (?:\S+ ){{0,3}}?"
        r"(?:with (?:a|an|the|my|your) (?:\S+ )?(?:knife|gun|bat|hammer|axe|machete|pistol|rifle|brick|bottle|"
        r"crowbar|belt|stick|pipe|chain|shovel|car)|to death|in the (?:head|back|chest|face|throat|legs|knees)|"
        r"until \S+ (?:stops?|bleeds?|screams?|begs?|cries|dies?|obeys?|can't|cannot|is|are|no)|unconscious|"
        r"senseless|to a pulp|bloody|black and blue)",
    ),
    harm(
        "violence",
        "hurt|harm|injure|cripple|punch|burn|threaten|whip|slap|kick|hit|scald|attack|wound|beat|cut|break|"
        "intimidate|terrorise|terrorize|stalk|drug|electrocute",
        rf"{PERSON} (?:\S+ ){{0,2}}?(?:so (?:badly|hard|that|much)|badly|until|to (?:death|make|get|teach|scare)|"
        r"seriously|physically|permanently|bad|really bad|where it hurts|in (?:his|her|their|your) sleep|"
        r"alive|without (?:leaving|getting|anyone))",
        intent=True,
    ),
    harm(
        "violence",
        "hurt|harm|injure|cripple|punch|whip|terrorise|terrorize|intimidate|scald",
        PERSON,
        unless=r"(?:feelings|pride|back|knees?|feet|if|when|\S+'s feelings) ?",
        intent=True,
    ),
    harm(
        "violence",
        "run over|push|shove|throw|kick|knock",
        rf"{PERSON} (?:down (?:the|some) (?:stairs|steps|well)|off "
        r"(?:the|a|that) (?:roof|bridge|balcony|cliff|platform|ladder|train|tower)|in front of (?:a|the) (?:train|"
        r"bus|car|truck|tram|lorry)|under (?:a|the) (?:train|bus|car|truck|tram|lorry)|out of (?:the|a) window|"
        r"overboard|into (?:traffic|the (?:fire|traffic|tracks)))",
    ),
    harm(
        "violence",
        "run over|mow down|run down",
        PERSON,
        intent=True,
    ),
    harm(
        "violence",
        "burn|set|light|bury|skin|boil|roast",
        rf"(?:{ANYBODY}|it|the \S+|a \S+) (?:alive|on fire)",
        unless=r"(?:the|with|up|a) ",
    ),
    harm(
        "violence",
        "break|crack|smash|bash in|pull out|tear out|crush|cut off|slit|slash|snap|cave in|knock out|gouge out|"
        "chop off|rip out|twist",
        r"(?:his|her|their|your|~'s|someone's|\S+'s) (?:\S+ )?(?:legs?|kneecaps?|knees|arms?|necks?|jaws?|fingers?|"
        r"bones?|face|skull|head|teeth|throats?|nose|eyes|tongue|ribs|hands?|spine|nails|fingernails|throat)",
        intent=True,
        unless=r"(?:hair|grip|on the ice|while|when) ?",
    ),
    harm(
        "violence",
        "slit|slash",
        r"(?:his|her|their|your|my|~'s|a|the|\S+'s) (?:throats?|wrists?|veins)",
    ),
    harm(
        "violence",
        "cut|loosen|sabotage|tamper with|sever|disable|damage|drain",
        rf"{OTHER} (?:\S+ ){{0,2}}?(?:brakes?|brake (?:lines?|cables?|fluid)|wheel nuts|steering|parachute|"
        rf"climbing rope)|"
        r"the (?:brakes|brake (?:lines?|cables?|fluid)|wheel nuts) (?:on|of|in) (?:his|her|their|~'s|\S+'s)",
    ),
    harm(
        "violence",
        "bring|take|carry|sneak|smuggle",
        r"(?:an? |my |your |the |dad's |two )?(?:\S+ )?(?:guns?|pistols?|rifles?|knife|knives|machete|weapons?|"
        r"blade|axe|ammunition) (?:\S+ )?(?:to|into|onto|through|past|on|in) (?:\S+ ){0,2}?(?:school|"
        r"class(?:room)?|work|office|church|mosque|concert|airport|plane|security|court|stadium|meeting|flight|"
        r"hospital|party|rally|match|club)",
        unless=r"(?:kitchen|cooking) ",
    ),
    harm(
        "violence",
        "shoot up|open fire on|open fire in|blow up|storm with guns|burn down|torch|gun down|open fire at",
        r"(?:\S+ ){0,4}?(?:schools?|office|mall|church|mosque|synagogue|temple|station|building|bridge|hospital|"
        r"embassy|parliament|market|"
        r"concert|house|home|flat|car|bus|train|plane|club|bar|shop|store|city hall|town hall|court(?:house)?|"
        r"stadium|crowd|office|workplace|apartment|barn|shed|restaurant|school|factory|police station|centre|"
        r"shelter|mosques|churches|people|everyone)",
    ),
    harm(
        "violence",
        "drive|ram|steer|crash|plough",
        r"(?:a|the|my|your|his|that|this) (?:\S+ )?(?:car|truck|van|lorry|bus|it|suv|vehicle) (?:straight |right "
        r")?(?:into|through|over) (?:a|the|that|this) (?:\S+ )?(?:crowd|people|group|parade|march|market|queue|"
        r"pedestrians|protesters|demonstration|school|children|kids)|into (?:a|the) crowd",
    ),
    harm(
        "violence",
        "derail|hijack|bring down|crash|blow up",
        r"(?:a|the|that) (?:\S+ )?(?:train|plane|airliner|aircraft|jet|ferry)",
    ),
    harm(
        "violence",
        "hire|find|pay|need|contact",
        r"(?:a |an |some )?(?:hitm[ae]n|hit m[ae]n|contract killer|assassin|killer|somebody to (?:kill|hurt|beat)|"
        r"someone to (?:kill|hurt|beat|get rid of))",
        gap=2,
    ),
    harm(
        "violence",
        "hide|bury|dispose of|get rid of|dissolve|dump|dismember",
        r"(?:a|the|his|her|my|your|their|\S+'s) (?:dead )?(?:body|corpse|bodies|remains)",
        unless=r"(?:hair|odou?r|fat|weight|lotion|image|heat|of|in the (?:novel|game))",
    ),
    harm(
        "violence",
        "make|see|watch|want|hear",
        rf"{PERSON} (?:\S+ )?(?:bleed|suffer|scream (?:in pain|for)|beg for (?:mercy|"
        r"\S+ life)|dead|pay with (?:his|her|their|your) (?:blood|life|lives)|regret being born|crawl|to suffer|to "
        r"die|die)",
        unless=r"(?:a little|less|in the|of laughter|tired|for the)",
        intent=True,
    ),
    harm(
        "violence",
        "put|send|leave",
        rf"{PERSON} (?:in|into|to) (?:the |a )?(?:hospital|coma|wheelchair|grave|morgue|ground|"
        r"coffin|intensive care)",
        intent=True,
        unless=r"(?:for (?:a|the|his|her)|because|when|by|after) ",
    ),
    harm(
        "violence",
        "i|we",
        r"(?:know where you (?:live|sleep|work)|will (?:find|get|hunt|destroy|finish|end) you|'ll (?:find|get|hunt|"
        r"destroy|finish|end) you|swear (?:you|he|she|they)(?:'ll| will) (?:pay|die|regret|suffer))",
        as_is=True,
    ),
    harm(
        "violence",
        "i'll|we'll|he'll|i'd|we'd",
        r"(?:hunt|destroy|finish|end) (?:you|him|her|them)|make you pay|happily see (?:him|her|them|you) dead",
        as_is=True,
        unless=r"(?:off|the|with|by) ",
    ),
    harm(
        "violence",
        "watch",
        r"your back ,? ?(?:because|i|we|or|from now|tonight|when)",
        as_is=True,
        gap=0,
        unless=r"(?:hurts?|lift)",
    ),
    harm(
        "violence",
        "you're|you|he's|she's|they're",
        r"(?:are |is )?(?:a )?dead (?:man|meat|woman)|will pay with your (?:life|blood)|won't (?:live|survive|make "
        r"it) (?:to|until|the|this|till)(?: \S+){0,3}? (?:week|night|morning|tomorrow|day|out)",
        as_is=True,
    ),
    harm(
        "violence",
        "deserves|deserve|deserved|ought|needs",
        r"(?:to )?(?:be |die|get )(?:\S+ ){0,2}?(?:beaten|killed|shot|raped|stabbed|tortured|hanged|burned|burnt|"
        r"hurt|executed|whipped|drowned|slowly|painfully)|to die|death",
        as_is=True,
    ),
    harm(
        "violence",
        "somebody|someone|i|we",
        r"(?:should|ought to|needs to|must|could) (?:\S+ )?(?:shoot|kill|hang|burn|stab|hurt|poison|strangle|lynch|"
        rf"blow up|beat up) {ANYBODY}",
        as_is=True,
        unless=r"(?:\S+ )?(?:for|if|film|photos?|pictures?|calories|candles?|time) ?",
    ),
    harm(
        "violence",
        "hold|press|put|keep",
        r"(?:a|the|my|your) (?:pillow|cushion|plastic bag|bag|cloth|rag|hand|knife|gun|blade) (?:over|to|against|"
        r"on) (?:his|her|their|your|~'s|someone's|\S+'s) (?:head|face|mouth|throat|neck|temple)",
    ),
    harm(
        "violence",
        "knife|hammer|bullet|gun|axe|brick|bat|fist|bullets|blade|noose|rope",
        r"(?:\S+ )?(?:to|in|into|through|around|for|at) (?:his|her|their|your|~'s|\S+'s) (?:head|heart|throat|neck|"
        r"chest|back|face|skull|ribs|belly|brain)",
        as_is=True,
        unless=r"(?:scarf) ?",
    ),
    harm(
        "violence",
        "pay|paying|paid",
        r"with (?:his|her|their|your) (?:life|lives|blood)",
        as_is=True,
    ),
    harm(
        "violence",
        "won't|not|never",
        r"(?:live to |going to )?see (?:another|the next|next) (?:sunrise|day|morning|birthday|christmas|summer|"
        r"week)",
        as_is=True,
    ),
    harm(
        "violence",
        "throw|drop|hurl|point|shine|shoot|toss",
        r"(?:\S+ ){0,3}?(?:stones?|rocks?|bricks?|lasers?|laser pointers?|bottles?|fireworks?|firecrackers?|logs) "
        r"(?:\S+ ){0,4}?(?:at|on|onto|into) (?:\S+ ){0,2}?(?:cars?|planes?|pilots?|trains?|drivers?|police\S*|"
        r"crowd|traffic|motorway|people|buses|cyclists|windows|pedestrians|helicopters?|dogs?|cats?)",
        unless=r"(?:film|game) ?",
    ),
    harm(
        "violence",
        "phone in|call in|make|send|post|fake|leave",
        r"(?:\S+ ){0,2}?(?:bomb|death) threats?",
    ),
    harm(
        "violence",
        "loosen|sabotage|block|unscrew|cut|remove",
        r"(?:the |a |some )(?:\S+ )?(?:rails|railway tracks?|train tracks?|railway signals?|lift cables?|elevator "
        r"cables?|gas pipe|power lines?|ladder rungs?|scaffolding)(?: \S+){0,3}? (?:so|and wait|before|to make|"
        r"until|when)",
    ),
    harm(
        "violence",
        "poison|torture|drown|strangle|kick|burn|starve|skin|stab|shoot|beat|hang|throw stones at|set fire to|hurt|"
        "whip",
        r"(?:the|a|my|your|his|her|their|that|this|stray|\S+'s)(?: \S+){0,2}? ?(?:dogs?|cats?|kittens?|puppy|"
        r"puppies|birds|horses?|hamster|rabbit|pets?|swans?|hedgehogs?)",
        intent=True,
        unless=r"(?:with (?:a )?(?:camera|lens)|at dusk|toys?|food|bed) ?",
    ),
    harm(
        "violence",
        "poison|torture|drown|strangle",
        r"(?:the|a|my|your|his|her|their|that|this|\S+'s)(?: \S+){0,2}? (?:dogs?|cats?|kittens?|puppy|puppies|"
        r"birds|horses?|pets?|coffee|tea|food|drinks?|dinner|water|wine|soup|well|reservoir|water supply|lake|"
        r"river)",
    ),
    harm(
        "violence",
        "he|she|they|you|someone|people|somebody",
        r"(?:all |both )?(?:should|ought to|must|needs? to|has to|have to) (?:all |both |just |really )?be (?:\S+ "
        r")?(?:shot|hanged|killed|beaten|burned|burnt|stabbed|executed|whipped|tortured|drowned|strangled|"
        r"castrated|poisoned)",
        as_is=True,
        unless=r"(?:in (?:black|the (?:game|film|novel))|on film|by (?:a photographer)) ?",
    ),
    harm(
        "violence",
        "want|wish|hope|hoping|pray",
        rf"(?:that )?(?:{PERSON}|everyone \S+ \S+ \S+|they all|he|she|they|you) (?:\S+ )?(?:to die|dead|dies?|"
        rf"gets? (?:hurt|killed|shot|stabbed|run over)|burns?|suffers?|rots?|to (?:suffer|bleed|burn))",
        as_is=True,
        unless=r"(?:down|out|with laughter|a little|in the (?:end|novel|film|game|book)|off) ?",
    ),
    harm(
        "violence",
        "sure",
        r"(?:that )?(?:she|he|they|you) (?:\S+ )?(?:regrets?|pays?(?: for)?|suffers?|bleeds?|never (?:walks?|"
        r"talks?|sees?|wakes?|works?|breathes?))(?: (?:it|this|again|up|dearly|for))?",
        as_is=True,
        unless=r"(?:nothing|the (?:bill|rent)|by card|attention) ?",
    ),
    harm(
        "violence",
        "bomb|bombing|nuke|gas|storm",
        r"(?:the|a|their|that|this|every|all) (?:\S+ )?(?:stations?|schools?|office|offices|mall|church|mosques?|"
        r"synagogues?|embassy|parliament|market|concert|club|village|city|bridge|hospital|stadium|airport|town "
        r"hall|train|bus|court)",
        as_is=True,
        unless=r"(?:in (?:19\d\d|the war)) ?",
    ),
    harm(
        "violence",
        "die|dying|fight|kill|killing|martyr|martyrdom|jihad|caliphate",
        r"(?:\S+ ){0,4}?(?:for the (?:cause|faith|race|caliphate|fatherland)|unbelievers|infidels|as many (?:\S+ "
        r")?(?:as|people|of them)|non believers|heretics|holy war)",
        as_is=True,
    ),
    harm(
        "violence",
        "kill|strangle|stab|hang|behead|starve",
        r"(?:the|a|his|her|their|that|your|\S+'s) (?:\S+ )?(?:cats?|dogs?|kittens?|puppy|puppies|horse|parrot|"
        r"pony)(?: \S+)*",
    ),
    harm(
        "violence",
        "don't|never|not",
        r"(?:feed|feeding|give (?:it|him|her|them) (?:food|water|any food)) (?:it|him|her|them|the (?:dog|cat|"
        r"child|kids?|baby|prisoner))(?: (?:until|for|so|again|if|any))?",
        as_is=True,
        unless=r"(?:chocolate|grapes|onions|milk|at|before|after) ?",
    ),
    harm(
        "abuse",
        "hit|beat|slap|whip|spank|smack|shake|starve|burn|choke|strike|thrash",
        r"(?:your|the|a|my|his|her|their) (?:\S+ )?(?:child|children|kids?|son|daughter|baby|toddler|wife|"
        r"girlfriend|infant|newborn|pupils?|maid)",
        intent=True,
        unless=r"(?:at|in (?:chess|the|a)|to (?:the|it)|awake|by) ?",
    ),
    harm(
        "abuse",
        "tell|ask|invite|get|bring|talk|persuade|convince|message|dm",
        rf"(?:a|the|your|some|that|this) (?:\S+ )?{YOUNG} (?:\S+ ){{0,3}}?(?:to (?:meet|come|keep (?:it|this) "
        rf"secret|send|visit)|into) (?:\S+ ){{0,4}}?(?:hotel|alone|"
        r"secretly|secret|photos?|pictures?|bed|your (?:car|flat|room)|without (?:telling|her|his))",
    ),
    harm(
        "abuse",
        "slap|hit|beat|punch|kick|hurt|strangle|choke",
        r"(?:her|him|them|the kid|the child|the kids|your wife|your kids|the boy|the girl) (?:(?!feelings)\S+ "
        r")?(?:hard|harder|again|until|so|when|whenever|where|once|if|every|for talking|daily)",
        unless=r"(?:with a ball|at (?:tennis|chess)) ?",
    ),
    harm(
        "abuse",
        "lock|chain|tie|keep|hold|trap|imprison",
        rf"(?:{ANYBODY}|the (?:kids?|child|children|girl|maid)) (?:\S+ )?(?:up )?"
        r"(?:in|to|inside) (?:the |a |your |my )?(?:\S+ )?(?:basement|cellar|cupboard|closet|cage|shed|attic|bed|"
        r"radiator|wardrobe|trunk|dark)(?: room)?",
        unless=r"(?:until the|for a nap|rest)",
    ),
    harm(
        "abuse",
        "keep|take|hide|take away|confiscate",
        r"(?:her|his|their|the (?:maid's|workers'|girls')) (?:passports?|papers|phone) (?:so|until|and|to) (?:\S+ "
        r"){0,3}?(?:can't|cannot|leave|obeys?|works?|run|escape|call)",
    ),
    harm(
        "abuse",
        "traffic|sell|buy|smuggle|enslave",
        r"(?:a |the |my |your |young |some )?(?:girls?|women|children|child|baby|human (?:beings|organs)|kidneys?|"
        r"organs?|slaves?|humans)(?= (?:to|on|from|without|into|abroad|online|who|as)(?!\S)|$)",
        unless=(
            r"(?:clothes|clothing|shoes|books?|toys?|\S+wear|an?|the|some|cookbooks?|music|donors?|beans|the idea|"
            r"fashion|into|on|s) ?"
        ),
        intent=True,
    ),
    harm(
        "abuse",
        "lock|leave|keep|shut",
        rf"(?:{PERSON}|\S+ \S+) (?:\S+ ){{0,8}}?without (?:any )?(?:food|water|clothes|heating|air|a blanket)",
    ),
)
