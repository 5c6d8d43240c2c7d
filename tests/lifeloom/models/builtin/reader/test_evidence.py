"""Tests of what the reader takes single sentences to say: held, denied or left, considered, or another's."""

from __future__ import annotations

import pytest

from lifeloom.models.builtin.reader.evidence import History, discriminating_terms, gather
from lifeloom.models.builtin.reader.holders import SELF
from lifeloom.tasks.choice_answer import ContextMessage

HELD, GONE, OPEN, OTHERS = "held", "gone", "open", "another's"

SENTENCES = [
    ("I've moved from Lisbon to Porto for good.", {"Lisbon": GONE, "Porto": HELD}),
    ("After years of black coffee I switched to jasmine tea.", {"black coffee": GONE, "jasmine tea": HELD}),
    ("I swapped my violin for a cello last week.", {"violin": GONE, "cello": HELD}),
    ("I've replaced the motorbike with a cargo bike.", {"motorbike": GONE, "cargo bike": HELD}),
    ("Instead of crisps I have walnuts with my film.", {"crisps": GONE, "walnuts": HELD}),
    ("Gardening has given way to woodturning.", {"gardening": GONE, "woodturning": HELD}),
    ("Swimming has taken over from squash in my week.", {"swimming": HELD, "squash": GONE}),
    ("I'd rather read a biography than a fantasy saga.", {"biography": HELD, "fantasy saga": GONE}),
    ("Turns out I prefer linen to silk.", {"linen": HELD, "silk": GONE}),
    ("It isn't Tuesday, it's Thursday that I have choir.", {"Tuesday": GONE, "Thursday": HELD}),
    ("I said my dentist was in Leeds, but it's York.", {"Leeds": GONE, "York": HELD}),
    ("Earlier I told you my bus was the 42. That was a slip, it's the 17.", {"42": GONE, "17": HELD}),
    ("I wrote that my flight leaves from Gatwick. Wrong airport: it's Luton.", {"Gatwick": GONE, "Luton": HELD}),
    ("I used to love horror films, now I can't get enough of westerns.", {"horror films": GONE, "westerns": HELD}),
    ("I quit the gym and joined a rowing club.", {"gym": GONE, "rowing club": HELD}),
    ("I'm off dairy milk and on oat milk now.", {"dairy milk": GONE, "oat milk": HELD}),
    ("I was going to learn Finnish, but I gave that up.", {"Finnish": GONE}),
    ("I had planned to take up archery. The idea is dead now.", {"archery": GONE}),
    ("My plan to cycle to Vienna fell through.", {"cycle to Vienna": GONE}),
    ("I never liked liquorice.", {"liquorice": GONE}),
    ("I have no interest in golf.", {"golf": GONE}),
    ("Hiking poles? Never again.", {"hiking poles": GONE}),
    ("I can't live without hummus.", {"hummus": HELD}),
    ("I never go anywhere without my ukulele.", {"ukulele": HELD}),
    ("I wouldn't trade my allotment for anything.", {"allotment": HELD}),
    ("I'm not giving up my motorhome.", {"motorhome": HELD}),
    ("Nothing beats a cold ginger beer after a shift.", {"ginger beer": HELD}),
    ("Whenever I cook for myself it ends up being risotto.", {"risotto": HELD}),
    ("My sister got me into bouldering and I'm hooked.", {"bouldering": HELD}),
    ("I went to the market with my aunt and bought saffron, as I always do.", {"saffron": HELD}),
    ("I'm wondering about a pottery course.", {"pottery course": OPEN}),
    ("Saw an advert for a beekeeping class.", {"beekeeping class": OPEN}),
    ("What's a good way to clean suede?", {"suede": OPEN}),
    ("My brother Tom swears by rooibos.", {"rooibos": OTHERS}),
    ("My flatmate's go-to is instant noodles.", {"instant noodles": OTHERS}),
    ("Marta told me she is training for a triathlon.", {"triathlon": OTHERS}),
    ("A friend of mine is mad about kites.", {"kites": OTHERS}),
    ("My uncle would never drink anything but stout.", {"stout": OTHERS}),
    ("According to my colleague Ines, saunas cure everything.", {"saunas": OTHERS}),
    ("My boss loves golf while I'd sooner go kayaking.", {"golf": OTHERS, "kayaking": HELD}),
    ("My partner's favourite is blackcurrant and mine's raspberry.", {"blackcurrant": OTHERS, "raspberry": HELD}),
    ("He would pick metal, I'd pick soul.", {"metal": OTHERS, "soul": HELD}),
    ("Karim came by. He keeps quails.", {"quails": OTHERS}),
    ("Oysters again. She cannot get enough of them.", {"oysters": OTHERS}),
]


def read(text):
    """Return what the last event says of each value named in ``text``."""
    values = list(text[1])
    history = History.of([ContextMessage(at="2025-03-01 10:00", role="user", text=text[0])])
    said = {}
    for event in gather(history, discriminating_terms([*values, "something else"], history)):
        if event.option < len(values):
            kinds = {"held": HELD, "denied": GONE, "left": GONE, "tentative": OPEN}
            said[values[event.option]] = kinds[event.stance.kind] if event.holder == SELF else OTHERS
    return said


@pytest.mark.parametrize("sentence", SENTENCES, ids=lambda sentence: sentence[0][:60])
def test_a_sentence_is_read_as_it_is_meant(sentence):
    assert read(sentence) == sentence[1]


@pytest.mark.parametrize(
    "after",
    [
        "My sister laughed at me for it.",
        "That reminds me, could you find something for Sunday?",
        "Anyway, the neighbours are drilling again and I stopped listening.",
        "That is why I stopped by the shop on my way home.",
        "It is not a big thing, but it makes me happy.",
        "No wonder the days fly.",
    ],
)
def test_what_comes_after_on_another_matter_changes_nothing(after):
    text = f"The trains were late again. I only drink oolong in the evening. {after}"
    assert read((text, {"oolong": HELD})) == {"oolong": HELD}


@pytest.mark.parametrize(
    ("pointer", "expected"),
    [
        ("I've made up my mind, that one it is.", [OPEN, HELD]),
        ("I went with it in the end.", [OPEN, HELD]),
        ("The thing I mentioned? I gave up on it.", [OPEN, GONE]),
        ("It was raining and that made it worse.", [OPEN]),
    ],
)
def test_a_later_message_may_point_back_to_what_was_named(pointer, expected):
    texts = [("user", "I read about a welding course."), ("assistant", "Sounds useful."), ("user", pointer)]
    history = History.of([ContextMessage(at="2025-03-01 10:00", role=role, text=text) for role, text in texts])
    events = gather(history, discriminating_terms(["welding course", "pottery class"], history))
    kinds = {"held": HELD, "denied": GONE, "left": GONE, "tentative": OPEN}
    assert [kinds[event.stance.kind] for event in events if event.by_user] == expected
