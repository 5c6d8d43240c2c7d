"""Case pages: what a person needs is there, hostile text is only text, and they stay small."""

from __future__ import annotations

import io
import os

from PIL import Image

from evaluation.life_bench import LifeTrace
from evaluation.life_bench.case_pages import life_case_pages
from lifeloom.lifegraph.trace import RetrievalTrace
from lifeloom.records import BY_CODE, EventStory
from lifeloom.store import MediaMissing
from tests.evaluation.life_bench.asked import life, prediction, question

EVIL = "<script>alert(1)</script>"


def png(data=None, side=120):
    out = io.BytesIO()
    image = Image.new("RGB", (side, side), "red") if data is None else Image.frombytes("RGB", (side, side), data)
    image.save(out, format="PNG")
    return out.getvalue()


RED = png()


def pages(questions, predictions, traces=(), lives=None, source=lambda reference: RED, **more):
    return dict(life_case_pages(questions, predictions, traces, lives or {"ana": life()}, source, **more))


def test_a_page_shows_question_answers_reasons_sources_trace_event_and_where_to_go_on():
    asked = question("q", event_ids=("ana-e-1",), reference_ids=("ana-e-1", "ana-c-ana"))
    given = {
        "rap-k3": [prediction("q", right=False, answer="cooking", reason="another activity")],
        "lifegraph-d2-k3": [
            prediction("q", right=True, policy="lifegraph-d2-k3", answer="fishing", retrieved_ids=("ana-e-2-0",))
        ],
    }
    trace = RetrievalTrace(question="q", depth=2, width=3).model_dump_json()
    traces = [LifeTrace(question_id="q", policy="lifegraph-d2-k3", policy_fingerprint="f", trace=trace)]
    story = EventStory(
        event_id="ana-e-1", vaccount_id="ana", narrative="A long day", description="x", captions=(), made_by=BY_CODE
    )

    made = pages([asked], given, traces, stories={"ana-e-1": story}, seeds={"ana-e-1": "event-7 caption-3"})

    assert list(made) == ["index", "scene_and_activity"]
    page = made["scene_and_activity"]
    for text in (
        "What about q?",
        "fishing",
        "cooking",
        "another activity",
        "Depth limit 2, width 3",
        "2020-01-02: event 1",
        "A long day",
        "ana-e-2-0",
        "ana-c-ana",
        "lifeloom show question q",
        "lifeloom show life ana",
        "release/life_bench/r",
        "release/histories/r",
        "event-7 caption-3",
    ):
        assert text in page, text
    assert page.count("data:image/jpeg") == 3  # one looked up, two of the event
    assert "50%" not in made["index"]
    assert "100%" in made["index"]


def test_right_options_are_marked_and_hostile_text_is_escaped():
    asked = question("q", "concept_vqa", question=EVIL, has_picture=True)
    page = pages([asked], {"x": [prediction("q", right=False, answer=EVIL, reason=EVIL)]})["concept_vqa"]

    assert "<script" not in page
    assert page.count("&lt;script") == 3
    assert '<li class="right">(b) A blue jacket' in page
    assert "the picture is not at hand" in page


def test_a_picture_that_is_gone_is_named_and_the_page_is_made():
    def gone(reference):
        raise MediaMissing("no such file")

    asked = question("q", event_ids=("ana-e-1",))
    assert "cannot be shown" in pages([asked], {"x": [prediction("q", right=True)]}, source=gone)["scene_and_activity"]


def test_right_and_wrong_are_sampled_and_the_same_each_time():
    questions = [question(f"q{n}") for n in range(60)]
    given = {"x": [prediction(f"q{n}", right=n >= 4) for n in range(60)]}

    page = pages(questions, given, per_task=6)["scene_and_activity"]

    assert page.count('<td class="bad">wrong') == 3
    assert page.count('<td class="good">right') == 3
    assert page == pages(questions, given, per_task=6)["scene_and_activity"]


def test_all_pages_together_stay_below_ten_megabytes():
    noise = png(os.urandom(120 * 120 * 3))  # no picture is harder to pack
    big = life(events=9, pictures=24)
    ids = tuple(event.event_id for event in big.events[:3])
    shown = tuple(image.image_id for image in big.images[-24:])
    tasks = ("scene_and_activity", "direct_person_centric", "relational_temporal_reasoning")
    questions = [question(f"{task[:5]}{n}", task, event_ids=ids) for task in tasks for n in range(12)]
    given = {"x": [prediction(one.question_id, right=True, retrieved_ids=shown) for one in questions]}

    made = pages(questions, given, lives={"ana": big}, source=lambda reference: noise)

    assert 5_000_000 < sum(len(page.encode()) for page in made.values()) < 10_000_000
