"""The demonstration: the product's main job on data that comes with it."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from commonground.runs import Run
from commonground.scene import SceneGraph, load_scene
from commonground.scene.draw import draw_scene, save_figure
from commonground.scene.summary import summarize


def sample_scene() -> SceneGraph:
    """Return the bundled scene graph: a courtyard with a parking lot, lawns, a street and 40 objects."""
    with as_file(files("commonground") / "data" / "courtyard.json") as path:
        return load_scene(path)


def courtyard_story(out: Path, seed: int, config_yaml: str) -> dict[str, Any]:
    """Load the bundled graph, draw it, and return what there is to print."""
    with Run.open(out, "demo", seed=seed, config_yaml=config_yaml) as run:
        graph = sample_scene()
        picture = run.folder / "courtyard.png"

        def draw() -> dict[str, Any]:
            save_figure(draw_scene(graph, title="courtyard"), picture)
            return {"picture": str(picture)}

        run.phase("draw", draw)
        return {"status": "done", **summarize(graph), "picture": picture}
