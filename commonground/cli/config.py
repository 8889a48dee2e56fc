"""``commonground config``: the settings, shown and described."""

from __future__ import annotations

import typer

from commonground.cli.command import command
from commonground.cli.job import Job

app = typer.Typer(name="config", help="Show the settings, or describe them.", no_args_is_help=True)


@command(app, "show")
def show(job: Job) -> None:
    """Print the resolved settings as YAML: defaults, then --config, then --set."""
    job.result(job.config.model_dump(mode="json"))
    job.say(job.config_yaml.rstrip())


@command(app, "schema")
def schema(job: Job) -> None:
    """Print the JSON schema of the settings, with every field's meaning and default."""
    import json

    from commonground.story.config import Config

    job.result(Config.model_json_schema())
    job.console.print_json(json.dumps(Config.model_json_schema()))
