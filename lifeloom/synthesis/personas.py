"""Persona enrichment (P1): a base persona, random Big Five scores and people become a simulated user."""

from __future__ import annotations

import random

from lifeloom.models.protocol import LanguageModel
from lifeloom.records import Acquaintance, BigFiveProfile, CoreMemory, Edition, Persona, PersonaSeed
from lifeloom.records.base import make_id
from lifeloom.streams import Streams
from lifeloom.synthesis.catalogue import GIVEN_NAMES, RELATIONS
from lifeloom.tasks import PERSONA_ENRICHMENT, PersonaEnrichmentInput, TraitScores

__all__ = ["MARKED_HIGH", "MARKED_LOW", "ZONE_OFFSETS", "enrich_persona"]

STAGE = "personas"

MARKED_LOW = 2.2
"""Scores up to this are marked low, from ``MARKED_HIGH`` on marked high; each happens to a trait in 7 of 20."""
MARKED_HIGH = 3.8

ZONE_OFFSETS: tuple[int, ...] = (
    *(-600, -480, -420, -360, -300, -240, -210, -180, -60),
    *(0, 60, 120, 180, 210, 240, 270, 300, 330, 345, 360, 390, 420, 480, 540, 570, 600, 660, 720),
)
"""Minutes east of UTC, as they are in use somewhere: half and quarter hours among them."""

_CIRCLE = (5, 8)


def enrich_persona(seed: PersonaSeed, *, edition: Edition, model: LanguageModel, streams: Streams) -> Persona:
    """Make a persona of ``seed``.

    Name, zone, scores and people are drawn from the persona's own stream; the model words the role
    description and the first core memory.

    Raises:
        GenerationRejected: the model gave no valid output.
        ModelUnavailable: the model's server did not answer.
        ModelRefusesKey: authentication or quota.
    """
    persona_id = make_id("persona", seed.seed_id, edition)
    rng = streams.rng("persona", persona_id)
    name, *others = _distinct_names(rng, 1 + rng.randint(*_CIRCLE))
    circle = tuple(
        Acquaintance(person_id=make_id("person", persona_id, other), name=other, relation=relation)
        for other, relation in zip(others, rng.sample(RELATIONS, len(others)), strict=True)
    )
    scores = _draw_scores(rng)
    offset_minutes = rng.choice(ZONE_OFFSETS)
    answer = model.run(
        PERSONA_ENRICHMENT,
        PersonaEnrichmentInput(
            base_persona=seed.text.replace('"""', "'''"),  # the prompt's own quotation marks
            name=name,
            people=tuple(f"{person.name} ({person.relation})" for person in circle),
            traits=TraitScores(**scores.model_dump()),
        ),
    )
    return Persona(
        persona_id=persona_id,
        seed_id=seed.seed_id,
        cluster_id=seed.cluster_id,
        split=seed.split,
        edition=edition,
        seed_text=seed.text,
        name=name,
        offset_minutes=offset_minutes,
        big_five=scores,
        circle=circle,
        role_description=answer.output.role_description,
        core_memory=CoreMemory(name=name, human=answer.output.human, persona=answer.output.persona),
        made_by=answer.provenance,
    )


def _distinct_names(rng: random.Random, count: int) -> list[str]:
    """Draw names of which none is part of another, so that a text search never takes one for the other."""
    names: list[str] = []
    for name in rng.sample(GIVEN_NAMES, len(GIVEN_NAMES)):
        folded = name.casefold()
        if all(folded not in other.casefold() and other.casefold() not in folded for other in names):
            names.append(name)
            if len(names) == count:
                break
    return names


def _draw_scores(rng: random.Random) -> BigFiveProfile:
    """Draw each score on its own: 35 % in 1.0..2.2, 30 % in 2.3..3.7, 35 % in 3.8..5.0."""

    def score() -> float:
        low, high = rng.choices(((10, 22), (23, 37), (38, 50)), weights=(35, 30, 35))[0]
        return rng.randint(low, high) / 10

    return BigFiveProfile(
        openness=score(),
        conscientiousness=score(),
        extraversion=score(),
        agreeableness=score(),
        neuroticism=score(),
    )
