"""What to keep of one turn, in the lines of the semantic update (PersonaVLM Appendix A.1)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lifeloom.models.builtin.extractor.anaphora import Pointer, pointed_back
from lifeloom.models.builtin.extractor.lines import block, keywords_of
from lifeloom.models.builtin.extractor.shown import concept_of, describe
from lifeloom.models.builtin.extractor.telling import (
    Telling,
    known_names,
    names_in,
    tellings,
)
from lifeloom.models.builtin.extractor.third_person import third_person
from lifeloom.models.builtin.extractor.wishes import told_wish
from lifeloom.models.builtin.extractor.wording import sentences_of, tidied
from lifeloom.models.builtin.reader.looking import LookedAt
from lifeloom.models.builtin.reader.pointing import MARK, pointing
from lifeloom.models.builtin.reader.text import Message, Sentence
from lifeloom.records import SemanticKind
from lifeloom.tasks import SemanticUpdateInput
from lifeloom.tasks.choice_answer import PICTURE_MARK, ContextMessage

__all__ = ["Kept", "kept_of", "message_of", "names_of", "semantic_text", "spoken_of"]

_JOINT: Final = re.compile(
    r"(?:^|[.,;:!?] )(?:(?:and|but|so|then|now|because|when|that) )*(?:(?:my|our|My|Our) (?:[\w-]+ ){0,2})?[A-Z][\w-]+ "
    r"and (?:I|me)\b|\b(?:my|our|My|Our) [\w-]+(?: [\w-]+)? and (?:I|me)\b|"
    r"\b(?:with|for|between) [A-Z][\w-]+ and me\b|\b(?:I|[Mm]e) and (?:[A-Z]|my |our )"
)
"""Two people of whom "we" can speak; a name elsewhere in the text does not make "we" somebody else's."""
_LONGEST: Final = 480
"""Characters of a memory: longer runs of sentences are cut after a sentence."""

