"""Sampled instructions to robots on a map: who does what, in which order, and what nobody may do."""

from __future__ import annotations

import vocabulary as v
from draw import Chances, Draw, Meaning, joined, region, symbol, thing

DEEDS: Chances = {
    "go to": 5,
    "end up at": 3,
    "inspect": 6,
    "hold": 2.4,
    "put": 2.4,
    "explore": 1,
    "odd": 0.6,
    "stay where it is": 0.25,
    "come back to where it started": 0.35,
}


def deed(draw: Draw, who: Meaning | None = None) -> Meaning:
    """Return one thing to do."""
    do = draw.of(DEEDS)
    clause: Meaning = {"do": do} | ({} if who is None else {"who": who})
    if do in ("go to", "end up at"):
        kind = draw.of({"thing": 5, "region": 4, "symbol": 0.8})
        clause["to"] = joined(
            draw,
            lambda: (
                thing(draw)
                if kind == "thing"
                else symbol(draw)
                if kind == "symbol"
                else region(draw)
            ),
        )
    elif do == "inspect":
        clause["what"] = joined(draw, lambda: thing(draw), 0.15)
    elif do == "explore":
        clause["what"] = joined(draw, lambda: region(draw), 0.15)
    elif do == "hold":
        clause["what"] = thing(draw, single=draw.chance(0.7))
    elif do == "put":
        clause["what"] = thing(draw, single=draw.chance(0.8))
        place = draw.of({"region": 3, "place": 3, "beside a thing": 1.5})
        clause["to"] = (
            region(draw)
            if place == "region"
            else symbol(draw, "place")
            if place == "place"
            else {"beside": thing(draw, 0, single=True)}
        )
    elif do == "odd":
        clause = {
            "do": {"verb": draw.slot("verb", draw.fresh(v.ODD_VERBS))},
            "what": thing(draw, 1, single=True),
        }
        clause |= {} if who is None else {"who": who}
    _shade(draw, clause)
    return clause


def _shade(draw: Draw, clause: Meaning) -> None:
    """Add what is seldom said: manner, a slip that is put right at once, a condition."""
    if draw.chance(0.06):
        clause["manner"] = draw.slot("manner", draw.pick(v.MANNERS))
    target = clause.get("what") or clause.get("to") or {}
    if "noun" in target and draw.chance(0.03):
        target["slip of the tongue, corrected at once"] = draw.slot(
            "wrong noun", draw.fresh(v.OUTDOOR_THINGS)
        )
    if draw.chance(0.03):
        thing_ = {"noun": draw.slot("noun", draw.fresh(v.INDOOR_THINGS)), "det": "the"}
        state = draw.slot(
            "state", draw.pick(("open", "free", "locked", "empty", "lit", "damaged", "moving"))
        )
        clause["only if"] = {"what": thing_, "is": state} | (
            {"not": True} if draw.chance(0.3) else {}
        )


def robot(draw: Draw) -> Meaning:
    """Return one robot by name."""
    return {"name": draw.slot("robot", draw.fresh(v.ROBOTS))}


def crew(draw: Draw) -> Meaning:
    """Return who is told to do one thing."""
    kind = draw.of(
        {
            "one": 14,
            "two each": 1.5,
            "either": 1.2,
            "all": 1.5,
            "any one": 1.2,
            "nobody named": 0.8,
            "able": 0.5,
            "nearest": 0.5,
            "all but": 0.9,
        }
    )
    if kind == "one":
        return robot(draw)
    if kind in ("two each", "either"):
        return {
            "each of" if kind == "two each" else "one of, free choice": [robot(draw), robot(draw)]
        }
    if kind == "able":
        return {
            "whichever robot can": draw.of(
                {"pick things up": 2, "inspect": 1, "carry": 1, "drive there": 1}
            )
        }
    if kind == "nearest":
        return {"whichever robot is nearest to": thing(draw, 0, single=True)}
    if kind == "all but":
        return {"every robot except": robot(draw)}
    return {"all": {"every": "robot"}, "any one": {"any one": "robot"}}.get(
        kind, {"unnamed": "the robot spoken to"}
    )


