"""One robot's map, frame by frame."""

from __future__ import annotations

import logging
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from commonground.arrays import Ints32
from commonground.errors import MappingError
from commonground.frame import Frame
from commonground.mapping.keyframes import Keyframes
from commonground.mapping.leaning import Leaning
from commonground.mapping.looking import Looking
from commonground.mapping.objects.mapper import ObjectMapper
from commonground.mapping.odometry import Intake, Verdict
from commonground.mapping.perception.segments import FrameSegments, Perception
from commonground.mapping.segment import Segment
from commonground.mapping.settings import MappingSettings
from commonground.mapping.surface.archive import MeshArchive
from commonground.mapping.surface.mesh_part import MeshPart
from commonground.mapping.tracking.tracker import Tracker
from commonground.mapping.watch import Watch

if TYPE_CHECKING:
    from commonground.mapping.result import RobotMap

UPDATE_EVERY_S = 1.0
"""Ground, places and surface places are brought up to date this often, in time of the data."""
FAR_M = {"no ground and no free space": 5.0, "no ground": 10.0}
"""Meters driven after which it is told that something was not found."""
EMPTY = (
    "{:.0f} m were driven, and {} was found: do the masks tell which pixels are ground (NO_SURFACE tells of "
    "none), is depth in other units, is T_robot_cam where the camera is, "
    "and are the poses in a world with z up, not in that of a camera, with y down?"
)
NO_GROUND = (
    "no surface word of {} is one of ground ({}), so there will be no surface places: name those that are "
    "ground in surface.ground_words of the settings of mapping"
)

log = logging.getLogger(__name__)


