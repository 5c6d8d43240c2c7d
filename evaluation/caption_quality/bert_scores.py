"""BERTScore with an encoder of one's choice (Zhang et al. 2020), by the ``bert-score`` library; no hub is asked."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.caption_quality.errors import EncoderUnfit

__all__ = ["BertEncoder", "bert_encoder", "bert_scores"]

_OWN_NAME = "all-MiniLM-L6-v2"
_BATCH = 32


@dataclass(frozen=True)
class BertEncoder:
    """An encoder, and which of its layers is compared. Scores of two of them are not comparable."""

    folder: Path
    layer: int
    """From 1; the paper's advice for each encoder is in the library's ``model2layers``."""
    name: str

    def __str__(self) -> str:
        """Return name and layer, as reports have it."""
        return f"{self.name}, layer {self.layer}"

    @property
    def digest(self) -> str:
        """SHA-256 of the configuration and of the names and sizes of all files, for recipes."""
        content = hashlib.sha256((self.folder / "config.json").read_bytes())
        for path in sorted(self.folder.iterdir()):
            if path.is_file():
                content.update(f"{path.name} {path.stat().st_size}\n".encode())
        return content.hexdigest()


def bert_encoder(folder: str = "", layer: int = 0) -> BertEncoder:
    """Return an encoder of files that are here.

    Args:
        folder: as transformers saves models; empty: the packaged all-MiniLM-L6-v2.
        layer: from 1; 0: the last.

    Raises:
        EncoderUnfit: there is no such folder, it holds no model, or the model has not as many layers.
        WeightsMissing: the packaged one is not installed.
    """
    from lifeloom.models.tokens import model_folder

    own = Path(folder).expanduser() if folder else model_folder()
    try:
        settings = json.loads((own / "config.json").read_text(encoding="utf-8"))
        layers = int(settings["num_hidden_layers"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise EncoderUnfit(
            f"{own} holds no encoder for BERTScore ({error}): set captions.bert_score_encoder to a folder with the "
            "config.json, tokenizer and weights that transformers saves, or leave it empty"
        ) from error
    if layer > layers:
        raise EncoderUnfit(
            f"the encoder in {own} has {layers} layers, so captions.bert_score_layer cannot be {layer}: set 1 to "
            f"{layers}, or 0 for the last"
        )
    return BertEncoder(own, layer or layers, own.name if folder else _OWN_NAME)


def bert_scores(captions: Sequence[str], references: Sequence[Sequence[str]], encoder: BertEncoder) -> list[float]:
    """Return F1 of each caption against its best reference, about 0..1, not rescaled and without weights of words.

    Args:
        captions: one a picture.
        references: one or more a picture, in the same order.
        encoder: whose vectors are compared.
    """
    _, _, best = _scorer(encoder).score(list(captions), [list(own) for own in references])
    return [float(one) for one in best]


@functools.lru_cache(maxsize=2)
def _scorer(encoder: BertEncoder) -> Any:
    from bert_score import BERTScorer
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    scorer = BERTScorer(
        model_type=str(encoder.folder), num_layers=encoder.layer, idf=False, device="cpu", batch_size=_BATCH
    )
    # Many tokenizers are saved without a limit; a text longer than the model's positions would then break it.
    most = getattr(scorer._model.config, "max_position_embeddings", None)
    if most:
        # RoBERTa's positions begin after its padding id, so two of them are not to be had.
        scorer._tokenizer.model_max_length = min(scorer._tokenizer.model_max_length, most - 2)
    return scorer
