"""Frames of a Spot: its cameras, with depth registered to them, and where it thinks they were.

It only looks: no lease is taken, so that a mission, or a tablet, may drive it meanwhile.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from pydantic import Field

from commonground.adapters import SpotSettings
from commonground.arrays import Bytes, Floats, Floats32
from commonground.errors import DataError
from commonground.frame import Camera, Frame
from commonground.geometry import from_quat_xyzw, transform
from commonground.live.team.ros import SILENT_S, Say
from commonground.mapping.checkpoint import Progress
from commonground.reading_pictures import picture
from commonground.settings import Settings

if TYPE_CHECKING:
    from commonground.planning.robots.spot.session import Session

DEPTH = "{}_depth_in_visual_frame"
EYE = "{}_fisheye_image"


class SpotSource(Settings):
    """A Spot whose cameras are looked through."""

    robot: SpotSettings
    cameras: tuple[str, ...] = ("frontleft", "frontright")
    frame: str = "vision"
    """Its odometry: ``vision``, or ``odom`` for legs alone."""
    rate_hz: Annotated[float, Field(gt=0, le=15)] = 4.0
    ends_after_s: Annotated[float, Field(gt=0)] = 600.0
    """The stream has ended when it did not answer for so long."""


class SpotFrames:
    """Frames of one Spot, asked for at a steady rate."""

    def __init__(self, settings: SpotSource, robot: str, say: Say) -> None:
        self.settings, self.robot, self._say = settings, robot, say

    def __call__(self, done: Progress | None) -> Iterator[Frame]:
        """Yield frames; a robot that does not answer is asked again for a while."""
        from commonground.planning.robots.protocol import RobotError
        from commonground.planning.robots.spot.session import Session

        session = Session(self.robot, self.settings.robot)
        try:
            session.open("")
            yield from self._while_it_answers(session)
        except RobotError as error:
            raise DataError(str(error)) from error
        finally:
            session.close()

    def _while_it_answers(self, session: Session) -> Iterator[Frame]:
        from commonground.planning.robots.spot.session import known_errors, told

        s = self.settings
        heard_s, stamps = time.monotonic(), dict.fromkeys(s.cameras, 0)
        while True:
            asked_s = time.monotonic()
            try:
                frames = self._asked(session)
            except known_errors() as error:
                if asked_s - heard_s > s.ends_after_s:
                    raise DataError(f"{self.robot}: {told(error, s.robot)}") from error
                if asked_s - heard_s > SILENT_S:
                    self._say(told(error, s.robot))
                frames = []
            except DataError:  # a damaged picture; what comes for long enough is told as silence
                if asked_s - heard_s > s.ends_after_s:
                    raise
                frames = []
            for frame in frames:
                if frame.stamp_ns > stamps[frame.camera.name]:  # or it has taken no other since
                    stamps[frame.camera.name] = frame.stamp_ns
                    heard_s = time.monotonic()
                    self._say("")
                    yield frame
            time.sleep(max(0.0, asked_s + 1.0 / s.rate_hz - time.monotonic()))

    def _asked(self, session: Session) -> list[Frame]:
        from bosdyn.client.image import ImageClient

        names = [kind.format(c) for c in self.settings.cameras for kind in (EYE, DEPTH)]
        client = session.client(ImageClient)
        answers = client.get_image_from_sources(names, timeout=2.0)
        skew_ns = session.robot.time_sync.endpoint.clock_skew.ToNanoseconds()
        return [
            self._frame(name, answers[2 * k], answers[2 * k + 1], skew_ns)
            for k, name in enumerate(self.settings.cameras)
        ]

    def _frame(self, name: str, eye: Any, depth: Any, skew_ns: int) -> Frame:
        from bosdyn.client.frame_helpers import get_a_tform_b

        shot, pinhole = eye.shot, eye.source.pinhole.intrinsics
        K = np.array(
            [
                [pinhole.focal_length.x, 0.0, pinhole.principal_point.x],
                [0.0, pinhole.focal_length.y, pinhole.principal_point.y],
                [0.0, 0.0, 1.0],
            ]
        )
        frame, sensor = self.settings.frame, shot.frame_name_image_sensor
        moved = get_a_tform_b(shot.transforms_snapshot, frame, sensor)
        if moved is None:
            raise DataError(
                f"{self.robot}: its {name} camera does not tell where it is in '{frame}'"
            )
        return Frame(
            # the robot's clock is ahead of ours by the skew
            stamp_ns=shot.acquisition_time.ToNanoseconds() - skew_ns,
            robot=self.robot,
            camera=Camera(name, K, eye.shot.image.cols, eye.shot.image.rows),
            rgb=_color(shot.image),
            depth_m=_depth(depth),
            T_odom_cam=_pose(moved),
        )


def _color(image: Any) -> Bytes:
    with picture(image.data, ("JPEG",)) as found:
        return np.asarray(found.convert("RGB"))


def _depth(answer: Any) -> Floats32:
    image = answer.shot.image
    values = np.frombuffer(image.data, "<u2").reshape(image.rows, image.cols)
    scale = answer.source.depth_scale or 1000.0
    depth = values.astype(np.float32) / np.float32(scale)
    return np.where(values > 0, depth, np.float32(np.nan))


def _pose(moved: Any) -> Floats:
    q = moved.rot
    return transform(from_quat_xyzw(np.array([q.x, q.y, q.z, q.w])), [moved.x, moved.y, moved.z])
