"""Pages of cases: what a person needs to see is there, and nothing on them runs or is fetched."""

import io
import re

import pytest
from PIL import Image

from evaluation.case_pages import INDEX, case_pages, log_case_pages
from lifeloom.store import MediaMissing
from lifeloom.tracking import Tracker
from tests.evaluation.examples import case, picture, prediction, turns


def png(colour="red"):
    out = io.BytesIO()
    Image.new("RGB", (512, 512), colour).save(out, format="PNG")
    return out.getvalue()


def pages(cases, predictions=(), history=None, source=lambda reference: png(), **options):
    history = turns(3, show={0: [picture(1)]}) if history is None else history
    return case_pages(cases, lambda persona: history, predictions, source, made_with="seed 7, code x", **options)


def test_a_page_shows_history_picture_question_options_and_every_policys_answer():
    one = case("c-1", query="What stood there?", turns=2)
    page = pages([one], [prediction(one, policy="full_context"), prediction(one, correct=False, policy="rag")]).pages[
        "SIR.html"
    ]

    assert "What stood there?" in page
    assert "I say 0" in page
    assert page.count("data:image/jpeg;base64,") == 1
    assert re.search(r'class="right">\(a\) mint tea', page)
    assert re.search(r"full_context</td><td>choice</td><td>a</td>\s*<td class=\"good\">right", page)
    assert re.search(r"rag</td><td>choice</td><td>b</td>\s*<td class=\"bad\">wrong", page)
    assert "seed 7, code x" in page
    assert "persona p-1" in page


def test_texts_cannot_put_anything_into_the_page():
    evil = "<script>alert(1)</script><img src=http://elsewhere/x>"
    one = case("c-1", query=evil, options=(evil, "b", "c", "d"), pair=(evil, "no"))
    page = pages([one], history=turns(1, say=lambda n: (evil, evil))).pages["SIR.html"]

    assert "<script" not in page
    assert "<img src=http" not in page
    assert page.count("&lt;script&gt;") >= 5


def test_a_picture_that_is_gone_is_named_where_it_should_be():
    def gone(reference):
        raise MediaMissing("it is not there")

    page = pages([case("c-1")], source=gone).pages["SIR.html"]
    broken = pages([case("c-1")], source=lambda reference: b"no picture").pages["SIR.html"]

    assert "picture 000000000000 cannot be shown: it is not there" in page
    assert "cannot be shown" in broken


def test_cases_that_most_policies_missed_come_first_and_what_finds_no_room_is_counted():
    cases = [case(f"c-{number}") for number in range(5)]
    given = [prediction(one, correct=one.case_id != "c-3", policy=name) for one in cases for name in ("x", "y")]
    made = pages(cases, given, per_page=2)

    assert (made.shown, made.left_out) == (2, 3)
    assert re.findall(r'<article id="(c-\d)"', made.pages["SIR.html"])[0] == "c-3"
    assert "2 of 5 cases" in made.pages["SIR.html"]


def test_the_index_compares_policies_by_task():
    cases = [case("c-1"), case("c-2"), case("c-3", task="RR")]
    given = [prediction(cases[0]), prediction(cases[1], correct=False), prediction(cases[2])]
    index = pages(cases, given).pages[INDEX]

    assert re.search(r"<td>SIR</td><td>2</td><td>0</td><td>50%</td>", index)
    assert re.search(r"<td>RR</td><td>1</td><td>0</td><td>100%</td>", index)


def test_no_cases_are_an_error():
    with pytest.raises(ValueError, match="need cases"):
        pages([])


def test_pages_are_logged_once_for_the_same_content(tmp_path):
    tracker = Tracker(tmp_path / "mlflow")
    made = []

    def make():
        made.append(1)
        return pages([case("c-1")])

    first = log_case_pages(tracker, "persona_mme", "2026-01-05", "abc", make, {})
    again = log_case_pages(tracker, "persona_mme", "2026-01-05", "abc", make, {})
    other = log_case_pages(tracker, "persona_mme", "2026-01-05", "abd", make, {})

    assert first == again != other
    assert len(made) == 2
    names = {item.path for item in tracker.client().list_artifacts(first, "cases")}
    assert names == {"cases/SIR.html", "cases/index.html"}
