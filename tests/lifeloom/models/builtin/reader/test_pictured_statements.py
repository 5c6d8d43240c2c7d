"""Statements that pictures make: what is mine now, what is over, what is somebody else's, in what order."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from lifeloom.models.builtin.reader.pointing import pointing
from tests.lifeloom.models.builtin.reader.test_visual import Row, best, scores

PEOPLE: tuple[Row, ...] = (
    ("This is Priya, my sister. <img>", "Priya"),
    ("Meet my friend Tom: <img>", "Tom"),
    ("And that's my cousin Mei. <img>", "Mei"),
    "Could you shorten this sentence for a leaflet? The hall opens at nine.",
)
ALBUM: tuple[Row, ...] = (
    ("Here's one from our street party. <img>", "Priya; drum, blue kite; street"),
    ("And a picture from the day of the storm. <img>", "Tom, Mei; bicycle, red umbrella; harbour"),
)
THINGS = ["To get a bicycle", "To get a guitar", "To get a drum", "To get a phone"]
COLOURS = ["the green one", "the red one", "the blue one", "the pink one"]
PLACES = ["going to the beach", "going to the library", "going to the gym", "going to the market"]

STATEMENTS: dict[str, tuple[str, Sequence[str], Sequence[Row], str]] = {
    "what I keep coming back to": (
        "What am I going to treat myself to?", THINGS,
        [
            ("For my next treat I keep coming back to this one. <img>", "; bicycle; street"),
            ("My friend Tom can talk of nothing else; here is Tom's next treat. <img>", "; guitar"),
            ("I was set on this one for my next treat, then I let it go. <img>", "; drum"),
        ],
        "To get a bicycle",
    ),
    "a change of mind": (
        "What am I going to treat myself to?", THINGS,
        [
            ("For my next treat I keep coming back to this one. <img>", "; bicycle; street"),
            ("I used to dream of something else, but now my next treat is this one. <img>", "; telephone; office"),
            ("I nearly chose this as my next treat and thought better of it. <img>", "; drum"),
        ],
        "To get a phone",
    ),
    "a slip put right": (
        "What am I going to treat myself to?", THINGS,
        [
            ("There it is, my next treat. <img>", "; guitar; park"),
            ("Sorry, wrong picture for my next treat, this is the right one. <img>", "; bicycle; park"),
        ],
        "To get a bicycle",
    ),
    "a colour shown by what I choose": (
        "They knit scarves in any colour. Which should I order?", COLOURS,
        [
            ("Another find for my wardrobe, and I didn't have to think. <img>", "; green scarf; street"),
            ("Tom always goes for this, as far as his wardrobe is concerned. <img>", "; red hat"),
            ("I've gone off this in my wardrobe. <img>", "; blue mug"),
        ],
        "the green one",
    ),
    "a place shown time by time": (
        "What do I usually do on a free Sunday?", PLACES,
        [
            ("Another free Sunday, and this is where I ended up. <img>", ";;beach"),
            ("A free Sunday again, so here I am as ever. <img>", "Mei;;beach, sunset"),
            ("Tom spends his free Sunday here. <img>", ";;library"),
            ("I used to come here every free Sunday, not any more. <img>", ";;gym"),
        ],
        "going to the beach",
    ),
    "a mark before the words": (
        "What do I usually do on a free Sunday?", PLACES,
        [
            ("Good evening! <img> That's my free Sunday as it always is.", ";;market"),
            ("Hello. <img> No, you won't find me here on a free Sunday.", ";;gym"),
        ],
        "going to the market",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_picture_says_what_a_named_thing_would(name: str) -> None:
    query, options, rows, right = STATEMENTS[name]
    assert best(query, options, *PEOPLE, *rows, *ALBUM) == right


def test_what_only_an_album_shows_is_no_statement() -> None:
    shown = scores("What am I going to treat myself to?", THINGS, *PEOPLE, *ALBUM)
    stated = scores("What am I going to treat myself to?", THINGS, *PEOPLE, *STATEMENTS["a slip put right"][2])
    assert max(shown) < max(stated)


COMPANY: tuple[Row, ...] = (
    ("Saturday came, and I spent it with <img> again, my weekend company.", "Priya;;park"),
    ("You've seen my old weekend company. This is who it is now. <img>", "Tom;;cafe"),
    ("A new chapter with my weekend company, look who has taken over. <img>", "Mei;;lake"),
)
ORDERS = [
    "First Priya, then Tom, and now Mei",
    "First Tom, then Priya, and now Mei",
    "First Mei, then Tom, and now Priya",
    "First Priya, then Mei, and now Tom",
]


def test_an_order_of_people_follows_the_order_in_which_their_faces_come() -> None:
    assert best("Who have my weekends been with, in order?", ORDERS, *PEOPLE, *COMPANY, *ALBUM) == ORDERS[0]
    turned = (COMPANY[2], COMPANY[1], COMPANY[0])
    assert best("Who have my weekends been with, in order?", ORDERS, *PEOPLE, *turned) == ORDERS[2]


NAMES = frozenset({"tom", "priya"})
SAID = [
    ("I keep coming back to this one. <img>", "held", "self"),
    ("This is how I like it best. <img>", "held", "self"),
    ("I can't stop looking at this. <img>", "held", "self"),
    ("I've moved on, and this is my choice now. <img>", "held", "self"),
    ("It isn't this one any more. <img>", "gone", "self"),
    ("I had my eye on this, but I've dropped the idea. <img>", "gone", "self"),
    ("People think I'd take this one, but it's not for me. <img>", "gone", "self"),
    ("Someone gave me this, thinking I'd love it. <img> It isn't mine.", "gone", "self"),
    ("Tom bought this one. <img> It suits him.", "held", "tom"),
    ("My sister Priya would choose this any day. <img>", "held", "priya"),
    ("I took this for Tom, since it shows Tom's favourite. <img>", "held", "tom"),
    ("<img> This is what Priya always has, not me.", "any", "priya"),
    ("I might take this one, maybe. <img>", "tentative", "self"),
]


@pytest.mark.parametrize(("text", "kind", "holder"), SAID)
def test_a_sentence_about_a_picture_is_read_as_it_is_meant(text: str, kind: str, holder: str) -> None:
    (said,) = pointing(text, NAMES)
    found = "gone" if said.stance.kind in ("left", "denied") else said.stance.kind
    assert kind in ("any", found)
    assert said.holder == holder


@pytest.mark.parametrize(
    "text", ["<img>", "<img><img>", "? <img> !", "Look: <img> <img>.", "\ud800 <img>", "<img>" * 40]
)
def test_odd_texts_around_pictures_are_read_without_failing(text: str) -> None:
    assert len(pointing(text, NAMES)) == text.count("<img>")
