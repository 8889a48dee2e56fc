"""A simulated drive of several robots, read like any dataset: frames are made as they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.datasets.health import Health
from commonground.datasets.labels import LABELS
from commonground.datasets.masks import degraded
from commonground.datasets.settings import SimulationSettings
from commonground.datasets.simulator.camera import Renderer, measured_depth
from commonground.datasets.simulator.motion import drive, ticks_to_ns
from commonground.datasets.simulator.odometry import drifting
from commonground.datasets.simulator.robots import Mount, body_of, camera_of
from commonground.datasets.simulator.routes import routes
from commonground.datasets.trajectory import Trajectory
from commonground.datasets.world.model import World
from commonground.errors import DataError, did_you_mean
from commonground.frame import Camera, Frame

if TYPE_CHECKING:
    from commonground.scene import SceneGraph

START_NS = 1_700_000_000_000_000_000


class Simulation:
    """The robots of one simulated session; the same settings give the same bytes."""

    format = "simulation"

    def __init__(
        self,
        world: World,
        robots: Sequence[str] = ("husky", "spot"),
        settings: SimulationSettings | None = None,
    ) -> None:
        if len(set(robots)) != len(robots) or not robots:
            raise DataError(f"robots need names of their own, not {', '.join(robots) or 'none'}")
        self.world = world
        self.settings = settings or SimulationSettings()
        self.health = Health()
        self._robots = tuple(robots)
        self._trajectories: dict[str, Trajectory] = {}

    # ---- what there is ----

    def robots(self) -> tuple[str, ...]:
        """Return the robots' names."""
        return self._robots

    def labels(self) -> Mapping[int, str]:
        """Return class number → word."""
        return LABELS

    def cameras(self, robot: str) -> tuple[Camera, ...]:
        """Return a robot's cameras."""
        return tuple(camera_of(m, self.settings.sensor) for m in body_of(self._known(robot)).mounts)

    def T_robot_cam(self, robot: str, camera: str) -> Floats:
        """Return where a camera sits on its robot (4, 4)."""
        return self._mount(robot, camera).T_robot_cam()

    def trajectory(self, robot: str) -> Trajectory:
        """Return the robot's odometry and true poses, 20 a second."""
        if self._known(robot) not in self._trajectories:
            self._trajectories[robot] = self._drive(robot)
        return self._trajectories[robot]

    def stamps_ns(self, robot: str) -> Ints:
        """Return the stamps (n,) of the robot's images; all its cameras fire at each."""
        span = self.trajectory(robot).stamps_ns
        seconds = (span[-1] - span[0]) / 1e9
        rate = self.settings.driving.frame_rate_hz
        return ticks_to_ns(np.arange(int(seconds * rate) + 1) / rate, int(span[0]))

    def length(self, robot: str) -> int:
        """Return how many frames there are, of all cameras."""
        return len(self.stamps_ns(robot)) * len(self.cameras(robot))

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
    ) -> Iterator[Frame]:
        """Render frames in time order, from and to seconds after the first, every ``stride``-th instant."""
        stamps = self.stamps_ns(robot)
        seconds = (stamps - stamps[0]) / 1e9
        chosen = [m for m in body_of(robot).mounts if cameras is None or m.name in cameras]
        for k in np.flatnonzero(
            (seconds >= start_s) & (seconds <= (stop_s if stop_s is not None else np.inf))
        )[::stride]:
            for mount in chosen:
                yield self._frame(robot, mount, int(k), int(stamps[k]))

    def _frame(self, robot: str, mount: Mount, k: int, stamp_ns: int) -> Frame:
        sensor, trajectory = self.settings.sensor, self.trajectory(robot)
        camera, T_robot_cam = camera_of(mount, sensor), mount.T_robot_cam()
        T_world_robot = trajectory.world_at(stamp_ns)
        if T_world_robot is None:
            raise DataError("a simulated drive has true poses")
        T_world_cam = T_world_robot[0] @ T_robot_cam
        rng = self._rng(robot, 3, k, *mount.name.encode())
        view = self._renderer.view(
            camera,
            T_world_cam,
            gain=self._exposure(robot, stamp_ns),
            grain=rng.integers(0, 256, camera.width * camera.height, np.uint8),
            color_noise=sensor.color_noise,
        )
        frame = Frame(
            stamp_ns=stamp_ns,
            robot=robot,
            camera=camera,
            rgb=view.rgb,
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
        wave = np.sin(2 * np.pi * seconds / np.array([7.0, 23.0, 61.0]) + phase).sum() / np.sqrt(
            1.5
        )
        return float(np.exp(self.settings.sensor.exposure_change * wave))

    # ---- driving ----

    @cached_property
    def _renderer(self) -> Renderer:
        return Renderer(self.world)

    @cached_property
    def _routes(self) -> dict[str, Floats]:
        driving = self.settings.driving
        rng = np.random.default_rng([self.settings.seed, 1])
        found = routes(self.world.lanes, len(self._robots), driving.length_m, driving.overlap, rng)
        return dict(zip(self._robots, found, strict=True))

    def _drive(self, robot: str) -> Trajectory:
        driving, body = self.settings.driving, body_of(robot)
        speed = driving.speed_mps or body.speed_mps
        seconds, T = drive(self._routes[robot], self.world.ground, body, speed, self._rng(robot, 1))
        start = START_NS + 10_000_000 * self._robots.index(robot)
        odom = drifting(T, driving.drift_percent, self._rng(robot, 2))
        return Trajectory(ticks_to_ns(seconds, start), odom, T)

    def _rng(self, robot: str, *purpose: int) -> np.random.Generator:
        return np.random.default_rng([self.settings.seed, *robot.encode(), *purpose])

    def _mount(self, robot: str, camera: str) -> Mount:
        mounts = {m.name: m for m in body_of(self._known(robot)).mounts}
        if camera not in mounts:
            raise DataError(
                f"{robot} has no camera '{camera}'; it has {', '.join(mounts)}.{did_you_mean(camera, mounts)}"
            )
        return mounts[camera]

    def _known(self, robot: str) -> str:
        if robot not in self._robots:
            hint = did_you_mean(robot, self._robots)
            raise DataError(
                f"there is no robot '{robot}'; there are {', '.join(self._robots)}.{hint}"
            )
        return robot


def simulate(
    world: World,
    robot: str,
    settings: SimulationSettings | None = None,
    *,
    robots: Sequence[str] = (),
) -> Iterator[Frame]:
    """Yield one robot's frames in memory; ``robots`` names the whole team, which fixes the shared routes."""
    return Simulation(world, tuple(robots) or (robot,), settings).frames(robot)
