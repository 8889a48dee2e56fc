"""What the commands of ``assemble`` do and print."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import typer

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
    """Write a plan as a behavior tree."""
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


def check(job: Job, kb: Path) -> None:
    """Print the findings of a base; errors are an exit code of 1."""
    from commonground.grounding.prolog.check import check as find
    from commonground.grounding.prolog.check import summary
    from commonground.grounding.prolog.engine import Engine
    from commonground.grounding.prolog.findings import errors_of
    from commonground.grounding.prolog.load import read_text

    program = read_text(kb)
    with Engine(job.config.assembly) as engine:
        findings = find(engine, program, str(kb), seed=job.seed)
    status = "error" if errors_of(findings) else "ok"
    job.result({"status": status, "findings": [f.as_json() for f in findings]})
    for finding in findings:
        job.console.print(finding.said(str(kb)), markup=False)
    job.say(f"{kb.name}: {summary(findings)}")
    if errors_of(findings):
        raise typer.Exit(1)


def explain(job: Job, plan: Path, step: str, without: Sequence[str], with_: Sequence[str]) -> None:
    """Say why a step is there, and what changed facts would do."""
    from dataclasses import asdict

    from commonground.grounding.prolog import explain as why
    from commonground.grounding.prolog.planfile import read_plan

    read = read_plan(plan)
    said = why.explain(read, step)
    changes = [why.what_if(read, [fact], (), job.config.assembly) for fact in without]
    changes += [why.what_if(read, (), [fact], job.config.assembly) for fact in with_]
    job.result({**asdict(said), "changes": [asdict(change) for change in changes]})
    job.say(f"step {said.step}: {said.action} at {said.start_s:g} s")
    if said.within:
        job.say(f"  part of {said.within}")
    for title, lines in (
        ("it is there because", said.purpose),
        ("it is possible because", said.enabled_by),
        ("it waits because", said.blocks),
    ):
        for line in lines:
            job.say(f"  {title} {line}")
    for change in changes:
        job.say(f"{change.change}: {change.consequence}")
        for line in (*(f"- {a}" for a in change.lost), *(f"+ {a}" for a in change.gained)):
            job.say(f"  {line}")


def generate(
    job: Job,
    texts: tuple[Path, Path],
    out: Path,
    whole: bool,
    reuse: Path | None,
    examples: Path | None,
) -> None:
    """Have a base written, and say how it went."""
    from commonground.grounding.prolog.findings import errors_of
    from commonground.grounding.prolog.generate import Status, generate_base, open_job

    settings = job.config.grounding.model
    with job.phase("writing the knowledge base"):
        made = generate_base(
            open_job(texts, reuse, examples), settings, job.config.assembly, whole=whole
        )
    job.result(made.as_json())
    for line in made.complaints:
        job.console.print(f"the texts: {line}", markup=False)
    for finding in made.findings:
        job.console.print(finding.said(out.name), markup=False)
    if made.program:
        write_text(out, made.program)
        job.say(f"written to {out} after {made.questions} questions")
    if made.status is Status.INCONSISTENT:
        raise HonestNo(f"the texts contradict each other: {'; '.join(made.complaints)}")
    if made.status is not Status.OK:
        wrong = len(errors_of(made.findings))
        raise GroundingError(
            f"{made.reason}; {wrong} errors are left, see 'assemble kb check {out}'"
        )
