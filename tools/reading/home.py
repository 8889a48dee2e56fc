"""Phrases of a house: portable things with owner and color, furniture in rooms, shelf levels, people."""

from __future__ import annotations

import vocabulary as v
from draw import COUNTS, Draw, Meaning


def person(draw: Draw, *, speaker: float = 0.2) -> Meaning:
    """Return somebody."""
    if draw.chance(speaker):
        return {"the speaker": True}
    return {"person": draw.slot("person", draw.fresh(v.PEOPLE))}


def room(draw: Draw) -> Meaning:
    """Return a room, now and then somebody's."""
    if draw.chance(0.2):
        return {
            "noun": draw.slot("noun", draw.pick(("bedroom", "room", "office", "study"))),
            "owner": person(draw),
        }
    return {"noun": draw.slot("noun", draw.fresh(v.ROOMS)), "det": "the"}


def heads(phrase: object) -> list[int]:
    """Return the slots of the nouns that a phrase is about, for taking it up again."""
    if not isinstance(phrase, dict):
        return []
    for join in ("all of", "one of"):
        if join in phrase:
            return [head for part in phrase[join] for head in heads(part)]
    return [phrase["noun"]] if "noun" in phrase else []


def place(draw: Draw, nouns: tuple[str, ...] = v.FURNITURE) -> Meaning:
    """Return a piece of furniture or a container, with its room or level where said."""
    made: Meaning = {"noun": draw.slot("noun", draw.fresh(nouns)), "det": "the"}
    if nouns is v.FURNITURE and draw.chance(0.2):
        made["level"] = draw.slot("ordinal", draw.pick(v.ORDINALS))
        if draw.chance(0.3):
            made["levels counted"] = draw.of({"from below": 2, "from above": 1})
    if draw.chance(0.5):
        made["room"] = room(draw)
    elif draw.chance(0.06):
        made["nearest to"] = {"noun": draw.slot("noun", draw.fresh(v.FURNITURE)), "det": "the"}
    elif draw.chance(0.05):
        made["color"] = draw.slot("color", draw.pick(v.COLORS))
    return made


def item(
    draw: Draw, nouns: tuple[str, ...] = v.PORTABLE, *, plain: float = 0.3, several: bool = True
) -> Meaning:
    """Return a portable thing, told apart by owner, color, attribute or where it is; or several."""
    made: Meaning = {"noun": draw.slot("noun", draw.fresh(nouns)), "det": "the"}
    if several and draw.chance(0.1):
        made["det"] = draw.of({"all": 3, "any one": 2, "each": 0.5, "both": 1})
    elif several and draw.chance(0.05):
        made |= {
            "det": draw.of({"the": 1, "any": 1}),
            "count": draw.slot("number", draw.pick(COUNTS)),
        }
    if draw.chance(plain):
        return made
    if draw.chance(0.45):
        made["owner"] = person(draw) if draw.chance(0.85) else {"everybody here": True}
    if nouns is not v.FOOD and draw.chance(0.45):
        made["color"] = draw.slot("color", draw.pick(v.COLORS))
    if nouns is not v.FOOD and draw.chance(0.12):
        made["attribute"] = draw.slot("attribute", draw.pick(v.ATTRIBUTES))
    if draw.chance(0.26):
        made["where it is"] = place(draw)
    if made["det"] == "all" and draw.chance(0.3):
        made["except"] = {"same noun": True, "color": draw.slot("color", draw.pick(v.COLORS))}
    return made


def items(draw: Draw, nouns: tuple[str, ...] = v.PORTABLE, p: float = 0.14) -> Meaning:
    """Return a thing, or a list of things."""
    if not draw.chance(p):
        return item(draw, nouns)
    count = 2 + int(draw.chance(0.4)) + int(draw.chance(0.15))
    made = [item(draw, nouns, plain=0.6, several=False) for _ in range(count)]
    return {("one of" if draw.chance(0.12) else "all of"): made}


def everything(draw: Draw) -> Meaning:
    """Return all that is in a place, some of it left out now and then."""
    made: Meaning = {"everything": draw.of({"in or on": 1}), "place": place(draw)}
    if draw.chance(0.4):
        made["except"] = item(draw, several=False)
    if draw.chance(0.15):
        made["only what is"] = draw.slot(
            "attribute", draw.pick(("dirty", "wet", "edible", "broken", "empty", "clean"))
        )
    return made
