"""The frames of a story's drives, recorded or simulated."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from commonground.digest import digest
from commonground.errors import ConfigError, DataError, did_you_mean, require
from commonground.story.spec import Drive

if TYPE_CHECKING:
    from commonground.datasets import Reader
    from commonground.scene import SceneGraph


def reader_of(drive: Drive) -> Reader:
    if drive.simulate is not None:
        from commonground.datasets import Simulation

        return Simulation(drive.robots, drive.simulate)
    from commonground.datasets import open_dataset

    if drive.data is None:
        raise ConfigError("a drive needs data or simulate")
    return open_dataset(drive.data)


def robots_of(drive: Drive) -> tuple[str, ...]:
    """Return the robots of a drive; DataError if one is not in the data."""
    if drive.simulate is not None:
        require("open3d", "mapping")  # it is told before processes begin to make a world for it
        return drive.robots
    there = reader_of(drive).robots()
    for robot in drive.robots:
        if robot not in there:
            known = ", ".join(there) or "none"
            hint = did_you_mean(robot, there)
            raise DataError(f"the data holds no robot '{robot}'; it has {known}.{hint}")
    return drive.robots or there


def data_of(*drives: Drive | None) -> str:
    """Return what tells the recordings of drives from any others; empty where all are simulated."""
    recorded = [drive for drive in drives if drive is not None and drive.simulate is None]
    return digest([_prints(drive) for drive in recorded]) if recorded else ""


def gone(*drives: Drive | None) -> list[Path]:
    """Return the recordings that are no longer there."""
    named = [drive.data for drive in drives if drive is not None and drive.data is not None]
    return [path for path in named if not path.exists()]


def truth_of(drive: Drive) -> SceneGraph | None:
    """Return the true world of a drive; None where it is unknown, or gone with its recording."""
    return None if gone(drive) else reader_of(drive).truth()


def _prints(drive: Drive) -> dict[str, str]:
    reader = reader_of(drive)
    return {robot: reader.fingerprint(robot) for robot in robots_of(drive)}
