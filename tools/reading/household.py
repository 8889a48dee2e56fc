"""Sampled household orders: how things are to be in the end, for a team that may be named."""

from __future__ import annotations

import vocabulary as v
from draw import Chances, Draw, Meaning
from home import everything, heads, item, items, person, place, room
from scene import robot

DEEDS: Chances = {
    "put": 8,
    "switch on": 2.4,
    "switch off": 2.4,
    "open": 1.6,
    "close": 1.6,
    "clean": 2,
    "cut up": 1.6,
    "cook": 1,
    "heat": 0.9,
    "chill": 0.9,
    "toast": 0.4,
    "break": 0.9,
    "fill": 0.9,
    "empty out": 0.7,
    "clear": 1,
    "throw away": 1.6,
    "put on top of each other": 0.3,
    "make (a bed)": 0.3,
    "water running": 0.5,
    "lights of a room": 0.6,
    "odd": 0.5,
    "bring to a person": 0.8,
    "serve a drink": 0.8,
    "take into the robot's own hand": 0.6,
    "make it stop ringing": 0.6,
    "tune to a channel": 0.6,
    "routine": 0.7,
}
NOUNS = {
    "switch on": v.SWITCHABLES,
    "switch off": v.SWITCHABLES,
    "open": v.CLOSABLES,
    "close": v.CLOSABLES,
    "cut up": v.FOOD,
    "cook": v.FOOD,
    "chill": v.FOOD,
    "toast": ("slice of bread", "bread", "bagel", "loaf of bread"),
    "break": v.BREAKABLES,
    "empty out": v.VESSELS,
    "make it stop ringing": ("phone", "mobile", "alarm clock", "telephone", "timer"),
}


AGAIN: Chances = {"put": 8, "throw away": 2, "bring to a person": 1, "clean": 1, "odd": 0.3}
"""What can be wanted of nearly any thing that was spoken of just before."""


def deed(draw: Draw, again: list[int] | None = None) -> Meaning:
    """Return one condition that is wanted; ``again`` are things spoken of just before."""
    do = draw.of(AGAIN if again else DEEDS)
    made = _fixture(draw, do) or _portable(draw, do, {"again": again} if again else None)
    if draw.chance(0.05):
        made["manner"] = draw.slot("manner", draw.pick(v.MANNERS))
    if draw.chance(0.03) and "noun" in made.get("what", {}):
        wrong = draw.slot("wrong noun", draw.fresh(v.PORTABLE))
        made["what"]["slip of the tongue, corrected at once"] = wrong
    return made


def _portable(draw: Draw, do: str, what: Meaning | None) -> Meaning:
    """Return a deed done to what can be carried, or an odd one."""
    if do == "odd":
        verb = draw.slot("verb", draw.fresh(v.ODD_VERBS))
        return {"do": {"verb": verb}, "what": what or item(draw, several=False)}
    if do in ("put", "throw away"):
        what = what or (everything(draw) if draw.chance(0.06) else items(draw))
    elif do in ("clean", "heat"):
        what = what or items(draw, v.DISHES if draw.chance(0.6) else v.PORTABLE)
    elif do in NOUNS:
        what = what or items(draw, NOUNS[do], 0.1)
    else:
        what = what or item(draw, v.VESSELS if do == "fill" else v.PORTABLE)
    made: Meaning = {"do": do, "what": what}
    if do == "put":
        made["to"] = place(draw)
    elif do == "fill":
        made["with"] = draw.slot("liquid", draw.pick(v.DRINKS))
    elif do == "bring to a person":
        made["to"] = {"person": draw.slot("person", draw.fresh(v.PEOPLE))}
    return made


