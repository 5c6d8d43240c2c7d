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
    assert found[1].summary.startswith("The user asked:")


def test_every_turn_is_in_exactly_one_topic_in_order():
    found = topics(
        *(f"Number {i}: why do bees dance, and is it true?" for i in range(9)), "I live in Lima.", "<img>", "…"
    )
    assert [number for topic in found for number in topic.numbers] == list(range(1, 13))


def test_turns_that_share_their_words_are_one_topic():
    found = topics("How deep is the lake of Geneva?", "And which fish live in the lake of Geneva?", "Tell me a joke.")
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
