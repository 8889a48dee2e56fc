"""``commonground find``: what in a map words may mean."""

from __future__ import annotations

from collections.abc import Mapping
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
        ] = "",
        image: Annotated[
            Path | None, typer.Option("--image", help="Look for what a picture shows instead.")
        ] = None,
        top: Annotated[int, typer.Option("--top", min=1, help="How many answers.")] = 5,
        where: Annotated[
            str, typer.Option("--where", help="'near X' or 'in X', X a symbol or words.")
        ] = "",
        looks: Annotated[
            bool,
            typer.Option(
                "--looks",
                help="Compare by looks, with the model that made the map (perception.fastsam).",
            ),
        ] = False,
        crops: Annotated[
            Path | None,
            typer.Option("--crops", help="Folder to write the pictures of the answers into."),
        ] = None,
    ) -> None:
        """Find objects and regions of a map by words, the likeliest first, and say why."""
        from commonground.crops import Crops, export_crops
        from commonground.grounding.lookup import find as find_in
        from commonground.mapping.perception import Clip, encoder_of, read_picture
        from commonground.scene import load_scene
        from commonground.scene.locate import scene_file

        scene = scene_file(thing)
        graph = load_scene(scene)
        clip = job.config.mapping.perception.fastsam
        if bool(words) == (image is not None):
            raise typer.BadParameter("say what to look for in words, or by --image FILE")
        encoder = encoder_of(graph, clip) or Clip(clip) if looks or image else None
        shown = encoder.picture(read_picture(image)) if encoder and image else None
        found = find_in(graph, words, encoder=encoder, picture=shown, top=top, where=where)
        pictures = Crops(scene.parent)
        own = {h.symbol: pictures.of(h.symbol) for h in found.hits}
        if crops is not None:
            export_crops(own, crops)
        _show(job, found, {symbol: len(kept) for symbol, kept in own.items()}, where)


def _show(job: Job, found: Findings, pictures: Mapping[str, int], where: str) -> None:
    job.result({**found.as_json(), "pictures": pictures})
    for note in found.notes:
        job.note(note)
    if not found.hits:
        place = where.strip() or "in this map"
        raise HonestNo(f"nothing {place} is called '{found.asked}' or a kind of it")
    rows = [
        (
            h.symbol,
            h.word,
            "" if h.probability is None else f"{h.probability:.2f}",
            str(pictures.get(h.symbol) or ""),
            h.why,
        )
        for h in found.hits
    ]
    job.table("", ["node", "class", "probability", "pictures", "why"], rows)
