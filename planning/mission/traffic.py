"""Robots out of each other's way, however late each of them is.

A robot may drive only along pieces of its way that were granted to it. Two rules decide: no piece is granted
that comes too near to what is granted to another robot or to where it stands, so no two robots can ever come
too near; and where two ways cross, robots pass in the order in which the plan had them pass, so plans that
hold together go on holding together when somebody is late.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.planning.mission.task import Task
from commonground.planning.team.track import HEIGHT_M, MARGIN_M

PIECE_M = 1.0
"""Ways are granted in pieces of at most so many meters."""
AHEAD_M = 2.0
"""So far ahead of a robot its way is granted."""
FOREIGN_M = 3.5
"""So much more room is kept from a robot that somebody else drives: as far as it may be granted to go on.

Whoever that is keeps as much from ours, if it is a mission too, so neither is granted what the other is.
"""
EPS_M = 1e-6


class Piece(NamedTuple):
    """A straight piece of a task's way."""

    task: str
    begin_m: float
    end_m: float
    a: tuple[float, ...]
    b: tuple[float, ...]
    begin_s: float
    end_s: float


class Rule(NamedTuple):
    """Before a piece is granted, another robot has to be past so many meters of its task."""

    robot: str
    task: str
    past_m: float


def pieces_of(task: Task) -> list[Piece]:
    """Return a motion in pieces, each with the times at which the plan has it."""
    line = np.array(task.path, float)
    whole = max(task.length_m, 1e-9)
    pieces, gone = [], 0.0
    for a, b in itertools.pairwise(line):
        length = float(np.linalg.norm(b - a))
        count = max(1, int(np.ceil(length / PIECE_M)))
        for k in range(count):
            ends = [gone + length * share for share in (k / count, (k + 1) / count)]
            begin_s, end_s = (task.start_s + m / whole * (task.end_s - task.start_s) for m in ends)
            points = [a + (b - a) * share for share in (k / count, (k + 1) / count)]
            one, two = (tuple(p.tolist()) for p in points)
            pieces.append(Piece(task.key, ends[0], ends[1], one, two, begin_s, end_s))
        gone += length
    return pieces


def passing_rules(
    tasks: Mapping[str, Sequence[Task]], radius_m: Mapping[str, float]
) -> dict[tuple[str, int], list[Rule]]:
    """Return (task, number of its piece) → who has to be past where first."""
    ways = {name: [p for t in own if t.moves for p in pieces_of(t)] for name, own in tasks.items()}
    number = {name: _numbered(way) for name, way in ways.items()}
    rules: dict[tuple[str, int], list[Rule]] = defaultdict(list)
    names = [name for name, way in ways.items() if way]
    for i, one in enumerate(names):
        for two in names[i + 1 :]:
            room = radius_m[one] + radius_m[two] + MARGIN_M
            for j, k, first in _meetings(ways[one], ways[two], room):
                p, q = ways[one][j], ways[two][k]
                if first:
                    rules[q.task, number[two][k]].append(Rule(one, p.task, p.end_m))
                else:
                    rules[p.task, number[one][j]].append(Rule(two, q.task, q.end_m))
    return rules


def _numbered(way: Sequence[Piece]) -> list[int]:
    """Return the number of each piece within its task."""
    count: dict[str, int] = defaultdict(int)
    out = []
    for piece in way:
        out.append(count[piece.task])
        count[piece.task] += 1
    return out


def _meetings(
    one: Sequence[Piece], two: Sequence[Piece], room_m: float
) -> list[tuple[int, int, bool]]:
    """Return the pairs of pieces that come too near, and whether the first robot is there first."""
    near = gaps(_ends(one), _ends(two))
    j, k = np.nonzero(near.meters < room_m - EPS_M)
    t = _times(one)[j]
    u = _times(two)[k]
    when_one = t[:, 0] + near.on_first[j, k] * (t[:, 1] - t[:, 0])
    when_two = u[:, 0] + near.on_second[j, k] * (u[:, 1] - u[:, 0])
    return list(zip(j.tolist(), k.tolist(), (when_one <= when_two).tolist(), strict=True))


def _ends(way: Sequence[Piece]) -> Floats:
    return np.array([(p.a, p.b) for p in way], float).reshape(-1, 2, 3)


def _times(way: Sequence[Piece]) -> Floats:
    return np.array([(p.begin_s, p.end_s) for p in way], float)


def apart(line: Floats, other: Floats, room_m: float) -> bool:
    """Return whether two lines (k, 3), points among them, keep so many meters from each other."""
    ends = [
        np.stack([x[:-1], x[1:]], axis=1) if len(x) > 1 else x[None, [0, 0]] for x in (line, other)
    ]
    return bool((gaps(ends[0], ends[1]).meters >= room_m - EPS_M).all())


class Gaps(NamedTuple):
    """How near straight pieces come to each other on the ground, and where on each that is (n, m)."""

    meters: Floats
    on_first: Floats
    on_second: Floats


def gaps(one: Floats, two: Floats) -> Gaps:
    """Return the least distances between pieces (n, 2, 3) and (m, 2, 3); infinite on different floors."""
    a, b = one[:, None, 0, :2], one[:, None, 1, :2]
    c, d = two[None, :, 0, :2], two[None, :, 1, :2]
    zero, full = (np.full((len(one), len(two)), v) for v in (0.0, 1.0))
    tries = [
        (zero, _foot(a, c, d)),
        (full, _foot(b, c, d)),
        (_foot(c, a, b), zero),
        (_foot(d, a, b), full),
    ]
    crossed, s, t = _crossing(a, b, c, d)
    meters, first, second = np.where(crossed, 0.0, np.inf), s, t
    for u, v in tries:
        u, v = np.broadcast_arrays(u, v)
        gap = np.linalg.norm(a + u[..., None] * (b - a) - c - v[..., None] * (d - c), axis=-1)
        nearer = gap < meters
        meters = np.where(nearer, gap, meters)
        first, second = np.where(nearer, u, first), np.where(nearer, v, second)
    z = np.abs(one[:, None, :, 2].mean(axis=-1) - two[None, :, :, 2].mean(axis=-1))
    return Gaps(np.where(z < HEIGHT_M, meters, np.inf), first, second)


def _foot(p: Floats, a: Floats, b: Floats) -> Floats:
    """Return where on a to b, from 0 to 1, the point nearest to p is."""
    along = b - a
    share = ((p - a) * along).sum(axis=-1) / np.maximum((along**2).sum(axis=-1), 1e-18)
    return np.asarray(np.clip(share, 0.0, 1.0))


def _crossing(a: Floats, b: Floats, c: Floats, d: Floats) -> tuple[Bools, Floats, Floats]:
    """Return which pieces cross, and where on each."""
    r, s, gap = b - a, d - c, c - a
    turn = r[..., 0] * s[..., 1] - r[..., 1] * s[..., 0]
    safe = np.where(np.abs(turn) > 1e-12, turn, np.inf)
    t = (gap[..., 0] * s[..., 1] - gap[..., 1] * s[..., 0]) / safe
    u = (gap[..., 0] * r[..., 1] - gap[..., 1] * r[..., 0]) / safe
    inside = (t > 0) & (t < 1) & (u > 0) & (u < 1)
    return inside, np.clip(t, 0.0, 1.0), np.clip(u, 0.0, 1.0)
