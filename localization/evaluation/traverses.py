"""Simulated traverses of a world of objects: a drifting object map each, and the true poses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from commonground.arrays import Floats, Floats32, Ints
from commonground.geometry import apply, from_xyz_yaw, inverse
from commonground.localization.evaluation.worlds import KINDS, Perception, View, World, view
from commonground.objects import ObjectMap, Submap

EVERY_M = 10.0
"""Travel between submaps."""
SPEED_MPS = 1.0
HEADING_WALK = 0.0015
"""Standard deviation of the odometry's heading after a meter, in radians; it grows with their root."""
RECOGNIZED_M = 2.0
"""An object seen again this near to where the map has it is the same to the mapper, farther off a new one."""


@dataclass(frozen=True, slots=True, eq=False)
class Traverse:
    """One robot's object map, and the truth about it."""

    objects: ObjectMap
    """In the robot's odometry frame, which is the world's where the drive begins and drifts from there."""
    T_world_submaps: Floats
    """(s, 4, 4) where each submap was really taken."""
    truth: Ints
    """(n,) the world's object behind each object; −1 for none."""


def route(corners: ArrayLike, every_m: float = EVERY_M) -> Floats:
    """Return poses (s, 3) as x, y, yaw every so many meters along straight lines between corners."""
    xy = np.asarray(corners, float)
    out = []
    for a, b in pairwise(xy):
        length = float(np.hypot(*(b - a)))
        yaw = np.arctan2(b[1] - a[1], b[0] - a[0])
        for s in np.arange(0.0, length, every_m):
            x, y = a + (b - a) * s / length
            out.append((x, y, yaw))
    return np.array(out)


def street_route(rng: np.random.Generator, extent_m: float, submaps: int) -> Floats:
    """Return a route of so many submaps along a campus's streets, by the stretches driven least so far."""
    level, edge = extent_m / 5, 0.45 * extent_m
    ticks = (-edge, -level, level, edge)
    streets = ((1, (0, 1, 2, 3)), (2, (0, 1, 2, 3)))
    return least_driven(rng, ticks, streets, submaps)


def hybrid_route(rng: np.random.Generator, extent_m: float, submaps: int) -> Floats:
    """Return a route as on a campus that takes a corridor of the building in the middle where it can."""
    level, edge = extent_m / 5, 0.45 * extent_m
    ticks = (-edge, -level, 0.0, level, edge)
    lines = ((1, (0, 1, 2, 3, 4)), (3, (0, 1, 2, 3, 4)), (2, (1, 2, 3)))
    return least_driven(rng, ticks, lines, submaps, inviting=(2, 2))


Node = tuple[int, int]


def least_driven(
    rng: np.random.Generator,
    ticks: Sequence[float],
    lines: Sequence[tuple[int, Sequence[int]]],
    submaps: int,
    inviting: Node | None = None,
) -> Floats:
    """Return a route of so many submaps along lines of a grid by the stretches driven least so far.

    A line is the tick it runs at, from north to south and from west to east alike, and the ticks it
    connects. Of equal ways one that leads to ``inviting`` is taken.
    """
    paths: dict[Node, list[Node]] = {}
    for at, along in lines:
        for a, b in pairwise(along):
            for one, two in (((at, a), (at, b)), ((a, at), (b, at))):
                paths.setdefault(one, []).append(two)
                paths.setdefault(two, []).append(one)
    nodes = sorted(paths)
    here = nodes[rng.integers(len(nodes))]
    visits: Counter[frozenset[Node]] = Counter()
    corners = [here]
    poses = np.empty((0, 3))
    while len(poses) < submaps:
        options = sorted(paths[here])
        rng.shuffle(options)
        before = here
        here = min(options, key=lambda n: (visits[frozenset((n, before))], n != inviting))
        visits[frozenset((here, before))] += 1
        corners.append(here)
        poses = route([(ticks[x], ticks[y]) for x, y in corners])
    return poses[:submaps]


def simulate_traverse(
    world: World,
    poses: Floats,
    rng: np.random.Generator,
    *,
    robot: str = "robot",
    perception: Perception | None = None,
    drift: float = 0.015,
    heading_walk: float = HEADING_WALK,
) -> Traverse:
    """Return what a robot maps along poses (s, 3); its odometry drifts by a share of the distance."""
    seen = perception or Perception()
    T_world = from_xyz_yaw(np.c_[poses[:, :2], np.zeros(len(poses)), poses[:, 2]])
    T_odom = drifted(T_world, drift, heading_walk, rng)
    views = [view(world, (x, y, yaw), seen, rng) for x, y, yaw in poses]
    objects, truth = _object_map(world, views, T_odom, robot)
    return Traverse(objects, T_world, truth)


def drifted(T_world: Floats, drift: float, heading_walk: float, rng: np.random.Generator) -> Floats:
    """Return the poses as odometry has them: steps with a scale error and a random walk of the heading."""
    out = [T_world[0]]
    scale = 1.0 + rng.normal(0, drift / 2)
    for before, after in pairwise(T_world):
        step = inverse(before) @ after
        length = float(np.linalg.norm(step[:3, 3]))
        step[:3, 3] = step[:3, 3] * scale + rng.normal(0, drift * np.sqrt(length) / 2, 3) * [
            1,
            1,
            0.3,
        ]
        turn = from_xyz_yaw(
            np.array([0.0, 0.0, 0.0, rng.normal(0, heading_walk * np.sqrt(length))])
        )
        out.append(out[-1] @ step @ turn)
    return np.array(out)


