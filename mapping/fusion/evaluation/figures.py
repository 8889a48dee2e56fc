"""Figures of fusion: bars of the scores per method, and the paths per method over the true ones."""

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
    """Return a bar per method for each score, the mean over the teams."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(3.2 * len(SCORES), 3.6), layout="constrained")
    for axes, name in zip(np.atleast_1d(figure.subplots(1, len(SCORES))), SCORES, strict=True):
        known = [[r.row[name] for r in results if r.method == m] for m in METHODS]
        values = [[v for v in row if isinstance(v, float)] for row in known]
        axes.bar(range(len(METHODS)), [float(np.mean(v)) if v else 0.0 for v in values])
        axes.set_xticks(range(len(METHODS)), METHODS, rotation=60, ha="right", fontsize=8)
        axes.set_title(name, fontsize=10)
    return figure


def path_maps(results: Sequence[Result]) -> Figure:
    """Return for one team a map per method: the paths found, aligned, over the true ones in grey."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(3.4 * len(results), 3.6), layout="constrained")
    for axes, result in zip(np.atleast_1d(figure.subplots(1, len(results))), results, strict=True):
        joined = result.fused.joined
        found = [result.fused.trajectory(k)[:, :3, 3] for k in joined]
        T = align_points(
            np.concatenate(found), np.concatenate([result.team.paths[k][:, :3, 3] for k in joined])
        )
        for path in result.team.paths:
            axes.plot(*path[:, :2, 3].T, color="0.75", linewidth=3)
        for robot, path in zip(joined, found, strict=True):
            axes.plot(*apply(T, path)[:, :2].T, color=COLORS[robot % len(COLORS)], linewidth=1)
        axes.set_title(f"{result.method}: {result.row['ATE m']:.2f} m", fontsize=9)
        axes.set_aspect("equal")
    return figure
