"""Figures of the fusion evaluation: scores per method as bars, paths over the true ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from commonground.geometry import align_points, apply
from commonground.mapping.fusion.evaluation.methods import METHODS, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SCORES = ("ATE m", "precision 1 m", "recall 1 m", "IoU")
COLORS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#e377c2")


def score_bars(results: Sequence[Result]) -> Figure:
    """Return for each score a bar per method and team; none where the score is unknown."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(3.2 * len(SCORES), 3.9), layout="constrained")
    teams = list(dict.fromkeys(r.team.name for r in results))
    width = 0.8 / max(len(teams), 1)
    panels = np.atleast_1d(figure.subplots(1, len(SCORES)))
    for axes, name in zip(panels, SCORES, strict=True):
        for k, team in enumerate(teams):
            rows = {r.method: r.row[name] for r in results if r.team.name == team}
            at = [i for i, m in enumerate(METHODS) if isinstance(rows.get(m), float)]
            heights = [rows[METHODS[i]] for i in at]
            left = np.array(at) + (k - (len(teams) - 1) / 2) * width
            axes.bar(left, heights, width, color=COLORS[k % len(COLORS)], label=team)
        axes.set_xticks(range(len(METHODS)), METHODS, rotation=60, ha="right", fontsize=8)
        axes.set_title(name, fontsize=10)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=6, fontsize=8)
    return figure


def path_maps(results: Sequence[Result]) -> Figure:
    """Return for one team a map per method: the paths found, each frame aligned, over true ones in gray."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(3.4 * len(results), 3.6), layout="constrained")
    for axes, result in zip(np.atleast_1d(figure.subplots(1, len(results))), results, strict=True):
        for path in result.team.paths:
            axes.plot(*path[:, :2, 3].T, color="0.75", linewidth=3)
        frame = result.fused.optimized.component
        for number in np.unique(frame):
            robots = np.flatnonzero(frame == number).tolist()
            found = [result.fused.trajectory(k)[:, :3, 3] for k in robots]
            true = [result.team.paths[k][:, :3, 3] for k in robots]
            T = align_points(np.concatenate(found), np.concatenate(true))
            for robot, path in zip(robots, found, strict=True):
                axes.plot(*apply(T, path)[:, :2].T, color=COLORS[robot % len(COLORS)], linewidth=1)
        error, count = result.row["ATE m"], result.row["robots"]
        axes.set_title(
            f"{result.method}: {error:.2f} m, {count} of {len(result.team.runs)} robots", fontsize=8
        )
        axes.set_aspect("equal")
    return figure
