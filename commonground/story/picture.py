"""The pictures of a story, seen from above: paths before and after, closures, the map, plans."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.geometry import apply, inverse
from commonground.names import within
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
WIDE_IN = 10.4
"""The widest drawing that a page shows as it is."""
MARGIN_M, LEAST_M = 6.0, 25.0
"""A plan is shown with so much around it, and never less of the map."""
SHAPE = 1.6
"""Width of a plan's map, in heights."""
GOOD, BAD = "#2ca02c", "#d62728"
SHADES = {"goto": 0.35, "inspect": 0.9, "pick": 0.9, "place": 0.9, "wait": 0.1}
STATES = {"lost": "#bbbbbb", "tentative": "#f0a030", "localized": "#2ca02c"}


def color_of_robot(names: Sequence[str]) -> dict[str, str]:
    return {name: COLORS[k % len(COLORS)] for k, name in enumerate(sorted(names))}


def fused_paths(run: Run) -> dict[str, Floats]:
    """Return each robot's path (n, 3) as the fused map has it."""
    return {name: path for name, (path, _) in known.paths(run).items()}


def paths_picture(run: Run, T_world_map: Floats | None) -> Figure:
    """Draw the robots' paths as their odometry has them, and as the fused map has them, over the truth."""
    fused = known.paths(run)
    colors = color_of_robot(list(fused))
    T = np.eye(4) if T_world_map is None else T_world_map
    figure = _sheet([apply(T, path) for path, _ in fused.values()], panels=2)
    before, after = figure.subplots(1, 2, sharex=True, sharey=True)
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
    before.set_title("odometry", fontsize=10)
    after.set_title("fused", fontsize=10)
    for axes in (before, after):
        _plain(axes)
    after.legend(frameon=False)
    return figure


def closures_picture(run: Run, graph: SceneGraph) -> Figure:
    """Draw the fused objects, the paths, and which loop closures were used and rejected."""
    fused = known.paths(run)
    colors = color_of_robot(list(fused))
    layer = graph.objects
    figure = _sheet([layer.positions, *(path for path, _ in fused.values())], legend_in=1.3)
    axes = figure.subplots()
    for name, (path, _) in fused.items():
        axes.plot(*path[:, :2].T, color=colors[name], lw=1.8, label=name, zorder=3)
    axes.plot(*layer.positions[:, :2].T, "s", ms=4, color="#555555", label="objects", zorder=4)
    stamped = {name: read_tum(within(run.fused, "trajectories", f"{name}.tum")) for name in fused}
    with (run.fused / "loop_closures.csv").open() as file:
        for row in csv.DictReader(file):
            ends = _ends(row, stamped)
            if ends is not None:
                used = row["used"] == "1"
                color, line = (GOOD, "-") if used else (BAD, "--")
                axes.plot(*ends.T, ls=line, color=color, lw=1.4 if used else 0.8, zorder=5)
    axes.plot([], [], color=GOOD, label="closure used")
    axes.plot([], [], color=BAD, ls="--", label="closure rejected")
    axes.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    _plain(axes)
    return figure


def _sheet(
    points: Sequence[Floats], panels: int = 1, legend_in: float = 0.0, high_in: float = 5.6
) -> Figure:
    """Return an empty figure without voids, for panels side by side with all points (n, 3) in each."""
    wide, high = np.ptp(np.concatenate(points)[:, :2], axis=0) + 2.0
    scale = min((WIDE_IN - legend_in) / (panels * wide), high_in / high)
    return new_figure(max(panels * wide * scale, 3.0) + 0.9 + legend_in, high * scale + 0.9)


def _ends(row: Mapping[str, str], paths: Mapping[str, tuple[Ints, Floats]]) -> Floats | None:
    """Return where (2, 2) a closure's keyframes are; None where one of them is not in the map."""
    ends = []
    if "stamp_1_ns" not in row:  # of a map that was fused before these were written
        return None
    for k in ("1", "2"):
        stamps_ns, T = paths.get(row[f"robot_{k}"], (np.empty(0, np.int64), np.empty((0, 4, 4))))
        at = np.flatnonzero(stamps_ns == int(row[f"stamp_{k}_ns"]))
        if not len(at):
            return None
        ends.append(T[at[0], :2, 3])
    return np.array(ends)


