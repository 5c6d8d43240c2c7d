"""Tiny random checkpoints of CLIP and Grounding DINO, laid out like real ones, made in a moment."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

CLIP_DIMENSIONS = 24
CLIP_SIDE = 32

GROUNDING_DINO_WORDS = (
    "a",
    "cat",
    "dog",
    "person",
    "woman",
    "man",
    "red",
    "blue",
    "car",
    "tree",
    "##house",
    "##s",
    "cup",
)
GROUNDING_DINO_QUERIES = 20


def picture(seed: int, size: tuple[int, int] = (60, 48)) -> Image.Image:
    """Draw some ellipses."""
    rng = np.random.default_rng(seed)
    image = Image.new("RGB", size, tuple(int(x) for x in rng.integers(0, 256, 3)))
    pen = ImageDraw.Draw(image)
    for _ in range(6):
        x, y = (int(v) for v in rng.integers(0, 40, 2))
        colour = tuple(int(x) for x in rng.integers(0, 256, 3))
        pen.ellipse((x, y, x + int(rng.integers(5, 40)), y + int(rng.integers(5, 40))), fill=colour)
    return image


def tiny_clip(folder: Path, seed: int = 0, **preprocess: object) -> Path:
    """Write ``open_clip_config.json`` and random weights to ``folder``, as open_clip's ``local-dir:`` wants them."""
    import open_clip
    import torch
    from safetensors.torch import save_file

    model_cfg = {
        "embed_dim": CLIP_DIMENSIONS,
        "vision_cfg": {"image_size": CLIP_SIDE, "layers": 2, "width": 32, "head_width": 16, "patch_size": 8},
        "text_cfg": {"context_length": 16, "vocab_size": 49408, "width": 8, "heads": 2, "layers": 2},
    }
    folder.mkdir(parents=True, exist_ok=True)
    config = {"model_cfg": model_cfg, "preprocess_cfg": {"interpolation": "bicubic", **preprocess}}
    (folder / "open_clip_config.json").write_text(json.dumps(config))
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        network = open_clip.model.CLIP(**model_cfg)
        with torch.no_grad():
            for weights in network.parameters():
                weights.add_(0.2 * torch.randn_like(weights))  # a fresh tower hardly looks at its input
    save_file(network.state_dict(), folder / "open_clip_model.safetensors")
    return folder


def tiny_grounding_dino(folder: Path, seed: int = 0) -> Path:
    """Write a checkpoint of ``GroundingDinoForObjectDetection`` with its processor to ``folder``."""
    import torch
    from transformers import (
        BertConfig,
        BertTokenizer,
        GroundingDinoConfig,
        GroundingDinoForObjectDetection,
        GroundingDinoImageProcessor,
        GroundingDinoProcessor,
        SwinConfig,
    )

    folder.mkdir(parents=True, exist_ok=True)
    # The model knows [CLS], [SEP], the full stop and the question mark by the ids of BERT's vocabulary.
    words = [f"[unused{number}]" for number in range(1030)]
    words[0], words[100:103], words[1012], words[1029] = "[PAD]", ["[UNK]", "[CLS]", "[SEP]"], ".", "?"
    letters = "abcdefghijklmnopqrstuvwxyz"
    words += [*GROUNDING_DINO_WORDS, *letters, *(f"##{letter}" for letter in letters)]
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(words) + "\n")
    config = GroundingDinoConfig(
        backbone_config=SwinConfig(
            image_size=64, patch_size=4, embed_dim=8, depths=[1, 1, 1, 1], num_heads=[1, 2, 2, 2], window_size=4,
            out_indices=[2, 3, 4],
        ),
        text_config=BertConfig(
            vocab_size=len(words), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16,
            max_position_embeddings=300,
        ),
        d_model=64, encoder_layers=1, decoder_layers=2, encoder_attention_heads=2, decoder_attention_heads=2,
        encoder_ffn_dim=32, decoder_ffn_dim=32, num_queries=GROUNDING_DINO_QUERIES, max_text_len=256,
        disable_custom_kernels=True,
    )  # fmt: skip
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        network = GroundingDinoForObjectDetection(config)
        with torch.no_grad():
            for weights in network.parameters():
                weights.add_(0.1 * torch.randn_like(weights))  # a fresh head gives every query one box
            # Smaller products of queries and tokens: scores all over 0..1, not at its ends.
            network.model.decoder.layer_norm.weight.mul_(0.2)
    network.save_pretrained(folder)
    processor = GroundingDinoProcessor(
        GroundingDinoImageProcessor(size={"shortest_edge": 64, "longest_edge": 128}),
        BertTokenizer(vocab=str(vocabulary), model_max_length=256),
    )
    processor.save_pretrained(folder)
    return folder


def hub_cache(folder: Path, monkeypatch: pytest.MonkeyPatch, repositories: Mapping[str, Path]) -> None:
    """Make the hub unreachable, and its cache hold copies of ``repositories`` only: folders by hub id."""
    revision = "0123456789abcdef0123456789abcdef01234567"
    for name, files in repositories.items():
        repository = folder / f"models--{name.replace('/', '--')}"
        shutil.copytree(files, repository / "snapshots" / revision)
        (repository / "refs").mkdir()
        (repository / "refs" / "main").write_text(revision)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(folder))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
