"""Pictures of questions against the history: copies are found, other scenes of the same people are not."""

import hashlib
import io
import random

import pytest
from PIL import Image

from lifeloom.models.builtin.painter import BuiltinPainter
from lifeloom.records import BY_CODE, DrawnLifePicture, PictureReference
from lifeloom.store.pictures import PictureRejected
from lifeloom.synthesis.vaccounts.similarity import PictureIndex, question_problems
from tests.lives import life_plan


@pytest.fixture(scope="module")
def scenes():
    plan = life_plan(seed=3)
    painter = BuiltinPainter()
    return [(shot.picture, painter.draw(shot.picture).data) for shot in plan.events[0].shots[:3]]


def refer(data):
    return PictureReference(content_hash=hashlib.sha256(data).hexdigest(), width=512, height=512)


def saved(image, form="PNG", **options):
    out = io.BytesIO()
    image.convert("RGB").save(out, form, **options)
    return out.getvalue()


COPIES = {
    "as jpeg": lambda image: saved(image, "JPEG", quality=40),
    "half as large": lambda image: saved(image.resize((256, 256))),
    "packed anew": lambda image: saved(image, "PNG", compress_level=1),
    "cropped a little": lambda image: saved(image.crop((5, 5, 507, 507))),
    "brighter": lambda image: saved(image.point(lambda value: min(255, int(value * 1.1)))),
}


@pytest.mark.parametrize("copy", COPIES)
def test_a_copy_is_found_again(scenes, copy):
    index = PictureIndex()
    for number, (_, data) in enumerate(scenes):
        index.add(f"scene {number}", refer(data), data)
    for number, (_, data) in enumerate(scenes):
        other = COPIES[copy](Image.open(io.BytesIO(data)))
        assert f"scene {number}" in index.like(refer(other), other)


def test_the_same_file_is_told_as_such(scenes):
    index = PictureIndex()
    index.add("scene", refer(scenes[0][1]), scenes[0][1])
    assert index.like(refer(scenes[0][1]), scenes[0][1]) == "the same file as scene"


def test_other_pictures_of_the_same_event_are_new(scenes):
    index = PictureIndex()
    for name, (_, data) in zip("abc", scenes, strict=False):
        assert index.like(refer(data), data) == ""
        index.add(name, refer(data), data)


def test_an_index_grows_and_finds_the_first_and_the_last():
    index = PictureIndex()
    files = [saved(Image.frombytes("RGB", (16, 16), random.Random(seed).randbytes(768))) for seed in range(130)]
    for number, data in enumerate(files):
        index.add(str(number), refer(data), data)
    assert index.like(refer(files[0]), files[0]) == "the same file as 0"
    assert index.like(refer(files[-1]), files[-1]) == "the same file as 129"


def test_a_file_that_is_no_picture_is_refused():
    with pytest.raises(PictureRejected):
        PictureIndex().add("x", refer(b"no picture"), b"no picture")


def drawn(image_id, use, plan, data, vaccount="yara"):
    return DrawnLifePicture(
        image_id=image_id, vaccount_id=vaccount, use=use, picture=refer(data), plan=plan, drawn=(), made_by=BY_CODE
    )


def test_a_question_s_picture_in_its_own_history_is_told_by_file_by_look_and_by_plan(scenes):
    (plan, data), (other_plan, other), (third_plan, third) = scenes
    jpeg = COPIES["as jpeg"](Image.open(io.BytesIO(data)))
    rows = [
        drawn("s-0", "question", third_plan, data),
        drawn("s-1", "question", third_plan, jpeg),
        drawn("s-2", "question", other_plan.model_copy(update={"seed": 99}), third),
        drawn("s-3", "question", third_plan, third),
        drawn("e-0", "history", plan, data),
        drawn("e-1", "history", other_plan, other),
        drawn("p-0", "portrait", third_plan, third),
    ]
    contents = [data, jpeg, third, third, data, other, third]
    files = {row.picture.content_hash: content for row, content in zip(rows, contents, strict=True)}
    problems = question_problems(rows, lambda picture: files[picture.content_hash])
    assert [problem.split(" is in the history: ")[0] for problem in problems] == ["s-0", "s-1", "s-2"]
    assert "the same file as e-0" in problems[0]
    assert "looks like e-0" in problems[1]
    assert "planned like e-1" in problems[2]


def test_another_life_s_history_does_not_count(scenes):
    (plan, data), *_ = scenes
    rows = [drawn("s-0", "question", plan, data), drawn("e-0", "history", plan, data, vaccount="ana")]
    assert question_problems(rows, lambda picture: data) == []
