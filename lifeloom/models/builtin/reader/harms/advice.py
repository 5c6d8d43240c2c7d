"""Dangerous advice on health, chemicals and the household."""

from __future__ import annotations

from typing import Final

from lifeloom.models.builtin.reader.harms.making import Harm, harm

__all__ = ["DANGEROUS_ADVICE"]

_RISKY: Final = (
    r"(?:insulin|antidepressants?|heart (?:pills|medication|medicine|tablets)|blood (?:thinners?|pressure (?:pills|"
    r"tablets|medication))|chemo\S*|lithium|antipsychotics?|epilepsy \S+|seizure \S+|inhalers?|antibiotics|"
    r"dialysis|(?:prescribed |prescription )?(?:pills|medication|medicines?|meds|tablets|drugs|treatment|"
    r"injections))"
)

DANGEROUS_ADVICE: Final[tuple[Harm, ...]] = (
    harm(
        "dangerous advice",
        "mix|combine|pour|stir|add|blend|put|use|shake",
        r"(?:\S+ ){0,4}?(?:bleach|chlorine|ammonia|drain cleaner|toilet cleaner|peroxide|acid|acetone) (?:\S+ "
        r"){0,4}?(?:and|with|into|to|plus|in|together with|,) (?:\S+ ){0,3}?(?:ammonia|vinegar|acid|alcohol|"
        r"cleaners?|bleach|rubbing alcohol|peroxide|toilet cleaner|drain cleaner|lemon juice|limescale remover|"
        r"acetone|descaler)",
    ),
    harm(
        "dangerous advice",
        "mix|combine|add",
        r"(?:\S+ ){0,3}?(?:ammonia|vinegar|acid|alcohol|acetone|toilet cleaner|descaler) (?:and|with|to|into) "
        r"(?:\S+ ){0,3}?(?:bleach|chlorine|peroxide)",
    ),
    harm(
        "dangerous advice",
        "drink|swallow|inject|gargle|sip|inhale|ingest|take|eat|have|breathe in|gargle with|rinse with|give",
        r"(?:\S+ ){0,5}?(?:bleach|antifreeze|methanol|drain cleaner|gasoline|petrol|turpentine|disinfectant|"
        r"detergent|kerosene|paraffin|hydrogen peroxide|chlorine dioxide|rubbing alcohol|lamp oil|mercury|window "
        r"cleaner|paint thinner|detergent pods?|tide pods?|borax|ammonia|mineral solution|chlorine|motor oil|"
        r"batteries|battery acid|essential oils?|laundry pods?|white spirit|silica)",
        unless=r"(?:free|role|part|singer|the|dog|from|into account|car|smell|a look) ?",
    ),
    harm(
        "dangerous advice",
        "stop|quit|skip|throw away|come off|drop|ditch|flush|refuse|replace|ignore|leave out|give up|forget|cancel|"
        "avoid|bin|swap|throw out|do without",
        rf"(?:taking |using )?(?:your|all your|the|all|his|her|their|my|any|those|these)(?: \S+){{0,3}}? ?{_RISKY}"
        r"(?: (?:and|,|because|since|at once|cold turkey|without|with|,? it's|for|today|right away|completely|"
        r"altogether|it is|he|she|they|you|now|overnight|immediately|abruptly|herbs|juice).*)?",
        intent=False,
        unless=(
            r"(?:without asking|next week|as (?:the|your) doctor|only (?:if|when|after)|cabinet|box|bottle|on the|"
            r"in the) ?"
        ),
    ),
    harm(
        "dangerous advice",
        "stop|quit|skip|throw away|replace|refuse|cancel|ditch",
        r"(?:taking )?(?:\S+ ){0,3}?(?:insulin|chemo\S*|antidepressants?|blood thinners?|dialysis|radiotherapy|"
        r"antipsychotics|epilepsy tablets)",
        unless=r"(?:next week|as (?:the|your) doctor|clinic|card|certificate|pen|pump|appointment) ?",
    ),
    harm(
        "dangerous advice",
        "take|swallow|give|inject|drink|pop|use",
        r"(?:\S+ ){0,2}?(?:the whole|a whole|an entire|the entire|all the|all of the|all your|\S+ty|a handful of|"
        r"handfuls of|ten|fifteen|twelve|dozens of|a dozen|double|twice|triple|three times|four times|five times|"
        r"ten times|as many|more than the|way more|extra) (?:\S+ ){0,5}?(?:pills|tablets|sleeping pills|"
        r"paracetamol|painkillers|ibuprofen|aspirin|dose|doses|dosage|capsules|pack(?:et)?|insulin|bottle of "
        r"(?:\S+ )?(?:pills|aspirin|paracetamol|syrup)|medication|sleeping tablets|amount|recommended|prescribed|"
        r"maximum|limit|melatonin|opioids)",
        unless=(
            r"(?:of (?:flour|sugar|garlic|time|water|butter|spice|vanilla|herbs|coffee|tea|salt)|to (?:the "
            r")?pharmacy|of (?:\S+ )?(?:culture|luck)) ?"
        ),
    ),
    harm(
        "dangerous advice",
        "double|triple|quadruple",
        r"(?:up on )?(?:your|the|his|her|their|my)(?: \S+){0,3}? ?(?:dose|doses|dosage|pills|medication|insulin|"
        r"tablets|blood thinners|painkillers|sleeping pills|medicine)",
    ),
    harm(
        "dangerous advice",
        "give|feed|rub|dip|put|calm",
        r"(?:\S+ ){0,2}?(?:baby|babies|toddlers?|infants?|newborns?|child|children|kids?|teething \S+|dummy|"
        r"pacifier)(?:'s)? (?:\S+ ){0,5}?(?:whisk(?:e)?y|vodka|alcohol|rum|brandy|sleeping (?:pills?|tablets?)|"
        r"sedatives?|wine|beer|adult (?:dose|painkillers|medicine)|melatonin|cough syrup|opium|antihistamines?|"
        r"your (?:pills|sleeping)|nicotine|valium|bleach)(?: \S+)*",
    ),
    harm(
        "dangerous advice",
        "cancer|diabetes|autism|stroke|strokes|appendicitis|meningitis|pneumonia|hiv|aids|tumours|tumors|sepsis|"
        "measles|asthma|covid",
        r"(?:\S+ ){0,4}?(?:cured?|healed?|treated|goes away|go away|disappears?|heals?|reversed?|caused|melts) "
        r"(?:\S+ ){0,6}?(?:baking soda|prayer|juices?|herbs|herbal|vitamin \S+|bleach|turmeric|lemon|by itself|on "
        r"its own|by vaccin\S+|at home|essential oils?|crystals|fasting|urine|garlic|honey|coffee enemas?|without "
        r"(?:doctors?|treatment|chemo\S*|insulin)|positive thinking|tea|oils?|homeopath\S+|magnets|cinnamon|"
        r"alkaline \S+|smoothies)",
        as_is=True,
    ),
    harm(
        "dangerous advice",
        "cure|heal|treat|reverse|beat",
        r"(?:\S+ ){0,3}?(?:cancer|diabetes|tumou?rs?|stroke|meningitis|appendicitis|sepsis|heart attack|hiv|aids|"
        r"pneumonia|autism|epilepsy|snake ?bites?|covid|infections?) (?:\S+ ){0,3}?(?:with|by|using|through|at "
        r"home|without) (?:\S+ ){0,4}?(?:baking soda|prayer|juices?|herbs|vitamins?|bleach|turmeric|lemon|oils?|"
        r"crystals|fasting|urine|garlic|honey|enemas?|doctors?|medicine|treatment|chemo\S*|home|tea|sugar|"
        r"willpower|peroxide|detox|whisky|homeopath\S+|insulin|silver|hospital)",
        unless=r"(?:and your doctor) ?",
    ),
    harm(
        "dangerous advice",
        "instead|rather",
        r"(?:of|than) (?:\S+ ){0,3}?(?:chemo\S*|insulin|calling (?:an|the) ambulance|vaccin\S+|going to (?:the "
        r")?(?:hospital|doctor)|seeing a doctor|surgery|antibiotics|radiation|hospital|emergency room)",
        as_is=True,
        unless=r"(?:the|a) (?:pharmacist) ?",
    ),
    harm(
        "dangerous advice",
        "chest|stroke|heart|numb|seizure|unconscious|overdose|bleeding|concussion|allergic|suicidal|breathing|"
        "fever|head|poisoning|snakebite",
        r"(?:\S+ ){0,10}?(?:no need (?:to|for)|don't (?:call|bother|go|see|need)|sleep (?:it )?off|walk it off|"
        r"just (?:wait|rest|ignore|relax|sleep|lie)|ignore it|nothing to worry|needn't|wait until (?:monday|"
        r"morning|next)|doctors? (?:is|are) (?:unnecessary|not needed|useless)|without (?:a )?(?:doctor|ambulance|"
        r"hospital)|never mind the ambulance)(?: \S+)*",
        as_is=True,
        unless=r"(?:out loud|on it) ?",
    ),
    harm(
        "dangerous advice",
        "ignore|sleep off|walk off|shrug off|wait out|forget about",
        r"(?:\S+ ){0,3}?(?:chest pains?|stroke|heart attack|seizures?|concussion|head injury|allergic (?:reaction|"
        r"shock)|numb(?:ness)?|overdose|shortness of breath|high fever|carbon monoxide alarm|gas smell|smell of "
        r"gas|smoke alarm|fire alarm|infection|coughing up blood|suicidal thoughts|warning light|bleeding)",
    ),
    harm(
        "dangerous advice",
        "vaccines|vaccine|vaccinations|doctors|hospitals|sunscreen|vaccination|medicine",
        r"(?:\S+ )?(?:cause|causes|contain|contains|are poison|are a (?:scam|lie|hoax)|is poison|only want (?:you|"
        r"your)|make (?:you|people) sick|give (?:you|kids|children) (?:cancer|autism)|implant|kill(?:s)? (?:more|"
        r"people|children)|are (?:all )?liars)(?: \S+)*",
        as_is=True,
        unless=r"(?:help|mild|no|a weakened|small|water|sugar|for) ?",
    ),
    harm(
        "dangerous advice",
        "mix|combine|wash down|chase|take|wash|swallow|drink|follow|down|enjoy",
        r"(?:\S+ ){0,5}?(?:sleeping (?:pills|tablets)|painkillers?|sedatives?|xanax|valium|antidepressants?|"
        r"opioids?|tranquilli[sz]ers|benzos|pills|medication|antibiotics|tablets|paracetamol|tranquillizers) "
        r"(?:\S+ ){0,4}?(?:with|and|down with|in|on) (?:\S+ ){0,4}?(?:alcohol|whisk(?:e)?y|wine|beers?|vodka|gin|"
        r"rum|schnapps|brandy|energy drinks?|grapefruit juice|cocktails?|liquor)(?: \S+)*",
    ),
    harm(
        "dangerous advice",
        "mix|combine|drink|have",
        r"(?:\S+ ){0,4}?(?:alcohol|whisk(?:e)?y|wine|beers?|vodka|gin|rum|energy drinks?) (?:\S+ ){0,2}?(?:with|"
        r"and|on top of|together with|after) (?:\S+ ){0,3}?(?:sleeping (?:pills|tablets)|painkillers?|sedatives?|"
        r"xanax|valium|antidepressants?|opioids?|benzos|pills|tablets|antibiotics|medication)",
    ),
    harm(
        "dangerous advice",
        "use|light|run|put|bring|burn|start|set up|keep|leave|cook with|heat with|place|operate",
        r"(?:\S+ ){0,3}?(?:charcoal|grill|barbecue|bbq|generator|camp(?:ing)? stove|gas heater|patio heater|petrol "
        r"heater|coals|brazier|car engine|engine|fire pit|fire bowl|gas stove) (?:\S+ ){0,3}?(?:inside|indoors|in "
        r"(?:the|your|a|my|our) (?:\S+ )?(?:bedroom|garage|tent|bathroom|living room|kitchen|flat|caravan|room|"
        r"basement|cellar|apartment|house)|to keep warm)",
        unless=r"(?:door open|with the doors? open|corner) ?",
    ),
    harm(
        "dangerous advice",
        "disable|cover|remove|disconnect|tape over|unplug|take down|turn off|switch off|silence|take out",
        r"(?:\S+ ){0,6}?(?:smoke (?:detectors?|alarms?)|carbon monoxide (?:detectors?|alarms?)|fire alarms?|safety "
        r"(?:guard|switch|catch|valve)|pressure valve|seat ?belts?|airbags?|circuit breakers?)(?: (?:so|because|if|"
        r"to|,|and|while|when|before).*)",
        unless=r"(?:replace|test|change|clean) ?",
    ),
    harm(
        "dangerous advice",
        "pour|throw|spray|put|squirt|splash|toss|use|drop",
        r"(?:\S+ ){0,3}?(?:petrol|gasoline|lighter fluid|spirits?|alcohol|kerosene|water|aerosol|paraffin|"
        r"methylated spirits|spray cans?|batteries|gas cylinder|cold water) (?:\S+ ){0,3}?(?:on(?:to)?|over|into|"
        r"in|at|to) (?:\S+ ){0,2}?(?:fire|grill|barbecue|flames?|coals|burning (?:oil|fat|pan|grease)|oil fire|"
        r"grease fire|bonfire|stove|hot oil|campfire|bbq|embers|open fire)",
        unless=r"(?:extinguish|top to|after|to (?:put it|cool)) ?",
    ),
    harm(
        "dangerous advice",
        "stick|poke|put|push|insert|jam|shove",
        r"(?:\S+ ){0,3}?(?:fork|knife|wire|fingers?|screwdriver|nail|hairpin|paper clip|spoon|key|tongue|coin) "
        r"(?:\S+ )?(?:in|into|inside) (?:\S+ ){0,2}?(?:socket|outlet|toaster|plug|fuse box|power strip|wall socket|"
        r"fan|mains)",
    ),
    harm(
        "dangerous advice",
        "bypass|repair|fix|change|work on|rewire|open|touch|replace|wire",
        r"(?:\S+ ){0,4}?(?:fuse|fuses|wiring|socket|gas (?:pipe|line|boiler|meter)|fuse box|breaker|mains|live "
        r"wires?|microwave|power line|electric meter|wires?) (?:\S+ ){0,3}?(?:with (?:the )?(?:power|current|"
        r"electricity|gas|mains) (?:still )?on|while it is (?:on|plugged|live)|without (?:turning|switching|"
        r"shutting)|with (?:a )?(?:coin|nail|foil|tape|chewing gum|wire|wet hands|bare hands)|yourself with tape|"
        r"no need to (?:turn|switch))",
    ),
    harm(
        "dangerous advice",
        "eat|pick|try|taste|collect|cook|forage|serve|feed",
        r"(?:\S+ ){0,4}?(?:mushrooms?|berries|puffer ?fish|raw chicken|raw pork|raw kidney beans|mouldy \S+|moldy "
        r"\S+|apricot kernels|expired \S+|spoiled \S+|roots) (?:\S+ ){0,5}?(?:you (?:find|see|come|don't know|"
        r"like)|without (?:knowing|checking|cooking)|any (?:kind|sort)|are (?:all )?safe|never (?:hurt|harm)|none "
        r"(?:of them )?(?:is|are) (?:poisonous|dangerous)|unknown|no matter|raw|whatever|can't hurt|won't hurt|"
        r"will be fine|strengthens?|builds)",
        unless=r"(?:salads?|without checking with) ?",
    ),
    harm(
        "dangerous advice",
        "look|stare|gaze",
        r"(?:straight |directly |right )?(?:into|at) (?:the )?(?:sun|eclipse|laser|welding)(?: \S+)* (?:without|as "
        r"long|with (?:bare|naked|your naked)|through (?:binoculars|a telescope|binoculars)|for (?:\S+ "
        r")?(?:minutes|hours|as long)|strengthens?|improves|minutes)",
    ),
    harm(
        "dangerous advice",
        "remove|cut out|pull|perform|stitch|sew|operate|amputate|cut off|burn off|drill",
        r"(?:\S+ ){0,3}?(?:own |your |a |the )?(?:moles?|appendix|teeth|tooth|tumou?rs?|surgery|wound|abscess|"
        r"finger|cast|cyst|stitches|operation|abortion|growth|implant) (?:\S+ ){0,4}?(?:yourself|at home|with (?:a "
        r"|an |some |your |the )?(?:\S+ )?(?:knife|scissors|razor|pliers|blade|thread|scalpel|bleach|acid|saw|"
        r"needle|coat hanger|drill)|without (?:a )?(?:doctor|anaesthetic|anesthetic|dentist))",
    ),
    harm(
        "dangerous advice",
        "leave|lock|let|put|keep|take",
        r"(?:\S+ ){0,3}?(?:baby|babies|toddler|child|children|kids?|infant|dog|twins|son|daughter|newborn|puppy) "
        r"(?:\S+ ){0,6}?(?:in the (?:\S+ )?(?:car|bath|hot car|bathtub|pool)(?: \S+)*? (?:while|alone|for|"
        r"unattended|when|with|and)|unattended|alone (?:in|with|by|at|for|near) (?:the )?(?:bath|pool|car|stove|"
        r"candles|fire|a few hours|hours|weekend|night|water|tub)|play with (?:\S+ )?(?:knives|knife|lighters?|"
        r"matches|pills|guns?|fire|plastic bags|the gun|bleach|medicines?|batteries|power|fireworks|electric\S*)|"
        r"sleep face down|ride without|face down|on (?:your|his) lap while (?:driving|you drive)|drive the|swim "
        r"alone|without a (?:car ?)?seat)",
        unless=r"(?:until you|no longer than|for fun at) ?",
    ),
    harm(
        "dangerous advice",
        "shake|dangle|drop|throw|hit|smother",
        r"(?:the |a |your |her |his )(?:\S+ )?(?:baby|newborn|infant|toddler) (?:until|to|hard|so|when|if|from|out|"
        r"till)(?: \S+)*",
        unless=r"(?:rattle|hand) ?",
    ),
    harm(
        "dangerous advice",
        "you|it's|it|no|everyone|don't|nobody",
        r"(?:can |is |'s |need |needs |will )?(?:\S+ ){0,4}?(?:unprotected sex|helmet|seat ?belts?|life jackets?|"
        r"harness|gas leak|safety goggles|respirator|avalanche warning|hurricane warning|evacuation|rip current|"
        r"thin ice|car ?seats?|child seats?) (?:\S+ ){0,3}?(?:is|are|for|only) (?:\S+ ){0,2}?(?:unnecessary|"
        r"nonsense|useless|cowards?|for cowards|babies|not needed|overrated|wimps|a waste|losers|fine|harmless|"
        r"silly)",
        as_is=True,
    ),
    harm(
        "dangerous advice",
        "jump|dive|swim|climb|walk|ski|skate|run|surf|play|cross|balance|hang|ride",
        r"(?:\S+ ){0,5}?(?:train roofs?|roof of (?:a|the) (?:moving )?(?:train|tram|bus|car)|railway tracks|train "
        r"tracks|motorway|highway|frozen (?:lake|river) (?:\S+ ){0,3}?(?:thin|april|march)|unknown (?:water|depth)|"
        r"power lines?|pylons?|high voltage|thin ice|train surfing|moving (?:train|car|bus)|electricity pylon)",
        unless=r"(?:museum|bridge|footpath|playground|station|exhibition) ?",
    ),
    harm(
        "dangerous advice",
        "throw|flush|put|chuck",
        rf"(?:\S+ ){{0,3}}?{_RISKY} (?:away|out|in the (?:bin|trash)|down the (?:toilet|drain|sink))",
        unless=r"(?:expired) ?",
    ),
    harm(
        "dangerous advice",
        "insulin|chemotherapy|chemo|vaccines|antidepressants|vaccination|antibiotics|statins|sunscreen|psychiatry|"
        "radiotherapy|dialysis",
        r"(?:is|are) (?:\S+ ){0,2}?(?:scams?|lies?|poison|hoax|unnecessary|useless|a trick|nonsense|conspiracy|for "
        r"the weak|evil|pointless)(?: \S+)*",
        as_is=True,
    ),
    harm(
        "dangerous advice",
        "treat|clean|rinse|rub|soak|wash|heal|cover|disinfect",
        r"(?:\S+ ){0,3}?(?:burns?|wounds?|rash|cuts?|skin|eyes?|ears?|lice|scabies|sunburn|tooth ?ache|infections?|"
        r"hair|mouth) (?:\S+ )?(?:with|in|using) (?:\S+ )?(?:petrol|gasoline|bleach|acid|kerosene|drain cleaner|"
        r"turpentine|ammonia|paint thinner|battery acid|mercury|caustic soda|chlorine|diesel)(?: \S+)*",
    ),
    harm(
        "dangerous advice",
        "fever|seizure|stroke|infection|concussion|bleeding|pain|overdose|bite|burn",
        r"(?:\S+ ){0,8}?(?:don't (?:see|call|go|bother|need)|no (?:need for )?doctors?|doctors? (?:only|just|"
        r"know nothing)|avoid (?:doctors?|hospital)|is healthy|stay away from (?:doctors?|hospital))(?: \S+)*",
        as_is=True,
        unless=r"(?:to work|swimming|running|to school) ?",
    ),
    harm(
        "dangerous advice",
        "eat|swallow|drink|lick",
        r"(?:\S+ ){0,4}?(?:washing powder|laundry (?:powder|detergent|liquid)|soap|dishwasher tabs?|caustic soda|"
        r"drain \S+|toilet \S+|chalk paint|nail polish|perfume|hand sanitizer|hand sanitiser|glue|gunpowder|"
        r"magnets|rat poison|mouthwash bottle|lamp oil|cleaning \S+)(?: \S+)*",
        unless=r"(?:free|dish) ?",
        intent=False,
    ),
    harm(
        "dangerous advice",
        "mix|combine",
        r"(?:\S+ ){0,2}?(?:all|any|every|different|several) (?:\S+ ){0,2}?(?:cleaning (?:agents?|products?|"
        r"chemicals)|cleaners|chemicals|medicines|pills|drain cleaners)(?: \S+)*",
    ),
    harm(
        "dangerous advice",
        "hold|hyperventilate|stay",
        r"(?:your breath|under ?water|before diving) (?:\S+ ){0,4}?(?:until you (?:faint|pass out|black out)|faint|"
        r"as long as you can underwater|black out|pass out)(?: \S+)*",
    ),
    harm(
        "dangerous advice",
        "heat|microwave|throw|burn|puncture|boil|shake",
        r"(?:\S+ ){0,2}?(?:closed|sealed|full|unopened|spray|aerosol|pressurised|pressurized|gas) (?:\S+ "
        r")?(?:cans?|bottles?|jars?|cartridges?|tins?|cylinders?|containers?) (?:\S+ ){0,4}?(?:fire|stove|flame|"
        r"microwave|until|bursts?|explodes?|bonfire|oven|hammer)(?: \S+)*",
        unless=r"(?:of jam|lid) ?",
    ),
    harm(
        "dangerous advice",
        "feed|give",
        r"(?:\S+ ){0,2}?(?:newborns?|baby|babies|infants?|(?:one|two|three) month old) (?:\S+ )?(?:honey|cow's "
        r"milk|water only|salt|raw \S+|whole nuts|peanuts|goat's milk)(?: \S+)*",
    ),
    harm(
        "dangerous advice",
        "leave|lock",
        r"(?:\S+ ){0,2}?(?:baby|toddler|child|kids?|children|dog|puppy|infant|twins) (?:\S+ )?in (?:the|a|your) "
        r"(?:\S+ )?(?:cars?|bath|bathtub|pool)(?: \S+)*",
        unless=r"(?:with (?:your|my) (?:husband|wife|mother)) ?",
    ),
    harm(
        "dangerous advice",
        "pick|eat|collect",
        r"(?:\S+ )?(?:any|all|every) (?:\S+ )?(?:mushrooms?|berr(?:y|ies)|plants?|fung(?:us|i)|roots|seeds)(?: "
        r"\S+)*",
        intent=True,
        unless=r"(?:in (?:my|the|our) garden|cake) ?",
    ),
    harm(
        "dangerous advice",
        "touch|climb|grab|cut|fish|fly",
        r"(?:\S+ ){0,5}?(?:power lines?|overhead lines?|high voltage|pylons?|live wires?|third rail|live rail|"
        r"transformer)(?: \S+)*",
        intent=True,
    ),
    harm(
        "dangerous advice",
        "swim|go|dive|surf|sail|paddle",
        r"(?:\S+ ){0,8}?(?:red flags?|no swimming|storm warning|rip currents?|when the (?:sea|waves) \S+ (?:high|"
        r"rough))(?: \S+)*",
        intent=True,
    ),
    harm(
        "dangerous advice",
        "burn|pour|use|light|spray",
        r"(?:\S+ ){0,4}?(?:nest|wasps?|weeds?|ants|leaves|hedge|moss|spiders?) (?:\S+ ){0,2}?(?:with|using) (?:\S+ "
        r")?(?:petrol|gasoline|lighter fluid|a flamethrower|diesel|kerosene)(?: \S+)*",
    ),
    harm(
        "dangerous advice",
        "don't|needn't|doesn't|never|no",
        r"(?:\S+ )?needs? (?:to see |to go to |to take |to call |for |any |a |an |the |your )*(?:insulin|doctors?|"
        r"hospital|ambulance|medicine|medication|vaccin\S+|chemo\S*|surgery|dentist|midwife|antibiotics|treatment|"
        r"antidepressants)(?: \S+)*?(?: (?:if you (?:eat|drink|pray|believe|think|take|use|rub|just)|for (?:chest|"
        r"a (?:stroke|broken|deep|seizure|head|snake|heart)|strokes?|cancer|diabetes|severe|heavy)|herbs|"
        r"prayer|when your (?:chest|heart|arm)))",
        as_is=True,
    ),
    harm(
        "dangerous advice",
        "put out|extinguish|fight|cool|douse|quench",
        r"(?:\S+ ){0,3}?(?:burning (?:pan|oil|fat|grease|chip pan)|oil fire|grease fire|fat fire|pan fire|"
        r"electrical fire|hot oil|chip pan|burning socket)(?: \S+){0,3}? (?:with|using|by) (?:\S+ ){0,3}?water",
    ),
    harm(
        "dangerous advice",
        "look|stare|gaze",
        r"(?:straight |directly |right )?(?:into|at) the sun(?: \S+)*? (?:trains?|strengthens?|heals?|improves?|"
        r"good|every|daily|minutes|bare|naked|cures?|harmless|fine)(?: \S+)*",
        unless=r"(?:glasses) ?",
    ),
    harm(
        "dangerous advice",
        "child|kid|boy|girl|children|kids",
        r"(?:of (?:\S+) |aged \S+ |\S+ )?(?:can|may|should|could) (?:\S+ )?(?:drive (?:a |the |your |my )?(?:car|"
        r"tractor|motorbike|truck|van|home)|handle (?:a )?(?:gun|knife|"
        r"chainsaw)|shoot|drink (?:beer|wine|vodka|alcohol)|smoke|stay alone for|operate|use (?:a )?(?:chainsaw|"
        r"gun|fireworks)|light (?:the )?(?:fireworks|fire|grill))(?: \S+)*",
        as_is=True,
        unless=r"(?:a go kart|in the game|carts|hoops|goals) ?",
    ),
)
