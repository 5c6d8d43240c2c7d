"""Reference metrics against calculations by hand."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from evaluation.caption_quality.references import METEOR_EXACT, METEOR_WORDNET, score_references, words_of


def test_bleu_is_the_geometric_mean_of_the_four_precisions() -> None:
    # 5 of 6 words, 3 of 5 pairs, 2 of 4 triples, 1 of 3 quadruples; as long as its reference.
    scores = score_references(["the cat sat on the mat"], [["the cat sat on a mat"]])
    assert scores.bleu == pytest.approx(100 * (5 / 6 * 3 / 5 * 2 / 4 * 1 / 3) ** 0.25)


def test_bleu_pools_all_captions_and_their_references() -> None:
    # The second caption has 4 words, all right: 9 of 10, 6 of 8, 4 of 6, 2 of 4. Its second reference changes nothing.
    scores = score_references(
        ["the cat sat on the mat", "a dog runs home"],
        [["the cat sat on a mat"], ["a dog runs home", "some rabbit hides there"]],
    )
    assert scores.bleu == pytest.approx(100 * (9 / 10 * 6 / 8 * 4 / 6 * 2 / 4) ** 0.25)
    assert scores.captions == 2


def test_bleu_punishes_captions_that_are_too_short() -> None:
    # All n-grams are right, but 4 words stand for 5: e^(1 - 5/4).
    scores = score_references(["a dog runs home"], [["a dog runs home today"]])
    assert scores.bleu == pytest.approx(100 * 2.718281828 ** (1 - 5 / 4))


def test_rouge_l_is_the_f1_of_the_longest_common_subsequence_with_the_best_reference() -> None:
    # the cat sat on mat: 5 of 6 words either way.
    scores = score_references(["the cat sat on the mat"], [["no such thing", "the cat sat on a mat"]])
    assert scores.rouge_l == pytest.approx(5 / 6)
    # Stems count: "dogs run" of 2 and 3 words, 2 shared: P = 1, R = 2/3.
    assert score_references(["dogs run"], [["a dog runs"]]).rouge_l == pytest.approx(2 * 1 * (2 / 3) / (1 + 2 / 3))


def test_meteor_weighs_recall_and_punishes_breaks() -> None:
    # 5 of 6 words match, in 2 chunks: F = 5/6, less 0.5 * (2/5)^3 of it.
    scores = score_references(["one dog hides under that tree"], [["one dog hides near that tree"]])
    assert scores.meteor == pytest.approx(5 / 6 * (1 - 0.5 * (2 / 5) ** 3))


def test_meteor_matches_stems() -> None:
    # Both match, in one chunk of two.
    assert score_references(["dogs running"], [["dog runs"]]).meteor == pytest.approx(1 - 0.5 * (1 / 2) ** 3)


def test_meteor_says_what_it_matches() -> None:
    assert score_references(["a dog"], [["a dog"]]).meteor_kind in (METEOR_EXACT, METEOR_WORDNET)
    assert words_of("A dog, a cat.") == ["a", "dog", ",", "a", "cat", "."]


@pytest.mark.parametrize(
    ("captions", "references"), [([], []), (["a"], []), (["a"], [[]]), (["a", "b"], [["a"], ["b"], ["c"]])]
)
def test_captions_without_references_are_refused(captions: list[str], references: list[list[str]]) -> None:
    with pytest.raises(ValueError, match="at least one reference for each"):
        score_references(captions, references)


def test_who_redirects_standard_error_while_scoring_keeps_the_file(tmp_path: Path) -> None:
    # A process of its own: what a library keeps of standard error, it keeps from its first import.
    program = f"""
import contextlib, logging.config
from evaluation.caption_quality.references import score_references

with open({str(tmp_path / "told.txt")!r}, "w") as told:
    with contextlib.redirect_stderr(told):
        score_references(["a dog runs home"], [["a dog runs home"]])
    logging.config.dictConfig({{"version": 1}})  # closes all handlers
    told.write("still open")
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=300)
    assert (tmp_path / "told.txt").read_text().endswith("still open")
