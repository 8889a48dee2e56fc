"""``commonground find``: what in a map words may mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonground.cli.command import command
from commonground.cli.job import Job
from commonground.cli.memory_options import ask_back, opened
from commonground.reading import check_speech

if TYPE_CHECKING:
    from commonground.grounding.lookup import Findings
    from commonground.story.finding import Asked


app = typer.Typer()


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
    top: Annotated[int, typer.Option("--top", min=1, max=10_000, help="How many answers.")] = 5,
    where: Annotated[
        str,
        typer.Option("--where", help="'near X', 'in X' or 'visible from X', X a symbol or words."),
    ] = "",
    looks: Annotated[
        bool | None,
        typer.Option(
            "--looks/--no-looks",
            help="Compare by looks; else where the model that made the map can be had.",
        ),
    ] = None,
    crops: Annotated[
        Path | None,
        typer.Option("--crops", help="Folder to write the pictures of the answers into."),
    ] = None,
    tasks: Annotated[
        Path | None,
        typer.Option("--tasks", help="Tasks, one a line: parts are joined as they need it."),
    ] = None,
    regions: Annotated[
        bool, typer.Option("--regions", help="Say what rooms and areas may be called instead.")
    ] = False,
    called: Annotated[
        str, typer.Option("--call", help="Remember a name in the map instead: 'R3=charging bay'.")
    ] = "",
    memory: Annotated[
        Path | None, typer.Option("--memory", help="With --call: remember it in a memory too.")
    ] = None,
) -> None:
    """Find objects and regions of a map by words, the likeliest first, and say why."""
    if sum(map(bool, (words, image, called, regions))) != 1:
        raise typer.BadParameter(
            "say one thing: what to look for in words, --image FILE, --call or --regions"
        )
    if memory is not None and not called:
        raise typer.BadParameter("--memory goes with --call")
    check_speech(words)
    check_speech(where)
    if called:
        return _call(job, thing, called, memory)
    asked = _opened(job, thing, image, looks, f"{words} {where}")
    if regions:
        return _show_regions(job, asked)
    asked = _for_tasks(job, asked, tasks)
    _show(job, asked, asked.find(words, image=image, top=top, where=where), crops)


def _opened(job: Job, map_: Path, image: Path | None, looks: bool | None, said: str) -> Asked:
    from commonground.mapping.perception import read_picture
    from commonground.story.finding import open_map

    if image is not None:
        read_picture(image)  # what is none is told before a model is loaded
    clip = job.config.mapping.perception.fastsam
    return open_map(map_, clip, True if image is not None else looks, said)


def _for_tasks(job: Job, asked: Asked, tasks: Path | None) -> Asked:
    """Return the map with a witness, and with parts joined as tasks need them."""
    from commonground.story.asking import witness_of

    asked = replace(asked, witness=witness_of(job.config.grounding, asked.crops))
    if tasks is not None:
        asked, groups = asked.for_tasks(tasks)
        job.note(f"{len(groups)} things of several parts were joined for the tasks")
    return asked


def _call(job: Job, map_: Path, called: str, memory: Path | None) -> None:
    from commonground.story.finding import call

    with nullcontext() if memory is None else opened(job, memory) as remembered:
        symbol, name, known, alike = call(map_, called, remembered)
    job.result({"symbol": symbol, "name": name, "thing": known, "alike": alike})
    job.say(f"{symbol} is called '{name}'{f', in the memory {known}' if known else ''}")
    if alike:
        shown = ", ".join(alike[:5]) + (" …" if len(alike) > 5 else "")
        job.note(
            f"'{name}' is a class of this map, too ({shown}): 'the {name}' is {symbol} from now on"
        )


def _show(job: Job, asked: Asked, found: Findings, folder: Path | None) -> None:
    from commonground.crops import FILE, export_crops

    pictures = asked.pictures(found)
    if folder is not None:
        export_crops(pictures, folder)
        if not any(pictures.values()):
            job.note(f"the map keeps no pictures of these, so nothing was written to {folder}")
    beside = f"{FILE}/" if folder is None else f"{folder}/"
    best = {s: beside + name_of(s, folder is None) for s, kept in pictures.items() if kept}
    job.result(found.as_json(best) | ({} if found.hits else {"reason": found.none}))
    for note in found.notes:
        job.note(note)
    if not found.hits:
        ask_back(job, found.none)
    _table(job, found, pictures)
    if found.count > len(found.hits):
        job.note(f"{found.count - len(found.hits)} more may be meant: --top {found.count}")


def _table(job: Job, found: Findings, pictures: Mapping[str, Sequence[object]]) -> None:
    """Print what was found, without columns that are empty."""
    columns = {
        "node": [h.symbol for h in found.hits],
        "class": [h.word for h in found.hits],
        "probability": [
            "" if h.probability is None else f"{h.probability:.2f}" for h in found.hits
        ],
        "pictures": [str(len(pictures[h.symbol]) or "") for h in found.hits],
        "why": [h.why for h in found.hits],
    }
    told = {name: column for name, column in columns.items() if any(column)}
    job.table("", [*told], zip(*told.values(), strict=True))


def _show_regions(job: Job, asked: Asked) -> None:
    from commonground.story.finding import name_regions

    named = name_regions(asked)
    job.result({"regions": [asdict(name) for name in named]})
    rows = [(n.symbol, n.word, f"{n.probability:.2f}", n.why) for n in named]
    job.table("", ["region", "may be called", "probability", "why"], rows)
    job.say("--call R1=NAME keeps a name")


def name_of(symbol: str, packed: bool) -> str:
    """Return what the best picture of a node is called, in the map's file of crops or in a folder."""
    return f"{symbol}/1.jpg" if packed else f"{symbol}-1.jpg"
