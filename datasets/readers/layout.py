"""The roles of a bag's topics: the small YAML beside it, or what a known layout implies."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np
from pydantic import Field, field_validator, model_validator

from commonground.arrays import Floats
from commonground.config import load_config
from commonground.datasets.readers.bagfiles import bags_below
from commonground.geometry import from_quat_xyzw, is_rigid, transform
from commonground.names import Name, Place
from commonground.settings import Settings

NAMES = ("commonground.yaml", "bag.yaml")
"""Names under which the YAML is looked for beside or inside a bag."""

UNITS: dict[str, float | str] = {"auto": "auto", "mm": 1000.0, "m": 1.0}
"""Names of units of depth, and how many of each are a meter."""


class Pose(Settings):
    """Where one frame is in another."""

    xyz: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Meters."""
    quat_xyzw: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)
    """Unit quaternion, x y z w."""
    matrix: list[list[float]] | None = None
    """4×4 instead of both."""

    @field_validator("matrix")
    @classmethod
    def _rigid(cls, rows: list[list[float]] | None) -> list[list[float]] | None:
        if rows is not None and (len({len(r) for r in rows}) != 1 or np.shape(rows) != (4, 4)):
            raise ValueError("a 4×4 matrix is needed")
        if rows is not None and not is_rigid(rows):
            raise ValueError("the matrix is not a rigid motion")
        return rows

    @field_validator("quat_xyzw")
    @classmethod
    def _unit(cls, quat: tuple[float, ...]) -> tuple[float, ...]:
        if not 0.98 < float(np.linalg.norm(quat)) < 1.02:
            raise ValueError("the quaternion is not of unit length")
        return quat

    @property
    def T(self) -> Floats:
        """The transform (4, 4)."""
        if self.matrix is not None:
            return np.array(self.matrix)
        return transform(from_quat_xyzw(np.array(self.quat_xyzw)), self.xyz)


class Intrinsics(Settings):
    """A camera whose camera_info is not in the bag."""

    width: int = Field(gt=0, le=65_535)
    height: int = Field(gt=0, le=65_535)
    K: tuple[float, float, float, float]
    """fx, fy, cx, cy in pixels."""
    distortion_model: str = ""
    distortion: list[float] = Field(default_factory=list)


class CameraTopics(Settings):
    """One RGB-D camera."""

    color: str
    """Topic of sensor_msgs/Image or CompressedImage."""
    depth: str
    """Topic of sensor_msgs/Image (16UC1 or 32FC1) or CompressedImage (PNG or compressedDepth)."""
    color_info: str | None = None
    """Topic of camera_info; None takes ``color_intrinsics``."""
    depth_info: str | None = None
    """Topic of camera_info; None means depth is already in the color image."""
    color_intrinsics: Intrinsics | None = None
    depth_intrinsics: Intrinsics | None = None
    T_robot_color: Pose | None = None
    """Pose of the color camera's optical frame on the robot; None looks it up in /tf_static."""
    T_color_depth: Pose | None = None
    """Pose of the depth camera in the color camera's optical frame; None looks it up in /tf_static,
    and takes them as one where that does not tell."""
    instances: str | None = None
    """Topic of true object numbers, as 16-bit PNG."""
    labels: str | None = None
    """Topic of true classes, as 8-bit PNG."""

    @model_validator(mode="after")
    def _apart(self) -> CameraTopics:
        topics = [t for t in (self.color, self.depth, self.instances, self.labels) if t is not None]
        if len(set(topics)) < len(topics):
            raise ValueError("each image needs a topic of its own")
        return self


class PoseSource(Settings):
    """Where poses come from: a topic of this bag or of another, or a file."""

    topic: str | None = None
    """nav_msgs/Odometry, geometry_msgs/PoseStamped, PoseWithCovarianceStamped, TransformStamped, or
    tf2_msgs/TFMessage."""
    frames: tuple[str, str] = ("odom", "base_link")
    """Of a TFMessage, the transform from the first frame to the second."""
    bag: Place | None = None
    """Another bag, beside the YAML, that has the topic."""
    file: Place | None = None
    """A .tum file, or a .csv of ns, x, y, z, qw, qx, qy, qz."""
    T_pose_robot: Pose = Pose()
    """The robot's frame (x forward, z up) in the frame whose pose is given."""
    world_up: Literal["z", "optical"] = "z"
    """``optical`` if the poses' world frame is that of a camera: y down, z forward."""


class RobotTopics(Settings):
    """One robot."""

    cameras: dict[Name, CameraTopics] = Field(min_length=1)
    odometry: PoseSource
    truth: PoseSource | None = None
    base_frame: str = ""
    """Frame id of the robot in /tf_static; guessed if empty."""


class BagLayout(Settings):
    """The YAML beside a bag."""

    bags: list[Place] = Field(default_factory=list)
    """Bags beside the YAML; empty means the one that was opened."""
    robots: dict[Name, RobotTopics] = Field(min_length=1)
    sync_tolerance_s: float = Field(default=0.02, gt=0, le=5)
    """Color and depth further apart than this are not of one instant."""
    depth_unit: float | str = "auto"
    """auto, mm, m, or how many units of depth are a meter, as 5000; auto judges by their kind and size."""
    pose_gap_s: float = Field(default=0.5, gt=0)
    """Between odometry messages further apart than this, frames have no pose."""

    @field_validator("depth_unit")
    @classmethod
    def _known(cls, unit: float | str) -> float | str:
        if unit not in UNITS if isinstance(unit, str) else not 1 <= unit < np.inf:
            raise ValueError("is auto, mm, m, or how many units of depth are a meter, as 5000")
        return UNITS.get(unit, unit) if isinstance(unit, str) else unit


def layout_file(path: Path) -> Path | None:
    """Return the YAML that describes a bag or a folder of bags, if there is one: in it or beside it."""
    path = path if path.name not in ("", "..") else path.resolve()
    bags = bags_below(path)
    # beside a folder of several bags lies what is not about them
    bag = bags[0] if len(bags) == 1 else None
    places = (path,) if bag is None else (path, bag, bag.parent)
    folders = dict.fromkeys(place for place in places if place.is_dir())
    own = () if bag is None else (f"{bag.name if bag.is_dir() else bag.stem}.yaml",)
    tried = (folder / yaml for yaml in (*own, *NAMES) for folder in folders)
    return next((file for file in tried if file.is_file()), None)


def load_layout(file: Path) -> BagLayout:
    """Return the layout of a YAML file; ConfigError names the line of a mistake."""
    return load_config(BagLayout, file)
