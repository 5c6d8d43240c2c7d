"""How a case is worded: the question's stem, and one carrier for all four options.

All options of a case are put by the same carrier, so neither length nor wording tells them apart. What is only ever
shown in pictures reads as the image maker's vocabulary has it: ``a bicycle``, ``at the beach``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lifeloom.models.builtin.painter.vocabulary import place, thing
from lifeloom.records import Edition, TaskName
from lifeloom.synthesis.catalogue import (
    RELATION_QUESTIONS,
    Attribute,
    Pictured,
    Stem,
    attribute,
)
from lifeloom.synthesis.planning.views import catalogue_id
from lifeloom.synthesis.probes.truth import Probe
from lifeloom.synthesis.probes.visual import VisualProbe
from lifeloom.synthesis.probes.visual_wording import VISUAL_CARRIERS, VISUAL_STEMS, shown_value, visual_query

__all__ = ["LEAD_INS", "carriers_for", "catalogued", "lead_ins_for", "option_text", "query_text", "stems_for"]

_AS_IT_IS = "{value}"
"""The carrier of a stem that leaves the choice to the task's carriers."""

_ORDERS = (
    "First {0}, then {1}, and now {2}",
    "{0} to begin with, {1} after that, {2} these days",
    "It went from {0} to {1} to {2}",
    "{0}, later {1}, most recently {2}",
)

_CARRIERS: dict[TaskName, tuple[str, ...]] = {
    "SIR": ("{0}", "It is {0}", "You told me it is {0}", "That would be {0}", "From what you said, {0}"),
    "EII": ("To {0}", "You said you would {0}", "You were going to {0}", "Your plan was to {0}", "You meant to {0}"),
    "IIR": ("To {0}", "You are about to {0}", "You want to {0}", "All signs say: to {0}", "You are getting set to {0}"),
    "LPR": ("{0}", "You go for {0} now", "By now it is {0}", "Your pick is {0}", "Lately, {0}"),
    "IPR": ("{0}", "I would say {0}", "My tip is {0}", "Going by your taste, {0}", "For you: {0}"),
    "BPR": ("{0}", "Most likely {0}", "As a rule, {0}", "Going by habit, {0}", "By now it is {0}"),
    "LGT": ("To {0}", "You want to {0}", "Your aim is to {0}", "You hope to {0}", "You have set out to {0}"),
    "RR": ("{0}", "Your {0}", "That is your {0}", "This person is your {0}", "I know them as your {0}"),
    "IEA": (*_ORDERS, "You started with {0}, moved on to {1} and arrived at {2}"),
    "RDC": (*_ORDERS, "At the start {0}, in between {1}, at present {2}"),
    "TED": (
        *("{0}", "I would explain it {0}", "Best explained {0}", "For you, {0}", "As things stand, {0}"),
        *("I would put it {0}", "You need it {0}", "At your level, {0}", "Told {0}", "My advice: {0}"),
    ),
    "GNS": ("{0}", "I would say {0}"),
}
"""How the options of a task are put."""

_PICTURED_CARRIERS: dict[tuple[TaskName, Pictured], tuple[str, ...]] = {
    ("IIR", "thing"): ("To get {0}", "{0}", "You want {0}", "It has to be {0}", "All signs say: {0}"),
    ("IPR", "thing"): ("{0}", "It should be {0}", "I would say {0}", "Going by your taste, {0}", "For you: {0}"),
    ("IPR", "colour"): ("{0}", "Something {0}", "The {0} one", "I would go for {0}", "Anything in {0}"),
    ("BPR", "place"): ("{0}", "You are usually {0}", "Most likely {0}", "As a rule, {0}", "It will be {0}"),
    ("RDC", "person"): (
        *_ORDERS,
        "You started out with {0}, went on with {1} and ended up with {2}",
        "At the start {0}, in between {1}, at present {2}",
    ),
}
"""The same where pictures show the values."""


