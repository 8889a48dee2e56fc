"""One stretch of driving without a jump: its distance field, ground, places and surface places."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from commonground.arrays import Floats, Ints32
from commonground.frame import Frame
from commonground.mapping.settings import MappingSettings
from commonground.mapping.space.patches import Patches
from commonground.mapping.surface.archive import MeshArchive
from commonground.mapping.surface.blocks import LIVE
from commonground.mapping.surface.field import DistanceField
from commonground.mapping.surface.ground import GroundMap
from commonground.mapping.surface.nets import MeshPart, extract

PATH_STEP_M = 0.1
PATH_KEPT = 400


class Segment:
    """Everything geometric between two jumps of the odometry."""

    def __init__(self, settings: MappingSettings, archive: MeshArchive) -> None:
        self.settings = settings
        self.archive = archive
        self.field = DistanceField(settings.surface)
        self.ground = GroundMap(settings.surface)
        self.patches = Patches(settings.space.surface_places, settings.surface.max_step_m)
        self.path: deque[Floats] = deque(maxlen=PATH_KEPT)
        """Where the camera was, every few centimetres."""
        self.closed = False

    def integrate(self, frame: Frame, labels: Ints32 | None) -> None:
        """Fuse a frame into the distance field."""
        self.field.integrate(frame, labels)
        at = frame.T_odom_cam[:3, 3]
        if not self.path or np.linalg.norm(at - self.path[-1]) > PATH_STEP_M:
            self.path.append(np.array(at))

    def update(self, ground_words: Sequence[bool]) -> None:
        """Bring ground, surface places and free space up to date; archive what is out of reach."""
        blocks, s = self.field.blocks, self.settings
        self.ground.update(blocks)
        for at in self.path:
            self.ground.drive(at, s.space.surface_places.footprint_m)
        self.patches.update(self.ground, np.array(ground_words, bool))
        if self.path:
            blocks.freeze_beyond(self.path[-1])
        self._retire()

    def close(self, ground_words: Sequence[bool]) -> None:
        """Finish: nothing more will be seen from this segment."""
        self.update(ground_words)
        self.field.blocks.state[self.field.blocks.state == LIVE] = 2
        self._retire()
        self.patches.settle(self.ground)
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
        slots = np.flatnonzero((blocks.state == LIVE) | (blocks.state == 2)).astype(np.int32)
        return extract(blocks, slots, self.settings.surface.min_weight)

    def state(self) -> dict[str, Any]:
        """Return the arrays of a checkpoint."""
        parts: Mapping[str, Mapping[str, Any]] = {
            "ground": self.ground.state(),
            "patches": self.patches.state(),
            "own": {
                "path": np.array(self.path, float).reshape(-1, 3),
                "closed": np.array(self.closed),
                "frames": np.array(self.field.frames),
            },
        }
        if not self.closed:
            parts = {**parts, "field": self.field.state()}
        return {
            f"{part}.{name}": value
            for part, group in parts.items()
            for name, value in group.items()
        }

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """Continue from a checkpoint."""
        groups: dict[str, dict[str, Any]] = {}
        for key, value in arrays.items():
            part, _, name = key.partition(".")
            groups.setdefault(part, {})[name] = value
        self.ground.restore(groups["ground"])
        self.patches.restore(groups["patches"])
        self.path.extend(groups["own"]["path"])
        self.closed = bool(groups["own"]["closed"])
        self.field.frames = int(groups["own"]["frames"])
        if not self.closed:
            self.field.restore(groups["field"])
