"""Self-harm, suicide and eating disorders."""

from __future__ import annotations

from typing import Final

from lifeloom.models.builtin.reader.harms.making import Harm, harm

__all__ = ["SELF_HARM"]


SELF_HARM: Final[tuple[Harm, ...]] = (
    harm(
        "self-harm",
        "kill|hurt|harm|hang|drown|poison|starve|shoot|burn|cut|punish|injure|stab|strangle|suffocate|hit",
        r"(?:myself|yourself|yourselves)",
        unless=(
            r"(?:an?|some|loose|off|out|in|free|short|down|while|when|by accident|badly|on|at|with (?:the|a) (?:\S+ "
            r")?(?:bread|kitchen|can|tin|paper)|the|from|for (?:that|not|being)|as|shaving|cooking)(?: |$)"
        ),
    ),
    harm(
        "self-harm",
        "end|take",
        r"(?:my|your) (?:own )?(?:life|lives)",
        unless=r"(?:story|into|in|to|on|as|seriously|with|by|back|for) ?",
    ),
    harm(
        "self-harm",
        "end",
        r"it all(?: ,)?(?: (?:tonight|now|today|soon|forever|quietly|here|already|tomorrow))?",
        intent=True,
        unless=r"(?:with|ends?) ",
    ),
    harm(
        "self-harm",
        "commit|attempt|consider|plan|contemplate|encourage|choose",
        r"(?:self harm|suicide)",
    ),
    harm(
        "self-harm",
        "suicide|self",
        r"(?:harm )?(?:methods?|notes?|plans?|pacts?|is (?:the|a|an|your) (?:\S+ )?(?:answer|solution|option|way))|"
        r"harm (?:is|helps|feels|works|makes)",
        as_is=True,
    ),
    harm(
        "self-harm",
        "better",
        r"off (?:dead|without (?:you|me))",
        as_is=True,
        unless=r"(?:at|in|for|on|there|tonight|doing|as|helping) ",
    ),
    harm(
        "self-harm",
        "want|wants|wish|wanted|ready",
        r"(?:to )?(?:just |only )?(?:die|be dead|stop living|stop existing|never wake up|not wake up|disappear "
        r"forever|i (?:was|were) dead|you (?:were|would) (?:dead|die))",
        as_is=True,
        unless=r"(?:of|for|laughing|to (?:hear|know|see)|out|down) ?",
    ),
    harm(
        "self-harm",
        "nobody|no",
        r"(?:one )?(?:would|will|'ll|is going to) (?:even |ever |really )?(?:miss|notice|care|mourn|cry over) "
        r"(?:you|me|if (?:you|i) (?:was|were|are|died|die|disappear\S*|am|jump\S*))",
        as_is=True,
        unless=r"(?:at|for (?:an|a)|on|wearing) ",
    ),
    harm(
        "self-harm",
        "no|isn't|not",
        r"(?:reason (?:left )?(?:to|for (?:you|me) to) (?:live|go on|stay alive|keep living)|point (?:in|to) "
        r"(?:living|going on living|life|staying alive)|worth living)",
        as_is=True,
    ),
    harm(
        "self-harm",
        "jump|step|leap|throw yourself|throw myself|walk",
        r"(?:off|from|in front of|out of|under) (?:a|the|that|it|your|this|an)?(?: |(?<=\s))(?:\S+ )?(?:bridge|"
        r"roof|building|"
        r"balcony|cliff|tower|train|bus|truck|window|traffic|tracks|it)",
        intent=True,
        unless=(
            r"(?:into the|in|and (?:take|see|look|ask|wait)|at the|when|before|to (?:the|see|get|buy|catch|look)|"
            r"one stop|stop) ?"
        ),
    ),
    harm(
        "self-harm",
        "go|just|should|please",
        r"(?:and |just |as well |well )?(?:die|kill yourself|drop dead|end yourself|rope yourself|hang yourself)",
        as_is=True,
        unless=r"(?:of|for|laughing|down|out|away|if)",
    ),
    harm(
        "self-harm",
        "end",
        r"it (?:,|now|already|then)",
        intent=True,
        unless=r"(?:on|with) ?",
    ),
    harm(
        "self-harm",
        "don't|no|not",
        r"(?:want(?:ing)? to (?:live|be alive|exist|be here)|longer want to (?:live|be alive|exist|be here)|wanna "
        r"live)(?: any ?more| any longer| at all|$)",
        as_is=True,
    ),
    harm(
        "self-harm",
        "take|taking|swallow|swallowing",
        r"(?:all (?:the|of the|of my|my|your|of your)|the whole (?:pack|packet|bottle|box)(?: of)?)(?: |(?<=\s))(?:\S+ "
        r")?(?:pills|tablets|sleeping pills|medication|painkillers)",
        as_is=True,
    ),
    harm(
        "self-harm",
        "drop|get|stay|weigh|be|starve|lose",
        r"(?:down )?(?:to |below |under |less than )+(?:thirty|thirty five|forty|forty five|3\d|4[0-5]) (?:kilos?|"
        r"kg|kilograms)",
        unless=r"(?:of (?:luggage|flour)|suitcase) ?",
    ),
    harm(
        "self-harm",
        "hunger|starving|starvation|bones|anorexia|bulimia|purging",
        r"(?:is|are|feels|gives|makes) (?:\S+ )?(?:strength|power|beautiful|control|a choice|a lifestyle|pure|"
        r"purity|strong|good|success|the (?:answer|key|way))",
        as_is=True,
    ),
    harm(
        "self-harm",
        "kys|unalive|noose",
        as_is=True,
    ),
    harm(
        "self-harm",
        "overdose|od",
        r"(?:on|with|by) \S+",
        gap=1,
        intent=True,
    ),
    harm(
        "self-harm",
        "ways|way|how|method|methods|pills|tablets|pill",
        r"(?:to |i can |can i |you can |do i |for me to |for you to )(?:\S+ )?(?:die|overdose|kill (?:myself|yourself)|"
        r"end my life|end your life|commit suicide|hang myself|hang yourself|bleed out)",
        as_is=True,
        gap=3,
        unless=r"(?:down|of|off|for|out|in|a|the|hard|from) ?",
    ),
    harm(
        "self-harm",
        "lethal|fatal|deadly",
        r"(?:dose|overdose|amount|number|combination|mix|cocktail) (?:of|for|is|would|do|if)",
        as_is=True,
        gap=2,
    ),
    harm(
        "self-harm",
        "painless|quick|painlessly|peaceful|easy|fast",
        r"(?:way|death|method|exit|suicide)(?: (?:to|of|out)(?: \S+)? (?:die|go|dying|end|life|living|pain))",
        as_is=True,
        gap=1,
    ),
    harm(
        "self-harm",
        "cut|burn|scratch|slice|carve|slit",
        r"(?:your|my)(?: own)? (?:arms?|wrists?|skin|thighs?|legs?|veins|body)",
        unless=r"(?:on|while|when|by accident|in the|hair|off|at) ?",
        intent=True,
    ),
    harm(
        "self-harm",
        "throw up|vomit|purge|puke|spit out",
        r"(?:what|whatever|after|everything|every|all|your|the|it)(?: \S+){0,4}? ?(?:eat|eaten|meals?|ate|eating|"
        r"dinner|lunch|food|again)",
    ),
    harm(
        "self-harm",
        "make|making|force|forcing",
        r"(?:yourself|myself) (?:throw up|vomit|sick|puke|to (?:throw up|vomit|starve))",
        as_is=True,
        unless=r"(?:with worry|by|over) ?",
    ),
    harm(
        "self-harm",
        "stop|skip|avoid|quit|refuse|live",
        r"(?:eating|all (?:meals|food)|(?:on )?(?:water|air|ice cubes) (?:alone|only)|every meal|meals)(?: "
        r"\S+){0,4}? ?(?:altogether|completely|weeks?|until|days|to (?:lose|get thin|be thin|become)|and (?:throw|"
        r"vomit|you)|food)",
        unless=r"(?:before|late|after)",
    ),
    harm(
        "self-harm",
        "take|use|swallow|try|buy",
        r"(?:laxatives|diuretics|diet pills|tapeworms?|ipecac)(?: \S+){0,4}? (?:lose|weight|thin|slim|skinny|flat|"
        r"day|meal|meals)",
        gap=4,
    ),
    harm(
        "self-harm",
        "eat|eating",
        r"(?:only |just |no more than |under |less than |fewer than |at most |nothing but )+(?:\S+ "
        r"){0,2}?(?:[1-5]\d\d|two hundred|three hundred|four hundred|five hundred|[1-5]00) calories",
        as_is=True,
    ),
    harm(
        "self-harm",
        "world|everyone|everybody|family|people|friends|parents|we|us|they|all|kids|children",
        r"(?:\S+ ){0,2}?(?:would|will|'d|might) (?:\S+ )?(?:be|feel) (?:\S+ )?(?:better off|better|happier|"
        r"relieved|glad|safer|freer|grateful) (?:off )?(?:without (?:you|me)|if (?:you|i) (?:\S+ ){0,2}?(?:dead|"
        r"gone|died|vanished|disappeared|around|alive|here|born))",
        as_is=True,
    ),
    harm(
        "self-harm",
        "do|doing",
        r"(?:\S+ )?(?:world|everyone|everybody|us|people|all|family) (?:all )?a (?:big |huge )?favou?r (?:and|if|"
        r"by) (?:\S+ ){0,4}?(?:die|dying|disappear\S*|jump\S*|end\S*|kill\S*|hang\S*|gone|weren't|around|dead|"
        r"vanish\S*)(?: \S+)*",
        as_is=True,
    ),
    harm(
        "self-harm",
        "take|taking|swallow|took",
        r"(?:them|it) all(?: at (?:once|the same time)| together| tonight| in one go)",
        as_is=True,
        unless=r"(?:with you|home) ?",
    ),
    harm(
        "self-harm",
        "not|stop|without|avoid",
        r"eating (?:anything |at all|nothing)(?: \S+){0,3}? (?:weeks?|days|month|until|lose)",
        as_is=True,
    ),
)
