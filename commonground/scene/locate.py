"""Which file of a path is meant: a scene graph, or the one inside a run directory."""

from __future__ import annotations

from pathlib import Path

from commonground.errors import SceneError


def scene_file(path: str | Path) -> Path:
    """Return the scene graph a path stands for: itself, or a run's fused graph, or its only robot's."""
    thing = Path(path)
    if not thing.is_dir():
        return thing
    candidates = [thing / "fused" / "scene.json", thing / "scene.json"]
    robots = sorted((thing / "robots").glob("*/scene.json"))
    for file in candidates + robots[:1] * (len(robots) == 1):
        if file.is_file():
            return file
    if robots:
        names = ", ".join(str(p.parent.relative_to(thing)) for p in robots)
        raise SceneError(
            f"{thing}: has the maps of several robots and no fused one; name one of {names}"
        )
    raise SceneError(
        f"{thing}: this folder holds no scene.json; name a scene graph file or a run directory"
    )
