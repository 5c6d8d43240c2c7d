"""History pictures by an image model on a server: drawn from the caption and the portraits of who is in it."""

import base64
import hashlib

from lifeloom.models import CallSettings, Gate, Key, Timing
from lifeloom.models.gemini import GeminiImageMaker, Portrait
from lifeloom.models.protocol import CaptionMaker
from lifeloom.records import PictureReference
from lifeloom.synthesis.vaccounts.drawing import LifeIllustrator, PictureOrder, PictureShelf
from tests.gemini_server import GeminiServer, blocked, gemini_picture
from tests.lifewords import MINA, YARA, png, shot, voter

COLOURS = ((255, 0, 0), (0, 255, 0), (0, 0, 255))


def reply(colour):
    return gemini_picture(("image/png", png(colour, 40)), usage=(30, 1290, 5))


def test_candidates_are_conditioned_on_caption_and_portraits_and_put_to_the_vote():
    faces = {hashlib.sha256(data).hexdigest(): data for data in (png((9, 9, 9)), png((200, 9, 9)))}
    yara, mina = (PictureReference(content_hash=name, width=16, height=16) for name in faces)
    order = PictureOrder(
        "yara-e-0-0",
        "yara",
        "history",
        shot("yara-e-0-0", (YARA, MINA)).picture,
        caption="Yara and Mina by the lake.",
        people=(Portrait("Yara", yara), Portrait("Mina", mina)),
    )
    shelf = PictureShelf(lambda picture: faces[picture.content_hash])
    with (
        GeminiServer(*map(reply, COLOURS)) as server,
        GeminiImageMaker(
            "gemini-image",
            base_url=server.base_url,
            key=Key("key", "GEMINI_API_KEY"),
            portraits=shelf,
            calls=CallSettings(gate=Gate(concurrency=1), timing=Timing(sleep=lambda seconds: None)),
        ) as maker,
    ):
        assert isinstance(maker, CaptionMaker)
        illustrator = LifeIllustrator(maker, lambda plans: iter(()), voter(2), shelf, candidates=3, votes=3)
        (result,) = illustrator.draw([order])
        (again,) = illustrator.draw([order])

    assert len(server.requests) == 3  # the same order again is found in the cache
    for request in server.requests:
        parts = request.json["contents"][0]["parts"][1:]
        assert [part.get("text", "").strip() for part in parts] == [
            "Portrait of Yara:",
            "",
            "Portrait of Mina:",
            "",
            "Yara and Mina by the lake.",
        ]
        sent = [base64.urlsafe_b64decode(part["inlineData"]["data"]) for part in parts if "inlineData" in part]
        assert sent == list(faces.values())
    assert result.picture is not None
    assert result.picture.picture == again.picture.picture
    assert (result.vote.chosen, len({one.content_hash for one in result.vote.candidates})) == (1, 3)
    assert (result.picture.picture.width, result.picture.picture.height) == (64, 64)
    assert result.picture.made_by.model == "gemini-image"
    assert result.picture.drawn == ()


def test_a_model_that_declines_every_candidate_leaves_the_picture_out_with_its_words():
    order = PictureOrder(
        "yara-e-0-0", "yara", "history", shot("yara-e-0-0", (YARA,)).picture, caption="Yara by the lake."
    )
    shelf = PictureShelf(lambda picture: b"")
    with (
        GeminiServer(otherwise=blocked("OTHER")) as server,
        GeminiImageMaker(
            "gemini-image",
            base_url=server.base_url,
            key=Key("key", "GEMINI_API_KEY"),
            calls=CallSettings(gate=Gate(concurrency=1), timing=Timing(sleep=lambda seconds: None)),
        ) as maker,
    ):
        (result,) = LifeIllustrator(maker, lambda plans: iter(()), voter(1), shelf, candidates=2).draw([order])
    assert len(server.requests) == 4
    assert result.rejection is not None
    assert (result.rejection.reason, result.picture) == ("picture_not_drawn", None)
    assert "declines" in result.rejection.detail