def map_picture(graph: SceneGraph) -> Figure:
    """Draw the fused map: surface places by class, regions, objects."""
    layers = [layer.positions for layer in graph.layers.values() if len(layer)]
    figure = _sheet(layers, high_in=9.0)
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
    """Draw the paths of a plan on the part of the map they lie in, and the plan in time below."""
    rows = len(plan["robots"])
    figure = new_figure(WIDE_IN, 6.6 + 0.35 * rows)
    above, below = figure.subplots(2, 1, height_ratios=(6.0, 0.35 * rows))
    draw_places(above, graph)
    draw_objects(above, graph, labels=False)
    _name_things(above, graph, plan)
    colors = color_of_robot(list(team))
    for name, actions in plan["robots"].items():
        _way(above, name, team[name], actions, colors[name])
    _timeline(below, plan["robots"], colors)
    above.set_title(title, loc="left", fontsize=9)
    _plain(above)
    _look_at(above, graph, plan, team)
    part_names(figure)
    return figure


def _look_at(
    axes: Axes, graph: SceneGraph, plan: Mapping[str, Any], team: Mapping[str, Any]
) -> None:
    """Show where the plan goes, with what is around it: as much of the map as the axes have room for."""
    ways = [a["path_map"] for actions in plan["robots"].values() for a in actions]
    starts = [[team[name][k][3] for k in (0, 1)] for name in plan["robots"]]
    seen = np.array([*starts, *(p[:2] for way in ways for p in way)], float)
    middle = (seen.min(axis=0) + seen.max(axis=0)) / 2
    span = np.maximum(np.ptp(seen, axis=0) + 2 * MARGIN_M, LEAST_M)
    span = np.maximum(span, span[::-1] * (SHAPE, 1 / SHAPE))  # as wide, or as high, as the axes
    known_xy = np.concatenate([layer.positions[:, :2] for layer in graph.layers.values()])
    low, high = known_xy.min(axis=0) - 2.0, known_xy.max(axis=0) + 2.0
    room = np.maximum(high - low - span, 0.0) / 2  # how far the view may move and stay on the map
    middle = np.clip(middle, (low + high) / 2 - room, (low + high) / 2 + room)
    axes.set_xlim(*(middle[0] + span[0] * np.array([-0.5, 0.5])))
    axes.set_ylim(*(middle[1] + span[1] * np.array([-0.5, 0.5])))


def _name_things(axes: Axes, graph: SceneGraph, plan: Mapping[str, Any]) -> None:
    """Write name or class and symbol beside each object; those that a plan is about have their room first."""
    words, layer = graph.titles("objects"), graph.objects
    about = {a.get("item") or a["target"] for actions in plan["robots"].values() for a in actions}
    named = [f"{word} {symbol}".strip() for word, symbol in zip(words, layer.symbols, strict=True)]
    for row in sorted(range(len(layer)), key=lambda k: layer.symbols[k] not in about):
        meant = layer.symbols[row] in about
        style = {"fontsize": 9, "weight": "bold"} if meant else {"fontsize": 6.5, "alpha": 0.8}
        x, y, _ = layer.positions[row]
        offset = (7, -10) if meant else (4, 3)
        axes.annotate(named[row], (x, y), offset, textcoords="offset points", zorder=9, **style)


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
                axes.text((start + end) / 2, row, word, ha="center", va="center", fontsize=8)
    axes.set_yticks(range(len(robots)), list(robots))
    axes.set_xlabel("seconds")
    axes.spines[["top", "right"]].set_visible(False)


def _plain(axes: Axes) -> None:
    axes.set_aspect("equal")
    axes.set_xlabel("x (m)")
    axes.set_ylabel("y (m)")
    axes.spines[["top", "right"]].set_visible(False)
