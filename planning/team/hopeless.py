"""Goals out of a robot's reach whatever the others do for it, as a proof."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np

from commonground.arrays import Bools
from commonground.planning.pddl import (
    And,
    Atom,
    Formula,
    Not,
    Or,
    conjuncts,
    nnf,
    satisfiable,
    to_pddl,
)
from commonground.planning.pddl.formula import rebuilt
from commonground.planning.result import Status
from commonground.planning.scene.goal import literals
from commonground.planning.scene.loose import loosened
from commonground.planning.scene.paths import ShortestPaths
from commonground.planning.scene.planner import plan_robot
from commonground.planning.scene.roadmap import NEAR, Roadmap, build_roadmap
from commonground.planning.scene.vocabulary import VOCABULARY, done_by
from commonground.planning.team.conflicts import contradicts_itself
from commonground.planning.team.world import things_in
from commonground.robots import Robot, Team
from commonground.scene import SceneGraph


def is_hopeless(
    graph: SceneGraph,
    team: Team,
    robot: Robot,
    goal: Formula,
    asked: Mapping[str, Formula] | None = None,
) -> bool:
    """Return whether a robot cannot reach a goal even if everything others could do to things came true.

    Facts about things that may come true with the help of others are taken as true, and so is their
    negation; a robot that cannot pick holds nothing whatever the others do. Where it is known what was
    ``asked`` of all, and nobody else's goal is about the same things, those who were asked for nothing avoid
    what this one avoids.
    """
    if contradicts_itself(graph, team, robot, goal):
        return True
    others = _Others(graph, team, robot, _bound(team, robot, goal, asked))

    def wished(formula: Formula) -> Formula:
        if isinstance(formula, And | Or):
            return rebuilt(formula, wished)
        atom = formula.body if isinstance(formula, Not) else formula
        if not isinstance(atom, Atom) or not VOCABULARY[atom.predicate].about_thing:
            return formula
        beyond = atom is formula and atom.predicate == "holding" and not robot.can("pick")
        helped = others.touch(atom.args[0]) if formula is not atom else others.may_help(atom)
        return And() if helped and not beyond else formula

    easier = wished(nnf(goal))
    if not satisfiable(Not(easier)):
        return False
    rng = np.random.default_rng(0)
    return plan_robot(graph, robot, easier, to_pddl(easier), rng)[0] is Status.UNSOLVABLE


def _bound(
    team: Team, robot: Robot, goal: Formula, asked: Mapping[str, Formula] | None
) -> Mapping[str, Formula]:
    """Return the goals of robots whose avoidance binds them: their own, and what they are sent for alone."""
    if asked is None:
        return {}
    bound = {**asked, robot.name: goal}
    theirs = [other for name, other in asked.items() if name != robot.name]
    if all(things_in(goal).isdisjoint(things_in(g)) for g in theirs):
        bound = {r.name: bound.get(r.name, goal) for r in team}
    return bound


def avoiding(road: Roadmap, goal: Formula) -> ShortestPaths:
    """Return the shortest paths of a robot around what its goal forbids for sure."""
    forbidden = np.zeros(len(road.positions), bool)
    for part in conjuncts(nnf(goal)):
        for literal in literals(part):
            if isinstance(part, Or) or literal.positive:
                continue
            if literal.predicate == "visited-region":
                forbidden |= road.graph.in_region(road.layer, literal.args[0])
            elif literal.predicate == "visited-place" and literal.args[0] in road.graph:
                forbidden[road.row(literal.args[0])] = True
    return ShortestPaths(road, forbidden)


def reaches(paths: ShortestPaths, robot: Robot, thing: str) -> bool:
    """Return whether a robot gets to where a thing lies, with nobody else about."""
    road = paths.roadmap
    meters = paths.between([road.start(robot), road.object(thing)])
    return bool(np.isfinite(meters[0, 1]))


class _Others:
    """What the others of a team could do for one robot, were they in nobody's way."""

    def __init__(
        self, graph: SceneGraph, team: Team, robot: Robot, bound: Mapping[str, Formula]
    ) -> None:
        self.robot, self.team, self.bound = robot, team, bound
        handling = ("pick", *done_by().values())  # what changes what a robot finds of a thing
        self.handlers = [r for r in team if r.name != robot.name and any(map(r.can, handling))]
        self.carriers = [r for r in team if r.can("pick") and r.can("place")]
        self._graph = graph
        self._lies: dict[str, Bools] = {}

    @cached_property
    def _paths(self) -> dict[str, ShortestPaths]:
        """The ways of each robot, and those that it might have beside the points of places."""
        found = {}
        for robot in self.team:
            road = build_roadmap(self._graph, robot)
            loose = loosened(road, robot) or replace(road, keeps_out=False)
            found[robot.name] = avoiding(loose, self.bound.get(robot.name, And()))
        return found

    @cached_property
    def _stands(self) -> dict[str, Bools]:
        """The places (n,) that each robot reaches."""
        found = {}
        for name, paths in self._paths.items():
            road = paths.roadmap
            found[name] = np.isfinite(paths.reach([road.start(self.team[name])])[0]) & road.usable
        return found

    def touch(self, thing: str) -> bool:
        """Return whether others may work on or carry a thing, perhaps after somebody brought it to them."""
        near = (*self.handlers, *self.carriers)
        return bool(self.handlers) and any(self._reaches(r, thing) for r in near)

    def may_help(self, atom: Atom) -> bool:
        """Return whether a fact about a thing that others touch may come true.

        A thing gets no farther than robots carry it, one from where another one put it.
        """
        thing = atom.args[0]
        if not self.touch(thing):
            return False
        if atom.predicate == "object-in-place":
            return bool(self._where(thing)[self._paths[self.robot.name].roadmap.row(atom.args[1])])
        if deed := VOCABULARY[atom.predicate].deed:
            return any(r.can(deed) and self._meets(r, thing) for r in self.team)
        return self._meets(self.robot, thing)

    def _reaches(self, robot: Robot, thing: str) -> bool:
        return reaches(self._paths[robot.name], robot, thing)

    def _meets(self, robot: Robot, thing: str) -> bool:
        """Return whether a robot may get to a thing, where it lies or where it may be put."""
        found = self._stands[robot.name] & self._beside(self._where(thing))
        return self._reaches(robot, thing) or bool(found.any())

    def _where(self, thing: str) -> Bools:
        """Return the places (n,) at which robots may put a thing."""
        if thing not in self._lies:
            lies = np.zeros(len(self._stands[self.robot.name]), bool)
            self._lies[thing] = lies
            left = list(self.carriers)
            while carrier := next((r for r in left if self._meets(r, thing)), None):
                left.remove(carrier)
                self._lies[thing] = self._lies[thing] | self._stands[carrier.name]
        return self._lies[thing]

    def _beside(self, lies: Bools) -> Bools:
        """Return the places (n,) from which a thing may be reached that lies at one of some places."""
        road = self._paths[self.robot.name].roadmap
        near = np.zeros(len(lies), bool)
        if lies.any():
            count = min(NEAR, len(lies))
            near[road.graph.nearest(road.layer, road.positions[lies], count)[1].ravel()] = True
        return near | lies
