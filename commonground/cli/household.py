"""``commonground household``: commands of a suite planned and carried out by a team in simulation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonground.cli.job import Job, command


def add(app: typer.Typer) -> None:
    """Add the command."""

    @command(app, "household")
    def household(
        job: Job,
        worlds: Annotated[Path, typer.Argument(help="worlds.yaml: objects of the floor plans.")],
        tasks: Annotated[Path, typer.Argument(help="Tasks: commands, teams, goals.")],
        out: Annotated[Path, typer.Option("--out", help="Plans, one JSON object a line.")],
        partial: Annotated[
            bool, typer.Option("--partial", help="Hide what tasks hide; only those tasks.")
        ] = False,
        backend: Annotated[str | None, typer.Option("--backend", help="offline or openai.")] = None,
        without: Annotated[
            list[str] | None,
            typer.Option("--without", help="relation, property, reach or repair; repeatable."),
        ] = None,
        failure_rate: Annotated[
            float,
            typer.Option("--failure-rate", min=0, max=0.9, help="Actions that fail by chance."),
        ] = 0.0,
        unknown_states: Annotated[
            bool, typer.Option("--unknown-states", help="Nobody knows yet what is open or on.")
        ] = False,
        eyes: Annotated[
            str | None, typer.Option("--eyes", help="simulator, or openai: a model sees pictures.")
        ] = None,
        images: Annotated[
            Path | None, typer.Option("--images", help="Folder with <place>.png for --eyes openai.")
        ] = None,
        keep: Annotated[
            Path | None, typer.Option("--keep", help="Folder for what was believed, a file a task.")
        ] = None,
    ) -> None:
        """Plan household commands for a heterogeneous team, carry them out, and repair what fails."""
        from commonground.cli import household_report

        settings = household_report.settings_of(job, backend, eyes, images)
        how = household_report.How(
            partial, tuple(without or ()), failure_rate, not unknown_states, keep
        )
        household_report.carry_out(job, worlds, tasks, out, settings, how)
