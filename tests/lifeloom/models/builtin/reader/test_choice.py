"""Tests of the reader's choice among options, on small histories written for them."""

from __future__ import annotations

import pytest

from lifeloom.models.builtin.reader.choice import score_choice
from lifeloom.models.minilm import MiniLmEncoder
from lifeloom.tasks.choice_answer import ChoiceAnswerInput, ContextMessage, OptionText

SMALL_TALK = [
    ("user", "Could you shorten this sentence for a leaflet? It says that the hall opens at nine."),
    ("assistant", "Of course. How about: doors open at nine. It is short and easy to read from afar."),
    ("user", "The rain has not let up all week and the buses are late again."),
    ("assistant", "Wet weeks do that. Leaving ten minutes earlier usually takes the sting out of it."),
]


def ask(query, options, *messages, encoder=None):
    """Return the scores; messages are user texts, or (role, text), with small talk around them."""
    told = [("user", m) if isinstance(m, str) else m for m in messages]
    spaced = []
    for role, text in told:
        spaced.append((role, text))
        if role == "user":
            spaced.append(("assistant", "I see. Tell me more whenever you like, and I will keep it in mind."))
    rows = SMALL_TALK + spaced + SMALL_TALK
    context = tuple(ContextMessage(at="2025-03-01 10:00", role=role, text=text) for role, text in rows)
    letters = tuple(OptionText(letter=letter, text=text) for letter, text in zip("abcd", options[:4], strict=False))
    task_input = ChoiceAnswerInput(context=context, asked_at="2025-06-01 09:00", query=query, options=letters)
    return score_choice(task_input, options, encoder)


def best(query, options, *messages, encoder=None):
    """Return the option that scores highest, alone."""
    scores = ask(query, options, *messages, encoder=encoder)
    top = max(scores)
    winners = [option for option, score in zip(options, scores, strict=True) if score == top]
    assert len(winners) == 1, f"tie: {scores}"
    return winners[0]


