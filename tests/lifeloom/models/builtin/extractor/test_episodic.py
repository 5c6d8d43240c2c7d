"""Topics of a session: runs of turns, every turn in one."""

from tests.lifeloom.models.builtin.extractor.asking import topics


def test_turns_about_one_person_are_one_topic_and_another_matter_is_another():
    found = topics(
        "My cousin Amara is learning the harp.",
        "Amara practises three hours a day on that harp.",
        "Write me a shopping list for a barbecue, please.",
    )
    assert [topic.numbers for topic in found] == [(1, 2), (3,)]
    assert "harp" in found[0].summary
    assert found[0].keywords[0] == "Amara"
    assert found[1].summary == "Requests: Write the user a shopping list for a …"


def test_every_turn_is_in_exactly_one_topic():
    found = topics(
        *(f"Number {i}: why do bees dance, and is it true?" for i in range(9)), "I live in Lima.", "<img>", "…"
    )
    assert sorted(number for topic in found for number in topic.numbers) == list(range(1, 13))


def test_turns_that_tell_nothing_are_one_topic_wherever_they_stand():
    found = topics(
        "Where do I live?",
        "My cousin Amara is learning the harp.",
        "Tell me a joke.",
        "I work as a welder in Gdansk.",
        "Could you draft a very long and polite letter to the council about parking?",
        "Thanks, bye!",
    )
    assert [topic.numbers for topic in found] == [(1, 3, 5, 6), (2,), (4,)]
    requests = found[0].summary
    assert requests.startswith("Requests: Where does the user live; Tell the user a joke; ")
    assert all(len(one.removesuffix(" …").split()) <= 8 for one in requests.removeprefix("Requests: ").split("; "))
    assert len(found[0].keywords) <= 5


def test_a_session_that_tells_nothing_is_one_topic():
    (topic,) = topics("Hi!", "How deep is the lake of Geneva?", "Tell me a joke.", "…")
    assert topic.numbers == (1, 2, 3, 4)


def test_a_question_about_somebody_just_told_of_stays_with_them():
    found = topics("My cousin Amara is learning the harp.", "What could Amara play first?", "Tell me a joke.")
    assert [topic.numbers for topic in found] == [(1, 2), (3,)]


def test_a_quoted_caption_stands_in_the_summary():
    (topic,) = topics("I wrote this under the photo: “Our first goat, wearing the neighbour's best hat, at the fair”.")
    assert "wearing the neighbour's best hat" in topic.summary


def test_long_sessions_keep_summaries_within_the_form():
    (topic, *_) = topics(*(f"My aunt Berit grows {'very ' * 60}tall tulips in bed {i}." for i in range(30)))
    assert len(topic.summary) <= 800
    assert len(topic.numbers) == 30


def test_marks_of_pictures_that_are_not_shown_stand_in_no_summary():
    for topic in topics("Look at this. < img>", "My tent is blue < img> and old."):
        assert "img" not in topic.summary
