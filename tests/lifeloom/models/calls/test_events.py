"""Server-sent events, whole and in pieces."""

from __future__ import annotations

import pytest

from lifeloom.models.calls.events import EventReader


def read(*chunks: bytes) -> list[str]:
    reader = EventReader()
    return [*(data for chunk in chunks for data in reader.feed(chunk)), *reader.end()]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_events_are_the_same_however_their_bytes_are_cut(end: bytes) -> None:
    lines = [b"\xef\xbb\xbfdata: one", b"", b": a comment", b"event: message", b"id: 7", b"data: two \xe8\x9c\x82"]
    lines += [b"data:  and more", b"", b"", b"data:", b"", b"data: three", b""]
    stream = end.join(lines) + end
    expected = ["one", "two 蜂\n and more", "", "three"]
    assert read(stream) == expected
    assert read(*(stream[at : at + 1] for at in range(len(stream)))) == expected
    for cut in range(len(stream)):
        assert read(stream[:cut], stream[cut:]) == expected


def test_an_event_is_given_as_soon_as_it_is_complete() -> None:
    reader = EventReader()
    assert reader.feed(b"data: one\n") == []
    assert reader.feed(b"\ndata: tw") == ["one"]
    assert reader.feed(b"o\n\n") == ["two"]
    assert reader.end() == []


def test_the_end_completes_an_event_and_bytes_that_are_no_text_are_marked() -> None:
    assert read(b"data: on\xffe") == ["on\ufffde"]
    assert read() == read(b"") == read(b"\n\n\n") == []
