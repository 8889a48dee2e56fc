"""``adapter:`` in ``robots.yaml``: how each real robot is reached, checked before anything is connected.

``KINDS`` has the kinds of real robots; whatever drives, checks or names one reads it there.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypeVar

from pydantic import AfterValidator, Field, ValidationError, model_validator

from commonground.config import validated
from commonground.errors import ConfigError, did_you_mean
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


def _known_kind(backend: str) -> str:
    if backend and backend not in KINDS:
        raise ValueError(f"has to be one of {', '.join(KINDS)}.{did_you_mean(backend, KINDS)}")
    return backend


class AdapterSettings(Settings):
    """What all real robots have."""

    backend: Annotated[str, AfterValidator(_known_kind)] = ""
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


_WITH_PORT = re.compile(r"://|^[^:]+:\d+$")
"""What only addresses have that name a port, or how to speak to it."""


def _of_spot(address: str) -> str:
    if _WITH_PORT.search(address):
        raise ValueError("write the host name or IP of the Spot alone; another port is 'port'")
    return address


class SpotSettings(AdapterSettings):
    """A Spot; its name and password come from the environment."""

    address: Annotated[str, AfterValidator(_of_spot)]
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


class Kind(NamedTuple):
    """A kind of real robots that missions drive."""

    settings: type[AdapterSettings]
    """Of its ``adapter``."""
    machine: str
    """MODULE:CLASS of its ``Machine``, which is loaded only where one is reached.

    It is made as ``CLASS(name, settings, speed_mps, pictures=…, commands=…)``: a folder for pictures of what
    it inspects, and whether it will be commanded or only heard.
    """


KINDS: Mapping[str, Kind] = {
    "nav2": Kind(Nav2Settings, "commonground.planning.robots.rosbridge.nav2:Nav2Machine"),
    "spot": Kind(DrivenSpot, "commonground.planning.robots.spot.machine:SpotMachine"),
}
"""Backend → kind of real robots."""


def check_adapter(
    name: str, adapter: Mapping[str, Any], origin: Mapping[Any, str], backend: str = ""
) -> None:
    """Raise ConfigError for what is wrong with an adapter, whatever drives this time.

    Where neither it nor the mission names a backend, it has to be right for one kind of robots; else what is
    told is wrong for the kind that it is most like.
    """
    kind = str(adapter.get("backend") or backend)
    if not kind and any(_is_right(adapter, each.settings) for each in KINDS.values()):
        return
    of = KINDS[kind if kind in KINDS else _most_like(adapter)]
    validated(of.settings, dict(adapter), origin, _where(name, origin))


def _is_right(adapter: Mapping[str, Any], model: type[AdapterSettings]) -> bool:
    try:
        model.model_validate(dict(adapter))
    except ValidationError:
        return False
    return True


def _most_like(adapter: Mapping[str, Any]) -> str:
    """Return the kind whose settings an adapter has most of; with a port in an address no Spot, else one."""
    bridged = any(isinstance(v, str) and _WITH_PORT.search(v) for v in adapter.values())

    def likeness(kind: str) -> tuple[int, bool]:
        shared = adapter.keys() & KINDS[kind].settings.model_fields.keys()
        return len(shared), bridged is (kind != "spot")

    return max(KINDS, key=likeness)


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
