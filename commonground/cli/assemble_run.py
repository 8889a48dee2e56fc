"""``commonground assemble run``: a plan carried out in simulation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonground.cli.command import command
from commonground.cli.job import Job
from commonground.errors import HonestNo

PlanArgument = Annotated[Path, typer.Argument(help="Plan written by 'assemble plan'.")]


app = typer.Typer()


@command(app, "run")
def run(
    job: Job,
    plan: PlanArgument,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for the mission's journal.")
    ] = None,
    failure_rate: Annotated[
        float, typer.Option("--failure-rate", min=0, max=0.9, help="Steps that fail by chance.")
    ] = 0.0,
) -> None:
    """Carry a plan out in simulation, by the engine of all missions; what fails is tried again."""
    from commonground.grounding.prolog import read_plan, simulate_plan

    found = read_plan(plan)
    end, shop = simulate_plan(found, out, failure_rate, job.seed)
    last_s = max((at_s for _, at_s in shop.made), default=0.0)
    values = {"status": end.status, "reason": end.reason, "steps": len(shop.made)}
    job.result({**values, "makespan_s": last_s})
    if end.status != "done":
        raise HonestNo(f"{end.status} after {len(shop.made)} steps: {end.reason}")
    job.say(f"done: {len(shop.made)} steps in {last_s:g} s")
