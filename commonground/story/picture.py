"""The pictures of a story, seen from above: paths before and after, closures, the map, plans."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from commonground.arrays import Floats
from commonground.geometry import apply, inverse
from commonground.reading import parse_json, read_text
from commonground.runs import Run
from commonground.scene.draw import draw_objects, draw_places, new_figure, part_names
from commonground.story import truth as known
from commonground.story.seeing import FIXES
from commonground.tum import read_tum

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from commonground.scene import SceneGraph

COLORS = ("#d62728", "#1f4e9e", "#2ca02c", "#9467bd", "#8c564b", "#e377c2")
GOOD, BAD = "#2ca02c", "#d62728"
SHADES = {"goto": 0.35, "inspect": 0.9, "pick": 0.9, "place": 0.9, "wait": 0.1}
STATES = {"lost": "#bbbbbb", "tentative": "#f0a030", "localized": "#2ca02c"}


def color_of_robot(names: Sequence[str]) -> dict[str, str]:
    """Return a color for each robot."""
    return {name: COLORS[k % len(COLORS)] for k, name in enumerate(sorted(names))}


def fused_paths(run: Run) -> dict[str, Floats]:
    """Return each robot's path (n, 3) as the fused map has it."""
    return {name: path for name, (path, _) in known.paths(run).items()}


def paths_picture(run: Run, T_world_map: Floats | None) -> Figure:
    """Draw the robots' paths as their odometry has them, and as the fused map has them, over the truth."""
    figure = new_figure(11, 5.4)
    before, after = figure.subplots(1, 2, sharex=True, sharey=True)
    fused = known.paths(run)
    colors = color_of_robot(list(fused))
    T = np.eye(4) if T_world_map is None else T_world_map
    for name, (corrected, true) in fused.items():
        color = colors[name]
        _, odometry = read_tum(run.robot(name) / "trajectory.tum")
        start = run.robot(name) / known.TRUTH
        reference = read_tum(start)[1] if start.is_file() else None
        first = T if reference is None else reference[0] @ inverse(odometry[0])
        before.plot(*(first @ odometry)[:, :2, 3].T, color=color, lw=1.8, label=name)
        after.plot(*apply(T, corrected)[:, :2].T, color=color, lw=1.8, label=name)
        if true is not None:
            for axes in (before, after):
                axes.plot(*true[:, :2].T, color="black", lw=0.8, ls=":", zorder=5)
    before.set_title("each robot's odometry, from its true start", fontsize=10)
    after.set_title("fused (dotted: the truth)", fontsize=10)
    for axes in (before, after):
        _plain(axes)
    after.legend(frameon=False)
    return figure


def closures_picture(run: Run, graph: SceneGraph) -> Figure:
    """Draw the fused objects, the paths, and which loop closures were used and rejected."""
    figure = new_figure(9, 7.5)
    axes = figure.subplots()
    fused = known.paths(run)
    colors = color_of_robot(list(fused))
    for name, (path, _) in fused.items():
        axes.plot(*path[:, :2].T, color=colors[name], lw=1.8, label=name, zorder=3)
    layer = graph.objects
    axes.plot(*layer.positions[:, :2].T, "s", ms=4, color="#555555", label="objects", zorder=4)
    with (run.fused / "loop_closures.csv").open() as file:
        for row in csv.DictReader(file):
            ends = _ends(row, fused)
            if ends is not None:
                used = row["used"] == "1"
                color, line = (GOOD, "-") if used else (BAD, "--")
                axes.plot(*ends.T, ls=line, color=color, lw=1.4 if used else 0.8, zorder=5)
    axes.plot([], [], color=GOOD, label="closure used")
    axes.plot([], [], color=BAD, ls="--", label="closure rejected")
    axes.legend(frameon=False, fontsize=8)
    _plain(axes)
    return figure


def _ends(row: Mapping[str, str], fused: Mapping[str, Any]) -> Floats | None:
    ends = []
    for k in ("1", "2"):
        path = fused.get(row[f"robot_{k}"], (np.empty((0, 3)), None))[0]
        number = int(row[f"keyframe_{k}"])
        if number >= len(path):
            return None
        ends.append(path[number, :2])
    return np.array(ends)


