"""What a mission asks of a robot, and what the robot tells: the one border to simulators and machines.

An order has a key. A robot that is told an order it knows already goes on with it, or says how it ended, and
never does it a second time; so a base station that was killed may say everything again.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, Protocol

from commonground.errors import CommongroundError

Point = tuple[float, float, float]
"""x, y, z in meters in the map frame."""
State = Literal["idle", "running", "done", "failed"]
REACH_M = 2.5
"""A thing farther away than this cannot be handled or inspected."""
BATTERY_LOW = 0.15
"""A robot with less of its battery than this ends its order, and takes no part any more."""
OFF_WAY_M = 1.5
"""A robot farther than this from where it says that it is on its way is not believed, nor one that says it
has arrived."""
Failure = Literal[
    "", "blocked", "missing", "grasp", "stuck", "lost", "battery", "fault", "taken", "refused"
]
"""Why an order ended early: the way is blocked, the thing is not there, the grip failed, no progress,
the pose is unknown, the battery is low, the robot is broken, somebody else commands it, or the robot does
not take the order."""


class RobotError(CommongroundError):
    """A robot cannot be reached, is commanded by somebody else, or answers what cannot be."""


class Unreached(RobotError):
    """A robot does not answer now, and may again."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """A thing that a robot saw: where it is now, or that it is not where it should be."""

    thing: str
    """Symbol in the scene graph; empty for what the map does not know."""
    position: Point
    size_m: float = 0.0
    """How wide something unknown is."""
    absent: bool = False
    """It was looked for within ``REACH_M`` of the position, and is not there."""


@dataclass(frozen=True, slots=True)
class Status:
    """What a robot tells of itself at one moment."""

    position: Point | None
    """In the map frame; None while it is not known."""
    order: str = ""
    """Key of the order it has, or had last."""
    state: State = "idle"
    gone_m: float = 0.0
    """Meters of the ordered path that lie behind it; with ``done``, all of them."""
    failure: Failure = ""
    detail: str = ""
    holding: str = ""
    """Symbol of the thing in its gripper."""
    linked: bool = True
    localized: bool = True
    battery: float = 1.0
    """What is left of it, as a share from 0 to 1."""
    doubt: str = ""
    """What it should tell and has not told for long."""
    sightings: tuple[Sighting, ...] = ()
    """What it saw since it was asked last."""
    wrong: str = ""
    """What it told that cannot be, in place of all else; whoever hears it says so, and not the robot."""

    def as_json(self) -> dict[str, Any]:
        """Return what differs from the defaults as JSON values."""
        plain = asdict(self)
        return {
            f.name: plain[f.name]
            for f in fields(self)
            if f.name == "position" or getattr(self, f.name) != f.default
        }


class RobotLink(Protocol):
    """A robot that takes orders. Calls return at once; how an order goes is told by ``status``.

    It stops by itself when it hears nothing from its commander for a while. A call that raises Unreached or
    OSError says that it is out of reach for now. What it tells has to fit together: where it stands, and how
    much of its way lies behind it.
    """

    @property
    def name(self) -> str:
        """The robot's name in the team."""
        ...

    def take(self, commander: str) -> None:
        """Become the one who commands it; RobotError while somebody else does."""
        ...

    def release(self) -> None:
        """Let others command it."""
        ...

    def follow(self, key: str, path_map: tuple[Point, ...], upto_m: float) -> None:
        """Drive along a path for so many meters of it; a larger limit later lets it drive on."""
        ...

    def act(self, key: str, skill: str, things: tuple[str, ...], point: Point) -> None:
        """Do something with things, the first of which is, or is to be, at a point.

        On a scene that is to inspect, pick or place one thing.
        """
        ...

    def stop(self) -> None:
        """Stand still at once and give up the order it has; what it holds it keeps."""
        ...

    def status(self) -> Status:
        """Return what it tells of itself now."""
        ...
