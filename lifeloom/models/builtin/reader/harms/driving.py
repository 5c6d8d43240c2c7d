"""Drink-driving and other reckless driving."""

from __future__ import annotations

from typing import Final

from lifeloom.models.builtin.reader.harms.making import Harm, harm
from lifeloom.models.builtin.reader.harms.words import YOUNG

__all__ = ["DRIVING"]

_LIQUOR: Final = (
    r"(?:beers?|wine|whisk(?:e)?y|vodka|gin|rum|drinks|pints?|shots|cocktails?|glass(?:es)? of (?:wine|"
    r"whisk(?:e)?y|beer|gin|vodka|schnapps|champagne)|schnapps|champagne|prosecco|joints?|weed|alcohol)"
)

DRIVING: Final[tuple[Harm, ...]] = (
    harm(
        "driving",
        "drive|ride|cycle home|get behind|steer|take|driving",
        r"(?:\S+ ){0,6}?(?:drunk|wasted|hammered|plastered|tipsy|stoned|intoxicated|high on \S+|while high|"
        r"buzzed|blind drunk|(?:after|with|on) (?:\S+ ){0,3}?"
        rf"{_LIQUOR}|under the influence|blindfolded|without (?:a )?(?:licen[cs]e|brakes|headlights|seat ?belts?|"
        rf"sleep)|eyes closed|asleep)(?: \S+)*",
        intent=True,
        unless=r"(?:taxi|on the way|to the|in the boot|crates?|home to) ?",
    ),
    harm(
        "driving",
        "drunk|wasted|tipsy|hammered|stoned|beers|drinks|pints|wine|whisky|whiskey|vodka|shots|glasses|cocktails|"
        "bottle|alcohol|gin|weed|joint|rum",
        r"(?:\S+ ){0,8}?(?:(?:you|i|we|he|she|can|could|still|'ll|to|just|fine|safe|okay|ok|then|will|"
        r"and|should|may|from|even|anyway|better|before|drive) )+(?:\S+ )?(?:driv(?:e|ing)|drive \S+|get behind "
        r"the wheel|take the (?:car|wheel|motorbike|scooter|van)|behind the wheel|ride (?:the|your|my|a) "
        r"(?:motorbike|scooter|motorcycle)|steer)(?: \S+)*",
        as_is=True,
        unless=r"(?:us|me) ?",
    ),
    harm(
        "driving",
        "drink|drunk|drunken",
        r"(?:and )?(?:driv\S+)(?: ,)? (?:is |isn't |can |never |helps|makes|home|anyway|through|safely|without|all|"
        r"over|more)(?: \S+)*",
        as_is=True,
        unless=r"(?:dangerous|illegal|a crime|deadly|wrong|banned|kill) ?",
    ),
    harm(
        "driving",
        "beer|beers|wine|vodka|whisky|whiskey|drink|schnapps|drinks|pint|gin|cocktail|shot|drank|glass",
        r"(?:\S+ ){0,5}?(?:the drive is short|for the (?:road|drive)|(?:you|you'll|i|i'll|people|we) (?:\S+ "
        r")?drive (?:\S+ )?(?:better|relaxed|home|safer|fine|anyway|more|calmer)|calms? you behind|steadies your "
        r"hands|police (?:never|don't)|breath mints?|fool the breathalyser|fool the breathalyzer|before (?:you|i|"
        r"we) (?:drive|start driving|get behind)|hits? the road)(?: \S+)*",
        as_is=True,
        unless=r"(?:taxi|water|coffee) ?",
    ),
    harm(
        "driving",
        "drive|driving",
        r"(?:home|back|yourself)?(?: \S+){0,8}? (?:whatever you drank|police (?:never|don't)|nobody checks|no "
        r"matter how much you (?:drank|had)|as long as you (?:feel|drive) (?:fine|slowly)|back roads to avoid)(?: "
        r"\S+)*",
        as_is=True,
    ),
    harm(
        "driving",
        "do|go|drive|take|hit|reach",
        r"(?:\S+ ){0,4}?(?:1[4-9]\d|2[0-4]\d|a hundred and (?:fifty|sixty|eighty)|two hundred)(?: \S+){0,3}? "
        r"(?:country road|village|town|school|curves?|residential|street|zone|rain|fog|snow|ice)(?: \S+)*",
        intent=True,
    ),
    harm(
        "driving",
        "text|film|stream|read|watch|scroll|message|type|sleep|chat|eat|shave|video call|livestream|nap|check",
        r"(?:\S+ ){0,5}?(?:while|when|as) (?:you're |you are |you |i'm |i |we )?(?:driv\S+|behind the wheel|at the "
        r"wheel|on the motorway)",
        intent=True,
        unless=r"(?:passenger|someone else|my) ?",
    ),
    harm(
        "driving",
        "race|speed|drift|run|jump|outrun|ignore|overtake|go|do|drive|tailgate|brake check|cut off",
        r"(?:\S+ ){0,5}?(?:red lights?|through the (?:school zone|playground|pedestrian)|the (?:police|cops)|"
        r"(?:1[3-9]\d|2\d\d) (?:km/?h|kilomet\S+|mph|miles|k m h|km|on the|in|through|past)|blind (?:corner|bend|"
        r"curve)|on public roads|wrong (?:side|way)|level crossing|closed barriers?|the barriers)",
        intent=True,
        unless=r"(?:in the (?:game|simulator)|on (?:the )?(?:track|circuit)) ?",
    ),
    harm(
        "driving",
        "let|have|ask|allow",
        rf"(?:\S+ ){{0,3}}?(?:{YOUNG}|(?:\S+ )?year old|kids|son|daughter|nephew) (?:\S+ )?(?:driv\S+|race|steer|"
        rf"take|use) (?:\S+ ){{0,3}}?(?:wheel|car|truck|van|motorway|motorbike|road|street|to school|home)",
        unless=r"(?:toy|go kart|pedal) ?",
    ),
    harm(
        "driving",
        "drive|ride|driving|cycle",
        r"(?:\S+ ){0,8}?(?:only|just|you've|i've|you|i) (?:\S+ )?(?:had|drunk|drank) (?:\S+ ){0,3}?(?:beers?|"
        r"glass(?:es)?|drinks?|wine|shots?|pints?|whisk(?:e)?y|vodka|few|cocktails?|bottles?)",
        as_is=True,
        unless=r"(?:of (?:water|juice|milk)|so i (?:took|left)) ?",
    ),
)
