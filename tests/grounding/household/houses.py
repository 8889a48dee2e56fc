"""A made-up house, what a team believes of it, and missions in it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
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
from commonground.datasets.household.worlds import Floor
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.household.bridge import believed
from commonground.household.team import HouseholdTeam, Ran

HANDY = RobotSpec("robot1", frozenset(SKILLS), 3.0)


def house(seed: int = 2) -> Floor:
    """Return a floor plan."""
    return make_worlds(1, np.random.default_rng(seed))["House1"]


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
