"""The table of fusion methods: narrow ones to read, whole ones in files, figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from commonground.geometry import align_points, apply
from commonground.mapping.fusion.evaluation.methods import METHODS, Result
from commonground.mapping.fusion.evaluation.teams import Team
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
    "ATE each m": "each m",
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
CLOSURES = {
    "method": "method",
    "candidates": "found",
    "closures": "used",
    "closure precision": "P",
    "closure recall": "R",
    "closure m": "off m",
    "closure deg": "off °",
    "closure NEES": "NEES",
}
CAPTION = (
    "robots: how many of how many were joined in one map, nobody told where they began.",
    "P, R: of the objects of that map, one to one within 0.5 or 1 m; R of all true ones",
    "that the whole team saw. IoU: mean of the boxes of those matched within 1 m. ATE:",
    "root mean square error of all paths, aligned at once; - where robots are not joined.",
    "each m: the same with each robot's path aligned alone, which tells of no join.",
    "Closures, found (candidates) and used: wrong ones are off by over 2 m or 10°, P is",
    "the share that is not; R: of the submaps within 10 m of one another, those",
    "closed rightly; off: medians; NEES, of right ones: mean squared error of place and",
    "heading by the covariance, 3 where that is as stated. doubled: share of objects",
    "that stand for a thing another one stands for. P reg, R reg: regions that share half",
    "of the ground of either with a true one. seconds: without compiling. own closures:",
    "of each robot with itself; + semantics: all there is.",
    "Published, on other data: ROMAN's closures lower the ATE of multi-robot SLAM by",
    "35 % against those of visual features (Peterson et al., RSS 2025); its two-robot",
    "demo, 200 m each in opposite directions, ends at 1.2 m (README of mit-acl/roman).",
)
AXES = {
    "ATE m": "m (less is better)",
    "precision 1 m": "share of found objects",
    "recall 1 m": "share of true objects",
    "IoU": "intersection over union",
}
"""Scores that are drawn → what their axes tell."""
SCORES = tuple(AXES)
FONT = 11
LEAST_SUBMAPS = 5
"""With fewer of each robot, nothing is wrong where nothing is joined."""
ORACLE = METHODS[-1]
COLORS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#e377c2")


class Table(NamedTuple):
    """A table to read."""

    title: str
    heads: tuple[str, ...]
    cells: list[list[object]]


def tables(results: Sequence[Result]) -> Iterator[Table]:
    """Yield for each team the scores that matter most, and after them the others."""
    short = too_short(results)
    for name in _names(results):
        if name in short:
            continue
        rows = [r.row for r in results if r.team.name == name]
        others = ((f"{name}: closures", CLOSURES), (f"{name}: the other scores", REST))
        for title, columns in ((name, MAIN), *others):
            cells = [[_cell(row, column) for column in columns] for row in rows]
            yield Table(title, tuple(columns.values()), cells)


def _names(results: Sequence[Result]) -> list[str]:
    return list(dict.fromkeys(r.team.name for r in results))


def _cell(row: Mapping[str, object], column: str) -> object:
    """Return a cell of a table in the terminal."""
    value = row[column]
    if column == "robots" and value != row["of"]:
        return f"{value} of {row['of']}"
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.2f}" if abs(value) < 10 else f"{value:.0f}"
    return value


def too_short(results: Sequence[Result]) -> dict[str, str]:
    """Return teams whose drives are too short to be fused, with a line: their scores tell nothing."""
    told = {}
    for name in _names(results):
        own = [r for r in results if r.team.name == name and r.method != ORACLE]
        if not own or any(r.row["robots"] != 1 or r.row["closures"] for r in own):
            continue
        best = [r for r in results if r.team.name == name and r.method == ORACLE]
        why = _why_nothing_joins(own[0].team, met=all(r.row["candidates"] for r in best))
        if why:
            told[name] = f"{name}: no table, as no method joined any robots{why}"
    return told


def _why_nothing_joins(team: Team, *, met: bool) -> str:
    """Return why the drives of a team cannot be fused at all; nothing where they might have been."""
    if not met:
        return (
            ", nor could any: no two submaps of these drives lie near one another; take longer ones"
        )
    submaps = max(len(run.objects.submaps) for run in team.runs)
    if submaps >= LEAST_SUBMAPS:
        return ""
    meters = max(float(run.travel_m[-1]) for run in team.runs)
    return (
        f": drives of at most {meters:.0f} m with {submaps} submap{'s' * (submaps > 1)} are too short to be "
        f"fused; take {LEAST_SUBMAPS} submaps, one every 10 m, or more"
    )


def reasons(results: Sequence[Result]) -> list[str]:
    """Return why robots stay apart under methods that could have joined them, a line each."""
    return [
        f"{result.team.name}, {result.method}: {note}"
        for result in results
        if result.row["robots"] != result.row["of"]
        for note in [str(c) for c in result.fused.refused if c.told] or result.fused.notes
    ]


# ---- figures ----


def figures(results: Sequence[Result]) -> dict[str, Figure]:
    """Return the figures by name: the scores, and the paths of each team."""
    found, teams = {"scores": score_bars(results)}, _names(results)
    for number, name in enumerate(teams, 1):
        own = [r for r in results if r.team.name == name]
        found["paths" if len(teams) == 1 else f"paths-{number}"] = path_maps(own)
    return found


def score_bars(results: Sequence[Result]) -> Figure:
    """Return for each score a bar per method and team; where there is none, why."""
    methods = [m for m in METHODS if m in {r.method for r in results}]
    teams = _names(results)
    figure = new_figure(4.2 * len(SCORES), 5.0)
    width = 0.8 / max(len(teams), 1)
    panels = np.atleast_1d(figure.subplots(1, len(SCORES)))
    for axes, name in zip(panels, SCORES, strict=True):
        for k, team in enumerate(teams):
            color, off = COLORS[k % len(COLORS)], (k - (len(teams) - 1) / 2) * width
            rows = {methods.index(r.method): r.row for r in results if r.team.name == team}
            heights = {i: row[name] for i, row in rows.items() if isinstance(row[name], float)}
            axes.bar(
                np.array([*heights]) + off, [*heights.values()], width, color=color, label=team
            )
            for i in rows.keys() - heights:  # an empty slot would read as no error at all
                why = " not joined" if rows[i]["robots"] != rows[i]["of"] else " none"
                where = {"rotation": 90, "ha": "center", "va": "bottom"}
                axes.text(i + off, 0, why, fontsize=FONT, color=color, **where)
        axes.set_xlim(-0.6, len(methods) - 0.4)
        axes.set_ylim(bottom=0.0)
        axes.set_xticks(range(len(methods)), methods, rotation=40, ha="right", fontsize=FONT)
        axes.tick_params(axis="y", labelsize=FONT)
        axes.set_title(name, fontsize=FONT + 1)
        axes.set_ylabel(AXES[name], fontsize=FONT)
        axes.grid(axis="y", alpha=0.3)
        axes.set_axisbelow(True)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=6, fontsize=FONT)
    return figure


def path_maps(results: Sequence[Result]) -> Figure:
    """Return for one team a map per method: the paths found, each frame aligned, over true ones in gray."""
    columns = min(4, len(results))
    rows = -(-len(results) // columns)
    figure = new_figure(4.6 * columns, 4.6 * rows + 0.5)
    panels = np.atleast_1d(figure.subplots(rows, columns, squeeze=False)).ravel()
    lines = {}
    for axes, result in zip(panels, results, strict=False):
        for path in result.team.paths:
            (lines["true"],) = axes.plot(*path[:, :2, 3].T, color="0.75", linewidth=4)
        frame = result.fused.optimized.component
        for number in np.unique(frame):
            robots = np.flatnonzero(frame == number).tolist()
            found = [result.fused.trajectory(k)[:, :3, 3] for k in robots]
            true = [result.team.paths[k][:, :3, 3] for k in robots]
            T = align_points(np.concatenate(found), np.concatenate(true))
            for robot, path in zip(robots, found, strict=True):
                (lines[result.team.runs[robot].name],) = axes.plot(
                    *apply(T, path)[:, :2].T, color=COLORS[robot % len(COLORS)], linewidth=1.5
                )
        error, count = result.row["ATE m"], result.row["robots"]
        ate = f"each {result.row['ATE each m']:.2f}" if error is None else f"{error:.2f}"
        axes.set_title(
            f"{result.method}: ATE {ate} m,\n{count} of {len(result.team.runs)} robots joined",
            fontsize=FONT + 1,
        )
        axes.set_xlabel("x (m)", fontsize=FONT)
        axes.set_ylabel("y (m)", fontsize=FONT)
        axes.tick_params(labelsize=FONT)
        axes.set_aspect("equal", adjustable="datalim")
    for axes in panels[len(results) :]:
        axes.set_axis_off()
    figure.legend(
        lines.values(),
        lines,
        loc="outside upper center",
        ncols=8,
        fontsize=FONT,
        title=results[0].team.name,
    )
    return figure
