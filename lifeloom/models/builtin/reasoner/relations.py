"""What a question asks about the user, as a relation: home, work, age, and the words in which people tell of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from lifeloom.models.builtin.reader.english import PEOPLE

__all__ = ["Relation", "relation_of"]

_I: Final = r"(?:i|we)"
_CHANGE: Final = frozenset(
    {"name", "address", "age", "home", "employer", "job", "studies", "marital status", "car", "favourite"}
)


@dataclass(frozen=True)
class Relation:
    """Something that holds of a user."""

    name: str
    keys: tuple[str, ...]
    """Words in the keys of core values that tell of it, the most telling first."""
    asked: re.Pattern[str]
    """In a question, lower case."""
    told: re.Pattern[str]
    """In a sentence of the user's, first person, lower case."""
    words: tuple[str, ...] = ()
    """Other words to look it up by."""

    @property
    def changes(self) -> bool:
        """Whether one value holds at a time, so that what was told last replaces what was told before."""
        return self.name in _CHANGE


def _relation(name: str, keys: str, asked: str, told: str, words: str = "") -> Relation:
    return Relation(
        name, tuple(part.strip() for part in keys.split(",")), re.compile(asked), re.compile(told), tuple(words.split())
    )


# The first that fits is taken: narrow ones stand before wide ones.
_RELATIONS: Final = (
    _relation(
        "self", "name, age, job, home",
        r"\bwho am i\b|\bwhat do you (?:know|remember|have) (?:about|of|on) me\b|\btell me about (?:me|myself)\b",
        r"\bmy name is\b", "name",
    ),
    _relation(
        "personality", "",
        r"\bmy (?:personality|character)\b|\bwhat am i like\b|\b(?:what|which) (?:kind|sort|type) of person am i\b",
        r"(?!)",
    ),
    _relation("address", "form of address, name",
              r"\b(?:what|how) (?:do|should|will) you (?:call|address) me\b|\bwhat should i be called\b",
              r"\bcall me\b"),
    _relation(
        "name", "name",
        r"\bwhat(?:'s| is| was) my (?:full |first |last |own )?name\b|\bwhat am i called\b|"
        r"\b(?:know|remember|tell me|say) my (?:full |first |last )?name\b|^my name\b",
        r"\bmy (?:full |first |last )?name(?:'s| is)\b|\bcall me\b", "name called",
    ),
    _relation(
        "birthday", "birthday, born", r"\bmy birthday\b|\bwhen was i born\b|\bmy date of birth\b",
        r"\bmy birthday\b|\bi was born on\b", "birthday born",
    ),
    _relation(
        "age", "age", r"\bhow old am i\b|\bmy age\b|\bwhat age am i\b",
        r"\bi(?:'m| am| turned| just turned|'ve turned)(?: now| just)? (?:\d|\w+ty\b|\w+teen\b)|\bmy age is\b",
        "age old",
    ),
    _relation("birthplace", "birthplace, place of birth", r"\bwhere was i born\b|\bmy birthplace\b", r"\bborn in\b",
              "born"),
    _relation(
        "hometown", "hometown, home town, origin, birthplace",
        r"\bwhere (?:am i|do i come|are we) (?:originally )?from\b|\bwhere did i grow up\b|\bmy home ?town\b",
        r"\bi(?:'m| am| come) (?:originally )?from\b|\bgrew up in\b", "from grew",
    ),
    _relation(
        "home", "home, address, residence, city, town, location",
        rf"\bwhere (?:do|am|are|did) {_I} (?:now |currently )?(?:live|living|stay|staying|based|move|moved|moving)\b|"
        rf"\b(?:which|what) (?:city|town|village|place|country|street|part of \w+) (?:do|am|are|did) {_I} (?:now )?"
        rf"(?:live|living|move)\b|\bwhere (?:is|'s) (?:my|our) (?:home|house|flat|apartment)\b|"
        rf"\bwhere(?:'s| is) home\b|\bwhere {_I} (?:now )?live\b|\bmy (?:home )?address\b|\bwhere have {_I} moved\b",
        rf"\b{_I}(?:'m|'re| am| are|'ve| have)?(?: \w+)? (?:live|living|based|moved|settled|relocated)\b|"
        rf"\b{_I}(?:'m|'re| am| are)(?: \w+)? in (?!a\b|the\b|an\b|love\b|my\b)\w+|\bmy home is\b",
        "home moved",
    ),
    _relation(
        "employer", "employer, company, workplace",
        r"\bwhere do i (?:now )?work\b|\bwho do i work for\b|\bmy (?:employer|company|workplace)\b|\bwhich company\b",
        r"\b(?:work|working|worked|started|job) (?:for|at|in|with)\b|\bjob at\b", "work job",
    ),
    _relation(
        "job", "job, occupation, profession, work, employer, studies",
        r"\bwhat do i do(?: for (?:a living|work)| now| these days)?\s*[?.]?\s*$|\bwhat do i work\b|"
        r"\bmy (?:current |new )?(?:job|profession|occupation|work|trade|career|line of work)\b|"
        r"\bwhat(?:'s| is)? (?:kind of |sort of )?(?:job|work) (?:do|am|have)\b|\bhow do i earn\b|\bfor a living\b",
        r"\bi(?:'m|'ve| am| have)?(?: \w+)? (?:work|working|worked) (?:as|for|at|in)\b|\bmy (?:new )?job\b|"
        r"\bjob as\b|\bi(?:'m| am)(?: now)? an? (?:[\w-]+ ){0,2}?[\w-]+(?:er|or|ist|ian|nurse|eer|ant|chef)\b|"
        r"\b(?:retired|unemployed|self-employed)\b|\bi(?:'ve)?(?: \w+)? (?:become|became) an?\b|\bas an? \w+er\b",
        "work job",
    ),
    _relation(
        "studies", "studies, degree, university", r"\bwhat (?:do|am|did) i stud|\bmy (?:studies|degree|major)\b",
        r"\bstud(?:y|ied|ying)\b|\bdegree in\b", "study degree",
    ),
    _relation(
        "diet", "allergy, intolerance, diet, allergies, food",
        r"\bwhat (?:can't|can not|cannot|shouldn't|should|must|mustn't|may|don't|won't|am) i (?:\w+ ){0,3}?eat|"
        r"\ballerg|\bintoleran|\bmy diet\b|\bwhat (?:food|foods|things?) (?:can't|should|do|must|am|don't) i "
        r"(?:\w+ ){0,3}?(?:eat|avoid)\b|\bfoods? (?:to avoid|not allowed)\b|\bwhat do i avoid\b|\bwhat do i not eat\b",
        r"\ballerg|\bintoleran|\bcoeliac|\bceliac|\bvegan\b|\bvegetarian\b|\bcan't eat\b|\bcannot eat\b|"
        r"\bdon't eat\b|\bdo not eat\b|\bnot eat\b|\bgluten|\blactose", "allergic intolerant eat",
    ),
    _relation(
        "languages", "languages, mother tongue", r"\b(?:what|which) languages?\b|\bmy languages\b|\bmother tongue\b",
        r"\bspeak (?!to\b|with\b)\w+|\bmother tongue\b|\blearning [a-z]+(?:ish|an|ese|ch)\b", "speak",
    ),
    _relation("handedness", "handedness", r"\b(?:left|right)[- ]handed\b", r"\bhanded\b", "handed"),
    _relation(
        "marital status", "marital status, partner",
        r"\bam i (?:\w+ )?(?:married|single|engaged|divorced)\b|\bmy marital status\b",
        r"\b(?:married|single|divorced|engaged|widowed|wedding)\b|\bmy (?:wife|husband)\b", "married wedding",
    ),
    _relation(
        "children", "children, kids", r"\bhow many (?:children|kids|sons|daughters)\b|"
        r"\bdo i have (?:any )?(?:children|kids)\b",
        r"\b(?:have|has) (?:\w+ ){1,2}(?:kids?|children|sons?|daughters?)\b", "children kids",
    ),
    _relation(
        "siblings", "siblings",
        r"\bhow many (?:siblings|brothers|sisters)\b|\bdo i have (?:any |a )?(?:siblings?|brothers?|sisters?)\b",
        r"\bhave (?:\w+ ){1,2}(?:brothers?|sisters?|siblings?)\b", "brother sister",
    ),
    _relation(
        "pet", "pet, pets, dog, cat",
        r"\bmy pets?\b|\bwhich pets?\b|\bdo i (?:have|own|keep) (?:any |a )?(?:pets?|animals?|dogs?|cats?)\b|"
        r"\bmy (?:dog|cat|puppy|kitten|rabbit|pony|horse)(?:'s)? (?:called|name|breed)\b|\bname of my (?:dog|cat)\b|"
        r"\b(?:what|which) (?:pets?|animals?)\b|\b(?:breed|kind of dog|sort of dog|type of dog)\b",
        r"\bmy (?:\w+ ){0,2}?(?:dog|cat|rabbit|puppy|kitten|parrot|horse|pony|tortoise|hamster)\b|\badopted\b|"
        r"\b(?:greyhound|whippet|labrador|spaniel|terrier|poodle|collie|beagle|husky|dachshund|retriever|alsatian|"
        r"shepherd dog|bulldog|boxer|pug|corgi|setter|pointer|lurcher|mastiff|dalmatian|siamese|tabby|persian cat)\b|"
        r"\b(?:have|got|own|keep) (?:an? |two |three )(?:\w+ ){0,3}?(?:dog|cat|rabbit|puppy|kitten|parrot|horse|pony|"
        r"tortoise|hamster)", "dog cat pet",
    ),
    _relation(
        "car", "car, vehicle",
        r"\b(?:what|which) (?:kind of |sort of |make of |type of )?(?:car|vehicle|van)\b|\bmy (?:car|van)\b|"
        r"\bwhat do i drive\b|\bdo i (?:have|own|drive) a (?:car|van)\b",
        r"\bdriv(?:e|ing) (?:an?|the|my|our)\b|\b(?:my|our|the|a|new|old|used) (?:car|van)\b|\bsold (?:my|the|our) \w+|"
        r"\bbought an? (?:\w+ ){0,2}(?:car|van|kia|ford|skoda|toyota|fiat|volvo|honda|seat|renault|bmw|audi|peugeot)\b",
        "drive car",
    ),
    _relation(
        "fear", "fears, phobia",
        r"\b(?:afraid|scared|anxious|nervous|worried|frightened|terrified)\b|\bmy (?:fears?|phobias?)\b|"
        r"\b(?:scares|frightens|worries) me\b|\bwhat do i fear\b",
        r"\b(?:afraid|scared|anxious|nervous|terrified|frightened|phobia|panic|dread)\b|\bfear of\b|"
        r"\bworr(?:y|ied) about\b",
        "afraid anxious",
    ),
    _relation(
        "dislike", "dislikes",
        r"\b(?:hate|dislike|detest|can't stand|cannot stand|loathe)\b|\b(?:don't|not) (?:i )?like\b|\bdo i not like\b|"
        r"\bcan't i stand\b|\bcan i not stand\b",
        r"\b(?:hate|dislike|detest|loathe|can't stand|cannot stand|don't like|do not like|can't bear|disgust\w*)\b",
        "hate dislike",
    ),
    _relation(
        "goal", "goal, goals",
        r"\bmy (?:\w+ )?(?:goals?|plans?|aims?|ambitions?|dreams?|resolutions?)\b|"
        r"\bwhat am i (?:training|working|aiming|saving|preparing|hoping|planning|learning|practising)\b|"
        r"\bwhat do i (?:want|plan|hope|intend) to\b",
        r"\b(?:want|plan|planning|hope|hoping|aim|aiming|intend|going|training|saving|preparing|determined|signed up)"
        r"(?: up)? (?:to|for|on)\b|\bmy (?:\w+ )?(?:goal|plan|dream|ambition|aim)\b", "goal plan",
    ),
    _relation(
        "hobby", "hobbies, hobby, interests",
        r"\bmy (?:hobby|hobbies|interests|pastimes?)\b|\bwhat do i (?:like|love|enjoy)(?: to do| doing)\b|"
        r"\bwhat do i do (?:for fun|in my (?:free|spare) time)\b|\bmy (?:free|spare) time\b",
        r"\b(?:love|enjoy|hobby|keen on|fan of|fond of|into|passionate|spare time|free time)\b", "enjoy hobby love",
    ),
)  # fmt: skip
_FAVOURITE: Final = re.compile(
    r"\bmy (?:\w+ )?favou?rite ([\w-]+)\b|\b(?:what|which) ([\w-]+) do i (?:like|love|enjoy|prefer)(?: the)? "
    r"(?:best|most)\b"
)
_OF_OTHERS: Final = re.compile(
    rf"\bmy (?:\w+ )?(?:{'|'.join(sorted((re.escape(one) for one in PEOPLE), key=len, reverse=True))})\b"
)


def relation_of(question: str) -> Relation | None:
    """Return what ``question`` asks about the user themselves; None where it is nothing of this kind.

    Args:
        question: as the user puts it. Questions about the user's relatives and friends are none of this kind.
    """
    lowered = question.lower().replace("’", "'")
    favourite = _FAVOURITE.search(lowered)
    if favourite:
        what = favourite[1] or favourite[2]
        root = re.escape(what.rstrip("s") if len(what) > 3 else what)
        return Relation(
            "favourite", (f"favourite {what}", f"favorite {what}"), _FAVOURITE,
            re.compile(rf"\bfavou?rite (?:\w+ )?{root}|\b{root}\w* (?:\w+ ){{0,6}}favou?rite\b|\bfavou?rite\b"),
            ("favourite", what),
        )  # fmt: skip
    if _OF_OTHERS.search(lowered):
        return None
    return next((one for one in _RELATIONS if one.asked.search(lowered)), None)