def _object_map(
    world: World, views: list[View], T_odom: Floats, robot: str
) -> tuple[ObjectMap, Ints]:
    """Merge the observations of each object as tracking does; ghosts and what drift moved stay single."""
    truth = np.concatenate([v.truth for v in views])
    places = np.concatenate([apply(T, v.points) for T, v in zip(T_odom, views, strict=True)])
    stamps = np.repeat(_stamps(len(views)), [len(v.truth) for v in views])
    ghosts = truth < 0
    key = np.where(ghosts, len(world) + np.arange(len(truth)), truth)
    first_row, row = _tracks(key, places)
    count = np.bincount(row)

    def mean(values: Floats) -> Floats:
        total = np.zeros((len(count), values.shape[1]))
        np.add.at(total, row, values)
        return np.asarray(total / count[:, None])

    features = {k: np.concatenate([v.features[k] for v in views]) for k in views[0].features}
    appearance = mean(features["embedding"])
    scores = mean(np.eye(len(KINDS))[features["label"].astype(int)])
    first, last = np.full(len(count), np.iinfo(np.int64).max), np.zeros(len(count), np.int64)
    np.minimum.at(first, row, stamps)
    np.maximum.at(last, row, stamps)
    ends = np.cumsum([0, *(len(v.truth) for v in views)])
    submaps = tuple(
        Submap(int(stamp), T, np.unique(row[ends[s] : ends[s + 1]]), robot)
        for s, (stamp, T) in enumerate(zip(_stamps(len(views)), T_odom, strict=True))
    )
    objects = ObjectMap.of(
        mean(places),
        sizes=mean(features["size"]),
        shapes=_f32(mean(features["shape"])),
        embeddings=_f32(appearance / np.linalg.norm(appearance, axis=1, keepdims=True)),
        label_scores=_f32(0.9 * scores + 0.1 / len(KINDS)),
        observations=count,
        first_seen_ns=first,
        last_seen_ns=last,
        vocabulary=tuple(kind.name for kind in KINDS),
        embedding_model="simulated",
        frame="odom",
        submaps=submaps,
        metadata={"robot": robot},
    )
    return objects, truth[first_row]


def _tracks(things: Ints, places: Floats) -> tuple[Ints, Ints]:
    """Return the first observation of each track, and each observation's track; by thing, then by time."""
    number = np.zeros(len(things), np.int64)
    tracks: dict[int, list[list[int]]] = {}
    for k, thing in enumerate(things.tolist()):
        own = tracks.setdefault(thing, [])
        gaps = [float(np.linalg.norm(places[t].mean(axis=0) - places[k])) for t in own]
        if gaps and min(gaps) < RECOGNIZED_M:
            number[k] = int(np.argmin(gaps))
            own[number[k]].append(k)
        else:
            number[k] = len(own)
            own.append([k])
    _, first, row = np.unique(
        np.stack([things, number], axis=1), axis=0, return_index=True, return_inverse=True
    )
    return first, row.reshape(-1)


def _stamps(n: int) -> Ints:
    return (np.arange(n) * int(EVERY_M / SPEED_MPS * 1e9)).astype(np.int64)


def _f32(values: Floats) -> Floats32:
    return values.astype(np.float32)


def true_map(traverses: list[Traverse]) -> ObjectMap:
    """Return the fused map of drives whose poses are known: every object once, at its mean true place."""
    places, truth, rows = [], [], []
    for d in traverses:
        for submap, T in zip(d.objects.submaps, d.T_world_submaps, strict=True):
            keep = submap.rows[d.truth[submap.rows] >= 0]
            T_world_odom = T @ inverse(submap.T_map_submap)
            places.append(apply(T_world_odom, d.objects.centroids[keep]))
            truth.append(d.truth[keep])
            rows.append(keep)
    every = np.concatenate(truth)
    unique, row = np.unique(every, return_inverse=True)
    total = np.zeros((len(unique), 3))
    np.add.at(total, row, np.concatenate(places))
    source = {int(t): (d, int(r)) for d in traverses for r, t in enumerate(d.truth) if t >= 0}
    picked = [source[int(t)] for t in unique]
    column = {
        name: np.array([getattr(d.objects, name)[r] for d, r in picked])
        for name in ("shapes", "embeddings", "label_scores")
    }
    sizes = np.array([d.objects.boxes.sizes[r] for d, r in picked])
    return ObjectMap.of(
        total / np.bincount(row)[:, None],
        sizes=sizes,
        vocabulary=traverses[0].objects.vocabulary,
        embedding_model="simulated",
        frame="map",
        submaps=tuple(submap for d in traverses for submap in _true_submaps(d, unique)),
        **column,
    )


def _true_submaps(d: Traverse, things: Ints) -> Iterator[Submap]:
    """Yield a drive's submaps where they were really taken, with rows of the ``things`` (n,), in order."""
    for submap, T in zip(d.objects.submaps, d.T_world_submaps, strict=True):
        seen = np.unique(d.truth[submap.rows])
        rows = np.searchsorted(things, seen[seen >= 0])
        yield replace(submap, T_map_submap=T, rows=rows.astype(np.int64))
