"""Who and what harmful sentences are about, as patterns."""

from __future__ import annotations

__all__ = [
    "ANYBODY",
    "BOMB",
    "DEMEANING",
    "FATE",
    "GROUP",
    "HARD_DRUG",
    "MEAL",
    "OTHER",
    "PERSON",
    "POISON",
    "ROLE",
    "SEXUAL",
    "SOFT_DRUG",
    "UNNOTICED",
    "WHOSE",
    "YOUNG",
]

WHOSE = r"(?:my|your|his|her|their|our|the|a|an|that|this|some|someone's|somebody's|people's|~(?:'s)?|\S+'s)"
ROLE = (
    r"(?:neighbou?rs?|boss|bosses|brothers?|sisters?|wife|husband|mother|father|mum|mom|dad|parents?|friends?|"
    r"partner|girlfriend|boyfriend|ex|colleagues?|coworkers?|co workers?|teachers?|kids?|child|children|woman|"
    r"women|man|men|guys?|girls?|boys?|family|families|landlord|landlady|roommate|flatmate|housemate|strangers?|"
    r"cops?|officers?|policeman|police|managers?|students?|pupils?|classmates?|cousin|uncle|aunt|son|daughter|baby|"
    r"toddler|grandmother|grandfather|grandma|grandpa|granny|people|person|customers?|rival|roommates?|stepfather|"
    r"stepmother|spouse|lover|passers?by|tenants?|protesters?|politicians?|president|mayor|minister|judge|"
    r"journalists?|nurse|doctor|driver|coach|idiot|bastard|employees?|staff|crowd|guests?|pensioners?|refugees?|"
    r"immigrants?)"
)
PERSON = (
    rf"(?:you|him|her|them|someone|somebody|anyone|people|everyone|everybody|~|(?:\S+ )?{WHOSE} (?:\S+ "
    rf"){{0,2}}?{ROLE})"
)
ANYBODY = rf"(?:{PERSON}|myself|yourself|himself|herself|themselves)"
OTHER = r"(?:his|her|their|someone's|somebody's|~'s|people's|(?:my|your|his|her|the|a|an)(?: \S+){0,2}? \S+'s|\S+s')"
YOUNG = (
    r"(?:child|children|kids?|minors?|toddlers?|preteens?|pre teens?|schoolgirls?|schoolboys?|pupils?|underage(?: "
    r"\S+)?|little (?:girls?|boys?)|young (?:girls?|boys?)|teen(?:age)?r?s?|teenage (?:girls?|boys?)|(?:[5-9]|"
    r"1[0-7]|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen) years? old\S*(?: "
    r"(?:girls?|boys?|child))?)"
)
SEXUAL = (
    r"(?:sex|sexual(?:ly)?|sexy|nudes?|naked (?:photos?|pictures?|pics|body|selfies?)|(?:is|be|get|gets|being|"
    r"all) naked|porn\S*|erotic(?:a|ally)?|undress\S*|seduc\S+|fondl\S+|grop\S+|"
    r"molest\S*|intimate (?:photos?|pictures?|pics|videos?)|topless|underwear (?:photos?|pictures?|pics)|in (?:her|"
    r"his|their) underwear|kiss(?:ing)? on the lips|sleep with|into bed)"
)
HARD_DRUG = (
    r"(?:meth|crystal meth|methamphetamines?|heroin|cocaine|crack|crack cocaine|fentanyl|mdma|ecstasy(?: (?:pills?|"
    r"tablets?))?|lsd|ketamine|ghb|pcp|opium|oxycodone|oxycontin|amphetamines?|speed pills|crystal|bath salts to "
    r"smoke|black market (?:\S+ )?(?:pills|steroids)|hard drugs|illegal drugs|party drugs|stolen (?:pills|"
    r"medication|morphine)|morphine|xanax|opioids?|magic mushrooms|shrooms)"
)
SOFT_DRUG = (
    r"(?:weed|marijuana|cannabis|hash|hashish|joints?|drugs|pills|dope|pot|edibles|vapes?|cigarettes|vodka|alcohol|"
    r"beer)"
)
BOMB = (
    r"(?:(?<!bath )(?<!seed )(?<!cherry )(?<!photo )(?<!chocolate )(?<!cocoa )(?<!glitter )(?<!water )(?<!butter "
    r")(?<!flavour )(?<!fat )(?<!like a )bombs?|explosives?|explosive (?:devices?|charges?|mixtures?|vests?)|"
    r"detonators?|molotovs?|molotov cocktails?|hand grenades?|grenades?|landmines?|booby traps?|nerve (?:gas|"
    r"agents?)|chemical weapons?|biological weapons?|bioweapons?|napalm|thermite|tatp|nitroglycerine?|enriched "
    r"uranium|uranium|plutonium|petrol bombs?|dirty bombs?|suicide vests?|gunpowder|black powder|sarin|ricin|"
    r"anthrax|mustard gas|chlorine gas|poison(?:ous)? gas|toxic gas|botulinum|silencers?|suppressors?|ghost guns?|"
    r"zip guns?|firearms?|pipe guns?|untraceable (?:guns?|weapons?|rifles?|pistols?)|homemade (?:guns?|pistols?|"
    r"rifles?|shotguns?)|flamethrowers?|incendiary (?:devices?|bombs?)|letter bombs?)"
)
POISON = (
    r"(?:poisons?|rat poison|antifreeze|arsenic|cyanide|thallium|strychnine|ricin|deadly nightshade|nightshade|"
    r"hemlock|weed ?killer|pesticides?|insecticide|slug pellets|laxatives?|sleeping (?:pills?|tablets?)|sedatives?|"
    r"tranquilli[sz]ers?|roofies?|rohypnol|ghb|eye drops|drain cleaner|ground glass|broken glass|crushed (?:glass|"
    r"pills)|methanol|mercury|death caps?|poisonous (?:mushrooms?|berries)|drugs?|valium|xanax|bleach)"
)
MEAL = (
    r"(?:coffee|tea|food|drinks?|soup|dinner|lunch|breakfast|meals?|smoothie|bottle|sandwich|bowl|wine|beer|juice|"
    r"cake|curry|stew|milk|glass|cup|mug|plate|lunchbox|dish|punch|water bottle|feed)"
)
GROUP = (
    r"(?:jews?|jewish people|muslims?|christians?|catholics?|hindus?|sikhs?|black (?:people|men|women|folks?)|"
    r"white (?:people|men|women)|brown people|blacks|gays?|gay (?:people|men)|lesbians?|homosexuals?|queers?|"
    r"trans(?:gender)? people|immigrants?|migrants?|foreigners?|refugees?|asylum seekers?|gypsies|gypsy|roma|"
    r"asians?|mexicans?|arabs?|africans?|chinese(?: people)?|indians|pakistanis?|turks?|polish people|russians?|"
    r"ukrainians?|latinos?|women|girls|females?|disabled(?: people)?|autistic people|mentally ill people|"
    r"old people|elderly(?: people)?|homeless people|homeless|poor people|natives?|indigenous people|fat "
    r"people|people (?:like (?:them|that|you)|of (?:that|their) (?:kind|sort|race|colou?r|religion)|from there|"
    r"with (?:dark|brown|black) skin|from (?:those|that) countr\S+)|homosexuality|(?:those|these) people|your kind|"
    r"their kind)"
)
DEMEANING = (
    r"(?:inferior|less (?:human|intelligent|evolved|worthy|valuable|capable|clean)|worth less|vermin|scum|"
    r"subhumans?|sub human|less than human|not (?:even |really |fully )?(?:human|people)|animals|beasts|savages|"
    r"parasites|cockroaches|rats|pigs|dogs|apes|monkeys|leeches|a (?:plague|disease|cancer|burden|threat|pest|"
    r"virus|stain|mistake|waste|curse)|an (?:infestation|abomination)|filth|filthy|dirt|dirty|trash|garbage|"
    r"rubbish|worthless|stupid|dumb|idiots|lazy|liars|thieves|thieving|criminals?|terrorists?|rapists?|murderers|"
    r"evil|sick|perverts?|perverted|disgusting|degenerates?|unnatural|mentally ill|backward|primitive|"
    r"uncivili[sz]ed|too (?:stupid|dumb|emotional|weak|primitive|lazy|hysterical)|to blame for everything|"
    r"(?:naturally|genetically|inherently|born) \S+|property|objects|good for nothing|only good for|incapable of|"
    r"all the same|not welcome|destroying|ruining|polluting|poisoning|infesting|invading|taking over (?:our|the)|"
    r"breeding|stealing our)"
)
FATE = (
    r"(?:deported|sent (?:back|home|away)|exterminated|killed|shot|gassed|sterili[sz]ed|castrated|locked (?:up|"
    r"away)|banned|hanged|lynched|wiped out|eradicated|eliminated|burned|burnt|beaten|enslaved|silenced|segregated|"
    r"kept (?:out|away|apart|down)|driven (?:out|away)|thrown out|removed|rounded up|excluded|put (?:down|in camps|"
    r"in their place)|in (?:camps|cages|chains|ghettos|prison|the gutter)|allowed|die|disappear|vanish|rot|burn|"
    r"drown|suffer|starve|leave (?:this|our|the) (?:country|town|city|street|land)|go (?:back|home|away)|stay "
    r"(?:in the kitchen|at home|out|away|with their own)|know their place|obey|serve|belong in|not (?:be allowed|"
    r"have (?:children|rights|the vote|the right)|vote|exist|live|work|breed)|have no (?:rights|place))"
)
UNNOTICED = (
    r"(?:without (?:him|her|them|anyone|anybody|my \S+|the \S+|~) (?:knowing|noticing|finding out|seeing)|without "
    r"(?:his|her|their) (?:knowledge|consent|permission|noticing|knowing)|secretly|behind (?:his|her|their) back|"
    r"so (?:that )?(?:he|she|they) (?:won't|doesn't|don't|never|can't) (?:know|knows?|notices?|find|see))"
)
