"""The table of fusion methods: narrow ones to read, whole ones in files, figures."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from commonground.geometry import align_points, apply
from commonground.mapping.fusion.evaluation.methods import METHODS, Result
from commonground.scene.draw import new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


MAIN = {
    "method": "method",
    "robots": "robots",
    "IoU": "IoU",
    "precision 1 m": "P 1 m",
    "recall 1 m": "R 1 m",
    "ATE m": "ATE m",
    "closures": "closures",
    "wrong": "wrong",
}
"""Columns of the table → their heads in the terminal, which has 80 characters a line at least."""
REST = {
    "method": "method",
    "precision 0.5 m": "P 0.5",
    "recall 0.5 m": "R 0.5",
    "doubled": "doubled",
    "objects": "objects",
    "regions": "reg.",
    "region precision": "P reg",
    "region recall": "R reg",
}
CAPTION = (
    "robots: how many were joined in one map; nobody is told where they began. P, R:",
    "precision and recall of the objects of that map, matched one to one within 0.5 or",
    "1 m. IoU: of the boxes of objects matched within 1 m. ATE: root mean square error",
    "of the paths of all robots, those joined aligned at once, others each on its own.",
    "wrong: closures used that are off by over 2 m or 10°. doubled: share of objects",
    "that stand for a thing another one stands for. reg.: regions; P reg, R reg: of these",
    "the same as a true one if they share half of the ground of either. own closures:",
    "of each robot with itself; + semantics: all there is.",
    "Published, on other data: ROMAN's closures lower the ATE of multi-robot SLAM by",
    "35 % against those of visual features (Peterson et al., RSS 2025); its two-robot",
    "demo, 200 m each in opposite directions, ends at 1.2 m (README of mit-acl/roman).",
)
SCORES = ("ATE m", "precision 1 m", "recall 1 m", "IoU")
COLORS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#e377c2")


class Table(NamedTuple):
    """A table to read."""

    title: str
    heads: tuple[str, ...]
    cells: list[list[object]]


def tables(results: Sequence[Result]) -> Iterator[Table]:
    """Yield for each team the scores that matter most, and after them the others."""
    for name in _names(results):
        rows = [r.row for r in results if r.team.name == name]
        for title, columns in ((name, MAIN), (f"{name}: the other scores", REST)):
            cells = [[_short(row[column]) for column in columns] for row in rows]
            yield Table(title, tuple(columns.values()), cells)


def _names(results: Sequence[Result]) -> list[str]:
    return list(dict.fromkeys(r.team.name for r in results))


def _short(value: object) -> object:
    """Return a cell of a table in the terminal."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.2f}" if abs(value) < 10 else f"{value:.0f}"
    return value


def write_files(file: Path, results: Sequence[Result]) -> None:
    """Write all columns as Markdown and as comma-separated values, and the figures."""
    from commonground.atomic import write_text, write_with
    from commonground.mapping.fusion.evaluation.methods import COLUMNS

    base = file.with_suffix("") if file.suffix in (".md", ".csv") else file
    cells = [[_exact(r.row[column]) for column in COLUMNS] for r in results]
    lines = [COLUMNS, ["---"] * len(COLUMNS), *cells]
    table = "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)
    write_text(base.with_name(f"{base.name}.md"), f"{table}\n{' '.join(CAPTION)}\n")
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([COLUMNS, *cells])
    write_text(base.with_name(f"{base.name}.csv"), text.getvalue())
    figures = {"scores": score_bars(results)}
    teams = _names(results)
    for number, name in enumerate(teams, 1):
        own = [r for r in results if r.team.name == name]
        figures["paths" if len(teams) == 1 else f"paths-{number}"] = path_maps(own)
    for name, figure in figures.items():
        draw = partial(figure.savefig, format="png", dpi=110)
        write_with(base.with_name(f"{base.name}-{name}.png"), draw)


def _exact(value: object) -> object:
    """Return a cell of a table in a file."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"
    return value


# ---- figures ----


def score_bars(results: Sequence[Result]) -> Figure:
    """Return for each score a bar per method and team; none where the score is unknown."""
    figure = new_figure(3.2 * len(SCORES), 3.9)
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
    figure = new_figure(3.4 * len(results), 3.6)
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
