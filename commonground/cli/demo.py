"""``commonground demo``: what the project does, on data it brings along."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonground.cli.job import Job, command


def add(app: typer.Typer) -> None:
    """Add the command."""

    @command(app, "demo")
    def demo(
        job: Job,
        out: Annotated[Path, typer.Option("--out", help="Run directory to write.")] = Path("demo"),
    ) -> None:
        """Load a bundled scene graph, print its layers, draw it."""
        from commonground.demo import courtyard_story

        story = courtyard_story(out, job.seed, job.config_yaml)
        job.result(story)
        job.table(
            "A courtyard, as a scene graph",
            ["layer", "nodes", "edges", "classes"],
            (
                [name, layer["nodes"], layer["edges"], ", ".join(layer["classes"])]
                for name, layer in story["layers"].items()
            ),
        )
        job.say(f"\ndrawn from above: {story['picture']}")
        job.say(
            "next: commonground export commonground/data/courtyard.json --to geojson --out courtyard.geojson"
        )
