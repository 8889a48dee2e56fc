"""The scene graph seen from above."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.atomic import replacing
from commonground.scene.gone import without_gone
from commonground.scene.graph import SceneGraph
from commonground.scene.hues import class_colors, paler, region_colors
from commonground.scene.layer import Layer

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_NAMES = 300
DOTS_PX = 5.0
"""Distance between points of a path that names keep clear of."""
LEGEND_IN, FRAME_IN = 1.5, 0.8
"""Room beside a map for its legend, and for what is written along its axes."""
PATHS = ("#111111", "#d00000", "#0033cc", "#8a00c2", "#007a5e", "#b35900", "#e0007a", "#5c6b00")
"""Colors of robots' paths, darker or stronger than those of things and ground."""


def new_figure(width_in: float, height_in: float, dpi: float = 100) -> Figure:
    """Return an empty figure in which everything has room."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width_in, height_in), dpi=dpi, layout="constrained")


def draw_scene(graph: SceneGraph, *, size_in: float = 10) -> Figure:
    """Return a figure of the graph from above: regions, places, objects with names, robots' paths."""
    graph = without_gone(graph)
    map_in = size_in - LEGEND_IN - FRAME_IN
    figure = new_figure(size_in, max(map_in * _aspect(graph), 1.5) + FRAME_IN, dpi=110)
    axes = figure.add_subplot()
    axes.margins(0.12, 0.05)  # names have room beside the last things
    draw_places(axes, graph)
    draw_objects(axes, graph)
    for name, path, color in robot_paths(graph):
        axes.plot(path[:, 0], path[:, 1], color="white", lw=3.6, zorder=5.5)
        axes.plot(path[:, 0], path[:, 1], color=color, lw=2, label=f"path of {name}", zorder=6)
    axes.set_aspect("equal")
    axes.set_xlabel("x (m)")
    axes.set_ylabel("y (m)")
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8, frameon=False)
    part_names(figure)
    return figure


def robot_paths(graph: SceneGraph) -> Iterator[tuple[str, Floats, str]]:
    """Yield each robot's name, or that of its layer where the graph names none, its path, and a color."""
    agents = sorted(graph.agents.items())
    robots = graph.metadata.get("robots") or [graph.metadata.get("robot")]
    named = isinstance(robots, list | tuple) and len(robots) == len(agents) and all(robots)
    for k, (name, layer) in enumerate(agents):
        order = layer.columns["stamp_ns"].argsort() if "stamp_ns" in layer.columns else slice(None)
        yield str(robots[k]) if named else name, layer.positions[order], PATHS[k % len(PATHS)]


def draw_places(axes: Axes, graph: SceneGraph) -> None:
    """Draw surface places as polygons, colored by region; without any, 3D places as dots with edges."""
    from matplotlib.collections import LineCollection, PolyCollection

    if graph.has("surface_places"):
        layer = graph.surface_places
        region = (
            graph.ancestors("surface_places", "regions")
            if graph.has("regions")
            else np.full(len(layer), -1)
        )
        colors = region_colors(graph)
        shades = [colors[int(r)] if r >= 0 else "#bbbbbb" for r in region]
        polygons = layer.boundaries
        drawn = [i for i in range(len(layer)) if polygons is not None and len(polygons[i]) > 2]
        if polygons is not None and drawn:
            shapes = [polygons[i][:, :2] for i in drawn]
            axes.add_collection(
                PolyCollection(
                    shapes,
                    facecolors=[paler(shades[i]) for i in drawn],  # those of two robots overlap
                    edgecolors="white",
                    lw=0.4,
                    zorder=1,
                )
            )
            axes.autoscale_view()
        else:
            axes.scatter(layer.positions[:, 0], layer.positions[:, 1], c=shades, s=6, zorder=1)
        _region_names(axes, graph, region)
    elif graph.has("places"):
        layer = graph.places
        segments = layer.positions[layer.edges.rows][:, :, :2]
        axes.add_collection(LineCollection(list(segments), colors="#9aa5b1", lw=0.6, zorder=2))
        x, y = layer.positions[:, 0], layer.positions[:, 1]
        axes.scatter(x, y, s=9, c="#52606d", label="places", zorder=2)


