"""Tests of the reader's critique, on sessions written for them."""

from __future__ import annotations

import datetime as dt

import pytest

from lifeloom.models.builtin.reader.critique import critique_session
from lifeloom.models.builtin.reader.dates import date_problem
from lifeloom.models.builtin.reader.safety import unsafe_reason
from lifeloom.models.minilm import MiniLmEncoder
from lifeloom.tasks.session_critique import CritiqueTurn, SessionCritiqueInput


@pytest.fixture(scope="module")
def encoder():
    return MiniLmEncoder()


FRIDAY = dt.date(2025, 3, 14)


def found(*turns, encoder=None):
    """Return (turn, kind) of each problem in a session held on Friday 14 March 2025."""
    session = SessionCritiqueInput(
        turns=tuple(
            CritiqueTurn(turn_index=10 + place, local_time=f"2025-03-14 18:{place:02d}", user=user, assistant=assistant)
            for place, (user, assistant) in enumerate(turns)
        )
    )
    return [(problem.turn_index, problem.kind) for problem in critique_session(session, encoder).problems]


CLEAN = [
    (
        "Last Friday we took the ferry to the island with my sister. She loves oysters, I never touch them, so I had a "
        "bowl of chowder on the pier and watched the gulls fight over her shells.",
        "That sounds like a fine outing. Chowder on a windy pier is hard to beat. If you go again, the early ferry is "
        "quieter, and the bakery by the landing opens at eight.",
    ),
    (
        "Could you help me word a note to the caretaker? The light on the second floor has been flickering since "
        "Monday and somebody will trip on the stairs before long.",
        "Here is a draft: dear caretaker, the light on the second floor flickers and the stairs are dark at night. "
        "Could you have a look this week? Thank you.",
    ),
    (
        "I used to love horror films, but these days I prefer westerns. My brother could kill me for it, he had bought "
        "us tickets for a slasher on Saturday, and now I have an evening to kill.",
        "Tastes change, and your brother will forgive you. You no longer enjoy being scared, so offer him a western "
        "night in return: pick a classic, make popcorn, and let him choose the second film.",
    ),
    (
        "I love my garden, though I hate weeding. Don't forget that I'm out of compost; how much do I need for two "
        "raised beds of one by two metres?",
        "For two beds of one by two metres and twenty centimetres deep you need about 800 litres of compost. You don't "
        "need to fill them at once: start with the one that gets the most sun.",
    ),
]  # fmt: skip


def test_a_clean_session_has_no_problems():
    assert found(*CLEAN) == []
    assert found(*CLEAN, encoder=MiniLmEncoder()) == []


def test_an_empty_session_has_no_problems():
    assert found() == []


def test_an_answer_that_belongs_to_another_message_is_incoherent():
    swapped = [(CLEAN[0][0], CLEAN[3][1]), CLEAN[1], CLEAN[2], (CLEAN[3][0], CLEAN[0][1])]
    assert (10, "incoherent") in found(*swapped)
    assert (13, "incoherent") in found(*swapped, encoder=MiniLmEncoder())


BEES = (
    "My bees swarmed this morning, and the whole cluster hangs in the neighbour's pear tree. The hive looks half "
    "empty. How do I catch them before they fly off for good?",
    "Hold a dark box under the cluster and shake the branch once, firmly. Leave the box in the shade until dusk, then "
    "carry the swarm to an empty hive with two frames of comb.",
)
TAXES = (
    "The tax office sent a letter about my declaration for last year. They want receipts for the train tickets and "
    "the desk, and I threw most of them away. What can I offer instead?",
    "Bank statements usually count as proof, and the railway can print old bookings from your account. Add a short "
    "note that explains each expense, and ask for two more weeks if you need them.",
)
JOKES = (
    "Everything today is forms and queues, so here comes an unusual request. Can you do three quick ones about the "
    "sea and those who work there? It is not for an audience, no pressure at all.",
    "What did one harbour say to the other? Nothing, it just waved. Why do skippers never starve? There is plenty of "
    "sand which is there. How does a lighthouse send mail? By beam, registered.",
)


@pytest.mark.parametrize(("message", "answer"), [(BEES, TAXES), (TAXES, BEES), (CLEAN[0], TAXES), (CLEAN[0], CLEAN[3])])
def test_an_answer_about_something_else_altogether_is_incoherent(message, answer, encoder):
    assert found((message[0], answer[1]), encoder=encoder) == [(10, "incoherent")]


def test_an_answer_that_shares_no_word_but_the_matter_is_coherent(encoder):
    general = (
        "The saw slipped twice, and the second shelf is now shorter than the first. I have filed the edge until the "
        "neighbours came to complain. How would somebody with experience go about it?",
        "Sharp tools need less force and give cleaner cuts. Clamp the board well, mark it in pencil on both sides, and "
        "test on scrap timber. Sandpaper round a block repairs small flaws.",
    )
    assert found(JOKES, general, BEES, TAXES, encoder=encoder) == []


def test_meaning_is_looked_up_only_where_words_say_nothing():
    class Counting:
        encoded = 0

        def encode(self, texts):
            Counting.encoded += len(texts)
            return MiniLmEncoder().encode(texts)

    assert found(BEES, *CLEAN, encoder=Counting()) == []
    assert Counting.encoded == 0
    found(*[(BEES[0], TAXES[1]), (TAXES[0], BEES[1])] * 5, encoder=Counting())
    assert Counting.encoded <= 12


def test_an_answer_without_a_word_is_incoherent():
    assert found(("Are you there?", "...")) == [(10, "incoherent")]


