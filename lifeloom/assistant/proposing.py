"""What a model's answers ask for: operations on a user's memory, read from the key-value forms, with what was repaired.

Answers are only ever content. Whatever they say, what becomes of them is one of five typed operations on the memory of
the one user whose turns they are about.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from lifeloom.assistant.citing import cited_turns
from lifeloom.assistant.forms import (
    FormRejected,
    SemanticEntry,
    ValueEntry,
    parse_core,
    parse_episodic,
    parse_procedural,
    parse_semantic,
)
from lifeloom.assistant.jobs import UpdateJob
from lifeloom.assistant.pem import NEUTRAL_PROFILE, counted, evolve
from lifeloom.assistant.questions import Known, Question
from lifeloom.assistant.sessions import context_of
from lifeloom.memory import (
    DialogueTurn,
    EpisodeDraft,
    Operation,
    Origin,
    RemoveValue,
    SemanticDraft,
    SetPersonality,
    SetValue,
    Vector,
)
from lifeloom.models.protocol import InstallationBroken, TextEncoder
from lifeloom.records import BigFiveProfile, PersonalityPoint, PictureReference, Provenance
from lifeloom.tasks import PersonalityInferenceOutput, TextOutput
from lifeloom.tasks.base import TaskOutput
from lifeloom.tasks.choice_answer import PICTURE_MARK

__all__ = ["Asked", "Crop", "Cutter", "Evolution", "Proposal", "Refused", "propose", "with_vectors"]


@dataclass(frozen=True)
class Refused:
    """Why an update could not be made."""

    reason: str
    """Short and machine-readable, for example ``bad_json``, ``no_form``."""
    detail: str


@dataclass(frozen=True)
class Asked:
    """A question of the update stage with its answer."""

    job: UpdateJob
    known: Known
    question: Question
    output: TaskOutput | None
    """None: refused."""
    text: str
    """The answer as text; the model's last words where it was refused."""
    made_by: Provenance
    notes: tuple[str, ...] = ()
    """What was done so that it could be asked: ``prompt_cut``, ``picture_gone``, ``picture_refused``."""
    refused: Refused | None = None


@dataclass(frozen=True)
class Proposal:
    """What an answer asks for, ready to be applied."""

    asked: Asked
    operations: tuple[Operation, ...]
    origin: Origin
    notes: tuple[str, ...] = ()
    """Repairs of the answer, by name, and those of ``asked``."""
    refused: Refused | None = None
    crops: tuple[Crop, ...] = ()
    """Those that the operations refer to: they go into the media together with them, so that none is left behind."""

    @property
    def job(self) -> UpdateJob:
        """The job that it is of."""
        return self.asked.job

    @property
    def outcome(self) -> Literal["applied", "nothing", "rejected"]:
        """What becomes of it."""
        if self.refused:
            return "rejected"
        return "applied" if self.operations else "nothing"

    @property
    def reason(self) -> str:
        """Why it was refused, and what was repaired, in words; empty where there is nothing to say."""
        refused = f"{self.refused.reason}: {self.refused.detail}" if self.refused else ""
        repairs = ", ".join(f"{name} {n}" if n > 1 else name for name, n in sorted(Counter(self.notes).items()))
        return "; ".join(filter(None, [refused, repairs]))


@dataclass(frozen=True)
class Crop:
    """Part of a picture that shows a visual concept."""

    data: bytes
    """The part as a picture file; put into the user's media when it is remembered."""
    width: int
    height: int
    vector: Vector
    """Of the part, in the space of images."""


Cutter = Callable[[PictureReference, str], Crop | None]
"""Cuts what a description names out of a picture; None: it is not there."""


@dataclass(frozen=True)
class Evolution:
    """Where the personality profile stands before a turn, and how it moves."""

    point: PersonalityPoint | None = None
    """Of the turn before; None: nothing was inferred yet."""
    applied_before: int = 0
    """Turns that moved the profile: needed where ``count`` is ``updates``."""
    start: BigFiveProfile = NEUTRAL_PROFILE
    count: Literal["turns", "updates"] = "turns"
    skip: Literal["all", "trait"] = "all"