def _fixture(draw: Draw, do: str) -> Meaning | None:
    """Return a deed done to what stays where it is, or to no single thing; None if it is none of these."""
    made: Meaning
    if do == "clear":
        return {"do": do, "what": place(draw)}
    if do in ("routine", "serve a drink", "tune to a channel"):
        return _service(draw, do)
    if do in ("switch on", "switch off", "open", "close") and draw.chance(0.6):
        fixture = place(draw, NOUNS[do])
        if draw.chance(0.25):
            fixture["det"] = draw.of({"all": 3, "each": 1, "any one": 1})
        return {"do": do, "what": fixture}
    if do == "put on top of each other":
        return {"do": do, "what": {"all of": [item(draw, several=False) for _ in range(2)]}}
    if do == "make (a bed)":
        return {"do": do, "what": place(draw, ("bed", "cot", "sofa bed", "bunk"))}
    if do == "water running":
        at = place(draw, ("sink", "bathtub", "shower", "washbasin"))
        return {"do": do, "at": at, "wanted": draw.of({"on": 1, "off": 1})}
    if do == "lights of a room":
        made = {"do": do, "wanted": draw.of({"dark": 1, "bright": 1})}
        return made | ({"room": room(draw)} if draw.chance(0.7) else {})
    return None


def _service(draw: Draw, do: str) -> Meaning:
    """Return a deed that names what is to come of it rather than a thing to handle."""
    if do == "routine":
        return {"do": {"routine": draw.slot("routine", draw.pick(v.ROUTINES))}}
    if do == "serve a drink":
        made: Meaning = {"do": do, "with": draw.slot("liquid", draw.pick(v.DRINKS[:8]))}
        made["to"] = person(draw)
        return made | ({"what": item(draw, v.VESSELS, several=False)} if draw.chance(0.3) else {})
    made = {"do": do, "what": place(draw, v.SCREENS)}
    return made | {"to": draw.slot("channel", draw.pick(v.CHANNELS))}


def chain(draw: Draw, count: int) -> list[Meaning]:
    """Return deeds of which later ones may be about what an earlier one was about."""
    made = [deed(draw)]
    while len(made) < count:
        portable = str(made[-1]["do"]) in (
            "put",
            "clean",
            "cut up",
            "cook",
            "heat",
            "chill",
            "toast",
            "fill",
            "empty out",
        )
        before = heads(made[-1].get("what")) if portable else []
        there = heads(made[-1].get("to"))
        if before and draw.chance(0.5):
            made.append(deed(draw, before))
        elif there and draw.chance(0.15):
            made.append({"do": "put", "what": item(draw), "to": {"again": there}})
        else:
            made.append(deed(draw))
    return made


def household(draw: Draw) -> Meaning:
    """Return one order."""
    count = int(draw.of({"1": 5, "2": 5, "3": 3, "4": 0.8}))
    how = (
        "all"
        if count == 1
        else draw.of(
            {
                "all, any order": 6,
                "in order": 3,
                "at the same time": 0.8,
                "one of these, free choice": 0.5,
            }
        )
    )
    parts: list[Meaning] = []
    if count > 1 and draw.chance(0.15):
        parts = [{"who": robot(draw), "do these": [deed(draw)]} for _ in range(count)]
    else:
        deeds = chain(draw, count)
        parts = [deeds[0] if count == 1 else {how: deeds}]
        if draw.chance(0.15):
            parts[0] = {"who": robot(draw)} | parts[0]
    if draw.chance(0.1):
        parts.append(never(draw))
    if draw.chance(0.03):
        parts.append(
            {
                "as it was before": draw.of(
                    {"leave every door as it is now": 1, "put back what had to be moved": 1}
                )
            }
        )
    return {"parts": parts}


def everyday(draw: Draw) -> Meaning:
    """Return an order of the shortest kind: one or two deeds, any of them as often as another."""
    made = []
    for _ in range(int(draw.of({"1": 3, "2": 2}))):
        do = draw.pick(tuple(DEEDS))
        one = _fixture(draw, do) or _portable(draw, do, None)
        made.append(one)
    how = draw.of({"all": 2, "in order": 1})
    part = made[0] if len(made) == 1 else {how: made}
    who = {"who": robot(draw)} if draw.chance(0.06) else {}
    return {"parts": [who | part]}


def never(draw: Draw) -> Meaning:
    """Return what must not be done on the way."""
    do = draw.of({"open": 3, "switch on": 1, "touch": 2, "use": 2, "move": 1, "break": 0.5})
    nouns = {
        "open": v.CLOSABLES,
        "switch on": v.SWITCHABLES,
        "use": v.SWITCHABLES + v.FURNITURE,
    }.get(do, v.PORTABLE)
    return {"never": do, "what": item(draw, nouns, plain=0.8, several=False)}
