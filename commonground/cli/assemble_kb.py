"""``commonground assemble kb``: knowledge bases in Prolog checked, and written by a language model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from commonground.atomic import write_text
from commonground.cli.command import command
from commonground.cli.job import Job
from commonground.errors import GroundingError, HonestNo

if TYPE_CHECKING:
    from commonground.grounding.prolog.generation.generate import Generated

KbArgument = Annotated[Path, typer.Argument(help="Knowledge base, a Prolog file.")]


app = typer.Typer(name="kb", help="Check and write knowledge bases.", no_args_is_help=True)


@command(app, "check")
def check(job: Job, kb: KbArgument) -> None:
    """Name everything that is wrong with a knowledge base, with its place; nothing of it is trusted."""
    from commonground.grounding.prolog import check_file, errors_of, summary

    findings = check_file(kb, job.config.assembly, seed=job.seed)
    status = "error" if errors_of(findings) else "ok"
    job.result({"status": status, "findings": [f.as_json() for f in findings]})
    job.lines(finding.sentence(str(kb)) for finding in findings)
    job.say(f"{kb.name}: {summary(findings)}")
    if errors_of(findings):
        raise typer.Exit(1)


@command(app, "generate")
def generate(
    job: Job,
    high: Annotated[Path, typer.Argument(help="Text of the task: what there is, the goal.")],
    low: Annotated[Path, typer.Argument(help="Text of the arms and their calls.")],
    out: Annotated[Path, typer.Option("--out", help="Write the knowledge base.")],
    whole: Annotated[
        bool, typer.Option("--whole", help="Ask for everything at once, not part by part.")
    ] = False,
    reuse: Annotated[
        Path | None,
        typer.Option("--reuse", help="Keep the high level of this base; only the low is written."),
    ] = None,
    examples: Annotated[
        Path | None, typer.Option("--examples", help="Folder with your own examples and words.")
    ] = None,
) -> None:
    """Have a language model write a knowledge base, and check every part in Prolog until it is clean."""
    from commonground.grounding.prolog import generate_base, open_job

    order = open_job((high, low), reuse, examples)
    with job.phase("writing the knowledge base"):
        made = generate_base(order, job.config.grounding.model, job.config.assembly, whole=whole)
    _print_generated(job, made, out)


def _print_generated(job: Job, made: Generated, out: Path) -> None:
    """Write the base and say how it went; what is wrong with it is an error."""
    from commonground.grounding.prolog import errors_of

    job.result(made.as_json())
    job.lines(f"the texts: {line}" for line in made.complaints)
    job.lines(finding.sentence(out.name) for finding in made.findings)
    if made.program:
        write_text(out, made.program)
        job.say(f"written to {out} after {made.questions} questions")
    status = made.status.value
    if status == "inconsistent":
        raise HonestNo(f"the texts contradict each other: {'; '.join(made.complaints)}")
    if status != "ok":
        wrong = len(errors_of(made.findings))
        left = f"; {wrong} errors are left, see 'assemble kb check {out}'" if made.program else ""
        raise GroundingError(made.reason + left)
