"""``commonground plan``: goals on a scene graph → a timed plan for each robot."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonground.cli.command import command
from commonground.cli.job import Job
from commonground.cli.options import BeforeOption
from commonground.errors import CommongroundError, PlanningError

if TYPE_CHECKING:
    from commonground.planning.scene import TeamPlan


app = typer.Typer()


@command(app, "plan")
def plan(
    job: Job,
    scene: Annotated[Path, typer.Argument(help="Scene graph file or run directory.")],
    robots: Annotated[Path, typer.Option("--robots", help="robots.yaml: poses and capabilities.")],
    goal: Annotated[
        list[str] | None,
        typer.Option("--goal", help='ROBOT="(safe O39)", or team=… to share it out; repeatable.'),
    ] = None,
    goals: Annotated[
        Path | None, typer.Option("--goals", help="File of 'ground --json': its goals and order.")
    ] = None,
    before: BeforeOption = None,
    out: Annotated[Path | None, typer.Option("--out", help="Write the plan as JSON.")] = None,
    pddl_out: Annotated[
        Path | None, typer.Option("--pddl-out", help="Folder for the PDDL.")
    ] = None,
    time_limit_s: Annotated[
        float,
        typer.Option("--time-limit", min=0.01, max=1e6, help="Seconds for all robots together."),
    ] = 5.0,
) -> None:
    """Plan goals such as R="(and (safe O39) (not (visited-region R3)))" and print who goes where when."""
    from commonground.planning import Status, plan_file, write_plan
    from commonground.planning.mission import nothing_to_do
    from commonground.planning.scene import TeamPlan
    from commonground.planning.team import goals_of, order_of, read_goals
    from commonground.robots import load_team

    if goal and goals:
        raise typer.BadParameter("--goal and --goals both say what is wanted; give one of them")
    if not goal and not goals:
        raise typer.BadParameter('say what is wanted by --goal ROBOT="(safe O39)" or --goals FILE')
    try:
        team = load_team(robots)
        wanted, order = read_goals(goals, team) if goals else (goals_of(goal or (), team), [])
        planned = plan_file(
            scene,
            team,
            wanted,
            order=[*order, *order_of(before or (), team)],
            seed=job.seed,
            time_limit_s=time_limit_s,
        )
    except CommongroundError as error:  # all keys of a plan, whatever is wrong with the input
        if not job.json:
            raise
        told = TeamPlan(Status.ERROR, {}, str(error)).as_json()
        job.result({**told, "exit_code": error.exit_code})
        raise typer.Exit(error.exit_code) from error
    write_plan(planned, team, out, pddl_out)
    answer = planned.plan
    if str(answer.status) != "solved":
        job.refuse(str(answer.status), answer.reason, answer.as_json(), PlanningError)
    job.result(answer.as_json())
    _print(job, answer, time_limit_s)
    job.lines(nothing_to_do(planned.graph, team, answer) or filter(None, [answer.reason]))


def _print(job: Job, answer: TeamPlan, time_limit_s: float) -> None:
    """Print who goes where when, what proves it, and how long planning took."""
    rows = [
        [
            name,
            a.action,
            a.target,
            f"{a.start_s:.1f}",
            f"{a.end_s:.1f}",
            f"{a.length_m:.1f}" if a.places else "",
        ]
        for name, plan in answer.robots.items()
        for a in plan.actions
    ]
    job.table("", ["robot", "action", "target", "start s", "end s", "meters"], rows)
    for name, plan in answer.robots.items():
        driven_m = sum(a.length_m for a in plan.actions)
        known = f"at least {plan.lower_bound_m:.1f} m are needed, no better order was found"
        proof = "no order is better" if plan.optimal else known
        job.say(
            f"{name}: drives {driven_m:.1f} m, which are {plan.cost_m:.1f} m from place to place "
            f"before corners are cut ({proof})"
        )
    stages = [f"{stage} {seconds * 1000:.0f} ms" for stage, seconds in answer.time_s.items()]
    least = f"in straight lines and with any robot's help, no plan takes less than {answer.soonest_s:.1f} s"
    job.say(f"makespan {answer.makespan_s:.1f} s ({least}); {', '.join(stages)}")
    if answer.time_s.get("plan", 0.0) > time_limit_s:
        job.say(f"longer than the limit of {time_limit_s:g} s: what was begun by then was finished")
    job.lines(answer.assumed)
