"""Visual concepts: the user's people, animals and things, remembered from one picture and recognised in another.

A detector finds what stands in a picture, what is meant is cut out with a margin and stored with its description, and
its vector is compared with what stands in later pictures (PersonaVLM Appendix A.1 "Visual Concepts", A.2 "Visual
Concept Retrieval", C "Multimodal Memory Formatting"). Only what can be cut out of a picture comes here: likes are text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from lifeloom.assistant.concept_phrases import ConceptPhrase, Side, line_of, read_phrase, without_mark
from lifeloom.assistant.proposing import Crop
from lifeloom.memory import Hit, UserMemory
from lifeloom.models.builtin.eyes.detector import overlap
from lifeloom.models.crops import crops
from lifeloom.models.protocol import Detection, Detector, ImageEncoder
from lifeloom.records import Moment, SubjectKind
from lifeloom.store.pictures import PictureRejected, decode_picture, encode_png

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from PIL.Image import Image

__all__ = ["ConceptMemory", "ConceptSettings"]

_SAME = 0.5
"""Finds whose boxes overlap by more than this share of their union are one thing: Grounding DINO keeps them all."""
_CANDIDATES = 5
"""Nearest crops asked for: one concept may have been shown several times."""


@runtime_checkable
class LabelDetector(Protocol):
    """A detector that can be asked in words."""

    def detect_labels(self, pictures: Sequence[Image], labels: Sequence[str]) -> list[tuple[Detection, ...]]:
        """Return which of ``labels`` stand in each of ``pictures``, best first."""
        ...


@runtime_checkable
class KindEncoder(Protocol):
    """An encoder that can be told what crops show, and knows from which cosine on two show the same."""

    def encode_as(self, pictures: Sequence[Image], kinds: Sequence[SubjectKind]) -> npt.NDArray[np.float32]:
        """Return unit vectors, shape (len(pictures), dimensions), of crops of ``kinds``."""
        ...

    def threshold(self, kind: SubjectKind) -> float:
        """Return it for something of ``kind``."""
        ...


@dataclass(frozen=True)
class ConceptSettings:
    """How concepts are found and recognised. The numbers are those of PersonaVLM's release where it has them."""

    margin: float = 0.15
    """Surroundings kept on each side of a crop that is stored, as a share of its box. Vectors are of the box alone."""
    named_score: float = 0.1
    """Score from which on a find counts that a description asks for, 0..1."""
    salient_score: float = 0.2
    """Score from which on a find counts that nobody asked for, 0..1."""
    threshold: float | None = None
    """Cosine from which on something is a known concept; None: the encoder's own where it has one, else 0.5 (a
    distance of 1 between unit vectors)."""


