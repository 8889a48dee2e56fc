"""Simulated traverses of several robots, read like any dataset: frames are made as they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from commonground.arguments import words
from commonground.arrays import Floats, Ints
from commonground.datasets.health import Health
from commonground.datasets.labels import LABELS
from commonground.datasets.masks import degraded
from commonground.datasets.settings import SimulationSettings
from commonground.datasets.simulator.camera import Renderer, blurred, measured_depth
from commonground.datasets.simulator.motion import drive, ticks_to_ns
from commonground.datasets.simulator.odometry import drifting
from commonground.datasets.simulator.robots import Mount, body_of, camera_of
from commonground.datasets.simulator.routes import routes
from commonground.datasets.trajectory import Trajectory, chosen_cameras, chosen_instants
from commonground.datasets.world.making import world_of
from commonground.datasets.world.model import World
from commonground.digest import digest
from commonground.errors import DataError, did_you_mean
from commonground.frame import Camera, Frame, unseen
from commonground.reading import MOST_ROBOTS

if TYPE_CHECKING:
    from commonground.scene import SceneGraph

START_NS = 1_700_000_000_000_000_000
SESSION_NS = 86_400_000_000_000
"""Sessions are a day apart."""
MOST_HOURS = 60.0
"""Of driving, by all robots together; their poses are held in memory, 20 a second."""
_world_of = lru_cache(maxsize=2)(world_of)
"""Nothing changes a world, and the phases of a story ask for those of two days again and again."""


class Simulation:
    """The robots of one simulated session; the same settings give the same bytes.

    Every frame can be made alone: nothing depends on which were made before.
    """

    format = "simulation"

    def __init__(
        self,
        robots: Sequence[str] = ("husky", "spot"),
        settings: SimulationSettings | None = None,
        *,
        world: World | None = None,
    ) -> None:
        """Simulate robots in the world the settings describe, or in a given one."""
        robots = words(robots, "robots", DataError)
        if not robots or len(set(robots)) != len(robots):
            raise DataError(f"robots need names of their own, not '{', '.join(robots)}'")
        self.settings = settings or SimulationSettings()
        _check_amount(robots, self.settings)
        self.world = world if world is not None else _world_of(self.settings.world)
        self.from_settings = world is None
        self.health = Health()
        self.notes: tuple[str, ...] = ()
        self._robots = tuple(_proper(robot) for robot in robots)
        self._trajectories: dict[str, Trajectory] = {}

    # ---- what there is ----

    def robots(self) -> tuple[str, ...]:
        """Return the robots' names."""
        return self._robots

    def labels(self) -> Mapping[int, str]:
        """Return class number → word."""
        return LABELS

    def fingerprint(self, robot: str) -> str:
        """Return what tells a robot's drive from any other: all that determines it."""
        own = None if self.from_settings else self.world
        return digest(self._known(robot), self._robots, self.settings, own)

    def cameras(self, robot: str) -> tuple[Camera, ...]:
        """Return a robot's cameras."""
        return tuple(camera_of(m, self.settings.sensor) for m in self._mounts(robot).values())

    def T_robot_cam(self, robot: str, camera: str) -> Floats:
        """Return where a camera sits on its robot (4, 4)."""
        mounts = self._mounts(robot)
        if camera not in mounts:
            hint = did_you_mean(camera, mounts)
            raise DataError(f"{robot} has no camera '{camera}'; it has {', '.join(mounts)}.{hint}")
        return mounts[camera].T_robot_cam()

    def trajectory(self, robot: str) -> Trajectory:
        """Return the robot's odometry and true poses, 20 a second."""
        if self._known(robot) not in self._trajectories:
            self._trajectories[robot] = self._drive(robot)
        return self._trajectories[robot]

    def stamps_ns(self, robot: str) -> Ints:
        """Return the stamps (n,) of the robot's images; all its cameras fire at each."""
        span = self.trajectory(robot).stamps_ns
        rate = self.settings.driving.frame_rate_hz
        count = int((span[-1] - span[0]) / 1e9 * rate) + 1
        return ticks_to_ns(np.arange(count) / rate, int(span[0]))

    def first_ns(self, robot: str) -> int:
        """Return the stamp of the first image; seconds given to ``frames`` count from it."""
        stamps = self.stamps_ns(robot)
        return int(stamps[0]) if len(stamps) else 0

    def duration_s(self, robot: str) -> float:
        """Return the seconds from the first image to the last."""
        stamps = self.stamps_ns(robot)
        return float(stamps[-1] - stamps[0]) / 1e9 if len(stamps) else 0.0

    def length(self, robot: str) -> int:
        """Return how many frames there are, of all cameras."""
        return len(self.stamps_ns(robot)) * len(self._mounts(robot))

    def truth(self) -> SceneGraph | None:
        """Return the true scene graph of the world."""
        from commonground.datasets.world.truth import scene_of

        return scene_of(self.world)

    # ---- frames ----

    def frames(
        self,
        robot: str,
        *,
        start_s: float = 0.0,
        stop_s: float | None = None,
        stride: int = 1,
        cameras: Sequence[str] | None = None,
        images: Callable[[], bool] | None = None,
    ) -> Iterator[Frame]:
        """Render frames in time order, from and to seconds after the first, every ``stride``-th instant."""
        names = chosen_cameras(robot, list(self._mounts(robot)), cameras)
        for stamp in chosen_instants(self.stamps_ns(robot), start_s, stop_s, stride):
            for name in names:
                read = images is None or images()
                yield (
                    self.frame(robot, name, int(stamp))
                    if read
                    else self._blind(robot, name, int(stamp))
                )

    def _blind(self, robot: str, camera: str, stamp_ns: int) -> Frame:
        """Return the frame of one camera without what it sees."""
        trajectory, T_robot_cam = self.trajectory(robot), self.T_robot_cam(robot, camera)
        device = camera_of(self._mounts(robot)[camera], self.settings.sensor)
        rgb, depth_m = unseen(device)
        return Frame(
            stamp_ns=stamp_ns,
            robot=robot,
            camera=device,
            rgb=rgb,
            depth_m=depth_m,
            T_odom_cam=trajectory.odom_at(stamp_ns)[0] @ T_robot_cam,
            T_world_cam=_truth_at(trajectory, stamp_ns) @ T_robot_cam,
        )

    def frame(self, robot: str, camera: str, stamp_ns: int) -> Frame:
        """Render the frame of one camera at any instant of the traverse."""
        sensor, trajectory = self.settings.sensor, self.trajectory(robot)
        T_robot_cam = self.T_robot_cam(robot, camera)
        device = camera_of(self._mounts(robot)[camera], sensor)
        T_world_cam = _truth_at(trajectory, stamp_ns) @ T_robot_cam
        rng = self._rng(robot, 3, stamp_ns, *camera.encode())
        view = self._renderer.view(
            device,
            T_world_cam,
            gain=self._exposure(robot, stamp_ns),
            grain=rng.integers(0, 256, device.width * device.height, np.uint8),
            color_noise=sensor.color_noise,
        )
        rgb = view.rgb
        if sensor.motion_blur_ms > 0:
            opened = stamp_ns - round(sensor.motion_blur_ms * 1e6)
            rgb = blurred(rgb, device, _truth_at(trajectory, opened) @ T_robot_cam, T_world_cam)
        frame = Frame(
            stamp_ns=stamp_ns,
            robot=robot,
            camera=device,
            rgb=rgb,
            depth_m=measured_depth(view.depth_m, sensor, rng),
            T_odom_cam=trajectory.odom_at(stamp_ns)[0] @ T_robot_cam,
            T_world_cam=T_world_cam,
            instances=view.instances,
            labels=view.labels,
        )
        return degraded(frame, self.settings.masks, self.settings.seed)

    def _exposure(self, robot: str, stamp_ns: int) -> float:
        """Return the brightness of a moment: a slow sum of waves, the same for all cameras of a robot."""
        seconds = (stamp_ns - START_NS) / 1e9
        phase = self._rng(robot, 4).uniform(0, 2 * np.pi, 3)
        wave = np.sin(2 * np.pi * seconds / np.array([7.0, 23.0, 61.0]) + phase).sum()
        return float(np.exp(self.settings.sensor.exposure_change * wave / np.sqrt(1.5)))

    # ---- driving ----

    @cached_property
    def _renderer(self) -> Renderer:
        return Renderer(self.world)

    @cached_property
    def _routes(self) -> dict[str, Floats]:
        driving = self.settings.driving
        again = driving.routes_of_session
        session = self.world.session if again is None else again
        rng = np.random.default_rng([self.settings.seed, session, 1])
        found = routes(self.world.lanes, len(self._robots), driving.length_m, driving.overlap, rng)
        return dict(zip(self._robots, found, strict=True))

    def _drive(self, robot: str) -> Trajectory:
        driving, body = self.settings.driving, body_of(robot)
        speed = driving.speed_mps or body.speed_mps
        seconds, T = drive(
            self._routes[robot],
            self.world.ground,
            body,
            speed,
            self._rng(robot, 1),
            doors=bool(self.world.interiors),
        )
        start = START_NS + SESSION_NS * self.world.session
        odom = drifting(T, driving.drift_percent, self._rng(robot, 2))
        return Trajectory(ticks_to_ns(seconds, start), odom, T)

    def _rng(self, robot: str, *purpose: int) -> np.random.Generator:
        seed = [self.settings.seed, self.world.session, *robot.encode(), *purpose]
        return np.random.default_rng(seed)

    def _mounts(self, robot: str) -> dict[str, Mount]:
        return {mount.name: mount for mount in body_of(self._known(robot)).mounts}

    def _known(self, robot: str) -> str:
        if robot not in self._robots:
            hint = did_you_mean(robot, self._robots)
            there = ", ".join(self._robots)
            raise DataError(f"there is no robot '{robot}'; there are {there}.{hint}")
        return robot


