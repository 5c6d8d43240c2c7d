"""Big Five scores from manner: high, low, and 3 where nothing shows."""

from lifeloom.models.builtin.extractor import infer_personality
from lifeloom.tasks import PersonalityInferenceInput
from tests.lifeloom.models.builtin.extractor.asking import context_of


def scores(user, *before):
    return infer_personality(PersonalityInferenceInput(context=context_of(*before), user=user)).model_dump()


def test_a_message_without_manner_is_neutral_in_everything():
    assert set(scores("The capital of Peru.").values()) == {3}


def test_worry_shows_as_neuroticism_and_calm_as_its_opposite():
    worried = scores("I'm so worried, I can't sleep, what if it all goes wrong? I keep thinking about it and I panic.")
    calm = scores("No worries, it'll be fine, I'm relaxed about it and it doesn't bother me.")
    assert worried["neuroticism"] == 5
    assert calm["neuroticism"] == 1


def test_order_and_mess_stand_at_the_two_ends_of_conscientiousness():
    assert (
        scores("I planned it step by step with a checklist, a schedule and a careful budget.")["conscientiousness"] >= 4
    )
    assert (
        scores("Whatever, I forgot, it's a mess, I'll wing it somehow, last minute as ever.")["conscientiousness"] <= 2
    )


def test_two_messages_before_are_read_too_but_not_what_the_assistant_says():
    before = ("Everybody come to the party!! So excited!", "Quiet, alone, silence, solitude.")
    assert scores("See you.", *before)["extraversion"] >= 4


def test_one_weak_cue_is_no_extreme_and_several_or_a_forceful_one_are():
    assert scores("I'm a bit anxious about the exam.")["neuroticism"] == 4
    assert scores("I'm a bit anxious about the exam.", "I walked to the shop.", "I see.")["neuroticism"] == 4
    assert scores("I'm a bit anxious, and nervous, and I worry.")["neuroticism"] == 5
    assert scores("I panic when the phone rings.")["neuroticism"] == 5
