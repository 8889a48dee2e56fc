"""Help between robots: one inspects, brings or hands over what another one cannot inspect, move or reach."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

import numpy as np

from commonground.planning.pddl import And, Atom, Formula, nnf
from commonground.planning.scene.goal import Literal, literals
from commonground.planning.scene.paths import ShortestPaths, unrestricted
from commonground.planning.scene.roadmap import build_roadmap
from commonground.planning.team.hopeless import reaches
from commonground.robots import Robot, Team
from commonground.scene import SceneGraph

MOST_PLACES = 3
"""So many places are tried for handing a thing over."""
MOST_TRIED = 12
MOVING = ("pick", "place")
CARRIED = frozenset({"holding", "object-in-place"})
HANDLED = CARRIED | {"safe", "visited-object", "at-object"}
Help = tuple[str, Atom]
"""Who helps, and by what."""


def with_help(
    graph: SceneGraph, team: Team, goals: Mapping[str, Formula]
) -> Iterator[dict[str, Formula]]:
    """Yield goals with those of helpers extended by what robots need that cannot do all by themselves."""
    offers = list(_Offers(graph, team).all(goals))
    if offers:
        for helps in itertools.islice(itertools.product(*offers), MOST_TRIED):
            out = dict(goals)
            for helper, extra in dict.fromkeys(helps):
                out[helper] = And((out[helper], extra)) if helper in out else extra
            yield out


class _Offers:
    """Who could help whom with what, from what each robot can do and reach."""

    def __init__(self, graph: SceneGraph, team: Team) -> None:
        self.graph, self.team = graph, team
        self.paths = {r.name: unrestricted(build_roadmap(graph, r)) for r in team}

    def all(self, goals: Mapping[str, Formula]) -> Iterator[list[Help]]:
        """Yield a list of alternative helps for each thing that a robot needs help with."""
        for name, goal in goals.items():
            wanted = [x for x in literals(nnf(goal)) if x.positive and x.predicate in HANDLED]
            for literal in dict.fromkeys(wanted):
                helps = [h for r in self.team if r.name != name for h in self._of(r, name, literal)]
                if helps:
                    yield helps

    def _of(self, helper: Robot, name: str, wanted: Literal) -> Iterator[Help]:
        """Yield what a robot can do so that another one's literal can come true."""
        thing, robot = wanted.args[0], self.team[name]
        if not self._reaches(helper.name, thing):
            return
        needed = {"holding": ("pick",), "object-in-place": MOVING, "safe": ("inspect",)}
        unable = not all(map(robot.can, needed.get(wanted.predicate, ())))
        moves = all(map(helper.can, MOVING))
        if unable and wanted.predicate == "object-in-place" and moves:
            yield helper.name, Atom(wanted.predicate, wanted.args)
        elif not unable and not self._reaches(name, thing) and moves:
            for place in self._between(helper.name, name, thing):
                yield helper.name, Atom("object-in-place", (thing, place))
        elif helper.can("inspect") and self._inspected(robot, wanted):
            yield helper.name, Atom("safe", (thing,))

    def _inspected(self, robot: Robot, wanted: Literal) -> bool:
        """Return whether a thing is to be inspected a robot cannot, for its goal or to carry it."""
        thing = wanted.args[0]
        if wanted.predicate == "safe":
            return not robot.can("inspect") or not self._reaches(robot.name, thing)
        if wanted.predicate not in CARRIED or robot.can("inspect") or not robot.can("pick"):
            return False
        layer = self.graph.objects
        return bool(layer.metadata(layer.row(thing)).get("suspicious"))

    def _meters(self, paths: ShortestPaths, robot: Robot) -> np.ndarray:
        road = paths.roadmap
        return np.where(road.usable, paths.reach([road.start(robot)])[0], np.inf)

    def _reaches(self, name: str, thing: str) -> bool:
        return reaches(self.paths[name], self.team[name], thing)

    def _between(self, helper: str, name: str, thing: str) -> list[str]:
        """Return places that both robots reach, those first over which the thing's way is short."""
        theirs, mine = self.paths[helper], self.paths[name]
        road = theirs.roadmap
        from_thing = np.where(road.usable, theirs.reach([road.object(thing)])[0], np.inf)
        meters = from_thing + self._meters(mine, self.team[name])
        best = np.argsort(meters, kind="stable")[:MOST_PLACES]
        return [road.symbol(int(row)) for row in best if np.isfinite(meters[row])]
