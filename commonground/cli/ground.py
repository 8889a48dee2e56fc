"""``commonground ground``: an instruction → a goal for each robot, or a question back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonground.cli.command import command
from commonground.cli.job import Job
from commonground.cli.options import RobotsOption
from commonground.errors import GroundingError, HonestNo, RunError

if TYPE_CHECKING:
    from commonground.grounding.answers import Grounding
    from commonground.grounding.suites import Answered
    from commonground.scene import SceneGraph


LONG = 200
"""A goal with more letters is told in words."""


app = typer.Typer()


@command(app, "ground")
def ground(
    job: Job,
    scene: Annotated[Path | None, typer.Argument(help="Scene graph file or run directory.")] = None,
    text: Annotated[str | None, typer.Argument(help="The instruction.")] = None,
    robots: RobotsOption = None,
    backend: Annotated[
        str | None, typer.Option("--backend", help="auto, offline or openai.")
    ] = None,
    batch: Annotated[
        Path | None, typer.Option("--batch", help="Suite of instructions to answer instead.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Predictions of --batch, as JSON lines.")
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Say yes to a question that shows one reading.")
    ] = False,
) -> None:
    """Turn an instruction in plain English into a PDDL goal for each robot, or ask back (exit 3).

    Exit 1 where a language model was to be asked and failed.
    """
    from commonground.cli.choices import grounding_settings
    from commonground.crops import Crops
    from commonground.grounding import answer_file
    from commonground.robots import load_team
    from commonground.scene import load_scene
    from commonground.scene.locate import scene_file
    from commonground.story.asking import grounder_on

    settings = grounding_settings(job, backend)
    if batch is not None:
        if out is None:
            raise typer.BadParameter("--batch needs --out FILE for its predictions")
        answers = answer_file(batch, settings, job, out)
        return _print_batch(job, answers, out)
    if scene is None or text is None or robots is None:
        raise typer.BadParameter("name a scene, an instruction and --robots FILE; or use --batch")
    file = scene_file(scene)
    team, crops = load_team(robots), Crops(file.parent)
    grounder = grounder_on(load_scene(file), team, job.config, settings, crops)
    answer = grounder.ground(text)
    _print(job, (yes and answer.meant) or answer, grounder.world.graph)


def _print_batch(job: Job, answers: Sequence[Answered], out: Path) -> None:
    from commonground.grounding import shown_spent, total_spent

    asked = sum(a.answer.status == "clarify" for a in answers)
    failures = sum(a.answer.failed for a in answers)
    took = total_spent(answers)
    counts = {"instructions": len(answers), "clarify": asked, "failed": failures}
    job.result({"written": out, **counts, **({"spent": took} if took else {})})
    job.say(f"wrote {out}: {len(answers)} instructions, {asked} questions back")
    if took:
        job.styled(f"  [dim]{shown_spent(took)}[/dim]")
    failed = [a.answer for a in answers if a.answer.failed]
    if failed:
        cause = failed[0].message
        raise GroundingError(f"{len(failed)} of {len(answers)} could not be read: {cause}")


def _print(job: Job, answer: Grounding, graph: SceneGraph) -> None:
    """Print goals and reasons; a question back leaves with exit code 3."""
    from rich.markup import escape

    from commonground.grounding import shown_spent
    from commonground.planning.scene import in_words

    check_answered(job, answer)
    job.result(answer.as_json())
    goals = answer.goals or {}
    for robot, goal in goals.items():
        shown = goal if len(goal) <= LONG else in_words(goal, graph)
        job.styled(f"[bold]{escape(robot)}[/bold]  {escape(shown)}")
    for line in answer.explained():
        job.styled(f"  [dim]{escape(line)}[/dim]")
    if answer.message:
        job.say(f"  {answer.message}")
    if answer.spent:
        job.styled(f"  [dim]{answer.backend}: {escape(shown_spent(answer.spent))}[/dim]")
    if any(len(goal) > LONG for goal in goals.values()):
        job.note("--json > FILE writes the goals in full, and 'plan --goals FILE' takes them")


def check_answered(job: Job, answer: Grounding) -> None:
    """Leave with a question back, and how to answer it, or with why nothing was read."""
    if answer.status == "ok":
        return
    job.result(answer.as_json())
    kind = GroundingError if answer.failed else HonestNo
    if job.json:
        raise typer.Exit(kind.exit_code)
    one = next(iter(answer.candidates), "")
    how = f" Say it again with the one that is meant, such as '{one}'." if one else ""
    how = " ('ground --yes' says yes.)" if answer.meant is not None else how
    raise kind(answer.message + how)


def confirmed(answer: Grounding, ask: Callable[[str], object]) -> Grounding:
    """Return an answer, or the one reading that its question shows where whoever is asked says yes to it."""
    if answer.meant is None:
        return answer
    try:
        return answer.meant if ask(answer.message) is True else answer
    except RunError:  # nobody is there to be asked
        return answer
