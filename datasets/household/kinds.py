"""Types of household objects and what they do: who takes what, what breaks how, what heats."""

from __future__ import annotations

from typing import Literal

Affordance = Literal[
    "breakable", "cold_source", "cookable", "dirtyable", "fillable", "heat_source", "moveable",
    "openable", "pickupable", "receptacle", "sliceable", "toggleable",
]  # fmt: skip
NEEDED = {
    "open": "openable", "on": "toggleable", "sliced": "sliceable", "broken": "breakable",
    "filled": "fillable", "cooked": "cookable",
}  # fmt: skip
"""The affordance without which a state cannot be true."""

SHATTERING = frozenset(["Bowl", "Cup", "Egg", "Mug", "Plate", "Statue", "Vase", "WineBottle"])
STOVEWARE = frozenset(["Pan", "Pot", "Kettle"])
DRINKWARE = frozenset(["Mug", "Cup"])
CUTLERY = frozenset(["Pen", "Pencil", "Spoon", "Fork", "Knife", "ButterKnife"])
DISHES = frozenset(["Plate", "Bowl", "Pan", "Pot", "Box"])
COOKABLE_SLICES = frozenset(["Bread", "Potato", "Egg"])
FLOOR = "Floor"
SLICED = "Sliced"
"""Ends the type of a slice: ``BreadSliced``."""

_ONLY: dict[str, frozenset[str]] = {
    "Toaster": frozenset(["BreadSliced"]),
    "CoffeeMachine": DRINKWARE,
    "StoveBurner": STOVEWARE,
    "HandTowelHolder": frozenset(["HandTowel"]),
    "TowelHolder": frozenset(["Towel"]),
    "ToiletPaperHanger": frozenset(["ToiletPaper"]),
    "Mug": CUTLERY,
    "Cup": CUTLERY,
}


def takes(receptacle: str, item: str) -> bool:
    """Return whether a receptacle of one type takes an object of another."""
    only = _ONLY.get(receptacle)
    if only is not None:
        return item in only
    return receptacle not in DISHES or item not in DISHES
