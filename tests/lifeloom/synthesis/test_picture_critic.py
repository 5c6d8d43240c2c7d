"""Pictures held against their plans, by eyes that see exactly what is there."""

import hashlib

import pytest

from lifeloom.records import PictureReference
from lifeloom.streams import Streams
from lifeloom.synthesis.picture_critic import PictureCritic
from lifeloom.synthesis.picture_faults import PICTURE_FAULTS, faulty_plan, measure_picture_critic
from tests.lifeloom.synthesis.seen import PlainEyes, PlainMaker, person, portrait, scene, thing

MAKER = PlainMaker()


def judged(asked, drawn, eyes=None):
    """What the critic says of ``drawn`` when ``asked`` was wanted, with portraits of Ada, Ben and Cy."""
    files = {}

    def refer(plan):
        data = MAKER.draw(plan).data
        files[hashlib.sha256(data).hexdigest()] = data
        return PictureReference(content_hash=hashlib.sha256(data).hexdigest(), width=512, height=512)

    def source(reference):
        return files[reference.content_hash]

    critic = PictureCritic(eyes or PlainEyes())
    portraits = {name: [refer(portrait(f"of-{name}", person(name)))] for name in ("ada", "ben", "cy")}
    known = critic.faces(portraits, source)
    return [problem.kind for problem in critic.check(asked, refer(drawn), source, known)]


ASKED = scene("p-1", person("ada"), person("ben"), thing("balloon", "red", 3), thing("guitar"))


@pytest.mark.parametrize(
    ("drawn", "kinds"),
    [
        (ASKED, []),
        (scene("p-1", person("ben"), person("ada"), thing("guitar"), thing("balloon", "red", 3)), []),
        (scene("p-1", person("ada", "hair of cy"), person("ben"), *ASKED.subjects[2:]), ["wrong_person"]),
        (scene("p-1", person("ada"), *ASKED.subjects[2:]), ["missing_person"]),
        (scene("p-1", person("cy"), *ASKED.subjects), ["extra_person"]),
        (scene("p-1", *ASKED.subjects[:3]), ["missing_object"]),
        (scene("p-1", *ASKED.subjects[:2], thing("balloon", "red", 2), thing("guitar")), ["wrong_count"]),
        (scene("p-1", *ASKED.subjects[:2], thing("balloon", "blue", 3), thing("guitar")), ["wrong_colour"]),
        (scene("p-1", *ASKED.subjects, place="beach"), ["wrong_place"]),
    ],
)
def test_every_kind_of_difference_is_named_and_nothing_else(drawn, kinds):
    assert judged(ASKED, drawn) == kinds


def test_a_picture_that_fails_most_demands_is_taken_for_another_ones():
    other = scene("p-2", person("cy"), thing("kite", "blue"), place="beach")

    assert judged(ASKED, other)[0] == "caption_of_another_picture"


def test_people_without_a_portrait_are_only_counted():
    asked = scene("p-1", person("dee"))

    assert judged(asked, scene("p-1", person("dee", "somebody else's hair"))) == []
    assert judged(asked, scene("p-1")) == ["missing_person"]


def plans(count=40):
    names = ("ada", "ben", "cy", "dee")
    return [
        scene(
            f"p-{number}",
            person(names[number % 4]),
            thing("balloon", ("red", "blue")[number % 2], 2 + number % 2),
            thing(("guitar", "drum", "clock")[number % 3]),
            place=("park", "beach")[number % 2],
            seed=number,
        )
        for number in range(count)
    ]


def test_eyes_that_see_everything_find_every_injected_fault_and_doubt_no_good_picture():
    quality = measure_picture_critic(plans(), maker=MAKER, eyes=PlainEyes(), streams=Streams(7), most=30)

    assert (quality.good, quality.good_doubted) == (30, 0)
    assert [(fault.kind, fault.injected, fault.doubted) for fault in quality.faults] == [
        (kind, 30, 30) for kind in PICTURE_FAULTS
    ]
    assert quality.precision == quality.recall == 1.0


def test_faults_that_the_eyes_cannot_see_lower_recall_and_misled_eyes_lower_precision():
    blind = measure_picture_critic(
        plans(), maker=MAKER, eyes=PlainEyes(blind_for_colours=True), streams=Streams(7), most=30
    )
    misled = measure_picture_critic(
        plans(), maker=MAKER, eyes=PlainEyes(mislead=frozenset(range(0, 40, 2))), streams=Streams(7), most=40
    )

    assert blind.good_doubted == 30  # every colour looks wrong to them
    assert misled.good_doubted == 20
    assert misled.precision == pytest.approx(200 / 220)


def test_a_fault_is_only_put_in_where_the_plan_gives_occasion():
    bare = scene("p-1", thing("guitar"))

    for kind in ("wrong_person", "missing_object", "wrong_colour", "wrong_count"):
        assert faulty_plan(kind, bare, [bare], {}, Streams(1).rng("x")) is None
    assert faulty_plan("caption_of_another_picture", bare, [bare], {}, Streams(1).rng("x")) is None


def test_the_report_tells_recall_by_kind_and_precision():
    text = measure_picture_critic(plans(), maker=MAKER, eyes=PlainEyes(), streams=Streams(7), most=5).to_markdown()

    assert "| wrong person | 5 | 100.0% | 100.0% |" in text
    assert "precision 100.0%, recall 100.0%" in text
