"""Commands that print a table: each writes it to files as well, and tells how it spreads over seeds."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from commonground.atomic import check_writable
from commonground.cli.command import command
from commonground.cli.job import Job
from commonground.errors import ConfigError
from commonground.tables import (
    COUNT,
    Row,
    chosen_columns,
    columns_of,
    files_of,
    shown,
    spread,
    write_figures,
    write_table,
)

OutOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--out",
        help="Write the table, by its suffix as .csv, .tex (LaTeX), .json or .md; without one .md and "
        ".csv. Figures as .png beside it. Repeatable.",
    ),
]
ColumnsOption = Annotated[
    str | None,
    typer.Option(
        "--columns",
        help="Write only these columns of its table to the files of --out, in this order, with commas "
        "between.",
    ),
]
SeedsOption = Annotated[
    int,
    typer.Option(
        "--seeds",
        min=1,
        max=1000,
        help="So many seeds from --seed: median and range. Figures and notes are of the first.",
    ),
]
WIDEST = 11
"""A spread over more columns is printed a score a line."""


def table_command(
    app: typer.Typer, name: str, keys: Sequence[str] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register a command with a table; ``keys`` are the columns that tell the rows of one seed apart."""

    def register(function: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(function, eval_str=True)
        more: dict[str, tuple[Any, Any]] = {"out": (OutOption, None)}
        more |= {"columns": (ColumnsOption, None)} | ({"seeds": (SeedsOption, 1)} if keys else {})
        keyword = inspect.Parameter.KEYWORD_ONLY
        added = [
            inspect.Parameter(key, keyword, annotation=kind, default=default)
            for key, (kind, default) in more.items()
        ]

        @functools.wraps(function)
        def measured(job: Job, **values: Any) -> None:
            files = [file for path in values.pop("out") or () for file in files_of(path)]
            for file in files:  # a run may take an hour
                check_writable(file)
            named = (values.pop("columns", None) or "").split(",")
            columns = [name.strip() for name in named if name.strip()]
            if columns and not files:
                raise typer.BadParameter("--columns: goes with --out, whose files have them")
            count = values.pop("seeds", 1)
            seeds = [*range(job.seed, job.seed + count)]
            try:
                if count == 1:
                    function(job, **values)
                else:
                    _over_seeds(job, function, values, seeds, keys)
            finally:  # a command may tell at its end that its table lacks something
                unknown = _write(job, files, seeds, columns) if "rows" in job.told else ""
            if unknown:
                raise ConfigError(unknown)

        own = [*signature.parameters.values(), *added]
        measured.__signature__ = signature.replace(parameters=own)  # type: ignore[attr-defined]
        command(app, name)(measured)
        return function

    return register


def _write(job: Job, files: Sequence[Path], seeds: Sequence[int], columns: Sequence[str]) -> str:
    """Write the files and return which of the columns there are none of.

    The files have the others then, or all: a run may have taken an hour.
    """
    told, unknown = job.told, ""
    if columns:
        there = columns_of(told["rows"])
        wrong = [name for name in columns if name not in there]
        kept = [name for name in columns if name in there] or there
        told = {**told, "rows": chosen_columns(told["rows"], kept), "columns": kept}
        if wrong:
            unknown = (
                f"--columns: there is no column '{', '.join(wrong)}'; there are {', '.join(there)}. "
                f"Written with {'all' if kept == there else ', '.join(kept)}."
            )
    for file in files:
        write_table(file, told, job.caption, seeds)
    for base in dict.fromkeys(file.with_suffix("") for file in files):
        write_figures(base, {} if job.figures is None else job.figures())
    return unknown


def _over_seeds(
    job: Job,
    function: Callable[..., None],
    values: Mapping[str, Any],
    seeds: Sequence[int],
    keys: Sequence[str],
) -> None:
    """Make a table once for each seed; print and keep the median and the range of its cells."""
    found: list[tuple[int, Row]] = []
    settings: Any = {}
    for seed in job.track(seeds, "seeds"):
        one = replace(job, seed=seed, json=False, quiet=True)
        function(one, **values)
        found += [(seed, row) for row in one.told["rows"]]
        if seed == seeds[0]:
            settings = one.told.get("settings", {})
            job.figures, job.caption = one.figures, one.caption
    rows = spread(found, keys)
    columns = columns_of(rows) or list(keys)
    told = {"rows": rows, "columns": columns, "seeds": list(seeds), "settings": settings}
    told["every"] = [{"seed": seed, **row} for seed, row in found]
    job.result(told)
    _print_spread(job, rows, columns, keys)


def _print_spread(
    job: Job, rows: Sequence[Row], columns: Sequence[str], keys: Sequence[str]
) -> None:
    seeds = len(job.told["seeds"])
    title = f"median, and least to most, of {seeds} seeds"
    if len(columns) <= WIDEST:
        job.table(
            title, columns, [[shown(row.get(column), seeds) for column in columns] for row in rows]
        )
    else:
        scores = [c for c in columns if c not in (*keys, COUNT)]
        cells = [
            [*(row[k] for k in keys), score, shown(row[score], seeds)]
            for row in rows
            for score in scores
            if score in row
        ]
        job.table(title, [*keys, "score", "median"], cells)
    job.lines(job.caption)
