"""``commonground eval planning`` and ``missions``: plans, and what becomes of them."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Annotated

import typer

from commonground.cli.job import Job
from commonground.cli.tabled import table_command
from commonground.reading import MOST_PLACES
from commonground.tables import shown, spread

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


@table_command(app, "missions")
def missions(
    job: Job,
    count: Annotated[int, typer.Option("--missions", min=1, max=100_000, help="How many.")] = 10,
    places: Annotated[
        int, typer.Option("--places", min=100, max=MOST_PLACES, help="Size of the sites.")
    ] = 250,
    most_faults: Annotated[
        int, typer.Option("--faults", min=0, max=100, help="At most so many faults each.")
    ] = 3,
) -> None:
    """Random missions of one to four robots under random faults, held against the simulated world."""
    from commonground.planning.mission.evaluate import Row, Summary
    from commonground.planning.mission.evaluate import missions as carried_out

    seeds = range(job.seed, job.seed + count)
    found = carried_out(seeds, places, most_faults)
    went = list(job.track(found, "missions", count))
    columns, rows = [field.name for field in fields(Row)], [asdict(row) for row in went]
    summary = asdict(Summary.of(went))
    numbers = ("plans", "slowest_s", "lasted_s")
    per = [(k, {n: row[n] for n in numbers}) for k, row in enumerate(rows)]
    (over,) = spread(per, (), count="missions")
    ranges = ", ".join(f"{name} {shown(over[name])}" for name in numbers)
    job.caption = (f"Median, and least to most, over missions: {ranges}.",)
    job.result({"rows": rows, "columns": columns, "summary": summary, "spread": over})
    job.table("missions", columns, (list(row.values()) for row in rows))
    job.table(
        "median, and least to most, over missions",
        list(over),
        [[shown(cell) for cell in over.values()]],
    )
    job.table("all", list(summary), [list(summary.values())])