def _region_names(axes: Axes, graph: SceneGraph, region: Any) -> None:
    """Name each region at the middle of its places; once a name for neighbors of one kind."""
    if not graph.has("regions"):
        return
    names = graph.titles("regions")
    things = [graph.objects.positions, *(layer.positions for layer in graph.agents.values())]
    for row, (name, symbol) in enumerate(zip(names, graph.regions.symbols, strict=True)):
        at = _inmost(graph.surface_places.positions, region == row, np.concatenate(things))
        at = graph.regions.positions[row] if at is None else at
        text = f"{name}\n{symbol}" if name else symbol
        axes.text(
            at[0], at[1], text, ha="center", va="center", fontsize=8, color="#323f4b", zorder=7
        )


def _inmost(points: Floats, inside: Bools, things: Floats) -> Floats | None:
    """Return the point inside that is farthest from those outside and from things, the most central then."""
    from scipy.spatial import cKDTree

    members, others = points[inside], np.concatenate([points[~inside], things])
    if len(members) == 0:
        return None
    depth = cKDTree(others).query(members)[0] if len(others) else np.zeros(len(members))
    middle = np.linalg.norm(members - np.median(members, axis=0), axis=1)
    return np.asarray(members[np.lexsort((middle, -np.round(depth)))[0]])


def draw_objects(axes: Axes, graph: SceneGraph, *, labels: bool = True) -> None:
    """Draw objects as the outlines of their boxes, colored by class, with symbol and class beside."""
    from matplotlib.collections import PolyCollection

    if not graph.has("objects"):
        return
    layer, words = graph.objects, graph.label_words("objects")
    kinds = class_colors(words)
    colors = [kinds[word] for word in words]
    x, y = layer.positions[:, 0], layer.positions[:, 1]
    axes.scatter(x, y, c=colors, s=14, zorder=5, edgecolors="black", linewidths=0.4)
    for word, color in kinds.items():
        axes.scatter([], [], c=color, s=14, edgecolors="black", lw=0.4, label=word or "object")
    if layer.boxes is not None:
        valid = layer.boxes.valid
        shapes = [footprint(c) for c in layer.boxes.corners()[valid]]
        shades = [c for c, v in zip(colors, valid, strict=True) if v]
        axes.add_collection(
            PolyCollection(
                shapes, facecolors=shades, edgecolors="black", lw=0.4, alpha=0.8, zorder=4
            )
        )
    if labels:
        _name_things(axes, layer, words)


def _name_things(axes: Axes, layer: Layer, words: Sequence[str]) -> None:
    """Name the largest things at each corner of their boxes; one of the corners will be shown."""
    large = np.argsort(-_volumes(layer), kind="stable")[:MOST_NAMES].tolist()
    at = layer.positions
    low, high = (at, at) if layer.boxes is None else layer.boxes.bounds()
    style: dict[str, Any] = {"textcoords": "offset points", "fontsize": 6, "zorder": 6}
    for k in large:
        name, ends = f"{words[k]} {layer.symbols[k]}", [low[k], high[k]]
        ends = [np.where(np.isfinite(end), end, layer.positions[k]) for end in ends]
        for right, top in ((1, 1), (1, 0), (0, 1), (0, 0)):
            corner, off = (ends[right][0], ends[top][1]), (6 * right - 3, 2 * top - 1)
            sides: dict[str, Any] = {"ha": ("right", "left")[right], "va": ("top", "bottom")[top]}
            axes.annotate(name, corner, off, gid=layer.symbols[k], **sides, **style)


def _volumes(layer: Layer) -> Floats:
    """Return the volume (n,) of each object's box, 0 without one."""
    if layer.boxes is None:
        return np.zeros(len(layer))
    return np.asarray(np.nan_to_num(layer.boxes.sizes.prod(axis=1)))


