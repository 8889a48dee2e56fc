"""Splitting of a run where its odometry jumped: each part has a frame of its own.

Each part is fused as if another robot had driven it: closures join it to the others, or it stays apart.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from commonground.arrays import Bools, Ints
from commonground.errors import MappingError
from commonground.mapping.fusion.posegraph import Constraints
from commonground.mapping.fusion.robot_run import RobotRun
from commonground.mapping.surface.mesh_part import MeshPart
from commonground.scene import SceneGraph

FOREVER = np.iinfo(np.int64)


def parts_of(run: RobotRun) -> list[RobotRun]:
    """Return what a robot mapped between jumps, one run each, all of its name; MappingError if damaged."""
    n = len(run.poses)
    led_to = np.zeros(n, bool)
    led_to[run.odometry.rows[:, 1]] = True
    begins = np.flatnonzero(~led_to)
    if len(begins) <= 1:
        return [run]
    segment = next(iter(run.graph.agents.values())).columns.get("segment")
    cut = [0] if segment is None else [0, *(np.flatnonzero(np.diff(segment)) + 1)]
    lost = np.setdiff1d(begins, cut)
    if len(lost):  # the mapper did not cut there, so the file has lost something
        raise MappingError(
            f"{run.folder / 'posegraph.g2o'}: no odometry leads to keyframe {lost[0]}; map it again"
        )
    ends = [*begins[1:], n]
    return [_part(run, first, end) for first, end in zip(begins.tolist(), ends, strict=True)]


def _part(run: RobotRun, first: int, end: int) -> RobotRun:
    """Return what was mapped from one keyframe until before another."""
    span = (
        int(run.stamps_ns[first]) if first else FOREVER.min,
        int(run.stamps_ns[end]) if end < len(run.poses) else FOREVER.max,
    )
    objects = run.objects
    mine = _within(span, objects.first_seen_ns, objects.last_seen_ns)
    submaps = tuple(s for s in objects.take(mine).submaps if span[0] <= s.stamp_ns < span[1])
    rows = run.odometry.rows
    inside = (rows >= first).all(axis=1) & (rows < end).all(axis=1)
    odometry = run.odometry.take(inside)
    return replace(
        run,
        graph=_graph(run, mine, slice(first, end)),
        objects=replace(objects.take(mine), submaps=submaps),
        stamps_ns=run.stamps_ns[first:end],
        poses=run.poses[first:end],
        odometry=Constraints(odometry.rows - first, odometry.T, odometry.covariances),
        mesh=None if run.mesh is None else _mesh(run.mesh, span),
    )


def _within(span: tuple[int, int], early: Ints, late: Ints) -> Bools:
    middle = early // 2 + late // 2
    return np.asarray((middle >= span[0]) & (middle < span[1]))


def _graph(run: RobotRun, mine: Bools, keys: slice) -> SceneGraph:
    """Return the layers of one part: objects and path as given, the rest by the segment it was made in."""
    graph = run.graph.take("objects", mine)
    (path,) = graph.agents
    segments = np.unique(graph.layers[path].columns["segment"][keys])
    for name, layer in graph.layers.items():
        if name != "objects" and name != path and "segment" in layer.columns:
            graph = graph.take(name, np.isin(layer.columns["segment"], segments))
    return replace(graph.take(path, keys), mesh=None)


def _mesh(mesh: MeshPart, span: tuple[int, int]) -> MeshPart:
    """Return the faces that were seen within a time, and their vertices."""
    mine = _within(span, mesh.first_seen_ns, mesh.last_seen_ns)
    faces = mesh.faces[mine[mesh.faces].all(axis=1)]
    row = np.cumsum(mine) - 1
    return MeshPart(
        mesh.keys[mine],
        mesh.vertices[mine],
        mesh.colors[mine],
        mesh.labels[mine],
        mesh.first_seen_ns[mine],
        mesh.last_seen_ns[mine],
        row[faces].astype(mesh.faces.dtype),
    )
