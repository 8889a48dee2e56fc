"""``commonground eval planning``."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Annotated

import typer

from commonground.cli.job import Job
from commonground.cli.tabled import table_command
from commonground.reading import MOST_PLACES

app = typer.Typer()


@table_command(app, "planning", keys=("goal", "method"))
def planning(
    job: Job,
    places: Annotated[
        list[int] | None,
        typer.Option("--places", min=20, max=MOST_PLACES, help="Site sizes; repeatable."),
    ] = None,
    dense_limit: Annotated[
        int,
        typer.Option(min=0, max=MOST_PLACES, help="Largest site whose dense task is tried too."),
    ] = 600,
    time_limit_s: Annotated[
        float, typer.Option(min=0.01, max=1e6, help="Limit of each dense task.")
    ] = 60.0,
) -> None:
    """Scene planning beside Fast Downward with every place in PDDL, on made-up sites."""
    from commonground.planning.evaluate import Row, compare

    sizes = [(n, max(10, min(100, n // 20))) for n in places or (100, 500, 2_000, 10_000)]
    found = compare(sizes, seed=job.seed, dense_limit=dense_limit, time_limit_s=time_limit_s)
    columns = [field.name for field in fields(Row)]
    rows = [asdict(row) for row in job.track(found, "planning")]
    settings = {"seed": job.seed, "dense_limit": dense_limit, "time_limit_s": time_limit_s}
    job.result({"rows": rows, "columns": columns, "settings": settings})
    job.table("planning on scene graphs", columns, (list(row.values()) for row in rows))
