"""Where robots that end at one place stand together: points that leave all of them enough room.

Discs are packed into the ground of a place by sweeps: each robot in turn gets the first of many points that
is far enough from those before it, the points sorted by how deep in they are or along some direction. Who
comes first goes deepest in.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats
from commonground.planning.scene.plan import Action
from commonground.planning.team.errands import Errand
from commonground.planning.team.room import Room
from commonground.planning.team.settling import SLACK_M, Mover
from commonground.planning.team.track import MARGIN_M

DIRECTIONS = 8
DRAWN = 16
"""So many sweeps are made in random order after the others."""
MOST_KEPT = 4
"""So many ways of standing together are tried."""


class Stand(NamedTuple):
    """Where a robot ends."""

    place: int
    point: tuple[float, float, float]


Stands = Mapping[str, Stand]


def packings(movers: Mapping[str, Mover]) -> list[Stands]:
    """Return ways in which the robots that end at places together can stand there, the deepest first."""
    found = [list(_packed(place, group)) for place, group in _groups(movers).items()]
    if not found or not all(found):
        return []
    return [
        dict(itertools.chain(*(ways[k % len(ways)].items() for ways in found)))
        for k in range(max(map(len, found)))
    ]


def crowded(movers: Mapping[str, Mover]) -> str:
    """Return in words which robots found no way to stand at one place together, '' for none."""
    for place, group in _groups(movers).items():
        if not any(True for _ in _packed(place, group)):
            *most, last = (mover.robot.name for mover in group)
            symbol = group[0].way.road.symbol(place)
            return f"{', '.join(most)} and {last} found no room at {symbol} for all of them"
    return ""


def _groups(movers: Mapping[str, Mover]) -> dict[int, list[Mover]]:
    """Return the robots that have to end at a place, by that place, wherever there are several."""
    groups: dict[int, list[Mover]] = {}
    for mover in movers.values():
        place = _end(mover)
        if place >= 0:
            groups.setdefault(place, []).append(mover)
    return {place: group for place, group in groups.items() if len(group) > 1}


def _end(mover: Mover) -> int:
    """Return the place at which a robot has to end, −1 where that is none or a point beside one."""
    way = mover.way
    if mover.free_end:
        return -1
    if not way.errands:
        return way.road.row_at(mover.robot.position)
    last = way.errands[-1]
    return way.place(last.place) if last.action.action == "goto" else -1


def _packed(place: int, group: Sequence[Mover]) -> Iterator[Stands]:
    """Yield ways in which some robots stand at a place."""
    road = group[0].way.road
    at = np.array([m.robot.position for m in group])
    far_m = np.linalg.norm(at - road.positions[place], axis=1)
    order = sorted(range(len(group)), key=lambda k: (-group[k].robot.radius_m, far_m[k]))
    robots = [group[k] for k in order]
    radii = np.array([m.robot.radius_m for m in robots])
    points = [_room(m).all_over(place) for m in robots]
    seen = set[bytes]()
    for key in _keys(at.mean(axis=0)):
        chosen = _swept([p[np.argsort(key(p), kind="stable")] for p in points], radii)
        if chosen is None or np.round(chosen, 3).tobytes() in seen:
            continue
        seen.add(np.round(chosen, 3).tobytes())
        yield _shared_out(place, robots, chosen, at.mean(axis=0))
        if len(seen) == MOST_KEPT:
            return


def _room(mover: Mover) -> Room:
    return Room(mover.way.road, mover.way.road.usable & ~mover.closed, mover.robot.radius_m)


class _Key(NamedTuple):
    """By what points are sorted: how far they are from one, or along a direction, or at random."""

    origin: Floats | None
    direction: Floats
    seed: int

    def __call__(self, points: Floats) -> Floats:
        if self.origin is not None:
            return np.asarray(-np.linalg.norm(points - self.origin, axis=1))
        if self.seed:
            return np.random.default_rng(self.seed).random(len(points))
        return np.asarray(np.round(points[:, :2] @ self.direction, 6))


def _keys(origin: Floats) -> Iterator[_Key]:
    yield _Key(origin, np.zeros(2), 0)
    for k in range(DIRECTIONS):
        turn = 2.0 * np.pi * k / DIRECTIONS
        yield _Key(None, np.array([np.cos(turn), np.sin(turn)]), 0)
    yield from (_Key(None, np.zeros(2), seed) for seed in range(1, DRAWN + 1))


def _swept(points: Sequence[Floats], radii: Floats) -> Floats | None:
    """Return a point (k, 3) for each robot, the first of its own that is free; None where one finds none."""
    chosen = np.empty((len(points), 3))
    for k, own in enumerate(points):
        needed = radii[:k] + radii[k] + MARGIN_M + SLACK_M
        gaps = np.linalg.norm((own[:, None] - chosen[:k])[..., :2], axis=2)
        free = np.flatnonzero((gaps >= needed).all(axis=1))
        if len(free) == 0:
            return None
        chosen[k] = own[free[0]]
    return chosen


def _shared_out(place: int, robots: Sequence[Mover], chosen: Floats, origin: Floats) -> Stands:
    """Return who stands where, of equal robots the nearest deepest in, and the deepest first."""
    deep = np.linalg.norm(chosen - origin, axis=1)
    stands: dict[str, tuple[float, Stand]] = {}
    for _, some in itertools.groupby(range(len(robots)), key=lambda k: robots[k].robot.radius_m):
        rows = list(some)
        for k, row in zip(rows, sorted(rows, key=lambda k: -deep[k]), strict=True):
            x, y, z = chosen[row].tolist()
            stands[robots[k].robot.name] = float(deep[row]), Stand(place, (x, y, z))
    return {n: stand for n, (_, stand) in sorted(stands.items(), key=lambda item: -item[1][0])}


def parked(wide: Mapping[str, Mover], stands: Stands) -> dict[str, Mover]:
    """Return robots, those first that end deepest in, each of which ends at its own point."""
    first = {name: _parked(wide[name], stand) for name, stand in stands.items()}
    return first | {name: mover for name, mover in wide.items() if name not in first}


def _parked(mover: Mover, stand: Stand) -> Mover:
    way = mover.way
    row = int(np.linalg.norm(way.ground.points - stand.point, axis=1).argmin())
    if way.errands:
        errands = (*way.errands[:-1], way.errands[-1]._replace(place=row, also=()))
    else:
        symbol = way.road.symbol(stand.place)
        arrive = Action("goto", symbol, way.ground.points[row][None])
        errands = (Errand(row, symbol, arrive, stand.place),)
    return replace(mover, way=replace(way, errands=errands, stay=()), keeps=False)