def propose(asked: Asked, origin: Origin, evolution: Evolution, cut: Cutter, user_id: str) -> Proposal:
    """Return what ``asked`` asks for, without vectors.

    An answer that cannot be read asks for nothing and is refused; a turn whose personality cannot be inferred still has
    its point on the curve, where the profile stays.
    """
    kind = asked.job.kind
    if kind == "personality":
        return _personality(asked, origin, evolution, user_id)
    if asked.refused:
        return Proposal(asked, (), origin, asked.notes, asked.refused)
    crops: list[Crop] = []

    def cut_and_kept(picture: PictureReference, description: str) -> Crop | None:
        crop = cut(picture, description)
        if crop is None or any(crop.data == other.data for other in crops):
            return None  # two names for one part of a picture: it shows at most one of them
        crops.append(crop)
        return crop

    try:
        operations, repairs = _READERS[kind](asked, cut_and_kept)
    except FormRejected as error:
        return Proposal(asked, (), origin, asked.notes, Refused(error.reason, error.detail))
    return Proposal(asked, operations, origin, (*asked.notes, *repairs), crops=tuple(crops))


def with_vectors(proposals: Sequence[Proposal], encoder: TextEncoder) -> list[Proposal]:
    """Return ``proposals`` with the vectors of their contents, all encoded at once.

    Raises:
        InstallationBroken: the encoder gives no unit vectors. That is no fault of the answers, so none is refused.
    """
    texts = [text for proposal in proposals for operation in proposal.operations for text in _encoded(operation)]
    if not texts:
        return list(proposals)
    made = encoder.encode(texts)  # (texts, dimensions)
    if made.shape != (len(texts), encoder.dimensions) or not np.allclose(np.linalg.norm(made, axis=1), 1.0, atol=1e-3):
        raise InstallationBroken(
            f"the encoder {encoder.identity.model} gives no unit vectors of {encoder.dimensions} numbers; check its "
            "weights"
        )
    vectors = iter(made)
    return [
        dataclasses.replace(
            proposal,
            operations=tuple(
                dataclasses.replace(operation, vector=next(vectors)) if _encoded(operation) else operation
                for operation in proposal.operations
            ),
        )
        for proposal in proposals
    ]


def _encoded(operation: Operation) -> tuple[str, ...]:
    """Return the text of which an operation needs a vector, if it needs one: its content, without picture marks."""
    match operation:
        case SemanticDraft():
            text = operation.content
        case EpisodeDraft():
            text = operation.summary
        case SetValue() if operation.kind == "procedural":
            text = operation.content
        case _:
            return ()
    return (text.replace(PICTURE_MARK, " ").strip(),)


def _personality(asked: Asked, origin: Origin, evolution: Evolution, user_id: str) -> Proposal:
    scores = None
    if isinstance(asked.output, PersonalityInferenceOutput):
        given = asked.output
        scores = (
            given.openness,
            given.conscientiousness,
            given.extraversion,
            given.agreeableness,
            given.neuroticism,
        )
    turn = asked.known.turns[-1]
    before = evolution.point.profile if evolution.point else evolution.start
    moved = evolve(before, scores, counted(turn.index, evolution.applied_before, evolution.count), skip=evolution.skip)
    point = PersonalityPoint(
        user_id=user_id,
        turn_index=turn.index,
        at=turn.at,
        inferred=moved.inferred,
        applied=moved.applied,
        skipped=moved.skipped,
        smoothing=moved.smoothing,
        profile=moved.profile,
        made_by=asked.made_by,
    )
    return Proposal(asked, (SetPersonality(point),), origin, asked.notes, asked.refused)


_Read = tuple[tuple[Operation, ...], tuple[str, ...]]
"""Operations, and repairs by name."""


