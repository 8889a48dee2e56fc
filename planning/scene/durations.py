"""How long actions take: the only place where a robot's speed is used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from commonground.arrays import Floats
from commonground.planning.scene.plan import Action
from commonground.robots import Robot

ACTION_S = {"inspect": 5.0, "pick": 10.0, "place": 10.0}
"""Default duration of the actions that are not motion."""

Meters = TypeVar("Meters", float, Floats)


def travel_s(robot: Robot, meters: Meters) -> Meters:
    """Return how long a robot drives for so many meters, one number or many."""
    return meters / robot.speed_mps


def timed(actions: Sequence[Action], robot: Robot) -> tuple[Action, ...]:
    """Return actions one after the other, motions at the robot's speed."""
    out, now = [], 0.0
    for action in actions:
        takes = ACTION_S.get(action.action, travel_s(robot, action.length_m))
        out.append(replace(action, start_s=now, end_s=now + takes))
        now += takes
    return tuple(out)
