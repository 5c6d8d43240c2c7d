"""BERTScore against the sums that its paper defines, with the packaged encoder and with one of one's own."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from evaluation.caption_quality.bert_scores import BertEncoder, bert_encoder, bert_scores
from evaluation.caption_quality.errors import EncoderUnfit
from lifeloom.models.tokens import model_folder


def by_hand(caption: str, reference: str, encoder: BertEncoder) -> float:
    """Greedy matching of contextual vectors: each word takes its nearest; marks of beginning and end do not count."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(str(encoder.folder))
    model = AutoModel.from_pretrained(str(encoder.folder)).eval()
    vectors = []
    for text in (caption, reference):
        with torch.no_grad():
            hidden = model(**tokenizer(text, return_tensors="pt"), output_hidden_states=True).hidden_states
        rows = hidden[encoder.layer][0].numpy()
        vectors.append(rows / np.linalg.norm(rows, axis=1, keepdims=True))
    cosines = vectors[0] @ vectors[1].T
    precision = cosines.max(axis=1)[1:-1].mean()
    recall = cosines.max(axis=0)[1:-1].mean()
    return float(2 * precision * recall / (precision + recall))


@pytest.mark.parametrize("layer", [3, 6])
def test_each_word_is_matched_with_its_nearest_in_the_chosen_layer(layer: int) -> None:
    encoder = bert_encoder(layer=layer)
    caption, reference = "A dog sits beside a red mug.", "There is a brown dog in the park."
    assert bert_scores([caption], [[reference]], encoder) == pytest.approx([by_hand(caption, reference, encoder)], 1e-4)


def test_the_best_reference_counts_and_the_same_text_has_one() -> None:
    encoder = bert_encoder()
    both = bert_scores(["a dog", "a dog"], [["a castle of sand", "a dog"], ["a castle of sand"]], encoder)
    assert both[0] == pytest.approx(1.0, abs=1e-4)
    assert both[1] < 0.9


def tiny(folder: Path, positions: int) -> Path:
    """An encoder with two layers of random weights, whose tokenizer knows no limit."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    torch.manual_seed(0)
    shutil.copy(model_folder() / "vocab.txt", folder / "vocab.txt")
    BertTokenizerFast(vocab_file=str(folder / "vocab.txt")).save_pretrained(folder)
    settings = BertConfig(
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=positions,
    )
    BertModel(settings).save_pretrained(folder)
    return folder


def test_an_encoder_of_ones_own_is_used_and_named_also_for_texts_beyond_its_positions(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    encoder = bert_encoder(str(tiny(folder, positions=32)))
    assert str(encoder) == "own, layer 2"
    assert bert_encoder(str(folder), 1).layer == 1
    caption, reference = "a dog on a mat", "the dog sleeps"
    assert bert_scores([caption], [[reference]], encoder) == pytest.approx([by_hand(caption, reference, encoder)], 1e-4)
    assert bert_scores(["dog " * 100], [["dog " * 100]], encoder) == pytest.approx([1.0], abs=1e-4)
    before = encoder.digest
    (folder / "config.json").write_text((folder / "config.json").read_text() + " ")
    assert encoder.digest != before


def test_what_is_no_encoder_is_refused_in_words_that_say_what_to_set(tmp_path: Path) -> None:
    with pytest.raises(EncoderUnfit, match=r"holds no encoder.*captions\.bert_score_encoder"):
        bert_encoder(str(tmp_path))
    with pytest.raises(EncoderUnfit, match=r"has 6 layers, so .* cannot be 7: set 1 to 6"):
        bert_encoder(layer=7)