_REASONS: Final = {
    "directive": "The user asked for this to be remembered.",
    "correction": "The user put something right.",
    "change": "The user told of a change.",
    "identity": "The user told who they are.",
    "taste": "The user told of a taste.",
    "plan": "The user told of a plan.",
    "habit": "The user told what they do again and again.",
    "behaviour": "The user told what they do.",
    "denial": "The user told what is not the case.",
    "circle": "The user told of somebody around them.",
}
_ASKED: Final = re.compile(
    r"^.*?\b(?:remember(?: the fact)?|memori[sz]e|keep in mind|bear in mind|forget|make a note(?: of)?|"
    r"take note(?: of)?|"
    r"note down|write down|jot down|save|note)\b(?: for (?:me|later|next time))?[,:]? ?(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_MANNER: Final = re.compile(r"to (?:always |never )?(?:answer|reply|respond|speak|talk|address|explain|write to)\b")
_CALL_ME: Final = re.compile(r"\b(?:call|address) me (?:as |by )?(?P<name>[^,.;!?]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Kept:
    """Something to keep of a turn."""

    kind: SemanticKind
    content: str
    keywords: tuple[str, ...]
    reason: str
    picture: int = 0
    """visual_concept: number of the picture, from 1."""


def message_of(text: str) -> Message:
    """Return a user's message without its longer quotations, pictures as words."""
    sentences = sentences_of(text)
    return Message(sentences, frozenset().union(*(sentence.stem_set for sentence in sentences)))


def names_of(context: Sequence[ContextMessage], message: Message) -> frozenset[str]:
    """Return the lower-case names of people that the user has named in the session."""
    return known_names([*(message_of(said.text) for said in context if said.role == "user"), message])


def semantic_text(task_input: SemanticUpdateInput, looked: Sequence[LookedAt] = ()) -> str:
    """Return what to keep of the turn in the lines of the semantic update; ``decision: no`` where nothing is.

    Args:
        task_input: The turn and the session before it.
        looked: What each picture of the user's message shows, in the order of the marks; may be fewer.
    """
    kept = kept_of(task_input, looked)
    if not kept:
        return block(reason="The user told nothing of themselves or of those around them.", decision="no")
    return "\n\n".join(
        block(
            reason=one.reason,
            decision="yes",
            kind=one.kind,
            content=one.content,
            keywords=", ".join(one.keywords),
            **({"picture": str(one.picture)} if one.picture else {}),
        )
        for one in kept
    )


def kept_of(task_input: SemanticUpdateInput, looked: Sequence[LookedAt] = ()) -> list[Kept]:
    """Return what to keep of the turn, in the order in which it was said, each thing once."""
    message = message_of(task_input.user)
    names = names_of(task_input.context, message)
    found = tellings(message.sentences, names)
    pointer = pointed_back(task_input.context, message.sentences, found, names)
    if pointer is not None:
        found = [telling for telling in found if telling.sentences != (pointer.sentence,)]
    kept: list[Kept] = []
    if PICTURE_MARK in task_input.user:
        kept, spoken = _of_pictures(task_input.user, names, looked, found)
        found = [telling for telling in found if not spoken & set(telling.sentences)]
    for telling in found:
        one = _of_telling(telling)
        if one is not None:
            kept.append(one)
    if pointer is not None:
        kept.append(_of_pointer(pointer))
    return list({one.content: one for one in kept}.values())


def spoken_of(telling: Telling) -> str:
    """Return what a telling says in the third person, without what leads up to it, at most 480 characters."""
    text = " ".join(tidied(sentence.text) for sentence in telling.sentences)
    return _cut(third_person(text, several=_JOINT.search(text) is not None))


def _cut(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    end = max(text.rfind(mark, 0, _LONGEST) for mark in (". ", "! ", "? "))
    return text[: end + 1] if end > 0 else text[: text.rfind(" ", 0, _LONGEST)] + "…"


def _of_telling(telling: Telling) -> Kept | None:
    if telling.frame == "directive":
        return _of_directive(telling)
    content = spoken_of(telling)
    if not content:
        return None
    kind = telling.kind
    if telling.people and telling.frame in ("habit", "taste", "behaviour", "plan"):
        kind = "fact"
    name = "directive" if kind == "directive" else telling.frame
    reason = _REASONS.get(name, "The user told something of themselves.")
    return Kept(kind, content, tuple(keywords_of(content, first=telling.people)), reason)


def _of_directive(telling: Telling) -> Kept | None:
    text = " ".join(tidied(sentence.text) for sentence in telling.sentences)
    reason = _REASONS["directive"]
    called = _CALL_ME.search(text)
    if called:
        content = f"The user wants to be called {called['name'].strip()}."
        return Kept("directive", content, tuple(keywords_of(content)), reason)
    asked = _ASKED.match(text)
    rest = asked["rest"].strip() if asked else ""
    if asked and rest:
        if _MANNER.match(rest):
            content = told_wish(text)
        elif re.match(r"to \w", rest):
            content = third_person(f"I want to be reminded {rest}")
        else:
            content = third_person(re.sub(r"^(?:that|how|the fact that|this|:)[,:]? ", "", rest, flags=re.IGNORECASE))
    else:
        content = told_wish(text)
    content = _cut(content)
    return Kept("directive", content, tuple(keywords_of(content, first=telling.people)), reason) if content else None


def _of_pictures(
    text: str, names: frozenset[str], looked: Sequence[LookedAt], found: Sequence[Telling]
) -> tuple[list[Kept], set[Sentence]]:
    """Return what is kept of a message's pictures, and the sentences that are spoken for by it."""
    sentences = sentences_of(text)
    places = [i for i, sentence in enumerate(sentences) for word in sentence.words if word == MARK]
    concept = concept_of(text, names)
    pointings = pointing(text, names)
    kept: list[Kept] = []
    spoken: set[Sentence] = set()
    for number, place in enumerate(places, start=1):
        if concept.phrase and number == concept.picture:
            words = keywords_of(concept.phrase)
            kept.append(
                Kept("visual_concept", f"{concept.phrase} {PICTURE_MARK}", tuple(words), concept.reason, number)
            )
            # "This is Ana, my cousin": the relation is a fact of its own, the name alone is not.
            spoken.update(sentence for sentence in sentences[place : place + 1] if not concept.tells_more)
            continue
        shows = describe(looked[number - 1]) if number <= len(looked) else ""
        only = number <= len(pointings) and pointings[number - 1].shows_only
        run = _shown_by(place, sentences, names, found, shows_only=only)
        told = " ".join(tidied(one.text) for one in run if not one.is_question and one.stem_set != {MARK})
        told = third_person(told, several=_JOINT.search(told) is not None)
        if not told:
            continue
        content = _cut(f"{told} The picture shows {shows}." if shows else f"{told} The user showed a picture of it.")
        people = tuple(name for one in run for name in names_in(one, names))
        kind: SemanticKind = "fact" if only or people else "preference"
        words = keywords_of(content, first=people)
        kept.append(Kept(kind, content, tuple(words), "The user showed it in a picture."))
        spoken.update(run)
    return kept, spoken


def _shown_by(
    place: int, sentences: Sequence[Sentence], names: frozenset[str], found: Sequence[Telling], *, shows_only: bool
) -> tuple[Sentence, ...]:
    """Return the sentences that say what a picture is to the user: the one with its mark, and what belongs to it."""
    sentence = sentences[place]
    runs = {one: telling.sentences for telling in found for one in telling.sentences}
    after = sentences[place + 1] if place + 1 < len(sentences) else None
    before = sentences[place - 1] if place else None
    if sentence not in runs and after in runs and _POINTS.search(" ".join(after.words if after else ())):
        return runs[after]  # "What a day! <img> That's what my evenings look like now."
    run = runs.get(sentence, (sentence,))
    if (
        after is not None
        and run[-1] is sentence
        and not after.is_question
        and not shows_only
        and names_in(after, names)
    ):
        run = (*run, after)
    if before in runs and before not in run and len(sentence.stem_set) < 3:
        run = (*runs[before], *run)  # "My tea cosy came out wrong. Here's the true one <img>."
    return run


_POINTS: Final = re.compile(r"\b(?:this|that|these|those|it|here)\b")


def _of_pointer(pointer: Pointer) -> Kept:
    said = third_person(tidied(pointer.sentence.text))
    content = _cut(f"{said} This is about: {pointer.antecedent}")
    words = tuple(keywords_of(f"{pointer.antecedent} {said}"))
    return Kept(
        "fact" if pointer.of_somebody else "preference", content, words, "The user took up what was said before."
    )
