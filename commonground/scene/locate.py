"""Which file of a path is meant: a scene graph, or the one inside a run directory."""

from __future__ import annotations

from pathlib import Path

from commonground.errors import SceneError
from commonground.run_folder import SCENE, RunFolder


def scene_file(path: str | Path) -> Path:
    """Return the scene graph a path stands for: itself, or a run's fused graph, or its only robot's."""
    thing = Path(path)
    if not thing.is_dir():
        return thing
    files = RunFolder(thing).maps(SCENE)
    if len(files) == 1:
        return files[0]
    if files:
        names = ", ".join(str(p.parent.relative_to(thing)) for p in files)
        raise SceneError(
            f"{thing}: has the maps of several robots and no fused one; name one of {names}"
        )
    raise SceneError(
        f"{thing}: this folder holds no {SCENE}; name a scene graph file or a run directory"
    )
