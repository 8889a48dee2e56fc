"""``commonground demo``: what the project does, on data it brings along."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonground.cli.job import Job, command

if TYPE_CHECKING:
    from commonground.cli.story import Told


def add(app: typer.Typer) -> None:
    """Add the command."""

    @command(app, "demo")
    def demo(
        job: Job,
        out: Annotated[Path, typer.Option("--out", help="Run directory to write.")] = Path("demo"),
    ) -> None:
        """Tell two robots on a bundled scene graph what to do, in plain words; plan it and draw it."""
        from commonground.cli.story import tell

        story = tell(out, job.seed, job.config_yaml)
        job.result({**story, "told": [t.as_json() for t in story["told"]]})
        job.table(
            "A courtyard, as a scene graph",
            ["layer", "nodes", "edges", "classes"],
            (
                [name, layer["nodes"], layer["edges"], ", ".join(layer["classes"])]
                for name, layer in story["layers"].items()
            ),
        )
        for told in story["told"]:
            _print(job, told)
        job.say(f"\ndrawn from above, with the plan: {story['picture']}")
        job.say("next: commonground simulate --out data, then map, fuse, ground and plan (--help)")


def _print(job: Job, told: Told) -> None:
    """Print an instruction and what becomes of it."""
    from rich.markup import escape

    job.say(f"\n[bold]“{escape(told.text)}”[/bold]")
    if told.plan is None:
        job.say(f"  asks back: {escape(told.message)}")
        return
    for reason in told.reasons:
        passed = [f"{', '.join(v)} {k}" for k, v in reason.get("excluded", {}).items()]
        why = f" (passed over: {escape('; '.join(passed))})" if passed else ""
        job.say(f"  {escape(str(reason['phrase']))} → {', '.join(reason['chosen'])}{why}")
    for name, plan in told.plan.robots.items():
        steps = [f"{a.action} {a.item or a.target}" for a in plan.actions if a.action != "goto"]
        proof = (
            "the shortest way"
            if plan.optimal
            else f"at least {plan.lower_bound_m:.0f} m are needed"
        )
        job.say(f"  {name}: {', '.join(steps)}; {plan.cost_m:.0f} m, {proof}")
    job.say(f"  grounded and planned in {told.time_s * 1000:.0f} ms")
