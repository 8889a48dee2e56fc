"""One stretch of driving without a jump: its distance field, ground, places and surface places."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from commonground.arrays import Floats, Ints32
from commonground.frame import Frame
from commonground.mapping.packing import kept_of, restore
from commonground.mapping.settings import MappingSettings
from commonground.mapping.space.distances import Distances
from commonground.mapping.space.patches import Patches
from commonground.mapping.space.places import Places
from commonground.mapping.surface.archive import MeshArchive
from commonground.mapping.surface.driven import mark_driven
from commonground.mapping.surface.field import DistanceField
from commonground.mapping.surface.ground import GroundMap
from commonground.mapping.surface.mesh_part import MeshPart
from commonground.mapping.surface.nets import extract

FOOTPRINT_M = 0.4
"""Radius of the robot: what lies so near to its path was driven over."""
PATH_STEP_M = 0.1
PATH_KEPT = 400


class Segment:
    """Everything geometric between two jumps of the odometry."""

    KEPT = ("camera", "closed", "path", "patches", "places")

    def __init__(self, settings: MappingSettings, archive: MeshArchive) -> None:
        self.settings = settings
        self.archive = archive
        self.field = DistanceField(settings.surface)
        self.ground = GroundMap(settings.surface)
        self.patches = Patches(settings.space.surface_places, settings.surface.max_step_m)
        self.distances = Distances(settings.space.places, settings.surface.min_weight)
        self.places = Places(settings.space.places)
        self.camera = ""
        """The camera whose path is followed."""
        self.path: deque[tuple[int, Floats]] = deque(maxlen=PATH_KEPT)
        """When it was where, every few centimeters."""
        self.closed = False

    def integrate(self, frame: Frame, labels: Ints32 | None) -> None:
        """Fuse a frame into the distance field."""
        self.field.integrate(frame, labels)
        self.camera = self.camera or frame.camera.name
        at = frame.T_odom_cam[:3, 3]
        moved = not self.path or np.linalg.norm(at - self.path[-1][1]) > PATH_STEP_M
        if frame.camera.name == self.camera and moved:
            self.path.append((frame.stamp_ns, np.array(at)))

    def update(self, ground_kinds: Sequence[bool]) -> None:
        """Bring ground, surface places and free space up to date; archive what is out of reach."""
        if not self.path:
            return
        blocks = self.field.blocks
        drivable = np.array(ground_kinds, bool)
        self.ground.update(blocks, drivable)
        self._mark_driven()
        self.patches.update(self.ground, drivable)
        touched = self.distances.update(blocks, self.ground)
        self.places.update(self.distances, blocks, touched)
        blocks.freeze_beyond(self.path[-1][1])
        self._retire()

    def _mark_driven(self) -> None:
        at = np.array([p for _, p in self.path])
        near = np.linalg.norm(at - at[-1], axis=1) < self.field.blocks.reach_m
        stamps = np.array([stamp for stamp, _ in self.path], np.int64)
        mark_driven(self.ground, self.field.blocks, at[near], stamps[near], FOOTPRINT_M)

    def close(self, ground_kinds: Sequence[bool]) -> None:
        """Finish: nothing more will be seen from this segment."""
        self.update(ground_kinds)
        self.field.blocks.freeze_all()
        self._retire()
        self.patches.settle(self.ground)
        self.field.release()
        self.distances.release()
        self.closed = True

    def _retire(self) -> None:
        blocks = self.field.blocks
        slots = blocks.readable()
        if len(slots):
            self.archive.append(extract(blocks, slots, self.settings.surface.min_weight))
            self.ground.finish(blocks.keys[slots])
            blocks.mark_read(slots)

    def live_mesh(self) -> MeshPart:
        """Return the mesh of what is not in the archive yet."""
        blocks = self.field.blocks
        return extract(blocks, blocks.unread(), self.settings.surface.min_weight)

    def state(self) -> dict[str, Any]:
        """Return what is kept in a checkpoint."""
        out = {**kept_of(self), "frames": self.field.frames, "ground": self.ground.cells.state()}
        if self.closed:
            return {**out, "distances": self.distances.flags()}
        blocks = self.field.blocks
        return {**out, "field": blocks.state_arrays(), "distances": self.distances.state(blocks)}

    def restore(self, state: Mapping[str, Any]) -> None:
        restore(self, state)
        self.field.frames = state["frames"]
        self.ground.cells.restore(state["ground"])
        if not self.closed:
            self.field.blocks.restore(state["field"])
        self.distances.restore(state["distances"], self.field.blocks)
