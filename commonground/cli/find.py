"""``commonground find``: what in a map words may mean."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonground.cli.command import command
from commonground.cli.job import Job
from commonground.errors import HonestNo

if TYPE_CHECKING:
    from commonground.grounding.lookup import Findings


def add(app: typer.Typer) -> None:
    """Add the command."""

    @command(app, "find")
    def find(
        job: Job,
        thing: Annotated[
            Path, typer.Argument(help="Scene graph file, or a run directory that has one.")
        ],
        words: Annotated[
            str, typer.Argument(help="What to look for, such as 'fire extinguisher'.")
        ],
        top: Annotated[int, typer.Option("--top", min=1, help="How many answers.")] = 5,
        where: Annotated[
            str, typer.Option("--where", help="'near X' or 'in X', X a symbol or words.")
        ] = "",
        looks: Annotated[
            bool,
            typer.Option(
                "--looks",
                help="Compare by looks, with the CLIP model of perception.fastsam that made the map.",
            ),
        ] = False,
    ) -> None:
        """Find objects and regions of a map by words, the likeliest first, and say why."""
        from commonground.grounding.lookup import find as find_in
        from commonground.mapping.perception import Clip
        from commonground.scene import load_scene
        from commonground.scene.locate import scene_file

        encoder = Clip(job.config.mapping.perception.fastsam) if looks else None
        graph = load_scene(scene_file(thing))
        _show(job, find_in(graph, words, encoder=encoder, top=top, where=where))


def _show(job: Job, found: Findings) -> None:
    job.result(found.as_json())
    for note in found.notes:
        job.note(note)
    if not found.hits:
        raise HonestNo(f"nothing in this map is called '{found.asked}' or a kind of it")
    rows = [
        (h.symbol, h.word, "" if h.probability is None else f"{h.probability:.2f}", h.why)
        for h in found.hits
    ]
    job.table("", ["node", "class", "probability", "why"], rows)
