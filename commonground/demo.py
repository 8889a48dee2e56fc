"""The sample scene that comes with the program."""

from __future__ import annotations

from importlib.resources import as_file, files

from commonground.scene import SceneGraph, load_scene


def sample_scene() -> SceneGraph:
    """Return the bundled scene graph: a courtyard with a parking lot, lawns, a street and 41 objects."""
    with as_file(files("commonground") / "data" / "courtyard.json") as path:
        return load_scene(path)
