"""What a memory says of a value: whose it is, and whether it holds."""

import pytest

from evaluation.memory_quality.judging import as_spoken, names_value, readings


def test_a_memory_is_read_as_the_user_would_say_it():
    spoken = as_spoken("The user's tea is mint. Ana told the user that the user is late.")
    assert spoken == "My tea is mint. Ana told me that I am late."


@pytest.mark.parametrize(
    ("memory", "value", "who", "holds"),
    [
        ("The user drinks mint tea every evening.", "mint tea", "self", True),
        ("The user does not drink mint tea.", "mint tea", "self", False),
        ("The user no longer drinks mint tea.", "mint tea", "self", False),
        ("The user switched from cocoa to mint tea.", "cocoa", "self", False),
        ("The user switched from cocoa to mint tea.", "mint tea", "self", True),
        ("The user's sister Ana drinks mint tea.", "mint tea", "ana", True),
        ("The user thought of mint tea, then thought better of it.", "mint tea", "self", False),
        ("It isn't true that the user drinks mint tea.", "mint tea", "self", False),
    ],
)
def test_a_mention_has_a_holder_and_holds_or_not(memory, value, who, holds):
    (found,) = readings(memory, value, {"ana"})
    assert (found.who, found.holds) == (who, holds)


def test_a_value_is_named_by_most_of_its_words_and_not_by_one_of_three():
    assert names_value("The user will throw a big masked ball.", "throw a masked ball")
    assert not names_value("The user will play ball.", "throw a masked ball")
    assert readings("The user will play ball.", "throw a masked ball", ()) == []
