"""``commonground memory``: the lifelong knowledge graph that people and sensors keep up to date."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commonground.cli.job import Job, command

FileOption = Annotated[Path, typer.Option("--memory", help="File of the memory.")]
AtOption = Annotated[
    str | None,
    typer.Option("--at", help="When: 2026-11-20T14:30, or 14:30 today; now if not given."),
]
SpeakerOption = Annotated[
    str | None, typer.Option("--speaker", help="Who speaks: the person that 'I' means.")
]
BackendOption = Annotated[
    str | None, typer.Option("--backend", help="Front end: offline, openai or auto.")
]
DEFAULT = Path("memory.db")


def add(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(
        help="Keep a knowledge graph that people and sensors update, and plan from it.",
        no_args_is_help=True,
    )
    app.add_typer(group, name="memory")
    for part in (_init, _tell, _observe, _ask, _plan, _history, _undo, _as_of, _replay):
        part(group)


def _init(group: typer.Typer) -> None:
    @command(group, "init")
    def init(
        job: Job,
        domain: Annotated[Path, typer.Option("--domain", help="PDDL domain.")],
        facts: Annotated[Path, typer.Option("--facts", help="Things and facts, as JSON lines.")],
        memory: FileOption = DEFAULT,
        meanings: Annotated[
            Path | None, typer.Option("--meanings", help="What the predicates mean in English.")
        ] = None,
        at: AtOption = None,
    ) -> None:
        """Make a memory of a world; an existing file is never overwritten."""
        from commonground.cli import memory_report

        memory_report.init(job, memory, domain, facts, meanings, at)


def _tell(group: typer.Typer) -> None:
    @command(group, "tell")
    def tell(
        job: Job,
        text: Annotated[str, typer.Argument(help="The report.")],
        memory: FileOption = DEFAULT,
        speaker: SpeakerOption = None,
        at: AtOption = None,
        backend: BackendOption = None,
    ) -> None:
        """Take in what somebody says; a question back leaves with exit code 3."""
        from commonground.cli import memory_report

        memory_report.tell(job, memory, text, speaker, at, backend)


def _observe(group: typer.Typer) -> None:
    @command(group, "observe")
    def observe(
        job: Job,
        file: Annotated[Path, typer.Argument(help="Sightings (JSON), or a scene graph or run.")],
        memory: FileOption = DEFAULT,
        sensor: Annotated[str, typer.Option("--sensor", help="Which sensor saw it.")] = "camera",
        at: AtOption = None,
    ) -> None:
        """Take in what a sensor saw, and what it should have seen and did not."""
        from commonground.cli import memory_report

        memory_report.observe(job, memory, file, sensor, at)


def _ask(group: typer.Typer) -> None:
    @command(group, "ask")
    def ask(
        job: Job,
        question: Annotated[str, typer.Argument(help="Such as 'where is the blue mug'.")],
        memory: FileOption = DEFAULT,
        speaker: SpeakerOption = None,
    ) -> None:
        """Answer where something is, who has it or how it is, with source and age."""
        from commonground.cli import memory_report

        memory_report.ask(job, memory, question, speaker)


def _plan(group: typer.Typer) -> None:
    @command(group, "plan")
    def plan(
        job: Job,
        text: Annotated[str, typer.Argument(help="The task.")],
        memory: FileOption = DEFAULT,
        speaker: SpeakerOption = None,
        backend: BackendOption = None,
        variant: Annotated[str, typer.Option("--variant", help="Way of retrieval.")] = "slice",
        carry_out: Annotated[
            bool, typer.Option("--execute", help="Enter the effects of every step as done.")
        ] = False,
    ) -> None:
        """Plan a task; the plan is executed on everything that is believed before it is shown."""
        from commonground.cli import memory_report

        memory_report.plan(job, memory, text, speaker, backend, variant, carry_out)


def _history(group: typer.Typer) -> None:
    @command(group, "history")
    def history(
        job: Job,
        thing: Annotated[str, typer.Argument(help="Id or name of a thing.")],
        memory: FileOption = DEFAULT,
    ) -> None:
        """Print everything ever believed about a thing, and why."""
        from commonground.cli import memory_report

        memory_report.history(job, memory, thing)


def _undo(group: typer.Typer) -> None:
    @command(group, "undo")
    def undo(
        job: Job,
        change: Annotated[
            int | None, typer.Argument(help="Number of the change; the newest if not given.")
        ] = None,
        memory: FileOption = DEFAULT,
    ) -> None:
        """Take back a change; what has been replaced since stays."""
        from commonground.cli import memory_report

        memory_report.undo(job, memory, change)


def _as_of(group: typer.Typer) -> None:
    @command(group, "as-of")
    def as_of(
        job: Job,
        time: Annotated[str, typer.Argument(help="2026-11-20T14:30, or 14:30 today.")],
        thing: Annotated[str | None, typer.Argument(help="Only facts about this thing.")] = None,
        memory: FileOption = DEFAULT,
        believed: Annotated[
            int | None, typer.Option("--believed", help="As believed after this change.")
        ] = None,
    ) -> None:
        """Print the facts that held at a time, as believed now or then."""
        from commonground.cli import memory_report

        memory_report.as_of(job, memory, time, thing, believed)


def _replay(group: typer.Typer) -> None:
    @command(group, "replay")
    def replay(
        job: Job,
        episode: Annotated[Path, typer.Argument(help="Episode: a header, then reports and tasks.")],
        out: Annotated[Path, typer.Option("--out", help="Predictions, as JSON lines.")],
        variant: Annotated[
            str, typer.Option("--variant", help="S, R-, Rv-, R+, Rv+, Rs, Rvs or slice.")
        ] = "slice",
        domain: Annotated[Path | None, typer.Option("--domain", help="PDDL domain.")] = None,
        backend: BackendOption = None,
        plans: Annotated[bool, typer.Option(help="Plan the tasks.")] = True,
    ) -> None:
        """Live through an episode and write what was understood and planned."""
        from commonground.cli import memory_report

        memory_report.replay(job, episode, out, variant, domain, backend, plans)