class ConceptMemory:
    """Remembers and recognises visual concepts. It keeps nothing of a user: one serves all, from any thread.

    Args:
        detector: Finds what stands in a picture; the meant one is found better where it is a ``LabelDetector``.
        encoder: Turns crops into vectors.
        settings: How.
    """

    def __init__(self, detector: Detector, encoder: ImageEncoder, settings: ConceptSettings | None = None) -> None:
        self._detector = detector
        self._encoder = encoder
        self._settings = settings or ConceptSettings()

    def remember(self, memory: UserMemory, data: bytes, description: str) -> Crop | None:
        """Cut out of a picture what a description means.

        Of several people it is the one on the side that the description names; else not one who is known as somebody
        else; else the largest.

        Args:
            memory: The user's.
            data: The picture's file.
            description: Such as ``Fatou, the user's bandmate``; a mark does not count.

        Returns:
            The crop with its vector; None where nothing like it is in the picture.

        Raises:
            PictureRejected: the file is no picture that can be read.
            OtherEncoder: the memory has crops of another encoder.
            ModelError: detector or encoder cannot be used.
        """
        image = decode_picture(data)
        phrase = read_phrase(description)
        finds = self._meant(image, phrase)
        if not finds:
            return None
        memory.use_encoder(self._name, self._encoder.dimensions, space="image")
        vectors = self._vectors(image, finds)
        chosen = self._chosen(memory, finds, vectors, phrase, without_mark(description))
        crop = crops(image, [finds[chosen]], self._settings.margin)[0]
        return Crop(encode_png(crop), crop.width, crop.height, vectors[chosen])

    def recognise(
        self, memory: UserMemory, pictures: Sequence[bytes], *, as_of: Moment | None = None
    ) -> tuple[str, ...]:
        """Return a line for each known concept in ``pictures``.

        Such as ``The person on the left is Fatou, the user's bandmate.``
        What is not known does not appear, a picture that cannot be read shows nobody, and nothing is written.

        Args:
            memory: The user's.
            pictures: Files.
            as_of: What is known; None: all.

        Raises:
            OtherEncoder: the memory has crops of another encoder.
            ModelError: detector or encoder cannot be used.
        """
        if not pictures or not memory.encoder("image"):
            return ()
        memory.use_encoder(self._name, self._encoder.dimensions, space="image")
        lines: list[str] = []
        for number, data in enumerate(pictures, 1):
            try:
                image = decode_picture(data)
            except PictureRejected:
                continue
            finds = self._salient(image)
            for index, hit in self._known(memory, image, finds, as_of).items():
                side = _side(finds, index, image.width)
                named = without_mark(hit.memory.content)
                lines.append(line_of(named, finds[index].kind, side, number, len(pictures)))
        return tuple(lines)

    @property
    def _name(self) -> str:
        identity = self._encoder.identity
        return f"{identity.backend}/{identity.model}"

    def _threshold(self, kind: SubjectKind) -> float:
        if self._settings.threshold is not None:
            return self._settings.threshold
        return self._encoder.threshold(kind) if isinstance(self._encoder, KindEncoder) else 0.5

    def _vectors(self, image: Image, finds: Sequence[Detection]) -> npt.NDArray[np.float32]:
        parts = crops(image, finds)
        if isinstance(self._encoder, KindEncoder):
            return self._encoder.encode_as(parts, [one.kind for one in finds])
        return self._encoder.encode(parts)

    def _salient(self, image: Image) -> list[Detection]:
        """Return everything that stands in a picture, from left to right."""
        finds = _apart(one for one in self._detector.detect([image])[0] if one.score >= self._settings.salient_score)
        return sorted(finds, key=_centre)

    def _meant(self, image: Image, phrase: ConceptPhrase) -> list[Detection]:
        """Return what a description may mean, best first."""
        if phrase.noun and isinstance(self._detector, LabelDetector) and (phrase.seen or not phrase.is_person):
            for label in dict.fromkeys((phrase.noun, phrase.head)):
                finds = self._detector.detect_labels([image], [label])[0]
                if phrase.is_person:  # a label that nobody gave a kind is an object
                    finds = tuple(Detection("person", one.score, one.box, one.label) for one in finds)
                asked = _apart(one for one in finds if one.score >= self._settings.named_score)
                if asked:
                    return asked
            if not phrase.is_person:
                return []
        there = self._salient(image)
        people = [one for one in there if one.kind == "person"]
        if phrase.is_person or (people and not phrase.noun):
            return people
        others = [one for one in there if one.kind != "person"]
        if not phrase.noun:  # a name alone: a pet before a thing
            others = [one for one in others if one.kind == "animal"] or others
        return others if len(others) == 1 else []

    def _chosen(
        self,
        memory: UserMemory,
        finds: Sequence[Detection],
        vectors: npt.NDArray[np.float32],
        phrase: ConceptPhrase,
        description: str,
    ) -> int:
        """Return which of ``finds`` is meant."""
        order = sorted(range(len(finds)), key=lambda index: _centre(finds[index]))
        if phrase.side:
            return order[{"left": 0, "middle": (len(order) - 1) // 2, "right": -1}[phrase.side]]
        left = order
        if len(finds) > 1:
            known = self._assigned(memory, finds, vectors, None)
            own = [index for index in order if index in known and _is_called(known[index], description)]
            left = own or [index for index in order if index not in known] or order
        return max(left, key=lambda index: _area(finds[index]))  # the first of equals: the one on the left

    def _known(
        self, memory: UserMemory, image: Image, finds: Sequence[Detection], as_of: Moment | None
    ) -> dict[int, Hit]:
        """Return by find, from left to right, the concept that it is."""
        if not finds:
            return {}
        known = self._assigned(memory, finds, self._vectors(image, finds), as_of)
        return dict(sorted(known.items()))

    def _assigned(
        self,
        memory: UserMemory,
        finds: Sequence[Detection],
        vectors: npt.NDArray[np.float32],
        as_of: Moment | None,
    ) -> dict[int, Hit]:
        """Return which concept each find is, the surest first: nobody stands in a picture twice."""
        candidates: list[tuple[float, int, int, Hit]] = []
        for index, (find, vector) in enumerate(zip(finds, vectors, strict=True)):
            least = self._threshold(find.kind)
            hits = memory.search_crops(vector, _CANDIDATES, as_of=as_of)
            candidates += [
                (-hit.similarity, index, rank, hit) for rank, hit in enumerate(hits) if hit.similarity >= least
            ]
        known: dict[int, Hit] = {}
        taken: set[str] = set()
        for _, index, _, hit in sorted(candidates, key=lambda one: one[:3]):
            name = without_mark(hit.memory.content).casefold()
            if index not in known and name not in taken:
                known[index] = hit
                taken.add(name)
        return known


def _apart(finds: Iterable[Detection]) -> list[Detection]:
    """Return ``finds``, which come best first, without those that find the same once more."""
    kept: list[Detection] = []
    for one in finds:
        if all(overlap(one.box, other.box) <= _SAME for other in kept):
            kept.append(one)
    return kept


def _is_called(hit: Hit, description: str) -> bool:
    """Return whether a known concept has the name or the words of ``description``."""
    known, told = (text.casefold().partition(",")[0] for text in (without_mark(hit.memory.content), description))
    return known == told


def _side(finds: Sequence[Detection], index: int, width: int) -> Side:
    """Return where a find stands among those of its kind."""
    alike = [one for one in finds if one.kind == finds[index].kind]
    if len(alike) == 1:
        return ""
    if finds[index] is alike[0]:
        return "left"
    if finds[index] is alike[-1]:
        return "right"
    return "middle" if len(alike) == 3 else _third(_centre(finds[index]) / width)


def _third(share: float) -> Side:
    return "left" if share < 1 / 3 else "right" if share > 2 / 3 else "middle"


def _centre(find: Detection) -> float:
    return (find.box[0] + find.box[2]) / 2


def _area(find: Detection) -> float:
    left, top, right, bottom = find.box
    return (right - left) * (bottom - top)
