"""The protocol of readers: what every dataset can do, whether recorded or simulated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from commonground.arrays import Floats, Ints
from commonground.datasets.health import Health
from commonground.datasets.trajectory import Trajectory
from commonground.frame import Camera, Frame

if TYPE_CHECKING:
    from commonground.scene import SceneGraph


@runtime_checkable
class Reader(Protocol):
    """A dataset: robots, each with cameras, poses, and frames that are made or read as they are asked for."""

    @property
    def format(self) -> str:
        """Short name of the format, as ``data info`` prints it."""

    @property
    def health(self) -> Health:
        """What was skipped so far, and why."""

    @property
    def notes(self) -> Sequence[str]:
        """What a user should know before relying on the data: guesses made, things missing."""

    def robots(self) -> tuple[str, ...]:
        """Return the names of the robots."""

    def labels(self) -> Mapping[int, str]:
        """Return class number → word of the label images; empty if there are none."""

    def fingerprint(self, robot: str) -> str:
        """Return what tells a robot's recording from any other, and from itself before it was changed."""

    def cameras(self, robot: str) -> tuple[Camera, ...]:
        """Return a robot's cameras."""

    def T_robot_cam(self, robot: str, camera: str) -> Floats:
        """Return where a camera sits on its robot (4, 4)."""

    def trajectory(self, robot: str) -> Trajectory:
        """Return the robot's odometry, and its true poses where the data has them."""

    def stamps_ns(self, robot: str) -> Ints:
        """Return the sorted stamps (n,) at which at least one camera saw something."""

    def first_ns(self, robot: str) -> int:
        """Return the stamp of the first image; seconds given to ``frames`` count from it."""

    def duration_s(self, robot: str) -> float:
        """Return the seconds from the first image to the last."""

    def length(self, robot: str) -> int:
        """Return how many frames there are, of all cameras."""

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
        """Yield frames in time order, from and to seconds after the first, every ``stride``-th instant.

        ``images`` is asked before each: whether its images are read, or its pose alone is given.
        """

    def truth(self) -> SceneGraph | None:
        """Return the true scene graph where there is one."""
