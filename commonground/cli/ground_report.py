"""What ``commonground ground`` reads and prints."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from commonground.cli.job import Job
from commonground.errors import ConfigError, HonestNo, did_you_mean

if TYPE_CHECKING:
    from commonground.grounding.answers import Grounding
    from commonground.grounding.settings import GroundingSettings

BACKENDS = ("auto", "offline", "openai", "openai-direct")


def settings_of(job: Job, backend: str | None) -> GroundingSettings:
    """Return the grounding settings with the backend of the command line, if it names one."""
    settings = job.config.grounding
    if backend is None:
        return settings
    if backend not in BACKENDS:
        hint = did_you_mean(backend, BACKENDS) or f" Known: {', '.join(BACKENDS)}."
        raise ConfigError(f"--backend {backend}: there is no such front end.{hint}")
    return settings.model_copy(update={"backend": backend})


def answer_one(
    job: Job, scene: Path | None, text: str | None, robots: Path | None, settings: GroundingSettings
) -> None:
    """Answer one instruction; a question back leaves with exit code 3."""
    from commonground.grounding import Grounder
    from commonground.robots import load_team
    from commonground.scene import load_scene
    from commonground.scene.locate import scene_file

    if scene is None or text is None or robots is None:
        raise typer.BadParameter("name a scene, an instruction and --robots FILE; or use --batch")
    grounder = Grounder(load_scene(scene_file(scene)), load_team(robots), settings)
    answer = grounder.ground(text)
    job.result(answer.as_json())
    if answer.status == "clarify":
        if job.json:
            raise typer.Exit(HonestNo.exit_code)
        raise HonestNo(answer.message)
    _print(job, answer)


def _print(job: Job, answer: Grounding) -> None:
    from rich.markup import escape

    for robot, goal in (answer.goals or {}).items():
        job.say(f"[bold]{escape(robot)}[/bold]  {escape(goal)}")
    for reason in answer.reasons:
        job.say(f"  [dim]{escape(_why(reason))}[/dim]")
    if answer.message:
        job.say(f"  [dim]{escape(answer.message)}[/dim]")
    if answer.tokens:
        used = ", ".join(f"{n} {kind}" for kind, n in answer.tokens.items())
        job.say(f"  [dim]{answer.backend}: {escape(used)}[/dim]")


def _why(reason: Any) -> str:
    """Return ``the box nearest to the bicycle: O194 (16.9 m; next O279, 60.4 m)``."""
    chosen = ", ".join(reason["chosen"][:8]) + (" …" if len(reason["chosen"]) > 8 else "")
    text = f"{reason['phrase']}: {chosen}"
    measured = [c for c in reason.get("candidates", ()) if "meters" in c]
    if measured:
        count = len(reason["chosen"])
        near = ", ".join(f"{c['meters']:.1f} m" for c in measured[:count][:4])
        rest = [f"{c['symbol']} {c['meters']:.1f} m" for c in measured[count : count + 1]]
        text += f" ({'; next '.join([near, *rest])})"
    return text + (f"; {reason['note']}" if reason.get("note") else "")


def answer_batch(job: Job, suite: Path, out: Path | None, settings: GroundingSettings) -> None:
    """Answer a suite and write one prediction a line."""
    from commonground.grounding import Grounder, load_suite
    from commonground.grounding.suites import answer_suite, write_predictions
    from commonground.scene import load_scene

    if out is None:
        raise typer.BadParameter("--batch needs --out FILE for its predictions")
    found = load_suite(suite)
    grounder = Grounder(load_scene(found.scene), found.team, settings)
    answers = list(job.track(answer_suite(grounder, found), "grounding", total=len(found)))
    write_predictions(out, answers)
    asked = sum(a.answer.status == "clarify" for a in answers)
    job.result({"written": out, "instructions": len(answers), "clarify": asked})
    job.say(f"wrote {out}: {len(answers)} instructions, {asked} questions back")
