"""One robot's run as fusion needs it: scene graph, object map, keyframes and the odometry between them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from commonground.arrays import Floats, Ints
from commonground.mapping.fusion.posegraph import Constraints
from commonground.mapping.surface.nets import MeshPart
from commonground.objects import ObjectMap
from commonground.scene import SceneGraph


@dataclass(frozen=True, slots=True, eq=False)
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
