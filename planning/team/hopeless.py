"""Goals out of a robot's reach whatever the others do for it, as a proof."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from commonground.planning.pddl import And, Atom, Formula, Not, Or, nnf, satisfiable, to_pddl
from commonground.planning.result import Status
from commonground.planning.scene.paths import ShortestPaths, unrestricted
from commonground.planning.scene.planner import plan_robot
from commonground.planning.scene.roadmap import build_roadmap
from commonground.planning.scene.vocabulary import VOCABULARY
from commonground.robots import Robot, Team
from commonground.scene import SceneGraph

HANDLING = ("inspect", "pick")
"""What others may do to a thing that changes what a robot finds."""


def is_hopeless(graph: SceneGraph, team: Team, robot: Robot, goal: Formula) -> bool:
    """Return whether a robot cannot reach a goal even if everything others could do to things came true.

    Facts about things that another robot may inspect or carry are taken as true, on whichever side of the
    goal they stand; a robot that cannot pick holds nothing whatever the others do.
    """
    touched = _touched(graph, team, robot)

    def wished(formula: Formula) -> Formula:
        if isinstance(formula, And | Or):
            return type(formula)(tuple(wished(part) for part in formula.parts))
        atom = formula.body if isinstance(formula, Not) else formula
        if not isinstance(atom, Atom) or VOCABULARY[atom.predicate].kinds[0] != "object":
            return formula
        beyond = atom is formula and atom.predicate == "holding" and not robot.can("pick")
        return formula if beyond or not touched(atom.args[0]) else And()

    easier = wished(nnf(goal))
    if not satisfiable(Not(easier)):
        return False
    rng = np.random.default_rng(0)
    return plan_robot(graph, robot, easier, to_pddl(easier), rng)[0] is Status.UNSOLVABLE


def reaches(paths: ShortestPaths, robot: Robot, thing: str) -> bool:
    """Return whether a robot gets to where a thing lies, with nobody else about."""
    road = paths.roadmap
    meters = paths.between([road.start(robot), road.object(thing)])
    return bool(np.isfinite(meters[0, 1]))


def _touched(graph: SceneGraph, team: Team, robot: Robot) -> Callable[[str], bool]:
    """Return which things others may inspect or carry, perhaps after somebody brought them there."""
    handlers = [r for r in team if r.name != robot.name and any(map(r.can, HANDLING))]
    carriers = [r for r in team if r.can("pick") and r.can("place")]
    paths: dict[str, ShortestPaths] = {}

    def near(one: Robot, thing: str) -> bool:
        if one.name not in paths:
            paths[one.name] = unrestricted(build_roadmap(graph, one))
        return reaches(paths[one.name], one, thing)

    return lambda thing: bool(handlers) and any(near(r, thing) for r in (*handlers, *carriers))