def part_names(figure: Figure) -> None:
    """Leave out names that would cover others, paths or a legend, or leave the map; large things stay.

    Those drawn first have their room. Nothing is laid out for names, and nothing again after them: laying
    out measures all that it cares for, twice each time.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    renderer = FigureCanvasAgg(
        figure
    ).get_renderer()  # without one, every name makes one of its own
    for text in (text for axes in figure.axes for text in axes.texts):
        text.set_in_layout(False)
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
        figure.set_layout_engine("none")
    for axes in figure.axes:
        axes.apply_aspect()
        legend = axes.get_legend()
        taken = [] if legend is None else [legend.get_window_extent(renderer).extents]
        rooms = [text.get_window_extent(renderer).extents for text in axes.texts]
        whose = [None] * len(taken) + [text.get_gid() for text in axes.texts]
        every = np.reshape(taken + rooms, (-1, 4))
        x0, y0, x1, y1 = axes.get_window_extent(renderer).extents
        fits = np.all((every >= (x0, y0, x0, y0)) & (every <= (x1, y1, x1, y1)), axis=1)
        fits[: len(taken)] = True
        of_things = np.array([gid is not None for gid in whose], bool)
        fits &= ~(of_things & _crossed(every, _dots(axes)))
        free = _apart(every, whose, fits)
        for text, shown in zip(axes.texts, free[len(taken) :], strict=True):
            text.set_visible(shown)


def _dots(axes: Axes) -> Floats:
    """Return points (n, 2) in pixels: those in axes, and along all lines, closer than names are high."""
    from matplotlib.collections import PathCollection

    lines = [np.asarray(line.get_xydata(), float) for line in axes.lines]
    marks = [c.get_offsets() for c in axes.collections if isinstance(c, PathCollection)]
    found = [axes.transData.transform(np.reshape(np.asarray(xy, float), (-1, 2))) for xy in marks]
    found.append(np.empty((0, 2)))
    for ends in (axes.transData.transform(xy) for xy in lines if len(xy)):
        along = np.cumsum([0.0, *np.linalg.norm(np.diff(ends, axis=0), axis=1)])
        at = np.arange(0.0, along[-1], DOTS_PX)
        found.append(np.stack([np.interp(at, along, ends[:, c]) for c in range(2)], axis=1))
    return np.concatenate(found)


def _crossed(rooms: Floats, dots: Floats) -> Bools:
    """Return in which boxes (n, 4) of x, y, x, y one of the points (k, 2) is."""
    inside = [((dots > room[:2]) & (dots < room[2:])).all(axis=1).any() for room in rooms]
    return np.array(inside, bool)


def _apart(rooms: Floats, whose: Sequence[str | None], fits: Bools) -> list[bool]:
    """Return which boxes (n, 4) of x, y, x, y that fit are clear of those before them that are shown.

    Of several that are ``whose`` the same, one is enough.
    """
    free: list[bool] = []
    named: set[str | None] = set()
    for k, (x0, y0, x1, y1) in enumerate(rooms):
        left, low, right, high = rooms[:k][free].T
        over = (x0 <= right) & (left <= x1) & (y0 <= high) & (low <= y1)
        free.append(bool(fits[k] and not over.any() and whose[k] not in named))
        named |= {whose[k]} - {None} if free[k] else set()
    return free


def footprint(corners: Floats) -> Floats:
    """Return the outline (k, 2) from above of a box's corners (8, 3)."""
    from scipy.spatial import ConvexHull, QhullError

    flat = corners[:, :2]
    try:
        return np.asarray(flat[ConvexHull(flat).vertices])
    except QhullError:  # no extent in some direction
        return np.asarray(flat)


def _aspect(graph: SceneGraph) -> float:
    points = [layer.positions for layer in graph.layers.values() if len(layer)]
    if not points:
        return 0.75
    span = np.ptp(np.concatenate(points)[:, :2], axis=0) + 1.0
    return float(np.clip(span[1] / span[0], 0.1, 1.4))


def save_figure(figure: Figure, path: str | Path, form: str = "png", dpi: float = 100.0) -> Path:
    """Write a figure as png, svg or pdf, whatever the file's ending; complete or not at all."""
    with replacing(path) as temporary:
        unnamed = {"Software": None} if form == "png" else None
        figure.savefig(temporary, format=form, dpi=dpi, metadata=unnamed)
    return Path(path)
