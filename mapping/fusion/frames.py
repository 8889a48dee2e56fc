"""Initial alignment of the robots' frames: averages of agreeing closures along a spanning tree."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.geometry import inverse, karcher_mean
from commonground.mapping.fusion.posegraph import PoseGraph
from commonground.scene.parts import connected

NEAR_M, NEAR_RAD = 5.0, 0.35
"""Two closures say the same of two frames if what they say differs by less; drift is still in it."""
MOST = 500
"""At most so many closures, evenly chosen, are compared to find the one in the middle of those that agree."""


def align_frames(graph: PoseGraph, poses: Floats, seeds: Bools) -> tuple[Floats, Ints]:
    """Return poses with the robots of each connected group in one frame, and the group of each robot.

    Closure k between poses i of robot a and j of robot b says T_a_b = X_i T_k X_j⁻¹ of the frames. The
    largest set that says about the same is averaged; the best supported joints form a spanning tree.
    """
    joints = sorted(_joints(graph, poses, seeds), key=lambda joint: (-joint[0], joint[1], joint[2]))
    robots = len(graph.names)
    component = np.arange(robots)
    T_group = np.tile(np.eye(4), (robots, 1, 1))  # group frame ← robot frame
    for _, a, b, T_a_b in joints:
        if component[a] == component[b]:
            continue
        moved = component == component[b]
        T_join = T_group[a] @ T_a_b @ inverse(T_group[b])
        T_group[moved] = T_join @ T_group[moved]
        component[moved] = component[a]
    # a group's frame is that of its first robot, whatever order it grew in
    for number in np.unique(component):
        members = np.flatnonzero(component == number)
        T_group[members] = inverse(T_group[members[0]]) @ T_group[members]
        component[members] = members[0]
    return T_group[graph.robot] @ poses, component


def parted(graph: PoseGraph, poses: Floats, used: Bools, component: Ints) -> tuple[Floats, Ints]:
    """Return poses and groups (robots,) in which robots of one group that no used closures tie are apart.

    What leaves a group gets the frame of its own first robot again.
    """
    tied = graph.robot[graph.closures.rows[used]]
    part = connected(len(component), tied[component[tied[:, 0]] == component[tied[:, 1]]])
    poses, apart = poses.copy(), np.empty_like(component)
    for number in np.unique(part):
        members = np.flatnonzero(part == number)
        apart[members] = members[0]
        own = np.isin(graph.robot, members)
        if component[members[0]] != members[0] and own.any():
            first = int(own.argmax())
            poses[own] = graph.poses[first] @ inverse(poses[first]) @ poses[own]
    return poses, apart


def _joints(graph: PoseGraph, poses: Floats, seeds: Bools) -> list[tuple[int, int, int, Floats]]:
    """Return (support, robot a, robot b, T_a_b) for every pair of robots with agreeing closures."""
    out = []
    for a, b, mask in graph.pairs():
        rows = np.flatnonzero(mask & seeds)
        if a == b or len(rows) == 0:
            continue
        (i, j), T = graph.closures.rows[rows].T, graph.closures.T[rows]
        backwards = graph.robot[i] != a
        claims = poses[i] @ T @ inverse(poses[j])
        claims = np.where(backwards[:, None, None], inverse(claims), claims)
        chosen = np.linspace(0, len(claims) - 1, min(MOST, len(claims))).round().astype(np.int64)
        gap = np.linalg.norm(claims[chosen, None, :3, 3] - claims[None, :, :3, 3], axis=2)
        R = claims[:, :3, :3].reshape(-1, 9)
        alike = (gap < NEAR_M) & (R[chosen] @ R.T > 1.0 + 2.0 * np.cos(NEAR_RAD))
        best = int(alike.sum(axis=1).argmax())
        out.append((int(alike[best].sum()), a, b, karcher_mean(claims[alike[best]])))
    return out
