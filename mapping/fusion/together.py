"""Robots that no other one joins by itself, matched with what all that are joined saw together.

A robot may show half of its things to one robot and half to another: each of both says too little, and says
the same. Their evidence does not add up, since they may have seen the same things. In the map that joined
robots make together each thing counts once: it is matched like any robot's, and has to prove as much.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.geometry import inverse, transform
from commonground.localization.places import Place, map_places
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion.closures import FEW_OBJECTS, Closure, Job, match_two
from commonground.mapping.fusion.deform import Deformation, deform_objects
from commonground.mapping.fusion.merge_objects import merge_objects
from commonground.mapping.fusion.posegraph import Constraints, PoseGraph
from commonground.mapping.fusion.refused import Refused
from commonground.mapping.fusion.robot_run import RobotRun
from commonground.mapping.fusion.robust import Optimized
from commonground.mapping.fusion.strays import turned
from commonground.objects import ObjectMap
from commonground.scene import SceneGraph

CANDIDATES = 2
"""Joined robots with which it must nearly be joined: to one alone the others add nothing."""


def joined_by_all(
    runs: Sequence[RobotRun],
    places: Sequence[Sequence[Place]],
    notes: Sequence[str | Refused],
    graph: PoseGraph,
    optimized: Optimized,
    settings: LocalizationSettings,
) -> list[Closure]:
    """Return closures of robots that stay apart, with those of the largest group that saw the same."""
    group = np.flatnonzero(optimized.component == graph.largest(optimized.component)).tolist()
    nearly = _nearly_joined(runs, group, notes)
    if not nearly:
        return []
    paths = {r: optimized.poses[graph.robot == r] for r in group}
    team = _as_one([runs[r] for r in group], [paths[r] for r in group])
    spots = map_places(team.objects, settings.matching.places)
    out: list[Closure] = []
    for c in nearly:
        answer = match_two(Job((0, 1), (team, runs[c]), (spots, places[c]), settings))
        found = answer if isinstance(answer, list) else []
        for closure in found:
            out += _from_robot(closure, c, team, runs, places, paths)
    return out


def not_joined(
    notes: Sequence[str | Refused],
    runs: Sequence[RobotRun],
    more: Sequence[Closure],
    optimized: Optimized,
) -> list[str | Refused]:
    """Return notes without the candidates of robots that all together joined."""
    group = {run.name: int(g) for run, g in zip(runs, optimized.component, strict=True)}
    met = {runs[r].name for c in more for r in c.robots}
    return [
        n
        for n in notes
        if not isinstance(n, Refused)
        or met.isdisjoint(n.robots)
        or group[n.robots[0]] != group[n.robots[1]]
    ]


def _nearly_joined(
    runs: Sequence[RobotRun], group: Sequence[int], notes: Sequence[str | Refused]
) -> list[int]:
    """Return the robots beside a group to which several of it nearly were joined, with nothing against it."""
    inside = {runs[r].name for r in group}
    refused = [n for n in notes if isinstance(n, Refused)]
    out = []
    for c in sorted({*range(len(runs))} - {*group}):
        own = [n for n in refused if runs[c].name in n.robots]
        with_them = [n for n in own if {*n.robots} - {runs[c].name} <= inside]
        nearly = sum(n.objects >= FEW_OBJECTS for n in with_them)
        if nearly >= CANDIDATES and all(n.lacking for n in own):
            out.append(c)
    return out


def _as_one(team: Sequence[RobotRun], paths: Sequence[Floats]) -> RobotRun:
    """Return what joined robots saw as the map of one that stood still."""
    maps: list[ObjectMap] = [
        deform_objects(run.objects, Deformation(run.poses, path, run.stamps_ns))
        for run, path in zip(team, paths, strict=True)
    ]
    objects = merge_objects(maps, [run.name for run in team]).objects
    still = Constraints(np.empty((0, 2), np.int64), np.empty((0, 4, 4)), np.empty((0, 6, 6)))
    center = transform(np.eye(3), objects.centroids.mean(axis=0))[None]
    name, stamps = team[0].name, np.zeros(1, np.int64)
    return RobotRun(name, team[0].folder, SceneGraph(), objects, stamps, center, still)


def _from_robot(
    closure: Closure,
    other: int,
    team: RobotRun,
    runs: Sequence[RobotRun],
    places: Sequence[Sequence[Place]],
    paths: dict[int, Floats],
) -> Iterator[Closure]:
    """Yield what a closure of the joint map says as one of the robot that came nearest to there."""
    T_map_seen = team.poses[closure.keyframes[0]] @ closure.T
    nearest = [
        (float(far.min()), r, int(far.argmin()))
        for r, path in paths.items()
        if places[r]
        for far in [np.linalg.norm(path[:, :3, 3] - T_map_seen[:3, 3], axis=1)]
    ]
    if not nearest:
        return
    _, r, key = min(nearest)
    stamps: Ints = np.array([place.stamp_ns for place in places[r]], np.int64)
    submap = int(np.abs(stamps - runs[r].stamps_ns[key]).argmin())
    found = replace(
        closure,
        robots=(r, other),
        keyframes=(key, closure.keyframes[1]),
        submaps=(submap, closure.submaps[1]),
        T=inverse(paths[r][key]) @ T_map_seen,
    )
    yield found if r < other else turned(found)
