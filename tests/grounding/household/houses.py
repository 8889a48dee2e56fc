"""A made-up house, what a team believes of it, and missions in it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from commonground.datasets.household import (
    Hidden,
    House,
    HouseholdTask,
    RobotSpec,
    make_worlds,
    parse_literal,
)
from commonground.datasets.household.tasks import SKILLS
from commonground.datasets.household.worlds import Floor, Thing, check_floor
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.repair.settings import RepairSettings
from commonground.household.bridge import believed
from commonground.household.team import HouseholdTeam, Ran

HANDY = RobotSpec("robot1", frozenset(SKILLS), 3.0)
PATIENT = RepairSettings(improve_s=0.0, budget_s=60.0, plan_s=60.0)
"""Nothing is improved, and time decides nothing."""


def house(seed: int = 2) -> Floor:
    """Return a floor plan."""
    return make_worlds(1, np.random.default_rng(seed))["House1"]


def several_of_a_kind() -> Floor:
    """Return a house with three vases, two lamps, and types that general knowledge does not list."""
    things = dict(house())

    def add(name: str, place: str, mass_kg: float = 0.3, *can: str, fixed: bool = False) -> None:
        kind = name.rsplit("_", 1)[0]
        affordances = frozenset(can if fixed else ("pickupable", *can))
        things[name] = Thing(name, kind, None if fixed else mass_kg, affordances, place)

    add("Vase_2", "Sofa_1")
    add("Vase_3", "Desk_1")
    add("GumballMachine_1", "Floor_1", 0, "toggleable", fixed=True)
    add("HatBox_1", "Floor_1", 0, "receptacle", fixed=True)
    add("Gizmo_1", "Desk_1")
    vase = things["Vase_1"]
    things["Vase_1"] = replace(vase, location="DiningTable_1")
    return check_floor(things, "House1")


def graph_of(floor: Floor, robots: Sequence[RobotSpec] = (HANDY,)) -> HouseGraph:
    """Return everything a team can know of a floor plan."""
    return believed(House(floor, robots))


def task(
    text: str,
    goals: Collection[str],
    robots: Sequence[RobotSpec] = (HANDY,),
    hidden: Sequence[Hidden] = (),
) -> HouseholdTask:
    """Return a task."""
    literals = tuple(map(parse_literal, goals))
    return HouseholdTask(
        "t", "House1", text, tuple(robots), goals=(literals,), hidden=tuple(hidden)
    )


def carry_out(team: HouseholdTeam, floor: Floor, told: HouseholdTask, **how: Any) -> Ran:
    """Carry out a task."""
    return team.carry_out(floor, told, **how)
