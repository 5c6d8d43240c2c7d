"""Who belongs to a Vaccount: relations with their ages, careers, tastes and pets."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CAREERS", "PETS", "PET_NAMES", "RELATIONS_OF_LIVES", "TASTES", "KinRelation", "relation"]


@dataclass(frozen=True)
class KinRelation:
    """What somebody is to the owner."""

    name: str
    """``mother``."""
    ages: tuple[int, int]
    """Least and most years older than the owner; negative: younger."""
    blood: bool
    """Whether they look alike."""
    nicknames: tuple[str, ...] = ()
    """What the owner calls them."""


RELATIONS_OF_LIVES: tuple[KinRelation, ...] = (
    KinRelation("mother", (20, 35), blood=True, nicknames=("Mom", "Mum")),
    KinRelation("father", (20, 38), blood=True, nicknames=("Dad", "Papa")),
    KinRelation("sister", (-10, 10), blood=True, nicknames=("Sis",)),
    KinRelation("brother", (-10, 10), blood=True, nicknames=("Bro",)),
    KinRelation("daughter", (-38, -20), blood=True),
    KinRelation("son", (-38, -20), blood=True),
    KinRelation("grandmother", (42, 60), blood=True, nicknames=("Grandma", "Nan")),
    KinRelation("grandfather", (42, 60), blood=True, nicknames=("Grandpa", "Gramps")),
    KinRelation("granddaughter", (-62, -42), blood=True),
    KinRelation("grandson", (-62, -42), blood=True),
    KinRelation("aunt", (12, 32), blood=True),
    KinRelation("uncle", (12, 32), blood=True),
    KinRelation("niece", (-36, -14), blood=True),
    KinRelation("nephew", (-36, -14), blood=True),
    KinRelation("cousin", (-12, 12), blood=True),
    KinRelation("partner", (-8, 8), blood=False),
    KinRelation("best friend", (-5, 5), blood=False),
)


def relation(name: str) -> KinRelation | None:
    """Return the relation called ``name``; None where it is another one, such as a pet's."""
    return next((one for one in RELATIONS_OF_LIVES if one.name == name), None)


CAREERS: tuple[str, ...] = (
    "a carpenter",
    "a nurse",
    "a bus driver",
    "a primary school teacher",
    "a marine biologist",
    "a baker",
    "an electrician",
    "a translator",
    "a violin maker",
    "a pharmacist",
    "an architect",
    "a park ranger",
    "a tailor",
    "a sound engineer",
    "a vet",
    "a librarian",
    "a crane operator",
    "a florist",
    "a software developer",
    "a bookbinder",
    "a physiotherapist",
    "a postal worker",
    "a geologist",
    "a hairdresser",
    "a lighthouse keeper",
    "a watchmaker",
    "a midwife",
    "a beekeeper",
)

TASTES: tuple[str, ...] = (
    "jigsaw puzzles",
    "crime novels",
    "strong coffee",
    "old maps",
    "brass bands",
    "crosswords",
    "sea shanties",
    "spicy noodles",
    "black-and-white films",
    "wild mushrooms",
    "model ships",
    "thunderstorms",
    "second-hand bookshops",
    "liquorice",
    "astronomy",
    "folk dancing",
    "vintage radios",
    "salted caramel",
    "origami",
    "early mornings",
    "documentaries",
    "lemon tart",
    "ghost stories",
    "chess problems",
    "flea markets",
    "peppermint tea",
    "opera",
    "magic tricks",
)

PETS: tuple[str, ...] = ("dog", "cat", "rabbit", "parrot", "turtle", "hedgehog", "goat", "duck")
"""Words of the image maker's vocabulary."""

PET_NAMES: tuple[str, ...] = (
    "Biscuit",
    "Pepper",
    "Moss",
    "Tango",
    "Pickle",
    "Juno",
    "Waffle",
    "Comet",
    "Nutmeg",
    "Bramble",
    "Domino",
    "Sorrel",
    "Truffle",
    "Pebble",
    "Ziggy",
    "Clover",
)
