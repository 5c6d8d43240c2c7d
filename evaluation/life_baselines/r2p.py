"""R2P: fingerprints, the attributes that tell concepts and pictures apart, matched with those of the question."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from evaluation.life_baselines.base import Baseline, best, concept_text, image_text
from lifeloom.memory.lexical import terms_of
from lifeloom.records import Life, PictureReference
from lifeloom.scoring.life_policy import AskedQuestion, Found
from lifeloom.tasks import CONCEPT_FINGERPRINT, ConceptFingerprintInput

__all__ = ["R2pIndex", "R2pPolicy"]


@dataclass(frozen=True)
class R2pIndex:
    """Fingerprints of a life."""

    ids: tuple[str, ...]
    terms: tuple[frozenset[str], ...]
    weights: dict[str, float]
    """Rare attributes weigh more."""
    looks: dict[str, str]
    """Concepts' attributes in words."""


class R2pPolicy(Baseline[R2pIndex]):
    """What shares most of the question's attributes, rare ones first."""

    method = "r2p"
    extra_prompts = (CONCEPT_FINGERPRINT,)

    def index(self, life: Life) -> R2pIndex:
        """Ask for the fingerprints of portraits and pictures."""
        ids: list[str] = []
        terms: list[frozenset[str]] = []
        looks: dict[str, str] = {}
        for concept in life.concepts:
            found = self._fingerprint(concept.name, concept.portrait)
            looks[concept.concept_id] = ", ".join(found)
            ids.append(concept.concept_id)
            terms.append(_terms([*found, concept_text(concept)]))
        for image in life.images:
            ids.append(image.image_id)
            terms.append(_terms([*self._fingerprint("", image.picture), image_text(image)]))
        counts = Counter(term for own in terms for term in own)
        weights = {term: float(np.log(1 + len(terms) / count)) for term, count in counts.items()}
        return R2pIndex(tuple(ids), tuple(terms), weights, looks)

    def found(self, asked: AskedQuestion, life: Life, index: R2pIndex) -> Found:
        """Return the items that share most with question and picture."""
        wanted = _terms([asked.question, *(option.text for option in asked.options)])
        if asked.picture is not None:
            wanted |= _terms(self._fingerprint("", asked.picture))
        scores = [sum(index.weights[term] for term in own & wanted) for own in index.terms]
        ranked = best(index.ids, np.array(scores, dtype=np.float32)) if index.ids else []
        return self.shown(life, [*self.named(asked, life), *ranked], looks=index.looks)

    def _fingerprint(self, name: str, picture: PictureReference | None) -> tuple[str, ...]:
        described = self.described(CONCEPT_FINGERPRINT, ConceptFingerprintInput(name=name), picture)
        return () if described is None else described.attributes


def _terms(phrases: list[str] | tuple[str, ...]) -> frozenset[str]:
    return frozenset(term for phrase in phrases if phrase for term in terms_of(phrase))
