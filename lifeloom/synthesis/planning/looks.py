"""What the people of the circle look like: drawn once a persona, the same in every picture of every conversation."""

from __future__ import annotations

import random

from lifeloom.models.builtin.painter.people import WantedPerson, draw_people
from lifeloom.records import Age, Persona, PersonLook

__all__ = ["draw_looks"]

_AGES: dict[str, Age] = {"grandparent": "old", "godchild": "young"}
_OTHER_AGES: tuple[tuple[Age, ...], tuple[float, ...]] = (("young", "grown", "old"), (0.2, 0.55, 0.25))
_KIN = frozenset({"sibling", "cousin", "grandparent"})
"""Relations by blood, who share features among each other."""


def draw_looks(rng: random.Random, persona: Persona) -> tuple[PersonLook, ...]:
    """Draw a look for everyone in the circle, told apart by the image maker's rule.

    Grandparents are old and godchildren young; everybody else's age is drawn, so that an old or young face alone
    does not say who somebody is.

    Raises:
        TooAlike: the circle is too large to be told apart.
    """
    wanted: list[WantedPerson] = []
    first_kin: int | None = None
    for index, person in enumerate(persona.circle):
        age = _AGES.get(person.relation) or rng.choices(*_OTHER_AGES)[0]
        kin = person.relation in _KIN
        wanted.append(WantedPerson(age=age, kin_of=first_kin if kin else None))
        if kin and first_kin is None:
            first_kin = index
    return tuple(
        PersonLook(person_id=person.person_id, name=person.name, appearance=appearance)
        for person, appearance in zip(persona.circle, draw_people(rng, wanted), strict=True)
    )
