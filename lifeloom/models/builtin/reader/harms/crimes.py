"""Theft, fraud, arson and other crimes."""

from __future__ import annotations

from typing import Final

from lifeloom.models.builtin.reader.harms.making import Harm, harm
from lifeloom.models.builtin.reader.harms.words import OTHER, PERSON

__all__ = ["CRIMES"]

_UNSEEN: Final = (
    r"(?:nobody|no one|they|he|she|police|security|the \S+) (?:\S+ ){0,3}?(?:notices?|know|knows|finds? out|sees?|"
    r"suspects?|locked|watching|checks?|looks?|looking|catch|caught|miss|miss it|proves?|trace\S*)"
)
_LOOT: Final = (
    r"(?:money|cash|bikes?|cards?|purse|wallet|car|phone|jewell?ery|till|ring|watch|laptop|tips|donations?|bag|"
    r"necklace|keys|medicine|pills|parcel|goods|bottle|savings|coins|gold|painting)"
)

CRIMES: Final[tuple[Harm, ...]] = (
    harm(
        "crime",
        "rob|burgle|mug|loot|hold up|raid",
        r"(?:\S+ ){0,2}?(?:banks?|stores?|shops?|house|houses|home|homes|station|jewell?er\S*|old (?:lady|man|"
        r"people|ladies|woman)|tourists?|neighbou?rs?|pensioners?|flat|pharmacy|till|casino|museum|people|"
        r"supermarket|kiosk|warehouse|villa|stranger|someone|drunk \S+|passers?by|grave)",
        unless=r"(?:sign|door|of (?:sleep|time|colou?r|the chance)|board|the (?:fridge|biscuit|cookie)) ?",
        intent=True,
    ),
    harm(
        "crime",
        "steal|nick|swipe|snatch|pilfer",
        r"(?:\S+ ){0,3}?(?:cars?|bikes?|bicycles?|identit(?:y|ies)|cards?|credit cards?|passports?|wallets?|"
        r"purses?|passwords?|money|cash|phones?|jewell?ery|jewels|parcels?|packages?|handbags?|data|exam|savings|"
        r"motorbikes?|scooters?|watch|laptops?|tips|medicine|goods|clothes|alcohol|signature|details|numbers|mail|"
        r"donations|ring|necklace|copper|stuff|things|petrol)",
        unless=r"(?:is|was|were|are|the show) ?",
        intent=True,
    ),
    harm(
        "crime",
        "shoplift|pickpocket|hotwire|embezzle|launder|burgle|swindle|defraud|scam|extort|catfish|dupe|fleece",
        r"(?:\S+)",
        gap=1,
        intent=True,
        unless=r"(?:of|the (?:fat|foam|cream|article|text|pages?|milk|laundry|sheets|curtains)|article) ?",
    ),
    harm(
        "crime",
        "break into|sneak into|force open|pick the lock on|pick the lock of|pick the locks of|climb into|trespass in",
        rf"(?:{OTHER}|a|an|the (?:\S+ )?neighbou?r'?s?|other people's|empty|parked|locked|the|holiday|strangers')"
        r" ?(?:\S+ ){0,3}?(?:house|houses|homes?|cars?|flats?|apartments?|shop|store|safe|school|office|garage|"
        r"locker|building|warehouse|museum|pharmacy|villa|shed|bank|room|cottage|bedroom)",
        intent=True,
        unless=r"(?:with my (?:own )?keys?|because i|when i|after i|rental market|market) ?",
    ),
    harm(
        "crime",
        "forge|fake|counterfeit|print|make|buy|create|sell|get|use|write|produce|order|need|doctor|falsify|alter",
        r"(?:\S+ ){0,2}?(?:fake|forged|counterfeit|false|phon(?:y|ey)|bogus|stolen|falsified) (?:\S+ "
        r"){0,2}?(?:ids?|identity|money|notes?|bills|banknotes|passports?|licen[cs]es?|driving licen[cs]e|"
        r"diplomas?|degrees?|prescriptions?|certificates?|receipts?|invoices?|claims?|charity|reviews?|documents?|"
        r"papers|visas?|cheques?|checks?|references?|id cards?|medical|tickets?|profiles?|accounts?|vaccination "
        r"\S+|sick notes?|doctor's notes?|payslips?|will|euros|dollars|card|credit cards?|cards|website|shop|"
        r"donation\S*|investment\S*|urine|evidence|alibi|testimon\S+)",
        unless=r"(?:for the (?:play|carnival|game|theatre)|in the (?:play|game)|games?) ?",
    ),
    harm(
        "crime",
        "forge|fake|falsify|counterfeit|tamper with",
        r"(?:a|an|the|his|her|your|my|their|some|\S+'s|one|passports?|banknotes?|medical|doctors')?(?: |(?<=\s))(?:\S+ "
        r"){0,2}?(?:signatures?|passports?|prescriptions?|cheques?|checks?|wills?|ids?|certificates?|diplomas?|"
        r"licen[cs]es?|banknotes?|documents?|doctor's notes?|sick notes?|invoices?|receipts?|evidence|visa|"
        r"accounts|books|tax return|test results|references?|meter|odometer)",
        intent=True,
    ),
    harm(
        "crime",
        "launder|evade|dodge|hide|cheat|avoid paying|fiddle",
        r"(?:\S+ ){0,4}?(?:money|taxes|tax|the tax (?:office|man)|income|from the tax \S+|customs|drug money|dirty "
        r"money|insurance|benefits|expenses|the insurance)",
        intent=True,
        unless=r"(?:in the (?:jar|sock)|box|tin|for a rainy) ?",
    ),
    harm(
        "crime",
        "stage|fake|commit|stage|set up|claim|plan|run|start|launch|invent|report",
        r"(?:\S+ ){0,3}?(?:insurance fraud|fraud|burglary|break in|robbery|accident|ponzi scheme|pyramid scheme|"
        r"scam|theft|identity theft|heist|arson|whiplash|tax fraud|extortion|perjury|kidnapping|murder|fake "
        r"charity)(?: (?:to|for|and|that|so|scheme|,).*)?",
        unless=r"(?:at work|statistics|prevention) ?",
        intent=True,
    ),
    harm(
        "crime",
        "set fire to|burn down|torch|set on fire|ignite|burn|firebomb|flood",
        r"(?:\S+ ){0,3}?(?:house|cars?|school|shed|flat|barn|forest|woods|building|church|mosque|synagogue|"
        r"restaurant|shop|store|factory|warehouse|bins|garage|home|houses|office|business|hostel|shelter|library|"
        r"caravan|boat|tent|apartment)",
        unless=(
            r"(?:down payment|coal|wood|candles?|plants?|party|of cards|of (?:ice|straw) |number|of gingerbread) ?"
        ),
        intent=True,
    ),
    harm(
        "crime",
        "slash|puncture|key|vandalise|vandalize|smash|trash|wreck|scratch|pour|put|throw|sabotage|let down|damage|"
        "destroy|ruin|egg",
        rf"(?:(?:\S+ ){{0,4}}?(?:through|in|into|on|over) )?(?:{OTHER}|the neighbou?r's|the tyres of \S+|the tires "
        rf"of \S+|~'s|my \S+'s|all the|the boss's|that idiot's)(?: |(?<=\s))(?:\S+ ){{0,2}}?(?:tyres?|tires?|"
        rf"cars?|windows?|"
        rf"windscreen|windshield|door|"
        r"house|paint|mailbox|fuel tank|petrol tank|gas tank|garden|fence|shop|bike|laptop|phone|shop window|"
        r"letterbox|wedding|property|reputation|engine)",
        intent=True,
        unless=r"(?:repaired|fixed|by accident|cleaner|score|record) ?",
    ),
    harm(
        "crime",
        "slash|puncture|stab|cut",
        r"(?:\S+ )?(?:tyres?|tires?) (?:of|on) (?:\S+)",
        unless=r"(?:my) ",
    ),
    harm(
        "crime",
        "trick|scam|swindle|defraud|cheat|con|fool|deceive|talk|persuade|pressure|rip off|fleece|exploit|convince|"
        "get|manipulate|charm|frighten|scare",
        r"(?:\S+ ){0,3}?(?:old|elderly|pensioners?|grandparents?|grandmothers?|grandma|granny|grandfather|grandpa|"
        r"seniors?|widows?|widowers?|lonely|customers?|people|investors?|victims?|tourists?|strangers?|aunt|uncle|"
        r"clients?|him|her|them|buyers?|neighbou?rs?|refugees|someone|donors?|~|mother|father|women)(?: \S+){0,4}? "
        r"(?:into (?:\S+ ){0,2}?(?:sending|giving|paying|handing|transferring|signing|buying|investing|sharing|"
        r"revealing|wiring|telling|donating)|out of (?:\S+ ){0,2}?(?:money|savings|pensions?|house|inheritance|"
        r"cash|deposits?)|(?:to|so (?:that )?\S+) (?:\S+ )?(?:send|give|hand over|transfer|reveal|wire|sign over|"
        r"tell|change \S+ will|leave) (?:\S+ ){0,3}?(?:money|savings|passwords?|pin|codes?|details|cash|bank|card|"
        r"house|account|everything|inheritance|will))",
    ),
    harm(
        "crime",
        "write|make|send|set up|create|build|design|draft|run|host|compose",
        r"(?:\S+ ){0,3}?(?:phishing|scam|ransom|blackmail|extortion|fraudulent|fake bank|spoofed|threatening|hate|"
        r"defamatory|anonymous hate) (?:\S+ )?(?:e ?mails?|pages?|sites?|websites?|messages?|calls?|letters?|"
        r"notes?|texts?|campaigns?|posts?|mail|kit|sms)",
        unless=r"(?:filter|training|awareness|quiz|for the escape) ?",
    ),
    harm(
        "crime",
        "pretend|pose|impersonate|claim|call",
        r"(?:to be |as |being )?(?:\S+ ){0,3}?(?:bank|grandson|granddaughter|police|policeman|officer|doctor|tax "
        r"office|lawyer|technician|support|charity|nephew|employee|utility|relative|soldier|prince)(?: \S+){0,8}? "
        r"(?:money|account|password|pin|details|savings|passwords|codes?|cash|in(?:side)?|let (?:you|me) in|"
        r"valuables|jewell?ery|transfer)",
        intent=True,
    ),
    harm(
        "crime",
        "steal|buy|clone|use|copy|skim|sell|max out|guess|swipe|borrow|take",
        r"(?:\S+ ){0,3}?(?:stolen |someone else's |strangers' |other people's |his |her |their |your \S+'s |\S+'s |"
        r"the \S+'s )(?:\S+ )?(?:credit cards?|bank cards?|debit cards?|card (?:numbers?|details)|bank details|"
        r"identity|social security numbers?|pin|id|account|savings|licen[cs]e|signature|cards?|pension|inheritance)",
        intent=True,
        unless=r"(?:with (?:her|his|their) permission|to (?:the )?library|number is) ?",
    ),
    harm(
        "crime",
        "open|take out|apply for|get|sign|order|run up",
        r"(?:\S+ ){0,4}?(?:account|accounts|loans?|credit|credit cards?|mortgage|contract|contracts|things|debts?|"
        r"phone) (?:\S+ )?(?:in|under) (?:his|her|their|your|someone's|somebody else's|someone else's|a (?:dead|"
        r"stranger)\S*|\S+'s|a false|a fake) (?:\S+ )?names?",
        unless=r"(?:company|own) ?",
    ),
    harm(
        "crime",
        "bribe|blackmail|extort|threaten",
        rf"(?:{PERSON}|(?:the|an?|your|my|some) (?:\S+ )?(?:officer|inspector|judge|official|examiner|policeman|"
        rf"witness|jury|guard|teacher|doctor|clerk|referee|boss|shopkeeper))",
        intent=True,
        unless=r"(?:with (?:cake|biscuits|chocolate|a treat)) ?",
    ),
    harm(
        "crime",
        "embezzle|siphon|skim|empty|drain|withdraw|transfer|divert|take",
        r"(?:\S+ ){0,4}?(?:from|out of)?(?: |(?<=\s))(?:his|her|their|your|\S+'s|the (?:club|charity|company|till|"
        r"firm)(?:'s)?) (?:\S+ ){0,2}?(?:account|savings|funds?|till|pension|cash box|money)(?: (?:without|before|"
        r"and|while|so|,|,? nobody|to your|into your).*)",
        intent=True,
        unless=r"(?:water|battery) ?",
    ),
    harm(
        "crime",
        "destroy|hide|burn|plant|wipe|tamper with",
        r"(?:\S+ ){0,2}?(?:the )?(?:evidence|fingerprints|blood stains|murder weapon|proof)(?: \S+)*",
        unless=r"(?:of (?:the )?(?:cake|chocolate|biscuits|cookies)) ?",
    ),
    harm(
        "crime",
        "lie|lying",
        r"(?:in|under) (?:court|oath)",
        as_is=True,
        unless=r"(?:yard) ?",
        intent=True,
    ),
    harm(
        "crime",
        "swap|switch|change|peel off|remove|cut off",
        r"(?:\S+ ){0,2}?(?:price tags?|price stickers?|security tags?|barcodes?|alarm tags?|number plates?|"
        r"licen[cs]e plates?) (?:\S+ ){0,6}?(?:walk|leave|pay|security|nobody|cheap\S*|guard|shop|police|"
        r"checkout|so|camera|toll|go)",
        unless=r"(?:at home|after buying) ?",
    ),
    harm(
        "crime",
        "walk out|leave|run|eat|fill up|drive off|slip out|order",
        r"(?:\S+ ){0,5}?without paying",
        intent=True,
    ),
    harm(
        "crime",
        "cash|deposit|use|spend|keep",
        r"(?:\S+ ){0,2}?(?:cheques?|checks?|cards?|money order|pension|benefits|passport|licence) (?:\S+ )?(?:that "
        r"(?:isn't|is not|aren't|doesn't belong)|of (?:a|my) (?:dead|late|deceased)|from (?:a|my) (?:dead|"
        r"deceased))",
        as_is=True,
    ),
    harm(
        "crime",
        "sell|rent out|advertise|auction|offer",
        r"(?:\S+ ){0,4}?(?:that (?:doesn't|don't|does not|do not|isn't|aren't) (?:exist|belong|yours|mine|real)|"
        r"you (?:don't|do not) (?:own|have)|that (?:was|were|is|are) stolen|stolen \S+)(?: \S+)*",
    ),
    harm(
        "crime",
        "claim|say|tell|report|pretend",
        r"(?:\S+ ){0,4}?(?:was|were|is|got|had been) (?:stolen|lost|broken|burgled|damaged|hurt) (?:\S+ "
        r"){0,3}?(?:and |to |, )(?:\S+ )?(?:keep|collect|get|cash|pocket) (?:\S+ ){0,2}?(?:insurance|money|payout|"
        r"refund|compensation|cash)",
    ),
    harm(
        "crime",
        "empty|clear out|clean out|raid|dip into",
        r"(?:\S+ ){0,2}?(?:till|cash register|cash box|safe|flat|house|charity box|donation box|collection box|"
        r"petty cash|medicine cabinet|account)(?: \S+){0,3}? (?:when|while|before|after|as soon|once|later|and "
        r"(?:vanish|run|disappear))",
        unless=r"(?:and (?:clean|paint)|move) ?",
        intent=True,
    ),
    harm(
        "crime",
        "pick|force|drill|bypass|copy|duplicate",
        r"(?:\S+ ){0,2}?(?:locks?|safe|padlocks?|keys?|alarm) (?:\S+ ){0,2}?(?:of (?:the|a|his|her|their|\S+'s) "
        r"(?:\S+ )?(?:pharmacy|shop|store|neighbou?r\S*|house|office|school|flat|warehouse|bank)|while (?:she|he|"
        r"they)|after midnight|without (?:them|her|him))",
    ),
    harm(
        "crime",
        "call|phone|ring|text|write|message|email|visit",
        r"(?:\S+ ){0,3}?(?:old people|elderly \S+|pensioners|seniors|grandmothers|widows|lonely \S+|grandparents|"
        r"victims|strangers|customers)(?: \S+){0,3}? (?:say|pretend|claim|tell|and ask|pose|offer) (?:\S+ "
        r"){0,10}?(?:money|grandson|bank|police|savings|accident|bail|inheritance|prize|lottery|account|pin|card)",
    ),
    harm(
        "crime",
        "get|make|trick|talk|convince|persuade",
        rf"(?:{PERSON}|\S+ \S+) (?:to |into )(?:hand(?:ing)? over|giv(?:e|ing) (?:me|you|us)|sign(?:ing)? over|"
        rf"transfer(?:ring)?|send(?:ing)?) (?:\S+ ){{0,3}}?(?:bank card|savings|money|pin|passwords?|inheritance|"
        rf"house|credit card|pension|jewell?ery|"
        r"fortune|bank details|cash)",
        unless=r"(?:back|i lent|owed|for the (?:rent|trip|present)) ?",
    ),
    harm(
        "crime",
        "tricks|trick|fools|scams|cheats|deceives|lures",
        r"(?:\S+ ){0,2}?(?:pensioners|people|customers|seniors|widows|investors|the elderly|old people|donors|"
        r"tourists|clients|users|victims)(?: \S+)? (?:into|out of) (?:\S+ ){0,4}?(?:money|savings|passwords?|"
        r"pension|details|sending|paying|accounts?|donating|cash)",
        as_is=True,
    ),
    harm(
        "crime",
        "spray|spray paint|paint|scratch|draw|scrawl|smear",
        r"(?:\S+ ){0,3}?(?:swastikas?|racist|nazi|hate|slurs?|death threats|threats|hateful)(?: \S+)*",
        unless=r"(?:over|off|away) ?",
    ),
    harm(
        "crime",
        "push|knock|shove|grab|trip|snatch",
        r"(?:\S+ ){0,3}?(?:lady|woman|man|pensioner|tourist|girl|boy|jogger|grandma|her|him|child)(?: \S+){0,2}? "
        r"(?:and|then) (?:take|grab|run|steal|snatch) (?:\S+ ){0,3}?(?:bag|purse|wallet|phone|handbag|money|"
        r"necklace|watch|off|away|bike)",
        intent=True,
    ),
    harm(
        "crime",
        "take|took|steal|grab|keep|use|open|copy|swipe|empty|pocket|sell|lift",
        rf"(?:\S+ ){{0,5}}?{_LOOT}(?: \S+){{0,5}}? {_UNSEEN}",
        unless=r"(?:in the (?:game|play)) ?",
    ),
    harm(
        "crime",
        "nobody|no|police",
        r"(?:one )?(?:will|would|'ll|ever|can|could)?(?: |(?<=\s))(?:ever )?(?:notices?|knows?|finds? out|sees?|"
        r"suspects?|"
        r"catch(?:es)?|prove) (?:\S+ ){0,3}?(?:if|when|that|who) (?:\S+ ){0,4}?(?:take|took|steal|stole|copy|"
        r"open|use|used|grab|break|broke|kill\S*|hurt|poison\S*|burn\S*|set) \S+",
        as_is=True,
        unless=r"(?:shortcut) ?",
    ),
    harm(
        "crime",
        "tell|convince|persuade|make",
        r"(?:\S+ ){1,4}?(?:that )?(?:you are|you're|you work|you come|believe you are|it is) (?:from|for|with|at)? "
        r"?(?:the |a |her |his |their )?(?:bank|police|tax office|insurance|grandson|electricity|gas|council|"
        r"hospital|post|support|microsoft)(?: \S+){0,6}? (?:pin|passwords?|money|card|in|let|account|details|"
        r"savings|jewell?ery|transfer|code)",
    ),
    harm(
        "crime",
        "write|note|copy|photograph|memorise|memorize|get|film",
        r"(?:\S+ ){0,2}?(?:his|her|their|the|customers'|\S+'s) (?:\S+ )?(?:card (?:numbers?|details)|pin|pin code|"
        r"security code|passwords?) (?:\S+ ){0,8}?(?:use|shop|buy|spend|order|withdraw|isn't looking|not looking|"
        r"types?|secretly|aren't looking|enters?)(?: \S+)*",
    ),
    harm(
        "crime",
        "don't|never|stop|avoid",
        r"(?:pay(?:ing)? (?:your|any|the|my) (?:taxes|tax|fare|bills|child support)|declar(?:e|ing) (?:your|the|"
        r"any|it|this)(?: (?:income|cash|money|earnings))?)(?: \S+)*(?:hide|hiding|lie|never (?:find|know|"
        r"check)|"
        r"cash|offshore|abroad|won't (?:find|know)|can't catch|nobody)",
        as_is=True,
    ),
    harm(
        "crime",
        "set|light|setting",
        rf"(?:{OTHER}|the|a|an|that|this|my|our)(?: \S+){{0,3}}? on fire",
        as_is=True,
        unless=r"(?:in the (?:game|film)|with (?:her|his) (?:voice|show|song)) ?",
        intent=True,
    ),
    harm(
        "crime",
        "use|give|sign|register|enter",
        r"(?:\S+ ){0,2}?(?:false|fake|someone else's|another person's|neighbou?r's|dead \S+|\S+'s) (?:names?|ids?|"
        r"identity|papers|passports?|signature|details|social security number)(?: \S+){0,4}? (?:loans?|credit|rent|"
        r"buy|order|contract|police|customs|open|avoid|benefits|phone|account|border|insurance|vote)",
    ),
    harm(
        "crime",
        "break|breaking|crash|flood|damage|wreck|scratch",
        r"(?:\S+ ){0,3}?(?:own|your|the) (?:\S+ )?(?:window|car|arm|phone|laptop|house|kitchen|leg|finger)(?: "
        r"\S+){0,4}? (?:insurance|compensation|claim|payout|sick pay)",
        intent=True,
        unless=r"(?:does|covered|pays?\?) ?",
    ),
)
