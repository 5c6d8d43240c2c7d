"""A question about a whole history as filters over its events: what is counted, what comes before or after."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from lifeloom.models.builtin.reader.activities import activities_in
from lifeloom.models.builtin.reader.kinship import Person, mentions, owner_of
from lifeloom.models.builtin.reader.life.asking import dates_in, things_in
from lifeloom.models.builtin.reasoner.graph.asked import people_in
from lifeloom.models.builtin.reasoner.graph.moments import Moment, moment_in
from lifeloom.models.builtin.reasoner.graph.places import place_in
from lifeloom.tasks.graph_search import GraphPlanInput, GraphPlanOutput

__all__ = ["plan_of"]

_Of = Literal["events", "days", "activity", "place", "person", "thing"]

_STEP: Final = re.compile(
    r"\b(?P<after>(?:came |come |happened |happen )?after|following|followed|succeeded|since|once(?= the\b| that\b))\b"
    r"|\b(?P<before>(?:came |come |happened |happen )?before|preceding|preceded|prior to|previous to|led up to"
    r"|ahead of|until|leading up to)\b"
)
_ANCHOR_ENDS: Final = re.compile(
    r"[?;]|,\s*(?:and\s+)?(?:who|whom|what|which|where|when|how|in what|in which|at what|at which|on what|on which"
    r"|with whom|did|was|were|is|has|the next|the previous|name|tell|whose)\b"
    r"|\s+and\s+(?:who|what|where|which|when|with whom|in what|in which|at what|at which)\b"
    r"|\s+(?:in|from|of|on) (?:the|their|his|her|\S+'s) (?:\w+ )?(?:history|timeline|album|records?|log|diary)\b"
    r"|\s+(?:did|do|does)\s|,?\s+(?:was|were|is|had|has) (?:over|done|finished|ended|past|behind)\b"
)
_COUNT: Final = re.compile(
    r"\bhow (?:many|often)\b|\b(?:the )?(?:total )?(?:number|count) of\b|\bcount (?:the|up|how|all)\b"
)
_NO_COUNT: Final = re.compile(
    r"\bhow many (?:\w+ ){0,2}?(?:photos?|photographs?|pictures?|images?|shots?|balloons?|chairs?)\b"
)
_MOST: Final = re.compile(
    r"\bmost (?:often|frequent(?:ly)?|common(?:ly)?|popular|regular(?:ly)?|visited|repeated|time)\b"
    r"|\bmore (?:often )?than any\b|\btop (?:two|three|\d)\b|\bmain (?:hobby|pastime|activity)\b"
    r"|\bfavou?rite (?:\w+ )?(?:activit|pastime|place|location|spot|hobb|companion|sport|kinds?|types?)"
    r"|\b(?:usually|typically|mostly)\b"
)
_FIRST: Final = re.compile(r"\b(?:first(?! name)|earliest|initially|oldest)\b")
_LAST: Final = re.compile(r"\b(?:last(?! name)|latest|most recent(?:ly)?|final(?:ly)?|newest)\b")
_LIST: Final = re.compile(r"\b(?:on )?(?:which|what) (?:days|dates)\b|\blist\b|\ball (?:the )?(?:days|dates)\b")
_SINGLE: Final = re.compile(r"\b(?:on )?(?:which|what) (?:day|date)\b|\bwhen (?:did|was|were|has|have)\b")
_NOUNS: Final[tuple[tuple[_Of, re.Pattern[str]], ...]] = (
    ("days", re.compile(r"\b(?:days?|dates?)\b")),
    ("activity", re.compile(r"\bactivit|\bpastimes?\b|\bhobb|\bsports?\b|\bdo(?:es|ing)?\b|\btak\w+ part\b")),
    ("place", re.compile(r"\bplaces?\b|\blocations?\b|\bspots?\b|\bvenues?\b|\bwhere\b|\bvisit")),
    ("person", re.compile(r"\bwho(?:m|se)?\b|\bcompanions?\b|\bpersons?\b|\bpeople\b|\brelatives?\b|\bcompany\b")),
    ("thing", re.compile(r"\bobjects?\b|\bthings?\b|\bitems?\b")),
)
_COUNTED: Final = re.compile(
    r"\b(?:how many|number of|count of|count the|count all)\s+(?:(?:different|distinct|separate|unique|individual"
    r"|the|of|kinds?|types?|sorts?|total|such|single|other)\s+)*(?P<noun>\w+)"
)
_FORM: Final = re.compile(
    r"\b(?:form|kind|sort|type)s? of (?!activit|thing|event|place)(?P<what>[\w' -]+?)"
    r"(?=\s+(?:with|in|on|at|by|for|did|was|were|is|do|does|that|which|take|took|feature|has|have|including|together)\b"
    r"|[?.,(;]|$)"
)
_OWN_HISTORY: Final = re.compile(
    r"^['’]s?\s+(?:\w+\s+){0,2}(?:history|album|photos?|pictures|timeline|life|records?|log)\b"
)
_APART: Final = re.compile(r"\bwithout\b|\bexcept\b|\bbut not\b|\bother than\b")
"""Who or what is left out, which no filter says."""
_ME: Final = re.compile(r"\b(?:i|me|myself|we|us|ourselves)\b", re.IGNORECASE)
_TO_ME: Final = re.compile(r"\b(?:tell|show|remind|give|let|find|list)\s+(?:me|us)\b", re.IGNORECASE)
_CAMERA: Final = re.compile(r"\bphotograph(?:ed|s)\b|\bphotos?\b|\bpictures?\b|\bpictured\b|\bimages?\b")
_DECOR: Final = re.compile(
    r"\b(?:the|a|an|that|this|their|his|her|its|our|my) (?:day|date|time|occasion|event|moment)"
    r" (?:of|when|on which|with)(?: the)?\b|\b(?:right|immediately|directly|just|next|day|event|occasion|they|he|she"
    r"|when|went|took part in|had|did|was|were)\b"
)
_EDGES: Final = re.compile(
    r"^(?:[\s,.]|\b(?:the|a|an|of|with|and|at|in|on|by|to)\b)+|(?:[\s,.]|\b(?:with|and|of|at|in|on|by|the|to)\b)+$"
)


@dataclass(frozen=True)
class _Part:
    """What a piece of a question says of an event."""

    who: tuple[str, ...]
    what: str
    where: str
    moment: Moment


def plan_of(asked: GraphPlanInput) -> GraphPlanOutput:
    """Turn a question into filters; ``none`` for one that is about a given day or about people as such."""
    question = " ".join(asked.question.replace("’", "'").split())
    text = question.lower()
    people = people_in(asked.people, asked.owner)
    me = owner_of(people, asked.owner)
    owner = "" if me is None else me.name
    if _NO_COUNT.search(text) or _APART.search(text):
        return GraphPlanOutput(operation="none")
    counts = bool(_COUNT.search(text))
    step = None if counts or _MOST.search(text) else _stepped(question)
    if step is not None:
        operation, rest, anchor = step
        target = _part(rest, people, owner, whole=False)
        at = _part(anchor, people, owner, whole=True)
        if at.who or at.what or at.where or not at.moment.open:
            return GraphPlanOutput(
                operation=operation,
                who=target.who,
                what=target.what,
                where=target.where,
                anchor_who=at.who,
                anchor_what=at.what,
                anchor_where=at.where,
                anchor_from=at.moment.first,
                anchor_to=at.moment.last,
                of="events",
            )
    if dates_in(question) and not re.search(r"\b(?:since|between|until|before|after|from .+ to)\b", text):
        return GraphPlanOutput(operation="none")
    simple = _simple(text, counts=counts)
    if simple is None:
        return GraphPlanOutput(operation="none")
    kind, of = simple
    part = _part(question, people, owner, whole=False, asks_for_place=of == "place")
    return GraphPlanOutput(
        operation=kind,
        who=part.who,
        what=part.what,
        where=part.where,
        when_from=part.moment.first,
        when_to=part.moment.last,
        of=of,
    )


def _stepped(question: str) -> tuple[Literal["before", "after"], str, str] | None:
    """Return the direction, what is asked, and the words for the anchor; None where nothing is stepped from."""
    text = question.lower()
    for match in _STEP.finditer(text):
        if match["after"] in ("since",) or match["before"] in ("until",):
            continue
        ends = _ANCHOR_ENDS.search(text, match.end() + 2)
        end = ends.start() if ends else len(text)
        anchor, rest = question[match.end() : end].strip(" ,.?"), f"{question[: match.start()]} ; {question[end:]}"
        if len(anchor) > 2 and not re.fullmatch(r"(?:that|this|it|then|all|dark|work|school)", anchor.lower()):
            return ("after" if match["after"] else "before"), rest, re.sub(r"\s+next$", "", anchor)
    return None


def _simple(text: str, *, counts: bool) -> tuple[Literal["count", "first", "last", "most", "list"], _Of] | None:
    if counts:
        noun = _COUNTED.search(text)
        of = None if noun is None else next((of for of, pattern in _NOUNS if pattern.match(noun["noun"])), None)
        if (
            of is None
            and noun is not None
            and not re.match(
                r"times?|occasions?|events?|outings?|trips?|visits?|gatherings?|celebrations?|sessions?", noun["noun"]
            )
        ):
            if not activities_in(text) and not re.search(r"\bhow often\b", text):
                return None  # things in one place are no events
            return "count", "events"
        return "count", of or "events"
    if _MOST.search(text):
        best = min(
            ((match.start(), of) for of, pattern in _NOUNS[1:] if (match := pattern.search(text))),
            default=(0, "activity"),
        )[1]
        return "most", best
    end = _LAST.search(text) or _FIRST.search(text)
    if end is not None and re.search(r"\b(?:time|day|date|occasion|event|when|did|went|was|took|who|where)\b", text):
        return ("last" if _LAST.search(text) else "first"), "days"
    if _LIST.search(text) or (_SINGLE.search(text) and "born" not in text):
        return "list", "days"
    return None


def _part(text: str, people: Sequence[Person], owner: str, *, whole: bool, asks_for_place: bool = False) -> _Part:
    """Return what ``text`` says of an event.

    Args:
        text: a piece of a question.
        people: everybody who may be meant.
        owner: whose history it is.
        whole: whether all of ``text`` describes the event; else most of it is the question around it.
        asks_for_place: then places in it are what is asked for.
    """
    who: dict[str, None] = {}
    text = _TO_ME.sub(" ", text)
    left = _ME.sub(" ", text)
    for start, end, names in reversed(mentions(left, people, owner)):
        in_history = _OWN_HISTORY.match(left[end:])
        if not (in_history and names == (owner,)):
            who[names[0]] = None
        left = f"{left[:start]} , {left[end:]}"
    if owner and _ME.search(text):
        who.setdefault(owner)
    moment, left = moment_in(left)
    form = _FORM.search(left.lower())
    where = ""
    if not asks_for_place:
        where, left = place_in(left)
    low = _CAMERA.sub(" ", left.lower())
    if form is not None and not whole:
        what = form["what"].strip()
    elif whole:
        what = _trimmed(_DECOR.sub(" ", low))
    else:
        spoken = activities_in(low)
        things = things_in(low)
        what = (
            low[spoken[0].start : spoken[0].end] if spoken else f"{things[0].colour} {things[0].name}" if things else ""
        )
    return _Part(tuple(reversed(who)), what.strip()[:200], where[:200], moment)


def _trimmed(text: str) -> str:
    plain = " ".join(text.split())
    while True:
        shorter = _EDGES.sub("", plain).strip()
        if shorter == plain:
            return shorter
        plain = shorter
