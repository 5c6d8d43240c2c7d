"""Pictures named in what a person types."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from PIL import Image

from lifeloom.store.pictures import PictureRejected
from orchestration.chat_pictures import Message, message_with_pictures, names_file, picture_command


@pytest.fixture
def picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """One picture under three names, in the current folder."""
    monkeypatch.chdir(tmp_path)
    buffer = io.BytesIO()
    Image.new("RGB", (64, 64), "teal").save(buffer, "PNG")
    for name in ("cup.png", "my cup.png", "it's.PNG"):
        (tmp_path / name).write_bytes(buffer.getvalue())
    (tmp_path / "link.png").symlink_to(tmp_path / "cup.png")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("line", "text", "count"),
    [
        ("This is my cup.png", "This is my <img>", 1),
        ("Look at cup.png, then at ./cup.png!", "Look at <img>, then at <img>!", 2),
        ('Here: "my cup.png" is it', "Here: <img> is it", 1),
        ("Here: 'my cup.png'.", "Here: <img>.", 1),
        (r"Here: my\ cup.png", "Here: <img>", 1),
        ("it's Tom's link.png isn't it", "it's Tom's <img> isn't it", 1),
        ("it's.PNG", "<img>", 1),
        ("no picture at all", "no picture at all", 0),
        ("an <img> or <IMG> that was typed", "an < img > or < img > that was typed", 0),
        ("<img> cup.png", "< img > <img>", 1),
    ],
)
def test_a_picture_stands_where_its_file_was_named(picture: bytes, line: str, text: str, count: int) -> None:
    assert message_with_pictures(line) == Message(text, (picture,) * count)


@pytest.mark.parametrize("name", ["gone.png", "~nobody-here/x.jpg", "x" * 5_000 + ".png", "a\0b.png"])
def test_a_picture_that_is_not_there_stays_in_the_words_and_is_named(picture: bytes, name: str) -> None:
    message = message_with_pictures(f"see {name} now")
    assert (message.text, message.pictures, message.missing) == (f"see {name} now", (), (name,))
    assert not names_file(name)


def test_other_files_are_not_sent(picture: bytes, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("do not send")
    assert message_with_pictures("see secret.txt") == Message("see secret.txt")
    with pytest.raises(PictureRejected):
        picture_command("secret.txt")


@pytest.mark.parametrize(
    ("rest", "text"),
    [
        ("cup.png", "<img>"),
        ("my cup.png", "<img>"),
        ("it's.PNG", "<img>"),
        ("'my cup.png' Who made <img> this?", "Who made < img > this? <img>"),
        ("cup.png What is it?", "What is it? <img>"),
    ],
)
def test_the_command_takes_a_file_and_words(picture: bytes, rest: str, text: str) -> None:
    assert picture_command(rest) == Message(text, (picture,))


def test_a_file_without_an_extension_is_known_by_its_content(picture: bytes, tmp_path: Path) -> None:
    (tmp_path / "3f2a").write_bytes(picture)
    (tmp_path / "LICENSE").write_text("do what you like")
    assert picture_command("3f2a What is it?") == Message("What is it? <img>", (picture,))
    assert message_with_pictures("look: ./3f2a.") == Message("look: <img>.", (picture,))
    assert message_with_pictures("3f2a is a word") == Message("3f2a is a word")
    with pytest.raises(PictureRejected, match="not PNG"):
        picture_command("LICENSE")


def test_a_path_in_a_message_that_is_no_picture_is_named_and_nothing_of_it_is_sent(
    picture: bytes, tmp_path: Path
) -> None:
    (tmp_path / "secret.txt").write_text("do not send")
    (tmp_path / "empty").touch()
    os.mkfifo(tmp_path / "pipe")
    line = "./secret.txt and/or ./empty ./pipe ./gone"
    assert message_with_pictures(line) == Message(line, others=("./secret.txt", "./empty"))


def test_a_wrong_extension_is_refused_whatever_the_content(picture: bytes, tmp_path: Path) -> None:
    (tmp_path / "cup.jpg").write_bytes(picture)
    (tmp_path / "cup.txt").write_bytes(picture)
    for refused in (message_with_pictures, picture_command):
        with pytest.raises(PictureRejected, match="is named as JPEG but is PNG"):
            refused("./cup.jpg")
    with pytest.raises(PictureRejected, match="not named as"):
        picture_command("cup.txt")
    assert message_with_pictures("./cup.txt").others == ("./cup.txt",)


def test_the_command_without_a_file_says_nothing(picture: bytes) -> None:
    assert picture_command("") is None
    with pytest.raises(PictureRejected, match=r"gone\.png"):
        picture_command("gone.png it's")
