"""The table of fusion methods: narrow ones to read, whole ones in files, figures."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from commonground.mapping.fusion.evaluation.methods import Result

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
    from commonground.mapping.fusion.evaluation.figures import path_maps, score_bars
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
