"""``commonground eval assembly``."""

from __future__ import annotations

from dataclasses import asdict, astuple, fields
from pathlib import Path
from typing import Annotated

import typer

from commonground.cli.job import Job
from commonground.cli.tabled import table_command

app = typer.Typer()


@table_command(app, "assembly")
def assembly(
    job: Job,
    suite: Annotated[
        Path | None, typer.Option("--suite", help="Folder of cases with kb_ll.pl, expected.yaml.")
    ] = None,
    agents: Annotated[
        list[int] | None,
        typer.Option("--agents", min=1, max=1000, help="Numbers of agents; repeatable."),
    ] = None,
    blocks: Annotated[
        bool, typer.Option("--blocks/--no-blocks", help="Plan blocks worlds of growing size too.")
    ] = True,
    gantt: Annotated[
        Path | None, typer.Option("--gantt", help="Draw the last plan (.png, .svg, .pdf).")
    ] = None,
) -> None:
    """Plan the cases of a suite, and blocks worlds of growing size, beside what was published."""
    from commonground.grounding.prolog.evaluation.evaluate import SIZES, Row, suite_rows, sweep_rows

    numbers, settings = agents or [1, 2, 3], job.config.assembly
    cases = [] if suite is None else suite_rows(suite, numbers, settings)
    sweep = sweep_rows(SIZES if blocks else (), max(numbers), settings)
    columns = [field.name for field in fields(Row)]
    found = [[*job.track(part, "assembly")] for part in (cases, sweep)]
    rows = [asdict(row) for part in found for row, _ in part]
    for title, part in zip(("cases", "blocks worlds"), found, strict=True):
        if part:
            job.table(title, columns, (astuple(row) for row, _ in part))
    if gantt is not None and rows:
        from commonground.grounding.prolog import draw_gantt

        draw_gantt(gantt, (found[0] or found[1])[-1][1])
    job.result({"rows": rows, "columns": columns, "settings": {"agents": numbers}})
