"""Made-up households and tasks for tests and measurements: rooms, things in likely places, mixed teams."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from commonground.datasets.household.goals import parse_literal
from commonground.datasets.household.tasks import Hidden, HouseholdTask, RobotSpec
from commonground.datasets.household.worlds import Floor, Thing, check_floor

_FIXED: dict[str, tuple[str, ...]] = {
    "Floor": ("receptacle",),
    "CounterTop": ("receptacle",),
    "Cabinet": ("openable", "receptacle"),
    "Drawer": ("openable", "receptacle"),
    "Fridge": ("openable", "receptacle", "cold_source"),
    "Microwave": ("openable", "receptacle", "toggleable", "heat_source"),
    "Toaster": ("receptacle", "toggleable", "heat_source"),
    "CoffeeMachine": ("receptacle", "toggleable", "heat_source"),
    "StoveBurner": ("receptacle", "heat_source"),
    "StoveKnob": ("toggleable",),
    "Sink": ("receptacle",),
    "SinkBasin": ("receptacle",),
    "Faucet": ("toggleable",),
    "GarbageCan": ("receptacle", "moveable"),
    "DiningTable": ("receptacle", "moveable"),
    "Shelf": ("receptacle",),
    "Sofa": ("receptacle", "moveable"),
    "Desk": ("receptacle", "moveable"),
    "Bed": ("receptacle",),
    "Television": ("breakable", "toggleable"),
    "LightSwitch": ("toggleable",),
    "FloorLamp": ("toggleable", "moveable"),
    "Blinds": ("openable",),
}
_LOOSE: dict[str, tuple[float, tuple[str, ...], tuple[str, ...]]] = {
    "Apple": (0.18, ("sliceable",), ("CounterTop", "Fridge", "DiningTable")),
    "Tomato": (0.12, ("sliceable",), ("Fridge", "CounterTop")),
    "Lettuce": (0.35, ("sliceable",), ("Fridge", "CounterTop")),
    "Potato": (0.22, ("sliceable", "cookable"), ("CounterTop", "Cabinet")),
    "Bread": (0.6, ("sliceable",), ("CounterTop", "Cabinet")),
    "Egg": (0.06, ("sliceable", "breakable"), ("Fridge",)),
    "Knife": (0.15, (), ("Drawer", "CounterTop")),
    "Fork": (0.05, (), ("Drawer", "DiningTable")),
    "Spoon": (0.05, (), ("Drawer", "DiningTable")),
    "Plate": (0.55, ("receptacle", "breakable", "dirtyable"), ("Cabinet", "DiningTable")),
    "Bowl": (0.45, ("receptacle", "breakable", "dirtyable", "fillable"), ("Cabinet", "CounterTop")),
    "Mug": (0.35, ("receptacle", "breakable", "dirtyable", "fillable"), ("Cabinet", "CounterTop")),
    "Pan": (0.8, ("receptacle", "dirtyable"), ("StoveBurner",)),
    "Book": (0.4, ("openable",), ("Shelf", "Sofa", "Desk")),
    "CellPhone": (0.2, ("toggleable", "breakable"), ("Desk", "Drawer", "Sofa")),
    "Laptop": (1.6, ("openable", "toggleable", "breakable"), ("Desk", "Bed")),
    "RemoteControl": (0.15, (), ("Sofa", "Shelf")),
    "Pillow": (0.5, (), ("Bed", "Sofa")),
    "Vase": (0.9, ("breakable",), ("Shelf", "DiningTable")),
    "KeyChain": (0.08, (), ("Drawer", "Shelf")),
    "Watch": (0.07, (), ("Drawer", "Desk")),
    "Pen": (0.02, (), ("Desk", "Drawer")),
    "Pencil": (0.02, (), ("Desk", "Shelf")),
}
"""Mass in kilograms, affordances besides being portable, where it is kept."""
_SLOTS = {"StoveBurner": 1, "Toaster": 2, "CoffeeMachine": 1}
_COUNTS = {
    "Cabinet": (4, 8),
    "Drawer": (3, 6),
    "CounterTop": (1, 3),
    "Shelf": (2, 4),
    "StoveBurner": (2, 4),
}
_CARRY = ("GoToObject", "PickupObject", "PutObject", "DropHandObject")
_TEAMS: tuple[tuple[tuple[str, ...], ...], ...] = (
    ((*_CARRY, "OpenObject", "CloseObject"), ("GoToObject", "SwitchOn", "SwitchOff"),
     (*_CARRY, "SliceObject", "BreakObject")),
    (_CARRY, ("GoToObject", "OpenObject", "CloseObject", "SwitchOn", "SwitchOff"),
     (*_CARRY, "SliceObject", "BreakObject")),
    ((*_CARRY, "OpenObject", "CloseObject", "SwitchOn", "SwitchOff", "SliceObject", "BreakObject"), _CARRY),
)  # fmt: skip


def make_worlds(count: int, rng: np.random.Generator) -> dict[str, Floor]:
    """Return floor plans with one of everything and several of what homes have several of."""
    return {f"House{i + 1}": _house(f"House{i + 1}", rng) for i in range(count)}


def _house(name: str, rng: np.random.Generator) -> Floor:
    things: dict[str, Thing] = {}
    for kind, affordances in _FIXED.items():
        least, most = _COUNTS.get(kind, (1, 1))
        for n in range(1, int(rng.integers(least, most + 1)) + 1):
            state: dict[str, bool | str] = {}
            if "openable" in affordances:
                state["open"] = kind == "Blinds"
            if "toggleable" in affordances:
                state["on"] = kind == "LightSwitch"
            things[f"{kind}_{n}"] = Thing(
                f"{kind}_{n}",
                kind,
                affordances=frozenset(affordances),
                location=None if kind == "Floor" else "Floor_1",
                state=state,
                slots=_SLOTS.get(kind),
            )
    _wire(things)
    taken: set[str] = set()
    for kind, (mass, affordances, places) in _LOOSE.items():
        spots = [t.name for t in things.values() if t.type in places and t.name not in taken]
        spot = str(rng.choice(spots))
        if things[spot].slots is not None:
            taken.add(spot)
        thing = Thing(
            f"{kind}_1",
            kind,
            round(mass * float(rng.uniform(0.8, 1.2)), 3),
            frozenset(("pickupable", *affordances)),
            spot,
            {"open": False} if "openable" in affordances else {},
        )
        things[thing.name] = thing
    return check_floor(things, name)


def _wire(things: dict[str, Thing]) -> None:
    """Link faucet and sink to the basin, and each knob to a burner."""
    from dataclasses import replace

    things["Faucet_1"] = replace(things["Faucet_1"], serves="SinkBasin_1")
    things["Sink_1"] = replace(things["Sink_1"], basin="SinkBasin_1")
    knob = things.pop("StoveKnob_1")
    for burner in [name for name in things if name.startswith("StoveBurner")]:
        own = "StoveKnob_" + burner.rsplit("_", 1)[1]
        things[own] = replace(knob, name=own, controls=burner)


# ---- tasks -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Wish:
    """A kind of task: ways to say it, and the goal, with ``{x}`` and ``{y}`` for types of things."""

    category: str
    texts: tuple[str, ...]
    goals: tuple[str, ...]
    things: tuple[str, ...]
    """What x may be."""
    others: tuple[str, ...] = ("",)
    """What y may be."""


def make_tasks(
    worlds: Mapping[str, Floor],
    count: int,
    wishes: Sequence[Wish],
    rng: np.random.Generator,
    *,
    hide: bool = False,
    spoken: Callable[[str], str] = str.lower,
) -> list[HouseholdTask]:
    """Return tasks with wordings drawn from ``wishes``; with ``hide``, what x is stays hidden at first."""
    tasks = []
    for i in range(count):
        wish = wishes[i % len(wishes)]
        floor = str(rng.choice(list(worlds)))
        x = str(rng.choice(wish.things))
        y = str(rng.choice([other for other in wish.others if other != x]))
        text = str(rng.choice(wish.texts)).format(x=spoken(x), y=spoken(y))
        goal = tuple(parse_literal(g.format(x=x, y=y)) for g in wish.goals)
        team = _TEAMS[int(rng.integers(len(_TEAMS)))]
        robots = tuple(
            RobotSpec(f"robot{n + 1}", frozenset(skills), 3.0) for n, skills in enumerate(team)
        )
        hidden = _hidden(worlds[floor], x) if hide else ()
        tasks.append(
            HouseholdTask(
                f"{floor}_{i}", floor, text, robots, wish.category, goals=(goal,), hidden=hidden
            )
        )
    return tasks


def _hidden(floor: Floor, kind: str) -> tuple[Hidden, ...]:
    thing = floor[f"{kind}_1"]
    place = thing.location or ""
    return (Hidden(thing.name, place, floor[place].can("openable")),)
