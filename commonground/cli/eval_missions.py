"""``commonground eval missions``."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from commonground.cli.command import command
from commonground.cli.job import Job
from commonground.reading import MOST_PLACES

app = typer.Typer()


@command(app, "missions")
def missions(
    job: Job,
    count: Annotated[int, typer.Option("--missions", min=1, max=100_000, help="How many.")] = 10,
    places: Annotated[
        int, typer.Option("--places", min=100, max=MOST_PLACES, help="Size of the sites.")
    ] = 250,
    most_faults: Annotated[
        int, typer.Option("--faults", min=0, max=100, help="At most so many faults each.")
    ] = 3,
    kills: Annotated[
        int,
        typer.Option(
            "--kills",
            min=0,
            max=10_000,
            help="Kill the base station so often, and resume; else none.",
        ),
    ] = 0,
) -> None:
    """Random missions of one to four robots under random faults, held against the simulated world."""
    if kills:
        return _killed(job, kills, places, most_faults)
    from commonground.planning.mission.evaluate import Row, Summary
    from commonground.planning.mission.evaluate import missions as carried_out

    seeds = range(job.seed, job.seed + count)
    found = carried_out(seeds, places, most_faults)
    rows = list(job.track(found, "missions", count))
    columns = list(Row.__dataclass_fields__)
    summary = asdict(Summary.of(rows))
    job.result({"rows": [r.as_json() for r in rows], "columns": columns, "summary": summary})
    job.table("missions", columns, (list(r.as_json().values()) for r in rows))
    job.table("all", list(summary), [list(summary.values())])


def _killed(job: Job, kills: int, places: int, most_faults: int) -> None:
    """Print the table of missions whose base station is killed again and again."""
    from commonground.planning.mission import Killed, killed_missions

    rows: list[Killed] = []
    for row in killed_missions(kills, job.seed, places, most_faults):
        rows.append(row)
        job.say(f"{sum(r.kills for r in rows)} of {kills} kills")
    columns = list(Killed.__dataclass_fields__)
    sums = ("kills", "reached", "repeated", "lost", "violations")
    summary = {"missions": len(rows), **{n: sum(getattr(r, n) for r in rows) for n in sums}}
    job.result({"rows": [r.as_json() for r in rows], "columns": columns, "summary": summary})
    job.table("missions with kills", columns, (list(r.as_json().values()) for r in rows))
    job.table("all", list(summary), [list(summary.values())])
