"""Drugs made, dealt or taken, and poisons given."""

from __future__ import annotations

from typing import Final

from lifeloom.models.builtin.reader.harms.making import Harm, harm
from lifeloom.models.builtin.reader.harms.words import HARD_DRUG, MEAL, PERSON, POISON, SOFT_DRUG, YOUNG

__all__ = ["DRUGS_AND_POISON"]


DRUGS_AND_POISON: Final[tuple[Harm, ...]] = (
    harm(
        "drugs",
        "recipe|ingredients|formula|instructions|cook|make|synthesise|synthesize|manufacture|produce|smuggle|deal|"
        "sell|score|snort|inject|shoot up|smoke|buy|get|try|take|cut|hide|push|grow|traffic|supply|order|mix|use|"
        "transport|distribute|do|brew|extract|find|obtain|carry|ship|stash|swallow|offer|give",
        HARD_DRUG,
        gap=4,
        unless=(
            r"(?:of dawn|a (?:joke|smile)|the (?:eggs|case|nut|code|window|whip|shell|door)|in the (?:wall|screen|"
            r"ice|vase|cup|mug|door|glass|pavement|egg|plate|pepper)|pie|soup|risotto|glass|vase|pepper(?:corns)?|"
            r"open|balls?) ?"
        ),
    ),
    harm(
        "drugs",
        "sell|deal|smuggle|push|hand out|distribute|traffic|offer|give|pass|supply|grow|buy|get|slip",
        rf"(?:\S+ ){{0,3}}?{SOFT_DRUG} (?:\S+ ){{0,3}}?(?:to|for|at|in|near|outside|among|with|by) (?:\S+ "
        rf"){{0,2}}?(?:{YOUNG}|"
        r"students?|school\S*|playground|teenagers|campus|kids|classmates?|the kids|college|youngsters|homeless "
        r"\S+|addicts)",
        unless=r"(?:trip|prevention|awareness|bus|play) ?",
    ),
    harm(
        "drugs",
        "sell|deal|smuggle|traffic|push|distribute|hide",
        r"(?:\S+ ){0,2}?(?:drugs|dope|weed|marijuana|cannabis|hash|narcotics|stolen pills|pills)",
        unless=(
            r"(?:whacker|from (?:the|my) (?:child|kids?|dog|toddler)|in (?:the )?(?:cheese|cabinet|cupboard|food|"
            r"treat)|box(?:es)?|killer) ?"
        ),
        intent=True,
    ),
    harm(
        "drugs",
        "buy|order|get|score|find",
        r"(?:\S+ ){0,3}?(?:drugs|weed|pills|dope|marijuana|cannabis|oxy|tramadol|valium|adderall|ritalin|steroids|"
        r"painkillers|antibiotics|sleeping pills|sedatives|medication|a dealer|drug dealer) (?:\S+ "
        r"){0,3}?(?:without (?:a |any )?(?:prescription|doctor)|dark ?(?:web|net)|black market|illegally|on the "
        r"street|from a dealer|downtown|under the counter|tonight|dealer)",
    ),
    harm(
        "drugs",
        "find|call|know|become|need|contact",
        r"(?:a |an |some |the |my )?(?:good |cheap |reliable |local )?(?:drug )?(?:dealers?|drug dealers?)",
        unless=r"(?:cards?|car|ship|art|book|antiques?|who|for|of) ?",
        intent=True,
    ),
    harm(
        "drugs",
        "dealers|dealer",
        r"(?:\S+ ){0,3}?(?:hang out|sell|in (?:this|my|our) (?:town|area|street|neighbou?rhood)|who (?:sells?|has)|"
        r"near (?:here|me|the school)|around here|on the corner)",
        as_is=True,
        unless=r"(?:cars?|antiques?) ?",
    ),
    harm(
        "drugs",
        "smoke|roll|share|eat|have",
        r"(?:\S+ ){0,2}?(?:joints?|blunts?|bongs?|spliffs?|edibles|space cakes?) (?:\S+ ){0,2}?(?:before|while|at|"
        r"during|with) (?:\S+ ){0,4}?(?:school|work|driv\S+|exams?|kids?|class|shift|car|children|pick|son|"
        r"daughter|flight)",
    ),
    harm(
        "drugs",
        "swallow|carry|tape|hide|smuggle|strap|move",
        r"(?:\S+ ){0,4}?(?:packets?|packages?|powder|pouch|bags?|condoms?|parcel)(?: \S+){0,6}? (?:customs|x "
        r"ray|airport|border|sniffer|body|stomach|police|guards?|prison)",
        unless=r"(?:declar\S+|form|duty) ?",
        intent=True,
    ),
    harm(
        "drugs",
        "look|find|hit|tie",
        r"(?:for |off )?(?:a|the|your) (?:veins?|arm) (?:and|,|then|before)(?: \S+)? (?:inject|shoot|push|press)\S*",
        as_is=True,
        gap=0,
        unless=r"(?:blood|nurse|donat\S+|sling) ?",
        intent=True,
    ),
    harm(
        "drugs",
        "cheat|pass|beat|fake|fool|get through",
        r"(?:a|the|my|your|any|his|her)(?: \S+)? (?:drug|urine|breathalyser|breathalyzer|alcohol) (?:tests?|"
        r"screening|samples?)",
    ),
    harm(
        "drugs",
        "sniff|huff|inhale|snort|smoke",
        r"(?:some |the |a little |your |a can of |paint )?(?:glue|paint(?: thinner)?|petrol|gasoline|gas|solvents?|"
        r"lighter (?:fluid|gas)|butane|aerosols?|deodorant|nail polish remover|felt pens|spray cans?|pills|powder|"
        r"bath salts|banana peels|nutmeg|laughing gas|correction fluid|coke|thinner)",
        unless=r"(?:before|fumes|leak|smells?) ?",
    ),
    harm(
        "drugs",
        "get|feel",
        r"(?:really |so |properly |cheaply )?high (?:on|from|off|by|without|with|at (?:school|work)) (?:\S+)",
        unless=r"(?:marks|blood|grades|scores?|up|ground|life|notes?) ?",
    ),
    harm(
        "drugs",
        "sell|share|fake|forge|trade|swap|crush|steal",
        r"(?:\S+ ){0,3}?(?:prescriptions?|prescription (?:pads?|pills|drugs)|adderall|ritalin|oxy\S*|pain (?:pills|"
        r"meds)|adhd (?:pills|meds|medication)|painkillers|medication|steroids)",
        unless=r"(?:glasses|lenses|in (?:jam|honey|yogh?urt)|if|with water) ?",
        intent=True,
    ),
    harm(
        "drugs",
        "sell|buy|give|serve|pour",
        rf"(?:\S+ ){{0,3}}?(?:alcohol|vodka|beers?|cigarettes|vapes?|whisky|wine|schnapps|tobacco|spirits) (?:\S+ "
        rf"){{0,2}}?(?:to|for) (?:\S+ ){{0,2}}?{YOUNG}",
    ),
    harm(
        "drugs",
        "line|lines|hit|gram|grams|kilo|kilos",
        r"of (?:coke|cocaine|speed|heroin|meth|crack|ketamine|crystal|weed|hash)",
        as_is=True,
        unless=r"(?:shepherds?) ?",
    ),
    harm(
        "poisoning",
        "put|slip|add|pour|mix|sneak|crush|stir|drop|sprinkle|grind|dissolve|hide|dose|spike|lace|inject|serve|"
        "bake|feed|give|use|leave|lay out|blend|scatter|smuggle",
        rf"(?:\S+ ){{0,5}}?{POISON}(?: ,)? (?:\S+ ){{0,6}}?(?:in|into|to|for|with|inside|at|as|over|on) (?:\S+ "
        rf"){{0,4}}?(?:{MEAL}|dog|dogs|"
        r"cat|cats|pigeons|him|her|them|husband|wife|boss|neighbou?rs?|guests|children|baby|salad|sugar|burger|"
        r"sausages?|meatballs?|treats?|well)",
        unless=r"(?:rack|machine|stains?|rings?|cloths?|towels?) ?",
    ),
    harm(
        "poisoning",
        "spike|lace|dose|poison|contaminate|tamper with",
        rf"(?:\S+ ){{0,4}}?(?:{MEAL}|punch|water supply|baby food|reservoir|well|buffet|medicine|candy|sweets|"
        rf"formula)",
        intent=True,
        unless=r"(?:with (?:lemon|mint|rum|chilli|herbs|cinnamon|ginger)|shoes|heels) ?",
    ),
    harm(
        "poisoning",
        "which|what|untraceable|undetectable|tasteless|odourless|odorless|slow",
        r"(?:kind of |sort of |acting |is the best |\S+ )?(?:poisons?|toxins?|substances?|mushrooms?|berries|"
        r"plants?)(?: \S+){0,4}? (?:no trace|untraceable|undetect\S+|kills? (?:a |an )?(?:man|person|adult|human|"
        r"quickly|slowly|someone|him|her)|tasteless|can't be (?:traced|detected|found)|autopsy|natural death|heart "
        r"attack|nobody (?:notices|detects)|for (?:him|her|my|someone)|in (?:his|her|the) (?:coffee|food|blood|"
        r"body))",
        as_is=True,
    ),
    harm(
        "poisoning",
        "poison",
        rf"(?:{PERSON}|the (?:guests|birds|water|well|reservoir|lake|dog|cat|pigeons|town|school)|\S+'s (?:dog|cat|"
        rf"food|drink|coffee|plants|well))",
        intent=True,
        unless=r"(?:by accident|ivy|with (?:his|her) (?:ideas|words)) ?",
    ),
    harm(
        "poisoning",
        "much|many|little|drops|dose|amount|grams|gram|milligrams",
        rf"(?:of )?(?:\S+ )?{POISON}(?: \S+){{0,6}}? (?:to kill|kills?|enough (?:to|for)|lethal|fatal|deadly|"
        rf"suspects?|notices?|knock \S+ out|trace|for an adult|unconscious)(?: \S+)*",
        as_is=True,
        unless=r"(?:weeds?|slugs|rats|mice|moss|germs|bacteria|mould) ?",
    ),
    harm(
        "poisoning",
        "grind|crush|mix|stir|slip|dissolve|put|drop|sneak|pour|hide",
        r"(?:\S+ ){0,3}?(?:pills?|tablets?|powder|drops|sedatives?|something|sleeping \S+) (?:\S+ ){0,2}?(?:in|"
        r"into|to) (?:his|her|their|~'s|someone's|\S+'s) (?:\S+ )?(?:\S+)",
        unless=r"(?:with (?:his|her) knowledge|bowl ,|cat's|dog's|vitamin) ?",
    ),
    harm(
        "poisoning",
        "drops|drop|spoonful|pinch|bit|little|dose",
        r"(?:of )(?:nicotine|cyanide|arsenic|antifreeze|bleach|mercury|strychnine|thallium|poison|methanol|ricin|"
        r"hemlock|digitalis|oleander|foxglove|weed ?killer|rat poison)(?: \S+)*? (?:in|into|to|on|over|with) "
        r"(?:\S+ )*?(?:tea|coffee|food|drink|soup|milk|wine|cake|salad|glass|cup|water|dinner|meal|bowl)(?: \S+)*",
        as_is=True,
    ),
)
