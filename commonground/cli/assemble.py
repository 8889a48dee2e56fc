"""``commonground assemble``: knowledge bases in Prolog → parallel, timed plans → behavior trees."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commonground.atomic import write_text
from commonground.cli import assemble_kb, assemble_run
from commonground.cli.assemble_kb import KbArgument
from commonground.cli.assemble_run import PlanArgument
from commonground.cli.command import command, join
from commonground.cli.job import Job
from commonground.errors import GroundingError, HonestNo

if TYPE_CHECKING:
    from commonground.grounding.prolog.assembly import Assembly
    from commonground.grounding.prolog.plans.explanation import Explained


app = typer.Typer(
    name="assemble",
    help="Plan assembly from Prolog knowledge bases, for several arms at once.",
    no_args_is_help=True,
)
app.add_typer(assemble_kb.app)
join(app, assemble_run.app)


@command(app, "plan")
def plan(
    job: Job,
    kb: KbArgument,
    agents: Annotated[
        int | None,
        typer.Option("--agents", min=1, max=1000, help="How many; all of the base by default."),
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Write the plan as JSON.")] = None,
    order_out: Annotated[
        Path | None, typer.Option("--order-out", help="Write the high-level steps, one a line.")
    ] = None,
    gantt: Annotated[
        Path | None, typer.Option("--gantt", help="Draw who does what when (.png, .svg, .pdf).")
    ] = None,
) -> None:
    """Plan a knowledge base: the shortest parallel schedule whose every step was executed in Prolog."""
    from commonground.grounding.prolog import draw_gantt, plan_json, solve_base, write_plan

    with job.phase("planning"):
        base, found = solve_base(kb, agents, job.config.assembly, seed=job.seed)
    values = plan_json(base, found)
    if out is not None:
        write_plan(out, values)
    if not found.solved:
        _refuse(job, kb, found, values)
    if order_out is not None:
        write_text(order_out, "".join(f"{line}\n" for line in found.total_order))
    if gantt is not None:
        draw_gantt(gantt, values)
    _print_plan(job, values)
    if out is not None:
        job.say(f"written to {out}")


def _print_plan(job: Job, values: dict[str, Any]) -> None:
    from commonground.grounding.prolog import proof_of

    job.result(values)
    rows = [
        (e["step"], f"{e['start_s']:g}", f"{e['end_s']:g}", ", ".join(e["agents"]), _called(e))
        for e in sorted(values["high_level"], key=lambda e: (e["start_s"], e["agents"]))
    ]
    job.table("", ["step", "start s", "end s", "agent", "action"], rows)
    job.lines(filter(None, [values["reason"]]))
    job.say(
        f"makespan {values['makespan_s']:g} s ({proof_of(values)}), every step executed in Prolog"
    )


def _called(entry: dict[str, object]) -> str:
    arguments = entry["arguments"]
    inner = ", ".join(map(str, arguments)) if isinstance(arguments, list) else ""
    return f"{entry['action']}({inner})"


def _refuse(job: Job, kb: Path, found: Assembly, values: dict[str, Any]) -> None:
    status = str(found.status.value)
    if status == "error":
        raise GroundingError(f"{kb}: {found.reason}")
    if job.json:
        job.refuse(status, found.reason, values, GroundingError)
    what = {"unsolvable": "there is no plan", "timeout": "no plan was found in time"}
    raise HonestNo(f"{kb}: {what.get(status, 'no plan was found')}: {found.reason}")


@command(app, "tree")
def tree(
    job: Job,
    plan: PlanArgument,
    out: Annotated[Path | None, typer.Option("--out", help="Write the tree as XML.")] = None,
    py_trees: Annotated[
        Path | None,
        typer.Option("--py-trees", help="Write the tree as a Python file for py_trees too."),
    ] = None,
) -> None:
    """Write a plan as a behavior tree for BehaviorTree.CPP 4, after ticking it to all its ends."""
    from commonground.grounding.prolog import checked_py_trees, checked_xml, read_plan, tree_takes_s

    read = read_plan(plan)
    xml, takes_s, plan_s = checked_xml(read), tree_takes_s(read), read.schedule.makespan_s
    if py_trees is not None:
        write_text(py_trees, checked_py_trees(read))
        job.say(f"written to {py_trees}")
    job.result({"status": "ok", "xml": None if out else xml, "file": out, "takes_s": takes_s})
    if abs(takes_s - plan_s) > 1e-6:
        job.note(
            f"the tree takes {takes_s:g} s, the plan {plan_s:g} s: a tree lets nothing begin late"
        )
    if out is not None:
        write_text(out, xml)
        job.say(f"written to {out}")
    elif not job.json:
        sys.stdout.write(xml)


@command(app, "explain")
def explain(
    job: Job,
    plan: PlanArgument,
    step: Annotated[str, typer.Argument(help="Number of a step, or its action.")],
    without: Annotated[
        list[str] | None, typer.Option("--without", help="Plan again without this fact.")
    ] = None,
    with_: Annotated[
        list[str] | None, typer.Option("--with", help="Plan again with this fact too.")
    ] = None,
) -> None:
    """Say why a step is in a plan, what makes it possible, and what would change if a fact did."""
    from commonground.grounding.prolog import explain_plan

    explained = explain_plan(
        plan, step, without=without or (), added=with_ or (), settings=job.config.assembly
    )
    job.result(explained.as_json())
    job.lines(_explained(explained))


def _explained(explained: Explained) -> Iterator[str]:
    """Yield the lines of an explanation."""
    why = explained.why
    yield f"step {why.step}: {why.action} at {why.start_s:g} s"
    if why.within:
        yield f"  part of {why.within}"
    for title, lines in (
        ("it is there because", why.purpose),
        ("it is possible because", why.enabled_by),
        ("it waits because", why.blocks),
    ):
        yield from (f"  {title} {line}" for line in lines)
    for change in explained.changes:
        yield f"{change.change}: {change.consequence}"
        yield from (f"  - {line}" for line in change.lost)
        yield from (f"  + {line}" for line in change.gained)