class Mapper:
    """Frames of one robot in, its scene graph and object map out; the same live and offline."""

    KEPT = (
        "frames", "seen_by", "updated_ns", "intake", "keyframes", "tracker", "looking", "objects", "watch",
        "leaning",
    )  # fmt: skip

    def __init__(
        self,
        perception: Perception,
        settings: MappingSettings | None = None,
        *,
        robot: str = "",
        archive: str | Path | None = None,
    ) -> None:
        self.perception = perception
        self.settings = settings or MappingSettings()
        self.robot = robot
        self.archive = MeshArchive(archive)
        self.intake = Intake(self.settings.odometry, self.settings.give_up_after)
        self.tracker = Tracker(self.settings.tracking, self.settings.odometry)
        self.keyframes = Keyframes(
            self.settings.odometry, self.settings.tracking, self.tracker.hindsight
        )
        self.objects = ObjectMapper(self.settings.objects, robot)
        self.segments = [Segment(self.settings, self.archive)]
        self.looking = Looking(perception)
        self.watch = Watch()
        self.leaning = Leaning()
        self.frames = 0
        """Frames given so far, usable or not."""
        self.seen_by: str | None = None
        """The robot of its frames, which may have another name in the map."""
        self.updated_ns: int | None = None
        """Stamp of the last update of ground and space."""
        self.saved_ns: int | None = None
        """Stamp of the last checkpoint."""
        self.seconds: defaultdict[str, list[float]] = defaultdict(list)
        """Stage → time it took, each time; of this process only."""
        if perception.surface_words and not any(self.ground_kinds):
            words = ", ".join(map(repr, perception.surface_words[:8]))
            self._warn(NO_GROUND.format(type(perception).__name__, words))

    def integrate(self, frame: Frame) -> Verdict:
        """Take one frame: judge it, correct its pose, see what is in it, and make the map better."""
        self.seen_by = self.seen_by or frame.robot
        if frame.robot != self.seen_by:
            raise MappingError(
                f"a map is of one robot: a frame of '{frame.robot}' follows those of '{self.seen_by}'"
            )
        self.frames += 1
        frame = self.intake.placed(frame)
        verdict = self.intake.judge(frame)
        if verdict in (Verdict.LATE, Verdict.BAD_POSE):
            return verdict
        if verdict is Verdict.CUT:
            frame = self.intake.begin_near(frame)
            self._cut()
        T_raw = frame.T_odom_cam
        with self._timed("tracking"):
            told, frame = frame, self.tracker.track(frame)
            if verdict is not Verdict.POSE_ONLY:
                self._warn(self.watch.add(told, frame.T_odom_cam))
                self._warn(self.leaning.add(told))
        if self.keyframes.add(frame, self.intake.segment, T_raw):
            self.keyframes.growths.append(self.tracker.take_growth())
        if verdict is Verdict.POSE_ONLY:
            return verdict
        if self.looking.due(frame):
            self._look(frame)
        elif not self.looking.moved:
            self._fuse(frame, None)
        self._update_when_due(frame.stamp_ns)
        return verdict

    def _look(self, frame: Frame) -> None:
        with self._timed("perception"):
            segments = self.looking.look(frame)
        with self._timed("objects"):
            self.objects.integrate(frame, segments)
        still = self._still(frame, segments)
        self.looking.moved = still is not frame
        self._fuse(still, segments.surfaces)

    def _fuse(self, still: Frame, labels: Ints32 | None) -> None:
        with self._timed("surface"):
            self.segments[-1].integrate(still, labels)
        with self._timed("tracking"):
            self.tracker.keep(still)

    def _still(self, frame: Frame, segments: FrameSegments) -> Frame:
        """Return the frame without the depth of what moves."""
        moving = self.objects.moving_segments()
        if len(moving) == 0:
            return frame
        depth = np.where(np.isin(segments.masks, moving), np.nan, frame.depth_m)
        return replace(frame, depth_m=depth.astype(np.float32))

    def _update_when_due(self, stamp_ns: int) -> None:
        if self.updated_ns is None:
            self.updated_ns = stamp_ns
        if stamp_ns - self.updated_ns >= UPDATE_EVERY_S * 1e9:
            self.updated_ns = stamp_ns
            with self._timed("space"):
                self.segments[-1].update(self.ground_kinds)

    def _cut(self) -> None:
        if self.intake.cut:
            self._log(self.intake.cut)
        self.watch.cut()
        self.leaning.cut()
        self.objects.cut()
        self.tracker.cut()
        self.looking.cut()
        self.segments[-1].close(self.ground_kinds)
        self.segments.append(Segment(self.settings, self.archive))

    @property
    def ground_kinds(self) -> list[bool]:
        """Which of the perception's surface words can be driven on."""
        allowed = {w.lower() for w in self.settings.surface.ground_words}
        return [w.lower() in allowed for w in self.perception.surface_words]

    def snapshot(self) -> RobotMap:
        """Return the map as it is now."""
        from commonground.mapping.result import robot_map

        with self._timed("snapshot"):
            if not self.segments[-1].closed:
                self.segments[-1].update(self.ground_kinds)
            return robot_map(self)

    def sketch(self) -> RobotMap:
        """Return objects and path as they are now, without ground and space: that takes little time."""
        from commonground.mapping.result import sketched

        with self._timed("sketch"):
            return sketched(self)

    def finish(self) -> RobotMap:
        """Return the finished map: everything near the robot goes into the archive first."""
        from commonground.mapping.result import robot_map

        with self._timed("finish"):
            if not self.segments[-1].closed:
                self.segments[-1].close(self.ground_kinds)
            self._warn(self.watch.judged())
            self._warn(self.leaning.judged())
            self.objects.conclude()
            if self.settings.surface.mirrors:
                self._doubt_mirrors()
            found = robot_map(self)
            if found.graph.has("surface_places"):
                return found
            missing = "no ground" if found.graph.has("places") else "no ground and no free space"
            if self.keyframes.travel_m < FAR_M[missing]:
                return found
            self._warn(EMPTY.format(self.keyframes.travel_m, missing))
            return robot_map(self)

    def _doubt_mirrors(self) -> None:
        from commonground.mapping.fusion.merge_mesh import vertex_normals
        from commonground.mapping.mirrors import reflections

        mesh = self.mesh()
        points = mesh.vertices.astype(float)
        for found in reflections(points, vertex_normals(mesh), self.settings.surface.voxel_m):
            self._warn(str(found))

    def _warn(self, line: str) -> None:
        """Say a line at once and with the result, if there is one."""
        if line:
            self.intake.warnings.append(line)
            self._log(line)

    def _log(self, line: str) -> None:
        log.warning("%s: %s", self.robot or "the robot", line)

    def mesh(self) -> MeshPart:
        """Return the whole mesh, archive and surroundings."""
        parts = [self.archive.read()]
        if not self.segments[-1].closed:
            parts.append(self.segments[-1].live_mesh())
        return MeshPart.joined(parts).welded()

    @contextmanager
    def _timed(self, stage: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.seconds[stage].append(time.perf_counter() - start)
