"""One robot's run as fusion needs it: scene graph, object map, keyframes and the odometry between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.mapping.fusion.posegraph import Constraints
from commonground.mapping.surface.mesh_part import MeshPart
from commonground.objects import ObjectMap
from commonground.scene import SceneGraph


@dataclass(frozen=True, eq=False)
class RobotRun:
    """What one robot brings."""

    name: str
    folder: Path
    graph: SceneGraph
    objects: ObjectMap
    stamps_ns: Ints
    """(k,) of the keyframes."""
    poses: Floats
    """(k, 4, 4) T_odom_body of the keyframes, upright."""
    odometry: Constraints
    mesh: MeshPart | None = None
    """Surfaces seen, in the frame of the poses."""
    part_of: str = ""
    """Name of the run that this is a later part of, where the odometry jumped; else empty."""

    @cached_property
    def travel_m(self) -> Floats:
        """How far the robot had driven at each keyframe (k,)."""
        steps = np.linalg.norm(np.diff(self.poses[:, :3, 3], axis=0), axis=1)
        return np.concatenate([[0.0], np.cumsum(steps)])
