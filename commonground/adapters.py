"""``adapter:`` in ``robots.yaml``: how each real robot is reached, checked before anything is connected."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, Field, model_validator

from commonground.config import validated
from commonground.errors import ConfigError
from commonground.settings import Settings

if TYPE_CHECKING:
    from commonground.robots import Robot


def _in_radians(pose: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    if abs(pose[3]) > 2.0 * math.pi:
        raise ValueError(
            f"the yaw is in radians, within ±2π; {pose[3]:g} degrees are {math.radians(pose[3]):.4g}"
        )
    return pose


PlanarPose = Annotated[tuple[float, float, float, float], AfterValidator(_in_radians)]
"""x, y, z in meters and yaw in radians, as people write it."""


class AdapterSettings(Settings):
    """What all real robots have."""

    backend: Literal["", "nav2", "spot"] = ""
    """How this robot is driven, where that is not what the mission's `--backend` says."""
    address: str
    """Of the robot: a host name or IP for Spot, ws://HOST:9090 for rosbridge."""
    certificate: Path | None = None
    """PEM file of the authority that signed the server's certificate, where the usual ones did not."""
    T_map_frame: PlanarPose = (0.0, 0.0, 0.0, 0.0)
    """Where the robot's own frame lies in the map: x, y, z in meters and yaw in radians."""
    localization: Path | None = None
    """File to which the estimates of `localize --out` are appended while the robot drives; then the robot's
    frame is that of its odometry, and it drives only while the last estimate says that it is localized."""


def _of_rosbridge(address: str) -> str:
    if not address.startswith(("ws://", "wss://")):
        raise ValueError("write ws://HOST:9090, or wss:// where rosbridge has a certificate")
    return address


class Nav2Settings(AdapterSettings):
    """A robot behind rosbridge: Nav2 (ROS 2) or move_base (ROS 1)."""

    address: Annotated[str, AfterValidator(_of_rosbridge)]
    ros: Literal[1, 2] = 2
    drive: Literal["follow_path", "navigate_to_pose"] = "follow_path"
    """The action of Nav2 that drives: along the very path, or from point to point of it."""
    namespace: str = ""
    """Put before all names of topics and actions, as in /husky."""
    frame: str = "map"
    """Frame in which the robot tells its pose and takes goals; `odom` with `localization`."""
    base: str = "base_link"
    """The robot's own frame."""
    pose_topic: str = ""
    """Instead of TF: a topic of nav_msgs/Odometry, or of a pose with `pose_type`."""
    pose_type: Literal["odometry", "pose", "pose_with_covariance"] = "odometry"
    battery_topic: str = ""
    """Of sensor_msgs/BatteryState; empty: the robot tells nothing of its battery."""
    battery_s: Annotated[float, Field(gt=0, le=3600)] = 60.0
    """Seconds within which the battery has to be told; longer ones than these, where it comes less often."""
    compression: Literal["none", "png", "cbor"] = "none"
    """How the server shall pack what it sends."""


class SpotSettings(AdapterSettings):
    """A Spot; its name and password come from the environment."""

    port: Annotated[int, Field(ge=1, le=65535)] = 443
    username_from: str = "BOSDYN_CLIENT_USERNAME"
    """Environment variable with the user's name."""
    password_from: str = "BOSDYN_CLIENT_PASSWORD"  # noqa: S105 - the name of a variable
    """Environment variable with the password; it is never written anywhere."""
    estop: Literal["own", "others"] = "own"
    """Whether the mission brings the emergency stop, which sits the robot down when it hears nothing for five
    seconds; `others` where one is held already, as by a tablet."""
    frame: Literal["odom", "vision"] = "vision"
    """Frame in which it tells its pose and drives."""
    cameras: tuple[str, ...] = ("frontleft_fisheye_image",)
    """Sources of the pictures that are taken of what it inspects."""
    take_lease: bool = False
    """Take the lease from whoever has it, instead of refusing."""


class DrivenSpot(SpotSettings):
    """A Spot that missions drive in the map."""

    @model_validator(mode="after")
    def _is_somewhere(self) -> DrivenSpot:
        if self.localization is None and "T_map_frame" not in self.model_fields_set:
            raise ValueError(
                "the frames of a Spot begin anew at each start: write T_map_frame: [x, y, z, yaw], where "
                "its frame lies in the map, or localization: FILE with estimates of it"
            )
        return self


def check_adapter(
    name: str, adapter: Mapping[str, Any], origin: Mapping[Any, str], backend: str = ""
) -> None:
    """Raise ConfigError for what is wrong with an adapter, whatever drives this time.

    Where neither it nor the mission names a backend, it is of rosbridge if anything of it is.
    """
    kind = adapter.get("backend") or backend
    model = DrivenSpot if kind == "spot" or not (kind or _is_bridged(adapter)) else Nav2Settings
    validated(model, dict(adapter), origin, _where(name, origin))


def _is_bridged(adapter: Mapping[str, Any]) -> bool:
    ours = Nav2Settings.model_fields.keys() - SpotSettings.model_fields.keys()
    return bool(ours & adapter.keys()) or any(
        isinstance(value, str) and re.search(r"://|^[^:]+:\d+$", value)
        for value in adapter.values()
    )


def _where(name: str, origin: Mapping[Any, str]) -> str:
    return origin.get((), f"adapter of robot '{name}'")


Adapter = TypeVar("Adapter", bound=AdapterSettings)


def adapter_of(robot: Robot, kind: type[Adapter]) -> Adapter:
    """Return the checked settings of a robot's adapter; ConfigError says what is wrong with them."""
    if not robot.adapter:
        raise ConfigError(
            f"robot '{robot.name}' has no adapter; add 'adapter: {{address: …}}' to it in robots.yaml"
        )
    return validated(kind, robot.adapter, robot.origin, _where(robot.name, robot.origin))