def map_picture(graph: SceneGraph) -> Figure:
    """Draw the fused map: surface places by class, regions, objects."""
    figure = new_figure(11, 9)
    axes = figure.subplots()
    draw_places(axes, graph)
    draw_objects(axes, graph)
    _plain(axes)
    part_names(figure)
    return figure


def relocalization_picture(run: Run, graph: SceneGraph) -> Figure:
    """Draw where each robot was placed, submap by submap, and what it knew there."""
    figure = new_figure(9, 7)
    axes = figure.subplots()
    axes.plot(*graph.objects.positions[:, :2].T, "s", ms=3, color="#999999")
    for file in sorted((run.folder / FIXES).glob("*.jsonl")):
        fixes = [parse_json(line, file) for line in read_text(file).splitlines()]
        placed = [f for f in fixes if f["position_map"]]
        if placed:
            xy = np.array([f["position_map"][:2] for f in placed])
            axes.plot(*xy.T, color="#cccccc", lw=1)
            axes.scatter(xy[:, 0], xy[:, 1], c=[STATES[f["state"]] for f in placed], s=45, zorder=4)
            axes.annotate(file.stem, xy[-1], xytext=(6, 6), textcoords="offset points")
    for state, color in STATES.items():
        axes.plot([], [], "o", color=color, label=state)
    axes.legend(frameon=False, fontsize=8)
    _plain(axes)
    return figure


def plan_picture(
    graph: SceneGraph, plan: Mapping[str, Any], team: Mapping[str, Any], title: str
) -> Figure:
    """Draw the paths of a plan on the map, and the plan in time below."""
    figure = new_figure(10, 9)
    above, below = figure.subplots(2, 1, height_ratios=(9, 1.3))
    draw_places(above, graph)
    draw_objects(above, graph, labels=False)
    _name_targets(above, graph, plan)
    colors = color_of_robot(list(team))
    for name, actions in plan["robots"].items():
        _way(above, name, team[name], actions, colors[name])
    _timeline(below, plan["robots"], colors)
    above.set_title(title, loc="left", fontsize=9)
    _plain(above)
    part_names(figure)
    return figure


def _name_targets(axes: Axes, graph: SceneGraph, plan: Mapping[str, Any]) -> None:
    """Write class and symbol beside the objects that a plan is about."""
    words, layer = graph.label_words("objects"), graph.objects
    about = {a.get("item") or a["target"] for actions in plan["robots"].values() for a in actions}
    for word, symbol, at in zip(words, layer.symbols, layer.positions, strict=True):
        if symbol in about:
            text = f"{word} {symbol}"
            axes.annotate(text, at[:2], (7, -9), textcoords="offset points", fontsize=8, zorder=9)


def _way(axes: Axes, name: str, pose: Any, actions: Any, color: str) -> None:
    x, y = pose[0][3], pose[1][3]
    axes.plot(x, y, "o", ms=11, color=color, mec="white", zorder=8)
    axes.annotate(
        name, (x, y), (8, 8), textcoords="offset points", color=color, zorder=9, weight="bold"
    )
    for action in actions:
        path = np.array(action["path_map"], float)
        if action["action"] == "goto":
            axes.plot(path[:, 0], path[:, 1], color=color, lw=2, zorder=7)
        else:
            axes.plot(path[-1, 0], path[-1, 1], "*", ms=11, color=color, mec="white", zorder=8)


def _timeline(axes: Axes, robots: Mapping[str, Any], colors: Mapping[str, str]) -> None:
    for row, (name, actions) in enumerate(robots.items()):
        for action in actions:
            start, end = action["start_s"], action["end_s"]
            shade = SHADES.get(action["action"], 0.5)
            axes.barh(row, end - start, left=start, color=colors[name], alpha=shade, height=0.7)
            if action["action"] != "goto":
                word = action.get("item") or action["target"]
                axes.text((start + end) / 2, row, word, ha="center", va="center", fontsize=6)
    axes.set_yticks(range(len(robots)), list(robots))
    axes.set_xlabel("seconds")
    axes.spines[["top", "right"]].set_visible(False)


def _plain(axes: Axes) -> None:
    axes.set_aspect("equal")
    axes.set_xlabel("x (m)")
    axes.set_ylabel("y (m)")
    axes.spines[["top", "right"]].set_visible(False)
