"""The commands of ``memory`` that ask: questions, plans, and what was believed when."""

from __future__ import annotations

from typing import Annotated

import typer

from commonground.cli.command import command
from commonground.cli.job import Job
from commonground.cli.memory_options import (
    DEFAULT,
    BackendOption,
    FileOption,
    SpeakerOption,
    ask_back,
    opened,
    print_facts,
    stop_if_failed,
)

app = typer.Typer()


@command(app, "ask")
def ask(
    job: Job,
    question: Annotated[str, typer.Argument(help="Such as 'where is the blue mug'.")],
    path: FileOption = DEFAULT,
    speaker: SpeakerOption = None,
    all_of_it: Annotated[
        bool, typer.Option("--all", help="List all of a long answer, as --json does.")
    ] = False,
) -> None:
    """Answer where something is, who has it or how it is, with source and age."""
    from commonground.grounding.memory import LISTED, ask, person_named

    with opened(job, path, read_only=True) as memory:
        who = None if speaker is None else person_named(memory, speaker)
        answer = ask(memory, question, who)
    known = [k.as_json() for k in answer.known]
    job.result({"status": answer.status, "text": answer.text, "known": known})
    if answer.status != "ok":
        ask_back(job, answer.text)
    brief = "" if all_of_it else answer.brief
    job.lines([brief or answer.text])
    shown = LISTED if brief else None
    for k, row in zip(answer.known[:shown], known, strict=False):
        words = f", '{row['words']}'" if row["words"] else ""
        source = f"{row['source']} {row['name']}".strip() + words
        job.note(f"  {source}, {_ago(k.age_s)} ago, {k.confidence:.0%} sure")


def _ago(seconds: float) -> str:
    """Return an age as people say it."""
    for size, unit in ((86400.0, "days"), (3600.0, "h"), (60.0, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


@command(app, "plan")
def plan(
    job: Job,
    text: Annotated[str, typer.Argument(help="The task.")],
    path: FileOption = DEFAULT,
    speaker: SpeakerOption = None,
    backend: BackendOption = None,
    variant: Annotated[str, typer.Option("--variant", help="Way of retrieval.")] = "slice",
    carry_out: Annotated[
        bool, typer.Option("--execute", help="Enter the effects of every step as done.")
    ] = False,
) -> None:
    """Plan a task; the plan is executed on everything that is believed before it is shown."""
    from commonground.grounding.memory import person_named, plan_task, variant_named

    variant_named(variant)
    with opened(job, path, backend, read_only=not carry_out) as memory:
        who = None if speaker is None else person_named(memory, speaker)
        planned = plan_task(memory, text, who, retrieval=variant, enter=carry_out)
    job.result(planned.as_json())
    stop_if_failed(planned.status, planned.reason)
    if planned.goal is not None:
        job.note(f"goal: {planned.brief_goal()}")
    if planned.status != "solved":
        ask_back(job, planned.reason)
    if not planned.steps:
        job.lines(["already so"])
    job.lines(planned.lines())


@command(app, "history")
def history(
    job: Job,
    thing: Annotated[str, typer.Argument(help="Id or name of a thing.")],
    path: FileOption = DEFAULT,
) -> None:
    """Print everything ever believed about a thing, and why."""
    from commonground.grounding.memory import HISTORY_COLUMNS, history_rows, thing_named

    with opened(job, path, read_only=True) as memory:
        key = thing_named(memory, thing)
        rows = history_rows(memory, key)
    job.result({"thing": key, "rows": rows})
    job.table(key, HISTORY_COLUMNS, (list(row.values()) for row in rows))


@command(app, "changes")
def changes(
    job: Job,
    path: FileOption = DEFAULT,
    limit: Annotated[int, typer.Option("--limit", min=1, max=100_000, help="How many.")] = 20,
) -> None:
    """Print the newest changes, each with what it brought and replaced; any can be undone alone."""
    from commonground.grounding.memory import CHANGE_COLUMNS, change_rows

    with opened(job, path, read_only=True) as memory:
        rows = change_rows(memory, limit)
    job.result({"rows": rows})
    cells = ([", ".join(c) if isinstance(c, list) else c for c in row.values()] for row in rows)
    job.table("changes", CHANGE_COLUMNS, cells)


@command(app, "as-of")
def as_of(
    job: Job,
    time: Annotated[str, typer.Argument(help="2026-11-20T14:30, or 14:30 today.")],
    thing: Annotated[str | None, typer.Argument(help="Only facts about this thing.")] = None,
    path: FileOption = DEFAULT,
    believed: Annotated[
        int | None,
        typer.Option("--believed", min=0, max=2**53, help="As believed after this change."),
    ] = None,
) -> None:
    """Print the facts that held at a time, as believed now or then."""
    from commonground.grounding.memory import parse_time, shown, thing_named

    with opened(job, path, read_only=True) as memory:
        at = parse_time(time)
        key = None if thing is None else thing_named(memory, thing)
        facts = sorted(memory.store.as_of(at, believed, key))
        first = memory.store.change_record(1)
    job.result({"at": shown(at), "facts": facts})
    print_facts(job, "", facts)
    if not facts:
        begin = f"; the memory begins at {shown(first.observed_ns)}" if first else ""
        job.note(f"nothing is known to have held at {shown(at)}{begin}")