LEAD_INS: tuple[str, ...] = (
    "",
    "Quick question for you.",
    "Before I forget to ask.",
    "One more thing today.",
    "I need your memory for a second.",
    "Help me out here.",
    "Something small, if I may.",
    "Let me pick your brain for a moment.",
    "You'll know this better than I do.",
    "I'm in a bit of a rush.",
    "Hello again, me once more.",
    "Sorry to jump in like this.",
    "I'm drawing a blank right now.",
    "Tell me if you still have this.",
    "This one should be easy for you.",
    "My head is like a sieve.",
    "Bear with me for one question.",
    "Here's something only you can answer.",
    "Just between the two of us.",
    "I could use a hint.",
    "Can I run something by you?",
    "Put on your thinking cap for me.",
    "I keep going back and forth.",
    "Time for a small test.",
    "No long answer needed.",
    "Another thing that just came up.",
    "I'm on the move, so keep it short.",
    "Here's the situation.",
    "Guess what I need now.",
    "I almost forgot this one.",
    "You've heard enough from me to know.",
    "Let's see what you remember.",
    "I'd rather ask you than guess.",
)
"""What may stand before a question, so that cases of one stem differ in more than their options."""


def catalogued(probe: Probe) -> Attribute:
    """Return the catalogue's attribute behind ``probe``; bonds join its id with the person's.

    Raises:
        UnknownAttributeError: the plan speaks of an attribute that the catalogue lacks.
    """
    return attribute(catalogue_id(probe.attribute))


def stems_for(probe: Probe | VisualProbe, edition: Edition) -> tuple[Stem, ...]:
    """Return the stems that can ask ``probe`` in an edition: those of releases only are not the corpus's.

    Raises:
        UnknownAttributeError: the plan speaks of an attribute that the catalogue lacks.
    """
    stems = _stems(probe)
    return stems if edition == "release" else tuple(stem for stem in stems if not stem.release_only)


def _stems(probe: Probe | VisualProbe) -> tuple[Stem, ...]:
    if isinstance(probe, VisualProbe):
        return VISUAL_STEMS[probe.kind]
    if probe.task == "RR":
        return RELATION_QUESTIONS
    item = catalogued(probe)
    if probe.task == "GNS":
        return item.scenarios
    # A hidden taste shows in what one would recommend; where the catalogue has scenarios, they ask that best.
    return item.scenarios or item.questions if probe.task == "IPR" else item.questions


def lead_ins_for(edition: Edition) -> tuple[str, ...]:
    """Return what may stand before a question: every third only in releases."""
    return LEAD_INS if edition == "release" else tuple(text for n, text in enumerate(LEAD_INS) if n % 3 != 2)


def query_text(probe: Probe | VisualProbe, stem: Stem, lead_in: str) -> str:
    """Return the question; RR and RDC name the person, visual ones the picture."""
    text = visual_query(probe, stem) if isinstance(probe, VisualProbe) else stem.text.replace("{name}", probe.phrase)
    return f"{lead_in} {text}".strip()


def carriers_for(probe: Probe | VisualProbe, stem: Stem) -> tuple[str, ...]:
    """Return the ways in which the options can be put: the scenario's own suggestion, else the task's."""
    if isinstance(probe, VisualProbe):
        return VISUAL_CARRIERS[probe.kind]
    if stem.carrier != _AS_IT_IS:
        return (stem.carrier,)
    pictured = catalogued(probe).pictured if probe.pictured else ""
    return _PICTURED_CARRIERS.get((probe.task, pictured), _CARRIERS[probe.task])


def option_text(carrier: str, probe: Probe | VisualProbe, values: Sequence[str]) -> str:
    """Put one option's values into ``carrier``, as they read."""
    text = carrier.replace("{value}", "{0}")
    for number, value in enumerate(values):
        reads = shown_value(probe.kind, value) if isinstance(probe, VisualProbe) else _reads(probe, value)
        if reads[:1] in "aeio":
            text = re.sub(rf"\b([Aa]) \{{{number}\}}", rf"\1n {{{number}}}", text)
        text = text.replace(f"{{{number}}}", reads)
    return text


def _reads(probe: Probe, value: str) -> str:
    pictured = catalogued(probe).pictured if probe.pictured else ""
    if pictured == "thing":
        return thing(value).with_article
    return place(value).phrase if pictured == "place" else value
