"""What the console opens by a path: a map, a run, a mission's folder; without one, the latest run."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from commonground.errors import ConfigError
from commonground.live.folders import ROBOTS
from commonground.planning.mission.journal import FILE
from commonground.run_folder import SCENE, RunFolder
from commonground.runs import MANIFEST
from commonground.scene.locate import scene_file

RUNS = Path("runs")


class Opened(NamedTuple):
    """Files that the console works on."""

    scene: Path
    robots: Path | None
    mission: Path | None
    """Folder of a mission that was named."""


def opened(path: Path | None, robots: Path | None, runs: Path = RUNS) -> Opened:
    """Return what a path stands for; ConfigError where there is nothing to open."""
    if path is None:
        path = latest_run(runs)
    if path.name == FILE:
        path = path.parent
    if (path / FILE).is_file():
        return Opened(path / SCENE, robots or path / ROBOTS, path)
    if robots is None and path.is_dir() and (path / ROBOTS).is_file():
        robots = path / ROBOTS
    return Opened(scene_file(path), robots, None)


def latest_run(runs: Path) -> Path:
    """Return the run or the mission that was written last."""
    found = sorted(_runs(runs), key=lambda folder: _written(folder))
    if not found:
        raise ConfigError(f"{runs}/ holds no run; name a map, a run or a mission to open")
    return found[-1]


def _runs(runs: Path) -> Iterator[Path]:
    """Yield folders with a map."""
    folders = [runs, *(runs.glob("*")), *(runs.glob("missions/*"))]
    for folder in folders:
        whole = (RunFolder(folder).fused / SCENE).is_file()
        if whole or (folder / FILE).is_file() or (folder / SCENE).is_file():
            yield folder


def _written(folder: Path) -> float:
    files = (folder / MANIFEST, folder / FILE, folder / SCENE, RunFolder(folder).fused / SCENE)
    return max(f.stat().st_mtime for f in files if f.is_file())


def missions_in(folder: Path) -> list[str]:
    """Return the names of missions with a journal, the one that was written to last first."""
    found = []
    for file in folder.glob(f"*/{FILE}"):
        with contextlib.suppress(OSError):  # it may go away while one looks
            found.append((file.stat().st_mtime_ns, file.parent.name))
    return [name for _, name in sorted(found, reverse=True)]
