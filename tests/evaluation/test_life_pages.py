"""Pages of lives: what a person needs to see is there, and nothing on them runs or is fetched."""

from __future__ import annotations

import io
import itertools
import re
from html.parser import HTMLParser

import pytest
from PIL import Image

from evaluation.life_pages import life_page, life_pages_address, log_life_pages
from lifeloom.models.builtin.painter import BuiltinPainter
from lifeloom.records import BY_CODE, EventStory, Life
from lifeloom.store import MediaMissing
from lifeloom.synthesis.vaccounts.shape import LifeShape
from lifeloom.tracking import Tracker
from tests.lives import life_plan, made, relative, vaccount_seed

PLAN = life_plan(vaccount_seed(relative("Bo", "brother", 38), relative("Moss", "dog", 4, "animal")))
LIFE = Life.of("ana", *made(PLAN))
EVIL = "<script>alert(1)</script><img src=http://elsewhere/x>\"'"
VOID = {"meta", "img", "line", "circle", "rect", "image", "br"}


def png(colour="red", side=512):
    out = io.BytesIO()
    Image.new("RGB", (side, side), colour).save(out, format="PNG")
    return out.getvalue()


RED = png()


def page(life=LIFE, source=lambda reference: RED, **options):
    return life_page(life, source, made_with="seed 7, code x", **options)


def stories(plan=PLAN, say="We went out early"):
    return {
        event.event_id: EventStory(
            event_id=event.event_id,
            vaccount_id=plan.vaccount_id,
            narrative=say,
            description="x",
            captions=tuple(f"{say}, picture {number}" for number in range(len(event.shots))),
            made_by=BY_CODE,
        )
        for event in plan.events
    }


