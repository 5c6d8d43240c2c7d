"""Hacking, malware, stalking and exposing people."""

from __future__ import annotations

from typing import Final

from lifeloom.models.builtin.reader.harms.making import Harm, harm
from lifeloom.models.builtin.reader.harms.words import OTHER, PERSON, UNNOTICED

__all__ = ["INTRUSION"]

_ACCOUNT: Final = (
    r"(?:accounts?|phones?|e ?mails?|inbox|computers?|laptops?|banks?|wi ?fi|network|servers?|instagram|facebook|"
    r"whatsapp|snapchat|icloud|webcams?|cameras?|systems?|passwords?|databases?|websites?|router|atms?|grades?|"
    r"smart (?:tv|home|lock)|cloud|messages|website|baby monitor|paypal|profile|online banking|records)"
)

INTRUSION: Final[tuple[Harm, ...]] = (
    harm(
        "hacking",
        "write|make|create|build|code|develop|deploy|spread|send|install|release|plant|program|put|slip|sneak|use|"
        "hide|buy|distribute|run|upload|design|need|load|get",
        r"(?:\S+ ){0,4}?(?:computer virus(?:es)?|virus(?:es)? that|viruses|malware|ransomware|trojans?|trojan "
        r"horse|key ?loggers?|key loggers?|spyware|computer worms?|worm that|botnets?|backdoors?|rootkits?|"
        r"stalkerware|exploits?|spy (?:apps?|software)|password stealer|crypto ?miner|logic bomb|monitoring app|"
        r"phishing (?:page|site|kit))",
        unless=r"(?:scanner|scan|protection|removal|causes|makes|keeps|gives) ?",
    ),
    harm(
        "hacking",
        "hack|hack into|break into|get into|crack|log into|gain access to|bypass|tap|intercept|take over|"
        "spy on|breach|hijack|sneak into|unlock|compromise",
        rf"(?:{OTHER}|a|an|the|other people's|any|some|strangers'|your|my (?:\S+ )?(?:ex|boss|wife|husband|"
        rf"girlfriend|boyfriend|neighbou?r|teacher|colleague|sister|brother|friend|school|company|bank|employer|"
        rf"rival|daughter|son)(?:'s)?)(?: |(?<=\s))(?:\S+ ){{0,3}}?{_ACCOUNT}(?: {UNNOTICED})?",
        unless=r"(?:myself|of (?:my|our) own|i (?:own|bought)|again|if i forgot|shelf) ?",
        intent=True,
    ),
    harm(
        "hacking",
        "crack|guess|brute force|steal|bypass|break|phish|get|intercept|find out|capture|figure out|sniff",
        rf"(?:{OTHER}|other people's|strangers'|someone else's|customers'|the (?:neighbou?r|boss|school|office|"
        rf"admin|company)(?:'s)?|people's|users') (?:\S+ ){{0,3}}?"
        r"(?:passwords?|passcodes?|pins?|logins?|wi ?fi|two factor|security (?:questions?|codes?)|encryption|"
        r"verification codes?|credentials|pin codes?)",
        intent=True,
    ),
    harm(
        "hacking",
        "launch|start|run|do|order|carry out|plan|organise|organize|perform|execute",
        r"(?:\S+ ){0,2}?(?:ddos|dos|denial of service|cyber ?attacks?|cyber attack|brute force|phishing|sql "
        r"injection|ransomware|man in the middle|sim swap\S*|botnet)(?: \S+)*",
    ),
    harm(
        "hacking",
        "take down|deface|crash|ddos|bring down|knock out|overload|wipe|delete|encrypt|cripple|shut down",
        r"(?:\S+ ){0,4}?(?:websites?|servers?|sites?|network|databases?|power grid|hospital(?:'s)?|systems|"
        r"company's files|backups|company's data|emergency \S+|grid)",
        intent=True,
        unless=r"(?:my own|my old|for maintenance|updates?|i (?:own|run)) ?",
    ),
    harm(
        "hacking",
        "log in|log into|sign into|get into|read|open|go through|check|copy|look through|mirror|clone",
        rf"(?:{OTHER}|(?:my|your) (?:\S+ )?(?:ex|wife|husband|girlfriend|boyfriend|boss|sister|brother|daughter|"
        rf"son|roommate|neighbou?r|colleague|partner|friend)(?:'s)?) (?:\S+ ){{0,3}}?(?:accounts?|messages?|texts?|"
        rf"e ?mails?|chats?|diary|phone|whatsapp|letters|mail|dms|inbox|browser|location|sms) (?:\S+ "
        rf"){{0,2}}?{UNNOTICED}",
    ),
    harm(
        "hacking",
        "script|program|app|code|tool|page|link|software|bot|usb|stick|attachment|file",
        r"(?:\S+ ){0,2}?(?:that|which|to|and) (?:\S+ )?(?:steals?|records?|harvests?|captures?|logs?|installs?|"
        r"encrypts?|deletes?|wipes?|cracks?|guess\S*|hijacks?|spies|infects?|reads?|crash\S*) (?:\S+ "
        r"){0,4}?(?:passwords?|keystrokes|credentials|card (?:numbers|data)|spyware|malware|victims?|other "
        r"people's|someone's|their|users'|cookies|bank|virus\S*|without|everything on|every file|computers?|ransom)",
        as_is=True,
        unless=r"(?:protects?|manager|own) ?",
    ),
    harm(
        "hacking",
        "encrypt|lock|hold|steal|leak|sell|delete|copy",
        r"(?:\S+ ){0,5}?(?:files|data|records|database|network|computers|servers|patients|photos) (?:\S+ "
        r"){0,3}?(?:and |then |unless |until )?(?:demand|ransom|for ransom|bitcoin|they pay|he pays|she pays|you "
        r"pay|extort)(?: \S+)*",
    ),
    harm(
        "hacking",
        "bypass|break|crack|disable|defeat|get past|get around|exploit",
        r"(?:\S+ ){0,3}?(?:logins?|firewalls?|security systems?|passwords?|encryption|authentication|alarm "
        r"systems?|paywall|parental controls?|verification|access controls?|vulnerabilit\S+) (?:of|on|in|at|for) "
        r"(?:\S+ ){0,4}?(?:\S+)",
        intent=True,
        unless=r"(?:my own|our own) ?",
    ),
    harm(
        "hacking",
        "turn on|activate|watch|control|access|switch on",
        rf"(?:{OTHER}|a stranger's|strangers'|someone's) (?:\S+ )?(?:webcams?|microphones?|camera|phone camera|"
        rf"baby monitor|computer|smart speaker)(?: (?:remotely|secretly|without|from).*)?",
        intent=True,
    ),
    harm(
        "hacking",
        "send|mail|email|forward|spread|share",
        r"(?:\S+ ){0,3}?(?:viruse?s?|trojans?|worms?|malware|spyware|infected \S+|malicious \S+|phishing \S+)(?: "
        r"\S+)* (?:colleagues?|everyone|people|boss|company|computers?|customers?|friends|crash\S*|them|him|her|"
        r"teacher|school|contacts|office|victims?)",
        unless=r"(?:warning|about) ?",
    ),
    harm(
        "hacking",
        "get|find|learn|obtain|guess|note|steal|record|grab|read",
        r"(?:\S+ ){0,2}?(?:her|his|their|the|people's|someone's|your \S+'s|other people's|others') (?:\S+ "
        r")?(?:logins?|passwords?|pin codes?|e ?mails|mails|credentials|messages|access codes?)(?: \S+){0,5}? "
        r"(?:so|and (?:read|use|log|change|sell|post|empty|lock)|without|secretly|behind)(?: \S+)*",
        unless=r"(?:back|permission) ?",
    ),
    harm(
        "hacking",
        "pretend|pretending|pose",
        r"(?:\S+ ){0,8}?(?:logins?|passwords?|pins?|codes?|credentials|access|details)",
        as_is=True,
        unless=r"(?:in the (?:game|play)) ?",
    ),
    harm(
        "hacking",
        "program|app|software|tool|tools|programs",
        r"(?:to|for|that lets you|which lets you) (?:\S+ ){0,2}?(?:read\S*|see\S*|listen\S*|spy\S*|crack\S*|"
        r"hack\S*|steal\S*|break\S*|track\S*) (?:\S+ ){0,2}?(?:other people's|someone's|her|his|their|strangers'|"
        r"passwords|others'|into)(?: \S+)*",
        as_is=True,
        unless=r"(?:consent) ?",
    ),
    harm(
        "stalking",
        "find out|find|work out|figure out|look up|trace|get|discover|know",
        r"(?:\S+ )?(?:where (?:she|he|they|~|that \S+|my ex|the \S+|a \S+) (?:\S+ )?(?:lives?|sleeps?|works?|goes|"
        r"parks|jogs|live|is staying|moved|walks)|(?:her|his|their|\S+'s) (?:\S+ )?(?:address|number|schedule|"
        r"routine|route|school|workplace|licen[cs]e plate|window|new number)) (?:\S+ ){0,3}?(?:so (?:that )?(?:i|"
        r"we|you) can (?:wait|follow|watch|surprise|scare|confront|teach|hurt|punish|get)|wait|follow|watch her|"
        r"and (?:wait|follow|scare|show up|teach|stand|hurt)|without (?:her|him|them)|secretly|although|even "
        r"though|blocked|after she|to (?:scare|follow|watch|wait|harass|punish|hurt|confront|intimidate))",
    ),
    harm(
        "stalking",
        "post|publish|leak|share|spread|put|dump|give out|reveal|upload|expose|print",
        r"(?:\S+ ){0,3}?(?:his|her|their|someone's|\S+'s|that \S+'s) (?:\S+ ){0,2}?(?:address|home address|phone "
        r"number|number|workplace|real name|school|private \S+|medical \S+|personal \S+|details|salary|messages|"
        r"diary|secrets|photo) (?:\S+ ){0,6}?(?:online|everywhere|on (?:the )?(?:internet|forum|facebook|twitter|"
        r"web|every|reddit|social|lampposts|\S+ sites?)|so (?:that )?(?:people|everyone|everybody|they|strangers|"
        r"others|he|she)|for everyone|publicly|forum|harass|public)",
        unless=r"(?:with (?:her|his|their) (?:permission|consent)) ?",
    ),
    harm(
        "stalking",
        "doxx|doxing|doxxing|swat|swatting",
        r"(?:\S+)",
        as_is=True,
        unless=r"(?:flies|team|the|a fly|mosquito\S*) ?",
    ),
    harm(
        "stalking",
        "follow|trail|shadow|tail|stalk|watch|film|track|photograph|chase|observe|spy on|listen to|eavesdrop on|"
        "monitor|wait for",
        r"(?:her|him|them|~|that (?:girl|woman|man|boy|guy)|a (?:woman|girl|stranger)|(?:my|your) (?:\S+ )?(?:ex|"
        r"wife|husband|girlfriend|boyfriend|neighbou?r|colleague|crush|daughter|boss)|women|girls|the (?:girl|"
        r"woman|neighbou?r|waitress)(?: \S+)?) (?:\S+ ){0,3}?(?:home(?: again| at night| from| every| without| "
        r"until|$)|everywhere|every (?:day|night|evening|morning)|secretly|without|from (?:the|my|a) (?:bushes|car|"
        r"window|dark|shadows)|through (?:the|her|his|their) (?:window|curtains|webcam|keyhole|phone|hedge|wall)|"
        r"in the dark|at night|while (?:she|he|they) sleeps?|sleep|sleeping|outside (?:her|his|their)|wherever|to "
        r"(?:work|school|her|his)|until (?:she|he)|after (?:dark|work|school))",
        unless=r"(?:on (?:instagram|youtube)|play|perform|on stage|band|leash) ?",
        intent=False,
    ),
    harm(
        "stalking",
        "give|send|find|get|tell|have",
        r"(?:me |us )?(?:the )?(?:home |private )(?:addresses?|address|number|phone number) of (?:\S+ )?(?:\S+ "
        r")?(?:singer|actress|actor|girl|woman|judge|teacher|nurse|reporter|journalist|star|celebrity|ex|"
        r"influencer|streamer|politician|witness|youtuber)(?: \S+)*",
    ),
    harm(
        "stalking",
        "sit|wait|park|stand|hide|sleep|watch",
        r"(?:\S+ ){0,4}?(?:outside|opposite|in front of|below|under|near) (?:her|his|their|~'s|my ex's) (?:\S+ "
        r")?(?:flat|house|window|home|work|office|door|school|gym|bedroom|apartment|building) (?:\S+ "
        r"){0,3}?(?:every|all night|at night|until|secretly|without|so|hoping|each|after dark|and)(?: \S+)*",
        unless=r"(?:pick|bring|drive) ?",
    ),
    harm(
        "stalking",
        "install|put|use|set up|get|hide",
        r"(?:\S+ ){0,3}?(?:apps?|software|programs?|cameras?|trackers?|devices?) (?:\S+ )?(?:on|in) (?:my|your|his|"
        r"her|their) (?:wife|husband|girlfriend|boyfriend|partner|ex|roommate|flatmate|boss|colleague|neighbou?r|"
        r"daughter|employee|tenant|sister)(?:'s)? (?:\S+ )?(?:phone|laptop|car|computer|room|bedroom|tablet)(?: "
        r"\S+)* (?:every|all|secretly|without|where|messages?|location|reads?|records?|sees?|shows?)",
        unless=r"(?:asked me|agree\S*|for her homework) ?",
    ),
    harm(
        "stalking",
        "send|write|call|text|message|phone|ring",
        r"(?:her|him|them|my ex|your ex|~) (?:\S+ ){0,3}?(?:hundreds?|fifty|a hundred|dozens of|thousand|every "
        r"(?:minute|five minutes|hour|ten)|all night|day and night)(?: \S+){0,4}? (?:until|although|even though|so "
        r"that|till|to make|,|because she|from new|after she)(?: \S+)*",
    ),
    harm(
        "stalking",
        "make|create|set up|open|start|spread|invent",
        r"(?:\S+ ){0,3}?(?:fake profiles?|fake accounts?|false profiles?|rumou?rs|lies|deepfakes?|hate pages?|"
        r"memes) (?:\S+ ){0,3}?(?:of|about|in|under|with|that|on) (?:her|his|him|them|a (?:classmate|colleague|"
        r"teacher|girl|boy)|my (?:ex|boss|classmate|teacher|colleague)|your \S+|~|the new \S+)(?:'s)?(?: \S+)*",
    ),
    harm(
        "stalking",
        "stalk",
        rf"{PERSON}",
        intent=True,
    ),
    harm(
        "stalking",
        "put|hide|attach|plant|slip|stick|install|fix|place|sew|tape|turn on",
        r"(?:\S+ ){0,3}?(?:trackers?|gps|gps trackers?|airtags?|air tags?|tracking (?:devices?|apps?)|bugs?|"
        r"microphones?|listening devices?|spy \S+|hidden cameras?|cameras?|recorders?|location sharing) (?:\S+ "
        r"){0,2}?(?:in|on|under|to|inside|into|near|at|behind) (?:her|his|their|~'s|someone's|(?:my|your|the|a) "
        r"(?:\S+ )?(?:ex|wife|husband|girlfriend|boyfriend|boss|neighbou?r|colleague|daughter|sister|roommate|"
        r"tenant|woman|partner|teacher|flatmate|crush|nanny)\S*|\S+'s)(?: \S+)?",
        unless=r"(?:collar|with (?:her|his) (?:consent|permission)|luggage|backpack so) ?",
    ),
    harm(
        "stalking",
        "track|trace|locate|monitor|read|bug|tap|clone|spy on|log",
        r"(?:her|his|their|~'s|(?:my|your|the) (?:\S+ )?(?:ex|wife|husband|girlfriend|boyfriend|boss|neighbou?r|"
        r"colleague|partner|crush)(?:'s)?) (?:\S+ )?(?:phones?|location|movements|car|every (?:move|step)|messages|"
        r"texts|calls|whereabouts|chats?|every message)",
        intent=True,
        unless=r"(?:with (?:her|his) (?:consent|permission)|when (?:she|he) (?:lost|loses)|number is) ?",
    ),
    harm(
        "stalking",
        "she|he|they|her|my",
        r"(?:ex )?(?:has |have )?(?:blocked me|has blocked me|have blocked me|restraining order|told me to stop|"
        r"doesn't want to see me|won't answer me)(?: \S+){0,5}? (?:help me|how (?:do|can) i|find|track|another "
        r"(?:number|account)|new account|anyway|show up|keep|still|wait|follow)",
        as_is=True,
    ),
    harm(
        "stalking",
        "show up|turn up|wait|stand|lurk|hide|park|camp",
        r"(?:\S+ )?(?:at|outside|in front of|near|by|under|behind) (?:her|his|their|~'s|(?:my|your) ex's|my ex "
        r"girlfriend's|the girl's) (?:\S+ )?(?:house|door|work|window|flat|school|office|home|car|gym|building|"
        r"bedroom|apartment|workplace|garden)(?: (?:until|every|and (?:wait|follow|grab|scare|watch)|so|even|"
        r"uninvited|at night|tonight|after|again|although|in the|with a|when).*)",
        intent=False,
        unless=r"(?:pick|to collect) ?",
    ),
    harm(
        "stalking",
        "take|get|shoot|make|sneak|snap",
        r"(?:\S+ )?(?:pictures?|photos?|videos?|films?) of (?:her|him|them|women|girls|~|strangers|the (?:girl|"
        r"woman|neighbou?r))(?: \S+){0,3}? (?:through (?:the|her|his) (?:\S+ )?(?:window|curtains|hedge|keyhole)|"
        r"secretly|without|undress\S*|in the (?:shower|bath)|from the bushes|while (?:she|he) (?:sleeps|showers|"
        r"changes|undresses|doesn't))",
        unless=r"(?:flash|filter) ?",
    ),
    harm(
        "stalking",
        "send|give|find|get|tell|know",
        r"(?:me |us )?(?:her|his|their|that \S+'s|my ex's) (?:new |home |real )?(?:address|number|workplace|school|"
        r"name)(?: \S+){0,6}? (?:regrets?|pays?|pay (?:for|her|him)|visit (?:her|him) at night|scare\S*|teach|"
        r"wait|sorry|afraid|lesson|punish\S*|never forget|follow\S*)(?: \S+)*",
    ),
)
