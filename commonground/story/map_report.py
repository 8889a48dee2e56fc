"""``report.html`` of a map: what it was made of, the map to turn and to click on, the plan, every object."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from commonground.crops import Crops
from commonground.scene import SceneGraph
from commonground.scene.draw import draw_scene, robot_paths
from commonground.story.gallery import gallery
from commonground.story.page import figure, table, text, write_page
from commonground.story.view import view_3d

REPORT = "report.html"
PLAN = (
    "The map from above: ground in the colors of its regions, outlines of objects in the colors of "
    "their classes, robots' paths as lines. Names that would cover others are left out."
)


def write_map_report(
    folder: Path, title: str, facts: Sequence[tuple[str, Any]], notes: Iterable[str]
) -> Path:
    """Write the report of the map of a robot, or of several, in ``folder``."""
    from commonground.mapping import load_meshed

    graph = load_meshed(folder / "scene.json")
    parts = [
        f"<h1>{text(title)}</h1>",
        table(["", ""], facts),
        *(f"<p class='no'>{text(note)}</p>" for note in notes),
        "<h2>The map</h2>",
        _view(graph),
        "<h2>Plan</h2>",
        figure(draw_scene(graph, size_in=9), "the map from above", PLAN),
        *objects(graph, folder),
    ]
    return write_page(folder / REPORT, title, parts)


def _view(graph: SceneGraph) -> str:
    """Return the map to turn, with the paths that it has of its robots."""
    paths, colors = {}, {}
    for name, path, color in robot_paths(graph):
        paths[name], colors[name] = path, color
    return view_3d(graph, paths, colors)


def objects(graph: SceneGraph, folder: Path) -> Iterable[str]:
    """Yield what the cameras saw beside what was mapped, and a table of what there was no room for."""
    if not graph.has("objects"):
        return
    found = gallery(graph, Crops(folder))
    yield "<h2>What the cameras saw, and what was mapped</h2>"
    yield found.cards
    if found.others:
        rows = table(["", "class", "size in m", "at x, y, z in m"], found.others)
        yield f"<details><summary>{len(found.others)} more objects</summary>{rows}</details>"
