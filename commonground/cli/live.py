"""``commonground live``: a team's streams → one map, while they come."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonground.cli.command import command
from commonground.cli.job import Job
from commonground.cli.options import RunOption
from commonground.errors import HonestNo

if TYPE_CHECKING:
    from commonground.live.team.state import TeamState


app = typer.Typer()


@command(app, "live")
def live(
    job: Job,
    robots: Annotated[
        Path, typer.Option("--robots", help="YAML: each robot and where its images come from.")
    ],
    out: RunOption,
    rate: Annotated[
        float,
        typer.Option(
            "--rate", min=0, max=1000, help="Speed of replay; 0: as fast as images can be mapped."
        ),
    ] = 1.0,
    onto: Annotated[
        Path | None, typer.Option("--onto", help="Fused run that the team is placed in.")
    ] = None,
    listen: Annotated[
        str, typer.Option("--listen", help="host:port where maps of remote robots come in.")
    ] = "",
    base: Annotated[
        str, typer.Option("--base", help="host:port of the base that fuses what is mapped here.")
    ] = "",
    finish: Annotated[
        bool,
        typer.Option(
            "--finish",
            help="Of a stopped run: take nothing more in, and make the maps of what it kept.",
        ),
    ] = False,
) -> None:
    """Map, join and place a team while it drives: a process per robot, and one that fuses."""
    from commonground.live.team import load_live_team, run_team

    team = load_live_team(robots)
    state = run_team(
        team,
        out,
        rate=rate,
        onto=onto,
        listen=listen,
        base=base,
        finish=finish,
        config=job.config,
        seed=job.seed,
        reporter=job,
    )
    _print(job, state, out / "fused", base)
    made = bool(base) or (out / "fused").is_dir()
    job.say(
        f"sent to {base}" if base else f"written to {out / 'fused'}" if made else "no map was fused"
    )
    if not made or any(robot.state == "failed" for robot in state.robots):
        raise typer.Exit(HonestNo.exit_code)


def _seconds(known: float | None) -> str:
    return "" if known is None else f"{known:.2f}"


def _print(job: Job, state: TeamState, fused: Path, base: str) -> None:
    rows = [
        [r.name, r.state, "yes" if state.in_map(r) else "no", r.frames, r.dropped, f"{r.rate_hz:.1f}",
         _seconds(r.delay_s), _seconds(r.delay_95_s), f"{r.travel_m:.0f}"]
        for r in state.robots
    ]  # fmt: skip
    job.result({
        "robots": {
            r.name: {
                "state": r.state, "placed": state.in_map(r), "frames": r.frames, "dropped": r.dropped,
                "rate_hz": r.rate_hz, "delay_s": {"median": r.delay_s, "p95": r.delay_95_s},
                "cpu_s_per_frame": r.cpu_s_per_frame, "peak_memory_mb": r.peak_memory_mb,
                "travel_m": r.travel_m, "error": r.error, "told_s_ago": r.told_s_ago,
            } for r in state.robots
        },
        "joined": [list(join) for join in state.joins], "fused": str(fused),
        "fusions": state.fusions, "closures": state.closures, "objects": state.objects,
        "seconds": state.seconds, "notes": list(state.notes),
    })  # fmt: skip
    job.table(
        f"fused at {base}"
        if base
        else f"{state.fusions} fusions, {state.closures} closures, {state.objects} objects",
        ["robot", "state", "in the map", "frames", "dropped", "Hz", "delay s", "95 %", "m"],
        rows,
    )
    job.lines(f"{r.name}: {r.error}" for r in state.robots if r.error)
    job.lines(
        f"{one} and {two}: joined {at_s:.0f} s after the first map"
        for one, two, at_s in state.joins
    )
    job.lines(state.notes)
