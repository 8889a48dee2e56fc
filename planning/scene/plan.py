"""Plans of a team on a scene graph: timed actions for each robot, their cost, and what is proven of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from commonground.arrays import Floats
from commonground.planning.result import Status

SAME_M = 1e-5
"""Meters by which sums of a few ways may be off."""


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """One action of one robot."""

    action: str
    """goto, inspect, pick, place or wait."""
    target: str
    """The object, place or region it is about."""
    path_map: Floats
    """(k, 3) waypoints of a motion, else the one point where it happens."""
    places: tuple[str, ...] = ()
    """The places a motion passes, in order."""
    item: str = ""
    """The object that is picked or placed."""
    start_s: float = 0.0
    end_s: float = 0.0

    @property
    def length_m(self) -> float:
        """Meters of the path."""
        return float(np.linalg.norm(np.diff(self.path_map, axis=0), axis=1).sum())

    def as_json(self) -> dict[str, Any]:
        """Return the action as JSON values."""
        out: dict[str, Any] = {
            "action": self.action,
            "target": self.target,
            "start_s": round(self.start_s, 3),
            "end_s": round(self.end_s, 3),
            "path_map": np.round(self.path_map, 3).tolist(),
            "places": list(self.places),
        }
        return {**out, "item": self.item} if self.action in ("pick", "place") else out


@dataclass(frozen=True, slots=True)
class RobotPlan:
    """The actions of one robot, and what is proven of their cost."""

    robot: str
    goal: str
    actions: tuple[Action, ...] = ()
    cost_m: float = 0.0
    """Meters from place to place, as the order was optimized; what is driven cuts corners and is less."""
    lower_bound_m: float = 0.0
    """No order of what fell to it needs fewer from place to place, were it alone."""
    optimal: bool = False
    reason: str = ""
    """What is worth knowing of a solved plan: that the goal is true already."""

    def proven(self) -> dict[str, Any]:
        """Return as JSON values what is proven of the robot's meters, were it alone with what fell to it."""
        return {
            "cost_m": round(self.cost_m, 4),
            "lower_bound_m": round(self.lower_bound_m, 4),
            "optimal": self.optimal,
        }


@dataclass(frozen=True, slots=True)
class TeamPlan:
    """The plan of a team: solved for every robot, or the reason why not."""

    status: Status
    robots: Mapping[str, RobotPlan] = field(default_factory=dict)
    reason: str = ""
    time_s: Mapping[str, float] = field(default_factory=dict)
    assumed: tuple[str, ...] = ()
    """What the graph does not tell, and the plan takes to be true: a sentence for each robot."""
    soonest_s: float = 0.0
    """No plan is done sooner."""
    least_m: float | None = None
    """No plan of the goals asked for needs fewer meters from place to place; None where nothing is proven."""

    @property
    def cost_m(self) -> float:
        """Meters from place to place of all robots, before corners are cut; infinite without a plan."""
        return (
            sum(p.cost_m for p in self.robots.values())
            if self.status is Status.SOLVED
            else math.inf
        )

    @property
    def makespan_s(self) -> float:
        """When the last robot is done."""
        return max((p.actions[-1].end_s for p in self.robots.values() if p.actions), default=0.0)

    @property
    def makespan_gap(self) -> float:
        """How much sooner the last robot could be done at best, relative to when it is."""
        return _gap(self.soonest_s, self.makespan_s)

    def as_json(self) -> dict[str, Any]:
        """Return the plan as the stable JSON object of ``commonground plan --json``."""
        solved = self.status is Status.SOLVED
        return {
            "status": str(self.status),
            "cost_m": round(self.cost_m, 4) if solved else None,
            **self._proven_m(),
            "makespan_s": round(self.makespan_s, 3) if solved else None,
            "makespan_lower_bound_s": round(self.soonest_s, 3) if solved else None,
            "makespan_gap": round(self.makespan_gap, 4) if solved else None,
            "time_s": {name: round(t, 4) for name, t in self.time_s.items()},
            "reason": self.reason,
            "assumed": list(self.assumed),
            "goals": {name: p.goal for name, p in self.robots.items()},
            "alone": {name: p.proven() for name, p in self.robots.items()} if solved else {},
            "robots": {name: [a.as_json() for a in p.actions] for name, p in self.robots.items()},
        }

    def _proven_m(self) -> dict[str, Any]:
        """Return as JSON values what is proven of the meters for the goals that were asked for."""
        if self.status is not Status.SOLVED or self.least_m is None:
            return {"lower_bound_m": None, "gap": None, "optimal": False}
        return {
            "lower_bound_m": round(self.least_m, 4),
            "gap": round(_gap(self.least_m, self.cost_m), 4),
            "optimal": self.cost_m <= self.least_m + SAME_M,
        }


def _gap(bound: float, value: float) -> float:
    """Return how much more than a bound a value is, relative to the value."""
    return max(0.0, 1.0 - bound / value) if value > 0 else 0.0
