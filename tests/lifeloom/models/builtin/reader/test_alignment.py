"""Tests of the reader's alignment judgement, on messages and responses written for them."""

from __future__ import annotations

import pytest

from lifeloom.models.builtin.reader.alignment import judge_alignment, manner, score_alignment
from lifeloom.tasks.alignment_judgement import AlignmentJudgementInput
from lifeloom.tasks.choice_answer import ContextMessage

SPEAKERS = {
    "neuroticism high": [
        "I keep worrying that I said something awful at the dinner, maybe they all hate me now...",
        "What if the boiler breaks while we are away? I lie awake over it and my stomach is in knots.",
        "I'm so stressed about the exam, everything could go wrong, I'm afraid I'll panic.",
    ],
    "neuroticism low": [
        "The flight got cancelled. No big deal, I took a nap and caught the next one.",
        "Boss was in a mood today, doesn't bother me, it'll be fine by tomorrow.",
        "All good here, relaxed as ever. The leak is annoying but things work out.",
    ],
    "conscientiousness high": [
        "I made a checklist and a schedule for the move, every box is labelled and I'm two days ahead.",
        "Please double-check the budget with me, I track each expense in a spreadsheet.",
        "I finished the report before the deadline and planned the next one in detail.",
    ],
    "conscientiousness low": [
        "Oops, forgot the rent again, whatever, I'll do it at some point.",
        "My desk is a mess, half-finished stuff all over the place, I'll just wing it tomorrow.",
        "Packed at the last minute, lost track of time, figured it out somehow.",
    ],
    "extraversion high": [
        "We had the best party ever! Everyone came, we laughed all night, I can't wait for the next one!",
        "Guess what! I talked to half the train today, such fun people!",
        "So excited, the whole gang is coming over! Let's make it loud!",
    ],
    "extraversion low": [
        "I stayed in by myself. It was quiet, which is how I like it.",
        "Crowds drain me. I would rather not go; a calm evening alone is enough.",
        "Not much to say. I kept to myself and read in silence.",
    ],
    "openness high": [
        "I wonder what colour silence would be; the fog looked like a whale asleep, and I imagined its dreams.",
        "What a strange and beautiful idea! I'm curious how far we could explore it, maybe as a poem.",
        "I love to experiment, invent, daydream: the unusual inspires me.",
    ],
    "openness low": [
        "Nothing fancy for me, the usual will do. I stick to what works.",
        "I prefer the tried and tested way, plain and practical.",
        "Same as ever, the familiar walk, no frills.",
    ],
    "agreeableness high": [
        "Thank you so much, that was very kind of you. Would you mind helping me once more, please?",
        "I hope you had a lovely day! I'm grateful for the thoughtful answer.",
        "Please don't go to any trouble, I'd be happy to share my notes if it helps them. Sorry to ask.",
    ],
    "agreeableness low": [
        "That was useless. Just answer the question and spare me the small print.",
        "Ridiculous, my neighbour is an idiot and his idea is nonsense.",
        "Frankly a waste of time. Skip the niceties and get on with it.",
    ],
}
RESPONSES = {
    "neuroticism high": (
        "Take your time, there is no need to worry. It's alright to go at your own pace; even if it slips, "
        "you can go back, and nothing terrible follows. One small step is enough."
    ),
    "neuroticism low": (
        "Just do it, no big deal. Jump in, take the bold route and see the risk as part of the game; simple as that."
    ),
    "conscientiousness high": (
        "First write down the exact dates. Second, set aside twenty minutes and check each item. Finally, "
        "review the plan by Friday and track what is left."
    ),
    "conscientiousness low": (
        "Go with the flow and see what happens. Roughly pick something you feel like on the day, improvise, "
        "and figure it out on the fly."
    ),
    "extraversion high": (
        "Love it! Get everyone together, it will be amazing fun! Tell your friends and let's make it a party!"
    ),
    "extraversion low": (
        "A quiet approach fits here. Do it on your own, in peace, low-key, with no rush and nobody around."
    ),
    "openness high": (
        "Imagine it as a strange little experiment: explore an unusual idea, be curious, let it inspire "
        "something creative and unexpected."
    ),
    "openness low": (
        "Keep it simple: the usual way works. Take the tried and tested, practical option, nothing fancy."
    ),
    "agreeableness high": (
        "Thank you for asking, I'm glad to help. That is a lovely, thoughtful wish, and I hope you feel warm "
        "about it; I understand it matters."
    ),
    "agreeableness low": (
        "Skip the fuss. Frankly, the other way is a waste of time and obviously wrong. Here is the straight answer."
    ),
}
OPPOSITE = {"high": "low", "low": "high"}


def judged(speaker, response):
    context = tuple(ContextMessage(at="2025-03-01 10:00", role="user", text=text) for text in SPEAKERS[speaker])
    return AlignmentJudgementInput(
        context=context, asked_at="2025-03-02 10:00", query="How should I go about it?", response=RESPONSES[response]
    )


@pytest.mark.parametrize("speaker", SPEAKERS)
def test_a_response_in_the_manner_of_the_user_suits_and_its_opposite_does_not(speaker):
    trait, level = speaker.split()
    opposite = f"{trait} {OPPOSITE[level]}"
    assert judge_alignment(judged(speaker, speaker)).verdict == "yes"
    assert judge_alignment(judged(speaker, opposite)).verdict == "no"


@pytest.mark.parametrize("speaker", SPEAKERS)
def test_the_manner_of_a_speaker_shows_in_its_trait(speaker):
    trait, level = speaker.split()
    opposite = f"{trait} {OPPOSITE[level]}"
    own, other = (getattr(manner(SPEAKERS[who]), trait) for who in (speaker, opposite))
    assert (own > other) == (level == "high")


def test_without_history_nothing_is_known_and_the_prior_says_yes():
    blind = AlignmentJudgementInput(context=(), asked_at="x", query="Which?", response=RESPONSES["openness low"])
    assert score_alignment(blind) == 0.0
    assert judge_alignment(blind).verdict == "yes"


def test_only_the_user_shows_the_users_manner():
    context = tuple(
        ContextMessage(at="2025-03-01 10:00", role="assistant", text=text) for text in SPEAKERS["extraversion high"]
    )
    task_input = AlignmentJudgementInput(context=context, asked_at="x", query="Which?", response="Party together!")
    assert score_alignment(task_input) == 0.0
