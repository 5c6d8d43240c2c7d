"""Reference-based metrics: BLEU, ROUGE-L, METEOR, BERTScore and a scene-graph F1 (CoViP Table 4)."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evaluation.caption_quality.bert_scores import BertEncoder, bert_encoder, bert_scores
from evaluation.caption_quality.scene_graph import scene_graph_f1
from evaluation.caption_quality.wordnet import NoSynonyms, installed

if TYPE_CHECKING:
    from rouge_score.rouge_scorer import RougeScorer

__all__ = ["METEOR_EXACT", "METEOR_WORDNET", "ReferenceScores", "meteor_kind", "score_references", "words_of"]

METEOR_WORDNET = "exact, stem and WordNet"
METEOR_EXACT = "exact and stem (no WordNet here)"


@dataclass(frozen=True)
class ReferenceScores:
    """How close captions are to references, of one captioner."""

    captions: int
    bleu: float
    """Corpus BLEU of sacrebleu, 0..100."""
    rouge_l: float
    """Mean F of ROUGE-L with stems, best reference, 0..1."""
    meteor: float
    """Mean METEOR, best reference, 0..1."""
    meteor_kind: str
    """What counts as a match; NLTK looks synonyms up by stems, so it finds those of words that are their own."""
    scene_graph: float
    """Mean F1 of tuples of objects, attributes and relations, 0..1: SPICE's measure without its parser."""
    bert_score: float
    """Mean F of BERTScore, best reference; comparable between captions scored with one encoder only."""
    encoder: str


def score_references(
    captions: Sequence[str], references: Sequence[Sequence[str]], *, encoder: BertEncoder | None = None
) -> ReferenceScores:
    """Score captions against their references.

    BLEU is of the whole corpus and takes all references together; the scene-graph F1 takes the union of theirs; the
    others take the best one of each caption. Scores of BERTScore by two encoders are not comparable.

    Args:
        captions: one a picture, not empty.
        references: one or more a picture, in the same order.
        encoder: of BERTScore; None: the packaged MiniLM.

    Raises:
        ValueError: there are no captions, not as many references, or a picture has none.
        WeightsMissing: the packaged encoder is not installed.
    """
    if not captions or len(captions) != len(references) or any(not own for own in references):
        raise ValueError("reference metrics need captions, and at least one reference for each")
    import sacrebleu

    most = max(len(own) for own in references)
    # A picture with fewer references than another has its last one again, which changes no match.
    streams = [[own[min(number, len(own) - 1)] for own in references] for number in range(most)]
    own_encoder = encoder or bert_encoder()
    rouge = _rouge()
    meteor, kind = _meteor()
    return ReferenceScores(
        captions=len(captions),
        bleu=float(sacrebleu.corpus_bleu(list(captions), streams).score),
        rouge_l=_mean(
            max(rouge.score(reference, caption)["rougeL"].fmeasure for reference in own)
            for caption, own in zip(captions, references, strict=True)
        ),
        meteor=_mean(meteor(caption, own) for caption, own in zip(captions, references, strict=True)),
        meteor_kind=kind,
        scene_graph=_mean(scene_graph_f1(caption, own) for caption, own in zip(captions, references, strict=True)),
        bert_score=_mean(bert_scores(captions, references, own_encoder)),
        encoder=str(own_encoder),
    )


def meteor_kind() -> str:
    """Return what METEOR counts as a match here: synonyms too where WordNet is installed."""
    return _meteor()[1]


def _rouge() -> RougeScorer:
    from absl import logging as absl_logging  # rouge-score logs with it
    from rouge_score.rouge_scorer import RougeScorer

    # Its handler took what standard error was at its import, and closes that when logging is set up anew, unless it
    # is the process's own: whoever had redirected standard error for a while would lose the file.
    absl_logging.get_absl_handler().python_handler.setStream(sys.__stderr__)
    return RougeScorer(["rougeL"], use_stemmer=True)


def words_of(text: str) -> list[str]:
    """Return a text's tokens as METEOR compares them: lower case, punctuation apart."""
    from nltk.tokenize import wordpunct_tokenize

    tokens: list[str] = wordpunct_tokenize(text.lower())
    return tokens


@functools.cache
def _meteor() -> tuple[Callable[[str, Sequence[str]], float], str]:
    from nltk.translate.meteor_score import meteor_score

    found = installed()
    wordnet, kind = (NoSynonyms(), METEOR_EXACT) if found is None else (found, METEOR_WORDNET)

    def score(caption: str, references: Sequence[str]) -> float:
        return float(meteor_score([words_of(one) for one in references], words_of(caption), wordnet=wordnet))

    return score, kind


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found)