def work(draw: Draw, who: Meaning) -> Meaning:
    """Return what one crew is to do: one deed or several, in order or not."""
    shape = draw.of(
        {
            "one": 10,
            "in order": 3.5,
            "all, any order": 2,
            "one of these, free choice": 1,
            "introduced": 4,
            "a choice and more": 0.7,
        }
    )
    if shape == "one":
        return {"who": who} | deed(draw)
    if shape == "introduced":
        return {"who": who} | introduced(draw)
    if shape == "a choice and more":
        both: list[Meaning] = [{"one of these, free choice": [deed(draw), deed(draw)]}, deed(draw)]
        if draw.chance(0.4):
            both.reverse()
        return {"who": who, draw.of({"in order": 1, "all, any order": 1}): both}
    count = 2 + int(draw.chance(0.35 if shape == "in order" else 0.2))
    return {"who": who, shape: [deed(draw) for _ in range(count)]}


def introduced(draw: Draw) -> Meaning:
    """Return a deed whose thing is mentioned first, in a sentence of its own, and taken up again."""
    first = thing(draw, 1, single=draw.chance(0.6))
    made: Meaning = {"mentioned first, in a statement of its own": [first]}
    if draw.chance(0.2):
        second = thing(draw, 0, single=True)
        made["mentioned first, in a statement of its own"].append(second)
        verbs = [draw.of({"inspect": 3, "go to": 2, "hold": 1}) for _ in range(2)]
        made["in order" if draw.chance(0.4) else "all, any order"] = [
            {"do": verbs[0], "what": {"again": [_head(first)]}},
            {"do": verbs[1], "what": {"again": [_head(second)]}},
        ]
        return made
    again: Meaning = {"again": [_head(first)]}
    if first.get("det") in ("all", "each") or "count" in first:
        again["take"] = draw.of({"all": 3, "any one": 2, "any two": 1})
    task: Meaning = {
        "do": draw.of({"inspect": 4, "go to": 3, "hold": 2, "put": 1, "end up at": 1}),
        "what": again,
    }
    if task["do"] == "put":
        task["to"] = region(draw)
    made["in order"] = [task, deed(draw)] if draw.chance(0.25) else [task]
    return made


def _head(phrase: Meaning) -> int:
    return int(phrase.get("noun") or phrase.get("symbol") or phrase.get("name") or 0)


def never(draw: Draw, who: Meaning | None) -> Meaning:
    """Return an area or thing that is out of bounds the whole time."""
    made: Meaning = {"never": draw.of({"enter": 8, "come near": 1, "touch": 0.7})}
    made["what"] = (
        joined(draw, lambda: region(draw), 0.15)
        if made["never"] == "enter"
        else thing(draw, 0, single=True)
    )
    return made | ({} if who is None else {"who": who})


def scene(draw: Draw) -> Meaning:
    """Return one instruction."""
    shape = draw.of(
        {
            "one crew": 62,
            "two robots": 16,
            "one and the other": 8,
            "after one another": 4,
            "split": 4,
            "odd": 3,
        }
    )
    parts: list[Meaning] = []
    if shape == "one crew":
        parts = [work(draw, crew(draw))]
    elif shape == "two robots":
        parts = [work(draw, robot(draw)), work(draw, robot(draw))]
    elif shape == "one and the other":
        first: Meaning = {"any one": "robot"}
        if draw.chance(0.25):
            first = {"whichever robot is nearest to": thing(draw, 0, single=True)}
        parts = [
            {"who": first} | deed(draw),
            {"who": {"the other": "robot"}} | deed(draw),
        ]
    elif shape == "after one another":
        parts = [
            work(draw, robot(draw)),
            {"only after the part before is finished": True} | work(draw, robot(draw)),
        ]
    elif shape == "split":
        parts = [{"who": {"every": "robot"}, "shared out among them": deed(draw)}]
    else:
        parts = [question(draw)] if draw.chance(0.5) else [withdrawn(draw)]
    if draw.chance(0.2) and shape != "odd":
        everybody = shape != "one crew" and draw.chance(0.5)
        parts.append(never(draw, {"every": "robot"} if everybody else None))
    return {"parts": parts}


def question(draw: Draw) -> Meaning:
    """Return a question, which asks for an answer and no deed."""
    return {
        "asks": draw.of(
            {"where is": 2, "how many are there": 1, "is there": 1, "which robot is nearest to": 1}
        ),
        "what": thing(draw, 1),
    }


def withdrawn(draw: Draw) -> Meaning:
    """Return an order that is taken back before it ends, or that only reports what somebody else ordered."""
    kind = draw.of(
        {
            "order taken back": 2,
            "tells of yesterday's order, asks nothing": 1,
            "only imagines it": 1,
            "asks to do again what was done another day": 0.5,
        }
    )
    if kind.startswith("asks to do again"):
        return {kind: True, "who": robot(draw)}
    return {kind: work(draw, robot(draw))}
