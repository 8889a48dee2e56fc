"""Draws: a sheet under construction, and the phrases that all domains share.

A meaning is plain JSON. Whatever stands for words of the text is the number of a *slot* (`{"noun": 3}`); the
sheet lists the slots with the words they may be called by, and a wording marks where its own words for each
stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import vocabulary as v

Meaning = dict[str, Any]
Chances = dict[str, float]

COUNTS = ("two", "three", "four", "five", "2", "3")
METERS = (
    "5 m",
    "10 meters",
    "12 m",
    "twenty meters",
    "3 m",
    "50 m",
    "eight meters",
    "1.5 m",
    "100 m",
)


@dataclass
class Draw:
    """One sheet under construction: random choices, and the slots made so far."""

    rng: np.random.Generator
    slots: list[tuple[str, str]] = field(default_factory=list)

    def chance(self, p: float) -> bool:
        """Return whether something of probability p happens."""
        return bool(self.rng.random() < p)

    def pick(self, options: Sequence[str]) -> str:
        """Return one of some words."""
        return str(options[int(self.rng.integers(len(options)))])

    def of(self, chances: Chances) -> str:
        """Return a key, drawn by weight."""
        keys = list(chances)
        weights = np.array([chances[k] for k in keys], float)
        return keys[int(self.rng.choice(len(keys), p=weights / weights.sum()))]

    def slot(self, kind: str, text: str) -> int:
        """Return the number of a new slot."""
        self.slots.append((kind, text))
        return len(self.slots)

    def fresh(self, options: Sequence[str]) -> str:
        """Return words that the sheet does not hold yet."""
        used = {text for _, text in self.slots}
        for _ in range(20):
            text = self.pick(options)
            if text not in used:
                break
        return text


SUPERLATIVES: Chances = {
    "nearest": 6,
    "farthest": 2,
    "northernmost": 1,
    "southernmost": 1,
    "westernmost": 1,
    "easternmost": 1,
    "leftmost": 0.7,
    "rightmost": 0.7,
    "largest": 0.7,
    "smallest": 0.7,
    "tallest": 0.6,
}
RELATIONS: Chances = {
    "in": 5,
    "not in": 1.2,
    "near": 2,
    "within": 2,
    "beyond": 0.7,
    "between": 2,
    "left of": 0.8,
    "right of": 0.8,
    "in front of": 1,
    "behind": 1,
    "north of": 0.9,
    "south of": 0.9,
    "east of": 0.7,
    "west of": 0.7,
    "in the same area as": 0.6,
    "on the speaker's robot's left": 0.7,
    "on the speaker's robot's right": 0.7,
    "on": 0.8,
    "under": 0.5,
    "above": 0.4,
    "opposite": 0.5,
}


def outdoor(draw: Draw) -> str:
    """Return a fresh noun for a thing a scene may hold."""
    return draw.fresh(v.OUTDOOR_THINGS if draw.chance(0.72) else v.INDOOR_THINGS)


def symbol(draw: Draw, kind: str | None = None) -> Meaning:
    """Return a phrase that is a symbol of the map."""
    kind = kind or draw.of({"object": 6, "place": 2, "region": 2})
    number = int(draw.rng.integers(1, 3000 if kind == "place" else 700 if kind == "object" else 40))
    return {"symbol": draw.slot("symbol", f"{kind} {kind[0].upper()}{number}")}


def region(draw: Draw, depth: int = 1, *, named: float = 0.45) -> Meaning:
    """Return a phrase for an area."""
    if draw.chance(named):
        return {"name": draw.slot("region name", draw.fresh(v.REGION_NAMES))}
    phrase: Meaning = {"noun": draw.slot("noun", draw.fresh(v.REGIONS)), "det": "the"}
    if depth > 0 and draw.chance(0.3):
        inner = {"noun": draw.slot("noun", outdoor(draw)), "det": draw.of({"the": 2, "a": 1})}
        how = draw.of({"holds": 3, "holds no": 1, "nearest": 2, "largest": 1, "north of": 1})
        if how in ("nearest", "largest"):
            phrase["best"] = {"how": how} | ({"to": inner} if how == "nearest" else {})
        else:
            phrase["where"] = [{"is": how, "to": [inner]}]
    return phrase


def thing(draw: Draw, depth: int = 2, *, single: bool = False) -> Meaning:
    """Return a phrase for things of a scene: one, several, all, or a choice."""
    if draw.chance(0.12 if depth > 1 else 0.05):
        return symbol(draw, "object")
    phrase: Meaning = {"noun": draw.slot("noun", outdoor(draw))}
    phrase["det"] = "the" if single else draw.of({"the": 5, "all": 2, "any one": 1.6, "each": 0.4})
    if draw.chance(0.14):
        phrase["color"] = draw.slot("color", draw.pick(v.COLORS))
    elif draw.chance(0.08):
        phrase["attribute"] = draw.slot("attribute", draw.pick(v.ATTRIBUTES))
    if not single and draw.chance(0.14):
        phrase["det"] = draw.of({"the": 2, "any": 1.5})
        phrase["count"] = draw.slot("number", draw.pick(COUNTS))
        if phrase["det"] == "any" and draw.chance(0.3):
            phrase["of"] = draw.slot("number", draw.pick(("three", "four", "five", "six")))
    if depth > 0:
        _modify(draw, phrase, depth, single)
    return phrase


def _modify(draw: Draw, phrase: Meaning, depth: int, single: bool) -> None:
    if draw.chance(0.26):
        phrase["best"] = best = {"how": draw.of(SUPERLATIVES)}
        if draw.chance(0.05):
            best["how"] = {"other": draw.slot("superlative", draw.pick(v.UNMAPPED))}
        if best["how"] in ("nearest", "farthest") and draw.chance(0.75):
            best["to"] = anchor(draw, depth - 1)
        if draw.chance(0.1):
            best["rank"] = draw.slot("ordinal", draw.pick(("second", "third")))
        phrase["det"] = "the"
    elif draw.chance(0.34):
        phrase["where"] = [relation(draw, depth)]
        if draw.chance(0.08):
            phrase["where"].append(relation(draw, 0))
    if not single and phrase["det"] in ("all", "each") and draw.chance(0.3):
        phrase["except"] = (
            {"same noun": True, "det": "the", "where": [relation(draw, 0)]}
            if draw.chance(0.6)
            else {"same noun": True, "det": "the", "color": draw.slot("color", draw.pick(v.COLORS))}
        )


def anchor(draw: Draw, depth: int) -> Meaning:
    """Return what a distance is measured to."""
    if draw.chance(0.2):
        return region(draw, 0)
    return thing(draw, depth, single=True)


def relation(draw: Draw, depth: int) -> Meaning:
    """Return a condition on where something is."""
    how = draw.of(RELATIONS)
    if draw.chance(0.04):
        return {"is": "belongs to", "to": [{"person": draw.slot("person", draw.fresh(v.PEOPLE))}]}
    if how in ("in", "not in"):
        if draw.chance(0.2):
            either = {draw.of({"one of": 3, "all of": 1}): [region(draw, 0), region(draw, 0)]}
            return {"is": how, "to": [either]}
        return {"is": how, "to": [region(draw, 0)]}
    if how.startswith("on the speaker"):
        return {"is": how}
    if how == "between" and draw.chance(0.5):
        return {
            "is": how,
            "to": [{"noun": draw.slot("noun", outdoor(draw)), "det": "the two"}],
        }
    made: Meaning = {"is": how, "to": [anchor(draw, depth - 1)]}
    if how == "between":
        made["to"].append(anchor(draw, 0))
    if how in ("within", "beyond"):
        made["distance"] = draw.slot("distance", draw.pick(METERS))
    return made


def joined(draw: Draw, make: Any, p: float = 0.12) -> Meaning:
    """Return a phrase, or now and then several joined by and/or."""
    if not draw.chance(p):
        return dict(make())
    count = 2 + int(draw.chance(0.3)) + int(draw.chance(0.1))
    if draw.chance(0.3):
        kind = draw.of({"object": 3, "place": 2, "region": 2})
        return {
            "all of" if draw.chance(0.7) else "one of": [symbol(draw, kind) for _ in range(count)]
        }
    if draw.chance(0.25):
        first = {"noun": draw.slot("noun", outdoor(draw)), "det": draw.of({"the": 3, "all": 2})}
        parts = [first | {"where": [relation(draw, 0)]}]
        parts.append({"same noun": True, "det": first["det"], "where": [relation(draw, 0)]})
        return {"all of" if draw.chance(0.6) else "one of": parts}
    return {"all of" if draw.chance(0.7) else "one of": [make() for _ in range(count)]}
