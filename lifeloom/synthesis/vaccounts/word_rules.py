"""Rules that hold what was written of lives to the plan: each returns what departs from it, or nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lifeloom.models.builtin.painter.vocabulary import PLACES, place
from lifeloom.records import PlannedConcept, PlannedEvent, PlannedShot, VaccountPlan
from lifeloom.synthesis.catalogue.life_activities import activity
from lifeloom.synthesis.vaccounts.mentions import mention_problem, names_in, unknown_names
from lifeloom.synthesis.vaccounts.outlines import VaccountOutline
from lifeloom.tasks import ConceptWritingOutput, EventWritingOutput

__all__ = ["concept_problem", "event_problem", "look_problem", "story_problem"]

_LOOKS = re.compile(
    r"\b(?:hair(?:ed)?|haircut|glasses|spectacles|beard(?:ed)?|moustache|mustache|dreadlocks|hijab|turban|bun|skin)\b",
    re.IGNORECASE,
)
"""Words of looks: a persona leaves them to the portrait."""


def story_problem(text: str, outline: VaccountOutline) -> str:
    """Return what in a life story departs from its outline; empty where nothing does.

    It must name its person, say the work, and name nobody but those of the outline.
    """
    if not names_in(text, [outline.name]):
        return f"the story does not name {outline.name}"
    if not _says(text, outline.career):
        return f"the story does not say the work ({outline.career})"
    known = {outline.name, *(one.name for one in outline.relatives)}
    strangers = [name for name in unknown_names(text, ()) if name not in known and not name.startswith("my ")]
    return f"the story names {strangers[0]}, whom nobody knows" if strangers else ""


def concept_problem(output: ConceptWritingOutput, planned: PlannedConcept, concepts: Sequence[PlannedConcept]) -> str:
    """Return what in a concept's words departs from its plan; empty where nothing does.

    The persona must say the work and every taste, nothing of how somebody looks, and name nobody else; the visual
    description must say every trait.
    """
    missing = [one for one in (*planned.tastes, planned.career) if one and not _says(output.persona, one)]
    if missing:
        return f"the persona does not say {missing[0]}"
    look = _LOOKS.search(output.persona)
    if look:
        return f"the persona speaks of looks ({look.group(0)})"
    others = names_in(output.persona, {one.name for one in concepts} - {planned.name})
    strangers = sorted(others) or unknown_names(output.persona, concepts)
    return f"the persona names {strangers[0]}" if strangers else look_problem(output.visual_description, planned)


def look_problem(description: str, planned: PlannedConcept) -> str:
    """Return which trait a visual description does not say; empty where it says them all."""
    wanted = (*planned.traits, *([planned.species] if planned.species else []))
    missing = [trait for trait in wanted if not _says(description, trait)]
    return f"the description of {planned.name} does not say {missing[0]}" if missing else ""


def _says(text: str, phrase: str) -> bool:
    """Return whether a phrase stands in a text, its article and its case aside."""
    bare = re.sub(r"^(?:a|an|the)\s+", "", phrase.lower())
    return bare in " ".join(text.lower().split())


def event_problem(output: EventWritingOutput, plan: VaccountPlan, event: PlannedEvent) -> str:
    """Return what in an event's words departs from its plan; empty where nothing does.

    The description must say the activity in one of the given ways, name everybody who is to be named and nobody else,
    say the place where it is to be said and no other; there must be a caption for each picture, which names everybody
    in it and nobody else; the narrative may name those who were there.
    """
    description = " ".join(output.description.lower().split())
    said = [words for words in activity(event.activity).words_for(plan.edition) if words.lower() in description]
    if not said:
        return f"the description does not say the activity ({event.activity})"
    owner = plan.concepts[0].concept_id
    there = [owner] if owner in event.attendees else []
    found = mention_problem(output.description, plan.concepts, event.named, there)
    if found:
        return f"the description {found}"
    found = _place_problem(description, event, said)
    if found:
        return f"the description {found}"
    if len(output.captions) != len(event.shots):
        return f"{len(output.captions)} captions for {len(event.shots)} pictures"
    for caption, shot in zip(output.captions, event.shots, strict=True):
        found = _caption_problem(caption, shot, plan)
        if found:
            return f"the caption of {shot.image_id} {found}"
    found = mention_problem(output.narrative, plan.concepts, (), {*event.attendees, owner})
    return f"the narrative {found}" if found else ""


def _place_problem(description: str, event: PlannedEvent, said: Sequence[str]) -> str:
    where = place(event.place)
    rest = description
    for words in said:
        rest = rest.replace(words.lower(), " ")  # "visiting a museum" says what is done
    if event.says_place and where.phrase not in description and where.name not in rest:
        return f"does not say the place ({where.phrase})"
    others = [one for one in PLACES if one.name != where.name or not event.says_place]
    named = next((one for one in others if re.search(rf"{re.escape(one.phrase)}\b", rest)), None)
    return f"says a place that is not to be said ({named.phrase})" if named else ""


def _caption_problem(caption: str, shot: PlannedShot, plan: VaccountPlan) -> str:
    wanted = {one.name for one in plan.concepts if one.concept_id in shot.who}
    named = names_in(caption, {one.name for one in plan.concepts})
    if wanted - named:
        return f"does not name {min(wanted - named)}"
    strangers = sorted(named - wanted) or unknown_names(caption, plan.concepts)
    return f"names {strangers[0]}" if strangers else ""
