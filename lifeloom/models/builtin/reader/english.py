"""General English for the reader: function words, irregular forms, people and what they are to each other.

Closed-class words and everyday vocabulary only; nothing here comes from, or is shared with, a writer of dialogues.
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "CLAUSE_STARTERS",
    "IRREGULAR",
    "PEOPLE",
    "RELATION_SYNONYMS",
    "STOPWORDS",
    "SUBJECT_PRONOUNS",
    "lexicon",
]


def lexicon(text: str) -> frozenset[str]:
    """Return the words of ``text``."""
    return frozenset(text.split())


STOPWORDS: Final = lexicon(
    """
    a an the this that these those i me my mine myself we us our ours ourselves you your yours yourself he him
    his himself she her hers herself it its itself they them their theirs themselves who whom whose which what
    when where why how am is are was were be been being do does did doing done have has had having will would
    shall should can could may might must ought not no nor and or but if then else because as until while of at
    by for with about against between into through during before after above below to from up down in out on off
    over under again further once here there all any both each few more most other some such only own same so
    than too very s t just don isn aren wasn weren doesn didn hasn haven hadn won wouldn shouldn couldn can't
    cannot now ever never also still yet even though although however maybe perhaps really quite rather pretty
    much many lot lots one ones something anything everything nothing someone anyone everyone get gets got
    getting gotten go goes going gone went let lets make makes made making say says said saying tell told know
    knows knew think thinks thought want wants wanted like likes liked would'd ll ve re m d oh well yes yeah
    okay ok please thanks thank hi hello hey currently lately recently nowadays days today always usually often
    sometimes instead actually already since within without around among per via toward towards upon etc
    """
)

CLAUSE_STARTERS: Final = lexicon(
    """
    but while whereas though although because since yet until whenever unless however
    """
)

SUBJECT_PRONOUNS: Final = lexicon(
    """
    i we he she they you it that this mine my our his her their everyone nobody
    """
)

_IRREGULAR_GROUPS: Final = """
    run ran|swim swam swum|write wrote written|ride rode ridden|drive drove driven|drink drank drunk|eat ate eaten
    sing sang sung|speak spoke spoken|buy bought|bring brought|teach taught|catch caught|build built|sell sold
    grow grew grown|draw drew drawn|fly flew flown|take took taken|give gave given|begin began begun|choose chose chosen
    learn learnt|keep kept|leave left|meet met|sleep slept|win won|find found|hold held|pay paid|spend spent
    wear wore worn|throw threw thrown|see saw seen|come came|become became|fall fell fallen|feel felt|stand stood
    understand understood|sew sewn|knit knitted|weave wove woven|dig dug|shoot shot|ski skied|child children
    person people|man men|woman women|wife wives|leaf leaves|knife knives|loaf loaves|foot feet|tooth teeth|mouse mice
    tie tied tying|lie lying|die dying dice|cycle cycling cyclist|gym|study studied studying
    try tried|dance dancing dancer
    ice icing|sail sailing sailor|photograph photography photographer|pottery potter|garden gardening gardener
    neighbour neighbor|scarf scarves|colour color|favourite favorite|centre center|theatre theater|mum mom mam|grey gray
""".replace("\n", "|")


def _irregular() -> dict[str, str]:
    table: dict[str, str] = {}
    for group in _IRREGULAR_GROUPS.split("|"):
        forms = group.split()
        for form in forms:
            table[form] = forms[0]
    return table


IRREGULAR: Final = _irregular()

RELATION_SYNONYMS: Final = {
    word: group[0]
    for group in (
        ("mother", "mum", "mom", "mam", "mama", "mummy", "mommy"),
        ("father", "dad", "daddy", "papa"),
        ("grandmother", "grandma", "gran", "granny", "nan", "nana", "nonna", "oma"),
        ("grandfather", "grandpa", "grandad", "granddad", "opa"),
        ("sister", "sis"),
        ("brother", "bro"),
        ("aunt", "auntie", "aunty"),
        ("neighbour", "neighbor"),
        ("colleague", "coworker", "workmate"),
        ("flatmate", "roommate", "housemate", "roomie"),
        ("boss", "manager", "supervisor"),
        ("partner", "spouse"),
        ("coach", "trainer"),
        ("teacher", "tutor", "instructor"),
        ("friend", "mate", "pal", "buddy", "bestie"),
        ("child", "kid", "children", "kids"),
        ("doctor", "gp", "physician"),
        ("student", "pupil"),
        ("landlord", "landlady"),
    )
    for word in group
}
"""Word to the head of its group of synonyms."""

PEOPLE: Final = frozenset(RELATION_SYNONYMS) | lexicon(
    """
    parent parents sibling son daughter cousin uncle niece nephew wife husband girlfriend boyfriend fiance
    fiancee fiancé fiancée ex stepmother stepfather stepmum stepdad stepsister stepbrother stepson stepdaughter
    godmother godfather godson goddaughter grandson granddaughter grandchild grandparents inlaw inlaws twin
    folks relatives classmate schoolmate teammate bandmate clubmate mentor apprentice intern assistant dentist
    therapist nurse vet hairdresser barber lawyer accountant plumber babysitter nanny client customer professor
    adviser advisor tenant penpal acquaintance employer employee cleaner gardener librarian pharmacist
    physiotherapist choirmaster conductor guy bloke woman man lady gentleman girl boy couple neighbours
    neighbors friends colleagues coworkers mates brothers sisters cousins sons daughters uncles aunts nieces
    nephews everybody everyone somebody someone people godparent godparents godchild godchildren grandparent
    grandchildren stepparent stepchild stepbrothers stepsisters guardian relative lodger host guest companion
    confidant confidante rival trainee guide carer caregiver postman butcher baker grocer chef driver priest vicar
    imam rabbi counsellor counselor midwife electrician carpenter mechanic builder shipmate deskmate playmate
    soulmate penfriend sponsor protégé handyman barista bartender optician tailor florist
    """
)
"""Nouns for people: what someone can be to somebody."""
