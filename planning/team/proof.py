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
from commonground.planning.scene.footprints import footprints_of
from commonground.planning.scene.goal import literals
from commonground.planning.scene.plan import Action
from commonground.planning.team.errands import Errand, Way, way_of
from commonground.planning.team.settling import Mover
from commonground.planning.team.together import Crowd
from commonground.planning.team.track import HEIGHT_M, MARGIN_M
from commonground.planning.team.watch import STATES_PER_S, Watch
from commonground.planning.team.workload import certain

MOST_STATES = 300_000
MOST_GROUPS = 30
PIECES = (0.6, 0.3, 0.15)
"""Ways are cut into pieces no longer than such a share of the least distance that robots have to keep."""


def cannot_pass(
    movers: Mapping[str, Mover], goals: Mapping[str, Formula], watch: Watch, until: float = math.inf
) -> str:
    """Return who cannot get past whom, '' where nothing is proven until a watch has some time.

    Where the graph tells how wide the ground is, robots need not keep to the ways, where things stand
    around they may be carried away, and on two floors they need not keep apart; then nothing is proven.
    """
    if any(isinstance(part, Or) for goal in goals.values() for part in conjuncts(nnf(goal))):
        return ""
    if not all(map(_on_its_lines, movers.values())):
        return ""
    ways = {name: _freed(mover, goals.get(name)) for name, mover in movers.items()}
    for group in itertools.islice(_groups(list(ways), goals), MOST_GROUPS):
        if watch.now_s() > until:
            break
        if _kept_apart(movers, [ways[name] for name in group], group, watch):
            *most, last = group
            return f"{', '.join(most)} and {last} cannot get past each other on the ways there are"
    return ""


def _groups(names: Sequence[str], goals: Mapping[str, Formula]) -> Iterator[tuple[str, ...]]:
    """Yield pairs, then threes, with somebody among them who has a goal."""
    for size in (2, 3):
        for group in itertools.combinations(names, size):
            if any(name in goals for name in group):
                yield group


def _on_its_lines(mover: Mover) -> bool:
    """Return whether a robot keeps to the lines between places, to things and to its start, on one floor."""
    road = mover.way.road
    heights = np.r_[road.positions[:, 2], mover.robot.position[2]]
    return bool(
        road.widths.unknown(np.arange(len(road.positions))).all()
        and road.usable[list(road.start(mover.robot).anchors)].all()
        and len(footprints_of(road.graph.objects)) == 0
        and np.ptp(heights) < HEIGHT_M
    )


def _freed(mover: Mover, goal: Formula | None) -> tuple[Way, bool]:
    """Return a way with no more to do than its goal needs for sure, and whether it may end anywhere.

    Whoever starts beside a place is at it already, and whoever has to be at a thing may be beside its place.
    """
    road = mover.way.road
    things = [road.object(symbol) for symbol in road.graph.objects.symbols]
    way = way_of(mover.robot, road, mover.closed, (), things)
    first = road.symbol(road.row_at(mover.robot.position))
    needed = [] if goal is None else [x for x in certain(goal) if x.args[0] != first]
    visits = [x.args[0] for x in needed if x.predicate == "visited-place"][:1]
    ends = [x.args[0] for x in needed if x.predicate == "at-place"]
    if goal is not None and any(x.predicate == "at-object" for x in literals(nnf(goal))):
        ends = []
    rows = [way.road.row(place) for place in (*visits, *ends)]
    arrive = Action("goto", "", way.ground.points[:1])
    cut = replace(way, errands=tuple(Errand(row, "", arrive) for row in rows))
    return cut, not ends


def _kept_apart(
    movers: Mapping[str, Mover],
    ways: Sequence[tuple[Way, bool]],
    names: Sequence[str],
    watch: Watch,
) -> bool:
    """Return whether no steps lead to the goals; ways are cut as finely as the states allow."""
    radii = np.array([movers[name].robot.radius_m for name in names])
    needed_m = radii[:, None] + radii + MARGIN_M
    for piece in PIECES:
        piece_m = piece * float(needed_m.min())
        cut = [way.cut(piece_m) for way, _ in ways]
        states = math.prod(len(way.ground.points) for way in cut)
        if piece < PIECES[0] and states > MOST_STATES:
            return False
        crowd = Crowd(cut, [free for _, free in ways], needed_m - piece_m, frozenset())
        watch.did(min(states, MOST_STATES) / STATES_PER_S)
        if crowd.steps(MOST_STATES) is None:
            return True
    return False
