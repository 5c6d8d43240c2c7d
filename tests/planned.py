"""Conversations planned for tests: one persona a number, captions of everyday events."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from lifeloom.records import (
    Acquaintance,
    BigFiveProfile,
    CaptionSeed,
    ConversationPlan,
    CoreMemory,
    Edition,
    Persona,
    Provenance,
    Setting,
)
from lifeloom.streams import Streams
from lifeloom.synthesis.plans import ConversationShape, plan_conversation, shape_for

FRIDAY = dt.date(2025, 3, 14)
CIRCLE = ("Nadia cousin", "Olu colleague", "Petra neighbour", "Ravi sibling", "Sofia mentor", "Tomasz landlord")
CAPTIONS = (
    "Our dog found the river before we did",
    "The whole family around grandmother's table",
    "First loaf of bread from the new oven",
    "Lost on the way to the waterfall",
    "A kite stuck in the tall tree",
    "Saturday market with the cousins",
)


def planned_persona(
    number: int = 1, edition: Edition = "corpus", offset: int = 330, circle: Sequence[str] = CIRCLE
) -> Persona:
    """A persona whose circle is given as ``Name relation``."""
    people = [person.split() for person in circle]
    return Persona(
        persona_id=f"persona-{number}",
        seed_id="seed-1",
        cluster_id="seed-1",
        split="train",
        edition=edition,
        seed_text="A clockmaker",
        name="Ines",
        offset_minutes=offset,
        big_five=BigFiveProfile(openness=4.6, conscientiousness=1.2, extraversion=3, agreeableness=5, neuroticism=1),
        circle=tuple(Acquaintance(person_id=f"person-{n.lower()}", name=n, relation=r) for n, r in people),
        role_description="A clockmaker.",
        core_memory=CoreMemory(name="Ines"),
        made_by=Provenance(backend="code", model="none", prompt_version=""),
    )


def caption_seeds(texts: Sequence[str] = CAPTIONS) -> list[CaptionSeed]:
    """Captions of one account, every second one of an event."""
    return [
        CaptionSeed(
            caption_id=f"caption-{number}",
            account_id="account-1",
            title="",
            description=text,
            caption=text,
            taken_at=dt.datetime(2009, 7, 4 + number, 12, 0),  # noqa: DTZ001 - a dump's wall clock
            licence="by",
            line=number + 1,
            use="event" if number % 2 == 0 else "concept",
        )
        for number, text in enumerate(texts)
    ]


def planned(
    number: int = 1,
    setting: Setting = "train",
    shape: ConversationShape | None = None,
    edition: Edition = "corpus",
    seed: int = 7,
    captions: Sequence[str] = CAPTIONS,
    offset: int = 330,
) -> ConversationPlan:
    """Plan the conversation of persona ``number``."""
    return plan_conversation(
        planned_persona(number, edition, offset),
        setting=setting,
        ends_on=FRIDAY,
        captions=caption_seeds(captions),
        shape=shape or shape_for(setting),
        streams=Streams(seed),
    )


def several_planned(count: int, **options: Any) -> list[ConversationPlan]:
    """Plan the conversations of personas 0 to ``count - 1``."""
    return [planned(number, **options) for number in range(count)]
