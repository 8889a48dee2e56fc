"""The story that comes with the program."""

from __future__ import annotations

from importlib.resources import as_file, files
from importlib.util import find_spec
from typing import Any

from commonground.config import validated
from commonground.mapping.perception import small
from commonground.story.spec import Story, read_story

HURRY = {"length_m": 90.0, "overlap": 0.9, "frame_rate_hz": 1.5}
HURRY_SIZE = {"width": 240, "height": 180}
HURRY_STOP_S = 60.0
"""In a hurry robots drive less, share more of the way, and look less often and less closely."""


def campus_story(
    seed: int = 0, fast: bool = False, perception: str = "ground-truth", looks: bool = True
) -> Story:
    """Return the story of the bundled campus, moved to another world by a seed.

    With ``looks`` true masks are seen by the small encoder as well, and something that no class list has
    is looked for; where its libraries are missing, the story goes without.
    """
    with as_file(files("commonground") / "data" / "campus.yaml") as path:
        story = read_story(path)
    values: dict[str, Any] = story.model_dump(mode="json")
    for drive in ("see", "again"):
        simulated = values[drive]["simulate"]
        simulated["seed"] += seed
        simulated["world"]["seed"] += seed
        if fast:
            simulated["driving"] |= HURRY
            simulated["sensor"] |= HURRY_SIZE
    if fast:
        values["again"]["stop_s"] = HURRY_STOP_S
    sight = values["settings"]["mapping"]["perception"]
    sight["backend"] = perception
    if not looks or not all(map(find_spec, small.NEEDS)):
        values["find"] = []
    elif perception == "ground-truth":
        ships = small.simulated()
        sight["ground_truth"]["by_words"] = True
        sight["fastsam"] |= {"clip_model": ships.clip_model, "clip_weights": ships.clip_weights}
    return validated(Story, values, {}, "demo")
