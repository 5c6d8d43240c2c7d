"""How questions about album pictures are worded, and how their answers read.

The question names the picture by its handle and nothing that it shows, but for the thing whose colour or number is
asked for. One carrier puts all four options of a case.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lifeloom.models.builtin.painter.vocabulary import place, thing
from lifeloom.synthesis.catalogue import Stem
from lifeloom.synthesis.probes.visual import VisualKind, VisualProbe

__all__ = ["VISUAL_CARRIERS", "VISUAL_STEMS", "shown_value", "visual_query"]

_TEXTS: Mapping[VisualKind, Sequence[str]] = {
    "thing": (
        "I'm writing a caption for the picture from {handle} and may mention one thing in it. Which of these is there?",
        "Think back to the picture from {handle} that I showed you. What could be seen in it?",
        "Someone has only heard about the picture from {handle}. What can I tell them there was in it?",
        "I described the picture from {handle} to someone and they didn't believe one detail. Which was truly in it?",
        "For a quiz about my photos I need one true answer. What is in the picture from {handle}?",
        "I'm tagging my photos so that I can find them again. What was there in the one from {handle}, for its tag?",
        "Without scrolling back up: in the photo I sent you from {handle}, what was there besides everything else?",
        "I want to draw the scene in the picture from {handle} from memory. What must not be missing?",
        "I deleted the picture from {handle} from my phone by mistake. What was in it, can you say?",
        "Somebody swears they spotted something in the picture from {handle}. What would they be right about?",
        "If I printed the picture from {handle} as a puzzle, what would you find among the pieces?",
        "I'm searching all my photos for the one from {handle}. What was there in it that I could search for?",
    ),
    "colour": (
        "What colour was the {thing} in the picture from {handle}? I'd like to tie a ribbon to match.",
        "I want to buy a second {thing} just like the one in the photo from {handle}. Which colour do I look for?",
        "We are arguing about the {thing} in the picture from {handle}. In which colour did you see it?",
        "I'm painting the scene from {handle} and have got as far as the {thing}. Which tube of paint do I open?",
        "The {thing} that you can see in my picture from {handle}: what colour is it, so that I can describe it?",
        "Somebody found a {thing} and asks if it is the one from {handle}. What colour should it be, by the picture?",
        "My printer made the picture from {handle} all grey. What colour should the {thing} have been?",
        "Lost property wants to know what my {thing} looks like. Going by the photo from {handle}, what colour is it?",
        "For the caption of the photo from {handle} I need a word for the {thing}. Which colour is right?",
        "I only remember that there was a {thing} in the picture from {handle}. What was its colour?",
        "A friend wants to knit something in the shade of the {thing} that's in the photo from {handle}. Which shade?",
        "My screen shows odd tints today. In the picture from {handle}, what colour is the {thing} really?",
    ),
    "count": (
        "How many {things} were there in the picture from {handle}? I need the number for a caption.",
        "We're betting on the photo from {handle}. What is the right number of {things} in it?",
        "I'm redrawing the picture from {handle}. How many {things} do I have to put in?",
        "Count for me, please: the {things} in the picture I showed you from {handle}, what do they add up to?",
        "Someone claims I exaggerated about the {things}. Going by the picture from {handle}, how many were there?",
        "I'm using my photo from {handle} for a counting game. How many {things} will the players find?",
        "I can't open the picture from {handle} right now. How many {things} did it show?",
        "The album page for {handle} says so-and-so many {things} and leaves a gap. Which number belongs there?",
        "If you put a dot on every one of the {things} in the picture from {handle}, how many dots would that make?",
        "I'm making a small puzzle out of the photo from {handle}. What's the answer to how many {things} are in it?",
        "Tell me how many {things} you saw when I sent you the picture from {handle}. I forgot to count.",
        "A friend asks for the number of {things} in the picture from {handle}. What do I write back?",
    ),
    "who": (
        "Which of these people was in the picture from {handle}? I want to send a copy to one of those in it.",
        "I'm tagging faces in the photo from {handle}. Which of these names belongs there?",
        "You've met my people in pictures by now. Which of these do you recognise in the one from {handle}?",
        "Which of these was there, going by the picture from {handle}? I'm putting names under the photos.",
        "Somebody is fishing for a copy of the picture from {handle}, being in it. Which of these could that be?",
        "I need to ask for permission before I post the picture from {handle}. Which of these do I have to ask?",
        "Looking at the photo from {handle} once more in your mind: which of these people is in it?",
        "I'm filling envelopes with prints for everyone in them. Which of these people gets the picture from {handle}?",
        "For the photo book I want to thank whoever is in the picture from {handle}. Which of these should I name?",
        "A cropped version of the picture from {handle} is going round. Which of these people was in the whole one?",
        "I'm quizzing you on faces today. Which of these can be seen in the picture from {handle}?",
        "My notes list nobody for {handle}, but there's a picture. Which of these names could I add, going by it?",
    ),
    "where": (
        "Where was the picture from {handle} taken? I'm pinning my photos to a map.",
        "I sort my photos by where they were taken. Into which folder does the one from {handle} go?",
        "Someone liked the background in the picture from {handle} and asks where that was. What do I say?",
        "I'd like to go back to where the picture from {handle} was taken. What kind of spot was it?",
        "Going by the photo from {handle} that I sent you, where had we ended up?",
        "The caption for the picture from {handle} should start with the setting. What is it?",
        "If I had to build a little stage set of the picture from {handle}, where would the scene be?",
        "My phone lost the location of the photo from {handle}. From the picture, where was it?",
        "I told you nothing about the setting of {handle}, I only showed you a picture. Where was that?",
        "We're guessing where each of my photos was taken. What's right for the one from {handle}?",
        "For my travel diary: in the picture from {handle}, where are we?",
        "The photo from {handle} looks familiar to somebody online. Where was it taken, as far as you could see?",
    ),
    "relation": (
        "There is one person in the picture from {handle}. What are they to me?",
        "Look at whoever is in my photo from {handle}. How do the two of us know each other?",
        "I'm labelling prints by how people are tied to me. Which label goes on the picture from {handle}?",
        "A friend asks who that is in the picture from {handle}, and means in my life, not by name. What do I say?",
        "I want to thank the person in the photo from {handle} and begin with what they are to me. What is that?",
        "In which role do I know the person you saw in the picture from {handle}?",
        "My photo frame sorts pictures by the people in them. Under which group would the one from {handle} come up?",
        "The person in my picture from {handle} is coming round. As what should I introduce them?",
        "Going by face: who is it that I showed you from {handle}, as far as my circle is concerned?",
        "I'm making a chart of my circle with photos. What goes under the face in the one from {handle}?",
        "Somebody guessed wrongly how I know the person in the photo from {handle}. What would have been right?",
        "I won't say the name: the one in the picture from {handle}, what is our connection?",
    ),
}

VISUAL_STEMS: Mapping[VisualKind, tuple[Stem, ...]] = {
    kind: tuple(
        # The last third is for releases only, as in the catalogue.
        Stem(f"{'rr-picture' if kind == 'relation' else f'vdr-{kind}'}-q{number}", text, number > len(texts) * 2 // 3)
        for number, text in enumerate(texts, start=1)
    )
    for kind, texts in _TEXTS.items()
}
"""Questions about an album picture called by its ``{handle}``; colour and count name a ``{thing}``."""

VISUAL_CARRIERS: Mapping[VisualKind, tuple[str, ...]] = {
    "thing": ("{0}", "There was {0}", "You could see {0} there", "{0} was in it", "I saw {0}", "It shows {0}"),
    "colour": ("{0}", "It was {0}", "I saw it in {0}", "{0}, by the picture", "The colour was {0}"),
    "count": ("{0}", "I counted {0}", "There you see {0}", "{0} in all", "The picture shows {0}"),
    "who": ("{0}", "{0} was there", "I saw {0} there", "{0} is in it", "It shows {0}", "You can see {0} there"),
    "where": ("{0}", "It was taken {0}", "That was {0}", "You were {0}", "The scene is {0}"),
    "relation": ("{0}", "Your {0}", "That is your {0}", "The one in the picture is your {0}", "It shows your {0}"),
}
"""How the options of a visual question are put."""


def shown_value(kind: VisualKind, value: str) -> str:
    """Return how an answer reads: things with an article, places as one says to be there, all else as it is."""
    if kind == "thing":
        return thing(value).with_article
    return place(value).phrase if kind == "where" else value


def visual_query(probe: VisualProbe, stem: Stem) -> str:
    """Return the question without a lead-in."""
    text = stem.text.replace("{handle}", probe.phrase)
    if not probe.thing:
        return text
    named = thing(probe.thing)
    text = text.replace("{things}", named.plural).replace("a {thing}", named.with_article)
    return text.replace("{thing}", named.name)
