"""Synonyms from WordNet's database files, as Debian has them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.caption_quality import references, wordnet
from evaluation.caption_quality.references import METEOR_WORDNET, score_references
from evaluation.caption_quality.wordnet import WordNetFiles

LICENCE = "  1 This software and database is being provided to you, the LICENSEE, by  \n"


def write(folder: Path, synsets: dict[str, list[tuple[str, ...]]], exceptions: str = "") -> Path:
    """Write a database in the format of WordNet 3.0 (wndb(5WN))."""
    for part, letter in (("noun", "n"), ("verb", "v"), ("adj", "a"), ("adv", "r")):
        data, index = LICENCE, dict[str, list[str]]()
        for words in synsets.get(part, []):
            offset = f"{len(data):08d}"
            told = " ".join(f"{word} 0" for word in words)
            data += f'{offset} 06 {letter} {len(words):02x} {told} 000 | a gloss; with "a dog"  \n'
            for word in words:
                index.setdefault(word.split("(")[0].lower(), []).append(offset)
        lines = [
            f"{word} {letter} {len(offsets)} 1 @ {len(offsets)} 0 {' '.join(offsets)}  \n"
            for word, offsets in sorted(index.items())
        ]
        (folder / f"data.{part}").write_text(data)
        (folder / f"index.{part}").write_text(LICENCE + "".join(lines))
        (folder / f"{part}.exc").write_text(exceptions if part == "noun" else "")
    return folder


NOUNS = [("car", "auto", "automobile"), ("car", "railway_car"), ("mouse",), ("bus",), ("box",)]


def names(files: WordNetFiles, word: str) -> list[list[str]]:
    return [[lemma.name() for lemma in synset.lemmas()] for synset in files.synsets(word)]


def test_a_word_has_the_words_of_all_its_meanings(tmp_path: Path) -> None:
    files = WordNetFiles(write(tmp_path, {"noun": NOUNS, "adj": [("galore(ip)", "abounding")]}))
    assert names(files, "car") == [["car", "auto", "automobile"], ["car", "railway_car"]]
    assert names(files, "galore") == [["galore", "abounding"]]
    assert names(files, "ca") == names(files, "zebra") == names(files, "") == []


@pytest.mark.parametrize(
    ("word", "found"), [("cars", "car"), ("mice", "mouse"), ("boxes", "box"), ("buses", "bus"), ("Autos", "auto")]
)
def test_inflected_words_are_found_by_their_base_form(tmp_path: Path, word: str, found: str) -> None:
    files = WordNetFiles(write(tmp_path, {"noun": NOUNS}, exceptions="mice mouse\n"))
    assert any(found in words for words in names(files, word))


def test_a_word_may_be_noun_and_verb(tmp_path: Path) -> None:
    files = WordNetFiles(write(tmp_path, {"noun": [("walk", "stroll")], "verb": [("walk", "go")]}))
    assert names(files, "walking") == [["walk", "go"]]
    assert names(files, "walks") == [["walk", "stroll"], ["walk", "go"]]


def test_a_database_that_is_not_whole_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, {"noun": NOUNS})
    (tmp_path / "index.adv").write_text("")
    with pytest.raises(OSError, match="is not whole"):
        WordNetFiles(tmp_path)


@pytest.fixture
def debian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A system with Debian's package and without NLTK's data."""
    monkeypatch.setattr(wordnet, "DEBIAN_FOLDER", tmp_path)
    monkeypatch.setattr("nltk.data.path", [])
    references._meteor.cache_clear()
    yield tmp_path
    references._meteor.cache_clear()


def test_meteor_matches_synonyms_where_wordnet_is_and_says_so(debian: Path) -> None:
    write(debian, {"noun": NOUNS})
    scores = score_references(["one red car"], [["one red auto"]])
    # Three of three in one chunk.
    assert scores.meteor == pytest.approx(1 - 0.5 * (1 / 3) ** 3)
    assert scores.meteor_kind == METEOR_WORDNET


def test_without_wordnet_synonyms_do_not_match_and_nothing_is_downloaded(debian: Path) -> None:
    scores = score_references(["one red car"], [["one red auto"]])
    # Two of three in one chunk.
    assert scores.meteor == pytest.approx(2 / 3 * (1 - 0.5 * (1 / 2) ** 3))
    assert scores.meteor_kind == "exact and stem (no WordNet here)"
