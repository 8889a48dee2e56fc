"""How fine a map is for given tasks: parts are joined where no task tells them apart.

The agglomerative information bottleneck (Slonim and Tishby 1999) over the object graph, as in Clio (Maggio et
al., arXiv 2404.13696): neighbors are joined, those first that lose least of what the objects tell about the
tasks, until the next joint would lose more than a share of it. The map itself keeps the finest level.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.errors import GroundingError
from commonground.grounding.lookup.finding import Finder
from commonground.reading import read_text
from commonground.scene import SceneGraph
from commonground.scene.layer import Boxes, Layer

TOUCH_M = 0.1
"""So near to one another two boxes are neighbors."""
LOSS = 0.05
"""Share of what objects tell of the tasks that one joint may lose."""
MOST_TASKS = 200
_SURE = 1e-6


@dataclass(frozen=True, slots=True)
class Group:
    """Parts that are one thing for the tasks."""

    symbol: str
    """The one that stands for all."""
    parts: tuple[str, ...]
    task: str
    probability: float


def read_tasks(path: str | Path) -> list[str]:
    """Return the tasks of a file, one a line; GroundingError where it has none, or too many."""
    path = Path(path)
    if not path.is_file():
        raise GroundingError(f"{path}: there is no such file of tasks")
    lines = (line.partition("#")[0].strip() for line in read_text(path).splitlines())
    tasks = list(dict.fromkeys(filter(None, lines)))
    if not 0 < len(tasks) <= MOST_TASKS:
        raise GroundingError(
            f"{path}: holds {len(tasks)} tasks; write one a line, {MOST_TASKS} at most"
        )
    return tasks


def for_tasks(finder: Finder, tasks: Sequence[str]) -> tuple[SceneGraph, list[Group]]:
    """Return the map with parts joined as tasks need it, and what was joined.

    Objects that serve no task stay as they are.
    """
    graph = finder.graph
    told = _told(finder, tasks)
    serving = told[:, 0] < told[:, 1:].max(axis=1, initial=0.0)
    groups = [rows for rows in _joined(told, _neighbors(graph.objects, serving)) if len(rows) > 1]
    if not groups:
        return graph, []
    symbols = graph.objects.symbols
    found = []
    for rows in groups:
        mean = told[rows].mean(axis=0)[1:]
        best = int(mean.argmax())
        parts = tuple(symbols[r] for r in rows)
        found.append(Group(parts[0], parts, tasks[best], round(float(mean[best]), 3)))
    return _with_groups(graph, groups), found


def _told(finder: Finder, tasks: Sequence[str]) -> Floats:
    """Return p(task | object) as (n, 1 + tasks), what serves none in front."""
    likely = np.array([finder.chances("objects", task) for task in tasks]).T
    likely = np.nan_to_num(likely.reshape(len(finder.graph.objects), len(tasks)))
    none = 1 - likely.max(axis=1, keepdims=True, initial=0.0)
    told = np.concatenate([none, likely], axis=1)
    return np.asarray(told / told.sum(axis=1, keepdims=True))


def _neighbors(objects: Layer, serving: Bools) -> Ints:
    """Return the pairs (e, 2) of objects that serve tasks and touch."""
    from scipy.spatial import cKDTree

    rows = np.flatnonzero(serving)
    low, high = _bounds(objects, rows)
    if len(rows) < 2:
        return np.empty((0, 2), np.int64)
    reach = float(np.linalg.norm(high - low, axis=1).max()) + TOUCH_M
    pairs = cKDTree((low + high) / 2).query_pairs(reach, output_type="ndarray")
    i, j = pairs.T
    gap = np.maximum(low[i] - high[j], low[j] - high[i]).max(axis=1, initial=-np.inf)
    return np.asarray(rows[pairs[gap <= TOUCH_M]])


def _bounds(objects: Layer, rows: Ints) -> tuple[Floats, Floats]:
    low, high = objects.positions[rows].copy(), objects.positions[rows].copy()
    if objects.boxes is not None and len(rows):
        boxes = objects.boxes.take(rows)
        low[boxes.valid], high[boxes.valid] = boxes.take(boxes.valid).bounds()
    return low, high


def _joined(told: Floats, edges: Ints) -> list[Ints]:
    """Return the rows of each cluster: the least telling edge is joined first."""
    n = len(told)
    members = {row: [row] for row in range(n)}
    mass, tells = dict.fromkeys(range(n), 1 / max(n, 1)), dict(enumerate(told))
    near: dict[int, set[int]] = {row: set() for row in range(n)}
    for a, b in edges.tolist():
        near[a].add(b)
        near[b].add(a)
    most = LOSS * _information(told)
    heap = [(_loss(mass, tells, a, b), a, b) for a, b in edges.tolist()]
    heapq.heapify(heap)
    made = n
    while heap:
        loss, a, b = heapq.heappop(heap)
        if loss > most + _SURE:
            break
        if a not in members or b not in members:
            continue
        members[made] = members.pop(a) + members.pop(b)
        mass[made] = mass[a] + mass[b]
        tells[made] = (mass[a] * tells[a] + mass[b] * tells[b]) / mass[made]
        near[made] = {other for other in near.pop(a) | near.pop(b) if other in members}
        for other in near[made]:
            near[other].add(made)
            heapq.heappush(heap, (_loss(mass, tells, other, made), other, made))
        made += 1
    return [np.array(sorted(rows), np.int64) for rows in members.values()]


def _loss(mass: dict[int, float], tells: dict[int, Floats], a: int, b: int) -> float:
    """Return what joining two clusters loses: their mass times the Jensen-Shannon divergence."""
    both = mass[a] + mass[b]
    mean = (mass[a] * tells[a] + mass[b] * tells[b]) / both
    return mass[a] * _divergence(tells[a], mean) + mass[b] * _divergence(tells[b], mean)


def _divergence(p: Floats, q: Floats) -> float:
    some = p > 0
    return float((p[some] * np.log(p[some] / q[some])).sum())


def _information(told: Floats) -> float:
    """Return I(objects; tasks), each object as likely as the other."""
    mean = told.mean(axis=0)
    return float(np.mean([_divergence(row, mean) for row in told])) if len(told) else 0.0


def _with_groups(graph: SceneGraph, groups: Sequence[Ints]) -> SceneGraph:
    """Return the graph with each group's parts as its first one, as large as all together."""
    objects = graph.objects
    positions, features = objects.positions.copy(), objects.features
    features = None if features is None else features.copy()
    boxes = objects.boxes
    if boxes is not None:
        boxes = Boxes(boxes.centers.copy(), boxes.sizes.copy(), boxes.quat_wxyz.copy())
    for rows in groups:
        low, high = (bound for bound in _bounds(objects, rows))
        first, bottom, top = rows[0], low.min(axis=0), high.max(axis=0)
        positions[first] = (bottom + top) / 2
        if boxes is not None and boxes.valid[rows].any():
            boxes.centers[first], boxes.sizes[first] = (bottom + top) / 2, top - bottom
            boxes.quat_wxyz[first] = [1, 0, 0, 0]
        if features is not None:
            mean = np.nanmean(features[rows], axis=0)
            features[first] = mean / max(float(np.linalg.norm(mean)), 1e-9)
    layer = replace(objects, positions=positions, features=features, boxes=boxes)
    gone = np.concatenate([rows[1:] for rows in groups])
    return graph.with_layer("objects", layer).take(
        "objects", ~np.isin(np.arange(len(objects)), gone)
    )