def simulate(
    world: World,
    robot: str,
    settings: SimulationSettings | None = None,
    *,
    robots: Sequence[str] = (),
) -> Iterator[Frame]:
    """Yield one robot's frames in memory; ``robots`` names the whole team, which fixes the shared routes."""
    return Simulation(tuple(robots) or (robot,), settings, world=world).frames(robot)


def _truth_at(trajectory: Trajectory, stamp_ns: int) -> Floats:
    T = trajectory.world_at(stamp_ns)
    if T is None:
        raise DataError("a simulated traverse has true poses")
    return np.asarray(T[0])


def _check_amount(robots: Sequence[str], settings: SimulationSettings) -> None:
    """Raise DataError for more robots, or more hours of driving, than are simulated at once."""
    if len(robots) > MOST_ROBOTS:
        raise DataError(f"{len(robots)} robots are more than the {MOST_ROBOTS} that are simulated")
    driving = settings.driving
    hours = sum(
        driving.length_m / (driving.speed_mps or body_of(robot).speed_mps) / 3600
        for robot in robots
    )
    if hours > MOST_HOURS:
        raise DataError(
            f"the robots would drive {hours:.0f} hours in all, and at most {MOST_HOURS:.0f} are "
            "simulated at once; choose a smaller length_m, or fewer robots"
        )


def _proper(robot: str) -> str:
    """Return a robot's name if it can also be the name of a folder and of a topic."""
    if not robot.isidentifier() or not robot.isascii():
        raise DataError(
            f"'{robot}' is no name for a robot: letters, digits and _, as in spot or husky_2"
        )
    return robot
