"""The report of caption quality."""

from __future__ import annotations

from evaluation.caption_quality.hallucination import PopeAnswer, PopeQuestion
from evaluation.caption_quality.report import quality_report, quality_scores
from evaluation.caption_quality.rows import DescribedPicture, MmhalAnswer
from tests.evaluation.caption_quality.known import known

PICTURES = {
    "s0": known("s0", "dog", references=["A dog is in the park."]),
    "s1": known("s1", "mug", references=["A red mug is in the park."]),
}
REFERENCES = {name: one.references for name, one in PICTURES.items()}


def said(picture: str, text: str, policy: str = "plain") -> DescribedPicture:
    failure = "" if text else "bad_json"
    return DescribedPicture(picture_id=picture, shown="query pictures", policy=policy, text=text, failure=failure)


def scored(**more: object) -> list:
    described = {
        "right": [said("s0", "A dog is in the park."), said("s1", "A red mug is in the park.")],
        "seeing-cats": [said("s0", "A cat is in the park."), said("s1", "")],
        "silent": [said("s0", ""), said("s1", "")],
    }
    return quality_scores("2026-01-05", "query pictures", REFERENCES, described, samples=200, seed=1, **more)  # type: ignore[arg-type]


def test_captioners_are_scored_on_what_they_described_and_the_rest_is_counted() -> None:
    right, seeing = scored(known=PICTURES)
    assert (right.policy, right.pictures, right.missing) == ("right", 2, 0)
    assert round(right.bleu) == 100
    assert right.rouge_l == 1.0
    assert right.chair is not None
    assert (right.chair.chair_s, right.chair.chair_i, right.chair.coverage) == (0.0, 0.0, 1.0)
    assert (seeing.policy, seeing.pictures, seeing.missing) == ("seeing-cats", 2, 1)
    assert seeing.chair is not None
    assert (seeing.chair.chair_s, seeing.chair.chair_i, seeing.chair.coverage) == (1.0, 1.0, 0.0)
    assert seeing.scene_graph < right.scene_graph == 1.0


def test_without_knowledge_of_the_pictures_there_is_no_chair() -> None:
    assert [one.chair for one in scored()] == [None, None]


def test_the_report_holds_our_numbers_beside_the_papers() -> None:
    dog = PICTURES["s0"]
    pope = [
        PopeAnswer(PopeQuestion(dog, "random", "dog", there=True), True),
        PopeAnswer(PopeQuestion(dog, "random", "cat", there=False), True),
    ]
    mmhal = [
        MmhalAnswer(question_id="m0", policy="right", question_type="counting", question="?", answer="2", rating=4),
        MmhalAnswer(
            question_id="m1", policy="right", question_type="counting", question="?", answer="", failure="empty"
        ),
    ]
    page = quality_report(
        scored(known=PICTURES), pope, mmhal, reader="code/reader", judge="code/judge", samples=200, seed=1
    )
    text = page.text()
    assert "| query pictures | seeing-cats | 1 of 2 |" in text
    assert "| seeing-cats | 100.0% |" in text
    assert "scene-graph F1 (not SPICE)" in text
    assert "| random | 2 | 50.0% |" in text
    assert "popular |" not in page.tables["Is there such a thing? (POPE, code/reader, Table 6)"]
    assert "| right | 2.00 | 0.50 | none | none | none | 2.00 |" in text
    assert "| 1 of 2 |" in text
    # Tables 4, 5 and 6 as printed.
    for row in ("24.58 | 0.178 | 415.83 | 0.14 | 0.727", "0.41 | 0.42 | 4.33 | 3.5 | 3.58", "91.6 | 97.9 | 85.5"):
        assert row in text
    assert page.metrics["pope/accuracy"] == 0.5
    assert page.metrics["mmhal/right/hallucination"] == 0.5
    assert page.metrics["chair/seeing-cats/chair_s"] == 1.0


def test_a_report_of_nothing_says_so() -> None:
    page = quality_report([], [], reader="code/reader", judge="", samples=10, seed=1)
    assert "no questions" in page.text()
    assert page.metrics == {}
