"""The sample scene and team that come with the program."""

from __future__ import annotations

from importlib.resources import as_file, files

from commonground.geometry import from_xyz_yaw
from commonground.robots import Robot, Team
from commonground.scene import SceneGraph, load_scene


def sample_scene() -> SceneGraph:
    """Return the bundled scene graph: a courtyard with a parking lot, lawns, a street and 41 objects."""
    with as_file(files("commonground") / "data" / "courtyard.json") as path:
        return load_scene(path)


def sample_team() -> Team:
    """Return two robots in the bundled scene: a Spot on the plaza, a Husky on the main street."""
    hands = frozenset({"goto", "inspect", "pick", "place"})
    eyes = frozenset({"goto", "inspect"})
    return Team(
        {
            "spot": Robot("spot", from_xyz_yaw([6, 30, 0, 0]), hands),
            "husky": Robot("husky", from_xyz_yaw([60, 20, 0, 3.1]), eyes, speed_mps=1.5),
        }
    )
