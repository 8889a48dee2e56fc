"""``commonground doctor``: what is installed, what is missing, and the line that mends it."""

from __future__ import annotations

from typing import Annotated

import typer

from commonground.cli.command import command
from commonground.cli.job import Job
from commonground.errors import CommongroundError

SIGNS = {"ok": "[green]✓[/green]", "missing": "[red]✗[/red]", "optional": "[yellow]○[/yellow]"}


app = typer.Typer()


@command(app, "doctor")
def doctor(
    job: Job,
    compile_: Annotated[
        bool, typer.Option("--compile", help="Compile the inner loops now, not on first use.")
    ] = False,
) -> None:
    """Check the installation: libraries, system packages, GPU, model weights, planner, Prolog, ports."""
    from rich.markup import escape

    if compile_:
        from commonground.story import compile_loops

        job.result({"seconds": compile_loops(job.say)})
        return
    from commonground.installation import check_installation
    from commonground.mapping.perception import weight_checks

    found = [*check_installation(), *weight_checks()]
    job.result({"checks": [c.as_json() for c in found]})
    for check in found:
        remedy = f"  [dim]→ {escape(check.remedy)}[/dim]" if check.remedy else ""
        job.styled(f"{SIGNS[check.status]} {check.name:<22} {escape(check.detail)}{remedy}")
    broken = [c.name for c in found if c.status == "missing"]
    if broken:
        raise CommongroundError(f"{len(broken)} needed things are missing: {', '.join(broken)}")
