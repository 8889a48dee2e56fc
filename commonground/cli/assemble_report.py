"""What the commands of ``assemble`` do and print."""

from __future__ import annotations

import sys
from pathlib import Path

from commonground.atomic import write_text
from commonground.cli.job import Job
from commonground.errors import GroundingError, HonestNo
from commonground.grounding.prolog.assembly import Assembly
from commonground.planning.result import Status


def plan(
    job: Job,
    kb: Path,
    agents: int | None,
    out: Path | None,
    order_out: Path | None,
    gantt: Path | None,
) -> None:
    """Plan a base and say who does what when."""
    from commonground.grounding.prolog.planfile import plan_json, write_plan
    from commonground.grounding.prolog.solve import solve_base

    with job.phase("planning"):
        base, found = solve_base(kb, agents, job.config.assembly, seed=job.seed)
    values = plan_json(base, found)
    if out is not None:
        write_plan(out, values)
    if not found.solved:
        _refuse(kb, found)
    if order_out is not None:
        write_text(order_out, "".join(f"{line}\n" for line in found.total_order))
    if gantt is not None:
        from commonground.grounding.prolog.gantt import draw

        draw(gantt, values)
    job.result(values)
    columns = ["start s", "end s", "agent", "action"]
    rows = [
        (f"{e['start_s']:g}", f"{e['end_s']:g}", ", ".join(e["agents"]), _called(e))
        for e in sorted(values["high_level"], key=lambda e: (e["start_s"], e["agents"]))
    ]
    job.table("", columns, rows)
    said = (
        "the shortest for these actions"
        if values["optimal"]
        else f"at least {values['lower_bound_s']:g} s"
    )
    job.say(f"makespan {values['makespan_s']:g} s ({said}), every step executed in Prolog")
    if out is not None:
        job.say(f"written to {out}")


def _called(entry: dict[str, object]) -> str:
    arguments = entry["arguments"]
    inner = ", ".join(map(str, arguments)) if isinstance(arguments, list) else ""
    return f"{entry['action']}({inner})"


def _refuse(kb: Path, found: Assembly) -> None:
    if found.status is Status.ERROR:
        raise GroundingError(f"{kb}: {found.reason}")
    what = {
        Status.UNSOLVABLE: "there is no plan",
        Status.TIMEOUT: "no plan was found in time",
    }.get(found.status, "no plan was found")
    raise HonestNo(f"{kb}: {what}: {found.reason}")


def tree(job: Job, plan: Path, out: Path | None) -> None:
    """Write a plan as a behaviour tree."""
    from commonground.grounding.prolog.planfile import read_plan
    from commonground.grounding.prolog.tree import checked_xml

    read = read_plan(plan)
    xml = checked_xml(read)
    job.result({"status": "ok", "xml": None if out else xml, "file": out})
    if out is not None:
        write_text(out, xml)
        job.say(f"written to {out}")
    elif not job.json:
        sys.stdout.write(xml)