DRINKS = ["green tea", "oolong", "rooibos", "cocoa"]
CASES = {
    "a shift leaves the old taste behind": (
        "What do I like to drink in the evening?", DRINKS, "oolong",
        ["In the evening I drink green tea, always have.", "My brother Tom swears by rooibos in the evening.",
         "I was going to make cocoa my evening drink, but I dropped the idea.",
         "I've switched from green tea to oolong in the evening."],
    ),
    "the order of mentions does not decide": (
        "What do I like to drink in the evening?", DRINKS, "oolong",
        ["I've switched from green tea to oolong in the evening.",
         "Rooibos again at my brother Tom's, he drinks nothing else.",
         "The cocoa plan for my evenings? I gave that up."],
    ),
    "somebody else's taste is not mine, however often it is told": (
        "Which music should you put on for me?", ["jazz", "flamenco", "techno", "polka"], "polka",
        ["My cousin Ana lives for flamenco.", "Ana went to another flamenco night.", "Ana says flamenco saved her.",
         "As for music, polka makes me happy."],
    ),
    "a correction counts, not the slip": (
        "On which street is my dentist?", ["Mill Lane", "Oak Road", "Station Square", "Harbour Street"], "Oak Road",
        ["My dentist is on Mill Lane.", "Sorry, I said my dentist is on Mill Lane, but it's Oak Road.",
         "My colleague Ravi goes to a dentist in Harbour Street.",
         "I nearly registered with the dentist on Station Square, then decided against it."],
    ),
    "a correction may take two sentences": (
        "Which bus takes me to work?", ["the 42", "the 17", "the 5", "the 88"], "the 17",
        ["My bus to work is the 42, I told you. That was a mistake. It's the 17."],
    ),
    "later words override earlier ones": (
        "What is my favourite cake?", ["lemon cake", "carrot cake", "plum cake", "apple cake"], "plum cake",
        ["My favourite cake is carrot cake.", "I tried many bakeries.", "My favourite cake these days is plum cake."],
    ),
    "that one points to what was named in the message before": (
        "Which course have I settled on?", ["welding", "upholstery", "beekeeping", "mosaics"], "beekeeping",
        ["My sister is doing a course in mosaics.", "I looked at a course in welding once.",
         "Somebody told me about a beekeeping course.", "I've settled on that one, the course starts in May."],
    ),
    "a dropped plan is no plan": (
        "What am I saving up for?", ["a kayak", "a loom", "a campervan", "a telescope"], "a loom",
        ["I was saving up for a campervan, but I've given up on it.", "Karim next door is saving up for a telescope.",
         "What I'm saving up for now is a loom.", "For a while the plan was a kayak. It's off the table."],
    ),
    "a denial is no support": (
        "Where would I like to travel?", ["Iceland", "Malta", "Norway", "Crete"], "Crete",
        ["I don't want to travel to Malta.", "Iceland? Not for me.", "I'd love to travel to Crete.",
         "Norway is no longer on my travel list."],
    ),
    "an implied habit is enough": (
        "What would be a good lunch for me?", ["ramen", "falafel", "lasagne", "pierogi"], "falafel",
        ["Every lunch break I walk to the corner for falafel.", "My boss always has lasagne for lunch.",
         "I'm fed up with ramen for lunch.", "I thought about making pierogi for lunch, but never mind, I let it go."],
    ),
    "options may be whole sentences around the value": (
        "We are off to the lake on Sunday. What should I pack to read?",
        ["Pack a slim volume of poetry for the lake.", "Pack a fat crime novel for the lake.",
         "Pack a travel memoir for the lake.", "Pack a graphic novel for the lake."],
        "Pack a travel memoir for the lake.",
        ["I've gone off crime novels, a travel memoir is what I read now.", "My niece reads one graphic novel a day.",
         "I wanted to try poetry, but I dropped that."],
    ),
    "verb phrases match in other forms": (
        "What did I say I would do this autumn?",
        ["run for the council", "adopt a greyhound", "learn to swim", "repaint the hallway"], "learn to swim",
        ["My aunt is adopting a greyhound.", "I'm learning to swim this autumn, it's decided.",
         "I had thought of running for the council. I've let that go.", "Repainting the hallway is off."],
    ),
    "a question about what was asks for the old": (
        "What did I use to drink before I switched?", DRINKS, "green tea",
        ["I drink green tea.", "I've switched from green tea to oolong.", "My brother Tom drinks rooibos."],
    ),
    "a question about someone else asks for theirs": (
        "What does my brother drink?", DRINKS, "rooibos",
        ["My brother swears by rooibos.", "I love oolong.", "I used to drink green tea."],
    ),
    "who a person is, said in passing": (
        "Who is Priya to me?", ["my cousin", "my neighbour", "my colleague", "my aunt"], "my cousin",
        ["My cousin Priya came by with cake.", "Ben, my neighbour, was there too.", "Ruth is my aunt.",
         "My colleague Leo had to work."],
    ),
    "who a person is, put right later": (
        "Who is Priya to me?", ["my cousin", "my neighbour", "my colleague", "my aunt"], "my colleague",
        ["My neighbour Priya came by.", "Did I call Priya my neighbour? Slip of the tongue. She's my colleague.",
         "My cousin Ana and my aunt Ruth send their love."],
    ),
    "who a person is, by description": (
        "How do I know Femi?", ["He is my neighbour.", "He is my colleague.", "He is my uncle.", "He is my coach."],
        "He is my neighbour.",
        ["Femi lives across the hall and waters my plants.", "My coach Ben was late.", "My uncle Ade called."],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_reader_finds_the_answer_when(name):
    query, options, right, messages = CASES[name]
    assert best(query, options, *messages) == right


ORDERS = [
    "First pottery, then chess, and now fencing",
    "First chess, then pottery, and now fencing",
    "First fencing, then chess, and now pottery",
    "First pottery, then fencing, and now chess",
]


def test_an_order_question_follows_the_order_in_which_things_were_taken_up():
    messages = ["I've taken up chess and love it.", "Pottery has replaced chess for me.", "My aunt does fencing.",
                "These days I spend my weekends on fencing."]  # fmt: skip
    assert best("How did my interests change?", ORDERS, *messages) == ORDERS[1]


def test_an_order_said_outright_beats_the_order_of_mentions():
    messages = ["I'm really into fencing now.", "I moved on from pottery to chess, and from chess to fencing."]
    assert best("How did my interests change?", ORDERS, *messages) == ORDERS[0]


def test_without_history_scores_come_from_question_and_options_alone():
    encoder = MiniLmEncoder()
    letters = tuple(OptionText(letter=letter, text=text) for letter, text in zip("abcd", DRINKS, strict=True))
    blind = ChoiceAnswerInput(context=(), asked_at="2025-06-01 09:00", query="What do I drink?", options=letters)
    scores = score_choice(blind, DRINKS, encoder)
    assert len(scores) == 4
    assert scores == score_choice(blind, DRINKS, MiniLmEncoder())
    assert score_choice(blind, DRINKS, None) == (0.0, 0.0, 0.0, 0.0)


def test_options_never_spoken_of_score_the_same():
    scores = ask("What do I drink?", DRINKS, "I walked to the library and back.")
    assert len(set(scores)) == 1


def test_a_paraphrase_is_found_by_meaning_when_no_word_is_shared():
    options = ["a dog", "spreadsheets", "a motorbike", "pancakes"]
    messages = ["Our puppy has chewed the slippers, I love that furry rascal.", "It was a long week."]
    assert best("Which pet do I live with?", options, *messages, encoder=MiniLmEncoder()) == "a dog"


def test_scores_do_not_depend_on_the_order_of_the_options():
    query, options, _, messages = CASES["a shift leaves the old taste behind"]
    forward = ask(query, options, *messages)
    backward = ask(query, options[::-1], *messages)
    assert backward[::-1] == pytest.approx(forward)


@pytest.mark.parametrize("count", [2, 6])
def test_any_number_of_options_from_two_may_be_scored(count):
    options = ["oolong", "green tea", "rooibos", "cocoa", "cola", "whey"][:count]
    context = (ContextMessage(at="2025-03-01 10:00", role="user", text="I only drink oolong."),)
    letters = (OptionText(letter="a", text="x"), OptionText(letter="b", text="y"))
    scores = score_choice(
        ChoiceAnswerInput(context=context, asked_at="2025-03-02 10:00", query="My drink?", options=letters),
        options,
        None,
    )
    assert len(scores) == count
    assert max(scores) == scores[0]


def test_one_option_is_no_choice():
    letters = (OptionText(letter="a", text="x"), OptionText(letter="b", text="y"))
    task_input = ChoiceAnswerInput(context=(), asked_at="", query="What?", options=letters)
    with pytest.raises(ValueError, match="two options"):
        score_choice(task_input, ["only one"], None)


@pytest.mark.parametrize("text", ["", "   ", "\n\n", "?!?!", "我喜欢喝茶。", "a" * 20_000, "🙂" * 50, "\ud800 broken"])
def test_odd_texts_are_read_without_failing(text):
    assert len(ask(text, [text, "tea"], text, encoder=None)) == 2