class Reader(HTMLParser):
    """Keeps ids, links and addresses, and whether every element is closed where it should be."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.addresses, self.tags = [], [], [], [], set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        given = dict(attrs)
        if tag not in VOID:
            self.open.append(tag)
        self.ids += [given["id"]] if "id" in given else []
        for name in ("href", "src"):
            if name in given:
                (self.links if given[name].startswith("#") else self.addresses).append(given[name])
        assert not [name for name in given if name.startswith("on")]

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag


def read(html):
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


@pytest.mark.parametrize("plan", [PLAN, None])
def test_a_page_is_whole_its_links_lead_somewhere_and_nothing_is_fetched_or_runs(plan):
    reader = read(page(plan=plan, stories=stories()))
    assert len(set(reader.ids)) == len(reader.ids)
    assert {link[1:] for link in reader.links} <= set(reader.ids)
    assert {one.event_id for one in LIFE.events} <= {link[1:] for link in reader.links}
    assert all(address.startswith("data:image/jpeg;base64,") for address in reader.addresses)
    assert not reader.tags & {"script", "iframe", "link", "object", "form"}


def test_a_page_shows_everybody_and_every_event_with_its_pictures():
    html = page(plan=PLAN, stories=stories(), life_story="Ana grew up by the sea.")
    assert "Ana grew up by the sea." in html
    assert "3 concepts" in html
    assert f"{len(LIFE.events)} events" in html
    # Portraits stand in the tree and beside the persona.
    assert html.count("data:image/jpeg;base64,") == 24 + 2 * 3
    for concept in LIFE.concepts:
        assert concept.persona in html
    for event in PLAN.events:
        assert f"What a day of {event.activity}" in html
    assert html.count("We went out early, picture") == 2 * 24  # as a caption and for those who do not see
    assert "seed 7, code x" in html


def test_with_the_plan_a_page_says_who_is_where():
    event = next(one for one in PLAN.events if one.named and len(one.named) < len(one.attendees))
    html = page(plan=PLAN)
    article = html.split(f'id="{event.event_id}"')[1].split("</article>")[0]
    names = {one.concept_id: one.name for one in PLAN.concepts}
    said = ", ".join(names[one] for one in event.named)
    assert f"<dt>said to be there</dt><dd>{said}</dd>" in article
    for shot in event.shots:
        shown = ", ".join(names[one] for one in shot.who)
        figure = article.split(f'id="{shot.image_id}"')[1].split("</figure>")[0]
        assert f"<b>{shown}</b>" in figure
    attended = sum("ana-c-bo" in one.attendees for one in PLAN.events)
    person = html.split('id="ana-c-bo"')[1].split("</dl>")[0]
    assert f"<dt>events</dt><dd>{attended}</dd>" in person
    timeline = html.split("who was where when")[1].split("</svg>")[0]
    assert timeline.count("<title>") == sum(len(one.attendees) for one in PLAN.events)


def test_without_plan_and_stories_a_page_shows_what_everybody_may_know():
    html = page()
    assert "<dt>" not in html
    assert html.count("data:image/jpeg;base64,") == 24 + 2 * 3
    assert html.split("who was where when")[1].split("</svg>")[0].count("<title>") == len(LIFE.events)


def test_texts_cannot_put_anything_into_the_page():
    concepts = [one.model_copy(update={"name": EVIL, "persona": EVIL, "role": EVIL}) for one in LIFE.concepts]
    images = [one.model_copy(update={"event_description": EVIL}) for one in LIFE.images]
    html = page(Life.of("ana", concepts, images), plan=PLAN, stories=stories(say=EVIL), life_story=EVIL)
    reader = read(html)
    assert "script" not in reader.tags
    assert all(address.startswith("data:image/jpeg;base64,") for address in reader.addresses)
    assert html.count("&lt;script&gt;") > 24


def test_pictures_that_are_gone_broken_or_not_at_hand_are_named_where_they_should_be():
    def gone(reference):
        raise MediaMissing("it is not there")

    assert page(source=gone).count("cannot be shown: it is not there") == 24 + 3
    assert "cannot be shown" in page(source=lambda reference: b"no picture")
    bare = Life.of(
        "ana",
        [one.model_copy(update={"portrait": None}) for one in LIFE.concepts],
        [one.model_copy(update={"picture": None}) for one in LIFE.images],
    )
    html = page(bare)
    assert html.count("the picture is not at hand") == 24
    assert html.count("no portrait") == 3
    read(html)


def test_pictures_that_were_planned_and_left_out_are_counted_and_do_not_shift_captions():
    first = PLAN.events[0].shots[0].image_id
    life = Life.of("ana", LIFE.concepts, LIFE.images[1:])
    html = page(life, plan=PLAN, stories=stories(), left_out={first: "no candidate good enough"})
    assert f"{first}: no candidate good enough" in html
    assert f"{first}: no picture left" in page(life, plan=PLAN, left_out={PLAN.events[0].event_id: "no picture left"})
    assert "1 pictures were planned and left out" in html
    assert first in html
    assert "We went out early, picture 0" not in html.split('id="ana-e-0"')[1].split("</article>")[0]


def test_a_life_of_nobody_a_life_of_one_event_and_two_of_one_name_have_pages():
    html = page(Life("ana", (), ()))
    assert "There are no concepts." in html
    assert "There are no events." in html
    single = life_plan(vaccount_seed(), LifeShape(pictures=1, question_pictures=0))
    read(page(Life.of("ana", *made(single)), plan=single))
    twins = life_plan(vaccount_seed(relative("Bo", "brother", 38), relative("Bo", "uncle", 60)))
    assert page(Life.of("ana", *made(twins)), plan=twins).count("<h3>Bo</h3>") == 2
    read(html)


def test_a_page_of_250_pictures_is_under_three_megabytes():
    plan = life_plan(shape=LifeShape())
    painter = BuiltinPainter()
    files = [painter.draw(shot.picture).data for event in plan.events[:3] for shot in event.shots]
    turn = itertools.cycle(files)
    html = page(Life.of(plan.vaccount_id, *made(plan)), lambda reference: next(turn), plan=plan, stories=stories(plan))
    assert html.count("<figure") == 250
    assert 500_000 < len(html.encode()) < 3_000_000


def test_of_a_very_long_life_only_the_first_pictures_of_an_event_are_shown_and_the_others_counted():
    plan = life_plan(shape=LifeShape(pictures=1500, question_pictures=0))
    small = png("blue", 64)
    html = page(Life.of(plan.vaccount_id, *made(plan)), lambda reference: small, plan=plan)
    shown = html.count("<figure")
    assert 900 < shown <= 1200
    assert shown + sum(map(int, re.findall(r"(\d+) more pictures of it", html))) == 1500


def test_pages_are_logged_once_for_the_same_content(tmp_path):
    tracker = Tracker(tmp_path / "mlflow")
    calls = []

    def make():
        calls.append(1)
        yield "ana", "<p>ana</p>"
        yield "bo", "<p>bo</p>"

    first = log_life_pages(tracker, "vaccounts", "2026-01-05", "abc", make, {})
    again = log_life_pages(tracker, "vaccounts", "2026-01-05", "abc", make, {})
    other = log_life_pages(tracker, "vaccounts", "2026-01-05", "abd", make, {})

    assert first == again != other
    assert len(calls) == 2
    names = {item.path for item in tracker.client().list_artifacts(first, "lives")}
    assert names == {"lives/ana.html", "lives/bo.html"}
    assert life_pages_address(tracker, first, "http://here", "ana").endswith("/artifacts/lives/ana.html")
