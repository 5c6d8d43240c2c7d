"""What diagnostic dialogues tell: made-up places, errands, keywords (CoViP Appendix D, Table S.14).

The last third of every list is for releases only. Places are of two words, and no two of one context share a word, so
that naming a wrong place earns nothing in words either.
"""

from __future__ import annotations

import random

from lifeloom.models.builtin.writer.editions import for_edition
from lifeloom.records import Edition

__all__ = ["ACTIONS", "KEYWORDS", "PAPER_KEYWORD", "draw_locations"]

PAPER_KEYWORD = "SKS"
"""The keyword of every instruction in the paper."""

_PLACE_HEADS = (
    "Lake", "Port", "North", "South", "East", "West", "New", "Old", "Upper", "Lower", "Mount", "Cape", "Fort", "Saint",
    "Glen", "Great", "Little", "Far", "Inner", "Outer", "High", "Long", "Broad", "Stony",
)  # fmt: skip
_PLACE_STEMS = (
    "Frances", "Ellen", "Marten", "Hollis", "Corwin", "Delmar", "Jessup", "Kendra", "Lorman", "Maddox", "Nolan",
    "Orville", "Prescott", "Quincy", "Rowland", "Sutton", "Tobias", "Ulrich", "Vernon", "Whitney", "Yardley", "Zander",
    "Ashton", "Barlow", "Chandler", "Dalton", "Emery", "Fenton", "Graham", "Hadley", "Irving", "Jarvis", "Keaton",
    "Landon", "Mercer", "Norton", "Osborn", "Porter", "Radford", "Seward",
)  # fmt: skip
_PLACE_ENDS = ("borough", "bury", "stad", "view", "mouth", "ville", "shire", "haven", "wick", "fort", "ness", "holm")

ACTIONS: tuple[str, ...] = (
    "go to the post office to return a package",
    "pick up my suit from the dry cleaner",
    "water the tomato plants on the balcony",
    "renew my passport at the town hall",
    "call the plumber about the leaking tap",
    "buy candles for a birthday cake",
    "take the cat to the vet for a vaccination",
    "charge my phone before the battery dies",
    "bring three library books back",
    "book a table at the noodle restaurant",
    "pump up the tyres of my bicycle",
    "send the signed contract to my landlord",
    "collect the children from swimming lessons",
    "fetch a prescription from the pharmacy",
    "print the boarding passes for the flight",
    "fix the squeaky hinge of the kitchen door",
    "pay the electricity bill",
    "return the drill that I borrowed from a neighbour",
    "cancel the gym membership",
    "clean the filter of the washing machine",
    "order new lenses for my glasses",
    "put the bread dough into the oven",
    "write a thank-you card to my godmother",
    "take the empty bottles to the recycling point",
    "shovel the snow off the driveway",
    "top up my travel card at the station",
    "sew a button onto my winter coat",
    "drop the spare key into the letterbox",
    "back up the photos from the camera",
    "get the car washed",
    # From here on in releases only.
    "feed the neighbour's rabbits",
    "transfer the deposit for the holiday cottage",
    "buy stamps and envelopes",
    "sharpen the kitchen knives",
    "register for the evening course in carpentry",
    "replace the bulb in the hallway lamp",
    "hang the laundry out to dry",
    "pick up a guitar from the repair shop",
    "have the chimney swept",
    "exchange the shoes for a larger size",
    "reply to the invitation from the choir",
    "measure the window for new curtains",
    "repot the lemon tree",
    "wrap the present for my nephew",
    "set up the projector in the meeting room",
)
"""What the user has to do right now; each another errand than all the others."""

KEYWORDS: tuple[str, ...] = (
    PAPER_KEYWORD, "QZT", "BRX", "VOLT", "KTP", "ZEPH", "MURN", "DXA", "PLIX", "TOVA", "GRIM", "WQE", "ORBX", "FENJ",
    "HALV", "NYX", "CRUX", "JUVO", "LIRN", "YTR", "BEX7", "UMBRO", "SIFT", "AKV",
)  # fmt: skip
"""What the user wants to hear when a person shows up again; words that no dialogue holds otherwise."""


def draw_locations(count: int, edition: Edition, rng: random.Random) -> list[str]:
    """Draw made-up places, ``Lake Francesborough``, of which no two share a word.

    Args:
        count: how many; at most 16 for the corpus, 24 for a release.
        edition: the corpus keeps from what is for releases only.
        rng: where all chance comes from.
    """
    heads = rng.sample(list(for_edition(_PLACE_HEADS, edition)), count)
    stems = rng.sample(list(for_edition(_PLACE_STEMS, edition)), count)
    ends = for_edition(_PLACE_ENDS, edition)
    return [f"{head} {stem}{rng.choice(ends)}" for head, stem in zip(heads, stems, strict=True)]
