"""Deformation of a robot's map by the correction of its keyframes (embedded deformation).

A point moves by the keyframes that are nearest to it in space among those from which it may have been
seen (embedded deformation, Sumner et al. 2007): p' = R p + t of the weighted average of their
corrections, weights falling to zero at the nearest keyframe left out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.geometry import inverse, nearest_rotation, transform
from commonground.objects import ObjectMap
from commonground.scene import Layer, Mesh, SceneGraph
from commonground.scene.moved import moved_layer, moved_points

NEAREST = 4
LOOKED = 24
"""Of so many that are nearest in space, those are taken that were there at the time."""
ELSEWHEN_M = 1e6
"""Added to the distance of keyframes outside of the window."""
WINDOW_NS = 10 * 10**9
"""Keyframes this long before the first and after the last observation still count."""


@dataclass(frozen=True, slots=True, eq=False)
class Deformation:
    """A robot's keyframes before and after optimization."""

    before: Floats
    """(k, 4, 4)"""
    after: Floats
    stamps_ns: Ints

    def at(self, points: Floats, first_ns: Any = None, last_ns: Any = None) -> Floats:
        """Return the motions (n, 4, 4) of points (n, 3), seen between two times each if those are known."""
        corrections = self.after @ inverse(self.before)
        rows, meters = self._nearest(points, first_ns, last_ns)
        weights = np.maximum(1.0 - meters / np.maximum(meters[:, -1:], 1e-9), 0.0)
        weights[:, 0] = np.maximum(weights[:, 0], 1e-6)
        weights /= weights.sum(axis=1, keepdims=True)
        near = corrections[rows]
        R = nearest_rotation(np.einsum("nk,nkij->nij", weights, near[..., :3, :3]))
        moved = np.einsum("nkij,nj->nki", near[..., :3, :3], points) + near[..., :3, 3]
        target = np.einsum("nk,nki->ni", weights, moved)
        return transform(R, target - np.einsum("nij,nj->ni", R, points))

    def _nearest(self, points: Floats, first_ns: Any, last_ns: Any) -> tuple[Ints, Floats]:
        """Return keyframes (n, k) and how far they are; those outside of its window are farther than any."""
        at, count = self.before[:, :3, 3], min(NEAREST, len(self.before))
        if first_ns is None or len(points) == 0:
            meters, rows = self._tree.query(points, k=np.arange(1, count + 1))
            return np.asarray(rows, np.int64), np.asarray(meters, float)
        begin, end = np.asarray(first_ns) - WINDOW_NS, np.asarray(last_ns) + WINDOW_NS
        order = np.argsort(self.stamps_ns, kind="stable")
        low = np.searchsorted(self.stamps_ns[order], begin, "left")
        high = np.searchsorted(self.stamps_ns[order], end, "right")
        # all of a short window are looked at; of a long one those near by
        short = (high > low) & (high - low <= LOOKED)
        rows, meters = np.empty((len(points), count), np.int64), np.empty((len(points), count))
        window = low[short, None] + np.arange(max(count, (high - low)[short].max(initial=0)))
        seen = order[np.minimum(window, len(at) - 1)]
        gaps = np.linalg.norm(points[short, None] - at[seen], axis=2)
        gaps[window >= high[short, None]] += ELSEWHEN_M
        rows[short], meters[short] = _least(seen, gaps, count)
        many = ~short
        rows[many], meters[many] = self._in_time(points[many], begin[many], end[many], count)
        # where fewer were in the window, the last of them bounds the weights
        return rows, np.where(meters >= ELSEWHEN_M, np.nan_to_num(meters[:, :1]) + 1.0, meters)

    @property
    def _tree(self) -> Any:
        from scipy.spatial import cKDTree

        return cKDTree(self.before[:, :3, 3])

    def _in_time(self, points: Floats, begin: Ints, end: Ints, count: int) -> tuple[Ints, Floats]:
        """Return the nearest keyframes (n, k) of each point, those first that were there in time."""
        at = self.before[:, :3, 3]
        meters, rows = self._tree.query(points, k=np.arange(1, min(LOOKED, len(at)) + 1))
        rows, meters = self._timely(np.asarray(rows, np.int64), meters, begin, end, count)
        few = np.flatnonzero(meters[:, -1] >= ELSEWHEN_M)
        if len(few) and len(at) > LOOKED:
            gaps = np.linalg.norm(points[few, None] - at[None], axis=2)
            every = np.broadcast_to(np.arange(len(at)), gaps.shape)
            rows[few], meters[few] = self._timely(every, gaps, begin[few], end[few], count)
        return rows, meters

    def _timely(
        self, rows: Ints, meters: Floats, begin: Ints, end: Ints, count: int
    ) -> tuple[Ints, Floats]:
        stamps = self.stamps_ns[rows]
        outside = (stamps < begin[:, None]) | (stamps > end[:, None])
        return _least(rows, np.where(outside, meters + ELSEWHEN_M, meters), count)


def _least(rows: Ints, meters: Floats, count: int) -> tuple[Ints, Floats]:
    order = np.argsort(meters, axis=1, kind="stable")[:, :count]
    return np.take_along_axis(rows, order, axis=1), np.take_along_axis(meters, order, axis=1)


def deform_objects(objects: ObjectMap, deformation: Deformation) -> ObjectMap:
    """Return an object map moved with its robot's path, in the map frame."""
    T = deformation.at(objects.centroids, objects.first_seen_ns, objects.last_seen_ns)
    stamps = np.array([s.stamp_ns for s in objects.submaps], np.int64)
    spots = np.array([s.T_map_submap for s in objects.submaps]).reshape(-1, 4, 4)
    moved = deformation.at(spots[:, :3, 3], stamps, stamps) @ spots if len(spots) else spots
    return objects.moved_by(T, list(moved), "map")


def deform_layer(layer: Layer, deformation: Deformation) -> Layer:
    """Return a layer moved with its robot's path: positions, boxes, boundaries, orientations."""
    if len(layer) == 0:
        return layer
    if "stamp_ns" in layer.columns:
        return moved_layer(layer, deformation.after @ inverse(deformation.before))
    seen = (layer.columns.get(name) for name in ("first_seen_ns", "last_seen_ns"))
    return moved_layer(layer, deformation.at(layer.positions, *seen))


def deform_graph(graph: SceneGraph, deformation: Deformation) -> SceneGraph:
    """Return a scene graph moved with its robot's path."""
    layers = {name: deform_layer(layer, deformation) for name, layer in graph.layers.items()}
    mesh = None if graph.mesh is None else deform_mesh(graph.mesh, deformation)
    return replace(graph, layers=layers, mesh=mesh)


def deform_mesh(mesh: Mesh, deformation: Deformation) -> Mesh:
    """Return a mesh moved with its robot's path."""
    return replace(mesh, vertices=moved_points(deformation.at(mesh.vertices), mesh.vertices))
