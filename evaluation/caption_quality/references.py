"""Reference-based metrics: BLEU, ROUGE-L, METEOR, BERTScore and a scene-graph F1 (CoViP Table 4)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.caption_quality.scene_graph import scene_graph_f1

__all__ = ["METEOR_EXACT", "METEOR_WORDNET", "ReferenceScores", "meteor_kind", "score_references", "words_of"]

METEOR_WORDNET = "exact, stem and WordNet"
METEOR_EXACT = "exact and stem (no WordNet here)"
_WORDNET_FOLDERS = (Path("/usr/share/wordnet"), Path("/usr/share/nltk_data/corpora/wordnet"))
_ENCODER_LAYERS = 6


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
    """What counts as a match."""
    scene_graph: float
    """Mean F1 of tuples of objects, attributes and relations, 0..1: SPICE's measure without its parser."""
    bert_score: float
    """Mean F of BERTScore, best reference; comparable between captions scored with one encoder only."""
    encoder: str


def score_references(
    captions: Sequence[str], references: Sequence[Sequence[str]], *, encoder: str = "", layers: int = _ENCODER_LAYERS
) -> ReferenceScores:
    """Score captions against their references.

    BLEU takes all references together; the others take the best one of each caption. BERTScore is the library's, with
    any encoder that transformers loads: scores of two encoders are not comparable, and none here is rescaled.

    Args:
        captions: one a picture, not empty.
        references: one or more a picture, in the same order.
        encoder: folder or name of the encoder; empty: the packaged MiniLM.
        layers: the encoder's layer that is compared.

    Raises:
        ValueError: there are no captions, not as many references, or a picture has none.
    """
    if not captions or len(captions) != len(references) or any(not own for own in references):
        raise ValueError("reference metrics need captions, and at least one reference for each")
    import sacrebleu
    from rouge_score.rouge_scorer import RougeScorer

    most = max(len(own) for own in references)
    # A picture with fewer references than another has its last one again, which changes no match.
    streams = [[own[min(number, len(own) - 1)] for own in references] for number in range(most)]
    rouge = RougeScorer(["rougeL"], use_stemmer=True)
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
        bert_score=_bert_score(captions, references, encoder, layers),
        encoder=encoder or "all-MiniLM-L6-v2",
    )


def meteor_kind() -> str:
    """Return what METEOR counts as a match here: synonyms too where WordNet is installed."""
    return _meteor()[1]


def words_of(text: str) -> list[str]:
    """Return a text's tokens as METEOR compares them: lower case, punctuation apart."""
    from nltk.tokenize import wordpunct_tokenize

    tokens: list[str] = wordpunct_tokenize(text.lower())
    return tokens


class _NoSynonyms:
    """Stands in for WordNet where it is not installed: no word has a synonym."""

    def synsets(self, word: str, pos: str | None = None) -> list[Any]:
        return []


@functools.cache
def _meteor() -> tuple[Callable[[str, Sequence[str]], float], str]:
    from nltk.translate.meteor_score import meteor_score

    wordnet, kind = _wordnet()

    def score(caption: str, references: Sequence[str]) -> float:
        return float(meteor_score([words_of(one) for one in references], words_of(caption), wordnet=wordnet))

    return score, kind


def _wordnet() -> tuple[Any, str]:
    """Return WordNet as NLTK reads it, from NLTK's own data or from Debian's package, or what stands in for it."""
    import nltk
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    try:
        nltk.data.find("corpora/wordnet")
    except LookupError:
        folder = next((one for one in _WORDNET_FOLDERS if (one / "data.noun").is_file()), None)
        if folder is None or not (folder / "lexnames").is_file():
            return _NoSynonyms(), METEOR_EXACT
        return WordNetCorpusReader(str(folder), None), METEOR_WORDNET
    from nltk.corpus import wordnet

    return wordnet, METEOR_WORDNET


@functools.lru_cache(maxsize=2)
def _scorer(encoder: str, layers: int) -> Any:
    from bert_score import BERTScorer

    from lifeloom.models.tokens import model_folder

    folder = encoder or str(model_folder())
    return BERTScorer(model_type=folder, num_layers=layers, idf=False, device="cpu", batch_size=32)


def _bert_score(captions: Sequence[str], references: Sequence[Sequence[str]], encoder: str, layers: int) -> float:
    _, _, best = _scorer(encoder, layers).score(list(captions), [list(own) for own in references])
    return float(best.mean())


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found)
