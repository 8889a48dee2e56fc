"""What a terminal shows of a story."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Any

import typer

from commonground.cli.job import Job
from commonground.errors import HonestNo
from commonground.signals import ended_by_signal
from commonground.story import REPORT, Story, StoryResult, run_story
from commonground.story.looking import said_of


def show(
    job: Job, story: Story, out: Path, *, fresh: bool = False, open_report: bool = False
) -> None:
    """Run a story and print what came of it."""
    with ended_by_signal():
        result = run_story(story, out, seed=job.seed, fresh=fresh, reporter=job)
    from rich.markup import escape

    job.result(result.as_json())
    for found in result.chapters["find"].get("found", []):
        job.say(f"find “{found['asked']}”: {said_of(found)}")
    for asked in result.chapters["instruct"].get("asked", []):
        _asked(job, asked)
    _scores(job, result)
    report = result.folder / REPORT
    for line in result.shortfalls:
        job.styled(f"[yellow]fell short:[/yellow] {escape(line)}")
    job.say(f"the whole story with pictures: {report}")
    if open_report:
        webbrowser.open(report.resolve().as_uri())
    if result.shortfalls:
        raise typer.Exit(HonestNo.exit_code)


def _asked(job: Job, asked: dict[str, Any]) -> None:
    """Print an instruction and what became of it."""
    from rich.markup import escape

    job.styled(f"\n[bold]“{escape(asked['instruction'])}”[/bold]")
    if asked["status"] != "ok":
        job.styled(f"  asks back: {escape(asked['message'])}")
        return
    for reason in asked["reasons"]:
        job.styled(f"  {escape(str(reason['phrase']))} → {escape(', '.join(reason['chosen']))}")
    plan = asked["plan"]
    if plan is None or plan["status"] != "solved":
        job.styled(f"  no plan: {escape(plan['reason'] if plan else 'nothing to do')}")
        return
    goals = asked["goals"]
    for name, actions in plan["robots"].items():
        steps = [
            f"{a['action']} {a.get('item') or a['target']}"
            for a in actions
            if a["action"] != "goto"
        ]
        way = "goes there" if name in goals else "makes way"
        idle = dict(part.partition(": ")[::2] for part in plan["reason"].split("; "))
        job.say(
            f"  {name}: {', '.join(steps) or (way if actions else idle.get(name, 'does nothing'))}"
        )


def _scores(job: Job, result: StoryResult) -> None:
    from commonground.story.report import number

    rows = [
        [r["measure"], number(r["value"], r["unit"]), r["meaning"]]
        for r in result.chapters["score"]["rows"]
    ]
    seconds = sum(result.seconds.values())
    job.say()
    job.table(
        "",
        ["measure", "value", "what it means"],
        [*rows, ["time", f"{seconds:.0f} s", "all phases"]],
    )
