"""What the options of ``mission`` say together, who answers its questions, and how it is gone on with."""

from __future__ import annotations

import getpass
import os
import platform
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from commonground.cli.job import Job
from commonground.cli.streams import printable
from commonground.errors import PlanningError, RunError

if TYPE_CHECKING:
    from commonground.grounding import Grounding
    from commonground.live import Carried, Desk, Terminal


def fit_together(begun: Mapping[str, str | None], new: Mapping[str, object]) -> None:
    """Raise BadParameter where options contradict each other; nothing that was asked for is passed over."""
    for name, value in begun.items():
        if value is not None and not value.strip():
            raise typer.BadParameter(f"{name}: it is empty; name a mission, or its folder")
    first, *others = [name for name, value in begun.items() if value] or [""]
    if others:
        raise typer.BadParameter(f"{first} and {others[0]} are two commands; give one of them")
    given = [name for name, value in new.items() if value]
    if first == "--join" and "SCENE" in given:
        given.remove("SCENE")  # what stands first are words there
    if first and given:
        raise typer.BadParameter(
            f"{', '.join(given)}: not with {first}; a mission keeps what it was begun with"
        )


def check_out(out: Path | None, past: str | None) -> None:
    """Raise BadParameter where what came of a mission cannot be written, before robots drive for it."""
    if out is None:
        return
    folder = next(folder for folder in out.absolute().parents if folder.exists())
    if past:
        why = "only of a mission that is carried out"
    elif out.is_dir():
        why = "is a folder; name a file"
    elif not folder.is_dir() or not os.access(folder, os.W_OK):
        why = f"nothing can be written in {folder}"
    else:
        return
    raise typer.BadParameter(f"--out {out}: {why}")


def desk_of(job: Job, yes: bool) -> Desk:
    """Return who answers the mission's questions: nobody with --yes, else whoever sits at the terminal.

    What is said there while robots drive is heard with --yes as well.
    """
    from commonground.live import Desk

    terminal = terminal_of(job)
    if yes:
        return Desk(f"{at_the_terminal()} (--yes)", lambda question: True, job.note, terminal)
    return Desk(at_the_terminal(), terminal.ask, job.note, terminal)


def terminal_of(job: Job) -> Terminal:
    """Return where a mission asks, and hears what is typed, with --quiet and --json as well."""
    from commonground.live import Terminal
    from commonground.story.asking import grounder_on

    return Terminal(
        lambda graph, team: grounder_on(graph, team, job.config),
        lambda text: typer.echo(printable(text), err=True, nl=False),
    )


def at_the_terminal() -> str:
    """Return who sits there, as user@host."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # of a number that no name belongs to
        user = f"user {os.getuid()}"
    return f"{user}@{platform.node() or 'this computer'}"


def asked(
    job: Job,
    scene: Path,
    robots: Path,
    text: str | None,
    goals: list[str] | None,
    before: list[str] | None,
    backend: str,
    desk: Desk,
    unasked: bool,
) -> tuple[Mapping[str, str], Grounding]:
    """Return robot → goal of the options or of the instruction, with what else is known of them.

    Real robots stand where they say. A question back is an honest no, unless somebody says yes at the desk.
    """
    from commonground.cli.ground import check_answered, confirmed
    from commonground.grounding import Grounding
    from commonground.live import REAL, team_as_heard
    from commonground.live.control import control
    from commonground.planning.team import goals_of, order_of
    from commonground.robots import load_team
    from commonground.scene import load_scene
    from commonground.scene.locate import scene_file
    from commonground.story.asking import grounder_on

    team = load_team(robots, backend)
    if text is None:
        told = goals_of(goals or [], team)
        return told, Grounding("ok", told, "", order=tuple(order_of(before or [], team)))
    if control(text, team.robots) == "stop":
        raise RunError("no mission is under way here: Ctrl-C or Stop in the console end one")
    graph = load_scene(scene_file(scene))
    if backend in REAL:
        team = team_as_heard(team, backend, graph, job.note)
    found = grounder_on(graph, team, job.config).ground(text)
    found = found if unasked else confirmed(found, desk.ask)
    check_answered(job, found)
    if not found.goals:
        job.refuse("nobody has anything to do", found.message, found.as_json(), PlanningError)
    if found.message:
        job.note(found.message)
    return found.goals, found


def resumed(name: str, desk: Desk, pace: float) -> Carried:
    """Go on with a mission of a name, and say how if that is interrupted, too."""
    from commonground.live import mission_folder, resume_mission

    with resumable(mission_folder(name)) as folder:
        return resume_mission(folder, desk, pace)


@contextmanager
def resumable(folder: Path) -> Iterator[Path]:
    """Say how to go on with a mission that is interrupted: who lets the time name it knows no name."""
    from commonground.live import was_begun

    try:
        yield folder
    except (KeyboardInterrupt, typer.Abort):
        if was_begun(folder):
            again = f"commonground mission --resume {shlex.quote(folder.name)}"
            typer.echo(f"{again} goes on with it", err=True)
        raise
