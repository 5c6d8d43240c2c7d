"""What harms, as patterns from general knowledge of content-safety categories."""

from __future__ import annotations

from typing import Final

from lifeloom.models.builtin.reader.harms.advice import DANGEROUS_ADVICE
from lifeloom.models.builtin.reader.harms.crimes import CRIMES
from lifeloom.models.builtin.reader.harms.driving import DRIVING
from lifeloom.models.builtin.reader.harms.drugs import DRUGS_AND_POISON
from lifeloom.models.builtin.reader.harms.hate import HATE
from lifeloom.models.builtin.reader.harms.intrusion import INTRUSION
from lifeloom.models.builtin.reader.harms.making import NAME, Harm
from lifeloom.models.builtin.reader.harms.self_harm import SELF_HARM
from lifeloom.models.builtin.reader.harms.sexual import SEXUAL_CONTENT
from lifeloom.models.builtin.reader.harms.violence import VIOLENCE
from lifeloom.models.builtin.reader.harms.weapons import WEAPONS

__all__ = ["HARMS", "NAME", "Harm"]

HARMS: Final[tuple[Harm, ...]] = (
    VIOLENCE
    + WEAPONS
    + SELF_HARM
    + SEXUAL_CONTENT
    + HATE
    + CRIMES
    + DRUGS_AND_POISON
    + INTRUSION
    + DANGEROUS_ADVICE
    + DRIVING
    + WEAPONS
    + SELF_HARM
    + SEXUAL_CONTENT
    + HATE
    + CRIMES
    + DRUGS_AND_POISON
    + INTRUSION
    + DANGEROUS_ADVICE
    + DRIVING
)
