"""What a perception says of the frames it is shown, which are not all where it is slow."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats
from commonground.frame import Frame
from commonground.geometry import angle_between
from commonground.mapping.perception.contract import checked
from commonground.mapping.perception.segments import Costly, FrameSegments, Perception


class Looking:
    """When each camera was looked through last; every frame is, of a perception that is quick."""

    KEPT = ("last", "moved")

    def __init__(self, perception: Perception) -> None:
        self.perception = perception
        self.looks = perception.looks if isinstance(perception, Costly) else None
        self.last: dict[str, tuple[int, Floats]] = {}
        """Camera → stamp and pose of the last frame that was looked at."""
        self.moved = False
        """Whether something moved in it: then frames that are not looked at would smear it over the map."""

        self._dimension: int | None = None
        """Length of the embeddings so far; it stays the same."""

    def look(self, frame: Frame) -> FrameSegments:
        """Return what is seen in a frame; MappingError where that is not what ``FrameSegments`` says."""
        segments = checked(self.perception.segment(frame), self.perception, frame, self._dimension)
        if len(segments):
            self._dimension = segments.embeddings.shape[1]
        return segments

    def due(self, frame: Frame) -> bool:
        """Return whether a frame is to be looked at, and note it if it is."""
        before = self.last.get(frame.camera.name)
        if self.looks is not None and before is not None:
            stamp, T = before
            moved_m = np.linalg.norm(frame.T_odom_cam[:3, 3] - T[:3, 3])
            turned = np.rad2deg(angle_between(frame.T_odom_cam[:3, :3], T[:3, :3]))
            near = moved_m < self.looks.move_m and turned < self.looks.turn_deg
            if near and frame.stamp_ns - stamp < 1e9 * self.looks.wait_s:
                return False
        self.last[frame.camera.name] = (frame.stamp_ns, np.array(frame.T_odom_cam))
        return True

    def cut(self) -> None:
        """Forget all poses: the next frames lie in another frame of odometry."""
        self.last.clear()
        self.moved = False
