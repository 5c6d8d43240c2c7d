"""Weapons made, got or used."""

from __future__ import annotations

from typing import Final

from lifeloom.models.builtin.reader.harms.making import Harm, harm
from lifeloom.models.builtin.reader.harms.words import BOMB, PERSON

__all__ = ["WEAPONS"]


WEAPONS: Final[tuple[Harm, ...]] = (
    harm(
        "weapons",
        "recipe|ingredients|formula|blueprints|blueprint|instructions|cultivate|enrich|smuggle|sell|build|make|"
        "assemble|construct|mix|cook up|set off|plant|detonate|create|prepare|produce|craft|wire|manufacture|"
        "design|brew|grow|culture|release|spread|buy|get|order|plan|plant|throw|need|print|3d print|stockpile|hide|"
        "put together|synthesise|synthesize|generate|obtain|for",
        BOMB,
        gap=4,
        unless=(
            r"(?:calorimeter|cyclone|shell|of a|of flavour|disposal|shelter|experts?|squad|dance|of \S+ (?:cake|"
            r"flavour)|ice|cake|jacket)"
        ),
    ),
    harm(
        "weapons",
        "fill",
        r"(?:\S+ ){0,3}?(?:petrol|gasoline|gunpowder|nails|ball bearings|diesel) (?:\S+ ){1,8}?(?:rags?|wick|"
        r"throw|fuse|light it|explode\S*)",
        as_is=True,
    ),
    harm(
        "weapons",
        "print|3d print|build|make|assemble|convert|buy|get|order|obtain|acquire|own|sell",
        r"(?:\S+ ){0,3}?(?:guns?|rifles?|pistols?|handguns?|firearms?|ammunition|ak 47|shotguns?|grenades?|"
        r"silencers?)(?: \S+){0,6}? (?:without (?:a |any )?(?:\S+ )?(?:checks?|licen[cs]e|papers|permits?|"
        r"questions|registration|serial)|illegally|on the (?:black market|dark web)|under the (?:counter|table)|no "
        r"(?:\S+ )?(?:detector|scanner|serial|questions)|fully automatic|full auto|untraceable|off the books|at "
        r"home)",
        unless=r"(?:nerf|water|glue)",
    ),
    harm(
        "weapons",
        "3d print|print",
        r"(?:a|the|your own|an|guns|working|some)?(?: |(?<=\s))(?:\S+ )?(?:gun|pistol|rifle|firearm|guns)",
        unless=r"(?:holder|stand|toy|prop|case)",
    ),
    harm(
        "weapons",
        "file off|grind off|scratch off|remove|erase",
        r"(?:the )?serial numbers?",
        gap=2,
    ),
    harm(
        "weapons",
        "throw|pour|splash|fling",
        rf"acid (?:\S+ ){{0,2}}?(?:at|on|in|over|into) (?:{PERSON}|(?:his|her|their|\S+'s) face)",
    ),
    harm(
        "weapons",
        "build|make|making|building|print|assemble",
        r"(?:a|an|your own|my own) (?:\S+ )?(?:guns?|pistols?|rifles?|shotguns?|crossbow|firearm|weapons?) (?:\S+ "
        r")?(?:from|out of|with|using|that) (?:\S+ )?(?:metal|pipes?|steel|plumbing|hardware|kitchen|household|"
        r"scrap|fires|shoots|kills|parts|nails|can|no)",
        as_is=True,
        unless=r"(?:foam|rubber|lego|cardboard) ?",
    ),
    harm(
        "weapons",
        "get|buy|find|order|carry|obtain",
        r"(?:\S+ ){0,3}?(?:guns?|pistols?|rifles?|ammunition|weapons?|grenades?|explosives?|firearms?) (?:\S+ "
        r")?(?:without|that (?:nobody|no one|can't|isn't)|no questions|illegally|unregistered|from (?:criminals|a "
        r"dealer|the dark)|off the)(?: \S+)*",
    ),
    harm(
        "weapons",
        "firebomb|firebombs|firebombing|pipebomb",
        as_is=True,
    ),
)
