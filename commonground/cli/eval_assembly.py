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
        Path, typer.Option("--suite", help="Folder of cases with kb_ll.pl, expected.yaml.")
    ],
    agents: Annotated[
        list[int] | None,
        typer.Option("--agents", min=1, max=1000, help="Numbers of agents; repeatable."),
    ] = None,
    gantt: Annotated[
        Path | None, typer.Option("--gantt", help="Draw the last plan (.png, .svg, .pdf).")
    ] = None,
) -> None:
    """Plan the cases of a suite, beside the makespans that it states."""
    from commonground.grounding.prolog import draw_gantt
    from commonground.grounding.prolog.evaluation.evaluate import Row, suite_rows

    numbers = agents or [1, 2, 3]
    found = [*job.track(suite_rows(suite, numbers, job.config.assembly), "assembly")]
    columns = [field.name for field in fields(Row)]
    job.table("cases", columns, (astuple(row) for row, _ in found))
    if gantt is not None:
        draw_gantt(gantt, found[-1][1])
    rows = [asdict(row) for row, _ in found]
    job.result({"rows": rows, "columns": columns, "settings": {"agents": numbers}})
