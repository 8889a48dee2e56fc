"""The story that comes with the program."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import Any

from commonground.cli.story.spec import Story, read_story
from commonground.config import validated

SHORTER, SHARED = 0.5, 0.9
"""In a hurry: the share of the way that is driven, and of it, the share both robots drive."""


def campus_story(seed: int = 0, fast: bool = False, perception: str = "ground-truth") -> Story:
    """Return the story of the bundled campus, moved to another world by a seed."""
    with as_file(files("commonground") / "data" / "campus.yaml") as path:
        story = read_story(path)
    values: dict[str, Any] = story.model_dump(mode="json")
    for drive in ("see", "again"):
        simulated = values[drive]["simulate"]
        simulated["seed"] += seed
        simulated["world"]["seed"] += seed
        if fast:
            simulated["driving"]["length_m"] *= SHORTER
            simulated["driving"]["overlap"] = SHARED
            values[drive]["stop_s"] = values[drive]["stop_s"] and values[drive]["stop_s"] * SHORTER
    values["settings"]["mapping"]["perception"]["backend"] = perception
    return validated(Story, values, {}, "demo")
