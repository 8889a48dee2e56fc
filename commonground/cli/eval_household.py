"""``commonground eval household``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonground.cli.job import Job, command


def add(group: typer.Typer) -> None:
    """Add the table."""

    @command(group, "household")
    def household(
        job: Job,
        worlds: Annotated[Path, typer.Argument(help="worlds.yaml: objects of the floor plans.")],
        tasks: Annotated[Path, typer.Argument(help="Tasks: commands, teams, goals.")],
        backend: Annotated[str | None, typer.Option("--backend", help="offline or openai.")] = None,
    ) -> None:
        """Tasks and conditions reached, actions executed and time, by category; ablations; hidden objects."""
        from commonground.cli import household_report

        household_report.compare(job, worlds, tasks, household_report.settings_of(job, backend))