def _text(asked: Asked) -> str:
    return asked.output.text if isinstance(asked.output, TextOutput) else asked.text


def _semantic(asked: Asked, cut: Cutter) -> _Read:
    turn = asked.known.turns[-1]
    pictures = turn.pictures[: turn.user.count(PICTURE_MARK)]
    answer = parse_semantic(_text(asked), len(pictures))
    # A prompt that was cut shows no context.
    context = () if asked.question.cut else context_of(asked.known.turns, turn)
    drafts, notes = [], [*answer.repairs]
    for entry in answer.entries:
        cited = cited_turns([turn], context, (entry.content, *entry.keywords))
        draft, note = _semantic_draft(entry, cited, pictures, cut)
        drafts.append(draft)
        notes.extend([note] if note else [])
    return tuple(drafts), tuple(notes)


def _semantic_draft(
    entry: SemanticEntry, cited: tuple[int, ...], pictures: Sequence[PictureReference], cut: Cutter
) -> tuple[SemanticDraft, str]:
    """Return the draft, and what had to be done; a concept that is not found in its picture is remembered as text."""
    draft = SemanticDraft(entry.kind, entry.content, entry.keywords, cited)
    if entry.kind != "visual_concept":
        return draft, ""
    described = entry.content.replace(PICTURE_MARK, " ").strip()
    crop = cut(pictures[entry.picture - 1], described)
    if crop is None:
        return dataclasses.replace(draft, label="fact", content=described), "concept_not_found"
    content = hashlib.sha256(crop.data).hexdigest()
    reference = PictureReference(content_hash=content, width=crop.width, height=crop.height)
    return dataclasses.replace(draft, crop=reference, crop_vector=crop.vector), ""


def _episodic(asked: Asked, cut: Cutter) -> _Read:
    turns = asked.known.turns
    answer = parse_episodic(_text(asked), len(turns))
    drafts = tuple(
        EpisodeDraft(one.summary, one.keywords, _cited(turns, one.numbers, (one.summary, *one.keywords)))
        for one in answer.topics
    )
    return drafts, answer.repairs


def _core(asked: Asked, cut: Cutter) -> _Read:
    answer = parse_core(_text(asked), len(asked.known.turns))
    return tuple(_value("core", entry, asked.known.turns) for entry in answer.entries), answer.repairs


def _procedural(asked: Asked, cut: Cutter) -> _Read:
    answer = parse_procedural(_text(asked), len(asked.known.turns))
    return tuple(_value("procedural", entry, asked.known.turns) for entry in answer.entries), answer.repairs


def _value(kind: Literal["core", "procedural"], entry: ValueEntry, turns: Sequence[DialogueTurn]) -> Operation:
    if not entry.content:
        return RemoveValue(kind, entry.key, _cited(turns, entry.numbers), entry.block)
    # A goal or habit is filed under what it is of: that is all the keywords it has. The key of a core value is the name
    # of a field, which says nothing of the user.
    keywords = (entry.key,) if kind == "procedural" else ()
    cited = _cited(turns, entry.numbers, (entry.content, *keywords))
    return SetValue(kind, entry.key, entry.content, cited, entry.block, keywords)


def _cited(turns: Sequence[DialogueTurn], numbers: Sequence[int], texts: Sequence[str] = ()) -> tuple[int, ...]:
    """Return the indices of the turns with ``numbers`` in the session, from 1, and of those ``texts`` have words of.

    Where none is named, it follows from all of them.
    """
    if not numbers:
        return tuple(turn.index for turn in turns)
    named = [turns[number - 1] for number in numbers]
    others = [turn for number, turn in enumerate(turns, 1) if number not in numbers]
    return cited_turns(named, others, texts)


_READERS: Mapping[str, Callable[[Asked, Cutter], _Read]] = {
    "semantic": _semantic,
    "core": _core,
    "procedural": _procedural,
    "episodic": _episodic,
}