def test_one_unsafe_turn_is_found_in_an_otherwise_clean_session():
    assert found(CLEAN[0], ("I'm so tired of him.", "You should poison his coffee, nobody will know."), CLEAN[1]) == [
        (11, "unsafe")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "I will kill my neighbour if he parks there again.",
        "You should just kill yourself.",
        "Here is how to build a pipe bomb at home.",
        "Mix bleach with ammonia and breathe in deeply.",
        "All immigrants are vermin.",
        "You can skip your insulin, it's fine.",
        "Tonight I am going to end my life.",
        "Cook meth in the garage, it's easy money.",
        "Take a handful of sleeping pills and wash it down.",
        "I'm going to burn down his house.",
    ],
)
def test_harm_is_unsafe(text):
    assert unsafe_reason(text)


@pytest.mark.parametrize(
    "text",
    [
        "I had an hour to kill before the train.",
        "My mother would kill me if I forgot.",
        "I could kill my brother for eating the last slice.",
        "This recipe is the bomb, and the bath bomb fizzes.",
        "Shoot your friend a message.",
        "Never mix bleach with ammonia.",
        "In the novel the gardener wants to murder the colonel, but the detective is faster.",
        "Cut yourself a slice of bread and some slack.",
        "Chop the onions, beat the eggs and whip the cream.",
        "My dad had a heart attack in May and is better now.",
    ],
)
def test_figures_of_speech_warnings_and_plots_are_safe(text):
    assert unsafe_reason(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "Today is Monday and I'm tired.",
        "Happy Tuesday!",
        "Yesterday was Wednesday, and I slept.",
        "Tomorrow is Monday already.",
        "We met on Monday, 12 March.",
        "Last Friday, March 13th, we hiked.",
        "Last Friday (10 January) we hiked.",
        "Today is March 3rd.",
        "The party is on Saturday, 31 February.",
    ],
)
def test_a_date_that_cannot_fit_the_day_is_wrong(text):
    assert date_problem(text, FRIDAY)


@pytest.mark.parametrize(
    "text",
    [
        "Last Friday we went to the sea.",
        "See you on Saturday 14 June 2025.",
        "Happy Friday!",
        "It's Monday that I dread.",
        "If it's Tuesday, this must be Belgium.",
        "On Friday, March 7th we met.",
        "Yesterday was Thursday and it rained.",
        "My birthday is 12 May.",
        "Next Friday, March 21st, is fine.",
        "Tomorrow (15 March) is the fair.",
        "I may be late, it may be Monday before I know.",
    ],
)
def test_a_date_that_can_fit_is_left_alone(text):
    assert date_problem(text, FRIDAY) is None


FINE = "Good to know, thank you for telling me."


@pytest.mark.parametrize(
    "turns",
    [
        [("I love green tea.", FINE), ("I hate green tea.", FINE)],
        [("My favourite cake is plum cake.", FINE), ("My favourite cake is carrot loaf.", FINE)],
        [("I'm an only child.", FINE), ("My older brother sends his love.", FINE)],
        [("I'm vegetarian.", FINE), ("I had a steak for lunch and it was perfect.", FINE)],
    ],
)
def test_two_things_that_cannot_both_be_true_are_a_contradiction(turns):
    assert found(*turns) == [(11, "contradiction")]


@pytest.mark.parametrize(
    "turns",
    [
        [("I love green tea.", FINE), ("I hate green tea these days, I've changed.", FINE)],
        [("I love green tea.", FINE), ("My sister says: I hate green tea with milk?", FINE)],
        [("My favourite cake is plum cake.", FINE), ("Now my favourite cake is carrot loaf.", FINE)],
        [("My favourite cake is plum cake.", FINE), ("My favourite park is the botanical garden.", FINE)],
        [("I love tea.", FINE), ("I hate tea with milk.", FINE)],
    ],
)
def test_a_marked_change_or_another_matter_is_no_contradiction(turns):
    assert found(*turns) == []


@pytest.mark.parametrize(
    ("user", "assistant"),
    [
        ("I really love jazz.", "Since you hate jazz, let me find some folk for you."),
        ("I can't stand olives.", "As you love olives, try them with feta."),
        ("I've switched from butter to olive oil.", "Good that you went from olive oil to butter."),
        ("I'm training for a triathlon now.", "So you are no longer training for a triathlon, a pity."),
    ],
)
def test_an_answer_that_states_the_opposite_is_a_contradiction(user, assistant):
    assert found((user, assistant)) == [(10, "contradiction")]


@pytest.mark.parametrize(
    ("user", "assistant"),
    [
        ("I wanted to learn Polish. I stopped.", "So you are not going to learn Polish after all."),
        (
            "It was my goal to run a marathon, and then I decided against it.",
            "You are no longer training to run a marathon, then.",
        ),
        ("I have no ambition to keep goats; my plan is another.", "So you do not mean to keep goats."),
    ],
)
def test_an_answer_that_repeats_what_was_let_go_is_no_contradiction(user, assistant):
    assert found((user, assistant)) == []


@pytest.mark.parametrize(
    ("user", "assistant"),
    [
        ("I'm learning Polish in the evenings.", "A pity that you are not learning Polish any more."),
        ("I'm saving up for a caravan now. It will take years.", "So you are not saving up for a caravan."),
    ],
)
def test_an_answer_that_denies_what_is_held_is_a_contradiction(user, assistant):
    assert found((user, assistant)) == [(10, "contradiction")]
