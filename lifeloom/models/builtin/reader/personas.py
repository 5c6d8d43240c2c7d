"""What a few lines about somebody say: what they work as, and what they like."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lifeloom.models.builtin.reader.kinship import NICKNAMES

__all__ = ["careers_in", "tastes_in"]

_WORK = re.compile(
    r"\b(?:works as|work(?:s|ing)? part-time as|is employed as|(?:earns|makes) (?:a|her|his|their) living as|"
    r"trained as|retired as|job as|career as|life as|days as|has (?:long )?been|became|become|to be|being|is|was)"
    r"\s+(?:currently |now |still |once )?((?:a|an)\s+(?:[a-z-]+\s+){0,3}?[a-z-]+?)"
    r"(?=[.,;:!]|\s+(?:who|and|by|in|at|from|for|with|of|but|whose|on|since|to|near|so|because|when|while|through|takes?|keeps?|fills?|pays?|means|leaves?)\b|$)",
    re.IGNORECASE,
)
_LIKES = re.compile(
    r"(?:\b(?:fond of|keen on|mad about|crazy about|passionate about|wild about|devoted to|hooked on|"
    r"interested in|obsessed with|(?:is|are|has always been) into|"
    r"(?:soft spot|weakness|passion|love|liking|fondness|thing|taste|enthusiasm|time) for|"
    r"loves?|likes?|enjoys?|adores?|collects?|prefers?|treasures?|cherishes|nothing beats|"
    r"cannot (?:do|live|be) without|can't (?:do|live|be) without|"
    r"(?:cannot|can't|never) (?:get|has|had) enough of|never says no to|never tires of|"
    r"lives for|delights in|swears by|revels in|talks? (?:all day |for hours |endlessly )?about|hear about|dreams of|"
    r"goes on about|"
    r"it is all|it's all|lights? up at|happiest with|happy with|spare time (?:goes to|is for|belongs to|is)|"
    r"(?:hours|evenings|weekends|sundays|days|afternoons|free time) (?:go to|goes to|are for|belong to|with|on|over)|"
    r"favou?rites?(?: things)?(?: are| is|:)|hobbies are|pleasures?(?: are|:)|joys?(?: are|:)|"
    r"make[s]? the day:|matter(?:s)? most:|give [A-Z][\w'-]*(?:,[^,]*,)?)\s+)(?!to be\b)([^.;!?]+)",
    re.IGNORECASE,
)
_NO_WORK = re.compile(
    r"\b(?:member|person|man|woman|boy|girl|child|friend|relative|mother|father|sister|brother|daughter|son|aunt|uncle|"
    r"niece|nephew|cousin|grand\w+|partner|wife|husband|pet|dog|cat|rabbit|parrot|turtle|hedgehog|goat|duck|horse|"
    r"lover|fan|bit|lot|creature|companion|soul|part|presence|favou?rite|toddler|teenager|baby)\b",
    re.IGNORECASE,
)
_PART = re.compile(r"\s*(?:,\s*(?:and\s+)?|\s+and\s+|\s*&\s*)\s*")
_CLAUSE = re.compile(
    r"(?:,?\s+(?:when|while|because|whenever|so|but|who|which|that|although|since|if|after|before|until|every|on|as|"
    r"more than|most of|above all|best of|and (?:there|that|then|not|never|always|is|has|he|she|they)|are|is|make|keep|"
    r"in (?:that|equal)|at (?:any|all|the)|to (?:this|no|the)|with (?:the|no|a))\b|, (?:says|said|in|and you)\b).*$"
)


def careers_in(persona: str) -> Iterator[str]:
    """Yield what somebody works as; one at most."""
    for match in _WORK.finditer(persona):
        words = re.sub(r"^(?:a|an)\s+(?:retired|former|part-time|full-time)?\s*", "", match[1], flags=re.IGNORECASE)
        if words and not _NO_WORK.search(words) and words.lower() not in NICKNAMES:
            yield words.lower()
            return


def tastes_in(persona: str) -> list[str]:
    """Return what somebody likes."""
    found: dict[str, None] = {}
    for match in _LIKES.finditer(persona):
        for part in _PART.split(_CLAUSE.sub("", match[1])):
            plain = re.sub(r"^(?:both|also|especially|a good|a|an|the|his|her|their)\s+", "", part.strip(" .,"))
            if 2 < len(plain) <= 40 and len(plain.split()) <= 5:
                found[plain.lower()] = None
    return list(found)
