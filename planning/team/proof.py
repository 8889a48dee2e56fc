"""Proof that a few robots cannot get past each other, however they drive on the ways there are.

Any motions on the ways become steps between points on them, one robot at a time, when each position is
rounded to the nearest point. That moves a position by half the distance of two points at most, so rounded
robots are nearer to each other by that distance at most. Where steps with so much less room do not lead to
the goals, no motion does; robots that are left out, and what is left out of goals, only make it easier.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from commonground.planning.pddl import Formula, Or, conjuncts, nnf
from commonground.planning.scene.goal import Literal, literals
from commonground.planning.scene.plan import Action
from commonground.planning.team.errands import Errand, Way
from commonground.planning.team.settling import Mover
from commonground.planning.team.together import Crowd
from commonground.planning.team.track import MARGIN_M

MOST_STATES = 300_000
MOST_GROUPS = 30
PIECE = 0.6
"""Ways are cut into pieces no longer than this share of the least distance that robots have to keep."""


def cannot_pass(movers: Mapping[str, Mover], goals: Mapping[str, Formula]) -> str:
    """Return who cannot get past whom, '' where nothing is proven.

    Where the graph tells how wide the ground is, robots need not keep to the ways, and where things stand
    around they may be carried away; then nothing is proven.
    """
    if any(isinstance(part, Or) for goal in goals.values() for part in conjuncts(nnf(goal))):
        return ""
    if any(
        not m.way.road.widths.unknown(np.arange(len(m.way.road.positions))).all()
        for m in movers.values()
    ):
        return ""
    ways = {name: _freed(mover, goals.get(name)) for name, mover in movers.items()}
    for group in itertools.islice(_groups(list(ways), goals), MOST_GROUPS):
        if not _together(movers, [ways[name] for name in group], group):
            *most, last = group
            return f"{', '.join(most)} and {last} cannot get past each other on the ways there are"
    return ""


def _groups(names: Sequence[str], goals: Mapping[str, Formula]) -> Iterator[tuple[str, ...]]:
    """Yield pairs, then threes, with somebody among them who has a goal."""
    for size in (2, 3):
        for group in itertools.combinations(names, size):
            if any(name in goals for name in group):
                yield group


def _freed(mover: Mover, goal: Formula | None) -> tuple[Way, bool]:
    """Return a way with no more to do than its goal needs for sure, and whether it may end anywhere."""
    way = mover.way
    needed = [] if goal is None else list(_needed(goal))
    visits = [x.args[0] for x in needed if x.predicate == "visited-place"][:1]
    ends = [x.args[0] for x in needed if x.predicate == "at-place"]
    rows = [way.road.row(place) for place in (*visits, *ends)]
    arrive = Action("goto", "", way.ground.points[:1])
    cut = replace(way, errands=tuple(Errand(row, "", arrive) for row in rows))
    return cut, not ends


def _needed(goal: Formula) -> Iterator[Literal]:
    """Yield the literals that are true whenever a goal is."""
    for part in conjuncts(nnf(goal)):
        found = list(literals(part))
        if len(found) == 1 and found[0].positive:
            yield found[0]


def _together(
    movers: Mapping[str, Mover], ways: Sequence[tuple[Way, bool]], names: Sequence[str]
) -> bool:
    """Return whether some steps lead to the goals, or so many states were not enough to tell."""
    radii = np.array([movers[name].robot.radius_m for name in names])
    needed_m = radii[:, None] + radii + MARGIN_M
    longest_m = max(float(way.ground.travel_s.max()) * way.robot.speed_mps for way, _ in ways)
    halvings = max(0, math.ceil(math.log2(longest_m / (PIECE * needed_m.min()))))
    cut = [way for way, _ in ways]
    for _ in range(halvings):
        cut = [way.halved() for way in cut]
    reach_m = needed_m - longest_m / 2**halvings
    crowd = Crowd(cut, [free for _, free in ways], reach_m, frozenset())
    return crowd.steps(MOST_STATES) is not None
