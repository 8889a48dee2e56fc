"""What the console shows, logged for Rerun's viewer: the map, the robots over time, and what was told."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from commonground.console.board import Event
from commonground.console.station import Station
from commonground.errors import RunError, require
from commonground.scene import Mesh, SceneGraph, batches

EVERY_S = 0.25
CLOCK = "console"
"""Seconds since the console was opened."""
LEVELS = {"error": "ERROR", "change": "WARN"}


@contextlib.contextmanager
def recorded(station: Station, file: Path) -> Iterator[None]:
    """Log to a file until the block ends; MissingDependencyError without Rerun."""
    require("rerun", "rerun")
    import rerun

    if file.suffix != ".rrd":
        raise RunError(f"--record {file}: name a file that ends with .rrd")
    file.parent.mkdir(parents=True, exist_ok=True)
    stream = rerun.RecordingStream("commonground console")
    stream.save(file)
    log = RerunLog(rerun, stream, station)
    ended = threading.Event()
    thread = threading.Thread(target=log.keep_up, args=(ended,), name="rerun log", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(5.0)
        log.look()
        stream.flush()
        stream.disconnect()


class RerunLog:
    """Writes what changed since it looked last."""

    def __init__(self, rerun: Any, stream: Any, station: Station) -> None:
        self._rerun, self._stream, self._station = rerun, stream, station
        self._begin = time.monotonic()
        self._told: Event | None = None
        self._drawn: SceneGraph | None = None
        self._mesh: Mesh | None = None
        self._plan: tuple[int, int] = (0, 0)
        station.watch(self._tell)
        stream.log("map", rerun.ViewCoordinates.RIGHT_HAND_Z_UP, static=True)
        self.look()

    def keep_up(self, ended: threading.Event) -> None:
        """Look again and again."""
        while not ended.wait(EVERY_S):
            self.look()

    def look(self) -> None:
        """Log the map if it is another one, the robots, and the plan if it is another one."""
        rerun, station, stream = self._rerun, self._station, self._stream
        self._now()
        if station.graph is not self._drawn:
            self._drawn = station.graph
            self._map(station.graph)
        for name, found in station.progress().items():
            status = found.status
            if status.position is not None:
                stream.log(
                    f"robots/{name}", rerun.Points3D([status.position], radii=0.4, labels=[name])
                )
            told = f"{'localized' if status.localized else 'not localized'}; {found.task or 'idle'}"
            stream.log(f"robots/{name}/state", rerun.TextDocument(told))
        record = station.record
        if record is not None and (record.number, record.plans) != self._plan:
            self._plan = (record.number, record.plans)
            for name in dict.fromkeys(t.robot for t in record.tasks):
                ways = [t.path for t in record.tasks if t.robot == name and len(t.path) > 1]
                stream.log(f"plan/{name}", rerun.LineStrips3D(ways, radii=0.1))

    def _now(self) -> None:
        self._stream.set_time(CLOCK, duration=time.monotonic() - self._begin)

    def _tell(self) -> None:
        """Log what was told since; called from any thread, with every change."""
        events = list(self._station.events)
        if events and self._told is not events[-1]:
            self._told = events[-1]
            self._now()
            level = LEVELS.get(events[-1].kind, "INFO")
            self._stream.log("told", self._rerun.TextLog(events[-1].text, level=level))

    def _map(self, graph: SceneGraph) -> None:
        rerun, stream = self._rerun, self._stream
        if graph.mesh is not None and graph.mesh is not self._mesh and len(graph.mesh.faces):
            self._mesh = graph.mesh
            ground = batches.ground_of(graph.mesh, batches.MOST_TRIANGLES)
            mesh = rerun.Mesh3D(
                vertex_positions=ground.vertices.astype(np.float32),
                triangle_indices=ground.faces.astype(np.uint32),
                vertex_colors=ground.colors,
            )
            stream.log("map/mesh", mesh)
        regions = batches.regions_of(graph)
        if regions:
            at, names = [r.middle for r in regions], [r.words for r in regions]
            stream.log("map/regions", rerun.Points3D(at, labels=names, radii=0.2))
        if graph.has("objects"):
            crates, words = batches.crates_of(graph), graph.titles("objects")
            symbols = graph.objects.symbols
            boxes = rerun.Boxes3D(
                centers=crates.centers, sizes=crates.sizes, colors=crates.colors,
                quaternions=crates.quat_wxyz[:, [1, 2, 3, 0]],
                labels=[f"{w} {s}".strip() for w, s in zip(words, symbols, strict=True)],
                show_labels=False,
            )  # fmt: skip
            stream.log("map/objects", boxes)
